"""What an action is worth: looking at a place, playing a card, taking a card out of a row."""

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.counting import (
    card_at,
    fragile,
    is_playing,
    legacy_chance,
    n_playing,
    of_speed,
    traps,
)
from lostlegacy_sim.games.lost_legacy.bots.quick.worth import is_deadly, is_protected, knowing, weigh_all, worth
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CANCELS_X,
    DECK_END,
    FRAGILE,
    INTO_ROW_AS_ELIMINATED,
    KILLS_LEGACY,
    KILLS_X,
    LEGACY,
    LOOKS_DECK,
    LOOKS_HANDS,
    LOOKS_RUINS,
    MAX_SEATS,
    MOVES,
    NAMES,
    NO_CARD,
    PROTECTS,
    RUINS,
    STACKS,
    TRAP,
    WINS,
    X,
)
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line, stack_of_floats

# Found by playing: no rule says so.
LEARNT = 0.2  # how much of what is missing to a win it brings to learn where the Legacy is
ONE_LESS = 1.3  # how much more the own card is worth when a seat is out and others remain
INSURED = 0.2  # how much of what is missing to a win a protecting card brings, shared by the others in the game
SECOND_LIFE = 0.5  # how much of a card's worth is left to who comes back

MAX_ALIKE = 1 << 10  # more than anybody has turns
ONE = np.uint64(1)
LOOKS = LOOKS_HANDS | LOOKS_RUINS | LOOKS_DECK
worths_of_kinds = stack_of_floats(KINDS)


class Temper(NamedTuple):
    """How a bot weighs danger and prey."""

    risk: float  # weight of being put out by a trap
    thirst: float  # what it adds for putting another seat out, or winning at once


class Kept(NamedTuple):
    """The hand card while another one is played."""

    worth: float
    gain: float  # what an exchange with an unknown card brings on average


class Plan(NamedTuple):
    """What a play would lead to."""

    value: float  # the chance to win
    place: int  # what it would look at, -1 for nothing
    named: int  # the speed it would name, 0 for none


class Foreseen(NamedTuple):
    """What may happen on a look at a place: chances."""

    lose: float  # the looker is out
    out: float  # the holder is out
    found: float  # it is the Legacy


@inlined
def share(pool, n):
    """The chance that a hidden place holds one of n unknown cards."""
    return min(1.0, n * pool.each)


@inlined
def speed_chance(cards, public, private, pool, place, speed):
    """The chance that a hand holds a card of this speed."""
    kind = card_at(private, place)
    if kind != NO_CARD:
        chance = 1.0 if np.int64(cards.speed[kind]) == speed else 0.0
    elif speed == np.int64(cards.speed[cards.legacy]):
        chance = legacy_chance(public, private, pool, place)
    else:
        chance = share(pool, of_speed(pool, speed))
    return chance


@kernel
def best_name(cards, public, private, pool):
    """The speed from 1 to 8 that another hand holds with the best chance."""
    out_of_line()
    best, best_speed = -1.0, np.int64(1)
    for seat in range(public.n_seats):
        if seat != private.seat and is_playing(public, seat):
            for speed in range(1, X):
                chance = speed_chance(cards, public, private, pool, seat, speed)
                if chance > best:
                    best, best_speed = chance, np.int64(speed)
    return best_speed


@inlined
def gain_by_worth(cards, pool, worths, other, own):
    """What it brings to exchange a card of this worth with the unknown cards of a kind, all added up."""
    return of_speed(pool, np.int64(cards.speed[other])) * cards.share[other] * max(0.0, worths[other] - own)


@inlined
def gains_of_four(cards, pool, worths, kind, own):
    """The same for four kinds; two and two, so that no addition waits for all others."""
    first, second = gain_by_worth(cards, pool, worths, kind, own), gain_by_worth(cards, pool, worths, kind + ONE, own)
    third, fourth = gain_by_worth(cards, pool, worths, kind + np.uint64(2), own), gain_by_worth(cards, pool, worths, kind + np.uint64(3), own)
    return (first + second) + (third + fourth)


