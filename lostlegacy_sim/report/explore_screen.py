"""The answers of `llsim explore` as plain text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap

import numpy as np

from lostlegacy_sim import sentences
from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, pick_line, printed
from lostlegacy_sim.games.lost_legacy.cards.guidelines import in_words
from lostlegacy_sim.report.screen import counted, duration, interval
from lostlegacy_sim.studies.explore import LookPlan
from lostlegacy_sim.studies.goals import SKILL, Goal
from lostlegacy_sim.studies.look import Look, Seated
from lostlegacy_sim.studies.main_effects import Effect
from lostlegacy_sim.studies.mixes import MixesAnswer, best_in, choices
from lostlegacy_sim.studies.uncounted import mute_sets

WIDTH = 98
CELL = 15  # characters of a value seen twice
SIGNS = {"rate": "%", "difference": "pp", "turns": "", "ratio": ""}


def mixes_lines(answer: MixesAnswer, game: Game) -> Iterator[str]:
    """The answer for the mixes: what is best, what each choice does, the ends of the list."""
    first = answer.first
    names = " and ".join(printed(name).name for name in PAIR)
    yield look_headline(game, first, f"{len(first.sets)} mixes of {names}")
    yield from stopped_lines(first, "mixes")
    yield from mute_lines(first)
    if first.mute.all():
        return
    yield ""
    yield f"  {best_line(answer)}"
    yield from (f"  {strongest_line(answer, goal)}" for goal in first.table.goals)
    yield ""
    yield from goal_lines(answer)
    yield ""
    yield from effect_lines(answer)
    yield ""
    yield from standing_lines(answer)


def look_headline(game: Game, look: Look, what: str) -> str:
    """What was played, on one line."""
    table = look.table
    return f"{game.title}: {what} · {seats_in_words(table)} · {counted(table.deals, 'deal')} each · seed {table.seed}"


def seats_in_words(table: Seated) -> str:
    """Who sits at the table."""
    seated = [(bot, len(list(seats))) for bot, seats in groupby(table.bots)]
    bots = f"all {seated[0][0]}" if len(seated) == 1 else ", ".join(bot if n == 1 else f"{n} x {bot}" for bot, n in seated)
    return f"{table.players} players, {bots}"


def stopped_lines(look: Look, noun: str) -> Iterator[str]:
    """That a run was stopped, if it was."""
    if not look.is_whole:
        yield f"Stopped after {len(look.rows)} of {len(look.sets)} {noun}; this is what they say."


def mute_lines(look: Look) -> Iterator[str]:
    """That some sets, or all, give no number."""
    sentence = mute_sets(int(look.mute.sum()), len(look.rows))
    if sentence:
        yield ""
        yield from wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="    ")


# --- goals ----------------------------------------------------------------------------------------------


def goal_lines(answer: MixesAnswer) -> Iterator[str]:
    """For every goal: its direction, the best mix, how many may be the best, and the range of all."""
    look = answer.first
    name = name_width(look)
    yield f"  {'goal':{name}}{'best mix':20}{'':>9}  {'95 % interval':>16}   {'may be best':>11}   first look: it, of all"
    for number, goal in enumerate(look.table.goals):
        place = best_in(look, number)
        found = newest(answer, goal, place)
        if np.isnan(look.values(goal)).all():
            yield f"  {heading(goal, found.unit):{name}}no set gives a number for it"
            continue
        able = look.may_be_best(number)
        mine, least, most = (number_of(value, found.unit) for value in seen_first(look, goal, place))
        span = f"{mine}, {least} to {most}"
        yield (f"  {heading(goal, found.unit):{name}}{set_label(look, place):20}{number_of(found.value, found.unit):>9}  "
               f"{interval(found):>16}   {able:>11}   {span}")  # fmt: skip
        yield f"  {'':{name}}{wish(goal, look.table)}"
    yield "  may be best: not told apart from the best in the first look, all ranks of a goal at once at 95 %"
    yield "  first look: its value on the shuffles it was chosen by, which flatter it, and the range of what all mixes came to on them"


def wish(goal: Goal, table: Seated) -> str:
    """The direction of a goal; for skill also who plays among whom."""
    if goal.name != SKILL:
        return goal.wish
    upper, lower = table.skill
    return f"{goal.wish}: one {upper} among {lower}, its win rate in shares of par"


def newest(answer: MixesAnswer, goal: Goal, place: int) -> Estimate:
    """The estimate on fresh shuffles where there is one, for the first one flatters whom it has chosen."""
    again = answer.again(place)
    if again is None or answer.second is None:
        return answer.first.estimate(goal, place)
    return answer.second.estimate(goal, again)


def seen_first(look: Look, goal: Goal, place: int) -> tuple[float, float, float]:
    """A mix's value in the first look beside the least and the most of all: of the same shuffles, so that it lies among them."""
    values = look.values(goal)
    return float(values[place]), float(np.nanmin(values)), float(np.nanmax(values))


