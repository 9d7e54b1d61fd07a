"""Many worlds: the counting belief as weighted arrangements of the hidden cards, and as odds place by place."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.sample_history import sample_history
from lostlegacy_sim.games.lost_legacy.bots.belief.unseen import lay_unseen
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS, N_LOG, record
from lostlegacy_sim.games.lost_legacy.vocabulary import N_PLACES
from lostlegacy_sim.jit import kernel, out_of_line
from lostlegacy_sim.rng import keyed

ODDS_FIELDS = (
    ("chance", "f8", (N_PLACES, KINDS), "the chance of each kind at each place"),
    ("total", "f8", (), "the weight of all worlds"),
)
ODDS = record(ODDS_FIELDS)
TRIES = 8  # retellings for one world; beyond them, cards that are not known lie anywhere
UNWEIGHED = 1e-300  # of a world that was not retold: it counts only where no other does


@kernel
def weigh_worlds(cards, public, private, world, key, hidden, weights):
    """Fill `hidden` (worlds x 64 places, kinds) and `weights` with worlds of the seat that is asked; returns their sum."""
    out_of_line()
    total = 0.0
    for number in range(len(weights)):
        weights[number] = sample_history(cards, public, private, world, keyed(key, np.uint64(number)))
        total += weights[number]
        for place in range(N_PLACES):
            hidden[number, place] = world.card[place]
    return total


@kernel
def next_world(cards, public, private, world, key):
    """A possible world and its weight: retold, or, if that fails too often or there is no whole log, without weighing choices."""
    out_of_line()
    if 0 < public.n_log < N_LOG:
        for number in range(TRIES):
            weight = sample_history(cards, public, private, world, keyed(key, np.uint64(number)))
            if weight > 0.0:
                return weight
    lay_unseen(cards, public, private, world, key)
    return UNWEIGHED


@kernel
def weigh_odds(cards, public, private, world, odds, n_worlds, key):
    """The chance of each kind at each place, from so many worlds."""
    out_of_line()
    empty(odds)
    for number in range(n_worlds):
        add_world(odds, world, next_world(cards, public, private, world, keyed(key, np.uint64(number))))
    share_out(odds)


@kernel
def empty(odds):
    """No world has been weighed yet."""
    for place in range(N_PLACES):
        for kind in range(KINDS):
            odds.chance[place, kind] = 0.0
    odds.total = 0.0


@kernel
def add_world(odds, world, weight):
    """Count a world by its weight."""
    odds.total += weight
    for place in range(N_PLACES):
        odds.chance[place, world.card[place]] += weight


@kernel
def share_out(odds):
    """Weights become chances."""
    for place in range(N_PLACES):
        for kind in range(KINDS):
            odds.chance[place, kind] /= odds.total
