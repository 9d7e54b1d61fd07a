"""What others have written does no harm on any way out, lines up, and is read whatever mark it begins with."""

import csv
import json
import random
import subprocess
import tomllib
import unicodedata
from io import StringIO
from pathlib import Path

import pytest

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.letters import (
    as_cell,
    as_json,
    as_toml,
    command_line,
    decoded,
    harmless,
    padded,
    quoted,
    told_apart,
    width,
    wrapped,
)
from lostlegacy_sim.report.tables import Table

EVIL = "a\x1b[2J\x9b31m\x07\r\n\t\x7f\u202e\u2066\u200b\u200e\ufeff\u00ad\u2028\u061c\u3164\u2800\U000e0041\ufff9\ue000z"
UNSEEN = "\u034f\u115f\u1160\u17b4\u180b\u2060\u2800\u3164\ufe00\uffa0\U000e0100"


def test_nothing_moves_the_cursor_turns_the_writing_round_or_is_unseen():
    assert harmless(EVIL) == "a?[2J?31m" + "?" * (len(EVIL) - 10) + "z"
    assert harmless(UNSEEN) == "?" * len(UNSEEN)
    for code in range(0x110000):
        (char,) = harmless(chr(code)) if not 0xD800 <= code < 0xE000 else "?"
        assert char == "?" or unicodedata.category(char)[0] != "C", hex(code)
        assert char == "?" or unicodedata.category(char) not in ("Zl", "Zp"), hex(code)


@pytest.mark.parametrize("text", ["Café", "突撃 が", "a\u3000b", "5\u00a0%", "e\u0301", "שלום", "می\u200cخواهم", "⚔\ufe0f", "🏴\u200d☠\ufe0f", "👩🏽\u200d🚀", "█ · − ±"])
def test_what_people_write_stays_as_it_is(text):
    assert harmless(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "\ufe0fa", "⚔\ufe0f\ufe0f", "a\u200c", "🏴\u200d"])
def test_what_joins_nothing_is_shown(text):
    assert "?" in harmless(text)


def test_the_name_of_a_file_is_read_from_its_bytes():
    assert harmless("caf\udcc3\udca9") == "café"
    assert harmless("\udcff \ud800").count("\ufffd") > 1


def test_json_and_toml_say_the_same_and_show_nothing_harmful():
    document = {"name": EVIL + UNSEEN + "é日\udcff", "rows": [{"x": "\u202e"}]}
    text = as_json(document)
    assert json.loads(text) == document
    assert "\n".join(map(harmless, text.split("\n"))) == text
    toml = 'name = "a\x9b\u202e\u200b\U000e0041é"\n'
    assert tomllib.loads(as_toml(toml)) == tomllib.loads(toml)
    assert "\n".join(map(harmless, as_toml(toml).split("\n"))) == as_toml(toml)


@pytest.mark.parametrize("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", " =1", "＝1", "-", "-5 apples", "+4.88 ±0.48"])
def test_no_text_is_taken_for_a_formula(text):
    assert as_cell(text).startswith("'")


@pytest.mark.parametrize("cell", [-5, -0.25, 1e-9, None, "", "-0.25", "+1.88", "-1e-05", "+1.88 (+1.70 to +2.06)", "Search", "0.5", "a=b", "win_bot[-x]", "−0.07"])
def test_numbers_and_other_texts_stay_as_they_are(cell):
    assert as_cell(cell) is cell or as_cell(cell) == cell


def test_a_table_is_written_so():
    table = Table("x", ("=head", "low"), (("=1+1\x1b", -0.5), ("ok", None)))
    assert list(csv.reader(StringIO(table.to_csv()))) == [["'=head", "low"], ["'=1+1?", "-0.5"], ["ok", ""]]


def test_errors_do_no_harm_in_python_either():
    assert str(UsageError("no \x1b[2J\u202e")) == "no ?[2J?"


# --- commands -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["my run", "it's", 'say "x"', "$HOME", "`id`", "-rf", "--help", "~x", "a;b", "*", "a\\b", "\x1b[2J", "café", "\udcff", "\u202e", "!!", ""])
def test_a_command_can_be_pasted(name, tmp_path):
    line = command_line("printf", "%s.", Path(name) if name else name)
    assert harmless(line) == line
    said = subprocess.run(["bash", "-c", line], capture_output=True, check=True, env={"LC_ALL": "C"}).stdout
    assert said in [f"{start}{name}.".encode("utf-8", "surrogateescape") for start in ("", "./")]
    assert not said.startswith(b"-")


def test_only_what_needs_it_is_quoted():
    assert command_line("llsim", "report", Path("run1"), "-o", "page.html") == "llsim report run1 -o page.html"
    assert quoted("1=starship,6=x") == "1=starship,6=x"


# --- widths ---------------------------------------------------------------------------------------------


def test_wide_characters_take_two_columns_and_marks_none():
    assert [width(text) for text in ("Search", "突撃", "e\u0301", "a\u3000b", "\x1b", "⚔\ufe0f")] == [6, 4, 1, 4, 1, 2]
    assert [padded(text, 5) for text in ("ab", "突撃", "e\u0301")] == ["ab   ", "突撃 ", "e\u0301    "]


def test_folded_lines_are_no_wider_than_the_page():
    text = "Look at 突撃 hands " * 9 + "無" * 70 + " e\u0301" * 30
    lines = wrapped(text, 40, "  ", "    ")
    assert max(map(width, lines)) <= 40
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert min(map(width, lines[:-1])) > 20


def test_names_are_told_apart_by_what_differs():
    assert told_apart(["file:/x/a/my_bot.py", "file:/x/b/my_bot.py:7", "careful"], 16) == ["a/my_bot.py", "b/my_bot.py:7", "careful"]
    assert told_apart(["file:/x/a/my_bot.py", "file:/x/b/my_bot.py"], 16) == ["a/my_bot.py", "b/my_bot.py"]
    assert told_apart(["file:my_bot.py", "file:b/my_bot.py", r"file:C:\b\other.py"], 16) == ["my_bot.py", "b/my_bot.py", "other.py"]
    assert told_apart(["file:/x/a/my_bot.py", "file:/x/a/my_bot.py:7"], 16) == ["my_bot.py", "my_bot.py:7"]
    assert told_apart(["novice:slips=20:overlooks=10", "novice:slips=20:overlooks=11"], 16) == ["novice:sl…oks=10", "novice:sl…oks=11"]


def test_short_names_are_never_the_same():
    steady = random.Random(4)
    for _ in range(300):
        names = list({"/".join("".join(steady.choices("ab突", k=steady.randint(1, 9))) for _ in range(steady.randint(1, 3))) + ".py" for _ in range(5)})
        found = told_apart(names, steady.randint(4, 12))
        assert len(set(found)) == len(names)


# --- files ----------------------------------------------------------------------------------------------


def test_a_file_is_utf_8_with_a_mark_or_without():
    assert decoded("é = 1".encode()) == decoded("é = 1".encode("utf-8-sig")) == "é = 1"
    assert decoded(b"") == ""


@pytest.mark.parametrize(("encoding", "word"), [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"), ("utf-32", "UTF-32"), ("latin-1", "not UTF-8")])
def test_what_else_it_is_is_named(encoding, word):
    with pytest.raises(ValueError, match=word):
        decoded('name = "é"'.encode(encoding))
