"""Stopping: Ctrl-C and a polite kill end a run and keep what is done; a second one ends it at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread
from types import FrameType

STOPPED = 130  # exit code: stopped, what is done was kept


@contextmanager
def stop_on_signals() -> Iterator[Event]:
    """An event that is set by the first SIGINT or SIGTERM inside this context."""
    stop = Event()
    if current_thread() is not main_thread():  # only there can signals be handled
        yield stop
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(STOPPED)  # threads in compiled code cannot be interrupted
        stop.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
