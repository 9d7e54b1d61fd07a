"""Tiny decks: printed cards by their ids, and the decks that are solved for the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from lostlegacy_sim.cardset import Card, CardSet, make_set
from lostlegacy_sim.errors import SetError, nearest
from lostlegacy_sim.games.lost_legacy.cards.composition import PRINTED, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import check_playable

DECKS = {
    "five": "shadow_thief general the_starship search assault",
    "traps": "general the_starship search assault sneak_attack sneak_attack",
    "hunt": "sister_of_fate swordsman the_starship search assault sneak_attack sneak_attack",
    "small starship": "the_starship ancient_map search search assault assault sneak_attack sneak_attack",
    "garden": "saint necromancer the_flying_garden curse wound wound",
    "rows": "saint necromancer the_flying_garden false_information expedition wound wound",
}


def deck_of(ids: Sequence[str], name: str = "A deck of one's own") -> CardSet:
    """A deck of printed cards, one for every id; ids may be repeated. Raises SetError for a deck nobody can play."""
    cards = printed_cards()
    for card_id in ids:
        if card_id not in cards:
            raise SetError(f"There is no printed card '{card_id}'.{nearest(card_id, cards)}")
    kinds = [replace(cards[card_id], copies=list(ids).count(card_id)) for card_id in dict.fromkeys(ids)]
    card_set = make_set("deck", name, kinds, like=printed(PRINTED[0]))
    check_playable(card_set, name)
    return card_set


@cache
def printed_cards() -> dict[str, Card]:
    """All printed kinds by id."""
    return {card.id: card for name in PRINTED for card in printed(name).cards}
