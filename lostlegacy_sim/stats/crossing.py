"""Crossing: the gap between the highest and the lowest of several rates, without the luck of the highest.

The largest of several measured rates is too large on average, and the jackknife does not see it. So one
half of the batches says which two rates lie furthest apart, and the other half how far; and the other
way round. What comes out is a plain mean over batches, of which the jackknife is right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def crossed_gap(events: NDArray[Any], trials: NDArray[Any]) -> NDArray[Any]:
    """Events of the gap in each batch, [items, batches]; divide their sum by that of the trials.

    `events`: [items, batches, rates]; `trials`: [items, batches], the same for all rates. Cross-fitting: Chernozhukov et
    al. (2018), section 3. With a single batch there is nothing to cross: it chooses for itself.
    """
    gap = np.empty(events.shape[:2], events.dtype)
    n_halves = min(2, events.shape[1])
    for half in range(n_halves):
        chosen_by = events[:, n_halves - 1 - half :: n_halves].sum(axis=1)  # equal trials: counts rank as rates do
        highest, lowest = chosen_by.argmax(axis=-1), chosen_by.argmin(axis=-1)
        here = events[:, half::n_halves]
        gap[:, half::n_halves] = taken(here, highest) - taken(here, lowest)
    return np.where(trials > 0, gap, 0)


def taken(events: NDArray[Any], rate: NDArray[Any]) -> NDArray[Any]:
    """One rate of each item, [items, batches]; of [items, batches, rates] and [items]."""
    return np.asarray(np.take_along_axis(events, rate[:, None, None], axis=2)[..., 0])