@inlined
def gains_by_worth(cards, pool, worths, first, second):
    """What an exchange with an unknown card brings on average to who keeps a card worth `first`, or `second`."""
    gain_first, gain_second = 0.0, 0.0
    for number in range((cards.n_kinds + 3) // 4):
        kind = np.uint64(1 + 4 * number)
        gain_first += gains_of_four(cards, pool, worths, kind, first)
        gain_second += gains_of_four(cards, pool, worths, kind, second)
    return min(1.0, gain_first * pool.each), min(1.0, gain_second * pool.each)


@inlined
def better_kinds(cards, worths, own):
    """The kinds worth more than the own card, as bits."""
    better = np.uint64(0)
    for kind in range(1, cards.n_kinds + 1):
        better |= np.uint64(worths[kind] > worths[own]) << np.uint64(kind)
    return better


@inlined
def foresee(cards, public, private, pool, traits, named, place, kind):
    """The chances of a look at this place, which holds this kind as far as is known, by a card with these traits."""
    found = legacy_chance(public, private, pool, place)
    lose, out = 0.0, 0.0
    if place < MAX_SEATS:
        if kind == NO_CARD:
            lose, out, is_x = share(pool, traps(pool)), share(pool, fragile(pool)), share(pool, of_speed(pool, X))
        else:
            there = np.int64(cards.traits[kind])
            lose, out = 1.0 if there & TRAP else 0.0, 1.0 if there & FRAGILE else 0.0
            is_x = 1.0 if np.int64(cards.speed[kind]) == X else 0.0
        if traits & CANCELS_X:
            lose = max(0.0, lose - is_x)
        if traits & KILLS_X:
            out += is_x
        elif traits & KILLS_LEGACY:
            out += found
        elif traits & NAMES:
            out += speed_chance(cards, public, private, pool, place, named)
    return Foreseen(lose, min(1.0 - lose, out), found)


@inlined
def look_value(cards, public, private, pool, worths, temper, kept, traits, named, place):
    """The chance to win after looking at a place with a card of these traits."""
    kind = card_at(private, place)
    seen = foresee(cards, public, private, pool, traits, named, place, kind)
    win = seen.found if traits & WINS else 0.0
    goes_on = max(0.0, 1.0 - temper.risk * seen.lose - seen.out - win)
    after = kept.worth
    if kind == NO_CARD:
        after += kept.gain
        after += (1.0 - after) * LEARNT * seen.found if pool.legacy < 0 else 0.0
    elif traits & MOVES:
        after = max(after, worths[kind])
    after_out = 1.0 if n_playing(public) == 2 else min(1.0, ONE_LESS * kept.worth)
    return win + seen.out * after_out + goes_on * min(1.0, after) + temper.thirst * (win + seen.out)


@inlined
def places_to_look(public, private, traits):
    """The places a card of these traits may look at, as bits."""
    mask = np.uint64(0)
    if traits & LOOKS_HANDS:
        mask |= public.in_game & ~(ONE << np.uint64(private.seat))
    if traits & LOOKS_RUINS:
        mask |= ((ONE << np.uint64(public.ruins_size)) - ONE) << np.uint64(RUINS)
    if traits & LOOKS_DECK and public.deck_size:
        mask |= ONE << np.uint64(DECK_END - public.deck_size)
    return mask


@kernel
def best_look(cards, public, private, pool, worths, temper, kept, traits, named, mask):
    """The best of these places to look at and its value; (-1, 0) for none."""
    out_of_line()
    best, best_place, last_alike = 0.0, np.int64(-1), np.int64(-1)
    while mask:
        place = lowest_bit(mask)
        mask &= mask - ONE
        if card_at(private, place) == NO_CARD and place < RUINS + public.ruins_size:
            alike = public.turns_of[place] if place < MAX_SEATS else np.int64(MAX_ALIKE)
            if alike == last_alike:  # as good as an unknown card that was weighed just before
                continue
            last_alike = alike
        value = look_value(cards, public, private, pool, worths, temper, kept, traits, named, place)
        if best_place < 0 or value > best:
            best, best_place = value, place
    return best_place, best


@kernel
def take_value(cards, public, private, worths, own, seat, index):
    """What it is worth to take a row card and lay the own hand card in its place."""
    out_of_line()
    taken = np.int64(public.row[seat, index])
    value = worths[taken]
    if taken != own and is_playing(public, seat) and is_deadly(cards, public, seat, own):
        if seat == private.seat:
            return value * SECOND_LIFE if is_protected(cards, public, seat) else 0.0
        value = 1.0 if n_playing(public) == 2 and not is_protected(cards, public, seat) else min(1.0, ONE_LESS * value)
    return value


@kernel
def best_take(cards, public, private, worths, own):
    """The best a card that exchanges with a row card can bring; the own card's worth at least."""
    out_of_line()
    best, traits = worths[own], np.int64(cards.traits[own])
    if traits & LEGACY and not traits & INTO_ROW_AS_ELIMINATED:
        return best
    for seat in range(public.n_seats):
        for index in range(public.row_size[seat]):
            best = max(best, take_value(cards, public, private, worths, own, seat, index))
    return best


@kernel
def plan_by_worth(cards, public, private, pool, outlook, worths, temper, played, kept_kind, kept):
    """The chance to win after playing one card and keeping the other, and what would be looked at and named."""
    out_of_line()
    traits = np.int64(cards.traits[played])
    if traits & STACKS and is_deadly(cards, public, private.seat, played):
        back = SECOND_LIFE * kept.worth if is_protected(cards, public, private.seat) else 0.0
        return Plan(back, np.int64(-1), np.int64(0))
    if traits & LOOKS:
        mask = places_to_look(public, private, traits)
        if mask == 0:
            return Plan(kept.worth, np.int64(-1), np.int64(0))
        named = best_name(cards, public, private, pool) if traits & NAMES else np.int64(0)
        place, value = best_look(cards, public, private, pool, worths, temper, kept, traits, named, mask)
        return Plan(value, place, named)
    value = kept.worth
    if traits & MOVES:
        value = best_take(cards, public, private, worths, kept_kind)
    elif traits & LEGACY:  # it goes among the ruins, for all to see
        find = 1.0 / (1.0 + public.ruins_size)
        value = worth(cards, public, private, pool, knowing(outlook, find, find), kept_kind)
    if traits & PROTECTS and not traits & MOVES:
        others = max(np.int64(1), n_playing(public) - 1)
        value += (1.0 - value) * INSURED / others * min(public.deck_size, 4) / 4.0
    return Plan(value, np.int64(-1), np.int64(0))


@kernel
def plan_play(cards, public, private, pool, outlook, temper, played, kept_kind, kept):
    """As `plan_by_worth`, for where not all kinds are weighed anyway."""
    out_of_line()
    worths = worths_of_kinds()
    weigh_all(cards, public, private, pool, outlook, worths)
    return plan_by_worth(cards, public, private, pool, outlook, worths, temper, played, kept_kind, kept)
