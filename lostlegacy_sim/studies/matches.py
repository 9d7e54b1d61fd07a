"""Matches: who won how often at every table of a tournament, batch by batch, all over the same shuffles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.game import Game, divide
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.jackknife import Jackknife, jackknife
from lostlegacy_sim.stats.ratings import strengths, winning_chances
from lostlegacy_sim.stats.unseen import Span
from lostlegacy_sim.tally import Totals


@dataclass(frozen=True, eq=False)
class Matches:
    """What is counted of the tables: wins and deals in each batch, side by side, so that any number made of them is paired."""

    bots: tuple[str, ...]
    players: int
    seats: NDArray[np.int64]  # [tables, bots]: seats a bot fills
    wins: NDArray[np.int64]  # [batches, tables, bots]: deals won by them
    deals: NDArray[np.int64]  # [batches, tables]
    sizes: NDArray[np.int64]  # [batches]: shuffles

    @property
    def columns(self) -> NDArray[np.int64]:
        """[batches, tables * (bots + 1)]: the counts as a jackknife takes them."""
        return np.concatenate([self.wins, self.deals[..., None]], axis=-1).reshape(len(self.sizes), -1)

    def split(self, columns: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Wins [..., tables, bots] and deals [..., tables] of columns, or of sums of them."""
        tables = columns.reshape(*columns.shape[:-1], *self.seats.shape[:1], -1)
        return tables[..., :-1], tables[..., -1]

    def half(self) -> Matches:
        """The first half of the batches."""
        middle = len(self.sizes) // 2
        return Matches(self.bots, self.players, self.seats, self.wins[:middle], self.deals[:middle], self.sizes[:middle])

    @property
    def table_of(self) -> Mapping[tuple[int, int], int]:
        """The table at which one of a bot meets others of another one only; those that were not played are missing."""
        found: dict[tuple[int, int], int] = {}
        for table, seats in enumerate(self.seats.tolist()):
            there = [bot for bot, number in enumerate(seats) if number]
            if len(there) == 2:
                found |= {(one, other): table for one, other in (there, there[::-1]) if seats[one] == 1 and seats[other] == self.players - 1}
        return found

    # --- numbers made of the counts -------------------------------------------------------------------

    def gains_of(self, columns: NDArray[Any]) -> NDArray[Any]:
        """[..., bots, bots]: win rate of one of the row among the column, minus par; 0 against itself, nan if not played."""
        wins, deals = self.split(columns)
        size = len(self.bots)
        gains = np.full((*columns.shape[:-1], size, size), np.nan)
        gains[..., np.arange(size), np.arange(size)] = 0.0
        for (one, other), table in self.table_of.items():
            above = wins[..., table, one] - wins[..., table, :].sum(axis=-1) / self.players
            gains[..., one, other] = divide(above, deals[..., table])
        return gains

    def duels_of(self, columns: NDArray[Any]) -> NDArray[Any]:
        """The same, antisymmetric: half of what the one gains among the others minus what the other gains among the one's."""
        gains = self.gains_of(columns)
        return np.asarray((gains - np.swapaxes(gains, -1, -2)) / 2)

    def strengths_of(self, columns: NDArray[Any]) -> NDArray[Any]:
        """[..., bots]: Plackett-Luce strengths of the decided deals of all tables."""
        return strengths(self.split(columns)[0], self.seats)

    def gains(self) -> Jackknife:
        """`gains_of` with what is known of its errors."""
        return jackknife(self.columns, self.gains_of, self.sizes, Span(-1 / self.players, 1 - 1 / self.players, float(self.sizes.sum())))

    def duels(self) -> Jackknife:
        """`duels_of` with what is known of its errors."""
        return jackknife(self.columns, self.duels_of, self.sizes, Span(-0.5, 0.5, float(self.sizes.sum())))

    def strengths(self) -> Jackknife:
        """`strengths_of`, fitted anew without each batch."""
        return jackknife(self.columns, self.strengths_of, self.sizes)

    def misfit(self, found: NDArray[Any]) -> float:
        """The largest distance between a share of decided deals and what the strengths [bots] say of it; nan if no deal is decided."""
        wins = self.wins.sum(axis=0)
        is_decided = wins.any(axis=-1)
        if not is_decided.any():
            return math.nan
        shares = wins[is_decided] / wins[is_decided].sum(axis=-1, keepdims=True)
        return float(np.abs(shares - winning_chances(found, self.seats)[is_decided]).max())


def matches_of(results: Sequence[Result], bots: Sequence[str], game: Game) -> Matches:
    """The counts of results over the same batches; at least one. Bots are counted by the measures `win_bot[...]`."""
    counted = [counts_of(result, bots, game) for result in results]
    seats = [[Counter(result.experiment.bots)[bot] for bot in bots] for result in results]
    wins = np.stack([wins for wins, _ in counted], axis=1)
    deals = np.stack([deals for _, deals in counted], axis=1)
    return Matches(tuple(bots), results[0].experiment.players, np.array(seats), wins, deals, results[0].sizes)


def counts_of(result: Result, bots: Sequence[str], game: Game) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Wins [batches, bots] and deals [batches] of one result; a bot that does not sit there wins nothing."""
    measures, totals = game.measures(result.experiment), Totals(result.tally.labels, result.tally.counts)
    wins = np.zeros((result.batches, len(bots)), np.int64)
    for place, bot in enumerate(bots):
        if bot in result.experiment.bots:
            wins[:, place] = measures[f"win_bot[{bot}]"].events(totals)
    return wins, np.asarray(totals["deals"], np.int64)
