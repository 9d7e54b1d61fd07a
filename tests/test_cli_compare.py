"""`llsim compare`: what it prints, keeps, refuses, and with which exit code it leaves."""

import csv
import io
import json
import os
import signal
import threading

import pytest
from command_line import run
from stand_in import STAND_IN

from lostlegacy_sim.cli import compare as compare_module
from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.result import load, load_all
from lostlegacy_sim.runner import Here, play

PAIR = ("bots=random,random,random,careful", "bots=strong,random")


@pytest.fixture(autouse=True)
def stand_in_deals(monkeypatch, tmp_path_factory):
    """Deals of the stand-in, and a cache folder of its own."""
    for module in (compare_module, job_module):
        monkeypatch.setattr(module, "find_game", lambda name: STAND_IN)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def ask(*words: str, code: int = 0) -> str:
    ran = run("compare", *words)
    assert (ran.code, ran.err) == (code, "")
    return ran.out


def document(*words: str) -> dict:
    return json.loads(ask(*words, "--json"))


def row_of(out: str, measure: str) -> list[str]:
    return next(line for line in out.splitlines() if line.startswith(f"  {measure} ")).split()


def test_the_screen_says_what_is_compared_and_what_changes():
    out = ask(*PAIR, "--deals", "20k")
    lines = out.splitlines()
    assert lines[0] == "Lost Legacy, compared:"
    assert lines[1] == "  A  The Starship · 4 players, 3 x random, careful · 20,000 deals · seed 1"
    assert lines[2] == "  B  The Starship · 4 players, strong, 3 x random · 20,000 deals · seed 1"
    assert "  B against A: the same 5,000 shuffles, differences taken batch by batch." in lines
    (differs,) = (line for line in lines if line.startswith("  B differs: "))
    assert "win_bot[strong for careful] +" in differs
    assert "by_found" in differs
    assert differs.index("(better)") < differs.index("(more)")
    assert "by_last" in next(line for line in lines if line.startswith("  The same in every batch: "))
    assert row_of(out, "nobody")[-1] == "better"
    assert "x " in next(line for line in lines if line.startswith("  nobody "))
    assert "Holm" in out
    assert "Pairing: " in out
    assert "Equivalent" not in out


def test_a_margin_is_asked_for_and_explained():
    out = ask(*PAIR, "--deals", "20k", "--margin", "10pp", "--margin", "turns=0.5")
    assert row_of(out, "nobody")[-1] == "equivalent"
    assert "Equivalent: surely no further apart than the margin (0.5 turns, 10.00 points)." in out


def test_several_sides_are_each_compared_with_the_first():
    out = ask("bots=careful", "bots=strong", "bots=random", "--deals", "4k", "--measure", "nobody")
    assert "B against A" in out
    assert "C against A" in out
    assert "C against B" not in out


def test_numbers_of_players_are_compared_unpaired_and_it_is_said():
    out = ask("players=3", "players=4", "--deals", "4k", "--bots", "random")
    assert "B against A: not the same deals, for there are 3 and 4 players; compared unpaired." in out
    assert "index_seat[1]" in out
    assert "Pairing:" not in out


def test_each_number_of_players_is_compared_on_its_own():
    found = document(*PAIR, "--deals", "4k", "--players", "4,5", "--set", "megamix")
    assert [(pair["first"], pair["second"]) for pair in found["comparisons"]] == [("A", "B"), ("C", "D")]
    assert [variant["experiment"]["players"] for variant in found["variants"]] == [4, 4, 5, 5]


def test_the_json_holds_every_number():
    found = document(*PAIR, "--deals", "20k", "--margin", "1pp")
    assert (found["schema"], found["adjusted"]) == ("llsim.compare/1", "holm")
    assert [variant["letter"] for variant in found["variants"]] == ["A", "B"]
    assert all(variant["status"] == "complete" and variant["deals"] == 20_000 for variant in found["variants"])
    (pair,) = found["comparisons"]
    assert (pair["first"], pair["second"], pair["paired"], pair["blocks"]) == ("A", "B", True, 5000)
    for row in pair["measures"]:
        difference = row["difference"]
        assert difference["low"] <= difference["value"] <= difference["high"]
        assert difference["value"] == pytest.approx(row["second"]["value"] - row["first"]["value"])
        assert row["verdict"] in ("better", "worse", "more", "less", "equivalent", "same", "undecided")
        assert row["margin"] == (None if row["unit"] in ("turns",) else 0.01)
    assert pair["until"] == pair["require"] == []


def test_the_csv_holds_the_same_numbers_as_the_json():
    rows = list(csv.DictReader(io.StringIO(ask(*PAIR, "--deals", "4k", "--csv"))))
    (pair,) = document(*PAIR, "--deals", "4k")["comparisons"]
    assert [row["measure"] for row in rows] == [row["measure"] for row in pair["measures"]]
    for row, known in zip(rows, pair["measures"], strict=True):
        assert float(row["difference"]) == known["difference"]["value"]
        assert float(row["first_low"]) == known["first"]["low"]
        assert (row["verdict"], row["paired"]) == (known["verdict"], "yes")


