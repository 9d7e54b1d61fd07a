"""Training `trained`: rounds of play at every table, and a step uphill after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot
from lostlegacy_sim.games.lost_legacy.bots.trained.features import ROWS, THOUGHT, WEIGHED, WIDTH
from lostlegacy_sim.games.lost_legacy.bots.trained.weights import Numbers, Weights, first_weights
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, READS_VIEW
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.table import ALL_PLAYED, LegacyTable
from lostlegacy_sim.games.lost_legacy.research.training.learning import N_SUMS, TRAIL, play_and_learn
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_SEATS

# Who sits in a seat, of 1000 seats; beside them one seat of every deal learns. Found by playing, as all numbers here.
LEARNERS, EARLIER_SELVES = 450, 100
POOL = {"careful": 250, "hunter": 100, "novice": 50, "random": 50}
DEALS = 2000  # of a round at each table
RATE, BASELINE_RATE = 0.02, 0.01  # largest change of a weight by a round
STEADY = 0.5  # share of the rounds after which the rate begins to fall, to 0 at the end
EARLIER = 50  # rounds after which the earlier self is replaced
FRESH = 1 << 42  # the first deal; a measurement with the same seed does not come so far

Slopes = tuple[Numbers, Numbers, Numbers, Numbers]  # of the table, the output, the baseline; and sums


@dataclass(frozen=True)
class Round:
    """What became of one round."""

    number: int  # counted from 1
    deals: int  # so far
    lead: tuple[float, ...]  # at each table: win share of the seat that always learns above an equal share, in points


class School:
    """One table with learners and their company; it plays a part of every round."""

    def __init__(self, card_set: CardSet, n_seats: int, seed: int) -> None:
        aside = Bot("aside", ASIDE, reads=READS_VIEW)
        self.table = LegacyTable(card_set, (aside, *map(built_in_bot, POOL)), 1, seed)
        self.table.state.public["n_seats"] = n_seats
        self.lots = np.cumsum([LEARNERS, EARLIER_SELVES, *POOL.values()])
        records = np.zeros(1, THOUGHT)[0], np.zeros(1, TRAIL)[0]
        self.scratch = (*records, np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS), (np.zeros(WIDTH), np.zeros(WIDTH)))

    def play(self, first: int, deals: int, weights: Weights, earlier: Weights, baseline: Numbers) -> Slopes:
        """Play so many deals and return the slopes. Raises BotError."""
        rows = len(WEIGHED) * ROWS
        slopes = np.zeros((rows, WIDTH)), np.zeros((len(WEIGHED), WIDTH)), np.zeros(rows), np.zeros(N_SUMS)
        selves = weights.compiled(), earlier.compiled()
        stopped = play_and_learn(self.table.state, self.table.seed, first, deals, self.lots, *selves, baseline, slopes, self.scratch)
        if stopped != ALL_PLAYED:
            raise BotError(self.table.complaint(int(stopped)))
        return slopes


class Climber:
    """Steps uphill in some numbers, each as steady as its slope has been (Adam: Kingma and Ba 2015)."""

    FADES, SPREADS = 0.9, 0.998  # how much of the mean slope, and of its mean square, lasts a round

    def __init__(self, shape: tuple[int, ...], rate: float) -> None:
        self.mean, self.square, self.rounds, self.rate = np.zeros(shape), np.zeros(shape), 0, rate

    def step(self, slope: Numbers, share: float) -> Numbers:
        """The change after one more round, by this share of the rate."""
        self.rounds += 1
        self.mean += (1 - self.FADES) * (slope - self.mean)
        self.square += (1 - self.SPREADS) * (slope * slope - self.square)
        mean, square = self.mean / (1 - self.FADES**self.rounds), self.square / (1 - self.SPREADS**self.rounds)
        return share * self.rate * mean / (np.sqrt(square) + 1e-8)


def train(
    card_sets: Sequence[CardSet], players: Sequence[int], rounds: int, seed: int, threads: int,
    deals: int = DEALS, tell: Callable[[Round], None] = lambda found: None,
) -> Weights:  # fmt: skip
    """Weights learnt in so many rounds of deals at each table: each set with each number of players. Raises BotError.

    The tables share the work; their slopes are added up in one order, so any number of threads learns the same.
    """
    weights = earlier = first_weights(seed)
    table, out, baseline = weights.table.copy(), weights.out.copy(), np.zeros(len(WEIGHED) * ROWS)
    climbers = Climber(table.shape, RATE), Climber(out.shape, RATE), Climber(baseline.shape, BASELINE_RATE)
    schools = [School(card_set, n_seats, seed) for card_set, n_seats in product(card_sets, players)]
    with ThreadPoolExecutor(threads) as pool:
        for number in range(rounds):
            first = FRESH + number * deals
            jobs = [pool.submit(school.play, first, deals, weights, earlier, baseline) for school in schools]
            found = [job.result() for job in jobs]
            share = min(1.0, (1 - number / rounds) / (1 - STEADY))
            for which, numbers in enumerate((table, out, baseline)):
                numbers += climbers[which].step(sum_of([slopes[which] for slopes in found]) / (deals * len(schools)), share)
            out[:, 0] = 1.0
            weights = Weights(table.copy(), out.copy())
            earlier = weights if number % EARLIER == EARLIER - 1 else earlier
            tell(Round(number + 1, (number + 1) * deals * len(schools), tuple(100 * float(slopes[3][1] / slopes[3][0]) for slopes in found)))
    return weights.rounded()


def sum_of(arrays: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Their sum, in this order."""
    total = np.zeros_like(arrays[0])
    for array in arrays:
        total += array
    return total
