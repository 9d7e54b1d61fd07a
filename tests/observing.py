"""What each seat observes of a deal: public events and its own cards, and nothing else (rules, section 6).

An Observer listens to a table of the reference in place of a Teller. What two seats' ears hear differs; what the
cards are is whispered to those who see them.
"""

from collections.abc import Sequence

from lostlegacy_sim.games.lost_legacy.reference.rulebook import Table


class Observer:
    """Listens to a table; `heard[seat]` stands for all that a seat has observed so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.heard = [0] * table.n_seats

    def loud(self, *event: object) -> None:
        """Everybody observes it."""
        for seat in range(self.table.n_seats):
            self.whisper(seat, *event)

    def whisper(self, seat: int, *event: object) -> None:
        """One seat observes it."""
        self.heard[seat] = hash((self.heard[seat], event))

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

    def tie(self, seats: Sequence[int]) -> None:
        self.loud("tie", self.table.called, *seats)

    def strike(self, seats: Sequence[int], condition: str, kind: int, trigger: str, copies: int) -> None:
        self.loud("out", *seats)

    def silent(self, *facts: object) -> None:
        """Nothing that could not be concluded from the rest."""

    seen = nothing_to = no_win = stay_out = investigation = end = silent
