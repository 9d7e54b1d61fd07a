"""Bots that packages bring along: found, listed, seated, kept with their hash, and refused with a sentence."""

import json
import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from command_line import run

import lostlegacy_sim.jit
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games.lost_legacy.bots.roster import find_bot
from lostlegacy_sim.installed import installed
from lostlegacy_sim.result import load_all

TUTOR = "from lostlegacy_sim.rng import below\n\n\ndef decide(cards, public, private, question):\n    return below(private, question.n)\n"
NEVER_RUN = "raise RuntimeError('a package was imported')\n"


def install(target: Path, entries: str, name: str = "tutor-bots", module: str = "tutor_bots", text: str = TUTOR) -> None:
    """Put a package with a bot and its entry points into a folder, as an installer does."""
    (target / module).mkdir(parents=True)
    (target / module / "__init__.py").write_text(NEVER_RUN)
    (target / module / "tutor.py").write_text(text)
    about = target / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[lostlegacy_sim.policies]\n{entries}\n")


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder packages are installed into; results of these tests are remembered elsewhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setattr(lostlegacy_sim.jit, "cache_home", lambda: tmp_path / "cache")
    installed.cache_clear()
    yield tmp_path / "packages"
    installed.cache_clear()


def refusal(words: str) -> str:
    with pytest.raises(BotError) as caught:
        find_bot(words)
    return str(caught.value)


def test_a_bot_of_a_package_plays_in_a_process_of_its_own(shell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(shell / "packages", "tutor = tutor_bots.tutor")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], str(shell / "packages")]))
    ran = subprocess.run("llsim bots && llsim simulate --bots tutor:3,random --players 2 --deals 200 --out kept -q", shell=True,
                         capture_output=True, text=True, timeout=600)  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "tutor      one number\n" in ran.stdout
    assert "from the package tutor-bots 1.0\n" in ran.stdout
    experiment = load_all(shell / "kept")[0].experiment
    assert experiment.bots == ("tutor:3", "random")
    assert experiment.bot_sources == (sha256(TUTOR.encode()).hexdigest(), "")


def test_the_list_says_which_package_a_bot_comes_from_and_what_is_wrong(target: Path) -> None:
    install(target, "tutor = tutor_bots.tutor\ncareful = tutor_bots.tutor")
    listed = json.loads(run("bots", "--json").out)
    assert "tutor" not in [bot["name"] for bot in listed["bots"]]
    assert [(bot["name"], bot["package"], bot["problem"] is None) for bot in listed["packages"]] == [
        ("careful", "tutor-bots 1.0", False), ("tutor", "tutor-bots 1.0", True)]  # fmt: skip
    assert "cannot be used: 'careful' is a built-in bot, and tutor-bots 1.0 brings another one" in " ".join(run("bots").out.split())


def test_a_name_clash_with_a_built_in_bot_is_refused_and_other_bots_are_not(target: Path) -> None:
    install(target, "careful = tutor_bots.tutor")
    assert refusal("careful").startswith("'careful' is a built-in bot, and tutor-bots 1.0 brings another one of that name; ")
    assert refusal("careful:memory=no") == refusal("careful:never=search") == refusal("careful")
    assert find_bot("random") == ("random", "")


def test_the_bot_is_checked_like_a_file_and_found_by_name(target: Path) -> None:
    install(target, "tutor = tutor_bots.tutor:decide")
    ran = run("bots", "--check", "tutor", "-q")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Legal: ")
    assert find_bot("tutor:7:never=search") == ("tutor:7:never=search", sha256(TUTOR.encode()).hexdigest())
    assert "Did you mean 'tutor'?" in refusal("tutr")
    assert "takes one whole number as its parameter" in refusal("tutor:x=1")


def test_a_kept_result_needs_the_bot_named_and_the_same(target: Path) -> None:
    install(target, "tutor = tutor_bots.tutor")
    assert run("simulate", "--bots", "tutor,random", "--players", "2", "--deals", "200", "--out", "kept", "-q").code == 0
    assert "To run it, add --bots tutor " in run("replay", "kept").err
    told = run("replay", "kept", "--bots", "tutor")
    assert (told.code, told.err) == (0, "")
    assert "Bots: seat 1 tutor, seat 2 random." in told.out
    (target / "tutor_bots" / "tutor.py").write_text(TUTOR + "\n")
    changed = run("replay", "kept", "--bots", "tutor")
    assert (changed.code, changed.out) == (2, "")
    assert "is not a file this result was played with" in changed.err
    (target / "tutor_bots-1.0.dist-info" / "entry_points.txt").unlink()
    installed.cache_clear()
    gone = run("replay", "kept", "--bots", "tutor")
    assert (gone.code, gone.out) == (2, "")
    assert gone.err == "This result was played with the bot 'tutor' of a package, which is not installed here; install it, or play anew.\n"


@pytest.mark.parametrize(("entries", "words", "said"), [
    ("tutor = nowhere_bots.tutor", "tutor", "tutor-bots 1.0 names the module nowhere_bots.tutor for the bot 'tutor', and there is no"),
    ("tutor = tutor_bots.teacher", "tutor", "tutor-bots 1.0 names the module tutor_bots.teacher for the bot 'tutor', and there is no"),
    ("tutor = tutor_bots.tutor:play", "tutor", "it must name a module with a function `decide`."),
    ("tu tor = tutor_bots.tutor", "tu tor", "the name of a bot is made of letters, digits, - and _."),
])  # fmt: skip
def test_an_entry_point_that_names_no_bot_is_refused(target: Path, entries: str, words: str, said: str) -> None:
    install(target, entries)
    assert said in refusal(words)


def test_two_packages_with_a_bot_of_one_name_are_refused(target: Path) -> None:
    install(target, "tutor = tutor_bots.tutor")
    install(target, "tutor = more_bots.tutor", "more-bots", "more_bots")
    assert refusal("tutor") == "Two packages bring a bot 'tutor': more-bots 1.0 and tutor-bots 1.0; uninstall one of them."


@pytest.mark.parametrize("line", ["from tutor_bots.more import better", "import tutor_bots", "from . import more"])
def test_a_bot_that_is_more_than_its_file_is_refused(target: Path, line: str) -> None:
    install(target, "tutor = tutor_bots.tutor", text=f"{line}\n{TUTOR}")
    assert refusal("tutor") == "The bot 'tutor' imports from its own package (line 1); a bot is one file."
