"""`llsim cards`: the sets there are, the cards of one, and a card file to start an own set from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lostlegacy_sim.cardset import Card, CardSet
from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import narrate, print_json, print_rows, print_toml, say
from lostlegacy_sim.errors import SetError, UsageError
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.vocabulary import X, speed_word
from lostlegacy_sim.letters import command_line

EXAMPLES = (
    ("llsim cards", "which sets there are"),
    ("llsim cards starship", "every card of the Starship, with its text"),
    ("llsim cards starship --toml > my.toml", "a card file to start your own from"),
    ("llsim cards --pick 1=starship,6=flying-garden", "a custom set; the seed draws the rest"),
)


@command("cards", EXAMPLES)
@click.argument("word", metavar="[SET]", required=False)
@click.option("--toml", "as_toml", is_flag=True, help="Print a card file that reads back as the same set.")
@options.as_json
@options.set_choice
@options.seed
@options.quiet
def cards(word: str | None, as_toml: bool, as_json: bool, picks: Sequence[str], keep: str | None, seed: int, quiet: bool) -> None:
    """Show the cards of SET: a set's word or a card file. Without SET: all sets."""
    if as_toml and as_json:
        raise UsageError("--toml and --json print the cards in two ways; choose one.")
    if word is None and not (as_toml or picks or keep):
        print_json(sets_document()) if as_json else print_sets(quiet)
        return
    card_set = options.chosen_set(word, picks, keep, seed)
    if as_toml:
        print_toml(f"# {card_set.name}. Change a card, then: llsim validate my.toml\n{card_set.to_toml()}")
    elif as_json:
        print_json(set_document(card_set))
    else:
        print_set(card_set, word, quiet)


def players_words(card_set: CardSet) -> str:
    """The numbers of players of a set: "2-4"."""
    numbers = seats(card_set)
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def reconstructed(card_set: CardSet) -> list[str]:
    """The names of the kinds whose text has no public source."""
    return [card_set.title(card) for card in card_set.cards if card.source == "reconstruction"]


def print_sets(quiet: bool) -> None:
    """One line a set."""
    rows = []
    for word in composition.SET_WORDS:
        if word == "custom":
            rows.append(([word, "16", "2-4"], "One of 512 mixes: at each speed the cards of one of two sets (--pick, --seed)"))
            continue
        card_set = composition.load_set(word)
        own = reconstructed(card_set)
        about = f"{len(own)} of {len(card_set.cards)} kinds reconstructed" if own else "complete and sourced"
        rows.append(([word, str(card_set.n_cards), players_words(card_set)], f"{card_set.name}: {about}"))
    print_rows(["set", "cards", "players"], rows)
    if not quiet:
        say(["", "Next: llsim cards starship · llsim cards starship --toml > my.toml"])


def print_set(card_set: CardSet, word: str | None, quiet: bool) -> None:
    """The table of a set's cards and what is to be known about them."""
    mixed = len({card.symbol for card in card_set.cards}) > 1
    headings = ["speed", "card", "copies", "when", "source", *(["from"] if mixed else [])]
    rows = []
    for card in card_set.cards:
        row = [speed_word(card.speed), card_set.title(card), str(card.copies), when(card), card.source]
        rows.append((row + ([card.symbol] if mixed else []), card.text))
    title = f"{card_set.name} · {card_set.n_cards} cards, {len(card_set.cards)} kinds · {players_words(card_set)} players"
    narrate([title, ""])
    print_rows(headings, rows)
    if quiet:
        return
    own = reconstructed(card_set)
    if own:
        narrate(["", f"Reconstructed, without a public source: {', '.join(own)}."])
    line = pick_line(card_set) if mixed else None
    if line:
        say(["", "This mix again:", f"  --set custom --pick {line}"])
    elif word in composition.PRINTED:
        say(["", f"Next: llsim cards {word} --toml > my.toml · llsim validate my.toml"])
    elif word not in composition.SET_WORDS and word is not None:
        say(["", f"Next: {command_line('llsim', 'validate', Path(word))}"])


def pick_line(card_set: CardSet) -> str | None:
    """The --pick words of a mix; None for any other set."""
    try:
        return composition.pick_line(card_set)
    except SetError:
        return None


def when(card: Card) -> str:
    """When a card does something: its triggers."""
    words = [trigger for trigger, _ in card.steps]
    return ", ".join(words if card.flag("playable") else ["not playable", *words]) or "-"


def set_document(card_set: CardSet) -> dict[str, Any]:
    """A set as JSON, schema llsim.cards/1."""
    return {
        "schema": "llsim.cards/1",
        "set": set_facts(card_set),
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


def set_facts(card_set: CardSet) -> dict[str, Any]:
    """What identifies a set, and who can play it."""
    return {
        "id": card_set.id, "name": card_set.name, "hash": card_set.hash, "n_cards": card_set.n_cards,
        "n_kinds": len(card_set.cards), "players": list(seats(card_set)), "rules": dict(card_set.rules),
    }  # fmt: skip


def sets_document() -> dict[str, Any]:
    """All sets as JSON, schema llsim.sets/1; "custom" stands for the mixes."""
    words = [word for word in composition.SET_WORDS if word != "custom"]
    return {"schema": "llsim.sets/1", "sets": [{"set": word, **set_facts(composition.load_set(word))} for word in words]}
