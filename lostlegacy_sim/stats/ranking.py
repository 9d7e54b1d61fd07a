"""Rankings: who is ahead of whom, where that can be told; and who is beaten in nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.intervals import student_quantile
from lostlegacy_sim.stats.unseen import ANYWHERE, Span, share_unseen

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def ranks(scores: NDArray[Any]) -> Floats:
    """Ranks from 1, the lowest score first, [items]; equal scores share the mean of their ranks."""
    scores = np.asarray(scores, float)
    ordered = np.sort(scores)
    below, up_to = np.searchsorted(ordered, scores, "left"), np.searchsorted(ordered, scores, "right")
    return np.asarray((below + up_to + 1) / 2)


def rank_intervals(
    scores: NDArray[Any], deviations: NDArray[Any], confidence: float = 0.95, span: Span = ANYWHERE, slack: NDArray[Any] | float = 0.0
) -> tuple[Whole, Whole]:
    """Lowest and highest rank each item may have, [items] each; all hold at once.

    `scores`: [items], the lowest ranks first; `deviations`: [batches, items], as of a Jackknife, so
    that what the items share cancels; `span`: what the difference of two scores lies between; `slack`: [items], how far each
    may be off besides. An item is ahead of another where the interval of their difference says
    so, Bonferroni over all pairs: Klein, Wright and Wieczorek (2020), "A joint confidence region for an
    overall ranking of populations". All ranks are open with fewer than two batches.
    """
    scores = np.asarray(scores, float)
    n_items = len(scores)
    if len(deviations) < 2 or n_items < 2:
        return np.ones(n_items, np.int64), np.full(n_items, n_items)
    n_pairs = n_items * (n_items - 1) // 2
    error = (1 - confidence) / n_pairs
    quantile = student_quantile(1 - error, len(deviations) - 1)
    off = np.broadcast_to(slack, scores.shape)
    _, high = span.bounds(scores[:, None] - scores[None, :], difference_errors(deviations), quantile, share_unseen(span.blocks, error / 2),
                          off[:, None] + off[None, :])  # fmt: skip
    is_ahead: NDArray[np.bool_] = np.asarray(high < 0)
    return 1 + is_ahead.sum(axis=0), n_items - is_ahead.sum(axis=1)


def difference_errors(deviations: NDArray[Any]) -> Floats:
    """Standard error of the difference of every two items, [items, items]; of [batches, items]."""
    covariance = deviations.T @ deviations
    variances = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, 0.0)))


def pareto_fronts(scores: NDArray[Any]) -> Whole:
    """The front each item stands on, [items]; of scores [items, goals], low is good.

    Front 1: no item is as good in every goal and better in one. Front 2: the same once front 1 is taken away; and so on.
    """
    scores = np.asarray(scores, float)
    fronts = np.zeros(len(scores), np.int64)
    as_good = (scores[:, None, :] <= scores[None, :, :]).all(axis=-1)
    beats: NDArray[np.bool_] = np.asarray(as_good & ~as_good.T)  # [by, whom]
    number = 0
    while (left := np.asarray(fronts == 0)).any():
        number += 1
        is_beaten = beats[left].any(axis=0)
        fronts[left & ~is_beaten] = number
    return fronts
