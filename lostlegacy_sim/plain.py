"""Plain: data that somebody else may have written, read through one door: of the right kind and within its limits, or a sentence.

A file of JSON is parsed by `parse`, which refuses what no file of this program holds; then every value is asked for by its name
and its `Kind`, so that nothing of another kind, too long or too large is ever worked with, or shown.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lostlegacy_sim.errors import ResultError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")

MOST_WHOLE = 2**62
MOST_DIGITS = 24  # of a whole number; more are no number of ours
MOST_DEPTH = 16  # tables and lists inside each other
MOST_TEXT = 5000  # characters on a line; the path of a bot may take 4096
MOST_LINES = 1_000_000  # characters of a card file
# Control characters, ends of lines that are none to a terminal, and halves of characters.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # the same in a text of several lines


def one_line(text: str) -> str:
    """A text that `line` reads: on one line, without control characters."""
    return CONTROL.sub("?", text)[:MOST_TEXT]


def on_lines(data: Any) -> Any:
    """Plain data with every text in it on one line."""
    if isinstance(data, str):
        return one_line(data)
    if isinstance(data, Mapping):
        return {one_line(name): on_lines(value) for name, value in data.items()}
    return [on_lines(value) for value in data] if isinstance(data, list | tuple) else data


# --- parsing --------------------------------------------------------------------------------------------


def parse(data: bytes) -> Any:
    """JSON without duplicates, control characters, numbers that are none, and nesting without end. Raises ValueError."""
    try:
        found = json.loads(data.decode("utf-8-sig"), object_pairs_hook=table_of, parse_float=finite, parse_int=short, parse_constant=no_number)
        check(found, MOST_DEPTH)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return found


def unparse(data: Mapping[str, Any]) -> bytes:
    """The JSON of a table, such as `parse` reads. Raises ValueError for what it would refuse."""
    check(data, MOST_DEPTH)
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False).encode()


def table_of(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A table, if every name is there once. Raises ValueError."""
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a name is there twice")
    return table


def finite(text: str) -> float:
    """A number with a point or an exponent. Raises ValueError."""
    return in_range(float(text), -math.inf, math.inf)


def in_range(number: float, least: float, most: float) -> float:
    """The number, if it is one and within these limits. Raises ValueError."""
    if not math.isfinite(number) or not least <= number <= most:
        raise ValueError("a number is too large or none")
    return number


def short(text: str) -> int:
    """A whole number. Raises ValueError."""
    if len(text) > MOST_DIGITS:
        raise ValueError("a number is too large")
    return int(text)


def no_number(text: str) -> float:
    """NaN and Infinity are none. Raises ValueError."""
    raise ValueError(f"{text} is no number")


def check(value: Any, depth: int) -> None:
    """Look at every text. Raises ValueError for one that is none, or for nesting that goes deeper."""
    if isinstance(value, str):
        if NO_TEXT.search(value):
            raise ValueError("a text holds control characters")
    elif isinstance(value, dict | list | tuple):
        if depth == 0:
            raise ValueError("it is nested too deeply")
        for name in value if isinstance(value, dict) else ():
            check(name, depth)
        for inner in value.values() if isinstance(value, dict) else value:
            check(inner, depth - 1)


# --- kinds ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind(Generic[T_co]):
    """What a value may be: in words, and read from plain data."""

    words: str  # "a whole number from 1 to 6"
    read: Callable[[Any], T_co]  # raises ValueError or TypeError for anything else


