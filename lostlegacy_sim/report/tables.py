"""Tables: rows of data, for CSV and for whatever else draws them."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO

from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.letters import as_cell
from lostlegacy_sim.studies.simulate import Plan

Cell = str | int | float | None

BY_ROW, STEP = "by row", "step"  # units of a column: that of the row's measure, that of a difference of such

ESTIMATE_COLUMNS = ("measure", "unit", "value", "low", "high", "n", "method", "meaning")


@dataclass(frozen=True)
class Table:
    """Named columns and rows of cells; None where there is no number."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    units: tuple[str, ...] = ()  # one a column, as in game.Measure, BY_ROW or STEP; "" for words and whole numbers; () if all are so
    title: str = ""  # what stands above it on a page; "" for the question of its section

    def to_csv(self) -> str:
        """As CSV, with a line of headings; an empty cell where there is no number, and no text a spreadsheet would take for a formula."""
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows(map(as_cell, row) for row in (self.columns, *self.rows))
        return text.getvalue()

    def without_empty_columns(self) -> Table:
        """The table without the columns in which there is nothing."""
        kept = [number for number in range(len(self.columns)) if any(row[number] not in (None, "") for row in self.rows)]
        units = tuple(self.units[number] for number in kept) if self.units else ()
        return Table(self.name, tuple(self.columns[number] for number in kept),
                     tuple(tuple(row[number] for number in kept) for row in self.rows), units, self.title)  # fmt: skip


def estimate_table(name: str, estimates: Iterable[tuple[int, Estimate]]) -> Table:
    """A row an estimate, each with the number of players it holds for."""
    rows = tuple((players, *cells_of(estimate)) for players, estimate in estimates)
    return Table(name, ("players", *ESTIMATE_COLUMNS), rows)


def plan_table(plans: Iterable[Plan]) -> Table:
    """A row a plan."""
    columns = ("players", "deals", "blocks", "rotations", "batches", "half_width", "seconds", "threads")
    rows = (plan.to_plain() | {"players": plan.experiment.players} for plan in plans)
    return Table("plans", columns, tuple(tuple(row[name] for name in columns) for row in rows))


def cells_of(estimate: Estimate) -> tuple[Cell, ...]:
    """The cells of ESTIMATE_COLUMNS."""
    numbers = (None if math.isnan(number) else number for number in (estimate.value, estimate.low, estimate.high))
    return (estimate.name, estimate.unit, *numbers, estimate.n, estimate.method, estimate.meaning)
