"""docs/skill.md does what it says: every line of it is run, and every word it explains is printed."""

import re
import subprocess
from pathlib import Path

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "skill.md").read_text(encoding="utf-8")
LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


@pytest.mark.parametrize("line", LINES)
def test_the_line_runs(line: str, shell: Path) -> None:
    ran = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout


def test_the_words_it_explains_are_printed(shell: Path) -> None:
    ran = subprocess.run(LINES[0], shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    printed = ran.stdout.lower()
    for word in re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)[2:]:
        assert word.lower() in printed or word == "above par, below par, undecided", word
    assert "above par" in printed
    assert LINES[0].startswith("llsim tournament")
