"""What is printed: harmless whatever others have written, UTF-8 wherever it is kept, and a sentence where it cannot be written."""

import csv
import os
import pty
import re
import shlex
import subprocess
import sys
from html import unescape
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from lostlegacy_sim.cli import COMMANDS, llsim
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.letters import harmless, width

ROOT = Path(__file__).parent.parent
HARM = "\\u202e\\u2066\\u200b\\u00ad\\u3164\\U000e0041\\ue000"
WIDE = "突撃\\u3000が\\u00a0e\\u0301"
BOT = "def decide(cards, public, private, question):\n    return 0\n"


# --- others' words --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A folder with a set and a bot nobody means well by."""
    folder = tmp_path_factory.mktemp("hostile")
    text = composition.printed("starship").to_toml()
    text = text.replace('name = "Search"', f'name = "=1+1{HARM}<b>"').replace('name = "Assault"', f'name = "@{WIDE}"')
    text = text.replace('text = "Look', f'text = "+{HARM}Look').replace('name = "The Starship"', f'name = "-2{HARM}"')
    (folder / "evil.toml").write_text(text)
    bot = "=b\u202e\u2066\u200b.py"
    (folder / bot).write_text(BOT)
    (folder / "\x1b[2J\x9b\u202e.py").write_text(BOT)
    (folder / "\x1b[2J\x9b\u202e.toml").write_text(text)
    (folder / "worse.toml").write_text(text.replace(HARM, "\\u009b2J"))
    (folder / "sweep.toml").write_text('set = ["evil.toml"]\ngoals = ["turns:low"]\nplayers = 2\ndeals = 40\nbots = ["random"]\n[sweep]\n"search.copies" = [2, 3]\n')
    return folder, bot


