"""Sweeps: what a file asks for, planted effects along its lines, and a sentence for every wrong word."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from planted_game import NOBODY, PLANTED

from lostlegacy_sim.cli import explore as explore_module
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.vocabulary import X
from lostlegacy_sim.studies.kept_looks import load_exploration
from lostlegacy_sim.studies.look import seated
from lostlegacy_sim.studies.mixes import fresh_seed
from lostlegacy_sim.studies.sweep import explore_sweep
from lostlegacy_sim.studies.sweep_file import parse_sweep, read_sweep


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setattr(explore_module, "find_game", lambda name: PLANTED)


def points_of(lines: dict, **more):
    return parse_sweep({"sweep": lines, **more}, "sweep.toml", Path()).points()


def card(point, card_id):
    return next((one for one in point.card_set.cards if one.id == card_id), None)


# --- what is asked ------------------------------------------------------------------------------------------


def test_a_line_gives_a_point_a_value():
    found = points_of({"search.copies": [0, 1, 4]})
    assert [card(point, "search") and card(point, "search").copies for point in found] == [None, 1, 4]
    assert [point.card_set.n_cards for point in found] == [13, 14, 17]
    assert [point.label for point in found] == ["search.copies = 0", "search.copies = 1", "search.copies = 4"]
    assert len({point.card_set.id for point in found}) == 3


def test_ranges_tables_in_tables_and_products():
    by_range = points_of({"search": {"copies": "1..3"}, "assault.copies": ["2..3", 5]})
    assert [point.values for point in by_range[:4]] == [
        (("search.copies", "1"), ("assault.copies", "2")), (("search.copies", "1"), ("assault.copies", "3")),
        (("search.copies", "1"), ("assault.copies", "5")), (("search.copies", "2"), ("assault.copies", "2")),
    ]  # fmt: skip
    assert len(by_range) == 9


def test_speeds_and_flags_can_be_swept():
    assert [card(point, "search").speed for point in points_of({"search.speed": ["X", 6]})] == [X, 6]
    counted = points_of({"wound.counts": ["on_landing", "always"]}, set="flying-garden")
    assert [card(point, "wound").flag("counts") for point in counted] == ["on_landing", "always"]
    playable = points_of({"the_starship.playable": [False]}, players=[2, 3])
    assert [point.label for point in playable] == ["the_starship.playable = false"]


def test_several_sets_and_a_card_file_beside_the_sweep(tmp_path):
    (tmp_path / "own.toml").write_text(run("cards", "starship", "--toml").out.replace("The Starship", "Mine"))
    (tmp_path / "sweep.toml").write_text('set = ["own.toml", "starship"]\n[sweep]\n"search.copies" = [2, 3]\n')
    found = read_sweep(tmp_path / "sweep.toml").points()
    assert [point.label for point in found[::2]] == ["set = own.toml, search.copies = 2", "set = starship, search.copies = 2"]
    assert found[0].card_set.name == "Mine, search.copies = 2"
    assert [point.label for point in points_of({}, set=["starship", "flying-garden"])] == ["set = starship", "set = flying-garden"]


# --- what is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[sweep]\n"serch.copies" = [1, 2]', "The Starship has no card 'serch'. Did you mean 'search'?"),
        ("[sweep]\ncopies = [1, 2]", "'copies' names no field of a card; write card.field, such as search.copies."),
        ('[sweep]\n"search.copie" = [1, 2]', "a card has no field 'copie' that can be swept. Did you mean 'copies'?"),
        ('[sweep]\n"search.copies" = [1, 49]', "search.copies = 49 should be a whole number from 0 to 48."),
        ('[sweep]\n"search.copies" = [1, "two"]', 'search.copies = "two" should be a whole number from 0 to 48.'),
        ('[sweep]\n"search.copies" = [1, true]', "search.copies = True should be a whole number"),
        ('[sweep]\n"search.speed" = [7, 9]', 'search.speed = 9 should be a whole number from 1 to 8, or "X".'),
        ('[sweep]\n"search.copies" = [1, 1]', "search.copies: the value 1 stands there twice."),
        ('[sweep]\n"search.copies" = []', "search.copies has no values"),
        ('[sweep]\n"search.copies" = "4..1"', "search.copies has no values"),
        ('[sweep]\n"search.copies" = 3', "there is nothing to sweep"),
        ("", "there is nothing to sweep; give a field of a card several values"),
        ("sweep = 3", "write the sweep as a table"),
        ('[sweep]\n"search.legacy" = [false, "yes"]', 'search.legacy = "yes" is unknown. Valid: true, false.'),
        ('[sweep]\n"search.legacy" = [false, true]', "search.legacy = true: 2 kinds are Lost Legacies"),
        ('[sweep]\n"the_starship.copies" = [0, 1]', "the_starship.copies = 0: no card is the Lost Legacy"),
        ('[sweep]\n"search.copies" = "0..48"\n"assault.copies" = "0..48"', "2,401 points are too many; a sweep plays at most 1,000."),
        ('[sweep]\n"search.copies" = [3, 45]', "a set holds at most 48"),
        ('sets = "starship"', "'sets' is not a field of a sweep. Did you mean 'set'?"),
        ('set = "starshp"\n[sweep]\n"search.copies" = [1, 2]', "There is no set 'starshp'. Did you mean 'starship'?"),
        ("players = [2, 7]", "players = [2, 7]: write whole numbers from 2 to 6"),
        ('players = "four"', 'players = "four": write whole numbers'),
        ("bots = 3", "bots: write line-ups"),
        ('bots = [["careful"], 3]', "bots: write line-ups"),
        ('deals = true\n[sweep]\n"search.copies" = [1, 2]', "deals = True should be a number of deals"),
        ('deals = "many"\n[sweep]\n"search.copies" = [1, 2]', "deals = many: write a whole number of deals"),
        ('seed = -1\n[sweep]\n"search.copies" = [1, 2]', "seed = -1 should be a whole number from 0"),
        ('goals = [1]\n[sweep]\n"search.copies" = [1, 2]', "goals = [1] should be a text or a list of texts."),
        ('goals = ["fun"]\n[sweep]\n"search.copies" = [1, 2]', "There is no goal 'fun'"),
        ('skill = ["careful"]\n[sweep]\n"search.copies" = [1, 2]', "skill takes two bots"),
        ('bots = "carefull"\n[sweep]\n"search.copies" = [1, 2]', "Did you mean 'careful'?"),
        ('players = 5\n[sweep]\n"search.copies" = [3, 4]', "5 players need more than 16"),
        ("[sweep", "is not valid TOML"),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(planted, tmp_path, text, sentence):
    path = tmp_path / "sweep.toml"
    path.write_text(text)
    ran = run("explore", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.startswith(str(path))
    assert len(ran.err.splitlines()) == 1


def test_a_byte_order_mark_is_no_part_of_a_sweep(tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text('set = "starship"\n[sweep]\n"search.copies" = [1, 2]\n', encoding="utf-8-sig")
    assert [line.name for line in read_sweep(path).lines] == ["search.copies"]
    for said in ("1,5k", "1,2,3", "1_5"):
        path.write_text(f'deals = "{said}"\n[sweep]\n"search.copies" = [1, 2]\n')
        assert f"deals = {said}: write a whole number of deals" in run("explore", str(path)).err


def test_files_that_are_none(planted, tmp_path):
    assert f"There is no sweep file {tmp_path / 'none.toml'}" in run("explore", str(tmp_path / "none.toml")).err
    assert "holds no result" in run("explore", str(tmp_path)).err
    (tmp_path / "bytes.toml").write_bytes(b"\x80\xfe")
    (tmp_path / "wide.toml").write_text('set = "starship"', encoding="utf-16")
    assert "is UTF-16 text and should be UTF-8" in run("explore", str(tmp_path / "wide.toml")).err
    assert "is not UTF-8 text" in run("explore", str(tmp_path / "bytes.toml")).err
    assert "mixes is a family; write --family mixes." in run("explore", "mixes").err
    assert "one at a time" in run("explore", "sweep.toml", "--family", "mixes").err
    (tmp_path / "big.toml").write_text("#" * 1_000_001)
    with pytest.raises(UsageError, match="larger than"):
        read_sweep(tmp_path / "big.toml")


# --- what is found ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answer():
    """The curse's speed moves it to and from the planted speed 8; the copies of Expedition do nothing."""
    points = points_of({"curse.speed": [7, 8], "expedition.copies": [2, 3, 4]}, set="flying-garden")
    tables = [seated(PLANTED, printed("starship"), number, ["careful"], ["nobody", "turns"], 2000, 3) for number in (3, 4)]
    return explore_sweep(tables, points, PLANTED, 1)


