"""What a bot is given depends on nothing but what its seat has observed.

Many deals of a tiny deck are played with all kinds of answers. Two moments in which a seat is asked something and
has observed the same so far are the same to it: PUBLIC, QUESTION and its view must agree byte for byte,
whatever the hidden cards are.
"""

from collections.abc import Callable
from dataclasses import replace
from math import factorial, prod
from random import Random

import numpy as np
import pytest
from card_files import random_card_set
from lockstep import Kernel, Reference, hand_over
from observing import Observer
from situations import printed_cards

from lostlegacy_sim.cardset import CardSet, make_set
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.enumeration import _Enumeration as Enumeration
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table

Leak = Callable[[Kernel], None]
DECKS = {
    "looks and exchanges": "general search assault assault shadow_thief the_starship ancient_map ancient_map",
    "traps": "sister_of_fate swordsman sneak_attack sneak_attack assault the_starship search",
    "rows": "necromancer necromancer false_information wound wound saint the_flying_garden",
    "names and protectors": "curse curse saint guardian the_flying_garden prophet expedition",
    "both sets": "recall general necromancer the_starship sneak_attack saint expedition guardian",
}
# decks without shuffles, small enough to play all their histories
WHOLE = [
    ("general search assault shadow_thief the_starship", 2),
    ("swordsman sneak_attack search the_starship assault", 2),
    ("necromancer expedition prophet the_starship search", 2),
    ("search general assault the_starship sister_of_fate", 3),
]


def deck(ids: str) -> CardSet:
    """A set of printed cards, given by their ids."""
    names = ids.split()
    cards = [replace(printed_cards()[name], copies=names.count(name)) for name in dict.fromkeys(names)]
    return make_set("tiny", "Tiny", cards, like=printed("starship"))


def no_leak(kernel: Kernel) -> None:
    """What the kernel does of its own accord."""


class DecisionPoints:
    """All moments seen: what a seat has observed -> what it was given, and which cards were hidden then."""

    def __init__(self, card_set: CardSet, n_seats: int, leak: Leak = no_leak) -> None:
        self.card_set, self.n_seats, self.leak = card_set, n_seats, leak
        self.given: dict[tuple[int, int], tuple[bytes, ...]] = {}
        self.hidden: dict[tuple[int, int], bytes] = {}
        self.compared = 0  # moments that looked alike to a seat while the hidden cards were not the same

    def play(self, n_deals: int) -> None:
        """Play random deals and compare. Raises AssertionError at the first leak."""
        rng = Random(1)
        kernel = Kernel(self.card_set, self.n_seats, 1)
        for deal in range(n_deals):
            reference = Reference(self.card_set, self.n_seats)
            observer = reference.table.teller = Observer(reference.table)  # type: ignore[assignment]
            kernel.begin(deal)
            hand_over(kernel, reference)
            while isinstance(reference.asked, Question):
                self.look(kernel, reference.asked.seat, observer)
                option = rng.choice(reference.asked.options)
                kernel.answer(option)
                reference.send(option)
                hand_over(kernel, reference)

    def play_all(self) -> int:
        """Play every history of the deck, all orders with all answers; how many there are."""
        kernel, n_histories = Kernel(self.card_set, self.n_seats, 1), 0
        for deal in one_deal_an_order(kernel, self.card_set.slots()):
            begun: list[list[int]] = [[]]
            while begun:
                begun += self.play_on(kernel, deal, begun.pop())
                n_histories += 1
        return n_histories

    def play_on(self, kernel: Kernel, deal: int, begun: list[int]) -> list[list[int]]:
        """Play a deal with these answers (as indices) and then always the first; the other beginnings met on the way."""
        reference = Reference(self.card_set, self.n_seats)
        observer = reference.table.teller = Observer(reference.table)  # type: ignore[assignment]
        kernel.begin(deal)
        hand_over(kernel, reference)
        answers, others = list[int](), list[list[int]]()
        while isinstance(reference.asked, Question):
            options = reference.asked.options
            if len(answers) >= len(begun):
                self.look(kernel, reference.asked.seat, observer)
                others += [[*answers, index] for index in range(1, len(options))]
            answers.append(begun[len(answers)] if len(answers) < len(begun) else 0)
            kernel.answer(options[answers[-1]])
            reference.send(options[answers[-1]])
            hand_over(kernel, reference)
        return others

    def look(self, kernel: Kernel, seat: int, observer: Observer) -> None:
        """Compare this moment with all that look alike to the seat asked."""
        self.leak(kernel)
        key, state = (seat, observer.heard[seat]), kernel.state
        private = state.seats["private"][seat]
        given = (state.public.tobytes(), state.question.tobytes(), private["known"].tobytes(),
                 private["ruins_has"].tobytes(), private["saw"].tobytes(), private["memory"].tobytes())  # fmt: skip
        hidden = kernel.card.tobytes()
        assert self.given.setdefault(key, given) == given, "what a seat is given depends on what it has not observed"
        self.compared += self.hidden.setdefault(key, hidden) != hidden


