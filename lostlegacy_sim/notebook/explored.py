"""Explored: what came of many sets at once: the mixes, the guidelines, or a sweep."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lostlegacy_sim.cli.explorations import shown
from lostlegacy_sim.game import Game
from lostlegacy_sim.notebook.found import Found
from lostlegacy_sim.report.shown import Shown, shown_answer
from lostlegacy_sim.studies.kept_looks import Exploration, write_exploration

MAIN = {"mixes": "mixes", "guidelines": "guidelines", "sweep": "points"}


class Explored(Found):
    """Many sets on the same deals, and what they reach in the goals."""

    def __init__(self, exploration: Exploration, answer: Any, game: Game) -> None:
        self.exploration, self.answer, self.game = exploration, answer, game
        self.main_table = MAIN[exploration.family]

    def lines(self) -> Iterable[str]:
        """The answer as `llsim explore` prints it."""
        return shown(self.exploration.family, self.game, str(self.exploration.facts.get("file", ""))).lines(self.answer)

    def fill(self, folder: Path) -> None:
        """Write the counts."""
        write_exploration(folder, self.exploration)

    def show(self) -> Shown:
        """The sections of its page."""
        return shown_answer(self.exploration, self.answer, self.game)

    def summary(self) -> str:
        """What this is, on a line."""
        return next(iter(self.lines()))
