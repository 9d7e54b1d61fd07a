"""A perfect card counter: what who remembers all it has seen, and reads nothing into how others play, would name.

The rate it reaches is what the hits of a card that names a speed are measured by. Every card it has not seen may lie at every
place it does not know, with even chances; chances are compared as whole numbers.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.knowledge import bit, is_ruins
from lostlegacy_sim.games.lost_legacy.vocabulary import N_PLACES, NO_CARD, ON_PLAY, V_LOOK, X
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line

ONE = np.uint64(1)
SIX_BITS = np.uint64(63)


@kernel
def next_look(cards, kind, step):
    """Where the next look of a card's play effect may be at, as bits; 0 if there is none."""
    out_of_line()
    end = cards.first_step[kind, ON_PLAY] + cards.n_steps[kind, ON_PLAY]
    for later in range(step + 1, end):
        if cards.verb[later] == V_LOOK:
            return np.int64(cards.at[later])
    return np.int64(0)


@inlined
def of_speed(packed, speed):
    """The number of a speed in a sum of `by_speed`."""
    return np.int64((packed >> np.uint64(6 * speed)) & SIX_BITS)


@kernel
def counter_hits(cards, secret, public, places):
    """1 if the best speed at the best of these places is that of the card there, else 0; for the seat on turn.

    Of equal chances the lowest place and speed are taken. What it does not know is only read to see whether it is right.
    """
    out_of_line()
    seat = bit(public.seat)
    unseen, somewhere = cards.all_speeds - public.rows_speeds, np.uint64(0)  # not seen; known to be in the ruins, place unknown
    n_somewhere, n_hidden_ruins = np.int64(0), np.int64(0)
    for place in range(N_PLACES):
        kind = secret.card[place]
        if kind == NO_CARD:
            continue
        if secret.knows[place] & seat:
            unseen -= cards.by_speed[kind]
        elif is_ruins(public, place):
            n_hidden_ruins += 1
            if secret.somewhere[place] & seat:
                unseen -= cards.by_speed[kind]
                somewhere += cards.by_speed[kind]
                n_somewhere += 1
    n_unseen = np.int64(0)
    for speed in range(1, X + 1):
        n_unseen += of_speed(unseen, speed)
    n_ruins, n_cards = max(np.int64(1), n_hidden_ruins), max(np.int64(1), n_unseen)
    best, is_right = np.int64(-1), np.int64(0)
    while places:
        place = lowest_bit(places)
        places &= places - ONE
        there, is_known = np.int64(cards.speed[secret.card[place]]), secret.knows[place] & seat != 0
        for speed in range(1, X):
            if is_known:
                chance = n_cards * n_ruins if speed == there else np.int64(0)
            elif is_ruins(public, place):
                chance = of_speed(somewhere, speed) * n_cards + (n_ruins - n_somewhere) * of_speed(unseen, speed)
            else:
                chance = of_speed(unseen, speed) * n_ruins
            if chance > best:
                best, is_right = chance, np.int64(speed == there)
    return is_right
