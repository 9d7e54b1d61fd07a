"""What an action is worth by odds: the judgement of careful, with the chances of the counting belief for every place."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.counting import n_playing
from lostlegacy_sim.games.lost_legacy.bots.quick.evaluation import (
    LEARNT,
    LOOKS,
    ONE_LESS,
    Plan,
    places_to_look,
    plan_play,
)
from lostlegacy_sim.games.lost_legacy.bots.quick.worth import is_deadly, knowing, worth
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CANCELS_X,
    DECK_END,
    FRAGILE,
    HAND,
    KILLS_LEGACY,
    KILLS_X,
    MAX_SEATS,
    MOVES,
    NAMES,
    RUINS,
    STACKS,
    TRAP,
    WINS,
    X,
)
from lostlegacy_sim.jit import kernel, lowest_bit, out_of_line

ONE = np.uint64(1)
HARDLY = 1e-3  # a chance below this is not worth a thought


@kernel
def outlook_by_odds(cards, public, private, odds, outlook):
    """The same outlook with the chances to find the Legacy that the odds give."""
    out_of_line()
    find_low, find_high = 0.0, 0.0
    for place in range(RUINS, RUINS + public.ruins_size):
        find_high = max(find_high, odds.chance[place, cards.legacy])
    later = 0.0
    for place in range(DECK_END - public.deck_size, DECK_END):
        later += odds.chance[place, cards.legacy]
    for seat in range(public.n_seats):
        if seat != private.seat and public.in_game >> np.uint64(seat) & ONE:
            find_low = max(find_low, odds.chance[HAND + seat, cards.legacy])
    return knowing(outlook, min(1.0, max(find_high, find_low + later / n_playing(public))), find_high)


@kernel
def name_by_odds(cards, public, private, odds):
    """The speed from 1 to 8 that another hand holds with the best chance, and that hand's place."""
    out_of_line()
    best, best_speed, best_place = -1.0, np.int64(1), np.int64(-1)
    for seat in range(public.n_seats):
        if seat != private.seat and public.in_game >> np.uint64(seat) & ONE:
            for speed in range(1, X):
                chance = 0.0
                for kind in range(1, cards.n_kinds + 1):
                    chance += odds.chance[HAND + seat, kind] if cards.speed[kind] == speed else 0.0
                if chance > best:
                    best, best_speed, best_place = chance, np.int64(speed), np.int64(HAND + seat)
    return best_speed, best_place


@kernel
def look_by_odds(cards, public, private, pool, outlook, odds, own, traits, named, place):
    """The chance to win after looking at a place with a card of these traits, `own` being kept."""
    out_of_line()
    lose, out, won, goes_on = 0.0, 0.0, 0.0, 0.0
    kept = worth(cards, public, private, pool, outlook, own)
    for kind in range(1, cards.n_kinds + 1):
        chance = odds.chance[place, kind]
        if chance < HARDLY:
            continue
        there, speed = np.int64(cards.traits[kind]), np.int64(cards.speed[kind])
        is_x, is_legacy = speed == X, kind == cards.legacy
        if place < MAX_SEATS:
            is_cancelled = is_x and traits & CANCELS_X != 0
            if there & TRAP and not is_cancelled:
                lose += chance
                continue
            kills = (traits & KILLS_X != 0 and is_x) or (traits & KILLS_LEGACY != 0 and is_legacy)
            if kills or (traits & NAMES != 0 and speed == named) or (there & FRAGILE != 0 and not is_cancelled):
                out += chance
                continue
        if traits & WINS and is_legacy:
            won += chance
            continue
        after = kept
        if traits & MOVES:
            after = max(after, worth(cards, public, private, pool, outlook, kind))
        if is_legacy:
            after += (1.0 - after) * LEARNT * (1.0 - chance)
        goes_on += chance * min(1.0, after)
    after_out = 1.0 if n_playing(public) == 2 else min(1.0, ONE_LESS * kept)
    return won + out * after_out + goes_on


@kernel
def best_look_by_odds(cards, public, private, pool, outlook, odds, own, traits, named, mask):
    """The best of these places to look at and its value; (-1, 0) for none."""
    out_of_line()
    best, best_place = 0.0, np.int64(-1)
    while mask:
        place = lowest_bit(mask)
        mask &= mask - ONE
        value = look_by_odds(cards, public, private, pool, outlook, odds, own, traits, named, place)
        if best_place < 0 or value > best:
            best, best_place = value, place
    return best_place, best


@kernel
def plan_by_odds(cards, public, private, pool, outlook, odds, temper, played, kept_kind, kept):
    """The chance to win after playing one card and keeping the other, and what would be looked at and named."""
    out_of_line()
    traits = np.int64(cards.traits[played])
    is_deadly_play = traits & STACKS != 0 and is_deadly(cards, public, private.seat, played)
    mask = places_to_look(public, private, traits)
    if traits & LOOKS == 0 or is_deadly_play or mask == 0:
        return plan_play(cards, public, private, pool, outlook, temper, played, kept_kind, kept)
    named = np.int64(0)
    if traits & NAMES:
        named, _ = name_by_odds(cards, public, private, odds)
    place, value = best_look_by_odds(cards, public, private, pool, outlook, odds, kept_kind, traits, named, mask)
    return Plan(value, place, named)
