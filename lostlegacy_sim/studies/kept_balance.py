"""Kept balance: the folder of a balance. It is a result folder of the set as it is, with the counts of the variants beside it.

`balance.json` says what was asked; `variants.npz` holds for each variant, named by the hash of its experiment, the events
and trials of its measures by batch. A folder of the first version of the schema did not count what one copy gives: what it
counted is answered, and of the rest is said why it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from lostlegacy_sim.arrays import Archive
from lostlegacy_sim.disk import sync, write_file
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.identity import IDENTITY, Identity, refuse_mixed
from lostlegacy_sim.plain import HASH, LINE, Plain, different, one_line, one_of, perhaps, several, unparse
from lostlegacy_sim.result import MOST_RESULTS, Result, load_by_name, read_json, write_results
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.card_trials import EFFECTS, Balancing, balancing_of
from lostlegacy_sim.studies.kept_looks import read_archive, smallest
from lostlegacy_sim.studies.survey import Asked, Survey
from lostlegacy_sim.tally import checksum

SCHEMA, FIRST = "llsim.balance-counts/2", "llsim.balance-counts/1"
NOT_COUNTED = "kept by an earlier version, which did not count it; play it again"
MANIFEST, COUNTS = "balance.json", "variants.npz"
MOST_CARDS, MOST_VARIANTS = 1000, 10_000  # of a table


def write_balance(folder: Path, balance: Balance) -> None:
    """Write results, counts and manifest into an existing folder."""
    write_results(folder, [table.base for table in balance.tables])
    buffer = BytesIO()
    arrays: dict[str, Any] = {
        experiment.hash: smallest(survey.counts[0]) for table in balance.tables for experiment, survey in table.played.items()
    }
    np.savez_compressed(buffer, **arrays)
    manifest = {"schema": SCHEMA, "tables": [table_manifest(table) for table in balance.tables], "error": one_line(balance.error),
                "counts_sha256": checksum(buffer.getvalue())}  # fmt: skip
    write_file(folder / COUNTS, buffer.getvalue())
    write_file(folder / MANIFEST, unparse(manifest))
    sync(folder)


def table_manifest(table: CardTable) -> dict[str, Any]:
    """What was asked at one table, and what was played of it."""
    return {
        "experiment_hash": table.asked.base.hash,
        "counted_by": Identity.from_plain(table.base.provenance).to_plain(),
        "cards": list(table.asked.cards),
        "effects": list(table.asked.effects),
        "against": table.asked.against,
        "variants": [{"set": experiment.set_name, "bots": list(experiment.bots), "hash": experiment.hash,
                      "measures": list(survey.asked.names)} for experiment, survey in table.played.items()],
    }  # fmt: skip


# --- reading ----------------------------------------------------------------------------------------------


def is_balance(folder: Path) -> bool:
    """Whether a folder was written by `write_balance`."""
    return (folder / MANIFEST).is_file()


def load_balance(folder: Path, game: Game) -> Balance:
    """The balance of a folder; no bot file is opened for it. Raises ResultError if it is damaged or of another version."""
    manifest, is_first = read_manifest(folder / MANIFEST)
    named, tables = load_by_name(folder), manifest.tables("tables", MOST_RESULTS)
    refuse_mixed(folder, {name: result.provenance for name, result in named.items()})
    archive = read_archive(folder / COUNTS, manifest)
    if len(named) != len(tables):
        raise ResultError(f"{manifest.where} is damaged: it does not speak of the results beside it.")
    read = [read_table(plain, result, archive, game, is_first) for plain, result in zip(tables, named.values(), strict=True)]
    if archive.names != {experiment.hash for table in read for experiment in table.played}:
        raise ResultError(f"{folder / COUNTS} is damaged: it holds other things than {MANIFEST} says.")
    return Balance(read, manifest.read("error", LINE))


def read_manifest(path: Path) -> tuple[Plain, bool]:
    """The manifest, and whether it is of the first version. Raises ResultError."""
    try:
        return read_json(path, FIRST), True
    except ResultError:
        return read_json(path, SCHEMA), False


def read_table(plain: Plain, result: Result, archive: Archive, game: Game, is_first: bool) -> CardTable:
    """One table. Raises ResultError."""
    cards, effects = plain.read("cards", different(LINE, MOST_CARDS)), plain.read("effects", different(one_of(EFFECTS), len(EFFECTS)))
    against = plain.read("against", perhaps(LINE))
    if "counted_by" in plain:  # once it was not kept
        refuse_mixed(plain.where, {"the set as it is": result.provenance, "its variants": plain.read("counted_by", IDENTITY)})
    try:
        if plain.read("experiment_hash", HASH) != result.experiment.hash:
            raise ValueError("another experiment")
        asked = balancing_of(result.experiment, cards, effects, against)
        played = dict(read_variants(plain.tables("variants", MOST_VARIANTS), asked, archive, game, is_first))
    except LlsimError as error:
        raise ResultError(f"{plain.where} cannot be used: {error}") from None
    except (KeyError, ValueError):
        raise ResultError(f"{plain.where} is damaged: it does not match its counts.") from None
    return as_counted(CardTable(asked, result, played, game)) if is_first else CardTable(asked, result, played, game)


def read_variants(kept: Sequence[Plain], asked: Balancing, archive: Archive, game: Game, is_first: bool) -> Iterator[tuple[Experiment, Survey]]:
    """(experiment, survey) of every variant that was kept. Raises ValueError or KeyError for one that was not asked for."""
    wanted = {experiment.hash: (experiment, names) for experiment, names in asked.variants.items()}
    for plain in kept:
        name = plain.read("hash", HASH)
        experiment, names = wanted.pop(name)
        counted = plain.read("measures", several(LINE, MOST_VARIANTS, 1))
        is_asked = set(counted) <= set(names) if is_first else counted == names
        if not is_asked:
            raise ValueError("other measures")
        one = Asked((experiment,), counted)
        survey = Survey(one, (0,), archive.numbers(name, (len(one.sizes), len(counted), 2))[None], game.measures(experiment))
        survey.check()
        yield experiment, survey


def as_counted(table: CardTable) -> CardTable:
    """The same without the trials that take the text off one copy of several, which were not counted; they are said not to be."""
    gone = [trial for trial in table.asked.trials if trial.effect == "one" and len({measure for _, measure in trial.questions[0].sides}) > 1]
    trials = tuple(trial for trial in table.asked.trials if trial not in gone)
    impossible = (*table.asked.impossible, *((trial.card, trial.effect, NOT_COUNTED) for trial in gone))
    return CardTable(replace(table.asked, trials=trials, impossible=impossible), table.base, table.played, table.game)
