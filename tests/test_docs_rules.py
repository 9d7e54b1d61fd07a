"""docs/rules.md keeps up with the program: every ruling has its line and its tests, every switch is named and exists."""

import re
from pathlib import Path

import click
import numpy as np
import pytest

from lostlegacy_sim.cli.simulate import simulate
from lostlegacy_sim.games.lost_legacy.cards.composition import megamix, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.studies.campaign import POINTS, solve
from lostlegacy_sim.games.lost_legacy.vocabulary import TURNS_PER_CARD, VOCABULARY

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
UNUSED = {16, 21, 22}
RULINGS = [f"L{number}" for number in range(1, 35) if number not in UNUSED]
KNOWLEDGE = [f"K{number}" for number in range(1, 8)]
CHANGES = dict(re.findall(r"^\| (L\d+) \| .* \| (.*) \|$", PAGE, re.MULTILINE))


def named_after(number: str) -> list[str]:
    """The tests that carry the number of a ruling or of a rule of knowledge in their names."""
    name = re.compile(rf"^def (test_{number.lower()}_\w+)", re.MULTILINE)
    return [test for file in sorted((ROOT / "tests").glob("test_*.py")) for test in name.findall(file.read_text(encoding="utf-8"))]


def test_every_number_has_one_line_in_its_table():
    assert re.findall(r"^\| ([LK]\d+) \| \S", PAGE, re.MULTILINE) == KNOWLEDGE + RULINGS
    assert set(re.findall(r"\b[LK]\d+\b", PAGE)) == {*KNOWLEDGE, *RULINGS}
    assert "The numbers 16, 21 and 22 are not in use" in PAGE


@pytest.mark.parametrize("number", [*RULINGS, *KNOWLEDGE])
def test_every_number_stands_in_the_name_of_a_test(number):
    assert named_after(number)


def test_no_test_is_named_after_a_number_that_the_page_does_not_have():
    assert not [test for number in UNUSED for test in named_after(f"L{number}")]


@pytest.mark.parametrize(("key", "field"), [*VOCABULARY.flags.items(), *VOCABULARY.rules.items()])
def test_every_switch_of_a_card_file_stands_beside_its_ruling(key, field):
    for number in re.findall(r"\((L\d+)\)", field.meaning):
        written = re.search(rf'`{key} = (?:"(\w+)"|(true|false))`', CHANGES[number])
        assert written, f"{number} does not name {key}"
        if field.form == "flag":
            assert written[2] == str(not field.default).lower()
        else:
            assert written[1] in set(field.values) - {field.default}


def test_every_switch_on_the_page_exists():
    for change in CHANGES.values():
        for key in re.findall(r"`(\w+) = ", change):
            assert key in {**VOCABULARY.flags, **VOCABULARY.rules}
        for word in re.findall(r"`(\w+)`", change):
            fields = [field for verb in VOCABULARY.verbs for field in verb.fields]
            assert word in {*(trigger.name for trigger in VOCABULARY.triggers), *fields}


def test_every_option_on_the_page_exists():
    options = {name: option for option in simulate.params if isinstance(option, click.Option) for name in option.opts}
    named = re.findall(r"`(--[a-z-]+) ([a-z-]+)`", PAGE)
    assert {name for name, _ in named} == {"--keep", "--nobody-begins", "--set"}
    for name, value in named:
        if isinstance(options[name].type, click.Choice):
            assert value in options[name].type.choices


def test_numbers_of_cards_seats_turns_and_points_are_those_of_the_code():
    both = megamix(printed("starship"), printed("flying-garden"), "starship")
    assert f"{both.n_cards} cards, {seats(both)[0]} to {seats(both)[-1]} players" in PAGE
    starship = printed("starship")
    assert f"has {starship.n_cards} cards" in PAGE
    assert f"It seats {seats(starship)[0]} to {seats(starship)[-1]} players" in PAGE
    assert TURNS_PER_CARD == 8
    assert "eight turns a card" in PAGE
    goes_to = f"{POINTS[2]} points with 2 players, {POINTS[3]} with 3, {POINTS[4]} with 4, and {POINTS[5]} with 5"
    assert goes_to in " ".join(PAGE.split())
    assert POINTS[5] == POINTS[6]


def test_l17_after_a_game_nobody_won_the_same_seat_begins_again_or_by_the_option_the_next():
    wins = np.array([[0.0, 0.5], [0.5, 0.0]])  # beginner x winner: the beginner never wins, half the games nobody does
    same, following = (solve(wins, 1, nobody_begins)[0] for nobody_begins in ("same", "next"))
    assert same[:2] == pytest.approx([0, 1])  # seat 1 begins until seat 2 has won
    assert following[:2] == pytest.approx([1 / 3, 2 / 3])  # they take turns: 1/2 + 1/8 + ... for seat 2


def test_links_lead_somewhere():
    for page, anchor in re.findall(r"\]\(([\w.]*)#?([\w-]*)\)", PAGE):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8") if page else PAGE
        headings = [re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines() if line.startswith("#")]
        assert not anchor or anchor in headings
