"""The answer of `llsim explore --family guidelines` as plain text: one table, understood without the manual."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from textwrap import wrap

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.game import Game
from lostlegacy_sim.report.explore_screen import (
    WIDTH,
    cell_width,
    change_in_words,
    heading,
    look_headline,
    mute_lines,
    number_of,
    stopped_lines,
    wish,
)
from lostlegacy_sim.sentences import ONE_SET, ONE_SET_WORSE, PROTECTS, PROTECTS_NONE, UNBREAKABLE
from lostlegacy_sim.studies.families import GUIDELINES, Family
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer
from lostlegacy_sim.studies.main_effects import Effect

CELL = 15


def guidelines_lines(answer: GuidelinesAnswer, game: Game) -> Iterator[str]:
    """What each guideline protects, then every family against the legal mixes it was made from."""
    look = answer.look
    yield look_headline(game, look, f"{len(look.sets)} sets that keep or break the guidelines")
    yield from stopped_lines(look, "sets")
    yield from mute_lines(look)
    if look.mute.all():
        return
    yield ""
    for guideline in GUIDELINES:
        yield from wrap(verdict(answer, guideline), WIDTH, initial_indent="  ", subsequent_indent="     ")
    yield from wrap(one_set_verdict(answer), WIDTH, initial_indent="  ", subsequent_indent="     ")
    yield ""
    yield from (f"  {goal.name}: {wish(goal, look.table)}" for goal in look.table.goals)
    yield ""
    yield from table_lines(answer)


def families_about(answer: GuidelinesAnswer, guideline: str) -> list[Family]:
    """The families that speak of one guideline: those that break it alone; for the number of cards, those that break as few as can be."""
    alone = [family for family in answer.families if family.breaks == (guideline,)]
    return alone or [family for family in answer.families if family.breaks == (guideline, "G3")]


def verdict(answer: GuidelinesAnswer, guideline: str) -> Claim:
    """What one guideline surely protects."""
    about = f"{guideline} ({GUIDELINES[guideline]})"
    families = families_about(answer, guideline)
    if not families:
        return UNBREAKABLE.say(guideline=about)
    effects = [answer.effect(family, goal) for family in families for goal in answer.look.table.goals]
    worse, better = surely(answer, effects)
    if not worse:
        return PROTECTS_NONE.say(guideline=about, margins=in_margins(effects), gains=gains(better))
    return PROTECTS.say(guideline=about, effects=one_each(worse), gains=gains(better))


def surely(answer: GuidelinesAnswer, effects: Sequence[Effect]) -> list[list[Effect]]:
    """Of some effects those that surely make their goal worse, and those that make it better: for the whole table at once."""
    return [[effect for effect in effects if effect.is_sure and answer.is_worse(effect) is side] for side in (True, False)]


def one_set_verdict(answer: GuidelinesAnswer) -> Claim:
    """What true mixes have over the printed sets."""
    family = next(family for family in answer.families if not family.bases)
    effects = [answer.effect(family, goal) for goal in answer.look.table.goals]
    worse, better = surely(answer, effects)
    if not worse:
        return ONE_SET.say(margins=in_margins(effects), gains=gains(better))
    return ONE_SET_WORSE.say(effects=one_each(worse), gains=gains(better))


def in_margins(effects: Sequence[Effect]) -> str:
    """That there may be small differences which these deals cannot tell."""
    return " as far as these deals tell" if any(not math.isnan(effect.low) for effect in effects) else ": too few deals to tell"


def gains(better: Sequence[Effect]) -> str:
    """What would be better without it."""
    return f" Without it better: {one_each(better)}." if better else ""


def one_each(effects: Sequence[Effect]) -> str:
    """For every goal the effect with the largest value, and how many others there are, for which is the largest is not told.

    "seat_gap +2.44 points (+1.21 to +3.67) in 14-cards, one of 3 such ways; ...".
    """
    by_goal: dict[str, list[Effect]] = {}
    for effect in effects:
        by_goal.setdefault(effect.goal, []).append(effect)
    said = []
    for goal, found in by_goal.items():
        shown = max(found, key=lambda effect: abs(effect.value))
        ways = f", one of {len(found)} such ways" if len(found) > 1 else ""
        said.append(f"{goal} {change_in_words(shown)} in {shown.name}{ways}")
    return "; ".join(said)


# --- the table ------------------------------------------------------------------------------------------


def table_lines(answer: GuidelinesAnswer) -> Iterator[str]:
    """A row a family: its difference from the legal mixes it was made from, goal by goal."""
    look = answer.look
    goals = look.table.goals
    wide = cell_width(look, CELL)
    name = max(len(family.name) for family in answer.families) + 2
    yield f"  {'':{name}}{'breaks':8}" + "".join(f"{heading(goal, look.unit(goal)):>{wide}}" for goal in goals)
    means = [number_of(answer.legal_mean(goal), look.unit(goal)) for goal in goals]
    spreads = [number_of(answer.legal_spread(goal), look.unit(goal)) for goal in goals]
    yield f"  {'legal mixes':{name}}{'nothing':8}" + "".join(f"{mean + '  ':>{wide}}" for mean in means)
    yield f"  {'  their spread':{name}}{'':8}" + "".join(f"{spread + '  ':>{wide}}" for spread in spreads)
    for family in answer.families:
        cells = [cell(answer, answer.effect(family, goal)) for goal in goals]
        yield f"  {family.name:{name}}{' '.join(family.breaks) or 'nothing':8}" + "".join(f"{text:>{wide}}" for text in cells)
    yield "  Each row: mean of the family minus mean of the legal mixes it was made from, with its 95 % half-width, on the same deals;"
    yield "  w worse, b better (at most 5 % of these letters are false alarms), no letter: not told apart. Spread: standard deviation."
    yield "  The number of cards cannot change alone: a speed then has a copy more or fewer, too."
    for family in answer.families:
        members = answer.effect(family, goals[0]).n
        yield f"  {family.name:{name}}{family.about} ({members} sets)"


def cell(answer: GuidelinesAnswer, effect: Effect) -> str:
    """An effect with its half-width, and w or b where it is one."""
    letter = {True: "w", False: "b", None: " "}[answer.is_worse(effect)]
    half = "" if math.isnan(effect.high) else f" ±{number_of((effect.high - effect.low) / 2, effect.unit)}"
    return f"{number_of(effect.value, effect.unit, sign=True)}{half} {letter}"
