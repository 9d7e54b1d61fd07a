"""Progress: how long a run takes, said before it; while it runs a bar with the time left, only where there is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lostlegacy_sim.cli.page import note
from lostlegacy_sim.report.screen import counted, duration

FIRST_NOTE = "preparing (the rules are compiled once for each version)"


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A function (deals played, deals planned) that moves the bar; it does nothing if there is none."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, planned: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task(FIRST_NOTE, total=None)

        def move(done: int, planned: int) -> None:
            if done:
                display.update(task, description=f"{done:,} of {planned:,} deals", completed=done, total=planned)

        yield move


def say_how_long(deals: int, seconds: float, threads: int, keeps: str = "Ctrl-C keeps what is done.") -> None:
    """Say on stderr, before a long run, what it takes and what is kept of it."""
    note(f"{deals:,} deals: about {duration(seconds)} on {counted(threads, 'thread')}. {keeps}")
