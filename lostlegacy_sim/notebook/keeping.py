"""Keeping: what lies in a folder, whichever question it answers."""

from __future__ import annotations

from pathlib import Path

from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.notebook.balanced import Balanced
from lostlegacy_sim.notebook.contested import Contested
from lostlegacy_sim.notebook.explored import Explored
from lostlegacy_sim.notebook.simulated import Several, Simulated
from lostlegacy_sim.registry import BUILT_IN
from lostlegacy_sim.report.shown import schema_of
from lostlegacy_sim.result import load_all
from lostlegacy_sim.studies import kept_balance, kept_looks, kept_tournaments
from lostlegacy_sim.studies.kept_answers import answer_of


def load(folder: str | Path) -> Simulated | Several | Explored | Balanced | Contested:
    """What is kept in a folder, by `save` or by --out of the command line. Raises ResultError."""
    folder = Path(folder)
    game = find_game(BUILT_IN[0])
    kind = schema_of(folder).partition("/")[0]
    if kind == kept_looks.SCHEMA.partition("/")[0]:
        exploration = kept_looks.load_exploration(folder, game)
        return Explored(exploration, answer_of(exploration), game)
    if kind == kept_tournaments.SCHEMA.partition("/")[0]:
        return Contested(kept_tournaments.load_tournaments(folder))
    if kept_balance.is_balance(folder):
        return Balanced(kept_balance.load_balance(folder, game))
    results = load_all(folder)
    if not all(result.deals for result in results):
        raise ResultError(f"{folder} holds no finished deals.")
    return Simulated(results[0]) if len(results) == 1 else Several([Simulated(result) for result in results])
