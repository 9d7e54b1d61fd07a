"""The tables of `llsim tournament`, for CSV and for a page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lostlegacy_sim.estimate import plain_number
from lostlegacy_sim.report.charts.chart import cells
from lostlegacy_sim.report.tables import Cell, Table
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.tournament import TurnPlan

MATRIX_COLUMNS = ("set", "players", "one", "others", "above_par", "low", "high", "verdict", "p_value", "n")
RATING_COLUMNS = ("set", "players", "bot", "strength", "low", "high", "elo", "elo_low", "elo_high", "nash_weight", "nash_low", "nash_high")


def matrix_table(every: Sequence[Standings]) -> Table:
    """A row a cell: what one bot gains among others of another, with the interval and verdict that hold for the whole matrix."""
    rows: list[tuple[Cell, ...]] = []
    for found in every:
        for cell in found.cells:
            names = (set_name(found), found.players, found.bots[cell.one], found.bots[cell.others])
            rows.append((*names, *cells(cell.advantage), cell.word, plain_number(cell.p_value), cell.deals))
    return Table("matchups", MATRIX_COLUMNS, tuple(rows), ("", "", "", "", *["difference"] * 3, "", "", ""))


def rating_table(every: Sequence[Standings]) -> Table:
    """A row a bot, the strongest first: strength (mean 0), the same on the Elo scale in whole points, weight in Nash averaging."""
    rows: list[tuple[Cell, ...]] = []
    for found in every:
        for one in found.ratings:
            weights = (one.weight, plain_number(one.weight_low), plain_number(one.weight_high))
            rows.append((set_name(found), found.players, one.bot, *cells(one.strength), *map(whole, one.elo), *weights))
    return Table("ratings", RATING_COLUMNS, tuple(rows), ("", "", "", *["ratio"] * 3, "", "", "", *["rate"] * 3))


def whole(number: float) -> int | None:
    """The nearest whole number; None if there is none."""
    return None if math.isnan(number) else round(number)


def set_name(found: Standings) -> str:
    """The set that was played with."""
    return found.played.tournament.matches[0].set_name


def plan_table(plans: Sequence[TurnPlan]) -> Table:
    """A row a plan."""
    columns = ("players", "experiments", "deals", "half_width", "seconds", "threads")
    rows = tuple(tuple((one.to_plain() | {"players": one.largest.experiment.players})[name] for name in columns) for one in plans)
    return Table("plans", columns, rows)