def test_no_command_prints_anything_harmful(hostile, monkeypatch, tmp_path):
    folder, bot = hostile
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LLSIM_CACHE_DIR", os.environ.get("LLSIM_CACHE_DIR", str(tmp_path)))
    table = ["--set", "evil.toml", "--players", "2", "--deals", "40", "--threads", "1"]
    ways = [[], ["--json"], ["--csv"]]
    lines = [
        ["cards", "evil.toml"], ["cards", "evil.toml", "--json"], ["cards", "evil.toml", "--toml"], ["cards", "evil\x9b.toml"], ["cards", "worse.toml"], ["cards", "\x1b[2J\x9b\u202e.toml"],
        ["validate", "evil.toml"], ["validate", "evil.toml", "--json"], ["bots", "--check", bot], ["bots", "--check", bot, "--json"], ["bots", "--check", "x\x9b.py"],
        ["bots", "--check", "\x1b[2J\x9b\u202e.py"], ["simulate", *table, "--bots", "\x1b[2J\x9b\u202e.py"], ["simulate", "--set", "\x1b[2J\x9b\u202e.toml", *table[2:], "--bots", "random"],
        *(["simulate", *table, "--bots", f"{bot},random", *way] for way in ways), ["simulate", *table, "--bots", bot, "-v", "--campaign"],
        ["simulate", *table, "--bots", f"{bot},random", "--out", "kept"], ["simulate", *table, "--bots", f"{bot},random", "--out", "kept"],
        ["simulate", *table[2:], "--bots", "random", "--out", "plain"],
        *(["compare", "evil.toml", "starship", *table[2:], *way] for way in ways), ["compare", "bots=random", f"bots={bot}", *table],
        *(["balance", "evil.toml", *table[2:], "--bots", bot, "--cards", "search,assault", *way] for way in ways), ["balance", "evil.toml", "--cards", "s\x9bearch"],
        ["balance", "evil.toml", *table[2:], "--bots", bot, "--cards", "search", "--out", "balanced"],
        *(["tournament", *table, "--bots", f"random,{bot}", *way] for way in ways), ["tournament", *table, "--bots", f"random,{bot}", "--out", "contested"],
        ["tournament", *table, "--bots", f"random,{bot}", "--ladder"],
        *(["explore", "sweep.toml", "--out", f"swept{number}", *way] for number, way in enumerate(ways)), ["explore", "swept0"],
        ["replay", "--set", "evil.toml", "--deal", "3", "--bots", bot, "--knows", "turns"], ["replay", "--set", "evil.toml", "--json"],
        ["replay", "kept", "--bots", bot, "--find", "longest"], ["play", "--set", "evil.toml", "--players", "2", "--bots", bot],
        ["verify", "kept", "--bots", bot], ["verify", "kept"], ["verify", "no\x9b"], ["report", "no\x9b", "--list"],
        *(["report", kept, *way] for kept in ("kept", "balanced", "contested", "swept0") for way in (["--list"], ["--list", "--json"], ["-o", f"{kept}.html"])),
        ["report", "kept", "starship", "-o", "changes.html"], ["report", "kept", "plain", "--chart", "changes", "-o", "changes.svg"], ["report", "kept", "plain", "-o", "both.html"],
        ["report", "contested", "--chart", "heatmap", "-o", "heatmap.svg"], ["report", "contested", "--chart", "heatmap", "-o", "heatmap.png"],
        ["report", "contested", "--table", "matchups", "-o", "matrix.csv"], ["report", "kept", "--table", "measures"], ["report", "contested", "--table", "matchups"], ["report", "balanced", "--table", "cards"], ["nothing\x9b"],
        ["simulate", "--no\x9bne"], ["simulate", "--deals", "4\x9b"], ["simulate", "--until", "a\x9b +/- 1"], ["explore", "--family", "\x9b"],
    ]  # fmt: skip
    assert {line[0] for line in lines} >= set(COMMANDS)
    for words in lines:
        ran = CliRunner().invoke(llsim, words, prog_name="llsim", input="cards\n1\n1\ntable\n?\n\x9bwhat\u202e\n" + "1\n" * 40, env={"COLUMNS": "100"})
        assert ran.exception is None or isinstance(ran.exception, SystemExit), (words, ran.exception)
        assert ran.stdout or ran.stderr, words
        for printed in (ran.stdout_bytes.decode(), ran.stderr_bytes.decode()):
            check_harmless(printed, words)
        if "--csv" in words or "--table" in words:
            check_cells(ran.stdout, words)
    for path in [*folder.glob("*.html"), *folder.glob("*.svg"), folder / "matrix.csv"]:
        check_harmless(path.read_text(encoding="utf-8"), [path.name])
        assert "<b>" not in re.sub(r"<b>[^<]*:</b>", "", path.read_text(encoding="utf-8"))
    check_cells((folder / "matrix.csv").read_text(encoding="utf-8"), ["matrix.csv"])
    assert len(list(folder.glob("*.html"))) == 5
    assert len(list(folder.glob("*.svg"))) == 2


def test_no_answer_in_python_holds_anything_harmful(hostile, monkeypatch, tmp_path):
    import lostlegacy_sim as ll

    folder, bot = hostile
    monkeypatch.chdir(folder)
    cards = ll.load_set("evil.toml")
    for found in (ll.simulate(cards, 2, "random", 40), ll.balance(cards, 2, "random", 40, cards=["search"]), ll.tournament(["random", bot], cards, 2, 40)):
        for text in (str(found), repr(found)):
            check_harmless(text, [type(found).__name__])
        for name in found.tables:
            for row in found.table(name).astype(str).to_numpy().tolist():
                check_harmless("\n".join(map(str, row)), [name])
            found.to_csv(tmp_path / "table.csv", name, replace=True)
            check_cells((tmp_path / "table.csv").read_text(encoding="utf-8"), [name])
    with pytest.raises(ll.SetError) as refused:
        ll.load_set("no\x9b\u202e.toml")
    check_harmless(str(refused.value), [])


def check_harmless(text, words):
    """No byte of it can do anything but be seen."""
    for line in text.split("\n"):
        assert line == harmless(line), (words, ascii(line))


def check_cells(text, words):
    """No cell begins a formula."""
    for row in csv.reader(StringIO(text)):
        for cell in row:
            assert not cell.startswith(("=", "@")), (words, cell)
            assert not cell.startswith(("+", "-")) or re.fullmatch(r"[-+][0-9.e+-]+( \(.*\))?", cell), (words, cell)


