"""Kept folders that nobody means well by: every command that reads one works, or says one sentence; no traceback, no hang, no hunger."""

import os
import random
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import run
from kept_folders import KINDS, make_all, mutate

import lostlegacy_sim as ll
from lostlegacy_sim.cli import llsim
from lostlegacy_sim.errors import LlsimError

MUTATIONS = int(os.environ.get("LLSIM_FUZZ", "600")) // 5
FIRST = random.SystemRandom().randrange(2**40) if "LLSIM_FUZZ" in os.environ else 0  # those of `make fuzz` are new each time
SECONDS = 20  # no command may take longer
MEMORY = 700_000_000  # bytes a command may take on top of what is there
REPORTS = [("report", "F", "--list"), ("report", "F", "--table", "measures"), ("report", "F", "-o", "page.html", "--force"), ("report", "F", "--list", "--json")]
RESULTS = [*REPORTS, ("replay", "F", "--find", "nobody"), ("replay", "F", "--deal", "3", "--json"), ("verify", "F", "--share", "10%", "--seed", "1"), ("simulate", "--resume", "F", "-q"),
           ("compare", "F", "F", "-q"), ("compare", "F", "flying-garden", "--deals", "100", "--bots", "random", "-q", "--csv")]  # fmt: skip
EXPLORED = [*REPORTS, ("explore", "F"), ("explore", "F", "--json"), ("explore", "F", "--csv"), ("report", "F", "--table", "sets")]
READERS = {
    "mixes": EXPLORED, "guidelines": EXPLORED, "sweep": EXPLORED,
    "checkpoint": [("compare", "starship", "flying-garden", "--bots", "random", "--players", "2", "--deals", "100", "--threads", "1", "-q", "--checkpoint", "F")],
}  # fmt: skip
CODES = {"verify": (0, 1, 2), "compare": (0, 2), "simulate": (0, 2)}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder of every kind."""
    home, here = tmp_path_factory.mktemp("kept"), Path.cwd()
    os.chdir(home)
    try:
        make_all(home)
    finally:
        os.chdir(here)
    return home


@contextmanager
def limited():
    """So much memory and time, and no more."""
    def out_of_time(*_):
        raise TimeoutError("it takes too long")

    limit = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if Path("/proc/self/statm").exists() else None
    before = signal.signal(signal.SIGALRM, out_of_time)
    if used is not None:
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, limit[1]))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limit)


def read_by_command(words):
    """Run a command; what is wrong with how it ended, or ""."""
    ran = CliRunner().invoke(llsim, list(words), prog_name="llsim", env={"COLUMNS": "100"})
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    if ran.exit_code not in CODES.get(words[0], (0, 2)):
        return f"exit code {ran.exit_code}: {ran.stderr[:300]}"
    if "Traceback" in ran.output:
        return ran.output[:3000]
    if ran.exit_code == 2 and not 1 <= len(ran.stderr.strip().splitlines()) <= 3:
        return f"no sentence: {ran.stderr[:300]!r}"
    if found := re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", ran.output.replace("\r\n", "\n")):
        return f"a control character {found[0]!r} is printed"
    return ""


def read_in_python(folder, clock):
    """Load it as a notebook does."""
    try:
        found = ll.load(folder)
        match clock.randrange(3):
            case 0:
                str(found)
            case 1:
                found.table(clock.choice(found.tables))
            case 2 if clock.random() < 0.2:
                found.shown.html()
    except LlsimError as error:
        return "" if str(error).strip() and "Traceback" not in str(error) else "no sentence"
    return ""


def try_one(kept, place, seed):
    """Mutate a folder, read it; what went wrong, with what repeats it."""
    clock = random.Random(seed)
    kind = clock.choice(KINDS)
    folder = place / "F"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept / kind, folder)
    what = mutate(folder, clock)
    if clock.random() < 0.15:
        what += " and " + mutate(folder, clock)
    words = clock.choice(READERS.get(kind, RESULTS))
    is_read = kind != "checkpoint" and clock.random() < 0.35
    began = time.monotonic()
    try:
        with limited():
            wrong = read_in_python(folder, clock) if is_read else read_by_command(words)
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}\n{''.join(traceback.format_tb(error.__traceback__)[-6:])}"
    took = time.monotonic() - began
    if wrong or took > SECONDS:
        return f"seed {seed}: {kind}, {what}, {'ll.load' if is_read else ' '.join(words)}, {took:.1f} s: {wrong}"
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_unchanged_a_folder_is_read(kept, tmp_path, monkeypatch, kind):
    """So that the mutations are not refused for another reason; what asks for one result says so where there are several."""
    monkeypatch.chdir(tmp_path)
    said = {}
    for words in READERS.get(kind, RESULTS):
        if "page.html" not in words:
            shutil.copytree(kept / kind, tmp_path / "F")
            said[words] = run(*words)
            shutil.rmtree(tmp_path / "F")
    assert [ran.code for ran in said.values()].count(0) >= min(4, len(said)), said
    if kind != "checkpoint":
        assert str(ll.load(kept / kind)).strip()


def test_mutations(kept, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LLSIM_CACHE_DIR", os.environ.get("LLSIM_CACHE_DIR", ""))
    found = [wrong for seed in range(FIRST, FIRST + MUTATIONS) if (wrong := try_one(kept, tmp_path, seed))]
    assert not found, f"{len(found)} of {MUTATIONS}:\n" + "\n".join(found[:20])


if __name__ == "__main__":  # python tests/test_hostile_folders.py FIRST COUNT
    import warnings

    warnings.simplefilter("error")
    import collections
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        make_all(Path(home))
        begin, counts, said = time.monotonic(), int(sys.argv[2]), collections.Counter()
        for seed in range(int(sys.argv[1]), int(sys.argv[1]) + counts):
            if wrong := try_one(Path(home), Path(home), seed):
                key = wrong.splitlines()[0].partition(" s: ")[2][:80]
                said[key] += 1
                if said[key] <= 2:
                    print(wrong, flush=True)
        print(counts, sum(said.values()), said.most_common(40), time.monotonic() - begin)
