"""Bot files of a result: a result brings no code along, so each file has to be named, and has to be the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lostlegacy_sim.errors import BotError, UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.letters import command_line, listed


def name_bot_files(game: Game, experiments: Sequence[Experiment], named: Sequence[str]) -> None:
    """Allow the bot files that were named to play in a result; others never run.

    Raises BotError if a file is not named, or not the one it was, UsageError for a bot that is not needed.
    """
    if not named and not any(experiment.bot_files for experiment in experiments):
        return
    from lostlegacy_sim.policy import is_file, read_bot  # brings the compiler, which is not needed to look at a result

    needed = {source: path for experiment in experiments for source, path in experiment.bot_files.items()}
    found = set()
    for words in named:
        if words in needed.values() and not is_file(words):
            raise BotError(f"This result was played with the bot '{words}' of a package, which is not installed here; install it, or play anew.")
        if not needed or not is_file(words):
            what = f"only its bot files have to be named: {bots_option(needed.values())}" if needed else "it needs no bot file; drop --bots"
            raise UsageError(f"--bots {words}: a result has its line-up, and {what}.")
        bot = read_bot(words)
        if bot.source not in needed:
            began = ", ".join(f"{path} {source[:12]}" for source, path in needed.items())
            raise BotError(
                f"{bot.path} is not a file this result was played with: its SHA-256 begins with {bot.source[:12]}, and there it began with "
                f"{began}. Bring the old file back, or play anew."
            )
        game.find_bot(words)
        found.add(bot.source)
    missing = sorted(set(needed) - found)
    if missing:
        raise BotError(
            f"This result was played with the bot file {needed[missing[0]]}, and no code runs from a result. "
            f"To run it, add {bots_option(needed.values())} or the path of the same file here."
        )


def bots_option(files: Iterable[str]) -> str:
    """The option that names some bot files."""
    return command_line("--bots", Path(listed(files)))
