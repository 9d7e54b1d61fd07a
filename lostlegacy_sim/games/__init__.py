"""The games, each in a folder of its own with the same rooms under the same names, or in a package that names it (`registry.py`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from lostlegacy_sim.errors import SetError, nearest
from lostlegacy_sim.registry import BUILT_IN, module_of, modules

if TYPE_CHECKING:
    from lostlegacy_sim.game import Game
    from lostlegacy_sim.sets import Sets

def find_game(name: str) -> Game:
    """The game of that name, imported now. Raises ResultError naming the nearest."""
    game: Game = import_module(module_of(name)).GAME
    return game


def find_sets(name: str) -> Sets:
    """The door to the sets of that game. Raises ResultError naming the nearest."""
    sets: Sets = import_module(module_of(name)).SETS
    return sets


def all_sets() -> list[Sets]:
    """The doors of all games."""
    return [find_sets(name) for name in modules()]


def sets_of(word: str | None, typed: Sequence[str] = ()) -> Sets:
    """The door of the game that a set's word, or an option that was typed, belongs to; else of the first game, which also reads files.

    Raises SetError if the options belong to another game than the word.
    """
    first = find_sets(BUILT_IN[0])
    if word in first.words and not typed:
        return first  # the usual case looks at no package
    doors = all_sets()
    of_word = next((sets for sets in doors if word in sets.words), None)
    for option in typed:
        owner = next(sets for sets in doors if option in {known.name for known in sets.options})
        if of_word is not None and of_word is not owner:
            raise SetError(f"--{option} chooses among the sets of {owner.title}, and {word} is a set of {of_word.title}; drop --{option}.")
        of_word = owner
    if of_word is None and word is not None and not is_path(word):
        words = [known for sets in doors for known in sets.words]
        raise SetError(f"There is no set '{word}'.{nearest(word, words)} A card file is named by its path, such as my.toml.")
    return of_word or first


def is_path(word: str) -> bool:
    """Whether a word for a set is the path of a card file."""
    return "/" in word or os.sep in word or word.endswith(".toml") or os.path.exists(word)
