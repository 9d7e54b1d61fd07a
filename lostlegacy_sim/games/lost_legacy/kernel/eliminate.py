"""Elimination and the triggers that need no decision: seen, eliminated, out, row (rules, section 3)."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.card_stats import note_out, note_receipt
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import bit
from lostlegacy_sim.games.lost_legacy.kernel.log import CAME, LEFT, OUT, log_event, log_return
from lostlegacy_sim.games.lost_legacy.kernel.piles import (
    EVERYBODY,
    draw_into,
    is_being_played,
    is_face_down,
    lay,
    lose_hand,
    pick_up,
    put,
    shuffle,
)
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    COUNTS_ALWAYS,
    FROM_HAND,
    HAND,
    LEGACY,
    NO_CARD,
    NOBODY,
    ON_ELIMINATED,
    ON_OUT,
    ON_ROW,
    OVER,
    V_ELIMINATE,
    V_FLIP,
    V_MOVE,
    V_RETURN,
    V_SHUFFLE,
    WAY_LAST,
    WAY_NOBODY,
)
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line

ONE = np.uint64(1)


@inlined
def is_in_game(public, seat):
    """Whether a seat is in the game."""
    return (public.in_game >> np.uint64(seat)) & ONE != 0


@kernel
def leave_hand(cards, secret, public, history, seat, is_put_out):
    """A hand card is discarded without its effect; returns its row index, -1 if it did not come to lie there.

    If its owner is put out, a card goes where its `eliminated` trigger says instead; a Lost Legacy always (L13).
    """
    out_of_line()
    kind = lose_hand(secret, seat)
    if kind == NO_CARD:
        return -1
    first = cards.first_step[kind, ON_ELIMINATED]
    n = cards.n_steps[kind, ON_ELIMINATED] if is_put_out or cards.traits[kind] & LEGACY else 0
    is_moved = False
    for step in range(first, first + n):
        if cards.verb[step] == V_MOVE:
            if not is_moved:
                put(secret, public, cards.to[step], kind, EVERYBODY)
                if secret.watches:
                    log_event(secret, public, LEFT, seat, kind, 1 + cards.to[step])
            is_moved = True
        elif cards.verb[step] == V_SHUFFLE:
            shuffle(secret, public, history, cards.to[step])
    if is_moved:
        return -1
    if secret.watches:
        log_event(secret, public, LEFT, seat, kind, 0)
    return lay(cards, public, seat, kind)


@kernel
def count_face_up(public, seat, kind):
    """Face-up cards of a kind in a row, without a card being played (L19)."""
    n = 0
    for index in range(public.row_size[seat]):
        if public.row[seat, index] == kind and not is_face_down(public, seat, index):
            n += not is_being_played(public, seat, index)
    return n


@kernel
def act_in_row(cards, secret, public, history, seat, index, trigger):
    """Carry out the `row` or `out` steps of a row card; returns whether they put the owner out."""
    out_of_line()
    kind = public.row[seat, index]
    lies_there = True
    first = cards.first_step[kind, trigger]
    for step in range(first, first + cards.n_steps[kind, trigger]):
        verb = cards.verb[step]
        if verb == V_FLIP:
            if lies_there:
                public.row_down[seat] |= ONE << np.uint64(index)
        elif verb == V_MOVE:
            if lies_there:
                pick_up(cards, public, seat, index)
                put(secret, public, cards.to[step], kind, EVERYBODY)
                if secret.watches:
                    log_event(secret, public, CAME, kind, cards.to[step], 0)
            lies_there = False
        elif verb == V_SHUFFLE:
            shuffle(secret, public, history, cards.to[step])
        elif verb == V_RETURN:
            if public.deck_size > 0 and not is_in_game(public, seat):
                draw_into(secret, public, seat, HAND + seat)
                if secret.watches:
                    note_receipt(secret, seat, secret.card[HAND + seat])
                    log_return(secret, public, seat)
                public.in_game |= np.uint64(bit(seat))
        elif verb == V_ELIMINATE:
            if count_face_up(public, seat, kind) >= cards.count[step]:
                return True
    return False


@kernel
def put_out(cards, secret, public, history, seat):
    """Eliminate one seat: discard, then the protector that lay in its row before (section 3, steps 1 and 2)."""
    out_of_line()
    is_again = True
    while is_again:
        is_again = False
        protector = -1
        for index in range(public.row_size[seat]):
            if cards.n_steps[public.row[seat, index], ON_OUT] and not is_face_down(public, seat, index):
                protector = index
                break
        public.in_game &= ~np.uint64(bit(seat))
        public.out_turn[seat] = public.turn
        if secret.watches:
            note_out(secret, public, seat)
            log_event(secret, public, OUT, seat, 0, 0)
        public.turn_over = 1
        laid = leave_hand(cards, secret, public, history, seat, True)
        if protector < 0 and laid >= 0:  # L25: only with from_hand
            kind = public.row[seat, laid]
            if cards.n_steps[kind, ON_OUT] and cards.traits[kind] & FROM_HAND:
                protector = laid
        if protector >= 0:
            act_in_row(cards, secret, public, history, seat, protector, ON_OUT)
        if is_in_game(public, seat):  # L15: cards that count at all times
            for index in range(public.row_size[seat]):
                kind = public.row[seat, index]
                if cards.traits[kind] & COUNTS_ALWAYS and not is_face_down(public, seat, index):
                    if not is_being_played(public, seat, index):
                        is_again = act_in_row(cards, secret, public, history, seat, index, ON_ROW)
                        break


@inlined
def land(cards, secret, public, history, seat, index):
    """A card has come to lie face up in a row; in the row of a seat in the game its `row` trigger happens (L15)."""
    if cards.n_steps[public.row[seat, index], ON_ROW] and is_in_game(public, seat):
        act_after_landing(cards, secret, public, history, seat, index)


@kernel
def act_after_landing(cards, secret, public, history, seat, index):
    """The `row` trigger of a card that has just come to lie there."""
    out_of_line()
    if act_in_row(cards, secret, public, history, seat, index, ON_ROW):
        put_out(cards, secret, public, history, seat)
        settle(public)


@inlined
def settle(public):
    """The last one left wins; if none is left, nobody does (section 3, step 3; L5)."""
    if public.in_game & (public.in_game - ONE) == 0:
        if public.in_game == 0:
            public.way, public.winner = WAY_NOBODY, NOBODY
            public.phase = OVER
        else:
            public.way, public.winner = WAY_LAST, lowest_bit(public.in_game)
            public.phase = OVER
