"""Differences of two numbers, over the same batches or not, and how surely they are not nought."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from lostlegacy_sim.stats.intervals import Interval, student_quantile
from lostlegacy_sim.stats.jackknife import Jackknife, gain_of_pairing
from lostlegacy_sim.stats.sequences import FIRST_BATCHES, TIGHTEST_AT, boundary_at, prior_size
from lostlegacy_sim.stats.unseen import ANYWHERE, Span, error_at, share_unseen, share_unseen_ever

SMALLEST = 1e-12  # p-value of an exact difference


class Difference(Protocol):
    """What a verdict needs of a difference."""

    @property
    def value(self) -> float:
        """The difference itself; nan if there is none."""

    @property
    def gain(self) -> float:
        """How many times more deals an unpaired comparison would need; nan if that cannot be told."""

    @property
    def is_same(self) -> bool:
        """Whether the two have come out the same in every batch."""

    def interval(self, confidence: float = 0.95) -> Interval:
        """The interval of the difference."""

    def p_value(self) -> float:
        """Chance to see at least so much where there is no difference, two-sided; nan without bounds."""

    def equivalence_p_value(self, margin: float) -> float:
        """Chance to see so little where the difference is at least `margin`: the larger of two one-sided tests."""


@dataclass(frozen=True)
class Told:
    """A difference told by its intervals, one inside the other: a test finds what the interval of its error leaves out."""

    value: float

    def at(self, error: float) -> Interval:
        """The interval that is wrong with a chance of `error`."""
        raise NotImplementedError

    def interval(self, confidence: float = 0.95) -> Interval:
        """The interval of the difference."""
        return self.at(1 - confidence)

    def p_value(self) -> float:
        """The error at which the interval begins to leave out 0."""
        if math.isnan(self.interval().low):
            return math.nan
        return error_at(self.reach_to_nought, abs(self.value), 1.0)

    def reach_to_nought(self, error: float) -> float:
        """How far the interval reaches from the value towards 0."""
        value, low, high = self.at(error)
        return value - low if value > 0 else high - value

    def equivalence_p_value(self, margin: float) -> float:
        """The error, on either side, at which the interval begins to lie within the margin."""
        if math.isnan(self.interval().low):
            return math.nan
        return error_at(lambda error: max(self.at(2 * error).high, -self.at(2 * error).low), margin, 0.5)


@dataclass(frozen=True)
class StudentDifference(Told):
    """A difference whose error is known from batches."""

    error: float  # standard error; nan with too few batches
    freedom: int  # degrees of freedom behind the error
    gain: float = math.nan  # how many times more deals an unpaired comparison would need; nan if unpaired
    span: Span = ANYWHERE
    slack: float = 0.0  # how far it may be off besides, not by chance

    @property
    def is_same(self) -> bool:
        """Whether the two have come out the same in every batch."""
        return self.value == 0 == self.error

    def interval(self, confidence: float = 0.95) -> Interval:
        """Student's t and what was not seen; no bounds without an error."""
        return self.around(student_quantile(confidence, self.freedom) if self.freedom else math.nan, 1 - confidence)

    def at(self, error: float) -> Interval:
        """The same for an error, however small."""
        return self.around(upper_quantile(error / 2, self.freedom), error)

    def p_value(self) -> float:
        """Student's t, two-sided; with what was not seen, where it is known what the number lies between."""
        from scipy import special

        if self.span.is_known or self.slack or self.freedom < 1 or not self.error > 0:
            return super().p_value()
        return float(2 * special.stdtr(self.freedom, -abs(self.value) / self.error))

    def around(self, quantile: float, error: float) -> Interval:
        """So many standard errors around the value, and what was not seen."""
        low, high = self.span.bounds(self.value, self.error, quantile, share_unseen(self.span.blocks, error / 2), self.slack)
        return Interval(self.value, float(low), float(high))

    def tail(self) -> float:
        """Chance that errors alone reach so far up from nought: half the p-value above it."""
        half = self.p_value() / 2
        return half if self.value > 0 else 1 - half


