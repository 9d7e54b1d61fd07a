"""Intervals: known values, coverage, and a wrong method that must fail."""

import itertools
import math

import numpy as np
import pytest
from scipy import special

from lostlegacy_sim.stats.intervals import Interval, clopper_pearson, normal_quantile, student, student_quantile, wilson
from lostlegacy_sim.stats.jackknife import Jackknife, gain_of_pairing, jackknife, largest_gap, pairs


def wald(events: int, trials: int, confidence: float = 0.95) -> Interval:
    """The textbook interval that is never used: it must fail where the others hold."""
    rate = events / trials
    reach = normal_quantile(confidence) * math.sqrt(rate * (1 - rate) / trials)
    return Interval(rate, rate - reach, rate + reach)


def covered(method, rate: float, trials: int) -> float:
    """Exact coverage of an interval for a binomial proportion."""
    logs = [math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1) for k in range(trials + 1)]
    chances = [math.exp(log + k * math.log(rate) + (trials - k) * math.log1p(-rate)) for k, log in enumerate(logs)]
    inside = [interval.low <= rate <= interval.high for interval in (method(k, trials) for k in range(trials + 1))]
    return sum(itertools.compress(chances, inside))


def ratio(counts):
    return counts[..., 0] / counts[..., 1]


# --- known values -----------------------------------------------------------------------------------


def test_quantiles_are_those_of_the_tables():
    assert normal_quantile(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert student_quantile(0.95, 19) == pytest.approx(2.093024, abs=1e-6)
    assert student_quantile(0.99, 1) == pytest.approx(63.65674, abs=1e-4)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 19, 100, 511])
def test_the_quantile_of_student_is_that_of_scipy(freedom):
    for confidence in (0.5, 0.95, 0.99, 1 - 0.05 / 15):
        assert student_quantile(confidence, freedom) == pytest.approx(special.stdtrit(freedom, 0.5 + confidence / 2), rel=1e-9)
        assert normal_quantile(confidence) == pytest.approx(special.ndtri(0.5 + confidence / 2), rel=1e-12)


def test_wilson_known_values():
    assert wilson(10, 100) == pytest.approx((0.1, 0.0552291, 0.1743657), abs=1e-6)
    assert wilson(0, 10) == pytest.approx((0.0, 0.0, 0.2775328), abs=1e-6)
    assert wilson(10, 10) == pytest.approx((1.0, 0.7224672, 1.0), abs=1e-6)


def test_clopper_pearson_known_values():
    assert clopper_pearson(10, 100) == pytest.approx((0.1, 0.0490047, 0.1762226), abs=1e-6)
    assert clopper_pearson(0, 10) == pytest.approx((0.0, 0.0, 1 - 0.025**0.1), abs=1e-9)
    assert clopper_pearson(10, 10) == pytest.approx((1.0, 0.025**0.1, 1.0), abs=1e-9)


def test_student_known_value():
    assert student(np.array([1.0, 2.0, 3.0, 4.0])) == pytest.approx((2.5, 0.445739, 4.554261), abs=1e-5)


def test_nothing_counted_gives_no_bounds():
    assert all(map(math.isnan, wilson(0, 0)))
    assert all(map(math.isnan, clopper_pearson(0, 0)))
    assert math.isnan(student(np.array([3.0])).low)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_lies_between_0_and_1(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 2, confidence)


# --- coverage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rate", "trials"), [(0.5, 400), (0.25, 1000), (0.1, 1000), (0.01, 2000), (0.003, 4000)])
def test_wilson_covers_as_stated(rate, trials):
    assert 0.935 <= covered(wilson, rate, trials) <= 0.965


@pytest.mark.parametrize(("rate", "trials"), [(0.5, 50), (0.1, 100), (0.01, 200), (0.001, 1000)])
def test_clopper_pearson_covers_at_least_as_stated(rate, trials):
    assert covered(clopper_pearson, rate, trials) >= 0.95


def test_the_textbook_interval_fails_near_zero():
    assert covered(wald, 0.003, 400) < 0.75
    assert covered(wilson, 0.003, 400) > 0.935


def simulated_coverage(truth: float, draw, n_runs: int = 3000) -> float:
    rng = np.random.default_rng(20)
    inside = 0
    for _ in range(n_runs):
        interval = draw(rng)
        inside += interval.low <= truth <= interval.high
    return inside / n_runs


def test_student_covers_as_stated():
    assert 0.935 <= simulated_coverage(1.0, lambda rng: student(rng.gamma(4, 0.25, 40))) <= 0.965


def batches_of_shares(rng, n_batches: int = 32, blocks: int = 64):
    """Blocks of four dependent deals: a block's own rate is drawn first. Counts: (wins, deals)."""
    rates = rng.beta(2, 6, (n_batches, blocks))
    wins = rng.binomial(4, rates).sum(axis=1)
    return np.stack([wins, np.full(n_batches, 4 * blocks)], axis=1)


def test_the_jackknife_covers_as_stated_where_deals_depend_on_each_other():
    sizes = np.full(32, 64)
    coverage = simulated_coverage(0.25, lambda rng: jackknife(batches_of_shares(rng), ratio, sizes).interval())
    assert 0.935 <= coverage <= 0.965


