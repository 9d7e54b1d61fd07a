"""Names in wide characters take the place of as many narrow ones, in every table and every folded line."""

import re

import pytest
from command_line import run

from lostlegacy_sim.games.lost_legacy.cards import composition

BOT = "def decide(cards, public, private, question):\n    return 0\n"
NARROW = {"突撃": "abcd", "船": "qz"}  # wide characters, and as many columns of narrow ones
TABLE = ("--players", "2", "--deals", "400", "--threads", "1", "-q")
ANSWERS = {
    "simulate": ["simulate", "--set", "船.toml", *TABLE, "--bots", "突撃.py,random", "-v", "--campaign"],
    "compare": ["compare", "bots=random,突撃.py", "bots=突撃.py,random", *TABLE, "-v"],
    "balance": ["balance", "船.toml", *TABLE, "--bots", "random", "--cards", "search,assault"],
    "balance, sentences": ["balance", "船.toml", *TABLE, "--bots", "random", "--effects", "swap,copy,one"],
    "tournament": ["tournament", *TABLE, "--bots", "random,突撃.py"],
    "ladder": ["tournament", *TABLE, "--bots", "random,突撃.py", "--ladder"],
    "levels": ["simulate", *TABLE, "--bots", "random,突撃.py", "--ladder"],
    "levels of cards": ["balance", "船.toml", *TABLE, "--bots", "random,突撃.py", "--ladder", "--cards", "search"],
    "sweep": ["explore", "船-sweep.toml"],
    "replay": ["replay", "--set", "船.toml", "--players", "2", "--bots", "突撃.py", "--knows", "turns"],
    "cards": ["cards", "船.toml", "-q"],
}


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with sets and bots of wide names, and the same with narrow ones."""
    folder = tmp_path_factory.mktemp("wide")
    text = (
        composition.printed("starship")
        .to_toml()
        .replace('name = "Search"', 'name = "突撃 突撃突撃"')
        .replace('name = "Assault"', 'name = "突撃"')
    )
    sweep = 'set = ["starship", "船.toml"]\ngoals = ["turns", "nobody"]\nplayers = 2\ndeals = 80\nbots = ["random"]\n[sweep]\n"search.copies" = [2, 3]\n'
    for change in (str, narrow):
        (folder / change("船.toml")).write_text(change(text), encoding="utf-8")
        (folder / change("船-sweep.toml")).write_text(change(sweep), encoding="utf-8")
        (folder / change("突撃.py")).write_text(BOT)
    return folder


def narrow(text):
    for wide, others in NARROW.items():
        text = text.replace(wide, others)
    return text


@pytest.mark.parametrize("name", ANSWERS)
def test_a_wide_name_takes_the_place_of_as_many_narrow_letters(name, here, monkeypatch):
    monkeypatch.chdir(here)
    wide = run(*ANSWERS[name])
    plain = run(*map(narrow, ANSWERS[name]))
    assert (wide.code, wide.err) == (plain.code, plain.err) == (0, "")
    assert any(word in wide.out for word in NARROW)
    said, expected = (re.sub("(finished|seconds|experiment) .*", "", out).split("\n") for out in (narrow(wide.out), plain.out))
    assert said == expected
