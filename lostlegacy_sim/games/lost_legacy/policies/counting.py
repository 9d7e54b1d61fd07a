"""What a player counts: the cards not seen yet, and where the Legacy may lie.

Everything is counted anew for every question, so nothing is carried over from one to the next.
"""

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DECK_END,
    DRAWN,
    HAND,
    INVESTIGATION,
    MAX_SEATS,
    NO_CARD,
    RUINS,
    UNPLAYABLE,
)
from lostlegacy_sim.jit import count_bits, inlined, kernel, out_of_line

NO_MEMORY = 1  # as parameter: the bot uses its own hand and what lies open, nothing it has seen before
NOWHERE = -1
SOMEWHERE_IN_RUINS = -2
PASSED_BY = 0.25  # weight of a hand whose speed would have been called before, had it held the Legacy

FEW = 4  # the ruins rarely hold more; a fixed number of rounds can be predicted

NONE, ONE = np.uint64(0), np.uint64(1)
SIX_BITS = np.uint64(63)
EVERY_SIXTH = np.uint64(0x041041041041041)  # times a word of six-bit fields: its top field is their sum
TOP_FIELD = np.uint64(54)


class Pool(NamedTuple):
    """The cards whose place is not known, and what is believed of the Legacy."""

    each: float  # 1 / how many there are, without those known to be somewhere in the ruins
    speeds: int  # how many of each speed, six bits each
    dangers: int  # how many in all, that look at hands, are traps, are fragile: 16 bits each
    known_hands: int  # bit s: seat s, another one in the game, holds a known card
    unknown_hands: int  # how many other seats in the game hold an unknown card
    heaviest: int  # the greatest weight of such a hand as a place of the Legacy
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
def of_speed(pool, speed):
    """Unknown cards of a speed."""
    return np.int64((pool.speeds >> np.uint64(6 * speed)) & SIX_BITS)


@inlined
def lookers(pool):
    """Unknown cards that look at a hand when played."""
    return np.int64((pool.dangers >> np.uint64(16)) & SIX_BITS)


@inlined
def traps(pool):
    """Unknown cards that put the looker out."""
    return np.int64((pool.dangers >> np.uint64(32)) & SIX_BITS)


@inlined
def fragile(pool):
    """Unknown cards that put their owner out when seen."""
    return np.int64((pool.dangers >> np.uint64(48)) & SIX_BITS)


@inlined
def below_speed(pool, speed):
    """Unknown cards of all lower speeds."""
    lower = pool.speeds & ((ONE << np.uint64(6 * speed)) - ONE)
    return np.int64(((lower * EVERY_SIXTH) >> TOP_FIELD) & SIX_BITS)


@inlined
def and_one(cards, speeds, dangers, kind):
    """The counts of seen cards and one more; NO_CARD changes nothing."""
    return speeds + cards.by_speed[np.uint64(kind)], dangers + cards.by_danger[np.uint64(kind)]


@inlined
def turns_weight(public, seat):
    """The more turns a seat has had, the more chances it had to draw a card that it cannot play."""
    return 1 + public.turns_of[seat]


@inlined
def lateness(cards, public):
    """Weight of a hand as a place of the Legacy once its speed has been called without a find."""
    is_late = public.phase == INVESTIGATION and public.called > np.int64(cards.speed[cards.legacy])
    return PASSED_BY if is_late else 1.0


@inlined
def known_deck(public, private):
    """How many cards are known from the deck's top on; below an unknown one nothing is known."""
    n = np.int64(0)
    while n < public.deck_size and card_at(public, private, DECK_END - public.deck_size + n) != NO_CARD:
        n += 1
    return n


