"""Uncounted: the sentence for results of which no deal counts, because all of them passed their bound on turns."""

from __future__ import annotations

from collections.abc import Iterable

from lostlegacy_sim.result import Result


def counts_nothing(result: Result) -> bool:
    """Whether deals were played, and none of them counts."""
    return result.deals > 0 and not int(result.tally.totals["deals"])


def none_counts(deals: int, where: str = "") -> str:
    """That nothing can be told of so many deals; `where`: " of B", " at this table"."""
    return f"No deal{where} counts: all {deals:,} passed the bound on turns, so nothing can be told of them."


def mute_sets(mute: int, of: int) -> str:
    """That some sets, or all, give no number for any goal; "" if all do."""
    if mute == of:
        return "No set gives a number for any of these goals: no deal counts, for all passed the bound on turns, or nobody ever won."
    return f"{mute} of {of} sets give no number for any of these goals (no deal counts, or nobody ever won); they are ranked last." if mute else ""


def some_count_nothing(results: Iterable[Result], what: str) -> str:
    """At how many tables ("matches") no deal counts; "" if there is none."""
    every = list(results)
    found = sum(map(counts_nothing, every))
    return f"No deal counts in {found} of {len(every)} {what}: all passed the bound on turns, so nothing can be told of them." if found else ""
