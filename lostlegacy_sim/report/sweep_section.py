"""What `llsim explore FILE.toml` found, as a section of a page: the goals along the swept field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lostlegacy_sim.report.charts import sweep
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.explore_screen import seats_in_words
from lostlegacy_sim.report.explore_section import (
    deals_note,
    goal_notes,
    meaning,
    plain,
    said_mute,
    spelled_out,
    typeset,
)
from lostlegacy_sim.report.section import Said, Section
from lostlegacy_sim.report.sweep_screen import best_line
from lostlegacy_sim.report.sweep_tables import sweep_table
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.studies.main_effects import Effect
from lostlegacy_sim.studies.sweep import Group, SweepAnswer

EFFECT_COLUMNS = ("table", "change", "goal", "unit", "difference", "low", "high", "verdict")
EFFECT_UNITS = ("", "", "", "", "by row", "by row", "by row", "")
VERDICTS = {True: "worse", False: "better", None: "not told apart"}
TABLE = "table"  # what a line is called that tells who sits where


def sweep_sections(answer: SweepAnswer) -> list[Section]:
    """What changes along the sweep."""
    played = [group for group in answer.groups if group.first.rows]
    groups = [group for group in played if not group.first.mute.all()]
    silent = [replace(one, label=label_of(group, played)) for group in played for one in said_mute(group.first)]
    if not groups:
        return [Section("sweep", "What changes along the sweep?", tuple(silent), data=(points_table(answer),))]
    sentences = [
        Said(label_of(group, groups), spelled_out(best_line(group, goal, number), group.first, goal).set_as(typeset), group.first.table.deals)
        for group in groups
        for number, goal in enumerate(group.first.table.goals)
    ]
    notes = (goal_notes(groups[0].first), deals_note(groups[0].first))
    return [Section("sweep", "What changes along the sweep?", (*sentences, *silent), (sweep_chart(groups),), tuple(effect_tables(groups)),
                    (points_table(answer),), notes)]  # fmt: skip


def label_of(group: Group, groups: list[Group]) -> str:
    """What tells a table from the others; "" if there is only one."""
    return seats_in_words(group.first.table) if len(groups) > 1 else ""


def points_table(answer: SweepAnswer) -> Table:
    """Every point with every goal, under a name of its own."""
    found = sweep_table(answer)
    return Table("points", found.columns, found.rows, found.units)


def sweep_chart(groups: list[Group]) -> Chart:
    """The goals along the first line that takes several values, a line for each way to set all else."""
    look = groups[0].first
    field = next(iter(groups[0].lines), TABLE)
    points = [point for group in groups for point in points_of(group, field, label_of(group, groups))]
    goals = [sweep.Goal(goal.name, meaning(look, goal), look.unit(goal)) for goal in look.table.goals]
    return sweep.chart(points, goals, field)


def points_of(group: Group, field: str, table: str) -> Iterator[sweep.Point]:
    """The points of one table."""
    look = group.first
    for place, point in enumerate(group.played):
        values = dict(point.values)
        others = [f"{name} = {value}" for name, value in point.values if name != field and name in group.lines]
        where = table or "the table" if field == TABLE else values[field]
        line = ", ".join([*([table] if table and field != TABLE else []), *others])
        yield sweep.Point(where, line, tuple(plain(look.estimate(goal, place)) for goal in look.table.goals), look.table.deals)


def effect_tables(groups: list[Group]) -> Iterator[Table]:
    """What each value does instead of the first one of its line, on the same shuffles."""
    rows = [row_of(group, effect, label_of(group, groups)) for group in groups for effect in group.effects]
    if rows:
        yield Table("changes", EFFECT_COLUMNS, tuple(rows), EFFECT_UNITS).without_empty_columns()


def row_of(group: Group, effect: Effect, table: str) -> tuple[str | float | None, ...]:
    """One effect as a row."""
    reference = group.lines[effect.name.rsplit(" = ", 1)[0]][0]
    numbers = cells(plain(effect))
    return table, f"{effect.name} instead of {reference}", effect.goal, effect.unit, *numbers, VERDICTS[group.is_worse(effect)]
