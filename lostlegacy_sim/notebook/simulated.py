"""Simulated: what came of the deals at one table, or at several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from lostlegacy_sim.errors import UsageError, nearest
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games import find_game
from lostlegacy_sim.notebook.found import Found
from lostlegacy_sim.notebook.frames import estimate_rows
from lostlegacy_sim.report.screen import answer_lines, headline
from lostlegacy_sim.report.shown import Shown, shown_results
from lostlegacy_sim.report.source import labels_of
from lostlegacy_sim.result import Result, write_results
from lostlegacy_sim.stats.unseen import Span
from lostlegacy_sim.studies.simulate import Answer
from lostlegacy_sim.studies.targets import read_requirement
from lostlegacy_sim.tally import Totals

if TYPE_CHECKING:
    from pandas import DataFrame

LONG = ("measure", "seat", "bot", "estimate", "low", "high", "n")
HERE = "FOLDER"  # its place in a command, for one that has no folder yet


class Simulated(Found):
    """What came of the deals at one table."""

    main_table = "measures"

    def __init__(self, result: Result, anytime: bool = False) -> None:
        """`anytime`: it was looked at while it grew. Raises ResultError for the counts of another version."""
        self.result = result
        self.game = find_game(result.experiment.game)
        self.answer = Answer(result, self.game, anytime)

    @property
    def experiment(self) -> Experiment:
        """What was asked: set, players, bots, deals, seed."""
        return self.result.experiment

    @property
    def deals(self) -> int:
        """Deals played."""
        return self.result.deals

    @property
    def verdicts(self) -> list[str]:
        """What the intervals allow to say, a sentence each."""
        return list(self.answer.verdicts)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all measures."""
        return tuple(self.answer.estimates.measures)

    @property
    def counts(self) -> Totals:
        """What was counted in all deals, by the name of the group: int64 arrays."""
        return self.answer.estimates.totals

    def __getitem__(self, name: str) -> Estimate:
        """The estimate of a measure: value, low, high, n. Raises UsageError naming the nearest one."""
        return self.answer.estimates[name]

    def measure(self, wanted: str | Callable[[Totals], Any], name: str = "", least: float = -inf, most: float = inf) -> Estimate:
        """A measure by its name, or one of your own: a function of the counts that returns a number.

        Its interval (95 %) is the delete-one-batch jackknife: the function is called with the counts of all
        deals, and with those of all batches but one, once for each. Say what the number lies between whatever happens (`least`, `most`): then
        the interval stays inside, and holds where things are rare, too; without, there is none where nothing has varied.
        Raises UsageError for a group that is not counted, a function that returns no number, or one outside these ends.
        """
        if isinstance(wanted, str):
            return self[wanted]
        labels, groups = self.result.tally.labels, [group for group, _ in self.result.tally.labels]
        name = name or getattr(wanted, "__name__", "").strip("<>") or "measure"

        def number(counts: np.ndarray[Any, Any]) -> float:
            try:
                found = wanted(Totals(labels, counts))
            except KeyError as error:
                raise UsageError(f"There is no count '{error.args[0]}' here.{nearest(str(error.args[0]), groups)}") from None
            if np.ndim(found) != 0 or not np.isreal(found):
                form = f"an array of shape {np.shape(found)}" if np.ndim(found) else f"a {type(found).__name__}"
                raise UsageError(f"A measure is a single number; this function of the counts returned {form}.")
            if found < least or found > most:
                raise UsageError(f"This measure was to lie between {least:g} and {most:g}, and is {found:g}; give it the ends it has.")
            return float(found)

        def numbers(counts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
            rows = counts.reshape(-1, counts.shape[-1])
            return np.array([number(row) for row in rows]).reshape(counts.shape[:-1])

        n = int(self.counts["deals"])
        span = Span(least, most, n / self.experiment.rotations)
        return self.answer.of_jackknife(self.answer.estimates.of_counts(numbers, span), name, "", "a measure of your own", n)

    def require(self, text: str) -> str:
        """Whether something holds, such as "out_early < 5%": "met", "broken" or "undecided". Raises UsageError."""
        wanted = read_requirement(text)
        wanted.check(self.answer.estimates.measures)
        return wanted.judge(self.answer.estimates).verdict

    # --- tables ---------------------------------------------------------------------------------------

    def frames(self) -> dict[str, Callable[[], DataFrame]]:
        """The long tables: seats, bots, cards (if they were counted), measures."""
        cards = {"cards": self.cards} if self.experiment.detail == "cards" else {}
        return {"seats": self.seats, "bots": self.bots, **cards, "measures": self.every_measure}

    @cached_property
    def long(self) -> DataFrame:
        """All measures, a row each."""
        import pandas

        estimates = [self[name] for name in self.measures]
        found = pandas.DataFrame(list(estimate_rows(estimates, self.experiment.bots)))
        return found.astype({"seat": "Int64"})

    def seats(self) -> DataFrame:
        """A row a seat and measure; the bot is that of the whole table, missing where several sit there in turn."""
        return self.family_rows(self.long[self.long["seat"].notna()])

    def bots(self) -> DataFrame:
        """A row a bot and measure; the seat is missing, for it is the mean of the seats the bot fills."""
        return self.family_rows(self.long[self.long["family"].str.endswith("_bot")])

    def cards(self) -> DataFrame:
        """A row a kind of card and measure."""
        kinds = [name for name in self.measures if "[" in name]
        found = self.long[self.long["measure"].isin(kinds) & self.long["index"].notna() & ~self.long["index"].astype(str).str.isdigit()]
        named = found.assign(measure=found["measure"].str.partition("[")[0]).rename(columns={"index": "card"})
        return named[["measure", "card", "estimate", "low", "high", "n", "unit", "meaning"]].reset_index(drop=True)

    def every_measure(self) -> DataFrame:
        """A row a measure, each under its own name."""
        return self.long[[*LONG, "unit", "method", "meaning"]].copy()

    @staticmethod
    def family_rows(rows: DataFrame) -> DataFrame:
        """Rows named after their family, for seat and bot stand beside it."""
        found: DataFrame = rows.assign(measure=rows["family"])[list(LONG)].reset_index(drop=True)
        return found

    # --- what any answer can do -----------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """The answer as `llsim simulate` prints it."""
        return answer_lines(self.answer)

    def fill(self, folder: Path) -> None:
        """Write the counts."""
        write_results(folder, [self.result])

    def show(self) -> Shown:
        """The sections of its page."""
        return shown_results([(HERE, self.result)])

    def summary(self) -> str:
        """What this is, on a line."""
        return headline(self.game.title, self.experiment, self.deals)


class Several(Found, Sequence[Simulated]):
    """What came of the deals at several tables, in order."""

    main_table = "measures"

    def __init__(self, tables: Sequence[Simulated]) -> None:
        self.items = tuple(tables)
        self.labels = tuple(labels_of([one.result for one in self.items]))

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, place: int) -> Simulated: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Simulated, ...]: ...

    def __getitem__(self, place: int | slice) -> Simulated | tuple[Simulated, ...]:
        return self.items[place]

    def frames(self) -> dict[str, Callable[[], DataFrame]]:
        """The tables all of them have, one below the other, with what tells them apart in front."""
        names = [name for name in self.items[0].frames() if all(name in one.frames() for one in self.items)]
        return {name: lambda name=name: self.below_each_other(name) for name in names}  # type: ignore[misc]

    def below_each_other(self, name: str) -> DataFrame:
        """One table of all of them."""
        import pandas

        parts = []
        for label, one in zip(self.labels, self.items, strict=True):
            part = one.table(name)
            part.insert(0, "players", one.experiment.players)
            part.insert(0, "result", label)
            parts.append(part)
        return pandas.concat([part for part in parts if len(part)] or parts, ignore_index=True)

    def lines(self) -> Iterator[str]:
        """The answers, one after the other."""
        for number, one in enumerate(self.items):
            yield from [""] if number else []
            yield from one.lines()

    def fill(self, folder: Path) -> None:
        """Write the counts."""
        write_results(folder, [one.result for one in self.items])

    def show(self) -> Shown:
        """The sections of their page."""
        return shown_results([(HERE, one.result) for one in self.items])

    def summary(self) -> str:
        """What this is, on a line."""
        return f"{len(self)} results: {', '.join(self.labels)}"
