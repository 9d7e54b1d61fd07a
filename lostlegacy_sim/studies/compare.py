"""Compare: what changes between sets, bots or numbers of players."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_uppercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.estimate import CONFIDENCE, RATES, Estimate, plain_number
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Measure
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.differences import Difference, ExactDifference, exact, paired, unpaired
from lostlegacy_sim.stats.gaps import GapDifference
from lostlegacy_sim.stats.jackknife import Jackknife, jackknife
from lostlegacy_sim.stats.sequences import FIRST_BATCHES, blocks_for, reach
from lostlegacy_sim.stats.unseen import Span, share_unseen_ever
from lostlegacy_sim.stats.verdicts import Verdict, judge
from lostlegacy_sim.studies.pairing import Batches, pair
from lostlegacy_sim.studies.questions import Question, Questions
from lostlegacy_sim.studies.simulate import Answer
from lostlegacy_sim.studies.targets import Margin, Reached, Target
from lostlegacy_sim.tally import Totals

UNITS = {"rate": "difference"}  # of a difference, by the unit of the measure
FEW_BATCHES = 4  # with fewer Student's t is wider than the exact intervals of both sides


@dataclass(frozen=True)
class Variant:
    """One side of a comparison: its letter, and what it gave."""

    letter: str
    result: Result

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        result, experiment = self.result, self.result.experiment
        return {"letter": self.letter, "experiment": experiment.to_plain(), "experiment_hash": experiment.hash, "set_hash": experiment.set_hash,
                "status": result.status, "deals": result.deals, "deals_planned": experiment.planned_deals, "blocks": result.blocks,
                "provenance": dict(result.provenance), "error": result.error or None}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One measure of two results, and what its difference allows to say."""

    question: Question
    unit: str  # of the difference
    first: Estimate
    second: Estimate
    difference: Difference
    margin: float  # nan if none was stated
    verdict: Verdict
    deals_needed: float  # of the second variant, in all, until there is a verdict; nan if there is one

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        value, low, high = map(plain_number, self.verdict.interval)
        numbers = {"p_value": self.verdict.p_value, "equivalence_p_value": self.verdict.equivalence_p_value, "margin": self.margin,
                   "gain_of_pairing": self.difference.gain, "deals_needed": self.deals_needed}  # fmt: skip
        finite = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {"measure": self.question.name, "unit": self.unit, "first": self.first.to_plain(), "second": self.second.to_plain(),
                "difference": {"value": value, "low": low, "high": high}, "verdict": self.verdict.word, **finite}  # fmt: skip


class Contrast:
    """The differences second - first of two results, by the name of their measure."""

    def __init__(self, first: Variant, second: Variant, game: Game, anytime: bool = False) -> None:
        """`anytime`: the results were looked at while they grew."""
        self.first, self.second, self.game, self.anytime = first, second, game, anytime
        self.answers = [Answer(variant.result, game, anytime) for variant in (first, second)]
        self.pairing = pair(first.result, second.result)
        self.questions = Questions(first.result.experiment, second.result.experiment, game)

    def difference(self, question: Question) -> Difference:
        """The difference of one measure, paired if that is possible: what the verdict, the interval and a decision rest on."""
        measures = [answer.estimates.measure(name) for answer, name in zip(self.answers, (question.first, question.second), strict=True)]
        if measures[0].form in RATES and self.has_few_batches:
            return exact(*(partial(answer.estimates.exact, measure.name) for answer, measure in zip(self.answers, measures, strict=True)))
        first, second = (numbers(*side) for side in zip(self.answers, self.batches, measures, strict=True))
        if self.are_one:  # by logic
            first, second = (replace(side, span=Span(0.0, 0.0, side.span.blocks)) for side in (first, second))
        if measures[0].form == "gap":
            return GapDifference(first, second, self.pairing.is_paired, self.anytime)
        return (paired if self.pairing.is_paired else unpaired)(first, second, self.anytime)

    @property
    def has_few_batches(self) -> bool:
        """Whether exact intervals of both sides tell more than batches."""
        return min(len(batches.sizes) for batches in self.batches) < (FIRST_BATCHES if self.anytime else FEW_BATCHES) and not self.are_one

    @property
    def are_one(self) -> bool:
        """Whether both sides are the same experiment, so that nothing can differ."""
        return self.first.result.experiment == self.second.result.experiment

    @property
    def batches(self) -> tuple[Batches, Batches]:
        """The batches that are compared."""
        return self.pairing.first, self.pairing.second

    def for_gate(self, name: str) -> Estimate:
        """The difference of a measure as an estimate. Raises UsageError if there is no such measure."""
        question = self.questions.named(name)
        measure, difference = self.answers[0].estimates.measure(question.first), self.difference(question)
        value, low, high = difference.interval(CONFIDENCE)
        deals = min(variant.result.deals for variant in (self.first, self.second))
        return Estimate(name, UNITS.get(measure.unit, measure.unit), f"{measure.meaning}: difference", value, low, high, deals,
                        self.method_of(difference, low))  # fmt: skip

    def method_of(self, difference: Difference, low: float) -> str:
        """How the interval of a difference was found."""
        if math.isnan(low):
            return "none"
        if self.are_one:
            return "logic"
        if isinstance(difference, ExactDifference):
            return "difference of exact intervals"
        if difference.is_same:
            return "constant"
        return "sequence of differences" if self.anytime else "jackknife of differences"

    def reached(self, targets: Sequence[Target]) -> list[Reached]:
        """How exactly the differences of some measures are known."""
        return [Reached(target, self.for_gate(target.measure), self.deals_for(target)) for target in targets]

    def deals_for(self, target: Target) -> float:
        """About how many deals of the larger side it takes until a difference is known so exactly."""
        estimate = self.for_gate(target.measure)
        blocks = float(min(batches.sizes.sum() for batches in self.batches))
        if math.isnan(estimate.low):
            return math.inf
        if estimate.method == "constant":
            room = (estimate.high - estimate.low) / 2 / share_unseen_ever(blocks, 1 - CONFIDENCE)
            return blocks_for(0.0, target.amount.value, room=room) * self.rotations
        deviation = (estimate.high - estimate.low) / 2 * math.sqrt(blocks) / float(reach(blocks))
        return blocks_for(deviation, target.amount.value) * self.rotations

    @property
    def rotations(self) -> int:
        """Deals a shuffle, of the side that has more."""
        return max(variant.result.experiment.rotations for variant in (self.first, self.second))


