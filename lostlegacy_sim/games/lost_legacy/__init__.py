"""Lost Legacy, the game; GAME is its front door, opened (and its kernel imported) when first asked for."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "GAME":
        from lostlegacy_sim.games.lost_legacy.game import GAME

        return GAME
    raise AttributeError(name)
