"""Compared: what changes from one result to others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lostlegacy_sim.games import find_game
from lostlegacy_sim.notebook.found import Found
from lostlegacy_sim.notebook.simulated import HERE, Simulated
from lostlegacy_sim.report.compare_screen import comparison_lines, sentences, variant_lines
from lostlegacy_sim.report.shown import Shown, shown_results
from lostlegacy_sim.result import Result, write_results
from lostlegacy_sim.studies.compare import Comparison, Contrast, Variant, compare, letter
from lostlegacy_sim.studies.targets import Margin


class Compared(Found):
    """The first result against each of the others: differences with intervals and verdicts, adjusted together (Holm)."""

    main_table = "verdicts"

    def __init__(self, results: Sequence[Result], names: Sequence[str] = (), margins: Sequence[Margin] = ()) -> None:
        """`names`: measures, or none for the usual ones. Raises UsageError for one that not all of them have."""
        self.results = tuple(results)
        self.game = find_game(self.results[0].experiment.game)
        self.margins = tuple(margins)
        self.variants = [Variant(letter(place), result) for place, result in enumerate(self.results)]
        contrasts = [Contrast(self.variants[0], other, self.game) for other in self.variants[1:]]
        self.comparisons: list[Comparison] = compare(contrasts, names, margins)

    @property
    def sides(self) -> tuple[Simulated, ...]:
        """What came of the deals of each side."""
        return tuple(Simulated(result) for result in self.results)

    @property
    def verdicts(self) -> list[str]:
        """What the differences allow to say, sentences for each of the others."""
        return [sentence for found in self.comparisons for sentence in sentences(found, found.contrast.second.letter)]

    def lines(self) -> Iterator[str]:
        """The answer as `llsim compare` prints it."""
        yield from variant_lines(self.game.title, self.variants)
        for comparison in self.comparisons:
            yield ""
            yield from comparison_lines(comparison, bool(self.margins))

    def fill(self, folder: Path) -> None:
        """Write the counts of all sides."""
        write_results(folder, self.results)

    def show(self) -> Shown:
        """The sections of its page, with these verdicts."""
        return shown_results([(HERE, result) for result in self.results], self.comparisons)

    def summary(self) -> str:
        """What this is, on a line."""
        return f"{len(self.results)} results compared: {' '.join(self.verdicts)}"
