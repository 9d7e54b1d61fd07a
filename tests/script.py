"""A script of the project as a module."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

SCRIPTS = Path(__file__).parent.parent / "scripts"


def load(name: str) -> ModuleType:
    """Run scripts/`name`.py as a module and return it."""
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where the classes of a module are looked for
    spec.loader.exec_module(module)
    return module
