"""Every way a card file can be wrong is answered by one sentence that says what, where and what to do."""

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run

from lostlegacy_sim.cardset import MAX_BYTES
from lostlegacy_sim.errors import SetError
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed

STARSHIP = printed("starship").to_toml()
GENERAL = 'play = [{ do = "look", at = ["deck"] }, { do = "exchange", may = true }]'
LEGACY_GOES = 'eliminated = [{ do = "move", card = "self", to = "deck" }, { do = "shuffle", zone = "deck" }]'


def with_general(effect: str) -> str:
    """The Starship set with another effect on its General."""
    return STARSHIP.replace(GENERAL, effect, 1)


def with_card(lines: str) -> str:
    """The Starship set with one more card."""
    return STARSHIP + f'\n[[card]]\nid = "new"\nspeed = 2\n{lines}\n'


# what is wrong: (the text of the file, what the sentence must say)
READING = {
    "no TOML": ("id = ", "FILE is not valid TOML: Invalid value (at end of document)."),
    "unclosed": (STARSHIP + "[[card]", "FILE is not valid TOML: Expected ']]' at the end of an array declaration (at line 86, column 7)."),
    "deep nesting": ("a = " + "[" * 100_000, "FILE is not valid TOML"),
    "deep nesting, closed": (with_card("copies = " + "[" * 200 + "]" * 200), "FILE: card 'new': copies = [[["),
    "huge number": (with_card(f"copies = {'9' * 5000}"), "FILE is not valid TOML: ValueError, too deep or too long."),
    "long number": (with_card(f"copies = {'9' * 1000}"), "FILE: card 'new': copies = 999"),
    "huge hexadecimal": (with_card(f"copies = 0x{'f' * 9000}"), "FILE: card 'new': copies = a huge number should be a whole number from 0 to 48."),
    "infinite": (with_card("copies = inf"), "FILE: card 'new': copies = inf should be a whole number from 0 to 48."),
    "no cards": ('id = "mine"', "FILE: it holds no cards; write a [[card]] table for each kind."),
    "cards as a number": ("card = 3", "FILE: it holds no cards; write a [[card]] table for each kind."),
    "cards as words": ('card = ["a"]', "FILE: it holds no cards; write a [[card]] table for each kind."),
    "unknown field of the file": ("title = 1\n" + STARSHIP, "FILE: 'title' is not a field here. Valid: id, name, card, investigate_rows."),
    "unknown rule": ("investigate_row = true\n" + STARSHIP, "FILE: 'investigate_row' is not a field here. Did you mean 'investigate_rows'?"),
    "rule with a word": ('investigate_rows = "yes"\n' + STARSHIP, 'FILE: investigate_rows = "yes" should be true or false.'),
    "unknown field of a card": (with_card("speeds = 3"), "FILE: card 'new': 'speeds' is not a field here. Did you mean 'speed'?"),
    "unknown trigger": (with_card('plays = [{ do = "name" }]'), "FILE: card 'new': 'plays' is not a field here. Did you mean 'play'?"),
    "unknown verb": (with_general('play = [{ do = "lock", at = ["deck"] }]'), "FILE: card 'general', play step 1: do = \"lock\" is unknown. Did you mean 'look'?"),
    "no verb": (with_general('play = [{ at = ["deck"] }]'), 'FILE: card \'general\', play step 1: it has no verb; write do = "...".'),
    "number as verb": (with_general("play = [{ do = 3 }]"), 'FILE: card \'general\', play step 1: it has no verb; write do = "...".'),
    "steps as text": (with_general('play = "look"'), "FILE: card 'general', play: write a list of steps, such as"),
    "too many steps": (with_general("play = [" + '{ do = "name" },' * 9 + "]"), "FILE: card 'general', play: 9 steps; one trigger holds at most 8."),
    "unknown place": (with_general('play = [{ do = "look", at = ["dock"] }]'), "FILE: card 'general', play step 1: at = \"dock\" is unknown. Did you mean 'deck'? Valid: hands, ruins, deck."),
    "place as a number": (with_general('play = [{ do = "look", at = 7 }]'), "FILE: card 'general', play step 1: at = 7 should be a list of words."),
    "no place": (with_general('play = [{ do = "look" }]'), "FILE: card 'general', play step 1: at is missing (where the card may lie)."),
    "unknown seat": (with_general('play = [{ do = "eliminate", who = "lookers" }]'), "who = \"lookers\" is unknown. Did you mean 'looker'?"),
    "unknown condition": (with_general('play = [{ do = "win", if = "named_" }]'), "if = \"named_\" is unknown. Did you mean 'named'? Valid: always, x, legacy, named."),
    "unknown word of a step": (with_general('play = [{ do = "name", may = true }]'), "FILE: card 'general', play step 1: 'may' is not a field here. Valid: do."),
    "verb under the wrong trigger": (with_card('row = [{ do = "win" }]'), "FILE: card 'new', row step 1: 'win' cannot stand under 'row', only under play."),
    "speed missing": (STARSHIP.replace("speed = 2\n", ""), 'FILE: card \'general\': speed is missing; write a number from 1 to 8, or "X".'),
    "speed 0": (STARSHIP.replace("speed = 2\n", "speed = 0\n"), "FILE: card 'general': speed = 0 is out of range; write a number from 1 to 8"),
    "speed 9": (STARSHIP.replace("speed = 2\n", "speed = 9\n"), "FILE: card 'general': speed = 9 is out of range"),
    "speed as text": (STARSHIP.replace("speed = 2\n", 'speed = "2"\n'), "FILE: card 'general': speed = \"2\" is out of range"),
    "speed true": (STARSHIP.replace("speed = 2\n", "speed = true\n"), "FILE: card 'general': speed = True is out of range"),
    "negative copies": (with_card("copies = -1"), "FILE: card 'new': copies = -1 should be a whole number from 0 to 48."),
    "half a copy": (with_card("copies = 1.5"), "FILE: card 'new': copies = 1.5 should be a whole number from 0 to 48."),
    "id twice": (with_card("").replace('"new"', '"general"'), "FILE: card 'general': two cards have this id; give each kind its own, or raise `copies`."),
    "id missing": (STARSHIP + "\n[[card]]\nspeed = 2\n", 'FILE: card number 10: id is missing; write id = "...".'),
    "id with a space": (with_card("").replace('"new"', '"my card"'), "id = 'my card' may hold letters, digits, '_' and '-' only."),
    "id with an escape": (with_card("").replace('"new"', '"\\u001b[31m"'), "id holds a control character; write it on one line."),
    "unknown source": (with_card('source = "rulebok"'), "FILE: card 'new': source = 'rulebok' is unknown. Did you mean 'rulebook'?"),
    "NUL in a text": (with_card('text = "a\\u0000b"'), "FILE: card 'new': text holds a control character; write it on one line."),
    "more than 48 cards": (with_card("copies = 33"), "FILE: 49 cards; a set holds at most 48. Lower some `copies`."),
    "more than 24 kinds": (STARSHIP + "".join(f'\n[[card]]\nid = "new{n}"\nspeed = 2\n' for n in range(16)), "FILE: 25 kinds; a set holds at most 24."),
}  # fmt: skip

