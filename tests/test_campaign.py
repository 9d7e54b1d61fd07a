"""The campaign: hand-solvable cases, and a brute-force simulation of the chain."""

import math
from fractions import Fraction

import numpy as np
import pytest
from fake_game import ask

from lostlegacy_sim.games.lost_legacy.studies.campaign import POINTS, campaign_of, solve, wins_by_beginner
from lostlegacy_sim.tally import Totals

LABELS = (("deals", ()), ("won", (3, 6, 6)))


def simulate(wins, points, nobody_begins, n_campaigns, seed):
    """Play the chain out, game by game: share of campaigns won by each seat, mean number of games."""
    rng = np.random.default_rng(seed)
    seats = len(wins)
    score = np.zeros((n_campaigns, seats), int)
    beginner = np.zeros(n_campaigns, int)
    games = np.zeros(n_campaigns, int)
    running = np.arange(n_campaigns)
    while running.size:
        bounds = np.cumsum(wins[beginner[running]], axis=1)
        winner = (rng.random(running.size)[:, None] > bounds).sum(axis=1)  # `seats`: nobody
        games[running] += 1
        won = winner < seats
        score[running[won], winner[won]] += 1
        beginner[running[won]] = winner[won]
        if nobody_begins == "next":
            beginner[running[~won]] = (beginner[running[~won]] + 1) % seats
        running = running[score[running].max(axis=1) < points]
    return (score == points).mean(axis=0), games.mean()


def some_wins(seats: int, seed: int):
    """A random table beginner x winner in which somebody wins about half the games."""
    return np.random.default_rng(seed).dirichlet([1.0] * seats + [seats], seats)[:, :seats]


@pytest.mark.parametrize("nobody_begins", ["same", "next"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_exact_answer_is_what_playing_the_chain_gives(seats, nobody_begins):
    wins = some_wins(seats, seats)
    exact = solve(wins, POINTS[seats], nobody_begins)[0]
    chances, games = simulate(wins, POINTS[seats], nobody_begins, 40_000, 1)
    assert exact[:seats].sum() == pytest.approx(1)
    assert chances == pytest.approx(exact[:seats], abs=4 * 0.5 / 200)
    assert games == pytest.approx(exact[seats], rel=0.02)


def test_the_wrong_option_is_told_apart():
    wins = np.array([[0.05, 0.05], [0.1, 0.8]])
    same, following = solve(wins, 7, "same")[0], solve(wins, 7, "next")[0]
    assert abs(same[0] - following[0]) > 0.05
    assert simulate(wins, 7, "next", 40_000, 2)[0][0] == pytest.approx(following[0], abs=0.01)


def test_first_to_one_point_where_the_same_seat_begins_again_is_a_ratio():
    wins = np.array([[0.2, 0.3], [0.1, 0.1]])
    assert solve(wins, 1, "same")[0] == pytest.approx([0.4, 0.6, 2.0])


def test_first_to_one_point_where_the_next_seat_begins_by_hand():
    # From seat 1: .2 + .5 x (from seat 2), from seat 2: .1 + .8 x (from seat 1), so .25 / .6 = 5/12.
    wins = np.array([[0.2, 0.3], [0.1, 0.1]])
    exact = solve(wins, 1, "next")[0]
    assert exact[0] == pytest.approx(float(Fraction(5, 12)))
    assert exact[2] == pytest.approx(float(Fraction(5, 2)))  # 1 + .5 (1 + .8 x games)


def test_a_seat_that_always_wins_needs_its_points_in_games():
    wins = np.array([[1.0, 0, 0]] * 3)
    assert solve(wins, 5, "same")[0].tolist() == [1, 0, 0, 5]


def test_equal_seats_are_equally_likely_to_win_seven_points():
    wins = np.full((2, 2), 0.5)
    # Best of 13: the expected length is the sum over the loser's points of games x chance.
    games = sum((7 + lost) * 2 * math.comb(6 + lost, lost) * Fraction(1, 2) ** (7 + lost) for lost in range(7))
    assert solve(wins, 7, "same")[0] == pytest.approx([0.5, 0.5, float(games)])


def test_where_nobody_ever_wins_there_is_no_answer():
    assert np.isnan(solve(np.zeros((3, 3)), 5, "same")).all()
    assert np.isnan(solve(np.zeros((3, 3)), 5, "next")).all()


def test_many_tables_are_solved_at_once():
    tables = np.stack([some_wins(4, seed) for seed in range(5)] + [np.zeros((4, 4))])
    together = solve(tables, 4, "next")
    for number in range(5):
        assert together[number] == pytest.approx(solve(tables[number], 4, "next"))
    assert np.isnan(together[5]).all()


def counts_of(won, deals):
    """Counts of a run: won[rotation][seat]."""
    table = np.zeros((3, 6, 6), np.int64)
    table[0, : len(won), : len(won[0])] = won
    return np.concatenate([[deals], table.reshape(-1)])


def test_beginner_and_winner_are_entries_of_the_line_up():
    # Rotation 1 seats entry 1 first and entry 0 last: its seat 0 is entry 1.
    totals = Totals(LABELS, counts_of([[10, 20, 30], [1, 2, 3], [4, 5, 6]], 300))
    assert wins_by_beginner(totals, 3, 3) * 100 == pytest.approx(np.array([[10, 20, 30], [3, 1, 2], [5, 6, 4]]))


def test_a_line_up_of_one_bot_is_the_same_whoever_begins():
    totals = Totals(LABELS, counts_of([[10, 20, 30]], 100))
    assert wins_by_beginner(totals, 3, 1) * 100 == pytest.approx(np.array([[10, 20, 30], [30, 10, 20], [20, 30, 10]]))


def test_a_line_up_that_repeats_itself():
    totals = Totals(LABELS, counts_of([[1, 2, 3, 4], [5, 6, 7, 8]], 200))
    expected = np.array([[1, 2, 3, 4], [8, 5, 6, 7], [3, 4, 1, 2], [6, 7, 8, 5]])
    assert wins_by_beginner(totals, 4, 2) * 100 == pytest.approx(expected)


def test_the_campaign_of_counts_starts_with_the_first_entry():
    experiment = ask(deals=200, players=2)
    found = campaign_of(experiment, LABELS, "same")(counts_of([[40, 30], [50, 10]], 200))
    assert found == pytest.approx(solve(np.array([[0.4, 0.3], [0.1, 0.5]]), 7, "same")[0])
