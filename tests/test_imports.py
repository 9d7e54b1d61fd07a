"""`llsim --help` is instant: it imports no command and nothing heavy."""

import subprocess
import sys
import time

import pytest

HEAVY = ("numba", "llvmlite", "numpy", "pandas", "scipy", "matplotlib", "rich", "distributed", "lostlegacy_sim.games", "lostlegacy_sim.jit")


def imported_by(*words: str) -> set[str]:
    """Names of the modules in memory after `llsim words...`."""
    code = (
        "import sys; from lostlegacy_sim.cli import llsim; sys.stdout.reconfigure(errors='replace')\n"
        f"llsim.run({list(words)!r}, 'llsim')\nprint('MODULES', *sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.rsplit("MODULES", 1)[1].split())


@pytest.mark.parametrize("words", [["--help"], ["-h"], [], ["--version"], ["nonsense"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    assert imported_by(*words).isdisjoint(HEAVY)


def test_looking_at_cards_compiles_nothing() -> None:
    modules = imported_by("cards", "starship")
    assert "rich" in modules  # the list below would catch it if it were looked for in vain
    assert modules.isdisjoint({"numba", "pandas", "scipy", "matplotlib"})


def test_help_takes_less_than_half_a_second() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "lostlegacy_sim", "--help"], capture_output=True, check=True)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(3)) < 0.5
