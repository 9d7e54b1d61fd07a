"""Fault drills: does to real runs of llsim what befalls runs, and looks whether the counts are those of a quiet one.

`python scripts/drills.py` plays all of them, `python scripts/drills.py NAME...` some. docs/reliability.md says what each shows.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ("simulate", "--bots", "random", "--players", "2", "--seed", "7")
DEALS = ("--deals", "400k")
LONG = ("--deals", "6m")
MEMORY = 400  # megabytes of one thread
PATIENCE = 3600  # seconds a run may take; a machine may be busy


class Drill:
    """One drill: a folder to work in, and the environment its runs see."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"PYTHONPATH": str(ROOT), **os.environ}

    def start(self, *words: str, **changes: object) -> subprocess.Popen[str]:
        """Start llsim."""
        environment = self.environment | dict(changes.pop("env", {}))  # type: ignore[call-overload]
        kept = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder} | changes
        return subprocess.Popen([sys.executable, "-m", "lostlegacy_sim", *words], text=True, env=environment, **kept)

    def run(self, *words: str, code: int = 0, **changes: object) -> str:
        """Run llsim to its end, which has this exit code and no traceback; what it printed."""
        process = self.start(*words, **changes)
        out, err = process.communicate(timeout=PATIENCE)
        expect(process.returncode == code, f"llsim {' '.join(words)} left with {process.returncode}, not {code}: {err}")
        expect("Traceback" not in (err or ""), err)
        return out or err

    def answer(self, *words: str, env: Mapping[str, str] | None = None) -> object:
        """The results of a run as they stand in its JSON."""
        return json.loads(self.run(*words, "--json", env=env or {}))["results"]

    def resumed_like(self, quiet: object, folder: str) -> None:
        """Going on ends in the counts of a quiet run."""
        expect(self.answer("simulate", "--resume", folder) == quiet, f"{folder} holds other counts")


def expect(is_so: bool, sentence: str = "") -> None:
    """End the drill if something is not as it should be."""
    if not is_so:
        raise AssertionError(sentence)


# --- the drills -------------------------------------------------------------------------------------------


def threads(drill: Drill) -> None:
    """1 to 64 threads count the same."""
    quiet = drill.answer(*TABLE, *DEALS, "--threads", "1")
    for number in (2, 3, 7, 16, 64):
        expect(drill.answer(*TABLE, *DEALS, "--threads", str(number)) == quiet, f"{number} threads count otherwise")


def kills(drill: Drill) -> None:
    """kill -9, twenty times at any moment; then going on."""
    quiet = drill.answer(*TABLE, *LONG)
    drill.run(*TABLE, *LONG, "--part", "1/300", "--out", "run")
    for number in range(20):
        process = drill.start("simulate", "--resume", "run")
        time.sleep(0.5 + 0.13 * number)
        process.kill()
        process.communicate()
    drill.resumed_like(quiet, "run")


def full_disk(drill: Drill) -> None:
    """A disk on which no file can grow any more: a sentence, the answer all the same, nothing lost."""
    quiet = drill.answer(*TABLE, *LONG)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    process = drill.start(*TABLE, *LONG, "--out", "run", preexec_fn=limit)
    out, err = process.communicate()
    expect(process.returncode == 2 and "could not be written" in err and "--resume run" in err and "who wins" in out, err)
    drill.resumed_like(quiet, "run")


def signals(drill: Drill) -> None:
    """Ctrl-C and a polite kill: what is done is shown and kept; going on."""
    quiet = drill.answer(*TABLE, *LONG)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = drill.start(*TABLE, *LONG, "--out", number.name)
        while not (drill.folder / number.name / "run.json").exists():
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(number)
        out, err = process.communicate()
        expect(process.returncode in (0, 130) and "Traceback" not in err and "who wins" in out, err)
        drill.resumed_like(quiet, number.name)


def reader_leaves(drill: Drill) -> None:
    """`| head -n 1`: no complaint, and the result is kept."""
    command = f'"{sys.executable}" -m lostlegacy_sim {" ".join((*TABLE, *DEALS))} -v --out run | head -n 1'
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=drill.folder, env=drill.environment)
    expect(ran.stderr == "" and len(ran.stdout.splitlines()) == 1, ran.stderr)
    drill.run("verify", "run")


def cache_deleted(drill: Drill) -> None:
    """The compiled code is deleted between two runs, and while one runs."""
    with own_cache(drill) as cache:
        quiet = drill.answer(*TABLE, *DEALS)
        shutil.rmtree(cache)
        process = drill.start(*TABLE, *DEALS, "--json")
        time.sleep(5)
        shutil.rmtree(cache, ignore_errors=True)
        out, err = process.communicate()
        expect(process.returncode == 0 and json.loads(out)["results"] == quiet, err)


