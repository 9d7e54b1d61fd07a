"""Differences, families and verdicts: known values, error rates, and what fails without care."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from lostlegacy_sim.stats.differences import AnytimeDifference, StudentDifference, paired, unpaired
from lostlegacy_sim.stats.families import benjamini_hochberg, bonferroni, holm, holm_confidences, holm_intervals
from lostlegacy_sim.stats.gaps import GapDifference
from lostlegacy_sim.stats.jackknife import Jackknife, jackknife, largest_gap
from lostlegacy_sim.stats.unseen import Span
from lostlegacy_sim.stats.verdicts import blocks_needed, judge

P_VALUES = [0.01, 0.04, 0.03, 0.005, 0.5]


def means(values) -> Jackknife:
    """The mean of values, one a batch."""
    values = np.asarray(values, float)
    return jackknife(np.stack([values, np.ones(len(values))], axis=1), lambda counts: counts[..., 0] / counts[..., 1], np.ones(len(values)))


def rates(wins: np.ndarray) -> Jackknife:
    """Shares of the columns, from counts [batches, columns]."""
    return jackknife(wins, lambda counts: counts / counts.sum(axis=-1, keepdims=True), wins.sum(axis=1), Span(0, 1, wins.sum()))


# --- families: known values -----------------------------------------------------------------------------


def test_holm_is_the_textbook_procedure():
    """By hand, and as R's p.adjust(method = "holm") gives it."""
    assert holm(P_VALUES) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.5])


def test_benjamini_hochberg_is_that_of_scipy():
    assert benjamini_hochberg(P_VALUES) == pytest.approx([0.025, 0.05, 0.05, 0.025, 0.5])
    drawn = np.random.default_rng(1).beta(0.5, 2, 50)
    assert benjamini_hochberg(drawn) == pytest.approx(stats.false_discovery_control(drawn))


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_a_question_without_an_answer_is_not_counted(adjust):
    found = adjust([0.01, math.nan, 0.02])
    assert math.isnan(found[1])
    assert found[[0, 2]] == pytest.approx(adjust([0.01, 0.02]))
    assert adjust([]).size == 0
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([1.5])


def test_the_confidences_of_holm_step_down_until_the_first_that_is_not_found():
    assert holm_confidences([0.001, 0.3, 0.012]) == pytest.approx([1 - 0.05 / 3, 0.95, 1 - 0.05 / 2])
    assert holm_confidences([0.001, 0.3, 0.04]) == pytest.approx([1 - 0.05 / 3, 1 - 0.05 / 2, 1 - 0.05 / 2])
    assert holm_confidences([0.001]) == pytest.approx([0.95])


def test_intervals_of_holm_leave_out_nought_exactly_where_its_test_finds_a_difference():
    rng = np.random.default_rng(2)
    for _ in range(200):
        family = [StudentDifference(rng.normal(0, 2.5), 1.0, 30) for _ in range(6)]
        found = holm([difference.p_value() for difference in family]) <= 0.05
        intervals = holm_intervals(family)
        assert [not interval.low <= 0 <= interval.high for interval in intervals] == found.tolist()
        assert all(wide.low <= interval.low for wide, interval in zip(bonferroni(family), intervals, strict=True))


# --- families: error rates --------------------------------------------------------------------------------


def family_of_nulls(rng, n_runs: int = 4000, n_true: int = 3) -> np.ndarray:
    """p-values [runs, 10] of dependent tests; the last `n_true` have something to find."""
    shared = rng.normal(0, 1, (n_runs, 1))
    numbers = np.sqrt(0.5) * shared + np.sqrt(0.5) * rng.normal(0, 1, (n_runs, 10))
    numbers[:, 10 - n_true :] += 3.5
    return 2 * stats.norm.sf(np.abs(numbers))


def test_holm_keeps_the_chance_of_any_false_alarm_and_no_adjustment_does_not():
    p_values = family_of_nulls(np.random.default_rng(3))
    false = np.array([(holm(row) <= 0.05)[:7].any() for row in p_values])
    limit = 0.05 + 4 * math.sqrt(0.05 * 0.95 / len(false))
    assert false.mean() <= limit
    assert (p_values[:, :7] <= 0.05).any(axis=1).mean() > 3 * limit
    found = np.mean([(holm(row) <= 0.05)[7:].mean() for row in p_values])
    assert found > np.mean(p_values[:, 7:] <= 0.05 / 10)  # never fewer than Bonferroni


