"""Many worlds: the counting belief as weighted arrangements of the hidden cards."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.belief.retell import retell
from lostlegacy_sim.games.lost_legacy.vocabulary import N_PLACES
from lostlegacy_sim.jit import kernel, out_of_line
from lostlegacy_sim.rng import keyed


@kernel
def weigh_worlds(cards, public, private, world, key, hidden, weights):
    """Fill `hidden` (worlds x 64 places, kinds) and `weights` with worlds of the seat that is asked; returns their sum."""
    out_of_line()
    total = 0.0
    for number in range(len(weights)):
        weights[number] = retell(cards, public, private, world, keyed(key, np.uint64(number)))
        total += weights[number]
        for place in range(N_PLACES):
            hidden[number, place] = world.card[place]
    return total
