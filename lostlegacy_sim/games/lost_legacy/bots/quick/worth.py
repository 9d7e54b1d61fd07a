"""What a card is worth to who keeps it: the chance to win with it, in the investigation and on the way there."""

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.counting import (
    below_speed,
    lookers,
    n_playing,
    of_speed,
)
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    FRAGILE,
    HAND,
    LEGACY,
    NO_CARD,
    ON_ROW,
    PROTECTS,
    RUINS,
    STACKS,
    TRAP,
    X,
)
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line

# Found by playing: no rule says so.
FINDS = 0.75  # how often a seat that is called before finds the Legacy
KEPT = 1.3  # low speeds are kept more often than others
HOLDER_WINS = 0.9  # how often the Legacy's holder points at itself when it is called
SAME_SPEED = 0.3  # how often a known card of the same speed is no longer held at the end
LOOKED_AT = 1.2  # turns with a card that looks at a hand, per such card among the unseen
CATCH = 0.2  # what it is worth to catch a looker when others remain
LATER = 0.5  # how much of what is missing to a win later turns may still bring

ONE = np.uint64(1)
EIGHT = 8  # a whole number of eights is at most MAX_KINDS


class Outlook(NamedTuple):
    """What a seat expects of the rest of the deal, whatever card it keeps."""

    find_low: float  # chance to find the Legacy when called before its holder
    find_high: float  # when called after it: in the ruins
    unseen: float  # chance that nobody looks at the hand any more
    later: float  # share of what is missing to a win that later turns may still bring


@inlined
def is_face_down(public, seat, index):
    """Whether a row card lies face down."""
    return (public.row_down[seat] >> np.uint64(index)) & ONE != 0


@kernel
def face_up(public, seat, kind):
    """Face-up copies of a kind in a row, without a card being played."""
    out_of_line()
    n = np.int64(0)
    for index in range(public.row_size[seat]):
        if np.int64(public.row[seat, index]) == kind and not is_face_down(public, seat, index):
            n += 0 if public.played and seat == public.seat and index == public.played_index else 1
    return n


@kernel
def is_deadly(cards, public, seat, kind):
    """Whether one more copy of a kind in this row puts its owner out."""
    out_of_line()
    if not np.int64(cards.traits[kind]) & STACKS:
        return False
    return face_up(public, seat, kind) + 1 >= np.int64(cards.count[cards.first_step[kind, ON_ROW]])


@kernel
def is_protected(cards, public, seat):
    """Whether a seat would be back in the game after an elimination."""
    out_of_line()
    if public.deck_size:
        for index in range(public.row_size[seat]):
            if np.int64(cards.traits[public.row[seat, index]]) & PROTECTS and not is_face_down(public, seat, index):
                return True
    return False


@kernel
def known_rivals(cards, private, pool, speed):
    """The chance that none of the hands this seat knows is called with this speed, or finds the Legacy before."""
    out_of_line()
    chance, hands = 1.0, pool.known_hands
    while hands:
        kind = np.int64(private.known[HAND + lowest_bit(hands)])
        hands &= hands - ONE
        other = np.int64(cards.speed[kind])
        if other == speed:
            chance *= SAME_SPEED
        elif other < speed:
            chance *= 1.0 - (HOLDER_WINS if kind == cards.legacy else FINDS)
    return chance


@inlined
def power(base, exponent):
    """base ** exponent, for an exponent below 64: without a branch, since none could be predicted."""
    result = 1.0
    for place in range(6):
        result *= base if (exponent >> place) & 1 else 1.0
        base *= base
    return result


@inlined
def unrivalled(pool, speed):
    """The chance that no unknown hand is called with this speed, or finds the Legacy before.

    The power is written out: with a loop in it, `weigh_all` would not weigh eight kinds at once.
    """
    rivals = (of_speed(pool, speed) + FINDS * KEPT * below_speed(pool, speed)) * pool.each
    once = 1.0 - min(1.0, rivals)
    twice = once * once
    fourth = twice * twice
    n = pool.unknown_hands
    return (once if n & 1 else 1.0) * (twice if n & 2 else 1.0) * (fourth if n & 4 else 1.0)


