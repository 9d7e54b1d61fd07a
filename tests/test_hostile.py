"""Hostile input, in this process: no traceback, no hang, no wrong success. `make fuzz` plays 100,000, here it is a share."""

import json
import os
import random
import resource
import shutil
import time
from pathlib import Path

import hostile
import numpy as np
import pytest
from card_files import random_card_file
from click.testing import CliRunner
from fake_game import FAKE, ask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as draw
from stand_in import STAND_IN

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.cli import COMMANDS, llsim
from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.cli import verify as verify_module
from lostlegacy_sim.destination import Destination
from lostlegacy_sim.errors import LlsimError, ResultError, SetError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.games.lost_legacy.cards.playability import check_seats
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.result import load
from lostlegacy_sim.run_folder import Part, begin, reopen
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.sweep_file import read_sweep
from lostlegacy_sim.tally import checksum

INPUTS = int(os.environ.get("LLSIM_FUZZ", "2000"))
SECONDS = 5  # no input may take longer


def fuzz(share: float):
    """So large a share of all inputs; those of `make fuzz` are new each time."""
    return settings(
        max_examples=max(20, int(INPUTS * share)), deadline=SECONDS * 1000, derandomize="LLSIM_FUZZ" not in os.environ, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def refused_or(function, *words):
    """What a function returns; None if it refused with one sentence."""
    try:
        return function(*words)
    except LlsimError as error:
        sentence = str(error)
    assert sentence.strip()
    assert "Traceback" not in sentence
    return None


# --- card files and sweeps ------------------------------------------------------------------------------------

CARD_FILES = [composition.printed(name).to_toml() for name in composition.PRINTED] + [random_card_file(random.Random(seed)) for seed in range(6)]
SWEEP = 'set = "starship"\nplayers = 4\nbots = ["random"]\ndeals = 1000\nseed = 1\ngoals = ["seat_gap", "nobody:low"]\n\n[sweep]\n"search.copies" = [1, 2]\n"assault.copies" = "0..2"\n'


@fuzz(0.24)
@given(draw.sampled_from(CARD_FILES).flatmap(hostile.wrong_lines))
def test_card_files_of_wrong_lines(text):
    check_card_file(text)


@fuzz(0.1)
@given(draw.sampled_from(CARD_FILES).flatmap(lambda text: hostile.wrong_bytes(text.encode())))
def test_card_files_of_wrong_bytes(data):
    path = Path(os.environ["HOSTILE"]) / "cards.toml"
    path.write_bytes(data)
    card_set = refused_or(composition.load_set, str(path))
    if card_set is not None:
        check_card_file(data.decode("utf-8-sig"))


def check_card_file(text):
    """It is refused, or it is a set that means the same when it is written down and read again."""
    card_set = refused_or(parse_set, text, VOCABULARY, "cards.toml")
    if card_set is None:
        return
    again = parse_set(card_set.to_toml(), VOCABULARY, "again.toml")
    assert again == card_set
    for players in range(2, 7):
        refused_or(check_seats, card_set, players)


@fuzz(0.08)
@given(hostile.wrong_lines(SWEEP) | hostile.wrong_bytes(SWEEP.encode()).map(lambda data: data.decode("utf-8", "replace")))
def test_sweeps(text):
    path = Path(os.environ["HOSTILE"]) / "sweep.toml"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    refused_or(read_sweep, path)


# --- experiments, manifests, counts -----------------------------------------------------------------------


@fuzz(0.12)
@given(hostile.wrong_plain(ask().to_plain()))
def test_experiments(plain):
    experiment = refused_or(Experiment.from_plain, plain)
    if experiment is not None:
        assert experiment.to_plain() == {"repeat": 0, "detail": "deals"} | plain
        assert 1 <= experiment.batches <= 512
        assert len(experiment.hash) == 64


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A whole result, and one that was played by half."""
    folder = tmp_path_factory.mktemp("kept")
    result = play(ask(640), FAKE, 1)
    with Destination(folder / "whole", [result.experiment]) as destination:
        destination.write([result])
    with begin(folder / "half", [result.experiment], FAKE, part=Part(1, 2)) as place:
        play(result.experiment, FAKE, 1, journal=place.journals[0], only=Part(1, 2).batches(result.experiment))
    return folder


MANIFESTS = {"whole": "manifest.json", "half": "run.json"}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Everything happens in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOSTILE", str(tmp_path))
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path / "cache"))


def fresh(kept, which):
    folder = Path(os.environ["HOSTILE"]) / "kept"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept / which, folder)
    return folder


def check_result(kept, which, folder, is_honest=False):
    """It is refused, or what it counts is what was counted."""
    result, before = refused_or(load, folder), load(kept / which)
    if result is not None and not is_honest:
        assert result.tally.counts.shape[0] <= before.batches
        assert np.array_equal(result.tally.counts, before.tally.counts[: result.batches])
        assert result.experiment == before.experiment
    refused_or(lambda: reopen(folder).close())


@pytest.mark.parametrize("which", MANIFESTS)
def test_manifests(kept, which):
    plain = json.loads((kept / which / MANIFESTS[which]).read_text())

    @fuzz(0.06)
    @given(hostile.wrong_plain(plain))
    def manifests_of_wrong_values(changed):
        folder = fresh(kept, which)
        (folder / MANIFESTS[which]).write_text(json.dumps(changed))
        check_result(kept, which, folder)

    @fuzz(0.06)
    @given(hostile.wrong_bytes((kept / which / MANIFESTS[which]).read_bytes()))
    def manifests_of_wrong_bytes(data):
        folder = fresh(kept, which)
        (folder / MANIFESTS[which]).write_bytes(data)
        check_result(kept, which, folder)

    manifests_of_wrong_values()
    manifests_of_wrong_bytes()


def test_counts(kept):
    @fuzz(0.06)
    @given(hostile.wrong_bytes((kept / "whole" / "counts.npy").read_bytes()), draw.booleans())
    def counts(data, is_sealed):
        folder = fresh(kept, "whole")
        (folder / "counts.npy").write_bytes(data)
        if is_sealed:  # the checksum fits: only what it says can give it away
            manifest = json.loads((folder / "manifest.json").read_text())
            (folder / "manifest.json").write_text(json.dumps(manifest | {"counts_sha256": checksum(data)}))
        check_result(kept, "whole", folder, is_sealed)

    counts()


def test_pieces(kept):
    (piece,) = (kept / "half").glob("batches-*.npy")

    @fuzz(0.06)
    @given(hostile.wrong_bytes(piece.read_bytes()), draw.booleans())
    def pieces(data, is_sealed):
        folder = fresh(kept, "half")
        (folder / piece.name).unlink()
        name = f"batches-0-{checksum(data)[:16]}.npy" if is_sealed else piece.name
        (folder / name).write_bytes(data)
        check_result(kept, "half", folder, is_sealed)

    pieces()


# --- command lines ------------------------------------------------------------------------------------------

OPTIONS = {
    "--set": ["starship", "flying-garden", "megamix", "custom", "cards.toml", "wrong.toml", "gone.toml", "."],
    "--players": ["2", "3", "2-4", "2,3"], "--bots": ["random", "careful", "random,careful", "cheat", "bot.py"],
    "--deals": ["1", "40", "2k", "0", "1e3", "1e-3"], "--seed": ["1", "new", "0", "99999999999999999999"], "--threads": ["1", "2", "0", "1025"],
    "--until": ["turns +/- 1", "nobody +/- 50%", "nobody +/- 0"], "--require": ["nobody < 50%", "out_early > 0", "win_seat[9] < 1"],
    "--pick": ["1=starship,X=flying-garden", "9=starship"], "--keep": ["starship", "flying-garden"], "--nobody-begins": ["same", "next"],
    "--part": ["1/2", "2/2", "3/2"], "--resume": ["kept", "half", "gone", "."], "--share": ["5%", "100%", "0"], "--scheduler": ["here", "tcp://"],
    "--checkpoint": ["cp", "kept", ".", "cards.toml"],
    "--margin": ["0.5pp", "1%"], "--chart": ["seats", "lengths", "none"], "--table": ["measures", "seats"], "--goal": ["seat_gap", "nobody:low"],
    "--find": ["nobody", "longest"], "--deal": ["0", "5", "-1"], "--seat": ["1", "9"], "--out": ["new", "kept"], "-o": ["page.html", "x.csv", "x.txt"],
    "--json": [], "--csv": [], "--dry-run": [], "-q": [], "-v": [], "--campaign": [], "--list": [], "--toml": [], "--help": [], "--force": [], "--version": [],
    "kept": [], "half": [], "starship": [], "cards.toml": [], "wrong.toml": [], "last": [],
}  # fmt: skip
NAMES = ["simulate", "simulate", "verify", "report", "cards", "validate", "compare", "bots"]  # those that need no compiled deals
CODES = (0, 2, 3, 4)


@pytest.fixture
def laid_out(kept, monkeypatch, tmp_path):
    """A folder with things to name, and deals of the stand-in."""
    for module in (job_module, verify_module):
        monkeypatch.setattr(module, "find_game", lambda name: STAND_IN)
    from lostlegacy_sim.cli import compare as compare_module

    monkeypatch.setattr(compare_module, "find_game", lambda name: STAND_IN)
    (tmp_path / "cards.toml").write_text(CARD_FILES[0])
    (tmp_path / "wrong.toml").write_text(CARD_FILES[0].replace("copies = 3", "copies = 99", 1))
    assert run_words(["simulate", "--bots", "random", "--players", "2", "--deals", "640", "--out", "kept"]).exit_code == 0
    assert run_words(["simulate", "--bots", "random", "--players", "2", "--deals", "640", "--part", "1/2", "--out", "half"]).exit_code == 0
    return tmp_path


def run_words(words):
    return CliRunner().invoke(llsim, words, prog_name="llsim", env={"COLUMNS": "100"})


def test_command_lines(laid_out):
    before = {path: path.read_bytes() for path in laid_out.rglob("*") if path.is_file() and "cache" not in path.parts and "half" not in path.parts}

    @fuzz(0.1)
    @given(hostile.command_lines(NAMES, OPTIONS))
    def lines(words):
        if words[0] in ("simulate", "compare") and "--deals" not in words:
            words = [*words, "--deals", "40"]
        ran = run_words(words)
        assert ran.exception is None or isinstance(ran.exception, SystemExit), words
        assert ran.exit_code in CODES, words
        assert "Traceback" not in ran.output
        if ran.exit_code == 2:
            assert 1 <= len(ran.stderr.splitlines()) <= 3, words
        for name in ("new", "cp", "page.html", "x.csv"):
            path = laid_out / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    lines()
    if "-o" not in OPTIONS["--out"]:
        assert {path: path.read_bytes() for path in before} == before  # nothing was overwritten


def test_the_names_are_commands():
    assert set(NAMES) <= set(COMMANDS)


# --- things that are no files, and files that are no things ------------------------------------------------------


def big(path):
    path.write_bytes(b"x = 1\n" * 1_800_000)


def loop(path):
    path.symlink_to(path)


ODD = {
    "10 MB": big, "empty": Path.touch, "a folder": Path.mkdir, "a pipe": os.mkfifo, "a link to itself": loop,
    "a link to nothing": lambda path: path.symlink_to("nothing"), "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a folder": lambda path: path.symlink_to("/"), "NUL bytes": lambda path: path.write_bytes(b"\x00" * 1000),
    "UTF-16": lambda path: path.write_bytes("id = 'x'".encode("utf-16")), "Latin-1": lambda path: path.write_bytes("name = 'Größe'".encode("latin-1")),
    "nested brackets": lambda path: path.write_text("x = " + "[" * 100_000), "nested tables": lambda path: path.write_text("[" + "a." * 100_000 + "a]"),
    "nested JSON": lambda path: path.write_text('{"schema":' * 50_000), "a huge number": lambda path: path.write_text("x = " + "9" * 100_000),
    "a zip": lambda path: path.write_bytes(b"PK\x03\x04" + bytes(200)), "a pickle": lambda path: path.write_bytes(b"\x80\x04cos\nsystem\n."),
}  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_odd_files_in_every_place(make, kept, tmp_path):
    began, memory = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    make(tmp_path / "ödd file.toml")
    with pytest.raises(SetError):
        composition.load_set(str(tmp_path / "ödd file.toml"))
    with pytest.raises(LlsimError):
        read_sweep(tmp_path / "ödd file.toml")
    shutil.copy(tmp_path / "ödd file.toml", tmp_path / "bot.py") if (tmp_path / "ödd file.toml").is_file() else make(tmp_path / "bot.py")
    if make is not Path.touch:
        assert run_words(["bots", "--check", "bot.py"]).exit_code == 2
    for which, names in (("whole", ("manifest.json", "counts.npy")), ("half", ("run.json", next((kept / "half").glob("batches-*")).name))):
        for name in names:
            folder = fresh(kept, which)
            (folder / name).unlink()
            make(folder / name)
            with pytest.raises(ResultError):
                load(folder)
            refused_or(lambda folder=folder: reopen(folder).close())
    (tmp_path / "results.json").unlink(missing_ok=True)
    make(tmp_path / "results.json")
    refused_or(load, tmp_path)
    assert time.monotonic() - began < 8 * SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 200_000


@pytest.mark.parametrize("name", ["with space", "ünï/cødé", "日本", "-dash", "quote'\"", "new\nline", "$HOME", "a" * 200, "\udce9half"])
def test_folders_of_any_name(name, monkeypatch, tmp_path):
    monkeypatch.setattr(job_module, "find_game", lambda name: STAND_IN)
    words = ["simulate", "--bots", "random", "--players", "2", "--deals", "640"]
    ran = run_words([*words, "--part", "1/2", f"--out={name}"])
    assert ran.exit_code == 0, ran.output
    assert run_words(["simulate", f"--resume={name}"]).exit_code == 0
    assert load(Path(name)).status == "complete"
    assert run_words([*words, f"--out={name}"]).exit_code == 2
