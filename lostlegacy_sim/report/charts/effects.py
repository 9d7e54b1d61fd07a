"""Effects: what changes do to several goals, a panel for each goal, with what is better and worse in colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.tables import BY_ROW, Table
from lostlegacy_sim.stats.intervals import Interval

PITCH, TOP, HEAD, FOOT, GAP = 0.36, 0.36, 1.0, 0.36, 0.14  # inches: a row, above all, above the panels, below them, between them
LABEL, WORDS = 30, 19  # letters of a line: of a row's label, of a panel's heading
SCALES = {"difference": 100.0}
UNITS = {"difference": "points"}
BETTER, WORSE, UNTOLD = 1, -1, 0
TOLD = {BETTER: "better", WORSE: "worse", UNTOLD: "not told apart"}


@dataclass(frozen=True)
class Goal:
    """What a panel is about."""

    name: str
    words: str  # "deals nobody won"
    wish: str  # what is better, briefly: "lower is better"
    unit: str  # of a change, as in game.Measure
    spread: float = math.nan  # standard deviation among the sets a change is held against, in the same unit


@dataclass(frozen=True)
class Effect:
    """What one change does to one goal, in the goal's unit."""

    label: str  # of the change
    goal: str
    change: Interval
    told: int  # BETTER, WORSE or UNTOLD
    n: int  # sets, or pairs of sets, behind it
    group: str = ""  # changes of one group stand together


@dataclass(frozen=True)
class Words:
    """What one such chart is about."""

    name: str
    title: str
    item: str  # headings of the table: what the changes are,
    group: str = "group"  # and what their groups are


def chart(effects: Sequence[Effect], goals: Sequence[Goal], words: Words) -> Chart:
    """The chart of all effects on some goals."""
    return Chart(words.name, words.title, describe(effects, goals), table(effects, goals, words), partial(draw, effects, goals))


def table(effects: Sequence[Effect], goals: Sequence[Goal], words: Words) -> Table:
    """A row an effect."""
    units = {goal.name: goal.unit for goal in goals}
    columns = (words.group, words.item, "goal", "unit", "change", "low", "high", "verdict", "sets")
    rows = [(one.group, one.label, one.goal, units[one.goal], *cells(one.change), TOLD[one.told], one.n) for one in effects]
    return Table(words.name, columns, tuple(rows), ("", "", "", "", *[BY_ROW] * 3, "", "")).without_empty_columns()


def describe(effects: Sequence[Effect], goals: Sequence[Goal]) -> str:
    """What can be seen, in words."""
    parts = []
    for goal in goals:
        named = {told: [one.label for one in effects if one.goal == goal.name and one.told == told] for told in TOLD}
        parts.append(f"{goal.words}: better with {'; '.join(named[BETTER]) or 'none'}. Worse with {'; '.join(named[WORSE]) or 'none'}.")
    return "A panel a goal, a row a change; dots with 95 % intervals around a line at no change. " + " ".join(parts)


@canvas.styled
def draw(effects: Sequence[Effect], goals: Sequence[Goal]) -> Figure:
    """Labels at the left, then a panel for each goal; all share their rows."""
    rows = list(dict.fromkeys((one.group, one.label) for one in effects))
    places, headings, at = {}, [], 0.0
    for number, (group, label) in enumerate(rows):
        if group and (number == 0 or group != rows[number - 1][0]):
            headings.append((at, group))
            at += 0.85
        places[group, label] = at
        at += 1
    tall = PITCH * at
    figure = canvas.sheet(TOP + HEAD + tall + FOOT)
    canvas.key(figure, key_of(goals))
    labels = dict(zip(rows, canvas.shortened([label for _, label in rows], LABEL, 2), strict=True))
    left = canvas.inches(figure, list(labels.values()), 8.5) + 0.14
    width = (canvas.WIDTH - left - 0.1 - GAP * (len(goals) - 1)) / len(goals)
    for number, goal in enumerate(goals):
        across = left + number * (width + GAP)
        write_heading(figure, across, goal, max(10, int(WORDS * width / 1.05)))
        axes = canvas.place(figure, across, TOP + HEAD, width, tall)
        panel(axes, [one for one in effects if one.goal == goal.name], places, goal)
        axes.set_ylim(at - 0.4, -0.7)
        axes.set_yticks(list(places.values()), list(labels.values()) if number == 0 else [""] * len(rows), color=canvas.INK, fontsize=8.5)
    for place, group in headings:
        canvas.write(figure, 0.05, TOP + HEAD + PITCH * (place + 0.65), group, fontweight="bold", fontsize=8.5, va="center", bbox=canvas.BEHIND)
    return figure


def key_of(goals: Sequence[Goal]) -> list[Artist]:
    """What the marks mean."""
    found: list[Artist] = [canvas.dot(canvas.ABOVE, "better"), canvas.dot(canvas.BELOW, "worse"), canvas.dot(canvas.UNSURE, TOLD[UNTOLD], filled=False),
             canvas.stroke("95 % interval"), canvas.stroke("no change", ":", canvas.INK)]  # fmt: skip
    if any(not math.isnan(goal.spread) for goal in goals):
        found.append(canvas.patch(canvas.LINE, "spread of the legal mixes"))
    return found


def write_heading(figure: Figure, left: float, goal: Goal, letters: int) -> None:
    """A goal in words above its panel."""
    canvas.write(figure, left, TOP + HEAD - 0.36, canvas.folded(goal.words, letters, 5), fontsize=8, linespacing=1.15, va="bottom")
    canvas.write(figure, left, TOP + HEAD - 0.33, UNITS.get(goal.unit, goal.unit if goal.unit != "ratio" else ""), fontsize=7.5, color=canvas.MUTED)
    canvas.write(figure, left, TOP + HEAD - 0.19, canvas.folded(goal.wish, letters + 4, 1), fontsize=7.5, color=canvas.MUTED)


def panel(axes: Axes, effects: Sequence[Effect], places: dict[tuple[str, str], float], goal: Goal) -> None:
    """One goal."""
    scale = SCALES.get(goal.unit, 1.0)
    if not math.isnan(goal.spread):
        axes.axvspan(-scale * goal.spread, scale * goal.spread, color=canvas.LINE, alpha=0.55, linewidth=0, zorder=0)
    for one in effects:
        place, colour = places[one.group, one.label], canvas.SIDES[one.told]
        canvas.bar(axes, (scale * one.change.low, scale * one.change.high), place, colour)
        canvas.mark(axes, scale * one.change.value, place, colour, bool(one.told), size=5)
    bounds = [abs(scale * bound) for one in effects for bound in one.change if not math.isnan(bound)]
    span = 1.12 * max(bounds, default=1.0) or 1.0
    axes.set_xlim(-span, span)
    axes.axvline(0, color=canvas.INK, linestyle=":", linewidth=1.2, zorder=1)
    axes.xaxis.set_major_locator(MaxNLocator(3, symmetric=True))
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="y", visible=False)
