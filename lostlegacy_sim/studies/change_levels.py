"""Change levels: what `compare` says of two sides, by every rung of a ladder."""

from __future__ import annotations

from collections.abc import Sequence

from lostlegacy_sim.studies.compare import Contrast, compare
from lostlegacy_sim.studies.levels import Headline, Level
from lostlegacy_sim.studies.targets import Margin


def change_headlines(rungs: Sequence[Sequence[Contrast]], names: Sequence[str] = (), margins: Sequence[Margin] = ()) -> list[Headline]:
    """A headline for every measure of every contrast; `rungs`: the same contrasts, played by one bot after the other.

    All of them are one family, adjusted by Holm. Raises UsageError for a measure one of two sides does not have.
    """
    comparisons = iter(compare([contrast for contrasts in rungs for contrast in contrasts], names, margins))
    found = [[next(comparisons) for _ in contrasts] for contrasts in rungs]
    headlines = []
    for place, contrast in enumerate(rungs[0]):
        sides = f"{contrast.second.letter} minus {contrast.first.letter}"
        for number, row in enumerate(found[0][place].rows):
            rows = [of_rung[place].rows[number] for of_rung in found]
            bots = [of_rung[place].contrast.first.result.experiment.bots[0] for of_rung in found]
            levels = [Level(bot, one.verdict.interval, one.verdict.word) for bot, one in zip(bots, rows, strict=True)]
            headlines.append(Headline(f"{row.question.name}, {sides}", row.unit, tuple(levels)))
    return headlines
