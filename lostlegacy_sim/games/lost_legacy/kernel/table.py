"""A table to play at: records, line-up and keys of one experiment; the door to the compiled core."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.kernel.ask import ILLEGAL, READS_LOG, mark_plain
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.card_counts import CARD_TALLY, count_cards
from lostlegacy_sim.games.lost_legacy.kernel.counts import EXEMPLARS, LABELS, TALLY, count_deal
from lostlegacy_sim.games.lost_legacy.kernel.effect_table import effect_table
from lostlegacy_sim.games.lost_legacy.kernel.log import COUNTS, LOGS
from lostlegacy_sim.games.lost_legacy.kernel.rules import deal, play_on
from lostlegacy_sim.games.lost_legacy.kernel.state import State, new_state
from lostlegacy_sim.games.lost_legacy.kernel.watch import WRITTEN, end_of_stretch, field_of, is_watched
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_CARDS, QUESTIONS
from lostlegacy_sim.jit import kernel, out_of_line
from lostlegacy_sim.rng import chance_key, choice_key, keyed, shuffle_inside_out
from lostlegacy_sim.tally import Counts, n_labels

ALL_PLAYED = -1
N_LABELS = n_labels(LABELS)


@kernel
def set_block(state, seed, block, repeat):
    """Key and shuffle of a block."""
    out_of_line()
    secret = state.secret
    secret.chance = chance_key(seed, block)
    secret.choice = choice_key(secret.chance, repeat)
    n_slots = state.cards.n_slots
    shuffle_inside_out(state.cards.slot_kind, secret.order[MAX_CARDS - n_slots :], n_slots, keyed(secret.chance, 0))


@kernel
def seat_line_up(state, rotation):
    """Rotation r seats entry (seat + r) % n on each seat."""
    out_of_line()
    secret, n_seats = state.secret, state.public.n_seats
    for seat in range(n_seats):
        entry = (seat + rotation) % n_seats
        secret.entry[seat] = entry
        secret.bot[seat] = secret.line_up[entry]
        state.seats.private[seat].parameter = secret.parameter[entry]
    mark_plain(secret, state.history, n_seats)


@kernel
def play_and_count(state, first_block, n_blocks, rotations, seed, repeat, tally, card_tally, exemplars):
    """Play and count all rotations of these blocks; the deal in which a bot broke the rules, or ALL_PLAYED."""
    out_of_line()
    seat_line_up(state, 0)
    for block in range(first_block, first_block + n_blocks):
        set_block(state, seed, np.uint64(block), repeat)
        for rotation in range(rotations):
            if rotations > 1:
                seat_line_up(state, rotation)
            deal(state)
            number = block * rotations + rotation
            if play_on(state) == ILLEGAL:
                return number
            count_deal(state.cards, state.secret, state.public, tally, exemplars, rotation, number)
            if state.secret.watches & COUNTS:
                count_cards(state.cards, state.secret, state.public, card_tally)
    return ALL_PLAYED


@kernel
def play_blocks(cards, secret, public, seats, question, history, first_block, n_blocks, rotations, seed, repeat, tally, card_tally, exemplars):
    """As `play_and_count`, from Python: it hands over an array of one record in a tenth of the time a record takes."""
    state = State(cards[0], secret[0], public[0], seats[0], question[0], history[0])
    return play_and_count(state, first_block, n_blocks, rotations, seed, repeat, tally[0], card_tally[0], exemplars[0])


def deal_underway(state: State, experiment: Experiment, first_block: int, n_blocks: int) -> int | None:
    """Which deal of these blocks the records are in the midst of; None if of none."""
    for block in range(first_block, first_block + n_blocks):
        if int(chance_key(np.uint64(experiment.seed), np.uint64(block))) == int(state.secret["chance"]):
            return block * experiment.rotations + int(state.secret["entry"][0])
    return None


class LegacyTable:
    """Records of one set, one line-up and one seed; one a thread."""

    def __init__(
        self, card_set: CardSet, bots: tuple[Bot, ...], rotations: int, seed: int, repeat: int = 0, counts_cards: bool = False, is_strict: bool = False
    ) -> None:
        """`bots`: one an entry of the line-up; `counts_cards`: the counts have the labels of the kinds too; `is_strict`: of users' bots, each
        deal is watched, not a sample."""
        self.state: State = new_state(effect_table(card_set))
        self.bots, self.rotations = bots, rotations
        self.seed, self.repeat = np.uint64(seed), np.uint64(repeat)
        self.state.public["n_seats"] = len(bots)
        logs = any(bot.reads & READS_LOG for bot in bots)
        self.state.secret["watches"] = COUNTS * counts_cards | LOGS * logs
        self.take(self.state)
        self.no_cards = np.zeros(1, CARD_TALLY)
        for entry, bot in enumerate(bots):
            self.state.secret["line_up"][entry], self.state.secret["parameter"][entry] = bot.number, bot.parameter
            self.state.secret["reads"][entry], self.state.secret["never"][entry] = bot.reads, bot.never
        self.replay_line: Callable[[int], str] | None = None  # of a deal
        self.has_users_bots, self.is_strict = any(bot.watched for bot in bots), is_strict
        self.watch(False)

    def watch(self, is_watched: bool) -> None:
        """Have users' bots watched from now on, or not; the others never are."""
        for entry, bot in enumerate(self.bots):
            callback = bot.watched if is_watched and bot.watched else bot.callback
            self.state.secret["address"][entry] = callback.address if callback else 0

    def take(self, state: State) -> None:
        """Play with these records, which hold the same, from now on."""
        self.state = state
        self.records = [record.base for record in state]  # the arrays of one that they are views of

    def play(self, first_block: int, n_blocks: int, counts: Counts, exemplars: Counts) -> None:
        """Play all rotations of these blocks; see game.Table."""
        tally, found = counts[:N_LABELS].view(TALLY), exemplars.view(EXEMPLARS)
        cards = counts[N_LABELS:].view(CARD_TALLY) if self.state.secret["watches"] & COUNTS else self.no_cards
        for first, n in self.stretches(first_block, first_block + n_blocks):
            stopped = play_blocks(*self.records, first, n, self.rotations, self.seed, self.repeat, tally, cards, found)
            if stopped != ALL_PLAYED:
                raise BotError(self.complaint(stopped))

    def stretches(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """These blocks, as (first, how many), each time after users' bots are watched for them or are not."""
        while first < end:
            until = end_of_stretch(self.seed, first, end) if self.has_users_bots and not self.is_strict else end
            if self.has_users_bots:
                self.watch(self.is_strict or bool(is_watched(self.seed, first)))
            yield first, until - first
            first = until

    def compile(self) -> None:
        """Compile or load the kernel now."""
        counts = np.zeros(1, TALLY), self.no_cards, np.zeros(1, EXEMPLARS)
        play_blocks(*self.records, 0, 0, self.rotations, self.seed, self.repeat, *counts)

    def record(self, number: int) -> int:
        """Play one deal and write its history; returns the kernel's status."""
        block, rotation = divmod(number, self.rotations)
        self.state.history["on"] = 1
        self.watch(True)
        set_block(self.state, self.seed, np.uint64(block), self.repeat)
        seat_line_up(self.state, rotation)
        deal(self.state)
        return int(play_on(self.state))

    def how_to_see(self, number: int) -> str:
        """The command that plays a deal again, as a sentence; "" if it is not known."""
        return f" Play it again: {self.replay_line(number)}" if self.replay_line else ""

    def complaint(self, number: int) -> str:
        """What a bot did wrong in the deal the kernel stopped in."""
        question, secret = self.state.question, self.state.secret
        seat, n = int(question["seat"]), int(question["n"])
        bot = self.bots[int(secret["entry"][seat])]
        asked = f"'{QUESTIONS[int(question['what'])][0]}'"
        where = f"(deal {number}, turn {int(self.state.public['turn'])}, seed {int(self.seed)})"
        if (refused := int(secret["refused"])) <= WRITTEN:
            return (
                f"{bot.name} in seat {seat + 1} wrote into {field_of(WRITTEN - refused)} at the question {asked} {where}. "
                f"It may write private.word and private.memory.{self.how_to_see(number)}"
            )
        return (
            f"{bot.name} in seat {seat + 1} answered {refused} to the question {asked}, which has the options 0 to {n - 1} {where}. "
            "`decide` must return the index of an option."
        )
