"""Luck: how much of who wins is settled once the cards are shuffled, by repeated plays of each shuffle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.estimate import CONFIDENCE, Estimate
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.luck import luck_share
from lostlegacy_sim.tally import Totals, no_exemplars

MOST_REPEATS = 100
MOST_DEALS = 200_000  # all plays together; it is told to a third of a point then
STOP_EVERY = 256  # shuffles


@dataclass(frozen=True)
class Luck:
    """The luck share of every seat and of all together."""

    repeats: int
    shuffles: int
    seats: tuple[Estimate, ...]
    together: Estimate

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"repeats": self.repeats, "shuffles": self.shuffles, "seats": [seat.to_plain() for seat in self.seats],
                "together": self.together.to_plain()}  # fmt: skip


def check_luck(experiment: Experiment, repeats: int) -> None:
    """Raises UsageError if luck cannot be asked of an experiment."""
    if not 2 <= repeats <= MOST_REPEATS:
        raise UsageError(f"--luck {repeats}: play each shuffle at least twice, and at most {MOST_REPEATS} times.")
    if experiment.rotations > 1:
        raise UsageError("--luck is asked of a table of equal bots; with different ones, who sits where is a third cause beside luck and choices.")
    if experiment.blocks // repeats < 2:
        raise UsageError(f"--luck {repeats}: {experiment.deals} deals are fewer than two shuffles; add --deals.")


def play_luck(experiment: Experiment, game: Game, repeats: int, stop: Event | None = None) -> Luck | None:
    """Play as many shuffles as the experiment's deals, or MOST_DEALS, allow, each `repeats` times; None if stopped before the end.

    The shuffles are its first ones. All that is random in the cards stays the same from one play to the next; only what
    bots draw for their choices is drawn anew.
    """
    check_luck(experiment, repeats)
    shuffles = min(experiment.blocks, MOST_DEALS) // repeats
    outcomes = []
    for repeat in range(repeats):
        played = wins_of(replace(experiment, repeat=repeat), game, shuffles, stop or Event())
        if played is None:
            return None
        outcomes.append(played)
    shares = luck_share(np.stack(outcomes))
    low, high = shares.bounds(CONFIDENCE)
    # Chance may make an estimate negative; a share is not.
    bounds_of_shares = [Interval(*bounds) for bounds in np.maximum(np.stack([shares.value, low, high], axis=-1), 0.0).tolist()]
    names = [(f"luck_seat[{seat}]", f"share of the variance of seat {seat}'s wins that the shuffle settles") for seat in range(1, experiment.players + 1)]
    names.append(("luck", "share of the variance of who wins that the shuffle settles"))
    found = [
        Estimate(name, "rate", meaning, *bounds, shuffles * repeats, "none" if np.isnan(bounds).any() else "jackknife")
        for (name, meaning), bounds in zip(names, bounds_of_shares, strict=True)
    ]
    return Luck(repeats, shuffles, tuple(found[:-1]), found[-1])


def wins_of(experiment: Experiment, game: Game, shuffles: int, stop: Event) -> NDArray[np.int8] | None:
    """Who won each shuffle, [shuffles, seats]; None if stopped."""
    table, labels, measures = game.open_table(experiment), game.labels(experiment), game.measures(experiment)
    exemplars = no_exemplars(game.categories)
    seats = [measures[f"win_seat[{seat}]"].events for seat in range(1, experiment.players + 1)]
    won = np.zeros((shuffles, experiment.players), np.int8)
    counts = np.zeros((STOP_EVERY, sum(int(np.prod(shape)) for _, shape in labels)), np.int64)
    for first in range(0, shuffles, STOP_EVERY):
        if stop.is_set():
            return None
        here = counts[: min(STOP_EVERY, shuffles - first)]
        here[:] = 0
        for place, row in enumerate(here):
            table.play(first + place, 1, row, exemplars)
        totals = Totals(labels, here)
        for seat, events in enumerate(seats):
            won[first : first + len(here), seat] = events(totals)
    return won