def name_width(look: Look) -> int:
    """Characters of a column of goals."""
    return max(14, *(len(heading(goal, look.unit(goal))) + 2 for goal in look.table.goals))


def cell_width(look: Look, least: int) -> int:
    """Characters of a column with a goal as its heading."""
    return max(least, *(len(heading(goal, look.unit(goal))) + 2 for goal in look.table.goals))


def heading(goal: Goal, unit: str) -> str:
    """A goal's name and unit."""
    return f"{goal.name} {SIGNS.get(unit, unit)}".strip()


def set_label(look: Look, place: int) -> str:
    """A set's name in a table: letters for a mix."""
    return look.played[place].id.removeprefix("mix-")


def number_of(value: float, unit: str, sign: bool = False) -> str:
    """A number without its unit: rates and differences in per cent and points."""
    if math.isnan(value):
        return "-"
    factor = 100 if unit in ("rate", "difference") else 1
    return f"{factor * value:+.2f}" if sign else f"{factor * value:.2f}"


# --- effects --------------------------------------------------------------------------------------------


def effect_lines(answer: MixesAnswer) -> Iterator[str]:
    """What each of the nine choices does to each goal, and the strongest one in words."""
    look = answer.first
    second = printed(PAIR[1]).name.removeprefix("The ")
    n_pairs = max(effect.n for effect in answer.effects)
    yield f"  What each choice does: {second}'s card instead of the {printed(PAIR[0]).name.removeprefix('The ')}'s, mean of {counted(n_pairs, 'pair')} of mixes"
    name = name_width(look)
    yield f"  {'speed':{name}}" + "".join(f"{choice.name.removeprefix('speed '):>9}" for choice in choices())
    for goal in look.table.goals:
        effects = [effect for effect in answer.effects if effect.goal == goal.name]
        yield f"  {heading(goal, look.unit(goal)):{name}}" + "".join(f"{effect_cell(effect):>9}" for effect in effects)
        yield f"  {'':{name}}" + "".join(f"{half_width(effect):>9}" for effect in effects)
    yield "  * stands out of this table (at most 5 % of such are false alarms); below each number its 95 % half-width"
    yield from wrapped(f"{choice.name.removeprefix('speed ')} {choice.second} for {choice.first}" for choice in choices())


def effect_cell(effect: Effect) -> str:
    """An effect, with a star where it is one."""
    return number_of(effect.value, effect.unit, sign=True) + ("*" if effect.is_found else " ")


def half_width(effect: Effect) -> str:
    """Half of the interval."""
    return "" if math.isnan(effect.high) else f"±{number_of((effect.high - effect.low) / 2, effect.unit)} "


def strongest_line(answer: MixesAnswer, goal: Goal) -> Claim:
    """The choice that moves a goal most, in words, and which others may."""
    most = answer.strongest(goal)
    if most is None:
        return sentences.MATTERS_NONE.say(goal=goal.name)
    choice = next(choice for choice in choices() if choice.name == most.name)
    others = [name.removeprefix("speed ") for name in answer.rivals(most)]
    words = {"goal": goal.name, "choice": choice.name, "first": choice.first, "second": choice.second, "change": change_in_words(most)}
    return sentences.MATTERS.say(others=in_words(others), **words) if others else sentences.MATTERS_MOST.say(**words)


