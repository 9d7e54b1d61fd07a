"""A duel: a game of two players in sequence form (von Stengel 1996), as flat arrays.

A *sequence* of a player is what it has chosen so far: an information set and a choice in it; sequence 0 is
"nothing yet". Whoever never forgets what it saw and did reaches each of its information sets by one sequence
only, so a strategy is a weight a sequence (a *plan*), and what a pair of plans is worth is linear in each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Level:
    """Information sets with equally many own ones before them; their sequences lie side by side."""

    sets: slice
    sequences: slice
    starts: Indices  # [sets] the first sequence of each, counted from the first of the level
    sizes: Indices  # [sets] choices in each
    parents: Indices  # [sets] the sequence that leads to each


@dataclass(frozen=True)
class Choices:
    """The information sets of one player, ordered by how many own ones come before them.

    `parent[i]` is the sequence that leads to set i, and its sequences are `first[i]` to `first[i + 1] - 1`.
    """

    parent: Indices  # [n_sets]
    first: Indices  # [n_sets + 1]

    @property
    def n_sets(self) -> int:
        """Information sets of this player."""
        return len(self.parent)

    @property
    def n_sequences(self) -> int:
        """Its sequences, the empty one included."""
        return int(self.first[-1])

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The sets by level, those nearest to the beginning first."""
        levels: list[Level] = []
        start = 0
        while start < self.n_sets:
            is_here = self.parent[start:] < self.first[start]  # reached by a sequence of an earlier level
            end = start + int(is_here.sum())
            if end == start or not is_here[: end - start].all():
                raise ValueError("The information sets are not ordered by level.")
            levels.append(self._level(start, end))
            start = end
        return tuple(levels)

    def _level(self, start: int, end: int) -> Level:
        first = self.first[start : end + 1]
        sequences = slice(int(first[0]), int(first[-1]))
        return Level(slice(start, end), sequences, first[:-1] - first[0], np.diff(first), self.parent[start:end])

    def even(self) -> Numbers:
        """[n_sequences] chances of choosing at random: all choices of a set alike; 1 for the empty sequence."""
        return np.concatenate([[1.0], np.repeat(1.0 / np.diff(self.first), np.diff(self.first))])

    def plan(self, chances: Numbers) -> Numbers:
        """[n_sequences] the plan of a player that chooses with these chances [n_sequences] in each set."""
        weight = np.ones(self.n_sequences)
        for level in self.levels:
            weight[level.sequences] = chances[level.sequences] * np.repeat(weight[level.parents], level.sizes)
        return weight

    def chances(self, plan: Numbers) -> Numbers:
        """[n_sequences] the chances in each set of a player with this plan; even where the plan does not come."""
        chances = self.even()
        for level in self.levels:
            reached = np.repeat(plan[level.parents], level.sizes)
            np.divide(plan[level.sequences], reached, out=chances[level.sequences], where=reached > 0)
        return chances


@dataclass(frozen=True)
class TwoPlayerGame:
    """Two players, and for every pair of sequences what each wins at the ends they lead to, times chance.

    `won[player]` is sparse [sequences of player 0, sequences of player 1]. Solved is the zero-sum game of the
    *margin*: what player 0 wins less what player 1 wins.
    """

    choices: tuple[Choices, Choices]
    won: tuple[csr_array, csr_array]
    labels: tuple[tuple[Hashable, ...], tuple[Hashable, ...]] = field(default=((), ()), compare=False)  # of the sets

    @cached_property
    def margin(self) -> csr_array:
        """What player 0 wins less what player 1 wins."""
        return csr_array(self.won[0] - self.won[1])

    @cached_property
    def margin_turned(self) -> csr_array:
        """The margin of player 1, a row for each of its sequences."""
        return csr_array(-self.margin.T)

    def gains(self, player: int, plan: Numbers) -> Numbers:
        """[n_sequences of player] the margin each of its sequences leads to against the other's plan."""
        return np.asarray((self.margin if player == 0 else self.margin_turned) @ plan)

    def value(self, plans: tuple[Numbers, Numbers]) -> float:
        """The expected margin of player 0."""
        return float(plans[0] @ self.gains(0, plans[1]))

    def shares(self, plans: tuple[Numbers, Numbers]) -> tuple[float, float]:
        """What each player is expected to win."""
        return float(plans[0] @ (self.won[0] @ plans[1])), float(plans[0] @ (self.won[1] @ plans[1]))


