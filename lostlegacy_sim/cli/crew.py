"""Crew: who plays for a command, the threads of this process or, with --scheduler, the workers of a dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lostlegacy_sim.errors import ClusterError
from lostlegacy_sim.runner import HERE, Crew


@dataclass(frozen=True)
class Hired:
    """A crew for one command."""

    crew: Crew
    threads: int  # here, or of all workers that are there
    failure: Callable[[], ClusterError | None] = lambda: None  # how the cluster was lost, if it was

    def check(self) -> None:
        """Raise the ClusterError that ended the run early, if there is one."""
        if (failure := self.failure()) is not None:
            raise failure


@contextmanager
def hired(scheduler: str | None, threads: int) -> Iterator[Hired]:
    """Who plays, as --scheduler says. Raises UsageError or ClusterError."""
    if scheduler is None:
        yield Hired(HERE, threads)
        return
    from lostlegacy_sim.cluster import Cluster

    with Cluster(scheduler) as cluster:
        yield Hired(cluster, max(1, cluster.threads()), lambda: cluster.failure)
