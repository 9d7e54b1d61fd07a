"""Registry: which games there are and where their files lie, without importing any of them.

The built-in ones lie in games/. A package brings another one along by an entry point of the group `lostlegacy_sim.games`: its name,
and the module with GAME and SETS.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from lostlegacy_sim.errors import ResultError, nearest

GROUP = "lostlegacy_sim.games"
BUILT_IN = ("lost_legacy",)
PACKAGE = Path(__file__).parent


@cache
def modules() -> Mapping[str, str]:
    """Where each game is: its name -> its module. The built-in ones come first, and nobody can take their names."""
    brought = sorted((entry.name, entry.value) for entry in entry_points(group=GROUP) if entry.name.isidentifier())
    own = {name: f"{GROUP}.{name}" for name in BUILT_IN}
    return own | {name: module for name, module in brought if name not in own}


def module_of(name: str) -> str:
    """The module of the game of that name. Raises ResultError naming the nearest."""
    found = f"{GROUP}.{name}" if name in BUILT_IN else modules().get(name)
    if found is None:
        raise ResultError(f"There is no game '{name}'.{nearest(name, list(modules()))}")
    return found


def home_of(name: str) -> Path:
    """The folder of a game, or its one file. Raises ResultError."""
    own = PACKAGE / "games" / name
    if name in BUILT_IN or own.is_dir():
        return own
    spec = find_module(module_of(name))
    if spec is None or spec.origin is None:
        raise ResultError(f"The game '{name}' is named by a package, and its module {module_of(name)} is not there.")
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def find_module(module: str) -> ModuleSpec | None:
    """Where a module lies; its packages are not imported."""
    first, *rest = module.split(".")
    spec = find_spec(first)
    for number in range(len(rest)):
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(".".join([first, *rest[: number + 1]]), spec.submodule_search_locations)
    return spec
