"""Bot files and results: a result brings no code along; its files are named, and have to be the same."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run

from lostlegacy_sim.games.lost_legacy.bots import roster

BOT = '''from pathlib import Path

import numba

Path("it-ran").touch()


@numba.njit
def decide(cards, public, private, question):
    return 0
'''
TABLE = ("--players", "2", "--deals", "640")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot that leaves a trace when it is run, and half a result it has played."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT)
    assert run("simulate", "--bots", "mine.py,random", *TABLE, "--part", "1/2", "--out", "half").code == 0
    forget(tmp_path)
    return tmp_path


def forget(folder: Path) -> None:
    """As in a new process: nothing was named, nothing ran."""
    roster.NAMED.clear()
    (folder / "it-ran").unlink(missing_ok=True)


def test_going_on_asks_for_the_file_and_runs_nothing_without_it(here: Path) -> None:
    ran = run("simulate", "--resume", "half")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "This result was played with the bot file mine.py, and no code runs from a result. "
        "To run it, add --bots mine.py or the path of the same file here.\n"
    )
    assert not (here / "it-ran").exists()


def test_going_on_with_the_file_ends_in_the_same_counts(here: Path) -> None:
    whole = run("simulate", "--bots", "mine.py,random", *TABLE).out
    forget(here)
    assert run("simulate", "--resume", "half", "--bots", "mine.py").out == whole


def test_the_same_file_at_another_place_will_do(here: Path) -> None:
    (here / "else where").mkdir()
    shutil.move(here / "mine.py", here / "else where" / "its.py")
    assert run("simulate", "--resume", "half", "--bots", "else where/its.py").code == 0


@pytest.mark.parametrize("words", [("simulate", "--resume", "half"), ("replay", "half", "--deal", "3"), ("report", "half", "-o", "page.html")])
def test_another_file_is_not_run(here: Path, words: tuple[str, ...]) -> None:
    (here / "mine.py").write_text(BOT + "# changed\n")
    ran = run(*words, "--bots", "mine.py")
    assert ran.code == 2
    assert ran.err.startswith("mine.py is not a file this result was played with: its SHA-256 begins with ")
    assert not (here / "it-ran").exists()


def test_a_bot_that_is_not_needed_is_refused(here: Path) -> None:
    ran = run("simulate", "--resume", "half", "--bots", "careful")
    assert ran.err == "--bots careful: a result has its line-up, and only its bot files have to be named: --bots mine.py.\n"
    run("simulate", "--bots", "random", *TABLE, "--out", "plain")
    ran = run("simulate", "--resume", "plain", "--bots", "mine.py")
    assert ran.err == "--bots mine.py: a result has its line-up, and it needs no bot file; drop --bots.\n"
    assert not (here / "it-ran").exists()


def test_a_deal_of_a_result_is_told_only_with_its_file(here: Path) -> None:
    assert "no code runs from a result" in run("replay", "half", "--deal", "3").err
    assert run("report", "half", "-o", "page.html").code == 0
    assert "plays here only if you name it: add --bots mine.py" in (here / "page.html").read_text()
    assert not (here / "it-ran").exists()
    assert "deal 3" in run("replay", "half", "--deal", "3", "--bots", "mine.py").out
    assert run("report", "half", "-o", "page.html", "--force", "--bots", "mine.py").code == 0
    assert "cannot be told here" not in (here / "page.html").read_text()


def test_a_new_process_knows_no_file_either(here: Path) -> None:
    code = "import sys; from lostlegacy_sim.cli import llsim; llsim.main(sys.argv[1:], prog_name='llsim')"
    ran = subprocess.run([sys.executable, "-c", code, "simulate", "--resume", "half"], capture_output=True, text=True)
    assert (ran.returncode, "no code runs from a result" in ran.stderr) == (2, True)
