"""The answer of `llsim explore FILE.toml` as plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.game import Game
from lostlegacy_sim.letters import padded
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.explore_screen import (
    SIGNS,
    cell_width,
    heading,
    look_headline,
    mute_lines,
    number_of,
    stopped_lines,
    wish,
)
from lostlegacy_sim.report.screen import counted, interval
from lostlegacy_sim.sentences import NO_GOAL, SWEEP_BEST, SWEEP_SURELY
from lostlegacy_sim.studies.goals import Goal
from lostlegacy_sim.studies.main_effects import Effect
from lostlegacy_sim.studies.mixes import best_in
from lostlegacy_sim.studies.sweep import Group, SweepAnswer

CELL = 16


def sweep_lines(answer: SweepAnswer, game: Game, where: str) -> Iterator[str]:
    """The groups of a sweep, one after the other."""
    for number, group in enumerate(answer.groups):
        yield from [""] if number else []
        yield look_headline(game, group.first, f"{counted(len(group.points), 'point')} of {where}")
        if not group.first.rows:
            yield "Stopped before the first point was played to its end."
            continue
        yield from stopped_lines(group.first, "points")
        yield from mute_lines(group.first)
        if group.first.mute.all():
            continue
        yield ""
        if len(group.points) > 1:
            yield from (f"  {best_line(group, goal, number)}" for number, goal in enumerate(group.first.table.goals))
            yield ""
        yield from point_lines(group)
        if group.effects:
            yield ""
            yield from effect_lines(group)


def best_line(group: Group, goal: Goal, number: int) -> Claim:
    """The best point in one goal, and how many may be the best."""
    place = best_in(group.first, number)
    if math.isnan(group.first.values(goal)[place]):
        return NO_GOAL.say(goal=goal.name, noun="point")
    again = group.again(place)
    is_fresh = again is not None and group.second is not None
    found = group.second.estimate(goal, again) if group.second is not None and again is not None else group.first.estimate(goal, place)
    able = group.first.may_be_best(number)
    seen = f"on fresh shuffles, seed {group.second.table.seed}" if is_fresh and group.second is not None else "not played again"
    sign = SIGNS.get(found.unit, "")
    value = f"{number_of(found.value, found.unit)}{f' {sign}' if sign else ''} ({interval(found)})"
    words = {"goal": goal.name, "point": group.played[place].label, "value": value, "seen": seen}
    return SWEEP_SURELY.say(**words) if able == 1 else SWEEP_BEST.say(able=able, points=len(group.first.rows), **words)


def point_lines(group: Group) -> Iterator[str]:
    """Every point with its estimates."""
    look = group.first
    goals, wide = look.table.goals, cell_width(look, CELL)
    names = list(dict.fromkeys(name for point in group.points for name, _ in point.values))
    widths = [max(columns_of(name), *(columns_of(dict(point.values)[name]) for point in group.points)) + 2 for name in names]
    yield "  " + "".join(padded(name, width) for name, width in zip(names, widths, strict=True)) + "".join(
        f"{heading(goal, look.unit(goal)):>{wide}}" for goal in goals
    )
    for place, point in enumerate(group.played):
        values = dict(point.values)
        cells = [estimate_cell(look.estimate(goal, place)) for goal in goals]
        yield "  " + "".join(padded(values[name], width) for name, width in zip(names, widths, strict=True)) + "".join(
            f"{cell:>{wide}}" for cell in cells
        )
    yield from (f"  {goal.name}: {wish(goal, look.table)}" for goal in goals)


def estimate_cell(found: Estimate) -> str:
    """A value with its 95 % half-width; the wider side of a lopsided interval."""
    half = "" if math.isnan(found.low) else f" ±{number_of(max(found.high - found.value, found.value - found.low), found.unit)}"
    return f"{number_of(found.value, found.unit)}{half}"


def effect_lines(group: Group) -> Iterator[str]:
    """What each value does instead of the first one of its line."""
    look = group.first
    goals, wide = look.table.goals, cell_width(look, CELL)
    width = 2 + max(columns_of(f"instead of {line} = {value}") for line, values in group.lines.items() for value in values)
    for line, (reference, *others) in group.lines.items():
        yield "  " + padded(f"instead of {line} = {reference}", width) + "".join(f"{heading(goal, look.unit(goal)):>{wide}}" for goal in goals)
        for value in others:
            effects = [effect for effect in group.effects if effect.name == f"{line} = {value}"]
            yield "    " + padded(effects[0].name, width - 2) + "".join(f"{effect_cell(group, effect):>{wide}}" for effect in effects)
    yield "  On the same deals, all other lines left as they are, with 95 % half-widths: w worse, b better"
    yield "  (at most 5 % of these letters are false alarms), no letter: not told apart."


def effect_cell(group: Group, effect: Effect) -> str:
    """An effect with its half-width, and w or b where it is one."""
    letter = {True: "w", False: "b", None: " "}[group.is_worse(effect)]
    half = "" if math.isnan(effect.high) else f" ±{number_of((effect.high - effect.low) / 2, effect.unit)}"
    return f"{number_of(effect.value, effect.unit, sign=True)}{half} {letter}"
