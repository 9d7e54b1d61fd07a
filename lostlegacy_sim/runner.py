"""Runner: play the batches of an experiment over threads, merge them in order.

What is counted depends on the experiment alone: any number of threads and any split gives the same bits.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import Any, Protocol

import numpy as np

from lostlegacy_sim.apart import Halted
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Haltable, Table
from lostlegacy_sim.identity import identity_of
from lostlegacy_sim.journal import Keeper
from lostlegacy_sim.pieces import Span, is_batch
from lostlegacy_sim.result import Result
from lostlegacy_sim.tally import Counts, Tally, merge_exemplars, no_exemplars

SLICE_SECONDS = 0.2  # a table plays about so long before it looks whether to stop; a single block may take longer
SLICE_GROWTH = 8  # at most so many times as many blocks in the next slice; the first one is a block
NOTE_SECONDS = 1.0  # what is counted of a batch under way is handed to the journal so often
POLL_SECONDS = 0.1


def play(
    experiment: Experiment,
    game: Game,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stop: Event | None = None,
    begun: Result | None = None,
    journal: Keeper | None = None,
    only: Collection[int] | None = None,
) -> Result:
    """Play an experiment.

    `on_progress(deals played, deals planned)` is called from this thread about ten times a second. Setting
    `stop`, or Ctrl-C, ends the run early; so does a bot that breaks the rules (`Result.error`). The result
    then holds the batches that were finished, without a gap from the first one on. `begun` is a result of
    the same deals, or of fewer of them: what it holds is not played again (see `grown`). A `journal` writes
    finished batches to the disk, and what it holds is not played again either; if it cannot write any more
    (`failure`) the run is stopped. `only` names the batches to play, if not all.
    """
    run = Run(experiment, game, stop or Event(), begun, journal, only)
    threads = max(1, min(threads or usable_cores(), len(run.todo)))
    began = time.perf_counter()
    if run.todo:
        run.play_with([game.open_table(experiment) for _ in range(threads)], on_progress)
    seconds = time.perf_counter() - began + (begun.provenance.get("seconds", 0.0) if begun else 0.0)
    return run.result({"threads": threads, "seconds": round(seconds, 3)})


def play_alone(
    experiment: Experiment, game: Game, on_progress: Callable[[int, int], None], stop: Event, journal: Keeper | None = None
) -> Result:
    """Play an experiment in this thread: for a caller that plays many experiments at a time, one a thread.

    The same counts as of `play`, without its threads' cost for every batch. Setting `stop` ends it early, and so does a bot
    that breaks the rules; `journal` as in `play`.
    """
    run = Run(experiment, game, stop, journal=journal)
    if run.blocks_played:
        on_progress(run.blocks_played * experiment.rotations, experiment.planned_deals)
    if run.todo:
        table = game.open_table(experiment)
        heed(table, stop)
        while run.error is None and (number := run.next_batch()) is not None:
            if (batch := run.play_batch(table, number)) is not None:
                run.take(batch)
                on_progress(run.blocks_played * experiment.rotations, experiment.planned_deals)
    run.close()
    return run.result({})


def grown(begun: Result, experiment: Experiment) -> Tally:
    """The counts of a result as the first batches of an experiment of as many deals or more.

    Where the experiment's batches are larger, neighbours are added in pairs. Raises ValueError if the two
    do not play the same deals, or if the result ends inside a batch of the experiment.
    """
    if replace(begun.experiment, deals=experiment.deals) != experiment:
        raise ValueError("only an experiment of the same deals can be played on")
    tally, blocks = begun.tally, begun.experiment.batch_blocks
    is_whole = begun.blocks == len(tally.counts) * blocks or begun.blocks == experiment.blocks
    if not is_whole or begun.blocks > experiment.blocks or blocks > experiment.batch_blocks:
        raise ValueError("a result is played on from the end of a batch to more deals")
    while blocks < experiment.batch_blocks:
        tally, blocks = tally.in_pairs(), 2 * blocks
    return tally


class Crew(Protocol):
    """Those who play experiments for a study: the threads of this process, or the workers of a cluster."""

    @property
    def at_once(self) -> int | None:
        """Of many experiments, how many are played at a time, each by one thread; None: as many as there are threads."""

    @property
    def play(self) -> Callable[..., Result]:
        """As `play`."""

    @property
    def play_alone(self) -> Callable[..., Result]:
        """As `play_alone`."""


class Here:
    """The threads of this process, a Crew."""

    at_once = None
    play = staticmethod(play)
    play_alone = staticmethod(play_alone)


HERE: Crew = Here()


@dataclass(frozen=True)
class Batch:
    """A finished batch; or one that a bot's error ended, which holds nothing else."""

    number: int
    counts: Counts
    exemplars: Counts
    error: BotError | None = None


