"""A policy from a user's file: find it, name it by its hash, try it in a child process, compile it.

Game-free. A game hands in a `Trial`: the module that tries a bot in the child, and the signature the
kernel calls bots with. A bot file is code that the user runs: it is tried, not fenced in.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from lostlegacy_sim import jit
from lostlegacy_sim.disk import read_file, sweep, write_whole
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.installed import check_stands_alone, is_installed, source_of
from lostlegacy_sim.letters import decoded, harmless
from lostlegacy_sim.plain import Kind, line, parse, shaped

PREFIX = "file:"  # begins the canonical form of a bot that is a file
MAX_BYTES = 1_000_000
MAX_MEMORY = 1 << 30  # bytes the child may take beside what the kernel needs
MAX_OUTPUT = 64 << 20  # bytes of any file it writes
WALL_SECONDS = 120  # a child that does nothing (waits, sleeps) is ended after so long

# The stages a child goes through and the processor seconds each may take; the kernel may have to be compiled first.
STAGES = {"kernel": 1800, "import": 10, "compile": 60, "deals": 20}
OVERTIME = {
    "kernel": "the check could not be started",
    "import": "importing it takes too long",
    "compile": "compiling it takes too long",
    "deals": "`decide` does not come to an end, or takes far too long; look for an endless loop",
}
PROBLEM = shaped({"problem": line()})  # the verdict on a bot that is not legal
ENTRY, WATCHED = "llsim_decide", "llsim_decide_watched"
GUARD = f'''

import numba as _numba
_decide = _numba.njit(boundscheck=True)(getattr(decide, "py_func", decide))


def {ENTRY}(cards, public, private, question):
    word = private.word
    try:
        return _decide(cards, public, private, question)
    except Exception:
        private.word = word  # it will be asked the same again, for what it raises
        return -1
'''
WATCHER = f'''

import WATCH as _watch
_guarded = _numba.njit({ENTRY})


def {WATCHED}(cards, public, private, question):
    kept, seat = _watch.room(), private.seat
    _watch.keep(kept, cards, public, private, question, seat)
    chosen = _guarded(cards, public, private, question)
    return _watch.answer_or_written(chosen, _watch.written(kept, cards, public, private, question, seat))
'''


@dataclass(frozen=True)
class Trial:
    """How a game tries a bot: `module` is run in a child process, `signature` is what its kernel calls."""

    module: str
    signature: Any
    proved: Kind[dict[str, Any]]  # what it finds out about a bot that is legal
    watch: str  # the module that knows what a bot may write: room, keep, written, answer_or_written


class Seated(NamedTuple):
    """A bot as callbacks of one signature."""

    plain: Any
    watched: Any  # the same, but it answers with the place of what it has written and may not


@dataclass(frozen=True)
class BotFile:
    """A user's bot: where it is, what it says, its parameter."""

    path: str  # as given
    text: str
    source: str  # SHA-256 of the file
    parameter: int = 0
    installed: str = ""  # its name, if a package has brought it along

    @property
    def name(self) -> str:
        """The canonical form: "file:my_bot.py:7", or "tutor:7" for a bot of a package."""
        return (self.installed or f"{PREFIX}{self.path}") + (f":{self.parameter}" if self.parameter else "")


def is_file(words: str) -> bool:
    """Whether these words mean a bot that is a file: a path ending in .py, or the name of a package's bot; a parameter perhaps."""
    return words.startswith(PREFIX) or re.search(r"\.py(:.*)?$", words) is not None or is_installed(words)


# --- reading ----------------------------------------------------------------------------------------------


def read_path(words: str) -> tuple[str, int]:
    """ "my_bot.py:7", its canonical form or "tutor:7" -> path and parameter. Raises BotError."""
    if is_installed(words):
        name, colon, number = words.partition(":")
        words = source_of(name) + colon + number
    match = re.fullmatch(r"(.*?\.py)(?::(.*))?", words.removeprefix(PREFIX), re.DOTALL)
    if match is None:
        raise BotError(f"{words} is not a bot file: the path must end in .py.")
    path, parameter = os.path.normpath(match[1]), match[2]
    if parameter is not None and not re.fullmatch(r"-?[0-9]{1,18}", parameter):
        raise BotError(f"{words}: a bot file takes one whole number as its parameter, such as {path}:7.")
    return path, int(parameter or 0)


