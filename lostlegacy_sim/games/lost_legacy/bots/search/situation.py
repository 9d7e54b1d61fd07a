"""A situation: a question as the seat that is asked sees it, as one number; what looks alike to the seat has the same number.

Rows count without their order, and what happened before counts as far as it can still be seen or is known: two ways
to one situation are one situation.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import N_PLACES
from lostlegacy_sim.jit import inlined, kernel, out_of_line
from lostlegacy_sim.rng import mix

A_BYTE = np.uint64(8)
PLACES_A_WORD = 8
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@inlined
def packed(word, number):
    """A word with one number from 0 to 255 more."""
    return word << A_BYTE | np.uint64(number)


@inlined
def joined(key, word):
    """The key with one word more."""
    return mix(key * GOLDEN + word)


@kernel
def situation_key(public, private, question):
    """The number of the situation the seat is in that is asked; 64 bits, so that two hardly ever share one."""
    out_of_line()
    asked = packed(packed(packed(np.uint64(question.what), question.kind), question.focus), private.seat)
    asked = packed(packed(packed(packed(asked, public.step), public.look), public.named), public.called)
    key = joined(joined(GOLDEN, asked), question.mask)
    focus = packed(packed(packed(np.uint64(public.focus), public.focus_seat), public.focus_index), public.seat)
    key = joined(key, packed(packed(packed(focus, public.in_game), public.deck_size), public.ruins_size))
    if public.revealed:
        key = joined(key, public.revealed)
    for first in range(0, N_PLACES, PLACES_A_WORD):
        known = np.uint64(0)
        for place in range(first, first + PLACES_A_WORD):
            known = packed(known, private.known[place])
        if known:
            key = joined(key + np.uint64(first), known)
    for kind in range(1, KINDS):
        if private.ruins_has[kind]:
            key = joined(key, packed(np.uint64(kind), private.ruins_has[kind]))
    for seat in range(public.n_seats):
        key = joined(key, row_sum(public, seat))
    return key


@kernel
def row_sum(public, seat):
    """A row as one number, whatever its order."""
    total = np.uint64(0)
    for index in range(public.row_size[seat]):
        is_down = public.row_down[seat] >> np.uint64(index) & np.uint64(1)
        total += mix(packed(np.uint64(1) + is_down, public.row[seat, index]))
    return total