def numbers(answer: Answer, batches: Batches, measure: Measure) -> Jackknife:
    """The jackknife of a measure; of a gap, that of all its rates as one vector."""
    labels, measures = answer.result.tally.labels, answer.estimates.measures

    def of_counts(counts: NDArray[Any]) -> NDArray[Any]:
        totals = Totals(labels, counts)
        return np.stack([measures[name](totals) for name in measure.rates], axis=-1) if measure.form == "gap" else measure(totals)

    return jackknife(batches.counts, of_counts, batches.sizes, answer.estimates.span(measure))


@dataclass(frozen=True)
class Comparison:
    """One contrast with its answers."""

    contrast: Contrast
    rows: Sequence[Row]

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        pairing = self.contrast.pairing
        return {
            "first": self.contrast.first.letter,
            "second": self.contrast.second.letter,
            "paired": pairing.is_paired,
            "unpaired_because": pairing.obstacle or None,
            "blocks": int(min(batches.sizes.sum() for batches in self.contrast.batches)),
            "measures": [row.to_plain() for row in self.rows],
        }


def compare(contrasts: Sequence[Contrast], names: Sequence[str] = (), margins: Sequence[Margin] = ()) -> list[Comparison]:
    """Answer all questions of some contrasts as one family, adjusted by Holm.

    `names`: measures, or none for the usual ones. Raises UsageError for a measure that one of two does not have.
    """
    asked = [contrast.questions.asked(names) for contrast in contrasts]
    every = [(contrast, question) for contrast, questions in zip(contrasts, asked, strict=True) for question in questions]
    differences = [contrast.difference(question) for contrast, question in every]
    limits = [margin_of(contrast.answers[0].estimates.measure(question.first), question.name, margins) for contrast, question in every]
    blocks = [float(min(batches.sizes.sum() for batches in contrast.batches)) for contrast, _ in every]
    verdicts = judge(differences, limits, [question.direction for _, question in every], CONFIDENCE, blocks)
    rows = [
        row_of(contrast, question, difference, margin, verdict)
        for (contrast, question), difference, margin, verdict in zip(every, differences, limits, verdicts, strict=True)
    ]
    comparisons, place = [], 0
    for contrast, questions in zip(contrasts, asked, strict=True):
        comparisons.append(Comparison(contrast, rows[place : place + len(questions)]))
        place += len(questions)
    return comparisons


def row_of(contrast: Contrast, question: Question, difference: Difference, margin: float, verdict: Verdict) -> Row:
    """The answer to one question."""
    first, second = (answer.estimates[name] for answer, name in zip(contrast.answers, (question.first, question.second), strict=True))
    unit = UNITS.get(first.unit, first.unit)
    return Row(question, unit, first, second, difference, margin, verdict, verdict.blocks_needed * contrast.rotations)


def margin_of(measure: Measure, name: str, margins: Sequence[Margin]) -> float:
    """The margin of one measure; nan if none was stated. One for all holds for rates and their differences."""
    stated = {margin.measure: margin.amount.value for margin in margins}
    general = stated.get("", math.nan) if measure.unit in ("rate", "difference") else math.nan
    return stated.get(name, general)


def letter(place: int) -> str:
    """A, B, ..., Z, A2, B2, ..."""
    turn, rest = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[rest] + (str(turn + 1) if turn else "")


# --- what is played ---------------------------------------------------------------------------------------


def same_blocks(experiments: Sequence[Experiment]) -> list[Experiment]:
    """The experiments with equally many shuffles: as many as the one with the most rotations takes for its deals."""
    blocks = min((experiment.blocks for experiment in experiments), default=0)
    return [replace(experiment, deals=blocks * experiment.rotations) for experiment in experiments]
