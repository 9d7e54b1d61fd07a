"""The bots by name: words on the command line -> a bot the kernel can seat."""

from __future__ import annotations

from lostlegacy_sim.errors import BotError, nearest
from lostlegacy_sim.games.lost_legacy.ask import BUILT_IN
from lostlegacy_sim.games.lost_legacy.bot import Bot


def find_bot(words: str) -> tuple[str, str]:
    """A bot's words -> its canonical form and the hash of its file ("" for a built-in one). Raises BotError."""
    if words not in BUILT_IN:
        raise BotError(f"There is no bot '{words}'.{nearest(words, BUILT_IN)}")
    return words, ""


def seat_bot(words: str, source: str) -> Bot:
    """The bot of these canonical words, ready for the kernel."""
    return Bot(words, BUILT_IN.index(words))
