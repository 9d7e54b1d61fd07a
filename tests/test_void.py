"""Nothing to count: every deal is void, or nobody ever wins, or some tables are so. A sentence says it; no traceback, no nan."""

import importlib
import json
import pkgutil
import re

import numpy as np
import pytest
from card_files import stones
from command_line import run
from page_reader import PageReader
from void_game import NOBODY, SOME, VOID

import lostlegacy_sim
from lostlegacy_sim import notebook

GAMES = {"void": VOID, "nobody": NOBODY, "some": SOME}
ENDLESS = stones("endless", 'play = [{ do = "move", card = "self", to = "deck" }]\n')
SWEEP = """set = "starship"
players = 3
bots = [["careful"], ["random"]]
deals = "400"
goals = ["nobody", "seat_gap", "turns"]
[sweep]
"search.copies" = [2, 3]
"""
COMPARE = ("compare", "starship", "flying-garden", "--deals", "400")
CUP = ("tournament", "--bots", "hunter,careful,random", "--deals", "400")
LADDER = ("tournament", "--ladder", "--bots", "random,careful,hunter", "--deals", "400")
BALANCE = ("balance", "starship", "--cards", "search,assault", "--deals", "400")
SIMULATE = ("simulate", "--players", "2-3", "--deals", "400")
GUIDELINES = ("explore", "--family", "guidelines", "--members", "4", "--deals", "16")
SWEPT = ("explore", "sweep.toml")
QUESTIONS = {
    "simulate": (*SIMULATE, "-v", "--campaign"),
    "mixed": ("simulate", "--bots", "hunter,careful", "--deals", "400"),
    "few": ("simulate", "--deals", "5"),
    "luck": ("simulate", "--bots", "random", "--deals", "400", "--luck", "2"),
    "until": ("simulate", "--deals", "1k", "--until", "turns +/- 0.1", "--require", "nobody < 5%"),
    "levels": ("simulate", "--ladder", "--bots", "random,careful", "--deals", "400"),
    "compare": (*COMPARE, "--require", "nobody < 5%", "--margin", "1pp", "-v"),
    "compare players": ("compare", "players=2", "players=3", "--deals", "40"),
    "compare until": (*COMPARE, "--until", "seat_gap +/- 1pp"),
    "compare levels": (*COMPARE, "--ladder", "--bots", "random,careful"),
    "tournament": CUP,
    "ladder": LADDER,
    "balance": BALANCE,
    "sweep": SWEPT,
    "guidelines": GUIDELINES,
}
FORMS = ((), ("--json",), ("--csv",))
KEPT = {"simulate": SIMULATE, "compare": COMPARE, "tournament": CUP, "ladder": LADDER, "balance": BALANCE, "sweep": SWEPT, "guidelines": GUIDELINES}
NO_NUMBER = re.compile(r"\b(nan|NaN|inf|Infinity)\b")


def modules():
    """All modules that look for a game."""
    for package in (lostlegacy_sim, notebook):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.startswith(("lostlegacy_sim.cli", "lostlegacy_sim.notebook", "lostlegacy_sim.report")):
                module = importlib.import_module(found.name)
                if hasattr(module, "find_game"):
                    yield module


@pytest.fixture(params=GAMES)
def planted(request, monkeypatch, tmp_path):
    """One of the tables at which there is nothing to count, everywhere; a folder and a cache of its own."""
    for module in modules():
        monkeypatch.setattr(module, "find_game", lambda name: GAMES[request.param])
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    return request.param


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_without_numbers_is_a_sentence(planted, question):
    for form in FORMS:
        ran = run(*QUESTIONS[question], "--threads", "1", *form)
        assert ran.code in (0, 3, 4), ran.err
        assert not NO_NUMBER.search(ran.out + ran.err)
        if form == ("--json",):
            json.loads(ran.out)
        if not form and planted == "void":
            assert re.search(r"No (deal|set|number)\b.* (counts|number)", ran.out.replace("\n   ", "")), ran.out


@pytest.mark.parametrize("question", KEPT)
def test_a_page_without_numbers_says_so(planted, question, tmp_path):
    assert run(*KEPT[question], "--threads", "1", "--out", "kept").code == 0
    ran = run("report", "kept", "-o", "page.html")
    assert (ran.code, ran.err) == (0, "")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    reader = PageReader(page)
    assert reader.faults == []
    said = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not NO_NUMBER.search(re.sub(r"<[^>]*>", " ", said))
    if planted == "void":
        assert re.search(r"No (deal|set)\b", said)


def test_a_set_whose_every_card_goes_back_to_the_deck_never_ends(monkeypatch, tmp_path):
    """A real one; the hint that follows names a deal that can be told."""
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("lostlegacy_sim.jit.cache_home", lambda: tmp_path)
    (tmp_path / "endless.toml").write_text(ENDLESS)
    out = run("simulate", "--set", str(tmp_path / "endless.toml"), "--players", "2", "--bots", "random", "--deals", "40", "--threads", "1", "--campaign").out
    assert out.count("No deal counts: all 40 passed the bound on turns, so nothing can be told of them.") == 1
    assert "Next: llsim replay last ·" in out
    assert run("replay", "last").code == 0


def test_of_several_tables_those_that_count_are_answered(monkeypatch, tmp_path):
    """The Starship has a Search, the Flying Garden has none, and no deal of it ever ends."""
    for module in modules():
        monkeypatch.setattr(module, "find_game", lambda name: SOME)
    monkeypatch.setenv("LLSIM_CACHE_DIR", str(tmp_path / "cache"))
    out = run(*COMPARE, "--threads", "1").out
    assert "No deal of B counts: all 400 passed the bound on turns" in out
    assert "No deal of A" not in out
    out = run(*CUP, "--threads", "1").out
    assert "No deal counts in 4 of 6 matches: all passed the bound on turns" in out
    assert "+0.00 ±" in out


def test_python_says_it_too(planted):
    import lostlegacy_sim as ll

    found = ll.simulate(deals=400, threads=1)
    assert all(isinstance(sentence, str) and not NO_NUMBER.search(sentence) for sentence in found.verdicts)
    assert not NO_NUMBER.search(str(found))
    assert len(found.table("seats"))
    if planted == "void":
        assert found.verdicts == ["No deal counts: all 400 passed the bound on turns, so nothing can be told of them."]
        assert np.isnan(found["turns"].value)
    for other in (ll.compare("starship", "flying-garden", deals=400, threads=1), ll.tournament(bots=["careful", "random"], deals=400, threads=1),
                  ll.balance("starship", cards=["search"], deals=400, threads=1)):  # fmt: skip
        assert not NO_NUMBER.search(str(other))
