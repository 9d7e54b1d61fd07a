"""playout: tries every option on the same worlds, finishes each deal with a quick policy, and takes what wins most.

Flat Monte Carlo over determinizations of the counting belief; N playouts a decision, all options together.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import next_world
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as careful
from lostlegacy_sim.games.lost_legacy.bots.search.determinization import keep_own_view, lay_out, seat_finishers
from lostlegacy_sim.games.lost_legacy.kernel.rules import play_on
from lostlegacy_sim.games.lost_legacy.kernel.state import HISTORY, PUBLIC, QUESTION, SEATS, SECRET, State
from lostlegacy_sim.games.lost_legacy.vocabulary import N_PLACES
from lostlegacy_sim.jit import address_of, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed, mix

PLAYOUTS = 1000  # a decision, if nothing else is said
ONE = np.uint64(1)


@kernel
def play_out(state, answer):
    """Answer the open question and play to the end; 1 if this seat wins."""
    state.secret.answer, state.secret.plain = answer, 0
    seat = state.question.seat
    play_on(state)
    return 1.0 if state.public.winner == seat else 0.0


@kernel
def try_options(cards, public, private, question, world, table, start, secret, seats, asked, history, values, n_playouts):
    """Fill `values` with the weighted wins of each option; all options are tried on the same worlds."""
    out_of_line()
    start[0] = public
    n_options = question.n
    seat_finishers(State(cards, secret, table[0], seats, asked, history), public.n_seats, address_of(careful, cards, public, private, question))
    start[0].n_log = 0
    key = keyed(private.word, 0)
    for number in range(max(1, n_playouts // n_options)):
        weight = next_world(cards, public, private, world, keyed(key, np.uint64(number)))
        keep_own_view(public, private, world)
        mask = question.mask
        for option in range(n_options):
            answer = lowest_bit(mask)
            mask &= mask - ONE
            table[0] = start[0]
            state = State(cards, secret, table[0], seats, asked, history)
            lay_out(public, world, state)
            asked.seat = private.seat
            values[option] += weight * play_out(state, answer)
    private.word = mix(key)


@kernel
def weigh_options(cards, public, private, question, n_playouts, values):
    """Fill values[:question.n] with what each option wins, on one scale, in so many playouts of all options together."""
    world, table, start = np.zeros(1, WORLD), np.zeros(1, PUBLIC), np.zeros(1, PUBLIC)
    secret, seats, asked, history = np.zeros(1, SECRET), np.zeros(1, SEATS), np.zeros(1, QUESTION), np.zeros(1, HISTORY)
    values[: question.n] = 0.0
    try_options(cards, public, private, question, world[0], table, start, secret[0], seats[0], asked[0], history[0], values, n_playouts)
    return len(world) + len(secret) + len(seats) + len(asked) + len(history)  # they are alive until here


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    values, chosen = np.zeros(N_PLACES), np.int64(0)
    weigh_options(cards, public, private, question, private.parameter, values)
    for option in range(question.n):
        if values[option] > values[chosen]:
            chosen = np.int64(option)
    return chosen
