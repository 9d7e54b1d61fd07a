"""Kept looks: the folder an exploration is kept in, and what it answers without being played again.

`manifest.json` says what was asked; `counts.npz` holds, for each look and line-up, the counts of the goals by
set and batch, and the card files of the sets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.disk import reason, sync, write_file
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.result import field, read_json
from lostlegacy_sim.studies.look import Look, Seated, asked_for, seated
from lostlegacy_sim.studies.survey import Survey
from lostlegacy_sim.tally import checksum

SCHEMA = "llsim.exploration/1"
MANIFEST, COUNTS = "manifest.json", "counts.npz"


@dataclass(frozen=True, eq=False)
class Exploration:
    """Looks by their name, and what else the family needs to answer from them."""

    family: str  # "mixes", "guidelines" or "sweep"
    looks: Mapping[str, Look]
    facts: Mapping[str, Any]  # strings, numbers and lists only


def write_exploration(folder: Path, exploration: Exploration) -> None:
    """Write both files into an existing folder."""
    arrays: dict[str, Any] = {}
    manifests = {}
    for name, look in exploration.looks.items():
        arrays[f"{name}.sets"] = np.frombuffer(json.dumps([card_set.to_toml() for card_set in look.sets]).encode(), np.uint8)
        arrays |= {f"{name}.{line_up}": smallest(survey.counts) for line_up, survey in look.surveys.items()}
        manifests[name] = manifest_of(look)
    buffer = BytesIO()
    np.savez_compressed(buffer, **arrays)
    counts = buffer.getvalue()
    manifest = {"schema": SCHEMA, "family": exploration.family, "facts": dict(exploration.facts), "looks": manifests,
                "counts_sha256": checksum(counts)}  # fmt: skip
    write_file(folder / COUNTS, counts)
    write_file(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())
    sync(folder)


def manifest_of(look: Look) -> dict[str, Any]:
    """What was asked and played, without the counts."""
    return {
        "game": next(iter(look.surveys.values())).asked.experiments[0].game,
        "table": look.table.to_plain(),
        "status": "complete" if look.is_whole else "partial",
        "sets": [card_set.id for card_set in look.sets],
        "rows": list(look.rows),
        "measures": {name: list(survey.asked.names) for name, survey in look.surveys.items()},
        "error": look.error,
        "provenance": dict(next(iter(look.surveys.values())).provenance),
    }


def smallest(counts: Any) -> Any:
    """The same whole numbers in as few bytes as they need; other numbers as they are."""
    if counts.dtype.kind == "f" or not counts.size or counts.min() < 0:
        return counts
    return counts.astype(np.min_scalar_type(counts.max()))


# --- reading ----------------------------------------------------------------------------------------------


def load_exploration(folder: Path, game: Game) -> Exploration:
    """The exploration of a folder. Raises ResultError if it is none, damaged, or of another version."""
    path = folder / MANIFEST
    manifest = read_json(path, SCHEMA)
    try:
        data = (folder / COUNTS).read_bytes()
    except OSError as error:
        raise ResultError(f"{folder / COUNTS} cannot be read: {reason(error)}.") from None
    if checksum(data) != field(manifest, "counts_sha256", str, path):
        raise ResultError(f"{folder / COUNTS} is damaged: it does not match the checksum in {MANIFEST}.")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, OSError, BadZipFile):
        raise ResultError(f"{folder / COUNTS} is damaged: it is not a file of counts.") from None
    looks = field(manifest, "looks", dict, path)
    return Exploration(
        field(manifest, "family", str, path),
        {name: read_look(name, looks[name], arrays, game, path) for name in looks},
        field(manifest, "facts", dict, path),
    )


def read_look(name: str, manifest: Any, arrays: Mapping[str, Any], game: Game, path: Path) -> Look:
    """One look. Raises ResultError."""
    try:
        sets = [parse_set(text, VOCABULARY, where=name) for text in json.loads(arrays[f"{name}.sets"].tobytes())]
        table = read_table(manifest["table"], game, sets)
        asked = asked_for(table, sets, game)
        rows = tuple(int(row) for row in manifest["rows"])
        if not set(rows) <= set(range(len(sets))):
            raise ValueError("rows without a set")
        surveys = {}
        for line_up, one in asked.items():
            counts = arrays[f"{name}.{line_up}"]
            if manifest["measures"][line_up] != list(one.names) or counts.shape != (len(rows), len(one.sizes), len(one.names), 2):
                raise ValueError("counts of another form")
            kept = counts if counts.dtype.kind == "f" else counts.astype(np.int64)
            measures = game.measures(one.experiments[0])
            surveys[line_up] = Survey(one, rows, kept, measures, manifest["provenance"], str(manifest["error"]))
    except LlsimError as error:
        raise ResultError(f"{path} cannot be used: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ResultError(f"{path} is damaged: its {name} look does not match its counts.") from None
    return Look(table, tuple(sets), surveys)


def read_table(plain: Mapping[str, Any], game: Game, sets: Sequence[CardSet]) -> Seated:
    """The table of a manifest. Raises what a wrong one raises."""
    upper, lower = plain["skill"]
    return seated(game, sets[0], plain["players"], plain["bots"], plain["goals"], plain["deals"], plain["seed"], (upper, lower))
