"""How long deals are: the distribution of turns, a panel for each result, all on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval

HEAD, FOOT = 0.4, 0.48  # inches above a panel, below all
TALL, ALONE = 1.0, 1.7  # inches of a panel, of the only one
NUMBERED = 14  # up to so many bars carry their numbers
LEFT = 0.42


@dataclass(frozen=True)
class Lengths:
    """One result: how many deals took 0, 1, 2, ... turns; the last number counts all longer ones, too."""

    label: str
    deals: tuple[int, ...]
    mean: Interval  # turns


def chart(lengths: Sequence[Lengths]) -> Chart:
    """The chart of some results."""
    return Chart("lengths", "How many turns a deal takes", describe(lengths), table(lengths), partial(draw, lengths))


def table(lengths: Sequence[Lengths]) -> Table:
    """A row a result and number of turns that occurred."""
    rows = [
        (one.label, turns_word(one, turns), deals, deals / sum(one.deals))
        for one in lengths
        for turns, deals in enumerate(one.deals)
        if deals
    ]
    return Table("lengths", ("result", "turns", "deals", "share"), tuple(rows), ("", "", "", "rate"))


def turns_word(one: Lengths, turns: int) -> int | str:
    """A number of turns; the last one stands for all longer ones."""
    return turns if turns < len(one.deals) - 1 else f"{turns} or more"


def describe(lengths: Sequence[Lengths]) -> str:
    """What can be seen, in words."""
    parts = []
    for one in lengths:
        most = max(range(len(one.deals)), key=one.deals.__getitem__)
        parts.append(f"{one.label}: {one.mean.value:.2f} turns on average, most often {most}.")
    return "Columns for the share of deals by number of turns, one panel a result. " + " ".join(parts)


@canvas.styled
def draw(lengths: Sequence[Lengths]) -> Figure:
    """The panels, one below the other, so that the same number of turns stands in one line."""
    tall = ALONE if len(lengths) == 1 else TALL
    figure = canvas.sheet(len(lengths) * (HEAD + tall) + FOOT)
    happened = [turns for one in lengths for turns, deals in enumerate(one.deals) if deals]
    first, last = min(happened, default=0), max(happened, default=0)
    highest = max((max(one.deals) / max(1, sum(one.deals)) for one in lengths), default=1.0)
    labels = canvas.shortened([one.label for one in lengths], 44)
    for number, one in enumerate(lengths):
        top = number * (HEAD + tall)
        canvas.write(figure, LEFT, top + 0.14, labels[number], fontweight="bold")
        unit = f"share of the deals, %  (dotted: mean, {one.mean.value:.2f} turns)"
        canvas.write(figure, canvas.WIDTH - 0.2, top + 0.14, unit, color=canvas.MUTED, fontsize=8.5, ha="right")
        axes = canvas.place(figure, LEFT, top + HEAD, canvas.WIDTH - LEFT - 0.2, tall)
        panel(axes, one, first, last)
        axes.set_ylim(0, 100 * (highest or 1) * (1.25 if last - first < NUMBERED else 1.05))
        if number < len(lengths) - 1:
            axes.tick_params(labelbottom=False)
        else:
            axes.set_xlabel("turns of a deal")
    return figure


def panel(axes: Axes, one: Lengths, first: int, last: int) -> None:
    """One result."""
    shares = [100 * deals / max(1, sum(one.deals)) for deals in one.deals]
    axes.bar(range(first, last + 1), shares[first : last + 1], 0.8, color=canvas.SKY, zorder=2)
    if last - first < NUMBERED:
        for turns in range(first, last + 1):
            if one.deals[turns]:
                words = f"{shares[turns]:.1f}" if shares[turns] >= 0.05 else "<0.1"
                axes.annotate(words, (turns, shares[turns]), (0, 2), textcoords="offset points",
                              ha="center", va="bottom", fontsize=8, bbox=canvas.BEHIND)  # fmt: skip
    axes.axvline(one.mean.value, color=canvas.INK, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_xlim(first - 0.6, last + 0.6)
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(16, integer=True))
    axes.grid(axis="x", visible=False)
