"""The matchup heatmap: who gains against whom, those who play alike side by side, hatched where it cannot be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells, side
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.simulate import points

TOP, FOOT, BAR = 0.62, 0.3, 0.62  # inches above the cells, between them and the scale, of the scale
LARGEST, SMALLEST = 0.85, 0.3  # inches of a cell
NUMBERED = 0.42  # a cell at least so large carries its number
LOW, NEUTRAL, HIGH = "#c65400", "#ebebe6", "#0067a5"  # the same on every page: numbers stand on them


@dataclass(frozen=True)
class Matchup:
    """One of `row` at a table of `column`: its win rate minus par; 0.01 is a point."""

    row: str
    column: str
    advantage: Interval
    deals: int


@dataclass(frozen=True)
class Words:
    """What one heatmap is about."""

    name: str
    title: str
    rows: str  # such as "one seat"
    columns: str  # such as "all other seats"


def chart(matchups: Sequence[Matchup], words: Words) -> Chart:
    """The chart of some matchups; pairs that are not among them stay empty."""
    return Chart(words.name, words.title, describe(matchups, words), table(matchups, words), partial(draw, matchups, words))


def table(matchups: Sequence[Matchup], words: Words) -> Table:
    """A row a matchup."""
    rows = [(one.row, one.column, *cells(one.advantage), one.deals) for one in matchups]
    return Table(words.name, ("row", "column", "advantage", "low", "high", "deals"), tuple(rows), ("", "", *["difference"] * 3, ""))


def describe(matchups: Sequence[Matchup], words: Words) -> str:
    """What can be seen, in words."""
    gains = [f"{one.row} against {one.column} {points(one.advantage.value, sign=True)}" for one in matchups if side(one.advantage) > 0]
    unsure = sum(side(one.advantage) == 0 for one in matchups)
    return (f"A matrix of points of win rate above par, rows: {words.rows}, columns: {words.columns}; neighbours play alike. "
            f"Surely above par: {'; '.join(gains) or 'none'}. In {unsure} of {len(matchups)} cells it cannot be told.")  # fmt: skip


def ordered(matchups: Sequence[Matchup]) -> list[str]:
    """The names, so that those with similar rows and columns are neighbours.

    Optimal leaf ordering (Bar-Joseph, Gifford and Jaakkola 2001) of an average-linkage tree.
    """
    names = list(dict.fromkeys(name for one in matchups for name in (one.row, one.column)))
    if len(names) < 3:
        return names
    from scipy.cluster.hierarchy import leaves_list, linkage

    matrix: NDArray[np.float64] = np.zeros((len(names), len(names)))
    for one in matchups:
        matrix[names.index(one.row), names.index(one.column)] = np.nan_to_num(one.advantage.value)
    profiles = np.hstack([matrix, -matrix.T])
    order = leaves_list(linkage(profiles, "average", optimal_ordering=True))
    gains = matrix.sum(axis=1)[order]
    best_first = order if gains[: len(names) // 2].sum() >= gains[-(len(names) // 2) :].sum() else order[::-1]
    return [names[leaf] for leaf in best_first]


def sure_part(advantage: Interval) -> float:
    """What the advantage amounts to at least: the bound nearer to par; 0 where the interval covers par."""
    return {1: advantage.low, -1: advantage.high, 0: 0.0}[side(advantage)]


@canvas.styled
def draw(matchups: Sequence[Matchup], words: Words) -> Figure:
    """The cells, coloured by what is sure of the advantage, and the scale below them."""
    names = ordered(matchups)
    probe = canvas.sheet(1)
    labels = canvas.shortened(names, 24)
    left = canvas.inches(probe, labels) + 0.4
    cell = min(LARGEST, max(SMALLEST, (canvas.WIDTH - left - 0.3) / len(names)))
    tall = cell * len(names)
    steep = max(map(columns_of, labels)) * 0.085 > cell  # names that do not fit above their columns stand upright
    head = TOP + 0.12 + (canvas.inches(probe, labels) if steep else 0.14)
    figure = canvas.sheet(head + tall + FOOT + BAR)
    told = [canvas.patch(HIGH, "above par"), canvas.patch(LOW, "below par")]
    canvas.key(figure, [*told, canvas.patch(NEUTRAL, "cannot be told", "//")])
    axes = canvas.place(figure, left, head, tall, tall)
    colours = LinearSegmentedColormap.from_list("points", [LOW, NEUTRAL, HIGH])
    most = max([abs(sure_part(one.advantage)) for one in matchups] + [0.001])
    for one in matchups:
        draw_cell(axes, names.index(one.column), names.index(one.row), one.advantage, colours, most, cell >= NUMBERED)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set_yticks(range(len(names)), labels, color=canvas.INK)
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(names)), labels, color=canvas.INK,
                    rotation=90 if steep else 0, rotation_mode="anchor" if steep else "default",
                    ha="left" if steep else "center", va="center" if steep else "bottom")  # fmt: skip
    canvas.write(figure, 0.05, 0.3, f"rows: {words.rows} · columns: {words.columns}", color=canvas.MUTED, fontsize=8.5)
    scale(canvas.place(figure, left, head + tall + FOOT, max(2.0, min(tall, 3.2)), 0.14), colours, most)
    return figure


def draw_cell(axes: Axes, x: int, y: int, advantage: Interval, colours: Colormap, most: float, numbered: bool) -> None:
    """One matchup."""
    told = side(advantage)
    colour = to_hex(colours(0.5 + sure_part(advantage) / (2 * most)))
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor=canvas.PAPER, linewidth=1.5))
    if not told:
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="none", edgecolor="#c4c4be", hatch="////", linewidth=0))
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="none", edgecolor=canvas.PAPER, linewidth=1.5))
    if numbered:
        box = {"facecolor": NEUTRAL, "edgecolor": "none", "pad": 1.0} if not told else None
        number = f"{100 * advantage.value:+.1f}".replace("-", "−")
        axes.text(x, y, number, ha="center", va="center", fontsize=8.5, color=text_on(colour), bbox=box)


def text_on(colour: str) -> str:
    """Black or white, whichever stands out more on a colour (relative luminance of WCAG 2)."""
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    return "#111110" if 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.18 else "#ffffff"


def scale(axes: Axes, colours: Colormap, most: float) -> None:
    """What the colours mean."""
    steps = 40
    for number in range(steps):
        low = -most + 2 * most * number / steps
        axes.barh(0, 200 * most / steps, 1, left=100 * low, color=to_hex(colours((number + 0.5) / steps)), linewidth=0)
    axes.set_xlim(-100 * most, 100 * most)
    axes.set_ylim(-0.5, 0.5)
    axes.set_yticks([])
    axes.locator_params(axis="x", nbins=5)
    axes.grid(visible=False)
    axes.set_xlabel("points above par that are sure")
