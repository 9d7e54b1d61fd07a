"""What each seat observes of a deal, event by event: public events and its own cards, and nothing else (rules, section 6).

Ears listen to a table of the reference in place of a Teller. The answers a seat gives are among what it observes.
"""

from __future__ import annotations

from collections.abc import Sequence

from lostlegacy_sim.games.lost_legacy.reference.rulebook import Table

Event = tuple[object, ...]


class Ears:
    """The ears of all seats at a table; `heard[seat]` is what a seat has observed since it was last emptied."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.heard: list[list[Event]] = [[] for _ in range(table.n_seats)]

    def empty(self) -> None:
        """Forget what was heard so far."""
        for heard in self.heard:
            heard.clear()

    def loud(self, *event: object) -> None:
        """Everybody observes it."""
        for heard in self.heard:
            heard.append(event)

    def whisper(self, seat: int, *event: object) -> None:
        """One seat observes it."""
        self.heard[seat].append(event)

    def deal(self) -> None:
        for seat, kind in enumerate(self.table.hands):
            self.whisper(seat, "hand", kind)

    def draw(self) -> None:
        self.loud("draw", self.table.seat)
        self.whisper(self.table.seat, "drawn", self.table.drawn)

    def play(self, kept: int, forced: bool) -> None:
        self.loud("play", self.table.played)
        self.whisper(self.table.seat, "kept", kept)

    def look(self, place: int, kind: int, cancelled: bool) -> None:
        self.loud("look", place)
        self.whisper(self.table.seat, "seen", kind)

    def choose(self) -> None:
        self.loud("choose", self.table.focus, self.table.focus_row)

    def name(self) -> None:
        self.loud("name", self.table.named)

    def exchange(self, place: int, hand: int, there: int, done: bool, may: bool) -> None:
        self.loud("may exchange" if may else "exchange")
        self.whisper(self.table.seat, "exchanged", done)
        if place < self.table.n_seats:
            self.whisper(place, "hand", self.table.hands[place])

    def exchange_with_row(self, owner: int, index: int, hand: int) -> None:
        self.loud("exchange with row", hand)

    def decline(self) -> None:
        self.loud("decline")

    def move(self, kind: int, pile: str, public: bool) -> None:
        self.loud("move", pile, kind if public else "hidden")

    def shuffle(self, pile: str, done: bool) -> None:
        self.loud("shuffle", pile, done)

    def discard(self, seat: int, kind: int) -> None:
        self.loud("discard", seat, kind)

    def take_hand(self, taker: int, giver: int, kind: int) -> None:
        self.loud("take hand", taker, giver)
        self.whisper(taker, "taken", kind)

    def flip(self, owner: int, kind: int) -> None:
        self.loud("flip", owner, kind)

    def come_back(self, seat: int, kind: int) -> None:
        self.loud("back", seat)
        self.whisper(seat, "hand", kind)

    def reveal(self, place: int, kind: int) -> None:
        self.loud("reveal", self.table.seat, self.table.called, place, kind)

    def strike(self, seats: Sequence[int], condition: str, kind: int, trigger: str, copies: int) -> None:
        self.loud("out", *seats)

    def silent(self, *facts: object) -> None:
        """Nothing that could not be concluded from the rest."""

    seen = nothing_to = no_win = stay_out = investigation = tie = end = silent


class OpenEars(Ears):
    """Ears of seats that play with all cards open: what a cheat would observe."""

    def deal(self) -> None:
        self.loud("cards", tuple(self.table.hands), tuple(self.table.ruins), tuple(self.table.deck))

    def draw(self) -> None:
        super().draw()
        self.loud("cards", tuple(self.table.hands), self.table.drawn, tuple(self.table.ruins), tuple(self.table.deck))
