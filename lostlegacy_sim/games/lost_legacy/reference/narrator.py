"""Tells a deal of the reference in sentences: who did what, who saw what, why somebody is out, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

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


class Teller:
    """The voice of a table: one method an event, one sentence a call. Indented lines belong to the turn above."""

    def __init__(self, table: Table, tell: Callable[[str], None]) -> None:
        self.table = table
        self.tell = tell

    # --- the course of a deal -------------------------------------------------------------------------

    def deal(self) -> None:
        """Where every card lies at first."""
        table = self.table
        hands = ", ".join(f"seat {seat + 1} holds {name(table, kind)}" for seat, kind in enumerate(table.hands))
        self.tell(f"The deal: {hands}; in the ruins lies {names(table, table.ruins)}.")
        self.tell(f"The deck, from the top: {names(table, table.deck)}.")

    def draw(self) -> None:
        """A turn begins."""
        table = self.table
        hand, drawn = name(table, table.hands[table.seat]), name(table, table.drawn)
        left = f"{amount(len(table.deck), 'card')} left in the deck"
        self.tell(f"Turn {table.turn}. Seat {table.seat + 1} holds {hand} and draws {drawn}; {left}.")

    def play(self, kept: int, forced: bool) -> None:
        """A card is played."""
        table = self.table
        why = f" ({name(table, kept)} cannot be played)" if forced else ""
        self.tell(f"  Seat {table.seat + 1} plays {name(table, table.played)} and keeps {name(table, kept)}{why}.")

    def investigation(self) -> None:
        """The deck is empty."""
        table = self.table
        hands = ", ".join(f"seat {seat + 1} holds {self.with_speed(table.hands[seat])}" for seat in table.in_game_seats())
        self.tell(f"Investigation. {hands[0].upper()}{hands[1:]}; in the ruins: {names(table, table.ruins)}.")

    def tie(self, seats: Sequence[int]) -> None:
        """Seats share a speed."""
        who = " and ".join(f"seat {seat + 1}" for seat in seats)
        self.tell(f"  Speed {self.table.called}: {who} share it, so none of them investigates.")

    def reveal(self, place: int, kind: int) -> None:
        """A seat investigates."""
        table = self.table
        where = place_in_words(table, place, table.seat)
        self.tell(f"  Speed {table.called}: seat {table.seat + 1} reveals {where}: {name(table, kind)}.")

    def end(self) -> None:
        """The result."""
        outcome = self.table.outcome
        assert outcome is not None
        winner = f"Result: seat {outcome.winner + 1} wins"
        self.tell({
            WAY_LAST: f"{winner} as the last one in the game",
            WAY_SEEN: f"{winner} by the card it saw",
            WAY_FOUND: f"{winner}: it found the Lost Legacy at speed {outcome.speed}",
            WAY_VOID: "Result: the deal has passed its bound on turns and does not count",
        }.get(outcome.way, "Result: nobody wins") + f" ({amount(outcome.turns, 'turn')}).")  # fmt: skip

    # --- effects --------------------------------------------------------------------------------------

    def look(self, place: int, kind: int, cancelled: bool) -> None:
        """A seat looks at a card."""
        table, seat = self.table, self.table.seat
        where = place_in_words(table, place, seat)
        self.tell(f"  Seat {seat + 1} looks at {where} (only seat {seat + 1} sees it: {name(table, kind)}).")
        if cancelled:
            self.tell(f"  What {name(table, kind)} does when seen is cancelled.")

    def seen(self, kind: int) -> None:
        """A seen trigger happens."""
        card = self.table.card_set.cards[kind - 1]
        self.tell(f"  {name(self.table, kind)} was seen in a hand and acts" + (f": {card.text}" if card.text else "."))

    def nothing_to(self, do: str) -> None:
        """A step finds no card."""
        self.tell(f"  There is nothing to {do}.")

    def choose(self) -> None:
        """A card of the rows, or a row, is chosen."""
        table, (seat, index) = self.table, self.table.focus_row
        if table.focus == FOCUS_ROW:
            cards = names(table, [card.kind for card in table.rows[seat]])
            self.tell(f"  Seat {table.seat + 1} chooses the whole row of seat {seat + 1} ({cards}).")
        else:
            self.tell(f"  Seat {table.seat + 1} chooses {self.row_card(seat, index)}.")

    def name(self) -> None:
        """A speed is named."""
        self.tell(f"  Seat {self.table.seat + 1} names speed {self.table.named}.")

    def exchange(self, place: int, hand: int, there: int, done: bool, may: bool) -> None:
        """A hidden card may be exchanged."""
        table, seat = self.table, self.table.seat
        if not done:
            self.tell(f"  Secretly, seat {seat + 1} does not exchange: it keeps {name(table, hand)}.")
            return
        how = "Secretly, seat" if may else "As it must, seat"
        where = place_in_words(table, place, seat)
        self.tell(f"  {how} {seat + 1} exchanges: it now holds {name(table, there)}, and {where} is {name(table, hand)}.")

    def exchange_with_row(self, owner: int, index: int, hand: int) -> None:
        """A row card is exchanged openly."""
        table = self.table
        self.tell(f"  Openly, seat {table.seat + 1} takes {self.row_card(owner, index)} for {name(table, hand)}.")

    def decline(self) -> None:
        """A row card is not exchanged."""
        self.tell(f"  Seat {self.table.seat + 1} does not exchange.")

    def move(self, kind: int, pile: str, public: bool) -> None:
        """A card goes into a pile."""
        where = "into the ruins, at the right end" if pile == "ruins" else "on top of the deck"
        seen = "everybody knows it" if public else "face down"
        self.tell(f"  {name(self.table, kind)} goes {where} ({seen}).")

    def shuffle(self, pile: str, done: bool) -> None:
        """A pile is shuffled, or not."""
        table = self.table
        if not done:
            self.tell(f"  Seat {table.seat + 1} does not shuffle the {pile}.")
            return
        cards = table.ruins if pile == "ruins" else table.deck
        now = f" (unseen, {'from the left' if pile == 'ruins' else 'from the top'}: {names(table, cards)})"
        self.tell(f"  The {pile} {'are' if pile == 'ruins' else 'is'} shuffled{now}.")

    def strike(self, seats: Sequence[int], condition: str, kind: int, trigger: str, copies: int) -> None:
        """Why seats are about to be put out, or are not."""
        table = self.table
        card = name(table, kind)
        what = self.sort(condition)
        if not seats:
            self.tell(f"  {self.miss(condition)}: nobody is put out.")
        for seat in seats:
            if trigger == "row":
                why = f"{copies} copies of {card} lie face up in its row" if copies > 1 else f"{card} lies in its row"
            elif trigger == "seen":
                why = f"{card} was seen"
            else:
                why = f"the card seen is {what} ({card})" if condition != "always" else card
            self.tell(f"  Seat {seat + 1} is eliminated: {why}.")

    def no_win(self, condition: str) -> None:
        """A card that may win did not."""
        self.tell(f"  {self.miss(condition)}: it does not win.")

    def discard(self, seat: int, kind: int) -> None:
        """A hand card is discarded."""
        self.tell(f"  Seat {seat + 1} discards {name(self.table, kind)} from its hand.")

    def take_hand(self, taker: int, giver: int, kind: int) -> None:
        """A hand card changes hands."""
        card = name(self.table, kind)
        self.tell(f"  Seat {taker + 1} takes the hand card of seat {giver + 1} (only they know it: {card}).")

    def flip(self, owner: int, kind: int) -> None:
        """A row card is turned face down."""
        self.tell(f"  {name(self.table, kind)} in the row of seat {owner + 1} is turned face down.")

    def come_back(self, seat: int, kind: int) -> None:
        """A seat returns."""
        card = name(self.table, kind)
        self.tell(f"  Seat {seat + 1} is back in the game with the deck's top card (only seat {seat + 1} sees it: {card}).")

    def stay_out(self, seat: int) -> None:
        """A seat would return, but the deck is empty."""
        self.tell(f"  The deck is empty, so seat {seat + 1} stays out.")

    # --- phrases --------------------------------------------------------------------------------------

    def sort(self, condition: str) -> str:
        """What a condition asks of the card in focus."""
        return {"x": "an X", "legacy": "the Lost Legacy", "named": f"of speed {self.table.named}"}.get(condition, "there")

    def miss(self, condition: str) -> str:
        """That the card in focus is not what a condition asks for."""
        return "No such card was seen" if condition == "always" else f"The card is not {self.sort(condition)}"

    def with_speed(self, kind: int) -> str:
        """A card and its speed."""
        return f"{name(self.table, kind)} ({speed_word(self.table.card_set.cards[kind - 1].speed)})"

    def row_card(self, seat: int, index: int) -> str:
        """A card of a row, and which."""
        card = self.table.rows[seat][index]
        face = "face-down " if card.face_down else ""
        return f"{face}{name(self.table, card.kind)} (the {ordinal(index + 1)} card in the row of seat {seat + 1})"


def knows_in_words(table: Table, seat: int) -> str:
    """What a seat knows for certain (K1-K7), as one sentence."""
    known = [f"{place_in_words(table, place, seat)} is {name(table, kind)}"
             for place, kind in sorted(table.known[seat].items())]  # fmt: skip
    somewhere = sorted(table.ruins_has[seat].elements())
    if somewhere:
        known.append(f"somewhere in the ruins: {names(table, somewhere)}")
    return f"Seat {seat + 1} knows: {'; '.join(known) if known else 'nothing hidden'}."


def place_in_words(table: Table, place: int, seat: int) -> str:
    """A hidden place as a seat would say it."""
    if place == DRAWN:
        return "the drawn card"
    if place < DRAWN:
        return "its own hand" if place - HAND == seat else f"the hand of seat {place - HAND + 1}"
    if place < RUINS + len(table.ruins):
        return f"the {ordinal(place - RUINS + 1)} card of the ruins"
    depth = place - DECK_END + len(table.deck)
    if depth < 0:
        return f"the {ordinal(DECK_END - place)} face-down card of the rows"
    return f"the {ordinal(depth + 1)} card of the deck" if depth else "the top card of the deck"


def name(table: Table, kind: int) -> str:
    """The name of a kind, by which it can be told from the others."""
    return table.card_set.title(table.card_set.cards[kind - 1])


def names(table: Table, kinds: Sequence[int]) -> str:
    """The names of several kinds, in order."""
    return ", ".join(name(table, kind) for kind in kinds) if kinds else "nothing"


def amount(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th ..."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
