"""Confidence sequences: they hold at every look at once, and what does not must fail the same test."""

import math

import numpy as np
import pytest
from scipy import special, stats

from lostlegacy_sim.stats.intervals import Interval, clopper_pearson, student_quantile
from lostlegacy_sim.stats.jackknife import jackknife, largest_gap
from lostlegacy_sim.stats.sequences import (
    FIRST_BATCHES,
    TIGHTEST_AT,
    asymptotic,
    asymptotic_gap,
    beta_binomial,
    blocks_for,
    log_mixture_ratio,
    prior_size,
    reach,
)

RUNS, BATCHES, BLOCKS = 2000, 200, 16
LIMIT = 0.05 + 4 * math.sqrt(0.05 * 0.95 / RUNS)  # the error allowed, and z = 4 for the runs


def ratio(counts):
    return counts[..., 0] / counts[..., 1]


# --- known values -----------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [20.0, 320.0, 65_536.0, 1e7])
def test_the_asymptotic_boundary_is_the_one_of_the_paper(blocks):
    """Waudby-Smith et al. (2021), theorem 2.2, written as there."""
    rho, alpha = math.sqrt(1 / prior_size(0.95, 1000)), 0.05
    scaled = blocks * rho**2 + 1
    margin = math.sqrt(2 * scaled / (blocks**2 * rho**2) * math.log(math.sqrt(scaled) / alpha))
    assert float(reach(blocks, 0.95, 1000)) == pytest.approx(margin * math.sqrt(blocks), rel=1e-12)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_a_sequence_is_tightest_where_it_is_told_to_be(confidence):
    """The best tuning known exactly, by Lambert's W: the one used is within half a percent of its width."""
    alpha = 1 - confidence
    exact = 1000 / (-float(special.lambertw(-(alpha**2) * math.exp(-1), -1).real) - 1)
    share = 1000 / exact
    best = math.sqrt((1 + 1 / share) * (math.log1p(share) - 2 * math.log(alpha)))
    assert best <= float(reach(1000.0, confidence, 1000)) <= 1.005 * best


def test_the_default_is_three_errors_wide_at_its_best_and_forgiving_elsewhere():
    found = reach(np.array([0.1, 1, 10, 100]) * TIGHTEST_AT)
    assert found == pytest.approx([3.76, 3.04, 3.26, 3.58], abs=0.01)


def test_the_mixture_is_the_integral_over_its_prior():
    events, trials, rate, size = 7, 30, 0.3, 12.0
    rates = np.linspace(0, 1, 200_001)
    prior = stats.beta.pdf(rates, size * rate, size * (1 - rate))
    mixed = np.trapezoid(stats.binom.pmf(events, trials, rates) * prior, rates)
    known = math.log(mixed / stats.binom.pmf(events, trials, rate))
    assert float(log_mixture_ratio(events, trials, rate, size)) == pytest.approx(known, abs=1e-6)


@pytest.mark.parametrize(("events", "trials"), [(0, 100), (1, 100), (2, 1000), (500, 1000), (99, 100), (100, 100), (7.25, 80)])
@pytest.mark.parametrize("tightest_at", [10, 10_000, TIGHTEST_AT])
def test_the_bounds_are_where_rates_begin_to_be_excluded(events, trials, tightest_at):
    found = beta_binomial(events, trials, 0.95, tightest_at)
    rates = np.linspace(1e-6, 1 - 1e-6, 20_001)
    inside = log_mixture_ratio(events, trials, rates, prior_size(0.95, tightest_at)) <= math.log(20)
    assert np.array_equal(inside, (rates >= found.low) & (rates <= found.high))


def test_a_sequence_for_one_look_is_wider_than_the_interval_for_one_look():
    for events, trials in ((10, 100), (250_000, 1_000_000)):
        narrow, wide = clopper_pearson(events, trials), beta_binomial(events, trials)
        assert wide.low < narrow.low < narrow.high < wide.high


def test_nothing_counted_gives_no_bounds():
    assert all(map(math.isnan, beta_binomial(0, 0)))
    rows = np.ones((FIRST_BATCHES, 2)) * [[3, 9]]
    assert math.isnan(asymptotic(jackknife(rows, ratio, np.ones(FIRST_BATCHES))).low)  # nothing has varied


def test_before_the_20th_batch_there_are_no_bounds():
    rows = np.stack([np.arange(FIRST_BATCHES), np.full(FIRST_BATCHES, 99)], axis=1)
    whole = asymptotic(jackknife(rows, ratio, np.ones(len(rows))))
    early = asymptotic(jackknife(rows[1:], ratio, np.ones(len(rows) - 1)))
    assert whole.low < whole.value < whole.high
    assert math.isnan(early.low)
    assert math.isnan(early.high)


def test_blocks_for_a_target_are_those_at_which_it_is_reached():
    needed = blocks_for(0.43, 0.005)
    assert float(reach(needed)) * 0.43 / math.sqrt(needed) == pytest.approx(0.005, rel=1e-4)
    assert blocks_for(0.43, 0.001) > 20 * needed
    assert math.isinf(blocks_for(0.43, 0.0))
    assert blocks_for(0.43, 1e-9) > 1e17


# --- coverage at every look ---------------------------------------------------------------------------


