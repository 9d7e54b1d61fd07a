"""Kept tournaments and ladders on a page: what is said and drawn is what the answers hold, and nothing is played for it."""

import csv
import io
import json

import pytest
from command_line import run
from page_reader import PageReader
from planted_bots import PLANTED

from lostlegacy_sim.cli import tournament as tournament_module
from lostlegacy_sim.report import shown as shown_module
from lostlegacy_sim.report.section import find_chart, find_table
from lostlegacy_sim.report.shown import shown_of
from lostlegacy_sim.studies.kept_tournaments import load_tournaments


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Kept tournaments of the planted bots."""
    home = tmp_path_factory.mktemp("tournaments")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament_module, "find_game", lambda name: PLANTED)
        patch.setenv("LLSIM_CACHE_DIR", str(home / "cache"))
        for name, words in (
            ("cup", ("--bots", "even,strong,equal", "--deals", "20k")),
            ("circle", ("--bots", "rock,paper,scissors", "--players", "2-3", "--deals", "20k")),
            ("ladder", ("--ladder", "--players", "2,4", "--set", "starship", "--set", "flying-garden", "--deals", "4k")),
            ("step", ("--ladder", "--bots", "even,strong", "--deals", "4k")),
        ):
            assert run("tournament", *words, "--threads", "1", "--out", str(home / name)).code == 0
    return home


@pytest.fixture(autouse=True)
def planted_deals(monkeypatch):
    """Pages of the planted game; nothing may be played."""
    monkeypatch.setattr(shown_module, "find_game", lambda name: PLANTED)

    def play_nothing(*_):
        raise AssertionError("something was played")

    monkeypatch.setattr("lostlegacy_sim.runner.Here.play", staticmethod(play_nothing))


@pytest.mark.parametrize(
    ("name", "sections", "charts"),
    [
        ("cup", ["matchups", "strength", "controls"], 1),
        ("circle", ["matchups", "strength", "controls"], 2),
        ("ladder", ["ladder"], 1),
        ("step", ["ladder"], 1),
    ],
)
def test_the_page_is_whole(folders, name, sections, charts):
    page = PageReader(shown_of([str(folders / name)]).html())
    assert page.faults == []
    assert len(page.ids) == len(set(page.ids))
    assert [one for one in page.ids if one in ("answers", *sections, "origin")] == ["answers", *sections, "origin"]
    assert page.counted["svg"] == charts
    assert page.fetched == []
    (manifest,) = json.loads(page.scripts[0][1])["results"]
    assert len(manifest["experiments"]) == sum(part["results"] for part in manifest["parts"])


def test_the_heatmap_shows_the_cells(folders):
    (found,) = load_tournaments(folders / "cup")
    table = find_chart(shown_of([str(folders / "cup")]).sections, "heatmap").table
    rows = {(row[0], row[1]): row[2:5] for row in table.rows}
    assert rows == {(found.bots[cell.one], found.bots[cell.others]): tuple(cell.advantage) for cell in found.cells}
    assert len(rows) == 6


def test_the_answers_are_those_of_the_screen(folders):
    page = PageReader(shown_of([str(folders / "cup")]).html()).text
    assert "strong is above par against every other bot" in page
    assert "strong surely has the highest rating" in page
    page = PageReader(shown_of([str(folders / "circle")]).html()).text
    words = " ".join(page.split())
    assert any(f"Cycles: {first} > {second} > {third} > {first}" in words for first, second, third in (
        ("rock", "scissors", "paper"), ("scissors", "paper", "rock"), ("paper", "rock", "scissors")))  # fmt: skip
    assert "Mirror matches are exactly at par, and doubling the deals has changed no verdict." in words
    page = PageReader(shown_of([str(folders / "ladder")]).html()).text
    assert "The Flying Garden · 4 players" in page
    assert "Depth at least 1 of 2" in page


def test_tables_hold_every_number(folders):
    found = load_tournaments(folders / "circle")
    table = find_table(shown_of([str(folders / "circle")]).sections, "ratings")
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert len(rows) == 6
    assert float(rows[0]["strength"]) == found[0].ratings[0].strength.value
    climbs = find_table(shown_of([str(folders / "ladder")]).sections, "climbs")
    assert len(climbs.rows) == 2 * 4


def test_a_picture_and_what_is_asked_beside(folders, tmp_path):
    ran = run("report", str(folders / "cup"), "--chart", "heatmap", "-o", str(tmp_path / "cup.svg"))
    assert (ran.code, ran.err) == (0, "")
    assert "<svg" in (tmp_path / "cup.svg").read_text()
    ran = run("report", str(folders / "cup"), str(folders / "step"), "-o", str(tmp_path / "page.html"))
    assert (ran.code, ran.out) == (2, "")
    assert "name it alone" in ran.err


def test_a_match_is_a_result_of_its_own(folders):
    ran = run("report", str(folders / "cup" / "6-strong-among-even"), "--list")
    assert (ran.code, ran.err) == (0, "")
    assert "seats" in ran.out
