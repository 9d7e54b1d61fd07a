"""What a played card does: one small kernel a verb, and resolve(), which reads the effect table.

A step answers PAUSED or ILLEGAL (both negative) when its question has no answer; then nothing of it has
happened yet and it can be entered again. It answers GOES_ON when it is done, as far as possible (L1).
Whether the turn is over stands in PUBLIC.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.ask import choose, choose_of_two
from lostlegacy_sim.games.lost_legacy.kernel.card_counter import counter_hits, next_look
from lostlegacy_sim.games.lost_legacy.kernel.card_stats import note_exchange, note_receipt
from lostlegacy_sim.games.lost_legacy.kernel.hands import act_on_hand, exchange_with_row, put_out_several, trigger_seen
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import exchange_openly, maybe_exchange, see
from lostlegacy_sim.games.lost_legacy.kernel.log import (
    CAME,
    CHOSEN,
    COUNTS,
    DECLINED,
    MOVED,
    NAMED,
    log_event,
    log_exchange,
    log_look,
    log_test,
)
from lostlegacy_sim.games.lost_legacy.kernel.piles import EVERYBODY, pick_up, put, shuffle, take_out
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    AT_DECK,
    AT_HANDS,
    AT_ROWS,
    AT_RUINS,
    CARD_SELF,
    CHOOSE,
    DECK_END,
    EXCHANGE,
    FOCUS_NONE,
    FOCUS_ROW,
    FOCUS_ROW_CARD,
    HAND,
    IF_ALWAYS,
    IF_LEGACY,
    IF_NAMED,
    IF_X,
    INTO_ROW_AS_ELIMINATED,
    LEGACY,
    LOOK,
    MAX_SEATS,
    N_PLACES,
    NAME,
    NO_CARD,
    NOBODY,
    ON_PLAY,
    ON_SEEN,
    OVER,
    ROW,
    RUINS,
    SHUFFLE,
    V_CHOOSE,
    V_ELIMINATE,
    V_EXCHANGE,
    V_LOOK,
    V_MOVE,
    V_NAME,
    V_SHUFFLE,
    V_WIN,
    WAY_SEEN,
    WHO_EVERYONE,
    WHO_LOOKER,
    WHO_OTHERS,
    X,
)
from lostlegacy_sim.jit import inlined, kernel, out_of_line

ONE = np.uint64(1)
NO_OPTION = np.uint64(0)
SPEEDS_1_TO_8 = np.uint64(0b111111110)
GOES_ON = 0


# --- the card in focus ----------------------------------------------------------------------------------


@inlined
def kind_in_focus(state):
    """The kind of the card in focus, or NO_CARD."""
    public = state.public
    if public.focus < N_PLACES:
        return np.int64(state.secret.card[public.focus])
    if public.focus == FOCUS_ROW_CARD:
        return np.int64(public.row[public.focus_seat, public.focus_index])
    return np.int64(NO_CARD)


@inlined
def owner_in_focus(public):
    """Whose hand is in focus, or NOBODY."""
    return public.focus - HAND if public.focus < MAX_SEATS else np.int64(NOBODY)


@inlined
def holds(cards, public, kind, condition):
    """Whether a condition holds for the card in focus."""
    if condition == IF_ALWAYS:
        return True
    if kind == NO_CARD:
        return False
    if condition == IF_X:
        return cards.speed[kind] == X
    if condition == IF_LEGACY:
        return cards.traits[kind] & LEGACY != 0
    return cards.speed[kind] == public.named


# --- one kernel a verb ----------------------------------------------------------------------------------


@inlined
def hidden_places(public, at):
    """The places a look may choose from, as bits."""
    hands = public.in_game & ~(ONE << np.uint64(public.seat))
    ruins = ((ONE << np.uint64(public.ruins_size)) - ONE) << np.uint64(RUINS)
    top = np.uint64(public.deck_size > 0) << np.uint64((DECK_END - public.deck_size) % N_PLACES)
    mask = hands * np.uint64(at & AT_HANDS != 0)  # products, since branches could not be predicted
    mask |= ruins * np.uint64(at & AT_RUINS != 0)
    return mask | (top * np.uint64(at & AT_DECK != 0))


@inlined
def look(state, step):
    """Look at a hidden card, which comes into focus; a hand card's seen trigger happens at once (L2)."""
    cards, secret, public = state.cards, state.secret, state.public
    while True:
        places = hidden_places(public, cards.at[step])
        if public.look:
            places &= ~(ONE << np.uint64(public.focus))
        if places == NO_OPTION:
            if public.look == 0:
                public.focus = FOCUS_NONE
            break
        place = choose(state, LOOK, public.seat, places)
        if place < 0:
            return place
        public.focus = place
        see(secret, public, public.seat, place)
        kind = secret.card[np.uint64(place)]
        if secret.watches:
            log_look(cards, secret, public, place, cards.cancels[step])
        is_triggered = (place < MAX_SEATS) & (cards.n_steps[kind, ON_SEEN] > 0)
        if is_triggered and not (cards.cancels[step] and cards.speed[kind] == X):
            trigger_seen(state.cards, state.secret, state.public, state.history, place - HAND, kind)
            if public.turn_over or public.focus == FOCUS_NONE:
                break
        if cards.count[step] == public.look + 1:
            break
        public.look += 1
    public.look = 0
    return GOES_ON


