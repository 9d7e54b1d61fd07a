"""Where numba is told to compile nothing, what plays ends as one sentence at once, and what is kept is shown."""

import os
import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import pytest
from command_line import run

ROOT = Path(__file__).parent.parent
TABLE = ("--players", "2", "--bots", "random", "--deals", "40")
PLAYS = ["simulate", "simulate --resume half", "compare starship flying-garden", "balance starship", "explore --family mixes", "explore sweep.toml --out new", "tournament",
         "tournament --ladder --out new", "play", "replay", "replay kept --deal 3", "verify kept", "bots --check bot.py", "simulate --bots bot.py --out new", "simulate --dry-run"]  # fmt: skip
LOOKS = ["report kept -o page.html", "report kept --table measures", "compare kept kept", "cards starship", "validate starship", "bots", "--version", "simulate --help"]


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uncompiled")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert run("simulate", *TABLE, "--out", "kept").code == 0
        assert run("simulate", *TABLE, "--out", "half", "--part", "1/2").code == 0
    finally:
        os.chdir(before)
    (folder / "bot.py").write_text("def decide(cards, public, private, question):\n    return 0\n")
    (folder / "sweep.toml").write_text('[sweep]\n"search.copies" = [2, 3]\n')
    return folder


def uncompiled(folder, lines):
    """Run several lines of words in one process in which numba compiles nothing; code, standard output and errors of each."""
    program = ("import ast, sys\nfrom command_line import run\nfrom pathlib import Path\nlines, found = ast.literal_eval(sys.argv[1]), []\n"
               "for line in lines:\n    found.append(tuple(run(*line.split(), said='')))\nprint(repr(found))\n")  # fmt: skip
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    said = subprocess.run([sys.executable, "-c", program, repr(lines)], cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert said.returncode == 0, said.stderr
    return dict(zip(lines, literal_eval(said.stdout), strict=True))


def test_what_plays_says_so_at_once_and_leaves_nothing_behind(here):
    before = files_in(here)
    for line, (code, out, err) in uncompiled(here, PLAYS).items():
        assert (code, out) == (2, ""), (line, out, err)
        assert "NUMBA_DISABLE_JIT is set, so nothing is compiled and no deal can be played. Write `unset NUMBA_DISABLE_JIT`" in err, line
        assert err.count("\n") == 1, line
    assert files_in(here) == before


def files_in(folder):
    """All that is there, but for locks, which may come and go."""
    return sorted(str(path) for path in folder.rglob("*") if "lock" not in path.name)


def test_what_is_kept_is_shown(here):
    for line, (code, out, err) in uncompiled(here, LOOKS).items():
        assert (code, err) == (0, ""), (line, err)
        assert out, line
