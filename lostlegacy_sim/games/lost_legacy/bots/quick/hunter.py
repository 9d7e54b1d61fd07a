"""hunter: as careful, but out for eliminations and a win at once, and less afraid of traps."""

from lostlegacy_sim.games.lost_legacy.bots.quick.decisions import answer_as_asked
from lostlegacy_sim.games.lost_legacy.bots.quick.evaluation import Temper
from lostlegacy_sim.jit import kernel

HUNTER = Temper(risk=0.3, thirst=0.5)


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    return answer_as_asked(cards, public, private, question, HUNTER)
