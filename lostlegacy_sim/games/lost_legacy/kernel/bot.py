"""A bot as the kernel sees it: a number, a parameter, and, unless it is `random`, a compiled callback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lostlegacy_sim.games.lost_legacy.kernel.ask import READS_ALL
from lostlegacy_sim.games.lost_legacy.kernel.state import CARDS_TYPE, PRIVATE_TYPE, PUBLIC_TYPE, QUESTION_TYPE
from lostlegacy_sim.jit import callback

SIGNATURE = callback(CARDS_TYPE, PUBLIC_TYPE, PRIVATE_TYPE, QUESTION_TYPE)


@dataclass(frozen=True)
class Bot:
    """One entry of a line-up."""

    name: str  # canonical, with its parameters
    number: int  # ask.RANDOM, ask.CALLED or ask.ASIDE
    parameter: int = 0
    callback: Any = None  # compiled with SIGNATURE; kept alive here
    reads: int = READS_ALL  # what has to be written down for it
    never: int = 0  # kinds it does not play unless it must, as bits
    watched: Any = None  # of a user's bot: the callback that says what it has written, see watch
