"""Result: what came out of an experiment; the folders results are kept in.

A result folder holds `manifest.json` (experiment, status, versions, exemplars, checksum) and
`counts.npy`. While it is played, or played in parts, it holds `run.json` (what was asked) and pieces
(see pieces.py) instead. A folder of several results holds `results.json` and one result folder for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lostlegacy_sim.disk import Draft, is_child, read_file, reason, sweep, write_file, write_whole
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.pieces import PATTERN, known_batches, read_piece
from lostlegacy_sim.tally import (
    NONE,
    Counts,
    Labels,
    Tally,
    checksum,
    exemplar_deals,
    merge_exemplars,
    n_labels,
    no_exemplars,
)

SCHEMA = "llsim.result/1"
SEVERAL = "llsim.results/1"
RUN = "llsim.run/1"
MAX_MANIFEST = 16_000_000  # bytes
MAX_COUNTS = 1 << 28  # bytes
MAX_LABELS = 1_000_000  # columns of counts


@dataclass(frozen=True, eq=False)
class Result:
    """The counts of the finished batches of an experiment; the tally's rows are these batches."""

    experiment: Experiment
    tally: Tally
    categories: tuple[str, ...]
    exemplars: Counts  # int64 [categories + 1], see tally.py
    provenance: Mapping[str, Any]  # versions, machine, seconds, threads: no influence on the counts
    error: str = ""  # why a bot stopped it, if one did

    @property
    def batches(self) -> int:
        """Number of finished batches."""
        return len(self.tally.counts)

    @property
    def sizes(self) -> Counts:
        """Blocks in each finished batch."""
        experiment = self.experiment
        sizes = np.full(self.batches, experiment.batch_blocks, np.int64)
        if self.batches == experiment.batches and self.batches:
            sizes[-1] = experiment.blocks - experiment.batch_blocks * (self.batches - 1)
        return sizes

    @property
    def blocks(self) -> int:
        """Number of shuffles played."""
        return int(self.sizes.sum())

    @property
    def deals(self) -> int:
        """Number of deals played, void ones included."""
        return self.blocks * self.experiment.rotations

    @property
    def status(self) -> str:
        """ "complete", or "partial" if it was stopped."""
        return "complete" if self.batches == self.experiment.batches else "partial"

    @property
    def deal_of(self) -> dict[str, int | None]:
        """The exemplars: deal number by category, None where none occurred."""
        return exemplar_deals(self.categories, self.exemplars)

    @property
    def longest(self) -> int:
        """Turns of the longest deal."""
        return int(self.exemplars[-2])


# --- writing ------------------------------------------------------------------------------------------


def write_results(folder: Path, results: Sequence[Result]) -> None:
    """Write one result into the folder itself, several into folders inside it."""
    if len(results) == 1:
        write_result(folder, results[0])
        return
    names = folder_names([result.experiment for result in results])
    for name, result in zip(names, results, strict=True):
        (folder / name).mkdir()
        write_result(folder / name, result)
    write_file(folder / "results.json", json.dumps({"schema": SEVERAL, "results": names}, indent=1).encode())


def folder_names(experiments: Sequence[Experiment]) -> list[str]:
    """A name for the folder of each of several results: "3-players"; "2-megamix" where that would not do."""
    players = [experiment.players for experiment in experiments]
    if len(set(players)) == len(players):
        return [f"{number}-players" for number in players]
    words = [re.sub(r"[^a-z0-9]+", "-", experiment.set_id.lower()).strip("-") for experiment in experiments]
    return [f"{place}-{word[:40] or 'set'}" for place, word in enumerate(words, 1)]


def write_result(folder: Path, result: Result) -> None:
    """Write counts and manifest of one result into an existing folder."""
    write_whole(folder / "counts.npy", result.tally.to_bytes())
    write_whole(folder / "manifest.json", json.dumps(manifest_of(result), indent=1, ensure_ascii=False).encode())


def manifest_of(result: Result) -> dict[str, Any]:
    """All that a result folder holds beside the counts: what was asked, how far it came, with what it was made."""
    return {
        "schema": SCHEMA,
        "status": result.status,
        "batches": result.batches,
        "deals": result.deals,
        "error": result.error,
        "experiment": result.experiment.to_plain(),
        "experiment_hash": result.experiment.hash,
        "labels": [[name, list(shape)] for name, shape in result.tally.labels],
        "categories": list(result.categories),
        "exemplars": result.deal_of,
        "longest_turns": result.longest,
        "counts_sha256": checksum(result.tally.to_bytes()),
        "provenance": dict(result.provenance),
    }


# --- the last result ------------------------------------------------------------------------------------


