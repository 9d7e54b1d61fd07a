"""A world: the hidden cards as they may lie, each kind fixed only when something depends on it.

A card whose kind is still open is ANY or, once it is known not to be the kind that cannot be played, OTHER. All open cards
are exchangeable: the open kinds lie among them with equal chances, that one kind among the ANY cards only. So what an observation
is worth is exact: its chance multiplies the weight, and the card is fixed. Where each card lay after the deal is kept, so that the
deal can be played again by the rules.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS, N_LOG, record
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DECK_END,
    HAND,
    MAX_CARDS,
    N_PLACES,
    NO_CARD,
    RUINS,
    UNPLAYABLE,
)
from lostlegacy_sim.jit import inlined, kernel
from lostlegacy_sim.rng import keyed

ANY, OTHER = 255, 254  # cards whose kind is open
CARDS_A_WORD = 6  # as for a shuffle: 48^6 is about 2^34, so the bias stays below 2^-30

WORLD_FIELDS = (
    ("weight", "f8", (), "how likely it is, relative to the other worlds of the same observation"),
    ("key", "u8", (), "key of its random numbers"),
    ("drawn", "i8", (), "random numbers drawn so far"),
    ("card", "u1", (N_PLACES,), "the kind at each place, 0 for no card, or ANY or OTHER"),
    ("origin", "u1", (N_PLACES,), "where an open card lay after the deal"),
    ("dealt", "u1", (N_PLACES,), "the kind at each place after the deal, as far as it is fixed"),
    ("knows", "u1", (N_PLACES,), "bit s: seat s knows the card there"),
    ("somewhere", "u1", (N_PLACES,), "bit s: seat s knows that this ruins card is somewhere in the ruins"),
    ("blurred", "u1", (), "bit s: seat s has a `somewhere` bit"),
    ("loose", "u8", (), "places of a shuffled pile that nobody has cared for since, as bits"),
    ("left", "i8", (KINDS,), "open cards of each kind, without the kind that cannot be played"),
    ("n_left", "i8", (), "their sum"),
    ("pool", "u1", (MAX_CARDS,), "scratch: they, laid out one after the other"),
    ("free", "i8", (), "the kind that cannot be played while it is open, else 0"),
    ("unplayable", "i8", (), "that kind, 0 if there is none"),
    ("n_any", "i8", (), "ANY cards, while that kind is open"),
    ("deck_size", "i8", (), "cards in the deck"),
    ("ruins_size", "i8", (), "cards in the ruins"),
    ("named", "i8", (), "the speed named last"),
    ("shown", "u8", (), "bit s: the speed of seat s has been called"),
    ("exchanged", "u1", (N_LOG,), "1: the exchange of this event of the log was made"),
    ("event", "i8", (), "the event of the log that is told"),
    ("is_dealt", "i8", (), "1: piles are shuffled as the rules do it, so that the deal can be played again"),
    ("turn", "i8", (), "turns begun"),
    ("n_shuffles", "i8", (), "shuffles so far in this turn"),
)
WORLD = record(WORLD_FIELDS)
NO_PLACE = np.uint64(0)
ONE = np.uint64(1)
FRACTION = 2.0**-53


@inlined
def chance(world):
    """A random number from 0 to 1."""
    word = keyed(world.key, world.drawn)
    world.drawn += 1
    return np.float64(np.int64(word >> np.uint64(11))) * FRACTION


@inlined
def pick(world, n):
    """A random number 0 .. n - 1."""
    return min(np.int64(chance(world) * n), n - 1)


@inlined
def chance_key(world):
    """The key of its chance events, when it is played again as a deal."""
    return keyed(world.key, -1)


@kernel
def begin(cards, n_seats, world):
    """Nothing has been observed yet: all cards are open."""
    world.weight, world.loose, world.shown, world.named = 1.0, NO_PLACE, NO_PLACE, 0
    world.turn, world.ruins_size, world.deck_size = 0, 1, np.int64(cards.n_slots) - 1 - n_seats
    world.free, world.unplayable, world.n_left = 0, 0, 0
    for kind in range(KINDS):
        world.left[kind] = cards.copies[kind]
        if cards.traits[kind] & UNPLAYABLE:
            world.left[kind] = 0
            world.free, world.unplayable = kind, kind
        world.n_left += world.left[kind]
    code = ANY if world.free else OTHER
    world.n_any = cards.n_slots if world.free else 0
    for place in range(N_PLACES):
        world.card[place], world.knows[place], world.somewhere[place], world.origin[place] = NO_CARD, 0, 0, place
    world.card[RUINS] = code
    for seat in range(n_seats):
        world.card[HAND + seat] = code
        world.knows[HAND + seat] = 1 << seat
    for place in range(DECK_END - world.deck_size, DECK_END):
        world.card[place] = code


# --- what a card may be -----------------------------------------------------------------------------------


@inlined
def likelihood(world, code, kind):
    """The chance that a card, fixed or open, is of a kind."""
    if code < OTHER:
        return 1.0 if code == kind else 0.0
    if kind == world.free:
        return 1.0 / world.n_any if code == ANY else 0.0
    if world.n_left == 0:
        return 0.0
    found = world.left[kind] / world.n_left
    return found * (1.0 - 1.0 / world.n_any) if code == ANY and world.free else found


@inlined
def fix(world, place, kind):
    """The card at a place is of this kind; without weighing it."""
    if world.card[place] >= OTHER:
        if kind == world.free:
            world.free = 0
        else:
            world.left[kind] -= 1
            world.n_left -= 1
            if world.card[place] == ANY:
                world.n_any -= 1
        world.card[place] = kind
        world.dealt[world.origin[place]] = kind


@inlined
def rule_out_unplayable(world, place):
    """The card at a place is not the kind that cannot be played; without weighing it."""
    if world.card[place] == ANY:
        world.card[place] = OTHER
        world.n_any -= 1


@kernel
def draw_among(world, place, kinds):
    """Fix a card as one of these kinds (bits), each with its chance; returns the chance of all of them."""
    code = world.card[place]
    if code < OTHER:
        return 1.0 if kinds >> np.uint64(code) & ONE else 0.0
    is_any = code == ANY and world.free != 0
    is_free = 1.0 / world.n_any if is_any and kinds >> np.uint64(world.free) & ONE else 0.0
    n = np.int64(0)
    for kind in range(KINDS):
        n += world.left[kind] * np.int64(kinds >> np.uint64(kind) & ONE)
    others = 0.0 if n == 0 else n / world.n_left * (1.0 - 1.0 / world.n_any if is_any else 1.0)
    total = is_free + others
    if is_free > 0.0 and chance(world) * total < is_free:
        fix(world, place, world.free)
    elif others > 0.0:
        number, kind = pick(world, n), 0
        while number >= 0:
            kind += 1
            number -= world.left[kind] * np.int64(kinds >> np.uint64(kind) & ONE)
        fix(world, place, kind)
    return total


@kernel
def observe_among(world, place, kinds):
    """The card at a place shows that it is one of these kinds (bits)."""
    world.weight *= draw_among(world, place, kinds)
