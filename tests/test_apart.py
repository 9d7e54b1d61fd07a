"""A user's bot that goes wrong in one state of many: one sentence with bot, deal and replay line, and what was finished is kept."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Timer

import pytest
from command_line import run

from lostlegacy_sim import apart
from lostlegacy_sim.errors import BotFailure
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.apart import open_here
from lostlegacy_sim.games.lost_legacy.bots import roster
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.result import load
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.luck import wins_of
from lostlegacy_sim.studies.simulate import experiment_of

HEAD = """import ctypes

from numba import njit

from lostlegacy_sim.rng import below

library = ctypes.CDLL(None)
strlen, leave = library.strlen, library._exit
strlen.argtypes, strlen.restype = [ctypes.c_void_p], ctypes.c_size_t
leave.argtypes, leave.restype = [ctypes.c_int], None


@njit
def at(private, place):
    return private.known[place]


def decide(cards, public, private, question):
    if public.turn == 9 and private.word >> 52 == 77:
        private.memory[0] = 1
"""
TAIL = """
    return below(private, question.n)
"""
WRONG = {
    "divides": ("        return 1 // (public.turn - 9)", "raised ZeroDivisionError: integer division by zero"),
    "raises": ("        raise ValueError('so late')", "raised ValueError: so late"),
    "outside": ("        return at(private, 4000 + public.turn)", "raised IndexError: index"),
    "crashes": ("        return strlen(1)", "ended the process in which it plays (signal 11, segmentation fault)"),
    "leaves": ("        leave(3)", "ended the process in which it plays (exit code 3)"),
    "loops": ("        while private.memory[0] > 0:\n            private.memory[0] += 2", "did not answer within 2 seconds; look for an endless loop"),
}
DEALS = 40_000


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(apart.SECONDS, "20")
    monkeypatch.setattr(roster, "try_bot", lambda *words: {})  # the check is not what is tested here
    for name, (wrong, _) in WRONG.items():
        (tmp_path / f"{name}.py").write_text(HEAD + wrong + TAIL)
    return tmp_path


def asked(*bots: str, deals: int = DEALS) -> Experiment:
    return experiment_of(find_game("lost_legacy"), printed("starship"), 2, list(bots), deals, 1)


@pytest.mark.parametrize("name", WRONG)
def test_it_ends_in_one_sentence_and_finished_batches_are_kept(here: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "loops":
        monkeypatch.setenv(apart.SECONDS, "2")
    ran = run("simulate", "--bots", f"{name}.py,random", "--players", "2", "--deals", str(DEALS), "--threads", "1", "--out", "kept")
    assert ran.code == 1
    said = ran.err.strip().splitlines()[-1]
    assert re.match(rf"file:{name}\.py in seat [12] {re.escape(WRONG[name][1])}", said), ran.err
    deal = int(re.search(r"of deal (\d+), turn 9, of The Starship", said)[1])
    assert f"llsim replay --set starship --players 2 --bots {name}.py,random --seed 1 --deal {deal}" in said
    assert "Traceback" not in ran.err
    assert load(here / "kept").deals > 0
    line = re.search(r"`llsim (replay .*--deal \d+)` plays it again\.", said)[1]
    again = run(*shlex.split(line))
    assert (again.code, again.err.strip().splitlines()[-1].split(". `llsim")[0]) == (1, said.split(". `llsim")[0])


def test_what_is_counted_in_a_child_is_what_is_counted_here(here: Path) -> None:
    (here / "calm.py").write_text(HEAD + "        pass" + TAIL)
    experiment = asked("calm.py", "careful", deals=3000)
    game = find_game("lost_legacy")
    result = play(experiment, game, threads=2)
    counts, exemplars = result.tally.counts[0] * 0, result.exemplars.copy()
    open_here(experiment).play(0, experiment.blocks, counts, exemplars)
    assert (result.tally.counts.sum(0) == counts).all()
    assert (result.exemplars == exemplars).all()


def test_a_run_is_stopped_at_once_though_a_bot_loops(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(apart.SECONDS, "500")
    stop = Event()
    experiment = asked("loops.py", "random")
    asked_to_stop: list[float] = []

    def stop_soon(played: int, planned: int) -> None:
        if played > 4000 and not asked_to_stop:  # it loops in deal 4814
            asked_to_stop.append(time.monotonic() + 2)
            Timer(2, stop.set).start()

    result = play(experiment, find_game("lost_legacy"), threads=1, stop=stop, on_progress=stop_soon)
    assert time.monotonic() - asked_to_stop[0] < 8
    assert 0 < result.deals < DEALS
    assert not result.error


def test_every_door_ends_in_the_sentence(here: Path) -> None:
    with pytest.raises(BotFailure, match=r"crashes\.py in seat . ended the process"):
        wins_of(asked("crashes.py", "random"), find_game("lost_legacy"), DEALS, Event())


def test_a_child_ends_with_its_parent_though_a_bot_loops(here: Path) -> None:
    code = (
        "from lostlegacy_sim.apart import Child; import time\n"
        "child = Child('lostlegacy_sim.games.lost_legacy.apart'); print(child.process.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    for _ in range(200):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child is still there")


def test_a_number_of_seconds_that_is_none_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(apart.SECONDS, "soon")
    ran = run("simulate", "--bots", "raises.py,random", "--players", "2", "--deals", "100")
    assert (ran.code, ran.err) == (2, "LLSIM_BOT_SECONDS=soon: it is the number of seconds a bot may think about one question, such as 60.\n")