def test_benjamini_hochberg_keeps_the_share_of_false_alarms_and_no_adjustment_does_not():
    def share(found: np.ndarray) -> float:
        return found[:7].sum() / max(found.sum(), 1)

    p_values = family_of_nulls(np.random.default_rng(4))
    assert np.mean([share(benjamini_hochberg(row) <= 0.05) for row in p_values]) <= 0.05
    assert np.mean([share(row <= 0.05) for row in p_values]) > 0.08


def test_bonferroni_intervals_hold_all_at_once_and_single_ones_do_not():
    rng = np.random.default_rng(5)
    truth = np.array([0.0, 1.0, -2.0, 4.0, 0.5])
    together, single = 0, 0
    for _ in range(1000):
        values = rng.normal(truth, 1, (12, 5))
        family = [paired(means(np.zeros(12)), means(values[:, column])) for column in range(5)]
        together += all(interval.low <= true <= interval.high for interval, true in zip(bonferroni(family), truth, strict=True))
        single += all(one.interval().low <= true <= one.interval().high for one, true in zip(family, truth, strict=True))
    assert together / 1000 >= 0.94
    assert single / 1000 < 0.85


# --- differences ------------------------------------------------------------------------------------------


def test_a_paired_difference_is_the_paired_test_of_scipy():
    rng = np.random.default_rng(6)
    first, second = rng.normal(0, 1, 25), rng.normal(0.3, 1, 25)
    found, known = paired(means(first), means(second)), stats.ttest_rel(second, first)
    assert found.p_value() == pytest.approx(known.pvalue)
    bounds = known.confidence_interval(0.95)
    assert found.interval() == pytest.approx((second.mean() - first.mean(), bounds.low, bounds.high))


def test_an_unpaired_difference_is_the_test_of_welch():
    rng = np.random.default_rng(7)
    first, second = rng.normal(0, 1, 25), rng.normal(0.5, 3, 60)
    found, known = unpaired(means(first), means(second)), stats.ttest_ind(second, first, equal_var=False)
    assert found.freedom == int(known.df)
    assert found.error == pytest.approx((second.mean() - first.mean()) / known.statistic)
    assert found.p_value() == pytest.approx(known.pvalue, rel=0.05)  # degrees of freedom are rounded down
    assert math.isnan(found.gain)


def test_two_one_sided_tests_are_those_of_scipy():
    rng = np.random.default_rng(8)
    first, second = rng.normal(0, 1, 40), rng.normal(0.1, 1, 40)
    found = paired(means(first), means(second)).equivalence_p_value(0.6)
    above = stats.ttest_1samp(second - first, -0.6, alternative="greater").pvalue
    below = stats.ttest_1samp(second - first, 0.6, alternative="less").pvalue
    assert found == pytest.approx(max(above, below))


def test_pairing_gains_what_the_two_share():
    rng = np.random.default_rng(9)
    shared = rng.normal(0, 10, 40)
    first, second = means(shared + rng.normal(0, 1, 40)), means(shared + rng.normal(1, 1, 40))
    together, apart = paired(first, second), unpaired(first, second)
    assert together.value == pytest.approx(apart.value)
    assert together.gain == pytest.approx((apart.error / together.error) ** 2)
    assert together.gain > 20


def test_one_batch_gives_a_difference_and_nothing_more():
    for found in (paired(means([1.0]), means([2.0])), unpaired(means([1.0]), means([2.0, 3.0]))):
        assert found.value > 0
        assert math.isnan(found.interval().low)
        assert math.isnan(found.p_value())
        assert math.isnan(found.equivalence_p_value(1.0))


# --- gaps -------------------------------------------------------------------------------------------------


def two_tables(rng, first, second, batches: int = 40, deals: int = 200) -> tuple[Jackknife, Jackknife]:
    """Win rates of two tables that share their luck: uniform numbers cut at the rates of each."""
    luck = rng.random((batches, deals))
    cut = [np.searchsorted(np.cumsum(shares)[:-1], luck) for shares in (first, second)]
    wins = [np.stack([(seats == seat).sum(axis=1) for seat in range(len(first))], axis=1) for seats in cut]
    return rates(wins[0]), rates(wins[1])


