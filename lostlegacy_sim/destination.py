"""Destination: where the answer of a command is kept: a folder proven free and writable first, which gets its name in one step."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from lostlegacy_sim.disk import LOCK, reason, sync
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.result import Result, load_all, write_results


class Destination:
    """A result folder to be: proven free and writable before anything is played.

    A context: leaving it without `write` leaves nothing behind.
    """

    def __init__(self, folder: Path, experiments: Sequence[Experiment]) -> None:
        """Raises ResultError if the folder is taken or cannot be written."""
        self.folder = folder
        try:
            refuse_taken(folder, experiments)
            # An empty folder that exists may be a mounted one, so it is filled and not replaced.
            self.exists = folder.is_dir()
            home = folder if self.exists else folder.parent
            self.new_folders = [path for path in (home, *home.parents) if not path.exists()]
            home.mkdir(parents=True, exist_ok=True)
            self.draft = home / f".{folder.name}-{secrets.token_hex(4)}"
            self.draft.mkdir()
        except (OSError, ValueError) as error:
            raise ResultError(f"The result folder {folder} cannot be written: {reason(error)}.") from None

    def __enter__(self) -> Destination:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.draft, ignore_errors=True)
        with suppress(OSError):  # those that hold a result by now stay
            for folder in self.new_folders:
                folder.rmdir()

    def write(self, results: Sequence[Result]) -> None:
        """Write all results, then give the folder its name in one step. Raises ResultError."""
        self.fill(lambda draft: write_results(draft, results))

    def fill(self, write_into: Callable[[Path], None]) -> None:
        """Have the files of the folder written into a draft, then give it its name in one step. Raises ResultError."""
        try:
            write_into(self.draft)
            if self.exists:
                for path in sorted(self.draft.iterdir(), key=lambda path: path.suffix == ".json"):
                    path.rename(self.folder / path.name)  # the file that makes it a result comes last
                sync(self.folder)
            else:
                self.draft.rename(self.folder)
                sync(self.folder.parent)
        except OSError as error:
            raise ResultError(f"The result folder {self.folder} could not be written: {reason(error)}.") from None


def refuse_taken(folder: Path, experiments: Sequence[Experiment]) -> None:
    """Raise ResultError if something is there already; an empty folder is free."""
    if folder.exists() and not folder.is_dir():
        raise ResultError(f"{folder} is a file, not a folder. Give --out the name of a folder that does not exist yet.")
    if not folder.is_dir() or all(path.name.startswith(LOCK) for path in folder.iterdir()):
        return
    try:
        there = load_all(folder)
    except ResultError:
        raise ResultError(f"{folder} holds other files. Give --out the name of a folder that does not exist yet.") from None
    if [result.experiment for result in there] == list(experiments):
        if all(result.status == "complete" for result in there):
            raise ResultError(f"{folder} already holds this very result; nothing was played. Give --out another folder, or remove this one.")
        raise ResultError(f"{folder} already holds a part of this result; nothing was played. `llsim simulate --resume {folder}` plays the rest.")
    raise ResultError(f"{folder} already holds another result; nothing was played. Give --out another folder.")