def read_bot(words: str, elsewhere: str | None = None) -> BotFile:
    """The bot file of these words: "my_bot.py", "my_bot.py:7", or the canonical form; it may lie elsewhere now. Raises BotError."""
    path, parameter = read_path(words)
    path = elsewhere or path
    data = read_bytes(path)
    try:
        text = decoded(data)
    except ValueError as error:
        raise BotError(f"{path} {error}; a bot is a Python file.") from None
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise BotError(f"{path}, line {error.lineno or 1}: Python cannot read it: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError):  # a NUL byte, or brackets without end
        raise BotError(f"{path} is not a Python file.") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute | ast.alias) and "objmode" in ast.dump(node):
            raise BotError(f"{path}, line {node.lineno}: a bot cannot use objmode; `decide` runs without Python objects.")
    if not is_installed(words):
        return BotFile(path, text, hashlib.sha256(data).hexdigest(), parameter)
    name = words.partition(":")[0]
    check_stands_alone(name, tree)
    return BotFile(path, text, hashlib.sha256(data).hexdigest(), parameter, name)


def read_bytes(path: str) -> bytes:
    """What the file holds. Raises BotError."""
    where = Path(path)
    if where.is_dir():
        raise BotError(f"{path} is a folder, not a bot file. Name the .py file inside it.")
    if where.exists() and not where.is_file():
        raise BotError(f"{path} is not a regular file. Save the bot to disk first.")
    try:
        with where.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BotError(f"There is no bot file {path}. `llsim bots` lists the bots there are.") from None
    except (OSError, ValueError) as error:
        raise BotError(f"{path!r} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(data) > MAX_BYTES:
        raise BotError(f"{path} is larger than {MAX_BYTES:,} bytes; a bot is a page or two of Python.")
    return data


# --- trying -----------------------------------------------------------------------------------------------


def try_bot(bot: BotFile, trial: Trial) -> Mapping[str, Any]:
    """What a bot file has proved in a child process; a verdict once found is kept. Raises BotError."""
    folder = bot_folder(bot)
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="llsim-bot-") as name:
            return run_trial(bot, trial, Path(name))
    kept = folder / f"verdict{bot.parameter}.json"
    verdict = read_verdict(kept, trial.proved)
    if verdict is None:
        with tempfile.TemporaryDirectory(prefix="llsim-bot-") as name:
            verdict = run_trial(bot, trial, Path(name))
        write(kept, json.dumps(verdict))
    return verdict


def write(path: Path, text: str) -> None:
    """Write a file in one go: another process sees all of it or nothing. A full disk is no error here."""
    with suppress(OSError):
        write_whole(path, text.encode())


def holds(path: Path, text: str) -> bool:
    """Whether a file says this and nothing else: what runs is what was asked for, whoever may have written it."""
    try:
        return read_file(path, 2 * MAX_BYTES) == text.encode()
    except OSError:
        return False


def read_verdict(path: Path, kind: Kind[dict[str, Any]]) -> Mapping[str, Any] | None:
    """A verdict that was written down; None if there is none of this kind: whoever may have written it, it is no reason to stop."""
    try:
        return kind.read(parse(read_file(path, MAX_BYTES)))
    except (OSError, ValueError, TypeError):
        return None


def bot_folder(bot: BotFile) -> Path | None:
    """The folder for what is found out about a bot, named by its hash and that of these sources; None: nowhere."""
    if jit.CACHE is None:
        return None
    folder = jit.CACHE / "bots" / bot.source
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    sweep(folder)
    return folder