# --- commands to copy -----------------------------------------------------------------------------------

ODD = "-it's my $HOME"


def test_every_command_that_is_suggested_can_be_pasted(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    cards, bot = f"{ODD}.toml", f"{ODD}.py"
    (tmp_path / cards).write_text(composition.printed("starship").to_toml().replace('id = "starship"', f'id = "{ODD}"').replace("copies = 3", "copies = 2", 1))
    (tmp_path / bot).write_text(BOT)
    table = ["--players", "2", "--deals", "40", "--seed", "2", "--threads", "1"]
    asked = [
        (["cards", "--", cards], "llsim validate"), (["bots", "--check", bot], "llsim simulate"), (["simulate", "--set", cards, *table, "--bots", "random"], "llsim balance"),
        (["simulate", *table, "--bots", bot, "--out", ODD], ""), (["replay", "--", ODD], "--bots"), (["report", "-o", "x.html", "--", ODD], ""),
        (["simulate", *table, "--bots", "random", "--out", f"{ODD}2", "--part", "1/1"], "llsim report"), (["simulate", *table, "--bots", "random", "--out", f"{ODD}3", "--part", "1/2"], "--resume"),
        (["simulate", *table, "--bots", "random", "--out", f"{ODD}3"], "--resume"), (["simulate", "--resume", f"{ODD}4"], "--out"),
        (["compare", f"./{cards}", "starship", *table, "--bots", "random", "--out", f"{ODD}5"], "llsim report"), (["replay", "--find", ODD[1:]], "llsim replay"),
        (["play", "--set", cards, "--players", "2", "--bots", bot], "llsim replay"), (["tournament", "--set", cards, *table, "--bots", f"random,{bot}", "--out", f"{ODD}6"], ""),
        (["balance", "--set", cards, *table, "--bots", bot, "--cards", "search", "--effects", "blank", "--out", f"{ODD}7"], ""), (["report", "-o", "y.html", "--", f"{ODD}6"], ""),
        (["report", "-o", "z.html", "--", f"{ODD}7"], ""),
    ]  # fmt: skip
    suggested = []
    for words, expected in asked:
        ran = CliRunner().invoke(llsim, words, prog_name="llsim", input="", env={"COLUMNS": "300"})
        assert ran.exception is None or isinstance(ran.exception, SystemExit), (words, ran.exception)
        assert expected in ran.stdout + ran.stderr, (words, ran.stdout, ran.stderr)
        suggested += commands_in(ran.stdout + ran.stderr)
    for page in ("x.html", "y.html", "z.html"):
        codes = re.findall("<code>.*?</code>", (tmp_path / page).read_text(encoding="utf-8"))
        suggested += commands_in(unescape(re.sub("<[^>]*>", "", "\n".join(codes))))
    assert {words[1] for words in suggested} >= {"simulate", "validate", "balance", "report", "replay", "tournament", "play"}
    for words in suggested:
        for word in words:
            assert "HOME" not in word or not word.startswith("-"), words
            assert "HOME" not in word or "it's my $HOME" in word, words
    assert sum("HOME" in word for words in suggested for word in words) > 15


def commands_in(text):
    """The commands of llsim in what was printed, as a shell splits them."""
    found = []
    for line in text.split("\n"):
        for part in re.split(" · |`", line):
            match = re.search(r"llsim (?:simulate|validate|balance|report|replay|tournament|play|compare|cards) .*", part.strip())
            if match and "DIR" not in match[0]:
                found.append(shlex.split(match[0].rstrip(".")))
    return found


# --- files, pipes, terminals ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A folder with a set of wide names."""
    folder = tmp_path_factory.mktemp("wide")
    text = composition.printed("starship").to_toml().replace('name = "Search"', f'name = "{WIDE}"').replace('name = "The Starship"', 'name = "星の船 Café"')
    (folder / "wide.toml").write_text(text, encoding="utf-8")
    return folder


def process(folder, *words, env=None, **how):
    """Run llsim as a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO", "PYTHONUTF8"))}
    return subprocess.run([sys.executable, "-m", "lostlegacy_sim", *words], cwd=folder, env=kept | {"PYTHONPATH": str(ROOT)} | (env or {}), timeout=100, check=False,
                          **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how))  # fmt: skip


def terminal(folder, *words, env=None):
    """What llsim writes on a terminal of its own, as bytes."""
    ours, theirs = pty.openpty()
    try:
        ran = process(folder, *words, env={"TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "100"} | (env or {}), stdout=theirs, stderr=theirs, stdin=theirs)
    finally:
        os.close(theirs)
    found = b""
    try:
        while data := os.read(ours, 65536):
            found += data
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert ran.returncode == 0, found
    return found.replace(b"\r\n", b"\n")


POOR = [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "cp1252:strict"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]


@pytest.mark.parametrize("env", POOR)
@pytest.mark.parametrize("words", [["wide.toml"], ["wide.toml", "--json"], ["wide.toml", "--toml"]])
def test_files_and_pipes_are_utf_8(wide, tmp_path, words, env):
    ran = process(wide, "cards", *words, env=env)
    with open(tmp_path / "file", "wb") as file:
        process(wide, "cards", *words, env=env, stdout=file)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout == (tmp_path / "file").read_bytes() == process(wide, "cards", *words).stdout
    assert "星の船 Café" in ran.stdout.decode("utf-8")


def test_a_terminal_shows_what_it_can(wide):
    assert "The Starship · 16 cards" in terminal(wide, "cards", "starship", env={"LC_ALL": "C.UTF-8"}).decode("utf-8")
    for env in POOR[0], POOR[3]:
        shown = terminal(wide, "cards", "wide.toml", env=env).decode("ascii")
        assert "???? Caf? - 16 cards" in shown
        assert "-----" in shown
        assert len({line.index("card text") for line in shown.split("\n") if line.endswith("card text")}) == 1
    assert "?? Café · 16 cards" in terminal(wide, "cards", "wide.toml", env=POOR[1]).decode("latin-1")
    assert "─────" in terminal(wide, "cards", "starship", env={"PYTHONIOENCODING": "cp437"}).decode("cp437")


def test_wide_names_line_up(wide):
    for shown in (process(wide, "cards", "wide.toml").stdout.decode(), terminal(wide, "cards", "wide.toml", env={"LC_ALL": "C.UTF-8"}).decode()):
        starts = {width(line[: line.index("card text")]) for line in shown.split("\n") if line.endswith("card text")}
        assert len(starts) == 1, shown
        assert "突撃\u3000が\u00a0e\u0301" in shown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("words", [["cards", "starship"], ["cards", "starship", "--json"], ["cards", "--toml", "starship"], ["--help"], ["--version"], ["bots"],
                                   ["simulate", "--dry-run"], ["simulate", "--dry-run", "--csv"], ["validate", "starship"], ["replay"]])  # fmt: skip
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_standard_output_is_a_sentence(wide, words, unbuffered):
    with open("/dev/full", "w") as full:
        ran = process(wide, *words, stdout=full, env={"PYTHONUNBUFFERED": unbuffered})
    assert (ran.returncode, ran.stderr) == (1, b"The answer could not be written to standard output: No space left on device.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_errors_that_cannot_be_written_keep_their_exit_code(wide):
    with open("/dev/full", "w") as full:
        assert process(wide, "nonsense", stderr=full).returncode == 2
        assert process(wide, "nonsense", stdout=full, stderr=full).returncode == 2
        assert process(wide, "cards", stdout=full, stderr=full).returncode == 1


@pytest.mark.parametrize("words", [["cards", "megamix"], ["cards", "megamix", "--json"], ["--help"], ["bots"]])
def test_a_reader_who_has_seen_enough_is_left_alone(wide, words):
    for end in ("2>&1 | head -1", "| head -c 9", "2>&1 | true"):
        line = f"{sys.executable} -m lostlegacy_sim {' '.join(words)} {end}"
        ran = subprocess.run(["bash", "-c", line], cwd=wide, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
        assert ran.stderr == b""
        assert b"Traceback" not in ran.stdout
