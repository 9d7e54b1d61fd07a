"""Card files: a TOML text -> a checked CardSet. Knows how cards are written, not what their words mean.

A game hands in its `Vocabulary`; every word of a file is checked against it, so that a wrong one is
refused with file, card, step, word and the nearest valid word.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lostlegacy_sim.errors import SetError, nearest
from lostlegacy_sim.letters import decoded, harmless
from lostlegacy_sim.plain import CONTROL

MAX_BYTES = 1_000_000  # a card file is a page or two; more is a mistake
MAX_DOTS = 500  # in a line: tomllib takes a minute for a name of so many parts as fit into a file
SOURCES = ("rulebook", "card text", "review", "reconstruction", "own")
SPEEDS = (*range(1, 9), "X")


@dataclass(frozen=True)
class Field:
    """One word of a step or of a card: its form, its valid values, its default (None: must be given)."""

    form: str  # "flag", "choice", "list", "count"
    values: tuple[Any, ...]  # the valid words; for a count: lowest and highest
    default: Any
    meaning: str


@dataclass(frozen=True)
class Trigger:
    """When a list of steps happens."""

    name: str
    number: int
    meaning: str


@dataclass(frozen=True)
class Verb:
    """What a step does: the triggers it may stand under and its fields."""

    name: str
    number: int
    meaning: str
    triggers: tuple[str, ...]
    fields: Mapping[str, Field]


@dataclass(frozen=True)
class Vocabulary:
    """All words a card file of one game may use."""

    game: str  # its name, as it stands in an Experiment
    triggers: Sequence[Trigger]
    verbs: Sequence[Verb]
    flags: Mapping[str, Field]  # fields of a card beside the printed ones
    rules: Mapping[str, Field]  # fields of the file: switches of the rules
    max_steps: int
    max_kinds: int
    max_cards: int

    def verb(self, name: str) -> Verb | None:
        """The verb of that name, or None."""
        return next((verb for verb in self.verbs if verb.name == name), None)


@dataclass(frozen=True)
class Step:
    """One step of an effect: a verb and its words, defaults filled in."""

    do: str
    words: tuple[tuple[str, Any], ...]

    def __getitem__(self, word: str) -> Any:
        for name, value in self.words:
            if name == word:
                return value
        raise KeyError(word)


@dataclass(frozen=True)
class Card:
    """A kind: what is printed on it, how many copies, and what it does."""

    id: str
    name: str
    speed: int  # 1-8; 9 is the speed printed as X
    copies: int
    source: str  # where the text comes from, one of SOURCES
    text: str
    symbol: str  # the id of the set it was printed in
    steps: tuple[tuple[str, tuple[Step, ...]], ...] = ()  # (trigger, its steps)
    flags: tuple[tuple[str, Any], ...] = ()

    def on(self, trigger: str) -> tuple[Step, ...]:
        """The steps under a trigger; () if it has none."""
        return dict(self.steps).get(trigger, ())

    def flag(self, name: str) -> Any:
        """The value of a flag of the vocabulary."""
        return dict(self.flags)[name]


@dataclass(frozen=True)
class CardSet:
    """The cards of one set, sorted by speed; kind k (from 1) is `cards[k - 1]`."""

    id: str
    name: str
    cards: tuple[Card, ...]
    rules: tuple[tuple[str, Any], ...] = ()
    vocabulary: Vocabulary = field(repr=False, compare=False, default=Vocabulary("", (), (), {}, {}, 0, 0, 0))

    @property
    def game(self) -> str:
        """The game it is played in, as it stands in an Experiment."""
        return self.vocabulary.game

    @property
    def n_cards(self) -> int:
        """Number of cards, all copies counted."""
        return sum(card.copies for card in self.cards)

    def rule(self, name: str) -> Any:
        """The value of a switch of the rules."""
        return dict(self.rules)[name]

    def kind(self, card_id: str) -> int:
        """The number of a kind, from 1. Raises SetError naming the nearest id."""
        ids = [card.id for card in self.cards]
        if card_id not in ids:
            raise SetError(f"{self.name} has no card '{card_id}'.{nearest(card_id, ids)}")
        return ids.index(card_id) + 1

    def title(self, card: Card) -> str:
        """The name of a kind; where another kind has the same name, its id behind it."""
        names = [harmless(other.name) for other in self.cards if other.id != card.id]
        return f"{card.name} ({card.id})" if harmless(card.name) in names else card.name

    def slots(self) -> list[int]:
        """Kind of every slot, copy-major: first copies of speeds 1..X, second copies, ...

        A slot is a physical card: a speed and a number among the cards of that speed. Two sets
        that differ in one slot are shuffled alike; one more slot moves one card.
        """
        by_speed: dict[int, list[int]] = {}
        for kind, card in enumerate(self.cards, 1):
            by_speed.setdefault(card.speed, []).extend([kind] * card.copies)
        deepest = max((len(kinds) for kinds in by_speed.values()), default=0)
        return [by_speed[speed][copy] for copy in range(deepest) for speed in sorted(by_speed)
                if copy < len(by_speed[speed])]  # fmt: skip

    def to_toml(self) -> str:
        """The set as a card file; reading it back gives an equal set."""
        return "\n".join(_toml_lines(self))

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical text: what a result is tied to."""
        return hashlib.sha256(self.to_toml().encode()).hexdigest()


