"""Places: how often something was where, a bar for each place, a panel for each result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.screen import percent
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval

PITCH, HEAD, TOP, FOOT = 0.24, 0.3, 0.34, 0.48  # inches a row, above a panel, above all, below a panel
IN_A_ROW = 5  # panels


@dataclass(frozen=True)
class Place:
    """A place and how often it was there: a rate from 0 to 1."""

    group: str  # such as "in a hand"; the groups have colours
    name: str  # such as "seat 2"
    rate: Interval


@dataclass(frozen=True)
class Places:
    """The places of one result."""

    label: str
    places: tuple[Place, ...]
    deals: int


def chart(results: Sequence[Places], name: str, title: str) -> Chart:
    """The chart of some results; places where it never was in any of them are left out."""
    return Chart(name, title, describe(results), table(results, name), partial(draw, results))


def rows_of(results: Sequence[Places]) -> list[tuple[str, str]]:
    """Group and name of all places that occurred, in order."""
    found = dict.fromkeys((place.group, place.name) for result in results for place in result.places)
    used = {(place.group, place.name) for result in results for place in result.places if place.rate.value > 0}
    groups = list(dict.fromkeys(group for group, _ in found))
    return sorted((row for row in found if row in used), key=lambda row: groups.index(row[0]))


def table(results: Sequence[Places], name: str) -> Table:
    """A row a result and place where it ever was."""
    used = rows_of(results)
    rows = [
        (result.label, place.group, place.name, *cells(place.rate), result.deals)
        for result in results
        for place in result.places
        if (place.group, place.name) in used
    ]
    units = ("", "", "", "rate", "rate", "rate", "")
    return Table(name, ("result", "place", "which", "share", "low", "high", "deals"), tuple(rows), units)


def describe(results: Sequence[Places]) -> str:
    """What can be seen, in words."""
    parts = []
    for result in results:
        totals: dict[str, float] = {}
        for place in result.places:
            totals[place.group] = totals.get(place.group, 0.0) + place.rate.value
        parts.append(f"{result.label}: " + ", ".join(f"{group} {percent(total)}" for group, total in totals.items()) + ".")
    return "Bars for the share of deals by place, one panel a result. " + " ".join(parts)


@canvas.styled
def draw(results: Sequence[Places]) -> Figure:
    """The panels, side by side, on one scale."""
    rows = rows_of(results)
    groups = list(dict.fromkeys(group for group, _ in rows))
    colours = dict(zip(groups, (canvas.BLUE, canvas.ORANGE, canvas.GREY, canvas.GREEN, canvas.PURPLE), strict=False))
    columns = min(len(results), IN_A_ROW)
    lines = -(-len(results) // columns)
    tall = PITCH * len(rows)
    figure = canvas.sheet(TOP + lines * (HEAD + tall + FOOT))
    canvas.key(figure, [canvas.patch(colours[group], group) for group in groups])
    left = canvas.inches(figure, [name for _, name in rows]) + 0.12
    width = (canvas.WIDTH - left) / columns
    most = max((place.rate.value for result in results for place in result.places), default=1.0)
    labels = canvas.shortened([result.label for result in results], 80 // columns)
    for number, result in enumerate(results):
        line, column = divmod(number, columns)
        at, top = left + column * width, TOP + line * (HEAD + tall + FOOT)
        canvas.write(figure, at, top, labels[number], fontweight="bold")
        axes = canvas.place(figure, at, top + HEAD, width - 0.2, tall)
        panel(axes, result, rows, colours)
        axes.set_xlim(0, 100 * most * (1.06 + 0.06 * columns))
        axes.set_yticks(range(len(rows)), [name for _, name in rows] if column == 0 else [""] * len(rows), color=canvas.INK)
        axes.set_xlabel("share of the deals, %" if columns < 4 else "deals, %")
    return figure


def panel(axes: Axes, result: Places, rows: Sequence[tuple[str, str]], colours: dict[str, str]) -> None:
    """One result."""
    rates = {(place.group, place.name): place.rate for place in result.places}
    for number, row in enumerate(rows):
        if row not in rates:
            continue
        rate = rates[row]
        axes.barh(number, 100 * rate.value, 0.72, color=colours[row[0]])
        axes.annotate(f"{100 * rate.value:.1f}", (100 * rate.value, number), (3, 0), textcoords="offset points",
                      ha="left", va="center", fontsize=8)  # fmt: skip
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.locator_params(axis="x", nbins=4)
    axes.grid(axis="y", visible=False)
