"""One deal in kernel and reference side by side: every question, every card, all that is known, after every step.

The kernel shuffles, the reference is handed the order; both get the same answers. `play(job)` raises Different
at the first thing that is not the same, with all it takes to repeat it.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
from card_files import random_card_set

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.cards.composition import all_mixes, load_set, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.kernel import ask, rules
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import write_view
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Shuffle, Table
from lostlegacy_sim.games.lost_legacy.replay import read_history

ASIDE = Bot("aside", ask.ASIDE)


class Different(AssertionError):
    """Kernel and reference part ways."""


# --- which deals ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """A card set with a table and a few deals of it; the same for the same seed and number."""

    seed: int
    number: int
    n_deals: int

    def rng(self, *what: object) -> Random:
        return Random(f"{self.seed} {self.number} {what}")

    def card_set(self) -> CardSet:
        """Of ten jobs seven play a random card file, the others printed sets, Megamix and mixes."""
        rng, sort = self.rng("set"), self.number % 10
        if sort < 7:
            return random_card_set(rng)
        if sort == 7:
            return printed(rng.choice(("starship", "flying-garden", "flying-garden-recall")))
        if sort == 8:
            return load_set("megamix", keep=rng.choice(("starship", "flying-garden")))
        return rng.choice(mixes())


@cache
def mixes() -> list[CardSet]:
    """All mixes of the two printed sets."""
    return list(all_mixes())


def play(job: Job) -> Counter[str]:
    """Play the deals of a job; how often each question was asked and each way to end met. Raises Different."""
    card_set = job.card_set()
    n_seats = job.rng("seats").choice(seats(card_set))
    kernel = Kernel(card_set, n_seats, job.rng("seed").getrandbits(62))
    met: Counter[str] = Counter()
    for number in range(job.n_deals):
        play_deal(kernel, job, job.rng("deal", number).getrandbits(61), number, met)
    return met


def play_deal(kernel: Kernel, job: Job, deal: int, number: int, met: Counter[str]) -> None:
    """Play one deal in both and count what was met. Raises Different."""
    rng = job.rng("answers", number)
    reference = Reference(kernel.card_set, kernel.n_seats)
    n_answers = 0
    try:
        status = kernel.begin(deal)
        hand_over(kernel, reference)
        while isinstance(reference.asked, Question):
            same(("status",), (status,), (ask.PAUSED,))
            look_at_both(kernel, reference.table, reference.asked)
            what, option = reference.asked.what, rng.choice(reference.asked.options)
            status = kernel.answer(option)
            reference.send(option)
            hand_over(kernel, reference)
            n_answers += 1
            met[words.QUESTIONS[what][0]] += 1
        met[look_at_the_end(kernel, reference, status)] += 1
    except Exception as error:
        raise Different(
            f"{type(error).__name__}: {error}\n"
            f"Again: python scripts/oracle.py --seed {job.seed} --job {job.number}\n"
            f"Its deal {number} (kernel seed {int(kernel.table.seed)}, deal {deal}), {kernel.n_seats} seats, "
            f"after {n_answers} answers. In the reference:\n{reference.told()}\n\n{kernel.card_set.to_toml()}"
        ) from error


def hand_over(kernel: Kernel, reference: Reference) -> None:
    """Hand the kernel's shuffles to the reference, which must ask for just these."""
    for zone, order in kernel.shuffles():
        asked = reference.asked
        if not isinstance(asked, Shuffle) or (zone, len(order)) != (asked.zone, asked.size):
            raise Different(f"the kernel shuffled the {zone} ({len(order)} cards), the reference comes to {asked}")
        reference.send(order)
    if isinstance(reference.asked, Shuffle):
        raise Different(f"the kernel shuffled nothing more, the reference comes to {reference.asked}")


class Reference:
    """The reference, one question or shuffle at a time."""

    def __init__(self, card_set: CardSet, n_seats: int) -> None:
        self.table = Table(card_set, n_seats)
        self.playing = self.table.play()
        self.sent: list[Any] = []
        self.asked: Question | Shuffle | None = next(self.playing)  # None: the deal is over

    def send(self, answer: Any) -> None:
        """Answer what is asked."""
        self.sent.append(answer)
        try:
            self.asked = self.playing.send(answer)
        except StopIteration:
            self.asked = None

    def told(self) -> str:
        """The deal so far in sentences."""
        told: list[str] = []
        playing = Table(self.table.card_set, self.table.n_seats, told.append).play()
        with suppress(Exception):  # a difference may well be a bug that stops the reference
            next(playing)
            for answer in self.sent:
                playing.send(answer)
        return "\n".join(told)


# --- the kernel -----------------------------------------------------------------------------------------


