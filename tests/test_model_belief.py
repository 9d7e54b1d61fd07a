"""The model belief: weighted worlds against the exact posterior of tiny decks whose other seats play careful, with slips."""

from random import Random

import numpy as np
import pytest
from believed_deals import TOO_FAR, Deal, as_belief, deck, distance
from exact_belief import Belief
from exact_model import Mixture, ModelTwins
from lockstep import Kernel

from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import weigh_worlds
from lostlegacy_sim.games.lost_legacy.bots.belief.sample_history import sample_history
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as careful
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot
from lostlegacy_sim.games.lost_legacy.bots.search.model import live_again, sit_aside, weigh_worlds_by
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed
from lostlegacy_sim.games.lost_legacy.kernel.ask import PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.state import new_state

N_WORLDS = 200_000
SLIPS = 20
DECKS = {
    "looks and exchanges": ("search general assault the_starship ancient_map search shadow_thief", 2, (13, 17)),
    "three seats": ("search assault assault the_starship ancient_map general search", 3, (40,)),
    "names and protectors": ("curse curse curse saint the_flying_garden guardian expedition expedition", 2, (9,)),
    "rows": ("recall general necromancer the_starship sneak_attack saint guardian", 2, (47,)),
}


def beliefs(deal: Deal, number: int) -> tuple[Belief, Belief]:
    """The belief under the model, and the counting belief, which must differ from it."""
    state, places, world = deal.kernel.state, deal.places(), np.zeros(1, WORLD)[0]
    private, address = state.seats["private"][deal.seat], built_in_bot("careful").callback.address
    hidden, weights = np.zeros((N_WORLDS, words.N_PLACES), np.uint8), np.zeros(N_WORLDS)
    weigh_worlds(state.cards, state.public, private, world, np.uint64(number), hidden, weights)
    counting = as_belief(hidden[:, places], weights)
    table = new_state(state.cards)
    weigh_worlds_by(state.public, private, state.question, world, np.uint64(number), hidden, weights, table, address, float(SLIPS))
    return as_belief(hidden[:, places], weights), counting


@pytest.mark.parametrize("name", DECKS)
def test_worlds_weighed_by_a_policy_are_its_exact_posterior(name: str) -> None:
    ids, n_seats, numbers = DECKS[name]
    kernel, n_compared, worst_twin = Kernel(deck(ids), n_seats, 3), 0, 0.0
    policy = Mixture(kernel.card_set, careful, SLIPS)
    for number in numbers:
        deal = Deal(kernel, number, number % n_seats, beliefs)
        for (worlds, counting), exact in zip(deal.sampled, ModelTwins(kernel.card_set, n_seats, deal.seat, policy).beliefs(deal.turns), strict=True):
            if worlds:
                assert distance(worlds, exact) < TOO_FAR, f"deal {number}"
                n_compared, worst_twin = n_compared + 1, max(worst_twin, distance(counting, exact))
    assert n_compared >= 3
    assert worst_twin > 0.1, "the counting belief must fail"


@pytest.mark.parametrize(("set_word", "n_seats"), [("starship", 2), ("starship", 4), ("flying-garden", 3), ("flying-garden-recall", 2), ("megamix", 5)])
def test_a_retold_world_is_a_whole_deal_that_the_rules_play_again(set_word: str, n_seats: int) -> None:
    kernel, rng, world = Kernel(printed(set_word) if set_word.startswith("flying") else load_set(set_word), n_seats, 1), Random(1), np.zeros(1, WORLD)[0]
    other, address, n_told = new_state(kernel.state.cards), built_in_bot("careful").callback.address, 0
    world["is_dealt"] = 1
    for number in range(40):
        status = kernel.begin(number)
        while status == PAUSED:
            state = kernel.state
            private = state.seats["private"][int(state.question["seat"])]
            sit_aside(state.public, private, other)
            for key in range(3):
                if sample_history(state.cards, state.public, private, world, np.uint64(number * 8 + key)) > 0:
                    assert live_again(state.public, private, state.question, world, other, address, 50.0) > 0
                    assert (other.secret["card"] == world["card"]).all()
                    n, n_told = int(state.public["n_log"]), n_told + 1
                    assert int(other.public["n_log"]) == n
                    for name in ("row", "row_size", "row_down", "turns_of", "in_game", "focus", "named"):
                        assert (other.public[name] == state.public[name]).all()
                    assert (other.public["log"][:n] == state.public["log"][:n]).all()
            status = kernel.answer(int(rng.choice(state.question["option"][: int(state.question["n"])].tolist())))
    assert n_told > 500
