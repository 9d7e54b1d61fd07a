"""The answer of `llsim compare` as rows of data, and as what a dumbbell shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lostlegacy_sim.report.tables import Cell, Table
from lostlegacy_sim.studies.compare import Comparison

COLUMNS = ("first", "second", "measure", "unit", "first_value", "first_low", "first_high", "second_value", "second_low", "second_high",
           "difference", "difference_low", "difference_high", "verdict", "p_value", "equivalence_p_value", "margin", "paired",
           "gain_of_pairing", "deals_needed")  # fmt: skip


def comparison_table(comparisons: Sequence[Comparison]) -> Table:
    """A row a measure of a pair; rates as they are counted, from 0 to 1; p-values adjusted (Holm)."""
    return Table("verdicts", COLUMNS, tuple(cells(comparison.to_plain(), row) for comparison in comparisons
                                              for row in comparison.to_plain()["measures"]))  # fmt: skip


def cells(pair: dict[str, Any], row: dict[str, Any]) -> tuple[Cell, ...]:
    """The cells of COLUMNS."""
    numbers = [row[side][name] for side in ("first", "second", "difference") for name in ("value", "low", "high")]
    said = [row[name] for name in ("verdict", "p_value", "equivalence_p_value", "margin")]
    return (pair["first"], pair["second"], row["measure"], row["unit"], *numbers, *said, "yes" if pair["paired"] else "no",
            row["gain_of_pairing"], row["deals_needed"])  # fmt: skip
