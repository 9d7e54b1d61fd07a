"""The first compilation: one child process for the rules, then one for each bot of the house, so that none holds the memory of all.

Started by `compile_once` as `python -m ... PIECE`. Whatever a child does not bring into the cache is compiled by who needs it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

from lostlegacy_sim.games.lost_legacy.bots.roster import BOTS, built_in_callback, seat_bot
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.jit import fill_cache_once

RULES = "the rules"
Entries = Sequence[tuple[str, str]]  # a bot's words and the hash of its file


def compile_once(entries: Entries) -> None:
    """Have the rules and these bots compiled if the cache lacks them; of many processes one has a piece compiled, the others wait."""
    for piece in pieces(entries):
        with fill_cache_once(piece) as is_lacking:
            if is_lacking:
                compile_apart(piece)


def pieces(entries: Entries) -> list[str]:
    """What is to be compiled: the rules and careful first, since other bots play on in their heads and think as it does."""
    seated = {words.partition(":")[0] for words, _ in entries}
    names = [name for name in BOTS if BOTS[name].decide and name in seated]
    return list(dict.fromkeys([RULES, "careful", *names])) if names else [RULES]


def compile_apart(piece: str) -> None:
    """Let a child compile it into the cache."""
    with suppress(OSError):
        subprocess.run(
            [sys.executable, "-m", __name__, piece],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, check=False,
        )  # fmt: skip


def compile_here(piece: str) -> None:
    """In the child."""
    if piece == RULES:
        starship = printed("starship")
        LegacyTable(starship, (seat_bot("random", "", starship),) * 2, 1, 1).compile()
    else:
        built_in_callback(piece)


if __name__ == "__main__":
    compile_here(sys.argv[1])
