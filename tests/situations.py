"""Situations for tests: a table laid out in words, turns played with answers in words, and what came of it in words.

    table = lay(hands=["search", "general"], deck="assault curse", ruins="wound", rows=["", "(saint) curse"])
    table.turn("held", "yes")

Cards are named by their ids; "" is no card, and a seat without a hand card is out of the game. "(saint)" lies face
down. Piles go from the left, the deck from its top. Everything counts from 0. The set in play holds just the
cards that are laid out. Answers:

    "held" "drawn"          which card to play          "yes" "no"    exchange, shuffle
    "hand 2" "ruins 0" "deck"   a place to look at or to reveal    "5"    a speed to name
    "row 1"                 a whole row                 "row 1.0"     a card of it, to choose or ("hidden 0") to reveal
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

import lostlegacy_sim.games.lost_legacy.vocabulary as words
from lostlegacy_sim.cardset import Card, CardSet, make_set, parse_set
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, RowCard, Shuffle, Table


@cache
def printed_cards() -> dict[str, Card]:
    """All printed kinds by id."""
    sets = ("starship", "flying-garden", "flying-garden-recall")
    return {card.id: card for name in sets for card in printed(name).cards}


def lay(
    hands: Sequence[str],
    deck: str = "",
    ruins: str = "",
    rows: Sequence[str] = (),
    seat: int = 0,
    knows: Mapping[int, Mapping[str, str]] | None = None,
    somewhere: Mapping[int, str] | None = None,
    own_cards: str = "",
    rules: str = "",
) -> Situation:
    """A table at the beginning of a turn of `seat`; beside their hands seats know what `knows` and `somewhere` say.

    `own_cards` is the text of [[card]] tables that come before the printed kinds, `rules` switches of the set.
    """
    own = parse_set(f"{rules}\n{own_cards or EMPTY}", words.VOCABULARY, where="own cards")
    kinds = {**printed_cards(), **{card.id: card for card in own.cards}}
    named = " ".join([*hands, deck, ruins, *rows]).replace("(", "").replace(")", "").split()
    cards = [replace(kinds[card_id], copies=copies) for card_id, copies in Counter(named).items()]
    situation = Situation(make_set("laid-out", "Laid out", cards, like=own), len(hands))
    situation.lay(hands, deck, ruins, [*rows, *[""] * (len(hands) - len(rows))], seat)
    for knower, places in (knows or {}).items():
        for place, card_id in places.items():
            situation.table.known[knower][situation.place(place)] = situation.kind(card_id)
    for knower, pile in (somewhere or {}).items():
        situation.table.ruins_has[knower].update(map(situation.kind, pile.split()))
    situation.table.check()
    return situation


def deal(card_set: CardSet, hands: Sequence[str], ruins: str, deck: str) -> Situation:
    """A deal of a whole set, shuffled so that the cards lie as said."""
    situation = Situation(card_set, len(hands))
    dealing = situation.table.deal()
    assert next(dealing) == Shuffle("deal", card_set.n_cards)
    slots = list(enumerate(card_set.slots()))
    order = []
    for card_id in [*ruins.split(), *hands, *deck.split()]:
        slot = next(slot for slot in slots if slot[1] == situation.kind(card_id))
        slots.remove(slot)
        order.append(slot[0])
    assert not slots, "a card of the set is left over"
    with suppress(StopIteration):
        dealing.send(order)
    return situation


EMPTY = '[[card]]\nid = "none"\nspeed = 1\n'


class Situation:
    """A table of the reference, spoken to in words."""

    def __init__(self, card_set: CardSet, n_seats: int) -> None:
        self.table = Table(card_set, n_seats, tell=self.hear)
        self.told: list[str] = []  # the sentences of the turns played
        self.asked: list[Question] = []  # the questions of the turn played last
        self.shuffles: list[Shuffle] = []  # and its chance events

    def hear(self, sentence: str) -> None:
        self.told.append(sentence)

    def lay(self, hands: Sequence[str], deck: str, ruins: str, rows: Sequence[str], seat: int) -> None:
        table = self.table
        table.hands = [self.kind(card_id) for card_id in hands]
        table.in_game = [bool(card_id) for card_id in hands]
        table.deck, table.ruins = [[self.kind(card_id) for card_id in pile.split()] for pile in (deck, ruins)]
        table.rows = [[RowCard(self.kind(word.strip("()")), word[0] == "(") for word in row.split()] for row in rows]
        table.seat = seat
        for owner, kind in enumerate(table.hands):
            if kind:
                table.known[owner][words.HAND + owner] = kind

    # --- playing --------------------------------------------------------------------------------------

    def turn(self, *answers: str, orders: Sequence[Sequence[int]] = ()) -> Situation:
        """Play one turn, or the investigation if the deck is empty, with exactly these answers.

        Shuffles come out as `orders` says, one after the other; without more of them nothing moves.
        """
        self.asked, self.shuffles = [], []
        left, order_left = list(answers), list(orders)
        playing = self.table.go_on()
        answer: object = None
        while True:
            try:
                asked = playing.send(answer)
            except StopIteration:
                break
            if isinstance(asked, Shuffle):
                self.shuffles.append(asked)
                answer = order_left.pop(0) if order_left else range(asked.size)
            else:
                self.asked.append(asked)
                assert left, f"no answer is left for {asked}"
                answer = self.option(asked, left.pop(0))
        assert not left, f"nobody asked for {left}"
        assert not order_left, f"nothing was shuffled {order_left}"
        return self

    def option(self, asked: Question, word: str) -> int:
        """The option a word stands for; it must fit the question and be one of its options."""
        if asked.what == words.PLAY:
            option = ("held", "drawn").index(word)
        elif asked.what in (words.EXCHANGE, words.SHUFFLE):
            option = ("no", "yes").index(word)
        elif asked.what == words.NAME:
            option = int(word)
        elif asked.what == words.ROW:
            option = int(word.removeprefix("row "))
        elif asked.what == words.CHOOSE:
            seat, index = map(int, word.removeprefix("row ").split("."))
            option = sum(map(len, self.table.rows[:seat])) + index
            option -= any(card is self.table.being_played for row in self.table.rows[:seat] for card in row)
        else:
            option = self.place(word)
        assert option in asked.options, f"{word} is none of the options of {asked}"
        return option

    def options(self, number: int) -> list[str]:
        """The options of a question of the turn, in words, if they are places."""
        return [self.words_of(place) for place in self.asked[number].options]

    # --- in words -------------------------------------------------------------------------------------

    def kind(self, card_id: str) -> int:
        return self.table.card_set.kind(card_id) if card_id else words.NO_CARD

    def id(self, kind: int) -> str:
        return self.table.card_set.cards[kind - 1].id if kind else ""

    def place(self, word: str) -> int:
        zone, _, number = word.partition(" ")
        index = int(number or 0)
        if zone == "hand":
            return words.HAND + index
        if zone == "hidden":
            return words.DECK_END - 1 - index
        return words.RUINS + index if zone == "ruins" else words.DECK_END - len(self.table.deck) + index

    def words_of(self, place: int) -> str:
        if place < words.DRAWN:
            return f"hand {place - words.HAND}"
        if place < words.RUINS + len(self.table.ruins):
            return f"ruins {place - words.RUINS}"
        depth = place - words.DECK_END + len(self.table.deck)
        return f"deck {depth}" if depth > 0 else "deck" if depth == 0 else f"hidden {words.DECK_END - 1 - place}"

    @property
    def hands(self) -> list[str]:
        return [self.id(kind) for kind in self.table.hands]

    @property
    def ruins(self) -> str:
        return " ".join(self.id(kind) for kind in self.table.ruins)

    @property
    def deck(self) -> str:
        return " ".join(self.id(kind) for kind in self.table.deck)

    @property
    def rows(self) -> list[str]:
        return [" ".join(f"({self.id(card.kind)})" if card.face_down else self.id(card.kind) for card in row)
                for row in self.table.rows]  # fmt: skip

    @property
    def in_game(self) -> list[int]:
        return self.table.in_game_seats()

    @property
    def result(self) -> str:
        """ "last 0": way and winner; "nobody"; "next 1": the seat whose turn begins; "investigation"."""
        outcome = self.table.outcome
        if outcome is None:
            return f"next {self.table.seat}" if self.table.deck else "investigation"
        way = words.WAYS[outcome.way][0]
        return way if outcome.winner == words.NOBODY else f"{way} {outcome.winner}"

    def knows(self, seat: int) -> dict[str, str]:
        """What a seat knows beside its own hand: place -> card."""
        known = {self.words_of(place): self.id(kind) for place, kind in sorted(self.table.known[seat].items())}
        assert known.pop(f"hand {seat}", "") == self.hands[seat]  # K1
        return known

    def somewhere(self, seat: int) -> str:
        """What a seat knows to lie in the ruins, place unknown: ids in the order of the set."""
        return " ".join(self.id(kind) for kind in sorted(self.table.ruins_has[seat].elements()))
