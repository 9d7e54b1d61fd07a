"""Dice: whether a compiled bot takes chance from where no seed brings it back, and in which line.

The typed calls of a bot are followed through its helpers, down to what numba itself is made of. What they do not show (a
function handed on, machine code out of a cache) is looked for in the code that has come of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types

HASH = "the hash of a text"
FOREIGN = "code from outside, as by ctypes or cffi"
STATES = {  # what compiled code asks the process for
    "numba_get_np_random_state": "np.random",
    "numba_get_py_random_state": "random",
    "_numba_hashsecret": HASH,
}


@dataclass(frozen=True)
class Dice:
    """What is thrown, and where."""

    what: str  # "np.random.randint"
    function: str
    line: int = 0  # of the bot's file; 0 if it cannot be told


def find_dice(compiled: Any) -> Dice | None:
    """The dice of a function compiled once, for the trial; None if it throws none."""
    (code,) = compiled.overloads.values()
    function = compiled.py_func
    nowhere = Dice("", function.__name__)
    found = follow(code, function.__code__.co_filename, nowhere, set())
    return found or next((Dice(what, function.__name__) for state, what in STATES.items() if state in code.library.get_llvm_str()), None)


def follow(code: Any, file: str, where: Dice, seen: set[int]) -> Dice | None:
    """The first dice in the calls of this code; those of other files are laid to the line that calls them."""
    seen.add(id(code))
    for called, signature, at in calls_of(code):
        here = Dice("", code.type_annotation.func_id.func_name, at.line) if at.filename == file else where
        if what := thrown_by(called, signature):
            return Dice(what, here.function, here.line)
        for inner in codes_of(called, *signature.args):
            if id(inner) not in seen and (found := follow(inner, file, here, seen)):
                return found
    return None


def calls_of(code: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Each call: the type of what is called, its signature, its place. None are known of code out of a cache."""
    annotation: Any = getattr(code, "type_annotation", None)
    for expression, signature in getattr(annotation, "calltypes", {}).items():
        if getattr(expression, "op", "") == "call" and signature is not None:
            yield annotation.typemap[expression.func.name], signature, expression.loc


def codes_of(*kinds: Any) -> Iterator[Any]:
    """All that was compiled for functions of these types."""
    for kind in kinds:
        dispatchers = [kind.dispatcher] if isinstance(kind, types.Dispatcher) else []
        for template in getattr(kind, "templates", None) or [getattr(kind, "template", None)]:
            dispatchers += [found[0] for found in getattr(template, "_impl_cache", {}).values() if isinstance(found, tuple)]
        for dispatcher in dispatchers:
            yield from getattr(dispatcher, "overloads", {}).values()


def thrown_by(called: Any, signature: Any) -> str:
    """What a call throws by itself; "" if it does not."""
    if isinstance(called, types.ExternalFunctionPointer):
        return FOREIGN
    function = getattr(called, "typing_key", None)
    if function is hash and any(isinstance(kind, types.UnicodeType) for kind in signature.args):
        return HASH
    owner, module = getattr(function, "__self__", None), getattr(function, "__module__", None) or ""
    is_numpy = isinstance(owner, np.random.RandomState) or module.startswith("numpy.random")
    room = "np.random" if is_numpy else "random" if isinstance(owner, random.Random) else ""
    return room and f"{room}.{getattr(function, '__name__', '')}"
