"""A deal with a person at the table: the kernel plays, the reference follows, and says what that seat hears.

The person's seat stands aside, so the kernel stops at each of its questions. What it has written down so far leads the
reference to the same question: there the words come from, and there a slip of either would show.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import BotError, ResultError
from lostlegacy_sim.games.lost_legacy.bots.compiling import compile_once
from lostlegacy_sim.games.lost_legacy.bots.roster import seat_bot
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, ILLEGAL, PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.rules import resume
from lostlegacy_sim.games.lost_legacy.kernel.state import N_HISTORY, State
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Divergence, Outcome, Question, Shuffle, Table, fits
from lostlegacy_sim.games.lost_legacy.reference.seat_narrator import SeatNarrator
from lostlegacy_sim.games.lost_legacy.replay import Entry, Story, chapters, read_history

PERSON = Bot("a person", ASIDE)


class Sitting:
    """One deal, from its first question to the person to its end."""

    def __init__(self, card_set: CardSet, others: Sequence[tuple[str, str]], seat: int, seed: int, deal: int) -> None:
        """`others`: the bots of the other seats in order, each with the hash of its file; `seat` counts from 0.

        A deal of a sitting is the block of that number: nobody changes seats. Raises BotError, ResultError.
        """
        compile_once(others)
        bots = [seat_bot(words, source, card_set) for words, source in others]
        bots.insert(seat, PERSON)
        self.kernel = LegacyTable(card_set, tuple(bots), 1, seed)
        self.kernel.compile()
        self.card_set, self.seat, self.deal = card_set, seat, deal
        self.bots = tuple(bot.name for bot in bots)
        self.answers: list[int] = []  # the option chosen at each question to the person, counted from 1
        self.history: list[Entry] = []
        self.heard: list[str] = []  # sentences the person has not been told yet
        self.table = Table(card_set, len(bots))
        self.table.teller = SeatNarrator(self.table, seat, self.heard.append)
        self.playing = self.table.play()
        self.asked: Question | Shuffle | None = next(self.playing)
        self.read = 0  # bytes of the kernel's history
        self.follow(self.kernel.record(deal))

    @property
    def state(self) -> State:
        """The records of the kernel."""
        return self.kernel.state

    @property
    def question(self) -> Question | None:
        """What the person is asked; None when the deal is over."""
        return self.asked if isinstance(self.asked, Question) else None

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended, if it has."""
        return self.table.outcome

    def answer(self, number: int) -> None:
        """Choose an option, counted from 1, and play on to the next question or the end."""
        assert self.question is not None, "nothing is asked"
        option = self.question.options[number - 1]
        self.answers.append(number)
        self.follow(resume(self.kernel.state, option))

    def tell(self) -> list[str]:
        """What the person has heard since the last time."""
        told = list(self.heard)
        self.heard.clear()
        return told

    def follow(self, status: int) -> None:
        """Lead the reference to where the kernel stands."""
        if status == ILLEGAL:
            raise BotError(self.kernel.complaint(self.deal))
        end = int(self.state.history["n"])
        if end >= N_HISTORY:
            raise ResultError(f"Deal {self.deal} is too long to be written down.")
        for entry in read_history(self.state.history["data"][self.read : end].tolist()):
            if self.asked is None or not fits(entry, self.asked):
                raise Divergence(f"The kernel comes to {entry}, the rulebook to {self.asked}.")
            self.history.append(entry)
            asked, self.asked = self.asked, None
            with suppress(StopIteration):
                self.asked = self.playing.send(entry[2] if isinstance(asked, Question) else entry[1])
        self.read = end
        question = self.question
        if (status == PAUSED) != (question is not None and question.seat == self.seat) or isinstance(self.asked, Shuffle):
            raise Divergence(f"The kernel stops with {status}, the rulebook at {self.asked}.")

    def story(self) -> Story:
        """The deal so far, with nothing left out."""
        told = tuple(chapters(self.card_set, len(self.bots), self.history))
        return Story(self.card_set, self.bots, tuple(self.history), self.outcome, told)


def sit_again(
    card_set: CardSet, others: Sequence[tuple[str, str]], seat: int, seed: int, deal: int, answers: Sequence[int]
) -> Sitting:
    """A sitting after these answers. Raises ResultError for an answer that is none of the options, or for too many."""
    sitting = Sitting(card_set, others, seat, seed, deal)
    for place, number in enumerate(answers, 1):
        question = sitting.question
        if question is None:
            raise ResultError(f"The deal is over after {place - 1} answers, and there are {len(answers)}; is it another deal or another seed?")
        if not 1 <= number <= len(question.options):
            raise ResultError(f"Answer {place} is {number}, but there the options are 1 to {len(question.options)}; is it another deal?")
        sitting.answer(number)
    return sitting
