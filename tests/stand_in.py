"""A stand-in for the rules: real sets, line-ups and labels, but deals drawn by a hash of their number.

For tests of the command line that need no true deals: it starts in an instant. The bot "cheat" makes an
illegal choice in deal 5,000; "slow" takes a while for every block, "stuck" a minute; "strong" wins more than its share.
"""

import sys
from dataclasses import dataclass, replace

import fake_game
import numpy as np

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.game import GAME
from lostlegacy_sim.games.lost_legacy.kernel.counts import LABELS
from lostlegacy_sim.tally import NONE, Totals

BOTS = ("random", "careful", "strong", "cheat", "slow", "stuck")


@dataclass
class StandInTable:
    experiment: Experiment

    def play(self, first_block, n_blocks, counts, exemplars):
        experiment = self.experiment
        fake_game.misbehave(experiment, first_block, n_blocks)
        players, rotations = experiment.players, experiment.rotations
        deals = np.arange(first_block * rotations, (first_block + n_blocks) * rotations)
        hashes = fake_game.words(experiment.seed, deals)
        seat = (hashes % np.uint64(players)).astype(int)
        way = (hashes >> np.uint64(20)).astype(int) % 7  # 0 last, 1 seen, 2-3 found, 4-6 nobody
        bots = np.array(experiment.bots)[(seat + deals % rotations) % players]
        way[(bots == "strong") & (way == 6)] = 2
        turns = 3 + (hashes >> np.uint64(40)).astype(np.int64) % 8
        totals = Totals(LABELS, counts)
        totals["deals"][...] += len(deals)
        totals["turns"][...] += turns.sum()
        totals["nobody"][...] += (way >= 4).sum()
        won = way < 4
        np.add.at(totals["won"], (np.minimum(way[won], 2), deals[won] % rotations, seat[won]), 1)
        np.add.at(totals["found_speed"], 1 + seat[way // 2 == 1], 1)
        totals["legacy_hand"][:players] += np.bincount(seat[~won], minlength=players)
        totals["legacy_ruins"][0] += won.sum()
        if (way >= 4).any():
            exemplars[18] = min(exemplars[18], deals[way >= 4][0])
        exemplars[-2], exemplars[-1] = max(exemplars[-2], turns.max()), 0 if exemplars[-1] == NONE else exemplars[-1]


def find_bot(words: str) -> tuple[str, str]:
    return fake_game.find_bot(words, BOTS)


STAND_IN = replace(GAME, open_table=StandInTable, find_bot=find_bot, ladder=())


def main(words: list[str]) -> None:
    """llsim in a process of its own, with this stand-in."""
    from lostlegacy_sim.cli import job, llsim

    job.find_game = lambda name: STAND_IN
    llsim.main(words, prog_name="llsim")


if __name__ == "__main__":
    main(sys.argv[1:])
