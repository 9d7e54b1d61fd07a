"""lostlegacy_sim: millions of deals of Lost Legacy, counted.

`import lostlegacy_sim as ll` has the questions of the command line as functions (docs/python.md). Nothing
else is imported before one of them is named.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lostlegacy_sim.errors import BotError, LlsimError, ResultError, SetError, UsageError
    from lostlegacy_sim.notebook.asking import balance, compare, explore, simulate, tournament
    from lostlegacy_sim.notebook.keeping import load
    from lostlegacy_sim.notebook.words import load_set

__version__ = "0.1.0"

# The public names and where they live.
ROOMS = {
    "simulate": "notebook.asking",
    "compare": "notebook.asking",
    "balance": "notebook.asking",
    "explore": "notebook.asking",
    "tournament": "notebook.asking",
    "load": "notebook.keeping",
    "load_set": "notebook.words",
    "LlsimError": "errors",
    "UsageError": "errors",
    "SetError": "errors",
    "BotError": "errors",
    "ResultError": "errors",
}

__all__ = [
    "BotError", "LlsimError", "ResultError", "SetError", "UsageError", "__version__",
    "balance", "compare", "explore", "load", "load_set", "simulate", "tournament",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, imported now (PEP 562)."""
    if name not in ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{ROOMS[name]}"), name)


def __dir__() -> list[str]:
    """What completion offers."""
    return sorted({*globals(), *ROOMS})
