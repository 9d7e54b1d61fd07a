"""Variants: a set or a line-up with one thing changed about one kind, so that what the kind causes can be measured.

Slots stay where they are (cardset.slots): a variant is dealt the same cards as the set it is compared with, but for
the changed ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lostlegacy_sim.cardset import Card, CardSet, make_set, parse_set
from lostlegacy_sim.errors import SetError, UsageError
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import check_playable
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY, speed_word


@dataclass(frozen=True)
class Change:
    """Two sets that differ in one thing about one kind."""

    before: CardSet
    after: CardSet
    kind_before: str  # id of the kind that is looked at, in each of the two; "" if it is gone
    kind_after: str
    words: str  # what is different after, such as "Curse instead of Assault"


def blank(card_set: CardSet, card_id: str) -> Change:
    """The kind without its text: no steps, no triggers; its speed, its copies and `playable` stay.

    Raises SetError for the Lost Legacy, which the game is about, and for a kind that is not there.
    """
    card = card_of(card_set, card_id)
    refuse_legacy(card, "is never blank")
    made = changed(card_set, card, f"{card_set.title(card)} without its text", [without_text(card)])
    return Change(card_set, made, card_id, card_id, f"{card_set.title(card)} without its text")


def one(card_set: CardSet, card_id: str) -> Change:
    """One copy of the kind without its text, all others as they are printed; of a single copy it is the blank.

    The copy that is changed is the last one, a kind of its own in the same slot. Which one it is makes no difference: the
    shuffle treats all copies alike, and a bot sees kinds, never slots, so it can tell the copy by its missing text alone.
    Raises SetError as `blank` does, and if the set has no place for a kind more.
    """
    card = card_of(card_set, card_id)
    if card.copies == 1 or not has_text(card):
        return blank(card_set, card_id)
    refuse_legacy(card, "is never blank")
    words = f"a blank instead of one {card_set.title(card)}"
    alone = blank_alone(card)
    made = changed(card_set, card, words, [replace(card, copies=card.copies - 1), alone])
    return Change(card_set, made, card_id, alone.id, words)


def swap(card_set: CardSet, card_id: str) -> Change:
    """All copies of the kind become the kind that the other printed set has at this speed (`rival`).

    Where that kind is there already, it gets the copies, so that a rule about two equal cards counts all of them.
    Raises SetError if the other set's kind does the same, or if the set cannot be played with it.
    """
    card = card_of(card_set, card_id)
    other = rival(card)
    words = f"{card_set.title(other)} instead of {card_set.title(card)}"
    there = next((one for one in card_set.cards if one.id != card_id and does_the_same(one, other) and one.id == other.id), None)
    if there is not None:
        more = replace(there, copies=there.copies + card.copies)
        cards = [more if one is there else one for one in card_set.cards if one is not card]
        return Change(card_set, checked(card_set, words, cards), card_id, there.id, words)
    ids = {one.id for one in card_set.cards if one is not card}
    incoming = replace(other, id=other.id if other.id not in ids else f"{other.id}@printed", copies=card.copies)
    return Change(card_set, changed(card_set, card, words, [incoming]), card_id, incoming.id, words)


def fewer(card_set: CardSet, card_id: str, against: str | None = None) -> Change:
    """The last copy of the kind becomes a blank of its speed, or one more copy of the kind `against`.

    Raises SetError for the Lost Legacy, and if the set cannot be played so.
    """
    card = card_of(card_set, card_id)
    refuse_legacy(card, "has one copy, no fewer")
    if against is not None:
        return exchanged(card_set, card, card_of(card_set, against), -1)
    if card.copies == 1:
        gone = blank(card_set, card_id)
        return replace(gone, kind_after="", words=f"a blank instead of {card_set.title(card)}")
    words = f"a blank instead of one {card_set.title(card)}"
    made = changed(card_set, card, words, [replace(card, copies=card.copies - 1), blank_beside(card)])
    return Change(card_set, made, card_id, card_id, words)


def more(card_set: CardSet, card_id: str, against: str | None = None) -> Change:
    """One copy more in the place of a blank of its speed, or in the place of one copy of the kind `against`.

    The printed deck has no blank to give way: both decks have a card more than the set, here the blank and there the
    copy, so that the size of the deck is no part of the difference. Raises SetError as `fewer` does.
    """
    card = card_of(card_set, card_id)
    refuse_legacy(card, "has one copy, no more")
    if against is not None:
        return exchanged(card_set, card, card_of(card_set, against), +1)
    before = changed(card_set, card, f"a blank beside {card_set.title(card)}", [card, blank_beside(card)])
    after = changed(card_set, card, f"one {card_set.title(card)} more", [replace(card, copies=card.copies + 1)])
    return Change(before, after, card_id, card_id, f"one {card_set.title(card)} more instead of a blank")


def never(card_set: CardSet, card_id: str, bots: Sequence[str]) -> tuple[str, ...]:
    """The line-up with the first seat's bot barred from the kind: it plays it only when it must.

    `bots`: one a seat. Raises UsageError if they differ, for then more than the bar would differ between them, and
    SetError for a kind that cannot be played.
    """
    card = card_of(card_set, card_id)
    if len(set(bots)) > 1:
        raise UsageError(f"The effect never asks what one bot loses among its equals; {', '.join(dict.fromkeys(bots))} are different bots.")
    if not card.flag("playable"):
        raise SetError(f"{card_set.title(card)} cannot be played, so nothing is lost by never playing it.")
    return (f"{bots[0]}:never={card_id}", *bots[1:])


# --- cards ------------------------------------------------------------------------------------------------


def card_of(card_set: CardSet, card_id: str) -> Card:
    """The kind of that id. Raises SetError naming the nearest."""
    return card_set.cards[card_set.kind(card_id) - 1]


def without_text(card: Card) -> Card:
    """The card with nothing on it but name, speed and whether it can be played."""
    flags = tuple((name, value if name == "playable" else VOCABULARY.flags[name].default) for name, value in card.flags)
    return replace(card, source="own", text="", steps=(), flags=flags)


def has_text(card: Card) -> bool:
    """Whether anything is printed on the card that a blank of its speed has not."""
    return not does_the_same(card, without_text(card))


def blank_beside(card: Card) -> Card:
    """One card without text at the speed of a kind, a kind of its own."""
    flags = tuple((name, VOCABULARY.flags[name].default) for name, _ in card.flags)
    return replace(without_text(card), id=f"{card.id}@blank", name=f"Blank {speed_word(card.speed)}", copies=1, flags=flags)


def blank_alone(card: Card) -> Card:
    """One copy of a kind without its text among others that have theirs; what cannot be played still cannot."""
    return replace(blank_beside(card), flags=without_text(card).flags)


def does_the_same(card: Card, other: Card) -> bool:
    """Whether two cards differ in nothing that matters in play."""
    return (card.speed, card.steps, card.flags) == (other.speed, other.steps, other.flags)


def rival(card: Card) -> Card:
    """The printed kind a card competes with: the other set's at its speed; for a card of one's own the first that differs.

    Raises SetError if no printed set has another kind there.
    """
    first, second = PAIR
    others = {first: [second], second: [first], "flying-garden-recall": [first]}.get(card.symbol, [first, second])
    kinds = [one for name in others for one in printed(name).cards if one.speed == card.speed and not does_the_same(one, card)]
    if not kinds:
        raise SetError(f"The printed sets have no other card than {card.name} at speed {speed_word(card.speed)}.")
    return kinds[0]


def refuse_legacy(card: Card, why: str) -> None:
    """Raise SetError for the Lost Legacy."""
    if card.flag("legacy"):
        raise SetError(f"{card.name} is the Lost Legacy, which {why}.")


# --- sets -------------------------------------------------------------------------------------------------


def exchanged(card_set: CardSet, card: Card, other: Card, step: int) -> Change:
    """`step` copies more of a kind, as many fewer of another one."""
    if card is other:
        raise SetError(f"A copy of {card_set.title(card)} cannot make room for {card_set.title(card)}; name another card.")
    words = f"one {card_set.title(card)} {'more' if step > 0 else 'fewer'}, one {card_set.title(other)} {'fewer' if step > 0 else 'more'}"
    steps = {card.id: step, other.id: -step}
    cards = [replace(one, copies=one.copies + steps.get(one.id, 0)) for one in card_set.cards]
    made = checked(card_set, words, [one for one in cards if one.copies])
    return Change(card_set, made, card.id, card.id if card.copies + step else "", words)


def changed(card_set: CardSet, card: Card, words: str, cards: Sequence[Card]) -> CardSet:
    """The set with these cards in the place of one, so that all others keep their slots."""
    return checked(card_set, words, [new for one in card_set.cards for new in (cards if one is card else [one])])


def checked(card_set: CardSet, words: str, cards: Sequence[Card]) -> CardSet:
    """A set of these cards, read and judged like a card file. Raises SetError."""
    set_id = f"{card_set.id}-{re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')}"
    made = make_set(set_id, f"{card_set.name}, {words}", cards, like=card_set)
    try:
        read = parse_set(made.to_toml(), VOCABULARY, where=made.name)
        check_playable(read, made.name)
    except SetError as error:
        raise SetError(re.sub(r" [(][0-9]+ more: .*", "", str(error))) from None
    return read


CHANGES: dict[str, Callable[..., Change]] = {"one": one, "blank": blank, "swap": swap, "more": more, "fewer": fewer}
