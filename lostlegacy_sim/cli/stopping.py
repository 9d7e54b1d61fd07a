"""Stopping: Ctrl-C and a polite kill end a run and keep what is done; a second one ends it at once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread
from types import FrameType

STOPPED = 130  # exit code: stopped, what is done was kept


@contextmanager
def stop_on_signals(clean_up: Callable[[], None]) -> Iterator[Event]:
    """An event that is set by the first SIGINT or SIGTERM inside this context.

    A second one leaves the process after `clean_up`: threads in compiled code cannot be interrupted.
    """
    stop = Event()
    if current_thread() is not main_thread():  # only there can signals be handled
        yield stop
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            clean_up()
            os._exit(STOPPED)
        stop.set()
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), b"\nStopping; what is done is kept. Ctrl-C again stops at once.\n")

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