def remember(results: Sequence[Result]) -> None:
    """Keep these results as the last ones, in the cache folder; where it cannot be written, do nothing."""
    from lostlegacy_sim.jit import cache_home

    with suppress(OSError, RuntimeError):
        home = cache_home()
        home.mkdir(parents=True, exist_ok=True)
        sweep(home, "last")
        draft = Draft(home / "last", is_folder=True)
        try:
            new, old = draft.path / "new", draft.path / "old"
            new.mkdir()
            write_results(new, results)
            if (home / "last").exists():
                (home / "last").rename(old)
            new.rename(home / "last")
        finally:
            draft.remove()


def recall() -> list[Result]:
    """The last results. Raises ResultError if there are none."""
    from lostlegacy_sim.jit import cache_home

    try:
        return load_all(cache_home() / "last")
    except (ResultError, RuntimeError):
        raise ResultError("There is no last result to speak of. `llsim simulate` plays one.") from None


# --- reading ------------------------------------------------------------------------------------------


def load(folder: Path) -> Result:
    """The result of a folder. Raises ResultError if there is none, several, or a damaged one."""
    results = load_all(folder)
    if len(results) > 1:
        names = ", ".join(str(folder / name) for name in read_listed(folder))
        raise ResultError(f"{folder} holds {len(results)} results. Name one of them: {names}.")
    return results[0]


def load_all(folder: Path) -> list[Result]:
    """The results of a folder, one or several. Raises ResultError."""
    if not folder.is_dir():
        raise ResultError(f"There is no result folder {folder}.")
    if not (folder / "results.json").is_file():
        return [load_result(folder)]
    found = [load_result(folder / name) for name in read_listed(folder)]
    return [result for result in found if result.deals] or found  # a stopped run may not have come to all


def read_listed(folder: Path) -> list[str]:
    """The names of the folders that `results.json` lists, each once and inside its folder. Raises ResultError."""
    path = folder / "results.json"
    names = field(read_json(path, SEVERAL), "results", list, path)
    if not names or not all(isinstance(name, str) and is_child(name) for name in names) or len(set(names)) < len(names):
        raise ResultError(f"{path} is damaged: it should list the folders beside it, each once.")
    for name in names:
        if (folder / name).is_symlink():
            raise ResultError(f"{folder / name} is a link, and links are not followed out of {folder}. Put the folder itself there.")
    return list(names)


def load_result(folder: Path) -> Result:
    """The one result that lies directly in a folder. Raises ResultError."""
    path = folder / "manifest.json"
    if not path.exists() and (folder / "run.json").is_file():
        return load_unfinished(folder)
    manifest = read_json(path, SCHEMA)
    experiment = Experiment.from_plain(field(manifest, "experiment", dict, path), str(path))
    batches = field(manifest, "batches", int, path)
    if field(manifest, "experiment_hash", str, path) != experiment.hash or not 0 <= batches <= experiment.batches:
        raise ResultError(f"{path} is damaged: its experiment does not match its checksum.")
    labels = read_labels(field(manifest, "labels", list, path), path)
    try:
        counts = read_file(folder / "counts.npy", MAX_COUNTS)
    except OSError as error:
        raise ResultError(f"{folder / 'counts.npy'} cannot be read: {reason(error)}.") from None
    if checksum(counts) != field(manifest, "counts_sha256", str, path):
        raise ResultError(f"{folder / 'counts.npy'} is damaged: it does not match the checksum in manifest.json.")
    tally = Tally.from_bytes(counts, labels, batches, str(folder / "counts.npy"))
    categories = read_categories(manifest, path)
    exemplars = read_exemplars(categories, manifest, path, experiment.planned_deals)
    provenance, bot_error = field(manifest, "provenance", dict, path), field(manifest, "error", str, path)
    result = Result(experiment, tally, categories, exemplars, provenance, bot_error)
    if field(manifest, "deals", int, path) != result.deals or field(manifest, "status", str, path) != result.status:
        raise ResultError(f"{path} is damaged: its number of deals does not match its batches.")
    if counted_deals(tally) != result.deals:
        raise ResultError(f"{folder / 'counts.npy'} is damaged: it does not count as many deals as manifest.json says.")
    return result


@dataclass(frozen=True)
class Asked:
    """What a folder with a run in progress is to hold, as `run.json` says it."""

    experiment: Experiment
    labels: Labels
    categories: tuple[str, ...]
    until: tuple[str, ...]  # the targets that may end it earlier
    provenance: Mapping[str, Any]  # versions it was begun with

    def to_plain(self) -> dict[str, Any]:
        """As it is written."""
        return {
            "schema": RUN,
            "experiment": self.experiment.to_plain(),
            "experiment_hash": self.experiment.hash,
            "labels": [[name, list(shape)] for name, shape in self.labels],
            "categories": list(self.categories),
            "until": list(self.until),
            "provenance": dict(self.provenance),
        }