def change_in_words(effect: Effect) -> str:
    """ "+1.20 points (+0.90 to +1.50)": with the interval that holds for all effects at once, for this one was chosen."""
    unit = {"difference": " points", "turns": " turns"}.get(effect.unit, "")
    low, high = (number_of(bound, effect.unit, sign=True) for bound in effect.at_once[1:])
    return f"{number_of(effect.value, effect.unit, sign=True)}{unit} ({low} to {high})"


def best_line(answer: MixesAnswer) -> Claim:
    """The first mix of the first look, and how many may be the best."""
    look, place = answer.first, answer.best[0]
    by = "by the mean of its ranks in all goals" if len(look.table.goals) > 1 else f"by {look.table.goals[0].name}"
    words, able = {"sets": len(look.rows), "by": by, "set": set_label(look, place)}, int(look.may_lead.sum())
    return sentences.FIRST_SURELY.say(**words) if able == 1 else sentences.FIRST_OF.say(able=able, **words)


def wrapped(pieces: Iterable[str]) -> Iterator[str]:
    """Pieces with dots in between, over as many lines as they need."""
    yield from wrap(" · ".join(pieces), WIDTH, initial_indent="  ", subsequent_indent="  ")


# --- the list -------------------------------------------------------------------------------------------


def standing_lines(answer: MixesAnswer) -> Iterator[str]:
    """The best and the worst mixes and the printed sets, seen again."""
    look, goals = answer.first, answer.first.table.goals
    by = "by the mean of their ranks in all goals" if len(goals) > 1 else f"by {goals[0].name}"
    seen = (f"on fresh shuffles (seed {answer.second.table.seed}), in brackets the first look" if answer.second is not None
            else "in the first look, which flatters the best; they were not played again")  # fmt: skip
    yield f"  Ranked {by}; values {seen}"
    wide = cell_width(look, CELL)
    yield f"  {'':16}{'front':>5}  {'rank':>5}" + "".join(f"{heading(goal, look.unit(goal)):>{wide}}" for goal in goals)
    for title, places in (("best", answer.best), ("worst", answer.worst), ("printed", answer.printed)):
        if places:
            yield f"  {title}"
            yield from (standing_line(answer, place, goals) for place in places)
    if answer.best:
        best = look.played[answer.best[0]]
        yield f"  The best again: llsim simulate --set {best.id}" if best.id in PAIR else f"  The best again: llsim simulate --pick {pick_line(best)}"
    yield "  front 1: no other mix is as good in every goal and better in one. A letter a speed, 1 to X: s Starship, g Flying Garden."


def standing_line(answer: MixesAnswer, place: int, goals: Sequence[Goal]) -> str:
    """One mix: Pareto front, mean rank, and every goal."""
    look, again = answer.first, answer.again(place)
    cells = []
    for goal in goals:
        unit = look.unit(goal)
        before = number_of(float(look.values(goal)[place]), unit)
        fresh = number_of(float(answer.second.values(goal)[again]), unit) if again is not None and answer.second is not None else ""
        cells.append(f"{fresh} ({before})" if fresh else before)
    return f"    {set_label(look, place):14}{look.fronts[place]:>5}  {look.mean_rank[place]:>5.1f}" + "".join(f"{cell:>{cell_width(look, CELL)}}" for cell in cells)


# --- before playing -------------------------------------------------------------------------------------


def look_plan_lines(title: str, plan: LookPlan, what: str) -> Iterator[str]:
    """What playing would take and give."""
    table = plan.table
    yield f"{title}: {what} · {seats_in_words(table)} · {counted(table.deals, 'deal')} each · seed {table.seed}"
    tables = counted(len(table.line_ups), "line-up")
    yield f"  {counted(plan.deals, 'deal')} in {tables}, those of the second look among them"
    yield f"  a rate of 50 % would be known to within {number_of(plan.half_width, 'rate')} points (95 %) for each set"
    yield f"  about {duration(plan.seconds)} on {counted(plan.threads, 'thread')}; nothing was played"
