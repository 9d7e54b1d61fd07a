"""Checkpoints: what was played is not played again, whatever ended the run, and the answer is that of one that nothing ended."""

import contextlib
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from command_line import run
from failing_disk import Cut, Disk
from fake_game import FAKE, FakeTable, ask
from planted_game import PLANTED
from test_survey import asked

from lostlegacy_sim import journal as journal_module
from lostlegacy_sim.checkpoint import Checkpoint, Checkpointed
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.identity import identity_of
from lostlegacy_sim.runner import HERE, play
from lostlegacy_sim.studies.survey import play_surveys

EXPERIMENT = ask(deals=20_000)
EXPLORE = ("explore", "--family", "guidelines", "--bots", "random", "--members", "4", "--deals", "40k", "--seed", "3", "--json")
KILLS = 8


@pytest.fixture
def played(monkeypatch):
    """Blocks the fake game has played, call by call."""
    found, plain = [], FakeTable.play
    monkeypatch.setattr(FakeTable, "play", lambda table, first, n, *counts: (found.append((first, n)), plain(table, first, n, *counts))[1])
    return found


def same(found, whole):
    return found.tally == whole.tally and np.array_equal(found.exemplars, whole.exemplars) and found.status == whole.status


def play_in(folder, experiment, **words):
    with Checkpoint(folder) as checkpoint:
        return Checkpointed(HERE, checkpoint).play(experiment, FAKE, 2, **words)


def test_what_is_there_is_not_played_again(tmp_path, played):
    whole = play(EXPERIMENT, FAKE, 1)
    assert same(play_in(tmp_path / "kept", EXPERIMENT), whole)
    played.clear()
    assert same(play_in(tmp_path / "kept", EXPERIMENT), whole)
    assert played == []
    assert same(play_in(tmp_path / "kept", replace(EXPERIMENT, seed=2)), play(replace(EXPERIMENT, seed=2), FAKE, 1))
    assert played != []


@pytest.mark.parametrize(("first", "then"), [(20_000, 60_000), (20_000, 20_002), (60_000, 20_000), (777, 20_000), (20_000, 777)])
def test_more_deals_begin_with_those_that_are_there(tmp_path, played, first, then):
    play_in(tmp_path / "kept", ask(deals=first))
    played.clear()
    found = play_in(tmp_path / "kept", ask(deals=then))
    again = sum(n for _, n in played)
    assert same(found, play(ask(deals=then), FAKE, 1))
    if then > first:  # but for a last batch that was not full
        assert again <= ask(deals=then).blocks - ask(deals=first).blocks + ask(deals=then).batch_blocks


def test_a_stopped_run_goes_on(tmp_path, played):
    experiment, stop = ask(deals=20_000, bots=("slow", "coin")), threading.Event()
    with Checkpoint(tmp_path / "kept") as checkpoint:
        crew = Checkpointed(HERE, checkpoint)
        part = crew.play(experiment, FAKE, 2, lambda done, planned: stop.set() if done > 5000 else None, stop)
    assert 0 < part.batches < experiment.batches
    played.clear()
    found = play_in(tmp_path / "kept", experiment)
    assert sum(n for _, n in played) <= experiment.blocks - part.blocks
    assert same(found, play(experiment, FAKE, 2))


@pytest.mark.parametrize("n_sets", [2, 12])  # all threads on each; each by one thread
def test_a_survey_counts_the_same(tmp_path, n_sets):
    (plain,) = play_surveys([asked(n_sets=n_sets)], PLANTED, 2)
    for moves in ([], []):
        with Checkpoint(tmp_path / "kept") as checkpoint:
            crew = Checkpointed(HERE, checkpoint)
            (found,) = play_surveys([asked(n_sets=n_sets)], PLANTED, 2, lambda *move, moves=moves: moves.append(move), crew=crew)
        assert found.rows == plain.rows
        assert np.array_equal(found.counts, plain.counts)
        assert moves == [] or moves[-1] == (n_sets * 2000, n_sets * 2000)


def test_on_a_cluster_too(tmp_path):
    words = ("explore", "--family", "guidelines", "--bots", "random", "--members", "4", "--deals", "2k", "-q")
    kept = ("--checkpoint", str(tmp_path / "kept"))
    there = run(*words, *kept, "--scheduler", "local:2")
    assert (there.code, there.err) == (0, "")
    assert run(*words, *kept, "--threads", "1") == there
    assert run(*words, "--threads", "1") == there