def test_the_same_numbers_on_any_number_of_threads_and_in_simulate():
    one, four = (document(*PAIR, "--deals", "20k", "--threads", threads) for threads in ("1", "4"))
    assert one["comparisons"] == four["comparisons"]
    alone = json.loads(run("simulate", "--bots", "strong,random", "--deals", "20k", "--json").out)["results"][0]
    assert alone["experiment_hash"] == one["variants"][1]["experiment_hash"]
    nobody = next(row for row in one["comparisons"][0]["measures"] if row["measure"] == "nobody")
    assert nobody["second"] == alone["measures"]["nobody"]


def test_verbose_adds_p_values_and_quiet_leaves_out_the_notes():
    assert "nobody: difference p < 0.001 (adjusted by Holm)" in ask(*PAIR, "--deals", "20k", "-v")
    assert "equivalence p = 1.000" in ask(*PAIR, "--deals", "20k", "-v", "--margin", "0.01pp")
    assert "Next:" not in ask(*PAIR, "--deals", "4k", "-q")


# --- kept results -----------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    """A function that keeps a result of `llsim simulate`: its folder."""

    def keep(name: str, *words: str) -> str:
        run("simulate", "--out", str(tmp_path / name), "--bots", "random", "--deals", "4k", *words)
        return str(tmp_path / name)

    return keep


def test_kept_results_of_the_same_deals_are_paired(kept):
    first, second = kept("run1"), kept("run2", "--set", "flying-garden")
    assert "B against A: the same 4,000 shuffles" in ask(first, second)
    assert row_of(ask(first, second), "nobody")[-1] == "same"  # the stand-in plays all cards alike
    assert "B against A: the same 4,000 shuffles" in ask(first, "flying-garden", "--deals", "4k", "--bots", "random")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--seed", "2"], "for the seeds are 1 and 2; compared unpaired."),
        (["--deals", "5k"], "for there are 4,000 and 5,000 shuffles; compared unpaired."),
        (["--players", "3"], "for there are 4 and 3 players; compared unpaired."),
    ],
)
def test_kept_results_of_other_deals_are_compared_unpaired_and_it_is_said(kept, words, why):
    out = ask(kept("run1"), kept("run2", *words))
    assert why in out
    assert row_of(out, "turns")[-1] != "same"


def test_out_keeps_the_results_and_a_folder_of_several_is_as_many_sides(tmp_path):
    folder = tmp_path / "both"
    first = ask(*PAIR, "--deals", "4k", "--out", str(folder), "-q")
    assert sorted(path.name for path in folder.iterdir()) == ["1-starship", "2-starship", "results.json"]
    assert [result.experiment.bots[0] for result in load_all(folder)] == ["random", "strong"]
    assert load(folder / "2-starship").deals == 4000
    assert ask(str(folder), "-q") == first
    assert ask(str(folder / "1-starship"), str(folder / "2-starship"), "-q") == first
    assert f"Next: llsim report {tmp_path / 'more'} -o page.html" in ask(*PAIR, "--deals", "4k", "--out", str(tmp_path / "more"))
    ran = run("compare", *PAIR, "--deals", "4k", "--out", str(folder))
    assert (ran.code, ran.out) == (2, "")
    assert "already holds this very result" in ran.err
    ran = run("report", str(folder / "1-starship"), "--list")
    assert ran.code == 0


def test_the_last_result_is_a_side(kept):
    kept("run1")
    assert "the same 4,000 shuffles" in ask("last", "flying-garden", "--deals", "4k", "--bots", "random")


def test_a_damaged_result_is_refused(kept):
    folder = kept("run1")
    with open(os.path.join(folder, "counts.npy"), "ab") as file:
        file.write(b"x")
    ran = run("compare", folder, "starship")
    assert (ran.code, ran.out) == (2, "")
    assert "is damaged" in ran.err


# --- until and require ------------------------------------------------------------------------------------


def test_it_plays_until_the_difference_is_known():
    found = document(*PAIR, "--until", "by_found +/- 1pp", "--measure", "by_found")
    (pair,) = found["comparisons"]
    (until,) = pair["until"]
    assert until["met"] is True
    assert until["reach"] <= 0.01
    assert len({variant["blocks"] for variant in found["variants"]}) == 1
    assert found["variants"][0]["deals"] == found["variants"][0]["deals_planned"] < 10**6
    row = pair["measures"][0]["difference"]
    assert max(row["high"] - row["value"], row["value"] - row["low"]) == pytest.approx(until["reach"])
    assert found["comparisons"] == document(*PAIR, "--until", "by_found +/- 1pp", "--measure", "by_found", "--threads", "3")["comparisons"]


def test_what_the_budget_does_not_reach_is_undecided():
    ran = run("compare", *PAIR, "--until", "by_found +/- 0.01pp", "--deals", "20k")
    assert ran.code == 4
    assert "Until by_found +/- 0.01 pp: not reached in 20,000 deals" in ran.out
    assert "it takes about" in ran.out
    assert "at most 20,000 are played" in ran.err


