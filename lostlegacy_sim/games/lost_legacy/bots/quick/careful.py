"""careful: counts, remembers and never walks into a danger it knows; plays to win the investigation."""

from lostlegacy_sim.games.lost_legacy.bots.quick.decisions import answer_as_asked
from lostlegacy_sim.games.lost_legacy.bots.quick.evaluation import Temper
from lostlegacy_sim.jit import kernel

CAREFUL = Temper(risk=1.0, thirst=0.0)


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    return answer_as_asked(cards, public, private, question, CAREFUL)
