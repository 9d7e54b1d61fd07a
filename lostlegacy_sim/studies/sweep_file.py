"""Sweep files: a TOML text that says which fields of which cards take which values -> the sets to play."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from lostlegacy_sim.cardset import MAX_BYTES, Card, CardSet, make_set, parse_set, shown, too_dotted
from lostlegacy_sim.disk import read_file
from lostlegacy_sim.errors import LlsimError, UsageError, nearest
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.cards.playability import check_playable
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY, X, speed_word
from lostlegacy_sim.letters import decoded

KEYS = ("set", "players", "bots", "deals", "seed", "goals", "skill", "sweep")
PRINTED_FIELDS = ("copies", "speed")
MAX_POINTS = 1000
SEATS = (2, 6)
EXAMPLE = '[sweep] "search.copies" = [0, 1, 2, 3, 4]'

Value = int | str | bool


@dataclass(frozen=True)
class Line:
    """One line of a sweep: a field of a card and the values it takes."""

    card: str
    field: str
    values: tuple[Value, ...]

    @property
    def name(self) -> str:
        """As it stands in the file: "search.copies"."""
        return f"{self.card}.{self.field}"


@dataclass(frozen=True)
class Point:
    """A set of the sweep and what tells it from the others: (line, value) pairs, all of them texts."""

    card_set: CardSet
    values: tuple[tuple[str, str], ...]

    @property
    def label(self) -> str:
        """ "search.copies = 4, assault.copies = 2"."""
        return ", ".join(f"{name} = {value}" for name, value in self.values)


@dataclass(frozen=True)
class Sweep:
    """What a sweep file asks for; None where it leaves something to the command line."""

    where: str
    sets: tuple[CardSet, ...]
    set_words: tuple[str, ...]
    lines: tuple[Line, ...]
    players: tuple[int, ...] | None = None
    bots: tuple[tuple[str, ...], ...] | None = None
    deals: int | str | None = None
    seed: int | None = None
    goals: tuple[str, ...] | None = None
    skill: tuple[str, ...] | None = None

    def points(self) -> list[Point]:
        """All sets: every combination of values, the last line changing fastest. Raises UsageError for one that cannot be played."""
        found = []
        for word, card_set in zip(self.set_words, self.sets, strict=True):
            which = (("set", word),) if len(self.sets) > 1 or not self.lines else ()
            for values in product(*(line.values for line in self.lines)):
                named = tuple((line.name, written(value)) for line, value in zip(self.lines, values, strict=True))
                found.append(Point(self.changed(card_set, values), which + named))
        return found

    def changed(self, card_set: CardSet, values: Sequence[Value]) -> CardSet:
        """A set with these values on its lines. Raises UsageError if it cannot be played."""
        cards = list(card_set.cards)
        for line, value in zip(self.lines, values, strict=True):
            cards = [with_field(card, line.field, value) if card.id == line.card else card for card in cards]
        label = ", ".join(f"{line.name} = {written(value)}" for line, value in zip(self.lines, values, strict=True))
        if not label:
            return card_set
        set_id = f"{card_set.id}-{re.sub(r'[^a-z0-9]+', '-', label.lower()).strip('-')}"
        made = make_set(set_id, f"{card_set.name}, {label}", [card for card in cards if card.copies], like=card_set)
        try:
            checked = parse_set(made.to_toml(), VOCABULARY, where=label)
            check_playable(checked, label)
        except LlsimError as error:
            raise UsageError(f"{self.where}: {re.sub(r' [(][0-9]+ more: .*', '', str(error))}") from None
        return checked


def written(value: Value) -> str:
    """A value as it stands in the file."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_field(card: Card, field: str, value: Value) -> Card:
    """A card with another value in one field."""
    if field == "copies":
        return replace(card, copies=int(value))
    if field == "speed":
        return replace(card, speed=X if value == "X" else int(value))
    return replace(card, flags=tuple((name, value if name == field else old) for name, old in card.flags))


