"""The cards of a deal of the reference: what is printed on them, where they lie, and who knows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference.knowledge import Knowledge
from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, DRAWN, HAND, NO_CARD, RUINS

Step = dict[str, Any]


class RowCard(NamedTuple):
    """A card of a discard row. Two of a kind are equal: which one is meant goes by identity."""

    kind: int
    face_down: bool = False


class Printed:
    """What is printed on the cards of a set, by kind; index 0 is no card."""

    def __init__(self, card_set: CardSet) -> None:
        cards = card_set.cards
        self.card_set = card_set
        self.slots = card_set.slots()
        self.sorted_slots = sorted(self.slots)
        self.speed = [0, *(card.speed for card in cards)]
        self.playable = [False, *(card.flag("playable") for card in cards)]
        self.legacy = [False, *(card.flag("legacy") for card in cards)]
        self.refused = [False, *(card.flag("legacy") and card.flag("into_row") == "refused" for card in cards)]
        self.from_hand = [False, *(card.flag("from_hand") for card in cards)]
        self.counts_always = [False, *(card.flag("counts") == "always" for card in cards)]
        self.steps: list[dict[str, list[Step]]] = [{}]
        for card in cards:
            self.steps.append({
                trigger: [{"do": step.do, **dict(step.words)} for step in steps] for trigger, steps in card.steps
            })  # fmt: skip
        self.investigate_rows = card_set.rule("investigate_rows")


_latest: list[Printed] = []  # the set read last: a million deals of one set read it once


def read(card_set: CardSet) -> Printed:
    """What is printed on a set."""
    for printed in _latest:
        if printed.card_set is card_set:
            return printed
    printed = Printed(card_set)
    _latest[:] = [printed]
    return printed


class Piles:
    """Hands, ruins, deck and rows, and what each seat knows of the hidden ones."""

    def __init__(self, printed: Printed, n_seats: int) -> None:
        self.printed = printed
        self.n_seats = n_seats
        self.hands = [NO_CARD] * n_seats
        self.drawn = NO_CARD  # the card drawn and not yet kept or played
        self.ruins: list[int] = []  # from the left
        self.deck: list[int] = []  # the top first
        self.rows: list[list[RowCard]] = [[] for _ in range(n_seats)]
        self.loose = NO_CARD  # a card between two places, while its `eliminated` steps decide where it goes
        self.knowledge = Knowledge(n_seats)
        self.known = self.knowledge.known
        self.ruins_has = self.knowledge.ruins_has

    def in_ruins(self, place: int) -> bool:
        """Whether a place is one of the ruins."""
        return RUINS <= place < RUINS + len(self.ruins)

    def card_at(self, place: int) -> int:
        """The kind at a hidden place."""
        if place < DRAWN:
            return self.hands[place - HAND]
        if place == DRAWN:
            return self.drawn
        return self.ruins[place - RUINS] if self.in_ruins(place) else self.deck[place - DECK_END + len(self.deck)]

    def set_card(self, place: int, kind: int) -> None:
        """Lay a card down in the place of another."""
        if place < DRAWN:
            self.hands[place - HAND] = kind
        elif self.in_ruins(place):
            self.ruins[place - RUINS] = kind
        else:
            self.deck[place - DECK_END + len(self.deck)] = kind

    def lay(self, seat: int, kind: int) -> RowCard:
        """Lay a card face up at the right end of a row."""
        card = RowCard(kind)
        self.rows[seat].append(card)
        return card

    def take_from_deck(self) -> tuple[int, list[int]]:
        """Take the deck's top card: its kind and who knows it."""
        knowers = self.knowledge.take(DECK_END - len(self.deck))
        return self.deck.pop(0), knowers

    def take_from_ruins(self, index: int) -> tuple[int, list[int]]:
        """Take a card of the ruins, which close up: its kind and who knows it."""
        knowers = self.knowledge.take_from_ruins(index, len(self.ruins))
        return self.ruins.pop(index), knowers

    def take_from_row(self, seat: int, index: int) -> tuple[int, Sequence[int]]:
        """Take a card of a row, which closes up: its kind, and everybody knows it."""
        return self.rows[seat].pop(index).kind, range(self.n_seats)

    def put_into(self, pile: str, kind: int, knowers: Sequence[int]) -> None:
        """Put a card at the right end of the ruins or on top of the deck."""
        if pile == "ruins":
            self.ruins.append(kind)
            self.knowledge.put(RUINS + len(self.ruins) - 1, kind, knowers)
        else:
            self.deck.insert(0, kind)
            self.knowledge.put(DECK_END - len(self.deck), kind, knowers)

    def check(self) -> None:
        """Between turns no card is lost and what is known is true (section 7)."""
        hidden = {HAND + seat: kind for seat, kind in enumerate(self.hands) if kind}
        hidden |= {RUINS + i: kind for i, kind in enumerate(self.ruins)}
        hidden |= {DECK_END - len(self.deck) + i: kind for i, kind in enumerate(self.deck)}
        in_rows = [card.kind for row in self.rows for card in row]
        assert sorted([*hidden.values(), *in_rows]) == self.printed.sorted_slots, "cards are not conserved"
        for seat, known in enumerate(self.known):
            assert known.items() <= hidden.items(), f"seat {seat} knows what is not true of a place"
            for kind, count in self.ruins_has[seat].items():
                placed = sum(known.get(RUINS + i) == kind for i in range(len(self.ruins)))
                assert 0 < count <= self.ruins.count(kind) - placed, f"seat {seat} knows what is not true of the ruins"
