"""What `trained` takes note of at a question: numbers about the moment, and about each option.

A note is a row of the weights and a value. Rows stand for traits, speeds, counts, chances and what `careful` would do,
never for a kind, so that any set of cards can be played.
"""

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.quick.careful import CAREFUL
from lostlegacy_sim.games.lost_legacy.bots.quick.counting import (
    NOWHERE,
    Pool,
    below_speed,
    count,
    fragile,
    is_playing,
    legacy_chance,
    lookers,
    n_playing,
    of_speed,
    traps,
)
from lostlegacy_sim.games.lost_legacy.bots.quick.decisions import (
    PLANNED_PLACE,
    choose_look,
    hand_card,
    index_of,
    is_planned,
    plan_both,
    remember,
)
from lostlegacy_sim.games.lost_legacy.bots.quick.evaluation import worths_of_kinds
from lostlegacy_sim.games.lost_legacy.bots.quick.worth import (
    Outlook,
    is_deadly,
    is_protected,
    look_ahead,
    weigh_all,
    worth,
)
from lostlegacy_sim.games.lost_legacy.kernel.state import record
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DRAWN,
    EXCHANGE,
    FOCUS_ROW_CARD,
    FRAGILE,
    HAND,
    LOOK,
    LOOKS_HANDS,
    MAX_SEATS,
    NO_CARD,
    PLAY,
    RUINS,
    TRAITS,
    TRAP,
    X,
)
from lostlegacy_sim.jit import inlined, kernel, lowest_bit, out_of_line, record_type

ONE = np.uint64(1)
N_TRAITS = len(TRAITS)
A_CARD = N_TRAITS + X  # rows of a card: its traits, then its speed, one of nine
AN_EIGHTH = 0.125  # brings what is counted into the range of the chances

# --- the rows of a question: of the moment ------------------------------------------------------------
STAGE, STAGES, MOST_PLAYING = 0, 8, 4  # cards in the deck and seats in the game, a row a pair; more are as good as so many
LEGACY_AT = STAGE + STAGES * (MOST_PLAYING - 1)  # where the Legacy is known to be
OWN, OTHERS, IN_RUINS, ON_DECK, SOMEWHERE, NOT_KNOWN = range(6)
FIND_LOW, FIND_HIGH, RUINS_SIZE = range(LEGACY_AT + 6, LEGACY_AT + 9)
UNSEEN_TRAPS, UNSEEN_LOOKERS, UNSEEN_FRAGILE, UNSEEN_X = range(RUINS_SIZE + 1, RUINS_SIZE + 5)  # shares of the unseen cards
KNOWN_HANDS, KNOWN_TRAPS, KNOWN_FRAGILE, HAVE_LOOKED = range(UNSEEN_X + 1, UNSEEN_X + 5)  # shares of the other seats
PROTECTED = HAVE_LOOKED + 1
RESOLVED = PROTECTED + 1  # traits of the card being resolved
# --- of an option, or of the moment where it is the same for all ----------------------------------------
KEPT = RESOLVED + N_TRAITS  # the card in the own hand after it
KEPT_BELOW, KEPT_SAME, KEPT_WORTH, RIVALS_BELOW, RIVALS_SAME = range(KEPT + A_CARD, KEPT + A_CARD + 5)
OTHER = RIVALS_SAME + 1  # the card that is played, looked at, or left in the own one's place
DEADLY = OTHER + A_CARD  # playing it puts the seat out
AT_HAND, AT_RUINS, AT_DECK, IS_KNOWN, HAS_LEGACY, TURNS, HAS_LOOKED = range(DEADLY + 1, DEADLY + 8)
YES, VALUE, ADVISED = range(HAS_LOOKED + 1, HAS_LOOKED + 4)
ROWS = ADVISED + 1  # rows of one question

WIDTH = 8  # numbers in a row: the first adds to the score itself, the others to what lies between
MOST_NOTED = 128  # more than can be: no row is noted twice in a list

THOUGHT = record((
    ("n", "i8", (), "notes so far"),
    ("row", "i4", (MOST_NOTED,), "their rows, counted from the first one of the question"),
    ("value", "f4", (MOST_NOTED,), "their values"),
    ("moment", "f4", (WIDTH,), "the weighted sums of the notes of the moment"),
    ("option", "f4", (WIDTH,), "the same with those of an option"),
))  # fmt: skip
THOUGHT_TYPE = record_type(THOUGHT)


