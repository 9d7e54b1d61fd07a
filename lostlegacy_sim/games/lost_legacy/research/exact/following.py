"""The kernel follows a script: from the deal on, given answers to all open questions."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.ask import PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.rules import deal, play_on
from lostlegacy_sim.games.lost_legacy.kernel.table import seat_line_up
from lostlegacy_sim.jit import kernel, out_of_line

ONE = np.uint64(1)


@kernel
def follow(state, answers, n_answers):
    """Deal, and answer each open question as given, until one is left open, or the deal is over; the status.

    An answer that is no option leaves its question open: a shuffle fell out otherwise than the script says.
    """
    out_of_line()
    seat_line_up(state, 0)
    deal(state)
    status = play_on(state)
    for number in range(n_answers):
        if status != PAUSED or not (state.question.mask >> np.uint64(answers[number])) & ONE:
            return status
        state.secret.answer, state.secret.plain = answers[number], 0
        status = play_on(state)
    return status
