"""A game in which the strength of every bot is planted: a deal is won by a seat with a chance in proportion to its weight.

"even" and "equal" weigh 1, "strong" 2. "rock", "paper" and "scissors" weigh 1, and take from whom they beat at the
table. A quarter of all deals is won by nobody, and the first seat weighs more than the others.
"""

from dataclasses import dataclass, replace

import fake_game
import numpy as np

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.game import GAME
from lostlegacy_sim.games.lost_legacy.kernel.counts import LABELS
from lostlegacy_sim.tally import Totals

WEIGHTS = {"even": 1.0, "equal": 1.0, "strong": 2.0, "rock": 1.0, "paper": 1.0, "scissors": 1.0, "cheat": 1.0, "slow": 1.0}
BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
EDGE, FIRST_SEAT, NOBODY = 0.2, 0.3, 0.25
RUNGS = ("even", "equal", "strong")


def weights_of(bots: list[str]) -> np.ndarray:
    """The weight of every seat."""
    edges = [EDGE * sum(((bot, other) in BEATS) - ((other, bot) in BEATS) for other in bots) / len(bots) for bot in bots]
    weights = np.array([WEIGHTS[bot] for bot in bots]) * np.exp(2 * np.array(edges))
    return weights * np.where(np.arange(len(bots)) == 0, 1 + FIRST_SEAT, 1.0)


@dataclass
class PlantedTable:
    experiment: Experiment

    def play(self, first_block, n_blocks, counts, exemplars):
        experiment = self.experiment
        fake_game.misbehave(experiment, first_block, n_blocks)
        players, rotations = experiment.players, experiment.rotations
        totals = Totals(LABELS, counts)
        blocks = np.arange(first_block, first_block + n_blocks)
        for rotation in range(rotations):
            bots = [experiment.bots[(seat + rotation) % players] for seat in range(players)]
            words = fake_game.words(experiment.seed + 7919 * experiment.repeat, 64 * blocks + rotation)
            chance = (words >> np.uint64(11)) / 2**53
            decided = chance >= NOBODY
            ends = np.cumsum(weights_of(bots)) / weights_of(bots).sum()
            seat = np.minimum(np.searchsorted(ends, (chance[decided] - NOBODY) / (1 - NOBODY), "right"), players - 1)
            np.add.at(totals["won"], (2, rotation, seat), 1)
            totals["deals"][...] += n_blocks
            totals["turns"][...] += 8 * n_blocks
            totals["nobody"][...] += (~decided).sum()
        exemplars[-2], exemplars[-1] = 8, 0


def find_bot(words: str) -> tuple[str, str]:
    return fake_game.find_bot(words, tuple(WEIGHTS))


PLANTED = replace(GAME, open_table=PlantedTable, find_bot=find_bot, ladder=RUNGS)
