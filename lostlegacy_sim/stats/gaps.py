"""The difference of two gaps: by how much further apart the numbers of one result lie than those of another."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.differences import Told, upper_quantile
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.stats.sequences import FIRST_BATCHES, TIGHTEST_AT, boundary_at, prior_size
from lostlegacy_sim.stats.unseen import Floats, Span, share_unseen, share_unseen_ever

OUT_OF_THE_RUNNING = 0.002  # the error with which a pair is left out


@dataclass(frozen=True)
class GapDifference(Told):
    """second's gap (largest minus smallest number) - first's.

    A maximum has no jackknife. But the second's gap is the lead of one of its pairs, and no smaller than that of any other. Take
    the first's widest pair: whichever it is, the difference of the gaps is at least the difference of the second's lead, for any
    pair of the second, and this one's. So from below it is bounded by the best of the second's pairs against the most
    restrictive one of the first's, and from above the other way round. Only the pairs that may be the widest take part, and each
    side pays (Bonferroni) for those among which its best is chosen. Where one pair is clearly the widest this is the
    interval of one difference; where several are, it is wider than need be.
    """

    value: float = field(init=False)
    first: Jackknife  # of a vector of numbers
    second: Jackknife
    is_paired: bool = True
    anytime: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", float(np.ptp(self.second.value) - np.ptp(self.first.value)))

    @property
    def is_same(self) -> bool:
        """Whether all numbers of the two have come out the same in every batch."""
        same = [np.array_equal(*numbers) for numbers in ((self.first.value, self.second.value), (self.first.without, self.second.without))]
        return self.is_paired and all(same)

    @property
    def gain(self) -> float:
        """How many times more deals an unpaired comparison of the two widest pairs would need."""
        if not self.is_paired or len(self.first.sizes) < 2:
            return math.nan
        widest = [leads(numbers)[int(np.argmax(leads(numbers).value))] for numbers in (self.first, self.second)]
        together = float((widest[1] - widest[0]).error) ** 2
        return math.inf if together == 0 else sum(float(lead.error) ** 2 for lead in widest) / together

    def at(self, error: float) -> Interval:
        """Bounded by the leads of the pairs that may be the widest; no bounds with too few batches, or where nothing was counted."""
        has_few = min(len(numbers.sizes) for numbers in (self.first, self.second)) < (FIRST_BATCHES if self.anytime else 2)
        if math.isnan(self.value) or (has_few and not self.span.is_point):
            return Interval(self.value, math.nan, math.nan)
        are_seconds, are_firsts = self.in_the_running
        low, _ = self.around(self.values, self.errors, error / np.count_nonzero(are_seconds))
        _, high = self.around(self.values, self.errors, error / np.count_nonzero(are_firsts))
        pairs = np.ix_(are_seconds, are_firsts)
        return Interval(self.value, min(float(low[pairs].max(axis=0).min()), self.value), max(float(high[pairs].min(axis=1).max()), self.value))

    def around(self, values: Floats, errors: Floats, error: float) -> tuple[Floats, Floats]:
        """The ends of each interval alone."""
        quantile, share = (self.of_sequence if self.anytime else self.of_student)(error)
        return self.span.bounds(values, errors, quantile, share)

    def of_student(self, error: float) -> tuple[float, float]:
        """How many standard errors to either side, and the share of blocks that may be of a kind not met."""
        batches = min(len(numbers.sizes) for numbers in (self.first, self.second))
        return upper_quantile(error / 2, batches - 1), share_unseen(self.span.blocks, error / 2)

    def of_sequence(self, error: float) -> tuple[float, float]:
        """The same at every look."""
        blocks = min(float(numbers.sizes.sum()) for numbers in (self.first, self.second))
        return float(boundary_at(blocks / prior_size(0.95, TIGHTEST_AT), error)), share_unseen_ever(self.span.blocks, error)

    @property
    def span(self) -> Span:
        """What the difference lies between."""
        return self.second.span - self.first.span

    @cached_property
    def in_the_running(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pairs of the second and of the first may be the widest: those whose lead may be as large as the largest one."""
        found = []
        for numbers in (self.second, self.first):
            ahead = leads(numbers)
            behind = ahead - ahead[np.full(len(ahead.value), int(np.argmax(ahead.value)))]
            _, high = self.around(behind.value, behind.error, OUT_OF_THE_RUNNING)
            found.append(np.asarray((behind.value >= 0) | (high >= 0)))
        return found[0], found[1]

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


def leads(numbers: Jackknife) -> Jackknife:
    """By how much each number is ahead of each other one: a vector of n * (n - 1)."""
    ahead, behind = np.nonzero(~np.eye(len(numbers.value), dtype=bool))
    return numbers[ahead] - numbers[behind]
