"""The command line as a whole: help, versions, wrong words, pipes, and how errors leave it."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_line import run

from lostlegacy_sim import __version__
from lostlegacy_sim.cli import COMMANDS, GROUPS, options
from lostlegacy_sim.errors import UsageError


def process(*words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "lostlegacy_sim", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=os.environ | (env or {}), timeout=60)  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_help_and_begins_its_own_with_examples(name: str) -> None:
    entry = COMMANDS[name]
    assert entry.group in GROUPS
    assert f"\n  {name} " in run("--help").out
    module, _, attribute = entry.target.partition(":")
    assert getattr(importlib.import_module(module), attribute).name == name
    for word in ("--help", "-h"):
        ran = run(name, word)
        assert ran.code == 0
        assert ran.out.startswith(f"Examples:\n  llsim {name}")
        assert f"Usage: llsim {name} " in ran.out


def test_the_bare_word_prints_the_help() -> None:
    assert run() == run("--help") == run("-h")
    assert run().out.startswith("Examples:\n  llsim ")


def test_version_names_what_a_result_depends_on() -> None:
    words = run("--version").out.split(" · ")
    assert words[0] == f"lostlegacy_sim {__version__}"
    assert [word.split()[0] for word in words] == ["lostlegacy_sim", "numba", "numpy", "Python"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["card"], "llsim: There is no command 'card'. Did you mean 'cards'? Valid: "),
        (["--verson"], "llsim: No such option '--verson'. Did you mean '--version'?"),
        (["cards", "--jsn"], "llsim cards: No such option '--jsn'. Did you mean '--json'?"),
    ],
)
def test_wrong_words_name_the_nearest_valid_one(words: list[str], said: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


def test_a_process_leaves_with_the_exit_code_and_one_sentence() -> None:
    ran = process("cards", "nothing.toml")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("There is no card file nothing.toml.")
    assert ran.stderr.count("\n") == 1
    assert process("validate", "megamix").returncode == 3


def test_a_reader_who_has_seen_enough_gets_no_noise() -> None:
    command = [sys.executable, "-m", "lostlegacy_sim", "cards", "megamix", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        writer.stdout.close()  # before anything is written
        assert writer.stderr.read() == b""


def test_no_colours_in_a_pipe() -> None:
    assert "\x1b" not in process("cards", "starship").stdout


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command("cards")
    def cards() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("lostlegacy_sim.cli.cards.cards", cards)
    with pytest.raises(ZeroDivisionError):
        run("cards")


def test_the_interrupt_key_leaves_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command("cards")
    def cards() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lostlegacy_sim.cli.cards.cards", cards)
    assert run("cards")[0] == 130


# --- the words of shared options -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"), [("4", (4,)), ("2-4", (2, 3, 4)), ("2,4", (2, 4)), ("6, 2-3", (2, 3, 6)), ("3,3", (3,))]
)
def test_players(text: str, numbers: tuple[int, ...]) -> None:
    assert options.read_players(text) == numbers


@pytest.mark.parametrize("text", ["", "1", "7", "4-2", "2-7", "a", "2-", "-3", "2,,3", "2 3", "٤"])
def test_wrong_players(text: str) -> None:
    with pytest.raises(UsageError, match=f"--players {text}: write a number from 2 to 6, a range such as 2-4 or a list such as 2,4."):
        options.read_players(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("5000", 5000), ("200k", 200_000), ("1.5m", 1_500_000), ("1e6", 10**6), ("1_000_000", 10**6), ("1,000,000", 10**6),
     ("2M", 2 * 10**6), ("3g", 3 * 10**9), ("1e12", 10**12), ("1,500", 1500), ("1_500", 1500), (" 1500 ", 1500), ("1.5k", 1500), ("1.001k", 1001)],
)  # fmt: skip
def test_deals(text: str, number: int) -> None:
    assert options.read_deals(text) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [("0", "play at least 1"), ("1e13", "at most 1,000,000,000,000 deals."), ("1e400", "play at least 1"), ("0.5", "play at least 1"),
     ("1.5", "not a whole number"), ("-5", "write a whole number"), ("many", "write a whole number"), ("nan", "write a whole number"),
     ("", "write a whole number"), ("1e999", "play at least 1"), ("1,5k", "write a whole number"), ("1,2,3", "write a whole number"),
     ("1,500k", "write a whole number"), ("1,50", "write a whole number"), ("1_5", "write a whole number"), ("1,500_000", "write a whole number"),
     ("1.500", "not a whole number"), ("٣", "write a whole number"), ("1,,500", "write a whole number")],
)  # fmt: skip
def test_wrong_deals(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"--deals {text}: .*{said}"):
        options.read_deals(text)


def test_seeds_threads_and_bots() -> None:
    assert (options.read_seed("0"), options.read_seed("9223372036854775807")) == (0, 2**63 - 1)
    assert options.read_seed("new") != options.read_seed("new")
    assert (options.read_threads("8"), options.read_bots("careful, my_bot.py")) == (8, ("careful", "my_bot.py"))
    assert options.usable_cores() >= 1
    for text in ("9223372036854775808", "-1", "1.5", "x", "", "٣"):
        with pytest.raises(UsageError, match=f"--seed {text}: write a whole number from 0 to {2**63 - 1}, or the word new."):
            options.read_seed(text)
    assert (options.read_seed("1,234,567"), options.read_threads("1_024")) == (1_234_567, 1024)
    for text in ("0", "1025", "99999", "two", "1,5", "1_0", "٣"):
        with pytest.raises(UsageError, match=f"--threads {text}: write a whole number from 1 to 1024."):
            options.read_threads(text)
    with pytest.raises(UsageError, match="write bots separated by commas"):
        options.read_bots("careful,,random")


@pytest.mark.parametrize("words", ["simulate --luck 1,5", "simulate --luck 1_0", "explore --family mixes --top 1,0", "explore --family guidelines --members ٣٢", "replay --deal 1,2",
                                   "play --deal 1.0", "compare starship megamix --margin 0,5pp", "simulate --until nobody+/-0,5pp", "simulate --require nobody<0,5",
                                   "explore --family mixes --goal turns=8,5", "verify last --share 0,5", "simulate --part 1,0/4", "simulate --bots playout:1_000",
                                   "simulate --players 2,,4"])  # fmt: skip
def test_a_number_that_might_be_read_in_two_ways_is_refused(words: str) -> None:
    ran = run(*words.split())
    assert (ran.code, ran.out) == (2, ""), ran


@pytest.mark.parametrize(
    ("words", "expected"),
    [("llsim sim", "plain,simulate"), ("llsim simulate --pl", "plain,--players"), ("llsim simulate --set mega", "plain,megamix")],
)
def test_the_shell_completes_commands_options_and_sets(words: str, expected: str) -> None:
    env = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1), "_LLSIM_COMPLETE": "bash_complete"}
    ran = subprocess.run([str(Path(sys.executable).parent / "llsim")], capture_output=True, text=True, env=os.environ | env, timeout=60)
    assert expected in ran.stdout.splitlines()


def test_the_version_stands_in_one_place_and_is_the_same_elsewhere() -> None:
    root = Path(__file__).parent.parent
    assert f"\nversion: {__version__}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {__version__}" in (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in (root / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_for_a_traceback(closed):
    ran = subprocess.run(f'"{sys.executable}" -m lostlegacy_sim cards starship {closed}', shell=True, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_name_that_is_too_long_is_answered_with_a_sentence():
    ran = run("report", "x" * 300, "-o", "page.html")
    assert ran.code == 2
    assert ran.err.endswith("cannot be used: File name too long.\n")
