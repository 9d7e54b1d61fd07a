"""Keeping: what --out says: a folder for the answer, kept as far as it came or, with --checkpoint, once it is whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from lostlegacy_sim.cli.page import note
from lostlegacy_sim.destination import Destination, question_of
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.letters import quoted


class Keeping:
    """Where the answer of a command goes, if anywhere. A context: leaving it without `keep` leaves nothing behind."""

    def __init__(
        self, command: str, out: str | None, checkpoint: str | None, experiments: Sequence[Experiment], facts: Mapping[str, Any], quiet: bool
    ) -> None:  # fmt: skip
        """`facts`: what is asked besides the experiments. Raises ResultError if the folder is taken or cannot be written."""
        self.out, self.checkpoint, self.quiet = out, checkpoint, quiet
        asked = question_of(command, experiments, facts) if out is not None and checkpoint is not None else ""
        self.destination = Destination(Path(out), experiments, asked) if out is not None else None

    def __enter__(self) -> Keeping:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind."""
        if self.destination is not None:
            self.destination.abandon()

    def keep(self, write_into: Callable[[Path], None], is_whole: bool) -> None:
        """Have the answer written. Raises ResultError."""
        if self.destination is None or self.out is None:
            return
        self.destination.fill(write_into, is_whole)
        if self.checkpoint is not None and not self.quiet:
            if not is_whole:
                note(f"{self.out} is written when all is played; what is done is in {quoted(self.checkpoint)}, and the same command goes on.")
            elif self.destination.is_there:
                note(f"{self.out} holds this answer already.")