@pytest.mark.parametrize(("asked", "code"), [("nobody < 0", 0), ("nobody > 0", 3), ("nobody < -3.6pp", 4), ("turns <= 0.5", 0), ("turns <= 0.005", 4), ("by_found <= 10pp", 0), ("seat_gap < 9pp", 0)])
def test_a_requirement_speaks_of_the_difference(asked, code):
    assert f"Required {asked.split(' ')[0]}" in ask(*PAIR, "--deals", "20k", "--require", asked, code=code)


# --- before playing -----------------------------------------------------------------------------------------


def test_a_dry_run_says_what_would_be_played(monkeypatch, tmp_path):
    monkeypatch.setattr(Here, "play", None)
    out = ask("bots=random", "bots=strong,random", "--deals", "20k", "--dry-run", "--out", str(tmp_path / "run1"))
    assert "all random · 5,000 deals" in out
    assert "strong, 3 x random · 20,000 deals" in out
    assert not list(tmp_path.iterdir())
    plans = document("bots=random", "bots=strong,random", "--deals", "20k", "--dry-run")["plans"]
    assert [plan["blocks"] for plan in plans] == [5000, 5000]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "A comparison takes two sides or more"),
        (["starship"], "A comparison takes two sides or more"),
        (["starship", "starshp"], "Did you mean 'starship'?"),
        (["starship", "nothere.toml"], "There is no card file nothere.toml"),
        (["bots=random", "bots=randm"], "Did you mean 'random'?"),
        (["bots=random", "bots="], "write bots separated by commas"),
        (["players=3", "players=9"], "write a number from 2 to 6"),
        (["players=3", "players=3-4"], "a side has one number of players"),
        (["players=4", "players=5"], "5 players need more than 16"),
        (["starship", "megamix", "--set", "megamix"], "--set is not needed"),
        (["bots=random", "bots=careful", "--bots", "random"], "--bots is not needed"),
        (["players=3", "bots=random", "--players", "3-4"], "write one number"),
        (["starship", "megamix", "--measure", "nobdy"], "Did you mean 'nobody'?"),
        (["players=3", "players=4", "--measure", "win_seat[4]"], "There is no measure 'win_seat[4]' here"),
        (["starship", "megamix", "--margin", "half"], "write the largest difference that does not matter"),
        (["starship", "megamix", "--margin", "5"], "write 5pp"),
        (["starship", "megamix", "--margin", "turns=5%"], "turns is counted in turns"),
        (["starship", "megamix", "--until", "turns +/- 5%"], "turns is counted in turns"),
        (["starship", "megamix", "--require", "nbody < 5%"], "There is no measure 'nbody' here"),
        (["starship", "megamix", "--json", "--csv"], "choose one"),
        (["starship", "megamix", "--out", " "], "--out has no name"),
        (["starship", "megamix", "--pick", "1=starship"], "--pick belongs to the set custom"),
        (["starship", "megamix", "--dael", "5"], "--dael"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence_before_anything_is_played(words, sentence, monkeypatch):
    monkeypatch.setattr(Here, "play", None)
    ran = run("compare", *words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1


def test_options_that_no_kept_result_would_follow_are_refused(kept):
    ran = run("compare", kept("run1"), kept("run2"), "--seed", "5")
    assert (ran.code, ran.out) == (2, "")
    assert "--seed is for deals to be played" in ran.err
    ran = run("compare", kept("run1"), "starship", "--until", "nobody +/- 1%")
    assert ran.code == 2
    assert "a kept result is not played on" in ran.err


# --- stopping -------------------------------------------------------------------------------------------------


def test_a_stopped_comparison_shows_what_both_have(monkeypatch, tmp_path):
    timers = []

    def play_on(experiment, *words):
        if "slow" in experiment.bots:
            timers.append(threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)))
            timers[-1].start()
        return play(experiment, *words)

    monkeypatch.setattr(Here, "play", staticmethod(play_on))
    ran = run("compare", "bots=strong,random", "bots=slow,random", "--players", "2", "--deals", "100k", "--out", str(tmp_path / "run1"))
    timers[0].join()
    assert ran.code == 130
    assert "(stopped; 100,000 were planned)" in ran.out
    assert "B against A: the same " in ran.out
    assert [result.status for result in load_all(tmp_path / "run1")] == ["complete", "partial"]


def test_a_run_stopped_before_there_are_two_sides_says_so(monkeypatch, tmp_path):
    def play_on(experiment, game, threads, move, stop):
        stop.set()
        return play(experiment, game, threads, move, stop)

    monkeypatch.setattr(Here, "play", staticmethod(play_on))
    ran = run("compare", *PAIR, "--out", str(tmp_path / "run1"))
    assert (ran.code, ran.out) == (130, "")
    assert ran.err == "Stopped before two sides had finished a batch of deals; nothing is kept.\n"
    assert not list(tmp_path.iterdir())


def test_a_bot_that_breaks_the_rules_is_named():
    ran = run("compare", "bots=random,careful", "bots=cheat,random", "--deals", "20k")
    assert ran.code == 1
    assert "chose 9 of 2 options in deal 5000" in ran.err
    assert "B against A: the same " in ran.out
