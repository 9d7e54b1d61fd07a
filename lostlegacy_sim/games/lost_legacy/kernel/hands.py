"""What happens to hands by a card's text: seen triggers, discards, takes, exchanges with a row, several seats put out."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.card_stats import note_exchange, note_receipt
from lostlegacy_sim.games.lost_legacy.kernel.eliminate import is_in_game, land, leave_hand, put_out, settle
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import bit
from lostlegacy_sim.games.lost_legacy.kernel.log import GOT, LEFT, log_event, log_taking
from lostlegacy_sim.games.lost_legacy.kernel.piles import EVERYBODY, count_in_rows, count_out_of_rows, pick_up, shuffle
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    FOCUS_NONE,
    HAND,
    LEGACY,
    NO_CARD,
    ON_SEEN,
    V_DISCARD,
    V_ELIMINATE,
    V_SHUFFLE,
    V_TAKE_HAND,
    WHO_OWNER,
)
from lostlegacy_sim.jit import kernel, out_of_line

ONE = np.uint64(1)


@kernel
def trigger_seen(cards, secret, public, history, owner, kind):
    """The seen trigger of a hand card: owner holds it, the looker is the seat on turn."""
    out_of_line()
    first = cards.first_step[kind, ON_SEEN]
    for step in range(first, first + cards.n_steps[kind, ON_SEEN]):
        verb = cards.verb[step]
        if verb == V_SHUFFLE:
            shuffle(secret, public, history, cards.to[step])
        else:
            if verb == V_DISCARD:  # what the looking card says about the seen card is void (L2)
                public.focus = FOCUS_NONE
            act_on_hand(cards, secret, public, history, step, owner)
            if public.turn_over:
                if secret.watches and verb == V_ELIMINATE:
                    secret.trapped[kind] += 1
                return


@kernel
def act_on_hand(cards, secret, public, history, step, owner):
    """Eliminate, discard or take the hand of one seat: owner or looker (the seat on turn)."""
    out_of_line()
    seat = owner if cards.who[step] == WHO_OWNER else public.seat
    verb = cards.verb[step]
    if verb == V_ELIMINATE:
        put_out(cards, secret, public, history, seat)
        settle(public)
    elif verb == V_DISCARD:
        index = leave_hand(cards, secret, public, history, seat, False)
        if index >= 0:
            land(cards, secret, public, history, seat, index)
    elif verb == V_TAKE_HAND:
        giver = owner if cards.source[step] == WHO_OWNER else public.seat
        secret.card[HAND + seat] = secret.card[HAND + giver]
        secret.knows[HAND + seat] = secret.knows[HAND + giver] | bit(seat)
        secret.card[HAND + giver] = NO_CARD
        secret.knows[HAND + giver] = 0
        if secret.watches:
            note_receipt(secret, seat, secret.card[HAND + seat])
            log_taking(secret, public, seat, giver)


@kernel
def exchange_with_row(cards, secret, public, history):
    """L27: the row card becomes the hand card, for all to see; the hand card lies in its place, face up."""
    out_of_line()
    hand, seat, index = HAND + public.seat, public.focus_seat, public.focus_index
    taken, laid = public.row[seat, index], secret.card[hand]
    if cards.traits[laid] & LEGACY:  # L13, as_eliminated
        pick_up(cards, public, seat, index)
        leave_hand(cards, secret, public, history, public.seat, False)
    else:
        public.row[seat, index] = laid
        count_out_of_rows(cards, public, taken)
        count_in_rows(cards, public, laid)
        public.row_down[seat] &= ~(ONE << np.uint64(index))
        if secret.watches:
            log_event(secret, public, LEFT, public.seat, laid, 0)
    secret.card[hand] = taken
    secret.knows[hand] = EVERYBODY
    if secret.watches:
        note_exchange(secret, public.seat, laid, taken)
        log_event(secret, public, GOT, public.seat, taken, 0)
    if not cards.traits[laid] & LEGACY:
        land(cards, secret, public, history, seat, index)


@kernel
def put_out_several(cards, secret, public, history, with_self):
    """L33: clockwise from the seat on turn, all of them before anybody is the last one."""
    out_of_line()
    for distance in range(public.n_seats):
        seat = (public.seat + distance) % public.n_seats
        if is_in_game(public, seat) and (with_self or distance):
            put_out(cards, secret, public, history, seat)
    settle(public)