class Run:
    """One run in progress: what is handed out, what is merged, who must stop."""

    def __init__(
        self, experiment: Experiment, game: Game, stop: Event, begun: Result | None = None,
        journal: Keeper | None = None, only: Collection[int] | None = None,
    ) -> None:  # fmt: skip
        self.experiment = experiment
        self.game = game
        self.stop = stop
        self.journal = journal
        self.lock = Lock()
        self.handed_out = 0  # of those to do, under the lock
        self.end = experiment.batches  # a bot's error in batch b lowers it to b; under the lock
        self.blocks_played = 0  # for the progress; under the lock
        self.finished: SimpleQueue[Batch | None] = SimpleQueue()  # None: a worker has left
        self.leaving = 0  # workers that have left
        self.slice_blocks = 1  # for the next slice, learnt from the last ones of any thread
        self.early: dict[int, Batch] = {}  # finished, but a batch before them is not
        self.begun: dict[int, Span] = {}  # counted in part by an earlier run
        self.tally = Tally.zero(game.labels(experiment), experiment.batches)
        self.exemplars = no_exemplars(game.categories)
        self.merged = 0  # batches, from the first one on
        self.error: BotError | None = None
        if begun is not None:
            self.play_on(begun)
        if journal is not None:
            self.read(journal)
        wanted = range(experiment.batches) if only is None else sorted(only)
        self.todo = [number for number in wanted if number >= self.merged and number not in self.early]

    def play_on(self, begun: Result) -> None:
        """Begin where a result has ended."""
        first = grown(begun, self.experiment).counts
        self.tally.counts[: len(first)] = first
        self.exemplars = begun.exemplars.copy()
        self.merged = len(first)
        self.blocks_played = begun.blocks

    def read(self, journal: Keeper) -> None:
        """Take in what the journal holds."""
        for number, span in journal.begun(self.experiment).items():
            if number < self.merged:
                continue
            self.blocks_played += span.n_blocks
            if is_batch(span, self.experiment):
                self.early[number] = Batch(number, span.counts, span.exemplars)
            else:
                self.begun[number] = span
        self.merge_early()

    # --- in the worker threads ------------------------------------------------------------------------

    def play_batches(self, table: Table) -> None:
        """Play batch after batch, whichever is next, until none is left or the run is stopped."""
        heed(table, self.stop)
        try:
            while (number := self.next_batch()) is not None:
                if (batch := self.play_batch(table, number)) is not None:
                    self.finished.put(batch)
        except BaseException:
            self.stop.set()
            raise
        finally:
            self.finished.put(None)

    def next_batch(self) -> int | None:
        """The number of the next batch to play; None if there is none."""
        with self.lock:
            if self.stop.is_set() or self.handed_out >= len(self.todo) or self.todo[self.handed_out] >= self.end:
                return None
            self.handed_out += 1
            return self.todo[self.handed_out - 1]

    def play_batch(self, table: Table, number: int) -> Batch | None:
        """Play one batch, slice by slice, from where an earlier run has left it; None if the run was stopped before its end."""
        blocks, batch = self.experiment.blocks_of(number), self.batch_so_far(number)
        first, noted = blocks.start + (self.begun[number].n_blocks if number in self.begun else 0), time.monotonic()
        while first < blocks.stop:
            is_over = self.stop.is_set() or number >= self.end
            if self.journal is not None and blocks.start < first and (is_over or time.monotonic() - noted >= NOTE_SECONDS):
                noted = time.monotonic()
                self.journal.add(Span(blocks.start, first - blocks.start, batch.counts.copy(), batch.exemplars.copy()), is_whole=False)
            if is_over:
                return None
            n_blocks = min(self.slice_blocks, blocks.stop - first)
            began = time.perf_counter()
            try:
                table.play(first, n_blocks, batch.counts, batch.exemplars)
            except Halted:  # nothing of this slice is counted
                continue
            except BotError as error:
                with self.lock:  # the batches before this one are still played to their end
                    self.end = min(self.end, number)
                return Batch(number, batch.counts, batch.exemplars, error)
            self.learn_pace(n_blocks, time.perf_counter() - began)
            first += n_blocks
            with self.lock:
                self.blocks_played += n_blocks
        return batch

    def batch_so_far(self, number: int) -> Batch:
        """A batch that is added to: as an earlier run has left it, or empty."""
        if number in self.begun:
            return Batch(number, self.begun[number].counts.copy(), self.begun[number].exemplars.copy())
        return Batch(number, np.zeros_like(self.tally.counts[0]), no_exemplars(self.game.categories))

    def learn_pace(self, n_blocks: int, seconds: float) -> None:
        """Have the next slice take about SLICE_SECONDS; threads that write at once do no harm."""
        in_time = int(n_blocks * SLICE_SECONDS / max(seconds, 1e-6))
        self.slice_blocks = max(1, min(max(self.slice_blocks, SLICE_GROWTH * n_blocks), in_time))

    # --- in the thread that called `play` -------------------------------------------------------------

    def play_with(self, tables: Sequence[Table], on_progress: Callable[[int, int], None] | None) -> None:
        """Play all that is to do, one thread a table."""
        with ThreadPoolExecutor(len(tables), thread_name_prefix="table") as executor:
            workers = [executor.submit(self.play_batches, table) for table in tables]
            while self.leaving < len(tables):
                try:
                    self.merge_next()
                    if on_progress is not None:
                        on_progress(self.blocks_played * self.experiment.rotations, self.experiment.planned_deals)
                except KeyboardInterrupt:
                    self.stop.set()
        self.close()
        for worker in workers:
            worker.result()  # a bug in a worker is raised here

    def merge_next(self) -> None:
        """Wait a moment for a finished batch and merge what has no gap before it."""
        self.heed_journal()
        try:
            batch = self.finished.get(timeout=POLL_SECONDS)
        except Empty:
            return
        if batch is None:
            self.leaving += 1
            return
        self.take(batch)

    def take(self, batch: Batch) -> None:
        """Take in a finished batch, whichever it is."""
        if self.journal is not None and batch.error is None:
            blocks = self.experiment.blocks_of(batch.number)
            self.journal.add(Span(blocks.start, len(blocks), batch.counts, batch.exemplars))
            self.heed_journal()
        self.early[batch.number] = batch
        self.merge_early()

    def heed_journal(self) -> None:
        """What cannot be written down is not played."""
        if self.journal is not None and self.journal.failure is not None:
            self.stop.set()

    def merge_early(self) -> None:
        """Merge what has no gap before it."""
        while self.error is None and self.merged in self.early:
            self.merge(self.early.pop(self.merged))

    def close(self) -> None:
        """Nothing more comes: the rest goes to the disk, and an error behind a gap is told too."""
        if self.journal is not None:
            self.journal.write()
        broken = [number for number, batch in self.early.items() if batch.error is not None]
        if broken and self.error is None:
            self.error = self.early[min(broken)].error

    def merge(self, batch: Batch) -> None:
        """Add a batch whose predecessors are all merged."""
        if batch.error is not None:
            self.error = batch.error
            return
        self.tally.counts[batch.number] += batch.counts
        self.exemplars = merge_exemplars(self.exemplars, batch.exemplars)
        self.merged += 1

    def result(self, provenance: dict[str, Any]) -> Result:
        """What is merged so far."""
        tally = Tally(self.tally.labels, self.tally.counts[: self.merged].copy())
        error = str(self.error) if self.error is not None else ""
        return Result(self.experiment, tally, self.game.categories, self.exemplars, provenance_of(self.experiment) | provenance, error)


def heed(table: Table, stop: Event) -> None:
    """Have a table that can be halted in the midst of a slice listen to this."""
    if isinstance(table, Haltable):
        table.stop = stop


def usable_cores() -> int:
    """Number of processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def provenance_of(experiment: Experiment) -> dict[str, Any]:
    """What a result of an experiment was made with, and when; `lostlegacy_sim` and `code` are its identity."""
    return {
        **identity_of(experiment.game).to_plain(),
        "numba": version("numba"),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }
