"""The sides of a comparison, as they are typed: a set, bots=..., players=... or a kept result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lostlegacy_sim.cli import options
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import all_sets, find_sets, sets_of
from lostlegacy_sim.result import Result, load_all, recall
from lostlegacy_sim.sets import Chosen
from lostlegacy_sim.studies.simulate import experiment_of

SET, BOTS, PLAYERS, KEPT = "--set", "--bots", "--players", "kept"


@dataclass(frozen=True)
class Side:
    """One side: what it says, and all else as the options have it."""

    kind: str  # SET, BOTS, PLAYERS or KEPT
    word: str
    result: Result | None = None  # of a kept one


@dataclass(frozen=True)
class Table:
    """The options that hold for every side that does not say otherwise."""

    set_word: str | None
    chosen: Chosen
    bots: Sequence[str]
    deals: int
    seed: int


def read_sides(words: Sequence[str]) -> list[Side]:
    """The sides; a folder of several results is as many sides. Raises UsageError, ResultError."""
    sides = [side for word in words for side in read_side(word)]
    if len(sides) < 2:
        raise UsageError("A comparison takes two sides or more, such as `llsim compare starship flying-garden`.")
    return sides


def read_side(word: str) -> list[Side]:
    """What one word stands for. A set's word comes before a folder of that name."""
    name, equals, value = word.partition("=")
    if equals and name in ("set", "bots", "players"):
        return [Side(f"--{name}", value)]
    if any(word in sets.words for sets in all_sets()):
        return [Side(SET, word)]
    if word == "last" or Path(word).is_dir():
        results = recall() if word == "last" else load_all(Path(word))
        if not all(result.deals for result in results):
            raise ResultError(f"{word} holds no finished deals; there is nothing to compare.")
        return [Side(KEPT, word, result) for result in results]
    return [Side(SET, word)]


def game_of(sides: Sequence[Side], set_word: str | None) -> str:
    """The one game all sides are of; where nothing is named the first. Raises UsageError if there are two."""
    games: dict[str, str] = {}
    for side in sides:
        name = side.result.experiment.game if side.result is not None else sets_of(side.word if side.kind == SET else set_word).game
        games.setdefault(name, side.word)
    if len(games) > 1:
        (one, first), (two, second) = list(games.items())[:2]
        raise UsageError(f"{first} is of {find_sets(one).title} and {second} of {find_sets(two).title}; a comparison is within one game.")
    return next(iter(games))


def refuse_idle(sides: Sequence[Side], chosen: set[str], set_word: str | None) -> None:
    """Raise UsageError for a typed option that no side would follow. `chosen`: "--set", "--bots", ..."""
    kinds = {side.kind for side in sides}
    if kinds == {KEPT} and chosen:
        raise UsageError(f"{min(chosen)} is for deals to be played, and these results are there already; drop {min(chosen)}.")
    for option in sorted({SET, BOTS, PLAYERS} & chosen):
        if kinds <= {option, KEPT}:
            raise UsageError(f"{option} is not needed, for every side says its own; drop {option}.")
    words = {side.word for side in sides if side.kind == SET} | ({set_word} if kinds & {BOTS, PLAYERS} else set())
    for own in options.set_options().values():
        if f"--{own.name}" in chosen and not words & {own.word, None}:
            raise UsageError(f"--{own.name} belongs to the set {own.word}, and no side plays it; drop --{own.name}.")


def experiments_of(sides: Sequence[Side], game: Game, table: Table, players: int) -> list[Experiment | None]:
    """What has to be played for each side, None for a kept one. Raises UsageError, SetError, BotError."""
    return [None if side.result is not None else experiment_of_side(side, game, table, players) for side in sides]


def experiment_of_side(side: Side, game: Game, table: Table, players: int) -> Experiment:
    """The experiment of one side."""
    word = side.word if side.kind == SET else table.set_word
    bots = options.read_bots(side.word) if side.kind == BOTS else table.bots
    if side.kind == PLAYERS:
        numbers = options.read_players(side.word)
        if len(numbers) != 1:
            raise UsageError(f"players={side.word}: a side has one number of players; write a side for each.")
        players = numbers[0]
    sets, game_set = options.chosen_set(word, table.chosen if word is None else options.chosen_for(word, table.chosen), table.seed)
    sets.check_seats(game_set, players)
    return experiment_of(game, game_set, players, bots, table.deals, table.seed)
