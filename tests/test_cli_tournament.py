"""`llsim tournament`: what it prints, keeps, refuses, and how it stops."""

import csv
import io
import json
import os
import signal
from contextlib import nullcontext

import pytest
from command_line import run
from planted_bots import PLANTED

from lostlegacy_sim.cli import tournament as tournament_module
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.result import load_all
from lostlegacy_sim.studies.kept_tournaments import load_tournaments
from lostlegacy_sim.studies.ladder import Climbed
from lostlegacy_sim.studies.standings import Standings


@pytest.fixture(autouse=True)
def planted_deals(monkeypatch, tmp_path_factory):
    """Deals of planted bots, and a cache folder of its own."""
    monkeypatch.setattr(tournament_module, "find_game", lambda name: PLANTED)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


CUP = ("tournament", "--bots", "even,strong,equal", "--deals", "20k", "--threads", "2")


def ask(*words: str) -> str:
    ran = run(*words)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_the_screen_answers_first():
    lines = ask(*CUP).splitlines()
    assert lines[0] == "Lost Legacy: The Starship · 4 players · 3 bots, one against three others · 20,000 deals a match · seed 1"
    assert lines[2].startswith("  strong is above par against every other bot, by at least ")
    assert lines[4].startswith("  points of win rate above par of one ROW among three others")
    matrix = lines[6:9]
    assert matrix[0].split()[0] == "strong"
    assert {line.split()[0] for line in matrix} == {"strong", "even", "equal"}
    assert any("?" in line for line in matrix[1:])
    out = "\n".join(lines)
    assert "100.00 %" in out
    assert "at a table of more than two that is no equilibrium): entropy 0.00 of 1.10, as many as 1.0 equal bots (resampled 1.0 to 1.0)" in out
    assert "Better against everyone (Holm): strong over e" in out
    assert "Cycles: none that is certain." in out
    assert "Control, mirror matches: every bot at a table of its own is exactly at par" in out
    assert "Control, doubling the deals changes no verdict: holds" in out


def test_nothing_typed_plays_the_ladder_of_the_game():
    out = ask("tournament", "--deals", "400", "--threads", "1")
    assert "3 bots, one against three others · 400 deals a match" in out


def test_a_circle_on_the_screen():
    out = ask("tournament", "--bots", "rock,paper,scissors", "--players", "2", "--deals", "20k")
    assert "No bot is certainly above par against every other one." in out
    assert "one against one other" in out
    assert "Nash average (no bot gains against this mixture): entropy " in out
    rings = next(line for line in out.splitlines() if line.startswith("  Cycles: "))
    assert any(f"{first} > {second} > {third} > {first}" in rings for first, second, third in (
        ("rock", "scissors", "paper"), ("scissors", "paper", "rock"), ("paper", "rock", "scissors")))  # fmt: skip


def test_too_few_deals_are_no_error():
    out = ask(*CUP[:3], "--deals", "4")
    assert "too few deals to part them" in out

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    found = json.loads(ask(*CUP[:3], "--deals", "4", "--json"), parse_constant=refuse)
    assert found["tournaments"][0]["matrix"][0]["low"] is None


def test_json_and_csv():
    found = json.loads(ask(*CUP, "--players", "2-3", "--set", "starship", "--set", "flying-garden", "--json"))
    assert (found["schema"], found["adjusted"], len(found["tournaments"]), found["ladders"]) == ("llsim.tournament/1", "holm", 4, [])
    first = found["tournaments"][0]
    assert (first["set"]["id"], first["players"], first["status"], first["matches"]) == ("starship", 2, "complete", 3)
    assert first["above_par_against_all"] == ["strong"]
    assert first["ratings"][0]["bot"] == "strong"
    covariance = first["covariance"]
    assert abs(sum(map(sum, covariance))) < 1e-9  # strengths sum to 0
    assert covariance[0][1] == covariance[1][0]
    assert first["controls"]["mirrors_at_par"] is True
    rows = list(csv.DictReader(io.StringIO(ask(*CUP, "--players", "2", "--csv"))))
    assert len(rows) == 6
    cell = next(cell for cell in first["matrix"] if (cell["one"], cell["others"]) == (rows[0]["one"], rows[0]["others"]))
    assert float(rows[0]["above_par"]) == cell["value"]


def test_the_ladder():
    out = ask("tournament", "--ladder", "--deals", "20k", "--players", "2,4")
    assert "Depth at least 1 of 2: so many rungs are certainly above par against the one below. Not: equal over even undecided." in out
    assert out.count("a ladder of 3 rungs") == 2
    found = json.loads(ask("tournament", "--ladder", "--deals", "20k", "--json"))
    (ladder,) = found["ladders"]
    assert (ladder["depth"], ladder["most_depth"]) == (1, 2)
    assert (ladder["depth"], [climb["verdict"] for climb in ladder["climbs"]]) == (1, ["undecided", "above par"])
    assert ladder["climbs"][1]["index"]["low"] > 1
    rows = list(csv.DictReader(io.StringIO(ask("tournament", "--ladder", "--deals", "20k", "--csv"))))
    assert [(row["rung"], row["upper"], row["verdict"]) for row in rows] == [("2", "equal", "undecided"), ("3", "strong", "above par")]


