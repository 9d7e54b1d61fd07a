"""Balance run: playing the set as it is and all its variants, or saying beforehand how long that takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from threading import Event
from typing import Any

from lostlegacy_sim.estimate import CONFIDENCE, plain_number
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import HERE, Crew
from lostlegacy_sim.stats.intervals import normal_quantile
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.card_trials import Balancing
from lostlegacy_sim.studies.simulate import plan
from lostlegacy_sim.studies.survey import Asked, Progress, Survey, play_surveys


def play_balance(
    asked: Sequence[Balancing], game: Game, threads: int | None = None, on_progress: Progress | None = None, stop: Event | None = None,
    crew: Crew = HERE,
) -> Balance:  # fmt: skip
    """Play the set as it is at every table, then all variants.

    Setting `stop`, or Ctrl-C, ends it early, and so does a bot that breaks the rules: then the variants that were
    played to their end are answered, and of the set as it is the batches that were finished.
    """
    stop, move = stop or Event(), on_progress or (lambda played, planned: None)
    planned = sum(one.deals for one in asked)
    bases: list[Result] = []
    for one in asked:
        done = sum(base.deals for base in bases)
        bases.append(crew.play(one.base, game, threads, further(move, done, planned), stop))
        if stop.is_set() or bases[-1].status != "complete":
            return Balance([CardTable(of_base, base, {}, game) for of_base, base in zip(asked, bases, strict=False)], bases[-1].error)
    done = sum(base.deals for base in bases)
    wanted = [(place, experiment, measures) for place, one in enumerate(asked) for experiment, measures in one.variants.items()]
    surveys = play_surveys([Asked((experiment,), measures) for _, experiment, measures in wanted], game, threads,
                           further(move, done, planned), stop, crew) if wanted else []  # fmt: skip
    tables = [
        CardTable(one, base, dict(finished(place, wanted, surveys)), game) for place, (one, base) in enumerate(zip(asked, bases, strict=True))
    ]
    return Balance(tables, next((survey.error for survey in surveys if survey.error), ""))


def finished(place: int, wanted: Sequence[tuple[int, Experiment, Any]], surveys: Sequence[Survey]) -> Iterator[tuple[Experiment, Survey]]:
    """The variants of one table that were played to their end."""
    for (of_table, experiment, _), survey in zip(wanted, surveys, strict=True):
        if of_table == place and survey.rows:
            yield experiment, survey


def further(move: Progress, done: int, planned: int) -> Progress:
    """The same bar, for one part of all that is planned."""
    return lambda played, _: move(done + played, planned)


# --- before playing -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BalancePlan:
    """What playing at one table would take and give."""

    asked: Balancing
    deals_a_second: float  # one thread, measured with the set as it is
    threads: int

    @property
    def seconds(self) -> float:
        """Expected time on all threads."""
        return self.asked.deals / (self.deals_a_second * self.threads)

    @property
    def half_width(self) -> float:
        """Half of a 95 % interval for the value of the text of a card with one copy, if pairing gained nothing."""
        base = self.asked.base
        share, owners = 1 / base.players, base.planned_deals * base.players / self.asked.card_set.n_cards
        return normal_quantile(CONFIDENCE) * sqrt(2 * share * (1 - share) / owners)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "experiment": self.asked.base.to_plain(),
            "experiments": 1 + len(self.asked.variants),
            "deals": self.asked.deals,
            "half_width": plain_number(self.half_width),
            "seconds": round(self.seconds, 3),
            "threads": self.threads,
        }


def plan_balance(asked: Balancing, game: Game, threads: int) -> BalancePlan:
    """Measure the speed on a few deals; they are not kept."""
    return BalancePlan(asked, plan(asked.base, game, threads).deals_a_second, threads)
