"""What --until and --require ask of a result, and the exit code that answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lostlegacy_sim.anytime import AnytimeEstimates
from lostlegacy_sim.game import Measure
from lostlegacy_sim.report.gates import judged_line, reached_line
from lostlegacy_sim.studies.simulate import Answer
from lostlegacy_sim.studies.targets import BROKEN, UNDECIDED, Judged, Reached, Requirement, Target
from lostlegacy_sim.studies.until import reached

GATE_BROKEN, NOT_DECIDED = 3, 4  # exit codes


@dataclass(frozen=True)
class Gates:
    """The targets and requirements of one result, with their answers."""

    reached: Sequence[Reached]
    judged: Sequence[Judged]

    def lines(self, deals: int) -> Iterator[str]:
        """A sentence each; `deals` is how many were played."""
        yield from (reached_line(one, deals) for one in self.reached)
        yield from (judged_line(one) for one in self.judged)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"until": [one.to_plain() for one in self.reached], "require": [one.to_plain() for one in self.judged]}


def check_targets(measures: Mapping[str, Measure], targets: Sequence[Target], requirements: Sequence[Requirement]) -> None:
    """Raise UsageError if one names no measure, or the wrong unit."""
    every: list[Target | Requirement] = [*targets, *requirements]
    for asked in every:
        asked.check(measures)


def gates_of(answer: Answer, targets: Sequence[Target], requirements: Sequence[Requirement]) -> Gates:
    """The answers of one result."""
    estimates = answer.estimates
    far = reached(estimates, targets) if isinstance(estimates, AnytimeEstimates) else []
    return Gates(far, [asked.judge(estimates) for asked in requirements])


def exit_code(gates: Sequence[Gates]) -> int:
    """3 if a requirement does not hold, 4 if something is undecided, else 0."""
    verdicts = {judged.verdict for one in gates for judged in one.judged}
    if BROKEN in verdicts:
        return GATE_BROKEN
    is_open = UNDECIDED in verdicts or any(not reached.is_met for one in gates for reached in one.reached)
    return NOT_DECIDED if is_open else 0
