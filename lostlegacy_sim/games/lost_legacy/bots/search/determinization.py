"""Determinization: a world as a full State, ready for the rules to play on from the open question."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.ask import CALLED, READS_VIEW
from lostlegacy_sim.games.lost_legacy.kernel.rules import find_acting_seats
from lostlegacy_sim.games.lost_legacy.kernel.state import N_MEMORY, NOT_ANSWERED
from lostlegacy_sim.games.lost_legacy.vocabulary import INVESTIGATION, N_PLACES, RUINS
from lostlegacy_sim.jit import kernel, out_of_line
from lostlegacy_sim.rng import keyed

ONE = np.uint64(1)


@kernel
def seat_finishers(state, n_seats, address):
    """All seats are played by the policy at this address; once for all playouts of a decision."""
    out_of_line()
    secret = state.secret
    for seat in range(n_seats):
        secret.bot[seat], secret.entry[seat], secret.line_up[seat] = CALLED, seat, CALLED
        secret.reads[seat], secret.never[seat], secret.address[seat] = READS_VIEW, 0, address
        state.seats.private[seat].seat = seat
    secret.plain, secret.watches, state.history.on = 0, 0, 0


@kernel
def keep_own_view(public, private, world):
    """What the seat asked knows in this world is what it knew; what the others know is what they observed, as far as a world tells."""
    out_of_line()
    own = np.uint8(1 << private.seat)
    others = ~own
    for place in range(N_PLACES):
        world.knows[place] = (world.knows[place] & others) | (own if private.known[place] else np.uint8(0))
        world.somewhere[place] &= others & ~world.knows[place]
    world.blurred = 0
    for place in range(RUINS, RUINS + public.ruins_size):
        kind = world.card[place]
        if private.ruins_has[kind] and not private.known[place]:
            n = np.int64(private.ruins_has[kind])
            for before in range(RUINS, place):
                if world.card[before] == kind and world.somewhere[before] & own:
                    n -= 1
            if n > 0:
                world.somewhere[place] |= own
        world.blurred |= world.somewhere[place]


@kernel
def lay_out(public, world, state):
    """Lay a world's cards out at the table the question is asked at; `state.public` must be a copy of `public`.

    Give the world the view of the seat asked first (`keep_own_view`); a world can be laid out as often as wanted.
    """
    out_of_line()
    secret = state.secret
    for place in range(N_PLACES):
        secret.card[place] = world.card[place]
    for place in range(N_PLACES):
        secret.knows[place] = world.knows[place]
    for place in range(N_PLACES):
        secret.somewhere[place] = world.somewhere[place]
    secret.blurred = world.blurred
    for seat in range(public.n_seats):
        for cell in range(N_MEMORY):
            state.seats.private[seat].memory[cell] = 0
    secret.chance, secret.choice = keyed(world.key, -1), keyed(world.key, -2)
    secret.events, secret.answer = 0, NOT_ANSWERED
    if public.phase == INVESTIGATION:
        find_acting_seats(state.cards, state.secret, state.public)
