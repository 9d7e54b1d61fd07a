"""The section of a balance: a page, a chart and tables from the folder that `llsim balance` has kept."""

import csv
import io

from command_line import run
from test_cli_balance import FEW, ask


def test_out_is_a_result_that_report_shows(tmp_path):
    said = ask(*FEW, "--players", "2,3", "--out", str(tmp_path / "kept"))
    verdict = next(line for line in said.splitlines() if line.startswith("  Too strong") or "No text gives" in line).strip()
    listed = ask("report", str(tmp_path / "kept"), "--list")
    assert "  cards " in listed
    words = ask("report", str(tmp_path / "kept"), "--table", "cards_in_words")
    assert len(list(csv.DictReader(io.StringIO(words)))) == 18
    assert run("report", str(tmp_path / "kept"), "-o", str(tmp_path / "page.html")).code == 0
    page = (tmp_path / "page.html").read_text()
    assert page.index("The Starship: which card is too strong, because of its text?") < page.index("Does it matter where one sits?")
    assert verdict.split(".")[0] in page


def test_report_refuses_a_damaged_balance(tmp_path):
    ask(*FEW, "--effects", "blank", "--out", str(tmp_path / "kept"))
    (tmp_path / "kept" / "variants.npz").write_bytes(b"nothing")
    ran = run("report", str(tmp_path / "kept"), "--list")
    assert ran.code == 2
    assert "variants.npz is damaged" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_two_balances_on_one_page_do_not_share_a_name(tmp_path):
    for name, word in (("one", "starship"), ("two", "flying-garden")):
        ask("balance", word, *FEW[2:], "--effects", "blank", "--out", str(tmp_path / name))
    assert run("report", str(tmp_path / "one"), str(tmp_path / "two"), "-o", str(tmp_path / "page.html")).code == 0
    page = (tmp_path / "page.html").read_text()
    assert page.count('<section id="balance">') == page.count('<section id="balance-2">') == 1
    second = ask("report", str(tmp_path / "one"), str(tmp_path / "two"), "--table", "cards_in_words-2")
    assert "Curse's text" in second