def test_planted_effects_along_a_line_are_found(answer):
    assert [group.first.table.players for group in answer.groups] == [3, 4]
    for group in answer.groups:
        found = {(effect.name, effect.goal): effect for effect in group.effects}
        assert len(found) == (1 + 2) * 2
        planted_one = found["curse.speed = 8", "nobody"]
        assert planted_one.low <= NOBODY <= planted_one.high
        assert planted_one.n == 3
        assert group.is_worse(planted_one) is True
        for name in ("expedition.copies = 3", "expedition.copies = 4"):
            assert found[name, "nobody"].value == pytest.approx(0)
            assert found[name, "nobody"].n == 2
            assert group.is_worse(found[name, "nobody"]) is None
        assert group.lines == {"curse.speed": ["7", "8"], "expedition.copies": ["2", "3", "4"]}


def test_the_best_is_seen_again_on_fresh_shuffles(answer):
    for group in answer.groups:
        assert group.second.table.seed == fresh_seed(3)
        assert group.again(group.first.order[0]) is not None
        nobody = group.first.table.goals[0]
        assert not np.array_equal(group.second.values(nobody), group.first.values(nobody)[: len(group.second.rows)])


TEXT = 'set = "flying-garden"\nplayers = [2, 3]\nbots = [["careful"], ["strong", "random"]]\ndeals = "1k"\ngoals = ["nobody"]\n[sweep]\n"curse.speed" = [7, 8]\n'


