"""Runs that are cut off, and go on: whatever happens to process or disk, the counts are those of an undisturbed run."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from command_line import run
from failing_disk import Cut, Disk, full
from fake_game import FAKE, FakeTable, ask
from stand_in import STAND_IN

from lostlegacy_sim import journal as journal_module
from lostlegacy_sim import runner as runner_module
from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.destination import Destination
from lostlegacy_sim.disk import FolderLock
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.identity import identity_of
from lostlegacy_sim.journal import Journal
from lostlegacy_sim.pieces import Span, begun_batches, known_batches, read_piece, stamp_of, write_piece
from lostlegacy_sim.result import load, load_all
from lostlegacy_sim.run_folder import Part, begin, reopen, spans_of
from lostlegacy_sim.runner import play, play_alone
from lostlegacy_sim.studies.targets import read_target
from lostlegacy_sim.studies.until import play_until
from lostlegacy_sim.tally import checksum, no_exemplars

EXPERIMENT = ask(20_000)
SMALL = ask(256)  # eight batches


@pytest.fixture(autouse=True)
def often(monkeypatch, tmp_path_factory):
    """Batches are written very soon; the command line plays deals of the stand-in."""
    monkeypatch.setattr(journal_module, "WRITE_SECONDS", 0.03)
    monkeypatch.setattr(job_module, "find_game", lambda name: STAND_IN)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def play_into(folder, experiments=(EXPERIMENT,), stop=None, on_progress=None, part=None):
    """Begin a run and play it, as `llsim simulate` does."""
    with begin(folder, experiments, FAKE, part=part) as place:
        go_on(place, stop, on_progress, part)


def go_on(place, stop=None, on_progress=None, part=None):
    results = []
    for number, experiment in enumerate(place.experiments):
        only = part.batches(experiment) if part else None
        results.append(place.done[number] or play(experiment, FAKE, 2, on_progress, stop, journal=place.journals[number], only=only))
    if part is None:
        place.finish(results)


def resume(folder):
    with reopen(folder) as place:
        go_on(place)


def assert_whole(folder, experiment=EXPERIMENT):
    """The folder holds what an undisturbed run counts, and nothing else."""
    found, whole = load(folder), play(experiment, FAKE, 1)
    assert found.tally == whole.tally
    assert np.array_equal(found.exemplars, whole.exemplars)
    assert found.status == "complete"
    assert sorted(path.name for path in folder.iterdir()) == ["counts.npy", "manifest.json"]


# --- a cut at every moment ------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [Cut, full])
def test_a_run_cut_between_any_two_writes_goes_on_to_the_same_counts(tmp_path, monkeypatch, error):
    monkeypatch.setattr(journal_module, "WRITE_SECONDS", 0.0)
    monkeypatch.setattr(runner_module, "NOTE_SECONDS", 0.0)
    monkeypatch.setattr(runner_module.Run, "learn_pace", lambda run, n_blocks, seconds: setattr(run, "slice_blocks", 9))
    folder, moment, said = tmp_path / "run", 0, set()
    while True:
        with monkeypatch.context() as patch:
            disk = Disk(patch, moment, error)
            try:
                play_into(folder, (SMALL,))
            except ResultError as refused:
                said.add(str(refused).partition(": ")[2])
            except Cut:
                pass
        if disk.done <= moment:
            break
        if (folder / "run.json").exists() or (folder / "manifest.json").exists():
            resume(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
            play_into(folder, (SMALL,))
        assert_whole(folder, SMALL)
        shutil.rmtree(folder)
        moment += 1
    assert moment > 40
    assert all(sentence.startswith("No space left on device.") for sentence in said)


def test_going_on_can_be_cut_too(tmp_path, monkeypatch):
    stopped = tmp_path / "stopped"
    stop_after(stopped, SMALL, 100)
    moment = 0
    while True:
        folder = tmp_path / "run"
        shutil.copytree(stopped, folder)
        with monkeypatch.context() as patch:
            disk = Disk(patch, moment, Cut)
            with contextlib.suppress(Cut):
                resume(folder)
        if disk.done <= moment:
            break
        assert load(folder).deals >= load(stopped).deals
        resume(folder)
        assert_whole(folder, SMALL)
        shutil.rmtree(folder)
        moment += 1
    assert moment > 10


def stop_after(folder, experiment, deals):
    """A run stopped by Ctrl-C: its result is written, and so are batches behind a gap."""
    stop = threading.Event()
    slow = ask(experiment.deals, ("slow", "die"))
    plain_play = type(FAKE.open_table(slow)).play

    def play_slowly(table, first, n_blocks, counts, exemplars):
        time.sleep(0.0005 * n_blocks)
        plain_play(table, first, n_blocks, counts, exemplars)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(FAKE.open_table(experiment)), "play", play_slowly)
        play_into(folder, (experiment,), stop, lambda done, planned: stop.set() if done > deals else None)
    assert load(folder).status == "partial"


def test_a_stopped_run_is_a_result_and_goes_on(tmp_path):
    stop_after(tmp_path / "run", EXPERIMENT, 3000)
    part = load(tmp_path / "run")
    assert 0 < part.batches < EXPERIMENT.batches
    resume(tmp_path / "run")
    assert_whole(tmp_path / "run")


def test_going_on_plays_nothing_twice(tmp_path, monkeypatch):
    stop_after(tmp_path / "run", EXPERIMENT, 3000)
    journal = Journal(tmp_path / "run", EXPERIMENT, FAKE.labels(EXPERIMENT), len(FAKE.categories) + 1)
    done = {block for span in journal.begun(EXPERIMENT).values() for block in range(span.first, span.end)}
    played = []
    plain_play = type(FAKE.open_table(EXPERIMENT)).play

    def note(table, first, n_blocks, counts, exemplars):
        played.extend(range(first, first + n_blocks))
        plain_play(table, first, n_blocks, counts, exemplars)

    monkeypatch.setattr(type(FAKE.open_table(EXPERIMENT)), "play", note)
    resume(tmp_path / "run")
    assert sorted(played) == sorted(set(range(EXPERIMENT.blocks)) - done)


def test_a_result_of_which_only_a_part_was_kept_goes_on(tmp_path):
    stop = threading.Event()
    whole = play(EXPERIMENT, FAKE, 1, lambda done, planned: stop.set() if done > 3000 else None, stop)
    with Destination(tmp_path / "run", [EXPERIMENT]) as destination:
        destination.write([whole])
    resume(tmp_path / "run")
    assert_whole(tmp_path / "run")


def test_a_whole_result_has_nothing_missing(tmp_path):
    play_into(tmp_path / "run")
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    resume(tmp_path / "run")
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before
    assert_whole(tmp_path / "run")


def test_a_run_until_a_target_is_met_goes_on_to_the_same_stop(tmp_path):
    budget, targets = ask(2_000_000), [read_target("turns +/- 0.02")]
    whole = play_until(budget, FAKE, targets, 1)
    assert 20_000 < whole.deals < budget.deals
    for deals in (1000, 9000, 16_000):
        folder, stop = tmp_path / f"run{deals}", threading.Event()
        with begin(folder, [budget], FAKE, [str(target) for target in targets]) as place:
            play_until(budget, FAKE, targets, 2, lambda done, _, at=deals, end=stop: end.set() if done > at else None, stop, None, place.journals[0])
        assert load(folder).status == "partial"
        with reopen(folder) as place:
            place.finish([play_until(budget, FAKE, [read_target(text) for text in place.asked[0].until], 2, journal=place.journals[0])])
        assert load(folder).experiment == whole.experiment
        assert load(folder).tally == whole.tally


# --- slow deals -----------------------------------------------------------------------------------------


@pytest.fixture
def held(monkeypatch):
    """Deals that are played up to a block, and no further until the event is set."""
    go, plain_play = threading.Event(), FakeTable.play
    until = 20

    def hold(table, first, n_blocks, counts, exemplars):
        if first + n_blocks > until:
            go.wait(30)
        plain_play(table, first, n_blocks, counts, exemplars)

    monkeypatch.setattr(FakeTable, "play", hold)
    monkeypatch.setattr(runner_module.Run, "learn_pace", lambda run, n_blocks, seconds: None)  # block by block
    yield go
    go.set()


def wait_for(is_so, seconds=10.0):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("player", [play, lambda experiment, game, journal: play_alone(experiment, game, lambda *_: None, threading.Event(), journal)])
def test_a_finished_batch_is_on_the_disk_though_the_next_one_takes_for_ever(tmp_path, monkeypatch, held, player):
    monkeypatch.setattr(journal_module, "WRITE_SECONDS", 0.3)
    monkeypatch.setattr(runner_module, "NOTE_SECONDS", 0.0)
    with begin(tmp_path / "run", (SMALL,), FAKE) as place, ThreadPoolExecutor(1) as executor:
        playing = executor.submit(lambda: player(SMALL, FAKE, journal=place.journals[0]))
        wait_for(lambda: load(tmp_path / "run").batches == 1)
        wait_for(lambda: counted_blocks(tmp_path / "run") == 20)  # and what is played of the next one
        assert not playing.done()
        held.set()
        place.finish([playing.result()])
    assert_whole(tmp_path / "run", SMALL)


def counted_blocks(folder, experiment=SMALL):
    """Blocks of which the counts are on the disk."""
    journal = Journal(folder, experiment, FAKE.labels(experiment), len(FAKE.categories) + 1)
    return sum(span.n_blocks for span in journal.begun(experiment).values())


SLOW = """
import sys, time
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from fake_game import FAKE, FakeTable, ask
from lostlegacy_sim.run_folder import begin
from lostlegacy_sim.runner import play
plain = FakeTable.play
def slowly(table, first, n_blocks, *counts):
    time.sleep(0.5 * n_blocks)
    plain(table, first, n_blocks, *counts)
