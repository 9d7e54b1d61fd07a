"""The counting belief: weighted worlds against the exact posterior of tiny decks."""

from random import Random

import numpy as np
import pytest
from believed_deals import TOO_FAR, Deal, as_belief, deck, distance
from exact_belief import Belief, Twins
from lockstep import Kernel

from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import weigh_worlds
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed
from lostlegacy_sim.games.lost_legacy.kernel.ask import PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.log import EVENTS
from lostlegacy_sim.games.lost_legacy.kernel.state import N_LOG

N_WORLDS = 1_000_000
DECKS = {
    "looks and exchanges": ("search general assault the_starship ancient_map search shadow_thief", 2),
    "three seats": ("search assault assault the_starship ancient_map general search", 3),
    "traps": ("sister_of_fate swordsman sneak_attack sneak_attack assault assault the_starship search", 3),
    "rows": ("necromancer necromancer false_information wound wound saint the_flying_garden", 2),
    "names and protectors": ("curse curse curse saint the_flying_garden guardian expedition expedition", 2),
    "both sets": ("recall general necromancer the_starship sneak_attack saint guardian", 2),
    "thrown out": ("guardian saint the_starship curse expedition search assault curse", 3),
    "the end": ("search search assault the_starship ancient_map ancient_map general", 3),
}
MUST_HAPPEN = {
    "looks and exchanges": {"looked", "exchanged", "moved", "shuffled"},
    "three seats": {"looked", "exchanged", "moved"},
    "traps": {"looked", "out", "left", "took"},
    "rows": {"declined", "got", "came", "shuffled", "left"},
    "names and protectors": {"named", "tested", "back", "out"},
    "both sets": {"came", "shuffled", "exchanged", "declined"},
    "thrown out": {"tested", "left", "shuffled", "back"},
    "the end": {"called", "revealed"},
}


def beliefs(deal: Deal, number: int) -> tuple[Belief, Belief]:
    """The counting belief by weighted worlds, and the twin that must fail."""
    state, places = deal.kernel.state, deal.places()
    private = state.seats["private"][deal.seat]
    hidden, weights = np.zeros((N_WORLDS, words.N_PLACES), np.uint8), np.zeros(N_WORLDS)
    weigh_worlds(state.cards, state.public, private, np.zeros(1, WORLD)[0], np.uint64(number), hidden, weights)
    found = unseen(deal, places, Random(number))
    return as_belief(hidden[:, places], weights), as_belief(found, np.ones(len(found)))


def unseen(deal: Deal, places: list[int], rng: Random) -> np.ndarray:
    """The twin: the cards not known lie anywhere with even chances."""
    card, known = deal.kernel.card, deal.kernel.state.seats["private"][deal.seat]["known"]
    open_places = [number for number, place in enumerate(places) if card[place] and not known[place]]
    found = np.tile(card[places], (20_000, 1))
    for row in found:
        kinds = row[open_places].tolist()
        rng.shuffle(kinds)
        row[open_places] = kinds
    return found


# --- against the exact posterior --------------------------------------------------------------------------

EVENTFUL = {  # deals in which somebody is put out, comes back, takes a card or is given one
    "traps": (0, 17, 57, 67),
    "rows": (18, 22, 47, 52, 58),
    "names and protectors": (43, 62, 68, 94),
    "both sets": (8, 16, 29, 31, 40),
    "thrown out": (7, 38, 65),
}


@pytest.mark.parametrize("name", DECKS)
def test_weighted_worlds_are_the_exact_posterior(name: str) -> None:
    ids, n_seats = DECKS[name]
    kernel, events, n_compared, worst_twin = Kernel(deck(ids), n_seats, 3), set[int](), 0, 0.0
    for number in EVENTFUL.get(name, range(5)):
        deal = Deal(kernel, number, number % n_seats, beliefs)
        for (worlds, twin), exact in zip(deal.sampled, Twins(kernel.card_set, n_seats, deal.seat).beliefs(deal.turns), strict=True):
            if worlds:
                assert distance(worlds, exact) < TOO_FAR, f"deal {number}"
                n_compared, worst_twin = n_compared + 1, max(worst_twin, distance(twin, exact))
        events |= deal.events
    assert n_compared >= 5
    assert worst_twin > 0.1, "uniform over unseen places must fail"
    assert {EVENTS[event][0] for event in events} >= MUST_HAPPEN[name]


# --- what every world must agree with ---------------------------------------------------------------------


@pytest.mark.parametrize(("set_word", "n_seats"), [("starship", 2), ("starship", 4), ("flying-garden", 3), ("flying-garden-recall", 2), ("megamix", 5)])
def test_a_world_agrees_with_all_that_is_known(set_word: str, n_seats: int) -> None:
    card_set = printed(set_word) if set_word.startswith("flying") else load_set(set_word)
    kernel, rng, world = Kernel(card_set, n_seats, 1), Random(1), np.zeros(1, WORLD)[0]
    hidden, weights, n_possible = np.zeros((400, words.N_PLACES), np.uint8), np.zeros(400), 0
    for number in range(40):
        status = kernel.begin(number)
        while status == PAUSED:
            state = kernel.state
            private, question, public = state.seats["private"][int(state.question["seat"])], state.question, state.public
            weigh_worlds(state.cards, public, private, world, np.uint64(number), hidden, weights)
            possible, known = hidden[weights > 0], private["known"]
            n_possible += len(possible) > 0
            assert (possible[:, known > 0] == known[known > 0]).all()
            assert (np.sort(possible, axis=1) == np.sort(kernel.card)).all()
            assert ((possible > 0) == (kernel.card > 0)).all()
            ruins = slice(words.RUINS, words.RUINS + int(public["ruins_size"]))
            for kind in np.nonzero(private["ruins_has"])[0]:
                needed = private["ruins_has"][kind] + (known[ruins] == kind).sum()
                assert ((possible[:, ruins] == kind).sum(axis=1) >= needed).all()
            status = kernel.answer(int(rng.choice(question["option"][: int(question["n"])].tolist())))
    assert n_possible > 200


def test_the_longest_log_of_printed_cards_fits() -> None:
    longest = 0
    for set_word, n_seats in (("starship", 2), ("flying-garden", 2), ("megamix", 2), ("megamix", 6)):
        kernel, rng = Kernel(load_set(set_word), n_seats, 1), Random(1)
        for number in range(150):
            status = kernel.begin(number)
            while status == PAUSED:
                question = kernel.state.question
                status = kernel.answer(int(rng.choice(question["option"][: int(question["n"])].tolist())))
            longest = max(longest, int(kernel.state.public["n_log"]))
    assert 60 < longest < N_LOG
