"""One deal again: the kernel plays it, the reference judges it and tells it in words.

Here and in `sitting`, and nowhere else in the package, the two meet. What the kernel has written down while
playing is all the reference is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.errors import BotError, ResultError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.apart import ApartTable, open_table
from lostlegacy_sim.games.lost_legacy.bots.roster import seat_bot
from lostlegacy_sim.games.lost_legacy.kernel.ask import ILLEGAL
from lostlegacy_sim.games.lost_legacy.kernel.piles import SHUFFLED
from lostlegacy_sim.games.lost_legacy.kernel.rules import DEALT
from lostlegacy_sim.games.lost_legacy.kernel.state import N_HISTORY
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Outcome, Table, judge
from lostlegacy_sim.games.lost_legacy.vocabulary import QUESTIONS, TO_DECK, TO_RUINS, VOCABULARY, WAYS

ZONES = {TO_RUINS: "ruins", TO_DECK: "deck", DEALT: "deal"}

Entry = tuple[Any, ...]


@dataclass(frozen=True)
class Chapter:
    """A part of a deal, the deal itself, a turn or the investigation: what happened, and what each seat knew after it."""

    sentences: tuple[str, ...]  # those that belong to the one above begin with two spaces
    knows: tuple[str, ...]  # one sentence a seat


@dataclass(frozen=True)
class Story:
    """A whole deal."""

    card_set: CardSet
    bots: tuple[str, ...]  # one a seat, after rotation
    history: tuple[Entry, ...]  # as reference.judge takes it
    outcome: Outcome | None  # None: it was left at an open question
    chapters: tuple[Chapter, ...]

    @property
    def is_over(self) -> bool:
        """Whether the deal came to its end."""
        return self.outcome is not None

    @property
    def ended(self) -> frozenset[str]:
        """How it ended, as it is remembered; nothing if it did not."""
        return frozenset() if self.outcome is None else frozenset({WAYS[self.outcome.way][0]})

    @property
    def turns(self) -> int:
        """How many turns were played to the end."""
        return self.outcome.turns if self.outcome is not None else 0

    def to_plain(self) -> dict[str, Any]:
        """For JSON; seats and deals count from 0 in the history, as in the records."""
        outcome = self.outcome
        history = [
            {"shuffle": entry[0], "order": entry[1]}
            if len(entry) == 2
            else {"question": QUESTIONS[entry[0]][0], "seat": entry[1], "answer": entry[2], "options": entry[3]}
            for entry in self.history
        ]
        return {
            "bots": list(self.bots),
            "slots": [self.card_set.cards[kind - 1].id for kind in self.card_set.slots()],
            "way": WAYS[outcome.way][0] if outcome else None,
            "winner": outcome.winner if outcome else None,
            "speed": outcome.speed if outcome else None,
            "turns": outcome.turns if outcome else None,
            "history": history,
            "chapters": [
                {"sentences": [sentence.strip() for sentence in chapter.sentences], "knows": list(chapter.knows)} for chapter in self.chapters
            ],
        }


def tell(experiment: Experiment, deal: int) -> Story:
    """A deal of an experiment, told.

    Raises BotError if a bot breaks the rules in it, ResultError if it was too long to be written down, and
    reference.Divergence, which is a bug, if the kernel has broken the rules.
    """
    card_set = parse_set(experiment.set_text, VOCABULARY, where=experiment.set_name)
    entries = experiment.entries
    table = apart_or_here(experiment, card_set)
    if table.record(deal) == ILLEGAL:
        assert isinstance(table, LegacyTable)
        raise BotError(table.complaint(deal))
    public, history = table.state.public, table.state.history
    outcome = Outcome(*(int(public[name]) for name in ("way", "winner", "found_speed", "turn")))
    if int(history["n"]) >= N_HISTORY:
        raise ResultError(f"Deal {deal} is too long to be told: it took {outcome.turns} turns.")
    written = tuple(read_history(history["data"][: int(history["n"])].tolist()))
    judge(card_set, experiment.players, written, outcome)
    seated = tuple(entries[int(entry)][0] for entry in table.state.secret["entry"][: experiment.players])
    return Story(card_set, seated, written, outcome, tuple(chapters(card_set, experiment.players, written)))


def apart_or_here(experiment: Experiment, card_set: CardSet) -> LegacyTable | ApartTable:
    """The table of an experiment for one deal."""
    if any(experiment.bot_sources):
        return open_table(experiment)
    bots = tuple(seat_bot(words, source, card_set) for words, source in experiment.entries)
    return LegacyTable(card_set, bots, experiment.rotations, experiment.seed, experiment.repeat)


def chapters(card_set: CardSet, n_seats: int, history: Sequence[Entry]) -> Iterator[Chapter]:
    """A history told by the reference, turn by turn, up to its end or the open question it stops at."""
    told: list[str] = []
    table = Table(card_set, n_seats, told.append)
    answers = (entry[1] if len(entry) == 2 else entry[2] for entry in history)
    part = table.deal
    while True:
        playing, is_open = part(), False
        with suppress(StopIteration):
            next(playing)
            while not is_open:
                answer = next(answers, None)
                is_open = answer is None
                if not is_open:
                    playing.send(answer)
        yield Chapter(tuple(told), tuple(table.knows_in_words(seat) for seat in range(n_seats)))
        told.clear()
        if is_open or table.outcome is not None:
            return
        part = table.go_on


def read_history(data: Sequence[int]) -> Iterator[Entry]:
    """The bytes of a history: (zone, order) for a shuffle, (what, seat, answer, number of options) for a question."""
    place = 0
    while place < len(data):
        if data[place] >= SHUFFLED:
            size = data[place + 1]
            yield ZONES[data[place] - SHUFFLED], list(data[place + 2 : place + 2 + size])
            place += 2 + size
        else:
            what, seat, n_options, answer = data[place : place + 4]
            yield what, seat, answer, n_options
            place += 4
