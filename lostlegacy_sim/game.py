"""Game: the record a game hands to everyone else, and the table it plays at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from threading import Event
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.experiment import DETAILS, Experiment
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


@runtime_checkable
class Haltable(Table, Protocol):
    """A table that gives up what it plays soon after `stop` is set, raising apart.Halted."""

    stop: Event | None


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
    better: int = 0  # 1 where more is better, -1 where less is; else more is just more
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


class Chapter(Protocol):
    """A part of a deal: what happened, and what each seat knew after it."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Those that belong to the one above begin with two spaces."""

    @property
    def knows(self) -> tuple[str, ...]:
        """A sentence a seat."""


class Story(Protocol):
    """One deal, told."""

    @property
    def bots(self) -> tuple[str, ...]:
        """One a seat, after rotation."""

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """From the deal to the end, or to the open question it was left at."""

    @property
    def is_over(self) -> bool:
        """Whether the deal came to its end."""

    @property
    def ended(self) -> frozenset[str]:
        """The categories of its ending, by their stem: {"seen"}."""

    @property
    def turns(self) -> int:
        """How long it was."""

    def to_plain(self) -> dict[str, Any]:
        """For JSON, schema llsim.replay/1 but for what names the deal."""


class Say(Protocol):
    """The measures of a result, in words, for the sentences of a game."""

    longest: int  # turns of the longest deal

    def __call__(self, name: str, unit: str = "") -> str:
        """A measure with its interval: "24.02 % (23.93–24.11)"; as if it had another unit, if one is given."""


@dataclass(frozen=True)
class Headline:
    """A question that a result of this game answers, beside who wins: a part of its page."""

    name: str  # one word, its address on a page
    question: str
    claim: Callable[[Say], Claim] | None  # what is said of it; None, with ways: which of them is the most frequent
    chart: str  # "ways": `rows` are parts of a whole, the last one is nobody's; "places": each in its parts; "lengths": of the group "length"
    rows: tuple[tuple[str, str], ...] = ()  # measures with their words
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # of a row in numbered parts: their words, and what the last one adds
    title: str = ""  # of the chart
    notes: tuple[str, ...] = ()


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
    headlines: tuple[Headline, ...] = ()  # in the order of a page
    # campaign(experiment, labels, who begins after a game nobody won) -> a function of counts [..., labels]:
    # each line-up entry's chance to win the campaign, then the number of games [..., players + 1]
    campaign: Callable[[Experiment, Labels, str], Callable[[NDArray[Any]], NDArray[Any]]] | None = None
    campaign_points: Mapping[int, int] = field(default_factory=dict)  # points needed, by number of players
    ladder: tuple[str, ...] = ()  # bots from the weakest to the strongest, by their words
    usual_bot: str = ""  # its words; sits where none is named
    listed_bots: Callable[[], list[dict[str, Any]]] | None = None  # name, line and parameters of each built-in bot, as `llsim bots --json` has them
    check_bot: Callable[[str], tuple[Any, Mapping[str, Any]]] | None = None  # tries a bot file: the file, and what it proved; raises BotError
    compared: tuple[str, ...] = ("nobody", "seat_gap", "turns")  # what `llsim compare` looks at besides seats and bots, as far as it is there
    remembered: Mapping[str, str] = field(default_factory=dict)  # categories worth a look, "seen" for "seen[2]" -> words, in order
    endings: tuple[str, ...] = ()  # of these, those that say how a deal ended; each deal has one
    details: tuple[str, ...] = DETAILS[:1]  # what can be counted, of experiment.DETAILS
    tell: Callable[[Experiment, int], Story] | None = None  # one deal of an experiment, told; raises LlsimError
    # sit(set, the others' bots, seat, seed, deal, answers) -> a person at the table after these answers
    sit: Callable[[Any, Any, int, int, int, Any], Any] | None = None
    open_strictly: Callable[[Experiment], Table] | None = None  # as open_table, users' bots watched in every deal, not in a sample
    is_strict: bool = False

    def strict(self, is_strict: bool = True) -> Game:
        """The same game, its tables opened strictly if that is wanted: the same counts, or an error."""
        return replace(self, open_table=self.open_strictly or self.open_table, is_strict=True) if is_strict else self
