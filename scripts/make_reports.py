"""Plays the studies of reports/ and writes what they found.

Each study is a question, reports/NAME.toml. Beside it are written its page (.html), its answers and numbers (.json) and a
picture (.png), and its counts go to reports/counts/NAME.tar.xz. A study whose counts are there is not played again unless its
command has changed or --fresh is given: everything else is made from the counts.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
HOME = ROOT / "reports"
MOST_ROWS = 600  # tables with more rows are left out of the .json: they can be made from the counts
KEYS = {"question", "command", "chart", "options", "quote"}


@dataclass(frozen=True)
class Study:
    """A question, the command that answers it, and what of the answer is shown where."""

    name: str
    question: str
    words: tuple[str, ...]  # behind `llsim`
    chart: str  # the picture
    quote: Mapping[str, str]  # of the README: a section, and the label of one of its results; {} if none

    @property
    def command(self) -> str:
        """The command as it is typed."""
        return shlex.join(["llsim", *self.words])


def read_study(path: Path) -> Study:
    """The study of a file. Raises ValueError if it is none."""
    from lostlegacy_sim.letters import decoded

    try:
        plain = tomllib.loads(decoded(path.read_bytes()))
    except ValueError as error:
        raise ValueError(f"{path.name} {error}") from None
    if unknown := set(plain) - KEYS:
        raise ValueError(f"{path.name}: there is no place for {min(unknown)} in a study")
    options = [word for name, value in plain["options"].items() for word in words_of(name, value)]
    return Study(path.stem, plain["question"], (plain["command"], *options), plain["chart"], plain.get("quote", {}))


def words_of(name: str, value: Any) -> list[str]:
    """An option as it is typed; one with several values is given several times, one that is true has none."""
    if value is True:
        return [f"--{name}"]
    return [word for one in (value if isinstance(value, list) else [value]) for word in (f"--{name}", str(one))]


def studies(home: Path = HOME) -> list[Study]:
    """All studies, by name."""
    return [read_study(path) for path in sorted(home.glob("*.toml"))]


# --- counts ---------------------------------------------------------------------------------------------


def pack(folder: Path) -> bytes:
    """The files of a folder, compressed; the same files give the same bytes."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(entry, file)
    # Counts are whole numbers of eight bytes: the compressor is told so.
    chain = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 3, "pb": 3}]
    return lzma.compress(archive.getvalue(), filters=chain)


@contextmanager
def unpacked(counts: Path) -> Iterator[Path]:
    """The folder that was packed, for a while."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / counts.name.removesuffix(".tar.xz")
        with tarfile.open(counts) as tar:
            tar.extractall(folder, filter="data")
        yield folder


def counts_of(study: Study, home: Path = HOME) -> Path:
    """Where the counts of a study lie."""
    return home / "counts" / f"{study.name}.tar.xz"


def play(study: Study, home: Path) -> None:
    """Play a study and keep its counts. Raises CalledProcessError if the command fails."""
    with tempfile.TemporaryDirectory() as draft:
        folder = Path(draft) / study.name
        words = [sys.executable, "-m", "lostlegacy_sim", *study.words, "--out", str(folder)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(ROOT)})
        packed = pack(folder)
    (home / "counts").mkdir(exist_ok=True)
    replace(counts_of(study, home), packed)


def replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    from lostlegacy_sim.disk import write_whole

    write_whole(path, data)


# --- what is made from them -----------------------------------------------------------------------------


def answers(study: Study, home: Path = HOME) -> dict[str, Any]:
    """What a study found, as it stands in its .json."""
    from lostlegacy_sim.report.shown import shown_of

    with unpacked(counts_of(study, home)) as folder:
        return document(study, shown_of([str(folder)]))


def document(study: Study, shown: Any) -> dict[str, Any]:
    """Question, command, answers in sentences, and the numbers behind them."""
    from lostlegacy_sim.report.section import all_tables

    return {
        "schema": "llsim.study/1",
        "question": study.question,
        "command": study.command,
        "about": shown.context,
        "answers": [{"section": section.name, "question": section.question,
                     "says": [{"label": said.label, "sentence": said.sentence, "deals": said.deals} for said in section.answer]}
                    for section in shown.sections if section.answer],
        "tables": {table.name: {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}
                   for table in all_tables(shown.sections) if len(table.rows) <= MOST_ROWS},
    }  # fmt: skip


def make(study: Study, home: Path = HOME) -> None:
    """Write page, numbers and picture of a study from its counts."""
    from lostlegacy_sim.report.shown import shown_of

    with unpacked(counts_of(study, home)) as folder:
        shown = shown_of([str(folder)])
        replace(home / f"{study.name}.json", (json.dumps(document(study, shown), indent=1, ensure_ascii=False) + "\n").encode())
        replace(home / f"{study.name}.png", shown.picture(study.chart, ".png"))
        replace(home / f"{study.name}.html", shown.html().encode())


def is_played(study: Study, home: Path = HOME) -> bool:
    """Whether the counts of a study are there, and are those of this command."""
    try:
        known = json.loads((home / f"{study.name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return counts_of(study, home).exists() and known.get("command") == study.command


def main(words: Sequence[str] | None = None) -> None:
    """Make all studies, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="studies; all if none is named")
    parser.add_argument("--fresh", action="store_true", help="play them again")
    asked = parser.parse_args(words)
    every = {study.name: study for study in studies()}
    if unknown := set(asked.names) - set(every):
        parser.error(f"there is no study {min(unknown)}; there are {', '.join(every)}")
    for name in asked.names or every:
        began = time.perf_counter()
        if asked.fresh or not is_played(every[name]):
            print(f"{name}: {every[name].command}", file=sys.stderr)
            play(every[name], HOME)
        make(every[name])
        print(f"{name}: made in {time.perf_counter() - began:.0f} seconds", file=sys.stderr)


if __name__ == "__main__":
    main()
