"""Verdicts: what a difference allows to say, and how much more must be played before anything can be said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lostlegacy_sim.stats.differences import Difference, StudentDifference
from lostlegacy_sim.stats.families import holm, holm_confidences, holm_intervals
from lostlegacy_sim.stats.intervals import Interval, normal_quantile, student_quantile

POWER = 0.8  # the chance of a verdict after as many blocks as are said to be needed

# What a difference above and below nought is called, by what is wished for.
WORDS = {1: ("better", "worse"), -1: ("worse", "better"), 0: ("more", "less")}
SAME = "same"  # in every batch so far: the two cannot be told apart at all
EQUIVALENT = "equivalent"
UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """A word on a difference and what it rests on; p-values are adjusted for the family it was asked in."""

    word: str  # better, worse (or more, less), equivalent, same, undecided
    interval: Interval
    p_value: float
    equivalence_p_value: float  # nan without a margin
    blocks_needed: float  # blocks in all after which a verdict is likely; nan if there is one, inf if never


def judge(
    differences: Sequence[Difference],
    margins: Sequence[float] | None = None,
    directions: Sequence[int] | None = None,
    confidence: float = 0.95,
    blocks: Sequence[float] | None = None,
) -> list[Verdict]:
    """The verdicts of one family of differences, adjusted by Holm.

    `margins`: differences smaller than these do not matter; they make `equivalent` possible, shown by two
    one-sided tests (Schuirmann 1987), and it is said even where a difference within the margin is certain.
    `directions`: 1 where more is better, -1 where less is, 0 where neither. `blocks`: how many were played.
    All sequences have one entry a difference.
    """
    margins = [math.nan] * len(differences) if margins is None else list(margins)
    directions = [1] * len(differences) if directions is None else list(directions)
    blocks = [math.nan] * len(differences) if blocks is None else list(blocks)
    raw = [difference.p_value() for difference in differences]
    raw_within = [
        math.nan if math.isnan(margin) else difference.equivalence_p_value(margin)
        for difference, margin in zip(differences, margins, strict=True)
    ]
    p_values, equivalences = holm(raw), holm(raw_within)
    levels, intervals = holm_confidences(raw, confidence), holm_intervals(differences, confidence)
    verdicts = []
    for place, difference in enumerate(differences):
        word = word_of(difference.is_same, difference.value, p_values[place], equivalences[place], WORDS[directions[place]], 1 - confidence)
        needed = blocks_needed(difference, margins[place], levels[place], blocks[place]) if word == UNDECIDED else math.nan
        verdicts.append(Verdict(word, intervals[place], float(p_values[place]), float(equivalences[place]), needed))
    return verdicts


def word_of(is_same: bool, value: float, p_value: float, equivalence_p_value: float, words: tuple[str, str], error: float) -> str:
    """The word for one difference; `words` for above and below nought."""
    if is_same:
        return SAME
    if equivalence_p_value <= error:
        return EQUIVALENT
    if p_value <= error:
        return words[0] if value > 0 else words[1]
    return UNDECIDED


def blocks_needed(difference: Difference, margin: float, confidence: float, blocks: float) -> float:
    """Blocks in all after which a verdict on one difference is likely (POWER), if it is as large as it looks.

    math.inf if none would be enough, nan if that cannot be told.
    """
    if math.isnan(confidence) or math.isnan(blocks):
        return math.nan
    _, low, high = difference.interval(confidence)
    if math.isnan(low):
        return math.nan
    freedom = difference.freedom if isinstance(difference, StudentDifference) else 0
    error = (high - low) / 2 / (student_quantile(confidence, freedom) if freedom else normal_quantile(confidence))
    chance = normal_quantile(2 * POWER - 1)
    ways = [(abs(difference.value), normal_quantile(confidence) + chance)]
    if not math.isnan(margin):
        ways.append((margin - abs(difference.value), normal_quantile(1 - 2 * (1 - confidence)) + chance))
    needed = [(quantile * error / distance) ** 2 for distance, quantile in ways if distance > 0]
    return max(blocks, blocks * min(needed, default=math.inf))
