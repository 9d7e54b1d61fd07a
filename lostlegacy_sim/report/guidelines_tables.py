"""The tables of `llsim explore --family guidelines`: rows of data."""

from __future__ import annotations

from typing import Any

from lostlegacy_sim.estimate import plain_number
from lostlegacy_sim.report.explore_tables import head, provenance
from lostlegacy_sim.report.tables import BY_ROW, STEP, Cell, Table
from lostlegacy_sim.studies.families import GUIDELINES
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer

COLUMNS = ("family", "breaks", "goal", "unit", "difference", "low", "high", "p_value", "verdict", "sets", "legal_mean", "legal_spread", "about")
VERDICTS = {True: "worse", False: "better", None: "not told apart"}


def guidelines_table(answer: GuidelinesAnswer) -> Table:
    """A row for every family and goal: its mean minus that of the legal mixes it was made from; p-values after Benjamini and Hochberg."""
    rows: list[tuple[Cell, ...]] = []
    for family in answer.families:
        for goal in answer.look.table.goals:
            effect = answer.effect(family, goal)
            numbers = [plain_number(number) for number in (effect.value, effect.low, effect.high, effect.p_value)]
            legal = [plain_number(number) for number in (answer.legal_mean(goal), answer.legal_spread(goal))]
            rows.append((family.name, " ".join(family.breaks), goal.name, answer.look.unit(goal), *numbers, VERDICTS[answer.is_worse(effect)],
                         effect.n, *legal, family.about))  # fmt: skip
    units = ("", "", "", "", STEP, STEP, STEP, "ratio", "", "", BY_ROW, BY_ROW, "")
    return Table("guidelines", COLUMNS, tuple(rows), units)


def guidelines_document(answer: GuidelinesAnswer) -> dict[str, Any]:
    """Everything about the guidelines as JSON, schema llsim.explore/1."""
    table = guidelines_table(answer)
    return {
        **head("guidelines", answer.look),
        "guidelines": GUIDELINES,
        "legal": [mix.id for mix in answer.legal],
        "families": [
            {"name": family.name, "about": family.about, "breaks": list(family.breaks), "members": [member.id for member in family.members]}
            for family in answer.families
        ],
        "differences": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
        "provenance": provenance(answer.look),
    }