@kernel
def choose_in_rows(state, step):
    """Choose a card of the discard rows, or another seat's whole row; it comes into focus."""
    out_of_line()
    cards, public = state.cards, state.public
    if cards.at[step] & AT_ROWS:
        n = np.int64(0)
        for seat in range(public.n_seats):
            n += np.int64(public.row_size[seat])
        if public.played_index >= 0:
            n -= 1
        if n == 0:
            public.focus = FOCUS_NONE
            return GOES_ON
        choice = choose(state, CHOOSE, public.seat, (ONE << np.uint64(n)) - ONE)
        if choice < 0:
            return choice
        option = choice
        for seat in range(public.n_seats):
            size = np.int64(public.row_size[seat])
            if seat == public.seat and public.played_index >= 0:
                if choice >= public.played_index and choice < size - 1:
                    choice += 1
                elif choice >= size - 1:
                    choice += 1
            if choice < size:
                public.focus, public.focus_seat, public.focus_index = FOCUS_ROW_CARD, seat, choice
                if state.secret.watches:
                    log_event(state.secret, public, CHOSEN, seat, choice, option)
                return GOES_ON
            choice -= size
    rows = NO_OPTION
    for seat in range(public.n_seats):
        if public.row_size[seat] and seat != public.seat:
            rows |= ONE << np.uint64(seat)
    public.focus = FOCUS_NONE
    if rows != NO_OPTION:
        choice = choose(state, ROW, public.seat, rows)
        if choice < 0:
            return choice
        public.focus, public.focus_seat = FOCUS_ROW, choice
        if state.secret.watches:
            log_event(state.secret, public, CHOSEN, choice, 0, choice)
    return GOES_ON


@kernel
def note_naming(cards, secret, public, step):
    """A speed is named; a perfect card counter would have hit or not."""
    out_of_line()
    kind = public.played
    secret.namings[kind] += 1
    if secret.watches & COUNTS:
        secret.counter_hits[kind] += counter_hits(cards, secret, public, hidden_places(public, next_look(cards, kind, step)))


@kernel
def name_speed(state, step):
    """Name a speed from 1 to 8, aloud."""
    out_of_line()
    choice = choose(state, NAME, state.public.seat, SPEEDS_1_TO_8)
    if choice < 0:
        return choice
    state.public.named = choice
    if state.secret.watches:
        note_naming(state.cards, state.secret, state.public, step)
        log_event(state.secret, state.public, NAMED, choice, 0, 0)
    return GOES_ON


@inlined
def exchange(state, step):
    """Exchange the hand card with the card in focus (K4; openly with a row card, L27)."""
    cards, secret, public = state.cards, state.secret, state.public
    if public.focus > FOCUS_ROW_CARD or secret.card[HAND + public.seat] == NO_CARD:
        return GOES_ON
    is_in_row = public.focus == FOCUS_ROW_CARD
    if is_in_row:
        traits = cards.traits[secret.card[HAND + public.seat]]
        if traits & LEGACY and not traits & INTO_ROW_AS_ELIMINATED:  # L13
            if secret.watches:
                log_event(secret, public, DECLINED, cards.may[step], 0, 0)
            public.focus = FOCUS_NONE
            return GOES_ON
    answer = np.int64(1)
    if cards.may[step]:
        answer = choose_of_two(state, EXCHANGE, public.seat)
        if answer < 0:
            return answer
    if is_in_row:
        if answer:
            exchange_with_row(state.cards, state.secret, state.public, state.history)
    elif cards.may[step]:
        maybe_exchange(secret, public, public.seat, public.focus, answer == 1)
    else:
        exchange_openly(secret, public, public.seat, public.focus)
    if secret.watches:
        write_exchange_down(secret, public, answer, cards.may[step], is_in_row)
    public.focus = FOCUS_NONE
    return GOES_ON


@kernel
def write_exchange_down(secret, public, answer, may, is_in_row):
    """Note and log what an exchange was."""
    out_of_line()
    if is_in_row:
        if not answer:
            log_event(secret, public, DECLINED, may, 0, 0)
        return
    if answer:
        note_exchange(secret, public.seat, secret.card[public.focus], secret.card[HAND + public.seat])
        if public.focus < MAX_SEATS:
            note_receipt(secret, public.focus - HAND, secret.card[public.focus])
    log_exchange(secret, public, may)


