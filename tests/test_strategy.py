"""Nash averaging, dominance and cycles: published examples, brute force, and how often they are wrong."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lostlegacy_sim.stats.differences import single
from lostlegacy_sim.stats.jackknife import Jackknife, jackknife
from lostlegacy_sim.stats.strategy import cycles, dominances, entropy, nash_average, resampled
from lostlegacy_sim.stats.unseen import ANYWHERE, Span

ROCK_PAPER_SCISSORS = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)


def test_who_beats_all_has_all_the_weight():
    assert nash_average([[0, 1, 3], [-1, 0, 2], [-3, -2, 0]]) == pytest.approx([1, 0, 0])


def test_a_circle_is_shared():
    found = nash_average(ROCK_PAPER_SCISSORS)
    assert found == pytest.approx([1 / 3] * 3)
    assert entropy(found) == pytest.approx(math.log(3))


def test_a_copy_shares_the_weight_of_its_original():
    """Balduzzi et al. (2018), section 3: entering a strategy twice changes nothing but its weight."""
    gains = np.array([[0, 4.6, -4.6, -4.6], [-4.6, 0, 4.6, 4.6], [4.6, -4.6, 0, 0], [4.6, -4.6, 0, 0]])
    assert nash_average(gains) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6])


def test_equals_are_weighted_alike():
    assert nash_average(np.zeros((4, 4))) == pytest.approx([0.25] * 4)


def test_an_uneven_circle():
    """Known in closed form: the weight of each is what the other two play for."""
    gains = np.array([[0, 1, -2], [-1, 0, 3], [2, -3, 0]], float)
    assert nash_average(gains) == pytest.approx([3 / 6, 2 / 6, 1 / 6])


def test_among_many_unbeaten_mixtures_the_most_even_is_found():
    """Brute force over a grid: the first two beat the third and break even with each other; the fourth breaks even with all."""
    gains = np.array([[0, 0, 1, 0], [0, 0, 1, 0], [-1, -1, 0, 0], [0, 0, 0, 0]], float)
    found = nash_average(gains)
    steps = 24
    grid = [np.array([a, b, c, steps - a - b - c]) / steps for a in range(steps + 1) for b in range(steps + 1 - a) for c in range(steps + 1 - a - b)]
    unbeaten = [weights for weights in grid if (weights @ gains >= -1e-12).all()]
    assert len(unbeaten) > 10
    assert (found @ gains).min() >= -1e-9
    assert max(map(entropy, unbeaten)) <= entropy(found) + 1e-9
    assert found == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])


def test_nobody_gains_against_any_average():
    chance = np.random.default_rng(3)
    for _ in range(100):
        size = chance.integers(2, 9)
        drawn = chance.normal(size=(size, size))
        gains = drawn - drawn.T
        weights = nash_average(gains)
        assert weights.sum() == pytest.approx(1)
        assert weights.min() >= 0
        assert (weights @ gains).min() > -1e-6
        swapped = chance.permutation(size)
        assert nash_average(gains[np.ix_(swapped, swapped)]) == pytest.approx(weights[swapped], abs=1e-5)


@pytest.mark.parametrize("matrix", [[[0, 1], [1, 0]], [[0, math.nan], [math.nan, 0]], [[1, 0], [0, -1]]])
def test_what_is_not_antisymmetric_is_refused(matrix):
    with pytest.raises(ValueError, match="the other one loses"):
        nash_average(matrix)


def test_batches_drawn_anew_vary_as_much_as_sums_do():
    columns = np.random.default_rng(1).normal(size=(400, 1))
    found = resampled(columns, lambda totals: totals, 2000, seed=2)
    assert found.std() == pytest.approx(columns.std() * math.sqrt(400), rel=0.1)


# --- dominance and cycles --------------------------------------------------------------------------------


def played(true: np.ndarray, batches: int, chance: np.random.Generator) -> Jackknife:
    """Batches of noisy antisymmetric gains around the true ones."""
    noise = chance.normal(size=(batches, *true.shape))
    drawn = true + (noise - np.swapaxes(noise, 1, 2)) / math.sqrt(2)
    columns = drawn.reshape(batches, -1)
    return jackknife(columns, lambda sums: sums.reshape(*sums.shape[:-1], *true.shape) / batches, np.ones(batches))


def test_a_planted_dominance_and_its_bound():
    true = np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]], float)
    found = dominances(played(true, 400, np.random.default_rng(1)))
    assert {(one.better, one.worse) for one in found} == {(0, 1), (0, 2), (1, 2)}
    for one in found:
        assert 0 < one.low < one.least
        assert one.least == pytest.approx(1 if one.better + 1 == one.worse else 2, abs=0.25)
    assert not cycles(played(true, 400, np.random.default_rng(1)))


def test_a_planted_circle_is_found_in_its_direction():
    true = np.zeros((5, 5))
    true[np.ix_([4, 1, 2], [4, 1, 2])] = ROCK_PAPER_SCISSORS
    found = cycles(played(true, 200, np.random.default_rng(2)))
    assert len(found) == 1
    start = found[0].members.index(4)
    assert [found[0].members[(start + step) % 3] for step in range(3)] == [4, 1, 2]
    assert 0.5 < found[0].low < found[0].least < 1.3
    assert not dominances(played(true, 200, np.random.default_rng(2)))


def alarms(find, true, rounds=400):
    """How often something is found."""
    chance = np.random.default_rng(7)
    return sum(bool(find(played(true, 30, chance))) for _ in range(rounds)) / rounds


def naive_dominances(gains):
    """The must-fail twin: every pair at 5 % for itself, by its mean over opponents."""
    size = len(gains.value)
    means = [Jackknife(gains[row].value.mean(), gains[row].without.mean(axis=1), gains.sizes) for row in range(size)]
    return [(one, other) for one in range(size) for other in range(size) if one != other and (means[one] - means[other]).interval().low > 0]


def test_where_all_are_equal_little_is_found():
    nothing = np.zeros((5, 5))
    limit = 0.05 + 4 * math.sqrt(0.05 * 0.95 / 400)
    assert alarms(dominances, nothing) <= limit
    assert alarms(cycles, nothing) <= limit
    assert alarms(naive_dominances, nothing) > limit


def test_a_single_batch_says_nothing():
    true = 5 * np.array([[0, 1], [-1, 0]], float)
    assert dominances(played(true, 1, np.random.default_rng(1))) == []


def test_what_has_not_differed_yet_is_not_certain():
    """What has been the same in nine shuffles may be otherwise in the next; after a hundred that it is above 0 is certain, how far is not."""
    for blocks, is_told in ((9, False), (100, True)):
        columns = np.array([[0.1 * blocks / 3, blocks / 3]] * 3)
        number = jackknife(columns, lambda sums: sums[..., 0] / sums[..., 1], np.full(3, blocks / 3), Span(-1, 1, blocks))
        found = single(number)
        assert found.error == 0
        assert (found.p_value() < 0.05) == is_told
        assert found.interval().low < 0.1 < found.interval().high
        assert math.isnan(single(replace(number, span=ANYWHERE)).interval().low)  # what may lie anywhere is not bounded by batches that agree
