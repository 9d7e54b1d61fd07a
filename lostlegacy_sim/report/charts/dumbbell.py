"""The dumbbell: measures before and after a change, and the difference with its interval beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells, side
from lostlegacy_sim.report.tables import BY_ROW, STEP, Table
from lostlegacy_sim.stats.intervals import Interval

PITCH, TOP, FOOT = 0.3, 0.36, 0.52  # inches a row, above all, below each unit
GAP = 0.3  # inches between the two columns
SCALES = {"rate": 100.0, "difference": 100.0}  # shown in per cent and points
AXES = {"rate": "%", "difference": "points", "turns": "turns", "ratio": "ratio", "games": "games"}
STEPS = {"rate": "points", "difference": "points"}  # units of a difference


@dataclass(frozen=True)
class Change:
    """A measure of two results, in its own unit, and the second minus the first."""

    label: str
    unit: str  # as in game.Measure
    before: Interval
    after: Interval
    difference: Interval
    deals: int
    margin: float = 0.0  # differences up to here count as none; 0: no margin was stated


@dataclass(frozen=True)
class Words:
    """What one dumbbell is about."""

    name: str
    title: str
    before: str  # such as the name of a set
    after: str


def chart(changes: Sequence[Change], words: Words) -> Chart:
    """The chart of some changes; those of one unit stand together on one scale."""
    return Chart(words.name, words.title, describe(changes, words), table(changes, words), partial(draw, changes, words))


def table(changes: Sequence[Change], words: Words) -> Table:
    """A row a change, numbers as they are counted: rates from 0 to 1."""
    columns = ("measure", "unit", "before", "before_low", "before_high", "after", "after_low", "after_high",
               "difference", "difference_low", "difference_high", "margin", "deals")  # fmt: skip
    rows = [
        (one.label, one.unit, *cells(one.before), *cells(one.after), *cells(one.difference), one.margin or None, one.deals)
        for one in changes
    ]
    units = ("", "", *[BY_ROW] * 6, *[STEP] * 4, "")
    return Table(words.name, columns, tuple(rows), units).without_empty_columns()


def describe(changes: Sequence[Change], words: Words) -> str:
    """What can be seen, in words."""
    told = {1: [], 0: [], -1: []}  # type: dict[int, list[str]]
    for one in changes:
        told[side(one.difference)].append(one.label)
    return (f"For each measure a line from {words.before} to {words.after}, and the difference with its 95 % interval. "
            f"Surely higher with {words.after}: {', '.join(told[1]) or 'none'}. Surely lower: {', '.join(told[-1]) or 'none'}. "
            f"Cannot be told: {', '.join(told[0]) or 'none'}.")  # fmt: skip


@canvas.styled
def draw(changes: Sequence[Change], words: Words) -> Figure:
    """At the left before and after, in the middle the difference around 0, at the right its numbers."""
    units = list(dict.fromkeys(one.unit for one in changes))
    figure = canvas.sheet(TOP + len(changes) * PITCH + len(units) * FOOT)
    before, after = canvas.shortened([words.before, words.after])
    handles = [
        canvas.dot(canvas.MUTED, before, filled=False),
        canvas.dot(canvas.MUTED, after),
        canvas.stroke("higher", colour=canvas.ABOVE),
        canvas.stroke("lower", colour=canvas.BELOW),
        canvas.stroke("cannot be told", colour=canvas.UNSURE),
    ]
    margins = any(one.margin for one in changes)
    canvas.key(figure, [*handles, *([canvas.patch(canvas.LINE, "within the margin")] if margins else [])])
    names = [one.label for one in changes]
    labels = dict(zip(names, canvas.shortened(names), strict=True))
    left = canvas.inches(figure, list(labels.values())) + 0.14
    right = canvas.inches(figure, [numbers(one) for one in changes], 8.5) + 0.14
    width = (canvas.WIDTH - left - right - GAP) / 2
    top = TOP
    for unit in units:
        rows = [one for one in changes if one.unit == unit]
        tall = PITCH * len(rows)
        values = canvas.place(figure, left, top, width, tall)
        steps = canvas.place(figure, left + width + GAP, top, width - 0.05, tall)
        for place, one in enumerate(rows):
            pair(values, place, one)
            step(steps, place, one)
        for axes in (values, steps):
            axes.set_ylim(len(rows) - 0.45, -0.55)
            axes.margins(x=0.1)
            axes.locator_params(axis="x", nbins=4)
            axes.grid(axis="y", visible=False)
        steps.axvline(0, color=canvas.INK, linestyle=":", linewidth=1.2, zorder=1)
        values.set_yticks(range(len(rows)), [labels[one.label] for one in rows], color=canvas.INK)
        steps.set_yticks([])
        values.set_xlabel(AXES.get(unit, unit))
        steps.set_xlabel(f"difference, {STEPS.get(unit, AXES.get(unit, unit))}")
        top += tall + FOOT
    return figure


def pair(axes: Axes, place: int, one: Change) -> None:
    """Before and after: a hollow dot, a line, a filled one."""
    scale = SCALES.get(one.unit, 1.0)
    told = side(one.difference)
    axes.plot([scale * one.before.value, scale * one.after.value], [place, place], color=canvas.SIDES[told], linewidth=2.2, zorder=3)
    canvas.mark(axes, scale * one.before.value, place, canvas.SIDES[told], filled=False, size=9)
    canvas.mark(axes, scale * one.after.value, place, canvas.SIDES[told], size=4.5)


def step(axes: Axes, place: int, one: Change) -> None:
    """The difference, with its interval and the margin."""
    scale = SCALES.get(one.unit, 1.0)
    told = side(one.difference)
    if one.margin:
        margin = scale * one.margin
        axes.fill_betweenx([place - 0.4, place + 0.4], -margin, margin, color=canvas.LINE, linewidth=0, zorder=1)
    canvas.bar(axes, (scale * one.difference.low, scale * one.difference.high), place, canvas.SIDES[told])
    canvas.mark(axes, scale * one.difference.value, place, canvas.SIDES[told], bool(told))
    axes.annotate(numbers(one), (1, place), (8, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                  ha="left", va="center", fontsize=8.5)  # fmt: skip


def numbers(one: Change) -> str:
    """The difference and its interval."""
    if math.isnan(one.difference.low):
        return "too few deals"
    value, low, high = (f"{SCALES.get(one.unit, 1.0) * number:+.2f}".replace("-", "−") for number in one.difference)
    return f"{value} ({low} to {high})"
