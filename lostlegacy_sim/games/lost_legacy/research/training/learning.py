"""Learning the weights of `trained`: play deals, choose by chance, and make likelier what led to more wins than expected.

Policy gradient with a baseline (REINFORCE, Williams 1992). Each deal's words are keyed and sums are added up in the order of
the deals, so the same seed learns the same.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as advise
from lostlegacy_sim.games.lost_legacy.bots.trained.features import (
    ROWS,
    WIDTH,
    make_up_mind,
    note_moment,
    note_option,
    weighed_as,
)
from lostlegacy_sim.games.lost_legacy.bots.trained.network import NOTHING, add_up, score
from lostlegacy_sim.games.lost_legacy.kernel.ask import ILLEGAL, PAUSED, pick
from lostlegacy_sim.games.lost_legacy.kernel.rules import deal, play_on
from lostlegacy_sim.games.lost_legacy.kernel.state import record
from lostlegacy_sim.games.lost_legacy.kernel.table import ALL_PLAYED, set_block
from lostlegacy_sim.games.lost_legacy.vocabulary import N_PLACES, NOBODY
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed, mix, split

LONGEST = 64  # questions of a deal that are learnt from
MOST_ENDS = 16 * LONGEST
MOST_KEPT = 32 * MOST_ENDS
ONE = np.uint64(1)
LEARNER, EARLIER = 0, 1  # roles beside the bots of the pool: who learns, and one of its earlier selves
LOTS = np.uint64(1 << 32)  # a key apart from those of the deal
N_SUMS = 2  # deals; return of the seat that always learns
HALVINGS = 8  # of the exponent, before the series

TRAIL = record((
    ("n", "i8", (), "questions so far"),
    ("n_ends", "i8", (), "lists of notes so far: of the moment and of each option of every question"),
    ("n_notes", "i8", (), "notes so far"),
    ("seat", "i8", (LONGEST,), "who was asked"),
    ("which", "i8", (LONGEST,), "which question: its place in WEIGHED"),
    ("options", "i8", (LONGEST,), "how many options"),
    ("chosen", "i8", (LONGEST,), "the index that was chosen"),
    ("end", "i8", (MOST_ENDS,), "where each list ends"),
    ("row", "i4", (MOST_KEPT,), "the rows noted"),
    ("value", "f4", (MOST_KEPT,), "their values"),
    ("share", "f8", (N_PLACES,), "the chance of each option of one question"),
    ("sums", "f4", (N_PLACES, WIDTH), "the weighted sums of each option of one question"),
))  # fmt: skip


@inlined
def exponential(number):
    """e ** number for a number up to 0, by multiplications alone: the same bits on every machine."""
    part = max(-40.0, number) / (1 << HALVINGS)
    result = 1.0 + part * (1.0 + part / 2.0 * (1.0 + part / 3.0 * (1.0 + part / 4.0 * (1.0 + part / 5.0))))
    for _ in range(HALVINGS):
        result *= result
    return result


@inlined
def share_out(trail, out, which, n):
    """The chance of each of n options by the scores of their sums."""
    highest = -1e30
    for index in range(n):
        trail.share[index] = score(trail.sums[index], out, which)
        highest = max(highest, trail.share[index])
    total = 0.0
    for index in range(n):
        trail.share[index] = exponential(trail.share[index] - highest)
        total += trail.share[index]
    for index in range(n):
        trail.share[index] /= total


@inlined
def keep(trail, thought):
    """Put a list of notes onto the trail."""
    if trail.n_notes + thought.n <= MOST_KEPT and trail.n_ends < MOST_ENDS:
        for number in range(thought.n):
            trail.row[trail.n_notes + number] = thought.row[number]
            trail.value[trail.n_notes + number] = thought.value[number]
        trail.n_notes += thought.n
        trail.end[trail.n_ends] = trail.n_notes
        trail.n_ends += 1
        return True
    return False


@kernel
def choose_by_chance(state, seat, thought, trail, table, out, keeps, word):
    """The index of an option, likelier the higher its score; the question is put onto the trail of who learns."""
    out_of_line()
    cards, public, private, question = state.cards, state.public, state.seats.private[seat], state.question
    which, n = weighed_as(public, private, question), question.n
    if which < 0:
        return np.int64(advise(cards, public, private, question))
    mind = make_up_mind(cards, public, private, question)
    note_moment(cards, public, private, question, mind, thought)
    for column in range(WIDTH):
        thought.moment[column] = NOTHING
    add_up(thought, thought.moment, table, which * ROWS)
    n_ends, n_notes = trail.n_ends, trail.n_notes
    keeps = keeps and trail.n < LONGEST and keep(trail, thought)
    mask = question.mask
    for index in range(n):
        note_option(cards, public, private, question, mind, thought, index, lowest_bit(mask))
        mask &= mask - ONE
        for column in range(WIDTH):
            trail.sums[index, column] = thought.moment[column]
        add_up(thought, trail.sums[index], table, which * ROWS)
        keeps = keeps and keep(trail, thought)
    share_out(trail, out, which, n)
    left, chosen = np.float64(word >> np.uint64(11)) / (1 << 53), np.int64(0)
    while chosen < n - 1 and left >= trail.share[chosen]:
        left -= trail.share[chosen]
        chosen += 1
    if keeps:
        trail.seat[trail.n], trail.which[trail.n], trail.options[trail.n], trail.chosen[trail.n] = seat, which, n, chosen
        trail.n += 1
    else:
        trail.n_ends, trail.n_notes = n_ends, n_notes
    return chosen


@kernel
def add_kept(trail, sums, table, first, begin, end):
    """Add the weighted notes of one list of the trail."""
    out_of_line()
    for number in range(begin, end):
        row, value = first + trail.row[number], trail.value[number]
        for column in range(WIDTH):
            sums[column] += value * table[row, column]


@kernel
def add_slope(trail, slope, push, first, begin, end):
    """Add to the slope of every weight what a push on the sums of one list means for it."""
    out_of_line()
    for number in range(begin, end):
        row, value = first + trail.row[number], np.float64(trail.value[number])
        for column in range(WIDTH):
            slope[row, column] += value * push[column]


@kernel
def expect(trail, baseline, first, begin, n_ends, n):
    """The return that is expected at a question, before anything is chosen."""
    out_of_line()
    total = 0.0
    for number in range(begin, trail.end[n_ends]):
        total += trail.value[number] * baseline[first + trail.row[number]]
    for number in range(trail.end[n_ends], trail.end[n_ends + n]):
        total += trail.value[number] * baseline[first + trail.row[number]] / n
    return total


@kernel
def learn(trail, gained, table, out, baseline, slopes, pushes):
    """Add the slopes of what the trail's deal teaches: of the table, the output and the baseline."""
    out_of_line()
    slope, out_slope, baseline_slope, _ = slopes
    push, together = pushes
    n_ends, begin = np.int64(0), np.int64(0)
    for step in range(trail.n):
        which, n, first = trail.which[step], trail.options[step], trail.which[step] * ROWS
        missed = gained[trail.seat[step]] - expect(trail, baseline, first, begin, n_ends, n)
        for number in range(begin, trail.end[n_ends]):
            baseline_slope[first + trail.row[number]] += missed * trail.value[number]
        for column in range(WIDTH):
            together[column] = 0.0
        for index in range(n):
            for column in range(WIDTH):
                trail.sums[index, column] = NOTHING
            add_kept(trail, trail.sums[index], table, first, begin, trail.end[n_ends])
            add_kept(trail, trail.sums[index], table, first, trail.end[n_ends + index], trail.end[n_ends + index + 1])
        share_out(trail, out, which, n)
        for index in range(n):
            pull = missed * ((1.0 if index == trail.chosen[step] else 0.0) - trail.share[index])
            push[0] = pull
            for column in range(1, WIDTH):
                hidden = trail.sums[index, column]
                push[column] = pull * out[which, column] if hidden > 0 else 0.0
                together[column] += push[column]
                out_slope[which, column] += pull * max(NOTHING, hidden)
            add_slope(trail, slope, push, first, trail.end[n_ends + index], trail.end[n_ends + index + 1])
            for number in range(trail.end[n_ends + index], trail.end[n_ends + index + 1]):
                baseline_slope[first + trail.row[number]] += missed * trail.value[number] / n
        add_slope(trail, slope, together, first, begin, trail.end[n_ends])
        n_ends += n + 1
        begin = trail.end[n_ends - 1]


