"""README.md does what it says: its result is played again, its lines are run, its links and folders exist."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from script import load

from lostlegacy_sim.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
LINES = [line for block in BLOCK.findall(PAGE) for line in block.splitlines()]
INDENTED = [line.split("#")[0].strip() for line in PAGE.splitlines() if line.startswith("    ")]


def prose() -> str:
    """The page without its blocks and findings: what no command is behind."""
    return re.sub(r"```.*?```|<!-- findings: generated.*?<!-- findings: end -->", "", PAGE, flags=re.DOTALL)


def test_the_result_is_what_the_command_prints_now() -> None:
    assert load("make_readme").rewritten(PAGE) == PAGE, "run scripts/make_readme.py"


def test_every_line_runs(shell: Path) -> None:
    for line in LINES:  # in order: some use what others have left
        ran = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
        assert ran.returncode == 0, f"{line}\n{ran.stderr}"
        assert ran.stdout or ">" in line


def test_every_command_there_is_has_a_line() -> None:
    assert {line.split()[1] for line in LINES} == set(COMMANDS)
    assert all(line.split()[0] == "llsim" for line in LINES)


@pytest.mark.parametrize("line", INDENTED)
def test_lines_that_set_up_name_what_exists(line: str) -> None:
    if line == "pip install .":
        return  # the name of the program is checked below; installing needs a network
    program, target = line.split()
    assert program == "make"
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_numbers_in_the_text_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"llsim": "lostlegacy_sim.cli:main"}
    numbers = re.findall(r"\d[\d.,]*(?<![.,])", prose())
    assert [f">={number}" for number in numbers] == [project["requires-python"]]


def test_links_and_folders_exist() -> None:
    places = [*re.findall(r"\]\(([^)#]+)", PAGE), *re.findall(r"^\| `([\w/]+)` \|", PAGE, re.MULTILINE)]
    assert len(places) >= 12
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_target_of_make_has_what_it_runs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == targets
    assert {word for words in re.findall(r"`make ([a-z ]+)`", PAGE) for word in words.split()} <= targets
    assert [script for script in re.findall(r"python (scripts/\w+\.py)", makefile) if not (ROOT / script).exists()] == []