@pytest.mark.parametrize(
    ("first", "second"),
    [([0.25] * 4, [0.25] * 4), ([0.2, 0.3, 0.25, 0.25], [0.24, 0.26, 0.25, 0.25]), ([0.2, 0.2, 0.3, 0.3], [0.3, 0.2, 0.3, 0.2])],
)
def test_the_difference_of_two_gaps_is_covered(first, second):
    rng = np.random.default_rng(10)
    truth = (max(second) - min(second)) - (max(first) - min(first))
    inside = 0
    for _ in range(300):
        found = GapDifference(*two_tables(rng, first, second)).interval()
        inside += found.low <= truth <= found.high
    assert inside / 300 >= 0.95


def test_the_jackknife_of_a_maximum_fails_where_gaps_are_covered():
    """Four equal seats: the largest gap of what was counted is far from the true one, which is nought."""
    rng = np.random.default_rng(11)
    inside, honest = 0, 0
    for _ in range(300):
        wins = rng.multinomial(200, [0.25] * 4, 40)
        naive = jackknife(wins, lambda counts: np.ptp(counts / counts.sum(axis=-1, keepdims=True), axis=-1), wins.sum(axis=1)).interval()
        inside += naive.low <= 0 <= naive.high
        honest += largest_gap(rates(wins)).low <= 0
    assert inside / 300 < 0.85
    assert honest / 300 >= 0.95


def test_a_clear_difference_of_gaps_is_found_and_gains_from_pairing():
    found = GapDifference(*two_tables(np.random.default_rng(12), [0.1, 0.2, 0.7], [0.2, 0.2, 0.6], deals=2000))
    apart = GapDifference(found.first, found.second, is_paired=False)
    assert found.p_value() < 1e-6
    assert found.interval().low < -0.2 < found.interval().high < 0
    assert apart.interval().high - apart.interval().low > found.interval().high - found.interval().low
    assert found.equivalence_p_value(0.3) < 1e-6
    assert found.equivalence_p_value(0.1) == 1


def test_the_p_value_of_a_gap_is_where_its_interval_begins_to_leave_out_nought():
    found = GapDifference(*two_tables(np.random.default_rng(13), [0.24, 0.26, 0.5], [0.245, 0.26, 0.495], deals=200))
    p_value = found.p_value()
    assert 1e-6 < p_value < 1
    for factor, is_inside in ((0.9, True), (1.1, False)):
        _, low, high = found.interval(1 - p_value * factor)
        assert (low <= 0 <= high) == is_inside


# --- verdicts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "margin", "direction", "word"),
    [
        (5.0, math.nan, 1, "better"),
        (5.0, math.nan, -1, "worse"),
        (5.0, math.nan, 0, "more"),
        (-5.0, math.nan, 1, "worse"),
        (-5.0, math.nan, 0, "less"),
        (5.0, 1.0, 1, "better"),
        (1.0, math.nan, 1, "undecided"),
        (1.0, 2.0, 1, "undecided"),
        (1.0, 3.0, 1, "equivalent"),
        (5.0, 9.0, 1, "equivalent"),  # certain, but it does not matter
    ],
)
def test_a_verdict_is_what_the_interval_and_the_margin_allow(value, margin, direction, word):
    (found,) = judge([StudentDifference(value, 1.0, 60)], [margin], [direction])
    assert found.word == word


def test_what_is_the_same_in_every_batch_is_called_so():
    values = means(np.random.default_rng(14).normal(0, 1, 30))
    (found,) = judge([paired(values, values)], blocks=[30])
    assert (found.word, found.interval.value) == ("same", 0)
    assert math.isnan(found.interval.low)  # such a value may lie anywhere, so nobody knows how far the next batch may
    wins = rates(np.random.default_rng(14).multinomial(200, [0.3, 0.7], 30))
    (found,) = judge([paired(wins[0], wins[0])], [0.01], blocks=[30])
    assert (found.word, found.interval.value) == ("same", 0)
    assert 0 < found.interval.high == -found.interval.low < 0.001
    known = replace(wins[0], span=Span(0.3, 0.3, 6000))
    (found,) = judge([paired(known, known)])
    assert (found.word, found.interval) == ("same", (0, 0, 0))  # known by logic


def test_verdicts_of_a_family_are_adjusted():
    alone = judge([StudentDifference(2.5, 1.0, 200)])
    among = judge([StudentDifference(2.5, 1.0, 200), *[StudentDifference(0.1, 1.0, 200)] * 9])
    assert alone[0].word == "better"
    assert among[0].word == "undecided"
    assert among[0].p_value == pytest.approx(10 * alone[0].p_value)


