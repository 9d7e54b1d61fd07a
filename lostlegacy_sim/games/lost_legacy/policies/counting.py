"""What a player counts: the cards not seen yet, and where the Legacy may lie.

The counts of each kind stand in `private.memory` while a question is thought about: a byte a kind. They
are made anew for every question, so nothing is carried over from one to the next.
"""

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DECK_END,
    DRAWN,
    FRAGILE,
    HAND,
    INVESTIGATION,
    LOOKS_HANDS,
    MAX_SEATS,
    NO_CARD,
    RUINS,
    TRAP,
    UNPLAYABLE,
)
from lostlegacy_sim.jit import count_bits, inlined, kernel, out_of_line

NO_MEMORY = 1  # as parameter: the bot uses its own hand and what lies open, nothing it has seen before
NOWHERE = -1
SOMEWHERE_IN_RUINS = -2
COUNTS = 4  # words of memory that hold the counts: a byte a kind
PASSED_BY = 0.25  # weight of a hand whose speed would have been called before, had it held the Legacy

ONE = np.uint64(1)
SIX_BITS = np.uint64(63)


class Pool(NamedTuple):
    """The cards whose place is not known, and what is believed of the Legacy."""

    hidden: float  # how many, 1 or more; without those known to be somewhere in the ruins
    speeds: int  # how many of each speed, six bits each
    lookers: int  # how many look at a hand when played
    traps: int  # how many put the looker out
    fragile: int  # how many put their owner out when seen
    legacy: int  # where the Legacy is known to be: a place, SOMEWHERE_IN_RUINS or NOWHERE
    ruins_chance: float  # the chance that it lies at one given unknown place of the ruins
    hand_chance: float  # the same for the deck's top card, and for a hand times its `turns_weight`
    weighs_turns: int  # 1: a Legacy that cannot be played stays in the hand that drew it


@inlined
def is_playing(public, seat):
    """Whether a seat is in the game."""
    return (public.in_game >> np.uint64(seat)) & ONE != 0


@inlined
def n_playing(public):
    """Seats in the game."""
    return count_bits(public.in_game)


@inlined
def card_at(public, private, place):
    """The kind at a place as far as the bot uses what it knows, else NO_CARD."""
    if private.parameter & NO_MEMORY and place != HAND + private.seat and place != DRAWN:
        if (public.revealed >> np.uint64(place)) & ONE == 0:
            return np.int64(NO_CARD)
    return np.int64(private.known[place])


@inlined
def somewhere_in_ruins(private, kind):
    """Cards of a kind known to be in the ruins, place unknown."""
    return np.int64(0) if private.parameter & NO_MEMORY else np.int64(private.ruins_has[kind])


@inlined
def note_seen(private, kind):
    """One more card of a kind is accounted for."""
    private.memory[kind >> 3] += np.int64(1) << ((kind & 7) << 3)


@inlined
def unseen(cards, private, kind):
    """Cards of a kind whose place is not known; valid after `count`."""
    seen = (private.memory[kind >> 3] >> ((kind & 7) << 3)) & 255
    return np.int64(cards.copies[kind]) - seen


@inlined
def of_speed(pool, speed):
    """Unknown cards of a speed."""
    return np.int64((pool.speeds >> np.uint64(6 * speed)) & SIX_BITS)


@kernel
def note_rows(public, private):
    """Account for the discard rows."""
    for word in range(COUNTS):
        private.memory[word] = 0
    for seat in range(public.n_seats):
        for index in range(public.row_size[seat]):
            note_seen(private, np.int64(public.row[seat, index]))


@inlined
def note_places(cards, public, private, first, end):
    """Account for the known cards among these places; where the Legacy is among them (or NOWHERE), unknown places."""
    found, unknown = np.int64(NOWHERE), np.int64(0)
    for place in range(first, end):
        kind = card_at(public, private, place)
        if kind == NO_CARD:
            unknown += 1
        else:
            note_seen(private, kind)
            if kind == cards.legacy:
                found = np.int64(place)
    return found, unknown