def read_asked(folder: Path) -> Asked:
    """The `run.json` of a folder. Raises ResultError."""
    path = folder / "run.json"
    plain = read_json(path, RUN)
    experiment = Experiment.from_plain(field(plain, "experiment", dict, path), str(path))
    if field(plain, "experiment_hash", str, path) != experiment.hash:
        raise ResultError(f"{path} is damaged: its experiment does not match its checksum.")
    until = tuple(str(target) for target in field(plain, "until", list, path))
    labels = read_labels(field(plain, "labels", list, path), path)
    return Asked(experiment, labels, read_categories(plain, path), until, field(plain, "provenance", dict, path))


def load_unfinished(folder: Path) -> Result:
    """What a run has written so far, from the first batch on without a gap. Raises ResultError."""
    asked = read_asked(folder)
    experiment, n_exemplars = asked.experiment, len(asked.categories) + 1
    spans = [span for path in sorted(folder.glob(PATTERN)) for span in read_piece(path, experiment, asked.labels, n_exemplars)]
    known = known_batches(spans, experiment)
    rows: list[Counts] = []
    exemplars = no_exemplars(asked.categories)
    while len(rows) in known:
        span = known[len(rows)]
        rows.append(span.counts)
        exemplars = merge_exemplars(exemplars, span.exemplars)
    counts = np.stack(rows) if rows else np.zeros((0, n_labels(asked.labels)), np.int64)
    return Result(experiment, Tally(asked.labels, counts), asked.categories, exemplars, asked.provenance)


def counted_deals(tally: Tally) -> int:
    """Deals in a tally, void ones included; every game counts both. Raises ResultError if it does not."""
    try:
        return int(tally.totals["deals"]) + int(tally.totals["void"])
    except (KeyError, TypeError):
        raise ResultError("This result does not count its deals; it is not from this program.") from None


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """A JSON file of a stated schema. Raises ResultError."""
    try:
        data = json.loads(read_file(path, MAX_MANIFEST))
    except FileNotFoundError:
        raise ResultError(f"{path.parent} holds no result: {path.name} is missing.") from None
    except OSError as error:
        raise ResultError(f"{path} cannot be read: {reason(error)}.") from None
    except (ValueError, RecursionError):
        raise ResultError(f"{path} is damaged: it is not JSON.") from None
    found = data.get("schema") if isinstance(data, dict) else None
    if found != schema:
        raise ResultError(f"{path} has the schema {str(found)[:40]!r}; this version reads {schema!r}.")
    return dict(data)


def field(data: Mapping[str, Any], name: str, form: type, path: Path) -> Any:
    """One field of a manifest, of a stated type. Raises ResultError."""
    value = data.get(name)
    if not isinstance(value, form) or (form is int and isinstance(value, bool)):
        raise ResultError(f"{path} is damaged: {name} is missing or not a {form.__name__}.")
    return value


def read_labels(rows: Sequence[Any], path: Path) -> Labels:
    """The labels of a manifest. Raises ResultError."""
    try:
        labels = tuple((str(name), tuple(int(size) for size in shape)) for name, shape in rows)
        if any(size < 1 for _, shape in labels for size in shape) or not 1 <= n_labels(labels) <= MAX_LABELS:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise ResultError(f"{path} is damaged: its labels are not names with shapes.") from None
    return labels


def read_categories(manifest: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    """The categories of exemplars of a manifest, the longest deal being the last one. Raises ResultError."""
    categories = tuple(str(name) for name in field(manifest, "categories", list, path))
    if not categories or len(set(categories)) < len(categories):
        raise ResultError(f"{path} is damaged: its categories are not names, each once.")
    return categories


def read_exemplars(categories: Sequence[str], manifest: Mapping[str, Any], path: Path, deals_played: int) -> Counts:
    """The exemplars of a manifest as an array, each one of the deals that were played. Raises ResultError."""
    deals = field(manifest, "exemplars", dict, path)
    exemplars = no_exemplars(categories)
    try:
        numbers = [NONE if deals[name] is None else int(deals[name]) for name in categories]
        exemplars[:-2], exemplars[-1] = numbers[:-1], numbers[-1]
        if any(not 0 <= number < deals_played and number != NONE for number in numbers):
            raise ValueError
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        raise ResultError(f"{path} is damaged: its exemplars are not deal numbers.") from None
    exemplars[-2] = field(manifest, "longest_turns", int, path)
    return exemplars