def cache_damaged(drill: Drill) -> None:
    """Every file of the cache is damaged, a third of them in each way, the last result among them."""
    ways: tuple[Callable[[bytes], bytes], ...] = (
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data[: len(data) // 3] + bytes(byte ^ 0x55 for byte in data[len(data) // 3 :]),
    )
    with own_cache(drill) as cache:
        quiet = drill.answer(*TABLE, *DEALS)
        for number, path in enumerate(sorted(path for path in cache.rglob("*") if path.is_file())):
            path.write_bytes(ways[number % len(ways)](path.read_bytes()))
        err = drill.start("replay", "last").communicate()[1]
        expect("Traceback" not in err, err)
        expect(drill.answer(*TABLE, *DEALS) == quiet, "other counts from a damaged cache")


def cache_read_only(drill: Drill) -> None:
    """The cache cannot be written: everything is compiled in memory. (Permissions do not stop root; a file in its place does.)"""
    (drill.folder / "file").write_text("")
    expect(drill.answer(*TABLE, *DEALS, env={"LLSIM_CACHE_DIR": str(drill.folder / "file")}) == drill.answer(*TABLE, *DEALS))


def cold_processes(drill: Drill) -> None:
    """Twelve processes at once find an empty cache: one compiles, the others wait for it."""
    with own_cache(drill):
        processes = [drill.start(*TABLE, *DEALS, "--threads", "1", "--json") for _ in range(12)]
        outs = [process.communicate() for process in processes]
        expect(all(process.returncode == 0 for process in processes), str([err for _, err in outs]))
        expect(len({json.dumps(json.loads(out)["results"]) for out, _ in outs}) == 1)


def first_memory(drill: Drill) -> None:
    """With an empty cache a first `simulate` compiles everything it needs in less than MEMORY, and so does the bot that is the most to compile."""
    for bot in ("careful", "belief:8"):
        with own_cache(drill), open(os.devnull, "w") as nothing:
            process = drill.start("simulate", "--bots", bot, "--deals", "20", "--threads", "1", stdout=nothing, stderr=nothing)
            _, status, usage = os.wait4(process.pid, 0)  # the greatest of its children, too
            process.returncode = os.waitstatus_to_exitcode(status)
            peak = usage.ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
            print(f"{'':16} {bot}: {peak} MB", flush=True)
            expect(process.returncode == 0 and peak < MEMORY, f"{bot}: it left with {process.returncode} and took {peak} MB")


def no_home(drill: Drill) -> None:
    """No home folder, no cache folder: it plays, and remembers nothing."""
    env = {"HOME": "/proc/none", "XDG_CACHE_HOME": "", "LLSIM_CACHE_DIR": ""}
    expect(drill.answer(*TABLE, *DEALS, env=env) == drill.answer(*TABLE, *DEALS))


def no_terminal(drill: Drill) -> None:
    """No terminal at all: in a session of its own, nothing to read, nowhere to write."""
    with open(os.devnull) as nothing:
        drill.run(*TABLE, *DEALS, start_new_session=True, stdin=nothing)
    for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
        command = f'"{sys.executable}" -m lostlegacy_sim {" ".join((*TABLE, *DEALS))} --out run {closed}'
        ran = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=drill.folder, env=drill.environment)
        expect("Traceback" not in ran.stderr, ran.stderr)
        drill.run("verify", "run")
        shutil.rmtree(drill.folder / "run")


def locale_c(drill: Drill) -> None:
    """Locale C, an ASCII terminal: tables in plain characters, files in UTF-8."""
    env = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    out = drill.run(*TABLE, *DEALS, "--out", "rün", env=env)
    expect(out.isascii() and "who wins" in out, out)
    drill.run("verify", "rün", env=env)
    drill.run("report", "rün", "-o", "page.html", env=env)
    expect("Lost Legacy" in (drill.folder / "page.html").read_text(encoding="utf-8"))


def wrong_clock(drill: Drill) -> None:
    """A clock that stands in 1970, files from the year 2100: nothing depends on the time of day."""
    (drill.folder / "sitecustomize.py").write_text("import time\ntime.time = lambda: 0.0\ntime.time_ns = lambda: 0\n")
    env = {"PYTHONPATH": f"{drill.folder}{os.pathsep}{drill.environment['PYTHONPATH']}"}
    quiet = drill.answer(*TABLE, *DEALS)
    drill.run(*TABLE, *DEALS, "--part", "1/2", "--out", "run", env=env)
    for path in (drill.folder / "run").iterdir():
        os.utime(path, (4_102_444_800, 4_102_444_800))
    expect(drill.answer("simulate", "--resume", "run", env=env) == quiet)
    drill.run("verify", "run", env=env)


@contextmanager
def own_cache(drill: Drill) -> Iterator[Path]:
    """An empty cache for the runs of a drill."""
    cache = drill.folder / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    drill.environment["LLSIM_CACHE_DIR"] = str(cache)
    yield cache


DRILLS: dict[str, Callable[[Drill], None]] = {
    drill.__name__.replace("_", "-"): drill
    for drill in (
        threads, kills, full_disk, signals, reader_leaves, cache_deleted, cache_damaged, cache_read_only, cold_processes,
        first_memory, no_home, no_terminal, locale_c, wrong_clock,
    )
}  # fmt: skip


def main(names: list[str]) -> int:
    """Play drills by name, all if none is named; the number of those that failed."""
    failed = 0
    for name in names or DRILLS:
        if name not in DRILLS:
            print(f"There is no drill {name}. Valid: {', '.join(DRILLS)}.", file=sys.stderr)
            return 2
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="drill-") as folder:
            try:
                DRILLS[name](Drill(Path(folder)))
                said = "ok"
            except AssertionError as error:
                failed, said = failed + 1, f"FAILED: {error}"
        print(f"{name:16} {time.monotonic() - began:6.1f} s  {said}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
