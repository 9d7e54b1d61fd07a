"""The five guidelines for a set of cards, each checked, with how to mend what breaks it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.vocabulary import X, speed_word

N_CARDS = 16
COPIES = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 3, 8: 3, X: 3}  # cards at each speed
N_SETS = 2


@dataclass(frozen=True)
class Finding:
    """What was found about one guideline: a sentence about the set, and how to mend it ("" if it holds)."""

    guideline: str  # "G1" .. "G5"
    holds: bool
    there: str
    mend: str


def check_guidelines(card_set: CardSet) -> list[Finding]:
    """The findings on G1-G5, in this order (rules 5.3)."""
    return [
        _number_of_cards(card_set),
        _cards_at_speeds("G2", card_set, range(1, 6), "exactly 1 card at each of the speeds 1 to 5"),
        _cards_at_speeds("G3", card_set, (6, 7, 8, X), "2 cards at speed 6 and 3 each at 7, 8 and X"),
        _unmixed_speeds(card_set),
        _number_of_sets(card_set),
    ]


def in_words(words: list[str]) -> str:
    """A list as people write it: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def some_cards(number: int) -> str:
    """ "no card", "1 card", "2 cards"."""
    return {0: "no card", 1: "1 card"}.get(number, f"{number} cards")


def _number_of_cards(card_set: CardSet) -> Finding:
    n_cards = card_set.n_cards
    if n_cards == N_CARDS:
        return Finding("G1", True, f"{n_cards} cards", "")
    change = "add" if n_cards < N_CARDS else "take out"
    return Finding("G1", False, f"{some_cards(n_cards)} instead of {N_CARDS}", f"{change} {some_cards(abs(n_cards - N_CARDS))}")


def _cards_at_speeds(guideline: str, card_set: CardSet, speeds: range | tuple[int, ...], wanted: str) -> Finding:
    there: Counter[int] = Counter()
    for card in card_set.cards:
        there[card.speed] += card.copies
    wrong = [speed for speed in speeds if there[speed] != COPIES[speed]]
    if not wrong:
        return Finding(guideline, True, wanted, "")
    said = [f"{some_cards(there[speed])} at speed {speed_word(speed)}" for speed in wrong]
    mend = [f"{COPIES[speed]} at speed {speed_word(speed)}" for speed in wrong]
    return Finding(guideline, False, in_words(said), f"make it {in_words(mend)}")


def _unmixed_speeds(card_set: CardSet) -> Finding:
    mixed = []
    for speed in (6, 7, 8, X):
        symbols = dict.fromkeys(card.symbol for card in card_set.cards if card.speed == speed)
        if len(symbols) > 1:
            mixed.append((speed_word(speed), in_words(list(symbols))))
    if not mixed:
        return Finding("G4", True, "at each of the speeds 6, 7, 8 and X all copies come from one set", "")
    there = "; ".join(f"speed {speed} mixes {symbols}" for speed, symbols in mixed)
    return Finding("G4", False, there, f"take all copies at speed {in_words([speed for speed, _ in mixed])} from one set")


def _number_of_sets(card_set: CardSet) -> Finding:
    symbols = sorted({card.symbol for card in card_set.cards})
    if len(symbols) <= N_SETS:
        return Finding("G5", True, f"the cards come from {in_words(symbols)}", "")
    return Finding("G5", False, f"the cards come from {len(symbols)} sets: {in_words(symbols)}",
                   f"take all cards from at most {N_SETS} sets")  # fmt: skip
