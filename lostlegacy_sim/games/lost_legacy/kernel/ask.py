"""The one door to a policy: pose the question, call the bot, check the answer.

A question's options are a 64-bit mask. `random` is built in; every other bot, the house's own like the
users', is called at the address of its compiled callback, so that no bot is compiled into the kernel.
The list of options and the seat's view are written only for bots that read them.
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.knowledge import write_view
from lostlegacy_sim.games.lost_legacy.kernel.log import write_log
from lostlegacy_sim.games.lost_legacy.kernel.state import N_HISTORY, NOT_ANSWERED
from lostlegacy_sim.games.lost_legacy.vocabulary import DRAWN, FOCUS_ROW_CARD, HAND, N_PLACES, PLAY
from lostlegacy_sim.jit import call_back, count_bits, inlined, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import keyed, split

RANDOM, CALLED, ASIDE = range(3)  # built in; called at the entry's address; nobody: stop for `resume`

# What is written down for a bot: question.option; private.known and ruins_has; public.log and private.saw.
READS_OPTIONS, READS_VIEW, READS_LOG = 1, 2, 4
READS_ALL = READS_OPTIONS | READS_VIEW | READS_LOG

PAUSED = -1  # a question is open
ILLEGAL = -2  # a bot chose what is no option

ONE = np.uint64(1)
OPTIONS_0_1 = np.uint64(0b11)


@inlined
def pick(mask, index):
    """The option number `index` of a mask, lowest first."""
    for skipped in range(3):  # without a branch: which option it is cannot be predicted
        mask &= mask - np.uint64(index > skipped)
    for _ in range(3, index):
        mask &= mask - ONE
    return lowest_bit(mask)


@inlined
def write_question(state, what, seat, mask, reads):
    """Fill QUESTION and the seat's view, as far as the bot reads them."""
    public, question = state.public, state.question
    question.what, question.seat, question.mask = what, seat, mask
    question.n = count_bits(mask)
    question.kind = public.played
    question.focus = 0
    if public.focus < N_PLACES:
        question.focus = state.secret.card[public.focus]
    elif public.focus == FOCUS_ROW_CARD:
        question.focus = public.row[public.focus_seat, public.focus_index]
    if reads & READS_OPTIONS:
        write_options(question, mask)
    if reads & READS_VIEW:
        write_view(state.secret, public, state.seats.private[seat])
    if reads & READS_LOG:
        write_log(state.secret, state.seats.private[seat])


@kernel
def write_options(question, mask):
    """List the options of a mask."""
    out_of_line()
    for index in range(N_PLACES):
        question.option[index] = 0
    index = np.uint64(0)
    while mask:
        question.option[index] = lowest_bit(mask)
        mask &= mask - ONE
        index += ONE


@inlined
def ask_reader(state, what, seat, mask):
    """Ask a bot that reads its records; returns the chosen option, PAUSED or ILLEGAL."""
    secret, question = state.secret, state.question
    private = state.seats.private[seat]
    write_question(state, what, seat, mask, secret.reads[secret.entry[seat]])
    if secret.bot[seat] == CALLED:
        index = call_back(secret.address[secret.entry[seat]], state.cards, state.public, private, question)
    else:
        return np.int64(PAUSED)
    if not 0 <= index < question.n:
        secret.refused = index
        return np.int64(ILLEGAL)
    return pick(mask, index)


@kernel
def note(history, byte):
    """Append one byte to the history; a full history stays as it is."""
    out_of_line()
    if history.n < N_HISTORY:
        history.data[history.n] = byte
        history.n += 1


@inlined
def ask_random(secret, mask):
    """A uniformly random option."""
    index, secret.word = split(secret.word, count_bits(mask))
    return pick(mask, index)


@inlined
def give_word(state, seat, turn):
    """The seat's random bits for a turn; in the investigation each seat has a turn number of its own."""
    word = keyed(state.secret.choice, turn)
    state.secret.word = word
    if not (state.secret.plain >> np.uint64(seat)) & ONE:
        state.seats.private[seat].word = word


@inlined
def mark_plain(secret, history, n_seats):
    """Note which seats choose at random with nothing to write down."""
    secret.plain = 0
    if not history.on:
        for seat in range(n_seats):
            is_plain = (secret.bot[seat] == RANDOM) & (secret.never[secret.entry[seat]] == 0)
            secret.plain |= np.uint64(is_plain) << np.uint64(seat)


@inlined
def is_restricted(secret, seat):
    """Whether a seat that does not play certain kinds unless it must has one such card and one other."""
    never = secret.never[secret.entry[seat]]
    return (never >> secret.card[HAND + seat] ^ never >> secret.card[DRAWN]) & 1 != 0


@kernel
def ask_in_full(state, what, seat, mask):
    """Take the waiting answer or ask the bot, and write the history."""
    out_of_line()
    secret, history = state.secret, state.history
    if secret.answer != NOT_ANSWERED:
        choice = secret.answer
        secret.answer = NOT_ANSWERED
        mark_plain(secret, history, state.public.n_seats)
    elif what == PLAY and secret.never[secret.entry[seat]] and is_restricted(secret, seat):
        choice = np.int64(secret.never[secret.entry[seat]] >> secret.card[HAND + seat] & 1)
    elif secret.bot[seat] == RANDOM:
        choice = ask_random(secret, mask)
    else:
        choice = ask_reader(state, what, seat, mask)
    if history.on and choice >= 0:
        note(history, what)
        note(history, seat)
        note(history, count_bits(mask))
        note(history, choice)
    return choice


@inlined
def ask(state, what, seat, mask):
    """The option a seat chooses from two or more, or PAUSED or ILLEGAL (both negative)."""
    if (state.secret.plain >> np.uint64(seat)) & ONE:
        return ask_random(state.secret, mask)
    return ask_in_full(state, what, seat, mask)


@inlined
def choose_of_two(state, what, seat):
    """Option 0 or 1."""
    if (state.secret.plain >> np.uint64(seat)) & ONE:
        index, state.secret.word = split(state.secret.word, 2)
        return index
    return ask_in_full(state, what, seat, OPTIONS_0_1)


@inlined
def choose(state, what, seat, mask):
    """As `ask`, for one or more options: a forced choice is no question."""
    if mask & (mask - ONE) == 0:
        return lowest_bit(mask)
    return ask(state, what, seat, mask)