PLAYING = {
    "no Legacy": (STARSHIP.replace("legacy = true\n", ""), "FILE: no card is the Lost Legacy; write legacy = true on one."),
    "two Legacies": (with_card(f"legacy = true\nplayable = false\n{LEGACY_GOES}"), "FILE: 2 kinds are Lost Legacies (new, the_starship); leave legacy = true on one."),
    "two copies of the Legacy": (printed("flying-garden").to_toml().replace("speed = 5\ncopies = 1", "speed = 5\ncopies = 2"), "FILE: card 'the_flying_garden': 2 copies of the Lost Legacy; there is only one: copies = 1."),
    "two unplayable cards": (with_card("playable = false"), "FILE: a hand of two unplayable cards could not play (1 x new, 1 x the_starship); leave playable = false on one card at most."),
    "too few cards": ('[[card]]\nid = "l"\nspeed = 5\nlegacy = true\nplayable = false\n' + LEGACY_GOES, "FILE: too few cards (1); 2 players need at least 4. Raise some `copies`."),
    "a Legacy that goes nowhere": (STARSHIP.replace(LEGACY_GOES, ""), "FILE: card 'the_starship': a Lost Legacy never lies in a discard row (L13), so it must say where it goes: eliminated ="),
    "a playable Legacy that stays": (STARSHIP.replace("playable = false\n", ""), "FILE: card 'the_starship': a Lost Legacy never lies in a discard row (L13); write playable = false, or begin with play ="),
    "unplayable with a play effect": (STARSHIP.replace("playable = false\n", 'playable = false\nplay = [{ do = "name" }]\n'), "FILE: card 'the_starship': it has a `play` effect but playable = false; drop one of the two."),
    "into_row without a Legacy": (with_card('into_row = "as_eliminated"'), "FILE: card 'new': into_row speaks of a Lost Legacy; write it on the card with legacy = true."),
    "from_hand without out": (with_card("from_hand = true"), "FILE: card 'new': from_hand speaks of an `out` trigger, and it has none (L25)."),
    "counts without row": (with_card('counts = "always"'), "FILE: card 'new': counts speaks of a `row` trigger, and it has none (L15)."),
    "return for ever": (with_card('out = [{ do = "return" }]'), 'FILE: card \'new\', out step 1: the card would bring its owner back for ever; put { do = "flip" } before it.'),
    "an elimination without end": (
        with_card('out = [{ do = "move", card = "self", to = "deck" }, { do = "return" }]\nrow = [{ do = "eliminate", who = "owner" }]\ncounts = "always"'),
        "FILE: new can bring its owner back again and again from the deck, and new can put it out each time (L15): one elimination would never end;",
    ),
    "exchange without a look": (with_general('play = [{ do = "exchange" }]'), "FILE: card 'general', play step 1: 'exchange' speaks of the card in focus, but none is; put a look or a choose before it"),
    "win without a look": (with_general('play = [{ do = "win", if = "legacy" }]'), "FILE: card 'general', play step 1: 'win' speaks of the card in focus, but none is"),
    "move after an exchange": (with_general('play = [{ do = "look", at = ["ruins"] }, { do = "exchange" }, { do = "move", to = "deck" }]'), "FILE: card 'general', play step 3: 'move' speaks of the card in focus, but none is"),
    "a condition without a look": (with_general('play = [{ do = "eliminate", who = "others", if = "x" }]'), "FILE: card 'general', play step 1: 'eliminate' speaks of the card in focus, but none is"),
    "named without a name": (with_general('play = [{ do = "look", at = ["hands"] }, { do = "eliminate", who = "owner", if = "named" }]'), 'play step 2: if = "named", but no speed is named before; put { do = "name" } first.'),
    "an owner of a ruins card": (with_general('play = [{ do = "look", at = ["ruins"] }, { do = "eliminate", who = "owner" }]'), "play step 2: 'eliminate' speaks of a seat whose hand was looked at; put a look at hands before it."),
    "a hand moved away": (with_general('play = [{ do = "look", at = ["hands", "ruins"] }, { do = "move", to = "ruins" }]'), "play step 2: a hand card cannot be moved away, the hand would be empty; look at ruins or deck, or choose rows."),
    "a row and a card": (with_general('play = [{ do = "choose", at = ["rows", "whole_row"] }]'), 'play step 1: at = ["rows", "whole_row"]: choose one card or a whole row, not both.'),
    "exchange with a whole row": (with_general('play = [{ do = "choose", at = ["whole_row"] }, { do = "exchange" }]'), "play step 2: 'exchange' speaks of one card, but a whole row is in focus; choose at = [\"rows\"] instead."),
    "discard alone": (with_general('play = [{ do = "look", at = ["hands"] }, { do = "discard", who = "owner" }]'), 'play step 2: a discard leaves the hand empty; let { do = "take_hand", who = "owner", from = "looker" } follow.'),
    "take_hand without an end": (with_card('seen = [{ do = "discard", who = "owner" }, { do = "take_hand", who = "owner", from = "looker" }]'), 'FILE: card \'new\', seen step 2: take_hand leaves the other hand empty; let { do = "eliminate", who = "looker" } follow.'),
    "take_hand alone": (with_card('seen = [{ do = "take_hand", who = "owner", from = "looker" }]'), 'FILE: card \'new\', seen step 1: take_hand needs an empty hand; put { do = "discard", who = "owner" } before it.'),
    "copies under play": (with_general('play = [{ do = "eliminate", who = "others", copies = 2 }]'), "play step 1: copies counts face-up cards in a row and stands under `row` only; drop it."),
    "copies under seen": (with_card('seen = [{ do = "eliminate", who = "owner", copies = 2 }]'), "seen step 1: copies counts face-up cards in a row and stands under `row` only; drop it."),
    "everyone under seen": (with_card('seen = [{ do = "eliminate", who = "everyone" }]'), 'FILE: card \'new\', seen step 1: who = "everyone" cannot stand under `seen`, only owner or looker.'),
    "looker under row": (with_card('row = [{ do = "eliminate", who = "looker" }]'), 'FILE: card \'new\', row step 1: who = "looker" cannot stand under `row`, only owner.'),
    "a condition under row": (with_card('row = [{ do = "eliminate", who = "owner", if = "x" }]'), "FILE: card 'new', row step 1: if speaks of the card in focus, and under `row` none is; drop it."),
    "may under seen": (with_card('seen = [{ do = "shuffle", zone = "deck", may = true }]'), "FILE: card 'new', seen step 1: may asks a seat, and only a `play` effect can ask; drop may."),
    "focus under eliminated": (with_card('eliminated = [{ do = "move", to = "deck" }]'), 'FILE: card \'new\', eliminated step 1: under `eliminated` no card is in focus; write card = "self".'),
}  # fmt: skip


