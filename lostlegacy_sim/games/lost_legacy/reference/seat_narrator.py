"""Tells a deal of the reference as one seat hears it: what is public, what it sees itself, and nothing else.

It listens in place of a Teller, with a method for each event. It does not inherit from it: an event nobody has thought of must
not be told by default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lostlegacy_sim.games.lost_legacy.reference.narrator import amount, name, names, ordinal, place_in_words
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DECK_END,
    DRAWN,
    FOCUS_ROW,
    HAND,
    RUINS,
    WAY_FOUND,
    WAY_LAST,
    WAY_SEEN,
    WAY_VOID,
    speed_word,
)

if TYPE_CHECKING:
    from lostlegacy_sim.games.lost_legacy.reference.rulebook import Table

IRREGULAR = {"do": "does", "are": "is", "are back": "is back", "do not": "does not"}


class SeatNarrator:
    """The ears of a seat, which it is called `you` by: one method an event, one sentence a call."""

    def __init__(self, table: Table, seat: int, tell: Callable[[str], None]) -> None:
        self.table = table
        self.seat = seat
        self.tell = tell

    # --- the course of a deal -------------------------------------------------------------------------

    def deal(self) -> None:
        """The own hand; how many cards lie where."""
        table = self.table
        deck = amount(len(table.deck), "card")
        hand = with_speed(table, table.hands[self.seat])
        self.tell(f"You hold {hand}. Each other seat holds a card, one card lies in the ruins, and {deck} in the deck.")

    def draw(self) -> None:
        """A turn begins."""
        table = self.table
        left = f"{amount(len(table.deck), 'card')} left in the deck"
        if self.is_mine(table.seat):
            hand, drawn = name(table, table.hands[table.seat]), name(table, table.drawn)
            self.tell(f"Turn {table.turn}. You hold {hand} and draw {drawn}; {left}.")
        else:
            self.tell(f"Turn {table.turn}. Seat {table.seat + 1} draws; {left}.")

    def play(self, kept: int, forced: bool) -> None:
        """A card is played; which one is kept, and whether there was a choice, is the seat's own secret."""
        table = self.table
        if self.is_mine(table.seat):
            why = f" ({name(table, kept)} cannot be played)" if forced else ""
            self.tell(f"  You play {name(table, table.played)} and keep {name(table, kept)}{why}.")
        else:
            self.tell(f"  Seat {table.seat + 1} plays {name(table, table.played)}.")

    def investigation(self) -> None:
        """The deck is empty; which speeds lie in the hands shows when they are called."""
        table = self.table
        hand = f" You hold {with_speed(table, table.hands[self.seat])}." if table.in_game[self.seat] else ""
        self.tell(f"Investigation. The deck is empty: speeds are called from 1, and who alone holds one reveals a card.{hand}")

    def tie(self, seats: Sequence[int]) -> None:
        """Seats share a speed."""
        who = " and ".join("you" if self.is_mine(seat) else f"seat {seat + 1}" for seat in seats)
        self.tell(f"  Speed {self.table.called}: {who} share it, so none of them investigates.")

    def reveal(self, place: int, kind: int) -> None:
        """A seat investigates, for all to see."""
        table = self.table
        who = self.does(table.seat, "reveal", within=True)
        where = self.where(place) if place != HAND + table.seat or self.is_mine(table.seat) else "its own hand card"
        self.tell(f"  Speed {table.called}: {who} {where}: {name(table, kind)}.")

    def end(self) -> None:
        """The result."""
        outcome = self.table.outcome
        assert outcome is not None
        winner = f"Result: {'you win' if self.is_mine(outcome.winner) else f'seat {outcome.winner + 1} wins'}"
        finder = "you" if self.is_mine(outcome.winner) else "it"
        self.tell({
            WAY_LAST: f"{winner} as the last one in the game",
            WAY_SEEN: f"{winner} by the card {finder} saw",
            WAY_FOUND: f"{winner}: {finder} found the Lost Legacy at speed {outcome.speed}",
            WAY_VOID: "Result: the deal has passed its bound on turns and does not count",
        }.get(outcome.way, "Result: nobody wins") + f" ({amount(outcome.turns, 'turn')}).")  # fmt: skip

    # --- effects --------------------------------------------------------------------------------------

    def look(self, place: int, kind: int, cancelled: bool) -> None:
        """A seat looks at a card: the looker sees it, and whose hand it is knows it."""
        table = self.table
        looks = f"  {self.does(table.seat, 'look')} at {self.where(place)}"
        self.tell(f"{looks}: {name(table, kind)}." if self.sees_focus() else f"{looks}.")
        if cancelled and self.sees_focus():
            self.tell(f"  What {name(table, kind)} does when seen is cancelled.")

    def seen(self, kind: int) -> None:
        """A seen trigger happens."""
        card = self.table.card_set.cards[kind - 1]
        if self.sees_focus():
            self.tell(f"  {name(self.table, kind)} was seen in a hand and acts" + (f": {card.text}" if card.text else "."))
        else:
            self.tell("  The card was seen in a hand and acts.")

    def nothing_to(self, do: str) -> None:
        """A step finds no card."""
        self.tell(f"  There is nothing to {do}.")

    def choose(self) -> None:
        """A card of the rows, or a row, is chosen."""
        table, (seat, index) = self.table, self.table.focus_row
        chooses = f"  {self.does(table.seat, 'choose')}"
        if table.focus == FOCUS_ROW:
            cards = names(table, [card.kind for card in table.rows[seat]])
            self.tell(f"{chooses} the whole of {self.row(seat)} ({cards}).")
        else:
            self.tell(f"{chooses} {row_card(table, seat, index, self.row(seat))}.")

    def name(self) -> None:
        """A speed is named."""
        self.tell(f"  {self.does(self.table.seat, 'name')} speed {self.table.named}.")

    def exchange(self, place: int, hand: int, there: int, done: bool, may: bool) -> None:
        """A hidden card is exchanged, or perhaps is; whose hand is concerned sees what it holds after it."""
        table = self.table
        if self.is_mine(table.seat):
            if done:
                how = "Secretly, you" if may else "As you must, you"
                self.tell(f"  {how} exchange: you now hold {name(table, there)}, and {self.where(place)} is {name(table, hand)}.")
            else:
                self.tell(f"  Secretly, you do not exchange: you keep {name(table, hand)}.")
            return
        if may:
            self.tell(f"  Secretly, seat {table.seat + 1} exchanges its hand card with {self.where(place)}, or does not.")
        else:
            self.tell(f"  As it must, seat {table.seat + 1} exchanges its hand card with {self.where(place)}.")
        if place == HAND + self.seat:
            self.tell(f"  You hold {name(table, table.hands[self.seat])} now.")

    def exchange_with_row(self, owner: int, index: int, hand: int) -> None:
        """A row card is exchanged openly."""
        table = self.table
        card = row_card(table, owner, index, self.row(owner))
        self.tell(f"  Openly, {self.does(table.seat, 'take', within=True)} {card} for {name(table, hand)}.")

    def decline(self) -> None:
        """A row card is not exchanged."""
        self.tell(f"  {self.does(self.table.seat, 'do not')} exchange.")

    def move(self, kind: int, pile: str, public: bool) -> None:
        """A card goes into a pile: which one is told if the seat knows it there."""
        table = self.table
        where = "into the ruins, at the right end" if pile == "ruins" else "on top of the deck"
        place = RUINS + len(table.ruins) - 1 if pile == "ruins" else DECK_END - len(table.deck)
        card = name(table, kind) if place in table.known[self.seat] else "The card"
        self.tell(f"  {card} goes {where} ({'everybody knows it' if public else 'face down'}).")

    def shuffle(self, pile: str, done: bool) -> None:
        """A pile is shuffled, or not."""
        if done:
            self.tell(f"  The {pile} {'are' if pile == 'ruins' else 'is'} shuffled.")
        else:
            self.tell(f"  {self.does(self.table.seat, 'do not')} shuffle the {pile}.")

    def strike(self, seats: Sequence[int], condition: str, kind: int, trigger: str, copies: int) -> None:
        """Why seats are about to be put out, or are not; of a card seen in a hand only who sees it knows why."""
        table = self.table
        is_secret = trigger == "seen" and not self.sees_focus()
        if not seats:
            self.tell("  Nobody is put out." if is_secret else f"  {self.miss(condition)}: nobody is put out.")
        for seat in seats:
            if is_secret:
                why = "by the card seen"
            elif trigger == "row":
                where = "your" if self.is_mine(seat) else "its"
                card = name(table, kind)
                why = f"{copies} copies of {card} lie face up in {where} row" if copies > 1 else f"{card} lies in {where} row"
            elif trigger == "seen":
                why = f"{name(table, kind)} was seen"
            else:
                why = f"the card seen is {self.sort(condition)} ({name(table, kind)})" if condition != "always" else name(table, kind)
            self.tell(f"  {self.does(seat, 'are')} eliminated: {why}.")

    def no_win(self, condition: str) -> None:
        """A card that may win did not."""
        self.tell(f"  {self.miss(condition)}: it does not win.")

    def discard(self, seat: int, kind: int) -> None:
        """A hand card is discarded face up."""
        self.tell(f"  {self.does(seat, 'discard')} {name(self.table, kind)} from the hand.")

    def take_hand(self, taker: int, giver: int, kind: int) -> None:
        """A hand card changes hands; the two know it."""
        card = f": {name(self.table, kind)}" if self.seat in (taker, giver) else ""
        self.tell(f"  {self.does(taker, 'take')} {self.where(HAND + giver)}{card}.")

    def flip(self, owner: int, kind: int) -> None:
        """A row card is turned face down."""
        self.tell(f"  {name(self.table, kind)} in {self.row(owner)} is turned face down.")

    def come_back(self, seat: int, kind: int) -> None:
        """A seat returns."""
        card = f", {name(self.table, kind)}" if self.is_mine(seat) else ""
        self.tell(f"  {self.does(seat, 'are back')} in the game with the deck's top card{card}.")

    def stay_out(self, seat: int) -> None:
        """A seat would return, but the deck is empty."""
        self.tell(f"  The deck is empty, so {self.does(seat, 'stay', within=True)} out.")

    # --- phrases --------------------------------------------------------------------------------------

    def is_mine(self, seat: int) -> bool:
        """Whether it is the seat that hears."""
        return seat == self.seat

    def sees_focus(self) -> bool:
        """Whether the seat looks at the card in focus, or holds it."""
        return self.table.seat == self.seat or self.table.focus == HAND + self.seat

    def does(self, seat: int, verb: str, within: bool = False) -> str:
        """ "You look" or "Seat 2 looks"; `within` a sentence."""
        if self.is_mine(seat):
            return f"{'you' if within else 'You'} {verb}"
        return f"{'seat' if within else 'Seat'} {seat + 1} {IRREGULAR.get(verb, verb + 's')}"

    def where(self, place: int) -> str:
        """A hidden place."""
        return place_for(self.table, place, self.seat)

    def row(self, seat: int) -> str:
        """A discard row."""
        return "your row" if self.is_mine(seat) else f"the row of seat {seat + 1}"

    def sort(self, condition: str) -> str:
        """What a condition asks of the card in focus."""
        return {"x": "an X", "legacy": "the Lost Legacy", "named": f"of speed {self.table.named}"}.get(condition, "there")

    def miss(self, condition: str) -> str:
        """That the card in focus is not what a condition asks for."""
        return "No such card was seen" if condition == "always" else f"The card is not {self.sort(condition)}"


def place_for(table: Table, place: int, seat: int) -> str:
    """A hidden place as it is said to a seat."""
    if place == HAND + seat:
        return "your hand card"
    if place == DRAWN:
        return "the card drawn"
    return place_in_words(table, place, seat)


def with_speed(table: Table, kind: int) -> str:
    """A card and its speed."""
    return f"{name(table, kind)} ({speed_word(table.card_set.cards[kind - 1].speed)})"


def row_card(table: Table, seat: int, index: int, row: str) -> str:
    """A card of a row, and which; everybody has seen a card that now lies face down."""
    card = table.rows[seat][index]
    face = "face-down " if card.face_down else ""
    return f"{face}{name(table, card.kind)} (the {ordinal(index + 1)} card in {row})"
