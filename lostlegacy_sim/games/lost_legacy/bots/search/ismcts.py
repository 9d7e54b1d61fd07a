"""ismcts: one tree over what the seats see, grown deal by deal in worlds that may be; takes the option it came to try most.

Information set Monte Carlo tree search with several observers (Cowling, Powley and Whitehouse 2012): every playout has a world of
the counting belief of its own. A choice is a node to the seat that makes it, found by what that seat sees in that world. At a node
met for the first time, and from there to the end, all play as `careful`.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import next_world
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as careful
from lostlegacy_sim.games.lost_legacy.bots.search.determinization import keep_own_view, lay_out, seat_finishers
from lostlegacy_sim.games.lost_legacy.bots.search.situation import situation_key
from lostlegacy_sim.games.lost_legacy.bots.search.tree import (
    LONGEST,
    NO_NODE,
    ROOT,
    TREE,
    add_node,
    choose_arm,
    clear_tree,
    find_slot,
    learn,
    most_tried,
    note_choice,
)
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, CALLED, PAUSED, pick
from lostlegacy_sim.games.lost_legacy.kernel.rules import play_on
from lostlegacy_sim.games.lost_legacy.kernel.state import HISTORY, PUBLIC, QUESTION, SEATS, SECRET, State
from lostlegacy_sim.jit import address_of, inlined, kernel, out_of_line
from lostlegacy_sim.rng import keyed, mix

PLAYOUTS = 1000  # a decision, if nothing else is said


@inlined
def seat_all(secret, n_seats, bot):
    """All seats stop for the tree (ASIDE), or play to the end (CALLED)."""
    for seat in range(n_seats):
        secret.bot[seat] = bot


@inlined
def answer_open(state, option):
    """Answer the open question and play on; the status."""
    state.secret.answer, state.secret.plain = pick(state.question.mask, option), 0
    return play_on(state)


@kernel
def play_through(state, tree):
    """From the open question, which is the root, to the end: by the tree while it is known, one node further, then as the finishers play."""
    out_of_line()
    question, secret, n_seats = state.question, state.secret, state.public.n_seats
    seat_all(secret, n_seats, ASIDE)
    node, status = np.int64(ROOT), np.int64(PAUSED)
    while status == PAUSED:
        seat = question.seat
        is_new = False
        if tree.depth:
            key = situation_key(state.public, state.seats.private[seat], question)
            place = find_slot(tree, key, question.n)
            is_new = tree.slot[place] == 0
            node = add_node(tree, place, key, question.n) if is_new else np.int64(tree.slot[place] - 1)
        if is_new or tree.depth == LONGEST:
            seat_all(secret, n_seats, CALLED)
        if node == NO_NODE or tree.depth == LONGEST:
            status = play_on(state)
        else:
            option = careful(state.cards, state.public, state.seats.private[seat], question) if is_new else choose_arm(tree, node)
            note_choice(tree, node, option, seat)
            status = answer_open(state, option)


@kernel
def grow(cards, public, private, question, world, table, start, secret, seats, asked, history, tree, n_playouts):
    """Grow a tree of so many deals from the open question."""
    out_of_line()
    start[0] = public
    start[0].n_log = 0
    clear_tree(tree)
    add_node(tree, 0, np.uint64(0), question.n)  # no question in the tree has this key
    seat_finishers(State(cards, secret, table[0], seats, asked[0], history), public.n_seats, address_of(careful, cards, public, private, question))
    key = keyed(private.word, 0)
    for number in range(n_playouts):
        weight = next_world(cards, public, private, world, keyed(key, np.uint64(number)))
        keep_own_view(public, private, world)
        table[0], asked[0] = start[0], question
        state = State(cards, secret, table[0], seats, asked[0], history)
        lay_out(public, world, state)
        play_through(state, tree)
        learn(tree, state.public.winner, weight)
    private.word = mix(key)


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    world, table, start, tree = np.zeros(1, WORLD), np.zeros(1, PUBLIC), np.zeros(1, PUBLIC), np.empty(1, TREE)
    secret, seats, asked, history = np.zeros(1, SECRET), np.zeros(1, SEATS), np.zeros(1, QUESTION), np.zeros(1, HISTORY)
    grow(cards, public, private, question, world[0], table, start, secret[0], seats[0], asked, history[0], tree[0], max(1, private.parameter))
    chosen = most_tried(tree[0], ROOT)
    return np.int64(chosen + 0 * (len(world) + len(secret) + len(seats) + len(asked) + len(history) + len(tree)))  # they are alive until here
