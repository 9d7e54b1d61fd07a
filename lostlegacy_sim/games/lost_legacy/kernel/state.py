"""The records of a deal, split by who may know: every field on a line with its shape and meaning.

The kernel works *in* these records; there is no second copy for the bots. CARDS, PUBLIC, one PRIVATE
and QUESTION are all a bot ever receives.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.vocabulary import (
    FOCUS_NONE,
    MAX_CARDS,
    MAX_KINDS,
    MAX_SEATS,
    MAX_STEPS,
    N_PLACES,
    TRIGGERS,
)
from lostlegacy_sim.jit import record_type

KINDS = MAX_KINDS + 1  # kind 0 is no card
N_STEPS = MAX_KINDS * len(TRIGGERS) * MAX_STEPS
N_MEMORY = 16
N_HISTORY = 1 << 15
N_LOG = 256  # events of a deal that can be written down; a printed set has fewer than 150
ALL_SEATS = (1 << MAX_SEATS) - 1
NOT_ANSWERED = -1

Fields = tuple[tuple[str, Any, tuple[int, ...], str], ...]

CARDS_FIELDS: Fields = (
    ("n_kinds", "i8", (), "kinds in the set; they are numbered from 1"),
    ("n_slots", "i8", (), "cards in the set, all copies"),
    ("investigate_rows", "u1", (), "1: face-down row cards can be revealed (L6)"),
    ("legacy", "u1", (), "the kind of the Lost Legacy"),
    ("slot_kind", "u1", (MAX_CARDS,), "the kind of each slot"),
    ("speed", "u1", (KINDS,), "speed of each kind; 9 is X"),
    ("copies", "u1", (KINDS,), "copies of each kind"),
    ("traits", "u4", (KINDS,), "what each kind does, as bits"),
    ("by_speed", "u8", (KINDS,), "for counting cards: 1 in the six bits of the kind's speed"),
    ("by_danger", "u8", (KINDS,), "for counting cards: 1, looks at hands, is a trap, is fragile; 16 bits each"),
    ("share", "f8", (KINDS,), "of the copies of all kinds of its speed, the part that are copies of this kind"),
    ("all_speeds", "u8", (), "the sum of `by_speed` over all cards"),
    ("all_dangers", "u8", (), "the sum of `by_danger` over all cards"),
    ("first_verb", "u1", (KINDS,), "what the first step of the play effect does, 0 if it has none"),
    ("first_step", "i4", (KINDS, len(TRIGGERS)), "where the steps of a trigger begin"),
    ("n_steps", "i4", (KINDS, len(TRIGGERS)), "how many steps it has"),
    ("verb", "u1", (N_STEPS,), "what a step does"),
    ("at", "u1", (N_STEPS,), "look, choose: where, as bits"),
    ("count", "u1", (N_STEPS,), "look: how many cards; eliminate: how many face-up copies"),
    ("may", "u1", (N_STEPS,), "1: the seat decides"),
    ("who", "u1", (N_STEPS,), "eliminate, discard, take_hand: which seat"),
    ("source", "u1", (N_STEPS,), "take_hand: whose card; move: focus or self"),
    ("to", "u1", (N_STEPS,), "move, shuffle: which pile"),
    ("condition", "u1", (N_STEPS,), "eliminate, win: only if"),
    ("cancels", "u1", (N_STEPS,), "look: 1 if seen triggers at X do not happen"),
)

PUBLIC_FIELDS: Fields = (
    ("row", "u1", (MAX_SEATS, MAX_CARDS), "discard rows: kinds, from the left"),
    ("row_size", "i8", (MAX_SEATS,), "cards in each row"),
    ("row_down", "u8", (MAX_SEATS,), "bit i: card i of the row lies face down"),
    ("in_rows", "u1", (KINDS,), "cards of each kind in all discard rows"),
    ("rows_speeds", "u8", (), "the sum of `by_speed` over them"),
    ("rows_dangers", "u8", (), "the sum of `by_danger` over them"),
    ("n_seats", "i8", (), "seats at the table"),
    ("in_game", "u8", (), "bit s: seat s is in the game"),
    ("seat", "i8", (), "the seat on turn; in the investigation the seat that acts"),
    ("turn", "i8", (), "turns begun"),
    ("deck_size", "i8", (), "cards in the deck"),
    ("ruins_size", "i8", (), "cards in the ruins"),
    ("phase", "i8", (), "draw, playing, effect, investigation, over"),
    ("played", "i8", (), "the kind being resolved; 0 outside an effect"),
    ("played_index", "i8", (), "where it lies in the row of the seat on turn; -1: it has left"),
    ("step", "i8", (), "the step being carried out, counted from 0"),
    ("look", "i8", (), "cards already looked at in this step"),
    ("focus", "i8", (), "the card later steps speak of: a place or a FOCUS_ code"),
    ("focus_seat", "i8", (), "in whose row, when the focus is in a row"),
    ("focus_index", "i8", (), "where in that row"),
    ("named", "i8", (), "the named speed, 0 before"),
    ("called", "i8", (), "the speed called in the investigation, 0 before"),
    ("revealed", "u8", (), "places revealed in the investigation, as bits"),
    ("turns_of", "i8", (MAX_SEATS,), "turns each seat has had"),
    ("out_turn", "i8", (MAX_SEATS,), "the turn in which a seat was last put out, 0 if never"),
    ("turn_over", "i8", (), "1: an elimination or a win has ended the turn"),
    ("way", "i8", (), "how the deal ended"),
    ("winner", "i8", (), "the winning seat, -1 for nobody"),
    ("found_speed", "i8", (), "the speed whose seat found the Legacy"),
    ("n_log", "i8", (), "events written down so far; only for tables with a bot that reads them"),
    ("log", "u1", (N_LOG, 4), "public events: what happened, and up to three facts; see lost_legacy.log"),
)

PRIVATE_FIELDS: Fields = (
    ("known", "u1", (N_PLACES,), "the kind at each place as far as the seat knows it for certain, else 0 (K1-K7)"),
    ("ruins_has", "u1", (KINDS,), "cards of each kind known to be in the ruins, place unknown (K5)"),
    ("word", "u8", (), "64 random bits for this turn; a bot may use them up"),
    ("parameter", "i8", (), "the bot's parameter, as in `playout:200`"),
    ("memory", "i8", (N_MEMORY,), "the bot's own; empty at the start of a deal"),
    ("seat", "i8", (), "the seat these are the secrets of"),
    ("saw", "u1", (N_LOG,), "the kind this seat saw at each event of the log, else 0"),
)

QUESTION_FIELDS: Fields = (
    ("what", "i8", (), "which question: PLAY, LOOK, CHOOSE, ROW, EXCHANGE, SHUFFLE, NAME, REVEAL"),
    ("seat", "i8", (), "the seat that is asked"),
    ("n", "i8", (), "number of options, 2 or more"),
    ("option", "u1", (N_PLACES,), "what each option stands for"),
    ("mask", "u8", (), "the options as bits"),
    ("kind", "i8", (), "the card being resolved, 0 at PLAY and REVEAL"),
    ("focus", "i8", (), "the kind of the card in focus, 0 if there is none"),
)

SECRET_FIELDS: Fields = (
    ("card", "u1", (N_PLACES,), "the kind at each place, 0 where none lies"),
    ("knows", "u1", (N_PLACES,), "bit s: seat s knows which card lies at this place"),
    ("somewhere", "u1", (N_PLACES,), "bit s: seat s knows that this ruins card is somewhere in the ruins"),
    ("order", "u1", (MAX_CARDS,), "the kinds in the order of this block's shuffle, at the end of the array"),
    ("slot", "u1", (MAX_CARDS,), "the slots, when the shuffle is written into a history"),
    ("done", "u1", (KINDS,), "scratch of knowledge.forget_one_of_each_kind"),
    ("bot", "i8", (MAX_SEATS,), "number of the bot on each seat"),
    ("entry", "i8", (MAX_SEATS,), "its place in the line-up"),
    ("line_up", "i8", (MAX_SEATS,), "number of the bot of each entry of the line-up"),
    ("parameter", "i8", (MAX_SEATS,), "its parameter"),
    ("reads", "i8", (MAX_SEATS,), "what is written down for it, as bits"),
    ("never", "u4", (MAX_SEATS,), "kinds it does not play unless it must, as bits"),
    ("address", "i8", (MAX_SEATS,), "the address of its compiled callback, for a user's bot"),
    ("chance", "u8", (), "key of this block's chance events"),
    ("choice", "u8", (), "key of this block's choices"),
    ("events", "u8", (), "chance events so far in this turn"),
    ("word", "u8", (), "the word of this turn, while its seat chooses at random"),
    ("plain", "u8", (), "bit s: seat s chooses at random, no history is written, and no answer waits"),
    ("blurred", "u1", (), "bit s: seat s may have a `somewhere` bit"),
    ("holder", "i8", (10,), "in the investigation: a seat that holds each speed"),
    ("waiting", "u8", (), "speeds that act in the investigation, as bits"),
    ("answer", "i8", (), "an answer waiting to be used by the open question, or NOT_ANSWERED"),
    ("refused", "i8", (), "what a bot chose when that was no option"),
    ("watches", "u1", (), "what is noted while it happens, as bits: what each kind does, the log"),
    ("saw", "u1", (MAX_SEATS, N_LOG), "the kind each seat saw at each event of the log, else 0"),
    ("received", "u4", (MAX_SEATS,), "kinds each seat has drawn or received after the deal, as bits"),
    ("gave", "u4", (MAX_SEATS,), "kinds each seat has given away in an exchange of its own, as bits"),
    ("laid", "u4", (MAX_SEATS,), "kinds each seat has played, as bits"),
    ("turns_card", "i8", (), "the kind played in this turn"),
    ("plays", "u1", (KINDS,), "plays of each kind"),
    ("forced", "u1", (KINDS,), "plays of each kind with no other kind to play"),
    ("kills", "u1", (KINDS,), "other seats put out by a play of each kind"),
    ("self_kills", "u1", (KINDS,), "plays of each kind that put out the seat itself"),
    ("trapped", "u1", (KINDS,), "seats put out because each kind was seen in a hand"),
    ("namings", "u1", (KINDS,), "speeds named with each kind"),
    ("hits", "u1", (KINDS,), "of them, those the card looked at has"),
    ("counter_hits", "u1", (KINDS,), "of them, those in which a perfect card counter would have named right"),
)

HISTORY_FIELDS: Fields = (
    ("on", "i8", (), "1: write down every event"),
    ("n", "i8", (), "bytes written"),
    ("data", "u1", (N_HISTORY,), "questions: what, seat, options, answer; shuffles: SHUFFLED + zone, n, order"),
)


def record(fields: Fields) -> np.dtype[Any]:
    """The type of a record with these fields."""
    return np.dtype([(name, form, shape) for name, form, shape, _ in fields], align=True)


CARDS, PUBLIC, PRIVATE = record(CARDS_FIELDS), record(PUBLIC_FIELDS), record(PRIVATE_FIELDS)
QUESTION, SECRET, HISTORY = record(QUESTION_FIELDS), record(SECRET_FIELDS), record(HISTORY_FIELDS)
SEATS = np.dtype([("private", PRIVATE, (MAX_SEATS,))], align=True)


class State(NamedTuple):
    """All that a deal is, as records; the kernel's one argument.

    Records only: an array among them makes the compiled code count references in the inner loop, and a
    dispatcher would make the disk cache miss.
    """

    cards: Any
    secret: Any
    public: Any
    seats: Any
    question: Any
    history: Any


CARDS_TYPE, PUBLIC_TYPE = record_type(CARDS), record_type(PUBLIC)
PRIVATE_TYPE, QUESTION_TYPE = record_type(PRIVATE), record_type(QUESTION)


def new_state(cards: Any) -> State:
    """Fresh records around a card table; one State a thread."""
    secret, public, seats = np.zeros(1, SECRET)[0], np.zeros(1, PUBLIC)[0], np.zeros(1, SEATS)[0]
    question, history = np.zeros(1, QUESTION)[0], np.zeros(1, HISTORY)[0]
    public["focus"] = FOCUS_NONE
    secret["answer"] = NOT_ANSWERED
    return State(cards, secret, public, seats, question, history)
