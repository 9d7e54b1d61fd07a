"""What counting says to a seat that is asked: the chance of the Legacy at each place, of each speed in each hand.

The counting belief: worlds that agree with everything the seat has observed, the others having chosen with even chances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import weigh_worlds
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.kernel.state import N_LOG, State
from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, HAND, N_PLACES, RUINS, X

N_WORLDS = 100_000


@dataclass(frozen=True)
class Chances:
    """Chances from 0 to 1; they are estimates with errors below a point."""

    legacy: dict[int, float]  # by place: hands of seats in the game, ruins, deck
    speeds: dict[int, tuple[float, ...]]  # of each other seat in the game: of the speeds 0 (none) to X
    deck: float  # that the Legacy is in the deck at all


def weigh(state: State, seat: int, key: int) -> Chances | None:
    """The counting belief of the seat that is asked; None if the log of the deal is full, or no world fits.

    `key` chooses the worlds: the same key, the same chances.
    """
    if int(state.public["n_log"]) >= N_LOG:
        return None
    hidden, weights = np.zeros((N_WORLDS, N_PLACES), np.uint8), np.zeros(N_WORLDS)
    private = state.seats["private"][seat]
    weigh_worlds(state.cards, state.public, private, np.zeros(1, WORLD)[0], np.uint64(key), hidden, weights)
    is_possible = weights > 0  # the cards of a world that proved impossible were never fixed
    if not is_possible.any():
        return None
    return chances(state, seat, hidden[is_possible], weights[is_possible] / weights.sum())


def chances(state: State, seat: int, hidden: NDArray[np.uint8], weights: NDArray[np.float64]) -> Chances:
    """Shares of the weight; `hidden` is worlds x places, `weights` add up to 1."""
    public, cards = state.public, state.cards
    seats = [other for other in range(int(public["n_seats"])) if int(public["in_game"]) >> other & 1]
    ruins = range(RUINS, RUINS + int(public["ruins_size"]))
    deck = range(DECK_END - int(public["deck_size"]), DECK_END)
    legacy = {place: share(weights, hidden[:, place] == cards["legacy"]) for place in [*(HAND + other for other in seats), *ruins, *deck]}
    speeds = {}
    for other in seats:
        if other != seat:
            held = cards["speed"][hidden[:, HAND + other]]
            speeds[other] = tuple(share(weights, held == speed) for speed in range(X + 1))
    return Chances(legacy, speeds, sum(legacy[place] for place in deck))


def share(weights: NDArray[np.float64], is_so: Any) -> float:
    """The weight of the worlds in which something is so."""
    return float(weights[is_so].sum())
