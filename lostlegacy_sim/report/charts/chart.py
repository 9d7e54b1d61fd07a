"""Chart: a drawing with its name, its title, its words for those who cannot see it, and the numbers it shows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lostlegacy_sim.report.tables import Cell, Table
from lostlegacy_sim.stats.intervals import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Chart:
    """What a page or a file shows of some rows; nothing is drawn before `draw` is called."""

    name: str  # as --chart asks for it
    title: str
    description: str  # what it shows and what can be seen in it, without looking
    table: Table  # every number that is drawn
    draw: Callable[[], Figure]
    context: str = ""  # set, bots, deals: written below the title where the chart stands alone


def cells(interval: Interval | None) -> tuple[Cell, Cell, Cell]:
    """Value, low and high for a table; None where there is no number."""
    if interval is None:
        return None, None, None
    value, low, high = (None if math.isnan(number) else number for number in interval)
    return value, low, high


def side(interval: Interval, par: float = 0.0) -> int:
    """What the interval allows to say: 1 above par, -1 below it, 0 that it cannot be told."""
    return int(interval.low > par) - int(interval.high < par)
