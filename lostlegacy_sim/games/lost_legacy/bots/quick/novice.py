"""novice: as careful, with the errors of people: it overlooks cards it has seen, and now and then any option will do."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.careful import CAREFUL
from lostlegacy_sim.games.lost_legacy.bots.quick.decisions import answer
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS, N_MEMORY, PRIVATE
from lostlegacy_sim.games.lost_legacy.vocabulary import DRAWN, HAND, N_PLACES, NO_CARD
from lostlegacy_sim.jit import kernel, out_of_line
from lostlegacy_sim.rng import below, keyed, mix, split

OVERLOOKS = 128  # unit of the second number in private.parameter; the first is below it
ONE = np.uint64(1)


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    seen = np.zeros(1, PRIVATE)
    chosen = stumble(cards, public, private, question, seen)
    return np.int64(chosen + 0 * len(seen))  # it is alive until here


@kernel
def stumble(cards, public, private, question, seen):
    """Slip, or answer by what comes to mind."""
    out_of_line()
    slips, overlooks = private.parameter % OVERLOOKS, private.parameter // OVERLOOKS
    if below(private, 100) < slips:
        return below(private, question.n)
    seen[0] = private
    come_to_mind(public, seen[0], overlooks, private.word)
    private.word = mix(private.word)
    chosen = answer(cards, public, seen[0], question, CAREFUL)
    for cell in range(N_MEMORY):
        private.memory[cell] = seen[0].memory[cell]
    return chosen


@kernel
def come_to_mind(public, seen, overlooks, key):
    """Overlook so many of 100 cards that are neither in the own hand nor open."""
    seen.parameter = 0
    for place in range(N_PLACES):
        if seen.known[place] != NO_CARD and place != HAND + seen.seat and place != DRAWN:
            number, _ = split(keyed(key, place), 100)
            if number < overlooks and public.revealed >> np.uint64(place) & ONE == 0:
                seen.known[place] = NO_CARD
    for kind in range(KINDS):
        number, _ = split(keyed(key, N_PLACES + kind), 100)
        if number < overlooks:
            seen.ruins_has[kind] = 0
