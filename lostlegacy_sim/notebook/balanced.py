"""Balanced: which card is too strong, because of its text, at one table or several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lostlegacy_sim.games import find_game
from lostlegacy_sim.notebook.found import Found
from lostlegacy_sim.notebook.simulated import HERE
from lostlegacy_sim.report.balance_screen import balance_lines
from lostlegacy_sim.report.shown import Shown, shown_results, with_balance_sections
from lostlegacy_sim.studies.balance import Balance, CardEffect
from lostlegacy_sim.studies.kept_balance import write_balance


class Balanced(Found):
    """What the text of each card does, and what one sees of it by watching."""

    main_table = "card_values"

    def __init__(self, balance: Balance) -> None:
        self.balance = balance
        self.game = find_game(balance.tables[0].base.experiment.game)

    @property
    def effects(self) -> tuple[CardEffect, ...]:
        """What every change about a card does to every measure, with interval and adjusted p-value."""
        return tuple(self.balance.effects.values())

    def lines(self) -> Iterator[str]:
        """The answer as `llsim balance` prints it."""
        for number, table in enumerate(self.balance.tables):
            yield from ["", ""] if number else []
            yield from balance_lines(self.balance, table)

    def fill(self, folder: Path) -> None:
        """Write the counts."""
        write_balance(folder, self.balance)

    def show(self) -> Shown:
        """The sections of its page: the balance, then the set as it is."""
        return with_balance_sections(shown_results([(HERE, table.base) for table in self.balance.tables]), [self.balance])

    def summary(self) -> str:
        """What this is, on a line."""
        return next(self.lines())
