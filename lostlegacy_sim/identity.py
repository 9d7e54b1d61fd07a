"""Identity: which code counts here, so that counts of other code are never added to these.

It is taken by game: whoever changes one game leaves the runs, checkpoints and workers of all others as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lostlegacy_sim import __version__
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.plain import HASH, NAME, by_name, one_line, shaped

PACKAGE = Path(__file__).parent
DIGITS = 12

# What any game is counted by, below the package. Modules that are not here move, keep or show counts and decide none;
# tests/test_identity.py has every file of the package on one of the two sides.
SHARED = ("cardset.py", "cluster.py", "experiment.py", "game.py", "games/__init__.py", "installed.py", "jit.py", "pieces.py",
          "policy.py", "rng.py", "runner.py", "tally.py")  # fmt: skip

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
    for path in counting_files(game):
        name = path.relative_to(PACKAGE).as_posix()
        room = name.rpartition("/")[0] if name.startswith(f"games/{game}/") else "shared"
        digest = rooms.setdefault(room.removeprefix("games/"), hashlib.sha256())
        data = path.read_bytes()
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return Identity(__version__, tuple((room, digest.hexdigest()[:DIGITS]) for room, digest in sorted(rooms.items())))


def counting_files(game: str) -> Iterator[Path]:
    """Every file that decides what is counted of a game: code, cards, weights."""
    yield from (PACKAGE / name for name in SHARED)
    home = PACKAGE / "games" / game
    for path in sorted(home.rglob("*"), key=lambda path: path.relative_to(home).as_posix()):
        parts = path.relative_to(home).parts
        if path.is_file() and parts[0] not in ASIDE and "__pycache__" not in parts:
            yield path


def is_one(origins: Iterable[Mapping[str, Any]]) -> bool:
    """Whether these all say the same of what counted them; each an identity in its plain form, or a provenance."""
    return len({Identity.from_plain(origin) for origin in origins}) <= 1


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