def one_deal_an_order(kernel: Kernel, slots: list[int]) -> list[int]:
    """For every order of the cards the number of a deal that begins with it."""
    n_orders = factorial(len(slots)) // prod(factorial(slots.count(kind)) for kind in set(slots))
    found: dict[bytes, int] = {}
    for deal in range(100 * n_orders):
        kernel.begin(deal)
        found.setdefault(kernel.state.secret["order"].tobytes(), deal)
        if len(found) == n_orders:
            return list(found.values())
    raise AssertionError(f"only {len(found)} of {n_orders} orders were dealt")


@pytest.mark.parametrize(("ids", "n_seats"), WHOLE)
def test_every_history_of_a_tiny_deck_gives_a_seat_what_it_observed(ids: str, n_seats: int) -> None:
    card_set = deck(ids)
    moments = DecisionPoints(card_set, n_seats)
    by_the_rulebook = Enumeration(None).branches(Table(card_set, n_seats), Table.play)
    assert moments.play_all() == sum(1 for _ in by_the_rulebook)
    assert moments.compared > 0


@pytest.mark.parametrize("n_seats", [2, 3])
@pytest.mark.parametrize("ids", DECKS.values(), ids=DECKS)
def test_a_seat_is_given_what_it_observed_and_nothing_else(ids: str, n_seats: int) -> None:
    moments = DecisionPoints(deck(ids), n_seats)
    moments.play(2000)
    assert moments.compared > 1000


def test_the_same_holds_for_invented_cards() -> None:
    compared = 0
    for number in range(24):
        card_set = random_card_set(Random(f"tiny {number}"))
        if card_set.n_cards < 13:
            moments = DecisionPoints(card_set, 2 + number % 2)
            moments.play(200)
            compared += moments.compared
    assert compared > 1000


# --- leaks that must be found -----------------------------------------------------------------------------


def in_public(kernel: Kernel) -> None:
    kernel.state.public["named"] = kernel.card[words.DECK_END - 1]


def in_question(kernel: Kernel) -> None:
    kernel.state.question["focus"] = kernel.card[words.RUINS]


def in_view(kernel: Kernel) -> None:
    seat = int(kernel.state.question["seat"])
    kernel.state.seats["private"][seat]["known"][words.HAND + 1 - min(seat, 1)] = kernel.card[words.HAND + 1 - min(seat, 1)]


def in_multiset(kernel: Kernel) -> None:
    seat = int(kernel.state.question["seat"])
    kinds = np.bincount(kernel.card[words.RUINS : words.DECK_END], minlength=25)[:25]
    kernel.state.seats["private"][seat]["ruins_has"][:] = kinds > 0


def in_log(kernel: Kernel) -> None:
    kernel.state.public["log"][int(kernel.state.public["n_log"]) - 1, 3] = kernel.card[words.RUINS]


def in_what_it_saw(kernel: Kernel) -> None:
    seat = int(kernel.state.question["seat"])
    kernel.state.seats["private"][seat]["saw"][0] = kernel.card[words.DECK_END - 1]


@pytest.mark.parametrize("leak", [in_public, in_question, in_view, in_multiset, in_log, in_what_it_saw])
def test_a_leak_is_found(leak: Leak) -> None:
    moments = DecisionPoints(deck(DECKS["looks and exchanges"]), 2, leak)
    with pytest.raises(AssertionError, match="depends on what it has not observed"):
        moments.play(500)