# --- reading ----------------------------------------------------------------------------------------------


def read_sweep(path: Path) -> Sweep:
    """The sweep of a file. Raises UsageError, one sentence, for anything that is wrong with it."""
    try:
        data = read_file(path, MAX_BYTES)
    except FileNotFoundError:
        raise UsageError(f"There is no sweep file {path}. It is a TOML text such as: set = \"starship\" and {EXAMPLE}.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}. A sweep file is a few lines of TOML.") from None
    try:
        text = decoded(data)
    except ValueError as error:
        raise UsageError(f"{path} {error}; a sweep file is plain TOML.") from None
    try:
        if (line := too_dotted(text)) is not None:
            raise ValueError(f"line {line} has too many dots")
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise UsageError(f"{path} is not valid TOML: {str(error)[:200]}.") from None
    return parse_sweep(plain, str(path), path.parent)


def parse_sweep(plain: Mapping[str, Any], where: str, home: Path) -> Sweep:
    """The sweep of a dictionary; card files are looked for beside the sweep file first. Raises UsageError."""
    return Reader(where, home).sweep(plain)


class Reader:
    """Turns parsed TOML into a Sweep, refusing the first thing that is wrong."""

    def __init__(self, where: str, home: Path) -> None:
        self.where, self.home = where, home

    def fail(self, sentence: str) -> UsageError:
        return UsageError(f"{self.where}: {sentence}")

    def sweep(self, plain: Mapping[str, Any]) -> Sweep:
        for key in plain:
            if key not in KEYS:
                raise self.fail(f"'{key[:60]}' is not a field of a sweep.{nearest(key[:60], KEYS)}")
        words = tuple(self.texts(plain, "set")) or ("starship",)
        sets = tuple(self.card_set(word) for word in words)
        lines = tuple(self.lines(plain.get("sweep", {}), sets))
        players, bots = self.players(plain), self.bots(plain)
        n_points = len(sets) * prod(len(line.values) for line in lines) * len(players or (0,)) * len(bots or (0,))
        if n_points > MAX_POINTS:
            raise self.fail(f"{n_points:,} points are too many; a sweep plays at most {MAX_POINTS:,}. Leave out some values.")
        if n_points < 2:
            raise self.fail(f"there is nothing to sweep; give a field of a card several values, such as {EXAMPLE}.")
        return Sweep(self.where, sets, words, lines, players, bots, self.deals(plain), self.whole(plain, "seed", 0, 2**63 - 1),
                     self.texts(plain, "goals") or None, self.texts(plain, "skill") or None)  # fmt: skip

    def card_set(self, word: str) -> CardSet:
        beside = self.home / word
        try:
            return load_set(str(beside) if word.endswith(".toml") and beside.exists() else word)
        except LlsimError as error:
            raise self.fail(f"set = {shown(word)}: {error}") from None

    def lines(self, table: Any, sets: Sequence[CardSet]) -> Iterator[Line]:
        if not isinstance(table, dict):
            raise self.fail(f"write the sweep as a table: {EXAMPLE}.")
        for name, values in flattened(table):
            card, dot, field = name.rpartition(".")
            if not dot:
                raise self.fail(f"'{name[:60]}' names no field of a card; write card.field, such as search.copies.")
            for card_set in sets:
                ids = [one.id for one in card_set.cards]
                if card not in ids:
                    raise self.fail(f"'{name[:60]}': {card_set.name} has no card '{card[:60]}'.{nearest(card[:60], ids)}")
            yield Line(card, field, tuple(self.values(name, field, values)))

    def values(self, name: str, field: str, values: Any) -> Iterator[Value]:
        fields = [*PRINTED_FIELDS, *VOCABULARY.flags]
        if field not in fields:
            raise self.fail(f"'{name[:60]}': a card has no field '{field[:60]}' that can be swept.{nearest(field[:60], fields)}")
        found = [self.value(name, field, value) for value in spread(values)]
        if not found:
            raise self.fail(f"{name} has no values; write a list such as [0, 1, 2] or a range such as \"0..4\".")
        for number, value in enumerate(found):
            if value in found[:number]:
                raise self.fail(f"{name}: the value {value} stands there twice.")
        yield from found

    def value(self, name: str, field: str, value: Any) -> Value:
        if field == "speed" and value in ("X", "x"):
            return speed_word(X)
        if field in PRINTED_FIELDS:
            low, high = (0, VOCABULARY.max_cards) if field == "copies" else (1, 8)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                also = ', or "X"' if field == "speed" else ""
                raise self.fail(f"{name} = {shown(value)} should be a whole number from {low} to {high}{also}.")
            return value
        word = VOCABULARY.flags[field]
        if word.form == "flag" and isinstance(value, bool):
            return value
        if word.form == "choice" and isinstance(value, str) and value in word.values:
            return value
        valid = ("true", "false") if word.form == "flag" else word.values
        raise self.fail(f"{name} = {shown(value)} is unknown.{nearest(str(value), valid)}")

    def players(self, plain: Mapping[str, Any]) -> tuple[int, ...] | None:
        if "players" not in plain:
            return None
        found = list(spread(plain["players"]))
        if not found or not all(isinstance(number, int) and not isinstance(number, bool) and SEATS[0] <= number <= SEATS[1] for number in found):
            raise self.fail(f"players = {shown(plain['players'])}: write whole numbers from {SEATS[0]} to {SEATS[1]}, such as [2, 4].")
        return tuple(dict.fromkeys(found))

    def bots(self, plain: Mapping[str, Any]) -> tuple[tuple[str, ...], ...] | None:
        if "bots" not in plain:
            return None
        rows = plain["bots"]
        rows = [[rows]] if isinstance(rows, str) else rows
        if isinstance(rows, list) and rows and all(isinstance(word, str) for word in rows):
            rows = [rows]
        is_right = isinstance(rows, list) and rows and all(
            isinstance(row, list) and row and all(isinstance(word, str) for word in row) for row in rows)  # fmt: skip
        if not is_right:
            raise self.fail('bots: write line-ups, each a list in seating order, such as [["careful"], ["hunter", "careful"]].')
        return tuple(dict.fromkeys(tuple(row) for row in rows))

    def texts(self, plain: Mapping[str, Any], key: str) -> tuple[str, ...]:
        if key not in plain:
            return ()
        values = [plain[key]] if isinstance(plain[key], str) else plain[key]
        if not isinstance(values, list) or not values or not all(isinstance(value, str) and value for value in values):
            raise self.fail(f"{key} = {shown(plain[key])} should be a text or a list of texts.")
        return tuple(dict.fromkeys(values))

    def deals(self, plain: Mapping[str, Any]) -> int | str | None:
        value = plain.get("deals")
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
            raise self.fail(f'deals = {shown(value)} should be a number of deals, such as 200000 or "200k".')
        return value

    def whole(self, plain: Mapping[str, Any], key: str, low: int, high: int) -> int | None:
        value = plain.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high):
            raise self.fail(f"{key} = {shown(value)} should be a whole number from {low} to {high}.")
        return value


def flattened(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Lines of a sweep; search.copies without quotation marks is a table in a table."""
    for name, values in table.items():
        if isinstance(values, dict):
            yield from ((f"{name}.{inner}", found) for inner, found in values.items())
        else:
            yield name, values


def spread(values: Any) -> Iterator[Any]:
    """The single values of a list, of a range such as "0..4", of a list with ranges in it, or of a lone value."""
    for value in values if isinstance(values, list) else [values]:
        match = re.fullmatch(r"\s*([0-9]{1,4})\s*\.\.\s*([0-9]{1,4})\s*", value) if isinstance(value, str) else None
        if match:
            yield from range(int(match[1]), int(match[2]) + 1)
        else:
            yield value
