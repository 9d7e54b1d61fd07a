"""What is the same in every deal: a verdict with a bound for what was not seen, a target that is reached, a difference that is told."""

import json
from random import Random

import pytest
from card_files import random_card_set, stones
from command_line import run

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, load_set, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.cards.turn_bound import is_refilled, most_turns, turn_bound
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import experiment_of

CALM = stones("calm")


@pytest.fixture(autouse=True)
def cache_home(monkeypatch, tmp_path):
    """The last result of these tests is remembered elsewhere; compiled code stays where it is."""
    import lostlegacy_sim.jit

    monkeypatch.setattr(lostlegacy_sim.jit, "cache_home", lambda: tmp_path)


@pytest.fixture
def calm(tmp_path) -> str:
    """A set whose deals all take 13 turns: no card does anything."""
    path = tmp_path / "calm.toml"
    path.write_text(CALM)
    return str(path)


def ask(*words: str, code: int = 0) -> str:
    ran = run(*words, "--players", "2", "--bots", "random", "--threads", "1")
    assert ran.code == code, ran.err
    return ran.out


@pytest.mark.parametrize("deals", ["20", "500"])
def test_the_same_in_every_deal_is_a_verdict_with_a_bound_for_what_was_not_seen(calm, deals):
    out = ask("simulate", "--set", calm, "--deals", deals)
    assert "turns: the same in every deal so far, 13.00; what was not seen yet may move the mean to between 1" in out
    found = json.loads(ask("simulate", "--set", calm, "--deals", deals, "--json"))["results"][0]["measures"]["turns"]
    assert (found["value"], found["high"], found["method"]) == (13, 13, "constant")  # 13 is the most that 16 cards allow
    assert 0 < 13 - found["low"] < 60 / int(deals)  # 3.7 in so many, and none can be shorter than no turn at all


def test_a_target_of_it_is_reached_after_as_many_deals_as_was_said(calm):
    out = ask("simulate", "--set", calm, "--until", "turns +/- 0.01", "--deals", "500", code=4)
    assert "turns +/- 0.01: not reached in 500 deals, the same in every batch so far, known to within 0.17" in out
    assert "it takes about 11,000 deals" in out
    out = ask("simulate", "--set", calm, "--until", "turns +/- 0.01", "--deals", "1m")
    assert "11,520 deals" in out
    assert "reached after 11,520 deals, the same in every batch so far" in out


def test_what_is_known_without_counting_is_reached_at_once(calm):
    out = ask("simulate", "--set", calm, "--until", "above_bot[random] +/- 0.001pp", "--deals", "1m")
    assert " · 320 deals · " in out
    assert "reached, for it is known without counting" in out


def test_a_constant_is_told_from_what_varies_and_called_the_same_as_itself(calm, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(CALM.replace("speed = 6", "speed = 7").replace("calm", "other"))
    out = ask("compare", calm, str(other), "--deals", "4k", "--measure", "turns", "--require", "turns <= 0.5", "--until", "turns +/- 0.1")
    assert "The same in every batch: turns" in out
    assert "Required turns <= 0.5: holds" in out
    out = ask("compare", calm, "starship", "--deals", "400", "--measure", "turns")
    assert "less" in out


# --- how many turns there can be ----------------------------------------------------------------------------


def test_no_deal_is_longer_than_its_set_allows():
    """Sets of all words, with the true rules; of the printed ones the bound is reached."""
    game, refilled = find_game("lost_legacy"), 0
    sets = [load_set("megamix")] + [printed(name) for name in PAIR] + [random_card_set(Random(seed)) for seed in range(40)]
    for card_set in sets:
        players = max(seats(card_set))
        result = play(experiment_of(game, card_set, players, ["random"], 300, 1), game, 1)
        assert result.longest <= most_turns(card_set), card_set.to_toml()
        refilled += is_refilled(card_set)
    assert 3 < refilled < 37
    result = play(experiment_of(game, printed("flying-garden"), 2, ["random"], 3000, 1), game, 1)
    assert result.longest == most_turns(printed("flying-garden")) == 13


def test_of_a_set_that_cannot_be_read_the_bound_is_that_of_the_largest():
    assert turn_bound("") == turn_bound("nonsense") == 8 * 48
    assert turn_bound(CALM) == 13
    assert most_turns(parse_set(CALM.replace("eliminated =", "play =").replace("playable = false", "").replace('"ruins"', '"deck"'), VOCABULARY, where="x")) == 128
