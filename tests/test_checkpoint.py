"""Checkpoints: what was played is not played again, whatever ended the run, and the answer is that of one that nothing ended."""

import json
import random
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from command_line import run
from fake_game import FAKE, FakeTable, ask
from planted_game import PLANTED
from test_survey import asked

from lostlegacy_sim import checkpoint as checkpoint_module
from lostlegacy_sim import journal as journal_module
from lostlegacy_sim.checkpoint import Checkpoint, Checkpointed
from lostlegacy_sim.errors import ResultError
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

    def fill_up(folder, spans):
        if len(written) > 20:
            raise OSError(28, "No space left on device")
        written.append(folder)
        return plain(folder, spans)

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


def test_counts_of_other_code_are_refused(tmp_path, monkeypatch):
    version, code = checkpoint_module.package_facts()
    play_in(tmp_path / "kept", EXPERIMENT)
    monkeypatch.setattr(checkpoint_module, "package_facts", lambda: (version, "abc"))
    assert refusal(tmp_path / "kept").startswith(f"The checkpoint {tmp_path / 'kept'} was begun with lostlegacy_sim {version} with other code, and this is")
    monkeypatch.setattr(checkpoint_module, "package_facts", lambda: ("9.9", code))
    assert "was begun with lostlegacy_sim 0" in refusal(tmp_path / "kept")
    monkeypatch.undo()
    play_in(tmp_path / "kept", EXPERIMENT)


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
