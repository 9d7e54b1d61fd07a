"""The rulebook of Lost Legacy in plain Python: a table that asks questions, receives answers and keeps the rules.

`Table.play()` is a generator. It yields a `Question` (answer: one of its options) or a `Shuffle` (answer: an
order) and returns the `Outcome`. It is written from the rules, shares no code with the kernel, and judges it.
Rulings are named by their numbers (L1-L34, K1-K7).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference.cards import Piles, RowCard, read
from lostlegacy_sim.games.lost_legacy.reference.effects import DO, Effect
from lostlegacy_sim.games.lost_legacy.reference.narrator import Teller, knows_in_words
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DECK_END,
    DRAW,
    DRAWN,
    EFFECT,
    FOCUS_NONE,
    FOCUS_ROW,
    FOCUS_ROW_CARD,
    HAND,
    INVESTIGATION,
    NO_CARD,
    NOBODY,
    OVER,
    PLAY,
    PLAYING,
    REVEAL,
    RUINS,
    TURNS_PER_CARD,
    WAY_FOUND,
    WAY_LAST,
    WAY_NOBODY,
    WAY_VOID,
    X,
)


@dataclass(frozen=True)
class Question:
    """What a seat is asked. The answer is one of the options, not its index."""

    seat: int
    what: int  # PLAY .. REVEAL
    options: tuple[int, ...]  # ascending, at least two: a forced choice is no question
    kind: int = NO_CARD  # the card being resolved; 0 at PLAY and REVEAL
    focus: int = FOCUS_NONE  # a place, or one of FOCUS_*
    focus_row: tuple[int, int] = (NOBODY, 0)  # seat and index in its row, for FOCUS_ROW_CARD and FOCUS_ROW


@dataclass(frozen=True)
class Shuffle:
    """A chance event. The answer is an order: the card now at position i was at position order[i].

    "deal": order[i] is the slot dealt at position i. Positions of the "ruins" count from the left, of the
    "deck" from the top.
    """

    zone: str
    size: int


@dataclass(frozen=True)
class Outcome:
    """How a deal ended."""

    way: int  # WAY_*
    winner: int  # a seat, or NOBODY
    speed: int  # the speed at which the Legacy was found, else 0
    turns: int  # turns begun


Answer = Any  # an option (int) to a Question, an order (sequence of int) to a Shuffle
Playing = Generator["Question | Shuffle", Answer, None]


class Table(Piles):
    """One deal: the cards, who knows what, and the rules. All attributes may be read at any time.

    `tell`, if given, receives the deal in sentences, one a call.
    """

    def __init__(self, card_set: CardSet, n_seats: int, tell: Callable[[str], None] | None = None) -> None:
        super().__init__(read(card_set), n_seats)
        self.card_set = card_set
        self.in_game = [True] * n_seats
        self.had_turn = [False] * n_seats
        self.out_turn = [0] * n_seats  # the turn in which a seat went out; 0 while it is in the game
        self.seat = 0  # whose turn it is; in the investigation whose speed was called
        self.turn = 0  # turns begun
        self.phase = DRAW
        self.played = NO_CARD  # the kind played this turn
        self.being_played: RowCard | None = None  # it lies in its row but does not count as discarded yet (L19)
        self.focus = FOCUS_NONE
        self.focus_row = (NOBODY, 0)
        self.named = 0  # the speed named this turn
        self.called = 0  # the speed called in the investigation
        self.shown_speed = [0] * n_seats  # the speed at which a seat's card was called
        self.revealed: set[int] = set()  # places whose card lies open in the investigation
        self.eliminations = 0
        self.outcome: Outcome | None = None
        self.teller: object = Teller(self, tell) if tell else None  # or whoever else listens: a method an event

    # --- the course of a deal -------------------------------------------------------------------------

    def play(self) -> Generator[Question | Shuffle, Answer, Outcome]:
        """The whole deal, from the shuffle to its outcome."""
        yield from self.deal()
        while self.outcome is None:
            yield from self.go_on()
        return self.outcome

    def deal(self) -> Playing:
        """One card to the ruins, one to each seat, the rest is the deck (L18)."""
        cards = yield from self.shuffled("deal", self.printed.slots)
        self.ruins = cards[:1]
        self.hands = cards[1 : self.n_seats + 1]
        self.deck = cards[self.n_seats + 1 :]
        for seat, kind in enumerate(self.hands):
            self.known[seat][HAND + seat] = kind
        self.say("deal")

    def go_on(self) -> Playing:
        """The next turn, or the investigation if the deck is empty; a deal past its bound is void (L32)."""
        if not self.deck:
            yield from self.investigate()
        elif self.turn == TURNS_PER_CARD * len(self.printed.slots):
            self.end(WAY_VOID)
        else:
            yield from self.take_turn()
        self.check()
        assert [kind > 0 for kind in self.hands] == self.in_game, "a seat in the game holds a card, a seat out of it none"

    def take_turn(self) -> Playing:
        """Draw, play, effect, end (section 2)."""
        seat, before = self.seat, self.eliminations
        self.turn += 1
        self.had_turn[seat] = True
        self.phase, self.played, self.named, self.focus = DRAW, NO_CARD, 0, FOCUS_NONE
        self.drawn, knowers = self.take_from_deck()
        self.knowledge.put(DRAWN, self.drawn, {*knowers, seat})
        self.say("draw")
        yield from self.play_card()
        self.phase = EFFECT
        yield from self.resolve()
        self.focus, self.being_played = FOCUS_NONE, None
        if self.outcome is None and self.eliminations > before:
            self.last_one()
        if self.outcome is None and self.deck:
            self.seat = next(other for other in self.clockwise(seat + 1) if self.in_game[other])

    def play_card(self) -> Playing:
        """One of the two cards goes face up to the right end of the row; a card that says so cannot be played."""
        seat, self.phase = self.seat, PLAYING
        cards = (self.hands[seat], self.drawn)
        options = [index for index, kind in enumerate(cards) if self.printed.playable[kind]]
        index = yield from self.ask(PLAY, options)
        self.played, kept = cards[index], cards[1 - index]
        self.hands[seat], self.drawn = kept, NO_CARD
        self.being_played = self.lay(seat, self.played)
        self.knowledge.play(seat, self.played, kept)
        self.say("play", kept, len(options) == 1)

    def resolve(self) -> Playing:
        """The effect of the played card; when it is done the card counts as discarded (L19)."""
        card, before = self.being_played, self.eliminations
        effect = Effect("play", self.played, self.seat, card)
        yield from self.carry_out(effect)
        if self.outcome is None and self.eliminations == before and card is not None and not effect.moved:
            self.being_played = None
            yield from self.landed(self.seat, card)

    def carry_out(self, effect: Effect) -> Playing:
        """The steps of a card, one after the other; an elimination or a win makes the rest void."""
        before = self.eliminations
        for step in self.printed.steps[effect.kind].get(effect.trigger, ()):
            yield from DO[step["do"]](self, step, effect)
            if self.outcome is not None or self.eliminations > before:
                return

    def landed(self, seat: int, card: RowCard) -> Playing:
        """A card has come to lie face up in a row; if that seat is in the game, its `row` trigger happens (L15)."""
        if self.in_game[seat] and "row" in self.printed.steps[card.kind]:
            yield from self.carry_out(Effect("row", card.kind, seat, card))

    def last_one(self) -> None:
        """Exactly one seat in the game wins at once; if there is none, nobody does (L5)."""
        left = [seat for seat in range(self.n_seats) if self.in_game[seat]]
        if len(left) < 2:
            self.end(WAY_LAST if left else WAY_NOBODY, left[0] if left else NOBODY)

    def end(self, way: int, winner: int = NOBODY, speed: int = 0) -> None:
        """The deal is over."""
        self.phase = OVER
        self.outcome = Outcome(way, winner, speed, self.turn)
        self.say("end")

    # --- elimination (section 3) ----------------------------------------------------------------------

    def eliminate(self, seat: int) -> Playing:
        """A seat is put out; a Saint that lay face up in its row before acts."""
        steps = self.printed.steps
        noted = next((card for card in self.rows[seat] if not card.face_down and "out" in steps[card.kind]), None)
        self.eliminations += 1
        self.in_game[seat], self.out_turn[seat] = False, self.turn
        discarded = None
        if self.hands[seat]:
            discarded = yield from self.give_up_hand(seat, "eliminated" in steps[self.hands[seat]])
        if noted is None and discarded and self.printed.from_hand[discarded.kind]:  # L25
            noted = discarded
        if noted is not None:
            yield from self.carry_out(Effect("out", noted.kind, seat, noted))
        if self.in_game[seat]:
            for card in self.rows[seat]:
                if card is self.being_played or card.face_down:  # L19
                    continue
                if self.printed.counts_always[card.kind] and "row" in steps[card.kind]:  # L15
                    yield from self.carry_out(Effect("row", card.kind, seat, card))
                    break

    def give_up_hand(self, seat: int, by_its_text: bool) -> Generator[Question | Shuffle, Answer, RowCard | None]:
        """A hand card is discarded; or, by its `eliminated` text, goes where that says. The row card, if it lies there."""
        kind = self.hands[seat]
        self.hands[seat] = NO_CARD
        self.knowledge.take(HAND + seat)  # K7
        if by_its_text:
            went = yield from self.go_as_eliminated(seat, kind)
            if went:
                return None
        self.say("discard", seat, kind)
        return self.lay(seat, kind)

    def go_as_eliminated(self, seat: int, kind: int) -> Generator[Question | Shuffle, Answer, bool]:
        """A card runs its `eliminated` steps; whether it went anywhere."""
        self.loose = kind
        effect = Effect("eliminated", kind, seat)
        yield from self.carry_out(effect)
        self.loose = NO_CARD
        return effect.moved

    # --- investigation (section 4) --------------------------------------------------------------------

    def investigate(self) -> Playing:
        """Speeds are called from 1; a seat called alone must reveal a card (L23)."""
        self.phase, self.played, self.named = INVESTIGATION, NO_CARD, 0
        self.say("investigation")
        for self.called in range(1, X):
            called = [seat for seat in self.in_game_seats() if self.printed.speed[self.hands[seat]] == self.called]
            for seat in called:
                self.shown_speed[seat] = self.called
            if len(called) > 1:
                self.say("tie", called)
            if len(called) != 1:
                continue
            self.seat = called[0]
            places = [HAND + seat for seat in self.in_game_seats()] + [RUINS + i for i in range(len(self.ruins))]
            rows = self.face_down_cards() if self.printed.investigate_rows else []
            places += range(DECK_END - len(rows), DECK_END)
            place = yield from self.ask(REVEAL, places)
            in_row = place >= DECK_END - len(rows)
            kind = rows[DECK_END - 1 - place].kind if in_row else self.card_at(place)
            self.revealed.add(place)
            if not in_row:
                for seat in range(self.n_seats):
                    self.knowledge.look(seat, place, kind, self.in_ruins(place))
            self.say("reveal", place, kind)
            if self.printed.legacy[kind]:
                self.end(WAY_FOUND, self.seat, self.called)
                return
        self.end(WAY_NOBODY)

    def face_down_cards(self) -> list[RowCard]:
        """The face-down cards of the discard rows, seat by seat, left to right (L6)."""
        return [card for row in self.rows for card in row if card.face_down]

    # --- asking, chance, telling ----------------------------------------------------------------------

    def ask(self, what: int, options: Sequence[int], kind: int = NO_CARD) -> Generator[Question, Answer, int]:
        """The answer of the seat on turn; with one option nobody is asked. Raises ValueError for any other answer."""
        if len(options) == 1:
            return options[0]
        focus_row = self.focus_row if self.focus in (FOCUS_ROW_CARD, FOCUS_ROW) else (NOBODY, 0)
        answer: int = yield Question(self.seat, what, tuple(options), kind, self.focus, focus_row)
        if answer not in options:
            raise ValueError(f"The answer {answer} is none of the options {tuple(options)}.")
        return answer

    def shuffled(self, zone: str, cards: Sequence[int]) -> Generator[Shuffle, Answer, list[int]]:
        """Cards in the order chance gives; one card or none draws no chance. Raises ValueError for no order."""
        if len(cards) < 2:
            return list(cards)
        order = yield Shuffle(zone, len(cards))
        if sorted(order) != list(range(len(cards))):
            raise ValueError(f"The order {tuple(order)} of the {zone} does not hold 0 to {len(cards) - 1} once each.")
        return [cards[position] for position in order]

    def knows_in_words(self, seat: int) -> str:
        """What a seat knows for certain, as a sentence."""
        return knows_in_words(self, seat)

    def say(self, what: str, *facts: Any) -> None:
        """Tell what has just happened, if anybody listens."""
        if self.teller is not None:
            getattr(self.teller, what)(*facts)

    def in_game_seats(self) -> list[int]:
        """The seats in the game, in order."""
        return [seat for seat in range(self.n_seats) if self.in_game[seat]]

    def clockwise(self, first: int) -> list[int]:
        """All seats, clockwise from one."""
        return [(first + i) % self.n_seats for i in range(self.n_seats)]


class Divergence(Exception):
    """A recorded history and the rulebook part ways; the message names the first entry that differs."""


def judge(
    card_set: CardSet,
    n_seats: int,
    history: Sequence[tuple[Any, ...]],
    outcome: Outcome | None = None,
    watch: Callable[[Table, int], None] | None = None,
) -> Outcome:
    """Play a recorded history by the rulebook; the outcome it leads to.

    An entry is (what, seat, answer, number of options) for a question, the answer being the option itself, and
    (zone, order) for a shuffle. `watch(table, number)` is called before each entry is answered and once, with
    number -1, at the end. Raises Divergence at the first entry (counted from 0) that differs, at a history
    that is too short or too long, and at another outcome than the one given.
    """
    table = Table(card_set, n_seats)
    playing = table.play()
    number = 0
    try:
        asked = next(playing)
        while True:
            if number == len(history):
                raise Divergence(f"The history ends after {number} entries, but the rulebook goes on: {asked}.")
            entry = tuple(history[number])
            if not fits(entry, asked):
                raise Divergence(f"Entry {number} of the history is {entry}; the rulebook comes to {asked}.")
            if watch is not None:
                watch(table, number)
            number += 1
            asked = playing.send(entry[2] if isinstance(asked, Question) else entry[1])
    except StopIteration as stop:
        found: Outcome = stop.value
    if watch is not None:
        watch(table, -1)
    if number < len(history):
        raise Divergence(f"The deal is over after {number} entries, but the history holds {len(history)}.")
    if outcome is not None and outcome != found:
        raise Divergence(f"The outcome recorded is {outcome}; the rulebook comes to {found}.")
    return found


def fits(entry: Sequence[Any], asked: Question | Shuffle) -> bool:
    """Whether an entry of a history answers what is asked."""
    if isinstance(asked, Shuffle):
        return len(entry) == 2 and entry[0] == asked.zone and sorted(entry[1]) == list(range(asked.size))
    if len(entry) != 4 or entry[2] not in asked.options:
        return False
    return (entry[0], entry[1], entry[3]) == (asked.what, asked.seat, len(asked.options))
