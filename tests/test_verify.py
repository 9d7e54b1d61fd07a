"""`llsim verify`: what was counted is counted again; whatever was changed is named."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from fake_game import FAKE, ask

from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.result import load
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.verify import draw, names_of, verify
from lostlegacy_sim.tally import checksum, n_labels


@pytest.fixture(scope="module")
def result():
    return play(ask(5000), FAKE, 1)


def changed(result, batch, column, by=1):
    counts = result.tally.counts.copy()
    counts[batch, column] += by
    return replace(result, tally=replace(result.tally, counts=counts))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_was_counted_is_found_again(result, threads):
    found = verify(result, FAKE, 0.05, 7, threads)
    assert found.is_same
    assert found.played == found.asked == draw(result, 0.05, 7)
    assert len(found.played) == 8  # of 157 batches
    assert found.deals == 8 * 32


def test_the_seed_draws_the_share(result):
    assert draw(result, 0.05, 7) != draw(result, 0.05, 8)
    assert draw(result, 1.0, 7) == list(range(result.batches))
    assert len(draw(result, 1e-9, 7)) == 1


@pytest.mark.parametrize(("column", "what"), [(0, "deals"), (2, "turns"), (3 + 6 * 1 + 4, "won[1][4]")])
def test_one_changed_number_is_named(result, column, what):
    found = verify(changed(result, 31, column), FAKE, 1.0, 1, 2)
    (difference,) = found.differences
    assert (difference.batch, difference.what, difference.kept - difference.counted) == (31, what, 1)
    assert str(difference).startswith(f"batch 32 (deals 992 to 1,023) counts {what} = ")
    assert not found.is_same


def test_a_share_without_the_changed_batch_sees_nothing(result):
    """What a share cannot see: the reason why the seed is new each time."""
    seed = next(seed for seed in range(100) if 31 not in draw(result, 0.05, seed))
    assert verify(changed(result, 31, 2), FAKE, 0.05, seed, 1).is_same


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("by", [-1, 1])
def test_a_changed_exemplar_is_named(result, place, by):
    exemplars = result.exemplars.copy()
    exemplars[place] += by if exemplars[place] else 1  # there is no deal before deal 0
    found = verify(replace(result, exemplars=exemplars), FAKE, 1.0, 1, 1)
    assert found.differences
    assert all("deal" in difference.what for difference in found.differences)


def test_another_seed_bot_or_number_of_players_is_found(result):
    for experiment in (replace(result.experiment, seed=2), replace(result.experiment, repeat=1, seed=3)):
        assert not verify(replace(result, experiment=experiment), FAKE, 0.05, 1, 1).is_same


def test_a_part_of_a_result_is_verified_as_far_as_it_goes(result):
    part = replace(result, tally=replace(result.tally, counts=result.tally.counts[:40].copy()), exemplars=result.exemplars)
    assert verify(part, FAKE, 0.5, 1, 1).is_same


def test_a_result_that_counts_other_things_is_refused(result):
    with pytest.raises(ResultError, match="This result counts other things than lostlegacy_sim"):
        verify(replace(result, categories=("a", "longest")), FAKE, 0.05, 1)


def test_every_column_has_a_name():
    labels = (("deals", ()), ("won", (2, 3)))
    assert names_of(labels) == ["deals", *(f"won[{row}][{column}]" for row in range(2) for column in range(3))]
    assert len(names_of(labels)) == n_labels(labels)


# --- the command line, on true deals ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept") / "run"
    assert run("simulate", "--bots", "random,careful", "--players", "2", "--deals", "4000", "--out", str(folder)).code == 0
    return folder


@pytest.fixture
def copy(kept, tmp_path):
    """A result that may be changed; the checksums are made to fit again."""
    return Path(shutil.copytree(kept, tmp_path / "run"))


def rewrite(folder, **changes):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text()) | changes
    manifest["experiment_hash"] = Experiment.from_plain(manifest["experiment"]).hash
    manifest["counts_sha256"] = checksum((folder / "counts.npy").read_bytes())
    path.write_text(json.dumps(manifest))


def test_a_kept_result_is_the_same_bit_for_bit(kept):
    ran = run("verify", str(kept), "--seed", "3", "--threads", "2")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Lost Legacy: The Starship · 2 players, random, others careful · 4,000 deals · seed 1",
        "  7 of 125 batches (5.60 %), 224 deals, played again on 2 threads, drawn by --seed 3",
        "  the same bit for bit",
    ]
    assert json.loads(run("verify", str(kept), "--json").out)["results"][0]["same"] is True


def test_a_changed_digit_is_named(copy):
    counts = np.load(copy / "counts.npy")
    counts[5, 2] += 1
    np.save(copy / "counts.npy", counts)
    ran = run("verify", str(copy))
    assert (ran.code, ran.out) == (2, "")
    assert "counts.npy is damaged: it does not match the checksum in manifest.json" in ran.err
    rewrite(copy)  # who changed it has mended the checksum
    ran = run("verify", str(copy), "--share", "100%")
    assert ran.code == 2
    assert "  batch 6 (deals 160 to 191) counts " in ran.out
    assert ran.err == f"{copy} does not hold what its deals count: 1 batch of the share differs.\n"


def test_a_changed_bot_is_found(copy):
    experiment = load(copy).experiment
    rewrite(copy, experiment=replace(experiment, bots=("random", "hunter")).to_plain())
    assert "batches of the share differ" in run("verify", str(copy)).err


def test_a_changed_card_is_named(copy):
    experiment = load(copy).experiment
    plain = experiment.to_plain()
    plain["set_text"] = experiment.set_text.replace("copies = 3", "copies = 4", 1)
    assert plain["set_text"] != experiment.set_text
    rewrite(copy, experiment=plain)
    ran = run("verify", str(copy))
    assert ran.code == 2
    assert "Its cards are not those of starship in this version; the first line that differs is " in ran.out
    assert "copies = 4" in ran.out
    assert "batches of the share differ" in ran.err


def test_another_version_is_named(copy):
    provenance = json.loads((copy / "manifest.json").read_text())["provenance"]
    rewrite(copy, provenance=provenance | {"lostlegacy_sim": "0.0.1"})
    ran = run("verify", str(copy))
    assert ran.code == 0  # the deals are the same all the same
    assert "It was made with lostlegacy_sim 0.0.1, and this is " in ran.out


@pytest.mark.parametrize("share", ["0", "0%", "101%", "2", "-5%", "five", "nan", "1e-3"])
def test_what_is_no_share(kept, share):
    ran = run("verify", str(kept), "--share", share)
    assert ran.code == 2
    assert ran.err == f"--share {share}: write a share of the batches, more than 0 and at most 100%, such as 5%.\n"


def test_a_bot_file_is_named_and_has_to_be_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("import numba\n\n\n@numba.njit\ndef decide(cards, public, private, question):\n    return 0\n")
    run("simulate", "--bots", "mine.py", "--players", "2", "--deals", "400", "--out", "run")
    assert "no code runs from a result. To run it, add --bots mine.py" in run("verify", "run").err
    assert run("verify", "run", "--bots", "mine.py").code == 0
    with Path("mine.py").open("a") as file:
        file.write("# changed\n")
    assert "mine.py is not a file this result was played with" in run("verify", "run", "--bots", "mine.py").err
