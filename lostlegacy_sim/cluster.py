"""Cluster: play an experiment on dask.distributed, with the same bits as in one thread. The only room that names dask."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from queue import Empty, SimpleQueue
from threading import Event
from types import TracebackType
from typing import Any

from lostlegacy_sim import __version__
from lostlegacy_sim.errors import BotError, ClusterError, LlsimError, UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Table
from lostlegacy_sim.games import GAMES, find_game
from lostlegacy_sim.identity import Identity, difference, identity_of
from lostlegacy_sim.journal import Keeper
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import Batch, Run
from lostlegacy_sim.tally import Counts

CONNECT_SECONDS = 20
POLL_SECONDS = 0.2
LOST_SECONDS = 15  # without its scheduler a run is given up after so long
SHARES = 128  # tasks of a whole run, at least: what a lost worker costs is one of these for each of its threads
SHARES_A_THREAD = 4  # and so many for each thread, so that threads wait for each other at the end only
AT_ONCE = 256  # of many experiments, those that are handed out at a time; workers may join late
ALLOWED_DEATHS = 10  # so many workers may die of one task before it is given up

Played = list[tuple[int, Counts, Counts, str]]  # batches: number, counts, exemplars, what a bot did wrong


class Cluster:
    """A connection to a scheduler, as a runner.Crew. A context; leaving it ends what is still being played."""

    at_once: int | None = AT_ONCE

    def __init__(self, address: str) -> None:
        """`address`: tcp://host:port of a running dask scheduler, or local:N for N processes on this machine.

        Raises UsageError for another word, ClusterError if nobody answers or a worker has another version.
        """
        match = re.fullmatch(r"(local):([0-9]{1,3})|((?:tcp|tls|ucx|ws)://[^\s/]+:[0-9]{1,5})", address.strip())
        if match is None or match[2] == "0" or (match[2] and int(match[2]) == 0):
            raise UsageError(f"--scheduler {address}: write tcp://host:port of a dask scheduler, or local:N for N processes on this machine.")
        try:
            import dask
            import distributed
        except ImportError:
            raise UsageError("--scheduler needs dask.distributed: pip install 'lostlegacy_sim[cluster]'.") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence
        dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS, "distributed.comm.timeouts.connect": CONNECT_SECONDS})
        self.address = address
        self.failure: ClusterError | None = None  # why a run was given up
        self.local: Any = None
        try:
            if match[2]:
                self.local = distributed.LocalCluster(
                    n_workers=int(match[2]), threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
                )
            self.client = distributed.Client(self.local or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, RuntimeError, TimeoutError, ValueError) as error:
            self.close_local()
            raise ClusterError(f"No dask scheduler answers at {address}: {' '.join(str(error).split())[:200] or 'no answer in time'}.") from None
        try:
            self.check_workers()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the workers; a scheduler that was found running goes on running."""
        self.client.close(timeout=2)
        self.close_local()

    def close_local(self) -> None:
        """End the processes that were started here."""
        if self.local is not None:
            self.local.close(timeout=5)

    def check_workers(self) -> None:
        """Raise ClusterError if a worker that is there has another version of the package."""
        answers: Mapping[str, Any] = self.client.run(greeting, on_error="return")
        for worker, answer in answers.items():
            if other := stranger(worker, answer):
                raise ClusterError(other)

    def play(
        self, experiment: Experiment, game: Game, threads: int | None = None, on_progress: Callable[[int, int], None] | None = None,
        stop: Event | None = None, begun: Result | None = None, journal: Keeper | None = None, only: Collection[int] | None = None,
    ) -> Result:  # fmt: skip
        """As runner.play, on the workers; how many threads there are is theirs to say.

        A scheduler that is lost ends the run early and leaves a `failure`; what is done is kept.
        """
        run = Run(experiment, game, stop or Event(), begun, journal, only)
        began, threads = time.perf_counter(), self.threads()
        if run.todo:
            Round(self, run).play(on_progress or (lambda played, planned: None), max(SHARES, SHARES_A_THREAD * threads))
            run.close()
        seconds = time.perf_counter() - began + (begun.provenance.get("seconds", 0.0) if begun else 0.0)
        return run.result({"threads": threads if self.failure else self.threads(), "seconds": round(seconds, 3), "scheduler": self.address})

    def play_alone(
        self, experiment: Experiment, game: Game, on_progress: Callable[[int, int], None], stop: Event, journal: Keeper | None = None
    ) -> Result:
        """As runner.play_alone: one thread of one worker plays it to its end. May be called by several threads at a time."""
        run = Run(experiment, game, stop, journal=journal)
        if run.todo:
            Round(self, run).play(on_progress, 1)
        run.close()
        return run.result({})

    def threads(self) -> int:
        """Threads of all workers that are there now."""
        try:
            return sum(worker["nthreads"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values())
        except (KeyError, OSError, RuntimeError, ValueError, TypeError):
            return 0


class Round:
    """One run on a cluster: shares of its batches are handed out, what comes back is merged."""

    def __init__(self, cluster: Cluster, run: Run) -> None:
        self.cluster, self.run = cluster, run
        self.answers: SimpleQueue[Any] = SimpleQueue()  # futures that have ended
        self.open: dict[Any, tuple[int, ...]] = {}  # future -> its batches

    def play(self, on_progress: Callable[[int, int], None], n_shares: int) -> None:
        """Hand out everything in so many shares, take in what comes until nothing is open."""
        experiment, plain = self.run.experiment, self.run.experiment.to_plain()
        for share in shares(self.run.todo, n_shares):
            key = f"llsim-{experiment.hash[:8]}-{share[0]}-{secrets.token_hex(4)}"  # a run never meets the leftovers of another
            future = self.cluster.client.submit(play_share, plain, share, identity_of(experiment.game).to_plain(), pure=False, key=key)
            self.open[future] = share
            future.add_done_callback(self.answers.put)
        try:
            while self.open and not self.run.stop.is_set():
                self.take_next(on_progress)
        finally:
            if self.open and self.is_connected():
                self.cluster.client.cancel(list(self.open), force=True)

    def take_next(self, on_progress: Callable[[int, int], None]) -> None:
        """Wait a moment for a share that has ended."""
        try:
            future = self.answers.get(timeout=POLL_SECONDS)
        except Empty:
            self.check_scheduler()
            return
        except KeyboardInterrupt:
            self.run.stop.set()
            return
        share = self.open.get(future)
        if share is None:
            return
        if future.status == "finished":
            del self.open[future]
            self.merge(future.result())
            on_progress(self.run.blocks_played * self.run.experiment.rotations, self.run.experiment.planned_deals)
        elif future.status == "error":
            del self.open[future]
            self.fail(future.exception())
        else:  # cancelled or lost: with its scheduler
            self.check_scheduler(is_lost=True)

    def merge(self, played: Played) -> None:
        """Take in the batches of a share; an error of a bot ends what lies behind it."""
        for number, counts, exemplars, error in played:
            self.run.take(Batch(number, counts, exemplars, BotError(error) if error else None))
            if error:
                self.run.end = min(self.run.end, number)
                behind = [future for future, share in self.open.items() if share[0] > number]
                self.cluster.client.cancel(behind, force=True)
                for future in behind:
                    del self.open[future]
            else:
                size = self.run.experiment.batch_blocks
                self.run.blocks_played += min(size, self.run.experiment.blocks - number * size)

    def fail(self, error: BaseException) -> None:
        """A share that cannot be played ends the run; what is no sentence is a bug."""
        self.run.stop.set()
        if type(error).__name__ == "KilledWorker":
            self.cluster.failure = ClusterError(f"{ALLOWED_DEATHS} workers died of the same batches; look into their logs. What is done is kept.")
        elif isinstance(error, LlsimError):
            self.cluster.failure = ClusterError(f"{str(error).rstrip('.')}. What is done is kept.")
        else:
            raise error

    def is_connected(self) -> bool:
        """Whether the scheduler hears us."""
        return bool(self.cluster.client.status == "running")

    def check_scheduler(self, is_lost: bool = False) -> None:
        """Give up if the scheduler does not come back."""
        end = time.monotonic() + LOST_SECONDS
        while not self.is_connected() and time.monotonic() < end and not self.run.stop.is_set():
            is_lost = True  # a scheduler that comes back has forgotten what it was to do
            time.sleep(POLL_SECONDS)
        if is_lost:
            self.run.stop.set()
            self.cluster.failure = ClusterError(f"The dask scheduler {self.cluster.address} is gone. What is done is kept.")


def shares(todo: Sequence[int], n_shares: int) -> list[tuple[int, ...]]:
    """Batches in the order of their numbers, in so many shares or one each; equal but for one batch."""
    n_shares = min(n_shares, len(todo))
    edges = [step * len(todo) // n_shares for step in range(n_shares + 1)]
    return [tuple(todo[first:end]) for first, end in pairwise(edges)]


# --- on the workers -------------------------------------------------------------------------------------

_here = threading.local()


def play_share(plain: Mapping[str, Any], numbers: Sequence[int], theirs: Mapping[str, Any]) -> Played:
    """Play some batches of an experiment, up to the first in which a bot breaks the rules. Raises ClusterError or BotError."""
    experiment = Experiment.from_plain(plain)
    if other := difference(identity_of(experiment.game).to_plain(), Identity.from_plain(theirs)):
        raise ClusterError(f"A worker has {other}: it would count other deals. Install the same there, then play again.")
    game = find_game(experiment.game)
    run, table = Run(experiment, game, Event()), table_here(experiment, game)
    played: Played = []
    for number in numbers:
        batch = run.play_batch(table, number)
        assert batch is not None
        played.append((number, batch.counts, batch.exemplars, str(batch.error) if batch.error else ""))
        if batch.error:
            break
    return played


def table_here(experiment: Experiment, game: Game) -> Table:
    """The table of this thread; the one it had is used again for the same experiment."""
    if getattr(_here, "key", None) != experiment.hash:
        for words, source in dict.fromkeys(experiment.entries):
            if source:  # named by the one who asked for this run
                game.find_bot(words)
        _here.table, _here.key = game.open_table(experiment), experiment.hash
    found: Table = _here.table
    return found


def greeting() -> dict[str, Any]:
    """Which code counts each game here."""
    return {game: identity_of(game).to_plain() for game in GAMES}


def stranger(worker: str, answer: Any) -> str:
    """The sentence about a worker that would count something else; "" for one that would not."""
    if not isinstance(answer, dict):
        return f"{worker} has no lostlegacy_sim {__version__}: {type(answer).__name__}. Install it there, then play again."
    found = (difference(answer.get(game, {}), identity_of(game)) for game in GAMES)
    other = next(filter(None, found), "")
    return other and f"{worker} has {other}: it would count other deals. Install the same there, then play again."
