"""`llsim bots`: the bots there are, and whether a bot file is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import print_json, print_rows, say
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games import find_game, find_sets
from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.registry import BUILT_IN, modules

EXAMPLES = (
    ("llsim bots", "which bots there are"),
    ("llsim bots --check my_bot.py", "is this bot legal"),
    ("llsim simulate --bots careful,random", "one careful player among random ones"),
)
CHECK = "llsim.check/1"


@command("bots", EXAMPLES)
@click.option("--check", "file", metavar="FILE", default=None, help="Try a bot file: a path ending in .py, or a package's bot.")
@options.as_json
@options.quiet
def bots(file: str | None, as_json: bool, quiet: bool) -> None:
    """List the bots, or try a bot file.

    Exit code of --check: 0 legal, 2 not. The file is run: a bot is code.
    """
    if file is not None:
        check(file, as_json, quiet)
    elif as_json:
        print_json({"schema": "llsim.bots/1", "bots": (built_in := documents()), "packages": list(package_bots(built_in))})
    else:
        print_bots(quiet)


def documents() -> list[dict[str, Any]]:
    """The built-in bots of every game, each with the game it plays."""
    games = [find_game(name) for name in modules()]
    return [{"game": game.name, **bot} for game in games if game.listed_bots is not None for bot in game.listed_bots()]


def package_bots(built_in: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The bots of installed packages as JSON."""
    from lostlegacy_sim.installed import installed, refuse_clash

    names = [bot["name"] for bot in built_in]
    for name, bot in installed().items():
        problem = bot.problem
        try:
            refuse_clash(name, names)
        except BotError as error:
            problem = str(error)
        yield {"name": name, "package": bot.package, "module": bot.module, "problem": problem or None}


def print_bots(quiet: bool) -> None:
    """A line a bot, with its parameters."""
    rows, built_in = [], documents()
    are_many = len({bot["game"] for bot in built_in}) > 1
    for bot in built_in:
        written = [f"{key}={'|'.join(parameter['values'])}" if key != "N" else "N" for key, parameter in bot["parameters"].items()]
        about = [f"{key}={parameter['meaning']}" for key, parameter in bot["parameters"].items()]
        rows.append(([bot["name"], " ".join(written) or "-"], ". ".join([*([find_sets(bot["game"]).title] if are_many else []), bot["line"], *about])))
    for bot in package_bots(built_in):
        sentence = f"cannot be used: {bot['problem']}" if bot["problem"] else f"from the package {bot['package']}"
        rows.append(([bot["name"], "one number"], sentence))
    rows.append((["my_bot.py", "one number"], "a bot of your own: any path ending in .py"))
    print_rows(["bot", "parameters"], rows)
    if not quiet:
        say(["", "Next: llsim simulate --bots careful,random · llsim simulate --bots careful:memory=no,careful"])


def check(file: str, as_json: bool, quiet: bool) -> None:
    """Try a bot file and say what it has proved. Raises BotError with what is wrong."""
    game = find_game(BUILT_IN[0])  # the one that can be played by bots of one's own
    assert game.check_bot is not None
    try:
        bot, proved = game.check_bot(file)
    except BotError as error:
        if as_json:
            print_json({"schema": CHECK, "file": file, "source": None, "verdict": "refused", "problem": str(error), "proved": {}})
        raise
    if as_json:
        print_json({"schema": CHECK, "file": bot.path, "source": bot.source, "verdict": "legal", "problem": None, "proved": dict(proved)})
        return
    if not quiet:
        say([*(f"  yes  {line}" for line in proofs(proved)), ""])
    say([f"Legal: {bot.path} (SHA-256 {bot.source[:12]}...)."])
    if not quiet:
        say([f"Next: {command_line('llsim', 'simulate', '--bots', Path(listed([file, 'random'])))}"])


def proofs(proved: Mapping[str, Any]) -> Iterator[str]:
    """What a bot has proved, a line each."""
    yield "it has a function decide(cards, public, private, question)"
    yield "it compiles without Python objects and returns a whole number"
    yield f"{proved['questions']:,} questions in {proved['deals']} deals of {', '.join(proved['sets'])}: every answer is an option"
    yield "asked the same again, it answers the same"
    yield f"{proved['redealt']:,} times all that its seat cannot know was dealt anew: it answers the same"
    yield "it writes nothing but private.word and private.memory"
    yield "no read out of bounds, no exception, no output, an end in time"
