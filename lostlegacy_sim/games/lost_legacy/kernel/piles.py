"""Moving cards: rows, ruins and deck as piles; every move carries its knowledge along (K2).

A row closes up when a card leaves it; the ruins grow to the right; the deck's top is its lowest place.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.ask import note
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import bit, forget_one_of_each_kind, lapse_deck, lapse_ruins
from lostlegacy_sim.games.lost_legacy.kernel.log import SHUFFLED as WAS_SHUFFLED
from lostlegacy_sim.games.lost_legacy.kernel.log import log_event
from lostlegacy_sim.games.lost_legacy.kernel.state import ALL_SEATS
from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, HAND, NO_CARD, RUINS, TO_RUINS
from lostlegacy_sim.jit import inlined, kernel, out_of_line
from lostlegacy_sim.rng import keyed, split

ONE = np.uint64(1)
SHUFFLED = 16  # in a history: SHUFFLED + zone, number of cards, order
CARDS_A_WORD = 6  # in a shuffle: 48^6 is about 2^34, so the bias stays below 2^-30


# --- discard rows ---------------------------------------------------------------------------------------


@inlined
def count_in_rows(cards, public, kind):
    """A card comes into a row."""
    public.in_rows[np.uint64(kind)] += 1
    public.rows_speeds += cards.by_speed[np.uint64(kind)]
    public.rows_dangers += cards.by_danger[np.uint64(kind)]


@inlined
def count_out_of_rows(cards, public, kind):
    """A card leaves a row."""
    public.in_rows[np.uint64(kind)] -= 1
    public.rows_speeds -= cards.by_speed[np.uint64(kind)]
    public.rows_dangers -= cards.by_danger[np.uint64(kind)]


@inlined
def lay(cards, public, seat, kind):
    """Lay a card face up at the right end of a row; returns its index."""
    row = np.uint64(seat)
    index = public.row_size[row]
    public.row[row, np.uint64(index)] = kind
    public.row_size[row] = index + 1
    count_in_rows(cards, public, kind)
    return index


@kernel
def pick_up(cards, public, seat, index):
    """Take a card out of a row, which closes up; returns its kind."""
    out_of_line()
    kind = public.row[seat, index]
    last = np.int64(public.row_size[seat]) - 1
    for place in range(index, last):
        public.row[seat, place] = public.row[seat, place + 1]
    public.row[seat, last] = NO_CARD
    public.row_size[seat] = last
    count_out_of_rows(cards, public, kind)
    below = (ONE << np.uint64(index)) - ONE
    down = public.row_down[seat]
    public.row_down[seat] = (down & below) | ((down >> ONE) & ~below)
    if seat == public.seat and public.played:
        if index == public.played_index:
            public.played_index = -1
        elif index < public.played_index:
            public.played_index -= 1
    return kind


@inlined
def is_face_down(public, seat, index):
    """Whether a row card lies face down."""
    return (public.row_down[seat] >> np.uint64(index)) & ONE != 0


@inlined
def is_being_played(public, seat, index):
    """L19: the card whose effect is going on; it cannot be chosen and does not count."""
    return seat == public.seat and public.played != NO_CARD and index == public.played_index


# --- ruins and deck -------------------------------------------------------------------------------------


@kernel
def put(secret, public, pile, kind, knows):
    """Put a card at the right end of the ruins or on top of the deck."""
    if pile == TO_RUINS:
        place = RUINS + public.ruins_size
        public.ruins_size += 1
    else:
        public.deck_size += 1
        place = DECK_END - public.deck_size
    secret.card[place] = kind
    secret.knows[place] = knows
    secret.somewhere[place] = 0


@kernel
def take_out(secret, public, place):
    """Take a card out of the ruins, which close up, or off the deck; returns kind and who knows it."""
    out_of_line()
    kind, knows = secret.card[place], secret.knows[place]
    if place < RUINS + public.ruins_size:
        if secret.blurred:
            forget_one_of_each_kind(secret, public, place)
        public.ruins_size -= 1
        last = RUINS + public.ruins_size
        for left in range(place, last):
            secret.card[left] = secret.card[left + 1]
            secret.knows[left] = secret.knows[left + 1]
            secret.somewhere[left] = secret.somewhere[left + 1]
        place = last
    else:
        public.deck_size -= 1
    secret.card[place] = NO_CARD
    secret.knows[place] = 0
    secret.somewhere[place] = 0
    return kind, knows


@inlined
def draw_into(secret, public, seat, place):
    """The deck's top card goes to a place, known to the seat and to who knew it on the deck (K2)."""
    top = np.uint64(DECK_END - public.deck_size)
    secret.card[place] = secret.card[top]
    secret.knows[place] = secret.knows[top] | bit(seat)
    secret.card[top] = NO_CARD
    secret.knows[top] = 0
    public.deck_size -= 1


@kernel
def shuffle(secret, public, history, pile):
    """Shuffle the ruins or the deck: a chance event of this turn."""
    out_of_line()
    if secret.watches:
        log_event(secret, public, WAS_SHUFFLED, pile, 0, 0)
    if pile == TO_RUINS:
        lapse_ruins(secret, public)
        first, n = RUINS, public.ruins_size
    else:
        lapse_deck(secret, public)
        first, n = DECK_END - public.deck_size, public.deck_size
    if n < 2:
        return
    number = (np.uint64(public.turn) << np.uint64(6)) + secret.events
    secret.events += ONE
    key = keyed(secret.chance, number)
    word = key
    if history.on:
        note_order(history, pile, n)
    for left in range(n - 1):
        if left % CARDS_A_WORD == 0:
            word = keyed(key, left)
        step, word = split(word, n - left)
        here, there = first + left, first + left + step
        secret.card[here], secret.card[there] = secret.card[there], secret.card[here]
        secret.somewhere[here], secret.somewhere[there] = secret.somewhere[there], secret.somewhere[here]
        if history.on:
            at = history.n - n
            history.data[at + left], history.data[at + left + step] = (
                history.data[at + left + step], history.data[at + left])  # fmt: skip


@kernel
def note_order(history, pile, n):
    """Write a shuffle's head and the identity order into the history; the shuffle then permutes it."""
    out_of_line()
    note(history, SHUFFLED + pile)
    note(history, n)
    for index in range(n):
        note(history, index)


@kernel
def lose_hand(secret, seat):
    """The seat's hand card, which leaves its place; what was known of that hand ends (K7)."""
    kind = secret.card[HAND + seat]
    secret.card[HAND + seat] = NO_CARD
    secret.knows[HAND + seat] = 0
    return kind


EVERYBODY = np.uint8(ALL_SEATS)