@pytest.mark.parametrize("wrong", [*READING, *PLAYING])
def test_a_wrong_card_file_is_refused_in_one_sentence(wrong: str, tmp_path: Path) -> None:
    text, said = (READING | PLAYING)[wrong]
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    ran = run("cards", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.replace(str(file), "FILE").startswith("FILE")
    assert said in ran.err.replace(str(file), "FILE")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 600


@pytest.mark.parametrize("wrong", PLAYING)
def test_validate_lists_what_makes_a_file_unplayable(wrong: str, tmp_path: Path) -> None:
    text, said = PLAYING[wrong]
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    ran = run("validate", str(file))
    assert ran.code == 2
    assert said in ran.out.replace(str(file), "FILE")
    assert ran.err.startswith(f"{file} cannot be played: ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "FILE is empty. `llsim cards starship --toml` prints a card file to start from."),
        (b" \n\t\n", "FILE is empty."),
        (bytes(range(128, 256)), "FILE is not UTF-8 text (byte 0); a card file is plain TOML."),
        ("id = 'x'".encode("utf-16"), "FILE is UTF-16 text and should be UTF-8; a card file is plain TOML."),
        ("id = 'x'".encode("utf-16-le"), "FILE is UTF-16 text and should be UTF-8; a card file is plain TOML."),
        (b"\x7fELF\x02\x01\x00\x00", "FILE is not valid TOML"),
        (b"id = \x00", "FILE is not valid TOML: "),
        (b"\x00" * 100, "FILE is not valid TOML: "),
        (b"#" * (MAX_BYTES + 1), f"FILE is larger than {MAX_BYTES:,} bytes; a card file is a page or two of TOML."),
    ],
)
@pytest.mark.parametrize("command", ["cards", "validate"])
def test_junk_is_refused_in_one_sentence(command: str, data: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes(data)
    ran = run(command, str(file))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err.replace(str(file), "FILE")
    assert ran.err.count("\n") == 1


def test_what_is_no_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    assert f"There is no card file {missing}. `llsim cards starship --toml` prints one" in run("cards", str(missing)).err
    assert f"{tmp_path} is a folder, not a card file. Name the .toml file inside it." in run("cards", str(tmp_path)).err
    assert "is not a regular file. Save the card file to disk first." in run("validate", "/dev/null").err
    assert "cannot be read" in run("validate", "x" * 5000 + ".toml").err
    with pytest.raises(SetError, match="cannot be read"):
        load_set("a\0b.toml")


def test_a_problem_says_how_many_more_there_are(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(with_card('from_hand = true\ncounts = "always"'))
    assert "(1 more: `llsim validate " in run("cards", str(file)).err
    ran = run("validate", str(file), "--json")
    assert ran.code == 2
    assert '"verdict": "unplayable"' in ran.out


def test_a_wrong_file_shows_no_traceback_in_a_process(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(with_general('play = [{ do = "lock" }]'))
    ran = subprocess.run([sys.executable, "-m", "lostlegacy_sim", "validate", str(file)], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"{file}: card 'general', play step 1: do = \"lock\" is unknown.")
    assert ran.stderr.count("\n") == 1


def test_a_file_cannot_write_on_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(with_general('play = [{ do = "\\u001b[31m" }]'))
    ran = run("validate", str(file))
    assert ran.code == 2
    assert "\x1b" not in ran.err
