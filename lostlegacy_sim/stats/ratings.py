"""Ratings: one strength for every player, from who won at which table (Bradley-Terry; Plackett-Luce of the winner).

A table is a group of seats filled by players; the winner comes from a player with a chance in proportion to
the player's seats times e^strength: Bradley and Terry (1952) at two seats, Luce's choice axiom, and so the first
place of Plackett (1975), at more. Strengths are known up to a constant; here their mean is 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ELO = 400 / math.log(10)  # points of the Elo scale for one unit of strength
MOST_STEPS = 100
LARGEST_STEP = 1.0  # of a strength at a time: far from the maximum Newton's step may overshoot
PRECISE = 1e-10


def strengths(wins: NDArray[Any], seats: NDArray[Any]) -> Floats:
    """The strengths of greatest likelihood, [..., players], their mean 0.

    `wins`: [..., tables, players], deals won by the seats of a player; `seats`: [tables, players], how many it fills.
    nan where they do not exist (see `are_determined`). Newton's method on a concave likelihood.
    """
    wins, seats = np.asarray(wins, float), np.asarray(seats, float)
    rows = wins.reshape(-1, *wins.shape[-2:])
    exist = are_determined(rows, seats)
    found: Floats = np.full((len(rows), wins.shape[-1]), math.nan)
    found[exist] = fitted(rows[exist], seats)
    return found.reshape(wins.shape[:-2] + wins.shape[-1:])


def fitted(wins: Floats, seats: Floats) -> Floats:
    """The strengths of [rows, tables, players], all of which exist; nan where the steps do not arrive."""
    found: Floats = np.zeros((len(wins), wins.shape[-1]))
    largest = np.zeros(len(wins))
    for _ in range(MOST_STEPS):
        step = newton_step(wins, seats, found)
        largest = np.abs(step).max(axis=-1)
        found += step * np.minimum(1.0, LARGEST_STEP / np.maximum(largest, LARGEST_STEP))[:, None]
        if not (largest >= PRECISE).any():
            break
    found[largest >= PRECISE] = math.nan
    return found


def newton_step(wins: Floats, seats: Floats, found: Floats) -> Floats:
    """The step towards the maximum, [..., players]; its mean is 0."""
    chances = winning_chances(found, seats)
    decided = wins.sum(axis=-1, keepdims=True)
    expected = decided * chances
    slope = (wins - expected).sum(axis=-2)
    curvature = -np.einsum("...tp,...tq->...pq", expected, chances)
    players = wins.shape[-1]
    diagonal = np.arange(players)
    curvature[..., diagonal, diagonal] += expected.sum(axis=-2)
    # All strengths raised by the same amount change nothing; this holds their sum without moving the maximum.
    curvature += decided.sum(axis=(-2, -1))[..., None, None] / players**2
    return np.asarray(np.linalg.solve(curvature, slope[..., None])[..., 0])


def winning_chances(found: NDArray[Any], seats: NDArray[Any]) -> Floats:
    """The chance that a decided deal is won by the seats of each player, [..., tables, players]."""
    found = np.asarray(found, float)[..., None, :]
    weights = seats * np.exp(found - found.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def are_determined(wins: NDArray[Any], seats: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether the strengths of [..., tables, players] exist and are finite, [...].

    Ford (1957): however the players are parted in two groups, some player of each has won against one of the other.
    """
    won, filled = np.asarray(wins) > 0, np.asarray(seats) > 0
    players = won.shape[-1]
    reached = np.broadcast_to(np.eye(players, dtype=bool), (*won.shape[:-2], players, players)).copy()
    for table in range(len(filled)):
        reached |= won[..., table, :, None] & filled[table]
    for middle in range(players):
        reached |= reached[..., :, middle, None] & reached[..., None, middle, :]
    return np.asarray(reached.all(axis=(-2, -1)))
