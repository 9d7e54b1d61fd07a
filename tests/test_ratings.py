"""Ratings: known strengths, and intervals that cover."""

import math

import numpy as np
import pytest

from lostlegacy_sim.stats.intervals import normal_quantile
from lostlegacy_sim.stats.jackknife import jackknife
from lostlegacy_sim.stats.ratings import are_determined, newton_step, strengths, winning_chances

# Games won by the row against the column in the American League of 1987: Agresti (1990), Categorical Data Analysis, table 10.10.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WON = np.array(
    [[0, 7, 9, 7, 7, 9, 11], [6, 0, 7, 5, 11, 9, 9], [4, 6, 0, 7, 7, 8, 12], [6, 8, 6, 0, 6, 7, 10], [6, 2, 6, 7, 0, 7, 12],
     [4, 4, 5, 6, 6, 0, 6], [2, 4, 1, 3, 1, 7, 0]]
)  # fmt: skip
PUBLISHED = (1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0)  # the same book: strengths beside Baltimore's


def pairs_of(won):
    """A table of two seats for every pair."""
    size = len(won)
    wins, seats = [], []
    for one in range(size):
        for other in range(one):
            wins.append(np.eye(size)[one] * won[one, other] + np.eye(size)[other] * won[other, one])
            seats.append(np.eye(size)[one] + np.eye(size)[other])
    return np.array(wins), np.array(seats)


def test_the_baseball_league_of_agresti():
    found = strengths(*pairs_of(WON))
    assert found - found[-1] == pytest.approx(PUBLISHED, abs=5e-4)
    assert found.mean() == pytest.approx(0, abs=1e-12)


def test_two_players_have_the_log_odds():
    found = strengths(np.array([[30, 10]]), np.array([[1, 1]]))
    assert found[0] - found[1] == pytest.approx(math.log(3))


def test_one_against_three_counts_the_seats():
    """A third of the deals for one of four seats: 1/3 = w / (w + 3), so w = 1.5."""
    found = strengths(np.array([[100, 200]]), np.array([[1, 3]]))
    assert math.exp(found[0] - found[1]) == pytest.approx(1.5)


def test_chances_give_the_strengths_back():
    chance = np.random.default_rng(1)
    true = chance.normal(size=6)
    true -= true.mean()
    seats = chance.integers(0, 3, size=(30, 6)) + np.eye(6, dtype=int)[np.arange(30) % 6]
    wins = 1000 * winning_chances(true, seats)
    assert strengths(wins, seats) == pytest.approx(true, abs=1e-8)
    assert np.abs(newton_step(wins, seats.astype(float), true)).max() < 1e-9  # the likelihood is flat there


def test_far_from_the_maximum_the_steps_still_arrive():
    wins, seats = np.array([[100_000, 1], [1, 100_000]]), np.array([[1, 1], [1, 5]])
    found = strengths(wins, seats)
    assert np.isfinite(found).all()
    assert (winning_chances(found, seats) * wins.sum(axis=1, keepdims=True)).sum(axis=0) == pytest.approx(wins.sum(axis=0))


@pytest.mark.parametrize("wins", [[[5, 0], [7, 0]], [[0, 0], [0, 0]]])
def test_who_never_loses_has_no_strength(wins):
    seats = np.array([[1, 1], [1, 1]])
    assert not are_determined(np.array(wins), seats)
    assert np.isnan(strengths(np.array(wins), seats)).all()


def test_two_leagues_that_never_meet_cannot_be_rated():
    wins = np.array([[5, 5, 0, 0], [0, 0, 5, 5]])
    assert not are_determined(wins, wins > 0)
    assert are_determined(np.vstack([wins, [0, 1, 1, 0]]), np.vstack([wins, [0, 1, 1, 0]]) > 0)


def test_where_one_batch_alone_decides_there_is_a_value_and_no_interval():
    """The second player's only win lies in one batch; without that batch it has no strength."""
    batches = np.array([[[5, 0]], [[5, 1]], [[5, 0]]])
    seats = np.array([[1, 1]])
    found = jackknife(batches.reshape(3, -1), lambda counts: strengths(counts.reshape(*counts.shape[:-1], 1, 2), seats), np.ones(3))
    assert found.value[0] - found.value[1] == pytest.approx(math.log(15))
    assert np.isnan(found.without).tolist() == [[False, False], [True, True], [False, False]]
    assert np.isnan(found.bounds()[0]).all()


def coverage(interval_of):
    """How often the difference of two strengths is covered, of 400 tournaments in which every outcome counts four times."""
    chance = np.random.default_rng(5)
    true, seats = np.array([0.4, 0.0, -0.4]), np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    chances = winning_chances(true, seats)
    covered = 0
    for _ in range(400):
        batches = 4 * np.stack([chance.multinomial(8, chances[table], size=64) for table in range(3)], axis=1)
        low, high = interval_of(batches, seats)
        covered += low <= true[0] - true[2] <= high
    return covered / 400


def jackknifed(batches, seats):
    columns = batches.reshape(len(batches), -1)
    found = jackknife(columns, lambda counts: strengths(counts.reshape(*counts.shape[:-1], *seats.shape), seats), np.full(len(batches), 8))
    error = math.sqrt(found.covariance[0, 0] + found.covariance[2, 2] - 2 * found.covariance[0, 2])
    difference = found.value[0] - found.value[2]
    return difference - 2 * error, difference + 2 * error


def as_if_independent(batches, seats):
    """The curvature of the likelihood: right only if every deal were a shuffle of its own."""
    wins = batches.sum(axis=0)
    found = strengths(wins, seats)
    chances, decided = winning_chances(found, seats), wins.sum(axis=1)
    information = sum(total * (np.diag(row) - np.outer(row, row)) for total, row in zip(decided, chances, strict=True))
    inverse = np.linalg.pinv(information)
    error = math.sqrt(inverse[0, 0] + inverse[2, 2] - 2 * inverse[0, 2])
    difference = found[0] - found[2]
    return difference - normal_quantile(0.95) * error, difference + normal_quantile(0.95) * error


def test_intervals_over_batches_cover_and_those_over_deals_do_not():
    assert coverage(jackknifed) == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 400))
    assert coverage(as_if_independent) < 0.8