# --- what ends a run ------------------------------------------------------------------------------------


def test_a_command_killed_at_random_moments_again_and_again_ends_in_the_same_answer(tmp_path):
    words = [sys.executable, "-m", "lostlegacy_sim", *EXPLORE]
    whole = run(*EXPLORE)
    began = time.monotonic()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    took, clock, sizes = time.monotonic() - began, random.Random(7), [0]
    for _ in range(KILLS):
        process = subprocess.Popen([*words, "--checkpoint", str(tmp_path / "kept")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(clock.uniform(0.5, 1.0) * took)
        process.kill()
        process.wait()
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "kept").rglob("*.npy")))
    assert sizes == sorted(sizes)
    assert sizes[-1] > 0
    assert plain_answer(run(*EXPLORE, "--checkpoint", str(tmp_path / "kept"))) == plain_answer(whole)


def plain_answer(ran):
    """The answer without what says when and how long it was played."""

    def strip(value):
        if isinstance(value, dict):
            return {name: strip(inner) for name, inner in value.items() if name not in ("provenance", "seconds", "threads")}
        return [strip(inner) for inner in value] if isinstance(value, list) else value

    assert (ran.code, ran.err) == (0, "")
    return strip(json.loads(ran.out))


def test_a_disk_that_fills_up_ends_the_run_with_a_sentence_and_what_is_done_is_shown(tmp_path, monkeypatch):
    plain, written = journal_module.write_piece, []

    def fill_up(folder, spans, stamp):
        if len(written) > 20:
            raise OSError(28, "No space left on device")
        written.append(folder)
        return plain(folder, spans, stamp)

    monkeypatch.setattr(journal_module, "write_piece", fill_up)
    words = ("explore", "--family", "guidelines", "--bots", "random", "--members", "4", "--deals", "2k")
    ran = run(*words, "--checkpoint", str(tmp_path / "kept"), "-q")
    assert ran.code == 2
    assert "could not be written any more: No space left on device. What was written before is kept; the same command goes on from there." in ran.err
    monkeypatch.setattr(journal_module, "write_piece", plain)
    assert run(*words, "--checkpoint", str(tmp_path / "kept"), "-q") == run(*words, "-q")


def test_a_damaged_piece_is_set_aside_and_played_again(tmp_path):
    whole = play_in(tmp_path / "kept", EXPERIMENT)
    (piece,) = (tmp_path / "kept").rglob("*.npy")
    data = bytearray(piece.read_bytes())
    data[-9] ^= 1
    piece.write_bytes(data)
    assert same(play_in(tmp_path / "kept", EXPERIMENT), whole)
    assert len(list((tmp_path / "kept").rglob("*.damaged"))) == 1


# --- with --out as well -----------------------------------------------------------------------------------

TINY = ("--bots", "random", "--players", "2", "--seed", "5", "--threads", "1")
KEPT = {
    "compare": ("compare", "starship", "flying-garden", "--deals", "400", *TINY),
    "compare --ladder": ("compare", "starship", "flying-garden", "--deals", "100", "--ladder", "--players", "2", "--bots", "random,novice", "--threads", "1"),
    "balance": ("balance", "starship", "--cards", "search", "--effects", "blank", "--deals", "400", *TINY),
    "explore": ("explore", "sweep.toml", "--deals", "400", *TINY),
    "tournament": ("tournament", "--bots", "random,novice", "--players", "2", "--deals", "400", "--seed", "5", "--threads", "1"),
    "tournament --ladder": ("tournament", "--ladder", "--bots", "random,novice", "--players", "2", "--deals", "400", "--threads", "1"),
}  # fmt: skip
SWEEP = 'set = "starship"\n\n[sweep]\n"search.copies" = [2, 3]\n'
PLACES = ("--checkpoint", "ck", "--out", "ex")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder, entered, with a sweep in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    return tmp_path


