"""Kept balance: the folder of a balance. It is a result folder of the set as it is, with the counts of the variants beside it.

`balance.json` says what was asked; `variants.npz` holds for each variant, named by the hash of its experiment, the events
and trials of its measures by batch. A folder of the first version of the schema did not count what one copy gives: what it
counted is answered, and of the rest is said why it is not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.disk import reason, sync, write_file
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result, field, load_all, read_json, write_results
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.card_trials import EFFECTS, Balancing, balancing_of
from lostlegacy_sim.studies.survey import Asked, Survey
from lostlegacy_sim.tally import checksum

SCHEMA, FIRST = "llsim.balance-counts/2", "llsim.balance-counts/1"
NOT_COUNTED = "kept by an earlier version, which did not count it; play it again"
MANIFEST, COUNTS = "balance.json", "variants.npz"


def write_balance(folder: Path, balance: Balance) -> None:
    """Write results, counts and manifest into an existing folder."""
    write_results(folder, [table.base for table in balance.tables])
    buffer = BytesIO()
    arrays: dict[str, Any] = {
        experiment.hash: smallest(survey.counts[0]) for table in balance.tables for experiment, survey in table.played.items()
    }
    np.savez_compressed(buffer, **arrays)
    manifest = {"schema": SCHEMA, "tables": [table_manifest(table) for table in balance.tables], "error": balance.error,
                "counts_sha256": checksum(buffer.getvalue())}  # fmt: skip
    write_file(folder / COUNTS, buffer.getvalue())
    write_file(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())
    sync(folder)


def table_manifest(table: CardTable) -> dict[str, Any]:
    """What was asked at one table, and what was played of it."""
    return {
        "experiment_hash": table.asked.base.hash,
        "cards": list(table.asked.cards),
        "effects": list(table.asked.effects),
        "against": table.asked.against,
        "variants": [{"set": experiment.set_name, "bots": list(experiment.bots), "hash": experiment.hash,
                      "measures": list(survey.asked.names)} for experiment, survey in table.played.items()],
    }  # fmt: skip


def smallest(counts: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers in as few bytes as they need."""
    return counts.astype(np.min_scalar_type(int(counts.max()))) if counts.size and counts.min() >= 0 else counts


# --- reading ----------------------------------------------------------------------------------------------


def is_balance(folder: Path) -> bool:
    """Whether a folder was written by `write_balance`."""
    return (folder / MANIFEST).is_file()


def load_balance(folder: Path, game: Game) -> Balance:
    """The balance of a folder; no bot file is opened for it. Raises ResultError if it is damaged or of another version."""
    path = folder / MANIFEST
    manifest, is_first = read_manifest(path)
    results, tables = load_all(folder), field(manifest, "tables", list, path)
    arrays = read_counts(folder / COUNTS, field(manifest, "counts_sha256", str, path))
    if len(results) != len(tables):
        raise ResultError(f"{path} is damaged: it does not speak of the results beside it.")
    read = [read_table(plain, result, arrays, game, path, is_first) for plain, result in zip(tables, results, strict=True)]
    return Balance(read, field(manifest, "error", str, path))


def read_manifest(path: Path) -> tuple[dict[str, Any], bool]:
    """The manifest, and whether it is of the first version. Raises ResultError."""
    try:
        return read_json(path, FIRST), True
    except ResultError:
        return read_json(path, SCHEMA), False


def read_counts(path: Path, expected: str) -> Mapping[str, NDArray[Any]]:
    """The counts by the hash of their experiment. Raises ResultError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultError(f"{path} cannot be read: {reason(error)}.") from None
    if checksum(data) != expected:
        raise ResultError(f"{path} is damaged: it does not match the checksum in {MANIFEST}.")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name].astype(np.int64) for name in archive.files}
    except (ValueError, OSError, BadZipFile):
        raise ResultError(f"{path} is damaged: it is not a file of counts.") from None


def read_table(plain: Any, result: Result, arrays: Mapping[str, NDArray[Any]], game: Game, path: Path, is_first: bool) -> CardTable:
    """One table. Raises ResultError."""
    try:
        if plain["experiment_hash"] != result.experiment.hash or not set(plain["effects"]) <= set(EFFECTS):
            raise ValueError("another experiment")
        asked = balancing_of(result.experiment, tuple(plain["cards"]), tuple(plain["effects"]), plain["against"])
        played = dict(read_variants(plain["variants"], asked, arrays, game, is_first))
        return as_counted(CardTable(asked, result, played, game)) if is_first else CardTable(asked, result, played, game)
    except LlsimError as error:
        raise ResultError(f"{path} cannot be used: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ResultError(f"{path} is damaged: it does not match its counts.") from None


def read_variants(
    kept: Sequence[Any], asked: Balancing, arrays: Mapping[str, NDArray[Any]], game: Game, is_first: bool
) -> Iterator[tuple[Experiment, Survey]]:
    """(experiment, survey) of every variant that was kept. Raises ValueError for one that was not asked for."""
    wanted = {experiment.hash: (experiment, names) for experiment, names in asked.variants.items()}
    for plain in kept:
        experiment, names = wanted[plain["hash"]]
        counted, counts = tuple(plain["measures"]), arrays[plain["hash"]]
        one = Asked((experiment,), counted)
        is_asked = set(counted) <= set(names) if is_first else counted == names
        if not is_asked or counts.shape != (len(one.sizes), len(counted), 2):
            raise ValueError("counts of another form")
        yield experiment, Survey(one, (0,), counts[None], game.measures(experiment))


def as_counted(table: CardTable) -> CardTable:
    """The same without the trials that take the text off one copy of several, which were not counted; they are said not to be."""
    gone = [trial for trial in table.asked.trials if trial.effect == "one" and len({measure for _, measure in trial.questions[0].sides}) > 1]
    trials = tuple(trial for trial in table.asked.trials if trial not in gone)
    impossible = (*table.asked.impossible, *((trial.card, trial.effect, NOT_COUNTED) for trial in gone))
    return CardTable(replace(table.asked, trials=trials, impossible=impossible), table.base, table.played, table.game)
