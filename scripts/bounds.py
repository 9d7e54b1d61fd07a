"""How far each bot is from perfect play at least, with the 16 cards of the Starship: reports/bounds.json.

    python scripts/bounds.py [--budgets 100000,1000000,8000000] [--deals 400000] [--bots random,careful]

Against every bot every other one plays, and a response that is trained against it. `docs/bots.md` shows what
reports/bounds.json holds (scripts/make_docs.py).
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.composition import printed
from lostlegacy_sim.studies.bounds import lower_bounds

REPORT = Path(__file__).parent.parent / "reports" / "bounds.json"
BOTS = "random,careful,careful:memory=no,hunter"
BUDGETS = "100000,1000000,8000000"
SEED = 1


def main() -> int:
    """Train, measure, write down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", metavar="NAMES", default=BOTS)
    parser.add_argument("--budgets", metavar="DEALS", default=BUDGETS, help="deals in each chair the response is trained on")
    parser.add_argument("--deals", type=int, default=400_000, help="deals measured, half of them in each chair")
    parser.add_argument("-o", "--output", metavar="FILE", default=str(REPORT))
    arguments = parser.parse_args()
    budgets = [int(budget) for budget in arguments.budgets.split(",")]
    try:
        found = lower_bounds(find_game("lost_legacy"), printed("starship"), arguments.bots.split(","), budgets, arguments.deals, SEED,
                             lambda line: print(line, file=sys.stderr, flush=True))  # fmt: skip
    except LlsimError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    for bounds in found:
        best = bounds.best
        print(f"{bounds.bot:20s} at least {100 * best.low:6.2f} points, by {best.response}")
    report = {"set": "starship", "seed": SEED, "deals": arguments.deals, "bots": [asdict(bounds) for bounds in found]}
    Path(arguments.output).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
