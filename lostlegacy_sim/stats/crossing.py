"""Crossing: the gap between the highest and the lowest of several rates, for differences and means of such gaps.

The largest of several measured rates is too large on average, and the jackknife does not see it. So which two rates lie furthest
apart is told before each batch by the batches before it, and the batch says only how far: sums of fair bets, whose error the
jackknife does see, whether rates compete for being the highest or not (Luedtke and van der Laan 2016). The first eighth of the
batches, which would choose by few, is told by all that come after it.

While rates compete the choice is sometimes wrong, and what was measured is then too small: by nothing if they are equal, by as
much as about twice the shortfall that all batches together see in the choices if they are an error or two apart, and no data
tell these apart. So the shortfall is added once, and LEEWAY times as much is allowed for to either side. It is no error of chance:
it does not shrink in a mean over many sets. Where two rates are clearly the highest and the lowest it is nothing.

Simulated (tests/test_ranking.py; 20 to 1,000 deals, paired or not, rates equal, an error or two apart, and clear): intervals at 95 % of a
difference cover 93.5 % or more and of clear gaps about 95 %; where rates compete they are wider than need be, up to 99.9 %. Those of means of
many differences cover 96 % or more. That LEEWAY is enough is shown by that, and not proved.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.stats.unseen import ANYWHERE, Floats, Span

LEEWAY = 2.25  # shortfalls: how far a gap may be off by the choices alone
FIRST = 8  # the first of so many parts of the batches is told by the others


def crossed_gap(events: NDArray[Any], trials: NDArray[Any], sizes: NDArray[Any], span: Span = ANYWHERE) -> Jackknife:
    """The gap of every item: value [items], without [batches, items].

    `events`: [items, batches, rates]; `trials`: [items, batches], the same for all rates; `sizes`: [batches].
    With a single batch there is nothing to cross.
    """
    highest, lowest = chosen(events)
    found = ratio_jackknife(taken(events, highest) - taken(events, lowest), trials, sizes, span)
    short = shortfall(events, trials, highest, lowest)
    return Jackknife(found.value + short, found.without + short, found.sizes, span, LEEWAY * short)


def chosen(events: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which rate each batch takes for the highest and for the lowest, [items, batches] each; a single batch chooses for itself."""
    batches = events.shape[1]
    first = max(1, batches // FIRST)
    by = events.cumsum(axis=1) - events
    by[:, :first] = events[:, first % batches :].sum(axis=1, keepdims=True)
    return by.argmax(axis=-1), by.argmin(axis=-1)  # equal trials: counts rank as rates do


def shortfall(events: NDArray[Any], trials: NDArray[Any], highest: NDArray[np.intp], lowest: NDArray[np.intp]) -> Floats:
    """By how much the rates that were chosen lie less far apart than the furthest two, as all batches have it, [items]."""
    rates = quotient(events.sum(axis=1), trials.sum(axis=1)[:, None])
    of_each = np.broadcast_to(rates[:, None], events.shape)
    apart = (taken(of_each, highest) - taken(of_each, lowest)) * trials
    return np.asarray(np.maximum(np.ptp(rates, axis=-1) - quotient(apart.sum(axis=1), trials.sum(axis=1)), 0.0))


def taken(events: NDArray[Any], rate: NDArray[np.intp]) -> NDArray[Any]:
    """One rate of each batch, [items, batches]; of [items, batches, rates] and [items, batches]."""
    return np.asarray(np.take_along_axis(events, rate[..., None], axis=2)[..., 0])


def ratio_jackknife(events: NDArray[Any], trials: NDArray[Any], sizes: NDArray[Any], span: Span = ANYWHERE) -> Jackknife:
    """The jackknife of sum of events / sum of trials of every item; both [items, batches]; nan without trials."""
    all_events, all_trials = events.sum(axis=1), trials.sum(axis=1)
    value = quotient(all_events, all_trials)
    without = quotient((all_events[:, None] - events).T, (all_trials[:, None] - trials).T)
    return Jackknife(value, without if len(sizes) > 1 else np.full((1, len(value)), np.nan), np.asarray(sizes, float), span)


def quotient(events: NDArray[Any], trials: NDArray[Any]) -> NDArray[np.float64]:
    """events / trials; nan where there were no trials."""
    events, trials = np.broadcast_arrays(events, trials)
    found: NDArray[np.float64] = np.full(events.shape, np.nan)
    np.divide(events, trials, out=found, where=trials != 0)
    return found
