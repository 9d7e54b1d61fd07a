"""Run folder: where a run of one or several experiments is kept while it is played, alone or in parts, until it is whole."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

import numpy as np

from lostlegacy_sim.destination import refuse_taken
from lostlegacy_sim.disk import Draft, FolderLock, reason, sweep, write_file, write_whole
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.identity import difference, identity_of
from lostlegacy_sim.journal import Journal
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.pieces import PATTERN, Span, known_batches, write_piece
from lostlegacy_sim.plain import unparse
from lostlegacy_sim.result import (
    SEVERAL,
    Asked,
    Result,
    folder_names,
    load_result,
    read_asked,
    read_listed,
    write_result,
)
from lostlegacy_sim.runner import provenance_of
from lostlegacy_sim.tally import no_exemplars


@dataclass(frozen=True)
class Part:
    """One of several equal shares of the batches of every experiment."""

    number: int  # from 1
    of: int

    def batches(self, experiment: Experiment) -> range:
        """The numbers of its batches; parts differ by one batch at most. Raises UsageError if there are fewer batches than parts."""
        if self.of > experiment.batches:
            raise UsageError(f"--part {self}: {experiment.planned_deals:,} deals have {experiment.batches} batches; make fewer parts.")
        first, end = ((self.number + step) * experiment.batches // self.of for step in (-1, 0))
        return range(first, end)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class RunFolder:
    """A result folder that is filled while its experiments are played. A context: leaving it lets others in.

    A folder in which nothing was counted disappears again, if it was made here; one that could not be written stays, to go on in.
    """

    def __init__(self, folder: Path, lock: FolderLock, asked: Sequence[Asked], new_folders: Sequence[Path] | None, is_part: bool) -> None:
        """`new_folders`: those made for it, the innermost first; None if the run was begun before."""
        self.folder, self.lock, self.asked, self.new_folders, self.is_part = folder, lock, asked, new_folders, is_part
        self.homes = homes_of(folder)
        self.journals = [journal_of(home, one) for home, one in zip(self.homes, asked, strict=True)]
        self.done = [whole_result(home) for home in self.homes]  # experiments there is nothing left to play of

    @property
    def experiments(self) -> list[Experiment]:
        """What it is to hold."""
        return [one.experiment for one in self.asked]

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let others in; leave nothing behind in which nothing was counted."""
        try:
            is_new = self.new_folders is not None and not self.is_part
            if is_new and not self.has_counts and not any(journal.failure for journal in self.journals):
                self.remove()
        finally:
            self.lock.release(remove=not self.is_part)

    def remove(self) -> None:
        """Remove what was made for a run in which nothing was counted."""
        for home in self.homes:
            (home / "run.json").unlink(missing_ok=True)
        (self.folder / "results.json").unlink(missing_ok=True)
        self.lock.release(remove=True)
        with suppress(OSError):
            for path in [*(home for home in self.homes if home != self.folder), *(self.new_folders or ())]:
                path.rmdir()

    def finish(self, results: Sequence[Result]) -> None:
        """Write results where their pieces are, then remove the pieces of those that are whole. Raises ResultError.

        A result may be of a smaller experiment than was asked, if its targets were met.
        """
        self.raise_failure()
        try:
            for home, journal, result in zip(self.homes, self.journals, results, strict=False):
                if not result.deals:
                    continue
                write_result(home, result)
                if result.status == "complete":
                    journal.forget()
                    (home / "run.json").unlink(missing_ok=True)
        except OSError as error:
            raise ResultError(
                f"The result folder {self.folder} could not be written: {reason(error)}. What was counted is kept in its pieces; "
                f"`{command_line('llsim', 'simulate', '--resume', self.folder)}` goes on from there."
            ) from None

    def raise_failure(self) -> None:
        """Raise the ResultError that says why a journal could not be written any more, if there is one."""
        for journal in self.journals:
            if journal.failure is not None:
                raise journal.failure

    @property
    def has_counts(self) -> bool:
        """Whether anything that was counted is in it, if only a beginning of a batch."""
        return any(has_counts(home) for home in self.homes)

    def missing(self) -> list[tuple[Experiment, list[int]]]:
        """Of every experiment the batches that are in no file of the folder."""
        found = []
        for home, one in zip(self.homes, self.asked, strict=True):
            known = known_batches(journal_of(home, one).spans, one.experiment)
            found.append((one.experiment, [number for number in range(one.experiment.batches) if number not in known]))
        return found


def journal_of(home: Path, asked: Asked) -> Journal:
    """The journal of one experiment."""
    return Journal(home, asked.experiment, asked.labels, len(asked.categories) + 1)


def has_counts(home: Path) -> bool:
    """Whether anything that was counted is in a folder."""
    return (home / "manifest.json").exists() or any(home.glob(PATTERN))


def whole_result(home: Path) -> Result | None:
    """The result of a folder if it is finished. Raises ResultError if it is damaged."""
    if not (home / "manifest.json").exists():
        return None
    result = load_result(home)
    return result if result.status == "complete" else None


# --- beginning ------------------------------------------------------------------------------------------


