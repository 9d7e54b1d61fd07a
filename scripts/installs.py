"""Installs: wheel and sdist, built from what is committed, installed into clean environments and tried there, far from the sources.

`python scripts/installs.py python3.11 python3.12` tries these Pythons, without words the one that runs it; all must count the same.
The first one is given the sdist, too. It needs `build` and whatever pip takes packages from.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
ASKED = ("--bots", "random", "--players", "2", "--deals", "10k", "--seed", "7", "--threads", "1")
BASH_COMPLETES = "_llsim_completion"


def run(words: Sequence[object], folder: Path, **changes: str) -> str:
    """What a command prints; the script ends with its words if it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LLSIM", "VIRTUAL_ENV"))}
    ran = subprocess.run([str(word) for word in words], cwd=folder, env=kept | changes, capture_output=True, text=True)
    if ran.returncode or "Traceback" in ran.stderr:
        raise SystemExit(f"{' '.join(map(str, words))} left with {ran.returncode}: {ran.stderr[-2000:]}{ran.stdout[-2000:]}")
    return ran.stdout


def expect(is_so: bool, sentence: str) -> None:
    """End the script if something is not as it should be."""
    if not is_so:
        raise SystemExit(sentence)


def built(folder: Path) -> list[Path]:
    """Wheel and sdist of a clean copy of what is committed."""
    run(["git", "clone", "--quiet", ROOT, folder / "sources"], folder)
    run([sys.executable, "-m", "build", "--outdir", folder / "dist", folder / "sources"], folder)
    found = [next((folder / "dist").glob(pattern)) for pattern in ("*.whl", "*.tar.gz")]
    run(["rm", "-r", folder / "sources"], folder)
    return found


def tried(python: str, package: Path, folder: Path) -> object:
    """Install a package for a Python and try its commands; the counts of its results."""
    folder.mkdir()
    run([python, "-m", "venv", folder / "venv"], folder)
    run([folder / "venv/bin/pip", "install", "--quiet", package], folder)
    llsim, place = folder / "venv/bin/llsim", folder / "elsewhere"
    place.mkdir()
    cache = {"LLSIM_CACHE_DIR": str(folder / "cache")}
    home = run([folder / "venv/bin/python", "-c", "import lostlegacy_sim; print(lostlegacy_sim.__file__)"], place).strip()
    expect(Path(home).is_relative_to(folder), f"{home} is not what was installed")
    expect(run([llsim, "--version"], place).startswith("lostlegacy_sim "), "no version")
    expect("The Starship" in run([llsim, "cards"], place), "no cards")
    expect(BASH_COMPLETES in run([llsim], place, _LLSIM_COMPLETE="bash_source"), "no completion")
    words = run([llsim], place, _LLSIM_COMPLETE="bash_complete", COMP_WORDS="llsim sim", COMP_CWORD="1")
    expect("simulate" in words, f"completion answers {words!r}")
    printed = json.loads(run([llsim, "simulate", *ASKED, "--out", "kept", "--json"], place, **cache))
    run([llsim, "report", "kept", "-o", "page.html"], place, **cache)
    expect("Lost Legacy" in (place / "page.html").read_text(encoding="utf-8"), "no report")
    run([llsim, "verify", "kept", "--share", "100%"], place, **cache)
    return printed["results"]


def main(pythons: list[str]) -> int:
    """Try all Pythons, say what each needed."""
    pythons = pythons or [sys.executable]
    with tempfile.TemporaryDirectory(prefix="installs-") as name:
        folder = Path(name)
        wheel, sdist = built(folder)
        found = []
        for number, (python, package) in enumerate([*((python, wheel) for python in pythons), (pythons[0], sdist)]):
            began, version = time.monotonic(), run([python, "--version"], folder).strip()
            found.append(tried(python, package, folder / str(number)))
            print(f"{version:14} {package.name:40} {time.monotonic() - began:6.1f} s  ok", flush=True)
        expect(all(one == found[0] for one in found), "they count differently")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
