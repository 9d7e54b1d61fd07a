"""Cards that are not known, laid anywhere: a world that agrees with what a seat knows for certain, and weighs no choices."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.belief.world import OTHER, begin, deck_places, fix, lay_open_cards, pick
from lostlegacy_sim.games.lost_legacy.vocabulary import DRAWN, HAND, N_PLACES, NO_CARD, PLAYING, RUINS
from lostlegacy_sim.jit import kernel, lowest_bit, out_of_line

ONE = np.uint64(1)


@kernel
def lay_unseen(cards, public, private, world, key):
    """Known cards lie where they are known, cards known to be in the ruins somewhere there, all others with even chances."""
    out_of_line()
    world.key, world.drawn = key, 0
    begin(cards, public.n_seats, world)
    if world.unplayable:
        world.left[world.unplayable], world.free = 1, 0
        world.n_left += 1
    world.deck_size, world.ruins_size = public.deck_size, public.ruins_size
    for kind in range(1, cards.n_kinds + 1):
        world.left[kind] -= public.in_rows[kind]
        world.n_left -= public.in_rows[kind]
    ruins = ((ONE << np.uint64(public.ruins_size)) - ONE) << np.uint64(RUINS)
    places = ruins | deck_places(world) | public.in_game
    if public.phase == PLAYING:
        places |= ONE << np.uint64(DRAWN)
    for place in range(N_PLACES):
        is_there = places >> np.uint64(place) & ONE
        world.card[place], world.knows[place], world.somewhere[place] = OTHER if is_there else NO_CARD, 0, 0
        if is_there and private.known[place]:
            fix(world, place, private.known[place])
        if is_there and place < DRAWN:
            world.knows[place] = 1 << place - HAND
    for kind in range(1, cards.n_kinds + 1):
        for _ in range(private.ruins_has[kind]):
            fix(world, open_place(world, ruins), kind)
    lay_open_cards(world, places)


@kernel
def open_place(world, places):
    """One of the places whose card is open."""
    n, rest = 0, places
    while rest:
        n += world.card[lowest_bit(rest)] >= OTHER
        rest &= rest - ONE
    number = pick(world, n)
    while True:
        place = lowest_bit(places)
        places &= places - ONE
        if world.card[place] >= OTHER:
            if number == 0:
                return place
            number -= 1
