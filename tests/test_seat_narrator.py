"""What a person is told depends on nothing but what the seat has observed.

Many deals of tiny decks are played with all kinds of answers. Wherever a seat has observed the same, it must have been told
the same and must be asked the same, whatever the hidden cards are.
"""

from random import Random

import pytest
from card_files import random_card_set
from observing import Observer
from test_secrecy import DECKS, deck

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.reference.narrator import Teller
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table
from lostlegacy_sim.games.lost_legacy.reference.seat_narrator import SeatNarrator
from lostlegacy_sim.games.lost_legacy.reference.seat_view import question_in_words, table_in_words, unseen
from lostlegacy_sim.games.lost_legacy.vocabulary import QUESTIONS


class All:
    """Several listeners at one table."""

    def __init__(self, listeners: list[object]) -> None:
        self.listeners = listeners

    def __getattr__(self, what: str):  # type: ignore[no-untyped-def]
        return lambda *facts: [getattr(listener, what)(*facts) for listener in self.listeners]


class Ears:
    """Plays deals; notes what each seat was told whenever somebody is asked, and compares it with all that looked alike."""

    def __init__(self, card_set: CardSet, n_seats: int, hearing: type[SeatNarrator] = SeatNarrator) -> None:
        self.card_set, self.n_seats, self.hearing = card_set, n_seats, hearing
        self.told: dict[object, object] = {}
        self.hidden: dict[object, object] = {}
        self.compared = 0  # moments that looked alike to a seat while the hidden cards were not the same
        self.asked: set[int] = set()

    def play(self, n_deals: int) -> int:
        """How many moments were compared. Raises AssertionError at the first leak."""
        for deal in range(n_deals):
            self.play_deal(Random(deal))
        return self.compared

    def play_deal(self, rng: Random) -> None:
        table = Table(self.card_set, self.n_seats)
        observer, heard = Observer(table), [list[str]() for _ in range(self.n_seats)]
        table.teller = All([observer, *(self.hearing(table, seat, heard[seat].append) for seat in range(self.n_seats))])
        playing = table.play()
        asked = next(playing)
        while True:
            if isinstance(asked, Question):
                for seat in range(self.n_seats):
                    self.compare(table, seat, observer, heard[seat], asked)
                answer = rng.choice(asked.options)
            else:
                answer = rng.sample(range(asked.size), asked.size)
            try:
                asked = playing.send(answer)
            except StopIteration:
                return

    def compare(self, table: Table, seat: int, observer: Observer, heard: list[str], asked: Question) -> None:
        key = (seat, observer.heard[seat], asked.seat == seat)
        told: tuple[object, ...] = (tuple(heard), tuple(table_in_words(table, seat)), tuple(unseen(table, seat).items()))
        if asked.seat == seat:
            self.asked.add(asked.what)
            told += (question_in_words(table, asked),)
        hidden = (tuple(table.hands), tuple(table.ruins), tuple(table.deck))
        assert self.told.setdefault(key, told) == told, "what a seat is told depends on what it has not observed"
        self.compared += self.hidden.setdefault(key, hidden) != hidden


def test_every_event_is_heard() -> None:
    def methods(listener: type) -> set[str]:
        return {name for name in vars(listener) if not name.startswith("_")}

    events = methods(Observer) - {"loud", "whisper", "silent"}
    assert events <= methods(Teller)
    assert events <= methods(SeatNarrator)
    assert not issubclass(SeatNarrator, Teller)


@pytest.mark.parametrize("n_seats", [2, 3])
@pytest.mark.parametrize("ids", DECKS.values(), ids=DECKS)
def test_a_seat_is_told_what_it_observed_and_nothing_else(ids: str, n_seats: int) -> None:
    assert Ears(deck(ids), n_seats).play(1500) > 1000


def test_the_same_holds_for_invented_cards() -> None:
    compared = 0
    for number in range(40):
        card_set = random_card_set(Random(f"tiny {number}"))
        if card_set.n_cards < 13:
            compared += Ears(card_set, 2 + number % 2).play(150)
    assert compared > 1000


@pytest.mark.parametrize("event", ["deal", "draw", "play", "look", "exchange", "move", "shuffle", "take_hand"])
def test_a_leak_is_found(event: str) -> None:
    leaky = type("Leaky", (SeatNarrator,), {event: getattr(Teller, event)})

    def play_all() -> None:
        for ids in DECKS.values():
            Ears(deck(ids), 3, leaky).play(300)

    with pytest.raises(AssertionError, match="depends on what it has not observed"):
        play_all()


def test_a_leak_of_a_rare_event_is_found() -> None:
    leaky = type("Leaky", (SeatNarrator,), {"come_back": Teller.come_back})
    with pytest.raises(AssertionError, match="depends on what it has not observed"):
        Ears(deck(DECKS["names and protectors"]), 2, leaky).play(1200)


def test_every_question_is_put_into_words() -> None:
    asked = set[int]()
    for word in ("megamix", "flying-garden-recall"):
        ears = Ears(load_set(word), 4)
        ears.play(40)
        asked |= ears.asked
    assert asked == set(QUESTIONS)