@dataclass(frozen=True)
class AnytimeDifference(Told):
    """A difference that is looked at while it grows: everything said of it holds at every look."""

    error: float  # standard error; nan with too few batches
    blocks: float
    gain: float = math.nan  # of pairing; nan if unpaired
    span: Span = ANYWHERE
    slack: float = 0.0  # how far it may be off besides, not by chance

    @property
    def is_same(self) -> bool:
        """Whether the two have come out the same in every batch."""
        return self.value == 0 == self.error

    def at(self, error: float) -> Interval:
        """An asymptotic confidence sequence and what was not seen; no bounds without an error."""
        quantile = float(boundary_at(self.share, error))
        low, high = self.span.bounds(self.value, self.error, quantile, share_unseen_ever(self.span.blocks, error), self.slack)
        return Interval(self.value, float(low), float(high))

    def equivalence_p_value(self, margin: float) -> float:
        """Two one-sided tests, each as strict as a two-sided one."""
        return min(2 * super().equivalence_p_value(margin), 1.0)

    @property
    def share(self) -> float:
        """Blocks, in sizes of a prior that is the same for every confidence."""
        return self.blocks / prior_size(0.95, TIGHTEST_AT)


@dataclass(frozen=True)
class ExactDifference(Told):
    """second - first of two numbers with exact intervals, half the error to each: for so few deals that batches tell nothing."""

    first: Callable[[float], Interval]  # of a confidence
    second: Callable[[float], Interval]
    gain: float = math.nan
    is_same: bool = False  # in so few deals that says nothing

    def at(self, error: float) -> Interval:
        """What both intervals allow; of an error so small that it is none beside 1, what a larger one allows."""
        first, second = (side(1 - max(error, SMALLEST) / 2) for side in (self.first, self.second))
        return Interval(self.value, second.low - first.high, second.high - first.low)

    def p_value(self) -> float:
        """The error at which the interval begins to leave out 0; no smaller one is told."""
        return max(super().p_value(), SMALLEST)


def upper_quantile(tail: float, freedom: int) -> float:
    """Student's t with so much above it, however little; nan without degrees of freedom."""
    from scipy import special

    return float(-special.stdtrit(freedom, tail)) if freedom else math.nan


Single: TypeAlias = StudentDifference | AnytimeDifference


def single(number: Jackknife) -> StudentDifference:
    """A jackknifed number as a difference from nought."""
    return StudentDifference(float(number.value), float(number.error), len(number.sizes) - 1, span=number.span, slack=float(number.slack))


def single_ever(number: Jackknife) -> AnytimeDifference:
    """The same at every look."""
    error = float(number.error) if len(number.sizes) >= FIRST_BATCHES else math.nan
    return AnytimeDifference(float(number.value), error, float(number.sizes.sum()), span=number.span, slack=float(number.slack))


def exact(first: Callable[[float], Interval], second: Callable[[float], Interval]) -> ExactDifference:
    """second - first, from exact intervals of both."""
    return ExactDifference(second(0.95).value - first(0.95).value, first, second)


def paired(first: Jackknife, second: Jackknife, anytime: bool = False) -> Single:
    """second - first, over the same batches: what they share cancels."""
    gain = gain_of_pairing(second, first) if len(first.sizes) > 1 else math.nan
    return replace((single_ever if anytime else single)(second - first), gain=gain)


def unpaired(first: Jackknife, second: Jackknife, anytime: bool = False) -> Single:
    """second - first, from batches that have nothing in common (Welch 1947; degrees of freedom rounded down).

    `anytime`: both must have been played equally far at every look.
    """
    value, span, slack = float(second.value - first.value), second.span - first.span, float(first.slack + second.slack)
    variances = [float(number.error) ** 2 for number in (first, second)]
    freedoms = [len(number.sizes) - 1 for number in (first, second)]
    error = math.sqrt(sum(variances))
    if anytime:
        blocks = min(float(number.sizes.sum()) for number in (first, second))
        return AnytimeDifference(value, error if min(freedoms) >= FIRST_BATCHES - 1 else math.nan, blocks, span=span, slack=slack)
    if min(freedoms) < 1:
        return StudentDifference(value, math.nan, 0, span=span, slack=slack)
    weight = sum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return StudentDifference(value, error, int(sum(variances) ** 2 / weight) if weight > 0 else min(freedoms), span=span, slack=slack)