def test_out_keeps_matches_that_answer_again(tmp_path):
    words = (*CUP, "--players", "2-3", "--json")
    found = json.loads(ask(*words, "--out", str(tmp_path / "cup")))
    assert len(load_all(tmp_path / "cup")) == 3 + 3 + 3 + 6  # each match is a result of its own
    kept = load_tournaments(tmp_path / "cup")
    assert all(isinstance(answer, Standings) for answer in kept)
    assert [json.loads(json.dumps(answer.to_plain())) for answer in kept] == found["tournaments"]
    again = run(*words, "--out", str(tmp_path / "cup"))
    assert (again.code, again.out) == (2, "")
    ask("tournament", "--ladder", "--bots", "even,strong", "--deals", "400", "--out", str(tmp_path / "ladder"))
    (climbed,) = load_tournaments(tmp_path / "ladder")
    assert isinstance(climbed, Climbed)


@pytest.mark.parametrize("change", [
    {"parts": []}, {"parts": [{"kind": "tournament"}]}, {"schema": "llsim.tournament-folder/9"}, {"parts": "none"}, {"bots": ["even", "equal"]},
    {"results": 2}, {"all_mixtures": True},
])  # fmt: skip
def test_a_damaged_folder_is_refused(change, tmp_path):
    ask("tournament", "--bots", "even,strong", "--players", "3", "--deals", "300", "--out", str(tmp_path / "cup"))
    path = tmp_path / "cup" / "manifest.json"
    manifest = json.loads(path.read_text())
    if set(change) <= set(manifest):
        manifest |= change
    else:
        manifest["parts"][0] |= change
    path.write_text(json.dumps(manifest))
    with pytest.raises(ResultError) as caught:
        load_tournaments(tmp_path / "cup")
    assert "manifest.json" in str(caught.value)


def test_a_dry_run_plays_nothing(tmp_path):
    out = ask(*CUP, "--dry-run", "--out", str(tmp_path / "cup"))
    assert "135,000 deals at 9 tables, on the same 5,000 shuffles" in out
    assert "nothing was played" in out
    assert not list(tmp_path.iterdir())
    plan = json.loads(ask(*CUP, "--dry-run", "--json"))
    assert (plan["schema"], plan["plans"][0]["deals"]) == ("llsim.plan/1", 135_000)
    assert "135000" in ask(*CUP, "--dry-run", "--csv")
    assert "a ladder of 3 rungs" in ask("tournament", "--ladder", "--dry-run")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bots", "even"], "two bots or more"),
        (["--bots", "even,even"], "even is named twice"),
        (["--bots", "evne,even"], "Did you mean 'even'?"),
        (["--ladder", "--bots", "even"], "two rungs or more"),
        (["--ladder", "--all-mixtures"], "leave out --all-mixtures"),
        (["--json", "--csv"], "choose one"),
        (["--out", ""], "--out has no name"),
        (["--players", "5"], "5 players need more than 16"),
        (["--set", "starship", "--set", "starship"], "names a set twice"),
        (["--set", "starship", "--set", "flying-garden", "--keep", "starship"], "--keep belongs to the set megamix"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(words, sentence):
    ran = run("tournament", *words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_stopped_run_prints_and_keeps_whole_matches(tmp_path, monkeypatch):
    before = 3 * 2000 + 4000  # deals of the mirrors and of the first match
    struck = []

    def strike(played, planned):
        if played > before and not struck:
            struck.append(os.kill(os.getpid(), signal.SIGINT))

    monkeypatch.setattr(tournament_module, "progress", lambda quiet: nullcontext(strike))
    ran = run("tournament", "--bots", "even,strong,slow", "--players", "2", "--deals", "4000", "--threads", "1", "--out", str(tmp_path / "cup"))
    assert ran.code == 130
    assert "Stopped after 1 of 3 matches; ratings and mixtures need all of them." in ran.out
    assert "Nash" not in ran.out
    (kept,) = load_tournaments(tmp_path / "cup")
    assert not kept.is_whole
    assert len(kept.results) == 4


def test_a_bot_that_breaks_the_rules_ends_the_run():
    ran = run("tournament", "--bots", "even,strong,cheat", "--players", "3", "--deals", "9000", "--threads", "1")
    assert ran.code == 1
    assert "chose 9 of 2 options in deal 5000" in ran.err
    assert "The matches before it are kept." in ran.err
    assert "Stopped after 1 of 6 matches" in ran.out
