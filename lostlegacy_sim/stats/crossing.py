"""Crossing: the gap between the highest and the lowest of several rates, for differences and means of such gaps.

The largest of several measured rates is too large on average, and the jackknife does not see it. So one
half of the batches says which two rates lie furthest apart, and the other half how far; and the other
way round. What comes out is a plain mean over batches. Where two rates compete for being the highest or the lowest,
the two halves do not err independently, and the mean errs up to half as much again as its jackknife says:
there the error is taken as if they erred alike.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.stats.unseen import ANYWHERE, Span

DOUBT = 3.0  # standard errors: rates that are closer compete
ALIKE = sqrt(2.0)  # error of a mean of two halves that err alike, as a multiple of two that err independently


def crossed_gap(events: NDArray[Any], trials: NDArray[Any], sizes: NDArray[Any], span: Span = ANYWHERE) -> Jackknife:
    """The gap of every item: value [items], without [batches, items].

    `events`: [items, batches, rates]; `trials`: [items, batches], the same for all rates; `sizes`: [batches].
    Cross-fitting: Chernozhukov et al. (2018), section 3. With a single batch there is nothing to cross.
    """
    found = ratio_jackknife(crossed_events(events), trials, sizes, span)
    if len(sizes) < 2:
        return found
    factor = np.where(is_doubtful(events), ALIKE, 1.0)
    return Jackknife(found.value, found.value + (found.without - found.value) * factor, found.sizes, span)


def crossed_events(events: NDArray[Any]) -> NDArray[Any]:
    """Events of the gap in each batch, [items, batches]: highest minus lowest as the batches of the other half have it."""
    gap = np.empty(events.shape[:2], events.dtype)
    n_halves = min(2, events.shape[1])
    for half in range(n_halves):
        chosen_by = events[:, n_halves - 1 - half :: n_halves].sum(axis=1)  # equal trials: counts rank as rates do
        here = events[:, half::n_halves]
        gap[:, half::n_halves] = taken(here, chosen_by.argmax(axis=-1)) - taken(here, chosen_by.argmin(axis=-1))
    return gap


def is_doubtful(events: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether it is open which rate is the highest or the lowest, [items]."""
    order = np.argsort(events.sum(axis=1), axis=-1)
    lead, tail = (difference_in_errors(events, order[:, upper], order[:, lower]) for upper, lower in ((-1, -2), (1, 0)))
    return np.asarray((lead < DOUBT) | (tail < DOUBT))


def difference_in_errors(events: NDArray[Any], upper: NDArray[Any], lower: NDArray[Any]) -> NDArray[Any]:
    """How many standard errors one rate of each item lies above another, [items]."""
    differences = taken(events, upper) - taken(events, lower)
    errors = differences.std(axis=1, ddof=1) * sqrt(events.shape[1])
    ratio = np.zeros(len(events))
    np.divide(differences.sum(axis=1), errors, out=ratio, where=errors > 0)
    return ratio


def taken(events: NDArray[Any], rate: NDArray[Any]) -> NDArray[Any]:
    """One rate of each item, [items, batches]; of [items, batches, rates] and [items]."""
    return np.asarray(np.take_along_axis(events, rate[:, None, None], axis=2)[..., 0])


def ratio_jackknife(events: NDArray[Any], trials: NDArray[Any], sizes: NDArray[Any], span: Span = ANYWHERE) -> Jackknife:
    """The jackknife of sum of events / sum of trials of every item; both [items, batches]; nan without trials."""
    all_events, all_trials = events.sum(axis=1), trials.sum(axis=1)
    value = quotient(all_events, all_trials)
    without = quotient((all_events[:, None] - events).T, (all_trials[:, None] - trials).T)
    return Jackknife(value, without if len(sizes) > 1 else np.full((1, len(value)), np.nan), np.asarray(sizes, float), span)


def quotient(events: NDArray[Any], trials: NDArray[Any]) -> NDArray[np.float64]:
    """events / trials; nan where there were no trials."""
    found: NDArray[np.float64] = np.full(events.shape, np.nan)
    np.divide(events, trials, out=found, where=trials != 0)
    return found
