"""What changes between results, on a page and as a chart: the verdicts and the numbers of the comparison."""

import csv
import io

import pytest
from command_line import run
from stand_in import STAND_IN
from test_compare import ONE_STRONG, STRONG, WEAK, contrast_of, table_of

from lostlegacy_sim.cli import compare as compare_module
from lostlegacy_sim.cli import job as job_module
from lostlegacy_sim.games import find_game
from lostlegacy_sim.report import shown as shown_module
from lostlegacy_sim.report.changes import changes_section
from lostlegacy_sim.report.charts import picture
from lostlegacy_sim.studies.compare import compare
from lostlegacy_sim.studies.targets import read_margin


@pytest.fixture(autouse=True)
def stand_in_deals(monkeypatch, tmp_path_factory):
    """Deals of the stand-in, and a cache folder of its own."""
    for module in (compare_module, shown_module, job_module):
        monkeypatch.setattr(module, "find_game", lambda name: STAND_IN)
    last = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr("lostlegacy_sim.jit.cache_home", lambda: last)  # compiled code stays where it is


def test_a_section_says_and_shows_what_changes():
    found = compare([contrast_of(table_of(WEAK), table_of(STRONG))], margins=[read_margin("1pp")])
    section = changes_section(found)
    said = [one.sentence for one in section.answer]
    assert "differs: " in said[0]
    assert "nobody" in said[0]
    assert said[-1] == "The same 5,000 shuffles, differences taken batch by batch."
    (chart,) = section.charts
    assert chart.name == "changes"
    columns = chart.table.columns
    drawn = {row[0]: dict(zip(columns, row, strict=True)) for row in chart.table.rows}
    answers = {row[0]: row for row in section.tables[0].rows}
    for row in found[0].rows:
        assert drawn[row.question.name]["difference"] == row.verdict.interval.value
        assert drawn[row.question.name]["after"] == row.second.value
        assert row.verdict.word in answers[row.question.name]
    assert drawn["nobody"]["margin"] == 0.01
    assert drawn["turns"]["margin"] is None
    assert "<svg" in picture.to_svg(chart)


def test_several_comparisons_have_a_chart_each():
    first = table_of(WEAK, 4000)
    contrasts = [contrast_of(first, table_of(STRONG, 4000)), contrast_of(first, table_of(ONE_STRONG, 4000), letter="C")]
    section = changes_section(compare(contrasts))
    assert [chart.name for chart in section.charts] == ["changes-B", "changes-C"]
    assert len({said.label for said in section.answer}) == 2


def test_the_report_of_a_comparison_holds_its_verdicts(tmp_path):
    folder, words = str(tmp_path / "both"), ("bots=random,random,random,careful", "bots=strong,random", "--deals", "4k")
    asked = list(csv.DictReader(io.StringIO(run("compare", *words, "--csv", "--out", folder).out)))
    told = list(csv.DictReader(io.StringIO(run("report", folder, "--table", "verdicts").out)))
    assert told == asked
    assert run("report", folder, "--chart", "changes", "-o", str(tmp_path / "changes.svg")).code == 0
    assert "<title" in (tmp_path / "changes.svg").read_text(encoding="utf-8")


def test_a_page_holds_the_section(monkeypatch, tmp_path):
    for module in (compare_module, shown_module):
        monkeypatch.setattr(module, "find_game", find_game)  # the true rules
    monkeypatch.chdir(tmp_path)
    run("compare", "starship", "flying-garden", "--deals", "2k", "--out", "both")
    assert run("report", "both", "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'id="changes"' in page
    assert "differences taken batch by batch" in page


def test_other_numbers_of_players_are_side_by_side_only(tmp_path):
    run("simulate", "--deals", "2k", "--players", "3,4", "--out", str(tmp_path / "run1"))
    assert "changes" not in run("report", str(tmp_path / "run1"), "--list").out