class Mind(NamedTuple):
    """What is worked out once a question."""

    pool: Pool
    outlook: Outlook
    advice: int  # the index `careful` would choose; -1 where it is not asked
    worth_held: float  # at PLAY: what it is worth to `careful` to keep the held card, the drawn card
    worth_drawn: float
    play_held: float  # and the chance to win that it sees in playing the one or the other
    play_drawn: float


WEIGHED = (PLAY, LOOK, EXCHANGE)  # questions; to weigh others, too, won nothing


@inlined
def weighed_as(public, private, question):
    """The place of a question in WEIGHED; -1 if it is left to `careful`."""
    what = question.what
    if what == PLAY and private.known[HAND + private.seat] != private.known[DRAWN]:
        return np.int64(0)
    if what == LOOK:
        return np.int64(1)
    return np.int64(2) if what == EXCHANGE and public.focus != FOCUS_ROW_CARD else np.int64(-1)


# --- writing down ---------------------------------------------------------------------------------------


@inlined
def note(thought, row, value):
    """Write down one value."""
    thought.row[thought.n] = row
    thought.value[thought.n] = value
    thought.n += 1


@inlined
def note_traits(cards, thought, first, kind):
    """Write down the traits of a kind."""
    traits = np.uint64(cards.traits[kind])
    while traits:
        note(thought, first + lowest_bit(traits), 1.0)
        traits &= traits - ONE


@inlined
def note_card(cards, thought, first, kind):
    """Write down what a card is."""
    note_traits(cards, thought, first, kind)
    note(thought, first + N_TRAITS + np.int64(cards.speed[kind]) - 1, 1.0)


@inlined
def note_kept(cards, private, mind, thought, kind):
    """Write down the card in the own hand, and who would be called before it or with it."""
    pool, speed = mind.pool, np.int64(cards.speed[kind])
    note_card(cards, thought, KEPT, kind)
    if speed < X:
        note(thought, KEPT_BELOW, below_speed(pool, speed) * pool.each)
        note(thought, KEPT_SAME, of_speed(pool, speed) * pool.each)
    if pool.known_hands:
        below, same, hands = 0.0, 0.0, pool.known_hands
        while hands:
            rival = np.int64(cards.speed[private.known[HAND + lowest_bit(hands)]])
            below += 1.0 if rival < speed else 0.0
            same += 1.0 if rival == speed else 0.0
            hands &= hands - ONE
        note(thought, RIVALS_BELOW, below)
        note(thought, RIVALS_SAME, same)


@inlined
def has_looked(cards, public, seat):
    """Whether the last card a seat has discarded looks at hands."""
    size = public.row_size[seat]
    return size > 0 and np.int64(cards.traits[public.row[seat, size - 1]]) & LOOKS_HANDS != 0


@inlined
def stage(public):
    """How late it is: a number for each size of the deck and of the table."""
    playing = max(np.int64(2), min(n_playing(public), MOST_PLAYING))
    return (playing - 2) * STAGES + min(public.deck_size, STAGES - 1)


@inlined
def legacy_at(public, private, pool):
    """Where the Legacy is known to be: OWN .. NOT_KNOWN."""
    if pool.legacy < 0:
        return np.int64(NOT_KNOWN if pool.legacy == NOWHERE else SOMEWHERE)
    if pool.legacy == HAND + private.seat or pool.legacy == DRAWN:
        return np.int64(OWN)
    if pool.legacy < MAX_SEATS:
        return np.int64(OTHERS)
    return np.int64(IN_RUINS if pool.legacy < RUINS + public.ruins_size else ON_DECK)


@inlined
def note_others(cards, public, private, pool, thought):
    """Write down what the other hands are known to be, and who may know the own one."""
    known, are_traps, are_fragile, looked = 0.0, 0.0, 0.0, 0.0
    for seat in range(public.n_seats):
        if seat != private.seat and is_playing(public, seat):
            looked += 1.0 if has_looked(cards, public, seat) else 0.0
            if (pool.known_hands >> np.uint64(seat)) & ONE:
                there = np.int64(cards.traits[private.known[HAND + seat]])
                known += 1.0
                are_traps += 1.0 if there & TRAP else 0.0
                are_fragile += 1.0 if there & FRAGILE else 0.0
    each = 1.0 / max(np.int64(1), n_playing(public) - 1)
    note(thought, HAVE_LOOKED, looked * each)
    if pool.known_hands:
        note(thought, KNOWN_HANDS, known * each)
        note(thought, KNOWN_TRAPS, are_traps * each)
        note(thought, KNOWN_FRAGILE, are_fragile * each)


