"""Bots and kinds with the same short name are told apart."""

import csv
import re
from dataclasses import replace
from io import StringIO

import pytest
from command_line import run

from lostlegacy_sim.cardset import make_set
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.studies.card_trials import find_card


def test_a_name_that_means_two_cards_is_refused():
    cards = [replace(card, name="Search") if card.id == "assault" else card for card in printed("starship").cards]
    card_set = make_set("own", "Own", cards, like=printed("starship"))
    with pytest.raises(UsageError, match="^Own has 2 cards 'Search'; name one by its id: search, assault.$"):
        find_card(card_set, "Search")
    assert [find_card(card_set, word) for word in ("search", "assault", "sneak attack", "Sneak-Attack")] == ["search", "assault", "sneak_attack", "sneak_attack"]


def test_kinds_of_one_name_are_never_two_equal_rows(tmp_path, monkeypatch):
    """Where a name stands for two kinds, each is shown with its id; all other names stay as they are."""
    monkeypatch.chdir(tmp_path)
    text = printed("starship").to_toml().replace('name = "Assault"', 'name = "Search"')
    (tmp_path / "own.toml").write_text(text.replace('name = "General"', 'name = "Sneak Attack\\u200b"'))
    table = ("--players", "2", "--bots", "random")
    balance = ("balance", "own.toml", *table, "--deals", "600", "--cards", "search,assault,sneak_attack")
    screen, story = run(*balance).out, run("replay", "--set", "own.toml", *table, "--knows", "turns", "--deal", "5").out
    data = list(csv.DictReader(StringIO(run(*balance, "--csv").out)))
    run(*balance, "--out", "kept")
    page = run("report", "kept", "-o", "page.html")
    assert (page.code, page.err) == (0, "")
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    for said in (screen, story, run("cards", "own.toml").out, html):
        said = " ".join(re.sub("<script.*?</script>", "", said, flags=re.S).split())
        assert re.findall(r".{30}Search(?! \().{20}", said) == []
        assert "Search (assault)" in said
        assert "Search (search)" in said
        assert re.search(r"Shadow Thief \([a-z]", said) is None
    assert {(row["card"], row["name"]) for row in data} >= {("search", "Search"), ("assault", "Search")}
