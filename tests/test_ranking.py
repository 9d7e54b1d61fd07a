"""Ranks, what can be told of them, fronts, and the gap that is measured where it was not chosen."""

import numpy as np
import pytest

from lostlegacy_sim.stats.crossing import crossed_gap, ratio_jackknife
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.stats.ranking import difference_errors, pareto_fronts, rank_intervals, ranks
from lostlegacy_sim.stats.unseen import Span


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


def test_a_crossed_gap_is_less_too_large_than_the_plain_one():
    plain, crossed = gaps(np.full(4, 0.25), 4000)
    assert plain > 0.03
    assert abs(crossed) < 0.35 * plain
    plain, crossed = gaps(np.array([0.4, 0.25, 0.25, 0.1]), 2000)
    assert crossed == pytest.approx(0.3, abs=0.003)


def test_a_single_batch_chooses_for_itself():
    found = crossed_gap(np.array([[[3, 8, 5]]]), np.array([[10]]), np.ones(1))
    assert found.value.tolist() == [0.5]
    assert np.isnan(found.bounds()[0]).all()


def test_no_trials_give_no_number():
    assert np.isnan(crossed_gap(np.zeros((1, 4, 3), int), np.zeros((1, 4), int), np.ones(4)).value).all()


# Rates of four seats, in standard errors of a difference of two of them away from one fifth.
EVEN, NEAR, LED, PAIRED, CLEAR, WIDER = (0, 0, 0, 0), (1, 0, 0, -1), (1.5, 0, 0, 0), (2, 2, -2, -2), (6, 0, 0, -6), (7, 0, 0, -6)
LEAST = 0.935
SHAPES = [(EVEN, EVEN), (NEAR, EVEN), (LED, EVEN), (NEAR, NEAR), (NEAR, LED), (PAIRED, NEAR), (EVEN, CLEAR), (NEAR, CLEAR), (CLEAR, WIDER)]
RUNS = 1000


def rates(shape: tuple[float, ...], deals: int) -> np.ndarray:
    return 0.2 + np.array(shape) * min(np.sqrt(0.4 / deals), 0.02)  # of few deals nothing is clear


def sizes_of(deals: int) -> np.ndarray:
    """Deals in each batch, as an experiment has them."""
    return np.array([min(16, deals - begin) for begin in range(0, deals, 16)])


def wins(generator: np.random.Generator, sizes: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """Wins of four seats, [runs, batches, seats]."""
    batches = [generator.multinomial(size, [*chances, 1 - chances.sum()], size=RUNS) for size in sizes]
    return np.stack(batches, axis=1)[..., :-1]


def two_sets(first: np.ndarray, second: np.ndarray, deals: int, n_sets: int = 1) -> list[list[np.ndarray]]:
    """Wins with each of some sets of one kind and of another; half of the deals come out alike with all of them."""
    generator, sizes = np.random.default_rng(9), sizes_of(deals)
    middle = (first + second) / 2 if n_sets == 1 else np.full(4, 0.2)
    shared = wins(generator, sizes // 2, middle)
    return [[shared + wins(generator, sizes // 2, np.roll(2 * one - middle, turn)) for turn in range(n_sets)] for one in (first, second)]


def bounds(first: tuple[float, ...], second: tuple[float, ...], deals: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The bounds of the difference of two gaps in many runs, and the true one."""
    sizes, shapes = sizes_of(deals), [rates(one, deals) for one in (first, second)]
    (one,), (other,) = two_sets(*shapes, deals)
    numbers = [crossed_gap(events, np.tile(sizes, (RUNS, 1)), sizes, Span(0, 1, deals)) for events in (one, other)]
    return *(numbers[1] - numbers[0]).bounds(), float(np.ptp(shapes[1]) - np.ptp(shapes[0]))


@pytest.mark.parametrize("deals", [20, 50, 200, 1000])
def test_a_difference_of_gaps_is_covered_whether_seats_compete_or_not(deals):
    for first, second in SHAPES:
        low, high, true = bounds(first, second, deals)
        assert ((low <= true) & (true <= high)).mean() >= LEAST


def test_of_clear_gaps_it_is_as_sharp_as_the_one_difference_that_it_is():
    low, high, true = bounds(CLEAR, WIDER, 1000)
    assert ((low <= true) & (true <= high)).mean() <= 0.97
    assert np.isfinite(high).all()
    sizes = sizes_of(1000)
    (one,), (other,) = two_sets(*(rates(shape, 1000) for shape in (CLEAR, WIDER)), 1000)
    leads = [ratio_jackknife(events[..., 0] - events[..., 3], np.tile(sizes, (RUNS, 1)), sizes, Span(-1, 1, 1000)) for events in (one, other)]
    plain = (leads[1] - leads[0]).bounds()
    assert np.median(high - low) < 1.02 * np.median(plain[1] - plain[0])


@pytest.mark.parametrize("deals", [200, 1000])
def test_a_mean_of_many_is_covered_too_for_what_choices_cost_does_not_average_out(deals):
    sizes = sizes_of(deals)
    for first, second in ((NEAR, EVEN), (LED, EVEN)):
        shapes = [rates(one, deals) for one in (first, second)]
        every = [[crossed_gap(events, np.tile(sizes, (RUNS, 1)), sizes, Span(0, 1, deals)) for events in sets] for sets in two_sets(*shapes, deals, 16)]
        changes = [other - one for one, other in zip(*every, strict=True)]
        value, without, slack = (np.mean([getattr(one, part) for one in changes], axis=0) for part in ("value", "without", "slack"))
        true = np.ptp(shapes[1]) - np.ptp(shapes[0])
        for off in (slack, np.zeros(())):
            low, high = Jackknife(value, without, sizes, changes[0].span, off).bounds()
            assert (((low <= true) & (true <= high)).mean() >= LEAST) == (off is slack)


def test_the_jackknife_of_a_plain_gap_does_not_cover():
    ((events,), _) = two_sets(rates(EVEN, 1000), rates(EVEN, 1000), 1000)
    totals = events.sum(axis=1)
    batches = np.take_along_axis(events, totals.argmax(axis=1)[:, None, None], 2) - np.take_along_axis(events, totals.argmin(axis=1)[:, None, None], 2)
    low, _ = ratio_jackknife(batches[..., 0], np.tile(sizes_of(1000), (RUNS, 1)), sizes_of(1000)).bounds()
    assert (low <= 0).mean() < 0.85  # the true gap is 0
