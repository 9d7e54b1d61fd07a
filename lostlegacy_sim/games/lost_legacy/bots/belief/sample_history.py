"""Retelling: a world is led through the log as one seat observed it, all others choosing with even chances.

What the others chose weighs as much as it was likely: a hand that survives a play is likelier to be the card that cannot be
played. A secret exchange branches. The chance of everything observed becomes the weight of the world.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.piles import draw, loosen, move, observe, put, settle, swap
from lostlegacy_sim.games.lost_legacy.bots.belief.unseen import complete
from lostlegacy_sim.games.lost_legacy.bots.belief.world import (
    ANY,
    ONE,
    OTHER,
    begin,
    chance,
    draw_among,
    fix,
    likelihood,
    observe_among,
    rule_out_unplayable,
)
from lostlegacy_sim.games.lost_legacy.kernel.log import (
    BACK,
    CALLED,
    CAME,
    DEALT,
    DECLINED,
    EXCHANGED,
    GOT,
    LEFT,
    LOOKED,
    MOVED,
    NAMED,
    PLAYED,
    REVEALED,
    SHUFFLED,
    TESTED,
    TOOK,
    is_same_trigger,
)
from lostlegacy_sim.games.lost_legacy.kernel.state import ALL_SEATS
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DRAWN,
    HAND,
    IF_LEGACY,
    IF_X,
    INTO_ROW_AS_ELIMINATED,
    INVESTIGATION,
    MAX_SEATS,
    NO_CARD,
    ON_SEEN,
    PLAYING,
    RUINS,
    X,
)
from lostlegacy_sim.jit import inlined, kernel, out_of_line


@kernel
def sample_history(cards, public, private, world, key):
    """A world of this key that agrees with everything this seat has observed; its weight, 0 if that proved impossible."""
    out_of_line()
    world.key, world.drawn = key, 0
    begin(cards, public.n_seats, world)
    seat = np.int64(0)
    for event in range(public.n_log):
        what, first = public.log[event, 0], np.int64(public.log[event, 1])
        second, third = np.int64(public.log[event, 2]), np.int64(public.log[event, 3])
        if what == PLAYED:
            seat = first
            world.turn, world.n_shuffles = world.turn + 1, 0
        world.event = event
        tell(cards, world, np.int64(private.seat), seat, what, first, second, third, np.int64(private.saw[event]))
        if world.weight == 0.0:
            return 0.0
    if public.phase == PLAYING:
        draw(world, DRAWN, private.seat)
        observe(world, DRAWN, private.known[DRAWN])
    if public.phase == INVESTIGATION:
        wait_for_higher_speeds(cards, public, world)
    if world.weight > 0.0:
        complete(world, public.n_seats)
    return world.weight


@kernel
def tell(cards, world, own, seat, what, first, second, third, saw):
    """One event: `own` is the seat that observes, `seat` the seat on turn."""
    out_of_line()
    if what == PLAYED:
        draw(world, DRAWN, seat)
        if seat == own:
            observe(world, DRAWN, second + saw - np.int64(world.card[HAND + own]))
            keep(world, seat, saw == np.int64(world.card[HAND + own]), saw == second)
        else:
            play(cards, world, seat, second)
    elif what == LOOKED:
        look(cards, world, own, seat, first, second, third, saw)
    elif what == NAMED:
        world.named = first
    elif what == TESTED:
        if seat != own and first != own:
            observe_among(world, first, kinds_that_pass(cards, world.named, second, third != 0))
    elif what == EXCHANGED:
        exchange(world, own, seat, first, second != 0, saw)
    elif what == DECLINED:
        if seat != own:
            decline(cards, world, seat, first != 0)
    elif what == LEFT:
        observe(world, HAND + first, second)
        world.card[HAND + first], world.knows[HAND + first] = NO_CARD, 0
        if third:
            put(world, third - 1, second, ALL_SEATS, DRAWN)
    elif what == GOT:
        world.card[HAND + first], world.knows[HAND + first] = second, ALL_SEATS
    elif what == MOVED:
        move(world, first, second)
    elif what == CAME:
        put(world, second, first, ALL_SEATS, DRAWN)
    elif what == SHUFFLED:
        loosen(world, first)
    elif what == TOOK:
        world.card[HAND + first], world.knows[HAND + first] = world.card[HAND + second], world.knows[HAND + second] | 1 << first
        world.origin[HAND + first] = world.origin[HAND + second]
        world.card[HAND + second], world.knows[HAND + second] = NO_CARD, 0
        if first == own:
            observe(world, HAND + own, saw)
    elif what == BACK:
        draw(world, HAND + first, first)
        if first == own:
            observe(world, HAND + own, saw)
    elif what == CALLED:
        for other in range(MAX_SEATS):
            if second >> other & 1:
                observe_among(world, HAND + other, kinds_of_speed(cards, first))
                world.shown |= ONE << np.uint64(other)
    elif what == REVEALED:
        observe(world, first, second)
        world.knows[first] = ALL_SEATS
    elif what == DEALT:
        observe(world, HAND + own, saw)


# --- plays ------------------------------------------------------------------------------------------------


@kernel
def play(cards, world, seat, kind):
    """Another seat has played one of its two cards: which, and whether it had to."""
    hand = HAND + seat
    held, drawn = np.int64(world.card[hand]), np.int64(world.card[DRAWN])
    forced_held, forced_drawn = must_play(world, held, drawn), must_play(world, drawn, held)
    plays_held = likelihood(world, held, kind) * (0.5 + 0.5 * forced_held)
    plays_drawn = likelihood(world, drawn, kind) * (0.5 + 0.5 * forced_drawn)
    total = plays_held + plays_drawn
    world.weight *= total
    if total == 0.0:
        return
    is_held = chance(world) * total < plays_held
    played, kept, forced = (hand, np.int64(DRAWN), forced_held) if is_held else (np.int64(DRAWN), hand, forced_drawn)
    fix(world, played, kind)
    if chance(world) * (1.0 + forced) < 2.0 * forced:
        fix(world, kept, world.unplayable)
    else:
        rule_out_unplayable(world, kept)
    keep(world, seat, not is_held, world.card[hand] == world.card[DRAWN])


@inlined
def must_play(world, played, kept):
    """The chance that a card had to be played, since the other one cannot be."""
    if world.unplayable == 0 or kept == OTHER:
        return 0.0
    if kept != ANY:
        return 1.0 if kept == world.unplayable else 0.0
    return 1.0 / (world.n_any - (1.0 if played == ANY else 0.0)) if world.free else 0.0


@kernel
def keep(world, seat, keeps_held, is_same):
    """One of two cards stays in the hand, and who knew it may know it."""
    hand = HAND + seat
    knows_held, knows_drawn = world.knows[hand], world.knows[DRAWN]
    if not keeps_held:
        world.card[hand], knows_held, knows_drawn = world.card[DRAWN], knows_drawn, knows_held
        world.origin[hand] = world.origin[DRAWN]
    world.knows[hand] = (knows_held & knows_drawn if is_same else knows_held) | 1 << seat
    world.card[DRAWN], world.knows[DRAWN] = NO_CARD, 0


# --- looks ------------------------------------------------------------------------------------------------


@kernel
def look(cards, world, own, seat, place, trigger, cancels, saw):
    """A look, and what it did or did not set off."""
    if seat == own:
        observe(world, place, saw)
    else:
        settle(world, place)
        if place < MAX_SEATS and place != own:
            observe_among(world, place, kinds_that_trigger(cards, trigger, cancels))
    world.somewhere[place] &= ~np.uint8(1 << seat)
    world.knows[place] |= 1 << seat


@kernel
def kinds_that_trigger(cards, trigger, cancels):
    """The kinds that do just this when they are seen, as bits; 0: nothing."""
    kinds = np.uint64(0)
    for kind in range(1, cards.n_kinds + 1):
        is_silent = cards.n_steps[kind, ON_SEEN] == 0 or (cancels != 0 and cards.speed[kind] == X)
        fits = is_silent if trigger == 0 else not is_silent and is_same_trigger(cards, kind, trigger)
        kinds |= np.uint64(fits) << np.uint64(kind)
    return kinds


@kernel
def kinds_that_pass(cards, named, condition, result):
    """The kinds for which a condition has this result, as bits."""
    kinds = np.uint64(0)
    for kind in range(1, cards.n_kinds + 1):
        if condition == IF_LEGACY:
            passes = kind == cards.legacy
        else:
            passes = cards.speed[kind] == (X if condition == IF_X else named)
        kinds |= np.uint64(passes == result) << np.uint64(kind)
    return kinds


@kernel
def kinds_of_speed(cards, speed):
    """The kinds of a speed, as bits."""
    kinds = np.uint64(0)
    for kind in range(1, cards.n_kinds + 1):
        kinds |= np.uint64(cards.speed[kind] == speed) << np.uint64(kind)
    return kinds


@kernel
def wait_for_higher_speeds(cards, public, world):
    """Whose speed has not been called yet holds a higher one."""
    kinds = np.uint64(0)
    for kind in range(1, cards.n_kinds + 1):
        kinds |= np.uint64(np.int64(cards.speed[kind]) > public.called) << np.uint64(kind)
    for seat in range(public.n_seats):
        if public.in_game & ~world.shown & ONE << np.uint64(seat):
            observe_among(world, HAND + seat, kinds)


# --- exchanges --------------------------------------------------------------------------------------------


@kernel
def exchange(world, own, seat, place, may, saw):
    """An exchange of a hand with a hidden card: for sure, or perhaps."""
    hand = HAND + seat
    settle(world, place)
    is_done = True
    if seat == own:
        is_done = not may or saw != np.int64(world.card[hand])
    elif may and place == HAND + own:
        kept, given = 0.5 * (saw == np.int64(world.card[place])), 0.5 * likelihood(world, world.card[hand], saw)
        world.weight *= kept + given
        is_done = chance(world) * (kept + given) >= kept
        if is_done and given > 0.0:
            fix(world, hand, saw)
    elif may:
        is_done = chance(world) < 0.5
    elif place == HAND + own:
        observe(world, hand, saw)
    if may and RUINS <= place < RUINS + world.ruins_size:
        unknowing = ~world.knows[place]
        for other in range(RUINS, RUINS + world.ruins_size):  # what they knew to be there may be gone
            world.somewhere[other] &= ~unknowing
    is_same = world.card[hand] == world.card[place] and world.card[hand] < OTHER
    knew_hand = np.int64(world.knows[hand])
    both = knew_hand & np.int64(world.knows[place])
    world.exchanged[world.event] = is_done
    if is_done:
        swap(world, hand, place)
    if may:
        after = np.int64(1) << seat | (both if is_same else np.int64(0))
        owner = np.int64(1) << place if place < MAX_SEATS else np.int64(0)
        world.knows[hand] = after | (owner if is_done and not is_same else owner & knew_hand)
        world.knows[place] = after | owner
    else:
        world.knows[hand] |= 1 << seat
        world.knows[place] |= 1 << seat
        if place < MAX_SEATS:
            world.knows[place] |= 1 << place


@kernel
def decline(cards, world, seat, may):
    """Another seat made no exchange with a row card: it did not want to, or held a Legacy that is refused there (L13)."""
    if cards.traits[cards.legacy] & INTO_ROW_AS_ELIMINATED:
        return
    hand, others = HAND + seat, ~(ONE << np.uint64(cards.legacy))
    refused = likelihood(world, world.card[hand], cards.legacy)
    free = 0.5 * (1.0 - refused) if may else 0.0
    world.weight *= refused + free
    if refused + free > 0.0:
        if chance(world) * (refused + free) < refused:
            fix(world, hand, cards.legacy)
        else:
            draw_among(world, hand, others & ((ONE << np.uint64(cards.n_kinds + 1)) - np.uint64(2)))