Step = tuple[int, Hashable, int, int]  # player, information set, number of the choice, number of choices


def duel_of(ends: Iterable[tuple[float, Iterable[Step], tuple[float, float]]]) -> TwoPlayerGame:
    """A duel from all its ends: the chance of the way there, the choices on it, what each player wins.

    Raises ValueError if a player forgets what it did: an information set reached by two of its sequences.
    """
    books = (_Book(), _Book())
    entries: list[tuple[int, int, float, float]] = []
    for chance, steps, (won, other_won) in ends:
        last = [0, 0]
        for player, label, choice, n_choices in steps:
            last[player] = books[player].sequence(label, last[player], choice, n_choices)
        entries.append((*last, chance * won, chance * other_won))  # type: ignore[arg-type]
    orders = tuple(book.order() for book in books)
    numbers = tuple(book.renumbered(order) for book, order in zip(books, orders, strict=True))
    choices = tuple(book.choices(order, number) for book, order, number in zip(books, orders, numbers, strict=True))
    columns = list(zip(*entries, strict=True))
    rows, others = numbers[0][np.array(columns[0])], numbers[1][np.array(columns[1])]
    shape = choices[0].n_sequences, choices[1].n_sequences
    labels = tuple(tuple(book.label[i] for i in order) for book, order in zip(books, orders, strict=True))
    return TwoPlayerGame(
        (choices[0], choices[1]),
        (matrix(rows, others, columns[2], shape), matrix(rows, others, columns[3], shape)),
        (labels[0], labels[1]),
    )


def matrix(rows: Any, columns: Any, values: Any, shape: tuple[int, int]) -> csr_array:
    """A sparse matrix; values at one place are added up, zeros left out."""
    found = csr_array(coo_array((np.asarray(values, np.float64), (rows, columns)), shape=shape))
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


class _Book:
    """The information sets of one player in the order in which they were met."""

    def __init__(self) -> None:
        self.number: dict[Hashable, int] = {}
        self.label: list[Hashable] = []
        self.parent: list[int] = []
        self.first: list[int] = [1]
        self.depth: list[int] = []
        self.depth_after: list[int] = [0]  # of a sequence

    def sequence(self, label: Hashable, before: int, choice: int, n_choices: int) -> int:
        number = self.number.setdefault(label, len(self.label))
        if number == len(self.label):
            self.label.append(label)
            self.parent.append(before)
            self.first.append(self.first[-1] + n_choices)
            self.depth.append(self.depth_after[before])
            self.depth_after += [self.depth[-1] + 1] * n_choices
        if self.parent[number] != before or self.first[number + 1] - self.first[number] != n_choices:
            raise ValueError(f"The information set {label!r} is reached in two ways: its player has forgotten something.")
        return self.first[number] + choice

    def order(self) -> Indices:
        return np.argsort(np.array(self.depth, np.int64), kind="stable")

    def renumbered(self, order: Indices) -> Indices:
        """The new number of each sequence, when the sets stand in this order."""
        first, sizes = np.array(self.first, np.int64), np.diff(np.array(self.first, np.int64))
        new_first = 1 + np.concatenate([[0], np.cumsum(sizes[order])])[:-1]
        number = np.zeros(first[-1], np.int64)
        for old, new in zip(order, new_first, strict=True):
            number[first[old] : first[old + 1]] = np.arange(new, new + sizes[old])
        return number

    def choices(self, order: Indices, number: Indices) -> Choices:
        sizes = np.diff(np.array(self.first, np.int64))[order]
        parents = number[np.array(self.parent, np.int64)[order]] if len(order) else np.zeros(0, np.int64)
        return Choices(parents, 1 + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