def run_trial(bot: BotFile, trial: Trial, folder: Path) -> Mapping[str, Any]:
    """Try a bot in a child process that works in `folder`. Raises BotError with what is wrong."""
    copy = folder / "bot.py"
    copy.write_text(bot.text, encoding="utf-8", newline="")
    search = os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    with (folder / "said").open("w+b") as said:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", trial.module, str(copy), str(bot.parameter), str(folder), json.dumps(STAGES)],
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, env=os.environ | {"PYTHONPATH": search},
            start_new_session=True,
        )  # fmt: skip
        try:
            stage, in_time = wait(child, folder)
        finally:
            end(child)
        said.seek(0)
        last_words = said.read(100_000).decode("utf-8", errors="replace").strip()
    if not in_time or child.returncode == -getattr(signal, "SIGXCPU", 0):
        raise BotError(f"{bot.path}: {OVERTIME[stage]}.")
    if (refused := read_verdict(folder / "verdict", PROBLEM)) is not None:
        raise BotError(f"{bot.path}{refused['problem']}")
    verdict = read_verdict(folder / "verdict", trial.proved)
    if verdict is None:
        raise BotError(f"{bot.path}: {collapse(stage, child.returncode, last_words)}")
    if last_words:
        raise BotError(f"{bot.path}: it prints ({last_words.splitlines()[0][:60]!r}); a bot is asked millions of times: remove the print.")
    return verdict


def wait(child: subprocess.Popen[bytes], folder: Path) -> tuple[str, bool]:
    """Wait for the child's end; the stage it reached, and whether it ended in time."""
    stage, deadline = "kernel", time.monotonic() + STAGES["kernel"]
    while True:
        try:
            child.wait(0.02)
            is_over = True
        except subprocess.TimeoutExpired:
            is_over = False
        try:
            reached = (folder / "stage").read_text(encoding="utf-8") or stage
        except OSError:
            reached = stage
        if reached != stage and reached in STAGES:
            stage, deadline = reached, time.monotonic() + STAGES[reached] + WALL_SECONDS
        if is_over or time.monotonic() > deadline:
            return stage, is_over


def end(child: subprocess.Popen[bytes]) -> None:
    """End the child, and whatever it has started, if it is still there."""
    if child.poll() is None:
        try:
            os.killpg(child.pid, signal.SIGKILL)  # it leads a session of its own
        except (OSError, AttributeError):
            child.kill()
        child.wait()


def collapse(stage: str, code: int, last_words: str) -> str:
    """Why a child ended without a verdict."""
    last = last_words.splitlines()[-1][:200] if last_words else ""
    if stage == "kernel":
        return f"the check could not be started: {last or f'exit code {code}'}."
    if "MemoryError" in last_words or code == -getattr(signal, "SIGKILL", 0):
        return "it needs too much memory."
    doing = {"import": "it is imported", "compile": "it is compiled", "deals": "it plays"}[stage]
    return f"the process ends while {doing} (exit code {code}); a bot must return, not exit{f': {last}' if last else ''}."


# --- in the child -----------------------------------------------------------------------------------------


def begin_stage(name: str, folder: Path, seconds: int) -> None:
    """In the child: say what is being done, and limit what it may take of processor, memory and disk."""
    try:
        import resource
    except ImportError:  # no such limits on this system; the parent's clock remains
        pass
    else:
        used = resource.getrusage(resource.RUSAGE_SELF)
        limits = {
            resource.RLIMIT_CPU: int(used.ru_utime + used.ru_stime) + 1 + seconds,
            resource.RLIMIT_AS: address_space() + MAX_MEMORY,
            resource.RLIMIT_FSIZE: MAX_OUTPUT,
        }
        for limit, value in limits.items():
            with suppress(ValueError, OSError):  # this system allows less, or has no such limit
                resource.setrlimit(limit, (value, resource.getrlimit(limit)[1]))
    write(folder / "stage", name)


