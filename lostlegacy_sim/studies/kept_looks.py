"""Kept looks: the folder an exploration is kept in, and what it answers without being played again.

`manifest.json` says what was asked; `counts.npz` holds, for each look and line-up, the counts of the goals by
set and batch, and the card files of the sets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from lostlegacy_sim.arrays import Archive
from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.disk import read_file, reason, sync, write_file
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.experiment import MAX_SEED, MOST_DEALS, MOST_PLAYERS
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_sets
from lostlegacy_sim.identity import refuse_mixed
from lostlegacy_sim.plain import (
    HASH,
    LINE,
    NAME,
    NO_TEXT,
    Kind,
    Plain,
    both,
    by_name,
    different,
    on_lines,
    one_line,
    one_of,
    parse,
    several,
    shaped,
    text_of,
    unparse,
    whole,
)
from lostlegacy_sim.result import MAX_COUNTS, STATUS, read_json, read_provenance
from lostlegacy_sim.studies.families import GUIDELINES, LEGAL
from lostlegacy_sim.studies.goals import read_goals
from lostlegacy_sim.studies.look import Look, Seated, asked_for
from lostlegacy_sim.studies.survey import Survey
from lostlegacy_sim.tally import checksum

SCHEMA = "llsim.exploration/1"
MANIFEST, COUNTS = "manifest.json", "counts.npz"
MOST_LOOKS, MOST_SETS, MOST_GOALS = 2000, 10_000, 200  # of an exploration
MOST_SET, MOST_SETS_TEXT = 20_000, 1 << 26  # bytes of a set, and of all
SET_TEXT = Kind("a card file", lambda value: text_of(value, MOST_SET, NO_TEXT))
FAMILY = shaped({"name": NAME, "about": LINE, "breaks": different(one_of(GUIDELINES), len(GUIDELINES)), "members": several(LINE, MOST_SETS), "bases": several(whole(), MOST_SETS)})
FACTS: dict[str, Kind[dict[str, Any]]] = {  # what is kept beside the looks, by family
    "mixes": shaped({"top": whole(1, MOST_SETS)}),
    "guidelines": shaped({LEGAL: several(LINE, MOST_SETS), "families": several(FAMILY, MOST_GOALS)}),
    "sweep": shaped({"file": LINE, "points": several(by_name(LINE, MOST_GOALS), MOST_SETS)}),
}


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
    manifest = {"schema": SCHEMA, "family": exploration.family, "facts": on_lines(exploration.facts), "looks": manifests,
                "counts_sha256": checksum(counts)}  # fmt: skip
    write_file(folder / COUNTS, counts)
    write_file(folder / MANIFEST, unparse(manifest))
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
        "error": one_line(look.error),
        "provenance": on_lines(next(iter(look.surveys.values())).provenance),
    }


def smallest(counts: Any) -> Any:
    """The same whole numbers in as few bytes as they need; other numbers as they are."""
    if counts.dtype.kind == "f" or not counts.size or counts.min() < 0:
        return counts
    return counts.astype(np.min_scalar_type(counts.max()))


# --- reading ----------------------------------------------------------------------------------------------


def load_exploration(folder: Path, game: Game) -> Exploration:
    """The exploration of a folder. Raises ResultError if it is none, damaged, or of another version."""
    manifest = read_json(folder / MANIFEST, SCHEMA)
    archive = read_archive(folder / COUNTS, manifest)
    family = manifest.read("family", NAME)
    if family not in FACTS:
        raise ResultError(f"This exploration is of the family '{family}', which this version does not know.")
    looks = {name: read_look(name, plain, archive, game) for name, plain in manifest.tables_by_name("looks", MOST_LOOKS).items()}
    if archive.names - {f"{name}.{array}" for name, look in looks.items() for array in ("sets", *look.surveys)}:
        raise ResultError(f"{folder / COUNTS} is damaged: it holds other things than {MANIFEST} says.")
    refuse_mixed(folder, {f"the {name} look": next(iter(look.surveys.values())).provenance for name, look in looks.items()})
    return Exploration(family, looks, manifest.read("facts", FACTS[family]))


def read_look(name: str, manifest: Plain, archive: Archive, game: Game) -> Look:
    """One look. Raises ResultError."""
    ids = manifest.read("sets", several(LINE, MOST_SETS, 1))
    rows = manifest.read("rows", different(whole(0, len(ids) - 1), len(ids)))
    measures, provenance = manifest.read("measures", by_name(several(LINE, MOST_GOALS), MOST_GOALS)), read_provenance(manifest)
    try:
        texts = several(SET_TEXT, len(ids), len(ids)).read(parse(archive.text(f"{name}.sets", min(MOST_SET * len(ids), MOST_SETS_TEXT))))
        parse_text = find_sets(game.name).parse
        sets = [parse_text(text, name) for text in texts]
        table = read_table(manifest.table("table"), game, sets)
        surveys = {}
        for line_up, one in asked_for(table, sets, game).items():
            if measures[line_up] != one.names or tuple(card_set.id for card_set in sets) != ids:
                raise ValueError("another question")
            counts = archive.numbers(f"{name}.{line_up}", (len(rows), len(one.sizes), len(one.names), 2))
            surveys[line_up] = Survey(one, rows, counts, game.measures(one.experiments[0]), provenance, manifest.read("error", LINE))
            surveys[line_up].check()
        look = Look(table, tuple(sets), surveys)
    except LlsimError as error:
        raise ResultError(f"{manifest.where} cannot be used: {error}") from None
    except (KeyError, ValueError):
        raise ResultError(f"{manifest.where} is damaged: its {name} look does not match its counts.") from None
    if look.is_whole != (manifest.read("status", one_of(STATUS)) == STATUS[0]):
        raise ResultError(f"{manifest.where} is damaged: it does not say how far its {name} look came.")
    return look


def read_table(plain: Plain, game: Game, sets: Sequence[CardSet]) -> Seated:
    """The table of a manifest; its bots are names and hashes here, and no file of theirs is opened. Raises ResultError or UsageError."""
    sources = plain.read("sources", by_name(HASH, MOST_PLAYERS + 2)) if "sources" in plain else {}
    players = plain.read("players", whole(1, MOST_PLAYERS))
    table = Seated(
        players, plain.read("bots", several(LINE, players, players)), (),
        plain.read("deals", whole(1, MOST_DEALS)), plain.read("seed", whole(0, MAX_SEED)), plain.read("skill", both(LINE, LINE)),
        tuple(sources.items()),
    )  # fmt: skip
    measures = game.measures(table.experiment(game, sets[0], table.bots))
    return replace(table, goals=read_goals(plain.read("goals", several(LINE, MOST_GOALS, 1)), measures))


def read_archive(path: Path, manifest: Plain) -> Archive:
    """The file of counts beside a manifest. Raises ResultError."""
    try:
        data = read_file(path, MAX_COUNTS)
    except OSError as error:
        raise ResultError(f"{path} cannot be read: {reason(error)}.") from None
    if checksum(data) != manifest.read("counts_sha256", HASH):
        raise ResultError(f"{path} is damaged: it does not match the checksum in {Path(manifest.where).name}.")
    try:
        return Archive(data)
    except ValueError:
        raise ResultError(f"{path} is damaged: it is not a file of counts.") from None
