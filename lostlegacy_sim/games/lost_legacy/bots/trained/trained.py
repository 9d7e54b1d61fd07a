"""trained: weighs what it notes of each option by weights that were learnt from play; scripts/train.py makes them."""

from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as advise
from lostlegacy_sim.games.lost_legacy.bots.trained.features import THOUGHT_TYPE, weighed_as
from lostlegacy_sim.games.lost_legacy.bots.trained.network import think
from lostlegacy_sim.games.lost_legacy.bots.trained.weights import read_weights
from lostlegacy_sim.jit import kernel, on_stack

TABLE, OUT = read_weights().compiled()


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    which = weighed_as(public, private, question)
    if which < 0:
        return advise(cards, public, private, question)
    return think(cards, public, private, question, which, on_stack(THOUGHT_TYPE), TABLE, OUT)
