"""Survey: many experiments on the same deals; of each only the counts that the goals need are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.estimate import CONFIDENCE, EXACT, RATES, Counted, Estimate, method_of, named
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game, Measure, divide, is_proportion
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import HERE, Crew, provenance_of, usable_cores
from lostlegacy_sim.stats.crossing import crossed_gap, ratio_jackknife
from lostlegacy_sim.stats.intervals import Interval, clopper_pearson
from lostlegacy_sim.stats.jackknife import Jackknife, largest_gap
from lostlegacy_sim.stats.unseen import Span
from lostlegacy_sim.tally import MOST_A_DEAL, Totals

POLL_SECONDS = 0.1
EACH_A_THREAD = 4  # from so many experiments a thread on, each is played by one thread

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Survey:
    """The counts of experiments with one line-up and one number of deals, so that all have the same batches."""

    asked: Asked
    rows: tuple[int, ...]  # numbers of the experiments that were played to their end
    counts: NDArray[Any]  # [rows, batches, measures, 2]: events and trials; a gap is counted as its rates
    measures: Mapping[str, Measure]  # all of the game, by name
    provenance: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""  # why a bot stopped it, if one did

    @property
    def deals(self) -> int:
        """Deals of each experiment."""
        return self.asked.experiments[0].planned_deals

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Blocks in each batch."""
        return self.asked.sizes

    def check(self) -> None:
        """Raise ValueError if these cannot be counts of so many deals."""
        each = MOST_A_DEAL * self.asked.experiments[0].rotations * self.sizes
        if not (np.abs(self.counts) <= each[:, None, None]).all():
            raise ValueError("more than can have happened")
        for place, name in enumerate(self.asked.names):
            if self.measures[name].form in RATES and not is_proportion(self.counts[:, :, place, 0], self.counts[:, :, place, 1]):
                raise ValueError("more than all")

    def only(self, rows: Sequence[int]) -> Survey:
        """The same for some of the experiments, in this order; they must have been played."""
        places = [self.rows.index(row) for row in rows]
        return Survey(self.asked, tuple(rows), self.counts[places], self.measures, self.provenance, self.error)

    def events_and_trials(self, name: str) -> NDArray[Any]:
        """Of one counted measure: [rows, batches, 2]."""
        return self.counts[:, :, self.asked.names.index(name)]

    def values(self, name: str) -> NDArray[Any]:
        """A measure of every experiment, [rows]: the number `simulate` prints."""
        measure = self.measures[name]
        if measure.form == "gap":
            rates = np.stack([self.values(rate) for rate in measure.rates])
            return np.asarray(rates.max(axis=0) - rates.min(axis=0))
        totals = self.events_and_trials(name).sum(axis=1)
        return divide(totals[:, 0], totals[:, 1]) * measure.share

    @cached_property
    def known(self) -> dict[str, Jackknife]:
        """What `jackknife` has found."""
        return {}

    def jackknife(self, name: str) -> Jackknife:
        """A measure of every experiment at once, for means and differences of them: value [rows].

        A gap is crossed here (stats/crossing.py), because the jackknife of a maximum is wrong.
        """
        if name not in self.known:
            self.known[name] = self.find_jackknife(name)
        return self.known[name]

    def find_jackknife(self, name: str) -> Jackknife:
        measure = self.measures[name]
        if measure.form == "gap":
            rates = np.stack([self.events_and_trials(rate) for rate in measure.rates], axis=-1)
            return crossed_gap(rates[:, :, 0], rates[:, :, 1, 0], self.sizes, self.span(name))
        both = self.events_and_trials(name)
        return ratio_jackknife(both[..., 0] * measure.share, both[..., 1], self.sizes, self.span(name))

    def span(self, name: str) -> Span:
        """What a measure lies between, and how many blocks have a say in it, with every experiment."""
        measure, blocks = self.measures[name], float(self.sizes.sum())
        if measure.form == "rate" and len(self.rows):
            trials = self.events_and_trials(name)[..., 1].sum(axis=1).min()
            blocks = min(blocks, float(trials) / self.asked.experiments[0].rotations)
        return Span(measure.least, measure.most, blocks)

    def estimate(self, name: str, place: int) -> Estimate:
        """A measure of one experiment, the one at this place of `rows`, with its interval."""
        found, method = self.interval(name, place)
        measure = self.measures[name]
        return Estimate(name, measure.unit, measure.meaning, found.value, found.low, found.high, self.deals, method)

    def interval(self, name: str, place: int) -> tuple[Interval, str]:
        """Its interval and the method behind it."""
        measure = self.measures[name]
        if measure.form == "gap":
            return named(largest_gap(self.together(measure.rates, place), CONFIDENCE), "pairs")
        counted = self.counted(name, place)
        if measure.form in RATES and counted.has_few:
            return named(counted.scaled(clopper_pearson, CONFIDENCE), f"{EXACT} over blocks")
        number = self.jackknife(name)[place]
        return named(number.interval(CONFIDENCE), method_of(number, "jackknife"))

    def counted(self, name: str, place: int) -> Counted:
        """The counts of one rate of one experiment."""
        events, trials = (float(number) for number in self.events_and_trials(name)[place].sum(axis=0))
        rotations = self.asked.experiments[0].rotations
        return Counted(events, trials, trials / rotations, len(self.sizes), False, self.measures[name].share)

    def together(self, names: Sequence[str], place: int) -> Jackknife:
        """Several measures of one span and one experiment as one vector."""
        found = [self.jackknife(name)[place] for name in names]
        value, without = np.stack([one.value for one in found]), np.stack([one.without for one in found], axis=-1)
        return Jackknife(value, without, found[0].sizes, found[0].span)


