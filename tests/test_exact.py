"""Tiny decks: the kernel's rates lie around the exact probabilities of the reference, and outside those of wrong rules."""

from collections.abc import Generator, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from counting import count, outside
from situations import printed_cards

from lostlegacy_sim.cardset import CardSet, make_set
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.enumeration import Outcomes, enumerate_deals
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Outcome, Table
from lostlegacy_sim.games.lost_legacy.vocabulary import NOBODY, WAY_FOUND, WAY_LAST, WAY_NOBODY

DEALS = 300_000
DECKS = {
    "Starship, exchanges": ("search general assault shadow_thief the_starship ancient_map", 2),
    "Starship, traps": ("sister_of_fate swordsman sneak_attack assault the_starship search", 3),
    "Garden, rows": ("necromancer false_information wound wound saint the_flying_garden", 2),
    "Garden, looks": ("guardian curse prophet expedition saint the_flying_garden", 2),
    "both sets": ("recall general sneak_attack saint guardian the_starship", 3),
}


def deck(ids: str, **changes: Any) -> CardSet:
    """A set of printed cards, given by their ids; `changes` are other flags, by card."""
    names = ids.split()
    cards = [replace(printed_cards()[name], copies=names.count(name)) for name in dict.fromkeys(names)]
    cards = [replace(card, flags=tuple({**dict(card.flags), **changes.get(card.id, {})}.items())) for card in cards]
    return make_set("tiny", "Tiny", cards, like=printed("starship"))


def too_far(card_set: CardSet, n_seats: int, exact: Outcomes) -> list[str]:
    """The rates of the kernel that do not fit these exact ones: ways and winners, speeds, lengths."""
    totals = count(card_set, n_seats, DEALS)
    assert totals["deals"] == DEALS
    return [name for name, found, expected in rates(totals, exact, n_seats) if outside(found, DEALS, float(expected))]


def rates(totals: Any, exact: Outcomes, n_seats: int) -> Iterator[tuple[str, int, Fraction]]:
    def share(**wanted: int) -> Fraction:
        fits = (all(getattr(outcome, name) == value for name, value in wanted.items()) for outcome in exact)
        return sum((chance for chance, fit in zip(exact.values(), fits, strict=True) if fit), Fraction(0))

    yield "nobody", int(totals["nobody"]), share(way=WAY_NOBODY)
    for way in range(WAY_LAST, WAY_FOUND + 1):
        for seat in range(n_seats):
            yield f"way {way} seat {seat}", int(totals["won"][way - WAY_LAST, 0, seat]), share(way=way, winner=seat)
    for speed in range(1, 9):
        yield f"found at {speed}", int(totals["found_speed"][speed]), share(way=WAY_FOUND, speed=speed)
    for turns in range(20):
        yield f"{turns} turns", int(totals["length"][turns]), share(turns=turns)


@pytest.mark.parametrize(("ids", "n_seats"), DECKS.values(), ids=DECKS)
def test_the_kernel_counts_what_is_exact(ids: str, n_seats: int) -> None:
    exact = enumerate_deals(deck(ids), n_seats)
    assert sum(exact.values()) == 1
    assert too_far(deck(ids), n_seats, exact) == []


# --- wrong rules lie outside ------------------------------------------------------------------------------


def test_a_saint_that_acts_from_the_hand_lies_outside() -> None:
    """L25, the other reading."""
    ids, n_seats = DECKS["Garden, looks"]
    other = deck(ids, saint={"from_hand": True})
    assert other != deck(ids)
    assert too_far(deck(ids), n_seats, enumerate_deals(other, n_seats)) != []
    assert too_far(other, n_seats, enumerate_deals(other, n_seats)) == []


def test_an_investigation_in_which_nobody_reveals_the_own_hand_lies_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, n_seats = DECKS["Starship, exchanges"]
    ask = Table.ask

    def ask_for_others(table: Table, what: int, options: Any, kind: int = 0) -> Generator[Any, Any, int]:
        if table.called:
            options = [place for place in options if place != table.seat]
        return (yield from ask(table, what, options, kind))

    monkeypatch.setattr(Table, "ask", ask_for_others)
    assert too_far(deck(ids), n_seats, enumerate_deals(deck(ids), n_seats)) != []


def test_a_last_seat_that_must_still_find_the_legacy_lies_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, n_seats = DECKS["Starship, traps"]

    def nobody_wins(table: Table) -> None:
        if sum(table.in_game) < 2:
            table.outcome = Outcome(WAY_NOBODY, NOBODY, 0, table.turn)

    monkeypatch.setattr(Table, "last_one", nobody_wins)
    assert too_far(deck(ids), n_seats, enumerate_deals(deck(ids), n_seats)) != []
