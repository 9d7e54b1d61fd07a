"""`llsim simulate --until --require`: what it says, with which exit code it leaves, what it refuses."""

import json

import pytest
from command_line import run
from stand_in import STAND_IN

from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.cli import simulate as simulate_module
from lostlegacy_sim.result import load


@pytest.fixture(autouse=True)
def stand_in_deals(monkeypatch, tmp_path_factory):
    """Deals of the stand-in, and a cache folder of its own. Nobody wins 3 deals of 7; 5 per cent win less."""
    monkeypatch.setattr(job_module, "find_game", lambda name: STAND_IN)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def document(*words: str, code: int = 0) -> dict:
    ran = run("simulate", *words, "--json")
    assert ran.code == code
    return json.loads(ran.out)


def test_it_plays_until_the_target_is_reached():
    ran = run("simulate", "--until", "nobody +/- 2%", "--bots", "random")
    assert (ran.code, ran.err) == (0, "")
    line = next(line for line in ran.out.splitlines() if "Until" in line)
    assert line.startswith("  Until nobody +/- 2 %: reached after ")
    assert line.endswith(" points at every look.")
    deals = ran.out.split(" deals")[0].rsplit(" ", 1)[1]
    assert f"reached after {deals} deals" in line


def test_the_stopped_result_is_that_of_the_experiment_it_names(tmp_path):
    (found,) = document("--until", "nobody +/- 2%", "--bots", "strong,random", "--out", str(tmp_path / "run1"))["results"]
    (until,) = found["until"]
    assert until["met"] is True
    assert until["reach"] <= until["within"] == 0.02
    assert found["measures"]["nobody"]["method"] == "asymptotic sequence"
    deals = found["experiment"]["deals"]
    assert deals == found["deals"] == found["deals_planned"]
    run("simulate", "--deals", str(deals), "--bots", "strong,random", "--out", str(tmp_path / "run2"))
    assert load(tmp_path / "run1").tally == load(tmp_path / "run2").tally
    assert load(tmp_path / "run1").experiment == load(tmp_path / "run2").experiment


def test_the_same_stop_on_any_number_of_threads():
    words = ("--until", "win_seat[1] +/- 1%", "--until", "turns +/- 0.5", "--players", "2,3", "--bots", "random")
    one, four = (document(*words, "--threads", threads)["results"] for threads in ("1", "4"))
    assert one == four
    assert len({result["deals"] for result in one}) == 2  # each table stops on its own


def test_what_the_budget_does_not_reach_is_undecided():
    ran = run("simulate", "--until", "nobody +/- 0.0001pp", "--deals", "20k", "--bots", "random")
    assert ran.code == 4
    assert "Until nobody +/- 0.0001 pp: not reached in 20,000 deals, known to within" in ran.out
    assert "; it takes about " in ran.out
    needed = document("--until", "nobody +/- 0.0001pp", "--deals", "20k", "--bots", "random", code=4)["results"][0]["until"][0]["deals_needed"]
    assert 10**12 < needed < 10**14
    assert "at most 20,000 are played (--deals)" in ran.err  # said early
    assert len(ran.err.splitlines()) == 1
    assert run("simulate", "--until", "nobody +/- 0.0001pp", "--deals", "20k", "--bots", "random", "-q").err == ""


def test_so_few_deals_give_no_interval():
    ran = run("simulate", "--until", "turns +/- 1", "--deals", "200", "--bots", "random")
    assert ran.code == 4
    assert "not reached in 200 deals, no interval yet" in ran.out


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        ("nobody < 50%", 0, "holds"),
        ("nobody > 50%", 3, "does not hold"),
        ("nobody < 42.8%", 4, "undecided"),
        ("seat_gap < 10pp", 0, "holds"),
        ("turns >= 8", 3, "does not hold"),
    ],
)
@pytest.mark.parametrize("until", [(), ("--until", "nobody +/- 3%")])
def test_a_requirement_is_answered_by_sentence_and_exit_code(asked, code, said, until):
    ran = run("simulate", "--require", asked, "--deals", "20k", "--bots", "random", *until)
    assert ran.code == code
    line = next(line for line in ran.out.splitlines() if "Required" in line)
    assert f": {said}; it is " in line
    assert "95 % interval" in line
    method = line.rsplit("(", 1)[1].split(")")[0]
    assert ("it may take" in line) == (code == 4)
    assert ("sequence" in method) == bool(until)
    assert until or "nobody" not in asked or method == "clopper-pearson"


def test_one_broken_requirement_breaks_the_gate_whatever_else_is_open():
    words = ("--deals", "20k", "--bots", "random")
    assert run("simulate", "--require", "nobody < 50%", "--require", "turns < 9", *words).code == 0
    assert run("simulate", "--require", "nobody < 42.8%", "--require", "turns > 9", *words).code == 3
    assert run("simulate", "--require", "nobody < 42.8%", "--require", "turns < 9", *words).code == 4
    assert run("simulate", "--until", "turns +/- 0.0001", "--require", "turns < 9", *words).code == 4
    assert run("simulate", "--require", "win_seat[3] > 17%", "--players", "3,4", *words).code == 3


def test_json_and_csv_carry_the_answers():
    (result,) = document("--require", "nobody < 50%", "--deals", "20k", "--bots", "random")["results"]
    assert result["until"] == []
    (judged,) = result["require"]
    assert (judged["verdict"], judged["relation"], judged["bound"], judged["method"]) == ("met", "<", 0.5, "clopper-pearson")
    assert judged["low"] < judged["value"] < judged["high"] < judged["bound"]
    ran = run("simulate", "--require", "nobody < 50%", "--deals", "2k", "--csv")
    assert ran.out.startswith("players,measure")
    assert ran.err.startswith("Required nobody < 50 %: holds")


def test_without_deals_a_target_may_take_a_hundred_million():
    assert "100,000,000 deals" in run("simulate", "--dry-run", "--until", "nobody +/- 1%", "--bots", "random").out
    assert "ends earlier, once nobody +/- 1 % is reached" in run("simulate", "--dry-run", "--until", "nobody +/- 1%").out
    assert "1,000,000 deals" in run("simulate", "--dry-run", "--bots", "random").out
    assert "5,000 deals" in run("simulate", "--dry-run", "--until", "nobody +/- 1%", "--deals", "5k").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--until", "nobody"], "write a measure and how exactly it is to be known"),
        (["--until", "nobdy +/- 1%"], "There is no measure 'nobdy' here. Did you mean 'nobody'?"),
        (["--until", "turns +/- 1%"], "turns is counted in turns"),
        (["--until", "nobody +/- 0"], "no number of deals makes a measure exact"),
        (["--require", "nobody"], "write a measure, one of < <= > >=, and a number"),
        (["--require", "out_early < 5"], "write 5% or 0.05"),
        (["--require", "win_seat[4] < 50%", "--players", "3"], "There is no measure 'win_seat[4]' here"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence_before_anything_is_played(words, sentence, monkeypatch):
    monkeypatch.setattr(simulate_module, "play_all", None)
    ran = run("simulate", *words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1