def test_equals_are_seldom_called_different_and_the_different_seldom_equivalent():
    rng = np.random.default_rng(15)
    limit = 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)

    def share(truth: float, word: str) -> float:
        values = rng.normal(truth, 1, (2000, 30))
        verdicts = [judge([StudentDifference(row.mean(), row.std(ddof=1) / math.sqrt(30), 29)], [0.8])[0].word for row in values]
        return verdicts.count(word) / len(verdicts)

    assert share(0.0, "better") + share(0.0, "worse") <= limit
    assert share(0.8, "equivalent") <= limit
    assert share(0.0, "equivalent") > 0.95


def test_what_is_said_to_be_needed_is_enough_four_times_in_five():
    rng = np.random.default_rng(16)
    needed = blocks_needed(StudentDifference(0.1, 0.1, 10**6), math.nan, 0.95, 100.0)
    assert needed == pytest.approx(100 * (1.959964 + 0.841621) ** 2, rel=1e-4)
    samples = rng.normal(0.1, 1 / math.sqrt(needed), 4000)  # a block varies by 1
    assert np.mean(samples * math.sqrt(needed) > 1.96) == pytest.approx(0.8, abs=0.03)


def test_what_is_needed_is_never_less_than_what_was_played_and_may_be_endless():
    assert math.isinf(blocks_needed(StudentDifference(0.0, 1.0, 50), math.nan, 0.95, 100.0))
    assert blocks_needed(StudentDifference(0.0, 1.0, 50), 2.0, 0.95, 100.0) == pytest.approx(100 * ((1.644854 + 0.841621) / 2) ** 2, rel=1e-4)
    assert blocks_needed(StudentDifference(9.0, 1.0, 50), math.nan, 0.95, 100.0) == 100
    assert math.isnan(blocks_needed(StudentDifference(1.0, math.nan, 0), math.nan, 0.95, 100.0))


# --- at every look ------------------------------------------------------------------------------------------


def test_what_is_said_at_every_look_agrees_with_its_interval():
    for value in (0.5, 2.0, 3.5, 6.0):
        found = AnytimeDifference(value, 1.0, 50_000)
        p_value = found.p_value()
        if p_value < 1:
            assert found.interval(1 - p_value).low == pytest.approx(0, abs=1e-6)
        within = found.equivalence_p_value(8.0)
        if within < 1:
            assert found.interval(1 - within).high == pytest.approx(8, abs=1e-6)
        assert p_value > StudentDifference(value, 1.0, 500).p_value()
    assert math.isnan(AnytimeDifference(1.0, math.nan, 50_000).p_value())


def test_comparisons_of_equals_seldom_get_a_word_however_often_one_looks_and_peeking_gives_one():
    rng = np.random.default_rng(17)
    values = rng.normal(0, 1, (400, 120))
    alarms = {True: 0, False: 0}
    for row in values:
        for anytime in alarms:
            differences = (paired(means(np.zeros(batches)), means(row[:batches]), anytime) for batches in range(20, 121, 4))
            alarms[anytime] += any(difference.p_value() <= 0.05 for difference in differences)
    assert alarms[True] / 400 <= 0.05
    assert alarms[False] / 400 > 0.12


def test_gaps_are_compared_at_every_look_and_between_tables_of_different_size():
    rng = np.random.default_rng(18)
    first, second = two_tables(rng, [0.1, 0.2, 0.7], [0.2, 0.2, 0.6], deals=2000)
    once, ever = GapDifference(first, second).interval(), GapDifference(first, second, anytime=True).interval()
    assert ever.low < once.low < once.high < ever.high
    four = rates(rng.multinomial(2000, [0.25] * 4, 40))
    apart = GapDifference(first, four, is_paired=False)
    assert apart.interval().low < -0.6 < apart.interval().high < -0.5
    assert apart.p_value() < 1e-6
    assert math.isnan(apart.gain)
    few = GapDifference(rates(np.array([[3, 4]])), rates(np.array([[4, 3]])))
    assert math.isnan(few.interval().low)
    assert math.isnan(few.p_value())


def test_a_gap_compared_with_itself_is_the_same():
    numbers, _ = two_tables(np.random.default_rng(19), [0.1, 0.2, 0.7], [0.2, 0.2, 0.6])
    (found,) = judge([GapDifference(numbers, numbers)], [0.01])
    assert (found.word, found.interval.value) == ("same", 0)
    assert 0 < found.interval.high == -found.interval.low < 0.001
