"""The bot that grows a tree: what a node of it is, how options are tried, and how strong it is."""

from random import Random

import numpy as np
import pytest
from lockstep import Kernel
from test_search import won

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import next_world
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.search.determinization import keep_own_view, lay_out
from lostlegacy_sim.games.lost_legacy.bots.search.situation import situation_key
from lostlegacy_sim.games.lost_legacy.bots.search.tree import (
    N_NODES,
    NO_NODE,
    TREE,
    add_node,
    choose_arm,
    clear_tree,
    find_slot,
    learn,
    most_tried,
    note_choice,
)
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.kernel.ask import PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import write_view
from lostlegacy_sim.games.lost_legacy.kernel.state import new_state
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import experiment_of

KEY = np.uint64(7)


@pytest.mark.parametrize(("set_word", "n_seats"), [("starship", 2), ("flying-garden", 3), ("megamix", 5)])
def test_a_situation_is_what_its_seat_sees_and_nothing_else(set_word: str, n_seats: int) -> None:
    kernel, rng, world, n_others = Kernel(load_set(set_word), n_seats, 1), Random(1), np.zeros(1, WORLD)[0], 0
    other = new_state(kernel.state.cards)
    for number in range(15):
        status, met = kernel.begin(number), list[int]()
        while status == PAUSED:
            state, seat = kernel.state, int(kernel.state.question["seat"])
            private, key = state.seats["private"][seat], situation_key(state.public, state.seats["private"][seat], state.question)
            met.append(key)
            for name in state.public.dtype.names:
                other.public[name] = state.public[name]
            next_world(state.cards, state.public, private, world, np.uint64(number))
            keep_own_view(state.public, private, world)
            lay_out(state.public, world, other)
            for place in range(n_seats):
                other.seats["private"][place]["seat"] = place
                write_view(other.secret, other.public, other.seats["private"][place])
            assert situation_key(other.public, other.seats["private"][seat], state.question) == key
            n_others += situation_key(other.public, other.seats["private"][(seat + 1) % n_seats], state.question) != key
            status = kernel.answer(int(rng.choice(state.question["option"][: int(state.question["n"])].tolist())))
        assert len(set(met)) == len(met)  # no two questions of a deal are one situation
    assert n_others > 50


def test_one_card_more_that_is_known_is_another_situation() -> None:
    kernel = Kernel(load_set("starship"), 2, 1)
    assert kernel.begin(0) == PAUSED
    public, question = kernel.state.public, kernel.state.question
    private = kernel.state.seats["private"][int(question["seat"])]
    met = {situation_key(public, private, question)}
    for place in range(8, 64):
        private["known"][place] = 3
        met.add(situation_key(public, private, question))
        private["known"][place] = 0
    private["ruins_has"][3] = 1
    met.add(situation_key(public, private, question))
    public["row"][0, :2], public["row_size"][0] = (2, 5), 2
    met.add(situation_key(public, private, question))
    assert len(met) == 1 + 56 + 2
    public["row"][0, :2] = 5, 2
    assert situation_key(public, private, question) in met


# --- the tree -----------------------------------------------------------------------------------------------


def test_the_better_option_is_tried_more_and_all_are_tried() -> None:
    tree, rng = np.zeros(1, TREE)[0], Random(1)
    clear_tree(tree)
    node = add_node(tree, 0, KEY, 4)
    for _ in range(2000):
        option = choose_arm(tree, node)
        note_choice(tree, node, option, 1)
        learn(tree, 1 if rng.random() < (0.4, 0.3, 0.6, 0.5)[option] else 0, 0.25)
    assert most_tried(tree, node) == 2
    assert tree["tried"][:4].sum() == tree["visits"][node] == 2000
    assert tree["tried"][2] > 1000 > 2 * tree["tried"][1] > 20
    assert tree["won"][2] / tree["weight"][2] == pytest.approx(0.6, abs=0.05)


def test_who_made_a_choice_is_who_learns_from_it() -> None:
    tree = np.zeros(1, TREE)[0]
    clear_tree(tree)
    for seat in range(2):
        note_choice(tree, add_node(tree, seat, np.uint64(seat), 2), 1, seat)
    learn(tree, 1, 2.0)
    assert tree["won"][:4].tolist() == [0.0, 0.0, 0.0, 2.0]
    assert tree["weight"][:4].tolist() == [0.0, 2.0, 0.0, 2.0]


def test_a_full_tree_takes_no_more_and_finds_what_it_has() -> None:
    tree = np.zeros(1, TREE)[0]
    clear_tree(tree)
    for number in range(N_NODES):
        assert add_node(tree, find_slot(tree, np.uint64(number // 2), 2 + number % 2), np.uint64(number // 2), 2 + number % 2) == number
    slot = find_slot(tree, np.uint64(N_NODES), 2)
    assert tree["slot"][slot] == 0
    assert add_node(tree, slot, np.uint64(N_NODES), 2) == NO_NODE
    for number in range(N_NODES):
        assert tree["slot"][find_slot(tree, np.uint64(number // 2), 2 + number % 2)] == number + 1


# --- the bot ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "bots", "deals"), [
    (2, ("ismcts:100", "careful"), 1_500),
    (2, ("ismcts:200", "ismcts:4"), 1_000),
    (4, ("ismcts:100", "careful"), 2_000),
])  # fmt: skip
def test_strength(players: int, bots: tuple[str, ...], deals: int) -> None:
    index, four_errors = won("starship", players, *bots, deals=deals)
    assert index - four_errors > 1.0


@pytest.mark.parametrize(("bot", "players", "deals"), [("ismcts:20", 3, 600), ("ismcts:5000", 6, 6)], ids=["many", "full tree"])
def test_it_plays_the_same_deals_again(bot: str, players: int, deals: int) -> None:
    game = find_game("lost_legacy")
    experiment = experiment_of(game, load_set("megamix"), players, [bot, "random"], deals, 5)
    one, other = (play(experiment, game, threads=threads) for threads in (1, 2))
    assert (one.tally.counts == other.tally.counts).all()
