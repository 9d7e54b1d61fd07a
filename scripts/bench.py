"""How fast the kernel plays, as a ratio to a calibration loop run in turn with it, and how soon it starts.

    python scripts/bench.py [--rounds 10] [--deals 200000] [--json FILE] [--starts] [--beside COMMAND] [--against FILE]

A line is a line-up at a number of players: deals a second of one thread (best round), and how many of
them fit into the time of a thousand calibration shuffles run right beside. Ratios of one run can be
compared; absolute times of two machines cannot. Then playouts a second of the searching bots. `--starts` also times a cold start (nothing compiled
yet) and a second one, from the command line to the printed answer. `--beside` runs another program that
plays the Starship at random in turn with `random` and with a user's bot; `{players}` and `{deals}` in it
are filled in, and the ratio is of processor time. `--against` compares with the ratios of an earlier run
(--json) and exits 1 if a line has less than half of its own, measured twice.
"""

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lostlegacy_sim.experiment import Experiment, line_up
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.apart import open_here
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot
from lostlegacy_sim.games.lost_legacy.bots.search import ismcts, playout
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.rules import resume
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.jit import kernel
from lostlegacy_sim.rng import keyed, shuffle_inside_out
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.tally import n_labels, no_exemplars

SEED = 1
CALIBRATION_SHUFFLES = 200_000
USERS_BOT = """from lostlegacy_sim.rng import below


def decide(cards, public, private, question):
    return below(private, question.n)
"""
SEARCHES = {"playout": playout, "ismcts": ismcts}
LINE = ("bots", "set", "players")  # what tells one line from another
LINE_UPS = (("random",), ("careful",), ("careful", "random"), ("hunter", "careful"), ("my_bot.py",))
PLAYERS = ((2, "starship"), (3, "starship"), (4, "starship"), (6, "megamix"))


@kernel
def calibrate(cards, order, n):
    """Shuffle n packs of 48 cards: integer work, memory and branches of the kernel's sort, but none of its code."""
    total = 0
    for number in range(n):
        shuffle_inside_out(cards, order, 48, keyed(np.uint64(SEED), number))
        for place in range(1, 48):
            if order[place] > order[place - 1]:
                total += 1
    return total


def seconds_of_calibration() -> float:
    """Processor seconds of the calibration loop."""
    cards, order = np.arange(48, dtype=np.uint8), np.zeros(48, np.uint8)
    calibrate(cards, order, 10)
    start = time.thread_time()
    calibrate(cards, order, CALIBRATION_SHUFFLES)
    return time.thread_time() - start


class Line:
    """One line of the benchmark: a table that plays the same blocks again and again."""

    def __init__(self, game: Game, experiment: Experiment) -> None:
        self.game, self.experiment = game, experiment
        self.table = game.open_table(experiment)
        self.counts = np.zeros(n_labels(game.labels(experiment)), np.int64)
        self.exemplars = no_exemplars(game.categories)
        self.play(1)

    def play(self, blocks: int) -> float:
        """Processor seconds of so many blocks."""
        start = time.thread_time()
        self.table.play(0, blocks, self.counts, self.exemplars)
        return time.thread_time() - start


def measure(game: Game, bots: tuple[str, ...], players: int, set_name: str, deals: int, rounds: int) -> dict[str, object]:
    """One line: best of the rounds, the calibration loop beside each."""
    experiment = experiment_of(game, load_set(set_name), players, line_up(bots, players), deals, SEED)
    line = Line(game, experiment)
    played, calibrated = [], []
    for _ in range(rounds):
        played.append(line.play(experiment.blocks) / experiment.planned_deals)
        calibrated.append(seconds_of_calibration() / CALIBRATION_SHUFFLES)
    return {
        "bots": ",".join(Path(bot).name for bot in bots), "set": set_name, "players": players,
        "deals_per_second": round(1 / min(played)), "ratio": round(1000 * min(calibrated) / min(played), 1),
    }  # fmt: skip


def slower(lines: list[dict[str, Any]], recorded: dict[str, Any], again: Callable[[dict[str, Any]], dict[str, Any]]) -> list[str]:
    """The lines that have less than half of their recorded ratio, also when they are measured again; a sentence each."""
    before = {tuple(line[name] for name in LINE): line["ratio"] for line in recorded["lines"]}
    found = []
    for line in lines:
        usual = before.get(tuple(line[name] for name in LINE))
        if usual is not None and line["ratio"] < usual / 2 and (ratio := again(line)["ratio"]) < usual / 2:
            found.append(f"{line['bots']}, {line['players']} players, {line['set']}: ratio {ratio}, less than half of {usual} recorded.")
    return found


def two_threads(game: Game, deals: int, rounds: int) -> dict[str, object]:
    """Speed-up of two threads over one, beside the processor time two threads really received."""
    experiment = experiment_of(game, load_set("starship"), 4, ("random",) * 4, deals, SEED)
    lines = [Line(game, experiment), Line(game, experiment)]
    best, received = 0.0, 0.0
    with ThreadPoolExecutor(2) as pool:
        for _ in range(rounds):
            start = time.perf_counter()
            lines[0].play(experiment.blocks)
            alone = time.perf_counter() - start
            start = time.perf_counter()
            spent = sum(pool.map(lambda line: line.play(experiment.blocks), lines))
            together = time.perf_counter() - start
            if 2 * alone / together > best:
                best, received = 2 * alone / together, spent / together
    return {"two_threads_over_one": round(best, 2), "processors_received": round(received, 2)}


