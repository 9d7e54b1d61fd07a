"""docs/cards.md does what it says: every block of it is run, in order, in one folder."""

import re
import subprocess
from pathlib import Path

from script import load

from lostlegacy_sim.games.lost_legacy.cards.composition import load_set

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "cards.md"
BLOCK = re.compile(r"(?:<!-- in (?P<file>\S+), instead of (?P<card>\S+) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)```", re.DOTALL)


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
    script = load("make_docs")
    for name, (page, make) in script.SECTIONS.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert script.rewritten(text, name, make()) == text, "run scripts/make_docs.py"
