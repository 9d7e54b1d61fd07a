"""`llsim explore`: what it prints, keeps, refuses, and how it stops."""

import csv
import io
import json
import os
import signal
import threading

import pytest
from command_line import run
from planted_game import PLANTED

from lostlegacy_sim.cli import explore as explore_module
from lostlegacy_sim.games.lost_legacy.cards.composition import all_mixes
from lostlegacy_sim.studies import mixes as mixes_module
from lostlegacy_sim.studies.kept_looks import load_exploration


@pytest.fixture(autouse=True)
def planted_deals(monkeypatch, tmp_path_factory):
    """Deals of the planted game, and a cache folder of its own."""
    monkeypatch.setattr(explore_module, "find_game", lambda name: PLANTED)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


MIXES = ("explore", "--family", "mixes", "--threads", "2")


def ask(*words: str) -> str:
    ran = run(*words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_the_screen_answers_first_and_fits():
    out = ask(*MIXES, "--deals", "1000", "--top", "3", "--goal", "nobody", "--goal", "turns", "--goal", "skill", "--skill", "strong,random")
    lines = out.splitlines()
    assert lines[0] == ("Lost Legacy: 512 mixes of The Starship and The Flying Garden · 4 players, all careful · 1,000 deals each · seed 1")
    assert lines[2].startswith("  First of 512 by the mean of its ranks in all goals: ")
    assert "  nobody: speed 8 matters most: Curse instead of Assault +3." in out
    assert "  turns: speed 6 matters most: False Information instead of Ancient Map +1.00 turns" in out
    assert "  skill: no choice moves it by more than these deals can tell." in out
    assert "lower is better (somebody wins)" in out
    assert "one strong among random" in out
    assert "values on fresh shuffles (seed 512241499), in brackets the first look" in out
    assert "The best again: llsim simulate --" in out
    table = lines[lines.index("  best") : lines.index("  printed") + 3]
    assert len(table) == 1 + 3 + 1 + 3 + 1 + 2
    assert all("(" in line for line in table if line.startswith("    "))
    assert max(len(line) for line in lines if "again:" not in line) <= 125


def test_one_goal_alone_ranks_by_it():
    out = ask(*MIXES, "--deals", "200", "--top", "1", "--goal", "turns=6")
    assert "by turns" in out
    assert "nearest to 6 is best" in out


def test_json_and_csv_hold_every_mix():
    words = (*MIXES, "--deals", "200", "--top", "2", "--goal", "nobody", "--goal", "turns:low")
    found = json.loads(ask(*words, "--json"))
    assert (found["schema"], found["family"], found["status"], found["sets_played"]) == ("llsim.explore/1", "mixes", "complete", 512)
    assert [goal["goal"] for goal in found["goals"]] == ["nobody", "turns"]
    assert {mix["id"] for mix in found["mixes"]} == {mix.id for mix in all_mixes()}
    assert [mix["id"] for mix in found["mixes"][:2]] == found["best"]
    assert len(found["effects"]) == 18
    best = found["mixes"][0]["goals"]["nobody"]
    assert best["low"] < best["value"] < best["high"]
    assert best["fresh"]["value"] is not None
    assert found["second_look"]["seed"] != found["table"]["seed"]
    rows = list(csv.DictReader(io.StringIO(ask(*words, "--csv"))))
    assert len(rows) == 1024
    assert float(rows[0]["value"]) == best["value"]
    assert all(row["pick"] for row in rows)


def test_a_single_deal_each_is_no_error():
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    out = ask(*MIXES, "--deals", "1", "--top", "1", "--json")
    assert json.loads(out, parse_constant=refuse)["mixes"][0]["goals"]["turns"]["low"] is None
    assert "no choice moves it" in ask(*MIXES, "--deals", "1", "--top", "1")


def test_out_keeps_counts_that_answer_again(tmp_path):
    words = (*MIXES, "--deals", "100", "--top", "1", "--goal", "turns", "--json")
    found = json.loads(ask(*words, "--out", str(tmp_path / "kept")))
    kept = load_exploration(tmp_path / "kept", PLANTED)
    assert kept.looks["first"].values(kept.looks["first"].table.goals[0]).shape == (512,)
    assert kept.looks["second"].table.seed == found["second_look"]["seed"]
    again = run(*words, "--out", str(tmp_path / "kept"))
    assert again.code == 2
    assert "holds other files" in again.err
    assert again.out == ""


def test_a_dry_run_plays_nothing(tmp_path):
    out = ask(*MIXES, "--dry-run", "--out", str(tmp_path / "kept"), "--goal", "turns", "--goal", "skill")
    assert "two line-ups" in out or "2 line-ups" in out
    assert "a rate of 50 % would be known to within 0.22 points (95 %) for each set" in out
    assert "nothing was played" in out
    assert not list(tmp_path.iterdir())
    plan = json.loads(ask(*MIXES, "--dry-run", "--json"))
    assert plan["schema"] == "llsim.plan/1"
    assert plan["plans"][0]["deals"] == (512 + 27) * 200_000  # 20 at the ends, the best in 5 goals, the 2 printed sets
    assert "deals" in ask(*MIXES, "--dry-run", "--csv")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Say what to explore"),
        (["--family", "mixs"], "There is no family 'mixs'. Did you mean 'mixes'?"),
        (["--family", "mixes", "--goal", "seat_gab"], "There is no goal 'seat_gab' here. Did you mean 'seat_gap'?"),
        (["--family", "mixes", "--goal", "by_last"], "say which way is better"),
        (["--family", "mixes", "--players", "2-4"], "one number of players at a time"),
        (["--family", "mixes", "--players", "5"], "5 players need more than 16"),
        (["--family", "mixes", "--skill", "careful"], "skill takes two bots"),
        (["--family", "mixes", "--goal", "skill", "--skill", "carefull,random"], "Did you mean 'careful'?"),
        (["--family", "mixes", "--top", "0"], "--top"),
        (["--family", "mixes", "--json", "--csv"], "choose one"),
        (["--family", "mixes", "--out", ""], "--out has no name"),
        (["--family", "mixes", "--bots", "carefull"], "Did you mean 'careful'?"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(words, sentence):
    ran = run("explore", *words)
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_prints_and_keeps_the_mixes_that_are_done(number, tmp_path, monkeypatch):
    timers = []
    look = mixes_module.take_look

    def take_look(*words):
        timers.append(threading.Timer(1.5, lambda: os.kill(os.getpid(), number)))
        timers[0].start()
        return look(*words)

    monkeypatch.setattr(mixes_module, "take_look", take_look)
    ran = run(*MIXES, "--deals", "100", "--bots", "slow", "--goal", "turns", "--out", str(tmp_path / "kept"))
    timers[0].join()
    assert ran.code == 130
    kept = load_exploration(tmp_path / "kept", PLANTED).looks
    assert set(kept) == {"first"}
    done = len(kept["first"].rows)
    assert 0 < done < 512
    assert f"Stopped after {done} of 512 mixes; this is what they say." in ran.out
    assert "which flatters the best; they were not played again" in ran.out


def test_a_bot_that_breaks_the_rules_ends_the_run():
    ran = run(*MIXES, "--deals", "6000", "--bots", "cheat")
    assert ran.code == 1
    assert "chose 9 of 2 options in deal 5000" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize("words", [("--family", "mixes", "--top", "2", "--deals", "100"), ("--family", "guidelines", "--members", "4", "--deals", "60")])
def test_a_kept_exploration_answers_again_without_being_played(words, tmp_path, monkeypatch):
    folder = str(tmp_path / "kept")
    first = ask("explore", *words, "--goal", "seat_gap", "--goal", "skill", "--out", folder)
    documents = [json.loads(ask("explore", *words, "--goal", "seat_gap", "--goal", "skill", "--json"))]

    def play_nothing(*_):
        raise AssertionError("something was played")

    monkeypatch.setattr("lostlegacy_sim.studies.look.play_surveys", play_nothing)
    assert ask("explore", folder) == first
    documents.append(json.loads(ask("explore", folder, "--json")))
    for document in documents:
        document.pop("provenance")
    assert documents[0] == documents[1]


def test_a_kept_sweep_answers_again(tmp_path):
    (tmp_path / "sweep.toml").write_text('players = [2, 3]\ndeals = 200\ngoals = "turns"\n[sweep]\n"search.copies" = "2..4"\n')
    first = ask("explore", str(tmp_path / "sweep.toml"), "--out", str(tmp_path / "kept"))
    assert ask("explore", str(tmp_path / "kept")) == first


def test_a_folder_that_holds_no_exploration_is_refused(tmp_path):
    ran = run("explore", str(tmp_path))
    assert (ran.code, ran.err) == (2, f"{tmp_path} holds no result: manifest.json is missing.\n")
    ask(*MIXES, "--deals", "16", "--goal", "turns", "--out", str(tmp_path / "kept"))
    for facts, family in (({}, "mixes"), ({"top": "many"}, "mixes"), ({"top": 1}, "guidelines"), ({"top": 1}, "sweep"), ({"top": 1}, "others")):
        manifest = json.loads((tmp_path / "kept" / "manifest.json").read_text())
        manifest |= {"facts": facts, "family": family}
        (tmp_path / "kept" / "manifest.json").write_text(json.dumps(manifest))
        ran = run("explore", str(tmp_path / "kept"))
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        sentence = "This exploration is of the family 'others', which" if family == "others" else "manifest.json is damaged: facts is missing or not a table of"
        assert sentence in ran.err


def test_long_names_keep_their_columns(tmp_path):
    lines = ask(*MIXES, "--deals", "100", "--bots", "strong,random", "--goal", "win_bot[strong]:high", "--goal", "turns", "--top", "1").splitlines()
    heading = next(line for line in lines if line.split()[:2] == ["front", "rank"])
    row = next(line for line in lines if line.startswith("    starship"))
    assert heading.index("win_bot[strong] %") + len("win_bot[strong] %") == row.index(")") + 1
    assert any(line.startswith("  win_bot[strong] %  ") for line in lines)
