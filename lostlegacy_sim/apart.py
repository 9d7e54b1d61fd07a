"""A child process that plays in place of this one, so that what a user's bot does to its process ends no run.

Game-free. Parent and child share a file in memory: what the child is doing is seen there even when it has died. The child asks
for nothing: it is told what to do line by line, and ends when the parent closes its ear, or is gone.
"""

from __future__ import annotations

import atexit
import json
import mmap
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.jit import SAID
from lostlegacy_sim.policy import end

SECONDS = "LLSIM_BOT_SECONDS"  # the variable that says how long a bot may think about one question
MOST_SECONDS = 60
SHARED = 8 << 20  # bytes of the file: a table's records and one batch's counts; what is not used takes no memory
POLL_SECONDS = 0.05
GRACE_SECONDS = 0.5  # after the run was stopped, for what would be finished in a moment
CAN_SHARE = os.name == "posix"  # elsewhere no file is handed to a child, and all is played in this process


class Ended(Exception):
    """The child ended by itself; says how."""


class Silent(Exception):
    """The child has come no further for so many seconds."""


class Halted(Exception):
    """The run was stopped while the child played."""


class Child:
    """One child process; `module` is run in it, which calls `serve`."""

    def __init__(self, module: str) -> None:
        self.module, self.path = module, tuple(sys.path)
        with tempfile.TemporaryFile(prefix="llsim-apart-") as file:
            file.truncate(SHARED)
            self.shared = mmap.mmap(file.fileno(), SHARED)
            self.hears, says = os.pipe()
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", module, str(file.fileno()), str(says)],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(file.fileno(), says),
                env=os.environ | {SAID: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}, start_new_session=True,
            )  # fmt: skip
            os.close(says)

    def ask(self, request: Mapping[str, Any], pulse: Callable[[], bytes] | None = None, stop: Event | None = None) -> dict[str, Any]:
        """What the child answers. Raises Ended, Halted, or, if `pulse` stays the same for too long, Silent; then the child is no more."""
        try:
            return self.listen(request, pulse, stop)
        except BaseException:  # Ctrl-C, too: whatever it does now is of no use
            self.end()
            raise

    def listen(self, request: Mapping[str, Any], pulse: Callable[[], bytes] | None, stop: Event | None) -> dict[str, Any]:
        """As `ask`, and leaves the child alone."""
        assert self.process.stdin is not None
        with suppress(OSError):  # it has ended: found out below
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        heard, last, seconds = b"", None, seconds_of_a_question()
        moved, halted = time.monotonic(), 0.0
        while not heard.endswith(b"\n"):
            if select.select([self.hears], [], [], POLL_SECONDS)[0]:
                piece = os.read(self.hears, 1 << 16)
                if not piece:
                    raise Ended(how_it_ended(self.process.wait()))
                heard += piece
                continue
            now = time.monotonic()
            if stop is not None and stop.is_set():
                halted = halted or now
                if now - halted >= GRACE_SECONDS:
                    raise Halted
            if pulse is not None and (beat := pulse()) != last:
                last, moved = beat, now
            if pulse is not None and now - moved >= seconds:
                raise Silent(f"{seconds:g}")
        answer: dict[str, Any] = json.loads(heard)
        return answer

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self.process.poll() is None

    def end(self) -> None:
        """No more of it."""
        end(self.process)
        if self.process.stdin is not None and not self.process.stdin.closed:
            with suppress(OSError):
                self.process.stdin.close()
            os.close(self.hears)


def seconds_of_a_question() -> float:
    """How long a bot may think about one question. Raises UsageError."""
    said = os.environ.get(SECONDS) or str(MOST_SECONDS)
    try:
        seconds = float(said)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 1e9:
        raise UsageError(f"{SECONDS}={said:.40}: it is the number of seconds a bot may think about one question, such as {MOST_SECONDS}.")
    return seconds


def how_it_ended(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code}, {signal.strsignal(-code) or signal.Signals(-code).name}".lower()
    except ValueError:
        return f"signal {-code}"


# --- children that wait for work: the next table of the same game need not start one ------------------------------

_idle: list[Child] = []
_lock = Lock()


def take(module: str) -> Child:
    """A child that runs this module."""
    with _lock:
        for child in [child for child in _idle if (child.module, child.path) == (module, tuple(sys.path))]:  # what it can import is what we can
            _idle.remove(child)
            if child.is_alive:
                return child
            child.end()
    return Child(module)


def give_back(child: Child) -> None:
    """The child has nothing to do now."""
    if not child.is_alive:
        child.end()
        return
    with _lock:
        _idle.append(child)


@atexit.register
def end_all() -> None:
    """At the end of this process."""
    while _idle:
        _idle.pop().end()


# --- in the child -------------------------------------------------------------------------------------------------


def serve(shared: int, says: int, do: Callable[[mmap.mmap, dict[str, Any]], dict[str, Any]]) -> None:
    """Answer the parent's requests until it is gone, even if a bot never comes to an end."""
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            requests.put(json.loads(line))
        os._exit(0)

    memory = mmap.mmap(shared, SHARED)
    Thread(target=listen, daemon=True).start()
    while True:
        answer = json.dumps(do(memory, requests.get())).encode() + b"\n"
        while answer:
            answer = answer[os.write(says, answer) :]