def whole(least: int = 0, most: int = MOST_WHOLE) -> Kind[int]:
    """A whole number from `least` to `most`."""

    def read(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError
        return value

    return Kind(f"a whole number from {least:,} to {most:,}", read)


def number(least: float = -math.inf, most: float = math.inf) -> Kind[float]:
    """A finite number from `least` to `most`."""

    def read(value: Any) -> float:
        if type(value) not in (int, float):
            raise ValueError
        return in_range(float(value), least, most)

    return Kind("a number", read)


def line(most: int = MOST_TEXT) -> Kind[str]:
    """A text on one line."""
    return Kind(f"a text of at most {most:,} characters on one line", lambda value: text_of(value, most, CONTROL))


def text_of(value: Any, most: int, refused: re.Pattern[str]) -> str:
    """A text without certain characters. Raises ValueError."""
    if type(value) is not str or len(value) > most or refused.search(value):
        raise ValueError
    return value


LINE = line()
LINES = Kind("a text", lambda value: text_of(value, MOST_LINES, NO_TEXT))
NAME = line(200)
HASH = Kind("a checksum", lambda value: text_of(value, 64, re.compile("[^0-9a-f]")))


def said(words: str, kind: Kind[T]) -> Kind[T]:
    """The same kind in other words."""
    return Kind(words, kind.read)


def satisfying(is_right: Callable[[T], bool], kind: Kind[T]) -> Kind[T]:
    """Of this kind, those of which something more is true."""

    def read(value: Any) -> T:
        found = kind.read(value)
        if not is_right(found):
            raise ValueError
        return found

    return Kind(kind.words, read)


def read_flag(value: Any) -> bool:
    """True or false. Raises ValueError."""
    if type(value) is not bool:
        raise ValueError
    return value


FLAG = Kind("true or false", read_flag)


def one_of(words: Collection[str]) -> Kind[str]:
    """One of these words."""

    def read(value: Any) -> str:
        if type(value) is not str or value not in words:
            raise ValueError
        return value

    return Kind(f"one of {', '.join(words)}", read)


def several(kind: Kind[T], most: int, least: int = 0) -> Kind[tuple[T, ...]]:
    """A list of things of one kind."""

    def read(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise ValueError
        return tuple(kind.read(item) for item in value)

    return Kind(f"a list of {f'{least:,} to' if least else 'at most'} {most:,} items, each {kind.words}", read)


def different(kind: Kind[T], most: int, least: int = 0) -> Kind[tuple[T, ...]]:
    """A list of things of one kind, none of them twice."""

    def read(value: Any) -> tuple[T, ...]:
        found = several(kind, most, least).read(value)
        if len(set(found)) < len(found):
            raise ValueError
        return found

    return Kind(f"{several(kind, most, least).words}, none twice", read)


def both(first: Kind[T], second: Kind[U]) -> Kind[tuple[T, U]]:
    """A list of two things."""

    def read(value: Any) -> tuple[T, U]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise ValueError
        return first.read(value[0]), second.read(value[1])

    return Kind(f"a list of two, {first.words} and {second.words}", read)


def perhaps(kind: Kind[T]) -> Kind[T | None]:
    """A thing of this kind, or null."""
    return Kind(f"{kind.words} or null", lambda value: None if value is None else kind.read(value))


def by_name(kind: Kind[T], most: int) -> Kind[dict[str, T]]:
    """A table of things of one kind, under any names."""

    def read(value: Any) -> dict[str, T]:
        if not isinstance(value, Mapping) or len(value) > most:
            raise ValueError
        return {LINE.read(name): kind.read(inner) for name, inner in value.items()}

    return Kind(f"a table of at most {most:,} values, each {kind.words}", read)


def shaped(kinds: Mapping[str, Kind[Any]]) -> Kind[dict[str, Any]]:
    """A table of these names, each with a thing of its kind; others are left out."""

    def read(value: Any) -> dict[str, Any]:
        found = read_table(value)
        if not set(kinds) <= set(found):
            raise ValueError
        return {name: kind.read(found[name]) for name, kind in kinds.items()}

    return Kind(f"a table of {', '.join(kinds)}", read)


def read_table(value: Any) -> Mapping[str, Any]:
    """A table. Raises ValueError."""
    if not isinstance(value, Mapping):
        raise ValueError
    return value


ANYTHING: Kind[Any] = Kind("anything", lambda value: value)
TABLE: Kind[Mapping[str, Any]] = Kind("a table", read_table)


class Plain:
    """A table of plain data, whose values are read by name and kind; `where` names its file, `trail` the way to it."""

    def __init__(self, data: Mapping[str, Any], where: str, trail: str = "") -> None:
        self.data, self.where, self.trail = data, where, trail

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def read(self, name: str, kind: Kind[T]) -> T:
        """The value of this name. Raises ResultError if there is none, or of another kind."""
        try:
            return kind.read(self.data[name])
        except (KeyError, ValueError, TypeError):
            raise ResultError(f"{self.where} is damaged: {self.trail}{name} is missing or not {kind.words}.") from None

    def table(self, name: str) -> Plain:
        """The table of this name. Raises ResultError."""
        return Plain(self.read(name, TABLE), self.where, f"{self.trail}{name}.")

    def tables(self, name: str, most: int) -> list[Plain]:
        """The tables of a list. Raises ResultError."""
        rows = self.read(name, several(TABLE, most))
        return [Plain(row, self.where, f"{self.trail}{name}[{place}].") for place, row in enumerate(rows)]

    def tables_by_name(self, name: str, most: int) -> dict[str, Plain]:
        """The tables of a table, under any names. Raises ResultError."""
        found = self.read(name, by_name(TABLE, most))
        return {key: Plain(inner, self.where, f"{self.trail}{name}.{key}.") for key, inner in found.items()}
