"""Experiments: rotations, blocks and batches; plain form and hash; line-ups."""

import json
from dataclasses import replace

import pytest
from fake_game import ask
from hypothesis import given
from hypothesis import strategies as st

from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.experiment import MAX_SEED, Experiment, line_up


@pytest.mark.parametrize(
    ("bots", "rotations"),
    [("aa", 1), ("ab", 2), ("aaa", 1), ("aab", 3), ("abab", 2), ("abba", 4), ("aaaa", 1), ("abcabc", 3), ("ababab", 2), ("aaabbb", 6)],
)
def test_rotations_are_the_smallest_shift_that_turns_the_line_up_into_itself(bots, rotations):
    assert ask(bots=tuple(bots), players=len(bots)).rotations == rotations


@given(st.lists(st.sampled_from("ab"), min_size=2, max_size=6))
def test_the_distinct_rotations_are_all_different_and_all_there(bots):
    experiment = ask(bots=tuple(bots), players=len(bots))
    shifted = {tuple(bots[shift:] + bots[:shift]) for shift in range(len(bots))}
    assert experiment.rotations == len(shifted)


def test_two_files_of_one_name_are_two_bots():
    experiment = ask(bots=("a", "a"))
    assert experiment.rotations == 1
    assert replace(experiment, bot_sources=("1", "2")).rotations == 2


@pytest.mark.parametrize(
    ("deals", "blocks", "batch_blocks", "batches"),
    [(1, 1, 16, 1), (32, 16, 16, 1), (33, 17, 16, 2), (16_384, 8192, 16, 512), (16_385, 8193, 32, 257), (10**6, 500_000, 1024, 489)],
)
def test_blocks_and_batches(deals, blocks, batch_blocks, batches):
    experiment = ask(deals)
    assert (experiment.blocks, experiment.batch_blocks, experiment.batches) == (blocks, batch_blocks, batches)


@given(st.integers(1, 10**13))
def test_there_are_never_more_than_512_batches_nor_fewer_than_257_of_many(deals):
    experiment = ask(deals)
    assert experiment.batches <= 512
    assert experiment.batch_blocks == 16 or experiment.batches > 256
    assert deals <= experiment.planned_deals < deals + experiment.rotations


def test_the_plain_form_is_json_and_gives_the_same_experiment_back():
    plain = json.loads(json.dumps(ask().to_plain()))
    assert Experiment.from_plain(plain) == ask()


def test_every_field_changes_the_hash():
    changes = {"game": "g", "set_id": "i", "set_name": "n", "set_text": "t", "bots": ("x", "y"), "bot_sources": ("1", ""), "deals": 5, "seed": 2, "repeat": 1}
    hashes = {ask().hash, *(replace(ask(), **{name: value}).hash for name, value in changes.items())}
    assert len(hashes) == len(changes) + 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"deals": 0}, "0 deals cannot be played; ask for at least 1"),
        ({"deals": -5}, "-5 deals cannot be played"),
        ({"seed": -1}, "The seed -1 is out of range"),
        ({"seed": MAX_SEED + 1}, "is out of range"),
        ({"repeat": -1}, "repeat = -1 is negative"),
        ({"bots": ("a",)}, "2 players need 2 bots"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(change, sentence):
    with pytest.raises(UsageError, match=sentence):
        replace(ask(), **change)


def test_a_plain_form_with_other_fields_is_refused():
    with pytest.raises(ResultError, match=r"^here: 'colour' is not a field"):
        Experiment.from_plain(ask().to_plain() | {"colour": "red"}, "here")
    with pytest.raises(ResultError, match=r"^here is damaged: deals is missing or not a whole number from 1 to"):
        Experiment.from_plain(ask().to_plain() | {"deals": 0}, "here")


def test_the_last_bot_fills_the_table():
    assert line_up(["a"], 3) == ("a", "a", "a")
    assert line_up(["a", "b"], 4) == ("a", "b", "b", "b")
    assert line_up([" a ", "b", "c"], 3) == ("a", "b", "c")


def test_too_many_bots_or_a_nameless_one_are_refused():
    with pytest.raises(UsageError, match="3 bots do not fit at a table of 2 players; name at most 2"):
        line_up(["a", "b", "c"], 2)
    with pytest.raises(UsageError, match="A bot has no name"):
        line_up(["a", ""], 2)
