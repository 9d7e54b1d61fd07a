"""Train the bot `trained`: its weights, lostlegacy_sim/games/lost_legacy/bots/trained/trained.json.

    python scripts/train.py [--seed 1] [--rounds 2000] [--threads 2] [-o FILE]
    python scripts/train.py --measure [--seed 1] [--deals 20000]

It learns at tables of both printed sets for two, three and four, among careful, hunter, novice, random and its own earlier
selves. The same seed and rounds make the same file at any number of threads. `--measure` trains nothing: the bot as it is plays
alone among others of each bot, reports/trained.json, which docs/bots.md shows (scripts/make_docs.py). No deal of the training
is among those measured.
"""

import argparse
import json
import os
import sys
from itertools import product
from pathlib import Path
from time import perf_counter

from lostlegacy_sim import __version__
from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots.trained.weights import write_weights
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.research.training.trainer import DEALS, Round, train
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of

ROOT = Path(__file__).parent.parent
WEIGHTS, REPORT = ROOT / "lostlegacy_sim/games/lost_legacy/bots/trained/trained.json", ROOT / "reports/trained.json"
OPPONENTS = ("careful", "hunter", "novice", "random")
SETS, PLAYERS = ("starship", "flying-garden"), (2, 3, 4)
ROUNDS = 2000
TOLD = 100  # rounds between two lines


def measure(deals: int, seed: int) -> None:
    """Play the bot alone among others of each opponent, and write its win indices down."""
    game, rows = find_game("lost_legacy"), []
    for name, players, opponent in product(SETS, PLAYERS, OPPONENTS):
        result = play(experiment_of(game, printed(name), players, ["trained", opponent], deals, seed), game)
        index = Answer(result, game).estimates["index_bot[trained]"]
        rows.append({"set": name, "players": players, "opponent": opponent, "index": index.value, "low": index.low, "high": index.high})
        print(f"{name:14s} {players} players, {opponent:8s} {index.value:.3f} ({index.low:.3f} to {index.high:.3f})", file=sys.stderr, flush=True)
    REPORT.write_text(json.dumps({"seed": seed, "deals": deals, "found": rows}, indent=1) + "\n", encoding="utf-8")


def learn(rounds: int, seed: int, threads: int, output: str) -> None:
    """Train, write the weights down, and say on the way how far it is."""
    begun, leads = perf_counter(), list[tuple[float, ...]]()

    def tell(found: Round) -> None:
        leads.append(found.lead)
        if found.number % TOLD == 0 or found.number == rounds:
            said = " ".join(f"{sum(column) / len(leads):+.2f}" for column in zip(*leads, strict=True))
            print(f"round {found.number}, {found.deals:,} deals, {perf_counter() - begun:.0f} s, lead in points {said}", file=sys.stderr, flush=True)
            leads.clear()

    weights = train([printed(name) for name in SETS], PLAYERS, rounds, seed, threads, tell=tell)
    header = {
        "command": f"python scripts/train.py --seed {seed} --rounds {rounds}", "seed": seed,
        "deals": rounds * DEALS * len(SETS) * len(PLAYERS), "sets": list(SETS), "players": list(PLAYERS), "version": __version__,
    }  # fmt: skip
    Path(output).write_text(write_weights(weights, header), encoding="utf-8")


def main() -> int:
    """Train or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of {DEALS} deals at each of the {len(SETS) * len(PLAYERS)} tables")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-o", "--output", metavar="FILE", default=str(WEIGHTS))
    parser.add_argument("--measure", action="store_true", help="measure the bot as it is")
    parser.add_argument("--deals", type=int, default=20_000, help="with --measure: deals against each opponent at each table")
    arguments = parser.parse_args()
    try:
        if arguments.measure:
            measure(arguments.deals, arguments.seed)
        else:
            learn(arguments.rounds, arguments.seed, arguments.threads, arguments.output)
    except LlsimError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
