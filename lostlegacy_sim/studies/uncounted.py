"""Uncounted: the sentence for results of which no deal counts, because all of them passed their bound on turns."""

from __future__ import annotations

from collections.abc import Iterable

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.result import Result
from lostlegacy_sim.sentences import MUTE_SETS, NO_SET_COUNTS, NONE_COUNTS, SOME_COUNT_NOTHING


def counts_nothing(result: Result) -> bool:
    """Whether deals were played, and none of them counts."""
    return result.deals > 0 and not int(result.tally.totals["deals"])


def none_counts(deals: int, where: str = "") -> Claim:
    """That nothing can be told of so many deals; `where`: " of B", " at this table"."""
    return NONE_COUNTS.say(deals=deals, where=where)


def mute_sets(mute: int, of: int) -> Claim | None:
    """That some sets, or all, give no number for any goal; None if all do."""
    if mute == of:
        return NO_SET_COUNTS.say()
    return MUTE_SETS.say(mute=mute, of=of) if mute else None


def some_count_nothing(results: Iterable[Result], what: str) -> Claim | None:
    """At how many tables ("matches") no deal counts; None if there is none."""
    every = list(results)
    found = sum(map(counts_nothing, every))
    return SOME_COUNT_NOTHING.say(found=found, every=len(every), what=what) if found else None