@kernel
def note_moment(cards, public, private, question, mind, thought):
    """Write down what holds for all options."""
    out_of_line()
    pool, what = mind.pool, question.what
    thought.n = 0
    note(thought, STAGE + stage(public), 1.0)
    note(thought, LEGACY_AT + legacy_at(public, private, pool), 1.0)
    note(thought, RUINS_SIZE, public.ruins_size * AN_EIGHTH)
    note(thought, UNSEEN_TRAPS, traps(pool) * pool.each)
    note(thought, UNSEEN_LOOKERS, lookers(pool) * pool.each)
    note(thought, UNSEEN_FRAGILE, fragile(pool) * pool.each)
    note(thought, UNSEEN_X, of_speed(pool, X) * pool.each)
    note_others(cards, public, private, pool, thought)
    if is_protected(cards, public, private.seat):
        note(thought, PROTECTED, 1.0)
    if what == LOOK:
        note_traits(cards, thought, RESOLVED, question.kind)
        note_kept(cards, private, mind, thought, hand_card(private))
    else:
        note(thought, FIND_LOW, mind.outlook.find_low)
        note(thought, FIND_HIGH, mind.outlook.find_high)
        if what == EXCHANGE:
            note(thought, AT_HAND if public.focus < MAX_SEATS else AT_RUINS if public.focus < RUINS + public.ruins_size else AT_DECK, 1.0)


@kernel
def note_option(cards, public, private, question, mind, thought, index, option):
    """Write down what sets one option apart."""
    out_of_line()
    pool, what = mind.pool, question.what
    thought.n = 0
    if index == mind.advice:
        note(thought, ADVISED, 1.0)
    if what == LOOK:
        kind = np.int64(private.known[option])
        if kind != NO_CARD:
            note(thought, IS_KNOWN, 1.0)
            note_card(cards, thought, OTHER, kind)
        note(thought, HAS_LEGACY, legacy_chance(public, private, pool, option))
        if option < MAX_SEATS:
            note(thought, AT_HAND, 1.0)
            note(thought, TURNS, public.turns_of[option] * AN_EIGHTH)
            if has_looked(cards, public, option):
                note(thought, HAS_LOOKED, 1.0)
        else:
            note(thought, AT_RUINS if option < RUINS + public.ruins_size else AT_DECK, 1.0)
        return
    kept, other = hand_card(private), np.int64(private.known[DRAWN] if what == PLAY else question.focus)
    if (what == PLAY) == (index == 0):
        kept, other = other, kept
    note_kept(cards, private, mind, thought, kept)
    note_card(cards, thought, OTHER, other)
    if what == PLAY:
        note(thought, KEPT_WORTH, mind.worth_drawn if index == 0 else mind.worth_held)
        note(thought, VALUE, mind.play_held if index == 0 else mind.play_drawn)
        if is_deadly(cards, public, private.seat, other):
            note(thought, DEADLY, 1.0)
    else:
        note(thought, KEPT_WORTH, worth(cards, public, private, pool, mind.outlook, kept))
        if index == 1:
            note(thought, YES, 1.0)


# --- what is worked out before ----------------------------------------------------------------------------


@kernel
def plan_plays(cards, public, private, pool, outlook):
    """PLAY: what `careful` thinks of its two cards; the better plan is remembered."""
    out_of_line()
    held, drawn = hand_card(private), np.int64(private.known[DRAWN])
    worths = worths_of_kinds()
    weigh_all(cards, public, private, pool, outlook, worths)
    play_held, play_drawn = plan_both(cards, public, private, pool, outlook, worths, CAREFUL, held, drawn)
    advice = np.int64(play_drawn.value >= play_held.value)
    remember(private, public, drawn if advice else held, play_drawn if advice else play_held)
    return Mind(pool, outlook, advice, worths[held], worths[drawn], play_held.value, play_drawn.value)


@kernel
def make_up_mind(cards, public, private, question):
    """What is worked out once a question."""
    out_of_line()
    pool = count(cards, public, private)
    if question.what == LOOK:
        if is_planned(public, private, question):
            advice = index_of(question.mask, private.memory[PLANNED_PLACE])
        else:
            advice = choose_look(cards, public, private, question, pool, CAREFUL)
        return Mind(pool, Outlook(0.0, 0.0, 0.0, 0.0), advice, 0.0, 0.0, 0.0, 0.0)
    outlook = look_ahead(public, private, pool)
    if question.what == PLAY:
        return plan_plays(cards, public, private, pool, outlook)
    return Mind(pool, outlook, np.int64(-1), 0.0, 0.0, 0.0, 0.0)
