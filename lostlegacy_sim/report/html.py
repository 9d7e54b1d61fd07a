"""HTML: a whole report as one page that needs nothing else: no network, no script, light and dark, on screen and paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from lostlegacy_sim.letters import as_json, harmless
from lostlegacy_sim.report.charts import picture
from lostlegacy_sim.report.charts.chart import Chart
from lostlegacy_sim.report.page import Page
from lostlegacy_sim.report.tables import BY_ROW, STEP, Cell, Table
from lostlegacy_sim.studies.simulate import points

SCHEMA = "llsim.report/1"
OPEN_ROWS, PAPER_ROWS = 12, 100  # a table with more rows is folded on screen, left out on paper
PAPER_STORIES = 8  # of more deals only the commands are printed
INTERVAL, NOTHING = "95 % interval", "–"
UNITS = {"rate": ", %", "difference": ", points"}  # of a heading


def render(page: Page) -> str:
    """The page as HTML."""
    environment = Environment(autoescape=True, finalize=shown, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(drawing=drawing, grid=grid, open_rows=OPEN_ROWS, paper_rows=PAPER_ROWS, paper_stories=PAPER_STORIES)
    environment.filters.update(typeset=typeset)
    template = environment.from_string(read("page.html"))
    manifest = as_data({"schema": SCHEMA, "results": list(page.manifests)})
    return template.render(page=page, css=Markup(read("page.css")), manifest=manifest) + "\n"


def shown(value: Any) -> Any:
    """What a place of the template is filled with; markup of our own is harmless already."""
    return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def read(name: str) -> str:
    """A file that lies beside this one."""
    return (files("lostlegacy_sim.report") / name).read_text(encoding="utf-8")


def drawing(chart: Chart) -> Markup:
    """The chart as an element of the page; all text in it has been escaped by the XML writer."""
    return Markup(picture.to_page(chart))


def as_data(document: Mapping[str, Any]) -> Markup:
    """JSON for a script element, which no text in it can close."""
    return Markup(as_json(document, indent=None).replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e"))


def typeset(sentence: str) -> str:
    """A sentence with true minus signs and no line break before a per cent sign."""
    return re.sub(r"(?<=\d) %", "\u00a0%", re.sub(r"(?<![\w.])-(?=\d)", "−", sentence))


# --- tables ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """A table as people read it: headings with units, numbers with two decimals."""

    name: str
    headings: tuple[str, ...]
    is_number: tuple[bool, ...]  # one a column; the first one names the rows
    rows: tuple[tuple[str, ...], ...]


def grid(table: Table) -> Grid:
    """The table for people: the two bounds of an interval share a column, and a single result need not be named."""
    units = table.units or ("",) * len(table.columns)
    headings: list[str] = []
    is_number: list[bool] = []
    columns: list[list[str]] = []
    for number, (column, unit) in enumerate(zip(table.columns, units, strict=True)):
        texts = [words(row[number], unit_of(unit, table, row)) for row in table.rows]
        if column == "result" and len(set(texts)) == 1:
            continue
        if is_bound(column, "high") and headings and headings[-1] == INTERVAL:
            columns[-1] = [joined(low, high) for low, high in zip(columns[-1], texts, strict=True)]
            continue
        headings.append(INTERVAL if is_bound(column, "low") else column.replace("_", " ") + UNITS.get(unit, ""))
        is_number.append(any(re.match(r"[+−]?\d[\d,]*(\.\d| %|$)", text) for text in texts))
        columns.append(texts)
    return Grid(table.name, tuple(headings), (False, *is_number[1:]), tuple(zip(*columns, strict=True)))


def unit_of(unit: str, table: Table, row: Sequence[Cell]) -> str:
    """The unit of a cell; in a column of many measures it is that of the row, or of a difference of such."""
    if unit not in (BY_ROW, STEP):
        return unit
    of_row = str(row[table.columns.index("unit")])
    return {"rate": "difference"}.get(of_row, of_row) if unit == STEP else of_row


def is_bound(column: str, which: str) -> bool:
    """Whether a column holds the lower or upper bounds of the numbers before it."""
    return column == which or column.endswith(f"_{which}")


def joined(low: str, high: str) -> str:
    """Two bounds as one interval."""
    if NOTHING in (low, high):
        return NOTHING
    return f"{low} to {high}" if low[0] in "+−" else f"{low}–{high}"


def words(cell: Cell, unit: str) -> str:
    """One cell: rates in per cent, differences in points, a dash where there is no number."""
    if cell is None:
        return NOTHING
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    if unit == "difference":
        return points(cell, sign=True).replace("-", "−")
    return f"{100 * cell:.2f}" if unit == "rate" else f"{cell:,.3f}".replace("-", "−")