def answer_in(folder):
    """What an answer's folder holds, but for times and versions."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".json":
            found[name] = {key: value for key, value in json.loads(path.read_text()).items() if key not in ("provenance", "looks", "counts_sha256")}
        else:
            found[name] = "" if path.is_dir() or path.suffix == ".npz" else path.read_bytes()
    return found


def assert_succeeds(words, place, whole):
    """The same command again goes on and succeeds, and leaves nothing but the answer and the checkpoint."""
    ran = run(*words, *PLACES)
    assert ran.code == 0, ran.err
    assert answer_in(place / "ex") == whole
    assert [path.name for path in sorted(place.iterdir())] == ["ck", "ex", "sweep.toml"]
    assert not list(place.rglob(".*"))
    again = run(*words, *PLACES)
    assert (again.code, again.out, again.err) == (0, ran.out, "ex holds this answer already.\n")


@pytest.mark.parametrize(("name", "is_made"), [*((name, False) for name in KEPT), ("explore", True), ("balance", True)])
def test_a_command_cut_between_any_two_writes_is_given_again_and_succeeds(place, name, is_made):
    words = KEPT[name]

    def cut_at(moment):
        shutil.rmtree(place / "ck", ignore_errors=True)
        shutil.rmtree(place / "ex", ignore_errors=True)
        if is_made:
            (place / "ex").mkdir()
        with pytest.MonkeyPatch.context() as patch:
            disk = Disk(patch, moment, Cut)
            with contextlib.suppress(Cut):
                run(*words, *PLACES)
        return disk.done

    n_operations = cut_at(10**9)
    whole = answer_in(place / "ex")
    assert n_operations > 20
    last = 20 if is_made else 8  # there lies the answer
    for moment in [*range(0, n_operations - last, 11), *range(n_operations - last, n_operations)]:
        cut_at(moment)
        assert_succeeds(words, place, whole)


CHILD = """
import os, signal, sys
from pathlib import Path
from lostlegacy_sim.cli import llsim
from lostlegacy_sim import disk
plain, left = Path.replace, int(sys.argv[1])
def replace(path, target):
    global left
    found, left = plain(path, target), left - 1
    if left == 0:
        os.kill(os.getpid(), getattr(signal, sys.argv[2]))
    return found
