"""The exact counting belief of a tiny deck: what may lie where, given all that a seat has observed, by the reference.

A deal is followed turn by turn with all tables that sound the same to one seat; others choose with even chances, the seat's
own choices are those it made.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from observing import Observer

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference.enumeration import _Enumeration as Enumeration
from lostlegacy_sim.games.lost_legacy.reference.enumeration import twin
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Playing, Question, Table

Hidden = tuple[int, ...]  # kinds: hands, the drawn card, the ruins from the left, the deck from the top
Belief = dict[Hidden, float]


class Ears(Observer):
    """What one seat hears of a part of a deal, event by event."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table)
        self.seat, self.events = seat, list[Any]()

    def whisper(self, seat: int, *event: object) -> None:
        if seat == self.seat:
            self.events.append(event)


def hidden_cards(table: Table) -> Hidden:
    """All hidden cards of a table."""
    return (*table.hands, table.drawn, *table.ruins, *table.deck)


class Twins(Enumeration):
    """All tables that sound the same to one seat up to the last question it was asked."""

    def __init__(self, card_set: CardSet, n_seats: int, seat: int) -> None:
        super().__init__(None)
        self.seat = seat
        self.tables: dict[Any, tuple[float, Table]] = {None: (1.0, Table(card_set, n_seats))}

    def beliefs(self, turns: list[list[tuple[str, Any]]]) -> Iterator[Belief]:
        """The belief at each question to the seat; `turns`: what it heard and was asked and answered, turn by turn."""
        for number, turn in enumerate(turns):
            go: Callable[[Table], Playing] = Table.go_on if number else Table.deal
            for place, (sort, _) in enumerate(turn):
                if sort == "asked":
                    yield self.look(go, turn[:place])
            self.tables = self.after(go, turn)

    def look(self, go: Callable[[Table], Playing], heard: list[tuple[str, Any]]) -> Belief:
        """All that may lie where at a question, with its probability."""
        found: defaultdict[Hidden, float] = defaultdict(float)
        for weight, start in self.tables.values():
            for probability, table in self.ways(start, go, heard, True):
                found[hidden_cards(table)] += weight * probability
        total = sum(found.values())
        return {hidden: weight / total for hidden, weight in found.items()}

    def after(self, go: Callable[[Table], Playing], turn: list[tuple[str, Any]]) -> dict[Any, tuple[float, Table]]:
        """All tables after a turn that sounded just like this."""
        found: dict[Any, tuple[float, Table]] = {}
        for weight, start in self.tables.values():
            for probability, table in self.ways(start, go, turn, False):
                key = self.position(table), tuple(table.ruins)
                found[key] = found.get(key, (0.0, table))[0] + weight * probability, table
        return found

    def ways(self, start: Table, go: Callable[[Table], Playing], heard: list[tuple[str, Any]], is_asked: bool) -> Iterator[tuple[float, Table]]:
        """Every way through a turn that sounds like this, to its end or to the question that follows."""
        waiting: list[tuple[float, tuple[Any, ...]]] = [(1.0, ())]
        events = [event for sort, event in heard if sort == "heard"]
        own = [event for sort, event in heard if sort == "asked"]
        while waiting:
            weight, answers = waiting.pop()
            table = twin(start, self.policy is not None)
            ears = table.teller = Ears(table, self.seat)  # type: ignore[assignment]
            playing, n_asked = go(table), 0
            try:
                asked = next(playing)
                for answer in answers:
                    n_asked += isinstance(asked, Question) and asked.seat == self.seat
                    if self.policy and isinstance(asked, Question):
                        self.policy(table, asked)  # it may remember what it has thought
                    asked = playing.send(answer)
            except StopIteration:
                if not is_asked and ears.events == events and n_asked == len(own):
                    yield weight, table
                continue
            if ears.events != events[: len(ears.events)]:
                continue
            if isinstance(asked, Question) and asked.seat == self.seat:
                if n_asked < len(own):
                    waiting.append((weight, (*answers, own[n_asked])))
                elif is_asked and ears.events == events:
                    yield weight, table
            else:
                for probability, answer in self.answers(table, asked):
                    waiting.append((weight * float(probability), (*answers, answer)))