def test_wilson_fails_where_deals_depend_on_each_other():
    def draw(rng):
        wins, deals = batches_of_shares(rng).sum(axis=0)
        return wilson(wins, deals)

    assert simulated_coverage(0.25, draw) < 0.93


def test_the_jackknife_covers_a_ratio_with_a_short_last_batch():
    sizes = np.array([16] * 24 + [3])

    def draw(rng):
        turns = np.array([rng.poisson(9, size).sum() for size in sizes])
        decided = np.array([rng.binomial(size, 0.6) for size in sizes])
        return jackknife(np.stack([turns, decided], axis=1), ratio, sizes).interval()

    assert 0.935 <= simulated_coverage(9 / 0.6, draw) <= 0.965


def test_simultaneous_pairs_cover_all_at_once_and_single_ones_do_not():
    rates = np.array([0.25, 0.25, 0.25, 0.25])
    sizes = np.full(32, 32)

    def all_inside(rng, confidence):
        wins = rng.multinomial(32, rates, 32)
        numbers = jackknife(wins, lambda counts: counts / counts.sum(axis=-1, keepdims=True), sizes)
        return all(interval.low <= 0 <= interval.high for _, _, interval in pairs(numbers, confidence))

    rng = np.random.default_rng(4)
    assert 0.94 <= np.mean([all_inside(rng, 0.95) for _ in range(1000)]) <= 0.98
    assert np.mean([all_inside(rng, 1 - 0.05 * 6) for _ in range(1000)]) < 0.9  # each pair at 95 %


# --- the jackknife ------------------------------------------------------------------------------------


def test_for_a_mean_the_jackknife_is_student_over_the_batches():
    values = np.random.default_rng(3).poisson(20, (30, 1))
    counted = np.concatenate([values, np.ones((30, 1), int)], axis=1)
    found = jackknife(counted, ratio, np.ones(30)).interval()
    assert found == pytest.approx(student(values[:, 0]), rel=1e-12)


def test_one_batch_gives_a_number_and_no_bounds():
    found = jackknife(np.array([[3, 10]]), ratio, np.array([10])).interval()
    assert found.value == 0.3
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_leave_one_outs_are_what_slow_recounting_gives():
    counts = np.random.default_rng(5).integers(1, 99, (9, 2))
    found = jackknife(counts, ratio, np.ones(9))
    for left_out in range(9):
        rest = np.delete(counts, left_out, axis=0).sum(axis=0)
        assert found.without[left_out] == rest[0] / rest[1]


def test_a_difference_over_the_same_batches_gains_from_what_they_share():
    rng = np.random.default_rng(6)
    shared = rng.normal(0, 10, 40)
    first = np.stack([shared + rng.normal(5, 1, 40), np.ones(40)], axis=1)
    second = np.stack([shared + rng.normal(4, 1, 40), np.ones(40)], axis=1)
    one, other = jackknife(first, ratio, np.ones(40)), jackknife(second, ratio, np.ones(40))
    difference = (one - other).interval()
    assert difference.low < 1 < difference.high
    assert difference.high - difference.low < 0.3 * (one.interval().high - one.interval().low)
    assert gain_of_pairing(one, other) > 20


def test_a_difference_over_other_batches_is_refused():
    numbers = jackknife(np.ones((4, 2)), ratio, np.ones(4))
    with pytest.raises(ValueError, match="same batches"):
        numbers - jackknife(np.ones((4, 2)), ratio, np.array([1, 1, 1, 2]))


def test_covariance_holds_the_squared_errors():
    wins = np.random.default_rng(7).multinomial(32, [0.2, 0.3, 0.5], 32)
    numbers = jackknife(wins, lambda counts: counts / counts.sum(axis=-1, keepdims=True), np.full(32, 32))
    assert np.diag(numbers.covariance) == pytest.approx(numbers.error**2)
    assert numbers.covariance.sum() == pytest.approx(0, abs=1e-15)  # shares add up to 1


def test_the_largest_gap_is_bounded_by_the_pairs():
    wins = np.random.default_rng(8).multinomial(3200, [0.2, 0.3, 0.5], 32)
    numbers = jackknife(wins, lambda counts: counts / counts.sum(axis=-1, keepdims=True), np.full(32, 3200))
    gap = largest_gap(numbers)
    assert gap.low < 0.3 < gap.high
    assert gap.low == pytest.approx(-{(i, j): interval.high for i, j, interval in pairs(numbers)}[0, 2])


def test_the_largest_gap_of_equals_reaches_down_to_zero():
    wins = np.random.default_rng(9).multinomial(320, [0.25] * 4, 32)
    gap = largest_gap(jackknife(wins, lambda counts: counts / counts.sum(axis=-1, keepdims=True), np.full(32, 320)))
    assert gap.low == 0
    assert gap.high > gap.value > 0


def test_the_jackknife_of_a_vector_is_that_of_its_numbers():
    counts = np.random.default_rng(10).integers(1, 99, (9, 3))
    vector = jackknife(counts, lambda totals: totals[..., :2] / totals[..., 2:], np.ones(9))
    single = jackknife(counts, lambda totals: totals[..., 1] / totals[..., 2], np.ones(9))
    assert isinstance(vector[1], Jackknife)
    assert vector[1].interval() == pytest.approx(single.interval())
