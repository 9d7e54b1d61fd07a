"""The games, each in a folder of its own with the same rooms under the same names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from lostlegacy_sim.errors import ResultError, nearest

if TYPE_CHECKING:
    from lostlegacy_sim.game import Game

GAMES = ("lost_legacy",)


def find_game(name: str) -> Game:
    """The game of that name, imported now. Raises ResultError naming the nearest."""
    if name not in GAMES:
        raise ResultError(f"There is no game '{name}'.{nearest(name, GAMES)}")
    game: Game = import_module(f"lostlegacy_sim.games.{name}").GAME
    return game
