"""Explore: what it would take to look at many sets at once, and how much has been played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.game import Game
from lostlegacy_sim.stats.intervals import normal_quantile
from lostlegacy_sim.studies.look import Seated
from lostlegacy_sim.studies.simulate import plan

TRIED = 3  # sets whose speed is measured


@dataclass(frozen=True)
class LookPlan:
    """What playing would take and give."""

    table: Seated
    n_sets: int  # of the first and of the second look together
    seconds: float  # on all threads, expected
    threads: int

    @property
    def deals(self) -> int:
        """Deals of all sets at all line-ups."""
        return self.n_sets * self.table.deals * len(self.table.line_ups)

    @property
    def half_width(self) -> float:
        """Half of a 95 % interval for a rate of one half."""
        return normal_quantile(0.95) * sqrt(0.25 / self.table.deals)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"table": self.table.to_plain(), "sets": self.n_sets, "deals": self.deals, "half_width": self.half_width,
                "seconds": round(self.seconds, 3), "threads": self.threads}  # fmt: skip


def plan_look(table: Seated, sets: Sequence[CardSet], n_again: int, game: Game, threads: int) -> LookPlan:
    """Measure the speed on a few deals of a few sets; they are not kept."""
    tried = sets[:: max(1, len(sets) // TRIED)][:TRIED]
    seconds = 0.0
    for bots in table.line_ups.values():
        for card_set in tried:
            experiment = table.experiment(game, card_set, bots)
            seconds += plan(experiment, game, threads).seconds / len(tried)
    n_sets = len(sets) + n_again
    return LookPlan(table, n_sets, seconds * n_sets, threads)
