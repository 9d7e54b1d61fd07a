"""Lost Legacy, the game. Its two doors are opened when first asked for: GAME plays (and imports the kernel), SETS has the cards only."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "GAME":
        from lostlegacy_sim.games.lost_legacy.game import GAME

        return GAME
    if name == "SETS":
        from lostlegacy_sim.games.lost_legacy.cards.door import SETS

        return SETS
    raise AttributeError(name)
