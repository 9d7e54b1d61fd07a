"""Words: what a function is given, as checked values; a sentence for everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

from lostlegacy_sim.errors import BotFailure, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import all_sets, find_game, find_sets, sets_of
from lostlegacy_sim.letters import unlisted
from lostlegacy_sim.result import Result
from lostlegacy_sim.sets import GameSet
from lostlegacy_sim.studies.simulate import experiment_of

SIDE_KEYS = ("set", "players", "bots")

Set: TypeAlias = str | Path | GameSet
Bots: TypeAlias = str | Sequence[str]
SetWords: TypeAlias = str | Sequence[str] | Mapping[int | str, str]


def load_set(word: str | Path, pick: SetWords | None = None, *, seed: int = 1, **options: SetWords | None) -> GameSet:
    """A set of any game: a word of `llsim cards`, such as "starship", or a card file.

    `options`: those that the sets of one game have on the command line, as a text, several, or a mapping. So
    `load_set("custom", {1: "starship", "X": "flying-garden"})` says where the cards of a number come from, the seed draws the
    rest, and `keep="flying-garden"` goes with "megamix". Raises SetError or UsageError.
    """
    given = {name: option_texts(value) for name, value in {"pick": pick, **options}.items() if value}
    known = [option.name for sets in all_sets() for option in sets.options]
    for name in given:
        if name not in known:
            raise UsageError(f"No set has an option {name}.{nearest(name, known)}")
    found: GameSet = sets_of(str(word), tuple(given)).choose(str(word), given, whole("seed", seed))
    return found


def option_texts(value: SetWords) -> list[str]:
    """What an option says, as on a command line."""
    if isinstance(value, Mapping):
        return [f"{name}={word}" for name, word in value.items()]
    return texts(value)


def set_for(set: Set, players: Sequence[int], seed: int) -> GameSet:
    """The set, for these numbers of players. Raises SetError or UsageError."""
    found = load_set(set, seed=seed) if isinstance(set, str | Path) else set
    for number in players:
        find_sets(found.game).check_seats(found, number)
    return found


def experiment_at(set: Set, players: int, bots: Bots, deals: int, seed: int, detail: str = "deals") -> Experiment:
    """The experiment of one table. Raises UsageError, SetError or BotError."""
    number = whole("players", players)
    found = set_for(set, [number], seed)
    return experiment_of(find_game(found.game), found, number, bot_words(bots), deals, whole("seed", seed), detail)


def game_of(experiments: Sequence[Experiment]) -> Game:
    """The game of some experiments. Raises UsageError if they are of several."""
    games = sorted({experiment.game for experiment in experiments})
    if len(games) > 1:
        raise UsageError(f"{find_sets(games[0]).title} and {find_sets(games[1]).title} are two games; ask of one at a time.")
    return find_game(games[0])


def numbers_of(players: int | Sequence[int]) -> list[int]:
    """One number of players, or several. Raises UsageError."""
    found = [whole("players", number) for number in (players if isinstance(players, Sequence) else [players])]
    if not found:
        raise UsageError("players = []: name at least one number of players.")
    return found


def bot_words(bots: Bots) -> tuple[str, ...]:
    """The words of a line-up: "hunter,careful" or ["hunter", "careful"]."""
    if not isinstance(bots, str):
        return tuple(str(bot) for bot in bots)
    try:
        return tuple(unlisted(bots))
    except ValueError:
        raise UsageError(f"bots = {bots!r}: write bots separated by commas, such as \"careful,random\", or a list of them.") from None


def texts(words: str | Sequence[str]) -> list[str]:
    """One text, or several."""
    return [words] if isinstance(words, str) else list(words)


def whole(name: str, number: float) -> int:
    """A whole number, which may be written 1e6. Raises UsageError."""
    if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number) or number != int(number):
        raise UsageError(f"{name} = {number!r}: that is not a whole number.")
    return int(number)


def side_words(side: Set | Mapping[str, Any]) -> Mapping[str, Any]:
    """What a side of a comparison says of its own. Raises UsageError."""
    if not isinstance(side, Mapping):
        return {"set": side}
    for key in side:
        if key not in SIDE_KEYS:
            raise UsageError(f"A side cannot say '{key}'.{nearest(str(key), SIDE_KEYS)}")
    return side


def finished(result: Result) -> Result:
    """The result of deals that were played. Raises BotError if a bot broke the rules, KeyboardInterrupt if nothing was finished."""
    if result.error:
        raise BotFailure(result.error)
    if not result.deals:
        raise KeyboardInterrupt
    return result
