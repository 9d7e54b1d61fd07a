"""Ranks, what can be told of them, fronts, and the gap that is measured where it was not chosen."""

import numpy as np
import pytest

from lostlegacy_sim.stats.crossing import crossed_events, crossed_gap, ratio_jackknife
from lostlegacy_sim.stats.ranking import difference_errors, pareto_fronts, rank_intervals, ranks


def test_equal_scores_share_the_mean_of_their_ranks():
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1, 3.5, 2]
    assert ranks(np.zeros(4)).tolist() == [2.5] * 4


def test_ranks_agree_with_scipy():
    from scipy.stats import rankdata

    scores = np.random.default_rng(1).integers(0, 20, 100)
    assert ranks(scores).tolist() == rankdata(scores).tolist()


def test_fronts_of_a_known_table():
    scores = np.array([[1, 9], [9, 1], [2, 2], [3, 3], [3, 2], [9, 9], [2, 2]])
    #                    1       1       1       3       2       4       1: equals stand together
    assert pareto_fronts(scores).tolist() == [1, 1, 1, 3, 2, 4, 1]
    assert pareto_fronts(np.array([[3], [1], [2]])).tolist() == [3, 1, 2]


def test_errors_of_differences_are_those_of_the_differences():
    deviations = np.random.default_rng(2).normal(size=(50, 6)) + np.random.default_rng(3).normal(size=(50, 1))
    found = difference_errors(deviations)
    for first in range(6):
        for second in range(6):
            assert found[first, second] == pytest.approx(np.sqrt(((deviations[:, first] - deviations[:, second]) ** 2).sum()))


def drawn(means: np.ndarray, batches: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Means of batches with a part that all items share, and their scaled deviations."""
    values = means + generator.normal(size=(batches, len(means))) + 5 * generator.normal(size=(batches, 1))
    return values.mean(axis=0), (values - values.mean(axis=0)) / np.sqrt(batches * (batches - 1))


def miss_rate(means: np.ndarray, confidence: float) -> float:
    """How often the true rank of some item lies outside its interval, in 400 draws."""
    generator, true = np.random.default_rng(4), ranks(means)
    missed = 0
    for _ in range(400):
        low, high = rank_intervals(*drawn(means, 60, generator), confidence)
        missed += bool(((true < low) | (true > high)).any())
    return missed / 400


def test_rank_intervals_hold_all_at_once():
    means = np.linspace(0, 0.01, 8)  # the hardest case: hardly a difference to be told
    assert miss_rate(means, 0.95) <= 0.05
    assert miss_rate(means, 0.05) > 0.05  # the same count finds an interval that is too narrow


def test_items_far_apart_are_ranked_and_equal_ones_are_not():
    generator = np.random.default_rng(5)
    low, high = rank_intervals(*drawn(np.array([0.0, 0.0, 50.0, 100.0]), 60, generator))
    assert (low.tolist(), high.tolist()) == ([1, 1, 3, 4], [2, 2, 3, 4])
    assert rank_intervals(np.array([1.0, 2.0]), np.zeros((1, 2)))[1].tolist() == [2, 2]  # one batch says nothing


def gaps(rates: np.ndarray, runs: int) -> tuple[float, float]:
    """Mean of the plain and of the crossed gap, in many short runs."""
    events = np.random.default_rng(6).binomial(20, rates, size=(runs, 30, len(rates)))
    totals = events.sum(axis=1) / 600
    plain = totals.max(axis=1) - totals.min(axis=1)
    return float(plain.mean()), float(crossed_gap(events, np.full((runs, 30), 20), np.ones(30)).value.mean())


def test_a_crossed_gap_is_not_too_large_and_the_plain_one_is():
    plain, crossed = gaps(np.full(4, 0.25), 4000)
    assert abs(crossed) < 0.002
    assert plain > 0.03
    plain, crossed = gaps(np.array([0.4, 0.25, 0.25, 0.1]), 2000)
    assert crossed == pytest.approx(0.3, abs=0.003)


def test_a_single_batch_chooses_for_itself():
    found = crossed_gap(np.array([[[3, 8, 5]]]), np.array([[10]]), np.ones(1))
    assert found.value.tolist() == [0.5]
    assert np.isnan(found.bounds()[0]).all()


def test_no_trials_give_no_number():
    assert np.isnan(crossed_gap(np.zeros((1, 4, 3), int), np.zeros((1, 4), int), np.ones(4)).value).all()


STEP = np.sqrt(0.4 / 6000)  # standard error of the difference of two rates below
EQUAL, APART, WIDER = np.full(4, 0.2), np.array([0.25, 0.2, 0.2, 0.15]), np.array([0.3, 0.2, 0.2, 0.15])
NEAR = 0.2 + STEP * np.array([2, 1, 0, -1])


def two_sets(first: np.ndarray, second: np.ndarray) -> list[np.ndarray]:
    """Wins of four seats with either set in 2,000 runs of 60 batches of 100 deals, half of which are the same."""
    generator, middle = np.random.default_rng(9), (first + second) / 2

    def wins(rates: np.ndarray) -> np.ndarray:
        return generator.multinomial(50, [*rates, 1 - rates.sum()], size=(2000, 60))[..., :-1]

    shared = wins(middle)
    return [shared + wins(2 * rates - middle) for rates in (first, second)]


def coverage(first: np.ndarray, second: np.ndarray, is_widened: bool = True) -> float:
    """How often the interval of the difference of two gaps holds the true one."""
    numbers = [crossed_gap(events, np.full((2000, 60), 100), np.ones(60)) for events in two_sets(first, second)]
    if not is_widened:
        numbers = [ratio_jackknife(crossed_events(events), np.full((2000, 60), 100), np.ones(60)) for events in two_sets(first, second)]
    low, high = (numbers[1] - numbers[0]).bounds()
    true = np.ptp(second) - np.ptp(first)
    return float(((low <= true) & (true <= high)).mean())


def test_differences_of_gaps_are_covered_whether_seats_compete_or_not():
    for first, second in ((EQUAL, EQUAL), (NEAR, NEAR), (APART, APART), (APART, WIDER), (EQUAL, WIDER), (NEAR, WIDER)):
        assert 0.92 < coverage(first, second) < 0.98
    assert coverage(EQUAL, EQUAL, is_widened=False) < 0.9
    assert coverage(APART, WIDER, is_widened=False) > 0.93  # nothing competes, nothing is widened


def test_the_jackknife_of_a_plain_gap_does_not_cover():
    events = two_sets(EQUAL, EQUAL)[0]
    totals = events.sum(axis=1)
    batches = np.take_along_axis(events, totals.argmax(axis=1)[:, None, None], 2) - np.take_along_axis(events, totals.argmin(axis=1)[:, None, None], 2)
    low, _ = ratio_jackknife(batches[..., 0], np.full((2000, 60), 100), np.ones(60)).bounds()
    assert (low <= 0).mean() < 0.85  # the true gap is 0
