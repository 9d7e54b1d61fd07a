"""docs/python.md runs as it stands, from top to bottom, and names what there is."""

import re
from pathlib import Path

import pytest

import lostlegacy_sim
from lostlegacy_sim.notebook.found import Found
from lostlegacy_sim.notebook.simulated import Simulated

PAGE = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_every_block_runs_in_order(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for number, block in enumerate(BLOCKS):
        exec(compile(block, f"docs/python.md, block {number + 1}", "exec"), names)
    said = capsys.readouterr().out
    assert "There is no set 'starshp'. Did you mean 'starship'?" in said
    assert "Lost Legacy: The Starship · 4 players, hunter, 3 x careful · 20,000 deals · seed 1" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hunter", "hunter.html", "my.toml", "seats.csv", "seats.svg", "sweep.toml"]


def test_a_block_that_is_wrong_would_be_seen():
    with pytest.raises(lostlegacy_sim.UsageError):
        exec(BLOCKS[0].replace("2e4", "1.5"), {})


def test_every_public_function_is_on_the_page():
    functions = {name for name in lostlegacy_sim.__all__ if name.islower() and not name.startswith("_")}
    assert functions == {name for name in functions if f"ll.{name}(" in PAGE}
    for name in ("table", "to_csv", "to_parquet", "save", "report"):
        assert hasattr(Found, name)
        assert f"r.{name}(" in PAGE
    assert hasattr(Simulated, "measure")
    assert len(BLOCKS) >= 10
