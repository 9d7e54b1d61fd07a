"""Pairing: the batches two results have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lostlegacy_sim.result import Result
from lostlegacy_sim.tally import Counts, Tally


@dataclass(frozen=True)
class Batches:
    """Counts of one result by batch."""

    counts: Counts  # [batches, labels]
    sizes: Counts  # [batches], blocks in each


@dataclass(frozen=True)
class Pairing:
    """The batches of two results; if nothing stands against it, batches of one number hold the same shuffles."""

    first: Batches
    second: Batches
    obstacle: str = ""  # why they cannot be paired

    @property
    def is_paired(self) -> bool:
        """Whether differences can be taken batch by batch."""
        return not self.obstacle


def pair(first: Result, second: Result) -> Pairing:
    """Bring two results to the same batches, where they played the same deals.

    Of a run that was stopped as many batches are compared as both have; where the batches of one have
    doubled already, those of the other are added in pairs.
    """
    obstacle = why_not(first, second)
    if obstacle or (first.experiment.blocks == second.experiment.blocks and first.batches == second.batches):
        return Pairing(Batches(first.tally.counts, first.sizes), Batches(second.tally.counts, second.sizes), obstacle)
    size = max(result.experiment.batch_blocks for result in (first, second))
    tallies = [whole_batches(result, size).counts for result in (first, second)]
    shared = min(map(len, tallies))
    sizes = np.full(shared, size, np.int64)
    return Pairing(Batches(tallies[0][:shared], sizes), Batches(tallies[1][:shared], sizes))


def why_not(first: Result, second: Result) -> str:
    """Why two results did not play the same deals; "" if they did."""
    one, other = first.experiment, second.experiment
    if one.players != other.players:
        return f"not the same deals, for there are {one.players} and {other.players} players"
    if one.seed != other.seed:
        return f"not the same shuffles, for the seeds are {one.seed} and {other.seed}"
    if one.repeat != other.repeat:
        return "not the same choices, for one repeats the other"
    if one.blocks != other.blocks and "partial" not in (first.status, second.status):
        return f"not the same batches, for there are {one.blocks:,} and {other.blocks:,} shuffles"
    if {first.provenance.get(name) == second.provenance.get(name) for name in ("lostlegacy_sim", "code")} != {True}:
        return "perhaps not the same deals, for other versions or other files of lostlegacy_sim counted them"
    return ""


def whole_batches(result: Result, size: int) -> Tally:
    """The counts in whole batches of `size` blocks; what is left over is left out."""
    blocks = result.experiment.batch_blocks
    tally = Tally(result.tally.labels, result.tally.counts[: result.blocks // blocks])
    while blocks < size:
        even = len(tally.counts) // 2 * 2
        tally, blocks = Tally(tally.labels, tally.counts[:even]).in_pairs(), 2 * blocks
    return tally
