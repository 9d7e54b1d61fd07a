"""`llsim report`: which file it writes, what it lists, what it refuses, and that it plays nothing."""

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from command_line import run
from kept_results import answers, keep

import lostlegacy_sim.jit
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.result import load_all, remember


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder of results for two and three players."""
    folder = tmp_path_factory.mktemp("kept") / "several"
    keep(folder, (2, 3), ("careful", "random"), 1200)
    return folder


@pytest.fixture(autouse=True)
def work_folder(monkeypatch, tmp_path):
    """An empty folder to write into; the last result of these tests is remembered elsewhere."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(lostlegacy_sim.jit, "cache_home", lambda: tmp_path / "cache")


def ask(*words: str) -> str:
    ran = run("report", *map(str, words))
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def refused(*words: str) -> str:
    ran = run("report", *map(str, words))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    return ran.err


def test_a_page_is_written(kept, tmp_path):
    out = ask(kept, "-o", "page.html")
    assert out.startswith("page.html: ")
    text = (tmp_path / "work" / "page.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["page.html"]
    assert ask(kept, "-o", "quiet.html", "-q") == ""
    assert (tmp_path / "work" / "quiet.html").read_text(encoding="utf-8") == text  # the same result, the same page


def test_the_last_result_and_several_folders_share_a_page(kept, tmp_path):
    (result,) = keep(tmp_path / "other", (4,), deals=400, seed=9)
    remember([result])
    ask("last", tmp_path / "other", kept, "-o", "page.html")
    text = (tmp_path / "work" / "page.html").read_text(encoding="utf-8")
    for words in ("4 players", "2 players", "3 players", "careful", "seed 9", "result 1", "result 2"):
        assert words in text
    assert len(json.loads(text.split('id="manifest">')[1].split("</script>")[0])["results"]) == 4


def test_nothing_is_played(kept, monkeypatch):
    def refuse(*arguments):
        raise AssertionError("deals are played")

    monkeypatch.setattr(LegacyTable, "play", refuse)
    ask(kept, "-o", "page.html")
    with pytest.raises(AssertionError, match="deals are played"):  # playing would be seen
        run("simulate", "--deals", "32", "--threads", "1")


@pytest.mark.parametrize("name", ["seats", "bots", "ways", "lengths", "legacy"])
def test_single_charts(kept, tmp_path, name):
    ask(kept, "--chart", name, "-o", f"{name}.svg")
    ask(kept, "--chart", name, "-o", f"{name}.PNG")
    root = ElementTree.parse(tmp_path / "work" / f"{name}.svg").getroot()
    assert "The Starship · careful, others random · seed 1 · 1,200 deals each" in "".join(root.itertext())
    assert (tmp_path / "work" / f"{name}.PNG").read_bytes().startswith(b"\x89PNG")


def test_tables_are_csv(kept, tmp_path):
    out = ask(kept, "--table", "seats")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 5
    wanted = [row.rate.value for answer in answers(load_all(kept)) for row in answer.seats]
    assert [float(row["win_rate"]) for row in rows] == wanted
    ask(kept, "--table", "seats", "-o", "seats.csv")
    assert (tmp_path / "work" / "seats.csv").read_text() == out
    measures = list(csv.DictReader(io.StringIO(ask(kept, "--table", "measures"))))
    assert {row["result"] for row in measures} == {"2 players", "3 players"}


def test_the_list_names_what_can_be_asked_for(kept):
    out = ask(kept, "--list")
    found = json.loads(ask(kept, "--list", "--json"))
    assert found["schema"] == "llsim.report-list/1"
    assert [chart["name"] for chart in found["charts"]] == ["seats", "bots", "ways", "lengths", "legacy"]
    for table in found["tables"]:
        assert f"\n  {table['name']}" in out
        assert next(csv.reader(io.StringIO(ask(kept, "--table", table["name"])))) == table["columns"]


def test_nothing_is_overwritten_unless_asked_for(kept, tmp_path):
    (tmp_path / "work" / "page.html").write_text("mine")
    assert "page.html exists already; name another file, or add --force" in refused(kept, "-o", "page.html")
    assert (tmp_path / "work" / "page.html").read_text() == "mine"
    ask(kept, "-o", "page.html", "--force")
    assert (tmp_path / "work" / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "-o names the page to write: -o page.html."),
        (["-o", "page.pdf"], "-o page.pdf: a page is a file ending in .html."),
        (["-o", "none/page.html"], "There is no folder none to write page.html into."),
        (["--chart", "seat", "-o", "x.svg"], "--chart seat: this result has no such chart. Did you mean 'seats'? Valid: seats, bots, ways"),
        (["--chart", "forest", "-o", "x.svg"], "this result has no such chart."),
        (["--chart", "seats"], "-o names the picture to write; its ending is .svg or .png."),
        (["--chart", "seats", "-o", "x.html"], "its ending is .svg or .png."),
        (["--table", "measure"], "--table measure: this result has no such table. Did you mean 'measures'?"),
        (["--table", "seats", "-o", "x.html"], "a table is a file ending in .csv."),
        (["--table", "seats", "--chart", "seats", "-o", "x.svg"], "choose one"),
        (["--list", "-o", "x.html"], "--list prints; drop -o."),
        (["--json", "-o", "x.html"], "--json belongs to --list"),
    ],
)
def test_what_does_not_go_together_is_refused(kept, tmp_path, words, sentence):
    assert sentence in refused(kept, *words)
    assert list((tmp_path / "work").iterdir()) == []


