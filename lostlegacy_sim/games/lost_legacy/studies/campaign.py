"""Campaign: who collects the points first (section 5.4), solved exactly from beginner and winner.

A game is one step of a Markov chain whose state is every seat's score and who begins. Scores only grow,
so the chain is solved score by score from the end; within a score only the beginner can change.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.tally import Labels, Totals

POINTS = {2: 7, 3: 5, 4: 4, 5: 2, 6: 2}  # points needed, by number of seats
NOBODY_BEGINS = ("same", "next")  # who begins after a game nobody won (L17)

Floats = NDArray[np.float64]


def campaign_of(experiment: Experiment, labels: Labels, nobody_begins: str) -> Callable[[NDArray[Any]], Floats]:
    """A function of counts [..., labels]: each line-up entry's chance to win, then the number of games.

    Entry 0 sits in the first seat and begins the first game. Returns [..., players + 1].
    """
    points = POINTS[experiment.players]

    def campaign(counts: NDArray[Any]) -> Floats:
        wins = wins_by_beginner(Totals(labels, counts), experiment.players, experiment.rotations)
        return solve(wins, points, nobody_begins)[..., 0, :]

    return campaign


def wins_by_beginner(totals: Totals, players: int, rotations: int) -> Floats:
    """[..., beginner, winner]: chance that this entry wins a game that entry begins.

    In rotation r entry r sits in the first seat; where the line-up repeats itself, so do the rotations.
    """
    won = totals["won"].sum(axis=-3) / (totals["deals"] / rotations)[..., None, None]
    beginner, winner = np.indices((players, players))
    return np.asarray(won[..., beginner % rotations, (winner - beginner) % players])


def solve(wins: Floats, points: int, nobody_begins: str) -> Floats:
    """Chance of each seat to win the campaign, and expected number of games, by who begins.

    `wins`: [..., beginner, winner]. Returns [..., beginner, seats + 1]; nan if a campaign may never end.
    """
    seats = wins.shape[-1]
    stay = 1 - wins.sum(axis=-1)  # [..., beginner]: nobody wins
    never_ends = (stay >= 1 - 1e-12).any(axis=-1) if nobody_begins == "same" else (stay >= 1 - 1e-12).all(axis=-1)
    follower = np.eye(seats) if nobody_begins == "same" else np.roll(np.eye(seats), 1, axis=1)
    system = np.eye(seats) - stay[..., None] * follower
    system[never_ends] = np.eye(seats)  # cannot be solved; struck out at the end
    inverse = np.linalg.inv(system)
    answer: dict[tuple[int, ...], Floats] = {}
    for score in sorted(product(range(points), repeat=seats), key=sum, reverse=True):
        after = np.empty((*wins.shape[:-1], seats + 1))  # [..., winner, what follows]
        for winner in range(seats):
            raised = (*score[:winner], score[winner] + 1, *score[winner + 1 :])
            after[..., winner, :] = answer[raised][..., winner, :] if raised[winner] < points else np.eye(seats + 1)[winner]
        step = wins @ after
        step[..., seats] += 1  # this game
        answer[score] = inverse @ step
    found = answer[(0,) * seats]
    found[never_ends] = np.nan
    return found
