"""Learning by playing against a bot: mean returns of every option in every situation noticed, as tables in numpy arrays.

Tabular Monte Carlo control (Sutton and Barto 2018, chapter 5) around the advice of `careful`: the learner departs from
it where its tables say with some certainty that another option returns more.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick import careful
from lostlegacy_sim.games.lost_legacy.kernel.ask import ILLEGAL, PAUSED, pick
from lostlegacy_sim.games.lost_legacy.kernel.rules import deal, play_on
from lostlegacy_sim.games.lost_legacy.kernel.table import seat_line_up, set_block
from lostlegacy_sim.games.lost_legacy.research.bounds.abstraction import coarse_key, fine_key
from lostlegacy_sim.jit import inlined, kernel, out_of_line
from lostlegacy_sim.rng import keyed, mix, split

OPTIONS = 8  # a question with more is answered as advised
SLOTS = 1 << 19  # situations a table holds; two that share a slot are one to the learner
LONGEST = 128  # questions of a deal that are learnt from
TRIED = 30  # times an option is tried before it is trusted
LATEST = 2000.0  # an option's mean is of about its latest so many returns, since play changes while it is learnt
CERTAIN = 2.0  # standard errors by which another option must be better than the advice
ADVISED = -1
PER_MILLE = 1000


@inlined
def better_option(returns, visits, slot, n, advice):
    """The option that returns surely more than the advised one; the advised one if none does; ADVISED: too little is known."""
    if visits[slot, advice] < TRIED:
        return np.int64(ADVISED)
    best, chosen = 0.0, advice
    for option in range(n):
        if option != advice and visits[slot, option] >= TRIED:
            seen = 1.0 / min(LATEST, visits[slot, option]) + 1.0 / min(LATEST, visits[slot, advice])
            gain = returns[slot, option] - returns[slot, advice] - CERTAIN * np.sqrt(seen)
            if gain > best:
                best, chosen = gain, np.int64(option)
    return chosen


@kernel
def respond(state, seat, returns, visits, trail, n_trail, explores, word):
    """The learner's option; its slots are written into the trail."""
    out_of_line()
    question, private = state.question, state.seats.private[seat]
    advice = np.int64(careful.decide(state.cards, state.public, private, question))
    if question.n > OPTIONS:
        return advice, n_trail
    coarse = coarse_key(state.cards, state.public, private, question, advice)
    fine = fine_key(state.cards, state.public, private, question, coarse)
    slots = np.int64(mix(fine) % np.uint64(SLOTS)), np.int64(mix(coarse) % np.uint64(SLOTS))
    draw, word = split(word, PER_MILLE)
    if draw < explores:
        option, word = split(word, question.n)
    else:
        option = better_option(returns[0], visits[0], slots[0], question.n, advice)
        if option == ADVISED:
            option = better_option(returns[1], visits[1], slots[1], question.n, advice)
        if option == ADVISED:
            option = advice
    if n_trail < LONGEST:
        trail[n_trail, 0], trail[n_trail, 1], trail[n_trail, 2] = slots[0], slots[1], option
        n_trail += 1
    return np.int64(option), n_trail


@kernel
def learn(returns, visits, trail, n_trail, gained):
    """Every option on the trail has returned this."""
    out_of_line()
    for step in range(n_trail):
        option = trail[step, 2]
        for table in range(2):
            slot = trail[step, table]
            visits[table, slot, option] += 1
            weight = min(LATEST, visits[table, slot, option])
            returns[table, slot, option] += (gained - returns[table, slot, option]) / weight


@kernel
def play_learner(state, seat, first, n_deals, seed, returns, visits, rivals, trail, explores, sums):
    """Play deals with the learner in this seat; sums: deals, its wins, the other's wins. False if a bot broke the rules.

    The other seat's bot is called by the kernel; if it is none, one of the `rivals` sits there, drawn anew for every deal:
    learners that have learnt, as returns and visits [rivals, chairs, tables, slots, options]. `explores`: per mille of questions
    answered at random. With `explores` below 0 nothing is learnt.
    """
    out_of_line()
    secret, public = state.secret, state.public
    rival_returns, rival_visits = rivals
    other = 1 - seat
    seat_line_up(state, 0)
    for block in range(first, first + n_deals):
        set_block(state, seed, np.uint64(block), np.uint64(0))
        deal(state)
        n_trail, asked = np.int64(0), np.uint64(0)
        rival, _ = split(mix(secret.choice + np.uint64(seat)), max(1, len(rival_returns)))
        status = play_on(state)
        while status == PAUSED:
            word = keyed(mix(secret.choice), asked)
            asked += np.uint64(1)
            if state.question.seat == seat:
                option, n_trail = respond(state, seat, returns, visits, trail, n_trail, explores, word)
            else:
                tables = rival_returns[rival, other], rival_visits[rival, other]
                option, _ = respond(state, other, tables[0], tables[1], trail, np.int64(LONGEST), -1, word)
            secret.answer = pick(state.question.mask, option)
            status = play_on(state)
        if status == ILLEGAL:
            return False
        gained = 0.0
        if public.winner >= 0:
            gained = 1.0 if public.winner == seat else -1.0
        sums[0] += 1
        sums[1] += gained > 0
        sums[2] += gained < 0
        if explores >= 0:
            learn(returns, visits, trail, n_trail, gained)
    return True
