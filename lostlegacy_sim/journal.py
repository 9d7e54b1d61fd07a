"""Journal: what is counted of one experiment, written into its folder while it is played."""

from __future__ import annotations

import time
from pathlib import Path
from threading import RLock, Timer
from typing import Protocol

from lostlegacy_sim.disk import reason, sweep
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.identity import identity_of
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.pieces import PATTERN, ForeignError, Span, begun_batches, read_piece, stamp_of, write_piece
from lostlegacy_sim.tally import Labels

WRITE_SECONDS = 4.0  # with the second after which a batch under way is handed in, and the time to write: five


class Keeper(Protocol):
    """What a run hands in what it counts; what is `begun` is not played again, and after a `failure` nothing is."""

    failure: LlsimError | None

    def begun(self, experiment: Experiment) -> dict[int, Span]:
        """What is counted already, by batch: from its first block on, as far as it goes."""

    def add(self, span: Span, is_whole: bool = True) -> None:
        """Take in a finished batch, or all that is counted of one under way."""

    def write(self) -> None:
        """Nothing more comes for a while."""


class Memory:
    """A keeper that knows nothing beforehand and writes nothing down."""

    def __init__(self) -> None:
        self.failure: LlsimError | None = None
        self.spans: list[Span] = []

    def begun(self, experiment: Experiment) -> dict[int, Span]:
        """No batches."""
        return {}

    def add(self, span: Span, is_whole: bool = True) -> None:
        """Remember a finished batch."""
        if is_whole:
            self.spans.append(span)

    def write(self) -> None:
        """Nothing."""


class Journal:
    """What a run has counted so far, on the disk or about to be: what is added is written WRITE_SECONDS later, whatever comes next."""

    def __init__(self, folder: Path, experiment: Experiment, labels: Labels, n_exemplars: int, how_on: str = "") -> None:
        """Read what the folder holds. `damaged` lists files that cannot be used; their batches are not known.

        `how_on`: what to say when it can no longer be written. Raises ForeignError for counts of other code or of another experiment.
        """
        self.folder = folder
        self.stamp = stamp_of(experiment, identity_of(experiment.game))
        self.how_on = how_on or f"`{command_line('llsim', 'simulate', '--resume', folder)}` goes on from there."
        self.spans: list[Span] = []  # on the disk
        self.damaged: list[Path] = []
        self.failure: LlsimError | None = None  # why nothing more can be written
        self.guard = RLock()
        self.finished: list[Span] = []  # whole batches that are not yet on the disk
        self.under_way: dict[int, Span] = {}  # what is counted of other batches, by first block
        self.way: Path | None = None  # the piece that holds what was under way when it was written
        self.waits_since: float | None = None  # something is not yet on the disk
        self.timer: Timer | None = None
        for path in sorted(folder.glob(PATTERN)):
            try:
                self.spans += read_piece(path, experiment, labels, n_exemplars, self.stamp)
            except ForeignError:
                raise
            except ResultError:
                self.damaged.append(path)

    def begun(self, experiment: Experiment) -> dict[int, Span]:
        """What is counted, by batch of an experiment; it may be a beginning of that of the folder."""
        with self.guard:
            return begun_batches([*self.spans, *self.finished, *self.under_way.values()], experiment)

    def add(self, span: Span, is_whole: bool = True) -> None:
        """Take in a finished batch, or all that is counted of one under way; it is on the disk WRITE_SECONDS later."""
        with self.guard:
            self.under_way.pop(span.first, None)
            if is_whole:
                self.finished.append(span)
            else:
                self.under_way[span.first] = span
            now = time.monotonic()
            self.waits_since = now if self.waits_since is None else self.waits_since
            if now - self.waits_since >= WRITE_SECONDS:
                self.write()
            elif self.timer is None:  # the next batch may be long in coming
                self.timer = Timer(WRITE_SECONDS, self.write)
                self.timer.daemon = True
                self.timer.start()

    def write(self) -> None:
        """Write what is waiting. A failure is kept, not raised: the run has to be brought to its end first."""
        with self.guard:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None
            if self.waits_since is None or self.failure is not None:
                return
            try:
                self.write_pieces()
            except OSError as error:
                self.failure = ResultError(
                    f"{self.folder} could not be written any more: {reason(error)}. What was written before is kept; {self.how_on}"
                )
            else:
                self.waits_since = None

    def write_pieces(self) -> None:
        """Finished batches are written once; what is under way takes the place of what was before. Raises OSError."""
        if self.finished:
            write_piece(self.folder, self.finished, self.stamp)
            self.spans += self.finished
            self.finished = []
        old, self.way = self.way, write_piece(self.folder, list(self.under_way.values()), self.stamp) if self.under_way else None
        if old is not None and old != self.way:
            old.unlink(missing_ok=True)

    def set_aside(self) -> None:
        """Rename the damaged files, so that they are in nobody's way. Raises OSError."""
        for path in self.damaged:
            path.rename(path.with_suffix(".damaged"))

    def forget(self) -> None:
        """Remove all pieces: what they hold is kept elsewhere. Raises OSError."""
        for path in self.folder.glob(PATTERN):
            path.unlink()
        sweep(self.folder)
