"""`llsim play`: a person at the table, from the first question to the line that tells the deal again."""

import json
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from command_line import Ran, run

from lostlegacy_sim.games.lost_legacy.bots.belief.chances import weigh
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.reference.seat_view import unseen
from lostlegacy_sim.games.lost_legacy.sitting import Sitting

TABLE = ("--players", "3", "--bots", "random")
CAREFUL = ("careful", "")
ONES = "1\n" * 80


def play(*words: str, said: str = ONES) -> str:
    ran = run("play", *words, said=said)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def again(out: str, name: str = "replay") -> Ran:
    """Run the line `llsim NAME ...` a deal ended with."""
    lines = [line.strip() for line in out.splitlines() if line.strip().startswith(f"llsim {name} ")]
    assert len(lines) == 1
    return run(*shlex.split(lines[0])[1:], said="")


def result(out: str) -> str:
    """The result, as it is told to nobody in particular."""
    found = re.findall(r"^Result: .*", out, re.MULTILINE)
    assert len(found) == 1
    return found[0].replace("you win:", "seat 1 wins:").replace("you win", "seat 1 wins").replace("you found", "it found").replace("you saw", "it saw")


# --- a whole deal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [TABLE, ("--players", "2"), ("--set", "flying-garden", "--bots", "random,careful")])
def test_a_deal_is_played_and_told_again_as_it_was(words: tuple[str, ...]) -> None:
    for deal in ("0", "1", "2", "3"):
        out = play(*words, "--deal", deal)
        assert "You are seat 1; " in out
        assert out == play(*words, "--deal", deal)
        told = again(out)
        assert (told.code, told.err) == (0, "")
        assert result(out) == result(told.out)
        assert "Bots: seat 1 a person, " in told.out


def test_what_the_person_chose_is_what_happened() -> None:
    first, second = play(*TABLE, "--deal", "4", said="1\n"), play(*TABLE, "--deal", "4", said="2\n")
    held, drawn = re.findall(r"Turn 1\. You hold (.*) and draw (.*);", first)[0]
    assert held != drawn
    assert f"You play {held} and keep {drawn}." in first
    assert f"You play {drawn} and keep {held}." in second
    assert f"Seat 1 plays {drawn} and keeps {held}." in again(second).out


def test_the_last_seat_hears_what_the_others_did_before_its_first_question() -> None:
    out = play(*TABLE, "--seat", "3", said="")
    assert "You are seat 3; seat 1 random, seat 2 random." in out
    told = out[: out.index("\nTurn 3. You hold")]
    assert re.search(r"\nTurn 1\. Seat 1 draws; 11 cards left in the deck\.\n  Seat 1 plays ", told)
    assert not re.search(r"Seat [12] (holds|keeps)|only seat", told)


def test_a_wrong_answer_is_asked_again_and_changes_nothing() -> None:
    out = play(*TABLE, said="3\n0\n-1\nx\n\n99999999999999\n²\n1\n")
    assert out.count(": write a number from 1 to 2, or ?, table, cards, quit.") == 7
    assert "'x' is not an answer:" in out
    assert "Nothing was answered:" in out
    assert out.count("You play ") == 1


def test_no_and_yes_are_understood_where_they_are_meant() -> None:
    asked = play("--players", "3", said="1\n2\nyes\n")
    assert "  1) no\n  2) yes\n> yes\n  Secretly, you exchange: you now hold Search, " in asked
    assert "'yes' is not an answer" in play("--players", "3", said="yes\n")


# --- leaving ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["2\nquit\n", "2\nq\n1\n", "2\n"])
def test_who_leaves_can_hear_the_deal_so_far_and_go_on(said: str) -> None:
    out = play("--players", "3", said=said)
    assert "You have left the table." in out
    assert " --answers 2\n" in out
    told = again(out)
    assert (told.code, told.err) == (0, "")
    assert "Here the deal was left. To go on:\n  llsim play --players 3 --seat 1" in told.out
    assert "Result" not in told.out
    gone_on = again(out, "play")
    assert gone_on.out.startswith(out[: out.index("\nTurn ")])
    assert "--answers 2\n" in gone_on.out


def test_who_leaves_at_once_gets_the_line_that_begins_again() -> None:
    out = play("--players", "2", "--seed", "7", said="")
    assert out.endswith("To go on:\n  llsim play --players 2 --seat 1 --bots careful --seed 7 --deal 0\n")
    told = again(out)
    assert (told.code, told.err) == (0, "")
    assert "Turn 1. Seat 1 holds" in told.out


def test_who_is_out_before_the_first_question_still_hears_the_deal() -> None:
    for deal in range(200):
        out = play("--players", "4", "--seat", "4", "--bots", "random", "--set", "megamix", "--deal", str(deal))
        if "--answers none\n" in out:
            break
    assert "\n  You are eliminated: " in out
    assert result(out).replace("seat 1", "seat 4") == result(again(out).out).replace("seat 1", "seat 4")


