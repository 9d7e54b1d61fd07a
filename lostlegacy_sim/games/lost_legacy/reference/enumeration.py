"""All deals of a tiny deck by the reference: the exact probability of every outcome."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cache
from typing import Any

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference.knowledge import Knowledge
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Outcome, Playing, Question, Shuffle, Table

Policy = Callable[[Table, Question], Sequence[Fraction]]
Outcomes = dict[Outcome, Fraction]
ONE = Fraction(1)


def enumerate_deals(card_set: CardSet, n_seats: int, policy: Policy | None = None) -> Outcomes:
    """The probability of every outcome, all shuffles weighed equally; they add up to 1.

    `policy(table, question)` gives the probability of each option and may read what the seat asked knows, but
    has no memory; None: all options are equally likely. Cards of one kind are interchangeable, so only distinct
    arrangements are played, and what follows a position reached twice is worked out once: 7 cards take a second
    or two, 8 about ten.
    """
    return _Enumeration(policy).whole(Table(card_set, n_seats))


class _Enumeration:
    def __init__(self, policy: Policy | None) -> None:
        self.policy = policy
        self.done: dict[Any, Outcomes] = {}  # position between two turns -> what follows it

    def whole(self, table: Table) -> Outcomes:
        return self.add_up(table, Table.deal)

    def after(self, table: Table) -> Outcomes:
        """What follows a position between two turns."""
        if table.outcome is not None:
            return {table.outcome: ONE}
        position = self.position(table)
        if position not in self.done:
            self.done[position] = self.add_up(table, Table.go_on)
        return self.done[position]

    def add_up(self, start: Table, go: Callable[[Table], Playing]) -> Outcomes:
        total: defaultdict[Outcome, Fraction] = defaultdict(Fraction)
        for weight, table in self.branches(start, go):
            for outcome, probability in self.after(table).items():
                total[outcome] += weight * probability
        return dict(total)

    def branches(self, start: Table, go: Callable[[Table], Playing]) -> Iterator[tuple[Fraction, Table]]:
        """Every way from a position to the next one, and its probability: played again from the start for each."""
        waiting: list[tuple[Fraction, tuple[Any, ...]]] = [(ONE, ())]
        while waiting:
            weight, answers = waiting.pop()
            table = twin(start, self.policy is not None)
            playing = go(table)
            try:
                asked = next(playing)
                for answer in answers:
                    asked = playing.send(answer)
            except StopIteration:
                yield weight, table
                continue
            for probability, answer in self.answers(table, asked):
                if probability:
                    waiting.append((weight * probability, (*answers, answer)))

    def answers(self, table: Table, asked: Question | Shuffle) -> list[tuple[Fraction, Any]]:
        """The answers to a question or a chance event, with their probabilities."""
        if isinstance(asked, Question):
            even = Fraction(1, len(asked.options))
            chances = self.policy(table, asked) if self.policy else [even] * len(asked.options)
            return list(zip(chances, asked.options, strict=True))
        cards = {"deal": table.printed.slots, "ruins": table.ruins, "deck": table.deck}[asked.zone]
        orders = arrangements(tuple(cards))
        return [(Fraction(1, len(orders)), order) for order in orders]

    def position(self, table: Table) -> Any:
        """All that what follows depends on. Even answers treat all ruins cards alike, and an investigation no row."""
        who = (table.turn, table.seat, tuple(table.in_game), tuple(table.hands), tuple(table.deck))
        rows = tuple(map(tuple, table.rows))
        if not self.policy:
            return who, sorted_tuple(table.ruins), rows if table.deck or table.printed.investigate_rows else ()
        known = tuple(sorted_tuple(known.items()) for known in table.known)
        somewhere = tuple(sorted_tuple(kinds.items()) for kinds in table.ruins_has)
        return who, tuple(table.ruins), rows, tuple(table.had_turn), known, somewhere


def twin(table: Table, with_knowledge: bool) -> Table:
    """The same position between two turns once more; what the seats know comes along or is left behind."""
    other = copy(table)
    other.hands, other.ruins, other.deck = table.hands[:], table.ruins[:], table.deck[:]
    other.rows = [row[:] for row in table.rows]
    other.in_game, other.had_turn, other.out_turn = table.in_game[:], table.had_turn[:], table.out_turn[:]
    other.shown_speed, other.revealed = table.shown_speed[:], set(table.revealed)
    knowledge = other.knowledge = Knowledge(table.n_seats)
    other.known, other.ruins_has = knowledge.known, knowledge.ruins_has
    if with_knowledge:
        for seat in range(table.n_seats):
            knowledge.known[seat].update(table.known[seat])
            knowledge.ruins_has[seat].update(table.ruins_has[seat])
    return other


def sorted_tuple(things: Iterable[Any]) -> tuple[Any, ...]:
    """The things in ascending order."""
    return tuple(sorted(things))


@cache
def arrangements(kinds: tuple[int, ...]) -> list[tuple[int, ...]]:
    """One order for every distinct arrangement of these cards; all arrangements are equally likely."""
    places: dict[int, list[int]] = {}
    for place, kind in enumerate(kinds):
        places.setdefault(kind, []).append(place)
    return [
        tuple(places[kind][arrangement[:i].count(kind)] for i, kind in enumerate(arrangement))
        for arrangement in _distinct(Counter(kinds), len(kinds))
    ]


def _distinct(left: Counter[int], size: int) -> Iterator[tuple[int, ...]]:
    if not size:
        yield ()
    for kind in [kind for kind in left if left[kind]]:
        left[kind] -= 1
        for rest in _distinct(left, size - 1):
            yield (kind, *rest)
        left[kind] += 1
