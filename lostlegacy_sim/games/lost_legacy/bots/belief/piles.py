"""The piles of a world: ruins and deck, drawn from, added to and shuffled, and a card seen in them.

After a shuffle the places of a pile are loose: which of its cards lies where is settled when somebody cares.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.world import (
    CARDS_A_WORD,
    ONE,
    chance,
    chance_key,
    fix,
    likelihood,
    pick,
)
from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, NO_CARD, RUINS, TO_RUINS
from lostlegacy_sim.jit import count_bits, inlined, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed, split


@inlined
def pile_of(world, place):
    """The places of the pile a place belongs to, as bits."""
    ruins = ((ONE << np.uint64(world.ruins_size)) - ONE) << np.uint64(RUINS)
    if ruins >> np.uint64(place) & ONE:
        return ruins
    return deck_places(world)


@inlined
def deck_places(world):
    """The places of the deck, as bits."""
    return ((ONE << np.uint64(world.deck_size)) - ONE) << np.uint64(DECK_END - world.deck_size)


@inlined
def swap(world, place, other):
    """Exchange two cards, with who knows them."""
    world.card[place], world.card[other] = world.card[other], world.card[place]
    world.knows[place], world.knows[other] = world.knows[other], world.knows[place]
    world.somewhere[place], world.somewhere[other] = world.somewhere[other], world.somewhere[place]
    world.origin[place], world.origin[other] = world.origin[other], world.origin[place]


@kernel
def settle(world, place):
    """If a place is loose, any card of the loose ones of its pile lies there."""
    if world.loose >> np.uint64(place) & ONE:
        others = world.loose & pile_of(world, place)
        for _ in range(pick(world, count_bits(others))):
            others &= others - ONE
        swap(world, place, lowest_bit(others))
        world.loose &= ~(ONE << np.uint64(place))


@kernel
def settle_as(world, place, kind):
    """At a loose place a card of this kind is seen: which of the loose ones it is, and what that is worth."""
    others = world.loose & pile_of(world, place)
    total, rest = 0.0, others
    while rest:
        total += likelihood(world, world.card[lowest_bit(rest)], kind)
        rest &= rest - ONE
    world.weight *= total / count_bits(others)
    target, chosen = chance(world) * total, place
    while others:
        other = lowest_bit(others)
        others &= others - ONE
        share = likelihood(world, world.card[other], kind)
        if share > 0.0:
            chosen = other
            target -= share
            if target < 0.0:
                break
    swap(world, place, chosen)
    world.loose &= ~(ONE << np.uint64(place))


@kernel
def observe(world, place, kind):
    """The card at a place is seen."""
    if world.loose >> np.uint64(place) & ONE:
        settle_as(world, place, kind)
    else:
        world.weight *= likelihood(world, world.card[place], kind)
    if world.weight > 0.0:
        fix(world, place, kind)


@kernel
def loosen(world, pile):
    """A pile is shuffled."""
    if pile == TO_RUINS:
        for place in range(RUINS, RUINS + world.ruins_size):
            world.somewhere[place] |= world.knows[place]
            world.knows[place] = 0
        first, n = RUINS, world.ruins_size
    else:
        first, n = DECK_END - world.deck_size, world.deck_size
        for place in range(first, DECK_END):
            world.knows[place] = 0
    if world.is_dealt:
        shuffle(world, first, n)
    else:
        world.loose |= ((ONE << np.uint64(n)) - ONE) << np.uint64(first)


@kernel
def shuffle(world, first, n):
    """Shuffle n cards just as the rules do it with this world's key of chance; see piles.shuffle."""
    out_of_line()
    if n < 2:
        return
    key = keyed(chance_key(world), (np.uint64(world.turn) << np.uint64(6)) + np.uint64(world.n_shuffles))
    world.n_shuffles += 1
    word = key
    for left in range(n - 1):
        if left % CARDS_A_WORD == 0:
            word = keyed(key, left)
        step, word = split(word, n - left)
        swap(world, first + left, first + left + step)


@kernel
def draw(world, place, seat):
    """The deck's top card goes to a place and is known to a seat."""
    top = DECK_END - world.deck_size
    settle(world, top)
    world.card[place], world.knows[place] = world.card[top], world.knows[top] | 1 << seat
    world.origin[place] = world.origin[top]
    world.card[top], world.knows[top] = NO_CARD, 0
    world.deck_size -= 1


@kernel
def put(world, pile, code, knows, origin):
    """A card comes to the end of the ruins or onto the deck; its origin counts only while it is open."""
    if pile == TO_RUINS:
        place = RUINS + world.ruins_size
        world.ruins_size += 1
    else:
        world.deck_size += 1
        place = DECK_END - world.deck_size
    world.card[place], world.knows[place], world.somewhere[place], world.origin[place] = code, knows, 0, origin


@kernel
def move(world, place, pile):
    """A hidden card goes to the end of the ruins or onto the deck; the ruins close up."""
    settle(world, place)
    code, knows, origin = world.card[place], world.knows[place], world.origin[place]
    if place < RUINS + world.ruins_size:
        for left in range(place, RUINS + world.ruins_size - 1):
            swap(world, left, left + 1)
        below = (ONE << np.uint64(place)) - ONE
        ruins = pile_of(world, place)
        shifted = (world.loose & ruins & ~below) >> ONE
        world.loose = (world.loose & (~ruins | below)) | shifted
        world.ruins_size -= 1
        place = RUINS + world.ruins_size
    else:
        world.deck_size -= 1
    world.card[place], world.knows[place], world.somewhere[place] = NO_CARD, 0, 0
    put(world, pile, code, knows, origin)
