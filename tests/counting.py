"""Plays deals of random bots in the kernel and reads the counts as rates; for tests that know what they should be."""

from math import sqrt

import numpy as np

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.kernel import ask
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.counts import CATEGORIES, LABELS
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.tally import Totals, n_labels, no_exemplars

RANDOM = Bot("random", ask.RANDOM)
Z = 4.0


def random_table(card_set: CardSet, n_seats: int, seed: int = 1) -> LegacyTable:
    """A table of random bots, one rotation."""
    return LegacyTable(card_set, (RANDOM,) * n_seats, 1, seed)


def count(card_set: CardSet, n_seats: int, n_deals: int, seed: int = 1, first: int = 0) -> Totals:
    """The counts of so many deals of random bots."""
    counts = np.zeros(n_labels(LABELS), np.int64)
    random_table(card_set, n_seats, seed).play(first, n_deals, counts, no_exemplars(CATEGORIES))
    return Totals(LABELS, counts)


def outside(found: int, n_deals: int, expected: float, own_error: float = 0.0) -> bool:
    """Whether a count is more than Z standard errors away from its expected rate (known up to `own_error`)."""
    error = sqrt(expected * (1 - expected) / n_deals + own_error**2)
    return abs(found / n_deals - expected) > Z * error + 1e-12
