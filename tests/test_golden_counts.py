"""What every bot counts with every set, by checksums recorded once: whoever moves code changes none of them.

A change of the rules, of a bot or of the deals is seen here first. If it is meant, `python tests/test_golden_counts.py` records anew,
and the commit says why.
"""

import json
from pathlib import Path

import pytest

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.tally import checksum

FILE = Path(__file__).parent / "golden" / "counts.json"
SEED = 11
DEALS = {"random": 4000, "careful": 2000, "hunter": 1000, "novice": 1000, "trained": 1000, "belief:24": 100, "playout:40": 40, "ismcts:40": 40}
QUICK = ("random", "careful", "hunter", "novice", "trained")
TABLES = {"starship": (2, 4), "flying-garden": (3,), "flying-garden-recall": (4,), "megamix": (6,)}


def entries() -> list[tuple[str, str, int]]:
    """Every bot of the house with every set; those that search with one set only."""
    quick = [(bot, word, players) for bot in QUICK for word, tables in TABLES.items() for players in tables]
    return quick + [(bot, "starship", 3) for bot in DEALS if bot not in QUICK]


def count(bot: str, word: str, players: int) -> str:
    """The checksum of the counts, exemplars included, with one such bot and random ones, so that all seats and rotations count."""
    game = find_game("lost_legacy")
    result = play(experiment_of(game, load_set(word), players, [bot, "random"], DEALS[bot], SEED), game)
    return checksum(result.tally.to_bytes() + result.exemplars.astype("<i8").tobytes())[:20]


@pytest.mark.parametrize(("bot", "word", "players"), entries())
def test_counts_are_those_recorded(bot, word, players):
    assert count(bot, word, players) == json.loads(FILE.read_text())[f"{bot} {word} {players}"]


def test_all_recorded_counts_are_asked_for():
    assert list(json.loads(FILE.read_text())) == [" ".join(map(str, entry)) for entry in entries()]


if __name__ == "__main__":
    found = {" ".join(map(str, entry)): count(*entry) for entry in entries()}
    FILE.write_text(json.dumps(found, indent=1) + "\n")
