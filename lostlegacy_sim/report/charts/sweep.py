"""The sweep: how goals change along one field, a panel for each goal, a line for each way to set the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.tables import BY_ROW, Table
from lostlegacy_sim.stats.intervals import Interval

IN_A_ROW = 2  # panels
TALL, TOP, KEY, HEAD, FOOT, GAP, LEFT = 1.9, 0.1, 0.24, 0.36, 0.52, 0.4, 0.42  # inches
MARKS = "osD^v"
SCALES = {"rate": 100.0, "difference": 100.0}
AXES = {"rate": "%", "difference": "points"}


@dataclass(frozen=True)
class Goal:
    """What a panel is about."""

    name: str
    words: str  # "deals nobody won"
    unit: str  # as in game.Measure


@dataclass(frozen=True)
class Point:
    """One set at one table: where it lies along the field, on which line, and what it reaches in every goal."""

    place: str
    line: str
    reached: tuple[Interval, ...]  # one a goal
    deals: int


def chart(points: Sequence[Point], goals: Sequence[Goal], field: str) -> Chart:
    """The chart of a sweep along a field."""
    return Chart("sweep", f"The goals along {field}", describe(points, goals, field), table(points, goals, field), partial(draw, points, goals, field))


def table(points: Sequence[Point], goals: Sequence[Goal], field: str) -> Table:
    """A row a point and goal."""
    rows = [(point.line, point.place, goal.name, goal.unit, *cells(found), point.deals)
            for point in points for goal, found in zip(goals, point.reached, strict=True)]  # fmt: skip
    columns = ("line", field, "goal", "unit", "value", "low", "high", "deals")
    return Table("sweep", columns, tuple(rows), ("", "", "", "", *[BY_ROW] * 3, "")).without_empty_columns()


def describe(points: Sequence[Point], goals: Sequence[Goal], field: str) -> str:
    """What can be seen, in words."""
    parts = []
    for number, goal in enumerate(goals):
        scale = SCALES.get(goal.unit, 1.0)
        for line in dict.fromkeys(point.line for point in points):
            values = [f"{scale * point.reached[number].value:.2f} at {point.place}" for point in points if point.line == line and not math.isnan(point.reached[number].value)]
            parts.append(f"{goal.words}{f' ({line})' if line else ''}: {', '.join(values)}.")
    return f"A panel a goal, along {field}; dots with 95 % intervals. {' '.join(parts)}"


@canvas.styled
def draw(points: Sequence[Point], goals: Sequence[Goal], field: str) -> Figure:
    """The panels, two in a row."""
    lines = list(dict.fromkeys(point.line for point in points))
    places = list(dict.fromkeys(point.place for point in points))
    keys = -(-len(lines) // IN_A_ROW) if lines != [""] else 0
    rows, columns = -(-len(goals) // IN_A_ROW), min(len(goals), IN_A_ROW)
    top = TOP + KEY * keys
    figure = canvas.sheet(top + rows * (HEAD + TALL + FOOT))
    width = canvas.WIDTH / columns
    for number, line in enumerate(canvas.shortened(lines, 46) if keys else []):
        row, column = divmod(number, IN_A_ROW)
        colour, marker = look(number)
        draw_key(figure, 0.05 + column * canvas.WIDTH / IN_A_ROW, 0.02 + KEY * row, line, colour, marker)
    for number, goal in enumerate(goals):
        row, column = divmod(number, columns)
        left, above = column * width + LEFT, top + row * (HEAD + TALL + FOOT)
        axis = AXES.get(goal.unit, "" if goal.unit == "ratio" else goal.unit)
        heading = f"{goal.words}, {axis}" if axis and axis not in goal.words.split() else goal.words
        canvas.write(figure, left, above + HEAD - 0.08, canvas.folded(heading, 56 // columns + 12, 2), va="bottom", fontsize=8.5)
        axes = canvas.place(figure, left, above + HEAD, width - LEFT - GAP / 2, TALL)
        for place, line in enumerate(lines):
            draw_line(axes, [point for point in points if point.line == line], number, places, SCALES.get(goal.unit, 1.0), place, len(lines))
        axes.set_xticks(range(len(places)), canvas.shortened(places, max(6, 44 // (columns * len(places)))))
        axes.set_xlim(-0.5, len(places) - 0.5)
        axes.margins(y=0.12)
        axes.yaxis.set_major_locator(MaxNLocator(5))
        axes.grid(axis="x", visible=False)
        axes.set_xlabel(field)
    return figure


def look(number: int) -> tuple[str, str]:
    """Colour and mark of a line; those of the first 25 lines differ."""
    colours = canvas.CATEGORIES
    return colours[number % len(colours)], MARKS[(number + number // len(colours)) % len(MARKS)]


def draw_key(figure: Figure, left: float, top: float, text: str, colour: str, marker: str) -> None:
    """One line of the key."""
    axes = canvas.place(figure, left, top, 0.24, 0.16)
    axes.plot([0, 1], [0, 0], color=colour, linewidth=1.4)
    axes.plot([0.5], [0], marker=marker, color=colour, markersize=5)
    axes.set_axis_off()
    canvas.write(figure, left + 0.32, top, text, color=canvas.MUTED, fontsize=8.5)


def draw_line(axes: Axes, points: Sequence[Point], goal: int, places: Sequence[str], scale: float, number: int, lines: int) -> None:
    """One line, set a little aside from the others so that intervals can be told apart."""
    colour, marker = look(number)
    aside = (number - (lines - 1) / 2) * min(0.1, 0.5 / lines)
    across = [places.index(point.place) + aside for point in points]
    found = [point.reached[goal] for point in points]
    axes.plot(across, [scale * one.value for one in found], color=colour, linewidth=1.0, alpha=0.6, zorder=2)
    for at, one in zip(across, found, strict=True):
        if not math.isnan(one.low):
            axes.plot([at, at], [scale * one.low, scale * one.high], color=colour, linewidth=2.0, zorder=3)
    axes.plot(across, [scale * one.value for one in found], linestyle="", marker=marker, markersize=5, markerfacecolor=colour,
              markeredgecolor=canvas.PAPER, markeredgewidth=0.6, zorder=4)  # fmt: skip
