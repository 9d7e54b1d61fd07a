"""Result: what came out of an experiment; the folders results are kept in.

A result folder holds `manifest.json` (experiment, status, versions, exemplars, checksum) and
`counts.npy`. While it is played, or played in parts, it holds `run.json` (what was asked) and pieces
(see pieces.py) instead. A folder of several results holds `results.json` and one result folder for each.
"""

from __future__ import annotations

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
from lostlegacy_sim.identity import ROOMS, Identity
from lostlegacy_sim.pieces import PATTERN, known_batches, read_piece, stamp_of
from lostlegacy_sim.plain import (
    ANYTHING,
    HASH,
    LINE,
    NAME,
    Kind,
    Plain,
    both,
    by_name,
    different,
    number,
    on_lines,
    one_line,
    one_of,
    parse,
    perhaps,
    said,
    satisfying,
    several,
    unparse,
    whole,
)
from lostlegacy_sim.tally import (
    MOST_TURNS,
    NONE,
    Counts,
    Labels,
    Tally,
    can_be,
    checksum,
    exemplar_deals,
    merge_exemplars,
    n_labels,
    no_exemplars,
)

SCHEMA = "llsim.result/1"
STATUS = ("complete", "partial")
SEVERAL = "llsim.results/1"
RUN = "llsim.run/1"
MAX_MANIFEST = 4_000_000  # bytes
MAX_COUNTS = 1 << 28  # bytes
MAX_LABELS = 1_000_000  # columns of counts
MOST_RESULTS = 10_000  # of a folder
MOST_LABELS, MOST_TARGETS, MOST_FACTS = 1000, 100, 50  # of a manifest
LABELS = said("a list of names with shapes", several(both(NAME, several(whole(1, MAX_LABELS), 8)), MOST_LABELS, 1))
FOLDERS = said("a list of the folders beside it, each once", different(satisfying(is_child, NAME), MOST_RESULTS, 1))
# All else is text.
PROVENANCE: dict[str, Kind[Any]] = {"threads": whole(0, 10**6), "seconds": number(0, 1e12), "code": ROOMS}


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
    write_file(folder / "results.json", unparse({"schema": SEVERAL, "results": names}))


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
    write_whole(folder / "manifest.json", unparse(manifest_of(result)))


def manifest_of(result: Result) -> dict[str, Any]:
    """All that a result folder holds beside the counts: what was asked, how far it came, with what it was made."""
    return {
        "schema": SCHEMA,
        "status": result.status,
        "batches": result.batches,
        "deals": result.deals,
        "error": one_line(result.error),
        "experiment": result.experiment.to_plain(),
        "experiment_hash": result.experiment.hash,
        "labels": [[name, list(shape)] for name, shape in result.tally.labels],
        "categories": list(result.categories),
        "exemplars": result.deal_of,
        "longest_turns": result.longest,
        "counts_sha256": checksum(result.tally.to_bytes()),
        "provenance": on_lines(result.provenance),
    }


# --- the last result ------------------------------------------------------------------------------------


def remember(results: Sequence[Result]) -> None:
    """Keep these results as the last ones, in the cache folder; where it cannot be written, do nothing."""
    from lostlegacy_sim.jit import PRIVATE, cache_home, make_private, who_else_writes

    with suppress(OSError, RuntimeError):
        home = cache_home()
        home.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        if who_else_writes(home):
            return
        sweep(home, "last")
        draft = Draft(home / "last", is_folder=True)
        try:
            new, old = draft.path / "new", draft.path / "old"
            new.mkdir()
            write_results(new, results)
            make_private(new)
            if (home / "last").exists():
                (home / "last").rename(old)
            new.rename(home / "last")
        finally:
            draft.remove()


def recall() -> list[Result]:
    """The last results. Raises ResultError if there are none."""
    from lostlegacy_sim.jit import cache_home, who_else_writes

    try:
        last = cache_home() / "last"
        who = next((who for path in (last, *last.rglob("*")) if (who := who_else_writes(path))), "") if last.exists() else ""
        found = [] if who else load_all(last)
    except (OSError, ResultError, RuntimeError):
        raise ResultError("There is no last result to speak of. `llsim simulate` plays one.") from None
    if who:
        raise ResultError(f"{who}, so the last result may be somebody else's and is not shown. Take the right to write from others, or name another folder with LLSIM_CACHE_DIR.")
    return found


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
    return list(load_by_name(folder).values())


def load_by_name(folder: Path) -> dict[str, Result]:
    """The results of a folder, each by the name of its own. Raises ResultError."""
    if not folder.is_dir():
        raise ResultError(f"There is no result folder {folder}.")
    if not (folder / "results.json").is_file():
        return {folder.name: load_result(folder)}
    found = {name: load_result(folder / name) for name in read_listed(folder)}
    return {name: result for name, result in found.items() if result.deals} or found  # a stopped run may not have come to all


