"""docs/balance.md does what it says: every line of it is run, and every word it explains is printed."""

import re
import subprocess
from pathlib import Path

import pytest

from lostlegacy_sim.studies.card_trials import EFFECTS, USUAL

PAGE = (Path(__file__).parent.parent / "docs" / "balance.md").read_text(encoding="utf-8")
LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


@pytest.mark.parametrize("line", LINES)
def test_the_line_runs_and_prints_the_words(line: str, shell: Path) -> None:
    ran = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    assert (ran.returncode, ran.stderr) == (0, "")
    printed = ran.stdout.lower()
    words = re.findall(r"^\| ([a-z ]+) \|", PAGE, re.MULTILINE)[1:]
    assert len(words) == 8
    for word in words:
        assert word in printed, word


def test_every_effect_is_explained() -> None:
    assert re.findall(r"^\| `([a-z]+)` \|", PAGE, re.MULTILINE) == list(EFFECTS)
    assert set(EFFECTS) - set(USUAL) == {"one"}
