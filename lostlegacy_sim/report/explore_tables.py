"""The tables of `llsim explore`: rows of data, for CSV, JSON and whatever else draws them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from lostlegacy_sim.errors import SetError
from lostlegacy_sim.estimate import CONFIDENCE, Estimate, plain_number
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, pick_line
from lostlegacy_sim.report.tables import BY_ROW, Cell, Table
from lostlegacy_sim.studies.explore import LookPlan
from lostlegacy_sim.studies.look import Look
from lostlegacy_sim.studies.main_effects import Effect
from lostlegacy_sim.studies.mixes import MixesAnswer, choices

MIX_COLUMNS = ("mix", "goal", "direction", "unit", "value", "low", "high", "n", "method", "rank", "rank_low", "rank_high",
               "mean_rank", "front", "fresh_value", "fresh_low", "fresh_high", "pick")  # fmt: skip
EFFECT_COLUMNS = ("name", "goal", "unit", "value", "low", "high", "p_value", "n", "found")


def mixes_table(answer: MixesAnswer) -> Table:
    """A row for every mix and goal, the best mean rank first; fresh: seen again on other shuffles, empty where it was not.

    `low`, `high`: 95 % interval; `rank_low`, `rank_high`: ranks that cannot be ruled out, all of a goal at once.
    """
    rows: list[tuple[Cell, ...]] = []
    look = answer.first
    for place in look.order:
        mix = look.played[place]
        for number, goal in enumerate(look.table.goals):
            found, again = look.estimate(goal, place), fresh(answer, number, place)
            low, high = look.rank_intervals[place, number].tolist()
            rows.append((mix.id, goal.name, goal.text, found.unit, *numbers(found), found.n, found.method, float(look.ranks[place, number]),
                         low, high, float(look.mean_rank[place]), int(look.fronts[place]), *numbers(again), pick_of(look, place)))  # fmt: skip
    units = ("", "", "", "", *[BY_ROW] * 3, "", "", "ratio", "", "", "ratio", "", *[BY_ROW] * 3, "")
    return Table("mixes", MIX_COLUMNS, tuple(rows), units)


def effects_table(effects: Sequence[Effect], name: str = "effects") -> Table:
    """A row for every effect on every goal; p-values adjusted by Benjamini and Hochberg."""
    rows = [tuple((effect.to_plain() | {"found": "yes" if effect.is_found else "no"})[column] for column in EFFECT_COLUMNS) for effect in effects]
    return Table(name, EFFECT_COLUMNS, tuple(rows), ("", "", "", *[BY_ROW] * 3, "ratio", "", ""))


def fresh(answer: MixesAnswer, goal: int, place: int) -> Estimate | None:
    """The estimate of the second look; None if the mix is not in it."""
    again = answer.again(place)
    if again is None or answer.second is None:
        return None
    return answer.second.estimate(answer.second.table.goals[goal], again)


def numbers(estimate: Estimate | None) -> tuple[Cell, Cell, Cell]:
    """Value, low, high; None where there is none."""
    found = (math.nan,) * 3 if estimate is None else (estimate.value, estimate.low, estimate.high)
    value, low, high = (plain_number(number) for number in found)
    return value, low, high


def pick_of(look: Look, place: int) -> str:
    """The words for --pick that give a mix again; the set's word for a printed set."""
    mix = look.played[place]
    if mix.id in PAIR:
        return mix.id
    try:
        return pick_line(mix)
    except SetError:
        return ""


# --- JSON -----------------------------------------------------------------------------------------------


def mixes_document(answer: MixesAnswer) -> dict[str, Any]:
    """Everything about the mixes as JSON, schema llsim.explore/1."""
    first = answer.first
    return {
        **head("mixes", first),
        "second_look": None if answer.second is None else {"seed": answer.second.table.seed, "sets": len(answer.second.rows)},
        "top": answer.top,
        "best": [first.played[place].id for place in answer.best],
        "worst": [first.played[place].id for place in answer.worst],
        "choices": [{"name": choice.name, "first": choice.first, "second": choice.second} for choice in choices()],
        "effects": [effect.to_plain() for effect in answer.effects],
        "mixes": [mix_entry(answer, place) for place in first.order],
        "provenance": provenance(first),
    }


def head(family: str, look: Look) -> dict[str, Any]:
    """What was asked, and how far it was played."""
    return {
        "schema": "llsim.explore/1",
        "confidence": CONFIDENCE,
        "family": family,
        "status": "complete" if look.is_whole else "partial",
        "table": look.table.to_plain(),
        "goals": [{"goal": goal.name, "direction": goal.direction, "target": goal.target if goal.direction == "near" else None,
                   "unit": look.unit(goal), "wish": goal.wish} for goal in look.table.goals],
        "sets_asked": len(look.sets),
        "sets_played": len(look.rows),
        "error": look.error or None,
    }  # fmt: skip


def provenance(look: Look) -> dict[str, Any]:
    """What it was played with."""
    return dict(next(iter(look.surveys.values())).provenance)


def mix_entry(answer: MixesAnswer, place: int) -> dict[str, Any]:
    """One mix."""
    look = answer.first
    return {"id": look.played[place].id, "pick": pick_of(look, place), "front": int(look.fronts[place]),
            "mean_rank": float(look.mean_rank[place]), "goals": dict(goal_entries(answer, place))}  # fmt: skip


def goal_entries(answer: MixesAnswer, place: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """What one mix reaches in every goal."""
    look = answer.first
    for number, goal in enumerate(look.table.goals):
        again = fresh(answer, number, place)
        low, high = look.rank_intervals[place, number].tolist()
        yield goal.name, {
            **look.estimate(goal, place).to_plain(),
            "rank": float(look.ranks[place, number]), "rank_low": low, "rank_high": high,
            "fresh": again.to_plain() if again is not None else None,
        }  # fmt: skip


def plan_document(family: str, plans: Sequence[LookPlan]) -> dict[str, Any]:
    """What playing would take, schema llsim.plan/1."""
    return {"schema": "llsim.plan/1", "family": family, "plans": [plan.to_plain() for plan in plans]}


def look_plan_table(plans: Sequence[LookPlan]) -> Table:
    """A row a plan."""
    rows = tuple((plan.table.players, plan.n_sets, plan.deals, plan.half_width, round(plan.seconds, 3), plan.threads) for plan in plans)
    return Table("plans", ("players", "sets", "deals", "half_width", "seconds", "threads"), rows)
