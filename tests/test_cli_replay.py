"""`llsim replay`: which deal it tells, what it says, and what it refuses."""

import json

import pytest
from command_line import run

import lostlegacy_sim.jit
from lostlegacy_sim.games.lost_legacy import replay as replaying
from lostlegacy_sim.result import recall

TABLE = ("--set", "starship", "--players", "3", "--bots", "random")


@pytest.fixture(autouse=True)
def cache_home(monkeypatch, tmp_path):
    """The last result of these tests is remembered elsewhere; compiled code stays where it is."""
    monkeypatch.setattr(lostlegacy_sim.jit, "cache_home", lambda: tmp_path / "cache")


def ask(*words: str) -> str:
    ran = run("replay", *words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def refused(*words: str) -> str:
    ran = run("replay", *words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    return ran.err


def simulated(*words: str) -> None:
    ran = run("simulate", *words, "-q")
    assert ran.code == 0


def test_a_deal_is_told_from_the_shuffle_to_the_result() -> None:
    out = ask(*TABLE, "--deal", "5")
    assert out.startswith("Lost Legacy: The Starship, 3 players, seed 1, deal 5\nBots: seat 1 random, seat 2 random, seat 3 random.\n")
    assert out.index("The deal: seat 1 holds") < out.index("Turn 1. Seat 1 holds") < out.index("Result: ")
    assert out == ask(*TABLE, "--deal", "5")
    assert out != ask(*TABLE, "--deal", "6") != ask(*TABLE, "--deal", "6", "--seed", "2")


def test_knowledge_is_told_after_each_turn_at_the_end_or_never() -> None:
    turns = ask(*TABLE, "--deal", "5").count("\nTurn ")
    counts = [ask(*TABLE, "--deal", "5", "--knows", when).count(" knows: ") for when in ("turns", "end", "never")]
    assert counts == [3 * (turns + 1), 3, 0]  # the deal itself is a chapter too, and in this deal there is no investigation


def test_a_line_up_is_seated_as_its_rotation_says() -> None:
    words = ("--set", "starship", "--players", "3", "--bots", "careful,random")
    for rotation, seats in enumerate(("careful random random", "random random careful", "random careful random")):
        names = ", ".join(f"seat {seat} {bot}" for seat, bot in enumerate(seats.split(), 1))
        assert f"\nBots: {names}.\n" in ask(*words, "--deal", str(9 + rotation))


def test_json_holds_history_and_chapters() -> None:
    found = json.loads(ask(*TABLE, "--deal", "5", "--json"))
    assert found["schema"] == "llsim.replay/1"
    assert (found["deal"], found["block"], found["rotation"], found["turns"]) == (5, 5, 0, len(found["chapters"]) - 1)
    assert sorted(found["history"][0]["order"]) == list(range(16))
    assert {"question", "seat", "answer", "options"} == set(found["history"][1])
    assert found["chapters"][-1]["sentences"][-1].startswith(f"Result: seat {found['winner'] + 1} wins")


def test_the_largest_deal_number_is_told() -> None:
    assert "deal 4611686018427387903\n" in ask(*TABLE, "--deal", str(2**62 - 1))


# --- deals of a result ------------------------------------------------------------------------------------


def test_every_exemplar_of_a_result_is_what_it_should_be() -> None:
    simulated("--players", "3", "--bots", "random", "--deals", "2000")
    (result,) = recall()
    endings = {"nobody": "nobody", "last": "last", "seen": "seen", "found": "found"}
    for name, deal in result.deal_of.items():
        if deal is None:
            continue
        stem, _, seat = name.partition("[")
        words = ("last", "--find", stem, *(["--seat", seat[:-1]] if seat else []), "--json")
        found = json.loads(ask(*words))
        assert found["deal"] == deal
        if stem in endings:
            assert found["way"] == endings[stem]
            assert not seat or found["winner"] == int(seat[:-1]) - 1
        if stem == "longest":
            assert found["turns"] == result.longest
        if stem == "out_early":
            told = " ".join(sentence for chapter in found["chapters"] for sentence in chapter["sentences"])
            assert f"Seat {seat[:-1]} is eliminated" in told
            assert f". Seat {seat[:-1]} holds" not in told
    assert json.loads(ask("last", "--find", "seen", "--json"))["deal"] == min(
        deal for name, deal in result.deal_of.items() if name.startswith("seen") and deal is not None
    )


def test_of_several_results_the_players_say_which(tmp_path) -> None:
    simulated("--players", "2-3", "--bots", "random", "--deals", "100", "--out", str(tmp_path / "run"))
    for word in ("last", str(tmp_path / "run")):
        assert "There are results for 2, 3 players; add --players 2, say." in refused(word)
        assert "only for 2, 3 players." in refused(word, "--players", "4")
        assert " 3 players, seed 1, deal 7\n" in ask(word, "--players", "3", "--deal", "7")
    assert "deal 7\n" in ask(str(tmp_path / "run" / "2-players"), "--deal", "7")


def test_simulate_names_the_command() -> None:
    assert "llsim replay last --find nobody" in run("simulate", "--players", "3", "--bots", "random", "--deals", "100").out


# --- what it refuses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "sentence"), [
    (("--deal", "-3"), "--deal -3: write a whole number from 0 to 4611686018427387903."),
    (("--deal", "4611686018427387904"), "write a whole number from 0 to 4611686018427387903."),
    (("--deal", "9" * 400), "write a whole number from 0 to"),
    (("--deal", "seven"), "--deal seven: write a whole number"),
    (("--find", "nobody"), "--find looks in a result; write `llsim replay last --find nobody`."),
    (("last", "--find", "nobody", "--deal", "1"), "choose one of the two"),
    (("--seat", "2"), "--seat belongs to --find"),
    (("last", "--find", "last", "--seat", "7"), "--seat 7: write a seat from 1 to 6."),
    (("--players", "2-4"), "write one number"),
    (("--set", "starship", "--players", "5"), "Seat at most 4"),
    (("last",), "There is no last result to speak of. `llsim simulate` plays one."),
    (("nowhere",), "There is no result folder nowhere."),
    (("last", "--bots", "random"), "There is no last result to speak of."),
    (("last", "--seed", "1"), "--seed names a table"),
    (("--bots", "carful"), "Did you mean 'careful'?"),
])  # fmt: skip
def test_refusals_are_sentences(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(*words)


@pytest.mark.parametrize(("words", "sentence"), [
    (("--deal", "100"), "--deal 100: the result holds the deals 0 to 99."),
    (("--find", "nobdy"), "--find nobdy: no deals are remembered by that word. Did you mean 'nobody'?"),
    (("--find", "last[9]"), "no deals are remembered by that word."),
    (("--find", "nobody", "--seat", "2"), "--find nobody does not ask for a seat; drop --seat."),
    (("--find", "found", "--seat", "6"), "None of the 100 deals is remembered under found[6]."),
])  # fmt: skip
def test_refusals_that_need_a_result(words: tuple[str, ...], sentence: str) -> None:
    simulated("--players", "3", "--bots", "random", "--deals", "100")
    assert sentence in refused("last", *words)


def test_a_deal_too_long_to_be_written_down_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "N_HISTORY", 20)
    assert "Deal 5 is too long to be told: it took 7 turns." in refused(*TABLE, "--deal", "5")