@inlined
def move(state, step):
    """Put the card in focus, or this card itself, into the ruins or onto the deck."""
    cards, secret, public = state.cards, state.secret, state.public
    pile = cards.to[step]
    if cards.source[step] == CARD_SELF:
        if public.played_index >= 0:
            pick_up(cards, public, public.seat, public.played_index)
            put(secret, public, pile, public.played, EVERYBODY)
            if secret.watches:
                log_event(secret, public, CAME, public.played, pile, 0)
    elif public.focus < N_PLACES:
        if secret.watches:
            log_event(secret, public, MOVED, public.focus, pile, 0)
        kind, knows = take_out(secret, public, public.focus)
        put(secret, public, pile, kind, knows)
    elif public.focus == FOCUS_ROW_CARD:
        kind = pick_up(cards, public, public.focus_seat, public.focus_index)
        put(secret, public, pile, kind, EVERYBODY)
        if secret.watches:
            log_event(secret, public, CAME, kind, pile, 0)
    elif public.focus == FOCUS_ROW:
        while public.row_size[public.focus_seat]:
            kind = pick_up(cards, public, public.focus_seat, 0)
            put(secret, public, pile, kind, EVERYBODY)
            if secret.watches:
                log_event(secret, public, CAME, kind, pile, 0)
    public.focus = FOCUS_NONE
    return GOES_ON


@inlined
def maybe_shuffle(state, step):
    """Shuffle a pile; with "may" the seat decides."""
    answer = np.int64(1)
    if state.cards.may[step]:
        answer = choose_of_two(state, SHUFFLE, state.public.seat)
        if answer < 0:
            return answer
    if answer:
        shuffle(state.secret, state.public, state.history, state.cards.to[step])
    state.public.focus = FOCUS_NONE
    return GOES_ON


@inlined
def eliminate(state, step):
    """Put seats out of the game, if the condition holds."""
    cards, secret, public = state.cards, state.secret, state.public
    is_met = holds(cards, public, kind_in_focus(state), cards.condition[step])
    if secret.watches:
        log_test(secret, public, cards.condition[step], is_met)
    if is_met:
        if secret.watches and cards.condition[step] == IF_NAMED:
            secret.hits[public.played] += 1
        who = cards.who[step]
        if who == WHO_OTHERS or who == WHO_EVERYONE:
            put_out_several(state.cards, state.secret, state.public, state.history, who == WHO_EVERYONE)
        elif who == WHO_LOOKER or owner_in_focus(public) != NOBODY:
            act_on_hand(state.cards, state.secret, state.public, state.history, step, owner_in_focus(public))
    return GOES_ON


@kernel
def give_up_hand(state, step):
    """Discard or take a hand: the owner in focus, or the looker."""
    out_of_line()
    owner = owner_in_focus(state.public)
    if owner != NOBODY:
        act_on_hand(state.cards, state.secret, state.public, state.history, step, owner)
    return GOES_ON


@inlined
def win(state, step):
    """Win at once, if a card is in focus and the condition holds (L1)."""
    cards, public = state.cards, state.public
    is_met = public.focus != FOCUS_NONE and holds(cards, public, kind_in_focus(state), cards.condition[step])
    if state.secret.watches:
        log_test(state.secret, public, cards.condition[step], is_met)
    if is_met:
        public.way, public.winner = WAY_SEEN, public.seat
        public.turn_over, public.phase = 1, OVER
    return GOES_ON


@inlined
def resolve(state):
    """Carry out the steps of the played card from where they stand; GOES_ON, PAUSED or ILLEGAL.

    When an elimination has ended the turn, the rest of the effect is void (section 2, step 3).
    """
    cards, public = state.cards, state.public
    first = np.int64(cards.first_step[public.played, ON_PLAY])
    n = np.int64(cards.n_steps[public.played, ON_PLAY])
    number = public.step
    verb = cards.first_verb[public.played] if number == 0 else cards.verb[first + number]
    while number < n:
        step = first + number
        if verb == V_LOOK:
            status = look(state, step)
        elif verb == V_EXCHANGE:
            status = exchange(state, step)
        elif verb == V_MOVE:
            status = move(state, step)
        elif verb == V_SHUFFLE:
            status = maybe_shuffle(state, step)
        elif verb == V_ELIMINATE:
            status = eliminate(state, step)
        elif verb == V_WIN:
            status = win(state, step)
        elif verb == V_CHOOSE:
            status = choose_in_rows(state, step)
        elif verb == V_NAME:
            status = name_speed(state, step)
        else:
            status = give_up_hand(state, step)
        if status < 0:
            return status
        if public.turn_over:
            break
        number += 1
        public.step = number
        verb = cards.verb[first + number]
    return GOES_ON
