"""Identity: which code counts here, so that counts of other code are never added to these.

It is taken by game: whoever changes one game leaves the runs, checkpoints and workers of all others as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lostlegacy_sim import __version__
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.plain import HASH, NAME, by_name, one_line, shaped
from lostlegacy_sim.registry import PACKAGE, home_of, modules

DIGITS = 12

# What any game is counted by, below the package. Modules that are not here move, keep or show counts and decide none;
# tests/test_identity.py has every file of the package on one of the two sides.
SHARED = ("apart.py", "cardset.py", "cluster.py", "dice.py", "experiment.py", "game.py", "games/__init__.py", "installed.py", "jit.py",
          "pieces.py", "policy.py", "registry.py", "rng.py", "runner.py", "tally.py")  # fmt: skip

# Rooms of a game that decide no count: the slow twin that judges, what is asked of counts afterwards, and what scripts prove.
ASIDE = ("reference", "research", "studies")

ROOMS = by_name(HASH, 100)  # as they are read back
IDENTITY = shaped({"lostlegacy_sim": NAME, "code": ROOMS})


@dataclass(frozen=True)
class Identity:
    """What counts a game: the version, and a hash for each of its rooms, so that a difference can be named."""

    version: str
    rooms: tuple[tuple[str, str], ...]  # (folder below the package, or "shared"; first digits of a SHA-256)

    @property
    def code(self) -> str:
        """All rooms in one hash."""
        return hashlib.sha256(repr(self.rooms).encode()).hexdigest()[:DIGITS]

    def to_plain(self) -> dict[str, Any]:
        """As it is written into everything that is counted."""
        return {"lostlegacy_sim": self.version, "code": dict(self.rooms)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Identity:
        """The identity that is written down; without rooms if none are."""
        rooms = plain.get("code")
        named = sorted((str(room), str(digest)) for room, digest in rooms.items()) if isinstance(rooms, Mapping) else ()
        return cls(str(plain.get("lostlegacy_sim")), tuple(named))


@cache
def identity_of(game: str) -> Identity:
    """What counts this game here and now. Raises ResultError for a name that is none."""
    if not game.isidentifier():  # it may come from a file, and names a folder here
        raise ResultError(f"There is no game '{one_line(game)[:40]}'.")
    rooms: dict[str, Any] = {}
    for name, path in counting_files(game):
        room = name.rpartition("/")[0] if name.startswith(f"{game}/") else "shared"
        digest = rooms.setdefault(room, hashlib.sha256())
        data = path.read_bytes()
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return Identity(__version__, tuple((room, digest.hexdigest()[:DIGITS]) for room, digest in sorted(rooms.items())))


def counting_files(game: str) -> Iterator[tuple[str, Path]]:
    """Every file that decides what is counted of a game, code, cards, weights: its name here, and where it lies. Raises ResultError."""
    yield from ((name, PACKAGE / name) for name in SHARED)
    yield from ((f"{game}/{name}", path) for name, path in files_of(game) if name.partition("/")[0] not in ASIDE)


def compiled_files() -> Iterator[tuple[str, Path]]:
    """Every file that decides what machine code does: what any game is counted by, and its rooms aside, which have kernels, too."""
    yield from ((name, PACKAGE / name) for name in SHARED)  # a constant of any of them may be laid into a kernel
    for game in modules():
        yield from ((f"{game}/{name}", path) for name, path in files_of(game))


def files_of(game: str) -> list[tuple[str, Path]]:
    """The files of a game by their names in its folder, but for what Python makes of them; none of a game that is not here."""
    if game not in modules() and not (PACKAGE / "games" / game).is_dir():
        return []
    home = home_of(game)
    if home.is_file():
        return [(home.name, home)]
    found = [path for path in home.rglob("*") if "__pycache__" not in path.parts[len(home.parts) - 1 :] and path.is_file()]
    return sorted((path.relative_to(home).as_posix(), path) for path in found)


def refuse_mixed(where: Path | str, origins: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise ResultError if things that make one answer were counted by different code. Each by its name, with its identity or provenance."""
    first, *others = ((name, Identity.from_plain(plain)) for name, plain in origins.items())
    for name, identity in others:
        if identity != first[1]:
            raise ResultError(f"{where} mixes counts of different code, which make no answer: {first[0]} and {name} {told_apart(first[1], identity)}. Play it again.")


def told_apart(one: Identity, other: Identity) -> str:
    """In what two identities differ, in words."""
    if one.version != other.version:
        return f"were counted by lostlegacy_sim {one.version[:40]} and {other.version[:40]}"
    if not (one.rooms and other.rooms):
        return "differ in that one of them does not say which code counted it"
    return f"were counted with different files in {', '.join(sorted({room for room, _ in {*one.rooms} ^ {*other.rooms}}))[:200]}"


def difference(theirs: Mapping[str, Any], mine: Identity) -> str:
    """What tells another identity, in its plain form, from this one, in words; "" if they are the same.

    Of something that says less than this version writes down, that it cannot be told is a difference, too.
    """
    version, rooms = theirs.get("lostlegacy_sim"), theirs.get("code")
    if version != mine.version:
        return f"lostlegacy_sim {str(version)[:40]}, and this is {mine.version}"
    if not isinstance(rooms, Mapping):
        return f"a lostlegacy_sim {mine.version} that did not write down its code"
    other = sorted(room for room in {*rooms, *dict(mine.rooms)} if rooms.get(room) != dict(mine.rooms).get(room))
    if not other:
        return ""
    return f"lostlegacy_sim {mine.version} with other files in {', '.join(map(str, other))[:200]} than are here"
