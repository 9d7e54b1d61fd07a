"""Memory: the peak does not grow with the number of deals."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs resource.getrusage")

# Where there is a /proc, the peak is read there: what getrusage says begins with the peak of the process that started this one.
CHILD = """
import pathlib, re, resource, sys
from lostlegacy_sim.cli import llsim
code = llsim.run(sys.argv[1:], "llsim")
status = pathlib.Path("/proc/self/status")
found = re.search("VmHWM:[^0-9]*([0-9]+)", status.read_text()) if status.exists() else None
print(code, found[1] if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
A_MEGABYTE = 1024 if sys.platform != "darwin" else 1 << 20  # in units of ru_maxrss
MOST = 400
SPREAD = 20  # what two runs of the same command may differ by


def peak(*words: str) -> float:
    """The largest memory of a command, in megabytes."""
    ran = subprocess.run([sys.executable, "-c", CHILD, *words], capture_output=True, text=True, timeout=300)
    code, kilobytes = ran.stderr.split()[-2:]
    assert code in ("0", "4"), ran.stderr  # 4: a target that was not reached
    return int(kilobytes) / A_MEGABYTE


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compiling takes memory of its own, once."""
    peak("simulate", "--bots", "random", "--deals", "20")


def simulated(deals: str, *words: str) -> float:
    return peak("simulate", "--bots", "random", "--players", "2", "--deals", deals, "--threads", "1", "-q", *words)


def test_simulate_takes_no_more_for_more_deals(tmp_path: Path):
    few, many = simulated("20k", "--out", str(tmp_path / "few")), simulated("3m", "--out", str(tmp_path / "many"))
    assert many < MOST
    assert many - few < SPREAD


def test_simulate_until_takes_no_more_for_more_looks():
    few, many = (simulated("3m", "--until", f"turns +/- {within}") for within in (0.05, 0.004))
    assert many < MOST
    assert many - few < SPREAD


def test_explore_takes_no_more_for_more_deals():
    words = ("explore", "--family", "guidelines", "--bots", "random", "--members", "4", "--threads", "1", "-q")
    few, many = (peak(*words, "--deals", deals) for deals in ("17k", "60k"))
    assert many < MOST
    assert many - few < SPREAD


def test_what_does_grow_is_seen(monkeypatch):
    """The twin that must fail: a run that keeps a megabyte for every hundred thousand deals."""
    leak = "from lostlegacy_sim.runner import Run; plain = Run.take; kept = []\ndef take(run, batch):\n    kept.append(bytearray(200_000)); plain(run, batch)\nRun.take = take\n"
    monkeypatch.setattr(sys.modules[__name__], "CHILD", leak + CHILD)
    assert simulated("3m") - simulated("2k") > SPREAD
