"""`llsim cards` and `llsim validate`: what they print, and their exit codes."""

import json
from pathlib import Path

import pytest
from command_line import run

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.games.lost_legacy.cards.composition import PRINTED, SET_WORDS, draw_mix, load_set, printed
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY, speed_word

STARSHIP = printed("starship").to_toml()


@pytest.mark.parametrize("word", SET_WORDS)
def test_cards_prints_a_row_for_every_kind(word: str) -> None:
    ran = run("cards", word)
    assert (ran.code, ran.err) == (0, "")
    for card in load_set(word).cards:
        row = next(line for line in ran.out.splitlines() if line.startswith(f"{speed_word(card.speed)}      {card.name} "))
        assert f" {card.copies} " in row
        assert card.source in row
        assert card.text in " ".join(ran.out.split())


def test_cards_without_a_set_lists_the_sets() -> None:
    ran = run("cards")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines() if line.startswith(SET_WORDS)] == list(SET_WORDS)
    listed = json.loads(run("cards", "--json").out)
    assert listed["schema"] == "llsim.sets/1"
    assert [row["players"] for row in listed["sets"]] == [[2, 3, 4]] * 3 + [[2, 3, 4, 5, 6]]


@pytest.mark.parametrize("word", SET_WORDS)
def test_toml_reads_back_equal(word: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(run("cards", word, "--toml").out, encoding="utf-8")
    assert load_set(str(file)) == load_set(word)
    assert run("cards", str(file), "--toml").out == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("word", PRINTED)
def test_reconstructed_kinds_are_named_in_one_line(word: str) -> None:
    names = [card.name for card in printed(word).cards if card.source == "reconstruction"]
    out = " ".join(run("cards", word).out.split())
    assert (f"Reconstructed, without a public source: {', '.join(names)}." in out) == bool(names)
    assert "Reconstructed" not in run("cards", word, "--quiet").out


def test_json_holds_every_word_of_the_file() -> None:
    document = json.loads(run("cards", "flying-garden", "--json").out)
    garden = printed("flying-garden")
    assert document["schema"] == "llsim.cards/1"
    assert (document["set"]["hash"], document["set"]["n_cards"], document["set"]["players"]) == (garden.hash, 16, [2, 3, 4])
    assert len(document["reconstructed"]) == 6
    assert [card["speed"] for card in document["cards"]] == [1, 2, 3, 4, 5, 6, 7, 8, "X"]
    for card, row in zip(garden.cards, document["cards"], strict=True):
        assert (row["id"], row["copies"], row["text"]) == (card.id, card.copies, card.text)
        steps = {trigger: [{"do": step.do} | {key: list(value) if isinstance(value, tuple) else value for key, value in step.words}
                           for step in steps] for trigger, steps in card.steps}  # fmt: skip
        assert row["effects"] == steps


def test_a_custom_set_prints_the_line_that_repeats_it() -> None:
    out = run("cards", "--pick", "1=starship,x=flying-garden", "--pick", "2=flying-garden", "--seed", "7").out
    line = out.rsplit("--set custom --pick ", 1)[1].strip()
    drawn = draw_mix(7, {1: "starship", 9: "flying-garden", 2: "flying-garden"})
    assert parse_set(run("cards", "custom", "--pick", line, "--seed", "99", "--toml").out, VOCABULARY, "again") == drawn


def test_keep_chooses_the_legacy_of_megamix() -> None:
    assert "the_flying_garden" in run("cards", "--keep", "flying-garden", "--toml").out
    assert "the_starship" in run("cards", "megamix", "--keep", "starship", "--toml").out
    assert run("cards", "starship", "--keep", "starship").err.startswith("--keep chooses the Lost Legacy of Megamix;")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cards", "staship"], "There is no set 'staship'. Did you mean 'starship'? Valid: starship, flying-garden,"),
        (["cards", "--pick", "9=starship"], "--pick 9=starship: there is no speed '9'; write a number from 1 to 8, or X."),
        (["cards", "megamix", "--pick", "1=starship"], "--pick chooses cards of a custom set; write --set custom, not --set megamix."),
        (["cards", "starship", "--toml", "--json"], "--toml and --json print the cards in two ways; choose one."),
        (["cards", "custom", "--seed", "-1"], "--seed -1: write a whole number from 0 to"),
        (["cards", "starship", "--tolm"], "llsim cards: No such option '--tolm'. Did you mean '--toml'? `llsim cards --help`"),
        (["cards", "starship", "megamix"], "llsim cards: Got unexpected extra argument (megamix). `llsim cards --help`"),
        (["validate"], "llsim validate: Missing argument 'FILE'. `llsim validate --help` shows examples."),
    ],
)  # fmt: skip
def test_wrong_words_are_refused_in_a_sentence(words: list[str], said: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


# --- validate ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", [*PRINTED, "custom"])
def test_validate_says_that_a_set_is_legal(word: str) -> None:
    ran = run("validate", word)
    assert ran.code == 0
    assert [line.split()[:2] for line in ran.out.splitlines() if line.startswith("  ")][:5] == [["yes", f"G{n}"] for n in range(1, 6)]
    assert "  yes  playable by 2, 3 and 4 players" in ran.out
    assert ran.out.endswith(f"Legal: {word} keeps all five guidelines.\n")


def test_validate_says_which_guideline_is_broken_and_how_to_mend_it(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(STARSHIP.replace("speed = 7\ncopies = 3", "speed = 7\ncopies = 2"))
    ran = run("validate", str(file))
    assert ran.code == 3
    assert "  no   G1  15 cards instead of 16\n           to mend: add 1 card\n" in ran.out
    assert "  no   G3  2 cards at speed 7\n           to mend: make it 3 at speed 7\n" in ran.out
    assert "Playable, but it breaks G1 and G3." in ran.out
    quiet = run("validate", str(file), "-q")
    assert quiet.code == 3
    assert quiet.out.count("\n") == 4


def test_validate_as_json(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(STARSHIP.replace("speed = 7\ncopies = 3", "speed = 7\ncopies = 2"))
    ran = run("validate", str(file), "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["schema"], document["verdict"], document["set"]["players"]) == (3, "llsim.validate/1", "playable", [2, 3, 4])
    assert {row["guideline"]: row["holds"] for row in document["guidelines"]} == {"G1": False, "G2": True, "G3": False, "G4": True, "G5": True}
    file.write_text(STARSHIP.replace("legacy = true\n", ""))
    ran = run("validate", str(file), "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"], document["set"]["players"]) == (2, "unplayable", [])
    assert document["problems"] == [f"{file}: no card is the Lost Legacy; write legacy = true on one."]
    file.write_text("[")
    ran = run("validate", str(file), "--json")
    assert (ran.code, json.loads(ran.out)["verdict"]) == (2, "unreadable")
