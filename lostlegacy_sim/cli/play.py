"""`llsim play`: a person plays a deal in the terminal, and sees what a seat may know."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import ask, narrate, proclaim, say
from lostlegacy_sim.cli.replay import read_deal, read_seat
from lostlegacy_sim.cli.sitting import Place, answers
from lostlegacy_sim.sets import Chosen

if TYPE_CHECKING:
    from lostlegacy_sim.games.lost_legacy.sitting import Sitting

EXAMPLES = (
    ("llsim play", "the Starship, in seat 1, with three careful bots"),
    ("llsim play --players 2 --bots hunter --seed new", "a deal nobody has seen"),
    ("llsim play --set flying-garden --seat 4", "last in turn"),
    ("echo 1 2 1 | tr ' ' '\\n' | llsim play", "answers from a file or a program"),
)
WORDS = "a number, or one of: ? (what counting says), table, cards, quit"
YES_NO = {"no": 1, "n": 1, "yes": 2, "y": 2}  # also understood where the options are no and yes


class Left(Exception):
    """The person has left the table."""


@command("play", EXAMPLES)
@options.set_word
@options.set_choice
@options.players
@click.option("--seat", type=options.Checked("NUMBER", read_seat), default=1, show_default=True, help="Your seat, counted from 1.")
@click.option("--bots", type=options.Checked("BOTS", options.read_bots), default=(), show_default=options.USUAL_BOT,
              help="Who sits on the other seats, in seating order; the last one fills the table.")  # fmt: skip
@options.seed
@click.option("--deal", type=options.Checked("NUMBER", read_deal), default=0, show_default=True, help="Which deal of the seed.")
@answers
def play(
    set_word: str | None, chosen: Chosen, players: Sequence[int], seat: int, bots: Sequence[str],
    seed: int, deal: int, answers: Sequence[int] | None,
) -> None:  # fmt: skip
    """Play a deal: you sit on one seat, bots on the others.

    You are told what your seat may know. Each question is answered by a number; ? shows what counting says, table what
    lies there, cards what the cards say, quit leaves. At the end stands the line that tells the whole deal.
    """
    place = Place(set_word, chosen, players, bots, seed, deal, seat)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    sitting = place.sit(answers or ())
    try:
        welcome(place, sitting)
        play_on(sitting)
    except (Left, KeyboardInterrupt):
        narrate(["", "You have left the table."])
    finish(place, sitting)


# --- the deal ---------------------------------------------------------------------------------------------


def welcome(place: Place, sitting: Sitting) -> None:
    """Who sits where."""
    others = ", ".join(f"seat {seat} {bot}" for seat, bot in enumerate(sitting.bots, 1) if seat != place.seat)
    proclaim(f"Lost Legacy: {sitting.card_set.name}, {place.n_seats} players, seed {place.seed}, deal {place.deal}")
    narrate([f"You are seat {place.seat}; {others}.", f"Answer with {WORDS}.", ""])


def play_on(sitting: Sitting) -> None:
    """Tell, ask, and play on, until the deal is over. Raises Left."""
    from lostlegacy_sim.games.lost_legacy.reference.seat_view import question_in_words, table_in_words
    from lostlegacy_sim.games.lost_legacy.vocabulary import PLAY

    while True:
        narrate(spaced(sitting.tell()))
        question = sitting.question
        if question is None:
            return
        if question.what == PLAY:
            narrate(["", *table_in_words(sitting.table, sitting.seat)])
        asked, choices = question_in_words(sitting.table, question)
        narrate([""])
        proclaim(asked)
        narrate(f"  {number}) {choice}" for number, choice in enumerate(choices, 1))
        sitting.answer(read_answer(sitting, choices))


def read_answer(sitting: Sitting, choices: Sequence[str]) -> int:
    """The number of an option; words are done and the question stays. Raises Left."""
    while True:
        word = read_line()
        number = YES_NO.get(word, 0) if tuple(choices) == ("no", "yes") else 0
        if word.isascii() and word.isdigit():
            number = int(word[:9])
        if 1 <= number <= len(choices):
            return number
        if word in ("quit", "q", "exit"):
            raise Left
        narrate(reply(sitting, word, len(choices)))


def reply(sitting: Sitting, word: str, n_choices: int) -> Iterator[str]:
    """What is said to a word that is no answer."""
    from lostlegacy_sim.games.lost_legacy.reference.seat_view import table_in_words

    if word == "?":
        yield from counted(sitting)
    elif word == "table":
        yield from table_in_words(sitting.table, sitting.seat)
    elif word == "cards":
        yield from cards_in_words(sitting)
    else:
        said = f"'{word[:20]}' is not an answer" if word else "Nothing was answered"
        yield f"{said}: write a number from 1 to {n_choices}, or ?, table, cards, quit."


def finish(place: Place, sitting: Sitting) -> None:
    """How to hear the whole deal, and how to go on with one that was left."""
    narrate(["", "The whole deal in words:" if sitting.outcome else "The deal so far, in words:"])
    say([f"  {place.command('replay', sitting.answers)}"])
    if not sitting.outcome:
        narrate(["To go on:"])
        say([f"  {place.command('play', sitting.answers)}"])


# --- what counting says -----------------------------------------------------------------------------------


def counted(sitting: Sitting) -> Iterator[str]:
    """Cards not seen yet, and where the counting belief takes the Legacy and the speeds to be."""
    from lostlegacy_sim.games.lost_legacy.bots.belief.chances import weigh
    from lostlegacy_sim.games.lost_legacy.reference.seat_narrator import with_speed
    from lostlegacy_sim.games.lost_legacy.reference.seat_view import knowledge_in_words, unseen
    from lostlegacy_sim.games.lost_legacy.vocabulary import speed_word

    table = sitting.table
    yield knowledge_in_words(table, sitting.seat)
    left = [f"{with_speed(table, kind)} {number} of {table.card_set.cards[kind - 1].copies}"
            for kind, number in unseen(table, sitting.seat).items() if number]  # fmt: skip
    yield f"Not seen yet: {', '.join(left) if left else 'no card'}."
    found = weigh(sitting.state, sitting.seat, len(sitting.answers))
    if found is None:
        yield "The deal has become too long to count chances in it."
        return
    yield "If the others have chosen with even chances, the Lost Legacy is"
    yield from legacy_chances(sitting, found.legacy, found.deck)
    for seat, speeds in found.speeds.items():
        words = [f"{speed_word(speed)} ({percent(chance)})" for speed, chance in enumerate(speeds) if chance > 0]
        yield f"  The speed seat {seat + 1} holds: {', '.join(words)}"


def legacy_chances(sitting: Sitting, chances: dict[int, float], deck: float) -> Iterator[str]:
    """A line a place: hands and ruins one by one, the deck as a whole and its top card."""
    from lostlegacy_sim.games.lost_legacy.reference.seat_narrator import place_for
    from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END

    size = len(sitting.table.deck)
    for place, chance in chances.items():
        if place < DECK_END - size and (chance or place != sitting.seat):
            yield f"  {percent(chance)}  {place_for(sitting.table, place, sitting.seat)}"
    if size:
        top = f" ({percent(chances[DECK_END - size])} its top card)" if size > 1 else ""
        yield f"  {percent(deck)}  the deck{top}"


def percent(chance: float) -> str:
    """A chance in whole percent; what is possible is never 0, what is not certain never 100."""
    if 0 < chance < 0.005:
        return "<1 %"
    if 0.995 < chance < 1 - 1e-9:
        return ">99 %"
    return f"{100 * chance:.0f} %"


def cards_in_words(sitting: Sitting) -> Iterator[str]:
    """What the cards say."""
    from lostlegacy_sim.games.lost_legacy.reference.seat_narrator import with_speed

    for kind, card in enumerate(sitting.card_set.cards, 1):
        text = f": {card.text}" if card.text else ""
        yield f"  {with_speed(sitting.table, kind)}, {card.copies} in the set{text}"


# --- the terminal -----------------------------------------------------------------------------------------


def read_line() -> str:
    """What the person writes, in small letters. Raises Left at the end of the input."""
    word = ask("> ")
    if word is None:
        raise Left
    return word


def spaced(sentences: Iterable[str]) -> Iterator[str]:
    """A blank line before each turn."""
    for number, sentence in enumerate(sentences):
        if number and not sentence.startswith(" "):
            yield ""
        yield sentence
