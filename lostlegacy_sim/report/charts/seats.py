"""The seat profile: the win rate of each seat around par, a panel for each result, all on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells, side
from lostlegacy_sim.report.screen import percent
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval

IN_A_ROW = 3  # panels
LEAST = 0.005  # a panel shows at least so much around par
TALL = 2.1  # inches of a panel
HEAD, FOOT, TOP = 0.52, 0.5, 0.32  # inches above a panel, below it, and above all


@dataclass(frozen=True)
class Profile:
    """The seats of one result, in order; rates from 0 to 1."""

    label: str
    par: float
    rates: tuple[Interval, ...]  # win rates; the intervals of all seats hold at once
    above: tuple[Interval, ...]  # the same minus par: their intervals decide what can be said
    deals: int


def chart(profiles: Sequence[Profile]) -> Chart:
    """The chart of some profiles."""
    return Chart("seats", "Win rate of each seat", describe(profiles), table(profiles), partial(draw, profiles))


def table(profiles: Sequence[Profile]) -> Table:
    """A row a seat."""
    columns = ("result", "seat", "win_rate", "low", "high", "above_par", "above_low", "above_high", "deals")
    units = ("", "", "rate", "rate", "rate", "difference", "difference", "difference", "")
    rows = [
        (profile.label, seat, *cells(rate), *cells(above), profile.deals)
        for profile in profiles
        for seat, (rate, above) in enumerate(zip(profile.rates, profile.above, strict=True), 1)
    ]
    return Table("seats", columns, tuple(rows), units)


def describe(profiles: Sequence[Profile]) -> str:
    """What can be seen, in words."""
    parts = []
    for profile in profiles:
        seats = [f"seat {seat} {percent(rate.value)}" for seat, rate in enumerate(profile.rates, 1)]
        parts.append(f"{profile.label}: {', '.join(seats)}; par {percent(profile.par)}.")
    return "Dots with 95 % intervals, which hold for all seats of a result at once, around a line at par, one panel a result. " + " ".join(parts)


@canvas.styled
def draw(profiles: Sequence[Profile]) -> Figure:
    """The panels, three in a row; one point of win rate has the same height in all of them."""
    rows = -(-len(profiles) // IN_A_ROW)
    columns = min(len(profiles), IN_A_ROW)
    figure = canvas.sheet(TOP + rows * (HEAD + TALL + FOOT))
    canvas.key(figure, canvas.side_key())
    width = (canvas.WIDTH - 0.05) / columns
    bounds = [abs(bound - profile.par) for profile in profiles for rate in profile.rates for bound in rate]
    span = 1.3 * max([LEAST, *(bound for bound in bounds if not math.isnan(bound))])
    labels = canvas.shortened([profile.label for profile in profiles], 70 // columns)
    for number, profile in enumerate(profiles):
        row, column = divmod(number, columns)
        left, top = column * width, TOP + row * (HEAD + TALL + FOOT)
        canvas.write(figure, left + 0.42, top, labels[number], fontweight="bold")
        canvas.write(figure, left + 0.42, top + 0.2, f"win rate, %  (par {percent(profile.par)})", color=canvas.MUTED, fontsize=8.5)
        panel(canvas.place(figure, left + 0.42, top + HEAD, width - 0.57, TALL), profile, span)
    return figure


def panel(axes: Axes, profile: Profile, span: float) -> None:
    """One result."""
    for seat, (rate, above) in enumerate(zip(profile.rates, profile.above, strict=True), 1):
        told = side(above)
        axes.plot([seat, seat], [100 * rate.low, 100 * rate.high], color=canvas.SIDES[told], linewidth=2.2, zorder=3)
        canvas.mark(axes, seat, 100 * rate.value, canvas.SIDES[told], bool(told))
        high = rate.value >= profile.par
        edge = rate.high if high else rate.low
        edge = rate.value if math.isnan(edge) else edge
        axes.annotate(f"{100 * rate.value:.1f}", (seat, 100 * edge), (0, 7 if high else -7), textcoords="offset points",
                      ha="center", va="bottom" if high else "top", bbox=canvas.BEHIND)  # fmt: skip
    axes.axhline(100 * profile.par, color=canvas.INK, linestyle=":", linewidth=1.2, zorder=2)
    axes.set_xlim(0.5, len(profile.rates) + 0.5)
    axes.set_ylim(100 * (profile.par - span), 100 * (profile.par + span))
    axes.set_xticks(range(1, len(profile.rates) + 1))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.grid(axis="x", visible=False)
    axes.set_xlabel("seat")
