"""Progress: a bar with the time left on standard error, only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
