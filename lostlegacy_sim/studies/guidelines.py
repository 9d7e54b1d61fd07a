"""Guidelines: what each of them protects, by how much, or that it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt
from threading import Event
from typing import Any

import numpy as np

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.game import Game
from lostlegacy_sim.runner import HERE, Crew
from lostlegacy_sim.stats.differences import StudentDifference
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.studies.families import LEGAL, Family, guideline_families
from lostlegacy_sim.studies.goals import Goal
from lostlegacy_sim.studies.look import Look, Seated, take_look
from lostlegacy_sim.studies.main_effects import Effect, adjusted, effect_of
from lostlegacy_sim.studies.survey import Progress

MEMBERS = 32  # of each family


def sets_in_order(legal: Sequence[CardSet], families: Sequence[Family]) -> list[CardSet]:
    """A legal mix, then what is made from it in every family, then the next: a run that is stopped is even."""
    sets = [card_set for family in families if not family.bases for card_set in family.members]
    for number, mix in enumerate(legal):
        sets.append(mix)
        sets += [member for family in families if family.bases
                 for member, base in zip(family.members, family.bases, strict=True) if base == number]  # fmt: skip
    return sets


@dataclass(frozen=True, eq=False)
class GuidelinesAnswer:
    """How every family differs from the legal mixes it was made from."""

    look: Look
    legal: tuple[CardSet, ...]
    families: tuple[Family, ...]

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Place in the look of every set that was played, by its id."""
        return {card_set.id: place for place, card_set in enumerate(self.look.played)}

    @cached_property
    def whole_pairs(self) -> list[int]:
        """Numbers of the legal mixes that were played together with their mirror images."""
        is_played = [mix.id in self.place_of for mix in self.legal]
        return [number for number in range(len(self.legal)) if is_played[number] and is_played[number ^ 1]]

    @cached_property
    def legal_places(self) -> list[int]:
        """Their places in the look."""
        return [self.place_of[self.legal[number].id] for number in self.whole_pairs]

    def made_from(self, family: Family) -> list[tuple[int, int, int]]:
        """(legal mix, its place, place of the member made from it), where mirror images were played, too."""
        member_of = {base: self.place_of[member.id] for member, base in zip(family.members, family.bases, strict=True) if member.id in self.place_of}
        return [(number, self.place_of[self.legal[number].id], member_of[number]) for number in self.whole_pairs
                if {number, number ^ 1} <= set(member_of)]  # fmt: skip

    def difference(self, family: Family, goal: Goal) -> tuple[StudentDifference, int]:
        """Mean of a family minus the mean of legal mixes, and how many members are behind it.

        The error is that of the shuffles, and that of having drawn some members of many: both count.
        """
        numbers = self.look.jackknife(goal)
        if family.bases:
            rows = self.made_from(family)
            changes = change_of(numbers, [first for _, first, _ in rows], [second for _, _, second in rows])
            return mean_of_drawn(changes, [number // 2 for number, _, _ in rows]), len(rows)
        members = [self.place_of[member.id] for member in family.members if member.id in self.place_of]
        pairs = [number // 2 for number in self.whole_pairs]
        return difference_of_means(numbers, members, self.legal_places, pairs), len(members)

    @cached_property
    def effects(self) -> list[Effect]:
        """Family by family, goal by goal; p-values adjusted for the whole table."""
        found = []
        for family in self.families:
            for goal in self.look.table.goals:
                difference, n_members = self.difference(family, goal)
                found.append(effect_of(family.name, goal.name, self.look.unit(goal), difference, n_members))
        return adjusted(found)

    def effect(self, family: Family, goal: Goal) -> Effect:
        """One of the effects."""
        return next(effect for effect in self.effects if (effect.name, effect.goal) == (family.name, goal.name))

    def is_worse(self, effect: Effect) -> bool | None:
        """Whether an effect makes its goal worse; None where it cannot be told."""
        if not effect.is_found:
            return None
        goal = next(goal for goal in self.look.table.goals if goal.name == effect.goal)
        return goal.is_worse(self.legal_mean(goal), effect.value)

    def legal_mean(self, goal: Goal) -> float:
        """Mean of the legal mixes."""
        values = self.look.jackknife(goal).value[self.legal_places]
        return float(values.mean()) if values.size else nan

    def legal_spread(self, goal: Goal) -> float:
        """Standard deviation among the legal mixes: what an effect is to be held against."""
        values = self.look.jackknife(goal).value[self.legal_places]
        return float(values.std(ddof=1)) if values.size > 1 else nan


def change_of(numbers: Jackknife, first: Sequence[int], second: Sequence[int]) -> Jackknife:
    """second - first, pair by pair."""
    return numbers[second] - numbers[first]


def mean_of(numbers: Jackknife) -> Jackknife:
    """The mean of several numbers."""
    slack = np.broadcast_to(numbers.slack, numbers.value.shape).mean()
    return Jackknife(np.asarray(numbers.value.mean()), numbers.without.mean(axis=1), numbers.sizes, numbers.span, np.asarray(slack))


def mean_of_drawn(numbers: Jackknife, pairs: Sequence[int]) -> StudentDifference:
    """The mean of numbers that were drawn in pairs; `pairs`: the number of the pair each belongs to."""
    drawn, n_pairs = error_of_drawing(numbers, pairs)
    if n_pairs < 2:
        return StudentDifference(float(numbers.value.mean()) if n_pairs else nan, nan, 0)
    return with_both_errors(mean_of(numbers), drawn, n_pairs - 1)


def error_of_drawing(numbers: Jackknife, pairs: Sequence[int]) -> tuple[float, int]:
    """Standard error of the mean from having drawn these pairs and not others, and the number of pairs."""
    which = np.asarray(pairs)
    means = np.array([numbers.value[which == pair].mean() for pair in dict.fromkeys(pairs)])
    return (float(means.std(ddof=1)) / sqrt(len(means)) if len(means) > 1 else nan), len(means)


def difference_of_means(numbers: Jackknife, members: Sequence[int], legal: Sequence[int], pairs: Sequence[int]) -> StudentDifference:
    """Mean of all members there are minus the mean of legal sets that were drawn in pairs."""
    drawn, n_pairs = error_of_drawing(numbers[list(legal)], pairs)
    if not members or n_pairs < 2:
        return StudentDifference(nan, nan, 0)
    return with_both_errors(mean_of(numbers[list(members)]) - mean_of(numbers[list(legal)]), drawn, n_pairs - 1)


def with_both_errors(mean: Jackknife, drawn: float, freedom: int) -> StudentDifference:
    """The error of the shuffles and that of drawing, added as variances; degrees of freedom after Welch and Satterthwaite."""
    shuffles, batches = float(mean.error), len(mean.sizes) - 1
    variance = shuffles**2 + drawn**2
    weight = drawn**4 / freedom + (shuffles**4 / batches if batches else 0.0)
    degrees = max(1, int(variance**2 / weight)) if weight > 0 else freedom
    return StudentDifference(float(mean.value), sqrt(variance), degrees, span=mean.span, slack=float(mean.slack))


def explore_guidelines(
    table: Seated, game: Game, n_members: int = MEMBERS, threads: int | None = None,
    on_progress: Progress | None = None, stop: Event | None = None, crew: Crew = HERE,
) -> GuidelinesAnswer:  # fmt: skip
    """Play the legal mixes and all families on the same deals; the seed draws the members, too."""
    legal, families = guideline_families(n_members, table.seed)
    look = take_look(table, sets_in_order(legal, families), game, threads, on_progress, stop, crew)
    return GuidelinesAnswer(look, legal, tuple(families))


def facts_of(answer: GuidelinesAnswer) -> dict[str, Any]:
    """What is kept beside the counts: which sets belong together, by id."""
    return {
        LEGAL: [mix.id for mix in answer.legal],
        "families": [{"name": family.name, "about": family.about, "breaks": list(family.breaks), "members": [member.id for member in family.members],
                      "bases": list(family.bases)} for family in answer.families],
    }  # fmt: skip
