"""Tournaments of planted bots: the stronger one and the circle are found, and nothing where there is nothing."""

import math
from dataclasses import replace

import numpy as np
import planted_bots
import pytest
from planted_bots import PLANTED

from lostlegacy_sim.errors import BotError, UsageError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.apart import open_here
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.report.ladder_screen import depth_sentence
from lostlegacy_sim.report.tournament_screen import answer_sentences
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.ladder import Climbed, ladder_of
from lostlegacy_sim.studies.standings import Standings, cells_of
from lostlegacy_sim.studies.tournament import mixtures, one_against_others, play_in_turn, play_tournament, tournament_of
from lostlegacy_sim.tally import Totals

CIRCLE = ("rock", "paper", "scissors")


def standings(*bots: str, players: int = 2, deals: int = 20_000, seed: int = 1, mixed: bool = False) -> Standings:
    asked = tournament_of(PLANTED, load_set("starship"), players, bots, deals, seed, mixed)
    return Standings(play_tournament(asked, PLANTED, 1), PLANTED)


def words(found: Standings) -> dict[tuple[str, str], str]:
    return {(found.bots[cell.one], found.bots[cell.others]): cell.word for cell in found.cells}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_planted_stronger_bot_is_found(players):
    found = standings("even", "strong", "equal", players=players)
    assert [found.bots[bot] for bot in found.leaders] == ["strong"]
    assert words(found)["strong", "even"] == words(found)["strong", "equal"] == "above par"
    assert words(found)["even", "strong"] == "below par"
    assert words(found)["even", "equal"] == words(found)["equal", "even"] == "undecided"
    assert found.ratings[0].bot == "strong"
    assert found.weights == pytest.approx([0, 1, 0])
    assert {(found.bots[one.better], found.bots[one.worse]) for one in found.dominances} == {("strong", "even"), ("strong", "equal")}
    assert found.cycles == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_numbers_are_the_planted_ones(players):
    """Weight 2 against 1: 2 / (n + 1) of the decided deals in any seat's mean but for the first seat's weight, which is small."""
    found = standings("even", "strong", players=players, deals=60_000)
    cell = found.cell(1, 0)
    exact = exact_gain("strong", "even", players)
    assert cell.advantage.low < exact < cell.advantage.high
    assert exact != pytest.approx(0, abs=0.03)
    assert found.strengths.value[1] - found.strengths.value[0] == pytest.approx(math.log(2), abs=0.05)  # the seat's weight is small


@pytest.mark.parametrize("players", [2, 4])
def test_the_least_gain_of_a_leader_is_below_what_was_planted(players):
    found = standings("even", "strong", "equal", players=players)
    least = found.least_gain(found.bots.index("strong"))
    assert 0 < least < exact_gain("strong", "even", players)
    assert least > exact_gain("strong", "even", players) - 0.03
    (said,) = answer_sentences(found)
    assert said.endswith(f" is above par against every other bot, by at least {100 * least:.2f} points of win rate.")


def test_the_highest_rating_is_sure_where_it_is_planted_and_not_among_equals():
    assert standings("even", "strong", "equal").rivals == []
    found = standings("even", "equal", deals=4_000)
    assert found.rivals == [found.ratings[1].bot]


def exact_gain(one: str, other: str, players: int) -> float:
    """Win rate of one among others minus par, over all rotations."""
    shares = []
    for seat in range(players):
        bots = [other] * players
        bots[seat] = one
        weights = planted_bots.weights_of(bots)
        shares.append(weights[seat] / weights.sum())
    return (1 - planted_bots.NOBODY) * (np.mean(shares) - 1 / players)


@pytest.mark.parametrize("players", [2, 3])
def test_a_planted_circle_is_found(players):
    found = standings(*CIRCLE, players=players, deals=40_000)
    assert len(found.cycles) == 1
    members = [found.bots[bot] for bot in found.cycles[0].members]
    assert {(members[place], members[(place + 1) % 3]) for place in range(3)} == planted_bots.BEATS
    assert found.leaders == []
    assert found.dominances == []
    assert found.entropy > 1
    assert found.weights.min() > 0.2
    assert found.misfit > 0.04  # no strengths can tell a circle


