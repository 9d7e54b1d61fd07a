"""`--ladder` of simulate, compare and balance: the same question asked of every level of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

import click
from click.core import ParameterSource

from lostlegacy_sim.cli.crew import Hiring
from lostlegacy_sim.cli.keeping import Keeping
from lostlegacy_sim.cli.page import note, print_csv, print_json, say
from lostlegacy_sim.cli.progress import progress
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotFailure, UsageError
from lostlegacy_sim.estimate import CONFIDENCE
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.report import levels_screen, tournament_screen, tournament_tables
from lostlegacy_sim.result import Result, write_results
from lostlegacy_sim.studies.levels import Headline
from lostlegacy_sim.studies.tournament import different, plan_experiments, play_in_turn

FEW_DEALS = 2_000  # of a ladder whose top rungs search

option = click.option("--ladder", is_flag=True, help="Ask every level of play: each bot of the game's ladder (2k deals), or of --bots, in all seats.")


@dataclass(frozen=True)
class Group:
    """One question: what it is of, and how a rung's experiments lead to headlines."""

    titles: Sequence[str]  # of the screen, a line each
    of: str  # in tables: "3 players"
    experiments: Sequence[Sequence[Experiment]]  # for every rung
    answer: Callable[[Sequence[Sequence[Result]]], Sequence[Headline]]  # of the results of every rung that was played


def rungs_of(game: Game, bots: Sequence[str]) -> list[str]:
    """The rungs: the bots that were typed, else the ladder of the game. Raises UsageError or BotError."""
    typed = click.get_current_context().get_parameter_source("bots") is not ParameterSource.DEFAULT
    rungs = [name for name, _ in different([game.find_bot(words) for words in (bots if typed else game.ladder)])]
    if len(rungs) < 2:
        raise UsageError("--ladder asks two levels of play or more; name their bots, the weakest first: --bots random,careful.")
    return rungs


def deals_of(deals: int) -> int:
    """The deals to play: those typed; else few, if the rungs are those of the game's ladder."""
    source = click.get_current_context().get_parameter_source
    return FEW_DEALS if source("deals") is source("bots") is ParameterSource.DEFAULT else deals


def refuse(chosen: dict[str, Any]) -> None:
    """Raises UsageError if an option is given that --ladder has no place for."""
    for name, value in chosen.items():
        if value:
            raise UsageError(f"--ladder has no place for {name}; leave out one of the two.")


@dataclass(frozen=True)
class Levels:
    """All questions of one command at all rungs, ready to be played."""

    command: str
    rungs: Sequence[str]
    groups: Sequence[Group]
    game: Game
    form: str
    quiet: bool
    extra: Callable[[Group, Event], tuple[dict[str, Any], list[str]]] = lambda group, stop: ({}, [])  # more, as data and as lines

    def run(self, hiring: Hiring, out: str | None, dry_run: bool) -> int:
        """Play, keep and print."""
        every = [one for group in self.groups for of_rung in group.experiments for one in of_rung]
        with Keeping(self.command, out, hiring.checkpoint, every, {"rungs": list(self.rungs)}, self.quiet) as place:
            if dry_run:
                self.print_plans(hiring.threads)
                return 0
            with stop_on_signals(place.abandon) as stop:
                with hiring.begin(stop, self.quiet) as team, progress(self.quiet) as move:
                    results, error = play_in_turn(every, self.game, team.threads, move, stop, team.crew)
                try:
                    if results:
                        place.keep(lambda folder: write_results(folder, results), not stop.is_set() and not error)
                finally:  # what was counted is shown, whether it could be written or not
                    answered = list(self.answers(results))
                    self.print(answered, [self.extra(group, stop) for group, _ in answered])
        team.check()
        if error:
            raise BotFailure(error)
        if stop.is_set() and not answered:
            note(f"Stopped before a rung was played to its end; {team.kept}.")
        return STOPPED if stop.is_set() else 0

    def answers(self, results: Sequence[Result]) -> Iterator[tuple[Group, Sequence[Headline]]]:
        """The headlines of every group of which a rung was played."""
        coming = list(results)
        for group in self.groups:
            played = []
            for of_rung in group.experiments:
                mine, coming = coming[: len(of_rung)], coming[len(of_rung) :]
                played += [mine] if len(mine) == len(of_rung) else []
            if played:
                yield group, group.answer(played)

    def print(self, answered: Sequence[tuple[Group, Sequence[Headline]]], extra: Sequence[tuple[dict[str, Any], list[str]]]) -> None:
        """Print all headlines."""
        if self.form == "json":
            groups = [{"of": group.of, "headlines": [one.to_plain() for one in found]} | more
                      for (group, found), (more, _) in zip(answered, extra, strict=True)]  # fmt: skip
            print_json({"schema": "llsim.levels/1", "command": self.command, "confidence": CONFIDENCE, "adjusted": "holm",
                        "rungs": list(self.rungs), "groups": groups})  # fmt: skip
        elif self.form == "csv":
            print_csv(levels_screen.headline_table([(group.of, found) for group, found in answered]).to_csv())
        else:
            for number, ((group, found), (_, lines)) in enumerate(zip(answered, extra, strict=True)):
                say([*([""] if number else []), *group.titles, "", *levels_screen.headline_lines(found), *lines])

    def print_plans(self, threads: int) -> None:
        """What playing would take."""
        plans = [plan_experiments([one for of_rung in group.experiments for one in of_rung], self.game, threads) for group in self.groups]
        if self.form == "json":
            print_json({"schema": "llsim.plan/1", "plans": [plan.to_plain() | {"of": group.of} for group, plan in zip(self.groups, plans, strict=True)]})
        elif self.form == "csv":
            print_csv(tournament_tables.plan_table(plans).to_csv())
        else:
            for group, plan in zip(self.groups, plans, strict=True):
                say([*group.titles, *tournament_screen.plan_lines(plan)])
