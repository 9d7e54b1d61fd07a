"""What `llsim explore` can play: the mixes, the guidelines, a sweep; each with the ways to show its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.cli import options
from lostlegacy_sim.errors import LlsimError, UsageError
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_sets
from lostlegacy_sim.policy import is_file
from lostlegacy_sim.report import explore_screen, explore_tables
from lostlegacy_sim.report.guidelines_screen import guidelines_lines
from lostlegacy_sim.report.guidelines_tables import guidelines_document, guidelines_table
from lostlegacy_sim.report.sweep_screen import sweep_lines
from lostlegacy_sim.report.sweep_tables import sweep_document, sweep_table
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.studies.families import guideline_families
from lostlegacy_sim.studies.goals import DEFAULT_GOALS
from lostlegacy_sim.studies.guidelines import explore_guidelines, facts_of, sets_in_order
from lostlegacy_sim.studies.kept_answers import answer_of
from lostlegacy_sim.studies.kept_looks import load_exploration
from lostlegacy_sim.studies.look import Look, Seated, seated
from lostlegacy_sim.studies.mixes import MixesAnswer, explore_mixes, mixes_in_order, shortlist_size
from lostlegacy_sim.studies.sweep import SweepAnswer, explore_sweep
from lostlegacy_sim.studies.sweep_file import Sweep, read_sweep


@dataclass(frozen=True)
class Asked:
    """What the command line says; None for what was not typed, so that a sweep file may say it."""

    players: Sequence[int] | None
    bots: Sequence[str] | None
    goals: Sequence[str] | None
    deals: int | None
    seed: int | None
    skill: Sequence[str] | None

    def or_else(self, **values: Any) -> Asked:
        """The same with values for what is None."""
        return Asked(**{name: values.get(name) if found is None else found for name, found in vars(self).items()})


DEFAULTS: dict[str, Any] = {"players": (4,), "bots": (), "goals": DEFAULT_GOALS, "deals": 200_000, "seed": 1,
                            "skill": ("careful", "random")}  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """The ways to show an answer."""

    lines: Callable[[Any], Iterator[str]]
    document: Callable[[Any], dict[str, Any]]
    table: Callable[[Any], Table]


def shown(family: str, game: Game, where: str = "a sweep") -> Shown:
    """The ways to show the answers of a family; `where` names the file of a sweep."""
    return {
        "mixes": Shown(lambda answer: explore_screen.mixes_lines(answer, game), explore_tables.mixes_document, explore_tables.mixes_table),
        "guidelines": Shown(lambda answer: guidelines_lines(answer, game), guidelines_document, guidelines_table),
        "sweep": Shown(lambda answer: sweep_lines(answer, game, where), lambda answer: sweep_document(answer, where), sweep_table),
    }[family]


@dataclass(frozen=True)
class Exploring:
    """One exploration, ready to play: which sets at which tables, and how its answer is shown."""

    name: str
    what: str  # in a headline: "512 mixes"
    sets: Sequence[CardSet]
    tables: Sequence[Seated]
    n_again: int  # sets of the second look
    play: Callable[..., Any]  # (threads, move, stop, crew) -> its answer
    looks: Callable[[Any], Mapping[str, Look]]
    shown: Shown
    facts: Callable[[Any], Mapping[str, Any]]


def kept(game: Game, folder: str) -> tuple[Any, Shown]:
    """A kept exploration's answer and the ways to show it. Raises ResultError."""
    exploration = load_exploration(Path(folder), game)
    answer = answer_of(exploration)
    return answer, shown(exploration.family, game, str(exploration.facts.get("file", folder)))


def mixes(game: Game, asked: Asked, top: int) -> Exploring:
    """The 512 mixes."""
    sets = mixes_in_order()
    table = one_table(game, sets, asked)
    return Exploring(
        "mixes", f"{len(sets)} mixes", sets, [table], shortlist_size(sets, top, len(table.goals)),
        lambda threads, move, stop, crew: explore_mixes(table, game, top, sets, threads, move, stop, crew),
        looks_of_mixes, shown("mixes", game), lambda answer: {"top": top},
    )  # fmt: skip


def looks_of_mixes(answer: MixesAnswer) -> dict[str, Look]:
    """The looks by name."""
    return {"first": answer.first} | ({"second": answer.second} if answer.second is not None else {})