def beside(game: Game, command: str, bot: str, players: int, deals: int, rounds: int) -> dict[str, object]:
    """This kernel's speed as a share of another program's, the two in turn, best of the rounds each."""
    experiment = experiment_of(game, load_set("starship"), players, (bot,) * players, deals, SEED)
    line, own, others = Line(game, experiment), [], []
    words = shlex.split(command.format(players=players, deals=deals))
    for _ in range(rounds):
        own.append(line.play(experiment.blocks))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(words, check=True, capture_output=True)
        others.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return {"bots": Path(bot).name, "players": players, "ratio": round(min(others) / min(own), 3)}


def playouts(bot: str, players: int, n_deals: int = 60) -> dict[str, object]:
    """Playouts a second of one thread: every decision of one seat among careful ones, weighted worlds, careful as finisher."""
    search = SEARCHES[bot]
    bots = (Bot("aside", ASIDE, search.PLAYOUTS), *(built_in_bot("careful"),) * (players - 1))
    table = LegacyTable(load_set("starship"), bots, 1, SEED)
    state, played, spent = table.state, 0, 0.0
    private, question = state.seats["private"][0], state.question
    for deal in range(n_deals):
        status = table.record(deal)
        while status == PAUSED:
            n = int(question["n"])
            start = time.thread_time()
            chosen = search.decide(state.cards, state.public, private, question)
            if deal:  # the first one compiles
                spent += time.thread_time() - start
                played += search.PLAYOUTS // n * n if search is playout else search.PLAYOUTS  # as many of each option
            status = resume(state, int(question["option"][chosen]))
    return {"bot": bot, "set": "starship", "players": players, "playouts_per_second": round(played / spent)}


def starts() -> dict[str, object]:
    """Seconds from the command line to the answer: nothing compiled yet, then again; and of --help."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LLSIM_CACHE_DIR": folder}

        def run(*words: str) -> float:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-m", "lostlegacy_sim", *words], env=environment, check=True, capture_output=True)
            return round(time.perf_counter() - start, 2)

        simulate = ("simulate", "--deals", "10k")
        return {"cold_start": run(*simulate), "second_start": min(run(*simulate) for _ in range(3)),
                "help": min(run("--help") for _ in range(3))}  # fmt: skip


def main() -> int:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10, help="rounds of each line; the best one counts")
    parser.add_argument("--deals", type=int, default=200_000, help="deals a round")
    parser.add_argument("--starts", action="store_true", help="also time a cold and a second start")
    parser.add_argument("--beside", metavar="COMMAND", help="another program to run in turn, with {players} and {deals}")
    parser.add_argument("--against", metavar="FILE", help="exit 1 if a line has less than half of the ratio in this file")
    parser.add_argument("--json", metavar="FILE", help="also write the figures here")
    arguments = parser.parse_args()
    game = replace(find_game("lost_legacy"), open_table=open_here)  # a user's bot, too: the time of a child is not ours
    found: dict[str, Any] = {"seed": SEED, "rounds": arguments.rounds, "deals": arguments.deals}
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "my_bot.py")
        path.write_text(USERS_BOT)
        for bot in ("random", str(path)) if arguments.beside else ():
            for players in (2, 4):
                share = beside(game, arguments.beside, bot, players, 5 * arguments.deals, arguments.rounds)
                found.setdefault("beside", []).append(share)
                print(f"{share['bots']}, {players} players: {share['ratio']} of the speed of the other program")

        def line_of(bots: Sequence[str], players: int, set_name: str) -> dict[str, object]:
            words = tuple(str(path) if bot == path.name else bot for bot in bots)
            return measure(game, words, players, set_name, arguments.deals, arguments.rounds)

        print(f"{'bots':18s} {'set':10s} players   deals/s   ratio to calibration")
        for bots in LINE_UPS:
            for players, set_name in PLAYERS:
                line = line_of(bots, players, set_name)
                lines.append(line)
                print(f"{line['bots']:18s} {set_name:10s} {players:7d} {line['deals_per_second']:9,d} {line['ratio']:10.1f}")
        if arguments.against:
            recorded = json.loads(Path(arguments.against).read_text(encoding="utf-8"))
            late = slower(lines, recorded, lambda line: line_of(line["bots"].split(","), line["players"], line["set"]))
            print("\n".join(late) or f"No line has less than half of its ratio in {arguments.against}.")
            if late:
                return 1
    found["lines"] = lines
    found["playouts"] = [playouts(bot, players) for bot in SEARCHES for players in (2, 4)]
    for search in found["playouts"]:
        print(f"playouts of {search['bot']}, {search['players']} players: {search['playouts_per_second']:,} a second")
    found.update(two_threads(game, 5 * arguments.deals, arguments.rounds))
    print(f"two threads: {found['two_threads_over_one']} times one, {found['processors_received']} processors received")
    if arguments.starts:
        found.update(starts())
        print(f"start: cold {found['cold_start']} s, second {found['second_start']} s, --help {found['help']} s")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
