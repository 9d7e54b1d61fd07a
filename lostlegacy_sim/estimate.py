"""Estimates: the measures of a result, each with its interval and how that was found."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.game import Game, Measure, is_proportion
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.intervals import Interval, clopper_pearson, wilson
from lostlegacy_sim.stats.jackknife import Jackknife, Pairs, gap_of_pairs, jackknife, pairs
from lostlegacy_sim.stats.unseen import ANYWHERE, Span
from lostlegacy_sim.tally import Totals

CONFIDENCE = 0.95
RATES = ("proportion", "rate")  # forms of measures that lie between 0 and 1
EXACT = "clopper-pearson"
MIN_BATCHES = 20  # the jackknife needs so many
MIN_EVENTS = 20  # and so many events: below, a rate's distribution is too lopsided

BinomialInterval: TypeAlias = Callable[[float, float, float], Interval]  # events, trials, confidence

# How an interval was found.
METHODS = {
    "wilson": "Wilson's score interval: every deal is its own shuffle",
    "clopper-pearson": "Clopper and Pearson's exact interval, for decisions and where events are few: every deal is its own shuffle",
    "clopper-pearson over blocks": "Clopper and Pearson's exact interval with one trial a shuffle: too few events or batches for the jackknife",
    "jackknife": "delete-one-batch jackknife, Student's t, and what shuffles of a kind not yet met may add (the rule of three)",
    "constant": "the same in every batch: what shuffles of a kind not yet met may change (the rule of three)",
    "logic": "known without counting",
    "pairs": "simultaneous intervals of all pairs (Bonferroni), delete-one-batch jackknife",
    "beta-binomial sequence": "holds at every look: mixture of binomial likelihoods, exact; every deal is its own shuffle",
    "beta-binomial sequence over blocks": "holds at every look: mixture of binomial likelihoods, exact, one trial a shuffle",
    "asymptotic sequence": "holds at every look from the 20th batch on: mixture of normal likelihoods, jackknife over batches, and what "
                           "shuffles of a kind not yet met may add",
    "pairs of sequences": "holds at every look: asymptotic sequences of all pairs at once (Bonferroni)",
    "jackknife of differences": "delete-one-batch jackknife of the difference, Student's t, and what shuffles of a kind not yet met may add; "
                                "a gap by its pairs",
    "sequence of differences": "holds at every look: asymptotic sequence of the difference; a gap by its pairs",
    "difference of exact intervals": "both sides' exact intervals, half the error to each: too few batches",
    "none": "no interval: too few deals",
}


@dataclass(frozen=True)
class Estimate:
    """A measure's value and its interval; nan where there is none."""

    name: str
    unit: str
    meaning: str
    value: float
    low: float
    high: float
    n: int  # deals it was counted in
    method: str  # one of METHODS

    def to_plain(self) -> dict[str, Any]:
        """For JSON: numbers that do not exist are null."""
        numbers = {name: plain_number(getattr(self, name)) for name in ("value", "low", "high")}
        return {"unit": self.unit, **numbers, "n": self.n, "method": self.method, "meaning": self.meaning}


def plain_number(number: float) -> float | None:
    """The number, or None for nan."""
    return None if math.isnan(number) else number


@dataclass(frozen=True)
class Counted:
    """The counts of a rate, and how far its trials are independent."""

    events: float
    trials: float
    blocks: float  # with so many independent trials an interval is safe, however alike those of one shuffle turn out
    batches: int
    is_alone: bool  # one trial a shuffle
    share: float  # of several seats, among which the rate is divided

    @property
    def has_few_events(self) -> bool:
        """Whether there are too few of a kind for a distribution that is not lopsided."""
        return min(self.events, self.trials - self.events) < MIN_EVENTS

    @property
    def has_few(self) -> bool:
        """Whether there are too few for the jackknife, of these or of batches."""
        return self.has_few_events or self.batches < MIN_BATCHES

    def scaled(self, interval_of: BinomialInterval, confidence: float) -> Interval:
        """The interval of the rate, from one trial a block."""
        alike = 1.0 if self.is_alone or not self.blocks else self.trials / self.blocks
        return Interval(*(number * self.share for number in interval_of(self.events / alike, self.trials / alike, confidence)))


