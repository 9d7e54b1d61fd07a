"""Words: what a function is given, as checked values; a sentence for everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import BotError, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.games.lost_legacy.cards.playability import check_seats
from lostlegacy_sim.result import Result
from lostlegacy_sim.studies.simulate import experiment_of

GAME = "lost_legacy"
SIDE_KEYS = ("set", "players", "bots")

Set: TypeAlias = str | Path | CardSet
Bots: TypeAlias = str | Sequence[str]


def load_set(word: str | Path, pick: Mapping[int | str, str] | None = None, *, keep: str = "starship", seed: int = 1) -> CardSet:
    """A set of cards: "starship", "flying-garden", "megamix", "custom", or a card file.

    `pick`: for "custom", where the cards of a speed come from, such as {1: "starship", "X": "flying-garden"};
    the seed draws the rest. `keep`: for "megamix", the set whose Lost Legacy stays in. Raises SetError or UsageError.
    """
    picks = composition.parse_picks(",".join(f"{speed}={name}" for speed, name in (pick or {}).items()))
    return composition.load_set(str(word), picks, whole("seed", seed), keep)


def set_for(set: Set, players: Sequence[int], seed: int) -> CardSet:
    """The set, for these numbers of players. Raises SetError or UsageError."""
    card_set = set if isinstance(set, CardSet) else load_set(set, seed=seed)
    for number in players:
        check_seats(card_set, number)
    return card_set


def experiment_at(game: Game, set: Set, players: int, bots: Bots, deals: int, seed: int, detail: str = "deals") -> Experiment:
    """The experiment of one table. Raises UsageError, SetError or BotError."""
    number = whole("players", players)
    return experiment_of(game, set_for(set, [number], seed), number, bot_words(bots), deals, whole("seed", seed), detail)


def numbers_of(players: int | Sequence[int]) -> list[int]:
    """One number of players, or several. Raises UsageError."""
    found = [whole("players", number) for number in (players if isinstance(players, Sequence) else [players])]
    if not found:
        raise UsageError("players = []: name at least one number of players.")
    return found


def bot_words(bots: Bots) -> tuple[str, ...]:
    """The words of a line-up: "hunter,careful" or ["hunter", "careful"]."""
    return tuple(bots.split(",")) if isinstance(bots, str) else tuple(str(bot) for bot in bots)


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
        raise BotError(result.error)
    if not result.deals:
        raise KeyboardInterrupt
    return result
