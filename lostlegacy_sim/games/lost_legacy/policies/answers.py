"""An answer to each question, judged by a temper: the mind that careful and hunter share."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.policies.counting import count, is_playing, legacy_chance
from lostlegacy_sim.games.lost_legacy.policies.judging import best_look, best_name, keep, play_value, take_value
from lostlegacy_sim.games.lost_legacy.policies.worth import (
    is_face_down,
    is_protected,
    knowing,
    look_ahead,
    worth,
)
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CHOOSE,
    DRAWN,
    EXCHANGE,
    FOCUS_ROW_CARD,
    HAND,
    LOOK,
    MAX_SEATS,
    MOVES,
    NAME,
    PLAY,
    PROTECTS,
    ROW,
    RUINS,
    SHUFFLE,
    STACKS,
)
from lostlegacy_sim.jit import inlined, kernel, out_of_line

# What it is worth to put a row card into the ruins: out of the own row, out of another seat's.
STACKED, PROTECTING, ANY = (3.0, -2.0), (-3.0, 2.0), (-0.5, 0.0)


@inlined
def hand_card(private):
    """The card this seat holds."""
    return np.int64(private.known[HAND + private.seat])


@inlined
def index_of(question, option):
    """The index of an option; 0 if it is none."""
    found = np.int64(0)
    for index in range(question.n):
        if np.int64(question.option[index]) == option:
            found = np.int64(index)
    return found


@kernel
def choose_play(cards, public, private, pool, temper):
    """PLAY: the card whose play leaves the better chance to win."""
    out_of_line()
    outlook = look_ahead(public, private, pool)
    held, drawn = hand_card(private), np.int64(private.known[DRAWN])
    play_held = play_value(cards, public, private, pool, outlook, temper, held, drawn)
    play_drawn = play_value(cards, public, private, pool, outlook, temper, drawn, held)
    return np.int64(play_drawn >= play_held)


@kernel
def choose_look(cards, public, private, question, pool, temper):
    """LOOK: the best place."""
    out_of_line()
    outlook = look_ahead(public, private, pool)
    traits = np.int64(cards.traits[question.kind])
    kept = keep(cards, public, private, pool, outlook, hand_card(private), traits & MOVES)
    place, _ = best_look(cards, public, private, pool, outlook, temper, kept, traits, public.named, question.mask)
    return index_of(question, place)


@kernel
def choose_exchange(cards, public, private, question, pool):
    """EXCHANGE: whether the card in focus is worth more than the own one.

    If one of the two is the Legacy, this seat will know where it lies either way.
    """
    out_of_line()
    outlook = look_ahead(public, private, pool)
    own, other = hand_card(private), np.int64(question.focus)
    if public.focus == FOCUS_ROW_CARD:
        taken = take_value(cards, public, private, pool, outlook, own, public.focus_seat, public.focus_index)
        return np.int64(taken > worth(cards, public, private, pool, outlook, own))
    after_keeping, after_taking = outlook, outlook
    find_high = 0.0 if public.focus < MAX_SEATS else 1.0
    if other == cards.legacy:
        after_keeping = knowing(outlook, 1.0, find_high)
    if own == cards.legacy:
        after_taking = knowing(outlook, 1.0, find_high)
    keeping = worth(cards, public, private, pool, after_keeping, own)
    return np.int64(worth(cards, public, private, pool, after_taking, other) > keeping)


@kernel
def put_away_value(cards, public, private, seat, index):
    """What it is worth to put a row card into the ruins."""
    out_of_line()
    whose = 0 if seat == private.seat else 1
    traits = np.int64(cards.traits[public.row[seat, index]])
    if is_face_down(public, seat, index) or not is_playing(public, seat):
        return ANY[whose]
    if traits & STACKS:
        return STACKED[whose]
    return PROTECTING[whose] if traits & PROTECTS else ANY[whose]


@kernel
def choose_card(cards, public, private, question, pool):
    """CHOOSE: the best row card to take, or to put away."""
    out_of_line()
    outlook = look_ahead(public, private, pool)
    own, takes = hand_card(private), np.int64(cards.traits[question.kind]) & MOVES
    best, chosen, option = -100.0, np.int64(0), np.int64(0)
    for seat in range(public.n_seats):
        for index in range(public.row_size[seat]):
            if seat != public.seat or index != public.played_index:
                if takes:
                    value = take_value(cards, public, private, pool, outlook, own, seat, index)
                else:
                    value = put_away_value(cards, public, private, seat, index)
                if value > best:
                    best, chosen = value, option
                option += 1
    return chosen


@kernel
def choose_row(cards, public, question):
    """ROW: a row that protects its owner, else the shortest one."""
    out_of_line()
    best, chosen = 0.0, np.int64(0)
    for index in range(question.n):
        seat = np.int64(question.option[index])
        value = 1.0 / public.row_size[seat] + (2.0 if is_protected(cards, public, seat) else 0.0)
        if value > best:
            best, chosen = value, np.int64(index)
    return chosen


@inlined
def choose_shuffle(public, pool):
    """SHUFFLE: yes, unless the Legacy is known to lie at a place of the ruins."""
    return np.int64(not RUINS <= pool.legacy < RUINS + public.ruins_size)


@kernel
def choose_reveal(public, private, question, pool):
    """REVEAL: the likeliest place of the Legacy."""
    out_of_line()
    best, chosen = -1.0, np.int64(0)
    for index in range(question.n):
        chance = legacy_chance(public, private, pool, np.int64(question.option[index]))
        if chance > best:
            best, chosen = chance, np.int64(index)
    return chosen


@kernel
def answer(cards, public, private, question, temper):
    """The index of the chosen option."""
    what = question.what
    if what == ROW:
        return choose_row(cards, public, question)
    pool = count(cards, public, private)
    if what == PLAY:
        return choose_play(cards, public, private, pool, temper)
    if what == LOOK:
        return choose_look(cards, public, private, question, pool, temper)
    if what == EXCHANGE:
        return choose_exchange(cards, public, private, question, pool)
    if what == NAME:
        return index_of(question, best_name(cards, public, private, pool))
    if what == CHOOSE:
        return choose_card(cards, public, private, question, pool)
    if what == SHUFFLE:
        return choose_shuffle(public, pool)
    return choose_reveal(public, private, question, pool)
