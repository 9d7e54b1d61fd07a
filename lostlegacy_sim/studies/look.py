"""Look: many sets, played on the same deals, seen by the goals; the first look at a family, or a second one at a few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.estimate import CONFIDENCE, Estimate
from lostlegacy_sim.experiment import Experiment, line_up
from lostlegacy_sim.game import Game
from lostlegacy_sim.runner import HERE, Crew
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.stats.ranking import pareto_fronts, rank_intervals, ranks
from lostlegacy_sim.studies.goals import SKILL, Goal, needed_measures, read_goals
from lostlegacy_sim.studies.simulate import experiment_of, experiment_with
from lostlegacy_sim.studies.survey import Asked, Progress, Survey, play_surveys

TABLE = "table"  # the survey of the line-up that was asked for; that of skill is called SKILL


@dataclass(frozen=True)
class Seated:
    """Who sits at the table, for how many deals, and what is looked for; strings and numbers only."""

    players: int
    bots: tuple[str, ...]
    goals: tuple[Goal, ...]
    deals: int  # of each set
    seed: int
    skill: tuple[str, str] = ("careful", "random")  # one of the first among the second
    sources: tuple[tuple[str, str], ...] = ()  # of the bots that are files: its name and its SHA-256

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"players": self.players, "bots": list(self.bots), "goals": [goal.text for goal in self.goals],
                "deals": self.deals, "seed": self.seed, "skill": list(self.skill)} | ({"sources": dict(self.sources)} if self.sources else {})  # fmt: skip

    @property
    def line_ups(self) -> dict[str, tuple[str, ...]]:
        """The line-ups the goals need, by the name of their survey."""
        needed = {TABLE: self.bots} if any(goal.name != SKILL for goal in self.goals) else {}
        return needed | ({SKILL: self.skill} if any(goal.name == SKILL for goal in self.goals) else {})

    def experiment(self, game: Game, card_set: CardSet, bots: Sequence[str]) -> Experiment:
        """One set at this table with one of its line-ups; its bots are taken by name and hash, and none is looked for."""
        of_file = dict(self.sources)
        return experiment_with(game, card_set, [(name, of_file.get(name, "")) for name in line_up(bots, self.players)], self.deals, self.seed)


def seated(
    game: Game, like: CardSet, players: int, bots: Sequence[str], goals: Sequence[str], deals: int, seed: int,
    skill: tuple[str, str] = ("careful", "random"),
) -> Seated:  # fmt: skip
    """A checked table; `like` is any of the sets. Raises UsageError or BotError."""
    experiment = experiment_of(game, like, players, bots, deals, seed)
    upper, lower = (game.find_bot(words) for words in skill)
    sources = {name: source for name, source in (*experiment.entries, upper, lower) if source}
    found = read_goals(goals, game.measures(experiment))
    return Seated(players, experiment.bots, found, deals, seed, (upper[0], lower[0]), tuple(sources.items()))


@dataclass(frozen=True, eq=False)
class Look:
    """Sets and what was counted of them. A row is a set that was played at every table; arrays are in that order."""

    table: Seated
    sets: tuple[CardSet, ...]  # all that were asked for
    surveys: Mapping[str, Survey]
    rows: tuple[int, ...] = field(init=False)  # of the sets that were played

    def __post_init__(self) -> None:
        played = set.intersection(*(set(survey.rows) for survey in self.surveys.values()))
        object.__setattr__(self, "rows", tuple(sorted(played)))
        object.__setattr__(self, "surveys", {name: survey.only(self.rows) for name, survey in self.surveys.items()})

    @property
    def played(self) -> list[CardSet]:
        """The sets that were played, in order."""
        return [self.sets[row] for row in self.rows]

    @property
    def is_whole(self) -> bool:
        """Whether all sets were played."""
        return len(self.rows) == len(self.sets)

    @property
    def error(self) -> str:
        """Why a bot stopped it, if one did."""
        return next((survey.error for survey in self.surveys.values() if survey.error), "")

    def survey_of(self, goal: Goal) -> tuple[Survey, str]:
        """The survey a goal is counted in and the name of its measure there."""
        if goal.name == SKILL:
            return self.surveys[SKILL], skill_measure(self.table)
        return self.surveys[TABLE], goal.name

    def values(self, goal: Goal) -> NDArray[Any]:
        """The measure of a goal for every set, [rows]."""
        survey, name = self.survey_of(goal)
        return survey.values(name)

    def jackknife(self, goal: Goal) -> Jackknife:
        """The same with what is known of its errors; for means and differences."""
        survey, name = self.survey_of(goal)
        return survey.jackknife(name)

    def estimate(self, goal: Goal, place: int) -> Estimate:
        """The measure of a goal for one set, with its interval; under the goal's own name."""
        survey, name = self.survey_of(goal)
        found = survey.estimate(name, place)
        return Estimate(goal.name, found.unit, found.meaning, found.value, found.low, found.high, found.n, found.method)

    def unit(self, goal: Goal) -> str:
        """The unit of a goal's measure."""
        survey, name = self.survey_of(goal)
        return survey.measures[name].unit

    @cached_property
    def mute(self) -> NDArray[np.bool_]:
        """Which sets give no number for any goal, [rows]: no deal counts, or nobody ever wins."""
        return np.asarray(np.stack([np.isnan(self.values(goal)) for goal in self.table.goals], axis=-1).all(axis=-1))

    # --- ranks ----------------------------------------------------------------------------------------

    @cached_property
    def scores(self) -> NDArray[Any]:
        """[rows, goals]; the lowest is best."""
        return np.stack([goal.score(self.values(goal)) for goal in self.table.goals], axis=-1)

    @cached_property
    def ranks(self) -> NDArray[Any]:
        """Rank of every set in every goal, from 1: [rows, goals]."""
        return np.stack([ranks(scores) for scores in self.scores.T], axis=-1)

    @cached_property
    def rank_intervals(self) -> NDArray[np.int64]:
        """Lowest and highest rank that cannot be ruled out: [rows, goals, 2]; all of one goal hold at once."""
        return np.stack([self.ranks_of(goal) for goal in self.table.goals], axis=1)

    def ranks_of(self, goal: Goal, confidence: float = CONFIDENCE) -> NDArray[np.int64]:
        """[rows, 2]."""
        known = self.jackknife(goal)
        if len(known.sizes) < 2:
            return np.tile([1, len(self.rows)], (len(self.rows), 1))
        slope = goal.slope(known.value)
        deviations, slack = known.deviations * slope, known.slack * np.abs(slope)
        return np.stack(rank_intervals(goal.score(known.value), deviations, confidence, known.span - known.span, slack), axis=-1)

    @cached_property
    def mean_rank(self) -> NDArray[Any]:
        """Mean of the ranks in all goals, [rows]."""
        return np.asarray(self.ranks.mean(axis=-1))

    @cached_property
    def may_lead(self) -> NDArray[np.bool_]:
        """Whether a set may have the best mean of its ranks in all goals: those of all sets and goals hold at once, [rows]."""
        each = 1 - (1 - CONFIDENCE) / len(self.table.goals)
        means = np.mean([self.ranks_of(goal, each) for goal in self.table.goals], axis=0)
        return np.asarray(means[:, 0] <= means[:, 1].min())

    def may_be_best(self, goal: int) -> int:
        """How many sets may be the best in one goal, by its number."""
        return int((self.rank_intervals[:, goal, 0] == 1).sum())

    @cached_property
    def fronts(self) -> NDArray[np.int64]:
        """Pareto front of every set, from 1: [rows]."""
        return pareto_fronts(self.scores)

    @cached_property
    def order(self) -> list[int]:
        """Places of the sets, the best mean rank first; of equals the better front, then the one that was asked for first."""
        return sorted(range(len(self.rows)), key=lambda place: (self.mean_rank[place], self.fronts[place], place))


