"""Questions: which measure of one result is compared with which of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.estimate import unknown_measure
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Measure


@dataclass(frozen=True)
class Question:
    """A measure, by its name in the first result and in the second."""

    name: str
    first: str
    second: str
    direction: int = 0  # 1 where more is better, -1 where less is


class Questions:
    """What can be asked of two experiments."""

    def __init__(self, first: Experiment, second: Experiment, game: Game) -> None:
        self.first, self.second = first, second
        self.measures, self.compared = [game.measures(first), game.measures(second)], game.compared

    def asked(self, names: Sequence[str]) -> list[Question]:
        """The questions of these names; without any, the usual ones. Raises UsageError."""
        return [self.named(name) for name in dict.fromkeys(names)] or [*self.changed, *(alike(self.measures[0][name]) for name in self.usual)]

    def named(self, name: str) -> Question:
        """The question of that name. Raises UsageError if one of the two has no such measure."""
        for question in self.changed:
            if question.name == name:
                return question
        for measures in self.measures:
            if name not in measures:
                raise UsageError(unknown_measure(name, measures))
        return alike(self.measures[0][name])

    @property
    def kind(self) -> str:
        """How winning is counted: with other numbers of players, in units of par."""
        return "win" if self.first.players == self.second.players else "index"

    @property
    def usual(self) -> list[str]:
        """Measures both have: seats, bots, how deals end, how long they take."""
        names = [f"{self.kind}_seat[{seat}]" for seat in range(1, min(self.first.players, self.second.players) + 1)]
        if self.are_mixed:
            names += [f"{self.kind}_bot[{bot}]" for bot in dict.fromkeys(self.first.bots) if bot in self.second.bots]
        return [name for name in (*names, *self.compared) if all(name in measures for measures in self.measures)]

    @property
    def are_mixed(self) -> bool:
        """Whether different bots meet at both tables; where one bot fills a table, it wins its share."""
        return len(set(self.first.bots)) > 1 and len(set(self.second.bots)) > 1

    @cached_property
    def changed(self) -> list[Question]:
        """How the bot fares that took the place of another one; [] unless it is just one."""
        old = [bot for bot in dict.fromkeys(self.first.bots) if bot not in self.second.bots]
        new = [bot for bot in dict.fromkeys(self.second.bots) if bot not in self.first.bots]
        if not self.are_mixed or len(old) != 1 or len(new) != 1:
            return []
        name = f"{self.kind}_bot[{new[0]} for {old[0]}]"
        return [Question(name, f"{self.kind}_bot[{old[0]}]", f"{self.kind}_bot[{new[0]}]", 1)]


def alike(measure: Measure) -> Question:
    """The question about a measure that goes by one name in both."""
    return Question(measure.name, measure.name, measure.name, measure.better)
