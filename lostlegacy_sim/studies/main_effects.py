"""Main effects: what one choice does to a goal, all other choices being left as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.estimate import CONFIDENCE, plain_number
from lostlegacy_sim.stats.differences import StudentDifference, single
from lostlegacy_sim.stats.families import benjamini_hochberg, bonferroni
from lostlegacy_sim.stats.foremost import rivals
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife

UNKNOWN = Interval(nan, nan, nan)


@dataclass(frozen=True)
class Choice:
    """One of two things: "speed 1", "Sister of Fate" or "Saint"."""

    name: str
    first: str
    second: str


@dataclass(frozen=True)
class Effect:
    """A difference in a goal's measure: what makes it, how large it is, how sure that there is one."""

    name: str
    goal: str
    unit: str  # of the measure; a difference of rates is shown in points
    value: float
    low: float
    high: float
    p_value: float  # two-sided; adjusted by Benjamini and Hochberg for the table it stands in, once `adjusted`
    n: int  # pairs of sets, or sets, behind it
    difference: StudentDifference = field(repr=False, compare=False)
    at_once: Interval = UNKNOWN  # right for all effects of its table at once (Bonferroni), so also for one chosen for its size

    @property
    def is_found(self) -> bool:
        """Whether it stands out of its table: at most one in twenty that do is a false alarm."""
        return self.p_value <= 1 - CONFIDENCE

    @property
    def is_sure(self) -> bool:
        """Whether it is there, with not one false alarm in the table (95 %): what a sentence may say of it."""
        return self.at_once.low > 0 or self.at_once.high < 0

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        numbers = {name: plain_number(getattr(self, name)) for name in ("value", "low", "high", "p_value")}
        return {"name": self.name, "goal": self.goal, "unit": self.unit, **numbers, "n": self.n, "is_found": self.is_found}


def effect_of(name: str, goal: str, unit: str, found: StudentDifference, n: int) -> Effect:
    """The effect that a difference is."""
    value, low, high = found.interval(CONFIDENCE)
    return Effect(name, goal, "difference" if unit == "rate" else unit, value, low, high, found.p_value(), n, found)


def adjusted(effects: Sequence[Effect]) -> list[Effect]:
    """The effects of one table with p-values and intervals that count how many were looked at."""
    p_values = benjamini_hochberg([effect.p_value for effect in effects])
    at_once = bonferroni([effect.difference for effect in effects], CONFIDENCE)
    return [replace(effect, p_value=float(p_value), at_once=wide) for effect, p_value, wide in zip(effects, p_values, at_once, strict=True)]


def choice_pairs(is_second: NDArray[np.bool_], choice: int) -> list[tuple[int, int]]:
    """Places (with the first, with the second) that differ in this choice alone; of [sets, choices]."""
    place_of = {tuple(row): place for place, row in enumerate(is_second.tolist())}
    pairs = []
    for row, first in place_of.items():
        partner = (*row[:choice], True, *row[choice + 1 :])
        if not row[choice] and partner in place_of:
            pairs.append((first, place_of[partner]))
    return pairs


def mean_change(numbers: Jackknife, pairs: Sequence[tuple[int, int]]) -> StudentDifference:
    """Mean of second - first over pairs of places; its error is that of the shuffles they share."""
    return single(change_of(numbers, pairs)) if pairs else StudentDifference(float("nan"), float("nan"), 0)


def change_of(numbers: Jackknife, pairs: Sequence[tuple[int, int]], sign: int = 1) -> Jackknife:
    """The same with what is known of its errors; of one pair at least. `sign` -1: first - second."""
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    changes = numbers[second] - numbers[first]
    return Jackknife(np.asarray(sign * changes.value.mean()), sign * changes.without.mean(axis=1), changes.sizes, changes.span, np.asarray(changes.slack.mean()))


def rival_choices(choices: Sequence[Choice], is_second: NDArray[np.bool_], numbers: Jackknife, most: str) -> list[str]:
    """The choices that may move a goal as far as the one named, up or down, or further; those without a pair are never left out."""
    pairs = {choice.name: choice_pairs(is_second, number) for number, choice in enumerate(choices)}
    up = 1 if float(change_of(numbers, pairs[most]).value) > 0 else -1
    sides = [(name, sign) for name, found in pairs.items() if name != most and found for sign in (1, -1)]
    changes = [change_of(numbers, pairs[most], up), *(change_of(numbers, pairs[name], sign) for name, sign in sides)]
    able = {sides[place - 1][0] for place in rivals(changes, 0, CONFIDENCE)}
    return [name for name, found in pairs.items() if name in able or not found]


def main_effects(
    choices: Sequence[Choice], is_second: NDArray[np.bool_], numbers: Mapping[str, Jackknife], units: Mapping[str, str]
) -> list[Effect]:
    """The effect of every choice on every goal, adjusted as one table.

    `is_second`: [sets, choices]; `numbers`: by goal, over the sets. With all combinations present an
    effect is the mean of the half with the second thing minus the mean of the half with the first.
    """
    effects = []
    for number, choice in enumerate(choices):
        pairs = choice_pairs(is_second, number)
        effects += [effect_of(choice.name, goal, units[goal], mean_change(known, pairs), len(pairs)) for goal, known in numbers.items()]
    return adjusted(effects)
