"""What each seat knows for certain, and how it lapses (ruling L34: exactly K1-K7).

`knows[place]` holds one bit a seat and travels with the card; `somewhere[place]` says who knows a
ruins card to be in the ruins without knowing where. What is known is read from the truth, so it can
never be wrong, only leak. At one place a seat has at most one of the two bits.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import ALL_SEATS, KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, HAND, MAX_SEATS, RUINS
from lostlegacy_sim.jit import copy_marked_bytes, inlined, kernel, out_of_line

ONE = np.uint64(1)


@inlined
def bit(seat):
    """The seat as a bit."""
    return np.int64(1) << seat


@inlined
def is_ruins(public, place):
    """Whether the place is one of the ruins (never a hand, the deck or a row)."""
    return RUINS <= place < RUINS + public.ruins_size


@kernel
def take_out_of_multiset(secret, public, place, seats):
    """K5: a ruins position becomes known to `seats`; its kind leaves their "somewhere" multisets."""
    out_of_line()
    need = seats & ~secret.knows[place]
    at_place = secret.somewhere[place] & need
    secret.somewhere[place] &= ~at_place
    need &= ~at_place
    kind = secret.card[place]
    for other in range(RUINS, RUINS + public.ruins_size):
        if secret.card[other] == kind:
            elsewhere = secret.somewhere[other] & need
            secret.somewhere[other] &= ~elsewhere
            need &= ~elsewhere


@inlined
def see(secret, public, seat, place):
    """K1: a seat has looked at a place."""
    if secret.blurred & bit(seat) and is_ruins(public, place):
        take_out_of_multiset(secret, public, place, bit(seat))
    secret.knows[np.uint64(place)] |= bit(seat)


@inlined
def reveal(secret, public, place):
    """K1: everybody has seen a place."""
    if secret.blurred and is_ruins(public, place):
        take_out_of_multiset(secret, public, place, np.uint8(ALL_SEATS))
    secret.knows[place] = np.uint8(ALL_SEATS)


@kernel
def forget_one_of_each_kind(secret, public, place):
    """K5: the ruins card at `place` may have left; who does not know it loses one copy of every kind."""
    out_of_line()
    unknowing = np.uint8(ALL_SEATS) & ~secret.knows[place]
    for other in range(RUINS, RUINS + public.ruins_size):
        secret.done[secret.card[other]] = 0
    secret.done[secret.card[place]] = secret.somewhere[place] & unknowing
    secret.somewhere[place] &= ~unknowing
    for other in range(RUINS, RUINS + public.ruins_size):
        kind = secret.card[other]
        leaves = secret.somewhere[other] & unknowing & ~secret.done[kind]
        secret.somewhere[other] &= ~leaves
        secret.done[kind] |= leaves


@inlined
def maybe_exchange(secret, public, seat, place, is_exchanged):
    """K4: a secret "may exchange" of a seat's hand with a hidden place, done or not."""
    if secret.blurred and is_ruins(public, place):
        forget_one_of_each_kind(secret, public, place)
    hand, there = np.uint64(HAND + seat), np.uint64(place)
    own, other = np.int64(secret.card[hand]), np.int64(secret.card[there])
    knows_hand, knows_place = np.int64(secret.knows[hand]), np.int64(secret.knows[there])
    is_same, moved = own == other, (own ^ other) & -np.int64(is_exchanged)
    after = bit(seat) | (knows_hand & knows_place & -np.int64(is_same))
    # Whose hand it is sees what lies there now, and concludes; without branches, since none could be predicted.
    holder = (ONE << there) & np.uint64(ALL_SEATS)
    secret.knows[there] = after | holder
    secret.knows[hand] = after | (holder & np.uint64(knows_hand | -np.int64(is_exchanged and not is_same)))
    secret.card[hand] = own ^ moved
    secret.card[there] = other ^ moved


@kernel
def exchange_openly(secret, public, seat, place):
    """K2: an exchange everybody knows of: both cards move whole, and their knowledge with them."""
    out_of_line()
    if secret.blurred and is_ruins(public, place):
        forget_one_of_each_kind(secret, public, place)
    hand = HAND + seat
    secret.card[hand], secret.card[place] = secret.card[place], secret.card[hand]
    secret.knows[hand], secret.knows[place] = secret.knows[place], secret.knows[hand]
    secret.knows[hand] |= bit(seat)
    secret.knows[place] |= bit(seat)
    if place < MAX_SEATS:
        secret.knows[place] |= bit(place)


@inlined
def keep_after_play(secret, seat, kept, knows_kept, knows_played, is_same_kind):
    """K3: the card kept becomes the hand card; who knew the other one too may know it."""
    if is_same_kind:
        knows_kept &= knows_played
    hand = np.uint64(HAND + seat)
    secret.card[hand] = kept
    secret.knows[hand] = knows_kept | bit(seat)


@inlined
def lapse_ruins(secret, public):
    """K5: before the ruins are shuffled, known positions become "somewhere in the ruins"."""
    for place in range(RUINS, RUINS + public.ruins_size):
        secret.somewhere[place] |= secret.knows[place]
        secret.blurred |= secret.knows[place]
        secret.knows[place] = 0


@inlined
def lapse_deck(secret, public):
    """K6: when the deck is shuffled, all its places lapse."""
    for place in range(DECK_END - public.deck_size, DECK_END):
        secret.knows[place] = 0


@kernel
def write_view(secret, public, private):
    """Write down for a bot what its seat knows: `known` and `ruins_has`."""
    out_of_line()
    seat = np.uint8(bit(private.seat))
    copy_marked_bytes(private.known, secret.card, secret.knows, np.int64(seat))
    for kind in range(KINDS):
        private.ruins_has[kind] = 0
    if secret.blurred & seat:
        for place in range(RUINS, RUINS + public.ruins_size):
            if secret.somewhere[place] & seat:
                private.ruins_has[secret.card[place]] += 1
