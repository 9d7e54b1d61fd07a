"""Journal: the finished batches of one experiment, written into its folder while it is played."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Protocol

from lostlegacy_sim.disk import reason, sweep
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.pieces import PATTERN, Span, known_batches, read_piece, write_piece
from lostlegacy_sim.tally import Labels

WRITE_SECONDS = 5.0


class Keeper(Protocol):
    """What a run hands its finished batches to; `known` ones are not played, and after a `failure` nothing is."""

    failure: LlsimError | None

    def known(self, experiment: Experiment) -> dict[int, Span]:
        """The batches that are counted already."""

    def add(self, span: Span) -> None:
        """Take in a finished batch."""

    def write(self) -> None:
        """Nothing more comes for a while."""


class Memory:
    """A keeper that knows nothing beforehand and writes nothing down."""

    def __init__(self) -> None:
        self.failure: LlsimError | None = None
        self.spans: list[Span] = []

    def known(self, experiment: Experiment) -> dict[int, Span]:
        """No batches."""
        return {}

    def add(self, span: Span) -> None:
        """Remember a batch."""
        self.spans.append(span)

    def write(self) -> None:
        """Nothing."""


class Journal:
    """What a run has counted so far, on the disk or about to be: at most WRITE_SECONDS of work are only in memory."""

    def __init__(self, folder: Path, experiment: Experiment, labels: Labels, n_exemplars: int, how_on: str = "") -> None:
        """Read what the folder holds. `damaged` lists files that cannot be used; their batches are not known.

        `how_on`: what to say when it can no longer be written.
        """
        self.folder = folder
        self.how_on = how_on or f"`llsim simulate --resume {folder}` goes on from there."
        self.spans: list[Span] = []
        self.damaged: list[Path] = []
        self.waiting: list[Span] = []  # not yet on the disk
        self.written_at = time.monotonic()
        self.failure: LlsimError | None = None  # why nothing more can be written
        for path in sorted(folder.glob(PATTERN)):
            try:
                self.spans += read_piece(path, experiment, labels, n_exemplars)
            except ResultError:
                self.damaged.append(path)

    def known(self, experiment: Experiment) -> dict[int, Span]:
        """The batches of an experiment that are wholly counted, by number; it may be a beginning of that of the folder."""
        return known_batches(self.spans, experiment)

    def add(self, span: Span) -> None:
        """Take in a finished batch; write, if the last time was long enough ago."""
        self.waiting.append(span)
        if time.monotonic() - self.written_at >= WRITE_SECONDS:
            self.write()

    def write(self) -> None:
        """Write what is waiting. A failure is kept, not raised: the run has to be brought to its end first."""
        if not self.waiting or self.failure is not None:
            return
        try:
            write_piece(self.folder, self.waiting)
        except OSError as error:
            self.failure = ResultError(
                f"{self.folder} could not be written any more: {reason(error)}. What was written before is kept; {self.how_on}"
            )
            return
        self.spans += self.waiting
        self.waiting = []
        self.written_at = time.monotonic()

    def set_aside(self) -> None:
        """Rename the damaged files, so that they are in nobody's way. Raises OSError."""
        for path in self.damaged:
            path.rename(path.with_suffix(".damaged"))

    def forget(self) -> None:
        """Remove all pieces: what they hold is kept elsewhere. Raises OSError."""
        for path in self.folder.glob(PATTERN):
            path.unlink()
        sweep(self.folder)
