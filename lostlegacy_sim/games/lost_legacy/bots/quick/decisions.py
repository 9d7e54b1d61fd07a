"""An answer to each question, judged by a temper: the mind that careful and hunter share."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.counting import (
    NO_MEMORY,
    card_at,
    count,
    is_playing,
    legacy_chance,
    locate,
)
from lostlegacy_sim.games.lost_legacy.bots.quick.evaluation import (
    LOOKS,
    Kept,
    best_look,
    best_name,
    better_kinds,
    gains_by_worth,
    plan_by_worth,
    take_value,
    worths_of_kinds,
)
from lostlegacy_sim.games.lost_legacy.bots.quick.worth import (
    is_face_down,
    is_protected,
    knowing,
    look_ahead,
    weigh_all,
    worth_of,
)
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS, N_MEMORY, PRIVATE_TYPE
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DRAWN,
    EXCHANGE,
    FOCUS_ROW_CARD,
    HAND,
    LOOK,
    MAX_SEATS,
    MOVES,
    N_PLACES,
    NAME,
    NO_CARD,
    PLAY,
    PROTECTS,
    REVEAL,
    ROW,
    RUINS,
    SHUFFLE,
    STACKS,
)
from lostlegacy_sim.jit import count_bits, inlined, kernel, lowest_bit, on_stack, out_of_line

ONE = np.uint64(1)
PLANNED_TURN, PLANNED_KIND, PLANNED_PLACE, PLANNED_NAME, KEPT, BETTER = range(3, 9)  # in private.memory, after what `count` keeps

# What it is worth to put a row card into the ruins: out of the own row, out of another seat's.
STACKED, PROTECTING, ANY = (3.0, -2.0), (-3.0, 2.0), (-0.5, 0.0)


@inlined
def hand_card(private):
    """The card this seat holds."""
    return np.int64(private.known[HAND + private.seat])


@inlined
def may_exchange_unseen(cards, kind):
    """Whether a card looks at a hidden one and may exchange it."""
    traits = np.int64(cards.traits[kind])
    return (traits & MOVES != 0) & (traits & LOOKS != 0)


@inlined
def index_of(mask, option):
    """The index of an option among the options of a mask; 0 if it is none."""
    bit = ONE << np.uint64(option)
    return count_bits(mask & (bit - ONE)) if mask & bit else np.int64(0)


# --- what was planned at PLAY -----------------------------------------------------------------------
# Between a play and its first look nothing is learnt, so what was weighed then still holds.


@inlined
def remember(private, public, kind, plan):
    """Keep a plan for this turn."""
    private.memory[KEPT] = NO_CARD
    private.memory[PLANNED_TURN], private.memory[PLANNED_KIND] = public.turn, kind
    private.memory[PLANNED_PLACE], private.memory[PLANNED_NAME] = plan.place, plan.named


@inlined
def is_planned(public, private, question):
    """Whether this question was thought about when the card was chosen: nothing but a name has come since."""
    is_first = public.look == 0 and (public.step == 0 or (public.step == 1 and public.named > 0))
    return is_first and private.memory[PLANNED_TURN] == public.turn and private.memory[PLANNED_KIND] == question.kind


@inlined
def is_compared(cards, public, private, question):
    """Whether the card in focus was compared with the own one, as one of all kinds, when the card was chosen.

    A Legacy is not: who looks at one knows more than before.
    """
    own, other = hand_card(private), np.int64(question.focus)
    is_same_play = private.memory[PLANNED_TURN] == public.turn and private.memory[PLANNED_KIND] == question.kind
    is_same_card = own == private.memory[KEPT] and public.focus != FOCUS_ROW_CARD
    return is_same_play and is_same_card and own != cards.legacy and other != cards.legacy


# --- an answer to each question ---------------------------------------------------------------------


@inlined
def plan_both(cards, public, private, pool, outlook, worths, temper, held, drawn):
    """What playing the held card would lead to, and what playing the drawn one would."""
    held_exchanges, drawn_exchanges = may_exchange_unseen(cards, held), may_exchange_unseen(cards, drawn)
    gain_held, gain_drawn = 0.0, 0.0
    if held_exchanges or drawn_exchanges:
        gain_held, gain_drawn = gains_by_worth(cards, pool, worths, worths[held], worths[drawn])
    keep_drawn = Kept(worths[drawn], gain_drawn if held_exchanges else 0.0)
    keep_held = Kept(worths[held], gain_held if drawn_exchanges else 0.0)
    play_held = plan_by_worth(cards, public, private, pool, outlook, worths, temper, held, drawn, keep_drawn)
    play_drawn = plan_by_worth(cards, public, private, pool, outlook, worths, temper, drawn, held, keep_held)
    return play_held, play_drawn


@kernel
def choose_play(cards, public, private, pool, temper):
    """PLAY: the card whose play leaves the better chance to win."""
    out_of_line()
    outlook = look_ahead(public, private, pool)
    held, drawn = hand_card(private), np.int64(private.known[DRAWN])
    worths = worths_of_kinds()
    weigh_all(cards, public, private, pool, outlook, worths)
    play_held, play_drawn = plan_both(cards, public, private, pool, outlook, worths, temper, held, drawn)
    chosen = np.int64(play_drawn.value >= play_held.value)
    remember(private, public, drawn if chosen else held, play_drawn if chosen else play_held)
    if may_exchange_unseen(cards, drawn if chosen else held):
        kept = held if chosen else drawn
        private.memory[KEPT], private.memory[BETTER] = kept, np.int64(better_kinds(cards, worths, kept))
    return chosen


@kernel
def choose_look(cards, public, private, question, pool, temper):
    """LOOK: the best place."""
    out_of_line()
    outlook = look_ahead(public, private, pool)
    worths = worths_of_kinds()
    weigh_all(cards, public, private, pool, outlook, worths)
    traits, own_worth, gain = np.int64(cards.traits[question.kind]), worths[hand_card(private)], 0.0
    if traits & MOVES:
        gain, _ = gains_by_worth(cards, pool, worths, own_worth, own_worth)
    place, _ = best_look(cards, public, private, pool, worths, temper, Kept(own_worth, gain), traits, public.named, question.mask)
    return index_of(question.mask, place)


@kernel
def choose_exchange(cards, public, private, question, pool):
    """EXCHANGE: whether the card in focus is worth more than the own one.

    If one of the two is the Legacy, this seat will know where it lies either way.
    """
    out_of_line()
    outlook = look_ahead(public, private, pool)
    own, other = hand_card(private), np.int64(question.focus)
    if public.focus == FOCUS_ROW_CARD:
        worths = worths_of_kinds()
        weigh_all(cards, public, private, pool, outlook, worths)
        taken = take_value(cards, public, private, worths, own, public.focus_seat, public.focus_index)
        return np.int64(taken > worths[own])
    after_keeping, after_taking = outlook, outlook
    find_high = 0.0 if public.focus < MAX_SEATS else 1.0
    if other == cards.legacy:
        after_keeping = knowing(outlook, 1.0, find_high)
    if own == cards.legacy:
        after_taking = knowing(outlook, 1.0, find_high)
    keeping = worth_of(cards, public, private, pool, after_keeping, own)
    return np.int64(worth_of(cards, public, private, pool, after_taking, other) > keeping)


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
    worths = worths_of_kinds()
    weigh_all(cards, public, private, pool, outlook, worths)
    own, takes = hand_card(private), np.int64(cards.traits[question.kind]) & MOVES
    best, chosen, option = -100.0, np.int64(0), np.int64(0)
    for seat in range(public.n_seats):
        for index in range(public.row_size[seat]):
            if seat != public.seat or index != public.played_index:
                if takes:
                    value = take_value(cards, public, private, worths, own, seat, index)
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
    best, chosen, mask = 0.0, np.int64(0), question.mask
    for index in range(question.n):
        seat = lowest_bit(mask)
        mask &= mask - ONE
        value = 1.0 / public.row_size[seat] + (2.0 if is_protected(cards, public, seat) else 0.0)
        if value > best:
            best, chosen = value, np.int64(index)
    return chosen


@inlined
def choose_shuffle(cards, public, private):
    """SHUFFLE: yes, unless the Legacy is known to lie at a place of the ruins."""
    is_known = False
    for place in range(RUINS, RUINS + public.ruins_size):
        is_known |= card_at(private, place) == cards.legacy
    return np.int64(not is_known)


@kernel
def choose_reveal(public, private, question, pool):
    """REVEAL: the likeliest place of the Legacy."""
    out_of_line()
    best, chosen, mask = -1.0, np.int64(0), question.mask
    for index in range(question.n):
        chance = legacy_chance(public, private, pool, lowest_bit(mask))
        mask &= mask - ONE
        if chance > best:
            best, chosen = chance, np.int64(index)
    return chosen


@inlined
def answer(cards, public, private, question, temper):
    """The index of the chosen option."""
    what = question.what
    if what == ROW:
        return choose_row(cards, public, question)
    if what == PLAY and hand_card(private) == np.int64(private.known[DRAWN]):
        return np.int64(1)
    if is_planned(public, private, question):
        if what == LOOK:
            return index_of(question.mask, private.memory[PLANNED_PLACE])
        if what == NAME:
            return index_of(question.mask, private.memory[PLANNED_NAME])
    if what == EXCHANGE and is_compared(cards, public, private, question):
        return np.int64((np.uint64(private.memory[BETTER]) >> np.uint64(question.focus)) & ONE)
    if what == SHUFFLE:
        return choose_shuffle(cards, public, private)
    if what == REVEAL:
        return choose_reveal(public, private, question, locate(cards, public, private))
    pool = count(cards, public, private)
    if what == PLAY:
        return choose_play(cards, public, private, pool, temper)
    if what == LOOK:
        return choose_look(cards, public, private, question, pool, temper)
    if what == EXCHANGE:
        return choose_exchange(cards, public, private, question, pool)
    if what == NAME:
        return index_of(question.mask, best_name(cards, public, private, pool))
    return choose_card(cards, public, private, question, pool)


@kernel
def answer_at_sight(cards, public, private, question, temper):
    """As `answer`, by the own hand and what lies open alone."""
    out_of_line()
    seen = on_stack(PRIVATE_TYPE)
    for place in range(N_PLACES):
        is_open = (public.revealed >> np.uint64(place)) & ONE != 0 or place == HAND + private.seat or place == DRAWN
        seen.known[place] = private.known[place] if is_open else NO_CARD
    for kind in range(KINDS):
        seen.ruins_has[kind] = 0
    for cell in range(N_MEMORY):
        seen.memory[cell] = private.memory[cell]
    seen.seat = private.seat
    chosen = answer(cards, public, seen, question, temper)
    for cell in range(N_MEMORY):
        private.memory[cell] = seen.memory[cell]
    return chosen


@inlined
def answer_as_asked(cards, public, private, question, temper):
    """As `answer`, with or without memory."""
    if private.parameter & NO_MEMORY:
        return answer_at_sight(cards, public, private, question, temper)
    return answer(cards, public, private, question, temper)
