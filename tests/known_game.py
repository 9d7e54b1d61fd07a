"""A game whose true numbers are known: its counts are drawn block by block, many results at a time, and no deal is played.

A block's deals share their luck: each is like the block's first deal with a chance of ALIKE, else drawn anew. Two tables drawn from
the same luck are paired as two sets over the same shuffles are.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Measure
from lostlegacy_sim.result import Result
from lostlegacy_sim.tally import Tally, Totals, no_exemplars

ALIKE = 0.5
SEATS = 4
LABELS = (("deals", ()), ("void", ()), ("event", ()), ("turns", ()), ("held", ()), ("held_won", ()), ("won", (SEATS,)))
CATEGORIES = ("longest",)
MOST_TURNS = 13


@dataclass(frozen=True)
class Truth:
    """What is true of a table."""

    event: float = 0.25  # rate of a plain event
    turns: tuple[float, ...] = tuple([0.125] * 8)  # chances of 3, 4, ... turns
    held: float = 0.1  # of each of two trials a deal to take place
    held_won: float = 0.3  # of a deal to turn one of them, if there is one, into an event
    won: tuple[float, ...] = (0.2, 0.2, 0.2, 0.2)  # of each seat to win; else nobody does

    @property
    def of(self) -> dict[str, float]:
        """By the name of the measure."""
        decided = sum(self.won)
        some = 1 - (1 - self.held) ** 2
        return {
            "event": self.event,
            "turns": sum(chance * (3 + place) for place, chance in enumerate(self.turns)),
            "held_win": self.held_won * some / (2 * self.held) if self.held else np.nan,
            "above": self.won[0] - decided / SEATS,
            "index": SEATS * self.won[0] / decided if decided else np.nan,
            "gap": max(self.won) - min(self.won),
            **{f"win[{seat}]": chance for seat, chance in enumerate(self.won, 1)},
        }


def measures(experiment: Experiment | None = None) -> dict[str, Measure]:
    """The measures of every form."""
    deals, trials = (lambda totals: totals["deals"]), (lambda totals: totals["held"])
    decided = lambda totals: totals["won"].sum(axis=-1)  # noqa: E731
    first = lambda totals: totals["won"][..., 0]  # noqa: E731
    wins = [
        Measure(f"win[{seat + 1}]", "rate", "", lambda totals, seat=seat: totals["won"][..., seat], deals, "proportion", least=0.0, most=1.0)
        for seat in range(SEATS)
    ]
    every = [
        Measure("event", "rate", "", lambda totals: totals["event"], deals, "proportion", least=0.0, most=1.0),
        Measure("turns", "turns", "", lambda totals: totals["turns"], deals, least=0.0, most=MOST_TURNS),
        Measure("held_win", "rate", "", lambda totals: totals["held_won"], trials, "rate", least=0.0, most=1.0, tellers=trials),
        Measure("above", "difference", "", lambda totals: first(totals) - decided(totals) / SEATS, deals, least=-1 / SEATS, most=1 - 1 / SEATS),
        Measure("index", "ratio", "", lambda totals: first(totals) * SEATS, decided, least=0.0, most=SEATS, tellers=decided),
        *wins,
        Measure("gap", "difference", "", lambda totals: np.ptp(totals["won"], axis=-1), deals, "gap",
                rates=tuple(win.name for win in wins), least=0.0, most=1.0),
    ]
    return {measure.name: measure for measure in every}


KNOWN = Game("known", "Known", lambda experiment: LABELS, CATEGORIES, None, None, measures)  # type: ignore[arg-type]


@dataclass
class Luck:
    """Uniform numbers, [results, blocks, rotations] for each thing that is drawn; asked for again they are the same."""

    results: int
    blocks: int
    rotations: int = 1
    seed: int = 1
    drawn: dict[str, np.ndarray] = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.drawn:
            chance = np.random.default_rng([self.seed, *name.encode()])
            numbers = chance.random((self.results, self.blocks, self.rotations), np.float32)
            alike = chance.random(numbers.shape, np.float32) < ALIKE
            self.drawn[name] = np.where(alike, numbers[..., :1], numbers)
        return self.drawn[name]

    @property
    def experiment(self) -> Experiment:
        """What each of the results is one of."""
        bots = ("one", *["other"] * (SEATS - 1)) if self.rotations > 1 else ("one",) * SEATS
        return Experiment("known", "known", "Known", "", SEATS, bots, ("",) * SEATS, self.blocks * self.rotations, self.seed)

    @property
    def sizes(self) -> np.ndarray:
        """Blocks in each batch."""
        one = self.experiment
        return np.diff([*range(0, one.blocks, one.batch_blocks), one.blocks])


def counts(luck: Luck, truth: Truth) -> np.ndarray:
    """The counts of a table with this luck, [batches, results, labels]."""
    starts = np.concatenate([[0], np.cumsum(luck.sizes)[:-1]])

    def batched(of_deals: np.ndarray) -> np.ndarray:
        return np.add.reduceat(of_deals.sum(axis=2, dtype=np.int64), starts, axis=1).T

    seat = np.searchsorted(np.cumsum(truth.won), luck["who"], "right")
    held = [(luck[f"held {number}"] < truth.held).astype(np.int64) for number in (1, 2)]
    turns = 3 + np.searchsorted(np.cumsum(truth.turns)[:-1], luck["turns"], "right")
    columns = [
        np.broadcast_to(luck.sizes[:, None] * luck.rotations, (len(luck.sizes), luck.results)),
        np.zeros((len(luck.sizes), luck.results), np.int64),
        batched(luck["event"] < truth.event),
        batched(turns),
        batched(held[0] + held[1]),
        batched((held[0] + held[1] > 0) & (luck["held won"] < truth.held_won)),
        *(batched(seat == number) for number in range(SEATS)),
    ]
    return np.stack(columns, axis=-1)


def result_of(luck: Luck, of_one: np.ndarray, set_id: str = "known") -> Result:
    """One of the results, of counts [batches, labels]."""
    return Result(replace(luck.experiment, set_id=set_id), Tally(LABELS, np.ascontiguousarray(of_one)), CATEGORIES, no_exemplars(CATEGORIES), {})


def number_of(name: str):
    """A measure as a function of counts [..., labels]."""
    return lambda found: measures()[name](Totals(LABELS, found))
