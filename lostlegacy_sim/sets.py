"""Sets: what every floor knows of a set of any game, and the door through which a game hands its sets out.

A door is light: behind it lie cards and words, no kernel. So sets can be named, listed and refused before anything is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

Chosen: TypeAlias = Mapping[str, Sequence[str]]  # the options of a game's own that were typed: name -> what they said


class GameSet(Protocol):
    """What is played with, in one game."""

    @property
    def game(self) -> str:
        """The game, as it stands in an Experiment."""

    @property
    def id(self) -> str:
        """The name of programs: "starship"."""

    @property
    def name(self) -> str:
        """The name of people: "The Starship"."""

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical text: what a result is tied to."""

    def to_toml(self) -> str:
        """The canonical text, which the game's door reads back."""


@dataclass(frozen=True)
class SetOption:
    """An option of the command line that chooses among the sets of one game: `--name METAVAR`."""

    name: str
    metavar: str
    meaning: str
    word: str  # the word for the sets it belongs to
    many: bool = False  # it may be given several times


@dataclass(frozen=True)
class Contents:
    """What a set consists of, as a table: headings, and rows of cells with the text that belongs to each."""

    headings: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True)
class Facts:
    """What is to be said of a set besides its name."""

    size: str = ""  # "16 cards, 9 kinds"
    reconstructed: tuple[str, ...] = ()  # the names of kinds whose text has no public source
    again: str | None = None  # the options that draw the same set again
    contents: tuple[str, ...] = ()  # what a set that was drawn consists of, to be read once
    more: Mapping[str, Any] = field(default_factory=dict)  # what programs are told besides


@dataclass(frozen=True)
class Sets:
    """The door. Functions that are given a set are given one of this game."""

    game: str  # as it stands in an Experiment
    title: str  # as people write it
    players: tuple[int, int]  # fewest and most of any set
    words: tuple[str, ...]  # of the command line; the first one is meant where none is typed
    printed: tuple[str, ...]  # of them, those that are sets of their own, the same in every run
    options: tuple[SetOption, ...]
    choose: Callable[[str, Chosen, int], Any]  # (a word or a path, options, seed) -> a playable set; raises SetError or UsageError
    parse: Callable[[str, str], Any]  # (a canonical text, what it is called in sentences) -> the set; raises SetError
    seats: Callable[[Any], tuple[int, ...]]  # the numbers of players of a set
    check_seats: Callable[[Any, int], None]  # raises SetError if so many cannot play a set
    facts: Callable[[Any], Facts]
    contents: Callable[[Any], Contents]
    document: Callable[[Any], dict[str, Any]]  # all of it for programs
    listed: Callable[[str], tuple[str, str, str]]  # one of the words -> cards in it, players, a few words about it
    named: Callable[[str], Sequence[str] | None]  # a canonical text -> the options that name its set anywhere; None if it comes from a file
