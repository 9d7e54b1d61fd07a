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


@dataclass
class NobodyTable:
    """Every deal takes ten turns, and nobody wins."""

    experiment: Experiment

    def play(self, first_block, n_blocks, counts, exemplars):
        totals, deals = Totals(GAME.labels(self.experiment), counts), n_blocks * self.experiment.rotations
        totals["deals"][...] += deals
        totals["nobody"][...] += deals
        totals["turns"][...] += 10 * deals
        totals["legacy_deck"][...] += deals
        exemplars[-2:] = 10, 0


def some_void(experiment):
    """Deals with a random player never end, nor do those of a set without a Search; all others are won by nobody."""
    return VoidTable(experiment) if "random" in experiment.bots or "search" not in experiment.set_text else NobodyTable(experiment)


VOID, NOBODY, SOME = (replace(GAME, open_table=table) for table in (VoidTable, NobodyTable, some_void))
