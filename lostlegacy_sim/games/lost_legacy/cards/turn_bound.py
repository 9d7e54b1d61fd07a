"""Turn bound: how many turns a deal of a set has at most (L32): what was never seen may lengthen a deal no further."""

from __future__ import annotations

from functools import lru_cache

from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.errors import SetError
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_CARDS, TURNS_PER_CARD, VOCABULARY

KEPT = 1024  # sets, so that each is read once


@lru_cache(KEPT)
def turn_bound(set_text: str) -> int:
    """Of the set of a card file; of one that this version cannot read, that of the largest set."""
    try:
        return most_turns(parse_set(set_text, VOCABULARY, where="turn bound"))
    except SetError:
        return TURNS_PER_CARD * MAX_CARDS


def most_turns(card_set: CardSet) -> int:
    """N - 3 with N cards, if the deck is never refilled; else deals are void beyond 8 N.

    Cards of the deck and seats in the game start at N - 1 together, and a turn needs 3 of them. Every turn draws a card. A card that
    goes back to the deck when its owner is eliminated from the hand costs a seat, and a seat that is back costs a card.
    """
    return TURNS_PER_CARD * card_set.n_cards if is_refilled(card_set) else max(card_set.n_cards - 3, 1)


def is_refilled(card_set: CardSet) -> bool:
    """Whether a card can go into the deck without costing a seat."""
    return any(
        step.do == "move" and step["to"] == "deck" and (trigger != "eliminated" or card.flag("into_row") != "refused")
        for card in card_set.cards for trigger, steps in card.steps for step in steps
    )  # fmt: skip