def guidelines(game: Game, asked: Asked, n_members: int) -> Exploring:
    """Families that break the guidelines."""
    seed = asked.or_else(**DEFAULTS).seed
    sets = sets_in_order(*guideline_families(n_members, 1 if seed is None else seed))
    table = one_table(game, sets, asked)
    return Exploring(
        "guidelines", f"{len(sets)} sets that keep or break the guidelines", sets, [table], 0,
        lambda threads, move, stop, crew: explore_guidelines(table, game, n_members, threads, move, stop, crew),
        lambda answer: {"first": answer.look}, shown("guidelines", game), facts_of,
    )  # fmt: skip


def one_table(game: Game, sets: Sequence[CardSet], asked: Asked) -> Seated:
    """The table all sets are played at. Raises an error of one sentence if they cannot be."""
    if asked.players is not None and len(asked.players) != 1:
        raise UsageError("--players: explore one number of players at a time, such as --players 4.")
    (table,) = tables_of(game, sets, asked.or_else(**DEFAULTS), None)
    return table


def tables_of(game: Game, sets: Sequence[CardSet], asked: Asked, line_ups: Sequence[Sequence[str]] | None) -> list[Seated]:
    """A table for every number of players and line-up."""
    skill = tuple(asked.skill or ())
    if len(skill) != 2:
        raise UsageError("The goal skill takes two bots, the better one first, such as careful,random.")
    check_seats = find_sets(game.name).check_seats
    for number in asked.players or ():
        for card_set in sets:
            check_seats(card_set, number)
    return [
        seated(game, sets[0], number, bots, asked.goals or (), asked.deals or 1, asked.seed or 0, (skill[0], skill[1]))
        for number in asked.players or () for bots in line_ups or [asked.bots or ()]
    ]  # fmt: skip


def sweep(game: Game, asked: Asked, path: str, say: Callable[[str], None] = lambda sentence: None) -> Exploring:
    """The sweep of a file; what is typed goes before what the file says, and `say` is told of bot files that only the file names."""
    read = read_sweep(Path(path))
    if files := [words for words in bots_of(read, asked) if is_file(words)]:
        say(f"{path} names the bot file{'s' if len(files) > 1 else ''} {', '.join(files)}, which {'are' if len(files) > 1 else 'is'} run now.")
    points = read.points()
    sets = [point.card_set for point in points]
    said = {name: found for name in ("players", "deals", "seed", "goals", "skill") if (found := getattr(read, name)) is not None}
    asked_of_file = asked.or_else(**said | deals_of(read))
    try:
        tables = tables_of(game, sets, asked_of_file.or_else(**DEFAULTS), read.bots if asked.bots is None else None)
    except LlsimError as error:
        raise UsageError(f"{path}: {str(error).replace('--goal ', 'goal ')}") from None
    return Exploring(
        "sweep", f"{len(sets)} points of {path}", sets, tables, min(len(sets), len(tables[0].goals)),
        lambda threads, move, stop, crew: explore_sweep(tables, points, game, threads, move, stop, crew),
        looks_of_sweep, shown("sweep", game, path),
        lambda answer: {"file": path, "points": [dict(point.values) for point in points]},
    )  # fmt: skip


def bots_of(read: Sweep, asked: Asked) -> list[str]:
    """The bots a sweep file names, where nothing was typed instead."""
    seats = [words for row in read.bots or () for words in row] if asked.bots is None else []
    return list(dict.fromkeys([*seats, *(read.skill or () if asked.skill is None else ())]))


def deals_of(read: Sweep) -> dict[str, int]:
    """The deals a sweep file asks for, written as on the command line."""
    if read.deals is None:
        return {}
    try:
        return {"deals": options.read_deals(str(read.deals))}
    except UsageError as error:
        raise UsageError(f"{read.where}: {str(error).replace('--deals', 'deals =', 1)}") from None


def looks_of_sweep(answer: SweepAnswer) -> dict[str, Look]:
    """The looks by name: first-1, second-1, first-2, ..."""
    found = {}
    for number, group in enumerate(answer.groups, 1):
        found[f"first-{number}"] = group.first
        if group.second is not None:
            found[f"second-{number}"] = group.second
    return found
