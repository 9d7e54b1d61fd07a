"""The course of a deal: deal, turns, investigation, payoff; play_on() and resume().

Phase, played card, step, focus and called speed are fields of the records, so a deal can be entered at
any open question: playouts, a person at the table and the exact solver all use the same rules.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.ask import choose, choose_of_two, give_word, note
from lostlegacy_sim.games.lost_legacy.kernel.card_stats import begin_watching, note_play
from lostlegacy_sim.games.lost_legacy.kernel.effects import resolve
from lostlegacy_sim.games.lost_legacy.kernel.eliminate import land
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import bit, keep_after_play, reveal
from lostlegacy_sim.games.lost_legacy.kernel.log import REVEALED, begin_log, log_calls, log_event, log_play
from lostlegacy_sim.games.lost_legacy.kernel.piles import SHUFFLED, draw_into, is_face_down, lay
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS, N_MEMORY, NOT_ANSWERED, State
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DECK_END,
    DRAW,
    DRAWN,
    EFFECT,
    FOCUS_NONE,
    HAND,
    INVESTIGATION,
    LEGACY,
    MAX_CARDS,
    MAX_SEATS,
    N_PLACES,
    NO_CARD,
    NOBODY,
    ON_ROW,
    OVER,
    PLAY,
    PLAYING,
    REVEAL,
    RUINS,
    TURNS_PER_CARD,
    UNPLAYABLE,
    WAY_FOUND,
    WAY_NOBODY,
    WAY_VOID,
)
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed, shuffle_inside_out

ONE = np.uint64(1)
SPEEDS_1_TO_8 = np.uint64(0b111111110)
DONE = 1  # the deal is over
DEALT = 2  # in a history: SHUFFLED + DEALT, number of cards, slots in order


# --- set-up ---------------------------------------------------------------------------------------------


@inlined
def clear(secret, public):
    """Empty the table."""
    for seat in range(MAX_SEATS):
        for index in range(MAX_CARDS):
            public.row[seat, index] = NO_CARD
    for seat in range(MAX_SEATS):
        public.row_size[seat] = 0
        public.row_down[seat] = 0
        public.turns_of[seat] = 0
        public.out_turn[seat] = 0
    for kind in range(KINDS):
        public.in_rows[kind] = 0
    public.rows_speeds, public.rows_dangers = 0, 0
    for place in range(N_PLACES):
        secret.knows[place] = 0
    for place in range(N_PLACES):
        secret.somewhere[place] = 0
    secret.blurred = 0
    public.turn, public.seat, public.phase = 0, 0, DRAW
    public.played, public.played_index, public.step, public.look = NO_CARD, -1, 0, 0
    public.focus, public.focus_seat, public.focus_index = FOCUS_NONE, 0, 0
    public.named, public.called, public.revealed = 0, 0, 0
    public.turn_over, public.way, public.winner, public.found_speed = 0, WAY_NOBODY, NOBODY, 0


@kernel
def deal(state):
    """Set up (section 1; L18): from the top, one card to the ruins, one to each seat, the rest is the deck."""
    out_of_line()
    cards, secret, public = state.cards, state.secret, state.public
    clear(secret, public)
    n_slots, n_seats = np.int64(cards.n_slots), public.n_seats
    for place in range(DECK_END - MAX_CARDS):
        secret.card[place] = NO_CARD
    for index in range(MAX_CARDS):
        secret.card[DECK_END - MAX_CARDS + index] = secret.order[index]
    top = DECK_END - n_slots
    secret.card[RUINS], secret.card[top] = secret.card[top], NO_CARD
    for seat in range(n_seats):
        top += 1
        secret.card[HAND + seat], secret.card[top] = secret.card[top], NO_CARD
        secret.knows[HAND + seat] = bit(seat)
        if not (secret.plain >> np.uint64(seat)) & ONE:
            private = state.seats.private[seat]
            private.seat = seat
            for index in range(N_MEMORY):
                private.memory[index] = 0
    public.ruins_size, public.deck_size = 1, n_slots - 1 - n_seats
    public.in_game = (ONE << np.uint64(n_seats)) - ONE
    if secret.watches:
        begin_watching(secret)
        begin_log(state)
    history = state.history
    secret.answer = NOT_ANSWERED
    if history.on:
        note_deal(secret, history, n_slots)


@kernel
def note_deal(secret, history, n_slots):
    """Begin a history: the slots in the order of the shuffle, which SECRET holds as kinds."""
    out_of_line()
    history.n = 0
    note(history, SHUFFLED + DEALT)
    note(history, n_slots)
    for _ in range(n_slots):
        note(history, 0)
    for slot in range(n_slots):
        secret.slot[slot] = slot
    shuffle_inside_out(secret.slot, history.data[2:], n_slots, keyed(secret.chance, 0))


# --- a turn ---------------------------------------------------------------------------------------------


@inlined
def draw(state):
    """Draw the top card of the deck (section 2, step 1)."""
    secret, public = state.secret, state.public
    seat = public.seat
    public.turn += 1
    public.turns_of[np.uint64(seat)] += 1
    public.turn_over, public.named = 0, 0
    secret.events = 0
    give_word(state, seat, public.turn)
    draw_into(secret, public, seat, DRAWN)


@inlined
def play(state):
    """Play one of the two cards face up at the right end of the own row (section 2, step 2; L20)."""
    cards, secret, public = state.cards, state.secret, state.public
    seat = public.seat
    hand = np.uint64(HAND + seat)
    held, drawn = np.int64(secret.card[hand]), np.int64(secret.card[DRAWN])
    if (cards.traits[held] | cards.traits[drawn]) & UNPLAYABLE:
        choice = np.int64(cards.traits[held] & UNPLAYABLE != 0)
    else:
        choice = choose_of_two(state, PLAY, seat)
        if choice < 0:
            return choice
    knows_held, knows_drawn = np.int64(secret.knows[hand]), np.int64(secret.knows[DRAWN])
    swap = choice - 1  # all bits if the held card is played; without a branch, since it cannot be predicted
    played, kept = drawn ^ ((held ^ drawn) & swap), held ^ ((held ^ drawn) & swap)
    other = (knows_held ^ knows_drawn) & swap
    knows_played, knows_kept = knows_drawn ^ other, knows_held ^ other
    secret.card[DRAWN] = NO_CARD
    secret.knows[DRAWN] = 0
    if secret.watches:
        is_forced = held == drawn or (cards.traits[held] | cards.traits[drawn]) & UNPLAYABLE != 0
        note_play(secret, seat, drawn, played, is_forced)
        log_play(secret, public, seat, played, kept)
    keep_after_play(secret, seat, kept, knows_kept, knows_played, played == kept)
    public.played_index = lay(cards, public, seat, played)
    public.played = played
    public.step, public.look = 0, 0
    public.focus = FOCUS_NONE
    return choice


@inlined
def finish_play(state):
    """The effect is done: the played card now counts as discarded (L19), and its row trigger happens (L15)."""
    public = state.public
    index, played = public.played_index, public.played
    public.played, public.played_index, public.focus = NO_CARD, -1, FOCUS_NONE
    if state.cards.n_steps[np.uint64(played), ON_ROW] and index >= 0 and not public.turn_over:
        land(state.cards, state.secret, state.public, state.history, public.seat, index)


@inlined
def next_seat(public):
    """The next seat in the game, clockwise from the seat whose turn it was."""
    n_seats = public.n_seats
    after = (public.in_game | public.in_game << np.uint64(n_seats)) >> np.uint64(public.seat + 1)
    seat = public.seat + 1 + lowest_bit(after)
    return seat if seat < n_seats else seat - n_seats


# --- the investigation ----------------------------------------------------------------------------------


@inlined
def face_down_card(public, number):
    """Seat and index of the face-down row card with this number, seat by seat, left to right; seat -1 if none."""
    for seat in range(public.n_seats):
        for index in range(public.row_size[seat]):
            if is_face_down(public, seat, index):
                if number == 0:
                    return np.int64(seat), np.int64(index)
                number -= 1
    return np.int64(NOBODY), np.int64(0)


@inlined
def places_to_reveal(cards, public):
    """L23: any hand of a seat in the game or ruins card; with `investigate_rows` face-down row cards too (L6)."""
    places = public.in_game | (((ONE << np.uint64(public.ruins_size)) - ONE) << np.uint64(RUINS))
    if cards.investigate_rows:
        number = 0
        while face_down_card(public, number)[0] != NOBODY:
            places |= ONE << np.uint64(DECK_END - 1 - number)
            number += 1
    return places


@inlined
def reveal_place(cards, secret, public, place):
    """Turn a card over for all to see; returns its kind."""
    public.revealed |= ONE << np.uint64(place)
    if place < RUINS + public.ruins_size:
        reveal(secret, public, place)
        return secret.card[place]
    seat, index = face_down_card(public, DECK_END - 1 - place)
    return public.row[seat, index]


@inlined
def find_acting_seats(cards, secret, public):
    """Speeds 1-8 that exactly one seat in the game holds, and who holds each."""
    once, twice = np.uint64(0), np.uint64(0)
    for seat in range(public.n_seats):
        speed = np.uint64(cards.speed[secret.card[np.uint64(HAND + seat)]])  # 0 for a seat that is out
        twice |= once & ONE << speed
        once |= ONE << speed
        secret.holder[speed] = seat
    secret.waiting = once & ~twice & SPEEDS_1_TO_8


@kernel
def investigate(state):
    """Speeds are called from 1 upwards; who is called alone reveals a card (section 4)."""
    out_of_line()
    cards, secret, public = state.cards, state.secret, state.public
    if public.called == 0:
        find_acting_seats(cards, secret, public)
    while True:
        if public.called == 0 or public.step == 1:  # step 1: the called seat has revealed
            waiting = secret.waiting >> np.uint64(public.called + 1)
            if waiting == 0:
                break
            first = public.called + 1
            public.called += 1 + lowest_bit(waiting)
            if secret.watches:
                log_calls(cards, secret, public, first)
            public.seat = secret.holder[public.called]
            public.step = 0
            give_word(state, public.seat, public.turn + 1 + public.seat)
        place = choose(state, REVEAL, public.seat, places_to_reveal(cards, public))
        if place < 0:
            return place
        kind = reveal_place(state.cards, state.secret, state.public, place)
        if secret.watches and place < RUINS + public.ruins_size:
            log_event(secret, public, REVEALED, place, kind, 0)
        public.step = 1
        if cards.traits[kind] & LEGACY:
            public.way, public.winner, public.found_speed = WAY_FOUND, public.seat, public.called
            break
    public.phase = OVER
    return DONE


# --- the whole deal -------------------------------------------------------------------------------------


@kernel
def play_on(state):
    """Play from where the records stand; DONE, PAUSED or ILLEGAL."""
    out_of_line()
    cards, public = state.cards, state.public
    while True:
        if public.phase == DRAW:
            if public.turn >= TURNS_PER_CARD * cards.n_slots:  # L32
                public.way, public.winner, public.phase = WAY_VOID, NOBODY, OVER
                return DONE
            draw(state)
            public.phase = PLAYING
        if public.phase == PLAYING:
            status = play(state)
            if status < 0:
                return status
            public.phase = EFFECT
        if public.phase == EFFECT:
            status = resolve(state)
            if status < 0:
                return status
            finish_play(state)
            if public.phase == OVER:
                return DONE
            if public.deck_size:  # section 2, step 4; L4
                public.seat = next_seat(public)
                public.phase = DRAW
                continue
            public.phase, public.step, public.named = INVESTIGATION, 0, 0
        if public.phase == OVER:
            return DONE
        return investigate(state)


def resume(state: State, answer: int) -> int:
    """Answer the open question with one of its options and play on to the next one or to the end."""
    state.secret["answer"], state.secret["plain"] = answer, 0
    return int(play_on(state))