FakeTable.play = slowly
with begin(Path(sys.argv[1]), (ask(256),), FAKE) as place:
    play(ask(256), FAKE, 2, lambda played, planned: print(played, flush=True), journal=place.journals[0])
"""


def test_a_killed_run_of_slow_deals_has_lost_five_seconds_and_what_was_being_played(tmp_path):
    words = [sys.executable, "-c", SLOW, str(tmp_path / "run"), *sys.path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:  # a batch takes 8 seconds: none is finished
            if int(line) >= 2 * 26:
                break
        process.kill()
    assert load(tmp_path / "run").batches == 0
    assert counted_blocks(tmp_path / "run") >= 26 - 2 * 5 / 0.5 - 2
    resume(tmp_path / "run")
    assert_whole(tmp_path / "run", SMALL)


def test_a_stopped_run_keeps_the_blocks_of_batches_under_way(tmp_path):
    stop = threading.Event()
    with pytest.MonkeyPatch.context() as patch:
        plain_play = FakeTable.play
        patch.setattr(FakeTable, "play", lambda table, first, n, *counts: (time.sleep(0.01 * n), plain_play(table, first, n, *counts)))
        patch.setattr(runner_module, "SLICE_SECONDS", 0.0)
        play_into(tmp_path / "run", (SMALL,), stop, lambda done, planned: stop.set() if done >= 80 else None)
    found = load(tmp_path / "run")
    assert counted_blocks(tmp_path / "run") > sum(found.sizes)
    resume(tmp_path / "run")
    assert_whole(tmp_path / "run", SMALL)


@pytest.mark.parametrize("seed", range(5))
def test_spans_in_any_pieces_are_counted_once_as_far_as_they_reach(seed):
    clock, whole = random.Random(seed), play(SMALL, FAKE, 1)
    table = FAKE.open_table(SMALL)

    def span(first, n_blocks):
        counts, exemplars = np.zeros_like(whole.tally.counts[0]), no_exemplars(FAKE.categories)
        table.play(first, n_blocks, counts, exemplars)
        return Span(first, n_blocks, counts, exemplars)

    pieces = [span(first, clock.randint(1, 16 - first % 16)) for first in clock.choices(range(SMALL.blocks), k=90)]
    clock.shuffle(pieces)
    known = known_batches(pieces, SMALL)
    for number, found in begun_batches(pieces, SMALL).items():
        reached = {16 * number}
        for _ in range(16):
            reached |= {one.end for one in pieces if one.first in reached and one.end <= 16 * (number + 1)}
        assert (found.first, found.end) == (16 * number, max(reached))
        assert found.same(span(found.first, found.n_blocks))
        assert (number in known) == (found.n_blocks == 16)


def test_a_long_run_leaves_few_files_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(journal_module, "WRITE_SECONDS", 0.0)
    monkeypatch.setattr(runner_module, "NOTE_SECONDS", 0.0)
    monkeypatch.setattr(runner_module.Run, "learn_pace", lambda run, n_blocks, seconds: None)
    most = []
    play_into(tmp_path / "run", (SMALL,), None, lambda done, planned: most.append(len(list((tmp_path / "run").glob("batches-*")))))
    assert max(most) <= SMALL.batches + 2


# --- real processes ---------------------------------------------------------------------------------------

CHILD = """
import sys
from lostlegacy_sim import journal
from lostlegacy_sim.cli import llsim
journal.WRITE_SECONDS = 0.02
llsim.main(sys.argv[1:], prog_name="llsim")
"""
KILLS = 24
COMPILED = os.environ.get("LLSIM_CACHE_DIR")
REAL = ("--bots", "random", "--deals", "600k", "--players", "2,3", "--threads", "2", "-q")


def test_a_process_killed_at_random_moments_again_and_again_ends_in_the_same_counts(tmp_path, monkeypatch):
    if COMPILED is None:  # real deals: compiled code from where it always is
        monkeypatch.delenv("LLSIM_CACHE_DIR")
    else:
        monkeypatch.setenv("LLSIM_CACHE_DIR", COMPILED)
    clock, kills, runs = random.Random(5), 0, 0

    def child(*words):
        return subprocess.Popen([sys.executable, "-c", CHILD, "simulate", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    assert child("--bots", "random", "--deals", "20", "--players", "2,3", "-q").communicate()[1] == ""  # compiles what is not yet
    whole = tmp_path / "whole"
    began = time.monotonic()
    assert child(*REAL, "--out", str(whole)).communicate()[1] == ""
    took = time.monotonic() - began
    while kills < KILLS:
        assert runs < 4 * KILLS, "hardly any process is killed before it is done"
        folder = tmp_path / f"run{runs}"
        while not (folder / "results.json").exists() or any(folder.glob("*/run.json")):
            begun = folder / "results.json"
            process = child(*(("--resume", str(folder), "--threads", "2", "-q") if begun.exists() else (*REAL, "--out", str(folder))))
            try:
                process.communicate(timeout=clock.uniform(0.3, 1.0) * took)
                assert process.returncode == 0
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                if not begun.exists():
                    shutil.rmtree(folder, ignore_errors=True)
                else:
                    assert all(is_prefix(part, load(whole / name)) for name, part in parts_of(folder))
        for name in ("2-players", "3-players"):
            assert load(folder / name).tally == load(whole / name).tally
            assert np.array_equal(load(folder / name).exemplars, load(whole / name).exemplars)
        runs += 1


def parts_of(folder):
    """What a killed run has left, by the name of its folder."""
    return [(name, load(folder / name)) for name in ("2-players", "3-players") if (folder / name).is_dir()]


def is_prefix(part, whole):
    return np.array_equal(part.tally.counts, whole.tally.counts[: part.batches])


# --- parts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [1, 3, 7])
def test_a_folder_with_all_parts_is_the_result(tmp_path, of):
    whole, folder = play(EXPERIMENT, FAKE, 1), tmp_path / "run"
    for number in random.Random(of).sample(range(1, of + 1), of):
        play_into(folder, part=Part(number, of))
    found = load(folder)
    assert found.tally == whole.tally
    assert np.array_equal(found.exemplars, whole.exemplars)
    assert found.status == "complete"
    resume(folder)
    assert_whole(folder)


def test_parts_cover_every_batch_once():
    for of in (1, 2, 3, 40, EXPERIMENT.batches):
        batches = [batch for number in range(1, of + 1) for batch in Part(number, of).batches(EXPERIMENT)]
        assert batches == list(range(EXPERIMENT.batches))
    with pytest.raises(UsageError, match=f"have {EXPERIMENT.batches} batches; make fewer parts"):
        Part(1, EXPERIMENT.batches + 1).batches(EXPERIMENT)


def test_parts_of_several_folders_are_brought_together_by_copying(tmp_path):
    for number in (1, 2, 3):
        play_into(tmp_path / f"run{number}", part=Part(number, 3))
        assert load_prefix(tmp_path / f"run{number}") == (number == 1)
    for number in (2, 3):
        for path in (tmp_path / f"run{number}").glob("batches-*.npy"):
            shutil.copy(path, tmp_path / "run1")
    assert load(tmp_path / "run1").tally == play(EXPERIMENT, FAKE, 1).tally


def load_prefix(folder) -> bool:
    """Whether a folder has its first batch; parts without it are no result alone."""
    return load(folder).deals > 0


def test_what_is_missing_is_played_by_going_on(tmp_path):
    for number in (1, 3):
        play_into(tmp_path / "run", part=Part(number, 3))
    resume(tmp_path / "run")
    assert_whole(tmp_path / "run")


def test_overlapping_parts_are_counted_once(tmp_path):
    for part in (Part(1, 2), Part(2, 3), Part(3, 3)):
        play_into(tmp_path / "run", part=part)
    assert load(tmp_path / "run").tally == play(EXPERIMENT, FAKE, 1).tally


def test_two_pieces_that_contradict_each_other_are_refused(tmp_path):
    (tmp_path / "run").mkdir()
    spans = spans_of(play(EXPERIMENT, FAKE, 1))
    stamp = stamp_of(EXPERIMENT, identity_of("fake"))
    write_piece(tmp_path / "run", spans[:3], stamp)
    spans[1].counts[2] += 1
    write_piece(tmp_path / "run", spans[1:2], stamp)
    labels = FAKE.labels(EXPERIMENT)
    pieces = [span for path in (tmp_path / "run").iterdir() for span in read_piece(path, EXPERIMENT, labels, len(FAKE.categories) + 1, stamp)]
    with pytest.raises(ResultError, match="The blocks 32 to 63 were counted in two different ways"):
        known_batches(pieces, EXPERIMENT)


def test_a_part_of_another_run_is_refused(tmp_path):
    play_into(tmp_path / "run", part=Part(1, 3))
    with pytest.raises(ResultError, match="already holds"):
        begin(tmp_path / "run", [ask(20_001)], FAKE, part=Part(2, 3))


# --- beginning, and ways out of a folder ----------------------------------------------------------------


def test_a_run_of_several_cut_while_it_is_begun_is_given_again(tmp_path, monkeypatch):
    experiments, folder, moment = (SMALL, ask(300, ("coin",) * 3, players=3)), tmp_path / "run", 0
    while True:
        with monkeypatch.context() as patch, contextlib.suppress(Cut):
            disk = Disk(patch, moment, Cut)
            begin(folder, experiments, FAKE).lock.release()
        if disk.done <= moment:
            break
        if not (folder / "results.json").exists():
            play_into(folder, experiments)
            assert sorted(path.name for path in folder.rglob("*")) == sorted(["2-players", "3-players", "results.json", *["counts.npy", "manifest.json"] * 2])
        shutil.rmtree(folder)
        moment += 1
    assert moment > 10


@pytest.mark.parametrize("name", ["..", ".", "/tmp", "../outside", "link", "a/b", "", "2-players\n"])
def test_what_a_folder_lists_lies_inside_it(tmp_path, name):
    outside = tmp_path / "outside"
    stop_after(outside, SMALL, 100)
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    folder = outside / "run"
    folder.mkdir()
    (folder / "link").symlink_to(outside)
    (folder / "results.json").write_text(json.dumps({"schema": "llsim.results/1", "results": [name]}))
    for read in (load, load_all, reopen, lambda folder: begin(folder, (SMALL,), FAKE)):
        with pytest.raises(ResultError, match=r"a list of the folders beside it|links are not followed|holds other files"):
            read(folder)
    assert {path.name: path.read_bytes() for path in outside.iterdir() if path.is_file()} == before


# --- one at a time ------------------------------------------------------------------------------------------


def test_two_runs_into_one_folder_are_refused(tmp_path):
    with begin(tmp_path / "run", [EXPERIMENT], FAKE):
        for second in (lambda: begin(tmp_path / "run", [EXPERIMENT], FAKE), lambda: reopen(tmp_path / "run")):
            with pytest.raises(ResultError, match=r"already holds a part of this result|Another run is writing into"):
                second()
        with pytest.raises(ResultError, match=r"Another run is writing into .*run; nothing was played"):
            reopen(tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_parts_are_played_together_but_each_once_and_not_beside_a_whole_run(tmp_path):
    with begin(tmp_path / "run", [EXPERIMENT], FAKE, part=Part(1, 3)), begin(tmp_path / "run", [EXPERIMENT], FAKE, part=Part(2, 3)):
        with pytest.raises(ResultError, match="Part 1 of 3 is being played"):
            begin(tmp_path / "run", [EXPERIMENT], FAKE, part=Part(1, 3))
        with pytest.raises(ResultError, match="Another run is writing"):
            reopen(tmp_path / "run")


def test_a_lock_ends_with_its_process(tmp_path):
    code = f"import os; from pathlib import Path; from lostlegacy_sim.disk import FolderLock; FolderLock(Path({str(tmp_path)!r})); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == -9
    assert (tmp_path / ".lock").exists()
    FolderLock(tmp_path).release(remove=True)
    assert not list(tmp_path.iterdir())


# --- damage ---------------------------------------------------------------------------------------------------


def test_a_damaged_piece_is_named_and_its_batches_are_played_again(tmp_path):
    for number in (1, 2):
        play_into(tmp_path / "run", part=Part(number, 3))
    path = sorted((tmp_path / "run").glob("batches-*.npy"))[-1]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(ResultError, match=r"batches-.*npy is damaged: it does not match the checksum in its name"):
        load(tmp_path / "run")
    with reopen(tmp_path / "run") as place:
        assert place.journals[0].damaged == [path]
        go_on(place)
    assert load(tmp_path / "run").tally == play(EXPERIMENT, FAKE, 1).tally
    assert path.with_suffix(".damaged").read_bytes() == data


def edit_run(folder, **changes):
    path = folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"schema": "llsim.run/9"}, r"has the schema 'llsim.run/9'; this version reads 'llsim.run/1'"),
        ({"experiment": ask(20_001).to_plain()}, "its experiment does not match its checksum"),
        ({"labels": [["deals", [-1]]]}, "labels is missing or not a list of names with shapes"),
        ({"categories": None}, "categories is missing or not a list"),
        ({"provenance": {"lostlegacy_sim": "0.0.1"}}, r"was begun with lostlegacy_sim 0.0.1, and this is .*Bring that code back"),
    ],
)
def test_a_damaged_run_file_is_refused_with_a_sentence(tmp_path, changes, sentence):
    play_into(tmp_path / "run", part=Part(1, 3))
    edit_run(tmp_path / "run", **changes)
    with pytest.raises(ResultError, match=sentence):
        reopen(tmp_path / "run")


def test_a_piece_of_another_experiment_is_not_read(tmp_path):
    (tmp_path / "run").mkdir()
    other = ask(500, ("coin",) * 3, players=3)
    path = write_piece(tmp_path / "run", spans_of(play(other, FAKE, 1)), stamp_of(other, identity_of("fake")))
    with pytest.raises(ResultError, match="does not hold batches of this experiment"):
        read_piece(path, ask(320), FAKE.labels(other), len(FAKE.categories) + 1, stamp_of(ask(320), identity_of("fake")))
    np.save(path, np.zeros((2, 3)))
    honest = path.with_name(f"batches-0-{checksum(path.read_bytes())[:16]}.npy")
    path.rename(honest)
    with pytest.raises(ResultError, match="is not a file of counts"):
        read_piece(honest, other, FAKE.labels(other), len(FAKE.categories) + 1, stamp_of(other, identity_of("fake")))


# --- the command line ---------------------------------------------------------------------------------------


def test_parts_and_resume_as_they_are_typed(tmp_path):
    folder, words = tmp_path / "run 1", ("--bots", "strong,random", "--players", "2,3", "--deals", "20k")
    whole = run("simulate", *words).out
    first = run("simulate", *words, "--part", "1/3", "--out", str(folder))
    assert (first.code, first.err) == (0, "")
    assert "Part 1/3 · Lost Legacy: The Starship · 2 players · batches 1 to 104 of 313 · 6,656 deals are in '" in first.out
    assert "still missing in " in first.out
    assert ": 209 of 313 batches, 105-313" in first.out
    third = json.loads(run("simulate", *words, "--part", "3/3", "--out", str(folder), "--json").out)
    assert (third["part"], third["of"], len(third["results"][0]["missing"])) == (3, 3, 104)
    assert run("simulate", "--resume", str(folder)).out == whole
    assert [result.status for result in load_all(folder)] == ["complete", "complete"]
    assert run("simulate", "--resume", str(folder)).out == whole  # nothing was missing


def test_the_last_part_says_that_all_are_there(tmp_path):
    words = ("--bots", "random", "--players", "2", "--deals", "2k", "--out", str(tmp_path / "run"))
    run("simulate", *words, "--part", "2/2")
    ran = run("simulate", *words, "--part", "1/2")
    assert f"All parts are there: {tmp_path / 'run'} is the whole result. Next: llsim report {tmp_path / 'run'}" in ran.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--part", "0/3", "--out", "x"), "--part 0/3: write which part of how many, such as 3/40."),
        (("--part", "4/3", "--out", "x"), "--part 4/3: write which part of how many"),
        (("--part", "1/3"), "--part 1/3 needs --out DIR"),
        (("--part", "1/3", "--out", "x", "--until", "turns +/- 1"), "--part plays batches that answer nothing alone"),
        (("--part", "1/300", "--out", "x", "--deals", "2k"), "2,000 deals have 125 batches; make fewer parts"),
        (("--resume", "gone"), "There is no result folder gone. `llsim simulate --out gone` begins one."),
        (("--resume", "gone", "--seed", "3"), "--seed is for a new run, and --resume gone plays what its folder asks for; drop --seed."),
        (("--resume", "gone", "--part", "1/2"), "--part is for a new run"),
        (("--resume", "."), "holds no result: run.json is missing"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    ran = run("simulate", *words)
    assert ran.code == 2
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())
