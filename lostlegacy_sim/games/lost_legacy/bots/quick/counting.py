"""What a player counts: the cards not seen yet, and where the Legacy may lie.

Everything is counted anew for every question, so nothing is carried over from one to the next.
"""

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    INVESTIGATION,
    MAX_SEATS,
    NO_CARD,
    RUINS,
    UNPLAYABLE,
)
from lostlegacy_sim.jit import count_bits, equal_bytes, inlined, kernel, lowest_bit, out_of_line

NO_MEMORY = 1  # as parameter: the bot uses its own hand and what lies open, nothing it has seen before
NOWHERE = -1
SOMEWHERE_IN_RUINS = -2
PASSED_BY = 0.25  # weight of a hand whose speed would have been called before, had it held the Legacy

NONE, ONE = np.uint64(0), np.uint64(1)
EVERYWHERE = ~NONE
OTHER_PLACES = EVERYWHERE << np.uint64(RUINS)  # ruins and deck
HANDS = (ONE << np.uint64(MAX_SEATS)) - ONE
KINDS_MASK = (ONE << np.uint64(KINDS)) - ONE
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
def card_at(private, place):
    """The kind known to lie at a place, else NO_CARD."""
    return np.int64(private.known[place])


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
def turns_weight(public, seat):
    """The more turns a seat has had, the more chances it had to draw a card that it cannot play."""
    return 1 + public.turns_of[seat]


@inlined
def lateness(cards, public):
    """Weight of a hand as a place of the Legacy once its speed has been called without a find."""
    is_late = public.phase == INVESTIGATION and public.called > np.int64(cards.speed[cards.legacy])
    return PASSED_BY if is_late else 1.0


@inlined
def survey(cards, public, private, counts_cards):
    """The Pool of this question. Places are bits and branches few, since none could be predicted."""
    is_unknown = equal_bytes(private.known, NO_CARD)
    deck = ~(EVERYWHERE >> np.uint64(public.deck_size))  # the last places
    hidden_deck = deck & is_unknown
    known_deck = deck & ((hidden_deck & (NONE - hidden_deck)) - ONE)  # down to the first unknown card; nothing is known below it
    known = ~is_unknown & ~deck | known_deck
    legacy_there = known & equal_bytes(private.known, cards.legacy)
    legacy = lowest_bit(legacy_there) if legacy_there else np.int64(NOWHERE)

    weighs_turns = np.int64(np.int64(cards.traits[cards.legacy]) & UNPLAYABLE != 0)
    unknown_hands = public.in_game & is_unknown
    hand_weight, heaviest = count_bits(unknown_hands), np.int64(unknown_hands != NONE)
    if weighs_turns:
        hand_weight, heaviest = np.int64(0), np.int64(0)
        hands = unknown_hands
        while hands:
            weight = turns_weight(public, np.uint64(lowest_bit(hands)))
            hands &= hands - ONE
            hand_weight += weight
            heaviest = max(heaviest, weight)
    n_unknown_ruins = public.ruins_size - count_bits(known & OTHER_PLACES & ~deck)

    speeds, dangers, somewhere = cards.all_speeds - public.rows_speeds, cards.all_dangers - public.rows_dangers, NONE
    if counts_cards:
        places = known
        while places:
            kind = np.uint64(private.known[np.uint64(lowest_bit(places))])
            places &= places - ONE
            speeds -= cards.by_speed[kind]
            dangers -= cards.by_danger[kind]
    put_away = ~equal_bytes(private.ruins_has, 0) & KINDS_MASK
    while put_away:
        kind = np.uint64(lowest_bit(put_away))
        put_away &= put_away - ONE
        n = np.uint64(private.ruins_has[kind])
        somewhere += n
        speeds -= n * cards.by_speed[kind]
        dangers -= n * cards.by_danger[kind]

    ruins_chance, hand_chance = 0.0, 0.0
    if legacy == NOWHERE and private.ruins_has[cards.legacy]:
        legacy = np.int64(SOMEWHERE_IN_RUINS)
        ruins_chance = 1.0 / max(np.int64(1), n_unknown_ruins)
    elif legacy == NOWHERE:
        weight = lateness(cards, public)
        open_ruins = max(np.int64(0), n_unknown_ruins - np.int64(somewhere))
        total = max(weight * hand_weight + (open_ruins + public.deck_size - count_bits(known_deck)), 1e-6)
        hand_chance = weight / total
        ruins_chance = open_ruins / (total * max(np.int64(1), n_unknown_ruins))
    each = 1.0 / max(np.int64(1), np.int64(dangers & SIX_BITS))
    known_hands = known & HANDS & ~(ONE << np.uint64(private.seat))
    return Pool(each, speeds, dangers, known_hands, count_bits(unknown_hands), heaviest, legacy, ruins_chance, hand_chance, weighs_turns)


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
    elif card_at(private, place) == NO_CARD:
        if place < MAX_SEATS:
            chance = pool.hand_chance * (turns_weight(public, place) if pool.weighs_turns else 1)
        else:
            chance = pool.ruins_chance if place < RUINS + public.ruins_size else pool.hand_chance
    return chance
