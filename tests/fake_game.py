"""A tiny game of coins and dice in plain numpy: counts keyed by block, so that any split must agree.

Every deal is a hash of (seed, block, rotation): it has a winner or none, a way, and some turns. A bot
named "cheat" makes an illegal choice in deal 5,000; "slow" takes a while for every block, "stuck" a minute.
"""

import time
from dataclasses import dataclass

import numpy as np

from lostlegacy_sim.errors import BotError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Measure

LABELS = (("deals", ()), ("void", ()), ("turns", ()), ("won", (6, 6)))
CATEGORIES = ("won[1]", "won[2]", "nobody", "longest")
BOTS = ("coin", "die", "cheat", "slow")
CHEATED_DEAL = 5000


def words(seed: int, numbers: np.ndarray) -> np.ndarray:
    """A uint64 hash of each number."""
    mixed = (numbers.astype(np.uint64) + np.uint64(seed) * np.uint64(1_000_003) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def misbehave(experiment: Experiment, first_block: int, n_blocks: int) -> None:
    """What "slow", "stuck" and "cheat" do."""
    if "stuck" in experiment.bots:
        time.sleep(60)
    if "slow" in experiment.bots:
        time.sleep(0.0005 * n_blocks)
    first, end = first_block * experiment.rotations, (first_block + n_blocks) * experiment.rotations
    if "cheat" in experiment.bots and first <= CHEATED_DEAL < end:
        raise BotError(f"The bot 'cheat' chose 9 of 2 options in deal {CHEATED_DEAL} (seat 1, question play).")


@dataclass
class FakeTable:
    experiment: Experiment

    def play(self, first_block, n_blocks, counts, exemplars):
        experiment = self.experiment
        misbehave(experiment, first_block, n_blocks)
        players, rotations = experiment.players, experiment.rotations
        deals = np.arange(first_block * rotations, (first_block + n_blocks) * rotations)
        hashes = words(experiment.seed, deals)
        winner = (hashes % np.uint64(players + 1)).astype(int)  # `players`: nobody
        turns = 3 + (hashes >> np.uint64(40)).astype(np.int64) % 8
        won = np.zeros((6, 6), np.int64)
        decided = winner < players
        np.add.at(won, (deals[decided] % rotations, winner[decided]), 1)
        counts += np.concatenate([[len(deals), 0, turns.sum()], won.reshape(-1)]).astype(np.int64)
        for category, target in enumerate((0, 1, players)):
            if (winner == target).any():
                exemplars[category] = min(exemplars[category], deals[winner == target][0])
        if turns.max() > exemplars[-2]:
            exemplars[-2], exemplars[-1] = turns.max(), deals[turns.argmax()]
        elif turns.max() == exemplars[-2]:
            exemplars[-1] = min(exemplars[-1], deals[turns.argmax()])


def find_bot(words: str, bots: tuple[str, ...] = BOTS) -> tuple[str, str]:
    if words not in bots:
        raise BotError(f"There is no bot '{words}'.{nearest(words, bots)}")
    return words, ""


def measures(experiment: Experiment) -> dict[str, Measure]:
    return {
        "turns": Measure("turns", "turns", "turns of a deal", lambda totals: totals["turns"], lambda totals: totals["deals"]),
    }


FAKE = Game("fake", "Coins and Dice", lambda experiment: LABELS, CATEGORIES, FakeTable, find_bot, measures)


def ask(deals=20_000, bots=("coin", "die"), seed=1, players=2) -> Experiment:
    """An experiment of the fake game."""
    return Experiment("fake", "coins", "Coins", "", players, tuple(bots), ("",) * players, deals, seed)
