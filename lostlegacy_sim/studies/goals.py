"""Goals: what makes one set better than another, as measures with a direction."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.estimate import unknown_measure

SKILL = "skill"  # the one goal that is measured at a table of its own
DEFAULT_GOALS = ("seat_gap", "nobody", "by_found", "out_early", "turns")

# Which way is better where nothing else is said, and why; a matter of taste, so it is always printed.
TASTES = {
    "seat_gap": ("low", "no seat is favoured"),
    "nobody": ("low", "somebody wins"),
    "out_early": ("low", "everybody gets a turn"),
    "downtime": ("low", "nobody watches for long"),
    "void": ("low", "every deal ends"),
    "decided": ("high", "somebody wins"),
    "by_found": ("high", "the investigation decides"),
    "turns": ("high", "more turns, more to decide"),
    SKILL: ("high", "playing well pays"),
}
WORDS = {"low": "lower is better", "high": "higher is better"}


@dataclass(frozen=True)
class Goal:
    """A measure and where it should be: "low", "high" or "near" a target in the measure's own unit."""

    name: str
    direction: str
    target: float = 0.0

    @property
    def text(self) -> str:
        """As it is written after --goal."""
        return f"{self.name}={self.target:g}" if self.direction == "near" else f"{self.name}:{self.direction}"

    @property
    def wish(self) -> str:
        """The direction in words, with the reason where it is the usual one."""
        if self.direction == "near":
            return f"nearest to {self.target:g} is best"
        usual, why = TASTES.get(self.name, ("", ""))
        return f"{WORDS[self.direction]} ({why})" if usual == self.direction else WORDS[self.direction]

    def score(self, values: NDArray[Any]) -> NDArray[Any]:
        """Numbers of which the lowest is best, [...]; from values of the measure, [...]."""
        if self.direction == "near":
            return np.abs(values - self.target)
        return values if self.direction == "low" else -values

    def is_worse(self, before: float, change: float) -> bool:
        """Whether a change of the measure makes it worse."""
        scores = self.score(np.array([before, before + change]))
        return bool(scores[1] > scores[0])

    def slope(self, values: NDArray[Any]) -> NDArray[Any]:
        """How the score changes with the value, [...]: 1 or -1."""
        if self.direction == "near":
            return np.where(values >= self.target, 1.0, -1.0)
        return np.full(np.shape(values), 1.0 if self.direction == "low" else -1.0)


def read_goals(words: Iterable[str], measures: Iterable[str]) -> tuple[Goal, ...]:
    """The goals of words such as "nobody", "nobody:high", "turns=8", "out_early=5%". Raises UsageError."""
    names = [*measures, SKILL]
    goals = [read_goal(word, names) for word in words]
    for number, goal in enumerate(goals):
        if goal.name in (other.name for other in goals[:number]):
            raise UsageError(f"--goal {goal.name} is given twice; say once where it should be.")
    return tuple(goals)


def read_goal(word: str, names: Sequence[str]) -> Goal:
    """One goal. Raises UsageError naming the nearest measure."""
    match = re.fullmatch(r"\s*([^:=]*(?:\[[^\]]*\])?)\s*(?:(:)\s*(\w*)|(=)\s*(.*?))?\s*", word)
    name = match[1].strip() if match else word.strip()
    if match is None or name not in names:
        raise UsageError(unknown_measure(name, names).replace("measure", "goal", 1))
    if match[4]:
        return Goal(name, "near", read_target(word, match[5]))
    if match[2]:
        if match[3] not in WORDS:
            raise UsageError(f"--goal {word}: there is no direction '{match[3]}'; write {name}:low, {name}:high or {name}=VALUE.")
        return Goal(name, match[3])
    if name not in TASTES:
        raise UsageError(f"--goal {name}: say which way is better: {name}:low, {name}:high or {name}=VALUE.")
    return Goal(name, TASTES[name][0])


def read_target(word: str, text: str) -> float:
    """The value after "=": "8", "0.05", "5%", "5pp". Raises UsageError."""
    match = re.fullmatch(r"([+-]?[0-9]*\.?[0-9]+)\s*(%|pp)?", text)
    target = float(match[1]) / (100 if match[2] else 1) if match else math.nan
    if not math.isfinite(target):
        raise UsageError(f"--goal {word}: write a number after the equals sign, such as turns=8 or nobody=20%.")
    return target


def needed_measures(goals: Iterable[Goal], measures: Mapping[str, Any]) -> tuple[str, ...]:
    """The measures whose counts these goals need; a gap needs the rates it lies between."""
    names: dict[str, None] = {}
    for goal in goals:
        names |= dict.fromkeys(measures[goal.name].rates or (goal.name,))
    return tuple(names)
