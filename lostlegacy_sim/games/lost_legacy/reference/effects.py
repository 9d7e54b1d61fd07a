"""What the steps of a card do, in plain Python: a function a verb of the vocabulary.

Each is part of the generator `reference.Table.play`: it may yield questions and chance events. A step that
cannot be done is skipped, and so is every later one that speaks of the card it would have brought into focus (L1).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lostlegacy_sim.games.lost_legacy.reference.cards import RowCard, Step
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CHOOSE,
    DECK_END,
    DRAWN,
    EXCHANGE,
    FOCUS_NONE,
    FOCUS_ROW,
    FOCUS_ROW_CARD,
    HAND,
    LOOK,
    NAME,
    NO_CARD,
    ROW,
    RUINS,
    SHUFFLE,
    WAY_SEEN,
    X,
)

if TYPE_CHECKING:
    from lostlegacy_sim.games.lost_legacy.reference.rulebook import Table

Doing = Generator[Any, Any, None]


@dataclass
class Effect:
    """A card whose steps are being carried out: under which trigger, in whose hand or row, and where it lies."""

    trigger: str
    kind: int
    owner: int
    card: RowCard | None = None  # itself, while it lies in the owner's row
    moved: bool = False  # it has left the place where its trigger found it


# --- the verbs ----------------------------------------------------------------------------------------


def look(table: Table, step: Step, effect: Effect) -> Doing:
    """Look at a hidden card: it comes into focus, and a hand card's seen trigger happens at once (L2)."""
    seen: list[int] = []
    for _ in range(step["cards"]):
        options = [place for place in places(table, step["at"]) if place not in seen]
        if not options:
            if not seen:
                table.focus = FOCUS_NONE
                table.say("nothing_to", "look at")
            return
        place = yield from table.ask(LOOK, options, effect.kind)
        kind = table.card_at(place)
        table.knowledge.look(table.seat, place, kind, table.in_ruins(place))
        table.focus = place
        seen.append(place)
        is_seen = place < DRAWN and "seen" in table.printed.steps[kind]
        cancelled = is_seen and step["cancels"] == "x" and table.printed.speed[kind] == X
        table.say("look", place, kind, cancelled)
        if is_seen and not cancelled:
            table.say("seen", kind)
            before, trigger = table.eliminations, Effect("seen", kind, place - HAND)
            yield from table.carry_out(trigger)
            if table.eliminations > before:
                return
            if trigger.moved:
                table.focus = FOCUS_NONE


def choose(table: Table, step: Step, effect: Effect) -> Doing:
    """Choose a card of the discard rows, or another seat's whole row: it comes into focus (L3, L19)."""
    table.focus = FOCUS_NONE
    if "whole_row" in step["at"]:
        owners = [seat for seat in range(table.n_seats) if seat != table.seat and table.rows[seat]]
        if owners:
            seat = yield from table.ask(ROW, owners, effect.kind)
            table.focus, table.focus_row = FOCUS_ROW, (seat, 0)
    else:
        cards = [(seat, index) for seat, row in enumerate(table.rows) for index, card in enumerate(row)
                 if card is not table.being_played]  # fmt: skip
        if cards:
            number = yield from table.ask(CHOOSE, range(len(cards)), effect.kind)
            table.focus, table.focus_row = FOCUS_ROW_CARD, cards[number]
    if table.focus == FOCUS_NONE:
        table.say("nothing_to", "choose")
    else:
        table.say("choose")


def name(table: Table, step: Step, effect: Effect) -> Doing:
    """Name a speed from 1 to 8, aloud (L14)."""
    table.named = yield from table.ask(NAME, range(1, X), effect.kind)
    table.say("name")


def exchange(table: Table, step: Step, effect: Effect) -> Doing:
    """Exchange the hand card with the card in focus, each into the other's place (L24)."""
    if table.hands[table.seat] and table.focus == FOCUS_ROW_CARD:
        yield from exchange_with_row(table, step["may"], effect)
    elif table.hands[table.seat] and table.focus < FOCUS_ROW_CARD:
        yield from exchange_with_place(table, table.focus, step["may"], effect)
    table.focus = FOCUS_NONE


