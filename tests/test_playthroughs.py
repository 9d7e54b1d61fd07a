"""Whole deals as text, each chosen to show something: read in the diff when the rules or the telling change.

`python tests/test_playthroughs.py` looks for the deals anew and writes the files.
"""

import re
import sys
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import run

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "playthroughs"
OWN = "--set tests/playthroughs/own.toml"
GARDEN = "--set flying-garden"


class Shown(NamedTuple):
    """What a playthrough shows, at which table, and the words by which its deal is found."""

    why: str
    table: str
    words: str  # regular expressions, all of which are in the text


PLAYTHROUGHS = {
    "trapped": Shown("A looker is trapped and hands over the Lost Legacy (L9).", "--players 3",
                     "takes the hand card of seat . .only they know it: Lost Legacy"),
    "seen": Shown("The Shadow Thief sees the Lost Legacy and wins.", "--players 4", "by the card it saw"),
    "cancelled": Shown("The Swordsman meets a Sneak Attack, and nothing happens to him (L29).", "--players 4",
                       "What Sneak Attack does when seen is cancelled"),
    "tie": Shown("Two seats share a speed and do not investigate; another finds the Lost Legacy.", "--players 4",
                 "so none of them investigates.*it found the Lost Legacy"),
    "nobody": Shown("Everybody points at the wrong card.", "--players 3", "Investigation.*reveals.*reveals.*nobody wins"),
    "returned": Shown("A Saint brings its owner back (L12, L26).", f"{GARDEN} --players 3", "is back in the game"),
    "no card to return with": Shown("A Saint finds the deck empty, so its owner stays out (L12).", f"{GARDEN} --players 3",
                                    "The deck is empty, so seat . stays out"),
    "second wound": Shown("A Necromancer lays the second Wound into the row of another seat (L15, L27).",
                          f"{GARDEN} --players 3",
                          r"Openly, seat (.) takes [^\n]* for Wound\.\n  Seat (?!\1)(.) is eliminated: 2 copies of Wound"),
    "refused": Shown("A Lost Legacy cannot be laid into a row: nobody is asked (L13).", f"{GARDEN} --players 2",
                     r"plays Necromancer and keeps Lost Legacy[^\n]*\n[^\n]*chooses[^\n]*\n[^\n]*does not exchange"),
    "recalled": Shown("Recall shuffles a whole row, a face-down Saint with it, into the deck.",
                      "--set flying-garden-recall --players 4", r"is turned face down.*chooses the whole row of seat . \([^)]*Saint"),
    "megamix": Shown("Six seats, both sets: Guardian finds the Starship, which is shuffled into the deck (L4).",
                     "--set megamix --players 6", "the card seen is the Lost Legacy .Guardian.*Starship goes on top of the deck"),
    "mix": Shown("A mix of the two sets.", "--set custom --pick 1=starship,2=flying-garden,3=starship,4=flying-garden,5=starship,"
                 "6=flying-garden,7=starship,8=flying-garden,X=starship --players 4", "False Information.*Prophet.*Sneak Attack was seen"),
    "bomb": Shown("Everybody is put out at once, and nobody wins (L5, L33).", f"{OWN} --players 3",
                  "the card seen is of speed.*the card seen is of speed.*nobody wins"),
    "face down": Shown("A face-down card of a row is pointed at (L6).", f"{OWN} --players 2",
                       "reveals the ... face-down card of the rows"),
}  # fmt: skip


def told(table: str, deal: int) -> str:
    """The text of a deal."""
    ran = run("replay", *table.split(), "--bots", "random", "--knows", "turns", "--deal", str(deal))
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def write(name: str, shown: Shown) -> None:
    """Find the lowest deal that shows it and write it down."""
    deal = next(deal for deal in count() if re.search(shown.words, unwrapped(told(shown.table, deal)), re.DOTALL))
    command = f"llsim replay {shown.table} --bots random --knows turns --deal {deal}"
    path(name).write_text(f"# {shown.why}\n$ {command}\n{told(shown.table, deal)}", encoding="utf-8")


def path(name: str) -> Path:
    return FOLDER / f"{name.replace(' ', '_')}.txt"


def unwrapped(text: str) -> str:
    """Sentences as they were before they were broken into lines."""
    return re.sub(r"\n {4,8}(?! *Seat \d knows)", " ", text)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_deal_is_told_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    first, second, text = path(name).read_text(encoding="utf-8").split("\n", 2)
    assert first == f"# {PLAYTHROUGHS[name].why}"
    found = re.fullmatch(r"\$ llsim replay (.*) --bots random --knows turns --deal (\d+)", second)
    assert found is not None
    assert found[1] == PLAYTHROUGHS[name].table
    assert re.search(PLAYTHROUGHS[name].words, unwrapped(text), re.DOTALL)
    assert told(found[1], int(found[2])) == text


def test_every_playthrough_is_compared() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(map(path, PLAYTHROUGHS))


if __name__ == "__main__":
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, shown in PLAYTHROUGHS.items():
        write(name, shown)
        print(path(name).relative_to(ROOT), file=sys.stderr)
