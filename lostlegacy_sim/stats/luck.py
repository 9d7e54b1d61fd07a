"""Luck: how much of what varies is settled by the shuffle alone, from several plays of each shuffle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.jackknife import Jackknife, jackknife
from lostlegacy_sim.stats.unseen import Span

COLUMNS = ("shuffles", "of means", "of squared means", "within")  # what a batch of shuffles is summed up to
MOST_BATCHES = 512


def luck_share(outcomes: NDArray[Any]) -> Jackknife:
    """Between-shuffle variance of the expected outcome / total variance: of each seat, and of all together last, [seats + 1].

    `outcomes`: [repeats, shuffles, seats], 2 repeats or more, independent of each other given the shuffle. Both variances
    are estimated without bias from the mean squares between and within shuffles (one-way analysis of variance with random
    effects; Fisher 1925); the share is their ratio, the intraclass correlation, nan where nothing varies. It may fall
    below 0 by chance. Shuffles are batched for its interval, the jackknife.
    """
    repeats = len(outcomes)
    if repeats < 2:
        raise ValueError("luck is told from two plays of a shuffle or more")
    batches, sizes = summed(np.asarray(outcomes, float))

    def shares(sums: NDArray[Any]) -> NDArray[Any]:
        parts = sums.reshape(*sums.shape[:-1], len(COLUMNS), -1)
        between, within = variances(parts, repeats)
        both = [np.concatenate([part, part.sum(axis=-1, keepdims=True)], axis=-1) for part in (between, between + within)]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(both[0] / both[1])

    return jackknife(batches, shares, sizes, Span(0.0, 1.0, float(sizes.sum())))


def summed(outcomes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Batches [batches, 4 * seats] of sums over shuffles, and how many shuffles are in each."""
    means, within = outcomes.mean(axis=0), outcomes.var(axis=0, ddof=1)
    columns = np.concatenate([np.ones_like(means), means, means**2, within], axis=-1)
    starts = np.unique(np.linspace(0, len(columns), min(MOST_BATCHES, len(columns)) + 1).astype(int))
    return np.add.reduceat(columns, starts[:-1], axis=0), np.diff(starts)


def variances(parts: NDArray[Any], repeats: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Between shuffles and within them, [..., seats] each; of sums [..., 4, seats]."""
    shuffles, means, squares, inside = (parts[..., place, :] for place in range(len(COLUMNS)))
    within = inside / shuffles
    of_means = (squares - means**2 / shuffles) / (shuffles - 1)
    return of_means - within / repeats, within
