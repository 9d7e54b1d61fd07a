"""docs/cards.md does what it says: every block of it is run, in order, in one folder."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lostlegacy_sim.games.lost_legacy.composition import load_set

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "cards.md"
BLOCK = re.compile(r"(?:<!-- in (?P<file>\S+), instead of (?P<card>\S+) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)```", re.DOTALL)


def make_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which `llsim` is this package."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "llsim"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lostlegacy_sim "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def put_card(file: Path, card: str, instead_of: str) -> None:
    """Replace the table of one card in a card file."""
    head, *tables = file.read_text().split("[[card]]\n")
    places = [index for index, table in enumerate(tables) if f'id = "{instead_of}"\n' in table]
    assert len(places) == 1, f"{file.name} has no card {instead_of}"
    tables[places[0]] = card.removeprefix("[[card]]\n") + "\n"
    file.write_text("[[card]]\n".join([head, *tables]))


def test_every_block_of_the_page_runs(shell: Path) -> None:
    blocks = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))
    assert {block["language"] for block in blocks} == {"sh", "toml"}
    for block in blocks:
        if block["language"] == "toml":
            put_card(shell / block["file"], block["text"], block["card"])
            new = re.findall(r'id = "(\w+)"', block["text"])
            assert set(new) < {card.id for card in load_set(block["file"]).cards}
            continue
        for line in block["text"].splitlines():
            ran = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
            assert ran.returncode == 0, f"{line}\n{ran.stderr}"
            assert ran.stdout or ">" in line


def test_the_vocabulary_on_the_page_is_that_of_the_code() -> None:
    script = make_docs()
    for name, (page, make) in script.SECTIONS.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert script.rewritten(text, name, make()) == text, "run scripts/make_docs.py"