@kernel
def seat_by_lot(state, block, lots, roles):
    """Draw who sits where; one seat in turn always learns. `lots`: for each role how many of a thousand, added up."""
    out_of_line()
    secret, n_seats = state.secret, state.public.n_seats
    word = keyed(mix(secret.choice + LOTS), 0)
    for seat in range(n_seats):
        lot, word = split(word, 1000)
        role = np.int64(0)
        while lots[role] <= lot:
            role += 1
        if np.uint64(seat) == block % np.uint64(n_seats):
            role = np.int64(LEARNER)
        roles[seat] = role
        entry = max(np.int64(0), role - EARLIER)
        secret.entry[seat], secret.bot[seat] = entry, secret.line_up[entry]
        state.seats.private[seat].parameter = secret.parameter[entry]
    secret.plain = 0


@kernel
def play_and_learn(state, seed, first_block, n_blocks, lots, weights, earlier, baseline, slopes, scratch):
    """Play deals with learners and others in the seats and add up the slopes; the deal in which a bot broke the rules, or ALL_PLAYED.

    `weights`, `earlier`: table [questions x rows, width] and output [questions, width] of the learner and of an earlier self.
    `baseline` [questions x rows]: weights of the return that is expected. `slopes`: as table, as output, as baseline, and N_SUMS sums.
    """
    out_of_line()
    table, out = weights
    thought, trail, roles, gained, pushes = scratch
    for block in range(first_block, first_block + n_blocks):
        set_block(state, seed, np.uint64(block), np.uint64(0))
        seat_by_lot(state, np.uint64(block), lots, roles)
        deal(state)
        trail.n, trail.n_ends, trail.n_notes = 0, 0, 0
        asked, key = np.uint64(0), mix(state.secret.choice + LOTS + ONE)
        status = play_on(state)
        while status == PAUSED:
            seat, word = state.question.seat, keyed(key, asked)
            asked += ONE
            if roles[seat] == LEARNER:
                index = choose_by_chance(state, seat, thought, trail, table, out, True, word)
            else:
                index = choose_by_chance(state, seat, thought, trail, earlier[0], earlier[1], False, word)
            state.secret.answer = pick(state.question.mask, index)
            status = play_on(state)
        if status == ILLEGAL:
            return np.int64(block)
        n_seats, winner = state.public.n_seats, state.public.winner
        for seat in range(n_seats):
            gained[seat] = (1.0 if winner == seat else 0.0) - 1.0 / n_seats if winner != NOBODY else 0.0
        slopes[3][0] += 1
        slopes[3][1] += gained[np.int64(np.uint64(block) % np.uint64(n_seats))]
        learn(trail, gained, table, out, baseline, slopes, pushes)
    return np.int64(ALL_PLAYED)
