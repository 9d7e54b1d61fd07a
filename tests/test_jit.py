"""The vector forms of jit.py: the same as numpy's, for every length of a record's array."""

import numpy as np
import pytest

from lostlegacy_sim.jit import copy_marked_bytes, equal_bytes, kernel


@kernel
def equal(record, byte):
    return equal_bytes(record.source, byte)


@kernel
def copy(record, mark):
    copy_marked_bytes(record.target, record.source, record.marks, mark)


def a_record(n: int) -> np.void:
    """A record of three arrays of n bytes, with anything in them, and others around them."""
    fields = [(name, "u1", (size,)) for name, size in (("before", 3), ("target", n), ("source", n), ("marks", n), ("after", 5))]
    record = np.zeros(1, fields)[0]
    words = np.random.default_rng(n)
    for name, *_ in fields:
        record[name] = words.integers(0, 256 if name == "marks" else 4, record[name].shape)
    return record


@pytest.mark.parametrize("n", [1, 7, 25, 63, 64])
def test_bytes_that_are_equal(n):
    record = a_record(n)
    for byte in range(5):
        bits = sum(1 << place for place in np.nonzero(record["source"] == byte)[0].tolist())
        assert int(equal(record, byte)) == bits


@pytest.mark.parametrize("n", [1, 7, 25, 63, 64])
@pytest.mark.parametrize("mark", [0, 1, 32, 255])
def test_bytes_that_are_marked_are_copied_and_nothing_else_is_written(n, mark):
    record = a_record(n)
    before = record.copy()
    copy(record, mark)
    assert record["target"].tolist() == np.where(before["marks"] & mark, before["source"], 0).tolist()
    for name in ("before", "source", "marks", "after"):
        assert record[name].tolist() == before[name].tolist()
