"""The rulebook of Lost Legacy in plain Python: a table that asks questions, receives answers and keeps the rules.

`Table.play()` is a generator. It yields a `Question` (answer: one of its options) or a `Shuffle` (answer: an
order) and returns the `Outcome`. It is written from the rules, shares no code with the kernel, and judges it.
Rulings are named by their numbers (L1-L34, K1-K7).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference_knowledge import Knowledge
from lostlegacy_sim.games.lost_legacy.telling import Teller, knows_in_words
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CHOOSE, DECK_END, DRAW, DRAWN, EFFECT, EXCHANGE, FOCUS_NONE, FOCUS_ROW, FOCUS_ROW_CARD, HAND,
    INVESTIGATION, LOOK, NAME, NO_CARD, NOBODY, OVER, PLAY, PLAYING, REVEAL, ROW, RUINS, SHUFFLE,
    TURNS_PER_CARD, WAY_FOUND, WAY_LAST, WAY_NOBODY, WAY_SEEN, WAY_VOID, X,
)  # fmt: skip


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


class RowCard(NamedTuple):
    """A card of a discard row. Two of a kind are equal: which one is meant goes by identity."""

    kind: int
    face_down: bool = False


@dataclass
class Effect:
    """A card whose steps are being carried out: under which trigger, in whose hand or row, and where it lies."""

    trigger: str
    kind: int
    owner: int
    card: RowCard | None = None  # itself, while it lies in the owner's row
    moved: bool = False  # it has left the place where its trigger found it


Answer = Any  # an option (int) to a Question, an order (sequence of int) to a Shuffle
Playing = Generator["Question | Shuffle", Answer, None]
Step = dict[str, Any]


class Printed:
    """What is printed on the cards of a set, by kind; index 0 is no card."""

    def __init__(self, card_set: CardSet) -> None:
        cards = card_set.cards
        self.card_set = card_set
        self.slots = card_set.slots()
        self.sorted_slots = sorted(self.slots)
        self.speed = [0, *(card.speed for card in cards)]
        self.playable = [False, *(card.flag("playable") for card in cards)]
        self.legacy = [False, *(card.flag("legacy") for card in cards)]
        self.refused = [False, *(card.flag("legacy") and card.flag("into_row") == "refused" for card in cards)]
        self.from_hand = [False, *(card.flag("from_hand") for card in cards)]
        self.counts_always = [False, *(card.flag("counts") == "always" for card in cards)]
        self.steps: list[dict[str, list[Step]]] = [{}]
        for card in cards:
            self.steps.append({
                trigger: [{"do": step.do, **dict(step.words)} for step in steps] for trigger, steps in card.steps
            })  # fmt: skip
        self.investigate_rows = card_set.rule("investigate_rows")


_latest: list[Printed] = []  # the set read last: a million deals of one set read it once


def read(card_set: CardSet) -> Printed:
    """What is printed on a set."""
    if not _latest or _latest[0].card_set is not card_set:
        _latest[:] = [Printed(card_set)]
    return _latest[0]


class Table:
    """One deal: the cards, who knows what, and the rules. All attributes may be read at any time.

    `tell`, if given, receives the deal in sentences, one a call.
    """

    def __init__(self, card_set: CardSet, n_seats: int, tell: Callable[[str], None] | None = None) -> None:
        self.card_set = card_set
        self.printed = read(card_set)
        self.n_seats = n_seats
        self.hands = [NO_CARD] * n_seats
        self.drawn = NO_CARD  # the card drawn and not yet kept or played
        self.ruins: list[int] = []  # from the left
        self.deck: list[int] = []  # the top first
        self.rows: list[list[RowCard]] = [[] for _ in range(n_seats)]
        self.in_game = [True] * n_seats
        self.had_turn = [False] * n_seats
        self.out_turn = [0] * n_seats  # the turn in which a seat went out; 0 while it is in the game
        self.seat = 0  # whose turn it is; in the investigation whose speed was called
        self.turn = 0  # turns begun
        self.phase = DRAW
        self.played = NO_CARD  # the kind played this turn
        self.being_played: RowCard | None = None  # it lies in its row but does not count as discarded yet (L19)
        self.loose = NO_CARD  # a card between two places, while its `eliminated` steps decide where it goes
        self.focus = FOCUS_NONE
        self.focus_row = (NOBODY, 0)
        self.named = 0  # the speed named this turn
        self.called = 0  # the speed called in the investigation
        self.shown_speed = [0] * n_seats  # the speed at which a seat's card was called
        self.revealed: set[int] = set()  # places whose card lies open in the investigation
        self.eliminations = 0
        self.outcome: Outcome | None = None
        self.knowledge = Knowledge(n_seats)
        self.known = self.knowledge.known
        self.ruins_has = self.knowledge.ruins_has
        self.teller = Teller(self, tell) if tell else None

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
            yield from getattr(self, f"do_{step['do']}")(step, effect)
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
                if not card.face_down and self.printed.counts_always[card.kind] and "row" in steps[card.kind]:  # L15
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

    # --- the verbs ------------------------------------------------------------------------------------

    def do_look(self, step: Step, effect: Effect) -> Playing:
        """Look at a hidden card: it comes into focus, and a hand card's seen trigger happens at once (L2)."""
        seen: list[int] = []
        for _ in range(step["cards"]):
            places = [place for place in self.places(step["at"]) if place not in seen]
            if not places:
                if not seen:
                    self.focus = FOCUS_NONE
                    self.say("nothing_to", "look at")
                return
            place = yield from self.ask(LOOK, places, effect.kind)
            kind = self.card_at(place)
            self.knowledge.look(self.seat, place, kind, self.in_ruins(place))
            self.focus = place
            seen.append(place)
            is_seen = place < DRAWN and "seen" in self.printed.steps[kind]
            cancelled = is_seen and step["cancels"] == "x" and self.printed.speed[kind] == X
            self.say("look", place, kind, cancelled)
            if is_seen and not cancelled:
                self.say("seen", kind)
                before, trigger = self.eliminations, Effect("seen", kind, place - HAND)
                yield from self.carry_out(trigger)
                if self.eliminations > before:
                    return
                if trigger.moved:
                    self.focus = FOCUS_NONE

    def do_choose(self, step: Step, effect: Effect) -> Playing:
        """Choose a card of the discard rows, or another seat's whole row: it comes into focus (L3, L19)."""
        self.focus = FOCUS_NONE
        if "whole_row" in step["at"]:
            seats = [seat for seat in range(self.n_seats) if seat != self.seat and self.rows[seat]]
            if seats:
                seat = yield from self.ask(ROW, seats, effect.kind)
                self.focus, self.focus_row = FOCUS_ROW, (seat, 0)
        else:
            cards = [(seat, index) for seat, row in enumerate(self.rows) for index, card in enumerate(row)
                     if card is not self.being_played]  # fmt: skip
            if cards:
                number = yield from self.ask(CHOOSE, range(len(cards)), effect.kind)
                self.focus, self.focus_row = FOCUS_ROW_CARD, cards[number]
        if self.focus == FOCUS_NONE:
            self.say("nothing_to", "choose")
        else:
            self.say("choose")

    def do_name(self, step: Step, effect: Effect) -> Playing:
        """Name a speed from 1 to 8, aloud (L14)."""
        self.named = yield from self.ask(NAME, range(1, X), effect.kind)
        self.say("name")

    def do_exchange(self, step: Step, effect: Effect) -> Playing:
        """Exchange the hand card with the card in focus, each into the other's place (L24)."""
        if self.hands[self.seat] and self.focus == FOCUS_ROW_CARD:
            yield from self.exchange_with_row(step["may"], effect)
        elif self.hands[self.seat] and self.focus < FOCUS_ROW_CARD:
            yield from self.exchange_with_place(self.focus, step["may"], effect)
        self.focus = FOCUS_NONE

    def exchange_with_place(self, place: int, may: bool, effect: Effect) -> Playing:
        """With a hidden card: a "may exchange" stays secret (K4), a forced one is known to be done (K2)."""
        hand, there, in_ruins = self.hands[self.seat], self.card_at(place), self.in_ruins(place)
        done = not may or (yield from self.ask(EXCHANGE, (0, 1), effect.kind)) == 1
        if done:
            self.hands[self.seat] = there
            self.set_card(place, hand)
        if may:
            self.knowledge.may_exchange(self.seat, place, in_ruins, hand, there, done)
        else:
            self.knowledge.exchange(self.seat, place, in_ruins, hand, there)
        self.say("exchange", place, hand, there, done, may)

    def exchange_with_row(self, may: bool, effect: Effect) -> Playing:
        """With a card of a discard row, openly; the laid card has no play effect but counts as lying there (L27)."""
        hand, (owner, index) = self.hands[self.seat], self.focus_row
        if self.printed.refused[hand]:  # L13: a Lost Legacy never lies in a discard row
            self.say("decline")
            return
        if may and not (yield from self.ask(EXCHANGE, (0, 1), effect.kind)):
            self.say("decline")
            return
        taken = self.rows[owner][index].kind
        self.hands[self.seat] = taken
        self.knowledge.put(HAND + self.seat, taken, range(self.n_seats))
        self.say("exchange_with_row", owner, index, hand)
        if self.printed.legacy[hand]:
            del self.rows[owner][index]
            yield from self.go_as_eliminated(self.seat, hand)
        else:
            card = self.rows[owner][index] = RowCard(hand)
            yield from self.landed(owner, card)

    def do_move(self, step: Step, effect: Effect) -> Playing:
        """Put the card in focus, or this card itself, into the ruins or onto the deck."""
        if step["card"] == "self":
            moving = self.take_self(effect)
        else:
            moving = self.take_focus()
            self.focus = FOCUS_NONE
        for kind, knowers in moving:
            self.put_into(step["to"], kind, knowers)
            self.say("move", kind, step["to"], len(knowers) == self.n_seats)
        yield from ()

    def do_shuffle(self, step: Step, effect: Effect) -> Playing:
        """Shuffle the ruins or the deck; positions lapse (L10, K5, K6), also if there is nothing to shuffle."""
        done = not step["may"] or (yield from self.ask(SHUFFLE, (0, 1), effect.kind)) == 1
        if effect.trigger == "play":
            self.focus = FOCUS_NONE
        if done and step["zone"] == "ruins":
            self.ruins = yield from self.shuffled("ruins", self.ruins)
            self.knowledge.shuffle_ruins(len(self.ruins))
        elif done:
            self.deck = yield from self.shuffled("deck", self.deck)
            self.knowledge.shuffle_deck(DECK_END - len(self.deck))
        self.say("shuffle", step["zone"], done)

    def do_eliminate(self, step: Step, effect: Effect) -> Playing:
        """Put seats out of the game, all before the last one is looked for (L33)."""
        if effect.trigger == "row" and self.face_up_copies(effect) < step["copies"]:
            return
        seats = self.seats(step["who"], effect) if self.holds(step["if"]) else []
        self.say("strike", seats, step["if"], effect)
        for seat in seats:
            yield from self.eliminate(seat)

    def do_discard(self, step: Step, effect: Effect) -> Playing:
        """Discard a hand card face up, without its effect; a Lost Legacy goes where its text says (L13)."""
        for seat in self.seats(step["who"], effect):
            if self.hands[seat]:
                effect.moved |= effect.trigger == "seen" and seat == effect.owner
                card = yield from self.give_up_hand(seat, self.printed.legacy[self.hands[seat]])
                if card:
                    yield from self.landed(seat, card)

    def do_take_hand(self, step: Step, effect: Effect) -> Playing:
        """Take the hand card of another seat; what is known of it goes along (L9, K2)."""
        for taker in self.seats(step["who"], effect):
            for giver in self.seats(step["from"], effect):
                effect.moved |= effect.trigger == "seen" and giver == effect.owner
                kind, self.hands[giver] = self.hands[giver], NO_CARD
                self.hands[taker] = kind
                self.knowledge.put(HAND + taker, kind, {*self.knowledge.take(HAND + giver), taker})
                self.say("take_hand", taker, giver, kind)
        yield from ()

    def do_win(self, step: Step, effect: Effect) -> Playing:
        """Win at once."""
        if self.holds(step["if"]):
            self.end(WAY_SEEN, self.seat)
        yield from ()

    def do_flip(self, step: Step, effect: Effect) -> Playing:
        """Turn this card face down where it lies (L26)."""
        index = self.index_in_row(effect)
        if index is not None:
            effect.card = self.rows[effect.owner][index] = RowCard(effect.kind, True)
            self.say("flip", effect.owner, effect.kind)
        yield from ()

    def do_return(self, step: Step, effect: Effect) -> Playing:
        """The owner is back with the deck's top card as hand card; without one it stays out (L12)."""
        seat = effect.owner
        if not self.in_game[seat] and not self.deck:
            self.say("stay_out", seat)
        elif not self.in_game[seat]:
            kind, knowers = self.take_from_deck()
            self.in_game[seat], self.out_turn[seat], self.hands[seat] = True, 0, kind
            self.knowledge.put(HAND + seat, kind, {*knowers, seat})
            self.say("come_back", seat, kind)
        yield from ()

    # --- what the verbs speak of ----------------------------------------------------------------------

    def seats(self, who: str, effect: Effect) -> list[int]:
        """The seats a step speaks of, clockwise from the seat on turn; [] if there is none."""
        if who == "looker":
            return [self.seat]
        if who == "owner":
            if effect.trigger != "play":
                return [effect.owner]
            return [self.focus - HAND] if self.focus < DRAWN else []
        first = self.seat if who == "everyone" else self.seat + 1
        seats = [seat for seat in self.clockwise(first) if self.in_game[seat]]
        return seats if who == "everyone" else [seat for seat in seats if seat != self.seat]

    def holds(self, condition: str) -> bool:
        """Whether a step's `if` is true of the card in focus; without one only "always" is."""
        if condition == "always":
            return True
        if self.focus == FOCUS_ROW_CARD:
            kind = self.rows[self.focus_row[0]][self.focus_row[1]].kind
        elif self.focus < FOCUS_ROW_CARD:
            kind = self.card_at(self.focus)
        else:
            return False
        if condition == "legacy":
            return bool(self.printed.legacy[kind])
        return self.printed.speed[kind] == (X if condition == "x" else self.named)

    def face_up_copies(self, effect: Effect) -> int:
        """How many face-up cards of its kind lie in the row of this card, the one being played left out (L19)."""
        return sum(card.kind == effect.kind and not card.face_down and card is not self.being_played
                   for card in self.rows[effect.owner])  # fmt: skip

    def places(self, at: Sequence[str]) -> Iterator[int]:
        """The hidden places a look may choose from, ascending."""
        if "hands" in at:
            yield from (HAND + seat for seat in self.in_game_seats() if seat != self.seat)
        if "ruins" in at:
            yield from range(RUINS, RUINS + len(self.ruins))
        if "deck" in at and self.deck:
            yield DECK_END - len(self.deck)

    def in_game_seats(self) -> list[int]:
        """The seats in the game, in order."""
        return [seat for seat in range(self.n_seats) if self.in_game[seat]]

    def clockwise(self, first: int) -> list[int]:
        """All seats, clockwise from one."""
        return [(first + i) % self.n_seats for i in range(self.n_seats)]

    # --- cards and places -----------------------------------------------------------------------------

    def in_ruins(self, place: int) -> bool:
        """Whether a place is one of the ruins."""
        return RUINS <= place < RUINS + len(self.ruins)

    def card_at(self, place: int) -> int:
        """The kind at a hidden place."""
        if place < DRAWN:
            return self.hands[place - HAND]
        if place == DRAWN:
            return self.drawn
        return self.ruins[place - RUINS] if self.in_ruins(place) else self.deck[place - DECK_END + len(self.deck)]

    def set_card(self, place: int, kind: int) -> None:
        """Lay a card down in the place of another."""
        if place < DRAWN:
            self.hands[place - HAND] = kind
        elif self.in_ruins(place):
            self.ruins[place - RUINS] = kind
        else:
            self.deck[place - DECK_END + len(self.deck)] = kind

    def lay(self, seat: int, kind: int) -> RowCard:
        """Lay a card face up at the right end of a row."""
        card = RowCard(kind)
        self.rows[seat].append(card)
        return card

    def take_from_deck(self) -> tuple[int, list[int]]:
        """Take the deck's top card: its kind and who knows it."""
        knowers = self.knowledge.take(DECK_END - len(self.deck))
        return self.deck.pop(0), knowers

    def take_focus(self) -> list[tuple[int, Sequence[int]]]:
        """Take the card in focus, or the whole row, from the left: kinds and who knows them."""
        everybody = range(self.n_seats)
        seat, index = self.focus_row
        if self.focus == FOCUS_ROW:
            cards, self.rows[seat] = self.rows[seat], []
            return [(card.kind, everybody) for card in cards]
        if self.focus == FOCUS_ROW_CARD:
            return [(self.rows[seat].pop(index).kind, everybody)]
        if self.focus == FOCUS_NONE:
            return []
        if self.in_ruins(self.focus):
            knowers = self.knowledge.take_from_ruins(self.focus - RUINS, len(self.ruins))
            return [(self.ruins.pop(self.focus - RUINS), knowers)]
        return [self.take_from_deck()]

    def take_self(self, effect: Effect) -> list[tuple[int, Sequence[int]]]:
        """Take the card whose text is carried out; [] if it has moved before."""
        index = self.index_in_row(effect)
        if effect.moved or (effect.trigger != "eliminated" and index is None):
            return []
        effect.moved = True
        if index is not None:
            del self.rows[effect.owner][index]
        self.loose = NO_CARD
        return [(effect.kind, range(self.n_seats))]

    def index_in_row(self, effect: Effect) -> int | None:
        """Where this very card lies in its owner's row."""
        return next((i for i, card in enumerate(self.rows[effect.owner]) if card is effect.card), None)

    def put_into(self, pile: str, kind: int, knowers: Sequence[int]) -> None:
        """Put a card at the right end of the ruins or on top of the deck."""
        if pile == "ruins":
            self.ruins.append(kind)
            self.knowledge.put(RUINS + len(self.ruins) - 1, kind, knowers)
        else:
            self.deck.insert(0, kind)
            self.knowledge.put(DECK_END - len(self.deck), kind, knowers)

    # --- asking, chance, telling ----------------------------------------------------------------------

    def ask(self, what: int, options: Sequence[int], kind: int = NO_CARD) -> Generator[Question, Answer, int]:
        """The answer of the seat on turn; with one option nobody is asked. Raises ValueError for any other answer."""
        if len(options) == 1:
            return options[0]
        answer: int = yield Question(self.seat, what, tuple(options), kind, self.focus, self.focus_row)
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

    def check(self) -> None:
        """Cards are conserved, a seat in the game holds a card, and what is known is true (section 7)."""
        hidden = {HAND + seat: kind for seat, kind in enumerate(self.hands) if kind}
        hidden |= {RUINS + i: kind for i, kind in enumerate(self.ruins)}
        hidden |= {DECK_END - len(self.deck) + i: kind for i, kind in enumerate(self.deck)}
        in_rows = [card.kind for row in self.rows for card in row]
        assert sorted([*hidden.values(), *in_rows]) == self.printed.sorted_slots, "cards are not conserved"
        for seat, known in enumerate(self.known):
            assert (HAND + seat in hidden) == self.in_game[seat], f"seat {seat}: hand and game do not agree"
            assert known.items() <= hidden.items(), f"seat {seat} knows what is not true of a place"
            unplaced = [kind for i, kind in enumerate(self.ruins) if RUINS + i not in known]
            for kind, count in self.ruins_has[seat].items():
                assert 0 < count <= unplaced.count(kind), f"seat {seat} knows what is not true of the ruins"


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
            if watch is not None:
                watch(table, number)
            expected: tuple[Any, ...]
            if isinstance(asked, Question):
                expected = (asked.what, asked.seat, entry[2] if len(entry) == 4 else None, len(asked.options))
                fits = len(entry) == 4 and entry[2] in asked.options
            else:
                expected = (asked.zone, entry[1] if len(entry) == 2 else None)
                fits = len(entry) == 2 and sorted(entry[1]) == list(range(asked.size))
            if not fits or entry != expected:
                raise Divergence(f"Entry {number} of the history is {entry}; the rulebook comes to {asked}.")
            asked = playing.send(entry[2] if isinstance(asked, Question) else entry[1])
            number += 1
    except StopIteration as stop:
        found: Outcome = stop.value
    if watch is not None:
        watch(table, -1)
    if number + 1 < len(history):
        raise Divergence(f"The deal is over after {number + 1} entries, but the history holds {len(history)}.")
    if outcome is not None and outcome != found:
        raise Divergence(f"The outcome recorded is {outcome}; the rulebook comes to {found}.")
    return found
