"""Foremost: whether the largest of several numbers surely is the largest, or has only come out so."""

from __future__ import annotations

from collections.abc import Sequence

from lostlegacy_sim.stats.differences import paired
from lostlegacy_sim.stats.jackknife import Jackknife


def rivals(numbers: Sequence[Jackknife], first: int, confidence: float = 0.95, anytime: bool = False) -> list[int]:
    """Of several numbers over the same batches the places of those that may be the largest instead of the one at `first`.

    Each other number is held against it, pair by pair, two-sided, at the error divided by their number (Bonferroni). So "no rivals"
    is wrong with a chance of the error at most, whichever number was chosen for having come out largest, and also where two are
    equally large: to be wrong, one of the others must seem surely apart from the true largest. All numbers have one span.
    `anytime`: they were looked at while they grew.
    """
    others = [place for place in range(len(numbers)) if place != first]
    error = (1 - confidence) / max(len(others), 1)
    ahead = {place: paired(numbers[place], numbers[first], anytime) for place in others}
    return [place for place, found in ahead.items() if not (found.value > 0 and found.p_value() <= error)]  # nan: cannot be told
