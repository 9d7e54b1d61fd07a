"""The runner: same bits for any number of threads, what is kept when it is stopped, result folders."""

import functools
import importlib
import json
import os
import signal
import threading

import numpy as np
import pytest
from fake_game import CHEATED_DEAL, FAKE, FakeTable, ask

from lostlegacy_sim import runner
from lostlegacy_sim.destination import Destination
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.result import load, load_all, recall, remember
from lostlegacy_sim.runner import play
from lostlegacy_sim.tally import Tally, checksum, merge_exemplars, no_exemplars


@functools.cache
def deal_by_deal(experiment: Experiment):
    """The slow twin: one block at a time, in order, without threads."""
    table = FakeTable(experiment)
    tally = Tally.zero(FAKE.labels(experiment), experiment.batches)
    exemplars = no_exemplars(FAKE.categories)
    for block in range(experiment.blocks):
        table.play(block, 1, tally.counts[block // experiment.batch_blocks], exemplars)
    return tally, exemplars


@pytest.mark.parametrize("deals", [1, 31, 32, 33, 5001, 20_000])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same_bits_as_one_block_at_a_time(deals, threads):
    experiment = ask(deals)
    tally, exemplars = deal_by_deal(experiment)
    result = play(experiment, FAKE, threads)
    assert result.tally == tally
    assert np.array_equal(result.exemplars, exemplars)
    assert result.status == "complete"


def test_any_slicing_gives_the_same_bits(monkeypatch):
    whole = play(ask(9_000), FAKE, 1)
    monkeypatch.setattr(runner.Run, "learn_pace", lambda run, n_blocks, seconds: setattr(run, "slice_blocks", n_blocks % 5 + 1))
    assert play(ask(9_000), FAKE, 2).tally == whole.tally


def test_another_seed_gives_other_deals():
    assert play(ask(seed=1), FAKE, 1).tally != play(ask(seed=2), FAKE, 1).tally


def test_deals_are_rounded_up_to_whole_blocks():
    result = play(ask(101), FAKE, 1)
    assert result.deals == 102 == int(result.tally.totals["deals"])
    assert result.sizes.tolist() == [16, 16, 16, 3]


def test_progress_ends_at_the_planned_deals():
    seen = []
    play(ask(20_000), FAKE, 2, on_progress=lambda done, planned: seen.append((done, planned)))
    assert seen == sorted(seen)
    assert seen[-1] == (20_000, 20_000)


# --- stopping -----------------------------------------------------------------------------------------


def is_prefix(part: Tally, whole: Tally) -> bool:
    return np.array_equal(part.counts, whole.counts[: len(part.counts)])


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_stopped_run_keeps_a_prefix_without_a_gap(threads):
    stop = threading.Event()

    def stop_early(done, planned):
        if done > 1000:
            stop.set()

    experiment = ask(20_000, ("slow", "die"))
    result = play(experiment, FAKE, threads, stop_early, stop)
    whole = deal_by_deal(ask(20_000))[0]  # "slow" only waits: the deals are those of any other bot
    assert result.status == "partial"
    assert 0 < result.batches < experiment.batches
    assert is_prefix(result.tally, whole)
    assert result.deals == int(result.tally.totals["deals"])
    assert result.deal_of["longest"] < result.deals


def test_ctrl_c_ends_a_run_and_keeps_what_is_done():
    def interrupt(done, planned):
        if done > 500:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored in what runs behind it
    try:
        result = play(ask(20_000, ("slow", "die")), FAKE, 2, interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.status == "partial"
    assert is_prefix(result.tally, deal_by_deal(ask(20_000))[0])


def test_a_run_stopped_before_it_began_holds_nothing():
    stop = threading.Event()
    stop.set()
    result = play(ask(), FAKE, 2, stop=stop)
    assert (result.batches, result.deals, result.status) == (0, 0, "partial")


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_bot_that_breaks_the_rules_ends_the_run_at_the_same_batch_for_any_number_of_threads(threads):
    experiment = ask(20_000, ("cheat", "die"))
    result = play(experiment, FAKE, threads)
    assert "deal 5000" in result.error
    assert result.batches == CHEATED_DEAL // (experiment.batch_blocks * experiment.rotations)
    assert is_prefix(result.tally, deal_by_deal(ask(20_000))[0])


def test_a_bug_is_raised_and_not_kept_silent(monkeypatch):
    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(FakeTable, "play", broken)
    with pytest.raises(ZeroDivisionError):
        play(ask(), FAKE, 2)


# --- result folders -------------------------------------------------------------------------------------


def keep(folder, *results):
    with Destination(folder, [result.experiment for result in results]) as destination:
        destination.write(results)


@pytest.fixture(scope="module")
def result():
    return play(ask(5000), FAKE, 1)


def test_a_result_is_read_back_as_it_was_written(tmp_path, result):
    keep(tmp_path / "kept", result)
    back = load(tmp_path / "kept")
    assert back.experiment == result.experiment
    assert back.tally == result.tally
    assert back.deal_of == result.deal_of
    assert back.longest == result.longest
    assert back.provenance == result.provenance
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_folders_on_the_way_are_made(tmp_path, result):
    keep(tmp_path / "new" / "folders" / "kept", result)
    assert load(tmp_path / "new" / "folders" / "kept").tally == result.tally


def test_several_results_share_a_folder(tmp_path, result):
    other = play(ask(500, ("coin",) * 3, players=3), FAKE, 1)
    keep(tmp_path / "kept", result, other)
    assert [back.experiment.players for back in load_all(tmp_path / "kept")] == [2, 3]
    assert load(tmp_path / "kept" / "3-players").tally == other.tally
    with pytest.raises(ResultError, match=r"holds 2 results\. Name one of them: .*2-players, .*3-players"):
        load(tmp_path / "kept")


def test_an_empty_folder_is_filled(tmp_path, result):
    other = play(ask(500, ("coin",) * 3, players=3), FAKE, 1)
    for name, results in (("one", [result]), ("two", [result, other])):
        (tmp_path / name).mkdir()
        inode = (tmp_path / name).stat().st_ino
        keep(tmp_path / name, *results)
        assert (tmp_path / name).stat().st_ino == inode  # it may be mounted: filled, not replaced
        assert [back.tally for back in load_all(tmp_path / name)] == [each.tally for each in results]


def test_nothing_is_left_behind_when_nothing_is_written(tmp_path, result):
    for folder in (tmp_path / "kept", tmp_path / "new" / "folders" / "kept", tmp_path):
        with Destination(folder, [result.experiment]):
            pass
        assert not list(tmp_path.iterdir())


def test_a_folder_with_the_same_result_is_refused(tmp_path, result):
    keep(tmp_path / "kept", result)
    with pytest.raises(ResultError, match="already holds this very result; nothing was played"):
        Destination(tmp_path / "kept", [result.experiment])


def test_a_folder_with_another_result_is_refused_and_left_as_it_is(tmp_path, result):
    keep(tmp_path / "kept", result)
    before = (tmp_path / "kept" / "manifest.json").read_bytes()
    with pytest.raises(ResultError, match="already holds another result"):
        Destination(tmp_path / "kept", [ask(5001)])
    assert (tmp_path / "kept" / "manifest.json").read_bytes() == before


def test_a_folder_with_other_files_is_refused(tmp_path, result):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ResultError, match="holds other files"):
        Destination(tmp_path, [result.experiment])


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path, result):
    (tmp_path / "kept").write_text("mine")
    with pytest.raises(ResultError, match="is a file, not a folder"):
        Destination(tmp_path / "kept", [result.experiment])
    with pytest.raises(ResultError, match="cannot be written"):
        Destination(tmp_path / "kept" / "inside", [result.experiment])


def spoil_counts(folder):
    path = folder / "counts.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")


