"""The tally: adding loses nothing, whatever the order; files are checked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.tally import NONE, Tally, Totals, can_be, exemplar_deals, merge_exemplars, n_labels, no_exemplars

LABELS = (("deals", ()), ("won", (2, 3)), ("turns", ()))


def some(seed: int) -> Tally:
    return Tally(LABELS, np.random.default_rng(seed).integers(0, 2**40, (4, 8)))


def test_groups_are_found_by_name():
    totals = Totals(LABELS, np.arange(16).reshape(2, 8))
    assert totals["deals"].tolist() == [0, 8]
    assert totals["won"].tolist() == [[[1, 2, 3], [4, 5, 6]], [[9, 10, 11], [12, 13, 14]]]
    assert totals["turns"].tolist() == [7, 15]
    with pytest.raises(KeyError):
        totals["lost"]


def test_columns_must_match_the_labels():
    assert n_labels(LABELS) == 8
    with pytest.raises(ValueError, match="7 columns do not match 8 labels"):
        Totals(LABELS, np.zeros(7))
    with pytest.raises(ValueError, match="int64"):
        Tally(LABELS, np.zeros((2, 8)))


def test_adding_is_exact_and_in_any_order():
    assert some(1) + some(2) == some(2) + some(1)
    assert (some(1) + some(2)) + some(3) == some(1) + (some(2) + some(3))
    assert some(1) + Tally.zero(LABELS, 4) == some(1)
    assert some(1) != some(2)
    big = Tally(LABELS, np.full((4, 8), 2**61))
    assert (big + Tally(LABELS, np.ones((4, 8), np.int64))).counts[0, 0] == 2**61 + 1


def test_tallies_of_other_shapes_are_not_added():
    with pytest.raises(ValueError, match="one experiment"):
        some(1) + Tally.zero(LABELS, 5)


def test_bytes_give_the_same_tally_back():
    assert Tally.from_bytes(some(1).to_bytes(), LABELS, 4, "counts.npy") == some(1)


def floats() -> bytes:
    tally = some(1)
    object.__setattr__(tally, "counts", tally.counts.astype(float))
    return tally.to_bytes()


@pytest.mark.parametrize("data", [b"", b"junk", some(1).to_bytes()[:100], Tally.zero(LABELS, 3).to_bytes(), floats(),
                                  Tally(LABELS, np.full((4, 8), -1)).to_bytes()])  # fmt: skip
def test_other_bytes_are_refused_with_a_sentence(data):
    with pytest.raises(ResultError, match=r"^counts.npy (is damaged|does not hold)"):
        Tally.from_bytes(data, LABELS, 4, "counts.npy")


CATEGORIES = ("last", "nobody", "longest")
DEALS = st.one_of(st.just(NONE), st.integers(0, 20))
EXEMPLARS = st.tuples(DEALS, DEALS, st.integers(0, 3), st.integers(0, 20)).map(lambda row: np.array(row, np.int64))


@given(EXEMPLARS, EXEMPLARS, EXEMPLARS)
def test_exemplars_merge_in_any_order(first, second, third):
    assert merge_exemplars(first, second).tolist() == merge_exemplars(second, first).tolist()
    left = merge_exemplars(merge_exemplars(first, second), third)
    assert left.tolist() == merge_exemplars(first, merge_exemplars(second, third)).tolist()
    assert merge_exemplars(first, first).tolist() == first.tolist()


def test_the_lowest_deal_and_the_longest_deal_are_kept():
    first, second = np.array([5, NONE, 9, 40]), np.array([7, 3, 9, 12])
    assert merge_exemplars(first, second).tolist() == [5, 3, 9, 12]
    assert merge_exemplars(first, np.array([NONE, NONE, 10, 99])).tolist() == [5, NONE, 10, 99]
    assert merge_exemplars(first, no_exemplars(CATEGORIES)).tolist() == first.tolist()


def test_exemplars_by_category():
    assert exemplar_deals(CATEGORIES, np.array([5, NONE, 9, 40])) == {"last": 5, "nobody": None, "longest": 40}
    assert exemplar_deals(CATEGORIES, no_exemplars(CATEGORIES)) == {"last": None, "nobody": None, "longest": None}


def test_deals_that_are_counted_in_many_numbers_are_none():
    """A manifest may say so of any label."""
    counts, deals = np.zeros((6, 8), np.int64), np.zeros(6, np.int64)
    assert can_be((("deals", ()), ("void", ()), ("ends", (6,))), counts, deals)
    assert not can_be((("deals", (7,)), ("void", ())), counts, deals)
    assert not can_be((("deals", ()), ("void", (7,))), counts, deals)
