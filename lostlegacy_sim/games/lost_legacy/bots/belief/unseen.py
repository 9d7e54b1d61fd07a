"""Cards that are still open, laid anywhere: all of a world where the log ends, or all that a seat does not know, without weighing choices."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.piles import deck_places, settle
from lostlegacy_sim.games.lost_legacy.bots.belief.world import ANY, CARDS_A_WORD, ONE, OTHER, begin, fix, pick
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import DRAWN, HAND, N_PLACES, NO_CARD, PLAYING, RUINS
from lostlegacy_sim.jit import kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed, split


@kernel
def complete(world, n_seats):
    """Fix all that is still open: any arrangement of the open cards is equally likely."""
    ruins = ((ONE << np.uint64(world.ruins_size)) - ONE) << np.uint64(RUINS)
    places = ruins | deck_places(world) | (ONE << np.uint64(DRAWN)) | ((ONE << np.uint64(n_seats)) - ONE)
    if world.free:
        number, rest = pick(world, world.n_any), places
        while rest:
            place = lowest_bit(rest)
            rest &= rest - ONE
            if world.card[place] == ANY:
                if number == 0:
                    fix(world, place, world.free)
                    break
                number -= 1
    loose = world.loose
    while loose:
        settle(world, lowest_bit(loose))
        loose &= loose - ONE
    lay_open_cards(world, places)


@kernel
def lay_open_cards(world, places):
    """Lay the open kinds on the open places, in any order."""
    n = np.int64(0)
    for kind in range(KINDS):
        for _ in range(world.left[kind]):
            world.pool[n] = kind
            n += 1
    word, number = np.uint64(0), 0
    while places:
        place = lowest_bit(places)
        places &= places - ONE
        if world.card[place] >= OTHER:
            if number % CARDS_A_WORD == 0:
                word = keyed(world.key, world.drawn)
                world.drawn += 1
            number += 1
            drawn, word = split(word, n)
            n -= 1
            world.card[place] = world.dealt[world.origin[place]] = world.pool[drawn]
            world.pool[drawn] = world.pool[n]
    for kind in range(KINDS):
        world.left[kind] = 0
    world.n_left = 0


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
