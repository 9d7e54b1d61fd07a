"""Unseen: how far a number may still move because of blocks of a kind that has not been met yet.

What has come out alike in fifty shuffles need not in the next one: batches see no variance there, or far too little. So
to the reach of every interval that rests on batches is added what a kind of block that was never met may do: it is
as rare as its not having been met allows (the "rule of three": Hanley and Lippman-Hand 1983), and it moves the number no
further than the number can go at all. Both are added as variances are. It matters while events are few and vanishes beside
the error of many, for it falls as one over the blocks and not as one over their root.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

TINY = 1e-300  # no p-value is told below


@dataclass(frozen=True)
class Span:
    """What a number lies between whatever happens, and how many blocks have had a say in it; nothing is known without ends."""

    least: float = -math.inf
    most: float = math.inf
    blocks: float = 0.0

    def __sub__(self, other: Span) -> Span:
        """The span of a difference."""
        return Span(self.least - other.most, self.most - other.least, min(self.blocks, other.blocks))

    @property
    def is_known(self) -> bool:
        """Whether there are ends, and blocks behind them."""
        return math.isfinite(self.most - self.least) and self.blocks > 0

    @property
    def is_point(self) -> bool:
        """Whether the number is known by logic: there is only one it can be."""
        return self.least == self.most

    def bounds(
        self, value: NDArray[Any] | float, error: NDArray[Any] | float, quantile: float, share: float, slack: NDArray[Any] | float = 0.0
    ) -> tuple[Floats, Floats]:
        """Low and high ends around a number, [...]: so many standard errors, and what a share of blocks may do that were never met.

        `slack` is added to either side: what a number may be off besides, and not by chance. Never beyond the ends of the span. nan where nothing has varied and the span is not known.
        """
        value, error = np.asarray(value, float), np.asarray(error, float)
        if self.is_point:
            return value, value
        spread = quantile * error
        if not self.is_known:
            spread = np.where(error == 0, math.nan, spread)
            return value - spread - slack, value + spread + slack
        low = value - np.hypot(spread, share * np.maximum(value - self.least, 0.0)) - slack
        high = value + np.hypot(spread, share * np.maximum(self.most - value, 0.0)) + slack
        return np.minimum(np.maximum(low, self.least), value), np.maximum(np.minimum(high, self.most), value)


ANYWHERE = Span()


@lru_cache(4096)
def share_unseen(blocks: float, error: float) -> float:
    """The largest share of blocks that may be of a kind not met in so many; wrong with a chance of `error`. 1 without blocks."""
    return -math.expm1(math.log(error) / blocks) if blocks > 0 else 1.0


@lru_cache(4096)
def share_unseen_ever(blocks: float, error: float) -> float:
    """The same for all numbers of blocks at once: a mixture of binomial likelihoods (Krichevsky and Trofimov 1981; Robbins 1970)."""
    if blocks <= 0:
        return 1.0
    return -math.expm1((math.log(error) + log_chance_of_none(blocks)) / blocks)


def log_chance_of_none(blocks: float) -> float:
    """Log of the chance of no event in so many blocks, mixed over all rates; of large numbers two logarithms of gamma would cancel."""
    ratio = math.lgamma(blocks + 0.5) - math.lgamma(blocks + 1) if blocks < 1e4 else -math.log(blocks + 0.25) / 2
    return ratio - math.lgamma(0.5)


def error_at(reach: Callable[[float], float], distance: float, most: float) -> float:
    """The error at which an interval reaches just so far, by halving its logarithm; 1 if it reaches further even at `most`.

    `reach` of an error falls as the error rises.
    """
    if not reach(most) < distance:
        return 1.0
    low, high = math.log(TINY), math.log(most)
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if reach(math.exp(middle)) > distance else (low, middle)
    return math.exp(high)
