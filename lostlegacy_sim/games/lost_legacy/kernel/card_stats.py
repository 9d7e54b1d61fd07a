"""What each kind does in a deal, noted while it happens; only where the counts ask for it.

`secret.watches` is one read at a play and one at an exchange; all else is out of the way.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_SEATS
from lostlegacy_sim.jit import kernel, out_of_line

ONE = np.uint64(1)


@kernel
def kind_bit(kind):
    """A kind as a bit; no card is bit 0, which nobody reads."""
    return np.uint32(ONE << np.uint64(kind))


@kernel
def begin_watching(secret):
    """Nothing has been noted in this deal."""
    out_of_line()
    for seat in range(MAX_SEATS):
        secret.received[seat] = 0
        secret.gave[seat] = 0
        secret.laid[seat] = 0
    for kind in range(KINDS):
        secret.plays[kind] = 0
        secret.forced[kind] = 0
        secret.kills[kind] = 0
        secret.self_kills[kind] = 0
        secret.trapped[kind] = 0
        secret.namings[kind] = 0
        secret.counter_hits[kind] = 0
        secret.hits[kind] = 0


@kernel
def note_play(secret, seat, drawn, played, is_forced):
    """A seat has drawn a card and played one of two."""
    out_of_line()
    secret.received[seat] |= kind_bit(drawn)
    secret.laid[seat] |= kind_bit(played)
    secret.plays[played] += 1
    secret.forced[played] += is_forced
    secret.turns_card = played


@kernel
def note_receipt(secret, seat, kind):
    """A seat has received a hand card other than by drawing at its turn."""
    out_of_line()
    secret.received[seat] |= kind_bit(kind)


@kernel
def note_exchange(secret, seat, given, taken):
    """A seat has exchanged its hand card."""
    out_of_line()
    secret.gave[seat] |= kind_bit(given)
    secret.received[seat] |= kind_bit(taken)


@kernel
def note_out(secret, public, seat):
    """A seat is put out, by what the card played in this turn led to."""
    out_of_line()
    if seat == public.seat:
        secret.self_kills[secret.turns_card] += 1
    else:
        secret.kills[secret.turns_card] += 1
