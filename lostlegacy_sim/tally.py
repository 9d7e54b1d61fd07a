"""Tally: labelled integer counts of finished deals, a row a batch; adding two loses nothing."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.arrays import read_array
from lostlegacy_sim.errors import ResultError

Counts: TypeAlias = NDArray[np.int64]
Labels: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]  # (group, its shape), in the order of the columns

MOST_A_DEAL = 1000  # of anything that is counted; far from it, and so small that no sum of all deals is too large
MOST_TURNS = 10**6  # of the longest deal
NONE = 2**62  # the deal number of an exemplar that has not occurred


def n_labels(labels: Labels) -> int:
    """Number of columns that these groups take."""
    return sum(math.prod(shape) for _, shape in labels)


class Totals:
    """Counts by the name of their group; leading axes (batches, leave-one-outs) are kept."""

    def __init__(self, labels: Labels, counts: NDArray[Any]) -> None:
        """`counts`: [..., labels]."""
        if counts.shape[-1] != n_labels(labels):
            raise ValueError(f"{counts.shape[-1]} columns do not match {n_labels(labels)} labels")
        self.labels = labels
        self.counts = counts

    def __getitem__(self, group: str) -> NDArray[Any]:
        """The counts of one group: [..., *shape of the group]."""
        start = 0
        for name, shape in self.labels:
            size = math.prod(shape)
            if name == group:
                return self.counts[..., start : start + size].reshape(self.counts.shape[:-1] + shape)
            start += size
        raise KeyError(group)


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts [batches, labels] of one experiment, or of a part of it (the other rows are zero)."""

    labels: Labels
    counts: Counts

    def __post_init__(self) -> None:
        if self.counts.dtype != np.int64 or self.counts.ndim != 2 or self.counts.shape[1] != n_labels(self.labels):
            raise ValueError("a tally is an int64 array of batches x labels")

    @classmethod
    def zero(cls, labels: Labels, batches: int) -> Tally:
        """The tally of no deals."""
        return cls(labels, np.zeros((batches, n_labels(labels)), np.int64))

    def __add__(self, other: Tally) -> Tally:
        if self.labels != other.labels or self.counts.shape != other.counts.shape:
            raise ValueError("only tallies of one experiment can be added")
        return Tally(self.labels, self.counts + other.counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.labels == other.labels and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def in_pairs(self) -> Tally:
        """The same counts in batches twice as large: neighbours added. Raises ValueError if one is left over."""
        if len(self.counts) % 2:
            raise ValueError(f"{len(self.counts)} batches cannot be added in pairs")
        return Tally(self.labels, self.counts[::2] + self.counts[1::2])

    @property
    def totals(self) -> Totals:
        """The sums over all batches."""
        return Totals(self.labels, self.counts.sum(axis=0))

    def to_bytes(self) -> bytes:
        """The counts as a .npy file."""
        buffer = BytesIO()
        np.save(buffer, np.ascontiguousarray(self.counts), allow_pickle=False)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes, labels: Labels, batches: int, where: str) -> Tally:
        """The tally of a .npy file. Raises ResultError naming `where` if it is not one of this form."""
        try:
            counts = read_counts(data)
        except ValueError:
            raise ResultError(f"{where} is damaged: it is not a file of counts.") from None
        expected = (batches, n_labels(labels))
        if counts.shape != expected:
            raise ResultError(f"{where} does not hold whole numbers in {expected[0]} rows and {expected[1]} columns.")
        if counts.size and counts.min() < 0:
            raise ResultError(f"{where} is damaged: it holds a negative count.")
        return cls(labels, counts)


def read_counts(data: bytes) -> Counts:
    """The whole numbers of a .npy file of two dimensions, as `to_bytes` writes it. Raises ValueError for any other file."""
    found = read_array(data)
    if found.dtype != np.int64 or found.ndim != 2:
        raise ValueError("not a table of whole numbers")
    return found.astype(np.int64, order="C")


def can_be(labels: Labels, counts: Counts, deals: Counts | int) -> bool:
    """Whether counts [..., labels] can be those of so many deals [...], void ones included; every game counts both kinds."""
    totals, each = Totals(labels, counts), np.asarray(deals, np.int64)
    try:
        played, void = totals["deals"], totals["void"]
    except KeyError:
        return False
    if not played.shape == void.shape == each.shape:
        return False
    return bool((played + void == each).all() and (counts >= 0).all() and (counts <= MOST_A_DEAL * each[..., None]).all())


def checksum(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


# --- exemplars: for every category the lowest deal in which it occurred ---------------------------------
# int64 [categories + 1]: the lowest deal number of each category, or NONE; the last category is the
# longest deal and takes two numbers, its turns and its deal.


def no_exemplars(categories: Sequence[str]) -> Counts:
    """The exemplars of no deals."""
    exemplars = np.full(len(categories) + 1, NONE, np.int64)
    exemplars[-2] = 0
    return exemplars


def merge_exemplars(first: Counts, second: Counts) -> Counts:
    """The exemplars of both: the lower deal each; the longer deal, the lower one of equals."""
    merged = np.minimum(first, second)
    longest = first if (-first[-2], first[-1]) <= (-second[-2], second[-1]) else second
    merged[-2:] = longest[-2:]
    return merged


def can_be_exemplars(exemplars: Counts, deals: int) -> bool:
    """Whether exemplars can be those of so many deals."""
    numbers = np.delete(exemplars, -2)
    return bool(((numbers == NONE) | ((numbers >= 0) & (numbers < deals))).all() and 0 <= exemplars[-2] <= MOST_TURNS)


def exemplar_deals(categories: Sequence[str], exemplars: Counts) -> dict[str, int | None]:
    """Deal number by category; None where it has not occurred."""
    numbers = [*exemplars[:-2], exemplars[-1]]
    return {name: None if number == NONE else int(number) for name, number in zip(categories, numbers, strict=True)}
