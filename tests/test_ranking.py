"""Ranks, what can be told of them, fronts, and the gap that is measured where it was not chosen."""

import numpy as np
import pytest

from lostlegacy_sim.stats.crossing import crossed_gap
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
    trials = np.full((runs, 30), 20)
    totals = events.sum(axis=1) / 600
    plain = totals.max(axis=1) - totals.min(axis=1)
    return float(plain.mean()), float((crossed_gap(events, trials).sum(axis=1) / 600).mean())


def test_a_crossed_gap_is_not_too_large_and_the_plain_one_is():
    plain, crossed = gaps(np.full(4, 0.25), 4000)
    assert abs(crossed) < 0.002
    assert plain > 0.03
    plain, crossed = gaps(np.array([0.4, 0.25, 0.25, 0.1]), 2000)
    assert crossed == pytest.approx(0.3, abs=0.003)


def test_a_single_batch_chooses_for_itself():
    assert crossed_gap(np.array([[[3, 8, 5]]]), np.array([[10]])).tolist() == [[5]]
