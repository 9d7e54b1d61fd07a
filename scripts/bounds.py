"""How far each bot is from perfect play at least, with the 16 cards of the Starship: reports/bounds.json.

    python scripts/bounds.py [--budgets 100000,400000,1600000] [--deals 400000] [--bots random,careful] [--rounds 4]

Against every one of these bots every other one plays, and a response that is trained against it. Then learners are trained
against each other, and their mixture is exploited in the same way. `docs/perfect.md` shows what
reports/bounds.json holds (scripts/make_docs.py).
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.studies.bounds import lower_bounds, mixtures

REPORT = Path(__file__).parent.parent / "reports" / "bounds.json"
BOTS = "random,careful,careful:memory=no,hunter,trained"
BUDGETS = "100000,400000,1600000"
TRAINED_ON = 400_000  # deals a chair, each member of the mixture, and the response to each mixture
SEED = 1


def tell(line: str) -> None:
    """Say how far it has come."""
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Train, measure, write down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", metavar="NAMES", default=BOTS)
    parser.add_argument("--budgets", metavar="DEALS", default=BUDGETS, help="deals in each chair the response is trained on")
    parser.add_argument("--deals", type=int, default=400_000, help="deals measured, half of them in each chair")
    parser.add_argument("--rounds", type=int, default=4, help="learners trained against those before them")
    parser.add_argument("-o", "--output", metavar="FILE", default=str(REPORT))
    arguments = parser.parse_args()
    budgets = [int(budget) for budget in arguments.budgets.split(",")]
    starship = printed("starship")
    try:
        found = lower_bounds(find_game("lost_legacy"), starship, arguments.bots.split(","), budgets, arguments.deals, SEED, tell)
        trained_on = min(TRAINED_ON, max(budgets))
        mixed = mixtures(starship, arguments.rounds, trained_on, trained_on, arguments.deals, SEED, tell)
    except LlsimError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    for bounds in found:
        best = bounds.best
        print(f"{bounds.bot:20s} at least {100 * best.low:6.2f} points, by {best.response}")
    for mixture in mixed:
        print(f"{f'mixture of {mixture.members}':20s} at least {100 * mixture.low:6.2f} points, by trained")
    report = {"set": "starship", "seed": SEED, "deals": arguments.deals, "bots": [asdict(bounds) for bounds in found],
              "mixtures": [asdict(mixture) for mixture in mixed], "mixtures_trained_on": trained_on}  # fmt: skip
    Path(arguments.output).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
