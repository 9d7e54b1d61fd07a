"""Tournament: which line-ups of some bots are played, all on the same shuffles, and what came out of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from threading import Event
from typing import Any, TypeAlias

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import HERE, Crew
from lostlegacy_sim.sets import GameSet
from lostlegacy_sim.studies.simulate import Plan, experiment_of, plan

MOST_MATCHES = 2_000

LineUp: TypeAlias = tuple[str, ...]
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Tournament:
    """Bots, the matches between them, and the mirror matches: each bot at a table of its own.

    A match seats different bots, in all rotations; so all matches have equally many shuffles, and the mirrors, where
    every rotation is the same deal, play each shuffle once.
    """

    bots: tuple[str, ...]  # in canonical form
    players: int
    has_all_mixtures: bool
    matches: tuple[Experiment, ...]
    mirrors: tuple[Experiment, ...]  # one a bot

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """All that is played; the mirrors first, so that every bot is compiled and tried early."""
        return self.mirrors + self.matches

    @property
    def planned_deals(self) -> int:
        """Deals of all matches together."""
        return sum(experiment.planned_deals for experiment in self.experiments)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        match = self.matches[0]
        return {"bots": list(self.bots), "players": self.players, "all_mixtures": self.has_all_mixtures, "seed": match.seed,
                "matches": len(self.matches), "deals_a_match": match.planned_deals, "shuffles": match.blocks}  # fmt: skip


def tournament_of(
    game: Game, card_set: GameSet, players: int, bots: Sequence[str], deals: int, seed: int, has_all_mixtures: bool = False
) -> Tournament:
    """The tournament of some bots. Raises UsageError or BotError."""
    entries = different([game.find_bot(words) for words in bots])
    if len(entries) < 2:
        raise UsageError("A tournament is between two bots or more; write them with commas in between, such as --bots careful,random.")
    table = experiment_of(game, card_set, players, [entries[0][0]], deals, seed)
    return tournament_at(table, entries, has_all_mixtures)


def tournament_at(table: Experiment, entries: Sequence[tuple[str, str]], has_all_mixtures: bool) -> Tournament:
    """The tournament of bots (name, hash of its file) with the set, players, deals and seed of an experiment. Raises UsageError."""
    names = tuple(name for name, _ in entries)
    n_bots, pairs = len(names), len(names) * (len(names) - 1)
    n_matches = comb(n_bots + table.players - 1, table.players) - n_bots if has_all_mixtures else pairs // 2 if table.players == 2 else pairs
    if n_matches > MOST_MATCHES:
        raise UsageError(f"{n_bots} bots make {n_matches:,} matches; more than {MOST_MATCHES:,} cannot be played at once.")
    line_ups = mixtures(names, table.players) if has_all_mixtures else one_against_others(names, table.players)
    matches = tuple(seated(table, line_up, entries) for line_up in line_ups)
    mirrors = tuple(replace(seated(table, [name] * table.players, entries), deals=matches[0].blocks) for name in names)
    return Tournament(names, table.players, has_all_mixtures, matches, mirrors)


def seated(table: Experiment, line_up: Sequence[str], entries: Sequence[tuple[str, str]]) -> Experiment:
    """The same table with other bots."""
    return replace(table, bots=tuple(line_up), bot_sources=tuple(dict(entries)[name] for name in line_up))


def different(entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same bots. Raises UsageError if one comes twice."""
    twice = [name for name, times in Counter(name for name, _ in entries).items() if times > 1]
    if twice:
        raise UsageError(f"{twice[0]} is named twice; name every bot once.")
    return list(entries)


def one_against_others(bots: Sequence[str], players: int) -> list[LineUp]:
    """One of each bot among all others of another one. At two players who is the one makes no difference."""
    pairs = combinations(bots, 2) if players == 2 else permutations(bots, 2)
    return [(one, *[other] * (players - 1)) for one, other in pairs]


def mixtures(bots: Sequence[str], players: int) -> list[LineUp]:
    """Every choice of bots that is not one bot alone, each in one order around the table, equal ones side by side."""
    return [line_up for line_up in combinations_with_replacement(bots, players) if len(set(line_up)) > 1]


@dataclass(frozen=True, eq=False)
class Played:
    """A tournament and the results of what was played to its end."""

    tournament: Tournament
    matches: tuple[Result, ...]
    mirrors: tuple[Result, ...]
    error: str = ""  # why a bot stopped it, if one did

    @property
    def results(self) -> tuple[Result, ...]:
        """All results, in the order in which they were played."""
        return self.mirrors + self.matches

    @property
    def is_whole(self) -> bool:
        """Whether everything was played."""
        return len(self.results) == len(self.tournament.experiments)


def play_tournament(
    tournament: Tournament, game: Game, threads: int | None = None, on_progress: Progress | None = None, stop: Event | None = None,
    crew: Crew = HERE,
) -> Played:  # fmt: skip
    """Play match after match; see `play_in_turn`."""
    return played_of(tournament, *play_in_turn(tournament.experiments, game, threads, on_progress, stop, crew))


def play_in_turn(
    experiments: Sequence[Experiment], game: Game, threads: int | None = None, on_progress: Progress | None = None, stop: Event | None = None,
    crew: Crew = HERE,
) -> tuple[list[Result], str]:  # fmt: skip
    """Play one experiment after the other: the results of those that were played to their end, and a bot's error or "".

    Setting `stop` ends it early, and so does a bot that breaks the rules.
    """
    whole: list[Result] = []
    planned = sum(experiment.planned_deals for experiment in experiments)
    for experiment in experiments:
        done = sum(result.deals for result in whole)
        result = crew.play(experiment, game, threads, None if on_progress is None else further(on_progress, done, planned), stop)
        if result.status != "complete":
            return whole, result.error
        whole.append(result)
    return whole, ""


def further(on_progress: Progress, done: int, planned: int) -> Progress:
    """The same bar, for one part of all that is planned."""
    return lambda played, _: on_progress(done + played, planned)


def played_of(tournament: Tournament, results: Sequence[Result], error: str = "") -> Played:
    """The results of a tournament, the first ones of its experiments."""
    n_mirrors = len(tournament.mirrors)
    return Played(tournament, tuple(results[n_mirrors:]), tuple(results[:n_mirrors]), error)


# --- before playing -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TurnPlan:
    """What playing some experiments in turn would take and give."""

    n_experiments: int
    deals: int  # of all
    largest: Plan  # of the one with most deals
    seconds: float  # of all, on all threads

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"experiments": self.n_experiments, "deals": self.deals, "half_width": self.largest.half_width,
                "seconds": round(self.seconds, 3), "threads": self.largest.threads}  # fmt: skip


def plan_experiments(experiments: Sequence[Experiment], game: Game, threads: int) -> TurnPlan:
    """Measure the speed of every bot on a few deals at a table of its own; a mixed table takes its seats' mean time."""
    entries = dict.fromkeys(entry for experiment in experiments for entry in experiment.entries)
    a_deal = {entry: 1 / plan(seated(experiments[0], [entry[0]] * experiments[0].players, [entry]), game, threads).deals_a_second for entry in entries}
    seconds = [sum(a_deal[entry] for entry in one.entries) / one.players * one.planned_deals for one in experiments]
    place = max(range(len(experiments)), key=lambda place: experiments[place].planned_deals)
    largest = Plan(experiments[place], experiments[place].planned_deals / seconds[place], threads)
    return TurnPlan(len(experiments), sum(one.planned_deals for one in experiments), largest, sum(seconds) / threads)
