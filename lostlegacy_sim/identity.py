"""Identity: which code counts here, so that counts of other code are never added to these."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from lostlegacy_sim import __version__


@cache
def package_facts() -> tuple[str, str]:
    """The version of this package, and a hash of everything in it that decides what is counted."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    paths = [*package.joinpath("games").rglob("*.py"), *package.joinpath("games").rglob("*.toml"), *package.glob("*.py")]
    for path in sorted(paths, key=lambda path: path.relative_to(package).as_posix()):
        digest.update(path.read_bytes())
    return __version__, digest.hexdigest()[:12]