class Kernel:
    """The kernel, one question at a time, and its records as plain Python numbers."""

    def __init__(self, card_set: CardSet, n_seats: int, seed: int) -> None:
        self.card_set, self.n_seats = card_set, n_seats
        self.table = LegacyTable(card_set, (ASIDE,) * n_seats, 1, seed)
        self.state = self.table.state
        self.card, self.knows, self.somewhere = (self.state.secret[name] for name in ("card", "knows", "somewhere"))
        self.row, self.row_size, self.row_down = (self.state.public[name] for name in ("row", "row_size", "row_down"))
        self.in_rows = self.state.public["in_rows"]
        self.units = tuple(self.state.cards[name].tolist() for name in ("by_speed", "by_danger"))
        self.turns_of, self.out_turn = self.state.public["turns_of"], self.state.public["out_turn"]
        self.option = self.state.question["option"]
        self.history = self.state.history["data"]
        self.numbers = (Numbers(self.state.public), Numbers(self.state.question))

    def begin(self, deal: int) -> int:
        """Deal, and play to the first question."""
        return self.table.record(deal)

    def answer(self, option: int) -> int:
        """Answer, and play to the next question."""
        return rules.resume(self.state, option)

    def shuffles(self) -> list[tuple[str, list[int]]]:
        """The shuffles since the last call, from the history, which is emptied."""
        data = self.history[: int(self.state.history["n"])].tolist()
        self.state.history["n"] = 0
        return [(entry[0], entry[1]) for entry in read_history(data) if len(entry) == 2]

    def faces(self) -> list[list[tuple[int, bool]]]:
        """The discard rows: kind, and whether it lies face down."""
        sizes, downs = self.row_size.tolist(), self.row_down.tolist()
        return [
            [(kind, bool(downs[seat] >> index & 1)) for index, kind in enumerate(self.row[seat, : sizes[seat]].tolist())]
            for seat in range(self.n_seats)
        ]

    def counted_in_rows(self) -> tuple[dict[int, int], int, int]:
        """What the kernel has counted in the discard rows: cards of each kind, and the sums of their packed counts."""
        kinds = {kind: n for kind, n in enumerate(self.in_rows.tolist()) if n}
        return kinds, int(self.state.public["rows_speeds"]), int(self.state.public["rows_dangers"])

    def count_in_rows(self, table: Table) -> tuple[dict[int, int], int, int]:
        """The same of a table, counted anew."""
        kinds = Counter(card.kind for row in table.rows for card in row)
        by_speed, by_danger = (sum(n * unit[kind] for kind, n in kinds.items()) for unit in self.units)
        return kinds, by_speed, by_danger

    def known(self) -> list[dict[int, int]]:
        """What each seat knows, place by place."""
        known: list[dict[int, int]] = [{} for _ in range(self.n_seats)]
        for place, (kind, knows) in enumerate(zip(self.card.tolist(), self.knows.tolist(), strict=True)):
            if knows:
                for seat in range(self.n_seats):
                    if knows >> seat & 1:
                        known[seat][place] = kind
        return known

    def ruins_has(self) -> list[dict[int, int]]:
        """What each seat knows to lie in the ruins, place unknown: kind -> number."""
        found: list[dict[int, int]] = [{} for _ in range(self.n_seats)]
        for place, knows in enumerate(self.somewhere.tolist()):
            for seat in range(self.n_seats) if knows else ():
                if knows >> seat & 1:
                    kind = int(self.card[place])
                    found[seat][kind] = found[seat].get(kind, 0) + 1
        return found

    def view(self, seat: int) -> tuple[dict[int, int], dict[int, int]]:
        """What the kernel has written down for a bot on this seat."""
        private = self.state.seats["private"][seat]
        places, kinds = private["known"].tolist(), private["ruins_has"].tolist()
        return ({place: kind for place, kind in enumerate(places) if kind}, {kind: n for kind, n in enumerate(kinds) if n})


