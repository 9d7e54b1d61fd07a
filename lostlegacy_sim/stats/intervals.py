"""Intervals: how far a rate or a mean may lie from what was counted."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Interval(NamedTuple):
    """A number and the range that covers the true one at the stated confidence; nan where there is none."""

    value: float
    low: float
    high: float


def normal_quantile(confidence: float) -> float:
    """How many standard errors a two-sided interval reaches, normal distribution: 1.96 at 0.95."""
    return NormalDist().inv_cdf(0.5 + check_confidence(confidence) / 2)


@cache
def student_quantile(confidence: float, freedom: int) -> float:
    """The same for Student's t with so many degrees of freedom: 2.09 at 0.95 and 19.

    By halving, on the closed form of the distribution: importing scipy.special for this one number
    would be a fifth of the time `llsim simulate` needs to start.
    """
    check_confidence(confidence)
    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if student_chance(middle, freedom) < confidence else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def student_chance(angle: float, freedom: int) -> float:
    """Chance that |t| < sqrt(freedom) tan(angle): Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    odd = freedom % 2
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for factor in range(1 + odd, freedom, 2):
        total += term
        term *= math.cos(angle) ** 2 * factor / (factor + 1)
    return (angle + math.sin(angle) * total) * 2 / math.pi if odd else math.sin(angle) * total


def check_confidence(confidence: float) -> float:
    """The confidence, or ValueError if it is not strictly between 0 and 1."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
    return confidence


def wilson(events: float, trials: float, confidence: float = 0.95) -> Interval:
    """A proportion of independent trials, Wilson's score interval: for display."""
    if trials <= 0:
        return Interval(math.nan, math.nan, math.nan)
    quantile = normal_quantile(confidence)
    rate = events / trials
    weight = quantile**2 / trials
    middle = (rate + weight / 2) / (1 + weight)
    reach = quantile * math.sqrt(rate * (1 - rate) / trials + weight / (4 * trials)) / (1 + weight)
    # At 0 and at all events the bound is the rate itself; rounding must not move it past.
    return Interval(rate, 0.0 if events == 0 else middle - reach, 1.0 if events == trials else middle + reach)


def clopper_pearson(events: float, trials: float, confidence: float = 0.95) -> Interval:
    """A proportion of independent trials, Clopper and Pearson's exact interval: for gates.

    Covers at least at the stated confidence, whatever the true rate.
    """
    from scipy import special

    if trials <= 0:
        return Interval(math.nan, math.nan, math.nan)
    tail = (1 - check_confidence(confidence)) / 2
    low = 0.0 if events == 0 else float(special.betaincinv(events, trials - events + 1, tail))
    high = 1.0 if events == trials else float(special.betaincinv(events + 1, trials - events, 1 - tail))
    return Interval(events / trials, low, high)


def student(values: NDArray[Any], confidence: float = 0.95) -> Interval:
    """The mean of independent values (block means), Student's t interval; no bounds below two values."""
    values = np.asarray(values, float)
    if values.size < 2:
        return Interval(float(values.mean()) if values.size else math.nan, math.nan, math.nan)
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / math.sqrt(values.size)
    reach = student_quantile(confidence, values.size - 1) * error
    return Interval(mean, mean - reach, mean + reach)
