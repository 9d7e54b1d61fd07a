"""The bots of the house: what they choose in situations a strong player would not think about, and how strong they are."""

import pytest
from bot_situations import Situation

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots.quick import careful, hunter
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of

GARDEN = printed("flying-garden")
OTHERS = ("hand 1", "hand 2")
MIRROR = """
[[card]]
id = "mirror"
speed = 2
seen = [{ do = "eliminate", who = "looker" }]

[[card]]
id = "assassin"
speed = 1
play = [{ do = "look", at = ["hands"] }, { do = "eliminate", who = "owner" }]
"""


def own_set() -> object:
    """The Starship with two invented cards instead of its speeds 1 and 2: a trap that is no X, and a killer."""
    tables = printed("starship").to_toml().split("[[card]]")
    kept = [table for table in tables if 'id = "sister_of_fate"' not in table and 'id = "general"' not in table]
    return parse_set("[[card]]".join(kept) + MIRROR, VOCABULARY, "own.toml")


OWN = own_set()


def versus(policy: object, situation: Situation, expected: str) -> None:
    assert situation.asked(policy.decide) == expected


@pytest.mark.parametrize("policy", [careful, hunter], ids=["careful", "hunter"])
@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        # known danger
        (Situation("look", "search", playing="assault", rows=("assault", "", ""), options=OTHERS, known={"hand 1": "sneak_attack"}), "hand 2"),
        (Situation("look", "search", playing="assault", rows=("assault", "", ""), options=OTHERS, known={"hand 2": "sneak_attack"}), "hand 1"),
        (Situation("look", "search", playing="swordsman", rows=("swordsman", "", ""), options=OTHERS, known={"hand 2": "sneak_attack"}), "hand 2"),
        (Situation("look", "search", playing="swordsman", rows=("swordsman", "", ""), options=OTHERS, known={"hand 2": "mirror"}, set=OWN), "hand 1"),
        (Situation("look", "search", playing="assault", rows=("assault", "", ""), options=OTHERS, known={"hand 2": "sister_of_fate"}), "hand 2"),
        (Situation("play", "wound", drawn="curse", rows=("wound", "", ""), set=GARDEN), "drawn"),
        (Situation("play", "curse", drawn="wound", rows=("wound", "", ""), set=GARDEN), "held"),
        # where the Legacy is
        (Situation("look", "search", playing="shadow_thief", rows=("shadow_thief", "", ""), options=(*OTHERS, "ruins 0"),
                   known={"hand 2": "the_starship"}), "hand 2"),
        (Situation("look", "search", playing="shadow_thief", rows=("shadow_thief", "", ""), options=(*OTHERS, "ruins 0"),
                   known={"ruins 0": "the_starship"}), "ruins 0"),
        (Situation("look", "assault", playing="shadow_thief", rows=("shadow_thief", "", ""), options=(*OTHERS, "ruins 0", "ruins 1"),
                   ruins=2, in_ruins="the_starship", known={"ruins 0": "search"}), "ruins 1"),
        (Situation("play", "shadow_thief", drawn="search", known={"hand 2": "the_starship"}), "held"),
        (Situation("look", "curse", playing="guardian", rows=("guardian", "", ""), options=OTHERS, known={"hand 1": "curse",
                   "hand 2": "the_flying_garden"}, set=GARDEN), "hand 2"),
        (Situation("look", "search", playing="assassin", rows=("assassin", "", ""), options=OTHERS, known={"hand 1": "mirror"}, set=OWN), "hand 2"),
        # names
        (Situation("name", "saint", playing="curse", rows=("curse", "", ""), known={"hand 1": "guardian"}, set=GARDEN), "3"),
        (Situation("look", "saint", playing="curse", named=3, rows=("curse", "", ""), options=OTHERS, known={"hand 2": "guardian"}, set=GARDEN), "hand 2"),
        (Situation("name", "saint", playing="curse", rows=("curse", "curse", "curse"), set=GARDEN), "7"),
        (Situation("name", "saint", playing="curse", rows=("curse", "expedition expedition", "false_information"), known={"ruins 0": "expedition"}, set=GARDEN), "8"),
        # exchanges
        (Situation("exchange", "assault", playing="search", rows=("search", "", ""), focus="the_starship", at="ruins 0"), "yes"),
        (Situation("exchange", "general", playing="search", rows=("search", "", ""), focus="the_starship", at="ruins 0", deck=0), "no"),
        (Situation("exchange", "search", playing="assault", rows=("assault", "", ""), focus="general", at="hand 1", deck=0), "yes"),
        (Situation("exchange", "general", playing="assault", rows=("assault", "", ""), focus="search", at="hand 1", deck=0), "no"),
        (Situation("exchange", "the_starship", playing="assault", rows=("assault", "", ""), focus="assault", at="hand 1", deck=0), "no"),
        (Situation("exchange", "wound", playing="necromancer", rows=("necromancer", "wound curse", ""), focus="curse", at="row 1.1", set=GARDEN), "yes"),
        (Situation("choose", "wound", playing="necromancer", rows=("necromancer", "wound curse", ""), set=GARDEN), "row 1.1"),
        (Situation("choose", "guardian", playing="false_information", rows=("curse wound false_information", "wound", "saint"), set=GARDEN), "row 0.1"),
        (Situation("choose", "guardian", playing="false_information", rows=("saint curse false_information", "wound", ""), set=GARDEN), "row 0.1"),
        # shuffles
        (Situation("shuffle", "search", playing="ancient_map", rows=("ancient_map", "", ""), ruins=2, known={"ruins 1": "the_starship"}), "no"),
        (Situation("shuffle", "search", playing="ancient_map", rows=("ancient_map", "", ""), ruins=2), "yes"),
        # the end
        (Situation("play", "general", drawn="assault", deck=0, known={"ruins 0": "the_starship"}), "drawn"),
        (Situation("play", "search", drawn="general", deck=0, known={"ruins 0": "the_starship"}), "held"),
        (Situation("play", "sneak_attack", drawn="general", deck=0), "held"),
        (Situation("reveal", "the_starship", called=5, deck=0, options=("hand 0", *OTHERS, "ruins 0")), "hand 0"),
        (Situation("reveal", "general", called=2, deck=0, options=("hand 0", *OTHERS, "ruins 0"), known={"ruins 0": "the_starship"}), "ruins 0"),
        (Situation("reveal", "general", called=2, deck=0, options=("hand 0", *OTHERS, "ruins 0"), known={"ruins 0": "search", "hand 1": "assault"}), "hand 2"),
        (Situation("reveal", "general", called=2, deck=0, options=("hand 0", *OTHERS, "ruins 0"), turns=(4, 4, 3)), "hand 1"),
        (Situation("reveal", "search", called=7, deck=0, options=("hand 0", *OTHERS, "ruins 0"), turns=(2, 2, 2)), "ruins 0"),
    ],
)  # fmt: skip
def test_both(policy: object, situation: Situation, expected: str) -> None:
    versus(policy, situation, expected)