def test_the_command(planted, tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text(TEXT)
    ran = run("explore", str(path), "--out", str(tmp_path / "kept"), "--threads", "1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("2 points of ") == 4
    assert f"Lost Legacy: 2 points of {path} · 2 players, all careful · 1,000 deals each · seed 1" in ran.out
    assert "3 players, strong, 2 x random" in ran.out
    assert "best with curse.speed = 7: " in next(line for line in ran.out.splitlines() if line.startswith("  nobody: "))
    assert "instead of curse.speed = 7" in ran.out
    kept = load_exploration(tmp_path / "kept", PLANTED)
    assert set(kept.looks) == {f"{look}-{number}" for look in ("first", "second") for number in range(1, 5)}
    assert list(kept.facts["points"]) == [{"curse.speed": "7"}, {"curse.speed": "8"}]
    found = json.loads(run("explore", str(path), "--json").out)
    assert (found["schema"], found["family"], len(found["groups"])) == ("llsim.explore/1", "sweep", 4)
    assert found["groups"][0]["points"][1]["values"] == {"curse.speed": "8"}
    rows = run("explore", str(path), "--csv").out.splitlines()
    assert rows[0].startswith("curse.speed,players,bots,goal,")
    assert len(rows) == 1 + 4 * 2


def test_what_is_typed_goes_before_the_file(planted, tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text(TEXT)
    ran = run("explore", str(path), "--players", "4", "--bots", "random", "--deals", "500", "--seed", "9", "--goal", "turns")
    assert "4 players, all random · 500 deals each · seed 9" in ran.out
    assert ran.out.count("points of") == 1
    assert "turns: came out best with" in ran.out
    assert "nobody" not in ran.out


def test_a_sweep_over_players_alone(planted, tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text('players = [2, 3]\ndeals = 300\ngoals = "turns"\n')
    ran = run("explore", str(path))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("1 point of") == 2
    assert "best with" not in ran.out
    plan = run("explore", str(path), "--dry-run", "--csv").out.splitlines()
    assert [row.split(",")[0] for row in plan] == ["players", "2", "3"]


def test_threads_change_nothing(planted, tmp_path):
    path = tmp_path / "sweep.toml"
    path.write_text(TEXT)
    one, two = (json.loads(run("explore", str(path), "--json", "--threads", threads).out)["groups"] for threads in ("1", "2"))
    assert one == two
