"""The tables of `llsim explore FILE.toml`: rows of data."""

from __future__ import annotations

from typing import Any

from lostlegacy_sim.estimate import CONFIDENCE, Estimate
from lostlegacy_sim.letters import listed
from lostlegacy_sim.report.explore_tables import head, numbers, provenance
from lostlegacy_sim.report.tables import BY_ROW, Cell, Table
from lostlegacy_sim.studies.look import Look
from lostlegacy_sim.studies.sweep import Group, SweepAnswer

COLUMNS = ("players", "bots", "goal", "direction", "unit", "value", "low", "high", "n", "method", "rank", "rank_low", "rank_high",
           "fresh_value", "fresh_low", "fresh_high")  # fmt: skip


def sweep_table(answer: SweepAnswer) -> Table:
    """A row for every point, table and goal; a column in front for every line of the sweep."""
    names = list(dict.fromkeys(name for group in answer.groups for point in group.points for name, _ in point.values))
    rows: list[tuple[Cell, ...]] = []
    for group in answer.groups:
        look = group.first
        for place, point in enumerate(group.played):
            values = dict(point.values)
            for number, goal in enumerate(look.table.goals):
                found, again = look.estimate(goal, place), fresh(group, number, place)
                low, high = look.rank_intervals[place, number].tolist()
                rows.append((*(values[name] for name in names), look.table.players, listed(look.table.bots), goal.name, goal.text, found.unit,
                             *numbers(found), found.n, found.method, float(look.ranks[place, number]), low, high, *numbers(again)))  # fmt: skip
    units = (*[""] * len(names), "", "", "", "", "", *[BY_ROW] * 3, "", "", "ratio", "", "", *[BY_ROW] * 3)
    return Table("sweep", (*names, *COLUMNS), tuple(rows), units)


def fresh(group: Group, goal: int, place: int) -> Estimate | None:
    """The estimate of the second look; None if the point is not in it."""
    again = group.again(place)
    if again is None or group.second is None:
        return None
    return group.second.estimate(group.second.table.goals[goal], again)


def sweep_document(answer: SweepAnswer, where: str) -> dict[str, Any]:
    """Everything about a sweep as JSON, schema llsim.explore/1."""
    return {"schema": "llsim.explore/1", "confidence": CONFIDENCE, "family": "sweep", "file": where,
            "groups": [group_entry(group) for group in answer.groups],
            "provenance": provenance(answer.groups[0].first)}  # fmt: skip


def group_entry(group: Group) -> dict[str, Any]:
    """One table of a sweep."""
    look = group.first
    entry = head("sweep", look)
    return {
        **{name: entry[name] for name in ("status", "table", "goals", "sets_asked", "sets_played", "error")},
        "second_look": None if group.second is None else {"seed": group.second.table.seed, "sets": len(group.second.rows)},
        "points": [point_entry(group, look, place) for place in range(len(look.rows))],
        "effects": [effect.to_plain() for effect in group.effects],
    }


def point_entry(group: Group, look: Look, place: int) -> dict[str, Any]:
    """One point."""
    goals = {}
    for number, goal in enumerate(look.table.goals):
        again = fresh(group, number, place)
        low, high = look.rank_intervals[place, number].tolist()
        goals[goal.name] = {**look.estimate(goal, place).to_plain(), "rank": float(look.ranks[place, number]), "rank_low": low,
                            "rank_high": high, "fresh": None if again is None else again.to_plain()}  # fmt: skip
    return {"set": look.played[place].id, "values": dict(group.played[place].values), "goals": goals}
