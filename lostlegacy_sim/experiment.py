"""Experiment: what is asked, as frozen plain data from which every worker can rebuild everything."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from lostlegacy_sim.errors import ResultError, UsageError, nearest
from lostlegacy_sim.plain import HASH, LINE, LINES, NAME, Kind, Plain, one_line, one_of, several, whole

FIRST_BATCH = 16  # blocks of a batch at first
MAX_BATCHES = 512  # when so many are full, neighbours are added in pairs and the batch doubles
MAX_SEED = 2**63 - 1
MOST_DEALS = 10**15
MOST_PLAYERS = 100  # of any game
DETAILS = ("deals", "cards")  # how deals end; what each kind did as well


@dataclass(frozen=True)
class Experiment:
    """One line-up playing one set: strings and numbers only.

    A block is one shuffle, played once in every distinct rotation of the line-up. Deal number
    `block * rotations + r` seats line-up entry `(seat + r) % players` on each seat.
    """

    game: str
    set_id: str
    set_name: str
    set_text: str  # the whole card file, in its canonical form
    players: int
    bots: tuple[str, ...]  # one bot a seat, in seating order: name and parameters, in canonical form
    bot_sources: tuple[str, ...]  # for each of them the SHA-256 of its file, "" for a built-in one
    deals: int  # as asked; rounded up to whole blocks when played
    seed: int
    repeat: int = 0  # the same shuffles again, with other choices of the bots
    detail: str = "deals"  # what is counted, one of DETAILS; it changes no deal

    def __post_init__(self) -> None:
        if len(self.bots) != self.players or len(self.bot_sources) != self.players:
            raise UsageError(f"{self.players} players need {self.players} bots, one a seat; there are {len(self.bots)}.")
        if self.deals < 1:
            raise UsageError(f"{self.deals} deals cannot be played; ask for at least 1.")
        if self.deals > MOST_DEALS or self.players > MOST_PLAYERS or self.repeat > MAX_SEED:
            raise UsageError(f"So much cannot be played: at most {MOST_DEALS:,} deals of {MOST_PLAYERS} players.")
        if not 0 <= self.seed <= MAX_SEED:
            raise UsageError(f"The seed {self.seed} is out of range; it is a whole number from 0 to {MAX_SEED}.")
        if self.repeat < 0:
            raise UsageError(f"repeat = {self.repeat} is negative; it counts from 0.")
        if self.detail not in DETAILS:
            raise UsageError(f"detail = {self.detail!r} is unknown.{nearest(self.detail, DETAILS)}")
        for word in (self.set_id, self.set_name, *self.bots):
            if one_line(word) != word:
                raise UsageError(f"{word!r:.200} is too long a name, or holds control characters; give it another one.")

    @property
    def entries(self) -> tuple[tuple[str, str], ...]:
        """What tells one line-up entry from another: (bot, hash of its file)."""
        return tuple(zip(self.bots, self.bot_sources, strict=True))

    @property
    def bot_files(self) -> dict[str, str]:
        """The files among its bots: SHA-256 -> path, as it was given, or the name of a package's bot."""
        pattern = re.compile(r"(?:file:)?(.*?\.py)(?::|$)", re.DOTALL)
        named = {source: (pattern.match(bot), bot.partition(":")[0]) for bot, source in self.entries if source}
        return {source: match[1] if match else name for source, (match, name) in named.items()}

    @cached_property
    def rotations(self) -> int:
        """Number of distinct rotations: the smallest shift that turns the line-up into itself."""
        entries = self.entries
        for shift in range(1, self.players):
            if self.players % shift == 0 and entries[shift:] + entries[:shift] == entries:
                return shift
        return self.players

    @cached_property
    def blocks(self) -> int:
        """Number of shuffles: the deals asked for, rounded up to whole blocks."""
        return -(-self.deals // self.rotations)

    @property
    def planned_deals(self) -> int:
        """Number of deals that are played: all rotations of all blocks."""
        return self.blocks * self.rotations

    @cached_property
    def batch_blocks(self) -> int:
        """Blocks in a full batch; depends on the number of blocks only."""
        size = FIRST_BATCH
        while -(-self.blocks // size) > MAX_BATCHES:
            size *= 2
        return size

    @cached_property
    def batches(self) -> int:
        """Number of batches; the last one may hold fewer blocks."""
        return -(-self.blocks // self.batch_blocks)

    def blocks_of(self, batch: int) -> range:
        """The blocks of one batch."""
        return range(batch * self.batch_blocks, min((batch + 1) * self.batch_blocks, self.blocks))

    @property
    def hash(self) -> str:
        """SHA-256 of the plain form: two experiments with the same hash have the same answer."""
        return hashlib.sha256(json.dumps(self.to_plain(), sort_keys=True).encode()).hexdigest()

    @property
    def set_hash(self) -> str:
        """SHA-256 of the card file's canonical text."""
        return hashlib.sha256(self.set_text.encode()).hexdigest()

    def to_plain(self) -> dict[str, Any]:
        """As a dictionary of strings, numbers and lists, fit for JSON or TOML."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}

    @classmethod
    def from_plain(cls, data: Mapping[str, Any] | Plain, where: str = "experiment") -> Experiment:
        """The experiment of a dictionary as `to_plain` makes it. Raises ResultError naming `where`."""
        plain = data if isinstance(data, Plain) else Plain(data, where)
        values: dict[str, Any] = {field.name: plain.read(field.name, KINDS[field.name]) for field in fields(cls)}
        unknown = set(plain.data) - set(values)
        if unknown:
            raise ResultError(f"{plain.where}: {min(unknown)!r:.60} is not a field of an experiment; is it from a newer version?")
        try:
            return cls(**values)
        except UsageError as error:
            raise ResultError(f"{plain.where}: {error}") from None


# What each field may be, wherever it comes from.
KINDS: dict[str, Kind[Any]] = {
    "game": NAME, "set_id": LINE, "set_name": LINE, "set_text": LINES, "players": whole(1, MOST_PLAYERS), "bots": several(LINE, MOST_PLAYERS, 1),
    "bot_sources": several(HASH, MOST_PLAYERS, 1), "deals": whole(1, MOST_DEALS), "seed": whole(0, MAX_SEED), "repeat": whole(0, MAX_SEED),
    "detail": one_of(DETAILS),
}  # fmt: skip


def line_up(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """One bot a seat: in seating order, the last one fills the table. Raises UsageError if there are too many."""
    names = [name.strip() for name in bots]
    if not names or not all(names):
        raise UsageError("A bot has no name; write them with commas in between, such as --bots random,careful.")
    if players > MOST_PLAYERS:
        raise UsageError(f"So many players cannot sit at a table: at most {MOST_PLAYERS}.")
    if len(names) > players:
        raise UsageError(f"{len(names)} bots do not fit at a table of {players} players; name at most {players}.")
    return tuple(names + [names[-1]] * (players - len(names)))
