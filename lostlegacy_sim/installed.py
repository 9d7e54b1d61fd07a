"""Bots that packages bring along: found by their entry points, read as the one file they are.

A package names a bot in its entry points: under the group `lostlegacy_sim.policies`, a name and the module with `decide`. Nothing of
a package is imported to find its bots or to read them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from lostlegacy_sim.errors import BotError
from lostlegacy_sim.registry import find_module

GROUP = "lostlegacy_sim.policies"
FUNCTION = "decide"


@dataclass(frozen=True)
class Installed:
    """A bot of an installed package."""

    name: str  # as it is named on the command line
    package: str  # "tutor-bots 1.0"
    module: str  # "tutor_bots.tutor"
    problem: str = ""  # why it cannot be used, a sentence


@cache
def installed() -> dict[str, Installed]:
    """The bots of all installed packages by name, in the order of the alphabet."""
    found: dict[str, Installed] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        bot = describe(entry)
        if entry.name in found:
            both = f"{found[entry.name].package} and {bot.package}"
            bot = replace(bot, problem=f"Two packages bring a bot '{entry.name}': {both}; uninstall one of them.")
        found[entry.name] = bot
    return found


def describe(entry: EntryPoint) -> Installed:
    """One entry point, and what is wrong with it."""
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package"
    problem = ""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", entry.name):
        problem = f"{package} calls a bot {entry.name!r}; the name of a bot is made of letters, digits, - and _."
    elif not re.fullmatch(r"\w+(\.\w+)*", entry.module) or (entry.attr or FUNCTION) != FUNCTION:
        problem = f"{package} names {entry.value!r} for the bot '{entry.name}'; it must name a module with a function `{FUNCTION}`."
    return Installed(entry.name, package, entry.module, problem)


def is_installed(words: str) -> bool:
    """Whether these words begin with the name of a bot of a package."""
    return words.partition(":")[0] in installed()


def refuse_clash(words: str, built_in: Container[str]) -> None:
    """Raises BotError if a name means both a built-in bot and one of a package."""
    name = words.partition(":")[0]
    if name in built_in and name in installed():
        package = installed()[name].package
        raise BotError(f"'{name}' is a built-in bot, and {package} brings another one of that name; uninstall it, or name its file.")


def source_of(name: str) -> str:
    """The file of a bot of a package. Raises BotError."""
    bot = installed()[name]
    if bot.problem:
        raise BotError(bot.problem)
    spec = find_module(bot.module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise BotError(f"{bot.package} names the module {bot.module} for the bot '{name}', and there is no Python file of it.")
    return spec.origin


def check_stands_alone(name: str, tree: ast.Module) -> None:
    """Raises BotError if a bot imports from its own package: the hash of one file would not cover the others."""
    top = installed()[name].module.partition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [top if node.level else node.module or ""]
        else:
            continue
        if any(module.partition(".")[0] == top for module in modules):
            raise BotError(f"The bot '{name}' imports from its own package (line {node.lineno}); a bot is one file.")
