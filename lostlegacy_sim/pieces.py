"""Pieces: small files of batches, finished or under way, in which a run is kept while it is played.

A piece is a .npy file, int64 [spans, 3 + labels + categories + 1]: a stamp, then first block, number of blocks, counts and exemplars
of a span, which is a run of blocks counted together. The stamp says of which experiment these are and by which code they were
counted. Its name is `batches-<first block>-<first digits of its SHA-256>.npy`:
pieces of one experiment can be copied from folder to folder, and a damaged one is recognised.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import numpy as np

from lostlegacy_sim.disk import read_file, reason, write_whole
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import MOST_DEALS, Experiment
from lostlegacy_sim.identity import Identity
from lostlegacy_sim.tally import (
    Counts,
    Labels,
    can_be,
    can_be_exemplars,
    checksum,
    merge_exemplars,
    n_labels,
    read_counts,
)

PATTERN = "batches-*.npy"
MAX_PIECE = 1 << 28  # bytes
DIGITS = 16  # of the checksum in a name
STAMP_DIGITS = 15  # hexadecimal, so that a stamp fits an int64


@dataclass(frozen=True, eq=False)
class Span:
    """What was counted in the blocks `first` to `first + n_blocks - 1`; all of one batch, or a part of it."""

    first: int
    n_blocks: int
    counts: Counts  # int64 [labels]
    exemplars: Counts  # int64 [categories + 1], see tally.py

    @property
    def end(self) -> int:
        """The block behind it."""
        return self.first + self.n_blocks

    def to_row(self) -> Counts:
        """All of it as one row of a piece."""
        return np.concatenate([[self.first, self.n_blocks], self.counts, self.exemplars]).astype(np.int64)

    def same(self, other: Span) -> bool:
        """Whether both counted the same."""
        return np.array_equal(self.to_row(), other.to_row())

    def __add__(self, other: Span) -> Span:
        """Both together, if the other one begins where this one ends."""
        if self.end != other.first:
            raise ValueError("only neighbours are added")
        exemplars = merge_exemplars(self.exemplars, other.exemplars)
        return Span(self.first, self.n_blocks + other.n_blocks, self.counts + other.counts, exemplars)


def stamp_of(experiment: Experiment, identity: Identity) -> int:
    """What all pieces of an experiment bear that were counted by the same code, whatever its number of deals."""
    widest = replace(experiment, deals=MOST_DEALS)
    return int(hashlib.sha256(f"{widest.hash} {identity.version} {identity.code}".encode()).hexdigest()[:STAMP_DIGITS], 16)


def write_piece(folder: Path, spans: Sequence[Span], stamp: int) -> Path:
    """Write spans into a new file. Raises OSError."""
    buffer = BytesIO()
    np.save(buffer, np.stack([np.concatenate([[stamp], span.to_row()]) for span in spans]), allow_pickle=False)
    data = buffer.getvalue()
    path = folder / f"batches-{min(span.first for span in spans):013d}-{checksum(data)[:DIGITS]}.npy"
    write_whole(path, data)
    return path


class ForeignError(ResultError):
    """Counts that are whole, but of another experiment or of other code."""


def read_piece(path: Path, experiment: Experiment, labels: Labels, n_exemplars: int, stamp: int) -> list[Span]:
    """The spans of a file. Raises ResultError if it is damaged, ForeignError if it is of another experiment or other code."""
    try:
        data = read_file(path, MAX_PIECE)
    except OSError as error:
        raise ResultError(f"{path} cannot be read: {reason(error)}.") from None
    if checksum(data)[:DIGITS] != path.stem.rpartition("-")[2]:
        raise ResultError(f"{path} is damaged: it does not match the checksum in its name.")
    try:
        rows = read_counts(data)
    except ValueError:
        raise ResultError(f"{path} is damaged: it is not a file of counts.") from None
    width = n_labels(labels)
    if rows.shape[1] != 3 + width + n_exemplars or (rows[:, 0] != stamp).any():
        raise ForeignError(f"{path} does not hold batches of this experiment as this code counts them: other bots, other cards, another version "
                           "or other files of it have counted there. Take it out of the folder, or play anew.")  # fmt: skip
    spans = [Span(int(row[1]), int(row[2]), row[3 : 3 + width], row[3 + width :]) for row in rows]
    if not all(is_of(span, experiment, labels) for span in spans):
        raise ResultError(f"{path} does not hold batches of this experiment.")
    return spans


def is_of(span: Span, experiment: Experiment, labels: Labels) -> bool:
    """Whether a span lies within an experiment and counts as many deals as its blocks have."""
    if not (0 <= span.first < experiment.blocks and 0 < span.n_blocks <= experiment.blocks - span.first):
        return False
    return can_be(labels, span.counts, span.n_blocks * experiment.rotations) and can_be_exemplars(span.exemplars, experiment.planned_deals)


def known_batches(spans: Iterable[Span], experiment: Experiment) -> dict[int, Span]:
    """The batches of an experiment that are wholly counted, by number. Raises ResultError if two spans of the same blocks differ."""
    return {number: span for number, span in begun_batches(spans, experiment).items() if is_batch(span, experiment)}


def begun_batches(spans: Iterable[Span], experiment: Experiment) -> dict[int, Span]:
    """What is counted of every batch from its first block on, without a gap, by number; as far as its spans reach.

    Blocks that were counted twice are counted once. Raises ResultError if two spans of the same blocks differ.
    """
    by_batch: dict[int, dict[int, list[Span]]] = {}
    for span in sorted(spans, key=lambda span: (span.first, -span.n_blocks)):  # of one beginning the longest first
        number = span.first // experiment.batch_blocks
        if number >= experiment.batches or span.end > experiment.blocks_of(number).stop:
            continue  # from a batch of a larger experiment
        there = by_batch.setdefault(number, {}).setdefault(span.first, [])
        if there and there[-1].n_blocks == span.n_blocks:
            if not there[-1].same(span):
                raise ResultError(f"The blocks {span.first} to {span.end - 1} were counted in two different ways; these pieces cannot be trusted.")
            continue
        there.append(span)
    found = {number: tiled(starts, experiment.blocks_of(number).start) for number, starts in by_batch.items()}
    return {number: span for number, span in found.items() if span is not None}


def tiled(starts: dict[int, list[Span]], first: int) -> Span | None:
    """The sum of spans that reach furthest from a block on without a gap; None if there are none. `starts`: spans by first block."""
    last: dict[int, Span] = {}  # how a block is reached: the span that ends before it
    for start in sorted(starts):
        if start == first or start in last:
            for span in starts[start]:
                last.setdefault(span.end, span)
    if not last:
        return None
    whole = last[max(last)]
    while whole.first > first:
        whole = last[whole.first] + whole
    return whole


def is_batch(span: Span, experiment: Experiment) -> bool:
    """Whether a span that begins a batch is all of it."""
    return span.n_blocks == len(experiment.blocks_of(span.first // experiment.batch_blocks))
