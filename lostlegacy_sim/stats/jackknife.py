"""The delete-one-batch jackknife: an interval for any function of batched counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.intervals import Interval, student_quantile
from lostlegacy_sim.stats.unseen import ANYWHERE, Floats, Span, share_unseen

ROUNDING = 1e-12  # an error so small is no error: nothing has varied


@dataclass(frozen=True)
class Jackknife:
    """A number, or several, from all batches and from all batches but one.

    `value`: [...], `without`: [batches, ...], `sizes`: [batches], how much each batch holds (the last
    one may hold less); `span`: what each number lies between; `slack`: how far each may be off besides, by a choice that the
    batches do not show (stats/crossing.py): it adds up in differences, and does not shrink in means. The difference of two over the same batches is a
    Jackknife again: what the batches share cancels in it, which is all that pairing means.
    """

    value: Floats
    without: Floats
    sizes: Floats
    span: Span = ANYWHERE
    slack: Floats = field(default_factory=lambda: np.zeros(()))

    def __sub__(self, other: Jackknife) -> Jackknife:
        if not np.array_equal(self.sizes, other.sizes):
            raise ValueError("only numbers over the same batches can be compared batch by batch")
        return Jackknife(self.value - other.value, self.without - other.without, self.sizes, self.span - other.span, self.slack + other.slack)

    def __getitem__(self, index: Any) -> Jackknife:
        """One of several numbers."""
        return Jackknife(self.value[index], self.without[:, index], self.sizes, self.span, np.broadcast_to(self.slack, self.value.shape)[index])

    @property
    def deviations(self) -> Floats:
        """[batches, ...]: scaled so that their products sum to the covariance.

        Batches of unequal size: Busing, Meijer and van der Leeden (1999). For a mean these are the
        batch means' distances from the mean.
        """
        batches = len(self.sizes)
        ratio = (self.sizes.sum() / self.sizes).reshape(-1, *[1] * self.value.ndim)
        pseudo = ratio * self.value - (ratio - 1) * self.without
        centred = pseudo - (pseudo / ratio).sum(axis=0)
        return np.asarray(centred / np.sqrt(batches * (ratio - 1)))

    @property
    def error(self) -> Floats:
        """Standard error: [...]; 0 where nothing has varied, nan with fewer than two batches."""
        if len(self.sizes) < 2:
            return np.full(self.value.shape, math.nan)
        error = np.sqrt((self.deviations**2).sum(axis=0))
        return np.asarray(np.where(error <= ROUNDING * np.maximum(np.abs(self.value), 1.0), 0.0, error))

    @property
    def covariance(self) -> Floats:
        """[numbers, numbers], for a Jackknife of a vector."""
        return np.asarray(self.deviations.T @ self.deviations)

    def bounds(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Low and high ends, [...] each, by Student's t and what was not seen; nan with fewer than two batches."""
        if self.span.is_point:
            return self.value, self.value
        if len(self.sizes) < 2:
            missing = np.full(self.value.shape, math.nan)
            return missing, missing
        quantile = student_quantile(confidence, len(self.sizes) - 1)
        return self.span.bounds(self.value, self.error, quantile, share_unseen(self.span.blocks, (1 - confidence) / 2), self.slack)

    def interval(self, confidence: float = 0.95) -> Interval:
        """The interval of a single number."""
        low, high = self.bounds(confidence)
        return Interval(float(self.value), float(low), float(high))


def jackknife(
    batches: NDArray[Any], measure: Callable[[NDArray[Any]], NDArray[Any]], sizes: NDArray[Any], span: Span = ANYWHERE
) -> Jackknife:
    """The jackknife of a measure of counts.

    `batches`: [batches, labels]; `measure` takes counts [..., labels] and returns [...] or [..., numbers];
    `sizes`: [batches]; `span`: what each of the numbers lies between.
    """
    totals = batches.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # a measure may have nothing to divide by
        value = np.asarray(measure(totals), float)
        without = np.full((1, *value.shape), math.nan) if len(batches) < 2 else measure(totals - batches)
    return Jackknife(value, np.asarray(without, float), np.asarray(sizes, float), span)


def gain_of_pairing(first: Jackknife, second: Jackknife) -> float:
    """How many times more deals an unpaired comparison would need for the same interval."""
    paired = float((first - second).error) ** 2
    return math.inf if paired == 0 else (float(first.error) ** 2 + float(second.error) ** 2) / paired


IntervalOf: TypeAlias = Callable[[Jackknife, float], Interval]  # of one number at a confidence
Pairs: TypeAlias = list[tuple[int, int, Interval]]


def pairs(numbers: Jackknife, confidence: float = 0.95, interval_of: IntervalOf = Jackknife.interval) -> Pairs:
    """All differences numbers[i] - numbers[j], i < j, with intervals that hold all at once (Bonferroni)."""
    n_numbers = len(numbers.value)
    every = [(i, j) for i in range(n_numbers) for j in range(i + 1, n_numbers)]
    each = 1 - (1 - confidence) / max(len(every), 1)
    return [(i, j, interval_of(numbers[i] - numbers[j], each)) for i, j in every]


def largest_gap(numbers: Jackknife, confidence: float = 0.95) -> Interval:
    """Largest minus smallest number, bounded by the simultaneous intervals of all pairs.

    The jackknife of a maximum itself would be wrong where several numbers lie close together.
    """
    return gap_of_pairs(numbers, pairs(numbers, confidence))


def gap_of_pairs(numbers: Jackknife, found: Pairs) -> Interval:
    """Largest minus smallest number, bounded by these intervals of its pairs."""
    gap = float(numbers.value.max() - numbers.value.min())
    intervals = [interval for _, _, interval in found]
    if not intervals or any(math.isnan(interval.low) for interval in intervals):
        return Interval(gap, math.nan, math.nan)
    low = max(max(interval.low, -interval.high, 0.0) for interval in intervals)
    high = max(max(interval.high, -interval.low) for interval in intervals)
    return Interval(gap, low, high)
