"""Bots are named by words with commas between them; a path with a comma in it stands in double quotes."""

import shlex
from pathlib import Path

import pytest
from command_line import run
from hypothesis import given
from hypothesis import strategies as st

from lostlegacy_sim.cli.options import read_bots
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.letters import listed, unlisted
from lostlegacy_sim.report.commands import simulate_line
from lostlegacy_sim.result import load_all

BOT = "def decide(cards, public, private, question):\n    return 0\n"
TABLE = ("--players", "2", "--deals", "40", "--threads", "1")


@given(st.lists(st.text(st.characters(blacklist_characters="\r", blacklist_categories=("Cs",)), min_size=1).filter(lambda word: word == word.strip()), min_size=1, max_size=4))
def test_every_list_of_words_is_read_back(words):
    assert unlisted(listed(words)) == words


@pytest.mark.parametrize("text", ["", " ", "a,", ",a", "a,,b", '"a', '"a"b', '""', "a\nb"])
def test_what_is_no_list_is_refused(text):
    with pytest.raises(UsageError, match="a path with a comma stands in double quotes"):
        read_bots(text)


def test_a_path_with_a_comma_is_named_everywhere(tmp_path, monkeypatch):
    import lostlegacy_sim as ll

    monkeypatch.chdir(tmp_path)
    Path("my,bot.py").write_text(BOT)
    for torn, right in (("my,bot.py", '"my,bot.py"'), ("random,my,bot.py:3,careful", 'random,"my,bot.py:3",careful')):
        ran = run("simulate", *TABLE, "--bots", torn)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"my,bot.py has a comma in its name, so it stands in double quotes: --bots '{right}'.")
    assert run("simulate", *TABLE, "--bots", 'random, "my,bot.py"', "--out", "kept").code == 0
    assert run("compare", "bots=random", 'bots="my,bot.py"', *TABLE).code == 0
    asked = run("replay", "kept", "--deal", "3")
    assert asked.code == 2
    assert """--bots '"my,bot.py"'""" in asked.err
    assert run("replay", "kept", "--deal", "3", "--bots", '"my,bot.py"').code == 0
    again = shlex.split(simulate_line(load_all(Path("kept"))[0].experiment))
    assert read_bots(again[again.index("--bots") + 1]) == ("random", "file:my,bot.py")
    left = run("play", "--players", "2", "--bots", '"my,bot.py"', said="")
    line = next(line for line in left.out.splitlines() if "llsim play" in line)
    assert unlisted(shlex.split(line)[shlex.split(line).index("--bots") + 1]) == ["my,bot.py"]
    assert ll.simulate(players=2, bots='random,"my,bot.py"', deals=40).result.experiment.bots == ("random", "file:my,bot.py")


def test_words_that_are_bots_are_a_line_up_whatever_files_there_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py", "a.py,b.py"):
        Path(name).write_text(BOT)
    assert read_bots("a.py,b.py") == ("a.py", "b.py")
    assert read_bots('"a.py,b.py"') == ("a.py,b.py",)