def address_space() -> int:
    """Bytes of address space of this process; a generous guess where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 4 << 30


def give_verdict(verdict: Mapping[str, Any], folder: Path) -> None:
    """In the child: leave the verdict for the parent."""
    plain = {name: harmless(said) if isinstance(said, str) else said for name, said in verdict.items()}
    write(folder / "verdict", json.dumps(plain))


def line_in(error: BaseException, path: str) -> int:
    """The last line of this file that an error's traceback passes; 0 if it does not."""
    found, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def compiler_complaint(error: BaseException, path: Path) -> str:
    """What the compiler says about this file, as ", line 3: it does not compile: why."."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = re.findall(rf'File "(?:[^"]*[/\\])?{re.escape(path.name)}", line (\d+)', text) or re.findall(rf"{re.escape(path.name)} \((\d+)\)", text)
    said = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in said if not line.startswith(("Failed in nopython mode", "During:", "File "))]
    why = said[0] if said else type(error).__name__
    word = re.search(r"'(\w+)'", why)
    if isinstance(error, KeyError) and word:
        why = f"the records have no field '{word[1]}'"
    if word and not lines:  # a name the compiler gives no line for
        source = path.read_text(encoding="utf-8").splitlines()
        lines = [str(number) for number, line in enumerate(source, 1) if re.search(rf"\b{word[1]}\b", line)]
    if "readonly" in text or "STORE_GLOBAL" in text:
        why = "what is global, or of an enclosing function, is a constant; what a bot notes in a deal belongs in private.memory"
    if "NumPyRandomGenerator" in text:
        why = "a random generator is not to be had; take all chance from private.word, as below(private, n) does"
    why = re.sub(r", operation: .*", "", re.sub(r"Type of variable '\$[^']*'", "the type of a value", why))
    why = re.sub(r"Record\([^)]*\)+", "record", why)[:160].rstrip(".: ")
    return f"{f', line {lines[0]}' if lines else ''}: it does not compile: {why}."


# --- compiling --------------------------------------------------------------------------------------------


def load_module(path: Path) -> ModuleType:
    """Run a Python file as a module of its own; the compiler's cache looks for it among the loaded ones."""
    name = f"llsim_{path.stem}"
    loader = SourceFileLoader(name, str(path))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = sys.modules[name] = module_from_spec(spec)
    loader.exec_module(module)
    return module


def load_bot(path: Path) -> ModuleType:
    """A copy of a bot's file as a module; what it compiles looks where its indices go, what it imports does not."""
    module = load_module(path)
    for function in vars(module).values():
        code = getattr(getattr(function, "py_func", None), "__code__", None)
        if code is not None and code.co_filename == str(path):
            jit.check_bounds_of(function)
    return module


def what_it_raises(bot: BotFile, signature: Any, records: tuple[Any, ...]) -> str:
    """What `decide` raises when it is asked this, and in which line; "" if it raises nothing."""
    with tempfile.TemporaryDirectory(prefix="llsim-bot-") as name:
        copy = Path(name) / Path(bot.path).name
        copy.write_text(bot.text + GUARD, encoding="utf-8", newline="")
        try:
            jit.compile_for_trial(load_bot(copy)._decide, signature)[0](*records)
        except Exception as error:
            said = f"{type(error).__name__}: {error}".splitlines()[0][:160].rstrip(".: ")
            number = line_in(error, str(copy))
            return harmless(said) + (f" in line {number}" if number else "")
    return ""


@cache
def compile_bot(bot: BotFile, trial: Trial) -> Seated:
    """A tried bot as callbacks for the kernel; a second process finds the machine code in the cache.

    The code is compiled from a copy of the file in a folder named by its hash, so that it can never be stale. A `decide`
    that raises returns -1, which the kernel refuses.
    """
    folder, file, text = bot_folder(bot), f"bot_{bot.source[:16]}.py", bot.text + GUARD + WATCHER.replace("WATCH", trial.watch, 1)
    if folder is not None and not holds(folder / file, text):
        write(folder / file, text)
    with tempfile.TemporaryDirectory(prefix="llsim-bot-") as name:
        is_kept = folder is not None and holds(folder / file, text)
        copy = folder / file if folder is not None and is_kept else Path(name) / file
        if not is_kept:
            copy.write_text(text, encoding="utf-8", newline="")
        module = load_bot(copy)
        decide = getattr(module, ENTRY), getattr(module, WATCHED)
        if is_kept:
            with suppress(Exception):  # machine code that cannot be read is made again
                return Seated(*(jit.compile_callback(one, trial.signature, cache=True) for one in decide))
        return Seated(*(jit.compile_callback(one, trial.signature) for one in decide))
