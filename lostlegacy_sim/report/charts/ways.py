"""Ways: the shares of all ways to end, stacked to a whole bar for each result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.screen import percent
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval

PITCH, BAR = 0.44, 0.74  # inches from bar to bar; the part of it that is filled
TOP, FOOT = 0.34, 0.48  # inches above and below the bars
LEAST = 2.5  # per cent a part must have to carry its number


@dataclass(frozen=True)
class Shares:
    """The parts of one result, which make a whole: (name, rate from 0 to 1), in the same order for all results."""

    label: str
    parts: tuple[tuple[str, Interval], ...]
    deals: int


def chart(shares: Sequence[Shares], name: str, title: str) -> Chart:
    """The chart of some results."""
    return Chart(name, title, describe(shares), table(shares, name), partial(draw, shares))


def table(shares: Sequence[Shares], name: str) -> Table:
    """A row a result and way."""
    rows = [(share.label, way, *cells(part), share.deals) for share in shares for way, part in share.parts]
    return Table(name, ("result", "way", "share", "low", "high", "deals"), tuple(rows), ("", "", "rate", "rate", "rate", ""))


def describe(shares: Sequence[Shares]) -> str:
    """What can be seen, in words."""
    parts = [f"{share.label}: " + ", ".join(f"{name} {percent(part.value)}" for name, part in share.parts) + "." for share in shares]
    return "Stacked bars that add up to all deals, one bar a result. " + " ".join(parts)


@canvas.styled
def draw(shares: Sequence[Shares]) -> Figure:
    """One bar a result; the last part, nobody, is grey."""
    figure = canvas.sheet(TOP + len(shares) * PITCH + FOOT)
    names = [name for name, _ in shares[0].parts]
    colours = [*canvas.CATEGORIES[: len(names) - 1], canvas.GREY]
    canvas.key(figure, [canvas.patch(colour, name) for colour, name in zip(colours, names, strict=True)])
    labels = canvas.shortened([share.label for share in shares], 26, 2)
    left = canvas.inches(figure, labels) + 0.12
    axes = canvas.place(figure, left, TOP, canvas.WIDTH - left - 0.2, len(shares) * PITCH)
    for row, share in enumerate(shares):
        start = 0.0
        for colour, (_, part) in zip(colours, share.parts, strict=True):
            wide = 100 * part.value
            axes.barh(row, wide, BAR, left=start, color=colour, edgecolor=canvas.PAPER, linewidth=1.2)
            if wide >= LEAST:
                number = f"{wide:.0f}" if wide < 7 else f"{wide:.1f}"
                axes.text(start + wide / 2, row, number, ha="center", va="center", color=canvas.TEXT_ON[colour])
            start += wide
    axes.set_yticks(range(len(shares)), labels, color=canvas.INK)
    axes.set_ylim(len(shares) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the deals, %")
    axes.grid(axis="y", visible=False)
    return figure