# --- playing --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What a survey is to play: experiments with one line-up and number of deals, and the measures to count."""

    experiments: tuple[Experiment, ...]
    names: tuple[str, ...]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Blocks in each batch."""
        one = self.experiments[0]
        sizes = np.full(one.batches, one.batch_blocks)
        sizes[-1] = one.blocks - one.batch_blocks * (one.batches - 1)
        return sizes

    @property
    def deals(self) -> int:
        """Deals of all experiments together."""
        return sum(experiment.planned_deals for experiment in self.experiments)

    def __post_init__(self) -> None:
        if len({(experiment.blocks, experiment.rotations, experiment.players) for experiment in self.experiments}) != 1:
            raise ValueError("the experiments of a survey have the same players, line-up and deals")


def play_surveys(
    asked: Sequence[Asked],
    game: Game,
    threads: int | None = None,
    on_progress: Progress | None = None,
    stop: Event | None = None,
    crew: Crew = HERE,
) -> list[Survey]:
    """Play what is asked, the first experiment of each survey first, then the second ones, and so on.

    `on_progress(deals played, deals planned)` is called from this thread. Setting `stop`, or Ctrl-C, ends
    it early, and so does a bot that breaks the rules (`Survey.error`): then the experiments that were
    played to their end are kept, in their order.
    """
    threads, stop, began = threads or usable_cores(), stop or Event(), time.perf_counter()
    measures = [game.measures(one.experiments[0]) for one in asked]
    turns = zip_longest(*(range(len(one.experiments)) for one in asked))
    places = [(number, row) for turn in turns for number, row in enumerate(turn) if row is not None]

    def play_one(place: int, is_alone: bool, move: Progress) -> Reduced:
        number, row = places[place]
        experiment = asked[number].experiments[row]
        result = crew.play_alone(experiment, game, move, stop) if is_alone else crew.play(experiment, game, threads, move, stop)
        if result.error:
            stop.set()
        return reduced(result, [measures[number][name] for name in asked[number].names])

    deals = [asked[number].experiments[row].planned_deals for number, row in places]
    found = dict(zip(places, play_each(play_one, deals, threads, on_progress or (lambda played, planned: None), stop, crew.at_once), strict=True))
    provenance = {**provenance_of(asked[0].experiments[0]), "threads": threads, "seconds": round(time.perf_counter() - began, 3)}
    return [
        gathered(one, [found[number, row] for row in range(len(one.experiments))], measures[number], provenance)
        for number, one in enumerate(asked)
    ]


@dataclass(frozen=True)
class Reduced:
    """What is kept of a result: counts [batches, measures, 2], whether it is whole, a bot's error."""

    counts: NDArray[Any]
    is_whole: bool
    error: str


def reduced(result: Result, measures: Sequence[Measure]) -> Reduced:
    """The events and trials of some measures in every batch."""
    totals = Totals(result.tally.labels, result.tally.counts)
    columns = [np.broadcast_to(np.asarray(count(totals)), result.batches) for measure in measures for count in (measure.events, measure.trials)]
    counts = np.stack(columns, axis=-1).reshape(result.batches, len(measures), 2)
    return Reduced(counts, result.status == "complete", result.error)


def gathered(one: Asked, found: Sequence[Reduced | None], measures: Mapping[str, Measure], provenance: Mapping[str, Any]) -> Survey:
    """The survey of what was played to its end."""
    whole = {row: part.counts for row, part in enumerate(found) if part is not None and part.is_whole}
    error = next((part.error for part in found if part is not None and part.error), "")
    counts = np.stack(list(whole.values())) if whole else np.zeros((0, len(one.sizes), len(one.names), 2), np.int64)
    return Survey(one, tuple(whole), counts, measures, provenance, error)


def play_each(
    play_one: Callable[[int, bool, Progress], Reduced], deals: Sequence[int], threads: int, on_progress: Progress, stop: Event,
    at_once: int | None = None,
) -> list[Reduced | None]:  # fmt: skip
    """Play all places of a list; None for those that were not begun.

    Where there are many, each is played by one thread alone, so that a table is opened once; else each has all threads.
    `at_once` says how many of many, if not as many as there are threads.
    """
    planned, played = sum(deals), [0] * len(deals)

    def play_place(place: int, is_alone: bool) -> Reduced | None:
        def move(now: int, _: int) -> None:
            played[place] = now
            if not is_alone:
                on_progress(sum(played), planned)

        return None if stop.is_set() else play_one(place, is_alone, move)

    if len(deals) < EACH_A_THREAD * threads:
        return [play_place(place, False) for place in range(len(deals))]
    with ThreadPoolExecutor(at_once or threads, thread_name_prefix="survey") as executor:
        futures = [executor.submit(play_place, place, True) for place in range(len(deals))]
        waiting = set(futures)
        while waiting:
            try:
                waiting = wait(waiting, POLL_SECONDS).not_done
                on_progress(sum(played), planned)
            except KeyboardInterrupt:
                stop.set()
    return [future.result() for future in futures]
