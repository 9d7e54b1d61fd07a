"""The model belief: where everything may lie, if the others play by a policy that is named.

A retold world is a whole deal, with every choice that was made in it. It is played again by the rules, and wherever another
seat had a choice, the policy is asked, with what that seat knew there. Retelling weighs a choice as if all options were alike; so
the world's weight, times (chance the policy gives to what was chosen) x (number of options) for each of these choices, is its
weight under the policy: importance sampling, exact in the limit of many worlds, whatever the policy.

A model mixes the policy with even chances: of 100 answers so many are slips, in which any option will do. Without slips
one choice that the policy would not make rules a world out, and soon no world is left.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import TRIES, UNWEIGHED, add_world, empty, share_out
from lostlegacy_sim.games.lost_legacy.bots.belief.sample_history import sample_history
from lostlegacy_sim.games.lost_legacy.bots.belief.unseen import lay_unseen
from lostlegacy_sim.games.lost_legacy.bots.belief.world import chance_key
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, PAUSED, READS_VIEW, pick
from lostlegacy_sim.games.lost_legacy.kernel.log import DEALT, DECLINED, LOGS, REVEALED, SHUFFLED, log_event
from lostlegacy_sim.games.lost_legacy.kernel.rules import deal, play_on
from lostlegacy_sim.games.lost_legacy.kernel.state import HISTORY, N_LOG, PUBLIC, QUESTION, SEATS, SECRET, State
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CHOOSE,
    DECK_END,
    DRAWN,
    EXCHANGE,
    FOCUS_ROW_CARD,
    HAND,
    MAX_CARDS,
    N_PLACES,
    PLAY,
    REVEAL,
    ROW,
    RUINS,
    SHUFFLE,
)
from lostlegacy_sim.jit import call_back, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed

ONE = np.uint64(1)
HUNDRED = 100.0


@kernel
def weigh_odds_by(cards, public, private, question, world, odds, n_worlds, key, address, slips):
    """The chance of each kind at each place, from so many worlds, if the others play by the policy at this address.

    `address`: of a policy that reads neither the log nor the list of options (jit.address_of, or that of a compiled callback).
    `slips`: of 100 answers of theirs, those in which any option will do; 1 to 100.
    """
    table, secret, seats = np.zeros(1, PUBLIC), np.zeros(1, SECRET), np.zeros(1, SEATS)
    asked, history = np.zeros(1, QUESTION), np.zeros(1, HISTORY)
    state = State(cards, secret[0], table[0], seats[0], asked[0], history[0])
    weigh_odds_at(public, private, question, world, odds, n_worlds, key, state, address, slips)
    return len(table) + len(secret) + len(seats) + len(asked) + len(history)  # they are alive until here


@kernel
def weigh_odds_at(public, private, question, world, odds, n_worlds, key, state, address, slips):
    """As `weigh_odds_by`, at a table that is of no other use."""
    out_of_line()
    empty(odds)
    sit_aside(public, private, state)
    for number in range(n_worlds):
        weight = next_likely_world(
            public, private, question, world, keyed(key, np.uint64(number)), state, address, slips
        )
        add_world(odds, world, weight)
    share_out(odds)


@kernel
def weigh_worlds_by(public, private, question, world, key, hidden, weights, state, address, slips):
    """As `weigh_worlds`, under a model; a world that cannot be retold or would not be played weighs 0."""
    out_of_line()
    sit_aside(public, private, state)
    world.is_dealt = 1
    for number in range(len(weights)):
        weights[number] = sample_history(state.cards, public, private, world, keyed(key, np.uint64(number)))
        if weights[number] > 0.0:
            weights[number] *= live_again(public, private, question, world, state, address, slips)
        for place in range(N_PLACES):
            hidden[number, place] = world.card[place]


@kernel
def next_likely_world(public, private, question, world, key, state, address, slips):
    """A possible world and its weight under a model; as `next_world` does, it falls back to worlds that weigh no choices."""
    out_of_line()
    if 0 < public.n_log < N_LOG:
        world.is_dealt = 1
        for number in range(TRIES):
            weight = sample_history(state.cards, public, private, world, keyed(key, np.uint64(number)))
            if weight > 0.0:
                return max(UNWEIGHED, weight * live_again(public, private, question, world, state, address, slips))
    lay_unseen(state.cards, public, private, world, key)
    return UNWEIGHED


@kernel
def live_again(public, private, question, world, state, address, slips):
    """What the policy makes of all choices of the others in a retold world, beside even chances; 0 if it is no whole deal."""
    out_of_line()
    table, asked = state.public, state.question
    deal_again(public, world, state)
    ratio, status = 1.0, play_on(state)
    while status == PAUSED:
        if table.n_log == public.n_log and is_now(public, table, private, question, asked):
            return ratio
        answer = told_answer(public, world, state)
        if answer < 0 or not asked.mask >> np.uint64(answer) & ONE:
            return 0.0
        if asked.seat != private.seat:
            ratio *= against_even(state, answer, address, slips)
            if ratio == 0.0:
                return 0.0
        state.secret.answer, state.secret.plain = answer, 0
        status = play_on(state)
    return 0.0


@kernel
def is_now(public, table, private, question, asked):
    """Whether the deal that is played again has come to the question that is open."""
    is_same = asked.seat == private.seat and asked.what == question.what and table.turn == public.turn
    return is_same and table.phase == public.phase and table.step == public.step and table.look == public.look


@kernel
def against_even(state, answer, address, slips):
    """The chance a model gives to an answer, times the number of options; 1 where two options come to the same."""
    secret, asked = state.secret, state.question
    private = state.seats.private[asked.seat]
    index = call_back(address, state.cards, state.public, private, asked)
    hand, focus = secret.card[HAND + asked.seat], state.public.focus
    if asked.what == PLAY and hand == secret.card[DRAWN]:
        return 1.0
    if asked.what == EXCHANGE and focus < N_PLACES and hand == secret.card[focus]:
        return 1.0
    is_chosen = 0 <= index < asked.n and pick(asked.mask, index) == answer
    return slips / HUNDRED + (asked.n * (1.0 - slips / HUNDRED) if is_chosen else 0.0)


# --- playing again ------------------------------------------------------------------------------------------


@kernel
def sit_aside(public, private, state):
    """Nobody plays at this table: every question stays open; once for all worlds of a decision."""
    out_of_line()
    secret = state.secret
    for seat in range(public.n_seats):
        secret.bot[seat], secret.line_up[seat], secret.entry[seat], secret.never[seat] = ASIDE, ASIDE, seat, 0
        secret.reads[seat] = 0 if seat == private.seat else READS_VIEW
    secret.plain, state.history.on, state.public.n_seats = 0, 0, public.n_seats


@kernel
def deal_again(public, world, state):
    """Deal a retold world from its beginning, with its key of chance."""
    secret, n_slots = state.secret, np.int64(state.cards.n_slots)
    number = MAX_CARDS - n_slots
    secret.order[number] = world.dealt[RUINS]
    for seat in range(public.n_seats):
        secret.order[number + 1 + seat] = world.dealt[HAND + seat]
    for place in range(DECK_END - n_slots + 1 + public.n_seats, DECK_END):
        secret.order[MAX_CARDS - DECK_END + place] = world.dealt[place]
    secret.chance, secret.choice = chance_key(world), keyed(world.key, -2)
    secret.watches, state.public.n_log = 0, 0
    deal(state)
    secret.watches = LOGS
    log_event(secret, state.public, DEALT, 0, 0, 0)


@kernel
def told_answer(public, world, state):
    """How the open question was answered, by the log of the deal and what was settled in this world; -1 if it is not told."""
    out_of_line()
    secret, table, what = state.secret, state.public, state.question.what
    at = table.n_log
    event = np.int64(public.log[at, 0]) if at < public.n_log else np.int64(0)
    if what == SHUFFLE:
        return np.int64(event == SHUFFLED)
    if what == REVEAL and event != REVEALED:
        return face_down_card(public, table, state.question)
    if event == 0:
        return np.int64(-1)
    if what == PLAY:
        return np.int64(secret.card[HAND + table.seat] != public.log[at, 2])
    if what == EXCHANGE:
        return np.int64(event != DECLINED) if table.focus == FOCUS_ROW_CARD else np.int64(world.exchanged[at])
    return np.int64(public.log[at, 3]) if what == CHOOSE or what == ROW else np.int64(public.log[at, 1])


@kernel
def face_down_card(public, table, asked):
    """A row card that was revealed (L6): of those, the log says nothing."""
    places = asked.mask & public.revealed & ~table.revealed & ~((ONE << np.uint64(RUINS + table.ruins_size)) - ONE)
    return lowest_bit(places) if places else np.int64(-1)
