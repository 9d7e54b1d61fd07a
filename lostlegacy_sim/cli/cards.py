"""`llsim cards`: the sets there are, the cards of one, and a card file to start an own set from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import narrate, print_json, print_rows, print_toml, say
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.games import all_sets
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.sets import Chosen, GameSet, Sets

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
def cards(word: str | None, as_toml: bool, as_json: bool, chosen: Chosen, seed: int, quiet: bool) -> None:
    """Show the cards of SET: a set's word or a card file. Without SET: all sets."""
    if as_toml and as_json:
        raise UsageError("--toml and --json print the cards in two ways; choose one.")
    if word is None and not (as_toml or chosen):
        print_json(sets_document()) if as_json else print_sets(quiet)
        return
    sets, game_set = options.chosen_set(word, chosen, seed)
    if as_toml:
        print_toml(f"# {game_set.name}. Change a card, then: llsim validate my.toml\n{game_set.to_toml()}")
    elif as_json:
        print_json({"schema": "llsim.cards/1", **sets.document(game_set)})
    else:
        print_set(sets, game_set, word, quiet)


def print_sets(quiet: bool) -> None:
    """One line a set."""
    rows = []
    for sets in all_sets():
        for word in sets.words:
            n_cards, players, about = sets.listed(word)
            rows.append(([word, n_cards, players], about))
    print_rows(["set", "cards", "players"], rows)
    if not quiet:
        say(["", "Next: llsim cards starship · llsim cards starship --toml > my.toml"])


def print_set(sets: Sets, game_set: GameSet, word: str | None, quiet: bool) -> None:
    """The table of a set's cards and what is to be known about them."""
    facts, contents, numbers = sets.facts(game_set), sets.contents(game_set), sets.seats(game_set)
    players = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
    narrate([f"{game_set.name} · {facts.size} · {players} players", ""])
    print_rows(list(contents.headings), [(list(cells), text) for cells, text in contents.rows])
    if quiet:
        return
    if facts.reconstructed:
        narrate(["", f"Reconstructed, without a public source: {', '.join(facts.reconstructed)}."])
    if facts.contents and facts.again:
        say(["", "This mix again:", f"  {facts.again}"])
    elif word in sets.printed:
        say(["", f"Next: llsim cards {word} --toml > my.toml · llsim validate my.toml"])
    elif word not in sets.words and word is not None:
        say(["", f"Next: {command_line('llsim', 'validate', Path(word))}"])


def sets_document() -> dict[str, Any]:
    """All sets as JSON, schema llsim.sets/1; words that draw a set are left out."""
    rows = []
    for sets in all_sets():
        drawn = {option.word for option in sets.options if option.many}
        rows += [{"set": word, **sets.document(sets.choose(word, {}, 1))["set"]} for word in sets.words if word not in drawn]
    return {"schema": "llsim.sets/1", "sets": rows}
