"""Families of sets that keep or break the guidelines, each in one way, made from the same legal mixes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, product

from lostlegacy_sim.cardset import Card, CardSet, make_set
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, all_mixes, mix, printed
from lostlegacy_sim.games.lost_legacy.cards.guidelines import check_guidelines
from lostlegacy_sim.games.lost_legacy.cards.playability import problems
from lostlegacy_sim.games.lost_legacy.vocabulary import X, speed_word

UNIQUE = (1, 2, 3, 4, 5)  # speeds with one card
SEVERAL = (6, 7, 8, X)  # speeds with several copies
LEGAL = "legal"

GUIDELINES = {
    "G1": "16 cards",
    "G2": "one card at each speed 1 to 5",
    "G3": "2 cards at speed 6, 3 each at 7, 8 and X",
    "G4": "at each of the speeds 6, 7, 8 and X all copies from one set",
    "G5": "cards of two sets at most",
}

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Family:
    """Sets that break the same guidelines in the same way. Member i comes from the legal mix number `bases[i]`."""

    name: str
    about: str
    breaks: tuple[str, ...]  # guidelines
    members: tuple[CardSet, ...]
    bases: tuple[int, ...]  # () if the members are not made from the legal mixes


@dataclass(frozen=True)
class Break:
    """A way to break guidelines: what it makes of a mix, in all its variants."""

    name: str
    about: str
    breaks: tuple[str, ...]
    variants: Callable[[CardSet], Iterator[Cards]]


def guideline_families(n_members: int, seed: int) -> tuple[tuple[CardSet, ...], list[Family]]:
    """Legal mixes drawn by the seed, and the families made from them: one member a mix, its variant drawn by the seed.

    Mixes 0 and 1, 2 and 3, ... are each other's mirror images. So every card of either set is there as
    often as its counterpart, and what a family does is not mistaken for what a card does.
    """
    legal = drawn_mixes(n_members, seed)
    families = [family_of(way, legal, seed) for way in ways()]
    both = tuple(printed(name) for name in PAIR)
    return legal, [*families, Family("one-set", "cards of one set only: the two printed sets", (), both, ())]


def drawn_mixes(n_mixes: int, seed: int) -> tuple[CardSet, ...]:
    """Different legal mixes with their mirror images, every pair with the same chance; the printed sets are not among them."""
    half = [mix for mix in all_mixes() if mix.id not in PAIR and mix.cards[0].symbol == PAIR[0]]
    drawn = sorted(half, key=lambda mix: draw(seed, LEGAL, mix.id))[: -(-n_mixes // 2)]
    return tuple(one for mix in drawn for one in (mix, mirror(mix)))


def mirror(of: CardSet) -> CardSet:
    """The mix that has the other set's cards at every speed."""
    return mix({card.speed: PAIR[1] if card.symbol == PAIR[0] else PAIR[0] for card in of.cards})


def draw(seed: int, *words: str) -> bytes:
    """A draw that depends on the seed and these words alone."""
    return hashlib.sha256(" ".join([str(seed), *words]).encode()).digest()


def family_of(way: Break, legal: Sequence[CardSet], seed: int) -> Family:
    """One playable variant of each mix that has one."""
    members, bases = [], []
    for number, base in enumerate(legal):
        variants = [variant for cards in way.variants(base) if (variant := variant_of(base, cards, way)) is not None]
        if variants:
            members.append(min(variants, key=lambda variant: draw(seed, way.name, variant.hash)))
            bases.append(number)
    return Family(way.name, way.about, way.breaks, tuple(members), tuple(bases))


def variant_of(base: CardSet, cards: Cards, way: Break) -> CardSet | None:
    """The set of these cards, if it can be played and breaks what it should and nothing else."""
    made = make_set(f"{base.id}-{way.name}", f"{base.name}, {way.about}", cards, like=base)
    broken = tuple(finding.guideline for finding in check_guidelines(made) if not finding.holds)
    return made if broken == way.breaks and not problems(made, made.name) else None


# --- the ways -------------------------------------------------------------------------------------------