def begin(folder: Path, experiments: Sequence[Experiment], game: Game, until: Sequence[str] = (), part: Part | None = None) -> RunFolder:
    """The folder of a new run; for a part also one in which other parts of the same run are.

    Raises ResultError if the folder is taken, cannot be written, or is being written by another run.
    """
    asked = [Asked(experiment, game.labels(experiment), game.categories, tuple(until), provenance_of(experiment)) for experiment in experiments]
    try:
        if part is None or not shares(folder, asked):
            refuse_taken(folder, experiments)
        new_folders = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder, f"{part.number}-of-{part.of}" if part else "")
        try:
            sweep(folder)
            if part is None or not shares(folder, asked):
                refuse_taken(folder, experiments)  # somebody may have been quicker
                write_asked(folder, asked)
            return RunFolder(folder, lock, asked, new_folders, part is not None)
        except BaseException:
            lock.release()
            raise
    except (OSError, ValueError) as error:
        raise ResultError(f"The result folder {folder} cannot be written: {reason(error)}.") from None


def shares(folder: Path, asked: Sequence[Asked]) -> bool:
    """Whether a folder is that of the same run, begun with the same version. Raises ResultError for another version."""
    try:
        there = [read_asked(home) for home in homes_of(folder)]
    except ResultError:
        return False
    if [one.experiment for one in there] != [one.experiment for one in asked] or there[0].until != asked[0].until:
        return False
    for one in there:
        check_version(folder, one)
    return True


def write_asked(folder: Path, asked: Sequence[Asked]) -> None:
    """Say what the folder is to hold, before anything is counted. Raises OSError."""
    names = folder_names([one.experiment for one in asked])
    homes = [folder / name for name in names] if len(asked) > 1 else [folder]
    for home, one in zip(homes, asked, strict=True):
        write_run(home, one)
    if len(homes) > 1:
        write_whole(folder / "results.json", unparse({"schema": SEVERAL, "results": names}))


def write_run(home: Path, asked: Asked) -> None:
    """Write `run.json`; a folder that is not there yet is there with it or not at all. Raises OSError."""
    data = unparse(asked.to_plain())
    if home.is_dir():
        write_whole(home / "run.json", data)
        return
    draft = Draft(home, is_folder=True)
    try:
        write_file(draft.path / "run.json", data)
        draft.rename(home)
    finally:
        draft.remove()


def homes_of(folder: Path) -> list[Path]:
    """The folders of the experiments of a folder. Raises ResultError."""
    return [folder / name for name in read_listed(folder)] if (folder / "results.json").is_file() else [folder]


# --- going on -------------------------------------------------------------------------------------------


def reopen(folder: Path) -> RunFolder:
    """The folder of a run that was stopped, killed or played in parts, to play what is missing.

    Raises ResultError if it holds no run, is being written, or was begun with another version.
    """
    if not folder.is_dir():
        raise ResultError(f"There is no result folder {folder}. `{command_line('llsim', 'simulate', '--out', folder)}` begins one.")
    homes = homes_of(folder)
    try:
        lock = FolderLock(folder)
        try:
            found = RunFolder(folder, lock, [asked_again(home) for home in homes], None, False)
            sweep(folder)
            for journal in found.journals:
                sweep(journal.folder)
                journal.set_aside()
            return found
        except BaseException:
            lock.release(remove=True)
            raise
    except OSError as error:
        raise ResultError(f"The result folder {folder} cannot be written: {reason(error)}.") from None


def asked_again(home: Path) -> Asked:
    """What was asked of a folder, whose counts are brought into pieces if they are in a manifest. Raises ResultError or OSError."""
    if not (home / "manifest.json").exists():
        asked = read_asked(home)
        check_version(home, asked)
        return asked
    result = load_result(home)
    counted = Asked(result.experiment, result.tally.labels, result.categories, (), result.provenance)
    asked = read_asked(home) if (home / "run.json").is_file() else counted
    if result.status == "complete":
        return asked
    if replace(result.experiment, deals=asked.experiment.deals) != asked.experiment:
        raise ResultError(f"{home} is damaged: manifest.json counts another experiment than run.json asks for.")
    for one in (counted, asked):
        check_version(home, one)
    write_run(home, asked)
    journal = journal_of(home, asked)
    known = known_batches(journal.spans, result.experiment)
    if not all(number in known for number in range(result.batches)):
        write_piece(home, spans_of(result), journal.stamp)
    (home / "manifest.json").unlink()  # from here on the pieces are the result
    (home / "counts.npy").unlink(missing_ok=True)
    return asked


def spans_of(result: Result) -> list[Span]:
    """The batches of a result; its exemplars go with the first one."""
    starts = np.concatenate([[0], np.cumsum(result.sizes)])
    none = no_exemplars(result.categories)
    return [
        Span(int(start), int(size), counts, none if number else result.exemplars)
        for number, (start, size, counts) in enumerate(zip(starts, result.sizes, result.tally.counts, strict=False))
    ]


def check_version(folder: Path, asked: Asked) -> None:
    """Raise ResultError if a run was begun with another version or other files of it, whose deals may be others."""
    if other := difference(asked.provenance, identity_of(asked.experiment.game)):
        raise ResultError(f"{folder} was begun with {other}; its deals may be others. Bring that code back to go on, or play anew.")
