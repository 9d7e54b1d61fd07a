"""The largest of several numbers: said to be so where it surely is, and next to never where another one is."""

import numpy as np
import pytest

from lostlegacy_sim.stats.foremost import rivals
from lostlegacy_sim.stats.jackknife import Jackknife, jackknife
from lostlegacy_sim.stats.unseen import Span

BATCHES, BLOCKS = 32, 100


def rates(chances: list[float], seed: int, batches: int = BATCHES) -> list[Jackknife]:
    """Independent events with these chances, counted in batches."""
    counts = np.random.default_rng(seed).binomial(BLOCKS, chances, size=(batches, len(chances)))
    found = jackknife(counts, lambda totals: totals / (BLOCKS * batches), np.full(batches, BLOCKS), Span(0, 1, float(BLOCKS * batches)))
    return [found[place] for place in range(len(chances))]


def test_a_number_far_ahead_has_no_rivals_and_a_near_one_is_named():
    numbers = rates([0.2, 0.6, 0.21, 0.59], 1)
    first = max(range(4), key=lambda place: float(numbers[place].value))
    assert set(rivals(numbers, first)) == {1, 3} - {first}
    assert rivals(rates([0.2, 0.6, 0.3], 1), 1) == []
    assert rivals(rates([0.2], 1), 0) == []


def test_with_one_batch_every_other_number_is_a_rival():
    assert rivals(rates([0.1, 0.9], 1, batches=1), 1) == [0]


@pytest.mark.parametrize("size", [2, 6])
def test_the_first_of_equals_is_next_to_never_called_surely_the_first(size):
    alarms = 0
    for seed in range(200):
        numbers = rates([0.3] * size, seed)
        alarms += not rivals(numbers, max(range(size), key=lambda place, numbers=numbers: float(numbers[place].value)))
    assert alarms <= 20  # at most 5 % of 200, with room for chance
