"""Explorations that are kept: they come back as they were, and damaged ones are refused in one sentence."""

import json

import numpy as np
import pytest
from planted_game import PLANTED

from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.studies.kept_looks import FACTS, Exploration, load_exploration, smallest, write_exploration
from lostlegacy_sim.studies.look import seated, take_look
from lostlegacy_sim.studies.mixes import mixes_in_order


@pytest.fixture
def folder(tmp_path):
    table = seated(PLANTED, printed("starship"), 3, ["strong", "random"], ["seat_gap", "skill", "turns=7"], 600, 3, ("strong", "random"))
    looks = {name: take_look(table, mixes_in_order()[:n_sets], PLANTED, 1) for name, n_sets in (("first", 5), ("second", 2))}
    write_exploration(tmp_path, Exploration("mixes", looks, {"top": 1}))
    return tmp_path


def test_it_comes_back_as_it_was(folder):
    back = load_exploration(folder, PLANTED)
    assert (back.family, back.facts) == ("mixes", {"top": 1})
    table = seated(PLANTED, printed("starship"), 3, ["strong", "random"], ["seat_gap", "skill", "turns=7"], 600, 3, ("strong", "random"))
    first = take_look(table, mixes_in_order()[:5], PLANTED, 1)
    assert back.looks["first"].table == table
    assert [mix.hash for mix in back.looks["first"].sets] == [mix.hash for mix in first.sets]
    assert np.array_equal(back.looks["first"].scores, first.scores)
    for goal in table.goals:
        assert back.looks["first"].estimate(goal, 4) == first.estimate(goal, 4)
    assert len(back.looks["second"].rows) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["counts.npz", "manifest.json"]


def test_whole_numbers_take_few_bytes():
    assert smallest(np.array([0, 200])).dtype == np.uint8
    assert smallest(np.array([0, 70_000])).dtype == np.uint32
    assert smallest(np.array([-1, 5])).dtype == np.int64
    assert smallest(np.array([0.5])).dtype == float


def change(folder, where, value):
    manifest = json.loads((folder / "manifest.json").read_text())
    place = manifest
    for word in where[:-1]:
        place = place[word]
    place[where[-1]] = value
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("where", "value", "sentence"),
    [
        (["schema"], "llsim.exploration/9", "has the schema 'llsim.exploration/9'; this version reads 'llsim.exploration/1'"),
        (["counts_sha256"], "0" * 64, "counts.npz is damaged: it does not match the checksum"),
        (["looks", "first", "rows"], [0, 1, 2], "its first look does not match its counts"),
        (["looks", "first", "rows"], [0, 1, 2, 3, 9], "looks.first.rows is missing or not a list of at most 5 items, each a whole number from 0 to 4, none twice"),
        (["looks", "first", "table", "deals"], 900_000, "its first look does not match its counts"),
        (["looks", "first", "table", "bots"], ["nobody"], "looks.first.table.bots is missing or not a list of 3"),
        (["looks", "second", "table", "goals"], ["fun"], "There is no goal 'fun'"),
        (["looks", "second", "measures"], {}, "its second look does not match its counts"),
        (["looks"], [], "looks is missing or not a table"),
        (["looks", "first"], 5, "looks is missing or not a table"),
    ],
)
def test_what_does_not_fit_together_is_refused(folder, where, value, sentence):
    change(folder, where, value)
    with pytest.raises(ResultError) as error:
        load_exploration(folder, PLANTED)
    assert sentence in str(error.value)


def test_a_family_breaks_a_guideline_that_there_is():
    family = {"name": "mine", "about": "of mine", "breaks": ["G2"], "members": [], "bases": []}
    assert FACTS["guidelines"].read({"legal": [], "families": [family]})["families"][0]["breaks"] == ("G2",)
    with pytest.raises(ValueError, match=r"^$"):
        FACTS["guidelines"].read({"legal": [], "families": [family | {"breaks": ["bot.py"]}]})


def test_truncated_and_missing_counts_are_refused(folder):
    data = (folder / "counts.npz").read_bytes()
    (folder / "counts.npz").write_bytes(data[:-20])
    with pytest.raises(ResultError, match="does not match the checksum"):
        load_exploration(folder, PLANTED)
    (folder / "counts.npz").unlink()
    with pytest.raises(ResultError, match=r"counts.npz cannot be read: No such file"):
        load_exploration(folder, PLANTED)
    with pytest.raises(ResultError, match=r"manifest.json is missing"):
        load_exploration(folder / "none", PLANTED)