@pytest.mark.parametrize(
    ("situation", "careful_plays", "hunter_plays"),
    [
        (Situation("play", "shadow_thief", drawn="search"), "drawn", "held"),
        (Situation("play", "assault", drawn="search"), "drawn", "held"),
    ],
)  # fmt: skip
def test_hunter_hunts_where_careful_waits(situation: Situation, careful_plays: str, hunter_plays: str) -> None:
    versus(careful, situation, careful_plays)
    versus(hunter, situation, hunter_plays)


def test_without_memory_nothing_seen_before_counts() -> None:
    known = {"hand 1": "sneak_attack"}
    for memory, expected in ((True, "hand 2"), (False, "hand 1")):
        versus(careful, Situation("look", "search", playing="assault", rows=("assault", "", ""), options=OTHERS, known=known, memory=memory), expected)
    for memory, expected in ((True, "ruins 0"), (False, "hand 1")):
        asked = Situation("reveal", "general", called=2, deck=0, options=("hand 0", *OTHERS, "ruins 0"), known={"ruins 0": "the_starship"}, memory=memory)
        versus(careful, asked, expected)


def test_a_choice_depends_on_the_records_alone() -> None:
    asked = Situation("play", "shadow_thief", drawn="search")
    asked.private["memory"][:] = 77
    word = int(asked.private["word"])
    assert asked.asked(careful.decide) == asked.asked(careful.decide) == "drawn"
    assert int(asked.private["word"]) == word


# --- strength -----------------------------------------------------------------------------------------------


def win_index(set_word: str, players: int, *bots: str, deals: int = 20_000) -> tuple[float, float]:
    """How often a seat of the first bot wins, relative to an equal share of the decided deals; and four standard errors of it."""
    game = find_game("lost_legacy")
    answer = Answer(play(experiment_of(game, load_set(set_word), players, bots, deals, 1), game), game)
    rate, decided = answer.bots[0].rate, answer.estimates["decided"].value
    par = decided / players
    return rate.value / par, 4 / 1.96 * (rate.high - rate.low) / 2 / par


@pytest.mark.parametrize(
    ("set_word", "players", "bots", "at_least"),
    [
        ("starship", 2, ("careful", "random"), 1.20),  # 60 % of the decided deals
        ("starship", 4, ("careful", "random"), 1.5),
        ("starship", 4, ("hunter", "random"), 1.5),
        ("flying-garden", 2, ("careful", "random"), 1.20),
        ("flying-garden", 4, ("careful", "random"), 1.5),
        ("flying-garden", 4, ("hunter", "random"), 1.5),
        ("megamix", 6, ("careful", "random"), 1.5),
        ("starship", 4, ("careful", "careful:memory=no", "careful", "careful:memory=no"), 1.0),
        ("flying-garden", 2, ("careful", "careful:memory=no"), 1.0),
        ("starship", 2, ("careful", "hunter"), 1.0),
    ],
)  # fmt: skip
def test_strength(set_word: str, players: int, bots: tuple[str, ...], at_least: float) -> None:
    index, four_errors = win_index(set_word, players, *bots)
    assert index - four_errors > at_least
