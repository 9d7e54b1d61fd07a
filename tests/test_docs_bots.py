"""docs/bots.md does what it says: every bot of it is checked, every line of it is run."""

import re
import subprocess
from pathlib import Path

import pytest

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
BOTS = dict(re.findall(r"<!-- (\w+\.py) -->\n```python\n(.*?)```", PAGE, re.DOTALL))
LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


@pytest.fixture(autouse=True)
def bots(shell: Path) -> None:
    """The bots of the page, in the folder of the shell."""
    for name, text in BOTS.items():
        (shell / name).write_text(text, encoding="utf-8")


def test_every_snippet_is_run_by_this_test() -> None:
    assert len(BOTS) == PAGE.count("```python") == 6
    assert len(re.findall(r"^```\w", PAGE, re.MULTILINE)) == len(BOTS) + PAGE.count("```sh")
    assert [f"llsim bots --check {name}" for name in BOTS] == [line for line in LINES if "--check" in line]
    assert len(next(iter(BOTS.values())).strip().splitlines()) - 2 * BOTS["any_option.py"].count("\n\n\n") <= 6


@pytest.mark.parametrize("line", LINES)
def test_the_line_runs(line: str) -> None:
    ran = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    assert (ran.returncode, ran.stderr.replace("\r", "").strip()[:100]) == (0, "")
    assert "Next: " in ran.stdout


@pytest.mark.parametrize(("better", "worse", "deals"), [
    ("low_speeds.py", "any_option.py", 40_000),
    ("finder.py", "low_speeds.py", 40_000),
    ("believer.py", "finder.py", 20_000),
    ("reader.py", "careful", 40_000),
    ("searcher.py", "believer.py", 4_000),
])  # fmt: skip
def test_each_bot_of_the_page_beats_the_one_before(better: str, worse: str, deals: int) -> None:
    game = find_game("lost_legacy")
    answer = Answer(play(experiment_of(game, load_set("starship"), 4, [better, worse], deals, 1), game), game)
    assert answer.bots[0].above.low > 0