@inlined
def look_ahead(public, private, pool):
    """The outlook of this seat."""
    find_high = 1.0 if pool.legacy >= RUINS else pool.ruins_chance
    in_hand = pool.hand_chance * (pool.heaviest + public.deck_size / n_playing(public))  # in the likeliest one, once the deck is drawn
    find_low = 1.0 if pool.legacy >= 0 else min(1.0, max(find_high, in_hand))
    others = max(np.int64(1), n_playing(public) - 1)
    turns = np.int64(np.uint64(public.deck_size) // np.uint64(others + 1))
    not_now = 1.0 - min(0.5, LOOKED_AT * lookers(pool) * pool.each) / others
    unseen = power(not_now, public.deck_size - turns)
    later = LATER * turns / (turns + 2.0) * (2.0 if others == 1 else 1.5 / others)
    return Outlook(find_low, find_high, unseen, later)


@inlined
def knowing(outlook, find_low, find_high):
    """The same outlook with other chances to find the Legacy."""
    return Outlook(find_low, find_high, outlook.unseen, outlook.later)


@inlined
def worth_if_alone(cards, public, outlook, kind, alone):
    """The chance to win with this card kept, roughly, if it is called alone with this chance; without branches."""
    speed, traits = np.int64(cards.speed[kind]), np.int64(cards.traits[kind])
    find = outlook.find_low if speed < np.int64(cards.speed[cards.legacy]) else outlook.find_high
    find = 1.0 if traits & LEGACY else find
    find = 0.0 if speed == X else find
    value = find * alone
    caught = (1.0 - outlook.unseen) * (1.0 if n_playing(public) == 2 else CATCH)
    is_trap, is_fragile = traits & TRAP, traits & (TRAP | FRAGILE)
    value *= outlook.unseen if is_fragile == FRAGILE else 1.0
    value += caught if is_trap else 0.0
    return min(1.0, value + max(0.0, 1.0 - value) * outlook.later)


@inlined
def worth_of(cards, public, private, pool, outlook, kind):
    """The chance to win with this card kept, roughly."""
    speed = np.int64(cards.speed[kind])
    chance = known_rivals(cards, private, pool, speed) if pool.known_hands else 1.0
    return worth_if_alone(cards, public, outlook, kind, chance * unrivalled(pool, speed))


@inlined
def weigh_all(cards, public, private, pool, outlook, worths):
    """Fill worths[kind] with what `worth_of` gives, for all kinds at once: eight kinds are one instruction."""
    worths[NO_CARD] = 0.0
    for before in range(0, cards.n_kinds, EIGHT):
        for lane in range(1, 1 + EIGHT):
            kind = np.uint64(before + lane)
            worths[kind] = 1.0
        hands = pool.known_hands
        while hands:
            known = np.int64(private.known[HAND + lowest_bit(hands)])
            hands &= hands - ONE
            other, passed = np.int64(cards.speed[known]), 1.0 - (HOLDER_WINS if known == cards.legacy else FINDS)
            for lane in range(1, 1 + EIGHT):
                kind = np.uint64(before + lane)
                speed = np.int64(cards.speed[kind])
                worths[kind] *= SAME_SPEED if speed == other else passed if other < speed else 1.0
        for lane in range(1, 1 + EIGHT):
            kind = np.uint64(before + lane)
            alone = worths[kind] * unrivalled(pool, np.int64(cards.speed[kind]))
            worths[kind] = worth_if_alone(cards, public, outlook, kind, alone)


@kernel
def worth(cards, public, private, pool, outlook, kind):
    """As `worth_of`, not laid into its caller: for where it is asked once."""
    out_of_line()
    return worth_of(cards, public, private, pool, outlook, kind)