def read_listed(folder: Path) -> list[str]:
    """The names of the folders that `results.json` lists, each once and inside its folder. Raises ResultError."""
    names = read_json(folder / "results.json", SEVERAL).read("results", FOLDERS)
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
    experiment, labels, categories = read_question(manifest)
    batches = manifest.read("batches", whole(0, experiment.batches))
    try:
        counts = read_file(folder / "counts.npy", MAX_COUNTS)
    except OSError as error:
        raise ResultError(f"{folder / 'counts.npy'} cannot be read: {reason(error)}.") from None
    if checksum(counts) != manifest.read("counts_sha256", HASH):
        raise ResultError(f"{folder / 'counts.npy'} is damaged: it does not match the checksum in manifest.json.")
    tally = Tally.from_bytes(counts, labels, batches, str(folder / "counts.npy"))
    exemplars = read_exemplars(categories, manifest, experiment.planned_deals)
    result = Result(experiment, tally, categories, exemplars, read_provenance(manifest), manifest.read("error", LINE))
    if manifest.read("deals", whole()) != result.deals or manifest.read("status", one_of(STATUS)) != result.status:
        raise ResultError(f"{path} is damaged: its number of deals does not match its batches.")
    if not can_be(labels, tally.counts, result.sizes * experiment.rotations):
        raise ResultError(f"{folder / 'counts.npy'} is damaged: it does not count the deals that manifest.json says.")
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
            "provenance": on_lines(self.provenance),
        }


def read_asked(folder: Path) -> Asked:
    """The `run.json` of a folder. Raises ResultError."""
    plain = read_json(folder / "run.json", RUN)
    experiment, labels, categories = read_question(plain)
    return Asked(experiment, labels, categories, plain.read("until", several(NAME, MOST_TARGETS)), read_provenance(plain))


def load_unfinished(folder: Path) -> Result:
    """What a run has written so far, from the first batch on without a gap. Raises ResultError."""
    asked = read_asked(folder)
    experiment, n_exemplars = asked.experiment, len(asked.categories) + 1
    stamp = stamp_of(experiment, Identity.from_plain(asked.provenance))
    spans = [span for path in sorted(folder.glob(PATTERN)) for span in read_piece(path, experiment, asked.labels, n_exemplars, stamp)]
    known = known_batches(spans, experiment)
    rows: list[Counts] = []
    exemplars = no_exemplars(asked.categories)
    while len(rows) in known:
        span = known[len(rows)]
        rows.append(span.counts)
        exemplars = merge_exemplars(exemplars, span.exemplars)
    counts = np.stack(rows) if rows else np.zeros((0, n_labels(asked.labels)), np.int64)
    return Result(experiment, Tally(asked.labels, counts), asked.categories, exemplars, asked.provenance)


# --- what both manifests say ------------------------------------------------------------------------------


def read_json(path: Path, schema: str) -> Plain:
    """A JSON file of a stated schema. Raises ResultError."""
    try:
        data = parse(read_file(path, MAX_MANIFEST))
    except FileNotFoundError:
        raise ResultError(f"{path.parent} holds no result: {path.name} is missing.") from None
    except OSError as error:
        raise ResultError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError:
        raise ResultError(f"{path} is damaged: it is not JSON, or not as this program writes it.") from None
    found = data.get("schema") if isinstance(data, dict) else None
    if found != schema:
        raise ResultError(f"{path} has the schema {one_line(str(found))[:40]!r}; this version reads {schema!r}.")
    return Plain(data, str(path))


def read_question(plain: Plain) -> tuple[Experiment, Labels, tuple[str, ...]]:
    """The experiment of a manifest, and the names of what is counted and of its exemplars. Raises ResultError."""
    experiment = Experiment.from_plain(plain.table("experiment"))
    if plain.read("experiment_hash", HASH) != experiment.hash:
        raise ResultError(f"{plain.where} is damaged: its experiment does not match its checksum.")
    labels = plain.read("labels", LABELS)
    if n_labels(labels) > MAX_LABELS or len({name for name, _ in labels}) < len(labels):
        raise ResultError(f"{plain.where} is damaged: its labels are not names with shapes, each once.")
    return experiment, labels, plain.read("categories", different(NAME, MOST_LABELS, 1))


def read_exemplars(categories: Sequence[str], manifest: Plain, deals: int) -> Counts:
    """The exemplars of a manifest as an array, each one of the deals that were played. Raises ResultError."""
    found, exemplars = manifest.table("exemplars"), no_exemplars(categories)
    numbers = [found.read(name, perhaps(whole(0, deals - 1))) for name in categories]
    plain = [NONE if number is None else number for number in numbers]
    exemplars[:-2], exemplars[-1] = plain[:-1], plain[-1]
    exemplars[-2] = manifest.read("longest_turns", whole(0, MOST_TURNS))
    return exemplars


def read_provenance(manifest: Plain) -> dict[str, Any]:
    """With what a result was made, and when: names and numbers only. Raises ResultError."""
    found = manifest.table("provenance")
    return {name: found.read(name, PROVENANCE.get(name, LINE)) for name in manifest.read("provenance", by_name(ANYTHING, MOST_FACTS))}
