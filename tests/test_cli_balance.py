"""`llsim balance`: what it prints, keeps, refuses, and how it stops."""

import csv
import io
import json
import os
import signal

import pytest
from command_line import run

from lostlegacy_sim.cli import balance as balance_module
from lostlegacy_sim.result import load_all

FEW = ("balance", "starship", "--bots", "random", "--deals", "500", "--threads", "2")


def ask(*words: str) -> str:
    ran = run(*words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_the_screen_answers_first_explains_itself_and_fits():
    out = ask(*FEW, "--players", "2,4", "--deals", "4000")
    lines = out.splitlines()
    assert lines[0] == "Lost Legacy: The Starship · 2 players, all random · 4,000 deals · seed 1"
    assert lines[1] == "  and as many with each of 45 variants of it, on the same shuffles"
    assert lines[3].startswith("  Too strong, if any: ")
    assert "Lost Legacy: The Starship · 4 players, all random · 4,000 deals · seed 1" in lines
    for said in ("survivorship", "one copy: win rate of the seats dealt one copy of the card as first hand card", "bias: in hand minus begin", "(Holm)",
                 "swap: the other printed set's card", "traps: seats put out in 100 deals", "Assault's text, one copy: ", "all copies: the same"):  # fmt: skip
        assert said in " ".join(out.split()), said
    assert max(map(len, lines)) <= 112
    assert lines[-1].startswith("  Holds for these bots.")
    assert "Holds for" not in ask(*FEW, "-q")


def test_a_set_named_either_way_gives_the_same():
    assert ask(*FEW, "--json", "--cards", "search").replace(" ", "") != ""
    plain = json.loads(ask(*FEW, "--json", "--cards", "search", "--effects", "blank"))
    option = json.loads(ask("balance", "--set", "starship", *FEW[2:], "--json", "--cards", "Search", "--effects", "blank"))
    assert plain["tables"][0]["cards"] == option["tables"][0]["cards"]
    assert [card["id"] for card in plain["tables"][0]["cards"]] == ["search"]


def test_json_holds_observed_and_caused():
    found = json.loads(ask(*FEW, "--json"), parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert (found["schema"], found["error"], found["adjusted"]["text"]) == ("llsim.balance/2", None, "holm")
    (table,) = found["tables"]
    assert (table["status"], table["variants"]) == ("complete", {"planned": 45, "played": 45})
    assert len(table["verdicts"]) >= 1
    cards = {card["id"]: card for card in table["cards"]}
    assert set(cards) == set(table["ranking"])
    assault = cards["assault"]
    assert found["judged"] == {"effect": "one", "measure": "above_par"}
    assert set(assault["effects"]) == {"one", "blank", "swap", "fewer", "more", "never"}
    assert assault["effects"]["swap"]["change"] == "Curse instead of Assault"
    assert set(assault["effects"]["blank"]) == {"change", "above_par", "first_owner", "nobody", "seat_gap", "turns"}
    assert set(assault["effects"]["one"]) == {"change", "above_par", "first_owner"}
    assert assault["effects"]["one"]["change"] == "a blank instead of one Assault"
    assert assault["observed"]["kills"]["unit"] == "rate"
    bias = assault["observed"]["iwd"]["value"] - assault["observed"]["begin"]["value"]
    assert assault["bias"]["value"] == pytest.approx(bias)
    assert (assault["has_text"], assault["observed"]["oh_win"]["n"]) == (True, 500)
    assert 0 < assault["observed"]["oh_win"]["counted"] < 500
    assert {row["card"] for row in table["impossible"]} == {"the_starship"}


def test_csv_has_a_row_a_number():
    rows = list(csv.DictReader(io.StringIO(ask(*FEW, "--deals", "4000", "--effects", "blank", "--csv"))))
    assert {row["n"] for row in rows} == {"4000"}
    wanted = next(row for row in rows if (row["card"], row["how"], row["measure"]) == ("assault", "one", "above_par"))
    assert float(wanted["low"]) <= float(wanted["value"]) <= float(wanted["high"])
    assert {row["measure"] for row in rows if row["how"] == "observed"} >= {"oh_win", "gd_win", "gih_win", "gns_win", "iwd", "hits"}


def test_a_copy_against_a_stated_card():
    found = json.loads(ask(*FEW, "--json", "--cards", "search", "--effects", "copy", "--against", "Assault"))
    effects = found["tables"][0]["cards"][0]["effects"]
    assert effects["more"]["change"] == "one Search more, one Assault fewer"
    assert found["tables"][0]["variants"]["planned"] == 2


def test_what_was_not_asked_is_not_answered():
    out = ask(*FEW, "--cards", "search", "--effects", "never", "--deals", "4000")
    assert "and as many with one variant of it, on the same shuffles" in out
    assert "Which text is too strong was not asked; --effects one tells it." in out
    assert "  Search: who plays it only when forced " in out
    assert "one copy" not in out
    assert "all copies" not in out.replace("minus this one, all copies", "")
    assert "\n\n\n" not in out


def test_different_bots_leave_out_what_compares_equals():
    ran = run(*FEW[:2], "--bots", "random,random:never=search", "--deals", "100")
    assert ran.code == 0
    assert ran.err == "The effect never compares equal bots, and these differ; it is left out.\n"
    assert "never: win rate of the bots" not in ran.out
    ran = run(*FEW[:2], "--bots", "random,random:never=search", "--effects", "never", "--deals", "100")
    assert ran.code == 2
    assert "different bots" in ran.err


def test_a_dry_run_plays_nothing(tmp_path):
    out = ask(*FEW, "--dry-run", "--out", str(tmp_path / "kept"))
    assert "with each of 45 variants of it: 23,000 deals in all" in out
    assert "nothing was played" in out
    assert not list(tmp_path.iterdir())
    assert json.loads(ask(*FEW, "--dry-run", "--json"))["plans"][0]["experiments"] == 46
    assert ask(*FEW, "--dry-run", "--csv").startswith("players,experiments,deals")


def test_out_is_a_result(tmp_path):
    ask(*FEW, "--players", "2,3", "--effects", "blank", "--out", str(tmp_path / "kept"))
    results = load_all(tmp_path / "kept")
    assert [result.experiment.players for result in results] == [2, 3]
    assert results[0].experiment.detail == "cards"
    again = run(*FEW, "--players", "2,3", "--out", str(tmp_path / "kept"))
    assert (again.code, again.out) == (2, "")
    assert "already holds" in again.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["starchip"], "There is no set 'starchip'. Did you mean 'starship'?"),
        (["starship", "--set", "megamix"], "The set is named twice"),
        (["starship", "--cards", "asault"], "The Starship has no card 'asault'. Did you mean 'assault'?"),
        (["starship", "--cards", "search,,assault"], "has an empty word"),
        (["starship", "--effects", "blnak"], "There is no effect 'blnak'. Did you mean 'blank'?"),
        (["starship", "--effects", "blank", "--against", "search"], "--against belongs to the effect copy"),
        (["starship", "--against", "serch"], "Did you mean 'search'?"),
        (["starship", "--players", "5"], "5 players need more than 16"),
        (["starship", "--bots", "carefull"], "Did you mean 'careful'?"),
        (["starship", "--json", "--csv"], "choose one"),
        (["starship", "--out", ""], "--out has no name"),
        (["starship", "--deals", "0"], "at least 1"),
        (["missing.toml"], "There is no card file missing.toml"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(words, sentence):
    ran = run("balance", *words)
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_prints_and_keeps_what_is_done(number, tmp_path, monkeypatch):
    play = balance_module.play_balance

    def play_half(asked, game, threads, move, stop, crew):
        def stop_at_half(played, planned):
            if played > planned / 2 and not stop.is_set():
                os.kill(os.getpid(), number)

        return play(asked, game, threads, stop_at_half, stop, crew)

    monkeypatch.setattr(balance_module, "play_balance", play_half)
    ran = run(*FEW, "--deals", "20k", "--threads", "1", "--out", str(tmp_path / "kept"))
    assert ran.code == 130
    assert "Stopped after 20,000 of 20,000 deals of the set as it is and " in ran.out
    assert "Too strong" in ran.out
    assert load_all(tmp_path / "kept")[0].status == "complete"


def test_a_bot_that_breaks_the_rules_is_named(tmp_path):
    (tmp_path / "bad.py").write_text("def decide(cards, public, private, question):\n    return 99\n")
    ran = run("balance", "starship", "--bots", str(tmp_path / "bad.py"), "--deals", "100")
    assert ran.code == 2
    assert "bad.py" in ran.err
    assert ran.out == ""
