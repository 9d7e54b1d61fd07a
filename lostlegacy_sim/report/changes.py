"""What changes from one result to others, as a section of a page: verdicts, dumbbells, and their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.report.charts import dumbbell
from lostlegacy_sim.report.charts.chart import Chart, cells
from lostlegacy_sim.report.compare_screen import pairing_words, sentences, uncounted
from lostlegacy_sim.report.compare_tables import comparison_table
from lostlegacy_sim.report.section import Said, Section
from lostlegacy_sim.report.source import labels_of
from lostlegacy_sim.report.tables import STEP, Table
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.compare import Comparison, Row

NOTES = (
    "The chance of even one false difference is at most 5 % (Holm). An interval is so strict that it leaves out 0 where its verdict is "
    "certain; each holds with 95 % or more, but not all of them at once.",
    "Paired: both sides played the same shuffles, and differences are taken batch by batch; what the shuffles did to both cancels. "
    "The gain of pairing says how many times more deals different shuffles would have taken.",
    "Better and worse are said where most would agree: fewer deals that nobody wins, seats closer together, nobody out before a turn. "
    "Elsewhere it is more or less.",
)


def changes_section(comparisons: Sequence[Comparison]) -> Section:
    """All comparisons with the first result."""
    first = comparisons[0].contrast.first
    results = [first.result, *(found.contrast.second.result for found in comparisons)]
    before, *after = labels_of(results)
    answer = [
        Said(label, claim, found.contrast.second.result.deals)
        for label, found in zip(after, comparisons, strict=True)
        for claim in [*sentences(found, f"Against {before} it"), pairing_sentence(found)]
    ]
    charts = [change_chart(found, before, label, len(comparisons) > 1) for found, label in zip(comparisons, after, strict=True) if not uncounted(found.contrast)]
    return Section("changes", f"What changes from {before}?", tuple(answer), tuple(charts), (answers_table(comparisons, after),),
                   (comparison_table(comparisons),), NOTES)  # fmt: skip


def pairing_sentence(found: Comparison) -> Claim:
    """How the two were brought together, as a sentence of its own."""
    return pairing_words(found.contrast).set_as(lambda words: words[0].upper() + words[1:])


def answers_table(comparisons: Sequence[Comparison], labels: Sequence[str]) -> Table:
    """The verdicts in short: a row a measure."""
    columns = ("result", "measure", "unit", "difference", "difference_low", "difference_high", "verdict", "gain_of_pairing")
    rows = []
    for found, label in zip(comparisons, labels, strict=True):
        for row in found.rows:
            factor = row.difference.gain if math.isfinite(row.difference.gain) else None
            rows.append((label if len(labels) > 1 else None, row.question.name, row.first.unit, *cells(row.verdict.interval), row.verdict.word, factor))
    return Table("answers", columns, tuple(rows), ("", "", "", STEP, STEP, STEP, "", "ratio")).without_empty_columns()


def change_chart(found: Comparison, before: str, after: str, has_others: bool = False) -> Chart:
    """The dumbbell of one comparison; named after its letter if there are others."""
    name = f"changes-{found.contrast.second.letter}" if has_others else "changes"
    return dumbbell.chart([change_of(row) for row in found.rows], dumbbell.Words(name, f"From {before} to {after}", before, after))


def change_of(row: Row) -> dumbbell.Change:
    """One row as the dumbbell draws it."""
    before, after = (Interval(side.value, side.low, side.high) for side in (row.first, row.second))
    margin = 0.0 if math.isnan(row.margin) else row.margin
    return dumbbell.Change(row.question.name, row.first.unit, before, after, row.verdict.interval, row.second.n, margin)
