"""What a trained response takes note of at a question: two keys, a fine one and a coarse one.

Only what its seat may know goes into them, and what `careful` would do. Situations with one key are one to it.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, DRAWN, HAND, NO_CARD, NOBODY, RUINS, TRAP
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import mix

ONE = np.uint64(1)
NOT_KNOWN, OWN, OTHERS, SOMEWHERE, ON_DECK, IN_RUINS = range(6)  # where the Legacy is known to lie
MOST = 7  # of what is counted, more are as good as so many


@inlined
def packed(key, number, size):
    """A key with one number more, 0 .. size - 1."""
    return key * np.uint64(size) + np.uint64(number)


@inlined
def other_seat(public, private):
    """The first other seat in the game; NOBODY if there is none."""
    others = public.in_game & ~(ONE << np.uint64(private.seat))
    return np.int64(lowest_bit(others)) if others else np.int64(NOBODY)


@inlined
def place_of_legacy(cards, public, private):
    """Where the Legacy is known to lie."""
    if private.known[HAND + private.seat] == cards.legacy or private.known[DRAWN] == cards.legacy:
        return np.int64(OWN)
    for seat in range(public.n_seats):
        if private.known[HAND + seat] == cards.legacy:
            return np.int64(OTHERS)
    for index in range(public.ruins_size):
        if private.known[RUINS + index] == cards.legacy:
            return np.int64(IN_RUINS + min(index, 2))
    if private.ruins_has[cards.legacy]:
        return np.int64(SOMEWHERE)
    for place in range(DECK_END - public.deck_size, DECK_END):
        if private.known[place] == cards.legacy:
            return np.int64(ON_DECK)
    return np.int64(NOT_KNOWN)


@inlined
def unseen_traps(cards, public, private):
    """Traps that may lie anywhere, as far as the seat knows."""
    unseen = np.int64(0)
    for kind in range(1, cards.n_kinds + 1):
        if cards.traits[kind] & TRAP:
            unseen += np.int64(cards.copies[kind]) - np.int64(public.in_rows[kind]) - np.int64(private.ruins_has[kind])
    for place in range(RUINS + public.ruins_size):
        if private.known[place] != NO_CARD and cards.traits[private.known[place]] & TRAP:
            unseen -= 1
    return max(np.int64(0), min(unseen, MOST))


@kernel
def coarse_key(cards, public, private, question, advice):
    """The question, the cards at stake, where the Legacy is known to lie, how late it is, and what `careful` would do."""
    out_of_line()
    seat = other_seat(public, private)
    key = packed(np.uint64(question.what), advice, 64)
    key = packed(packed(key, private.known[HAND + private.seat], 32), private.known[DRAWN], 32)
    key = packed(packed(key, question.kind, 32), question.focus, 32)
    key = packed(key, private.known[HAND + seat] if seat != NOBODY else 0, 32)
    key = packed(key, place_of_legacy(cards, public, private), 8)
    return packed(packed(key, min(public.deck_size, 4), 8), min(question.n, MOST), 8)


@kernel
def fine_key(cards, public, private, question, coarse):
    """As the coarse one, and: cards in the deck and in the ruins, traps unseen, known ruins, the other's last card."""
    out_of_line()
    seat = other_seat(public, private)
    size = public.row_size[seat] if seat != NOBODY else 0
    key = packed(np.uint64(0), public.deck_size, 64)
    key = packed(packed(key, min(public.ruins_size, MOST), 8), unseen_traps(cards, public, private), 8)
    key = packed(packed(key, private.known[RUINS], 32), private.known[RUINS + 1] if public.ruins_size > 1 else 0, 32)
    key = packed(key, public.row[seat, size - 1] if size else 0, 32)
    return mix(coarse) + key