def ways() -> Iterator[Break]:
    """All ways, guideline by guideline."""
    for n_cards in (14, 15, 17, 18):
        yield Break(f"{n_cards}-cards", f"{n_cards} cards: {size_words(n_cards)}", ("G1", "G3"), resized(n_cards - 16))
    yield Break("empty-speed", "a speed of 1 to 4 empty, 2 cards at another", ("G2",), moved_unique)
    yield Break("empty-speed-15", "a speed of 1 to 4 empty: 15 cards", ("G1", "G2"), without_unique)
    yield Break("two-at-speed-17", "2 cards at a speed of 1 to 4: 17 cards", ("G1", "G2"), with_second_unique)
    yield Break("fourth-copy", "one copy more at 6, 7, 8 or X, one fewer at another", ("G3",), moved_copy)
    yield Break("missing-speed", "no card at 6, 7, 8 or X, more at the others", ("G3",), without_speed)
    for speed in SEVERAL:
        yield Break(f"mixed-{speed_word(speed).lower()}", f"both sets' cards at speed {speed_word(speed)}", ("G4",), mixed(speed))


def size_words(n_cards: int) -> str:
    """What makes the size, in words."""
    number = abs(n_cards - 16)
    return f"{'one copy' if number == 1 else 'two copies'} {'more' if n_cards > 16 else 'fewer'} at 6, 7, 8 or X"


def other_kind(card: Card) -> Card:
    """The other printed set's card at the same speed."""
    other = PAIR[1] if card.symbol == PAIR[0] else PAIR[0]
    return next(found for found in printed(other).cards if found.speed == card.speed)


def changed(base: CardSet, copies: dict[int, int]) -> Cards:
    """The cards of a mix with so many copies more or fewer at some speeds; none where none are left."""
    cards = [replace(card, copies=card.copies + copies.get(card.speed, 0)) for card in base.cards]
    return tuple(card for card in cards if card.copies > 0)


def resized(change: int) -> Callable[[CardSet], Iterator[Cards]]:
    """So many copies more or fewer, at speeds with several."""

    def variants(base: CardSet) -> Iterator[Cards]:
        step = 1 if change > 0 else -1
        for speeds in combinations_with_replacement(SEVERAL, abs(change)):
            cards = changed(base, {speed: step * speeds.count(speed) for speed in speeds})
            if len(cards) == len(base.cards):
                yield cards

    return variants


def uniques(base: CardSet) -> list[Card]:
    """The cards at the speeds with one card, but for the Lost Legacy."""
    return [card for card in base.cards if card.speed in UNIQUE and not card.flag("legacy")]


def without_unique(base: CardSet) -> Iterator[Cards]:
    """One of them taken out."""
    for gone in uniques(base):
        yield tuple(card for card in base.cards if card is not gone)


def with_second_unique(base: CardSet) -> Iterator[Cards]:
    """A second card at one of their speeds: a copy, or the other set's card."""
    for twice in uniques(base):
        yield changed(base, {twice.speed: 1})
        yield (*base.cards, other_kind(twice))


def moved_unique(base: CardSet) -> Iterator[Cards]:
    """Both: one taken out, another there twice."""
    for gone, twice in product(uniques(base), repeat=2):
        if gone is not twice:
            yield changed(base, {gone.speed: -1, twice.speed: 1})
            yield (*(card for card in base.cards if card is not gone), other_kind(twice))


def moved_copy(base: CardSet) -> Iterator[Cards]:
    """One copy more at a speed with several, one fewer at another."""
    for more, fewer in product(SEVERAL, repeat=2):
        if more != fewer:
            yield changed(base, {more: 1, fewer: -1})


def without_speed(base: CardSet) -> Iterator[Cards]:
    """A speed with several copies left empty, its copies spread over the others."""
    for gone in base.cards:
        others = [speed for speed in SEVERAL if speed != gone.speed]
        if gone.speed in SEVERAL:
            for speeds in combinations(others, gone.copies):
                yield changed(base, {gone.speed: -gone.copies, **dict.fromkeys(speeds, 1)})


def mixed(speed: int) -> Callable[[CardSet], Iterator[Cards]]:
    """Some copies at a speed from one set, the others from the other set."""

    def variants(base: CardSet) -> Iterator[Cards]:
        (card,) = (card for card in base.cards if card.speed == speed)
        for copies in range(1, card.copies):
            yield (*changed(base, {speed: -copies}), replace(other_kind(card), copies=copies))

    return variants
