"""Cluster: play an experiment on dask.distributed, with the same bits as in one thread. The only room that names dask."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, Timer
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from lostlegacy_sim import __version__
from lostlegacy_sim.errors import BotFailure, ClusterError, LlsimError, UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Table
from lostlegacy_sim.games import find_game
from lostlegacy_sim.identity import Identity, difference, identity_of
from lostlegacy_sim.journal import Keeper
from lostlegacy_sim.pieces import Span, begun_batches, is_batch
from lostlegacy_sim.registry import modules
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import Batch, Run
from lostlegacy_sim.tally import no_exemplars

CONNECT_SECONDS = 20
KNOCK_SECONDS = 1
POLL_SECONDS = 0.2
LOST_SECONDS = 15  # without its scheduler a run is given up after so long
LOOK_SECONDS = 3  # where nothing comes, so often it is looked who is there; a second look without a worker is told
AGAIN_SECONDS = 60  # and told again after so long
WORKER_SECONDS = "LLSIM_WORKER_SECONDS"  # names how long one waits where there are no workers
LEAVE_SECONDS = 2  # for good manners at the end
SHARES = 128  # tasks of a whole run, at least
SHARES_A_THREAD = 4  # and so many for each thread, so that threads wait for each other at the end only
SHARE_SECONDS = 4.0  # a task ends after so long with what it has counted: what a lost worker costs, or a stopped run
TABLES = 4  # a thread keeps so many open
AT_ONCE = 256  # of many experiments, those that are handed out at a time; workers may join late
ALLOWED_DEATHS = 10  # so many workers may die of one task before it is given up

Answer = TypeVar("Answer")

ADDRESSES = "write tcp://host:port or tls://host:port of a dask scheduler, or local:N for N processes on this machine"
CERTIFICATES = ("DASK_DISTRIBUTED__COMM__TLS__CA_FILE", "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT", "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY")
NO_CERTIFICATES = f"tls:// needs certificates; name their files in {', '.join(CERTIFICATES[:2])} and {CERTIFICATES[2]}"
REASONS = {  # signs in what dask and the system say -> words
    **dict.fromkeys(("ssl_context", "No such file", "Permission denied", "PEM", "NO_CERTIFICATE", "MISMATCH"), NO_CERTIFICATES),
    "CERTIFICATE_VERIFY_FAILED": f"its certificate is not signed by the authority you trust ({CERTIFICATES[0]})",
    "ALERT": "it does not take the certificate it was shown",
    **dict.fromkeys(("WRONG_VERSION_NUMBER", "cannot convert to SSL", "EOF occurred"), "it does not speak TLS; try tcp://"),
    "refused": "nobody listens there",
    "No route": "there is no way to that machine",
    "unreachable": "there is no way to that machine",
    "TimeoutError": "no answer in time",
    "Timed out": "no answer in time",
    "CommClosedError": "the connection is closed at once; is it a scheduler, and does it want tls://",
}


class Cluster:
    """A connection to a scheduler, as a runner.Crew. A context; leaving it ends what is still being played."""

    at_once: int | None = AT_ONCE

    def __init__(self, address: str, stop: Event | None = None, say: Callable[[str], None] = lambda sentence: None) -> None:
        """`address`: tcp://host:port or tls://host:port of a running dask scheduler, or local:N for N processes on this machine.

        Setting `stop` ends the wait for an answer with a KeyboardInterrupt; `say` is told what is waited for. Raises UsageError
        for another word, ClusterError if no scheduler answers or a worker has another version.
        """
        n_local = read_address(address)
        self.worker_seconds = read_worker_seconds()
        try:
            import dask
            import distributed
        except ImportError:
            raise UsageError("--scheduler needs dask.distributed: pip install 'lostlegacy_sim[cluster]'.") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is said in a sentence
        logging.getLogger("tornado").setLevel(logging.CRITICAL)
        dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS, "distributed.comm.timeouts.connect": CONNECT_SECONDS})
        self.address, self.stop, self.say = address, stop or Event(), say
        self.failure: ClusterError | None = None  # why a run was given up
        self.local: Any = None
        self.client: Any = None
        self.guard = Lock()  # of what follows
        self.looked_at = self.peopled_at = time.monotonic()
        self.told_at: float | None = None
        try:
            if n_local:
                self.local = in_time(lambda: local_cluster(distributed, n_local), None, self.stop)
            else:
                in_time(lambda: check_answer(address), CONNECT_SECONDS + 1, self.stop)
            self.client = in_time(lambda: distributed.Client(self.local or address, timeout=CONNECT_SECONDS, set_as_default=False), CONNECT_SECONDS + 1, self.stop)
            self.check_workers()
        except BaseException as error:
            self.close()
            if isinstance(error, (ClusterError, KeyboardInterrupt)) or not isinstance(error, Exception):
                raise
            raise ClusterError(f"No dask scheduler answers at {address}: {why(error)}.") from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the workers; a scheduler that was found running goes on running."""
        with suppress(Exception):  # whoever is gone need not be told
            if self.client is not None:
                in_time(lambda: self.client.close(timeout=LEAVE_SECONDS), 2 * LEAVE_SECONDS)
        if self.local is not None:
            for nanny in list(self.local.workers.values()):  # what they play is of no use any more
                with suppress(Exception):
                    nanny.auto_restart = False
                    os.kill(nanny.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            with suppress(Exception):
                in_time(lambda: self.local.close(timeout=LEAVE_SECONDS), 2 * LEAVE_SECONDS)

    def check_workers(self) -> None:
        """Raise ClusterError if a worker that is there has another version of the package."""
        answers: Mapping[str, Any] = in_time(lambda: self.client.run(greeting, on_error="return"), CONNECT_SECONDS, self.stop)
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
        return self.count_threads(LOST_SECONDS) or 0

    def count_threads(self, seconds: float, stop: Event | None = None) -> int | None:
        """Threads of all workers that are there now; None if the scheduler does not say so in time."""
        try:
            found: Mapping[str, Any] = in_time(lambda: self.client.scheduler_info(n_workers=-1), seconds, stop)
            return sum(int(worker["nthreads"]) for worker in found["workers"].values())
        except Exception:  # lost, silent, or in the middle of leaving: dask has many words for it
            return None

    def look_around(self, stop: Event) -> None:
        """Nothing comes: once in a while, see whether anybody is there. Leaves a `failure` if nobody has been for too long."""
        if not self.guard.acquire(blocking=False):  # another run is looking
            return
        try:
            now = time.monotonic()
            if now < self.looked_at + LOOK_SECONDS or self.failure is not None:
                return
            threads = self.count_threads(LOST_SECONDS, stop)
            self.looked_at = time.monotonic()
            if threads is None:
                self.failure = self.gone()
            elif threads:
                self.peopled_at, self.told_at = self.looked_at, None
            else:
                self.wait_for_workers(now)
        except KeyboardInterrupt:
            return
        finally:
            self.guard.release()

    def wait_for_workers(self, now: float) -> None:
        """Say that there are no workers, and how much longer one waits for them; leave a `failure` when that is over."""
        left = self.peopled_at + self.worker_seconds - now
        if left <= 0:
            self.failure = ClusterError(
                f"No worker came to {self.address} in {self.worker_seconds} seconds. Start some, such as `dask worker {self.address}`, or set "
                f"{WORKER_SECONDS} to wait longer. What is done is kept."
            )
        elif self.told_at is None or now >= self.told_at + AGAIN_SECONDS:
            self.told_at = now
            self.say(f"Waiting for workers: none is at {self.address}. If none comes within {left:.0f} seconds, the run is given up.")

    def gone(self) -> ClusterError:
        """The sentence about a scheduler that is lost."""
        return ClusterError(f"The dask scheduler {self.address} is gone. What is done is kept.")


class Round:
    """One run on a cluster: shares of its batches are handed out, what comes back is merged."""

    def __init__(self, cluster: Cluster, run: Run) -> None:
        self.cluster, self.run = cluster, run
        self.answers: SimpleQueue[Any] = SimpleQueue()  # futures that have ended
        self.open: dict[Any, tuple[int, ...]] = {}  # future -> its batches

    def play(self, on_progress: Callable[[int, int], None], n_shares: int) -> None:
        """Hand out everything in so many shares, take in what comes until nothing is open."""
        for share in shares(self.run.todo, n_shares):
            self.hand_out(share)
        try:
            while self.open and not self.run.stop.is_set():
                self.take_next(on_progress)
                if self.cluster.failure is not None:
                    self.run.stop.set()
        finally:
            if self.open and self.is_connected():
                with suppress(Exception):
                    in_time(lambda: self.cluster.client.cancel(list(self.open), force=True), LEAVE_SECONDS)

    def hand_out(self, share: Sequence[int], priority: int = 0) -> None:
        """Have these batches played, from where they have been left."""
        experiment, begun = self.run.experiment, [self.run.begun[number] for number in share if number in self.run.begun]
        key = f"llsim-{experiment.hash[:8]}-{share[0]}-{secrets.token_hex(4)}"  # a run never meets the leftovers of another
        words = (experiment.to_plain(), tuple(share), identity_of(experiment.game).to_plain(), begun, self.run.game.is_strict)
        future = self.cluster.client.submit(play_share, *words, pure=False, key=key, priority=priority)
        self.open[future] = tuple(share)
        future.add_done_callback(self.answers.put)

    def take_next(self, on_progress: Callable[[int, int], None]) -> None:
        """Wait a moment for a share that has ended."""
        try:
            future = self.answers.get(timeout=POLL_SECONDS)
        except Empty:
            self.check_scheduler()
            self.cluster.look_around(self.run.stop)
            return
        except KeyboardInterrupt:
            self.run.stop.set()
            return
        share = self.open.get(future)
        if share is None:
            return
        if future.status == "finished":
            del self.open[future]
            self.merge(share, future.result())
            on_progress(self.run.blocks_played * self.run.experiment.rotations, self.run.experiment.planned_deals)
        elif future.status == "error":
            del self.open[future]
            self.fail(future.exception())
        else:  # cancelled or lost: with its scheduler
            self.check_scheduler(is_lost=True)

    def merge(self, share: Sequence[int], played: Played) -> None:
        """Take in what was counted of a share, and hand out the rest of it; an error of a bot ends what lies behind it."""
        run, done = self.run, set()
        for span in played.spans:
            number = span.first // run.experiment.batch_blocks
            before = run.begun.pop(number, None)
            run.blocks_played += span.n_blocks - (before.n_blocks if before else 0)
            if is_batch(span, run.experiment):
                run.take(Batch(number, span.counts, span.exemplars))
                done.add(number)
            else:
                run.begun[number] = span
                if run.journal is not None:
                    run.journal.add(span, is_whole=False)
        if played.error:
            number = share[len(done)]
            run.take(Batch(number, np.zeros_like(run.tally.counts[0]), no_exemplars(run.game.categories), BotFailure(played.error)))
            run.end = min(run.end, number)
            behind = [future for future, other in self.open.items() if other[0] > number]
            self.cluster.client.cancel(behind, force=True)
            for future in behind:
                del self.open[future]
        elif rest := [number for number in share if number not in done and number < run.end]:
            self.hand_out(rest, priority=1)  # before what nobody has begun

    def fail(self, error: BaseException) -> None:
        """A share that cannot be played ends the run; what is no sentence is a bug."""
        self.run.stop.set()
        if type(error).__name__ == "KilledWorker":
            n_dead = getattr(error, "allowed_failures", ALLOWED_DEATHS) + 1
            self.cluster.failure = ClusterError(
                f"{n_dead} workers died of the same batches. Look into their logs: is lostlegacy_sim installed there? What is done is kept."
            )
        elif isinstance(error, LlsimError):
            self.cluster.failure = ClusterError(f"{str(error).rstrip('.')}. What is done is kept.")
        elif isinstance(error, ImportError):
            self.cluster.failure = ClusterError(f"A worker cannot play: {error}. Install there what is installed here. What is done is kept.")
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
            self.cluster.failure = self.cluster.gone()


def shares(todo: Sequence[int], n_shares: int) -> list[tuple[int, ...]]:
    """Batches in the order of their numbers, in so many shares or one each; equal but for one batch."""
    n_shares = min(n_shares, len(todo))
    edges = [step * len(todo) // n_shares for step in range(n_shares + 1)]
    return [tuple(todo[first:end]) for first, end in pairwise(edges)]


# --- finding a scheduler ----------------------------------------------------------------------------------


def read_address(address: str) -> int:
    """How many processes an address asks for on this machine; 0 if it names a scheduler. Raises UsageError."""
    scheme, separator, place = address.strip().partition("://")
    if separator and scheme not in ("tcp", "tls"):
        raise UsageError(f"--scheduler {address}: {scheme or 'nothing'}:// is not spoken here; {ADDRESSES}.")
    match = re.fullmatch(r"local:([0-9]{1,3})", address.strip())
    if match is not None and int(match[1]):
        return int(match[1])
    if not separator or not re.fullmatch(r"[^\s/]+:[0-9]{1,5}", place):
        raise UsageError(f"--scheduler {address}: {ADDRESSES}.")
    return 0


def read_worker_seconds() -> int:
    """How long one waits where there are no workers. Raises UsageError."""
    text = os.environ.get(WORKER_SECONDS, "600")
    if not re.fullmatch(r"[0-9]{1,7}", text) or int(text) < 1:
        raise UsageError(f"{WORKER_SECONDS}={text}: write how many seconds to wait for workers, a whole number from 1.")
    return int(text)


def local_cluster(distributed: Any, n_workers: int) -> Any:
    """Processes of this machine that nobody else can reach, and that leave a Ctrl-C in their terminal to this one."""
    if hasattr(signal, "pthread_sigmask"):  # of this thread, and of all it starts
        resource_tracker.ensure_running()  # it would lift what is set here
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, host="127.0.0.1", protocol="tcp", silence_logs=logging.CRITICAL,
        dashboard_address=None, scheduler_kwargs={"dashboard_address": "127.0.0.1:0"}, security=distributed.Security(require_encryption=False),
    )  # fmt: skip


def check_answer(address: str) -> None:
    """Raise ClusterError if it is not a dask scheduler that answers at an address; whatever dask raises means that nobody does."""
    host, _, port = address.strip().partition("://")[2].rpartition(":")
    host = host.strip("[]")
    try:
        socket.getaddrinfo(host, int(port))
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(f"--scheduler {address}: there is no machine {host} ({getattr(error, 'strerror', None) or error}).") from None
    try:
        found = asyncio.run(asyncio.wait_for(identity(address.strip()), CONNECT_SECONDS)).get("type")
    except (OSError, TimeoutError):
        socket.create_connection((host, int(port)), KNOCK_SECONDS).close()  # dask tries again until time is up, which hides that nobody listens
        raise
    if found != "Scheduler":
        there = f"a dask {found.lower()}" if isinstance(found, str) else "something else"
        raise ClusterError(f"No dask scheduler answers at {address}: {there} does. Give the address the scheduler says it listens at.")


async def identity(address: str) -> Mapping[str, Any]:
    """What the one who answers at an address says of itself."""
    from distributed.core import rpc
    from distributed.security import Security

    async with rpc(address, connection_args=Security().get_connection_args("client"), timeout=CONNECT_SECONDS) as there:
        found: Mapping[str, Any] = await there.identity()
        return found


def why(error: BaseException) -> str:
    """Why nobody answers, in a few words."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and cause not in causes:
        causes.append(cause)
    said = " ".join(" ".join(str(cause) for cause in causes).split())
    for sign, words in REASONS.items():
        if sign in said or any(type(cause).__name__ == sign for cause in causes):
            return words
    return "what is there does not speak dask's language"


def in_time(call: Callable[[], Answer], seconds: float | None, stop: Event | None = None) -> Answer:
    """What a call returns that may never do so: it is made in a thread of its own, which is left behind then.

    Raises TimeoutError after so many seconds, KeyboardInterrupt as soon as `stop` is set, and what the call raises.
    """
    answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            answers.put((call(), None))
        except BaseException as error:
            answers.put((None, error))

    Thread(target=work, name="dask", daemon=True).start()
    end = time.monotonic() + (seconds if seconds is not None else float("inf"))
    while True:
        try:
            found, error = answers.get(timeout=max(0.0, min(POLL_SECONDS, end - time.monotonic())))
        except Empty:
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt from None
            if time.monotonic() >= end:
                raise TimeoutError("no answer in time") from None
            continue
        if error is not None:
            raise error
        answer: Answer = found
        return answer


# --- on the workers -------------------------------------------------------------------------------------

_here = threading.local()


class Played(NamedTuple):
    """What was counted of a share: batches in their order, the last one perhaps not to its end; and what a bot did wrong behind them."""

    spans: list[Span]
    error: str = ""


class Share:
    """What is counted of a share while it is played, a journal.Keeper."""

    failure: LlsimError | None = None

    def __init__(self, begun: Sequence[Span]) -> None:
        self.left = begun
        self.counted: dict[int, Span] = {}

    def begun(self, experiment: Experiment) -> dict[int, Span]:
        """What was counted by others."""
        return begun_batches(self.left, experiment)

    def add(self, span: Span, is_whole: bool = True) -> None:
        """Remember what is counted of a batch."""
        self.counted[span.first] = span

    def write(self) -> None:
        """Nothing."""


def play_share(plain: Mapping[str, Any], numbers: Sequence[int], theirs: Mapping[str, Any], begun: Sequence[Span], is_strict: bool = False) -> Played:
    """Play some batches of an experiment for SHARE_SECONDS, or up to the first in which a bot breaks the rules. Raises LlsimError."""
    experiment = Experiment.from_plain(plain)
    if other := difference(identity_of(experiment.game).to_plain(), Identity.from_plain(theirs)):
        raise ClusterError(f"{own_address()} has {other}: it would count other deals. Install the same there, then play again.")
    game = find_game(experiment.game).strict(is_strict)
    table, share, stop = table_here(experiment, game), Share(begun), Event()
    run, clock = Run(experiment, game, stop, journal=share), Timer(SHARE_SECONDS, stop.set)
    clock.daemon = True
    clock.start()
    error = ""
    for number in numbers:
        batch = run.play_batch(table, number)
        if batch is None:
            break
        if batch.error is not None:
            share.counted.pop(experiment.blocks_of(number).start, None)
            error = str(batch.error)
            break
        blocks = experiment.blocks_of(number)
        share.add(Span(blocks.start, len(blocks), batch.counts, batch.exemplars))
    clock.cancel()
    return Played([share.counted[first] for first in sorted(share.counted)], error)


def table_here(experiment: Experiment, game: Game) -> Table:
    """The table of this thread for an experiment; the last ones it had are kept."""
    tables: dict[str, Table] = _here.__dict__.setdefault("tables", {})
    name = f"{experiment.hash} {game.is_strict}"
    found = tables.pop(name, None)
    if found is None:
        for words, source in dict.fromkeys(experiment.entries):
            if source:  # named by the one who asked for this run
                game.find_bot(words)
        found = game.open_table(experiment)
    tables[name] = found
    if len(tables) > TABLES:
        del tables[next(iter(tables))]
    return found


def own_address() -> str:
    """The address of the worker this is said on."""
    from distributed import get_worker

    return str(get_worker().address)


def greeting() -> dict[str, Any]:
    """Which code counts each game here."""
    return {game: identity_of(game).to_plain() for game in modules()}


def stranger(worker: str, answer: Any) -> str:
    """The sentence about a worker that would count something else; "" for one that would not."""
    if not isinstance(answer, dict):
        return f"{worker} has no lostlegacy_sim {__version__}: {type(answer).__name__}. Install it there, then play again."
    found = (difference(answer.get(game, {}), identity_of(game)) for game in modules())
    other = next(filter(None, found), "")
    return other and f"{worker} has {other}: it would count other deals. Install the same there, then play again."
