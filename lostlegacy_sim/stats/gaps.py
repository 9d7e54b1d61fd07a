"""The difference of two gaps: by how much further apart the numbers of one result lie than those of another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lostlegacy_sim.stats.differences import AnytimeDifference, Single, StudentDifference
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Floats, Jackknife
from lostlegacy_sim.stats.sequences import FIRST_BATCHES


@dataclass(frozen=True)
class GapDifference:
    """second's gap (largest minus smallest number) - first's.

    A maximum has no jackknife. But the second's gap is the lead of one of its pairs, and no smaller than that
    of any other; so is the first's. All differences of a lead in the second and a lead in the first, with
    intervals that hold all at once (Bonferroni), therefore bound the difference of the gaps: from above by
    the best case of the second's pair with the first's most restrictive one, from below the other way round.
    """

    first: Jackknife  # of a vector of numbers
    second: Jackknife
    is_paired: bool = True
    anytime: bool = False

    @property
    def value(self) -> float:
        """The difference of the two gaps."""
        return float(np.ptp(self.second.value) - np.ptp(self.first.value))

    @property
    def gain(self) -> float:
        """How many times more deals an unpaired comparison of the two widest pairs would need."""
        if not self.is_paired or len(self.first.sizes) < 2:
            return math.nan
        widest = [leads(numbers)[int(np.argmax(leads(numbers).value))] for numbers in (self.first, self.second)]
        together = float((widest[1] - widest[0]).error) ** 2
        return math.inf if together == 0 else sum(float(lead.error) ** 2 for lead in widest) / together

    def interval(self, confidence: float = 0.95) -> Interval:
        """Bounded by all differences of leads; no bounds with too few batches."""
        one = self.of_one(0, 1.0).interval(1 - (1 - confidence) / self.questions)
        distance = (one.high - one.value) * self.errors  # as many errors for each
        low = (self.values - distance).max(axis=0).min()
        high = (self.values + distance).min(axis=1).max()
        return Interval(self.value, float(low), float(high))

    def p_value(self) -> float:
        """The error at which the interval begins to leave out 0."""
        errors_away = self.in_errors(self.values)
        above, below = errors_away.max(axis=0).min(), (-errors_away).max(axis=1).min()
        return float(np.minimum(1.0, self.questions * self.of_one(max(above, below, 0.0), 1.0).p_value()))

    def equivalence_p_value(self, margin: float) -> float:
        """The error, on each side, at which the interval begins to lie within the margin."""
        above, below = self.in_errors(self.values + margin), self.in_errors(margin - self.values)
        inside = min(above.max(axis=0).min(), below.max(axis=1).min())
        return float(np.minimum(1.0, self.questions * self.of_one(0, 1.0).equivalence_p_value(max(inside, 0.0))))

    @property
    def questions(self) -> float:
        """How many differences hold at once; those of the opposite pairs are the same, mirrored."""
        return self.values.size / 2

    def of_one(self, value: float, error: float) -> Single:
        """One of the differences, in units of its error."""
        batches = [len(numbers.sizes) for numbers in (self.first, self.second)]
        if self.anytime:
            blocks = min(float(numbers.sizes.sum()) for numbers in (self.first, self.second))
            return AnytimeDifference(value, error if min(batches) >= FIRST_BATCHES else math.nan, blocks)
        return StudentDifference(value, error, min(batches) - 1)

    @cached_property
    def values(self) -> Floats:
        """Lead of a pair in the second minus lead of a pair in the first: [pairs of second, pairs of first]."""
        return np.asarray(leads(self.second).value[:, None] - leads(self.first).value)

    @cached_property
    def errors(self) -> Floats:
        """The standard errors of `values`."""
        first, second = leads(self.first), leads(self.second)
        if self.is_paired:
            rows, columns = np.indices(self.values.shape)
            return (second[rows] - first[columns]).error
        return np.asarray(np.hypot(second.error[:, None], first.error))

    def in_errors(self, distances: Floats) -> Floats:
        """Distances in units of their errors: [pairs, pairs]; a distance without an error is endless."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = distances / self.errors
        return np.where(distances == 0, 0.0, found)


def leads(numbers: Jackknife) -> Jackknife:
    """By how much each number is ahead of each other one: a vector of n * (n - 1)."""
    ahead, behind = np.nonzero(~np.eye(len(numbers.value), dtype=bool))
    return numbers[ahead] - numbers[behind]