@inlined
def survey(cards, public, private, counts_cards):
    """The Pool of this question. Branches are few, since none could be predicted."""
    speeds, dangers, legacy = NONE, NONE, np.int64(NOWHERE)  # of what is seen
    remembers, somewhere = np.uint64(private.parameter & NO_MEMORY == 0), NONE
    for kind in range(1, KINDS):
        put_away = np.uint64(private.ruins_has[kind]) * remembers
        somewhere += put_away
        if counts_cards:
            n = np.uint64(public.in_rows[kind]) + put_away
            speeds += n * cards.by_speed[kind]
            dangers += n * cards.by_danger[kind]

    weighs_turns = np.int64(np.int64(cards.traits[cards.legacy]) & UNPLAYABLE != 0)
    known_hands, unknown_hands, hand_weight, heaviest = NONE, np.int64(0), np.int64(0), np.int64(0)
    for seat in range(public.n_seats):
        kind = card_at(public, private, HAND + seat)
        is_unknown = is_playing(public, seat) & (kind == NO_CARD)
        unknown_hands += np.int64(is_unknown)
        weight_there = (turns_weight(public, seat) if weighs_turns else 1) * np.int64(is_unknown)
        hand_weight += weight_there
        heaviest = max(heaviest, weight_there)
        known_hands |= np.uint64((kind != NO_CARD) & (seat != private.seat)) << np.uint64(seat)
        speeds, dangers = and_one(cards, speeds, dangers, kind)
        legacy = np.int64(HAND + seat) if kind == cards.legacy else legacy
    kind = card_at(public, private, DRAWN)
    speeds, dangers = and_one(cards, speeds, dangers, kind)
    legacy = np.int64(DRAWN) if kind == cards.legacy else legacy
    unknown_ruins = public.ruins_size
    for place in range(RUINS, RUINS + max(FEW, public.ruins_size)):
        kind = card_at(public, private, place)
        speeds, dangers = and_one(cards, speeds, dangers, kind)
        legacy = np.int64(place) if kind == cards.legacy else legacy
        unknown_ruins -= np.int64(kind != NO_CARD)
    n_known = known_deck(public, private)
    for place in range(DECK_END - public.deck_size, DECK_END - public.deck_size + n_known):
        kind = card_at(public, private, place)
        speeds, dangers = and_one(cards, speeds, dangers, kind)
        legacy = np.int64(place) if kind == cards.legacy else legacy

    ruins_chance, hand_chance = 0.0, 0.0
    if legacy == NOWHERE and somewhere_in_ruins(private, np.int64(cards.legacy)):
        legacy = np.int64(SOMEWHERE_IN_RUINS)
        ruins_chance = 1.0 / max(np.int64(1), unknown_ruins)
    elif legacy == NOWHERE:
        weight = lateness(cards, public)
        open_ruins = max(np.int64(0), unknown_ruins - np.int64(somewhere))
        total = max(weight * hand_weight + (open_ruins + public.deck_size - n_known), 1e-6)
        hand_chance = weight / total
        ruins_chance = open_ruins / (total * max(np.int64(1), unknown_ruins))
    speeds, dangers = cards.all_speeds - speeds, cards.all_dangers - dangers
    each = 1.0 / max(np.int64(1), np.int64(dangers & SIX_BITS))
    return Pool(each, speeds, dangers, known_hands, unknown_hands, heaviest, legacy, ruins_chance, hand_chance, weighs_turns)


@kernel
def count(cards, public, private):
    """Count what is not seen: the Pool of this question."""
    out_of_line()
    return survey(cards, public, private, True)


@kernel
def locate(cards, public, private):
    """A Pool that only says where the Legacy may lie: for questions that ask nothing else."""
    out_of_line()
    return survey(cards, public, private, False)


@inlined
def legacy_chance(public, private, pool, place):
    """The chance that the Legacy lies at a place."""
    chance = 0.0
    if pool.legacy >= 0:
        chance = 1.0 if place == pool.legacy else 0.0
    elif card_at(public, private, place) == NO_CARD:
        if place < MAX_SEATS:
            chance = pool.hand_chance * (turns_weight(public, place) if pool.weighs_turns else 1)
        else:
            chance = pool.ruins_chance if place < RUINS + public.ruins_size else pool.hand_chance
    return chance
