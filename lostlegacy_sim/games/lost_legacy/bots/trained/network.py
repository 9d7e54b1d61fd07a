"""How `trained` weighs its notes: two layers, and the option with the highest score."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.trained.features import ROWS, WIDTH, make_up_mind, note_moment, note_option
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line

ONE = np.uint64(1)
NOTHING = np.float32(0.0)


@kernel
def add_up(thought, sums, table, first):
    """Add the weighted notes to sums[WIDTH]; the question's rows begin at `first`."""
    out_of_line()
    for number in range(thought.n):
        row, value = np.uint64(first + thought.row[number]), thought.value[number]
        for column in range(WIDTH):
            sums[column] += value * table[row, column]


@inlined
def score(sums, out, which):
    """The score of weighted sums: the first as it is, each of the others as far as it is above 0, weighted once more."""
    total = sums[0]
    for column in range(1, WIDTH):
        total += max(NOTHING, sums[column]) * out[which, column]
    return total


@kernel
def think(cards, public, private, question, which, thought, table, out):
    """The index of the option with the highest score; of equal ones the first.

    `which`: the question's place in WEIGHED. `table` [questions x ROWS, WIDTH] and `out` [questions, WIDTH]: the weights.
    """
    out_of_line()
    mind = make_up_mind(cards, public, private, question)
    note_moment(cards, public, private, question, mind, thought)
    for column in range(WIDTH):
        thought.moment[column] = NOTHING
    add_up(thought, thought.moment, table, which * ROWS)
    best, chosen, mask = NOTHING, np.int64(0), question.mask
    for index in range(question.n):
        note_option(cards, public, private, question, mind, thought, index, lowest_bit(mask))
        mask &= mask - ONE
        for column in range(WIDTH):
            thought.option[column] = thought.moment[column]
        add_up(thought, thought.option, table, which * ROWS)
        value = score(thought.option, out, which)
        if index == 0 or value > best:
            best, chosen = value, np.int64(index)
    return chosen
