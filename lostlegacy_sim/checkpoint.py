"""Checkpoint: a folder of the finished batches of many experiments, so that a command that died is given again and goes on.

It holds `checkpoint.json`, which says which code counted, and for every experiment a folder of pieces (pieces.py) named by the first
digits of its hash, without its number of deals: more deals of the same experiment begin with those that are there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock
from types import TracebackType
from typing import Any

from lostlegacy_sim.disk import FolderLock, read_file, reason, sweep, write_whole
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.experiment import MOST_DEALS, Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.identity import IDENTITY, difference, identity_of
from lostlegacy_sim.journal import Journal, Keeper
from lostlegacy_sim.plain import by_name, one_of, parse, shaped, unparse
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import Crew

SCHEMA, FIRST = "llsim.checkpoint/2", "llsim.checkpoint/1"
HEAD = "checkpoint.json"
MOST_HEAD = 100_000  # bytes
DIGITS = 16
HEAD_FORM = shaped({"schema": one_of([SCHEMA]), "games": by_name(IDENTITY, 100)})


class Checkpoint:
    """A folder that is written into while experiments are played. A context: leaving it lets others in."""

    def __init__(self, folder: Path) -> None:
        """Open a checkpoint, or begin one in a folder that is not there or empty.

        Raises ResultError if it holds anything else, was begun by other code, is being written, or cannot be.
        """
        self.folder = folder
        self.failure: LlsimError | None = None  # why nothing more could be written
        self.guard = Lock()
        self.games: dict[str, Any] = {}  # which code counts each game that is in it
        try:
            new_folders = [path for path in (folder, *folder.parents) if not path.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            self.lock = FolderLock(folder)
            try:
                sweep(folder)
                self.check_or_begin()
            except BaseException:
                self.lock.release(remove=True)
                with suppress(OSError):
                    for path in new_folders:
                        path.rmdir()
                raise
        except (OSError, ValueError) as error:
            raise ResultError(f"The checkpoint {folder} cannot be written: {reason(error)}.") from None

    def check_or_begin(self) -> None:
        """Say which code counts here, or find that it is this one. Raises ResultError or OSError."""
        path = self.folder / HEAD
        if path.exists():
            self.games = read_games(path)
            for game, begun in self.games.items():
                if other := difference(begun, identity_of(game)):
                    raise ResultError(f"The checkpoint {self.folder} was begun with {other}; its deals may be others. "
                                      "Give --checkpoint another folder.")  # fmt: skip
        elif any(not other.name.startswith(".") for other in self.folder.iterdir()):
            raise ResultError(f"{self.folder} holds other files and is no checkpoint. Give --checkpoint a folder that does not exist yet.")
        else:
            self.write_head()

    def write_head(self) -> None:
        """Say of every game which code counts it here. Raises OSError."""
        write_whole(self.folder / HEAD, unparse({"schema": SCHEMA, "games": self.games}))

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.lock.release(remove=True)

    def journal(self, experiment: Experiment, game: Game) -> Journal:
        """What is there of an experiment, and where more of it is written. Raises ResultError."""
        widest = replace(experiment, deals=MOST_DEALS)
        home = self.folder / widest.hash[:DIGITS]
        try:
            with self.guard:
                if experiment.game not in self.games:
                    self.games[experiment.game] = identity_of(experiment.game).to_plain()
                    self.write_head()
            home.mkdir(exist_ok=True)
            if home.is_symlink():
                raise ResultError(f"{home} is a link, and links are not followed out of {self.folder}. Give --checkpoint another folder.")
            sweep(home)
            journal = Journal(home, widest, game.labels(experiment), len(game.categories) + 1, "the same command goes on from there.")
            journal.set_aside()
        except OSError as error:
            raise ResultError(f"The checkpoint {self.folder} cannot be written: {reason(error)}.") from None
        return journal

    def heed(self, journal: Keeper) -> None:
        """Remember why a journal could not be written, if so."""
        with self.guard:
            self.failure = self.failure or journal.failure


def read_games(path: Path) -> dict[str, Any]:
    """What the head of a checkpoint says of each game. Raises ResultError."""
    try:
        facts = parse(read_file(path, MOST_HEAD))
        if isinstance(facts, dict) and facts.get("schema") == FIRST:
            raise ResultError(f"{path} was written by a lostlegacy_sim that did not write down its code; its deals may be others. "
                              "Give --checkpoint another folder.")  # fmt: skip
        games: dict[str, Any] = HEAD_FORM.read(facts)["games"]
        return games
    except OSError as error:
        raise ResultError(f"{path} cannot be read: {reason(error)}.") from None
    except ValueError:
        raise ResultError(f"{path} is damaged: it is not the head of a checkpoint. Give --checkpoint another folder.") from None


class Checkpointed:
    """A crew whose finished batches all go into a checkpoint, and which plays nothing that is there."""

    def __init__(self, crew: Crew, checkpoint: Checkpoint) -> None:
        self.crew, self.checkpoint = crew, checkpoint

    @property
    def at_once(self) -> int | None:
        """As of the crew."""
        return self.crew.at_once

    def play(
        self, experiment: Experiment, game: Game, threads: int | None = None, on_progress: Callable[[int, int], None] | None = None,
        stop: Event | None = None, begun: Result | None = None, kept: None = None,
    ) -> Result:  # fmt: skip
        """As runner.play; the journal is that of the checkpoint. Raises ResultError if it contradicts itself."""
        journal, stop = self.checkpoint.journal(experiment, game), stop or Event()
        result = self.crew.play(experiment, game, threads, on_progress, stop, begun, journal)
        self.checkpoint.heed(journal)
        return result

    def play_alone(self, experiment: Experiment, game: Game, on_progress: Callable[[int, int], None], stop: Event) -> Result:
        """As runner.play_alone."""
        journal = self.checkpoint.journal(experiment, game)
        result = self.crew.play_alone(experiment, game, on_progress, stop, journal)
        self.checkpoint.heed(journal)
        return result
