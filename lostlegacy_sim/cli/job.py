"""Job: what `llsim simulate` is to play, and where it is kept: asked anew, or taken from the folder of a run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.bot_files import name_bot_files
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game, find_sets
from lostlegacy_sim.journal import Journal
from lostlegacy_sim.result import Result
from lostlegacy_sim.run_folder import Part, RunFolder, begin, reopen
from lostlegacy_sim.sets import Chosen, GameSet, Sets
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.targets import Target, read_target

# Options a folder has answered already.
ASKED = {"set_word": "--set", "players": "--players", "deals": "--deals", "targets": "--until",
         "seed": "--seed", "out": "--out", "part": "--part"}  # fmt: skip
MOST_PARTS = 100_000


@dataclass(frozen=True)
class Job:
    """Experiments to be played one after the other."""

    game: Game
    sets: Sets
    game_set: GameSet
    word: str | None  # how the set was typed, if it was
    experiments: Sequence[Experiment]
    targets: Sequence[Target]
    folder: RunFolder | None = None
    part: Part | None = None

    @property
    def place(self) -> Any:
        """The folder as a context; one that does nothing if there is none."""
        return self.folder or nullcontext()

    def journal(self, number: int) -> Journal | None:
        """Where the batches of an experiment are written."""
        return self.folder.journals[number] if self.folder else None

    def done(self, number: int) -> Result | None:
        """The result of an experiment if there is nothing left to play."""
        return self.folder.done[number] if self.folder else None

    def batches(self, number: int) -> range | None:
        """The batches of an experiment that are to be played, if not all."""
        return self.part.batches(self.experiments[number]) if self.part else None


def new_job(
    set_word: str | None, chosen: Chosen, players: Sequence[int], bots: Sequence[str],
    deals: int, targets: Sequence[Target], seed: int, out: str | None, part: Part | None,
) -> Job:  # fmt: skip
    """What the options ask for. Raises UsageError, SetError, BotError or ResultError."""
    options.check_out(out)
    if part is not None and out is None:
        raise UsageError(f"--part {part} needs --out DIR, the folder all parts go to, or copies of which are brought together.")
    sets, game_set = options.chosen_set(set_word, chosen, seed)
    game = game_for(sets, game_set, players)
    experiments = [experiment_of(game, game_set, number, bots, options.budget(deals, targets), seed) for number in players]
    for experiment in experiments if part else ():
        assert part is not None
        part.batches(experiment)
    folder = begin(Path(out), experiments, game, [str(target) for target in targets], part) if out is not None else None
    return Job(game, sets, game_set, set_word, experiments, targets, folder, part)


def game_for(sets: Sets, game_set: GameSet, players: Sequence[int]) -> Game:
    """The game of a set, which can be played by so many. Raises SetError."""
    for number in players:
        sets.check_seats(game_set, number)
    return options.strictly(find_game(sets.game))  # imports the kernel: only now, when something will be played


def resumed_job(resume: str, bots: Sequence[str]) -> Job:
    """What is missing in a folder. Raises UsageError, BotError or ResultError."""
    ctx = click.get_current_context()
    typed = {name for name in ctx.params if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}
    for name, option in (ASKED | options.typed_set_options(typed)).items():
        if name in typed:
            raise UsageError(f"{option} is for a new run, and --resume {resume} plays what its folder asks for; drop {option}.")
    folder = reopen(Path(resume))
    try:
        game = options.strictly(find_game(folder.experiments[0].game))
        name_bot_files(game, folder.experiments, bots if "bots" in typed else ())
        sets = find_sets(game.name)
        game_set = sets.parse(folder.experiments[0].set_text, f"the set in {resume}")
        for experiment in folder.experiments:
            sets.check_seats(game_set, experiment.players)
        targets = [read_target(text) for text in folder.asked[0].until]
        return Job(game, sets, game_set, None, folder.experiments, targets, folder)
    except BaseException:
        folder.close()
        raise


def read_part(text: str) -> Part:
    """A part as it is typed: "3/40". Raises UsageError."""
    match = re.fullmatch(r"\s*([0-9]{1,6})\s*/\s*([0-9]{1,6})\s*", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]) <= MOST_PARTS:
        raise UsageError(f"--part {text}: write which part of how many, such as 3/40.")
    return Part(int(match[1]), int(match[2]))