def skill_measure(table: Seated) -> str:
    """What skill is: the win rate of one better player among worse ones, divided by par."""
    return f"index_bot[{table.skill[0]}]"


def asked_for(table: Seated, sets: Sequence[CardSet], game: Game) -> dict[str, Asked]:
    """The experiments of a look, by the name of their survey."""
    asked = {}
    for name, bots in table.line_ups.items():
        experiments = [table.experiment(game, card_set, bots) for card_set in sets]
        goals = [goal for goal in table.goals if (goal.name == SKILL) == (name == SKILL)]
        counted = (skill_measure(table),) if name == SKILL else needed_measures(goals, game.measures(experiments[0]))
        asked[name] = Asked(tuple(experiments), counted)
    return asked


def take_look(
    table: Seated, sets: Sequence[CardSet], game: Game, threads: int | None = None,
    on_progress: Progress | None = None, stop: Event | None = None, crew: Crew = HERE,
) -> Look:  # fmt: skip
    """Play all sets at this table; see `play_surveys`."""
    return take_looks([(table, sets)], game, threads, on_progress, stop, crew)[0]


def take_looks(
    wanted: Sequence[tuple[Seated, Sequence[CardSet]]], game: Game, threads: int | None = None,
    on_progress: Progress | None = None, stop: Event | None = None, crew: Crew = HERE,
) -> list[Look]:  # fmt: skip
    """Play sets at several tables, the first set of each first, then the second ones, and so on."""
    asked = [asked_for(table, sets, game) for table, sets in wanted]
    surveys = iter(play_surveys([one for of_table in asked for one in of_table.values()], game, threads, on_progress, stop, crew))
    return [
        Look(table, tuple(sets), {name: next(surveys) for name in of_table})
        for (table, sets), of_table in zip(wanted, asked, strict=True)
    ]
