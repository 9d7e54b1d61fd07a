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
PASSED_BY = 0.25  # weight of a hand whose speed would have been called before, had it held the Legacy

NONE, ONE = np.uint64(0), np.uint64(1)
A_BYTE = np.uint64(255)
SIX_BITS = np.uint64(63)
EVERY_SIXTH = np.uint64(0x041041041041041)  # times a word of six-bit fields: its top field is their sum
TOP_FIELD = np.uint64(54)


class Seen(NamedTuple):
    """Cards accounted for, a byte a kind: kinds 1-8, 9-16, 17-24."""

    low: int
    middle: int
    high: int


class Pool(NamedTuple):
    """The cards whose place is not known, and what is believed of the Legacy."""

    each: float  # 1 / how many there are, without those known to be somewhere in the ruins
    speeds: int  # how many of each speed, six bits each
    lookers: int  # how many look at a hand when played
    traps: int  # how many put the looker out
    fragile: int  # how many put their owner out when seen
    known_hands: int  # bit s: seat s, another one in the game, holds a known card
    unknown_hands: int  # how many other seats in the game hold an unknown card
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
    kind = np.int64(private.known[place])
    if private.parameter & NO_MEMORY and place != HAND + private.seat and place != DRAWN:
        if (public.revealed >> np.uint64(place)) & ONE == 0:
            kind = np.int64(NO_CARD)
    return kind


@inlined
def somewhere_in_ruins(private, kind):
    """Cards of a kind known to be in the ruins, place unknown."""
    return np.int64(0) if private.parameter & NO_MEMORY else np.int64(private.ruins_has[kind])


@inlined
def and_one(seen, kind):
    """One more card of a kind is accounted for; NO_CARD changes nothing."""
    word, one = (kind - 1) >> 3, ONE << np.uint64(((kind - 1) & 7) << 3)
    return Seen(
        seen.low + (one if word == 0 else NONE),
        seen.middle + (one if word == 1 else NONE),
        seen.high + (one if word == 2 else NONE),
    )


@inlined
def unseen(cards, private, kind):
    """Cards of a kind whose place is not known; valid after `count`."""
    seen = (np.uint64(private.memory[(kind - 1) >> 3]) >> np.uint64(((kind - 1) & 7) << 3)) & A_BYTE
    return np.int64(cards.copies[kind]) - np.int64(seen)


@inlined
def of_speed(pool, speed):
    """Unknown cards of a speed."""
    return np.int64((pool.speeds >> np.uint64(6 * speed)) & SIX_BITS)


@inlined
def below_speed(pool, speed):
    """Unknown cards of all lower speeds."""
    lower = pool.speeds & ((ONE << np.uint64(6 * speed)) - ONE)
    return np.int64(((lower * EVERY_SIXTH) >> TOP_FIELD) & SIX_BITS)


@inlined
def turns_weight(public, seat):
    """The more turns a seat has had, the more chances it had to draw a card that it cannot play."""
    return 1.0 + public.turns_of[seat]


@inlined
def lateness(cards, public):
    """Weight of a hand as a place of the Legacy once its speed has been called without a find."""
    is_late = public.phase == INVESTIGATION and public.called > np.int64(cards.speed[cards.legacy])
    return PASSED_BY if is_late else 1.0


@inlined
def see_rows(public):
    """The cards of the discard rows."""
    seen = Seen(NONE, NONE, NONE)
    for seat in range(public.n_seats):
        for index in range(public.row_size[seat]):
            seen = and_one(seen, np.int64(public.row[seat, index]))
    return seen


@kernel
def count(cards, public, private):
    """Count what is not seen: the Pool of this question."""
    out_of_line()
    seen, legacy = see_rows(public), np.int64(NOWHERE)
    weighs_turns = np.int64(np.int64(cards.traits[cards.legacy]) & UNPLAYABLE != 0)
    known_hands, unknown_hands, hand_weight = NONE, np.int64(0), 0.0
    for seat in range(public.n_seats):
        if is_playing(public, seat):
            kind = card_at(public, private, HAND + seat)
            if kind == NO_CARD:
                unknown_hands += 1
                hand_weight += turns_weight(public, seat) if weighs_turns else 1.0
            else:
                seen = and_one(seen, kind)
                legacy = np.int64(HAND + seat) if kind == cards.legacy else legacy
                known_hands |= ONE << np.uint64(seat) if seat != private.seat else NONE
    kind = card_at(public, private, DRAWN)
    seen = and_one(seen, kind)
    legacy = np.int64(DRAWN) if kind == cards.legacy else legacy
    unknown_ruins = 0.0
    for place in range(RUINS, RUINS + public.ruins_size):
        kind = card_at(public, private, place)
        seen = and_one(seen, kind)
        legacy = np.int64(place) if kind == cards.legacy else legacy
        unknown_ruins += 1.0 if kind == NO_CARD else 0.0
    unknown_deck = float(public.deck_size)
    for place in range(DECK_END - public.deck_size, DECK_END):
        kind = card_at(public, private, place)
        if kind == NO_CARD:  # below an unknown card nothing is known
            break
        seen = and_one(seen, kind)
        legacy = np.int64(place) if kind == cards.legacy else legacy
        unknown_deck -= 1.0

    private.memory[0], private.memory[1], private.memory[2] = np.int64(seen.low), np.int64(seen.middle), np.int64(seen.high)
    hidden, speeds, somewhere = np.int64(0), NONE, np.int64(0)
    lookers, traps, fragile = np.int64(0), np.int64(0), np.int64(0)
    for kind in range(1, cards.n_kinds + 1):
        put_away = somewhere_in_ruins(private, kind)
        n = max(np.int64(0), unseen(cards, private, kind) - put_away)
        somewhere += put_away
        hidden += n
        speeds += np.uint64(n) << np.uint64(6 * np.int64(cards.speed[kind]))
        traits = np.int64(cards.traits[kind])
        lookers += n if traits & LOOKS_HANDS else 0
        traps += n if traits & TRAP else 0
        fragile += n if traits & FRAGILE else 0

    ruins_chance, hand_chance = 0.0, 0.0
    if legacy == NOWHERE and somewhere_in_ruins(private, np.int64(cards.legacy)):
        legacy = np.int64(SOMEWHERE_IN_RUINS)
        ruins_chance = 1.0 / max(1.0, unknown_ruins)
    elif legacy == NOWHERE:
        weight = lateness(cards, public)
        open_ruins = max(0.0, unknown_ruins - somewhere)
        total = 1.0 / max(weight * hand_weight + open_ruins + unknown_deck, 1e-6)
        hand_chance = weight * total
        ruins_chance = open_ruins * total / max(1.0, unknown_ruins)
    each = 1.0 / max(np.int64(1), hidden)
    return Pool(each, speeds, lookers, traps, fragile, known_hands, unknown_hands, legacy, ruins_chance, hand_chance, weighs_turns)


@inlined
def legacy_chance(public, private, pool, place):
    """The chance that the Legacy lies at a place."""
    chance = 0.0
    if pool.legacy >= 0:
        chance = 1.0 if place == pool.legacy else 0.0
    elif card_at(public, private, place) == NO_CARD:
        if place < MAX_SEATS:
            chance = pool.hand_chance * (turns_weight(public, place) if pool.weighs_turns else 1.0)
        else:
            chance = pool.ruins_chance if place < RUINS + public.ruins_size else pool.hand_chance
    return chance
