"""What `llsim explore --family guidelines` found, as a section of a page: one chart, one table."""

from __future__ import annotations

import re

from lostlegacy_sim.report.charts import effects
from lostlegacy_sim.report.charts.chart import Chart
from lostlegacy_sim.report.explore_section import (
    EFFECTS,
    deals_note,
    drawn_effect,
    effect_goal,
    goal_notes,
    meaning,
    said,
    said_mute,
)
from lostlegacy_sim.report.guidelines_screen import one_set_verdict, verdict
from lostlegacy_sim.report.guidelines_tables import guidelines_table
from lostlegacy_sim.report.section import Section
from lostlegacy_sim.studies.families import GUIDELINES, Family
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer

FAMILIES = ("Each row is a way to break a guideline: sets that break it so, against the legal mixes they were made from, on the same shuffles. "
            "The number of cards cannot change alone: a speed then has a copy more or fewer, too.")  # fmt: skip
SPREAD = ("Spread: the standard deviation among legal mixes. A change inside the grey band is smaller than what an ordinary choice of cards "
          "does anyway. The intervals count the shuffles and that some sets were drawn of many.")  # fmt: skip


def guidelines_sections(answer: GuidelinesAnswer) -> list[Section]:
    """What each guideline protects."""
    look = answer.look
    if look.mute.all():
        return [Section("guidelines", "What does each guideline protect?", said_mute(look), data=(guidelines_table(answer),))]
    sentences = [claim.set_as(lambda text: in_words(text, answer)) for claim in [*(verdict(answer, guideline) for guideline in GUIDELINES), one_set_verdict(answer)]]
    notes = (FAMILIES, goal_notes(look), SPREAD, EFFECTS, deals_note(look))
    return [Section("guidelines", "What does each guideline protect?", (*said(look, *sentences), *said_mute(look)), (guidelines_chart(answer),), (),
                    (guidelines_table(answer),), notes)]  # fmt: skip


def in_words(sentence: str, answer: GuidelinesAnswer) -> str:
    """A sentence of the screen with goals and families in the words of the chart."""
    for goal in answer.look.table.goals:
        sentence = re.sub(rf"\b{re.escape(goal.name)} (?=[-+]\d)", f"“{meaning(answer.look, goal)}” ", sentence)
    for family in answer.families:
        sentence = re.sub(rf" in {re.escape(family.name)}(?=[;.,])", f" with {family.about}", sentence)
    return sentence


def guidelines_chart(answer: GuidelinesAnswer) -> Chart:
    """Every family on every goal, grouped by the guidelines it breaks."""
    look = answer.look
    rows = [
        drawn_effect(effect, family.about, answer.is_worse(effect), group_of(family))
        for family in answer.families
        for goal in look.table.goals
        for effect in [answer.effect(family, goal)]
    ]
    goals = [effect_goal(look, goal, answer.legal_spread(goal)) for goal in look.table.goals]
    words = effects.Words("breaks", "What changes when a guideline is broken", "way", "broken")
    return effects.chart(rows, goals, words)


def group_of(family: Family) -> str:
    """The guidelines a family breaks, in words."""
    if not family.breaks:
        return "Legal, but of one set"
    first, *others = family.breaks
    return f"Breaks {first} ({GUIDELINES[first]})" + "".join(f" and {other}" for other in others)
