"""Perfection: the study, the decks of the documentation, the script and the table it leaves."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from script import load

from lostlegacy_sim.errors import SetError
from lostlegacy_sim.games.lost_legacy.research.exact.decks import DECKS, deck_of
from lostlegacy_sim.studies.perfection import perfection

REPORT = json.loads((Path(__file__).parent.parent / "reports" / "exact.json").read_text(encoding="utf-8"))


def test_the_published_figures_come_out_again() -> None:
    """On the smallest deck; `python scripts/exact.py` makes them all."""
    published = REPORT["decks"]["five"]
    quick = [bot for bot in published["bots"] if not bot["is_sampled"]]
    found = perfection(deck_of(DECKS["five"].split()), [bot["bot"] for bot in quick])
    assert same(asdict(found), published | {"bots": quick})


def same(found: object, published: object) -> bool:
    """Equal up to the last digits of sums."""
    if isinstance(found, float):
        return found == pytest.approx(published, abs=1e-9)
    if isinstance(found, dict):
        return isinstance(published, dict) and found.keys() == published.keys() and all(same(found[key], published[key]) for key in found)
    if isinstance(found, list | tuple):
        return isinstance(published, list) and len(found) == len(published) and all(map(same, found, published))
    return found == published


def test_every_published_deck_is_solved_to_a_hundredth_of_a_point() -> None:
    assert list(REPORT["decks"]) == list(DECKS)
    for name, deck in REPORT["decks"].items():
        assert sorted(deck["cards"]) == sorted(DECKS[name].split())
        assert 0 <= deck["exploitability"] <= 1e-4
        assert deck["low"] <= deck["high"]
        for bot in deck["bots"]:
            assert bot["exploitability"] > 0  # no bot is perfect
            assert bot["against_perfect"] <= deck["exploitability"] + 1e-9
            assert bot["is_sampled"] == bot["bot"].startswith(("belief", "playout", "ismcts"))


@pytest.mark.parametrize(("ids", "complaint"), [
    ("general serch the_starship", "There is no printed card 'serch'. Did you mean 'search'?"),
    ("general search assault assault", "Lost Legacy"),
    ("the_starship search", "cards"),
])  # fmt: skip
def test_a_deck_nobody_can_play_is_refused(ids: str, complaint: str) -> None:
    with pytest.raises(SetError, match=complaint):
        deck_of(ids.split())


def test_the_script_solves_a_deck_of_ones_own(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script = load("exact")
    monkeypatch.setattr("sys.argv", ["exact.py", "--deck", DECKS["five"], "--bots", "random"])
    assert script.main() == 0
    assert "Between perfect players seat 1 wins -35.0" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["exact.py", "--deck", "general", "--bots", "random"])
    assert script.main() == 2
    assert "Traceback" not in capsys.readouterr().err
