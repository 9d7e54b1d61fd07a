"""Families: several questions asked at once, so that their errors together stay below what was allowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.differences import Difference
from lostlegacy_sim.stats.intervals import Interval

Floats = NDArray[np.float64]


def holm(p_values: Sequence[float]) -> Floats:
    """Adjusted p-values that keep the chance of any false alarm, whatever the questions share (Holm 1979).

    For questions declared beforehand. nan (not answered) stays nan and does not count as asked.
    """
    order, numbers, adjusted = ordered(p_values)
    asked = len(order)
    adjusted[order] = np.minimum(np.maximum.accumulate(numbers[order] * (asked - np.arange(asked))), 1.0)
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> Floats:
    """Adjusted p-values that keep the expected share of false alarms among all alarms (Benjamini, Hochberg 1995).

    For exploration; the questions must be independent or positively dependent. nan stays nan.
    """
    order, numbers, adjusted = ordered(p_values)
    asked = len(order)
    scaled = numbers[order] * asked / np.arange(1, asked + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def ordered(p_values: Sequence[float]) -> tuple[NDArray[np.intp], Floats, Floats]:
    """The places of the p-values in ascending order, nan left out; the p-values; and a row of nan to fill."""
    numbers = np.asarray(p_values, float)
    if ((numbers < 0) | (numbers > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    order = np.argsort(numbers, kind="stable")[: np.count_nonzero(~np.isnan(numbers))]
    return order, numbers, np.full(numbers.shape, np.nan)


def holm_confidences(p_values: Sequence[float], confidence: float = 0.95) -> Floats:
    """The confidence of each interval that leaves out 0 exactly where Holm's test finds a difference.

    Each is at least `confidence`. That all of them hold at once is promised by `bonferroni` only.
    """
    order, numbers, confidences = ordered(p_values)
    error, left = 1 - confidence, len(order)
    for place in order:
        confidences[place] = 1 - error / left
        if numbers[place] <= error / left:
            left = max(left - 1, 1)
    return confidences


def holm_intervals(differences: Sequence[Difference], confidence: float = 0.95) -> list[Interval]:
    """The intervals that agree with Holm's test: they leave out 0 where it finds a difference."""
    levels = holm_confidences([difference.p_value() for difference in differences], confidence)
    levels = np.where(np.isnan(levels), confidence, levels)
    return [difference.interval(float(level)) for difference, level in zip(differences, levels, strict=True)]


def bonferroni(differences: Sequence[Difference], confidence: float = 0.95) -> list[Interval]:
    """Intervals that hold all at once."""
    each = 1 - (1 - confidence) / max(len(differences), 1)
    return [difference.interval(each) for difference in differences]