Path.replace = replace
llsim.main(sys.argv[3:], prog_name="llsim")
"""


@pytest.mark.parametrize("words", [KEPT["explore"], KEPT["compare"]], ids=["explore", "compare"])
@pytest.mark.parametrize("number", ["SIGKILL", "SIGINT"])
def test_real_processes_end_at_any_rename_and_the_command_is_given_again(place, words, number):
    assert run(*words, *PLACES).code == 0
    whole, moment, code = answer_in(place / "ex"), 0, -1
    while code != 0:
        moment += 1
        shutil.rmtree(place / "ck")
        shutil.rmtree(place / "ex", ignore_errors=True)
        ended = subprocess.run([sys.executable, "-c", CHILD, str(moment), number, *words, *PLACES], capture_output=True, text=True)
        code = ended.returncode
        assert code in ((0, -9) if number == "SIGKILL" else (0, 130)), ended.stderr
        assert "Traceback" not in ended.stderr
        if code == 130 and not (place / "ex").exists():  # where nothing is played any more, it ends at once
            assert "and the same command goes on" in ended.stderr or ended.stderr == "\nStopped.\n"
        if code != 0:
            assert_succeeds(words, place, whole)
    assert moment > 3


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit of file sizes")
@pytest.mark.parametrize("words", KEPT.values(), ids=KEPT)
def test_a_disk_that_is_full_when_the_answer_is_written(place, words):
    assert run(*words, *PLACES).code == 0
    whole = answer_in(place / "ex")
    largest = max(path.stat().st_size for path in (place / "ck").rglob("*") if path.is_file())
    for limit in (1500, largest // 2, largest):
        shutil.rmtree(place / "ex", ignore_errors=True)
        shutil.rmtree(place / "ck")
        child = [sys.executable, "-m", "lostlegacy_sim", *words, *PLACES]
        limits = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        ended = subprocess.run(child, capture_output=True, text=True, preexec_fn=limits)
        assert ended.returncode in (0, 2), ended.stderr
        assert "Traceback" not in ended.stderr
        if ended.returncode == 2:
            assert "could not be written" in ended.stderr
        if not (place / "ex").exists():
            assert_succeeds(words, place, whole)


def test_an_answer_that_is_not_whole_is_shown_and_not_kept(place):
    stopped = subprocess.run([sys.executable, "-c", CHILD, "4", "SIGINT", *KEPT["explore"], *PLACES], capture_output=True, text=True)
    assert stopped.returncode == 130
    assert "ex is written when all is played; what is done is in ck, and the same command goes on." in stopped.stderr
    assert not (place / "ex").exists()


def test_another_question_is_refused_before_anything_is_played(place):
    assert run(*KEPT["explore"], *PLACES).code == 0
    before = answer_in(place / "ex")
    for other in ((*KEPT["explore"], "--goal", "turns:low"), (*KEPT["explore"], "--seed", "9"), KEPT["tournament"], KEPT["compare"]):
        ran = run(*other, *PLACES)
        assert ran.code == 2, other
        assert "ex " in ran.err
        assert "Give --out" in ran.err
    assert run(*KEPT["explore"], "--out", "ex").code == 2  # not a command that goes on
    assert answer_in(place / "ex") == before


# --- folders that will not do -----------------------------------------------------------------------------


def refusal(folder):
    with pytest.raises(ResultError) as error, Checkpoint(folder):
        pass
    return str(error.value)


def test_one_run_at_a_time(tmp_path):
    with Checkpoint(tmp_path / "kept"):
        assert "Another run is writing into" in refusal(tmp_path / "kept")
    with Checkpoint(tmp_path / "kept"):
        pass
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["checkpoint.json"]


def test_counts_of_an_earlier_version_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("lostlegacy_sim.identity.__version__", "0.0.9")
    identity_of.cache_clear()
    play_in(tmp_path / "kept", EXPERIMENT)
    monkeypatch.undo()
    identity_of.cache_clear()
    assert refusal(tmp_path / "kept").startswith(f"The checkpoint {tmp_path / 'kept'} was begun with lostlegacy_sim 0.0.9, and this is")
    (tmp_path / "kept" / "checkpoint.json").write_text('{"schema": "llsim.checkpoint/1", "lostlegacy_sim": "0.1.0", "code": "0123456789ab"}')
    assert "was written by a lostlegacy_sim that did not write down its code" in refusal(tmp_path / "kept")


@pytest.mark.parametrize("head", [b"", b"{}", b"[1]", b"\x00" * 50, b'{"schema": "llsim.checkpoint/1", "code": 3}', b"[" * 9000, b"x" * 20_000])
def test_a_damaged_head_is_one_sentence(tmp_path, head):
    (tmp_path / "checkpoint.json").write_bytes(head)
    assert str(tmp_path / "checkpoint.json") in refusal(tmp_path)
    assert (tmp_path / "checkpoint.json").read_bytes() == head


def test_a_folder_of_other_things_and_a_file_are_refused_and_left_alone(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    assert "holds other files and is no checkpoint" in refusal(tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refusal(tmp_path / "file")
    assert "cannot be written" in refusal(tmp_path / "file" / "below")


def test_a_link_in_a_checkpoint_is_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    play_in(tmp_path / "kept", EXPERIMENT)
    (home,) = (path for path in (tmp_path / "kept").iterdir() if path.is_dir())
    shutil.rmtree(home)
    home.symlink_to(tmp_path / "outside")
    with pytest.raises(ResultError, match="is a link, and links are not followed out of"):
        play_in(tmp_path / "kept", EXPERIMENT)
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize(("kept", "out"), [("a", "a"), ("a/b", "a"), ("a", "a/b"), ("./a", "b/../a")])
def test_a_result_and_a_checkpoint_lie_side_by_side(tmp_path, monkeypatch, kept, out):
    monkeypatch.chdir(tmp_path)
    ran = run("tournament", "--bots", "random,careful", "--deals", "2k", "--checkpoint", kept, "--out", out)
    assert ran.code == 2
    assert ran.err == f"--checkpoint {kept} and --out {out} are in each other's way; give them two folders side by side.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        "compare starship flying-garden --players 3 --deals 2k",
        "compare players=2 players=3 --until nobody+/-2pp",
        "balance starship --cards search --effects blank --deals 2k",
        "balance starship --cards search --effects blank --ladder --bots random,careful --deals 2k",
        "tournament --bots random,careful --players 3 --deals 2k",
    ],
)
def test_every_command_that_plays_much_answers_the_same_and_plays_once(tmp_path, monkeypatch, words):
    words = [*words.split(), "--seed", "5", "-q", "--threads", "2", *([] if "--bots" in words else ["--bots", "random"])]
    kept = ("--checkpoint", str(tmp_path / "kept"))
    first = run(*words, *kept)
    assert (first.code, first.err) == (0, "")
    assert first == run(*words)
    monkeypatch.setattr("lostlegacy_sim.runner.Run.play_batch", None)  # nothing is played
    assert run(*words, *kept) == first
