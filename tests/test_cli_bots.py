"""`llsim bots`: the list, and the check of a file."""

import json
from pathlib import Path

import pytest
from command_line import run

BOTS = ["random", "careful", "hunter", "novice", "trained", "belief", "playout", "ismcts"]
RANDOM = """from lostlegacy_sim.rng import below


def decide(cards, public, private, question):
    return below(private, question.n)
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A legal bot in the working folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bot.py"
    file.write_text(RANDOM)
    return file


def test_the_list_holds_every_bot_and_its_parameters() -> None:
    ran = run("bots")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()[2:-2] if not line.startswith(" ")] == [*BOTS, "my_bot.py"]
    assert "careful    memory=yes|no\n" in ran.out
    assert "Next: llsim simulate --bots careful,random" in ran.out
    assert "Next:" not in run("bots", "--quiet").out
    listed = json.loads(run("bots", "--json").out)
    assert listed["schema"] == "llsim.bots/1"
    assert [row["name"] for row in listed["bots"]] == BOTS
    assert listed["bots"][1]["parameters"]["memory"]["values"] == ["yes", "no"]


def test_a_legal_file_passes_and_it_is_said_what_it_has_proved(bot: Path) -> None:
    ran = run("bots", "--check", "bot.py")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n  yes  ") + ran.out.startswith("  yes  ") == 7
    assert "questions in 300 deals of starship, flying-garden, megamix: every answer is an option" in ran.out
    assert "\nLegal: bot.py (SHA-256 " in ran.out
    assert ran.out.endswith("Next: llsim simulate --bots bot.py,random\n")
    assert run("bots", "--check", "bot.py", "-q").out.startswith("Legal: bot.py")
    document = json.loads(run("bots", "--check", "bot.py", "--json").out)
    assert (document["schema"], document["verdict"], document["problem"]) == ("llsim.check/1", "legal", None)
    assert document["proved"]["asked"] == ["choose", "exchange", "look", "name", "play", "reveal", "shuffle"]


def test_a_bad_file_is_refused_with_exit_code_2(bot: Path) -> None:
    bot.write_text("def decide(cards, public, private, question):\n    return -1\n")
    said = "bot.py: asked 'play' in deal 0, turn 1, `decide` returns -1; the options are 0 to 1."
    ran = run("bots", "--check", "bot.py")
    assert (ran.code, ran.out, ran.err) == (2, "", said + "\n")
    ran = run("bots", "--check", "bot.py", "--json")
    assert (ran.code, json.loads(ran.out)["problem"], ran.err) == (2, said, said + "\n")


def test_a_file_sits_at_the_table(bot: Path) -> None:
    ran = run("simulate", "--bots", "bot.py,careful", "--players", "2", "--deals", "2k", "--quiet")
    assert (ran.code, ran.err) == (0, "")
    assert "file:bot.py" in ran.out
