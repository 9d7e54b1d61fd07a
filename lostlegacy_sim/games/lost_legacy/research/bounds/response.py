"""A lower bound on what the best opponent wins from a bot: a response trained against it, measured on fresh deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, READS_VIEW
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.research.bounds.learning import LONGEST, OPTIONS, SLOTS, play_learner

EXPLORES = (200, 100, 50)  # per mille of questions answered at random, in each third of the training
MEASURING = -1
FRESH = 1 << 40  # the first deal that is measured on; no training comes so far
CHAIR = 1 << 41  # from here on are the deals of the second chair: the two never play the same shuffle


@dataclass(frozen=True)
class Measured:
    """What a response wins from a bot, both chairs averaged, each with as many deals."""

    deals: int
    wins: float  # share of deals the response wins
    losses: float  # share of deals the bot wins

    @property
    def margin(self) -> float:
        """Wins less losses: what the bot is exploited at least."""
        return self.wins - self.losses

    @property
    def error(self) -> float:
        """Its standard error, deals being independent; not below that of a deal seen once."""
        return sqrt(max(self.wins + self.losses - self.margin**2, 1 / self.deals) / self.deals)


class Learner:
    """A response to one bot for a table of two, a pair of tables for each chair it may sit in."""

    def __init__(self, card_set: CardSet, rival: Bot | Sequence[Learner], seed: int) -> None:
        """`rival`: a bot, or learners of which one is drawn for every deal; one that has learnt nothing plays as `careful` does."""
        aside = Bot("aside", ASIDE, reads=READS_VIEW)
        bot = rival if isinstance(rival, Bot) else aside
        learnt: Sequence[Learner] = () if isinstance(rival, Bot) else rival
        self.seed, self.trained = np.uint64(seed), 0
        self.tables = (LegacyTable(card_set, (aside, bot), 1, seed), LegacyTable(card_set, (bot, aside), 1, seed))
        self.returns = np.zeros((2, 2, SLOTS, OPTIONS), np.float32)
        self.visits = np.zeros((2, 2, SLOTS, OPTIONS), np.int32)
        shape = (len(learnt), *self.returns.shape)
        self.rivals = (
            np.stack([one.returns for one in learnt]) if learnt else np.zeros(shape, np.float32),
            np.stack([one.visits for one in learnt]) if learnt else np.zeros(shape, np.int32),
        )
        self.trail = np.zeros((LONGEST, 3), np.int64)

    def train(self, deals: int) -> None:
        """Play so many deals more in each chair and learn from them. Raises BotError."""
        for third, explores in enumerate(EXPLORES):
            first, last = (self.trained + deals * end // len(EXPLORES) for end in (third, third + 1))
            self._play(first, last - first, explores)
        self.trained += deals

    def let_go(self) -> None:
        """Forget the rivals, which take much memory; it is not trained or measured any more."""
        self.rivals = self.rivals[0][:0], self.rivals[1][:0]

    def measure(self, deals: int) -> Measured:
        """Play so many fresh deals in each chair as learnt, and learn nothing. Raises BotError."""
        sums = self._play(FRESH, deals, MEASURING)
        return Measured(int(sums[0]), float(sums[1] / sums[0]), float(sums[2] / sums[0]))

    def _play(self, first: int, deals: int, explores: int) -> NDArray[np.int64]:
        sums = np.zeros(3, np.int64)
        for seat, table in enumerate(self.tables):
            arrays = self.returns[seat], self.visits[seat], self.rivals, self.trail
            begin = first + seat * CHAIR
            if not play_learner(table.state, seat, begin, deals, self.seed, *arrays, explores, sums):
                raise BotError(table.complaint(begin + int(sums[0]) - seat * deals))
        return sums


def bounds(card_set: CardSet, bot: Bot, budgets: Sequence[int], deals: int, seed: int) -> list[tuple[int, Measured]]:
    """What a response wins from a bot after training for each of these budgets, ascending numbers of deals a chair.

    `deals`: how many are measured on in each chair; the same ones for every budget. Raises BotError.
    """
    learner, found = Learner(card_set, bot, seed), []
    for budget in budgets:
        learner.train(budget - learner.trained)
        found.append((budget, learner.measure(deals)))
    return found
