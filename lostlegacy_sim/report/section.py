"""Section: a part of a page, which answers one question. Any study can hand in its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.errors import UsageError, nearest
from lostlegacy_sim.report.charts.chart import Chart
from lostlegacy_sim.report.tables import Table


@dataclass(frozen=True)
class Said:
    """A sentence of an answer: verdict, interval, number of deals."""

    label: str  # which result says so; "" if there is only one
    sentence: Claim
    deals: int  # in which it was found


@dataclass(frozen=True)
class Section:
    """A question, its answer in sentences, and what shows it."""

    name: str  # one word, its address on the page
    question: str
    answer: tuple[Said, ...]
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()  # beside those of the charts
    data: tuple[Table, ...] = ()  # for programs only, not shown on the page
    notes: tuple[str, ...] = ()  # the words that need an explanation, explained


def all_tables(sections: Iterable[Section]) -> Iterator[Table]:
    """All tables of a page, in its order."""
    for section in sections:
        yield from (chart.table for chart in section.charts)
        yield from section.tables
        yield from section.data


def find_chart(sections: Iterable[Section], name: str) -> Chart:
    """The chart of that name. Raises UsageError naming those there are."""
    charts = {chart.name: chart for section in sections for chart in section.charts}
    if name not in charts:
        raise UsageError(f"--chart {name}: this result has no such chart.{nearest(name, charts)}")
    return charts[name]


def find_table(sections: Iterable[Section], name: str) -> Table:
    """The table of that name. Raises UsageError naming those there are."""
    tables = {table.name: table for table in all_tables(sections)}
    if name not in tables:
        raise UsageError(f"--table {name}: this result has no such table.{nearest(name, tables)}")
    return tables[name]
