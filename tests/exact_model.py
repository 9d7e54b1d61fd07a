"""The exact model belief of a tiny deck: as the counting belief, but the others play by a bot of the kernel, with slips.

At every question the reference asks another seat, the bot's records are written from the reference's table, and the compiled bot answers.
What it remembers lasts for a turn, as with the bots of the house. Steps and looks are not counted: no deck here looks twice in a turn.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from exact_belief import Twins

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.kernel.effect_table import effect_table
from lostlegacy_sim.games.lost_legacy.kernel.state import State, new_state
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table
from lostlegacy_sim.games.lost_legacy.vocabulary import FOCUS_ROW, FOCUS_ROW_CARD, N_PLACES, NO_CARD

Decide = Callable[[Any, Any, Any, Any], int]


class Mixture:
    """A policy of the reference: a bot's answer, but of 100 answers so many are slips, in which any option will do."""

    def __init__(self, card_set: CardSet, decide: Decide, slips: int) -> None:
        self.decide, self.slips = decide, Fraction(slips, 100)
        self.state = new_state(effect_table(card_set))
        self.answers: dict[Any, tuple[int, bytes]] = {}

    def __call__(self, table: Table, asked: Question) -> Sequence[Fraction]:
        whose = table.turn, asked.seat
        remembered, memory = getattr(table, "memory", (None, b""))
        view = self.view(table, asked), memory if remembered == whose else b""
        if view not in self.answers:
            self.answers[view] = self.ask(table, asked, view[1])
        index, memory = self.answers[view]
        table.memory = whose, memory  # type: ignore[attr-defined]
        even = self.slips / len(asked.options)
        return [even + (1 - self.slips if option == index else 0) for option in range(len(asked.options))]

    def ask(self, table: Table, asked: Question, memory: bytes) -> tuple[int, bytes]:
        """The bot's answer, and what it remembers of this turn then."""
        private = self.state.seats["private"][asked.seat]
        write_records(self.state, table, asked)
        if memory:
            private["memory"] = np.frombuffer(memory, np.int64)
        index = int(self.decide(self.state.cards, self.state.public, private, self.state.question))
        return index, private["memory"].tobytes()

    def view(self, table: Table, asked: Question) -> Any:
        """All that the records are written from."""
        known, ruins_has = (tuple(sorted(things[asked.seat].items())) for things in (table.known, table.ruins_has))
        rows = tuple(tuple((card.kind, card.face_down) for card in row) for row in table.rows)
        public = (
            table.turn,
            table.seat,
            tuple(table.in_game),
            tuple(table.out_turn),
            len(table.deck),
            len(table.ruins),
            table.phase,
        )
        return (
            asked,
            known,
            ruins_has,
            rows,
            public,
            table.named,
            table.called,
            tuple(sorted(table.revealed)),
            kind_in_focus(table),
        )


class ModelTwins(Twins):
    """All tables that sound the same to one seat, the others playing by a policy."""

    def __init__(self, card_set: CardSet, n_seats: int, seat: int, policy: Mixture) -> None:
        super().__init__(card_set, n_seats, seat)
        self.policy = policy


def kind_in_focus(table: Table) -> int:
    """The kind of the card in focus, 0 without one."""
    if table.focus == FOCUS_ROW_CARD:
        return table.rows[table.focus_row[0]][table.focus_row[1]].kind
    return table.card_at(table.focus) if table.focus < N_PLACES else NO_CARD


def write_records(state: State, table: Table, asked: Question) -> None:
    """The records of the seat that is asked, with nothing in its memory."""
    public, question, private = state.public, state.question, state.seats["private"][asked.seat]
    for name, value in (
        ("n_seats", table.n_seats), ("in_game", sum(1 << seat for seat in table.in_game_seats())), ("seat", table.seat),
        ("turn", table.turn), ("deck_size", len(table.deck)), ("ruins_size", len(table.ruins)), ("phase", table.phase),
        ("played", asked.kind), ("named", table.named), ("called", table.called), ("focus", asked.focus),
        ("revealed", sum(1 << place for place in table.revealed)), ("played_index", played_index(table, asked)),
    ):  # fmt: skip
        public[name] = value
    in_row = asked.focus in (FOCUS_ROW_CARD, FOCUS_ROW)
    public["focus_seat"], public["focus_index"] = asked.focus_row if in_row else (0, 0)
    for name in ("row", "row_size", "row_down", "in_rows", "turns_of", "out_turn"):
        public[name][...] = 0
    for seat, row in enumerate(table.rows):
        public["row_size"][seat] = len(row)
        public["out_turn"][seat] = table.out_turn[seat]
        for index, card in enumerate(row):
            public["row"][seat, index] = card.kind
            public["row_down"][seat] |= np.uint64(card.face_down << index)
            public["in_rows"][card.kind] += 1
    for of_kinds, of_rows in (("by_speed", "rows_speeds"), ("by_danger", "rows_dangers")):
        public[of_rows] = (state.cards[of_kinds] * public["in_rows"]).sum()
    for seat in seats_of_turns(table):
        public["turns_of"][seat] += 1
    question["what"], question["seat"], question["n"] = asked.what, asked.seat, len(asked.options)
    question["mask"], question["kind"], question["focus"] = (
        sum(1 << option for option in asked.options),
        asked.kind,
        kind_in_focus(table),
    )
    question["option"][:] = 0
    question["option"][: len(asked.options)] = asked.options
    for name in ("known", "ruins_has", "memory"):
        private[name][:] = 0
    private["seat"] = asked.seat
    for place, kind in table.known[asked.seat].items():
        private["known"][place] = kind
    for kind, n in table.ruins_has[asked.seat].items():
        private["ruins_has"][kind] = n


def played_index(table: Table, asked: Question) -> int:
    """Where the card that is resolved lies in its row; -1 if there is none."""
    if asked.kind == NO_CARD:
        return -1
    return next((index for index, card in enumerate(table.rows[table.seat]) if card is table.being_played), -1)


def seats_of_turns(table: Table) -> list[int]:
    """Whose turn each turn was, if no seat that was put out has come back at a table of more than two."""
    seats, seat = list[int](), 0
    for turn in range(1, table.turn + 1):
        while 0 < table.out_turn[seat] < turn:
            seat = (seat + 1) % table.n_seats
        seats.append(seat)
        seat = (seat + 1) % table.n_seats
    return seats