def edit(**changes):
    def spoil(folder):
        path = folder / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return spoil


def lose_a_deal(folder):
    """Counts and checksum agree, but a deal is missing."""
    counts = np.load(folder / "counts.npy")
    counts[0, 0] -= 1
    np.save(folder / "counts.npy", counts)
    edit(counts_sha256=checksum((folder / "counts.npy").read_bytes()))(folder)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_counts, "counts.npy is damaged: it does not match the checksum"),
        (lambda folder: (folder / "counts.npy").unlink(), "counts.npy cannot be read"),
        (lambda folder: (folder / "manifest.json").unlink(), "holds no result: manifest.json is missing"),
        (lambda folder: (folder / "manifest.json").write_bytes(b"\x00\xff{"), "is not JSON"),
        (lambda folder: (folder / "manifest.json").write_text("[" * 100_000), "is not JSON"),
        (edit(schema="llsim.result/9"), r"schema 'llsim.result/9'; this version reads 'llsim.result/1'"),
        (edit(experiment=None), "experiment is missing or not a table"),
        (edit(experiment={}), "experiment.game is missing or not a text"),
        (edit(experiment=ask(5001).to_plain()), "experiment does not match"),
        (edit(experiment=ask(5000).to_plain() | {"deals": True}), "experiment.deals is missing or not a whole number from 1 to"),
        (edit(batches=10**9), "batches is missing or not a whole number from 0 to 157"),
        (edit(batches=3), "does not hold whole numbers in 3 rows"),
        (edit(labels=[["deals", []]]), "does not hold whole numbers in 157 rows and 1 columns"),
        (edit(labels=[1]), "labels is missing or not a list of names with shapes"),
        (edit(exemplars={}), "missing or not a whole number from 0 to 4,999 or null"),
        (edit(exemplars=dict.fromkeys(FAKE.categories, 5000)), "missing or not a whole number from 0 to 4,999 or null"),
        (edit(exemplars=dict.fromkeys(FAKE.categories, -1)), "missing or not a whole number from 0 to 4,999 or null"),
        (edit(deals=4999), "its number of deals does not match its batches"),
        (edit(status="partial"), "its number of deals does not match its batches"),
        (lose_a_deal, "it does not count the deals that manifest.json says"),
    ],
)
def test_a_damaged_folder_is_refused_with_a_sentence(tmp_path, result, spoil, sentence):
    keep(tmp_path / "kept", result)
    spoil(tmp_path / "kept")
    with pytest.raises(ResultError, match=sentence):
        load(tmp_path / "kept")


def test_a_missing_folder_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(ResultError, match="There is no result folder"):
        load(tmp_path / "none")


def test_the_last_result_is_remembered(tmp_path, result, monkeypatch):
    importlib.import_module("lostlegacy_sim.jit")  # so that compiled code does not go to this folder
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(ResultError, match="There is no last result"):
        recall()
    remember([result])
    newer = play(ask(40), FAKE, 1)
    remember([newer])
    assert [back.experiment for back in recall()] == [newer.experiment]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["last"]


def test_without_a_cache_folder_nothing_is_remembered_and_nothing_fails(tmp_path, result, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path / "file"))
    remember([result])


def test_memory_does_not_grow_with_the_deals():
    assert ask(10**12).batches <= 512
    assert merge_exemplars(no_exemplars(FAKE.categories), no_exemplars(FAKE.categories)).size == 5