def test_who_breaks_even_with_a_circle_has_a_weight_that_leaps_and_the_range_says_so():
    even = next(rating for rating in standings(*CIRCLE, "even", deals=40_000).ratings if rating.bot == "even")
    assert even.weight_high - even.weight_low > 0.5
    rock = next(rating for rating in standings(*CIRCLE, deals=40_000).ratings if rating.bot == "rock")
    assert rock.weight_high - rock.weight_low < 0.2


def test_among_equal_bots_nothing_is_found():
    """Twelve tournaments of bots without any difference: with 5 % for each, more than three with an alarm have a chance of 0.2 %."""
    alarms = 0
    for seed in range(1, 13):
        found = standings("even", "equal", "cheat", deals=4000, seed=seed)
        alarms += any(cell.word != "undecided" for cell in found.cells) or bool(found.dominances or found.cycles)
        assert found.misfit < 0.03
    assert alarms <= 3


def test_two_players_give_an_antisymmetric_matrix_from_half_the_matches():
    found = standings("even", "strong", "equal")
    assert len(found.played.matches) == 3
    for cell in found.cells:
        other = found.cell(cell.others, cell.one)
        assert cell.advantage.value == -other.advantage.value
        assert (cell.advantage.low, cell.advantage.high) == (-other.advantage.high, -other.advantage.low)


