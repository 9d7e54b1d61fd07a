"""Lost Legacy with a table at which no deal ever ends: every one passes its bound on turns, and none counts."""

from dataclasses import dataclass, replace

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games import find_game
from lostlegacy_sim.tally import Totals

GAME = find_game("lost_legacy")


@dataclass
class VoidTable:
    experiment: Experiment

    def play(self, first_block, n_blocks, counts, exemplars):
        Totals(GAME.labels(self.experiment), counts)["void"][...] += n_blocks * self.experiment.rotations


VOID = replace(GAME, open_table=VoidTable)
