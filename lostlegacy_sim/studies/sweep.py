"""Sweep: how the goals change along fields of cards, each combination of values a set of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Event

from lostlegacy_sim.game import Game
from lostlegacy_sim.runner import HERE, Crew
from lostlegacy_sim.studies.look import Look, Seated, take_looks
from lostlegacy_sim.studies.main_effects import Effect, adjusted, effect_of, mean_change
from lostlegacy_sim.studies.mixes import best_in, second_look
from lostlegacy_sim.studies.survey import Progress
from lostlegacy_sim.studies.sweep_file import Point


@dataclass(frozen=True, eq=False)
class Group:
    """The points of a sweep at one table: all on the same deals."""

    first: Look
    second: Look | None  # the best in each goal again, on fresh shuffles; None if it was not reached
    points: tuple[Point, ...]  # all, in the order of the look's sets

    @property
    def played(self) -> list[Point]:
        """The points that were played to their end, in the order of the look's places."""
        return [self.points[row] for row in self.first.rows]

    def again(self, place: int) -> int | None:
        """The place of a point in the second look; None if it is not there."""
        wanted = self.first.played[place].hash
        played = self.second.played if self.second is not None else []
        return next((number for number, card_set in enumerate(played) if card_set.hash == wanted), None)

    @property
    def lines(self) -> dict[str, list[str]]:
        """The values of each line that takes several, by its name."""
        values: dict[str, dict[str, None]] = {}
        for point in self.points:
            for name, value in point.values:
                values.setdefault(name, {})[value] = None
        return {name: list(found) for name, found in values.items() if len(found) > 1}

    @cached_property
    def effects(self) -> list[Effect]:
        """What each value of a line does instead of the line's first value, all other lines left as they are.

        Named "search.copies = 4"; p-values adjusted for all of this table.
        """
        found = []
        for line, (reference, *others) in self.lines.items():
            for value in others:
                pairs = self.pairs(line, reference, value)
                for goal in self.first.table.goals:
                    difference = mean_change(self.first.jackknife(goal), pairs)
                    found.append(effect_of(f"{line} = {value}", goal.name, self.first.unit(goal), difference, len(pairs)))
        return adjusted(found)

    def is_worse(self, effect: Effect) -> bool | None:
        """Whether an effect makes its goal worse; None where it cannot be told."""
        if not effect.is_found:
            return None
        goal = next(goal for goal in self.first.table.goals if goal.name == effect.goal)
        line, value = effect.name.rsplit(" = ", 1)
        places = [first for first, _ in self.pairs(line, self.lines[line][0], value)]
        return goal.is_worse(float(self.first.jackknife(goal).value[places].mean()), effect.value)

    def pairs(self, line: str, reference: str, value: str) -> list[tuple[int, int]]:
        """Places (with the reference, with the value) that differ in this line alone."""
        place_of = {point.values: place for place, point in enumerate(self.played)}
        pairs = []
        for values, place in place_of.items():
            partner = tuple((name, value if name == line else old) for name, old in values)
            if (line, reference) in values and partner in place_of:
                pairs.append((place, place_of[partner]))
        return pairs


@dataclass(frozen=True, eq=False)
class SweepAnswer:
    """The groups of a sweep, one for each number of players and line-up."""

    groups: tuple[Group, ...]


def explore_sweep(
    tables: Sequence[Seated], points: Sequence[Point], game: Game, threads: int | None = None,
    on_progress: Progress | None = None, stop: Event | None = None, crew: Crew = HERE,
) -> SweepAnswer:  # fmt: skip
    """Play all points at all tables, then the best in each goal again on fresh shuffles."""
    stop = stop or Event()
    sets = [point.card_set for point in points]
    firsts = take_looks([(table, sets) for table in tables], game, threads, on_progress, stop, crew)
    groups = []
    for first in firsts:
        best = {first.rows[best_in(first, number)]: None for number in range(len(first.table.goals))} if first.rows else {}
        second = None if stop.is_set() or not best else second_look(first, list(best), game, threads, on_progress, stop, crew)
        groups.append(Group(first, second, tuple(points)))
    return SweepAnswer(tuple(groups))
