"""What `llsim explore --family mixes` found, as sections of a page; and the words that all explorations share."""

from __future__ import annotations

import math

import numpy as np

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, printed
from lostlegacy_sim.report.charts import composition, effects
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.explore_screen import (
    best_line,
    newest,
    number_of,
    seen_first,
    set_label,
    strongest_line,
    wish,
)
from lostlegacy_sim.report.explore_tables import effects_table, mixes_table
from lostlegacy_sim.report.section import Said, Section
from lostlegacy_sim.report.tables import Cell, Table
from lostlegacy_sim.sentences import BEST, BEST_SURELY, NO_GOAL
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.goals import Goal
from lostlegacy_sim.studies.look import Look
from lostlegacy_sim.studies.main_effects import Effect
from lostlegacy_sim.studies.mixes import MixesAnswer, best_in, choices
from lostlegacy_sim.studies.uncounted import mute_sets

NAMED = 3  # mixes at either end that have their name on the map
AXES = {"rate": ", %", "difference": ", points", "turns": "", "ratio": ""}

SECOND_LOOK = ("Whoever wins a search has had luck, too. So the best and the worst were played again on fresh shuffles; where a value has been "
               "seen again, the second one is shown.")  # fmt: skip
FRONTS = ("Front 1: no other mix is better in one goal without being worse in another; front 2: the same once front 1 is left out. "
          "Mean rank: of the ranks in all goals, 1 being the best.")  # fmt: skip
EFFECTS = ("Each effect is a mean over pairs of sets that differ in this one thing, on the same shuffles. Better and worse stand out of all "
           "that is looked at here: of what is called so at most 5 % are false alarms (Benjamini and Hochberg).")  # fmt: skip


def mixes_sections(answer: MixesAnswer) -> list[Section]:
    """Which mix is best, and what each choice does."""
    if answer.first.mute.all():
        return [Section("mixes", "Which mix is best?", said_mute(answer.first), data=(mixes_table(answer),))]
    return [best_section(answer), choices_section(answer)]


# --- words of all explorations ----------------------------------------------------------------------------


def said(look: Look, *claims: Claim) -> tuple[Said, ...]:
    """Sentences of an answer, each from the deals of every set."""
    return tuple(Said("", claim.set_as(typeset), look.table.deals) for claim in claims)


def said_mute(look: Look) -> tuple[Said, ...]:
    """That some sets, or all, give no number."""
    sentence = mute_sets(int(look.mute.sum()), len(look.rows))
    return said(look, sentence) if sentence else ()


def typeset(sentence: str) -> str:
    """A line of the screen as a sentence."""
    words = " ".join(sentence.split())
    return words[:1].upper() + words[1:]


def spelled_out(claim: Claim, look: Look, goal: Goal) -> Claim:
    """A line of the screen that begins with a goal's name, beginning with the goal in words."""
    return claim.set_as(lambda text: text.replace(f"{goal.name}:", f"{meaning(look, goal)}:", 1))


def deals_note(look: Look) -> str:
    """What the number of deals before an answer means."""
    return f"The number of deals is that of each set; {len(look.rows)} sets were played on the same shuffles."


def goal_notes(look: Look) -> str:
    """What every goal is, and which way is better."""
    return "Goals: " + "; ".join(f"{goal.name}: {meaning(look, goal)}, {wish(goal, look.table)}" for goal in look.table.goals) + "."


def meaning(look: Look, goal: Goal) -> str:
    """A goal's measure in words."""
    survey, name = look.survey_of(goal)
    return survey.measures[name].meaning


def plain(estimate: Estimate | Effect) -> Interval:
    """Value and bounds."""
    return Interval(estimate.value, estimate.low, estimate.high)


def effect_goal(look: Look, goal: Goal, spread: float = math.nan) -> effects.Goal:
    """A goal as the effects draw it."""
    unit = look.unit(goal)
    return effects.Goal(goal.name, meaning(look, goal), goal.wish.split(" (")[0], "difference" if unit == "rate" else unit, spread)


def drawn_effect(effect: Effect, label: str, is_worse: bool | None, group: str = "") -> effects.Effect:
    """An effect as it is drawn."""
    told = effects.UNTOLD if is_worse is None else effects.WORSE if is_worse else effects.BETTER
    return effects.Effect(label, effect.goal, Interval(effect.value, effect.low, effect.high), told, effect.n, group)


# --- which mix --------------------------------------------------------------------------------------------


def best_section(answer: MixesAnswer) -> Section:
    """Which mix is best by the stated goals."""
    look = answer.first
    sentences = [best_line(answer), *(best_sentence(answer, number) for number in range(len(look.table.goals)))]
    notes = (goal_notes(look), deals_note(look), SECOND_LOOK, FRONTS, letters_note())
    is_mapped = len(look.table.goals) > 1 and not any(np.isnan(look.values(goal)).all() for goal in look.table.goals[:2])
    charts = (map_chart(answer),) if is_mapped else ()
    return Section("mixes", "Which mix is best?", (*said(look, *sentences), *said_mute(look)), charts, (standings(answer),), (mixes_table(answer),), notes)


