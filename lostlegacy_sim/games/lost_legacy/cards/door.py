"""SETS: what the rest of the house knows of the sets of Lost Legacy."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from lostlegacy_sim.cardset import Card, CardSet, parse_set
from lostlegacy_sim.errors import SetError, UsageError
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.games.lost_legacy.cards.playability import MIN_SEATS, SMALL_SEATS, SMALL_SET, check_seats, seats
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_SEATS, VOCABULARY, X, speed_word
from lostlegacy_sim.sets import Chosen, Contents, Facts, SetOption, Sets

OPTIONS = (
    SetOption("pick", "SPEED=SET", "Custom set: where a speed comes from: 1=starship,X=flying-garden.", "custom", many=True),
    SetOption("keep", "SET", "Megamix: the set whose Lost Legacy stays in (starship).", "megamix"),
)


def choose(word: str, chosen: Chosen, seed: int) -> CardSet:
    """The playable set of a word or a card file, and of these options. Raises SetError or UsageError."""
    keep = "".join(chosen.get("keep", ())) or None
    if keep and word != "megamix":
        raise UsageError(f"--keep chooses the Lost Legacy of Megamix; write --set megamix, not --set {word}.")
    picks = composition.parse_picks(",".join(chosen.get("pick", ())))
    return composition.load_set(word, picks, seed, keep or composition.PAIR[0])


def parse(text: str, where: str) -> CardSet:
    """The set of a card file's text. Raises SetError naming `where`."""
    return parse_set(text, VOCABULARY, where=where)


def facts(card_set: CardSet) -> Facts:
    """What is to be said of a set."""
    line = pick_line(card_set)
    is_drawn = card_set.id.startswith("mix-")
    return Facts(
        f"{card_set.n_cards} cards, {len(card_set.cards)} kinds",
        reconstructed(card_set),
        f"--set custom --pick {line}" if line is not None else None,
        tuple(f"{speed_word(card.speed)} {card_set.title(card)}" for card in card_set.cards) if is_drawn else (),
        {"pick": line},
    )


def reconstructed(card_set: CardSet) -> tuple[str, ...]:
    """The names of the kinds whose text has no public source."""
    return tuple(card_set.title(card) for card in card_set.cards if card.source == "reconstruction")


def contents(card_set: CardSet) -> Contents:
    """Every kind with its text."""
    is_mixed = len({card.symbol for card in card_set.cards}) > 1
    rows = []
    for card in card_set.cards:
        row = (speed_word(card.speed), card_set.title(card), str(card.copies), when(card), card.source)
        rows.append((row + ((card.symbol,) if is_mixed else ()), card.text))
    return Contents(("speed", "card", "copies", "when", "source", *(("from",) if is_mixed else ())), tuple(rows))


def when(card: Card) -> str:
    """When a card does something: its triggers."""
    words = [trigger for trigger, _ in card.steps]
    return ", ".join(words if card.flag("playable") else ["not playable", *words]) or "-"


def document(card_set: CardSet) -> dict[str, Any]:
    """A set for programs."""
    return {
        "set": identified(card_set),
        "reconstructed": [card.id for card in card_set.cards if card.source == "reconstruction"],
        "pick": pick_line(card_set),
        "cards": [
            {
                "kind": kind, "id": card.id, "name": card.name, "speed": "X" if card.speed == X else card.speed,
                "copies": card.copies, "source": card.source, "text": card.text, "symbol": card.symbol, **dict(card.flags),
                "effects": {trigger: [{"do": step.do, **dict(step.words)} for step in steps] for trigger, steps in card.steps},
            }
            for kind, card in enumerate(card_set.cards, 1)
        ],
    }  # fmt: skip


def identified(card_set: CardSet) -> dict[str, Any]:
    """What identifies a set, and who can play it."""
    return {
        "id": card_set.id, "name": card_set.name, "hash": card_set.hash, "n_cards": card_set.n_cards,
        "n_kinds": len(card_set.cards), "players": list(seats(card_set)), "rules": dict(card_set.rules),
    }  # fmt: skip


def listed(word: str) -> tuple[str, str, str]:
    """A line of the list of sets."""
    if word == "custom":
        return str(SMALL_SET), f"{MIN_SEATS}-{SMALL_SEATS}", "One of 512 mixes: at each speed the cards of one of two sets (--pick, --seed)"
    card_set = composition.load_set(word)
    own, numbers = reconstructed(card_set), seats(card_set)
    about = f"{len(own)} of {len(card_set.cards)} kinds reconstructed" if own else "complete and sourced"
    return str(card_set.n_cards), f"{numbers[0]}-{numbers[-1]}", f"{card_set.name}: {about}"


def pick_line(card_set: CardSet) -> str | None:
    """The --pick words of a mix; None for any other set."""
    try:
        return composition.pick_line(card_set)
    except SetError:
        return None


def named(text: str) -> Sequence[str] | None:
    """The options that name the set of a canonical text; None if its cards come from a file."""
    pair = composition.PAIR
    for name in composition.PRINTED:
        if composition.printed(name).to_toml() == text:
            return ["--set", name]
    for keep in pair:
        if composition.megamix(composition.printed(pair[0]), composition.printed(pair[1]), keep).to_toml() == text:
            return ["--set", "megamix", *(["--keep", keep] if keep != pair[0] else [])]
    with suppress(SetError):
        return ["--set", "custom", "--pick", composition.pick_line(parse(text, "a set"))]
    return None


SETS = Sets(
    game="lost_legacy",
    title="Lost Legacy",
    players=(MIN_SEATS, MAX_SEATS),
    words=composition.SET_WORDS,
    printed=composition.PRINTED,
    options=OPTIONS,
    choose=choose,
    parse=parse,
    seats=seats,
    check_seats=check_seats,
    facts=facts,
    contents=contents,
    document=document,
    listed=listed,
    named=named,
)