@inlined
def turns_weight(public, seat):
    """The more turns a seat has had, the more chances it had to draw a card that it cannot play."""
    return 1.0 + public.turns_of[seat]


@kernel
def unknown_hands(cards, public, private, weighs_turns):
    """The unknown hands of seats in the game, each with its weight as a place of the Legacy."""
    out_of_line()
    total = 0.0
    for seat in range(public.n_seats):
        if is_playing(public, seat) and card_at(public, private, HAND + seat) == NO_CARD:
            total += turns_weight(public, seat) if weighs_turns else 1.0
    return total


@inlined
def lateness(cards, public):
    """Weight of a hand as a place of the Legacy once its speed has been called without a find."""
    is_late = public.phase == INVESTIGATION and public.called > np.int64(cards.speed[cards.legacy])
    return PASSED_BY if is_late else 1.0


@kernel
def count(cards, public, private):
    """Count what is not seen: the Pool of this question."""
    out_of_line()
    note_rows(public, private)
    in_hand = note_places(cards, public, private, HAND, HAND + public.n_seats)[0]
    drawn = note_places(cards, public, private, DRAWN, DRAWN + 1)[0]
    in_ruins, unknown_ruins = note_places(cards, public, private, RUINS, RUINS + public.ruins_size)
    in_deck, unknown_deck = note_places(cards, public, private, DECK_END - public.deck_size, DECK_END)
    legacy = max(max(in_hand, drawn), max(in_ruins, in_deck))
    if legacy == NOWHERE and somewhere_in_ruins(private, np.int64(cards.legacy)):
        legacy = np.int64(SOMEWHERE_IN_RUINS)

    hidden, speeds, somewhere = np.int64(0), np.uint64(0), np.int64(0)
    lookers, traps, fragile = np.int64(0), np.int64(0), np.int64(0)
    for kind in range(1, cards.n_kinds + 1):
        put_away = somewhere_in_ruins(private, kind)
        n = unseen(cards, private, kind) - put_away
        somewhere += put_away
        if n > 0:
            hidden += n
            speeds += np.uint64(n) << np.uint64(6 * np.int64(cards.speed[kind]))
            traits = np.int64(cards.traits[kind])
            lookers += n if traits & LOOKS_HANDS else 0
            traps += n if traits & TRAP else 0
            fragile += n if traits & FRAGILE else 0

    weighs_turns = np.int64(np.int64(cards.traits[cards.legacy]) & UNPLAYABLE != 0)
    ruins_chance, hand_chance = 0.0, 0.0
    if legacy == SOMEWHERE_IN_RUINS:
        ruins_chance = 1.0 / max(np.int64(1), unknown_ruins)
    elif legacy == NOWHERE:
        weight = lateness(cards, public)
        open_ruins = max(np.int64(0), unknown_ruins - somewhere)
        total = weight * unknown_hands(cards, public, private, weighs_turns) + open_ruins + unknown_deck
        hand_chance = weight / max(total, 1e-6)
        ruins_chance = open_ruins / (max(total, 1e-6) * max(np.int64(1), unknown_ruins))
    return Pool(
        float(max(np.int64(1), hidden)), speeds, lookers, traps, fragile, legacy, ruins_chance, hand_chance, weighs_turns
    )  # fmt: skip


@inlined
def legacy_chance(public, private, pool, place):
    """The chance that the Legacy lies at a place."""
    if pool.legacy >= 0:
        return 1.0 if place == pool.legacy else 0.0
    if card_at(public, private, place) != NO_CARD:
        return 0.0
    if place < MAX_SEATS:
        return pool.hand_chance * (turns_weight(public, place) if pool.weighs_turns else 1.0)
    return pool.ruins_chance if place < RUINS + public.ruins_size else pool.hand_chance