def best_sentence(answer: MixesAnswer, number: int) -> Claim:
    """The best mix in one goal, how many may be the best, and the range of all."""
    look, goal = answer.first, answer.first.table.goals[number]
    place = best_in(look, number)
    found, able = newest(answer, goal, place), look.may_be_best(number)
    if np.isnan(look.values(goal)).all():
        return NO_GOAL.say(goal=meaning(look, goal), noun="set")
    value, low, high, mine, least, most = (number_of(float(one), found.unit) for one in (*plain(found), *seen_first(look, goal, place)))
    sign = {"rate": " %", "difference": " points", "turns": " turns"}.get(found.unit, "")
    bounds = "" if math.isnan(found.low) else f" ({low} to {high})"
    words = {"goal": meaning(look, goal), "set": label_of(look, place), "value": f"{value}{sign}{bounds}", "mine": mine, "least": least, "most": most}
    return BEST_SURELY.say(**words) if able == 1 else BEST.say(able=able, **words)


def letters_note() -> str:
    """How a mix is named."""
    first, second = (printed(name).name for name in PAIR)
    letters = [name.removeprefix("flying-")[0] for name in PAIR]
    return f"A mix is named by nine letters, one for each speed from 1 to 8 and X: {letters[0]} for a card of {first}, {letters[1]} for one of {second}."


def map_chart(answer: MixesAnswer) -> Chart:
    """All mixes between the first two goals; those with a name where they were seen again."""
    look = answer.first
    across, up = look.table.goals[:2]
    kinds = dict.fromkeys(answer.best[:NAMED], "best") | dict.fromkeys(answer.worst[-NAMED:], "worst") | dict.fromkeys(answer.printed, "printed")
    mixes = []
    for place in range(len(look.rows)):
        kind = kinds.get(place, "")
        found = [newest(answer, goal, place) if kind else look.estimate(goal, place) for goal in (across, up)]
        if any(math.isnan(one.value) for one in found):
            continue
        mixes.append(composition.Mix(label_of(look, place), plain(found[0]), plain(found[1]), kind, look.table.deals))
    return composition.chart(mixes, map_goal(look, across), map_goal(look, up))


def map_goal(look: Look, goal: Goal) -> composition.Goal:
    """A goal as an axis."""
    unit = look.unit(goal)
    return composition.Goal(goal.name, f"{meaning(look, goal)}{AXES.get(unit, '')} ({goal.wish.split(' (')[0]})", unit)


def label_of(look: Look, place: int) -> str:
    """The letters of a mix; the name of a printed set."""
    played = look.played[place]
    return played.name if played.id in PAIR else set_label(look, place)


def standings(answer: MixesAnswer) -> Table:
    """The best, the worst and the printed sets: a row a set, two columns a goal (value, half-width)."""
    look, goals = answer.first, answer.first.table.goals
    columns, units = ["mix", "which", "front", "mean_rank"], ["", "", "", ""]
    for goal in goals:
        columns += [goal.name, f"{goal.name}_low", f"{goal.name}_high"]
        units += [look.unit(goal)] * 3
    rows: list[tuple[Cell, ...]] = []
    for which, places in (("best", answer.best), ("worst", answer.worst), ("printed", answer.printed)):
        for place in places:
            found = [cell for goal in goals for cell in cells(plain(newest(answer, goal, place)))]
            rows.append((label_of(look, place), which, int(look.fronts[place]), f"{look.mean_rank[place]:.1f}", *found))
    return Table("standings", tuple(columns), tuple(rows), tuple(units))


# --- which choices ----------------------------------------------------------------------------------------


def choices_section(answer: MixesAnswer) -> Section:
    """What each of the nine choices does."""
    look = answer.first
    sentences = [spelled_out(strongest_line(answer, goal), look, goal) for goal in look.table.goals]
    charts = (choices_chart(answer),) if answer.effects else ()
    notes = (EFFECTS, deals_note(look))
    return Section("choices", "Which of the nine choices matter?", said(look, *sentences), charts, (), (effects_table(answer.effects),), notes)


def choices_chart(answer: MixesAnswer) -> Chart:
    """The main effects."""
    look = answer.first
    goals = {goal.name: goal for goal in look.table.goals}
    means = {name: float(look.values(goal)[~look.mute].mean()) for name, goal in goals.items()}
    labels = {choice.name: f"{choice.name.removeprefix('speed ')}: {choice.second} for {choice.first}" for choice in choices()}
    rows = [
        drawn_effect(effect, labels[effect.name], goals[effect.goal].is_worse(means[effect.goal], effect.value) if effect.is_found else None)
        for effect in answer.effects
    ]
    first, second = (printed(name).name for name in PAIR)
    words = effects.Words("choices", f"What each choice does: a card of {second} for one of {first}", "choice")
    return effects.chart(rows, [effect_goal(look, goal) for goal in look.table.goals], words)
