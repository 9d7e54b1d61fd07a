"""Headlines by level of play, as plain text and as a table: what holds at all levels first, then rung by rung."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.letters import padded
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.charts.chart import cells
from lostlegacy_sim.report.screen import counted, percent
from lostlegacy_sim.report.tables import Cell, Table
from lostlegacy_sim.sentences import LEVELS_FLIP, LEVELS_HOLD, LEVELS_MUTE, LEVELS_OPEN
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.levels import Headline, rungs_in_words
from lostlegacy_sim.studies.luck import Luck
from lostlegacy_sim.studies.simulate import points

COLUMNS = ("of", "headline", "verdict", "unit", "rung", "bot", "value", "low", "high", "word")
MOST_NAMED = 8  # headlines named in a line


def headline(title: str, experiment: Experiment, rungs: Sequence[str]) -> str:
    """What was played, on one line."""
    return (f"{title}: {experiment.set_name} · {experiment.players} players · {len(rungs)} levels of play, one bot in all seats · "
            f"{counted(experiment.planned_deals, 'deal')} each · seed {experiment.seed}")  # fmt: skip


def headline_lines(found: Sequence[Headline]) -> Iterator[str]:
    """The verdicts, then every headline rung by rung."""
    yield from (f"  {sentence}" for sentence in sentences(found))
    for one in found:
        yield ""
        yield f"  {one.name}: {one.verdict}"
        width = max(columns_of(level.bot) for level in one.levels)
        for rung, level in enumerate(one.levels, 1):
            yield f"    {rung}  {padded(level.bot, width)}  {bounds(level.interval, one.unit):26}  {level.word}"
    yield ""
    yield "  In brackets intervals, each at 95 % or more; one leaves out 0 where its word is certain, for all headlines and rungs at once (Holm)."


def sentences(found: Sequence[Headline]) -> Iterator[Claim]:
    """Which headlines hold at all levels, and which do not."""
    holding = [f"{one.name} ({one.told[0][1]})" for one in found if one.holds]
    flipping = [f"{one.name} at rung {one.flips_at}" for one in found if one.flips_at]
    others = [one.name for one in found if not one.holds and not one.flips_at]
    if holding:
        yield LEVELS_HOLD.say(headlines=listed(holding))
    if flipping:
        yield LEVELS_FLIP.say(headlines=listed(flipping))
    if others:
        yield LEVELS_OPEN.say(headlines=listed(others))
    mute = [rung for rung, levels in enumerate(zip(*(one.levels for one in found), strict=True), 1) if all(math.isnan(level.interval.value) for level in levels)]
    if mute:
        yield LEVELS_MUTE.say(rungs=rungs_in_words(mute))


def listed(words: Sequence[str]) -> str:
    """Some of a list, and how many more there are."""
    more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return f"{', '.join(words[:MOST_NAMED])}{more}"


def bounds(interval: Interval, unit: str) -> str:
    """A difference with its interval, in points or in the unit of its measure."""
    if math.isnan(interval.value):
        return "-"
    value, low, high = (points(number, sign=True) if unit in ("difference", "rate") else f"{number:+.3f}" for number in interval)
    return value if math.isnan(interval.low) else f"{value} ({low} to {high})"


def luck_lines(rungs: Sequence[str], found: Sequence[Luck]) -> Iterator[str]:
    """The luck share, a line a rung."""
    yield (f"  luck share: what the shuffle settles of who wins; {counted(found[0].shuffles, 'shuffle')}, each played "
           f"{found[0].repeats} times with the choices drawn anew")  # fmt: skip
    width = max(map(columns_of, rungs))
    for bot, luck in zip(rungs, found, strict=True):
        yield f"    {padded(bot, width)}  {luck_words(luck.together)}"


def luck_words(share: Estimate) -> str:
    """One luck share with what it means where nothing is left to chance."""
    if math.isnan(share.value):
        return "nobody ever won, or no deal counts"
    if share.value > 1 - 1e-12:
        return "100 %: this bot chooses without chance, so each shuffle ends as it does"
    interval = "" if math.isnan(share.low) else f" ({100 * share.low:.2f}-{100 * share.high:.2f})"
    return f"{percent(share.value)}{interval}"


def headline_table(groups: Sequence[tuple[str, Sequence[Headline]]]) -> Table:
    """A row a headline and rung; `groups`: headlines with what they are of."""
    rows: list[tuple[Cell, ...]] = []
    for of, found in groups:
        for one in found:
            for rung, level in enumerate(one.levels, 1):
                rows.append((of, one.name, one.verdict, one.unit, rung, level.bot, *cells(level.interval), level.word))
    return Table("levels", COLUMNS, tuple(rows))
