"""`llsim simulate` with the true rules: the same bits however it is played, and numbers that are known."""

import json

import numpy as np
import pytest
from command_line import run

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of
from lostlegacy_sim.tally import Tally, merge_exemplars, no_exemplars


@pytest.fixture(autouse=True)
def cache_home(monkeypatch, tmp_path):
    """The last result of these tests is remembered elsewhere; compiled code stays where it is."""
    import lostlegacy_sim.jit

    monkeypatch.setattr(lostlegacy_sim.jit, "cache_home", lambda: tmp_path)


def experiment(bots=("random",), set_word="starship", players=4, deals=4000, seed=1):
    return experiment_of(find_game("lost_legacy"), load_set(set_word), players, bots, deals, seed)


@pytest.mark.parametrize(("bots", "players"), [(("random",), 4), (("careful", "random"), 3), (("careful", "random", "careful", "random"), 4)])
def test_one_thread_many_threads_and_one_block_at_a_time_give_the_same_bits(bots, players):
    game, asked = find_game("lost_legacy"), experiment(bots, "megamix", players)
    table = game.open_table(asked)
    tally, exemplars = Tally.zero(game.labels(asked), asked.batches), no_exemplars(game.categories)
    for block in reversed(range(asked.blocks)):  # the order does not matter either
        of_block = no_exemplars(game.categories)
        table.play(block, 1, tally.counts[block // asked.batch_blocks], of_block)
        exemplars = merge_exemplars(exemplars, of_block)
    for threads in (1, 3):
        result = play(asked, game, threads)
        assert result.tally == tally
        assert np.array_equal(result.exemplars, exemplars)


def test_random_seats_of_the_flying_garden_win_as_often_as_is_known():
    """Two seats, random choices, a million deals of the yardstick: .3453 and .3858, nobody .269, 9.61 turns."""
    answer = Answer(play(experiment(set_word="flying-garden", players=2, deals=100_000), find_game("lost_legacy")), find_game("lost_legacy"))
    found = answer.estimates
    for name, known in (("win_seat[1]", 0.3453), ("win_seat[2]", 0.3858), ("by_last", 0.648), ("nobody", 0.269), ("turns", 9.61)):
        reach = 4 / 1.96 * (found[name].high - found[name].value) + 0.002  # and the yardstick's own rounding
        assert found[name].value == pytest.approx(known, abs=reach), name
    assert any("seat 2 is ahead of seat 1" in verdict for verdict in answer.verdicts)


def test_a_bot_that_uses_what_it_knows_is_above_par():
    game = find_game("lost_legacy")
    answer = Answer(play(experiment(("careful", "random"), players=3, deals=30_000), game), game)
    assert answer.estimates["above_bot[careful]"].low > 0.02
    assert answer.estimates["above_bot[random]"].high < 0


def test_groups_of_the_tally_agree_with_each_other():
    totals = play(experiment(("careful", "random"), players=3, deals=30_000), find_game("lost_legacy")).tally.totals
    deals = totals["deals"]
    assert totals["won"].sum() + totals["nobody"] == deals
    assert totals["legacy_hand"].sum() + totals["legacy_ruins"].sum() + totals["legacy_deck"] == deals
    assert totals["length"].sum() == deals
    assert (totals["length"] * np.arange(64)).sum() == totals["turns"] == totals["seat_turns"].sum()
    assert totals["found_speed"].sum() == totals["won"][2].sum()
    assert (totals["out_early"] <= totals["out"]).all()
    assert totals["out_early"].max() <= totals["out_early_any"] <= totals["out_early"].sum()


def test_the_command_plays_the_true_rules_and_tells_a_campaign():
    ran = run("simulate", "--deals", "3k", "--players", "2-4", "--bots", "careful,random", "--campaign", "--json")
    assert (ran.code, ran.err) == (0, "")
    for result in json.loads(ran.out)["results"]:
        assert sum(seat["value"] for seat in result["campaign"]["seats"]) == pytest.approx(1)
        assert result["measures"]["void"]["value"] == 0
        assert 0 < result["longest_turns"] <= 13  # L32: N - 3 turns


def test_nothing_typed_behind_it_works():
    ran = run("simulate")
    assert ran.code == 0
    assert ran.out.startswith("Lost Legacy: The Starship · 4 players, all careful · 1,000,000 deals · seed 1\n")
