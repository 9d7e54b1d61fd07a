"""The answer of `llsim compare` as plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.letters import padded
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.gates import rounded
from lostlegacy_sim.report.screen import counted, headline, percent
from lostlegacy_sim.sentences import DIFFERS, EQUIVALENT_ALL, PAIRED, SAME_IN_ALL, UNDECIDED_ALL, UNPAIRED
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.verdicts import EQUIVALENT, SAME, UNDECIDED
from lostlegacy_sim.studies.compare import Comparison, Contrast, Row, Variant
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.uncounted import counts_nothing, none_counts

SMALL = 1e-3  # p-values below are shown as a bound
MAX_NAMED = 6  # measures named in a sentence


def variant_lines(title: str, variants: Sequence[Variant]) -> Iterator[str]:
    """What is compared, a line each."""
    yield f"{title}, compared:"
    for variant in variants:
        result = variant.result
        about = headline("", result.experiment, result.deals).removeprefix(": ")
        stopped = f" (stopped; {result.experiment.planned_deals:,} were planned)" if result.status == "partial" else ""
        yield f"  {variant.letter}  {about}{stopped}"


def comparison_lines(comparison: Comparison, has_margin: bool, verbose: bool = False) -> Iterator[str]:
    """The answers to one pair: sentences first, then the table."""
    contrast = comparison.contrast
    yield f"  {contrast.second.letter} against {contrast.first.letter}: {pairing_words(contrast)}"
    yield from (f"  {sentence}" for sentence in sentences(comparison, contrast.second.letter))
    if uncounted(contrast):
        return
    yield ""
    yield from table_lines(comparison, has_margin)
    if verbose:
        yield ""
        yield from (f"  {line}" for line in p_value_lines(comparison))


def pairing_words(contrast: Contrast) -> Claim:
    """How the two were brought together."""
    pairing = contrast.pairing
    if not pairing.is_paired:
        return UNPAIRED.say(obstacle=pairing.obstacle)
    blocks = int(pairing.first.sizes.sum())
    return PAIRED.say(shuffles=counted(blocks, "shuffle"))


def sentences(comparison: Comparison, subject: str) -> Iterator[Claim]:
    """What the differences allow to say; `subject` is who differs."""
    if uncounted(comparison.contrast):
        yield from uncounted(comparison.contrast)
        return
    told = [row for row in comparison.rows if row.verdict.word not in (SAME, EQUIVALENT, UNDECIDED)]
    told.sort(key=lambda row: (row.verdict.word in ("more", "less"), -strength(row)))
    if told:
        named = [f"{row.question.name} {change(row.verdict.interval, row.unit)} ({row.verdict.word})" for row in told[:MAX_NAMED]]
        more = f" and {len(told) - MAX_NAMED} more" if len(told) > MAX_NAMED else ""
        yield DIFFERS.say(subject=subject, measures=f"{', '.join(named)}{more}")
    for word, sentence in ((SAME, SAME_IN_ALL), (EQUIVALENT, EQUIVALENT_ALL), (UNDECIDED, UNDECIDED_ALL)):
        names = [row.question.name for row in comparison.rows if row.verdict.word == word]
        if names:
            yield sentence.say(measures=", ".join(names))


def uncounted(contrast: Contrast) -> list[Claim]:
    """That nothing can be compared, if no deal of a side counts."""
    return [none_counts(side.result.deals, f" of {side.letter}") for side in (contrast.first, contrast.second) if counts_nothing(side.result)]


def strength(row: Row) -> float:
    """How many half-widths of its interval a difference is away from nought."""
    value, low, high = row.verdict.interval
    return math.inf if high == low else abs(value) / (high - low)


def table_lines(comparison: Comparison, has_margin: bool) -> Iterator[str]:
    """A line a measure."""
    first, second = comparison.contrast.first.letter, comparison.contrast.second.letter
    width = max(columns_of(row.question.name) for row in comparison.rows)
    yield f"  {'':{width}}  {first:>9}  {second:>9}  {'difference':>11}   {'interval':>18}   pairing   verdict"
    for row in comparison.rows:
        yield (f"  {padded(row.question.name, width)}  {number(row.first):>9}  {number(row.second):>9}  {change(row.verdict.interval, row.unit):>11}   "
               f"{bounds(row.verdict.interval, row.unit):>18}   {gain(row):>7}   {verdict_words(row)}")  # fmt: skip
    yield ""
    yield "  Intervals: 95 %, the stricter the more is asked (Holm), so that they agree with the verdicts."
    if any(not math.isnan(row.difference.gain) for row in comparison.rows):
        yield "  Pairing: how many times more deals would be needed on different shuffles."
    if has_margin:
        margins = {margin_words(row) for row in comparison.rows if not math.isnan(row.margin)}
        yield f"  Equivalent: surely no further apart than the margin ({', '.join(sorted(margins)) or 'none here'})."


def p_value_lines(comparison: Comparison) -> Iterator[str]:
    """The adjusted p-values behind the verdicts."""
    for row in comparison.rows:
        within = "" if math.isnan(row.verdict.equivalence_p_value) else f", equivalence {p_words(row.verdict.equivalence_p_value)}"
        yield f"{row.question.name}: difference {p_words(row.verdict.p_value)}{within} (adjusted by Holm)"


def p_words(p_value: float) -> str:
    """A p-value; a bound if it is tiny."""
    return "p not known" if math.isnan(p_value) else f"p < {SMALL:g}" if p_value < SMALL else f"p = {p_value:.3f}"


def number(estimate: Estimate) -> str:
    """A value in its unit."""
    if math.isnan(estimate.value):
        return "-"
    if estimate.unit == "rate":
        return percent(estimate.value)
    return f"{points(estimate.value)} pp" if estimate.unit == "difference" else f"{estimate.value:.3f}"


def change(interval: Interval, unit: str) -> str:
    """A difference in its unit."""
    if math.isnan(interval.value):
        return "-"
    return f"{points(interval.value, sign=True)} pp" if unit == "difference" else f"{interval.value:+.3f}"


def bounds(interval: Interval, unit: str) -> str:
    """The interval of a difference."""
    if math.isnan(interval.low):
        return "-"
    if unit == "difference":
        return f"{points(interval.low, sign=True)} to {points(interval.high, sign=True)}"
    return f"{interval.low:+.3f} to {interval.high:+.3f}"


def gain(row: Row) -> str:
    """The measured gain of pairing."""
    factor = row.difference.gain
    return "-" if not math.isfinite(factor) else f"x {factor:.1f}" if factor < 100 else f"x {factor:.0f}"


def verdict_words(row: Row) -> str:
    """The verdict; how many deals an undecided one takes."""
    if row.verdict.word != UNDECIDED or math.isnan(row.deals_needed):
        return row.verdict.word
    if math.isinf(row.deals_needed):
        return f"{UNDECIDED}; no difference to be seen"
    return f"{UNDECIDED}; may take {rounded(row.deals_needed)} deals"


def margin_words(row: Row) -> str:
    """The margin of one measure in its unit."""
    return f"{points(row.margin)} points" if row.unit == "difference" else f"{row.margin:g} {row.unit}"
