"""The moments of a tiny deck: every position in which a seat has a choice, and every way on from there.

Built once by the reference. A moment is all the cards and what has been answered in this turn, not how it came to
be: so there are far fewer moments than histories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference.enumeration import arrangements, twin
from lostlegacy_sim.games.lost_legacy.reference.observer import Ears, Event
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Shuffle, Table
from lostlegacy_sim.games.lost_legacy.vocabulary import EXCHANGE, FOCUS_ROW_CARD, PLAY

END = -1  # instead of the number of a moment: the deal is over

Heard = tuple[tuple[Event, ...], ...]  # what each seat observes


class Answered(NamedTuple):
    """A question on the way that is no choice, or the one that begins it: who answered what."""

    seat: int
    option: int
    is_choice: bool  # False: the options come to the same, and none is a choice


class Shuffled(NamedTuple):
    """A chance event on the way: the kinds before and after."""

    zone: str
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Way:
    """One way from a choice to the next moment or to the end."""

    chance: float
    heard: Heard
    events: tuple[Answered | Shuffled, ...]
    to: int  # the number of a moment, or END
    winner: int  # at the end: a seat, or NOBODY


@dataclass
class Moment:
    """A seat has a choice; `ways[i]` are those on from its option i."""

    seat: int
    what: int
    options: tuple[int, ...]
    ways: list[list[Way]] = field(default_factory=list)


@dataclass(frozen=True)
class _Start:
    """A position between two turns, and what has been answered since."""

    table: Table
    answers: tuple[Any, ...]


class DecisionPoints:
    """All moments of a deck with so many seats; `begin` are the ways from the shuffle to the first ones.

    `merges`: options that come to the same are no choice: which of two cards of one kind to play, and whether to
    exchange a card for one of its kind.
    """

    def __init__(
        self, card_set: CardSet, n_seats: int, listen: Callable[[Table], Ears] = Ears, merges: bool = True, limit: int = 0
    ) -> None:
        """`limit`: raise OverflowError when there are more moments than this (0: no limit)."""
        self.listen, self.merges = listen, merges
        self.found: list[Moment] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._positions: dict[tuple[Any, ...], Table] = {}
        self._open: list[_Start] = []
        self.begin = list(self._ways(_Start(Table(card_set, n_seats), ())))
        done = 0
        while done < len(self.found):
            if limit and len(self.found) > limit:
                raise OverflowError(f"The deck has more than {limit:,} moments.")
            start, moment = self._open[done], self.found[done]
            self._open[done] = _Start(start.table, ())  # not needed any more
            for option in moment.options:
                answered = Answered(moment.seat, option, True)
                moment.ways.append(list(self._ways(_Start(start.table, (*start.answers, option)), answered)))
            done += 1
        self._open.clear()
        self._positions.clear()

    def _ways(self, start: _Start, *events: Answered | Shuffled) -> Iterator[Way]:
        """Every way from here to the next moment or the end."""
        nothing: Heard = ((),) * start.table.n_seats
        if not self.merges and events and isinstance(events[0], Answered):  # which of two like cards it played, only its owner knows
            own = (("chose", events[0].option),)
            nothing = tuple(own if seat == events[0].seat else () for seat in range(start.table.n_seats))
        waiting: list[tuple[float, _Start, Heard, tuple[Answered | Shuffled, ...]]] = [(1.0, start, nothing, events)]
        while waiting:
            chance, start, before, events = waiting.pop()
            table, asked, after = self._play(start)
            heard = tuple((*first, *then) for first, then in zip(before, after, strict=True))
            if asked is None and table.outcome is not None:
                yield Way(chance, heard, events, END, table.outcome.winner)
            elif asked is None:
                waiting.append((chance, self._between_turns(table), heard, events))
            elif isinstance(asked, Shuffle):
                cards = tuple({"deal": table.printed.slots, "ruins": table.ruins, "deck": table.deck}[asked.zone])
                orders = arrangements(cards)
                for order in reversed(orders):
                    shuffled = Shuffled(asked.zone, cards, tuple(cards[place] for place in order))
                    further = _Start(start.table, (*start.answers, order))
                    waiting.append((chance / len(orders), further, heard, (*events, shuffled)))
            elif self.merges and is_no_choice(table, asked):
                further = _Start(start.table, (*start.answers, asked.options[0]))
                waiting.append((chance, further, heard, (*events, Answered(asked.seat, asked.options[0], False))))
            else:
                yield Way(chance, heard, events, self._moment(start, asked), -1)

    def _play(self, start: _Start) -> tuple[Table, Question | Shuffle | None, Heard]:
        """Play from here to what is asked next: the table, the question (None: the turn is over), and what the last answer let hear."""
        table = twin(start.table, False)
        ears = self.listen(table)
        table.teller = ears
        playing = table.go_on() if any(table.hands) else table.deal()
        asked: Question | Shuffle | None = None
        try:
            asked = next(playing)
            for answer in start.answers:
                ears.empty()
                asked = playing.send(answer)
        except StopIteration:
            asked = None
        return table, asked, tuple(tuple(heard) for heard in ears.heard)

    def _between_turns(self, table: Table) -> _Start:
        return _Start(self._positions.setdefault(position(table), table), ())

    def _moment(self, start: _Start, asked: Question) -> int:
        key = (position(start.table), start.answers)
        number = self._numbers.setdefault(key, len(self.found))
        if number == len(self.found):
            self.found.append(Moment(asked.seat, asked.what, asked.options))
            self._open.append(start)
        return number


def position(table: Table) -> tuple[Any, ...]:
    """All that the rest of a deal depends on, between two turns."""
    cards = tuple(table.hands), tuple(table.ruins), tuple(table.deck), tuple(map(tuple, table.rows))
    return (table.turn, table.seat, tuple(table.in_game), *cards)


def is_no_choice(table: Table, asked: Question) -> bool:
    """Whether all options come to the same, because the two cards in question are of one kind.

    An exchange with a row is always a choice: a card that lies face down there would come to lie face up.
    """
    if asked.what == PLAY:
        return table.hands[asked.seat] == table.drawn
    return asked.what == EXCHANGE and table.focus < FOCUS_ROW_CARD and table.card_at(table.focus) == table.hands[asked.seat]