def exchange_with_place(table: Table, place: int, may: bool, effect: Effect) -> Doing:
    """With a hidden card: a "may exchange" stays secret (K4), a forced one is known to be done (K2)."""
    hand, there, in_ruins = table.hands[table.seat], table.card_at(place), table.in_ruins(place)
    done = not may or (yield from table.ask(EXCHANGE, (0, 1), effect.kind)) == 1
    if done:
        table.hands[table.seat] = there
        table.set_card(place, hand)
    if may:
        table.knowledge.may_exchange(table.seat, place, in_ruins, hand, there, done)
    else:
        table.knowledge.exchange(table.seat, place, in_ruins, hand, there)
    table.say("exchange", place, hand, there, done, may)


def exchange_with_row(table: Table, may: bool, effect: Effect) -> Doing:
    """With a card of a discard row, openly; the laid card has no play effect but counts as lying there (L27)."""
    hand, (owner, index) = table.hands[table.seat], table.focus_row
    if table.printed.refused[hand]:  # L13: a Lost Legacy never lies in a discard row
        table.say("decline")
        return
    if may and not (yield from table.ask(EXCHANGE, (0, 1), effect.kind)):
        table.say("decline")
        return
    taken = table.rows[owner][index].kind
    table.hands[table.seat] = taken
    table.knowledge.put(HAND + table.seat, taken, range(table.n_seats))
    table.say("exchange_with_row", owner, index, hand)
    if table.printed.legacy[hand]:
        del table.rows[owner][index]
        yield from table.go_as_eliminated(table.seat, hand)
    else:
        card = table.rows[owner][index] = RowCard(hand)
        yield from table.landed(owner, card)


def move(table: Table, step: Step, effect: Effect) -> Doing:
    """Put the card in focus, or this card itself, into the ruins or onto the deck."""
    if step["card"] == "self":
        moving = take_self(table, effect)
    else:
        moving = take_focus(table)
        table.focus = FOCUS_NONE
    for kind, knowers in moving:
        table.put_into(step["to"], kind, knowers)
        table.say("move", kind, step["to"], len(knowers) == table.n_seats)
    yield from ()


def shuffle(table: Table, step: Step, effect: Effect) -> Doing:
    """Shuffle the ruins or the deck; positions lapse (L10, K5, K6), also if there is nothing to shuffle."""
    done = not step["may"] or (yield from table.ask(SHUFFLE, (0, 1), effect.kind)) == 1
    if effect.trigger == "play":
        table.focus = FOCUS_NONE
    if done and step["zone"] == "ruins":
        table.ruins = yield from table.shuffled("ruins", table.ruins)
        table.knowledge.shuffle_ruins(len(table.ruins))
    elif done:
        table.deck = yield from table.shuffled("deck", table.deck)
        table.knowledge.shuffle_deck(DECK_END - len(table.deck))
    table.say("shuffle", step["zone"], done)


def eliminate(table: Table, step: Step, effect: Effect) -> Doing:
    """Put seats out of the game, all before the last one is looked for (L33)."""
    copies = face_up_copies(table, effect)
    if effect.trigger == "row" and copies < step["copies"]:
        return
    struck = seats(table, step["who"], effect) if holds(table, step["if"]) else []
    table.say("strike", struck, step["if"], effect.kind, effect.trigger, copies)
    for seat in struck:
        yield from table.eliminate(seat)


def discard(table: Table, step: Step, effect: Effect) -> Doing:
    """Discard a hand card face up, without its effect; a Lost Legacy goes where its text says (L13)."""
    for seat in parties(table, step["who"], effect):
        if table.hands[seat]:
            effect.moved |= effect.trigger == "seen" and seat == effect.owner
            card = yield from table.give_up_hand(seat, table.printed.legacy[table.hands[seat]])
            if card:
                yield from table.landed(seat, card)


def take_hand(table: Table, step: Step, effect: Effect) -> Doing:
    """Take the hand card of another seat; what is known of it goes along (L9, K2)."""
    for taker in parties(table, step["who"], effect):
        for giver in parties(table, step["from"], effect):
            effect.moved |= effect.trigger == "seen" and giver == effect.owner
            kind, table.hands[giver] = table.hands[giver], NO_CARD
            table.hands[taker] = kind
            table.knowledge.put(HAND + taker, kind, {*table.knowledge.take(HAND + giver), taker})
            table.say("take_hand", taker, giver, kind)
    yield from ()


def win(table: Table, step: Step, effect: Effect) -> Doing:
    """Win at once, by the card in focus."""
    if table.focus != FOCUS_NONE and holds(table, step["if"]):
        table.end(WAY_SEEN, table.seat)
    else:
        table.say("no_win", step["if"])
    yield from ()


