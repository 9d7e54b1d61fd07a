"""Kept explorations on a page: what is said and drawn is what the answers hold, and nothing is played for it."""

import csv
import io
import json
import re
from functools import cache

import pytest
from command_line import run
from page_reader import PageReader
from planted_game import PLANTED

from lostlegacy_sim.cli import explore as explore_module
from lostlegacy_sim.report import exploration_page, guidelines_screen
from lostlegacy_sim.report import shown as shown_module
from lostlegacy_sim.report.section import all_tables, find_chart
from lostlegacy_sim.report.shown import shown_of
from lostlegacy_sim.studies.families import GUIDELINES
from lostlegacy_sim.studies.kept_answers import answer_of
from lostlegacy_sim.studies.kept_looks import load_exploration

SWEEP = 'players = [2, 3]\ndeals = 400\ngoals = ["nobody", "turns"]\n[sweep]\n"search.copies" = "2..4"\n"assault.copies" = [2, 3]\n'
GOALS = ("--goal", "seat_gap", "--goal", "nobody", "--goal", "turns")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Three kept explorations of the planted game."""
    home = tmp_path_factory.mktemp("explored")
    (home / "sweep.toml").write_text(SWEEP)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explore_module, "find_game", lambda name: PLANTED)
        patch.setenv("LLSIM_CACHE_DIR", str(home / "cache"))
        for name, words in (
            ("mixes", ("--family", "mixes", "--deals", "400", "--top", "4", *GOALS)),
            ("guidelines", ("--family", "guidelines", "--members", "8", "--deals", "400", *GOALS)),
            ("sweep", (str(home / "sweep.toml"),)),
        ):
            assert run("explore", *words, "--threads", "1", "--out", str(home / name)).code == 0
    return home


@pytest.fixture(autouse=True)
def planted_deals(monkeypatch):
    """Pages of the planted game."""
    monkeypatch.setattr(shown_module, "find_game", lambda name: PLANTED)

    def play_nothing(*_):
        raise AssertionError("something was played")

    monkeypatch.setattr("lostlegacy_sim.studies.look.play_surveys", play_nothing)


@cache
def answer(folders, name):
    return answer_of(load_exploration(folders / name, PLANTED))


@cache
def page_of(folders, name):
    return shown_of([str(folders / name)])


def chart_rows(folders, name, chart):
    table = find_chart(page_of(folders, name).sections, chart).table
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.mark.parametrize(
    ("name", "sections", "charts"),
    [("mixes", ["mixes", "choices"], 2), ("guidelines", ["guidelines"], 1), ("sweep", ["sweep"], 1)],
)
def test_the_page_is_whole(folders, name, sections, charts):
    shown = page_of(folders, name)
    page = PageReader(shown.html())
    assert page.faults == []
    assert len(page.ids) == len(set(page.ids))
    assert [one for one in page.ids if one in ("answers", *sections, "origin")] == ["answers", *sections, "origin"]
    assert page.counted["svg"] == charts
    assert page.cells_without_scope == 0
    assert all(len({len(row) for row in table}) == 1 for table in page.tables)
    (manifest,) = json.loads(page.scripts[0][1])["results"]
    assert manifest["family"] == name
    names = [table.name for table in all_tables(shown.sections)]
    assert len(names) == len(set(names))


def test_the_map_shows_the_best_where_they_were_seen_again(folders):
    found = answer(folders, "mixes")
    rows = chart_rows(folders, "mixes", "composition")
    assert len(rows) == 512
    seat_gap, nobody, _ = found.first.table.goals
    for place in found.best[:3]:
        again = found.again(place)
        (row,) = (row for row in rows if row["mix"] == found.first.played[place].id.removeprefix("mix-"))
        assert row["kind"] == "best mixes"
        assert row["seat_gap"] == found.second.estimate(seat_gap, again).value
        assert row["nobody"] == found.second.estimate(nobody, again).value
        assert row["nobody"] != found.first.estimate(nobody, place).value
    assert sum(row["kind"] == "printed sets" for row in rows) == 2


def test_effects_are_those_of_the_answer_and_better_is_what_the_goal_wishes(folders):
    found = answer(folders, "mixes")
    rows = chart_rows(folders, "mixes", "choices")
    assert [(row["change"], row["low"], row["high"]) for row in rows] == [(effect.value, effect.low, effect.high) for effect in found.effects]
    planted = {(row["choice"][0], row["goal"]): row["verdict"] for row in rows}
    assert planted["8", "nobody"] == "worse"  # more deals that nobody wins
    assert planted["6", "turns"] == "better"  # longer deals
    assert planted["2", "nobody"] == "not told apart"


def test_every_family_stands_under_what_it_breaks(folders):
    found = answer(folders, "guidelines")
    rows = chart_rows(folders, "guidelines", "breaks")
    assert len(rows) == len(found.families) * 3
    for row, effect in zip(rows, found.effects, strict=True):
        family = next(family for family in found.families if family.name == effect.name)
        assert row["way"] == family.about
        assert row["broken"].startswith(f"Breaks {family.breaks[0]} (" if family.breaks else "Legal, but of one set")
        assert row["change"] == pytest.approx(effect.value)
        assert {"worse": True, "better": False, "not told apart": None}[row["verdict"]] == found.is_worse(effect)


def test_the_guidelines_are_told_in_the_words_of_the_chart(folders):
    found = answer(folders, "guidelines")
    told = [said.sentence for said in page_of(folders, "guidelines").sections[0].answer]
    screen = [guidelines_screen.verdict(found, guideline) for guideline in GUIDELINES] + [guidelines_screen.one_set_verdict(found)]
    assert len(told) == len(screen)
    assert any("“turns of a deal” " in sentence for sentence in told)
    for sentence, line in zip(told, screen, strict=True):
        assert re.findall(r"[-+]\d+\.\d+", sentence) == re.findall(r"[-+]\d+\.\d+", line)
        assert not any(re.search(rf" in {family.name}[;.]", sentence) for family in found.families)
        assert not any(f"{goal.name} +" in sentence or f"{goal.name} -" in sentence for goal in found.look.table.goals)


def test_a_sweep_has_a_line_for_every_table_and_other_field(folders):
    found = answer(folders, "sweep")
    rows = chart_rows(folders, "sweep", "sweep")
    assert len(rows) == 2 * 6 * 2
    assert {row["line"] for row in rows} == {f"{players} players, all careful, assault.copies = {copies}" for players in (2, 3) for copies in (2, 3)}
    group = found.groups[1]
    (goal, _) = group.first.table.goals
    for place, point in enumerate(group.played):
        values = dict(point.values)
        (row,) = (row for row in rows if (row["line"], row["search.copies"], row["goal"])
                  == (f"3 players, all careful, assault.copies = {values['assault.copies']}", values["search.copies"], "nobody"))  # fmt: skip
        assert row["value"] == group.first.estimate(goal, place).value


def test_the_command_on_the_page_asks_the_same_again(folders):
    for name in ("mixes", "guidelines"):
        exploration = load_exploration(folders / name, PLANTED)
        look = exploration.looks["first"]
        words = [*map(str, exploration_page.again_words(exploration)), *exploration_page.table_words(look.table)]
        plans = json.loads(run("explore", *words, "--dry-run", "--json").out)["plans"]
        assert plans[0]["table"] == look.table.to_plain()


def test_charts_and_tables_of_explorations_by_name(folders, tmp_path):
    for name, chart in (("mixes", "choices"), ("guidelines", "breaks"), ("sweep", "sweep")):
        folder = str(folders / name)
        assert run("report", folder, "--chart", chart, "-o", str(tmp_path / f"{name}.png")).code == 0
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        table = find_chart(page_of(folders, name).sections, chart).table
        assert next(csv.reader(io.StringIO(run("report", folder, "--table", chart).out))) == list(table.columns)
    listed = json.loads(run("report", folder, "--list", "--json").out)
    assert [one["name"] for one in listed["charts"]] == ["sweep"]
    assert [one["name"] for one in listed["tables"]] == ["sweep", "changes", "points"]


def test_an_exploration_is_shown_alone(folders):
    ran = run("report", str(folders / "mixes"), str(folders / "sweep"), "-o", "page.html")
    assert (ran.code, ran.err) == (2, f"{folders / 'mixes'} answers a question of its own and has a page of its own; name it alone.\n")


def test_a_damaged_exploration_is_a_sentence(folders, tmp_path):
    import shutil

    shutil.copytree(folders / "mixes", tmp_path / "mixes")
    manifest = json.loads((tmp_path / "mixes" / "manifest.json").read_text())
    for change in ({"schema": "llsim.exploration/9"}, {"facts": {}}, {"counts_sha256": "0"}):
        (tmp_path / "mixes" / "manifest.json").write_text(json.dumps(manifest | change))
        ran = run("report", str(tmp_path / "mixes"), "-o", str(tmp_path / "page.html"))
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert not (tmp_path / "page.html").exists()


def test_too_few_deals_break_nothing(tmp_path, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(explore_module, "find_game", lambda name: PLANTED)
    monkeypatch.setattr(shown_module, "find_game", lambda name: PLANTED)
    (tmp_path / "one.toml").write_text('players = [2, 4]\ndeals = 1\nset = "starship"\n[sweep]\n"search.copies" = [1, 2]\n')
    for name, words in (("guidelines", ("--family", "guidelines", "--members", "4", "--deals", "1")), ("sweep", (str(tmp_path / "one.toml"),))):
        assert run("explore", *words, "--out", str(tmp_path / name), "--threads", "1").code == 0
        text = shown_of([str(tmp_path / name)]).html()
        assert PageReader(text).faults == []
        assert "nan" not in PageReader(text).text.split()
