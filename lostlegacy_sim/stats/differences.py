"""Differences of two jackknifed numbers, over the same batches or not, and how surely they are not nought."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lostlegacy_sim.stats.intervals import Interval, student_quantile
from lostlegacy_sim.stats.jackknife import Jackknife, gain_of_pairing


class Difference(Protocol):
    """What a verdict needs of a difference."""

    @property
    def value(self) -> float:
        """The difference itself; nan if there is none."""

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


def paired(first: Jackknife, second: Jackknife) -> StudentDifference:
    """second - first, over the same batches: what they share cancels."""
    difference = second - first
    gain = gain_of_pairing(second, first) if len(first.sizes) > 1 else math.nan
    return StudentDifference(float(difference.value), float(difference.error), len(first.sizes) - 1, gain)


def unpaired(first: Jackknife, second: Jackknife) -> StudentDifference:
    """second - first, from batches that have nothing in common (Welch 1947; degrees of freedom rounded down)."""
    value = float(second.value - first.value)
    variances = [float(number.error) ** 2 for number in (first, second)]
    freedoms = [len(number.sizes) - 1 for number in (first, second)]
    if min(freedoms) < 1:
        return StudentDifference(value, math.nan, 0)
    weight = sum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
    freedom = int(sum(variances) ** 2 / weight) if weight > 0 else min(freedoms)
    return StudentDifference(value, math.sqrt(sum(variances)), freedom)


@dataclass(frozen=True)
class GapDifference:
    """second's largest gap - first's, from vectors of numbers.

    A maximum has no jackknife. But the larger gap grows at most by what its widest pair grew, so the
    intervals of all pairs, and of all pairs' growth, bound it: a third of the error to each.
    """

    first: Jackknife
    second: Jackknife
    is_paired: bool = True
    gain: float = math.nan

    @property
    def value(self) -> float:
        """The difference of the two gaps."""
        gaps = [float(numbers.value.max() - numbers.value.min()) for numbers in (self.first, self.second)]
        return gaps[1] - gaps[0]

    def interval(self, confidence: float = 0.95) -> Interval:
        """Bounded by the pairs; no bounds with too few batches."""
        n_numbers = len(self.first.value)
        every = [(i, j) for i in range(n_numbers) for j in range(n_numbers) if i != j]
        each = 1 - (1 - confidence) / (3 * len(every) / 2)
        growth = {pair: self.growth(pair).interval(each) for pair in every}
        if any(math.isnan(interval.low) for interval in growth.values()):
            return Interval(self.value, math.nan, math.nan)
        low = min(growth[pair].low for pair in possible_widest(self.first, every, each))
        high = max(growth[pair].high for pair in possible_widest(self.second, every, each))
        return Interval(self.value, low, high)

    def growth(self, pair: tuple[int, int]) -> StudentDifference:
        """By how much more the first of a pair is ahead of the second."""
        before, after = (numbers[pair[0]] - numbers[pair[1]] for numbers in (self.first, self.second))
        return paired(before, after) if self.is_paired else unpaired(before, after)

    def p_value(self) -> float:
        """The error at which the interval begins to leave out 0."""

        def leaves_out_nought(error: float) -> bool:
            _, low, high = self.interval(1 - error)
            return not low <= 0 <= high

        return smallest_error(leaves_out_nought, self)

    def equivalence_p_value(self, margin: float) -> float:
        """The error, on each side, at which the interval begins to lie within the margin."""

        def is_within(error: float) -> bool:
            _, low, high = self.interval(1 - 2 * error)
            return -margin < low and high < margin

        return min(1.0, smallest_error(is_within, self, 0.5))


def possible_widest(numbers: Jackknife, every: list[tuple[int, int]], confidence: float) -> list[tuple[int, int]]:
    """The pairs (ahead, behind) that may be the widest: those not surely narrower than another."""
    intervals = {pair: (numbers[pair[0]] - numbers[pair[1]]).interval(confidence) for pair in every}
    least = max(interval.low for interval in intervals.values())
    return [pair for pair, interval in intervals.items() if interval.high >= least]


def smallest_error(is_shown: Callable[[float], bool], difference: Difference, largest: float = 1.0) -> float:
    """The smallest error at which something is shown, by halving; 1 if it never is, nan without bounds."""
    if math.isnan(difference.interval(0.5).low):
        return math.nan
    low, high = -10.0, math.log10(largest) - 1e-9  # as powers of ten; smaller ones are not told apart
    if not is_shown(10**high):
        return 1.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if is_shown(10**middle) else (middle, high)
    return float(np.power(10.0, high))