def flip(table: Table, step: Step, effect: Effect) -> Doing:
    """Turn this card face down where it lies (L26)."""
    index = index_in_row(table, effect)
    if index is not None:
        effect.card = table.rows[effect.owner][index] = RowCard(effect.kind, True)
        table.say("flip", effect.owner, effect.kind)
    yield from ()


def come_back(table: Table, step: Step, effect: Effect) -> Doing:
    """The owner is back with the deck's top card as hand card; without one it stays out (L12)."""
    seat = effect.owner
    if not table.in_game[seat] and not table.deck:
        table.say("stay_out", seat)
    elif not table.in_game[seat]:
        kind, knowers = table.take_from_deck()
        table.in_game[seat], table.out_turn[seat], table.hands[seat] = True, 0, kind
        table.knowledge.put(HAND + seat, kind, {*knowers, seat})
        table.say("come_back", seat, kind)
    yield from ()


# --- what they speak of -------------------------------------------------------------------------------


def seats(table: Table, who: str, effect: Effect) -> list[int]:
    """The seats a step speaks of, clockwise from the seat on turn; [] if there is none."""
    if who == "looker":
        return [table.seat]
    if who == "owner":
        if effect.trigger != "play":
            return [effect.owner]
        return [table.focus - HAND] if table.focus < DRAWN else []
    first = table.seat if who == "everyone" else table.seat + 1
    return [seat for seat in table.clockwise(first) if table.in_game[seat] and (who == "everyone" or seat != table.seat)]


def parties(table: Table, who: str, effect: Effect) -> list[int]:
    """The seat whose hand card a discard or a take speaks of; under `play` [] if no hand is in focus (L1)."""
    return [] if effect.trigger == "play" and table.focus >= DRAWN else seats(table, who, effect)


def holds(table: Table, condition: str) -> bool:
    """Whether a step's `if` is true of the card in focus; without one only "always" is."""
    if condition == "always":
        return True
    if table.focus == FOCUS_ROW_CARD:
        kind = table.rows[table.focus_row[0]][table.focus_row[1]].kind
    elif table.focus < FOCUS_ROW_CARD:
        kind = table.card_at(table.focus)
    else:
        return False
    if condition == "legacy":
        return bool(table.printed.legacy[kind])
    return table.printed.speed[kind] == (X if condition == "x" else table.named)


def face_up_copies(table: Table, effect: Effect) -> int:
    """How many face-up cards of its kind lie in the row of this card, the one being played left out (L19)."""
    return sum(card.kind == effect.kind and not card.face_down and card is not table.being_played
               for card in table.rows[effect.owner])  # fmt: skip


def places(table: Table, at: Sequence[str]) -> Iterator[int]:
    """The hidden places a look may choose from, ascending."""
    if "hands" in at:
        yield from (HAND + seat for seat in table.in_game_seats() if seat != table.seat)
    if "ruins" in at:
        yield from range(RUINS, RUINS + len(table.ruins))
    if "deck" in at and table.deck:
        yield DECK_END - len(table.deck)


def take_focus(table: Table) -> list[tuple[int, Sequence[int]]]:
    """Take the card in focus, or the whole row, from the left: kinds and who knows them."""
    seat, index = table.focus_row
    if table.focus == FOCUS_ROW:
        return [table.take_from_row(seat, 0) for _ in range(len(table.rows[seat]))]
    if table.focus == FOCUS_ROW_CARD:
        return [table.take_from_row(seat, index)]
    if table.focus == FOCUS_NONE:
        return []
    if table.in_ruins(table.focus):
        return [table.take_from_ruins(table.focus - RUINS)]
    return [table.take_from_deck()]


def take_self(table: Table, effect: Effect) -> list[tuple[int, Sequence[int]]]:
    """Take the card whose text is carried out; [] if it has moved before."""
    index = index_in_row(table, effect)
    if effect.moved or (effect.trigger != "eliminated" and index is None):
        return []
    effect.moved = True
    if index is not None:
        del table.rows[effect.owner][index]
    table.loose = NO_CARD
    return [(effect.kind, range(table.n_seats))]


def index_in_row(table: Table, effect: Effect) -> int | None:
    """Where this very card lies in its owner's row."""
    return next((i for i, card in enumerate(table.rows[effect.owner]) if card is effect.card), None)


DO: dict[str, Callable[[Table, Step, Effect], Doing]] = {
    "look": look, "choose": choose, "name": name, "exchange": exchange, "move": move, "shuffle": shuffle,
    "eliminate": eliminate, "discard": discard, "take_hand": take_hand, "win": win, "flip": flip, "return": come_back,
}  # fmt: skip
