"""Equilibria: by regret matching to a stated exploitability, and exactly by a linear program."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array, hstack

from lostlegacy_sim.solving.best_response import respond
from lostlegacy_sim.solving.two_player_game import Choices, Indices, Numbers, TwoPlayerGame


class Solution(NamedTuple):
    """A pair of plans, and how sure their value is."""

    plans: tuple[Numbers, Numbers]
    low: float  # the value of the game to player 0 (its margin) lies from here
    high: float  # to here
    rounds: int

    @property
    def value(self) -> float:
        """The middle of where the value lies."""
        return (self.low + self.high) / 2

    @property
    def exploitability(self) -> float:
        """What best responses win against the plans, both chairs averaged."""
        return (self.high - self.low) / 2


def solve(duel: TwoPlayerGame, within: float = 1e-4, at_most: int = 20_000, look_every: int = 50) -> Solution:
    """An equilibrium by predictive regret matching, until its exploitability is at most `within`, or for `at_most` rounds.

    PCFR+ (Farina, Kroer and Sandholm 2021): CFR+ (Tammelin 2014) that acts on the regrets it expects to have
    after the coming round, namely those it saw in the last one; the players in turn, the average weighs round t
    by its square. What it reached is measured by best responses, never assumed.
    """
    players = (_Regrets(duel.choices[0]), _Regrets(duel.choices[1]))
    solution = _measured(duel, (players[0].average, players[1].average), 0)
    for number in range(1, at_most + 1):
        for player, other in ((0, 1), (1, 0)):
            players[player].learn(duel.gains(player, players[other].plan), number)
        if number % look_every == 0 or number == at_most:
            solution = _measured(duel, (players[0].average, players[1].average), number)
            if solution.exploitability <= within:
                break
    return solution


def solve_exactly(duel: TwoPlayerGame) -> Solution:
    """An equilibrium by the two linear programs of the sequence form (Koller, Megiddo and von Stengel 1994), by HiGHS.

    Exact up to the solver's tolerance; `low` and `high` are measured by best responses. Raises RuntimeError
    if the solver gives up.
    """
    plans = _safest(duel.choices, duel.margin), _safest((duel.choices[1], duel.choices[0]), duel.margin_turned)
    return _measured(duel, plans, 1)


def _measured(duel: TwoPlayerGame, plans: tuple[Numbers, Numbers], rounds: int) -> Solution:
    low, high = -respond(duel, 1, plans[0]).value, respond(duel, 0, plans[1]).value
    return Solution(plans, low, high, rounds)


class _Regrets:
    """One player: for every sequence what it would have gained by it, and the average of its plans."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.regret = np.zeros(choices.n_sequences)
        self.plan = choices.plan(choices.even())
        self.chances = choices.even()
        self.total = self.plan.copy()
        self.weight = 1.0

    @property
    def average(self) -> Numbers:
        """The average plan so far."""
        return self.total / self.weight

    def learn(self, gains: Numbers, number: int) -> None:
        """One round: these gains of each sequence, regrets, the next plan."""
        value = gains.copy()
        at_once = np.zeros(self.choices.n_sequences)
        for level in reversed(self.choices.levels):
            here = value[level.sequences]
            got = np.add.reduceat(here * self.chances[level.sequences], level.starts)
            at_once[level.sequences] = here - np.repeat(got, level.sizes)
            np.add.at(value, level.parents, got)
        self.regret = np.maximum(self.regret + at_once, 0)
        self.chances = self._matched(np.maximum(self.regret + at_once, 0))
        self.plan = self.choices.plan(self.chances)
        self.total += self.plan * number**2
        self.weight += number**2

    def _matched(self, expected: Numbers) -> Numbers:
        """Chances in proportion to the regrets; even where there are none."""
        chances = self.choices.even()
        for level in self.choices.levels:
            here = expected[level.sequences]
            total = np.repeat(np.add.reduceat(here, level.starts), level.sizes)
            np.divide(here, total, out=chances[level.sequences], where=total > 0)
        return chances


def _safest(choices: tuple[Choices, Choices], margin: csr_array) -> Numbers:
    """The plan of the player of the rows that wins most against its best opponent.

    Variables are its plan and, for each information set of the opponent and for its beginning, what the opponent lets it
    have there.
    """
    from scipy.optimize import linprog

    own, others = _constraints(choices[0]), _constraints(choices[1])
    n_own, n_others = own.shape[1], others.shape[0]
    begin = np.zeros(own.shape[0])
    begin[0] = 1.0
    wanted = np.zeros(n_own + n_others)
    wanted[n_own] = -1.0  # what the opponent lets it have at the beginning
    found = linprog(
        wanted,
        A_ub=hstack([-margin.T, others.T], format="csr"),
        b_ub=np.zeros(others.shape[1]),
        A_eq=hstack([own, csr_array((own.shape[0], n_others))], format="csr"),
        b_eq=begin,
        bounds=[(0, None)] * n_own + [(None, None)] * n_others,
        method="highs",
    )
    if not found.success:
        raise RuntimeError(f"The linear program was not solved: {found.message}")
    plan = np.maximum(found.x[:n_own], 0)
    return choices[0].plan(choices[0].chances(plan))  # what rounding has left is put right


def _constraints(choices: Choices) -> csr_array:
    """[1 + n_sets, n_sequences] of a plan: 1 at the beginning; in each set as much goes out as comes in."""
    sets = np.arange(1, choices.n_sets + 1)
    sizes = np.diff(choices.first)
    rows: Indices = np.concatenate([[0], np.repeat(sets, sizes), sets])
    columns: Indices = np.concatenate([[0], np.arange(1, choices.n_sequences), choices.parent])
    values = np.concatenate([[1.0], np.ones(choices.n_sequences - 1), -np.ones(choices.n_sets)])
    return csr_array(coo_array((values, (rows, columns)), shape=(choices.n_sets + 1, choices.n_sequences)))
