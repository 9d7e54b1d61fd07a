"""Bots and kinds with the same short name are told apart."""

from dataclasses import replace

import pytest

from lostlegacy_sim.cardset import make_set
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.studies.card_trials import find_card


def test_a_name_that_means_two_cards_is_refused():
    cards = [replace(card, name="Search") if card.id == "assault" else card for card in printed("starship").cards]
    card_set = make_set("own", "Own", cards, like=printed("starship"))
    with pytest.raises(UsageError, match="^Own has 2 cards 'Search'; name one by its id: search, assault.$"):
        find_card(card_set, "Search")
    assert [find_card(card_set, word) for word in ("search", "assault", "sneak attack", "Sneak-Attack")] == ["search", "assault", "sneak_attack", "sneak_attack"]
