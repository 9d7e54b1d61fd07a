"""Contested: which bot plays best, and how deep the game is: tournaments and ladders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lostlegacy_sim.games import find_game
from lostlegacy_sim.notebook.found import Found
from lostlegacy_sim.report.ladder_screen import climbed_lines
from lostlegacy_sim.report.shown import Shown, shown_standings
from lostlegacy_sim.report.tournament_screen import standings_lines
from lostlegacy_sim.studies.kept_tournaments import Answer, write_tournaments
from lostlegacy_sim.studies.ladder import Climbed


class Contested(Found):
    """The matches between some bots at one table or several."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        """All of them tournaments, or all of them ladders."""
        self.answers = tuple(answers)
        self.game = find_game(self.answers[0].results[0].experiment.game)
        self.main_table = "ladder" if isinstance(self.answers[0], Climbed) else "matchups"

    def lines(self) -> Iterator[str]:
        """The answer as `llsim tournament` prints it."""
        for number, answer in enumerate(self.answers):
            yield from [""] if number else []
            yield from climbed_lines(answer) if isinstance(answer, Climbed) else standings_lines(answer)

    def fill(self, folder: Path) -> None:
        """Write all matches."""
        write_tournaments(folder, self.answers)

    def show(self) -> Shown:
        """The sections of its page."""
        return shown_standings(self.answers, self.game)

    def summary(self) -> str:
        """What this is, on a line."""
        return next(self.lines())