def looks(rng, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Events and trials after every batch: [RUNS, BATCHES], [BATCHES]."""
    return rng.binomial(BLOCKS, rate, (RUNS, BATCHES)).cumsum(axis=1), BLOCKS * np.arange(1, BATCHES + 1)


@pytest.mark.parametrize("rate", [0.5, 0.25, 0.02, 0.001])
@pytest.mark.parametrize("tightest_at", [500, TIGHTEST_AT])
def test_the_beta_binomial_sequence_holds_at_all_looks_at_once(rate, tightest_at):
    events, trials = looks(np.random.default_rng(11), rate)
    missed = log_mixture_ratio(events, trials, rate, prior_size(0.95, tightest_at)) > math.log(20)
    assert missed.any(axis=1).mean() <= 0.05


def test_the_interval_for_one_look_fails_when_looked_at_after_every_batch():
    events, trials = looks(np.random.default_rng(11), 0.25)
    low, high = special.betaincinv(events, trials - events + 1, 0.025), special.betaincinv(events + 1, trials - events, 0.975)
    missed = (low > 0.25) | (high < 0.25)
    assert missed.any(axis=1).mean() > 3 * LIMIT
    assert missed[:, -1].mean() < LIMIT  # at one look it holds


def test_shares_of_a_block_are_covered_like_events():
    """Four deals a block that share a rate of their own: sums of quarters instead of events."""
    rng = np.random.default_rng(12)
    rates = rng.beta(0.5, 1.5, (RUNS, BATCHES, BLOCKS))
    shares = (rng.binomial(4, rates) / 4).sum(axis=2).cumsum(axis=1)
    trials = BLOCKS * np.arange(1, BATCHES + 1)
    missed = log_mixture_ratio(shares, trials, 0.25, prior_size(0.95, 500)) > math.log(20)
    assert missed.any(axis=1).mean() <= 0.05
    deals = log_mixture_ratio(4 * shares, 4 * trials, 0.25, prior_size(0.95, 2000)) > math.log(20)
    assert deals.any(axis=1).mean() > 0.1  # deals counted as if they were independent


def alarms(values: np.ndarray, width) -> float:
    """Share of runs in which 0 is ever outside mean +/- width(batches) errors, from the 20th batch on."""
    batches = np.arange(1, values.shape[1] + 1)
    mean = values.cumsum(axis=1) / batches
    spread = np.maximum((values**2).cumsum(axis=1) - batches * mean**2, 0) / np.maximum(batches - 1, 1)
    error = np.sqrt(spread / batches)
    outside = np.abs(mean) > width(batches) * error
    return float(outside[:, FIRST_BATCHES - 1 :].any(axis=1).mean())


@pytest.fixture(scope="module")
def same_twice() -> np.ndarray:
    """Differences of the mean lengths of batches of two equal halves: [RUNS, BATCHES]."""
    rng = np.random.default_rng(13)
    shared = rng.gamma(4, 0.5, (RUNS, BATCHES))
    first, second = (shared + rng.gamma(1.5, 1, (RUNS, BATCHES, 4)).mean(axis=2) for _ in range(2))
    return second - first


@pytest.mark.parametrize("tightest_at", [BLOCKS * FIRST_BATCHES, 2000, TIGHTEST_AT])
def test_two_thousand_comparisons_of_equals_looked_at_after_every_batch_raise_at_most_5_percent_alarms(same_twice, tightest_at):
    assert alarms(same_twice, lambda batches: reach(BLOCKS * batches, 0.95, tightest_at)) <= 0.05


def test_peeking_with_an_interval_for_one_look_raises_far_more(same_twice):
    quantiles = np.array([student_quantile(0.95, max(batches - 1, 1)) for batches in range(1, BATCHES + 1)])
    assert alarms(same_twice, lambda batches: quantiles) > 0.2


def test_the_sequence_of_a_jackknife_is_the_one_whose_alarms_were_counted(same_twice):
    values = same_twice[0, :50]
    found = asymptotic(jackknife(np.stack([values, np.ones(50)], axis=1), ratio, np.full(50, BLOCKS)))
    error = values.std(ddof=1) / math.sqrt(50)
    assert found.high - found.value == pytest.approx(float(reach(50.0 * BLOCKS)) * error, rel=1e-9)


def test_a_true_difference_is_found_in_the_end():
    rng = np.random.default_rng(14)
    values = rng.normal(0.3, 1, 400)
    found = asymptotic(jackknife(np.stack([values, np.ones(400)], axis=1), ratio, np.full(400, BLOCKS)), 0.95, 2000)
    assert 0 < found.low < 0.3 < found.high


# --- gaps -----------------------------------------------------------------------------------------------


def shares(rng, rates, batches=40):
    return jackknife(rng.multinomial(400, rates, batches), lambda counts: counts / counts.sum(axis=-1, keepdims=True), np.full(batches, 400))


def test_the_gap_of_a_sequence_is_wider_than_the_gap_of_one_look_and_holds_all_pairs():
    rng = np.random.default_rng(15)
    numbers = shares(rng, [0.2, 0.3, 0.5])
    once, ever = largest_gap(numbers), asymptotic_gap(numbers)
    assert ever.low < once.low < 0.3 < once.high < ever.high
    assert isinstance(ever, Interval)


def test_the_gap_of_equals_reaches_down_to_zero_and_has_no_bounds_too_early():
    rng = np.random.default_rng(16)
    assert asymptotic_gap(shares(rng, [0.25] * 4)).low == 0
    assert math.isnan(asymptotic_gap(shares(rng, [0.25] * 4, 19)).low)
