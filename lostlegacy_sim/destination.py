"""Destination: where the answer of a command is kept: a folder proven free and writable first, which gets its name in one step."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from lostlegacy_sim.disk import Draft, is_scratch, reason, sweep, sync, write_file
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.identity import identity_of
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.plain import HASH, unparse
from lostlegacy_sim.result import Result, load_all, read_json, write_results

ASKED, SCHEMA = "asked.json", "llsim.asked/1"  # which question is answered here; written where a command may be given again
MOVING = ".moving"  # in a folder that was there before: the whole answer, until its files have moved up


class Destination:
    """A result folder to be: proven free and writable before anything is played.

    A context: leaving it without `write` leaves nothing behind. A command that may be given again says what it is `asked`:
    then its answer is kept once it is whole, and a folder that holds this answer already is no fault.
    """

    def __init__(self, folder: Path, experiments: Sequence[Experiment], asked: str = "") -> None:
        """Raises ResultError if the folder is taken or cannot be written."""
        self.folder, self.asked = folder, asked
        self.draft: Draft | None = None
        self.new_folders: list[Path] = []
        try:
            settle(folder)
            self.is_there = bool(asked) and question_in(folder) == asked
            if self.is_there:
                return
            refuse_taken(folder, experiments)
            # An empty folder that exists may be a mounted one, so it is filled and not replaced.
            self.exists = folder.is_dir()
            home = folder if self.exists else folder.parent
            self.new_folders = [path for path in (home, *home.parents) if not path.exists()]
            home.mkdir(parents=True, exist_ok=True)
            name = Path(os.path.abspath(folder)).name
            sweep(home, name)
            self.draft = Draft(home / (name or "answer"), is_folder=True)
        except (OSError, ValueError) as error:
            raise ResultError(f"The result folder {folder} cannot be written: {reason(error)}.") from None

    def __enter__(self) -> Destination:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.abandon()

    def abandon(self) -> None:
        """Leave nothing behind."""
        if self.draft is not None:
            self.draft.remove()
        with suppress(OSError):  # those that hold a result by now stay
            for folder in self.new_folders:
                folder.rmdir()

    def write(self, results: Sequence[Result], is_whole: bool = True) -> None:
        """Write all results, then give the folder its name in one step. Raises ResultError."""
        self.fill(lambda draft: write_results(draft, results), is_whole)

    def fill(self, write_into: Callable[[Path], None], is_whole: bool = True) -> None:
        """Have the files of the folder written into a draft, then give it its name in one step. Raises ResultError."""
        if self.draft is None or (self.asked and not is_whole):
            return
        try:
            write_into(self.draft.path)
            if self.asked:
                write_file(self.draft.path / ASKED, unparse({"schema": SCHEMA, "asked": self.asked}))
            sync(self.draft.path)
            if self.exists:
                self.draft.rename(self.folder / MOVING)
                settle(self.folder)
            else:
                self.draft.rename(self.folder)
        except OSError as error:
            raise ResultError(f"The result folder {self.folder} could not be written: {reason(error)}.") from None


def settle(folder: Path) -> None:
    """Move the files of a whole answer up into their folder, also after a process was killed while it did. Raises OSError or ResultError."""
    moving = folder / MOVING
    if moving.is_dir() and not moving.is_symlink():
        for path in sorted(moving.iterdir(), key=lambda path: path.suffix == ".json"):  # the files that make it a result come last
            if (folder / path.name).exists():
                raise ResultError(f"{folder} holds other files beside an answer that is being moved there. Give --out another folder.")
            path.rename(folder / path.name)
        moving.rmdir()
        sync(folder)


# --- which question -------------------------------------------------------------------------------------


def question_of(command: str, experiments: Sequence[Experiment], facts: Mapping[str, Any]) -> str:
    """A hash of what a command is asked, of whom, and of the code that answers: two with the same hash have the same answer.

    `facts`: what is not said by the experiments; strings, numbers and lists only.
    """
    plain = {"command": command, "code": [identity_of(game).to_plain() for game in sorted({one.game for one in experiments})], "experiments": [experiment.hash for experiment in experiments], "facts": dict(facts)}
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def question_in(folder: Path) -> str:
    """The hash of the question that a folder answers; "" if it does not say."""
    try:
        return read_json(folder / ASKED, SCHEMA).read("asked", HASH)
    except ResultError:
        return ""


# --- what is there --------------------------------------------------------------------------------------


def refuse_taken(folder: Path, experiments: Sequence[Experiment]) -> None:
    """Raise ResultError if something is there already; an empty folder is free."""
    if folder.exists() and not folder.is_dir():
        raise ResultError(f"{folder} is a file, not a folder. Give --out the name of a folder that does not exist yet.")
    if not folder.is_dir() or all(is_scratch(path) or is_only_asked(path) for path in folder.iterdir()):
        return
    try:
        there = load_all(folder)
    except ResultError:
        raise ResultError(f"{folder} holds other files. Give --out the name of a folder that does not exist yet.") from None
    if [result.experiment for result in there] == list(experiments):
        if all(result.status == "complete" for result in there):
            raise ResultError(f"{folder} already holds this very result; nothing was played. Give --out another folder, or remove this one.")
        raise ResultError(f"{folder} already holds a part of this result; nothing was played. `{command_line('llsim', 'simulate', '--resume', folder)}` plays the rest.")
    for one, other in zip((result.experiment for result in there), experiments, strict=False):
        if changed := changed_bot(one, other):
            raise ResultError(f"{folder} was begun with {changed}. Bring the old file back to go on, or give --out another folder.")
    raise ResultError(f"{folder} already holds another result; nothing was played. Give --out another folder.")


def changed_bot(there: Experiment, here: Experiment) -> str:
    """Which bot file tells an experiment from this one if nothing else does, in words; "" if something else does."""
    if replace(there, bot_sources=here.bot_sources, deals=here.deals) != here:
        return ""
    return next((f"another {bot.removeprefix('file:')}: its SHA-256 began with {old[:12]}, and here it begins with {new[:12]}"
                 for (bot, old), new in zip(there.entries, here.bot_sources, strict=True) if old != new), "")  # fmt: skip


def is_only_asked(home: Path) -> bool:
    """Whether a folder says what it is to hold and nothing else: of a run that was killed while it was begun."""
    return home.is_dir() and not home.is_symlink() and [path.name for path in home.iterdir() if not is_scratch(path)] == ["run.json"]