class Estimates:
    """The measures of one result, estimated when asked for."""

    def __init__(self, result: Result, game: Game, confidence: float = CONFIDENCE) -> None:
        """Raises ResultError if the result's counts are not those of this version of the game.

        `confidence`: of each interval; several that are to hold all at once need more.
        """
        if result.tally.labels != game.labels(result.experiment):
            raise ResultError(f"This result was counted by lostlegacy_sim {result.provenance.get('lostlegacy_sim', '?')}, "
                              "which counted other things than this version. Play it again.")  # fmt: skip
        found, counts = game.measures(result.experiment), Totals(result.tally.labels, result.tally.counts)
        for measure in found.values():
            if measure.form in RATES and not is_proportion(measure.events(counts), measure.trials(counts)):
                raise ResultError(f"This result is damaged: its counts contradict each other ({measure.meaning}).")
        self.result = result
        self.confidence = confidence
        self.measures = found

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure, for display. Raises UsageError naming the nearest one."""
        measure = self.measure(name)
        return self.estimate(measure, *self.interval(measure))

    def for_gate(self, name: str) -> Estimate:
        """The same for a decision: an exact interval where there is one. Raises UsageError."""
        measure = self.measure(name)
        return self.estimate(measure, *self.of_rate(measure, clopper_pearson)) if measure.form in RATES else self[name]

    def measure(self, name: str) -> Measure:
        """The measure of that name. Raises UsageError naming the nearest one."""
        if name not in self.measures:
            raise UsageError(unknown_measure(name, self.measures))
        return self.measures[name]

    def estimate(self, measure: Measure, interval: Interval, method: str) -> Estimate:
        """The estimate of a measure whose interval is known."""
        trials = int(np.max(measure.trials(self.totals))) if measure.form == "proportion" else int(self.totals["deals"])
        value, low, high = (float(number) for number in interval)
        return Estimate(measure.name, measure.unit, measure.meaning, value, low, high, trials, method)

    @cached_property
    def totals(self) -> Totals:
        return self.result.tally.totals

    def interval(self, measure: Measure) -> tuple[Interval, str]:
        """The interval of a measure and the method behind it."""
        if measure.form in RATES:
            return self.of_rate(measure)
        if measure.form == "gap":
            return self.of_gap(measure)
        return self.of_number(self.jackknife(measure))

    def of_rate(self, measure: Measure, of_many: BinomialInterval = wilson) -> tuple[Interval, str]:
        """Trials of one block share a shuffle, so only with one a block are they independent; `of_many`: of these, if events are many."""
        counted = self.counted(measure)
        if counted.is_alone:
            found, name = (clopper_pearson, EXACT) if counted.has_few_events else (of_many, EXACT if of_many is clopper_pearson else "wilson")
            return counted.scaled(found, self.confidence), name
        if counted.has_few:
            return named(counted.scaled(clopper_pearson, self.confidence), f"{EXACT} over blocks")
        return self.of_number(self.jackknife(measure))

    def exact(self, name: str, confidence: float) -> Interval:
        """The exact interval of a rate."""
        return self.counted(self.measures[name]).scaled(clopper_pearson, confidence)

    def counted(self, measure: Measure) -> Counted:
        """The counts of a rate."""
        events, trials = float(measure.events(self.totals)), float(measure.trials(self.totals))
        is_alone = measure.form == "proportion" and self.result.experiment.rotations == 1
        return Counted(events, trials, self.span(measure).blocks, self.result.batches, is_alone, measure.share)

    def span(self, measure: Measure) -> Span:
        """What a measure lies between, and how many blocks have a say in it."""
        tellers = self.totals["deals"] if measure.tellers is None else measure.tellers(self.totals)
        return Span(measure.least, measure.most, float(tellers) / self.result.experiment.rotations)

    def of_gap(self, measure: Measure) -> tuple[Interval, str]:
        """The largest difference of several rates."""
        return named(gap_of_pairs(self.together(measure.rates), self.pairs(measure)), "pairs")

    def pairs(self, gap: Measure) -> Pairs:
        """The differences of a gap's rates, with intervals that hold all at once."""
        return pairs(self.together(gap.rates), self.confidence)

    def of_number(self, number: Jackknife) -> tuple[Interval, str]:
        """The interval of any jackknifed number."""
        return named(number.interval(self.confidence), method_of(number, "jackknife"))

    def jackknife(self, measure: Measure) -> Jackknife:
        """The jackknife of one measure over the batches of the result."""
        return self.of_counts(lambda counts: measure(Totals(self.result.tally.labels, counts)), self.span(measure))

    def together(self, names: tuple[str, ...]) -> Jackknife:
        """The jackknife of several measures of one span as one vector: what they share stays visible."""
        measures = [self.measures[name] for name in names]

        def vector(counts: NDArray[Any]) -> NDArray[Any]:
            totals = Totals(self.result.tally.labels, counts)
            return np.stack([measure(totals) for measure in measures], axis=-1)

        return self.of_counts(vector, self.span(measures[0]))

    def of_counts(self, function: Any, span: Span = ANYWHERE) -> Jackknife:
        """The jackknife of any function of counts [..., labels]: a user's own measure, a campaign."""
        return jackknife(self.result.tally.counts, function, self.result.sizes, span)


def unknown_measure(name: str, names: Iterable[str]) -> str:
    """The sentence for a measure that does not exist: the nearest one, and all in short."""
    close = get_close_matches(name.lower(), list(names), n=1, cutoff=0.5)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    families = dict.fromkeys(re.sub(r"\[.*\]", "[...]", measure) for measure in names)
    return f"There is no measure '{name}' here.{hint} Valid: {', '.join(families)}."


def method_of(number: Jackknife, method: str) -> str:
    """The method behind the interval of a jackknifed number, where it has varied; else what is known of it."""
    return "logic" if number.span.is_point else "constant" if number.error == 0 else method


def named(interval: Interval, method: str) -> tuple[Interval, str]:
    """The interval with its method; "none" if it has no bounds."""
    return interval, "none" if math.isnan(interval.low) else method
