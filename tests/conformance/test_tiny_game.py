"""A second game, brought along by a package, through every door: commands, API, pages, charts, keeping, resuming, verifying.

It is as unlike the first one as a game can be (site/tiny_game.py). No file outside tests/ and games/ names it.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run

import lostlegacy_sim as ll
from lostlegacy_sim import registry
from lostlegacy_sim.identity import identity_of

SITE = Path(__file__).parent / "site"
WORDS_OF_THE_FIRST = ("Legacy", "ruins", "speed", "investigation", "guideline", "Starship", "megamix")


@pytest.fixture(autouse=True)
def installed(monkeypatch, tmp_path):
    """The package of the tiny game is there, and this is an empty folder."""
    monkeypatch.syspath_prepend(str(SITE))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(SITE), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    registry.modules.cache_clear()
    yield
    registry.modules.cache_clear()
    identity_of.cache_clear()


def answered(*words: str, code: int = 0) -> str:
    """What a command prints; it fails with a traceback, the wrong code, or a word of another game."""
    ran = run(*words)
    assert (ran.code, ran.err if code == 0 and "rror" in ran.err else "") == (code, ""), ran.err
    said = ran.out if code == 0 else ran.err
    for word in WORDS_OF_THE_FIRST:
        assert word not in said, f"{word} in: {said}"
    assert "nan" not in re.findall(r"\w+", said)
    return said


def in_a_process(*words: str) -> str:
    """What a command prints, run as the shell runs it."""
    return subprocess.run([sys.executable, "-m", "lostlegacy_sim", *words], capture_output=True, text=True, check=True).stdout


QUICK = ("--deals", "4000")


# --- playing ---------------------------------------------------------------------------------------------


def test_it_is_played_by_its_set_alone():
    said = answered("simulate", "--set", "rope", "--players", "12", *QUICK)
    assert "Tug of War: The Rope · 12 players" in said
    assert "seat 12" in said
    assert "which camp" in said


def test_several_seats_win_a_deal_and_par_is_their_mean():
    found = json.loads(answered("simulate", "--set", "rope", "--players", "4", "--json", *QUICK))["results"][0]["measures"]
    assert sum(found[f"win_seat[{seat}]"]["value"] for seat in range(1, 5)) == pytest.approx(4 * found["par"]["value"], abs=1e-9)
    assert found["par"]["value"] > 0.3
    assert found["win_camp[left]"]["value"] + found["win_camp[right]"]["value"] + found["nobody"]["value"] == pytest.approx(1)


def test_an_option_of_its_own_chooses_a_set():
    said = in_a_process("simulate", "--set", "rope", "--length", "9", "--players", "3", *QUICK)  # commands know their options when they are imported
    assert "A Rope of 9" in said


def test_numbers_of_players_of_two_digits_are_read():
    assert "10 players" in answered("simulate", "--set", "rope", "--players", "9-10", *QUICK)
    assert "The Rope is for 3 to 12 players, not 2." in answered("simulate", "--set", "rope", "--players", "2", *QUICK, code=2)


def test_until_require_luck_levels_and_a_plan():
    assert answered("simulate", "--set", "rope", "--until", "pulled +/- 0.5", "--bots", "lazy")
    assert answered("simulate", "--set", "rope", "--require", "win_camp[left] > 10%", *QUICK)
    assert answered("simulate", "--set", "rope", "--luck", "2", *QUICK)
    assert answered("simulate", "--set", "rope", "--ladder", "--deals", "4000")
    assert answered("simulate", "--set", "rope", "--dry-run", *QUICK)


def test_two_bots_are_compared_at_one_table():
    assert "eager" in answered("simulate", "--set", "rope", "--players", "5", "--bots", "eager,lazy", "--deals", "4000")


def test_sets_and_bots_are_compared():
    assert "The Long Rope" in answered("compare", "rope", "long-rope", *QUICK)
    assert answered("compare", "bots=lazy", "bots=eager", "--set", "rope", "--deals", "4000")
    assert answered("compare", "rope", "long-rope", "--measure", "win_camp[left]", "--verbose", *QUICK)
    assert answered("compare", "rope", "long-rope", "--ladder", "--deals", "4000")
    assert "two games" in answered("tournament", "--set", "rope", "--set", "starship", "--deals", "400", code=2).replace("starship", "")


def test_a_tournament_and_a_ladder():
    assert answered("tournament", "--set", "rope", "--players", "3,12", "--deals", "400")
    assert answered("tournament", "--set", "rope", "--ladder", "--deals", "400")


def test_what_it_does_not_have_is_said():
    assert "Tug of War counts nothing of single cards" in answered("balance", "rope", *QUICK, code=2)
    assert "Deals of Tug of War cannot be told yet" in answered("replay", "--set", "rope", "--bots", "lazy", code=2)
    assert "Nobody can sit down" in answered("play", "--set", "rope", "--bots", "lazy", code=2)
    assert "Tug of War has no campaign" in answered("simulate", "--set", "rope", "--campaign", *QUICK, code=2)


def test_wrong_words_are_answered_by_its_own():
    assert "lazy" in answered("simulate", "--set", "rope", "--bots", "laizy", code=2)
    assert "'ropee'. Did you mean 'rope'?" in run("simulate", "--set", "ropee").err


# --- listing ---------------------------------------------------------------------------------------------


def test_its_sets_and_bots_are_listed():
    said = run("cards").out
    assert "long-rope" in said
    assert "starship" in said
    assert "Pull." in answered("cards", "rope")
    assert answered("cards", "rope", "--json")
    assert answered("cards", "rope", "--toml")
    assert "eager" in run("bots").out


# --- keeping ---------------------------------------------------------------------------------------------


def test_results_are_kept_resumed_verified_compared_and_shown(tmp_path):
    answered("simulate", "--set", "rope", "--players", "3,4", "--out", "run", *QUICK)
    answered("simulate", "--resume", "run")
    answered("verify", "run", "--share", "100%")
    answered("simulate", "--set", "long-rope", "--out", "other", *QUICK)
    answered("compare", "other", "rope")
    answered("report", "run", "--list")
    for name in re.findall(r"^  ([a-z][a-z_0-9.-]*)  ", run("report", "run", "--list").out, re.MULTILINE):
        answered("report", "run", "--table", name)
    answered("report", "run", "-o", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Tug of War" in page
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    for word in ("Legacy", "ruins", "investigation"):
        assert word not in re.sub(r"<[^>]*>", "", text), word


def test_parts_are_brought_together():
    for part in ("1/2", "2/2"):
        answered("simulate", "--set", "rope", "--out", "run", "--part", part, *QUICK)
    assert answered("simulate", "--resume", "run")


def test_a_tournament_is_kept_and_shown_and_a_checkpoint_goes_on(tmp_path):
    for _ in range(2):
        answered("tournament", "--set", "rope", "--deals", "400", "--checkpoint", "ck", *(["--out", "cup"] if _ else []))
    answered("report", "cup", "-o", "cup.html")
    assert "Tug of War" in (tmp_path / "cup.html").read_text()


def test_it_plays_in_processes_of_their_own():
    command = ("simulate", "--set", "rope", "--json", "-q", *QUICK)
    here, there = (json.loads(in_a_process(*command, *more))["results"][0]["measures"] for more in ((), ("--scheduler", "local:1")))
    assert here == there


# --- the functions ---------------------------------------------------------------------------------------


def test_the_functions_ask_the_same():
    rope = ll.load_set("rope", length="3")
    assert ll.simulate(rope, players=12, bots="lazy", deals=2000).deals == 2000
    assert ll.compare("rope", "long-rope", bots="lazy", deals=2000)
    assert ll.tournament(set="rope", deals=400)
    with pytest.raises(ll.UsageError, match="nothing of single cards"):
        ll.balance("rope", bots="lazy", deals=400)


# --- the house -------------------------------------------------------------------------------------------


def test_nobody_else_names_it():
    root = Path(ll.__file__).parent
    for path in root.rglob("*.py"):
        assert not re.search(r"\"tiny|tiny_game|[Tt]ug of [Ww]ar|\brope\b", path.read_text(encoding="utf-8")), path


def test_its_code_has_an_identity_of_its_own():
    assert dict(identity_of("tiny").rooms).keys() == {"shared", "tiny"}