def test_a_word_is_needed():
    assert "Missing argument 'RESULT...'" in refused("-o", "page.html")


def cut(folder):
    path = folder / "2-players" / "counts.npy"
    path.write_bytes(path.read_bytes()[:-100])


def edit(**changes):
    def spoil(folder):
        path = folder / "2-players" / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes))

    return spoil


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (cut, "counts.npy is damaged: it does not match the checksum"),
        (edit(schema="llsim.result/2"), "has the schema 'llsim.result/2'; this version reads 'llsim.result/1'"),
        (edit(deals=7), "its number of deals does not match its batches"),
        (edit(exemplars={}), "missing or not a whole number from 0 to 63 or null"),
        (lambda folder: (folder / "2-players" / "manifest.json").write_text('{"schema": "llsim.re'), "is not JSON"),
        (lambda folder: (folder / "results.json").unlink(), "holds no result: manifest.json is missing"),
        (lambda folder: (folder / "results.json").write_text('{"schema": "llsim.results/1", "results": ["../x"]}'), "missing or not a list of the folders beside it"),
    ],
)
def test_damaged_results_are_refused_and_leave_no_page(tmp_path, spoil, sentence):
    keep(tmp_path / "spoilt", (2, 3), deals=64)
    spoil(tmp_path / "spoilt")
    assert sentence in refused(tmp_path / "spoilt", "-o", "page.html")
    assert list((tmp_path / "work").iterdir()) == []


def test_results_that_are_not_there_are_refused(tmp_path):
    assert "There is no result folder nowhere" in refused("nowhere", "-o", "page.html")
    assert "There is no last result" in refused("last", "-o", "page.html")


def test_a_result_stopped_early_says_so(tmp_path):
    keep(tmp_path / "partial", (2,), deals=640)
    path = tmp_path / "partial" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    experiment = load_all(tmp_path / "partial")[0].experiment
    from dataclasses import replace

    longer = replace(experiment, deals=6400)
    assert longer.batch_blocks == experiment.batch_blocks
    path.write_text(json.dumps(manifest | {"experiment": longer.to_plain(), "experiment_hash": longer.hash, "status": "partial"}))
    ask(tmp_path / "partial", "-o", "page.html")
    assert "stopped after 640 of 6,400 deals" in (tmp_path / "work" / "page.html").read_text(encoding="utf-8")