def test_an_interrupt_leaves_cleanly(shell: Path) -> None:
    with subprocess.Popen(["llsim", "play", *TABLE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True) as process:  # fmt: skip
        assert process.stdout is not None
        seen = b""
        while not seen.endswith(b"> "):
            seen += os.read(process.stdout.fileno(), 1000)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"You have left the table." in out


def test_it_plays_through_a_pipe_in_eighty_columns(shell: Path) -> None:
    line = "printf '1\\n?\\ntable\\ncards\\n1\\n1\\n1\\n' | llsim play --set megamix --players 6 --bots random --seed 3"
    ran = subprocess.run(line, shell=True, capture_output=True, text=True, env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"}, timeout=300)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\x1b" not in ran.stdout
    assert max(len(row) for row in ran.stdout.splitlines() if "llsim " not in row) <= 80


# --- what counting says -----------------------------------------------------------------------------------


def test_a_question_mark_says_what_is_not_seen_and_where_the_legacy_may_be() -> None:
    out = play("--players", "3", said="?\n1\n?\n")
    held, drawn = re.findall(r"Turn 1\. You hold (.*) and draw (.*);", out)[0]
    unseen_lines = " ".join(re.findall(r"Not seen yet:.*?\.\n", out.replace("\n    ", " "), re.DOTALL)[0].split())
    assert sum(int(n) for n in re.findall(r"\) (\d+) of", unseen_lines)) == 16 - 2
    assert f"{drawn} (X) 2 of 3" in unseen_lines
    assert f"{held} (8) 2 of 3" in unseen_lines
    assert out.count("If the others have chosen with even chances, the Lost Legacy is\n  7 %  the hand of seat 2\n") == 2
    assert "  79 %  the deck (7 % its top card)\n" in out


def test_the_chances_add_up_and_what_is_known_is_certain() -> None:
    card_set, certain = load_set("starship"), 0
    for deal in range(12):
        sitting = Sitting(card_set, [CAREFUL], 0, 5, deal)
        while sitting.question is not None:
            found = weigh(sitting.state, 0, 1)
            assert found is not None
            table = sitting.table
            rows = [card.kind for row in table.rows for card in row]
            legacy = 1 + [card.id for card in card_set.cards].index("the_starship")
            held = table.drawn == legacy  # the belief speaks of hands, ruins and deck
            assert sum(found.legacy.values()) == pytest.approx(0 if legacy in rows or held else 1)
            assert found.deck == pytest.approx(sum(chance for place, chance in found.legacy.items() if place > 40))
            for place, kind in table.known[0].items():
                if place in found.legacy:
                    assert found.legacy[place] == pytest.approx(float(kind == legacy))
                if place == 1:
                    assert found.speeds[1][card_set.cards[kind - 1].speed] == pytest.approx(1)
                    certain += 1
            assert all(sum(speeds) == pytest.approx(1) for speeds in found.speeds.values())
            assert min(unseen(table, 0).values()) >= 0
            sitting.answer(1 + (len(sitting.answers) + deal) % len(sitting.question.options))
        assert sitting.outcome is not None
    assert certain > 5


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "sentence"), [
    (("play", "--seat", "5"), "--seat 5: the table has 4 seats."),
    (("play", "--players", "2", "--bots", "careful,random"), "2 bots and a person do not fit at a table of 2 players; name at most 1."),
    (("play", "--players", "2-3"), "--players: one deal has one number of players"),
    (("play", "--players", "6"), "The Starship"),
    (("play", "--bots", "carful"), "Did you mean 'careful'?"),
    (("play", "--answers", "0"), "--answers 0: write the numbers that were answered"),
    (("play", "--answers", "7"), "Answer 1 is 7, but there the options are 1 to 2; is it another deal?"),
    (("replay", "--players", "2", "--answers", ",".join("1" * 60)), "answers, and there are 60; is it another deal or another seed?"),
    (("replay", "last", "--answers", "1"), "--answers are those of one deal of `llsim play`"),
    (("replay", "--find", "nobody", "--answers", "1"), "--answers are those of one deal of `llsim play`"),
])  # fmt: skip
def test_refusals_are_sentences(words: tuple[str, ...], sentence: str) -> None:
    ran = run(*words, said="")
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_the_deal_as_json_says_who_answered_what() -> None:
    out = play(*TABLE, "--deal", "3")
    line = next(line for line in out.splitlines() if "llsim replay" in line)
    found = json.loads(run(*shlex.split(line)[1:], "--json").out)
    assert (found["schema"], found["deal"], found["seat"], found["bots"][0]) == ("llsim.replay/1", 3, 1, "a person")
    mine = [entry for entry in found["history"] if entry.get("seat") == 0]
    assert len(mine) == len(found["answers"]) == line.split("--answers ")[1].count(",") + 1
    assert found["way"] in ("nobody", "last", "seen", "found")
