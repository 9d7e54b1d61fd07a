"""The composition map: every mix of cards a dot between two goals, those with a name labelled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from lostlegacy_sim.report.charts import canvas
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.stats.intervals import Interval

TOP, TALL, FOOT, LEFT = 0.62, 4.6, 0.5, 0.5  # inches
SIZE = 8.5  # points of a name
LEADER = {"arrowstyle": "-", "color": canvas.MUTED, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 4}
SCALES = {"rate": 100.0, "difference": 100.0}
KINDS = {"": "other mixes", "printed": "printed sets", "best": "best mixes", "worst": "worst mixes"}
COLOURS = {"": canvas.UNSURE, "printed": canvas.INK, "best": canvas.ABOVE, "worst": canvas.BELOW}
MARKS = {"": "o", "printed": "D", "best": "^", "worst": "v"}


@dataclass(frozen=True)
class Goal:
    """What an axis shows."""

    name: str  # of the measure
    axis: str  # its words with unit, such as "deals nobody won, %"
    unit: str  # as in game.Measure


@dataclass(frozen=True)
class Mix:
    """A set of cards and where it stands on both goals, in their own units."""

    label: str
    x: Interval
    y: Interval
    kind: str = ""  # one of KINDS: what the mix is known for
    deals: int = 0


def chart(mixes: Sequence[Mix], x: Goal, y: Goal) -> Chart:
    """The chart of some mixes."""
    title = f"{len(mixes)} mixes between two goals"
    return Chart("composition", title, describe(mixes, x, y), table(mixes, x, y), partial(draw, mixes, x, y))


def table(mixes: Sequence[Mix], x: Goal, y: Goal) -> Table:
    """A row a mix."""
    columns = ("mix", "kind", x.name, f"{x.name}_low", f"{x.name}_high", y.name, f"{y.name}_low", f"{y.name}_high", "deals")
    rows = [(mix.label, KINDS[mix.kind] if mix.kind else "", *cells(mix.x), *cells(mix.y), mix.deals) for mix in mixes]
    return Table("composition", columns, tuple(rows), ("", "", *[x.unit] * 3, *[y.unit] * 3, ""))


def describe(mixes: Sequence[Mix], x: Goal, y: Goal) -> str:
    """What can be seen, in words."""
    across, up = SCALES.get(x.unit, 1.0), SCALES.get(y.unit, 1.0)
    named = [
        f"{mix.label} ({KINDS[mix.kind]}) at {across * mix.x.value:.2f} and {up * mix.y.value:.2f}"
        for mix in mixes
        if mix.kind
    ]
    return f"{len(mixes)} dots; across: {x.axis}; upwards: {y.axis}. {'; '.join(named)}."


@canvas.styled
def draw(mixes: Sequence[Mix], x: Goal, y: Goal) -> Figure:
    """The dots, with faint crosses for their intervals; what is known for something lies on top and has its name."""
    figure = canvas.sheet(TOP + TALL + FOOT)
    kinds = [kind for kind in KINDS if any(mix.kind == kind for mix in mixes)]
    handles = [canvas.dot(COLOURS[kind], KINDS[kind], bool(kind), MARKS[kind]) for kind in kinds]
    canvas.key(figure, [*handles, canvas.stroke("95 % interval", colour=canvas.LINE)])
    canvas.write(figure, 0.05, 0.34, y.axis, color=canvas.MUTED)
    axes = canvas.place(figure, LEFT, TOP, canvas.WIDTH - LEFT - 0.2, TALL)
    across, up = SCALES.get(x.unit, 1.0), SCALES.get(y.unit, 1.0)
    for kind in kinds:
        chosen = [mix for mix in mixes if mix.kind == kind]
        lines = canvas.LINE if not kind else COLOURS[kind]
        x_bars = [bound for mix in chosen for bound in (across * mix.x.low, across * mix.x.high, nan)]
        y_bars = [bound for mix in chosen for bound in (up * mix.y.low, up * mix.y.high, nan)]
        wide = 1.3 if kind else 0.8
        axes.plot(x_bars, [up * mix.y.value for mix in chosen for _ in range(3)], color=lines, linewidth=wide, zorder=2)
        axes.plot([across * mix.x.value for mix in chosen for _ in range(3)], y_bars, color=lines, linewidth=wide, zorder=2)
        axes.plot([across * mix.x.value for mix in chosen], [up * mix.y.value for mix in chosen], linestyle="", marker=MARKS[kind],
                  markersize=3.2 if not kind else 7.5, markeredgecolor=COLOURS[kind], markeredgewidth=0.9,
                  markerfacecolor=canvas.PAPER if not kind else COLOURS[kind], zorder=3 if not kind else 4)  # fmt: skip
    axes.set_xlabel(x.axis)
    axes.margins(0.06)
    name_them(axes, [(across * mix.x.value, up * mix.y.value, mix.label) for mix in mixes if mix.kind])
    return figure


def name_them(axes: Axes, named: Sequence[tuple[float, float, str]]) -> None:
    """Write names beside their dots, each at the first place near it where it hides no dot with a name and no other name."""
    axes.autoscale_view()
    room = axes.get_window_extent()
    unit = axes.figure.dpi / canvas.POINTS  # pixels a point
    spots = [axes.transData.transform((x, y)) for x, y, _ in named]
    taken = [Bbox.from_extents(spot[0] - 6 * unit, spot[1] - 6 * unit, spot[0] + 6 * unit, spot[1] + 6 * unit) for spot in spots]
    for spot, (x, y, label) in zip(spots, named, strict=True):
        wide = canvas.inches(canvas.sheet(1), [label], SIZE) * canvas.POINTS
        for across, up in places():
            left = spot[0] + unit * (across if across > 0 else across - wide)
            box = Bbox.from_bounds(left, spot[1] + unit * (up - 0.7 * SIZE), unit * wide, unit * 1.4 * SIZE)
            inside = room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1
            if inside and not any(box.overlaps(other) for other in taken):
                break
        taken.append(box)
        far = abs(up) > SIZE
        axes.annotate(label, (x, y), (across, up), textcoords="offset points", fontsize=SIZE, zorder=6, bbox=canvas.BEHIND,
                      ha="left" if across > 0 else "right", va="center",
                      arrowprops=LEADER if far else None)  # fmt: skip


def places() -> Iterator[tuple[float, float]]:
    """Places of a name around its dot, in points, the nearest first; a negative one across is the right end of the name."""
    for far in (9, 15, 22, 30, 40, 52, 66, 82):
        for up in (0.9, -0.9, 0, 1.5, -1.5):
            yield far, up * far
            yield -far, up * far