class Numbers:
    """The whole numbers of a record, all read at once."""

    def __init__(self, record: np.void) -> None:
        self.words = np.frombuffer(record, np.int64)
        self.place = {name: offset // 8 for name, (form, offset) in record.dtype.fields.items() if form == np.int64}

    def __call__(self) -> dict[str, int]:
        words = self.words.tolist()
        return {name: words[place] for name, place in self.place.items()}


# --- looking at both ------------------------------------------------------------------------------------

ASKED = ("seat asked", "question", "number of options", "options", "mask", "card being resolved", "kind in focus", "focus",
         "card or row in focus", "card being played", "where it lies", "speed called", "phase", "the view of the seat asked")  # fmt: skip
ON_TABLE = ("hidden cards", "rows", "cards counted in the rows", "size of the deck", "size of the ruins", "seats in the game", "seat on turn", "turn",
            "speed named", "revealed", "seats that had a turn", "turns altogether", "out since", "known",
            "somewhere in the ruins")  # fmt: skip
ENDED = ("status", "way", "winner", "speed that found it", "turns", "phase")


def look_at_both(kernel: Kernel, table: Table, asked: Question) -> None:
    """Compare an open question and all that lies on the table. Raises Different."""
    public, question = (read() for read in kernel.numbers)
    options = tuple(kernel.option.tolist()[: question["n"]])
    focus, in_effect = public["focus"], asked.kind != words.NO_CARD
    in_row = (public["focus_seat"], public["focus_index"] if focus == words.FOCUS_ROW_CARD else 0)
    same(
        ASKED,
        (question["seat"], question["what"], question["n"], options, int(kernel.state.question["mask"]), question["kind"],
         question["focus"], focus, in_row if focus in (words.FOCUS_ROW_CARD, words.FOCUS_ROW) else (words.NOBODY, 0),
         public["played"], public["played_index"], public["called"], public["phase"], kernel.view(asked.seat)),
        (asked.seat, asked.what, len(asked.options), asked.options, sum(1 << option for option in asked.options), asked.kind,
         kind_in_focus(table), asked.focus, asked.focus_row,
         table.played if in_effect else words.NO_CARD, where_it_lies(table) if in_effect else -1, table.called, table.phase,
         (table.known[asked.seat], table.ruins_has[asked.seat])),
    )  # fmt: skip
    look_at_the_table(kernel, table, public)


def look_at_the_table(kernel: Kernel, table: Table, public: dict[str, int]) -> None:
    """Compare cards, turns and knowledge. Raises Different."""
    hidden = [0] * words.N_PLACES
    hidden[words.HAND : words.HAND + table.n_seats] = table.hands
    hidden[words.DRAWN] = table.drawn
    hidden[words.RUINS : words.RUINS + len(table.ruins)] = table.ruins
    hidden[words.DECK_END - len(table.deck) :] = table.deck
    turns_of, out_turn = kernel.turns_of.tolist(), kernel.out_turn.tolist()
    same(
        ON_TABLE,
        (kernel.card.tolist(), kernel.faces(), kernel.counted_in_rows(), public["deck_size"], public["ruins_size"], int(kernel.state.public["in_game"]),
         public["seat"], public["turn"], public["named"], int(kernel.state.public["revealed"]),
         [n > 0 for n in turns_of[: table.n_seats]], sum(turns_of),
         [0 if table.in_game[seat] else out_turn[seat] for seat in range(table.n_seats)], kernel.known(), kernel.ruins_has()),
        (hidden, table.rows, kernel.count_in_rows(table), len(table.deck), len(table.ruins), sum(1 << seat for seat in table.in_game_seats()),
         table.seat, table.turn, table.named, sum(1 << place for place in table.revealed),
         table.had_turn, table.turn, table.out_turn, table.known, table.ruins_has),
    )  # fmt: skip


def look_at_the_end(kernel: Kernel, reference: Reference, status: int) -> str:
    """Compare how the deal ended, and all that lies on the table then; the way in a word. Raises Different."""
    table, outcome, public = reference.table, reference.table.outcome, kernel.numbers[0]()
    assert outcome is not None
    same(
        ENDED,
        (status, *(public[name] for name in ("way", "winner", "found_speed", "turn", "phase"))),
        (rules.DONE, outcome.way, outcome.winner, outcome.speed, outcome.turns, words.OVER),
    )
    look_at_the_table(kernel, table, public)
    for seat in range(table.n_seats):
        write_view(kernel.state.secret, kernel.state.public, kernel.state.seats["private"][seat])
        same((f"the view of seat {seat}",), (kernel.view(seat),), ((table.known[seat], table.ruins_has[seat]),))
    return words.WAYS[outcome.way][0]


def same(names: tuple[str, ...], in_kernel: tuple, in_reference: tuple) -> None:
    """Raises Different with the first of these things that is not the same."""
    if in_kernel != in_reference:
        for name, first, second in zip(names, in_kernel, in_reference, strict=True):
            if first != second:
                raise Different(f"{name}: kernel {first}, reference {second}")


def kind_in_focus(table: Table) -> int:
    """The kind of the card in focus, 0 without one."""
    if table.focus == words.FOCUS_ROW_CARD:
        return table.rows[table.focus_row[0]][table.focus_row[1]].kind
    return table.card_at(table.focus) if table.focus < words.N_PLACES else words.NO_CARD


def where_it_lies(table: Table) -> int:
    """Where in the row of the seat on turn the card being played lies; -1 if it has left."""
    row = table.rows[table.seat]
    return next((index for index, card in enumerate(row) if card is table.being_played), -1)
