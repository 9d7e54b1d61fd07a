"""Canvas: sheets of paper for charts, and their few colours and marks.

Text stays text. Ink, paper and lines have colours of their own, which a page may replace (light, dark, print);
categories have the colours of Okabe and Ito (2008), which people with any colour vision can tell apart.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from textwrap import wrap
from typing import Any, Literal, ParamSpec, cast

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from lostlegacy_sim.letters import told_apart, wrapped

WIDTH = 7.2  # inches of every sheet
TITLE = 0.62  # inches of the band above a sheet that holds its title and what it is about
POINTS = 72  # per inch

# Roles: a page replaces each of these colours by a variable of its style sheet.
INK, MUTED, LINE, PAPER = "#1b1b1a", "#5b5b57", "#d8d8d3", "#fffffe"
ABOVE, BELOW, UNSURE = "#0068a6", "#c65500", "#777772"  # what an interval says of par
ROLES = {INK: "--ink", MUTED: "--muted", LINE: "--line", PAPER: "--paper", ABOVE: "--above", BELOW: "--below", UNSURE: "--unsure"}

# Categories, with a colour of text that can be read on each.
BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#a3a39e"
CATEGORIES = (BLUE, ORANGE, GREEN, PURPLE, SKY)
TEXT_ON = {BLUE: "#ffffff", ORANGE: "#111110", GREEN: "#111110", PURPLE: "#111110", SKY: "#111110", GREY: "#111110"}

BEHIND = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}  # what lies behind a number, so that no line crosses it
SIDES = {1: ABOVE, -1: BELOW, 0: UNSURE}  # by chart.side
STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.color": INK,
    "text.parse_math": False,  # a dollar sign in the name of a card is a dollar sign
    "axes.labelcolor": MUTED,
    "axes.edgecolor": LINE,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.8,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
    "svg.fonttype": "none",
    "figure.facecolor": PAPER,
}

Words = ParamSpec("Words")


@contextmanager
def style() -> Iterator[None]:
    """The look of all charts; whatever else uses matplotlib keeps its own."""
    with matplotlib.rc_context(cast(Any, STYLE)), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # a set may be named in any script
        yield


def styled(draw: Callable[Words, Figure]) -> Callable[Words, Figure]:
    """A drawing function that draws in the look of all charts."""

    @wraps(draw)
    def drawn(*args: Words.args, **kwargs: Words.kwargs) -> Figure:
        with style():
            return draw(*args, **kwargs)

    return drawn


# --- the sheet ------------------------------------------------------------------------------------------


def sheet(height: float) -> Figure:
    """An empty sheet, WIDTH x height inches, with an empty band for the title above it."""
    figure = Figure(figsize=(WIDTH, height + TITLE))
    FigureCanvasAgg(figure)
    return figure


def place(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Axes at a place given in inches from the upper left corner of the sheet."""
    tall = figure.get_figheight()
    return figure.add_axes((left / WIDTH, 1 - (TITLE + top + height) / tall, width / WIDTH, height / tall))


def write(figure: Figure, left: float, top: float, text: str, **look: Any) -> None:
    """Text at a place given in inches from the upper left corner of the sheet; its upper edge lies there."""
    tall = figure.get_figheight()
    figure.text(left / WIDTH, 1 - (TITLE + top) / tall, text, **({"va": "top"} | look))


def key(figure: Figure, handles: Sequence[Artist], size: float = 8.5) -> None:
    """What the marks mean, on one line at the top of the sheet; a long line is made smaller."""
    tall = figure.get_figheight()
    legend = figure.legend(
        handles=list(handles), loc="upper left", bbox_to_anchor=(0.05 / WIDTH, 1 - (TITLE + 0.02) / tall), ncols=len(handles),
        frameon=False, fontsize=size, labelcolor=MUTED, borderaxespad=0, borderpad=0, handletextpad=0.4, columnspacing=1.4,
        handlelength=1.2,
    )  # fmt: skip
    wide = legend.get_window_extent().width / figure.dpi
    if wide > WIDTH - 0.1:
        legend.remove()
        key(figure, handles, size * (WIDTH - 0.15) / wide)


def dot(colour: str, label: str, filled: bool = True, marker: str = "o") -> Line2D:
    """A dot for the key."""
    return Line2D([], [], linestyle="", marker=marker, markersize=6, markeredgewidth=1.4, markeredgecolor=colour,
                  markerfacecolor=colour if filled else PAPER, label=label)  # fmt: skip


def stroke(label: str, dashes: Literal["-", ":"] = "-", colour: str = MUTED) -> Line2D:
    """A line for the key."""
    return Line2D([], [], color=colour, linestyle=dashes, linewidth=1.4, label=label)


def patch(colour: str, label: str, hatch: str = "") -> Patch:
    """A filled box for the key."""
    return Patch(facecolor=colour, edgecolor=MUTED if hatch else "none", hatch=hatch * 2, label=label, linewidth=0)


SIDE_KEY = ((ABOVE, "above par", True), (BELOW, "below par", True), (UNSURE, "cannot be told", False))


def side_key(above: str = "above par", below: str = "below par", line: str = "par") -> list[Artist]:
    """The key of dots that are coloured by what their interval says of par, or of whatever the line is."""
    labels = (above, below, SIDE_KEY[2][1])
    return [*(dot(colour, label, filled) for label, (colour, _, filled) in zip(labels, SIDE_KEY, strict=True)),
            stroke("95 % interval"), stroke(line, ":", INK)]  # fmt: skip


def mark(axes: Axes, x: float, y: float, colour: str, filled: bool = True, size: float = 6.5) -> None:
    """A dot: filled if its interval lets something be said, else hollow."""
    axes.plot([x], [y], marker="o", markersize=size, markeredgewidth=1.5, markeredgecolor=colour,
              markerfacecolor=colour if filled else PAPER, linestyle="", zorder=4, clip_on=False)  # fmt: skip


def bar(axes: Axes, bounds: tuple[float, float], y: float, colour: str, width: float = 2.2) -> None:
    """A level bar from bound to bound: an interval."""
    axes.plot(bounds, [y, y], color=colour, linewidth=width, zorder=3)


def folded(label: str, width: int = 26, lines: int = 2) -> str:
    """A label on at most so many lines; what does not fit ends in three dots."""
    parts = wrap(label, width) or [""]
    return "\n".join(parts[:lines]) + ("…" if len(parts) > lines else "")


def shortened(labels: Sequence[str], columns: int = 28, lines: int = 1) -> list[str]:
    """Labels in so many columns on so many lines each, in which what tells them apart remains."""
    for most in range(columns * lines, columns - 1, -1):
        found = ["\n".join(wrapped(label, columns)) if lines > 1 else label for label in told_apart(labels, most)]
        if max(label.count("\n") for label in found) < lines:
            break
    return found


def inches(figure: Figure, labels: Sequence[str], size: float = 9.0) -> float:
    """Width of the widest line of some labels, in inches."""
    lines = [line for label in labels for line in label.split("\n")]
    texts = [figure.text(0, 0, line, fontsize=size) for line in lines]
    widest = max((text.get_window_extent().width for text in texts), default=0.0)
    for text in texts:
        text.remove()
    return float(widest / figure.dpi)
