"""Differences of two jackknifed numbers, over the same batches or not, and how surely they are not nought."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from lostlegacy_sim.stats.intervals import Interval, student_quantile
from lostlegacy_sim.stats.jackknife import Jackknife, gain_of_pairing
from lostlegacy_sim.stats.sequences import FIRST_BATCHES, TIGHTEST_AT, boundary, mixture_p_value, prior_size

FEW_BATCHES = 8  # with fewer the error itself is known too badly


class Difference(Protocol):
    """What a verdict needs of a difference."""

    @property
    def value(self) -> float:
        """The difference itself; nan if there is none."""

    @property
    def gain(self) -> float:
        """How many times more deals an unpaired comparison would need; nan if that cannot be told."""

    def interval(self, confidence: float = 0.95) -> Interval:
        """The interval of the difference."""

    def p_value(self) -> float:
        """Chance to see at least so much where there is no difference, two-sided; nan without bounds."""

    def equivalence_p_value(self, margin: float) -> float:
        """Chance to see so little where the difference is at least `margin`: the larger of two one-sided tests."""


@dataclass(frozen=True)
class StudentDifference:
    """A difference whose error is known from batches."""

    value: float
    error: float  # standard error; nan with too few batches
    freedom: int  # degrees of freedom behind the error
    gain: float = math.nan  # how many times more deals an unpaired comparison would need; nan if unpaired

    def interval(self, confidence: float = 0.95) -> Interval:
        """Student's t; no bounds without an error."""
        if math.isnan(self.error) or self.freedom < 1:
            return Interval(self.value, math.nan, math.nan)
        distance = student_quantile(confidence, self.freedom) * self.error
        return Interval(self.value, self.value - distance, self.value + distance)

    def p_value(self) -> float:
        """Student's t, two-sided."""
        return 2 * self.tail(abs(self.value))

    def equivalence_p_value(self, margin: float) -> float:
        """Two one-sided tests (Schuirmann 1987)."""
        return self.tail(margin - abs(self.value))

    def tail(self, distance: float) -> float:
        """Chance that the error alone reaches further up than `distance`."""
        from scipy import special

        if math.isnan(self.error) or math.isnan(self.value) or self.freedom < 1:
            return math.nan
        if self.error == 0:
            return 0.0 if distance > 0 else 0.5 if distance == 0 else 1.0
        return float(special.stdtr(self.freedom, -distance / self.error))


@dataclass(frozen=True)
class AnytimeDifference:
    """A difference that is looked at while it grows: everything said of it holds at every look."""

    value: float
    error: float  # standard error; nan with too few batches
    blocks: float
    gain: float = math.nan  # of pairing; nan if unpaired

    def interval(self, confidence: float = 0.95) -> Interval:
        """An asymptotic confidence sequence; no bounds without an error."""
        distance = float(boundary(self.share, confidence)) * self.error
        return Interval(self.value, self.value - distance, self.value + distance)

    def p_value(self) -> float:
        """Two-sided; the error at which the interval begins to leave out 0."""
        return self.beyond(abs(self.value))

    def equivalence_p_value(self, margin: float) -> float:
        """Two one-sided tests, each as strict as a two-sided one."""
        return self.beyond(max(margin - abs(self.value), 0.0))

    @property
    def share(self) -> float:
        """Blocks, in sizes of a prior that is the same for every confidence."""
        return self.blocks / prior_size(0.95, TIGHTEST_AT)

    def beyond(self, distance: float) -> float:
        """The error at which the interval is just so wide to one side."""
        if math.isnan(self.error) or math.isnan(distance):
            return math.nan
        if self.error == 0:
            return 0.0 if distance > 0 else 1.0
        return mixture_p_value(distance / self.error, self.share)


Single: TypeAlias = StudentDifference | AnytimeDifference


def single(number: Jackknife, anytime: bool = False) -> Single:
    """A jackknifed number as a difference from nought."""
    batches = len(number.sizes)
    if anytime:
        error = float(number.error) if batches >= FIRST_BATCHES else math.nan
        return AnytimeDifference(float(number.value), error, float(number.sizes.sum()))
    return StudentDifference(float(number.value), float(number.error), batches - 1)


def cautious(number: Jackknife) -> StudentDifference:
    """The same, but without an error while batches tell too little: there are few, or they have not differed yet.

    What has come out alike in a few batches need not in the next one; an error of 0 would make it certain.
    """
    batches = len(number.sizes)
    found = StudentDifference(float(number.value), float(number.error), batches - 1)
    have_not_differed = found.error == 0 and found.value != 0 and batches < FIRST_BATCHES
    return replace(found, error=math.nan) if have_not_differed or batches < FEW_BATCHES else found


def paired(first: Jackknife, second: Jackknife, anytime: bool = False) -> Single:
    """second - first, over the same batches: what they share cancels."""
    gain = gain_of_pairing(second, first) if len(first.sizes) > 1 else math.nan
    return replace(single(second - first, anytime), gain=gain)


def unpaired(first: Jackknife, second: Jackknife, anytime: bool = False) -> Single:
    """second - first, from batches that have nothing in common (Welch 1947; degrees of freedom rounded down).

    `anytime`: both must have been played equally far at every look.
    """
    value = float(second.value - first.value)
    variances = [float(number.error) ** 2 for number in (first, second)]
    freedoms = [len(number.sizes) - 1 for number in (first, second)]
    error = math.sqrt(sum(variances))
    if anytime:
        blocks = min(float(number.sizes.sum()) for number in (first, second))
        return AnytimeDifference(value, error if min(freedoms) >= FIRST_BATCHES - 1 else math.nan, blocks)
    if min(freedoms) < 1:
        return StudentDifference(value, math.nan, 0)
    weight = sum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    return StudentDifference(value, error, int(sum(variances) ** 2 / weight) if weight > 0 else min(freedoms))