def test_line_ups():
    assert one_against_others("ab", 2) == [("a", "b")]
    assert one_against_others("ab", 3) == [("a", "b", "b"), ("b", "a", "a")]
    assert mixtures("abc", 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(mixtures("abc", 4)) == 15 - 3
    assert all(len(set(line_up)) > 1 for line_up in mixtures("abc", 4))


def test_all_mixtures_hold_the_matrix_and_more():
    alone, mixed = standings("even", "strong", "equal", players=3), standings("even", "strong", "equal", players=3, mixed=True)
    assert len(alone.played.matches) == 6
    assert len(mixed.played.matches) == 7  # and one of each
    assert words(alone) == words(mixed)
    assert mixed.ratings[0].bot == "strong"
    error = mixed.strengths.error[1]
    assert error < alone.strengths.error[1] * 1.1


def test_every_match_is_over_the_same_batches():
    found = standings("even", "strong", "equal", players=4)
    experiments = found.played.tournament.experiments
    assert {(one.blocks, one.seed, one.batches) for one in experiments} == {(5000, 1, experiments[0].batches)}
    assert {one.rotations for one in found.played.tournament.matches} == {4}
    assert {one.rotations for one in found.played.tournament.mirrors} == {1}


def test_a_mirror_is_at_par_exactly_and_a_broken_one_is_noticed():
    found = standings("even", "strong", players=3)
    assert found.mirrors_at_par
    assert found.seat_effect == pytest.approx((1.3 / 3.3 - 1 / 3) * 0.75, abs=0.02)
    mirror = found.played.mirrors[0]
    Totals(mirror.tally.labels, mirror.tally.counts)["won"][0, 2, 0, 1] += 1  # a deal with two winners
    assert not standings_again(found).mirrors_at_par


def standings_again(found: Standings) -> Standings:
    return Standings(found.played, PLANTED)


def test_doubling_the_deals():
    found = standings("even", "strong", "equal")
    assert found.doubling.holds
    assert found.doubling.kept == 3
    assert found.doubling.deals == pytest.approx(10_000, rel=0.02)
    assert standings("even", "strong", deals=32).doubling is None


def test_a_verdict_that_turns_round_is_noticed():
    found = standings("even", "strong")
    counts = found.matches.wins
    half = len(counts) // 2
    counts[half:] = 3 * counts[half:, :, ::-1]  # in the second half the other one wins, and more often
    turned = standings_again(found)
    turned.matches = replace(found.matches, wins=counts)
    assert [cell.word for cell in cells_of(turned.matches.half())] != [cell.word for cell in turned.cells]
    assert turned.doubling.reversed == (("even", "strong"),)
    assert not turned.doubling.holds


def test_the_ladder():
    asked = ladder_of(PLANTED, load_set("starship"), 4, planted_bots.RUNGS, 20_000, 1)
    found = Climbed(asked, play_in_turn(asked.experiments, PLANTED, 1)[0], PLANTED)
    assert [(climb.rung, climb.upper, climb.lower, climb.word) for climb in found.climbs] == [
        (2, "equal", "even", "undecided"), (3, "strong", "equal", "above par"),
    ]  # fmt: skip
    assert (found.depth, found.most_depth) == (1, 2)
    assert depth_sentence(found).startswith("Depth at least 1 of 2: ")
    stopped = Climbed(asked, found.results[:1], PLANTED)
    assert depth_sentence(stopped).startswith("Depth at least 0 of 2: ")
    assert depth_sentence(stopped).endswith("Not: equal over even undecided, 1 rung not climbed.")
    assert found.climbs[1].index.low < 1 + 4 / 3 * exact_gain("strong", "equal", 4) * 4 < found.climbs[1].index.high
    down = ladder_of(PLANTED, load_set("starship"), 4, ("strong", "even"), 20_000, 1)
    fallen = Climbed(down, play_in_turn(down.experiments, PLANTED, 1)[0], PLANTED)
    assert (fallen.depth, fallen.most_depth) == (0, 0)
    assert depth_sentence(fallen).startswith("Depth 0 of 1: ")  # below par for certain


@pytest.mark.parametrize(
    ("bots", "error", "sentence"),
    [(["even"], UsageError, "two bots or more"), (["even", "even"], UsageError, "even is named twice"), (["evne", "even"], BotError, "Did you mean 'even'?")],
)
def test_bots_that_make_no_tournament(bots, error, sentence):
    with pytest.raises(error, match=sentence):
        standings(*bots)
    with pytest.raises(error):
        ladder_of(PLANTED, load_set("starship"), 4, bots, 100, 1)


def test_far_too_many_mixtures_are_refused(monkeypatch):
    monkeypatch.setitem(planted_bots.WEIGHTS, "even", 1.0)
    for number in range(20):
        monkeypatch.setitem(planted_bots.WEIGHTS, f"bot{number}", 1.0)
    with pytest.raises(UsageError, match="20 bots make 8,835 matches"):
        tournament_of(PLANTED, load_set("starship"), 4, [f"bot{number}" for number in range(20)], 100, 1, True)


def test_a_bot_that_breaks_the_rules_leaves_the_matches_before_it():
    asked = tournament_of(PLANTED, load_set("starship"), 2, ("even", "equal", "cheat"), 20_000, 1)
    mirrors = [replace(one, deals=16) for one in asked.mirrors]
    played = play_tournament(replace(asked, mirrors=tuple(mirrors)), PLANTED, 1)
    assert "chose 9 of 2 options" in played.error
    assert len(played.matches) == 1
    assert not played.is_whole


# --- the true rules --------------------------------------------------------------------------------------


def test_a_bot_in_two_dresses_is_the_same_bot_in_every_seat():
    """Four seats of one bot that count as two line-up entries: all four rotations are played, and are the same deals bit for bit."""
    game = find_game("lost_legacy")
    asked = tournament_of(game, load_set("starship"), 4, ("careful", "random"), 2000, 1).mirrors[0]
    dressed = replace(asked, deals=4 * asked.deals, bot_sources=("another dress", "", "", ""))
    assert (asked.rotations, dressed.rotations) == (1, 4)
    game = replace(game, open_table=open_here)  # a bot with a hash would be looked for as a file, in a process of its own
    plain, four = (play(one, game, 1).tally.totals for one in (asked, dressed))
    for rotation in range(4):
        assert np.array_equal(four["won"][:, rotation], plain["won"][:, 0])
    wins_of_entry = sum(four["won"][:, rotation, (0 - rotation) % 4].sum() for rotation in range(4))
    assert 4 * wins_of_entry == four["won"].sum()  # exactly at par
    assert plain["won"][:, 0, 0].sum() * 4 != plain["won"].sum()  # one seat alone is not


def test_careful_is_above_random_with_the_true_rules():
    game = find_game("lost_legacy")
    asked = tournament_of(game, load_set("starship"), 3, ("random", "careful"), 3000, 1)
    found = Standings(play_tournament(asked, game, 1), game)
    assert [found.bots[bot] for bot in found.leaders] == ["careful"]
    assert found.mirrors_at_par
    assert game.ladder[0] == "random"
    assert len(ladder_of(game, load_set("starship"), 2, game.ladder, 100, 1).climbs) == len(game.ladder) - 1
