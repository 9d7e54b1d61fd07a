"""Game: the record a game hands to everyone else, and the table it plays at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.tally import Counts, Labels, Totals

# What a short report says beside who wins: lines (heading, its measures as (name, words)).
Summary: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class Table(Protocol):
    """A set, a line-up and a seed, ready to play; one a thread."""

    def play(self, first_block: int, n_blocks: int, counts: Counts, exemplars: Counts) -> None:
        """Play all rotations of these blocks.

        `counts` int64 [labels] is added to; `exemplars` int64 [categories + 1] is merged into (lowest
        deal of each category; turns and deal of the longest). Releases the interpreter lock. Raises
        BotError, naming deal, seat and question, on an illegal choice.
        """


@dataclass(frozen=True)
class Measure:
    """A named number of a result: events / trials * share, a pure function of its counts.

    Both functions take Totals of any leading shape and return arrays of that shape.
    """

    name: str
    unit: str  # "rate" (0 to 1, shown in %), "difference" (of rates, shown in points), "turns" or "ratio"
    meaning: str
    events: Callable[[Totals], NDArray[Any]]
    trials: Callable[[Totals], NDArray[Any]]
    # "proportion": every deal is a trial, and an event or not; "rate": so is every trial, but a deal may have none or several;
    # "mean": anything else; "gap": see `rates`
    form: str = "mean"
    share: float = 1.0  # a proportion that is divided among several seats
    rates: tuple[str, ...] = ()  # form "gap": the measures whose largest difference it is
    least: float = -inf  # what the number lies between whatever happens
    most: float = inf
    tellers: Callable[[Totals], NDArray[Any]] | None = None  # what has a say in it and is independent but for the shuffle; None: deals

    def __call__(self, totals: Totals) -> NDArray[Any]:
        """The number itself, [...]; nan where there were no trials."""
        return divide(self.events(totals), self.trials(totals)) * self.share


def is_proportion(events: NDArray[Any], trials: NDArray[Any]) -> bool:
    """Whether no more events are counted than there were trials."""
    return bool(((events >= 0) & (events <= trials)).all())


def divide(events: NDArray[Any], trials: NDArray[Any]) -> NDArray[Any]:
    """events / trials; nan where there were no trials."""
    events, trials = np.broadcast_arrays(np.asarray(events, float), np.asarray(trials, float))
    quotient: NDArray[np.float64] = np.full(events.shape, np.nan)
    np.divide(events, trials, out=quotient, where=trials != 0)
    return quotient


@dataclass(frozen=True)
class Game:
    """All that the rooms outside a game know of it."""

    name: str  # as it stands in an Experiment
    title: str  # as people write it
    labels: Callable[[Experiment], Labels]  # what is counted
    categories: tuple[str, ...]  # of exemplars; the last one is the longest deal
    open_table: Callable[[Experiment], Table]
    find_bot: Callable[[str], tuple[str, str]]  # a bot's words -> (canonical form, hash of its file or "")
    measures: Callable[[Experiment], Mapping[str, Measure]]  # all measures of an experiment, by name
    summary: Summary = ()
    # campaign(experiment, labels, who begins after a game nobody won) -> a function of counts [..., labels]:
    # each line-up entry's chance to win the campaign, then the number of games [..., players + 1]
    campaign: Callable[[Experiment, Labels, str], Callable[[NDArray[Any]], NDArray[Any]]] | None = None
    campaign_points: Mapping[int, int] = field(default_factory=dict)  # points needed, by number of players
    ladder: tuple[str, ...] = ()  # bots from the weakest to the strongest, by their words
    open_strictly: Callable[[Experiment], Table] | None = None  # as open_table, users' bots watched in every deal, not in a sample
    is_strict: bool = False

    def strict(self, is_strict: bool = True) -> Game:
        """The same game, its tables opened strictly if that is wanted: the same counts, or an error."""
        return replace(self, open_table=self.open_strictly or self.open_table, is_strict=True) if is_strict else self
