"""What a seat sees of a table of the reference, and what it is asked, in words a person can answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lostlegacy_sim.games.lost_legacy.reference.narrator import amount, name, names
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table
from lostlegacy_sim.games.lost_legacy.reference.seat_narrator import place_for, row_card, with_speed
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CHOOSE,
    DECK_END,
    DRAWN,
    EXCHANGE,
    FOCUS_ROW_CARD,
    HAND,
    INVESTIGATION,
    LOOK,
    NAME,
    NO_CARD,
    PLAY,
    REVEAL,
    ROW,
    SHUFFLE,
)

NO_YES = ("no", "yes")  # the options of an exchange and of a shuffle


# --- the table --------------------------------------------------------------------------------------------


def table_in_words(table: Table, seat: int) -> Iterator[str]:
    """What lies on the table for all to see, what the seat holds, and what it knows for certain (K1-K7), a line each."""
    yield "The rows:"
    for other, row in enumerate(table.rows):
        cards = [name(table, card.kind) + (" (face down)" if card.face_down else "") for card in row]
        who = "you" if other == seat else f"seat {other + 1}"
        out = "" if table.in_game[other] else ", out of the game"
        yield f"  {who}{out}: {', '.join(cards) if cards else 'nothing yet'}"
    yield f"The deck holds {amount(len(table.deck), 'card')}, the ruins {amount(len(table.ruins), 'card')}."
    yield hand_in_words(table, seat)
    yield knowledge_in_words(table, seat)


def hand_in_words(table: Table, seat: int) -> str:
    """The own hand."""
    if not table.in_game[seat]:
        return "You are out of the game."
    hand = f"You hold {with_speed(table, table.hands[seat])}"
    if table.seat == seat and table.drawn != NO_CARD:
        return f"{hand} and have drawn {with_speed(table, table.drawn)}."
    return f"{hand}."


def knowledge_in_words(table: Table, seat: int) -> str:
    """What the seat knows for certain of other hidden cards."""
    own = (HAND + seat, DRAWN) if table.seat == seat else (HAND + seat,)
    known = [f"{place_for(table, place, seat)} is {with_speed(table, kind)}"
             for place, kind in sorted(table.known[seat].items()) if place not in own]  # fmt: skip
    somewhere = sorted(table.ruins_has[seat].elements())
    if somewhere:
        known.append(f"somewhere in the ruins: {names(table, somewhere)}")
    return f"You know for certain: {'; '.join(known) if known else 'nothing else hidden'}."


def unseen(table: Table, seat: int) -> dict[int, int]:
    """How many cards of each kind lie neither in a row nor where the seat knows them to be."""
    found = Counter[int](table.printed.slots)
    found.subtract(card.kind for row in table.rows for card in row)
    found.subtract(table.known[seat].values())
    found.subtract(table.ruins_has[seat])
    return {kind: found[kind] for kind in sorted(found)}


# --- a question -------------------------------------------------------------------------------------------


def question_in_words(table: Table, question: Question) -> tuple[str, tuple[str, ...]]:
    """The question that is open, and its options in order."""
    seat, what = question.seat, question.what
    if what == PLAY:
        return "Which card do you play?", (
            with_text(table, table.hands[seat], "which you held"),
            with_text(table, table.drawn, "which you have drawn"),
        )
    card = name(table, question.kind) if question.kind else ""
    if what == LOOK:
        return f"{card}: which card do you look at?", tuple(place_with_knowledge(table, place, seat) for place in question.options)
    if what == CHOOSE:
        cards = [place for place in row_places(table) if table.rows[place[0]][place[1]] is not table.being_played]
        return f"{card}: which card of the rows do you choose?", tuple(
            row_card(table, *cards[number], whose_row(cards[number][0], seat)) for number in question.options
        )
    if what == ROW:
        rows = {owner: names(table, [lies.kind for lies in table.rows[owner]]) for owner in question.options}
        return f"{card}: whose whole row do you choose?", tuple(f"the row of seat {owner + 1}: {cards}" for owner, cards in rows.items())
    if what == EXCHANGE:
        return f"{card}: do you exchange your {name(table, table.hands[seat])} with {focus_in_words(table, question)}?", NO_YES
    if what == SHUFFLE:
        return f"{card}: do you shuffle {pile_in_words(table, question.kind)}?", NO_YES
    if what == NAME:
        return f"{card}: which speed do you name?", tuple(f"speed {speed}" for speed in question.options)
    assert what == REVEAL, f"there is no question {what}"
    question_line = f"Speed {table.called} is called, and only you hold it: which card do you reveal?"
    return question_line, tuple(place_to_reveal(table, place, seat) for place in question.options)


def with_text(table: Table, kind: int, which: str) -> str:
    """A card, its speed, which one it is, and what it says."""
    text = table.card_set.cards[kind - 1].text
    return f"{with_speed(table, kind)}, {which}" + (f": {text}" if text else "")


def place_with_knowledge(table: Table, place: int, seat: int) -> str:
    """A hidden place, with the card the seat knows to lie there."""
    kind = table.known[seat].get(place, NO_CARD)
    return place_for(table, place, seat) + (f" (you know it: {with_speed(table, kind)})" if kind else "")


def place_to_reveal(table: Table, place: int, seat: int) -> str:
    """A place of the investigation; the last ones stand for face-down row cards (L6)."""
    down = table.face_down_cards()
    if table.phase == INVESTIGATION and table.printed.investigate_rows and place >= DECK_END - len(down):
        return f"face-down {name(table, down[DECK_END - 1 - place].kind)} of the rows"
    return place_with_knowledge(table, place, seat)


def focus_in_words(table: Table, question: Question) -> str:
    """The card in focus, which the seat may exchange for its own."""
    if question.focus == FOCUS_ROW_CARD:
        owner, index = question.focus_row
        return row_card(table, owner, index, whose_row(owner, question.seat))
    kind = table.known[question.seat].get(question.focus, NO_CARD)
    return place_for(table, question.focus, question.seat) + (f", {with_speed(table, kind)}" if kind else "")


def pile_in_words(table: Table, kind: int) -> str:
    """Which pile a card may shuffle; both words if its text may shuffle either."""
    steps = [step for steps in table.printed.steps[kind].values() for step in steps]
    piles = sorted({step["zone"] for step in steps if step["do"] == "shuffle" and step["may"]})
    return "the " + " or the ".join(piles)


def row_places(table: Table) -> list[tuple[int, int]]:
    """All cards of the rows, as (seat, index), seat by seat, from the left."""
    return [(seat, index) for seat, row in enumerate(table.rows) for index in range(len(row))]


def whose_row(owner: int, seat: int) -> str:
    """A discard row as it is said to a seat."""
    return "your row" if owner == seat else f"the row of seat {owner + 1}"
