"""Watching a user's bot: what it may not write is kept before it is asked, and compared with what is there afterwards.

The kernel of the house knows nothing of it: a watched bot is another callback, made of the same `decide` (see policy.guarded).
"""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.state import CARDS, PRIVATE, PUBLIC, QUESTION, SEATS
from lostlegacy_sim.jit import kernel, lowest_bit, out_of_line, stack_of_words, words_of
from lostlegacy_sim.rng import chance_key, keyed

WRITTEN = -(1 << 40)  # a watched bot that has written into byte i of KEPT returns WRITTEN - i
OWN_FIELDS = ("word", "memory")  # of PRIVATE: what a bot may write
KEPT = np.dtype([("cards", CARDS), ("public", PUBLIC), ("seats", SEATS), ("question", QUESTION)])

WORD = 8  # bytes
CARDS_AT, PUBLIC_AT, SEATS_AT, QUESTION_AT = (KEPT.fields[name][1] // WORD for name in KEPT.names)
CARDS_WORDS, PUBLIC_WORDS, SEATS_WORDS, QUESTION_WORDS = (record.itemsize // WORD for record in (CARDS, PUBLIC, SEATS, QUESTION))
PRIVATE_WORDS = PRIVATE.itemsize // WORD
WORD_AT, MEMORY_AT = (PRIVATE.fields[name][1] // WORD for name in OWN_FIELDS)
MEMORY_WORDS = PRIVATE["memory"].itemsize // WORD

WATCHED_FIRST = 256  # blocks of a run, from the first one on, that are all watched
WATCHED_TOGETHER = 32  # blocks next to each other, all watched or none
WATCHED_ONE_IN = 256
SAMPLE = np.uint64(1 << 40)  # the number of the word that says whether blocks are watched; no chance event has it

room = stack_of_words(KEPT.itemsize // WORD)


@kernel
def copy_words(there, at, words, first, n):
    """Copy n words from the first one on."""
    for index in range(n):
        there[at + index] = words[first + index]


@kernel
def changed_byte(kept, at, words, first, n):
    """The first byte of n words that is not what was kept, by its place in KEPT; -1 if all are."""
    changes = np.uint64(0)
    for index in range(n):
        changes |= kept[at + index] ^ words[first + index]
    if changes != 0:
        for index in range(n):
            change = kept[at + index] ^ words[first + index]
            if change != 0:
                return WORD * (at + index) + lowest_bit(change) // 8
    return -1


@kernel
def keep(kept, cards, public, private, question, seat):
    """Keep what the bot in this seat is given, and the private records of all seats, among which its own lies."""
    out_of_line()
    copy_words(kept, CARDS_AT, words_of(cards), 0, CARDS_WORDS)
    copy_words(kept, PUBLIC_AT, words_of(public), 0, PUBLIC_WORDS)
    copy_words(kept, SEATS_AT, words_of(private), -seat * PRIVATE_WORDS, SEATS_WORDS)
    copy_words(kept, QUESTION_AT, words_of(question), 0, QUESTION_WORDS)


@kernel
def written(kept, cards, public, private, question, seat):
    """The first byte, by its place in KEPT, that the bot in this seat has written and may not; -1 if it has not.

    What it has written is taken back, so that one can tell where that was.
    """
    out_of_line()
    own = SEATS_AT + seat * PRIVATE_WORDS
    copy_words(kept, own + WORD_AT, words_of(private), WORD_AT, 1)
    copy_words(kept, own + MEMORY_AT, words_of(private), MEMORY_AT, MEMORY_WORDS)
    found = changed_byte(kept, CARDS_AT, words_of(cards), 0, CARDS_WORDS)
    if found < 0:
        found = changed_byte(kept, PUBLIC_AT, words_of(public), 0, PUBLIC_WORDS)
    if found < 0:
        found = changed_byte(kept, SEATS_AT, words_of(private), -seat * PRIVATE_WORDS, SEATS_WORDS)
    if found < 0:
        found = changed_byte(kept, QUESTION_AT, words_of(question), 0, QUESTION_WORDS)
    if found >= 0:
        copy_words(words_of(cards), 0, kept, CARDS_AT, CARDS_WORDS)
        copy_words(words_of(public), 0, kept, PUBLIC_AT, PUBLIC_WORDS)
        copy_words(words_of(private), -seat * PRIVATE_WORDS, kept, SEATS_AT, SEATS_WORDS)
        copy_words(words_of(question), 0, kept, QUESTION_AT, QUESTION_WORDS)
    return found


@kernel
def answer_or_written(chosen, found):
    """What a watched bot returns."""
    return max(chosen, np.int64(WRITTEN + 1)) if found < 0 else WRITTEN - found


@kernel
def is_watched(seed, block):
    """Whether all deals of a block are watched if only a sample is: the same ones on every machine."""
    return block < WATCHED_FIRST or keyed(chance_key(seed, np.uint64(block // WATCHED_TOGETHER)), SAMPLE) % np.uint64(WATCHED_ONE_IN) == 0


@kernel
def end_of_stretch(seed, first, end):
    """Where the blocks from the first one on, up to `end`, cease to be watched as it is, or not watched as it is not."""
    is_first = is_watched(seed, first)
    block = first + 1
    while block < end and is_watched(seed, block) == is_first:
        block += 1
    return block


def field_of(place: int) -> str:
    """The field at a byte of KEPT, in words: "public.deck_size", "private.known of seat 2"."""
    name, (record, at) = max(((name, entry[:2]) for name, entry in KEPT.fields.items() if entry[1] <= place), key=lambda found: found[1][1])
    place -= at
    seat, place = divmod(place, PRIVATE.itemsize) if name == "seats" else (None, place)
    fields = (PRIVATE if name == "seats" else record).fields
    field = max((entry[1], field) for field, entry in fields.items() if entry[1] <= place)[1]
    return f"{name}.{field}" if seat is None else f"private.{field} of seat {seat + 1}"
