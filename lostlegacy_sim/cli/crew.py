"""Crew: who plays for a command: the threads of this process or, with --scheduler, a dask cluster; with --checkpoint all is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from lostlegacy_sim.checkpoint import Checkpoint, Checkpointed
from lostlegacy_sim.cli.page import note
from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.runner import HERE, Crew


@dataclass(frozen=True)
class Hired:
    """A crew for one command."""

    crew: Crew
    threads: int  # here, or of all workers that are there
    failure: Callable[[], LlsimError | None] = lambda: None  # how the cluster was lost, or the checkpoint
    kept: str = "nothing is kept"  # if nothing can be answered yet

    def check(self) -> None:
        """Raise the ClusterError or ResultError that ended the run early, if there is one."""
        if (failure := self.failure()) is not None:
            raise failure


@dataclass(frozen=True)
class Hiring:
    """What --threads, --scheduler and --checkpoint say."""

    threads: int
    scheduler: str | None = None
    checkpoint: str | None = None

    @contextmanager
    def begin(self, stop: Event, quiet: bool = False) -> Iterator[Hired]:
        """Those who play, for as long as they are needed; setting `stop` ends the wait for them too, with a KeyboardInterrupt.

        Raises UsageError, ResultError or ClusterError.
        """
        crew, threads, kept = HERE, self.threads, Hired.kept
        failures: list[Callable[[], LlsimError | None]] = []
        with ExitStack() as places:
            if self.scheduler is not None:
                from lostlegacy_sim.cluster import Cluster

                crew = cluster = places.enter_context(Cluster(self.scheduler, stop, (lambda sentence: None) if quiet else note))
                threads = max(1, cluster.threads())
                failures.append(lambda: cluster.failure)
            if self.checkpoint is not None:
                checkpoint = places.enter_context(Checkpoint(Path(self.checkpoint)))
                crew = Checkpointed(crew, checkpoint)
                failures.append(lambda: checkpoint.failure)
                kept = f"what is done is in {self.checkpoint}, and the same command goes on from there"
            yield Hired(crew, threads, lambda: next((found for failure in failures if (found := failure()) is not None), None), kept)
