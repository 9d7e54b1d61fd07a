"""The forest plot: effects with their intervals around par, the surest first, what was observed beside what is caused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells, side
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.simulate import points

PITCH, TOP, FOOT = 0.29, 0.34, 0.5  # inches a row, above all, below all


@dataclass(frozen=True)
class Effect:
    """Something, such as a card, and what it does: differences of rates, 0.01 is a point."""

    label: str
    caused: Interval
    observed: Interval | None  # the same by watching only; None if there is nothing to show
    deals: int
    group: str = ""  # effects of one group stand together


@dataclass(frozen=True)
class Words:
    """What one forest plot is about."""

    name: str
    title: str
    axis: str
    group: str  # headings of the table: what the groups are,
    item: str  # what the effects are of,
    caused: str  # what causes them,
    observed: str = "observed"  # and how the others were found
    above: str = "above par"  # what effects are called on either side of the line,
    below: str = "below par"
    line: str = "par"  # and the line itself
    is_ranked: bool = True  # the highest lower bound comes first; else the order is that given


def chart(effects: Sequence[Effect], words: Words) -> Chart:
    """The chart of some effects."""
    return Chart(words.name, words.title, describe(effects, words), table(effects, words), partial(draw, effects, words))


def ordered(effects: Sequence[Effect], words: Words) -> list[Effect]:
    """Group by group, in the order given; inside a group by the lower bound, the highest first, if they are ranked."""
    groups = list(dict.fromkeys(effect.group for effect in effects))
    return sorted(effects, key=lambda effect: (groups.index(effect.group), -lower(effect.caused) if words.is_ranked else 0.0))


def lower(interval: Interval) -> float:
    """The lower bound; where there is none, below all others."""
    return -math.inf if math.isnan(interval.low) else interval.low


def table(effects: Sequence[Effect], words: Words) -> Table:
    """A row an effect."""
    columns = (words.group, words.item, words.caused, "low", "high", words.observed, "observed_low", "observed_high", "deals")
    rows = [(one.group, one.label, *cells(one.caused), *cells(one.observed), one.deals) for one in ordered(effects, words)]
    return Table(words.name, columns, tuple(rows), ("", "", *["difference"] * 6, "")).without_empty_columns()


def describe(effects: Sequence[Effect], words: Words) -> str:
    """What can be seen, in words."""
    above = [effect.label for effect in ordered(effects, words) if side(effect.caused) > 0]
    below = [effect.label for effect in ordered(effects, words) if side(effect.caused) < 0]
    return (f"Dots with 95 % intervals, {words.axis}{', sorted by their lower bound' if words.is_ranked else ''}. "
            f"Surely {words.above}: {', '.join(above) or 'none'}. Surely {words.below}: {', '.join(below) or 'none'}.")  # fmt: skip


@canvas.styled
def draw(effects: Sequence[Effect], words: Words) -> Figure:
    """A row an effect: dot and bar, the observed value as a diamond just below it, the numbers at the right."""
    rows = ordered(effects, words)
    groups = list(dict.fromkeys(effect.group for effect in rows))
    watched = any(effect.observed is not None for effect in rows)
    places, headings, at = [], [], 0.0
    for number, effect in enumerate(rows):
        if len(groups) > 1 and (number == 0 or effect.group != rows[number - 1].group):
            headings.append((at, effect.group))
            at += 1
        places.append(at)
        at += 1
    tall = PITCH * at
    figure = canvas.sheet(TOP + tall + FOOT)
    handles = canvas.side_key(words.above, words.below, words.line)
    if watched:
        handles[3:3] = [canvas.dot(canvas.UNSURE, words.observed, filled=False, marker="D")]
    canvas.key(figure, handles)
    labels = canvas.shortened([effect.label for effect in rows])
    left = canvas.inches(figure, labels) + 0.14
    right = canvas.inches(figure, [numbers(effect.caused) for effect in rows], 8.5) + 0.3
    axes = canvas.place(figure, left, TOP, canvas.WIDTH - left - right, tall)
    for place, effect in zip(places, rows, strict=True):
        told = side(effect.caused)
        shift = 0.14 if effect.observed is not None else 0.0
        canvas.bar(axes, (100 * effect.caused.low, 100 * effect.caused.high), place - shift, canvas.SIDES[told])
        canvas.mark(axes, 100 * effect.caused.value, place - shift, canvas.SIDES[told], bool(told))
        if effect.observed is not None:
            canvas.bar(axes, (100 * effect.observed.low, 100 * effect.observed.high), place + 0.22, canvas.UNSURE, width=1)
            axes.plot([100 * effect.observed.value], [place + 0.22], marker="D", markersize=4, markeredgecolor=canvas.UNSURE,
                      markerfacecolor=canvas.PAPER, linestyle="", zorder=3)  # fmt: skip
        axes.annotate(numbers(effect.caused), (1, place), (8, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                      ha="left", va="center", fontsize=8.5)  # fmt: skip
    for place, group in headings:
        edge = (0.05 - left) * canvas.POINTS
        axes.annotate(group, (0, place), (edge, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                      ha="left", va="center", fontweight="bold", bbox=canvas.BEHIND)  # fmt: skip
    axes.axvline(0, color=canvas.INK, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_yticks(places, labels, color=canvas.INK)
    axes.set_ylim(at - 0.4, -0.6)
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=7)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(words.axis)
    return figure


def numbers(interval: Interval) -> str:
    """Value and interval in points."""
    if math.isnan(interval.low):
        return "too few deals"
    value, low, high = (points(number, sign=True).replace("-", "−") for number in interval)
    return f"{value} ({low} to {high})"
