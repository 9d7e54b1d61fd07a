"""Targets and requirements: how exactly a measure is to be known, and what it has to be."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.estimate import Estimate, plain_number, unknown_measure
from lostlegacy_sim.game import Measure

NUMBER = r"([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]{1,2})?)\s*(%|pp|)"
SHARES = ("rate", "difference", "ratio")  # units that may be written in %
WHOLE = 100  # per cent

MET, BROKEN, UNDECIDED = "met", "broken", "undecided"


@dataclass(frozen=True)
class Amount:
    """A number with the unit it was written in: "%", "pp" (points) or ""."""

    number: float
    unit: str

    @property
    def value(self) -> float:
        """The number in the unit of measures, where a rate is 0 to 1."""
        return self.number / WHOLE if self.unit else self.number

    def check(self, measure: Measure, option: str) -> None:
        """Raise UsageError naming `option` if a measure does not come in this unit."""
        if self.unit and measure.unit not in SHARES:
            raise UsageError(f"{option}: {measure.name} is counted in {measure.unit}; write a plain number without {self.unit}.")
        if not self.unit and measure.unit in ("rate", "difference") and abs(self.number) >= 1:
            raise UsageError(f"{option}: {measure.name} is a rate between 0 and 1; write {self.number:g}% or {self.number / WHOLE:g}.")

    def __str__(self) -> str:
        return f"{self.number:.10g}{' ' if self.unit else ''}{self.unit}"


def named_measure(name: str, measures: Mapping[str, Measure]) -> Measure:
    """The measure of that name. Raises UsageError naming the nearest one."""
    if name not in measures:
        raise UsageError(unknown_measure(name, measures))
    return measures[name]


# --- how exactly ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A measure is to be known to within `amount`: its interval reaches no further to either side."""

    measure: str
    amount: Amount

    def check(self, measures: Mapping[str, Measure]) -> None:
        """Raise UsageError if there is no such measure, or not in this unit."""
        self.amount.check(named_measure(self.measure, measures), f"--until {self}")

    def is_met(self, estimate: Estimate) -> bool:
        """Whether an estimate is exact enough."""
        return reach_of(estimate) <= self.amount.value

    def __str__(self) -> str:
        return f"{self.measure} +/- {self.amount}"


def reach_of(estimate: Estimate) -> float:
    """How far the interval reaches from the value, to the side where it reaches further."""
    return max(estimate.high - estimate.value, estimate.value - estimate.low)


def read_target(text: str) -> Target:
    """A target as it is typed: "seat_gap +/- 0.2pp". Raises UsageError."""
    match = re.fullmatch(rf"\s*(\S.*?)\s*(?:\+/-|\+-|±)\s*{NUMBER}\s*", text)
    if match is None:
        raise UsageError(f'--until {text!r}: write a measure and how exactly it is to be known, such as "seat_gap +/- 0.2pp".')
    target = Target(match[1], Amount(float(match[2]), match[3]))
    if not target.amount.number > 0:
        raise UsageError(f"--until {text!r}: no number of deals makes a measure exact; write more than 0 behind +/-.")
    return target


@dataclass(frozen=True)
class Reached:
    """Whether a target was reached, and about how many deals it takes."""

    target: Target
    estimate: Estimate
    deals_needed: float  # as far as can be told from the deals played; inf if it cannot

    @property
    def is_met(self) -> bool:
        """Whether the measure is known exactly enough."""
        return self.target.is_met(self.estimate)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        target = {"measure": self.target.measure, "within": self.target.amount.value, "reach": plain_number(reach_of(self.estimate))}
        needed = None if self.is_met or self.deals_needed == float("inf") else self.deals_needed
        return {"target": str(self.target), **target, "met": self.is_met, "deals_needed": needed}


# --- what does not matter -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Margin:
    """Differences up to this count as none: of one measure, or ("") of all rates."""

    measure: str
    amount: Amount

    def check(self, measures: Mapping[str, Measure]) -> None:
        """Raise UsageError if there is no such measure, or not in this unit."""
        if self.measure:
            self.amount.check(named_measure(self.measure, measures), f"--margin {self.measure}={self.amount}")


def read_margin(text: str) -> Margin:
    """A margin as it is typed: "0.5pp", or "turns=0.1" for one measure. Raises UsageError."""
    match = re.fullmatch(rf"\s*(?:(\S.*?)\s*=\s*)?{NUMBER}\s*", text)
    if match is None or not float(match[2]) > 0:
        raise UsageError(f"--margin {text!r}: write the largest difference that does not matter, such as 0.5pp or turns=0.1.")
    margin = Margin(match[1] or "", Amount(float(match[2]), match[3]))
    if not margin.measure and margin.amount.value >= 1:
        raise UsageError(f"--margin {text!r}: rates lie between 0 and 1; write {margin.amount.number:g}pp.")
    return margin


# --- what it has to be ----------------------------------------------------------------------------------


class Gated(Protocol):
    """What a requirement asks: estimates of a result, or of a difference."""

    def for_gate(self, name: str) -> Estimate:
        """The estimate of a measure, with the interval that decides."""


@dataclass(frozen=True)
class Requirement:
    """A measure has to be below, or above, a bound."""

    measure: str
    relation: str  # <, <=, > or >=
    amount: Amount

    def check(self, measures: Mapping[str, Measure]) -> None:
        """Raise UsageError if there is no such measure, or not in this unit."""
        self.amount.check(named_measure(self.measure, measures), f"--require {self}")

    def judge(self, estimates: Gated) -> Judged:
        """Decide by an interval: it must lie on one side of the bound as a whole."""
        estimate, bound = estimates.for_gate(self.measure), self.amount.value
        low, high = estimate.low, estimate.high
        sure, never = {
            "<": (high < bound, low >= bound),
            "<=": (high <= bound, low > bound),
            ">": (low > bound, high <= bound),
            ">=": (low >= bound, high < bound),
        }[self.relation]
        return Judged(self, estimate, MET if sure else BROKEN if never else UNDECIDED)

    def __str__(self) -> str:
        return f"{self.measure} {self.relation} {self.amount}"


def read_requirement(text: str) -> Requirement:
    """A requirement as it is typed: "out_early < 5%". Raises UsageError."""
    match = re.fullmatch(rf"\s*(\S.*?)\s*(<=|>=|≤|≥|<|>)\s*{NUMBER}\s*", text)
    if match is None:
        raise UsageError(f'--require {text!r}: write a measure, one of < <= > >=, and a number, such as "out_early < 5%".')
    relation = {"≤": "<=", "≥": ">="}.get(match[2], match[2])
    return Requirement(match[1], relation, Amount(float(match[3]), match[4]))


@dataclass(frozen=True)
class Judged:
    """A requirement, the interval that was asked, and its answer."""

    requirement: Requirement
    estimate: Estimate
    verdict: str  # MET, BROKEN or UNDECIDED

    @property
    def deals_needed(self) -> float:
        """About how many deals it takes to decide, if the measure is what it seems to be; inf if that cannot be told."""
        distance, reach = abs(self.estimate.value - self.requirement.amount.value), reach_of(self.estimate)
        if self.verdict != UNDECIDED or not distance > 0 or math.isnan(reach):
            return math.inf
        return max(float(self.estimate.n), self.estimate.n * (reach / distance) ** 2)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        asked = self.requirement
        return {"requirement": str(asked), "measure": asked.measure, "relation": asked.relation, "bound": asked.amount.value,
                "verdict": self.verdict, "deals_needed": self.deals_needed if math.isfinite(self.deals_needed) else None, **self.estimate.to_plain()}  # fmt: skip