def make_set(set_id: str, name: str, cards: Sequence[Card], like: CardSet) -> CardSet:
    """A set of these cards, sorted by speed, with the vocabulary and rules of another.

    Cards that share an id (Megamix, mixes) get their symbol appended to it.
    """
    ids = [card.id for card in cards]
    cards = [card if ids.count(card.id) == 1 else replace(card, id=f"{card.id}@{card.symbol}") for card in cards]
    ordered = tuple(sorted(cards, key=lambda card: card.speed))
    return CardSet(set_id, name, ordered, like.rules, like.vocabulary)


# --- reading ------------------------------------------------------------------------------------------


def read_set(path: Path, vocabulary: Vocabulary) -> CardSet:
    """The checked set of a card file. Raises SetError, one sentence, when it cannot be used."""
    try:
        if path.is_dir():
            raise SetError(f"{path} is a folder, not a card file. Name the .toml file inside it.")
        if path.exists() and not path.is_file():
            raise SetError(f"{path} is not a regular file. Save the card file to disk first.")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SetError(f"There is no card file {path}. `llsim cards starship --toml` prints one to start from.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SetError(f"{str(path)!r} cannot be read: {reason}.") from None
    if len(data) > MAX_BYTES:
        raise SetError(f"{path} is larger than {MAX_BYTES:,} bytes; a card file is a page or two of TOML.")
    if not data.strip():
        raise SetError(f"{path} is empty. `llsim cards starship --toml` prints a card file to start from.")
    try:
        text = decoded(data)
    except ValueError as error:
        raise SetError(f"{path} {error}; a card file is plain TOML.") from None
    return parse_set(text, vocabulary, where=str(path))


def too_dotted(text: str) -> int | None:
    """The first line with more than MAX_DOTS dots, counted from 1; None if there is none."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if line.count(".") > MAX_DOTS), None)


def parse_set(text: str, vocabulary: Vocabulary, where: str) -> CardSet:
    """The checked set of a card file's text; `where` names it in error messages. Raises SetError."""
    if (line := too_dotted(text)) is not None:
        raise SetError(f"{where}, line {line}: more than {MAX_DOTS} dots in a line; that is no card file.")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetError(f"{where} is not valid TOML: {str(error)[:200]}.") from None
    except (RecursionError, ValueError) as error:
        raise SetError(f"{where} is not valid TOML: {type(error).__name__}, too deep or too long.") from None
    return _Reader(vocabulary, where).card_set(data)


class _Reader:
    """Turns parsed TOML into a CardSet, refusing the first thing that is wrong."""

    def __init__(self, vocabulary: Vocabulary, where: str) -> None:
        self.vocabulary = vocabulary
        self.where = where

    def fail(self, where: str, sentence: str) -> SetError:
        return SetError(f"{self.where}: {where}: {sentence}" if where else f"{self.where}: {sentence}")

    def card_set(self, data: Mapping[str, Any]) -> CardSet:
        known = ["id", "name", "card", *self.vocabulary.rules]
        self.check_keys(data, known, "")
        entries = data.get("card")
        if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
            raise self.fail("", "it holds no cards; write a [[card]] table for each kind.")
        set_id = self.string(data, "id", "", default=Path(self.where).stem.replace("_", "-") or "own")
        name = self.string(data, "name", "", default=set_id)
        rules = tuple((key, self.value(data, key, rule, "")) for key, rule in self.vocabulary.rules.items())
        cards = [self.card(entry, number, set_id) for number, entry in enumerate(entries, 1)]
        cards = [card for card in cards if card.copies]
        ids = [card.id for card in cards]
        for card in cards:
            if ids.count(card.id) > 1:
                raise self.fail(f"card '{card.id}'", "two cards have this id; give each kind its own, or raise `copies`.")
        n_cards = sum(card.copies for card in cards)
        if n_cards > self.vocabulary.max_cards:
            raise self.fail("", f"{n_cards} cards; a set holds at most {self.vocabulary.max_cards}. Lower some `copies`.")
        if len(cards) > self.vocabulary.max_kinds:
            raise self.fail("", f"{len(cards)} kinds; a set holds at most {self.vocabulary.max_kinds}.")
        ordered = tuple(sorted(cards, key=lambda card: card.speed))
        return CardSet(set_id, name, ordered, rules, self.vocabulary)

    def card(self, entry: Mapping[str, Any], number: int, set_id: str) -> Card:
        where = f"card '{entry['id']}'" if isinstance(entry.get("id"), str) else f"card number {number}"
        triggers = [trigger.name for trigger in self.vocabulary.triggers]
        printed = ["id", "name", "speed", "copies", "source", "text", "symbol"]
        self.check_keys(entry, [*printed, *triggers, *self.vocabulary.flags], where)
        card_id = self.string(entry, "id", where)
        if not all(char.isalnum() or char in "_-@" for char in card_id):
            raise self.fail(where, f"id = {card_id!r} may hold letters, digits, '_' and '-' only.")
        source = self.string(entry, "source", where, default="own")
        if source not in SOURCES:
            raise self.fail(where, f"source = {source!r} is unknown.{nearest(source, SOURCES)}")
        return Card(
            id=card_id,
            name=self.string(entry, "name", where, default=card_id.replace("_", " ").title()),
            speed=self.speed(entry, where),
            copies=self.count(entry, "copies", where, 0, self.vocabulary.max_cards, default=1),
            source=source,
            text=self.string(entry, "text", where, default=""),
            symbol=self.string(entry, "symbol", where, default=set_id),
            steps=tuple((name, self.steps(entry[name], f"{where}, {name}", name)) for name in triggers if entry.get(name, []) != []),
            flags=tuple((key, self.value(entry, key, flag, where)) for key, flag in self.vocabulary.flags.items()),
        )  # fmt: skip

    def speed(self, entry: Mapping[str, Any], where: str) -> int:
        value = entry.get("speed")
        if value == "X" or value == "x":
            return 9
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 8:
            said = "speed is missing" if value is None else f"speed = {shown(value)} is out of range"
            raise self.fail(where, f'{said}; write a number from 1 to 8, or "X".')
        return value

    def steps(self, rows: Any, where: str, trigger: str) -> tuple[Step, ...]:
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.fail(where, 'write a list of steps, such as [{ do = "look", at = ["ruins"] }].')
        if len(rows) > self.vocabulary.max_steps:
            raise self.fail(where, f"{len(rows)} steps; one trigger holds at most {self.vocabulary.max_steps}.")
        return tuple(self.step(row, f"{where} step {number}", trigger) for number, row in enumerate(rows, 1))

    def step(self, row: Mapping[str, Any], where: str, trigger: str) -> Step:
        verbs = [verb.name for verb in self.vocabulary.verbs]
        do = row.get("do")
        if not isinstance(do, str):
            raise self.fail(where, f"it has no verb; write do = \"...\". Valid: {', '.join(verbs)}.")
        verb = self.vocabulary.verb(do)
        if verb is None:
            raise self.fail(where, f"do = {shown(do)} is unknown.{nearest(do, verbs)}")
        if trigger not in verb.triggers:
            raise self.fail(where, f"'{do}' cannot stand under '{trigger}', only under {' or '.join(verb.triggers)}.")
        self.check_keys(row, ["do", *verb.fields], where)
        return Step(do, tuple((key, self.value(row, key, word, where)) for key, word in verb.fields.items()))

    def value(self, entry: Mapping[str, Any], key: str, word: Field, where: str) -> Any:
        if key not in entry:
            if word.default is None:
                raise self.fail(where, f"{key} is missing ({word.meaning}). Valid: {', '.join(map(str, word.values))}.")
            return word.default
        value = entry[key]
        if word.form == "count":
            return self.count(entry, key, where, word.values[0], word.values[1])
        if word.form == "flag":
            if not isinstance(value, bool):
                raise self.fail(where, f"{key} = {shown(value)} should be true or false.")
            return value
        if word.form == "choice":
            if not isinstance(value, str) or value not in word.values:
                raise self.fail(where, f"{key} = {shown(value)} is unknown.{nearest(str(value), word.values)}")
            return value
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not value:
            raise self.fail(where, f"{key} = {shown(value)} should be a list of words. Valid: {', '.join(word.values)}.")
        for item in value:
            if not isinstance(item, str) or item not in word.values:
                raise self.fail(where, f"{key} = {shown(item)} is unknown.{nearest(str(item), word.values)}")
        return tuple(item for item in word.values if item in value)

    def string(self, entry: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
        value = entry.get(key, default)
        if not isinstance(value, str) or not (value or default == ""):
            said = f"{key} is missing" if value is None else f"{key} = {shown(value)} is not a text"
            raise self.fail(where, f'{said}; write {key} = "...".')
        if CONTROL.search(value):
            raise self.fail(where, f"{key} holds a control character; write it on one line.")
        return value

    def count(self, entry: Mapping[str, Any], key: str, where: str, low: int, high: int, default: int | None = None) -> int:
        value = entry.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.fail(where, f"{key} = {shown(value)} should be a whole number from {low} to {high}.")
        return value

    def check_keys(self, entry: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        for key in entry:
            if key not in known:
                raise self.fail(where, f"'{key[:60]}' is not a field here.{nearest(key[:60], known)}")


def shown(value: Any) -> str:
    """A value as it stands in an error message: short, on one line."""
    try:
        text = f'"{value}"' if isinstance(value, str) else str(value)
    except ValueError:  # more digits than Python prints
        text = "a huge number"
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


# --- writing ------------------------------------------------------------------------------------------


def _toml_lines(card_set: CardSet) -> Iterator[str]:
    yield f"id = {_toml(card_set.id)}"
    yield f"name = {_toml(card_set.name)}"
    for name, value in card_set.rules:
        if value != card_set.vocabulary.rules[name].default:
            yield f"{name} = {_toml(value)}"
    for card in card_set.cards:
        yield from ("", "[[card]]", f"id = {_toml(card.id)}", f"name = {_toml(card.name)}")
        yield f"speed = {_toml('X' if card.speed == 9 else card.speed)}"
        yield f"copies = {card.copies}"
        yield f"source = {_toml(card.source)}"
        yield f"text = {_toml(card.text)}"
        if card.symbol != card_set.id:
            yield f"symbol = {_toml(card.symbol)}"
        for name, value in card.flags:
            if value != card_set.vocabulary.flags[name].default:
                yield f"{name} = {_toml(value)}"
        for trigger, steps in card.steps:
            yield f"{trigger} = [{', '.join(_toml_step(step, card_set.vocabulary) for step in steps)}]"
    yield ""


def _toml_step(step: Step, vocabulary: Vocabulary) -> str:
    verb = vocabulary.verb(step.do)
    assert verb is not None
    given = [("do", step.do), *((key, value) for key, value in step.words if value != verb.fields[key].default)]
    return "{ " + ", ".join(f"{key} = {_toml(value)}" for key, value in given) + " }"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\x7f", "\\u007F")
    return f'"{escaped}"'
