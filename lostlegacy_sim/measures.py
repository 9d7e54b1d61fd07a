"""Measures every game has: who wins, by seat and by bot, against par; a game adds its own.

Seats are counted from 1 in names, as people count them. A seat's rate averages over the rotations of the line-up; a bot's rate
averages over the seats of the line-up that it fills. Par is the mean win rate of the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Measure
from lostlegacy_sim.tally import Totals

Count: TypeAlias = Callable[[Totals], NDArray[Any]]


@dataclass(frozen=True)
class Winners:
    """Who won, in the counts of a game."""

    won: Count  # wins by rotation of the line-up and seat, [..., rotations, seats] or more of both
    nobody: Count  # deals nobody won
    is_one: bool = True  # at most one seat wins a deal

    def of_all(self, totals: Totals) -> NDArray[Any]:
        """Wins of all seats; of one winner a deal, the deals somebody won."""
        return np.asarray(self.won(totals).sum(axis=(-2, -1)))

    def of_seat(self, seat: int) -> Count:
        """Wins of a seat (from 0), in all rotations."""
        return lambda totals: self.won(totals)[..., seat].sum(axis=-1)

    def of_entries(self, entries: list[int], players: int, rotations: int) -> Count:
        """Wins of some line-up entries; rotation r seats entry (seat + r) % players on each seat."""
        if rotations == 1:
            return self.of_all  # one bot fills the table; the other rotations are the same deals
        seats = [(rotation, (entry - rotation) % players) for entry in entries for rotation in range(rotations)]

        def count(totals: Totals) -> NDArray[Any]:
            won = self.won(totals)
            return np.asarray(won[..., [rotation for rotation, _ in seats], [seat for _, seat in seats]].sum(axis=-1))

        return count


def group(name: str, number: int | None = None) -> Count:
    """A group of the tally, or one number of it."""
    return lambda totals: totals[name] if number is None else totals[name][..., number]


deals = group("deals")


def proportion(name: str, meaning: str, events: Count, trials: Count = deals, share: float = 1.0, better: int = 0) -> Measure:
    """A rate of which every deal is one trial."""
    return Measure(name, "rate", meaning, events, trials, "proportion", share, least=0.0, most=share, better=better, tellers=trials)


def mean_rate(name: str, meaning: str, wins: Count, seats: int, winners: Winners) -> Measure:
    """The mean win rate of some seats: a proportion of deals if at most one of them can win."""
    if winners.is_one or seats == 1:
        return proportion(name, meaning, wins, share=1 / seats)
    return Measure(name, "rate", meaning, lambda totals: wins(totals) / seats, deals, least=0.0, most=1.0)


def above_par(name: str, meaning: str, wins: Count, seats: int, players: int, winners: Winners) -> Measure:
    """A win rate minus par."""
    most = (1 / seats if winners.is_one else 1.0) - (1 / players if winners.is_one else 0.0)
    least = -1 / players if winners.is_one else -1.0
    least, most = (0.0, 0.0) if seats == players else (least, most)  # all seats together are par itself
    return Measure(name, "difference", meaning, lambda totals: wins(totals) / seats - winners.of_all(totals) / players, deals, least=least, most=most)


def index(name: str, meaning: str, wins: Count, seats: int, players: int, winners: Winners) -> Measure:
    """A win rate divided by par."""
    least, most = (1.0, 1.0) if seats == players else (0.0, players / seats)
    return Measure(name, "ratio", meaning, lambda totals: wins(totals) * players, lambda totals: winners.of_all(totals) * seats,
                   least=least, most=most, tellers=winners.of_all)  # fmt: skip


def outcome_measures(players: int, winners: Winners) -> Iterator[Measure]:
    """Whether somebody wins, and what a seat can expect."""
    yield proportion("nobody", "deals nobody won", winners.nobody, better=-1)
    yield proportion("decided", "deals somebody won", lambda totals: deals(totals) - winners.nobody(totals), better=1)
    par = "mean win rate of the seats"
    yield mean_rate("par", f"{par}: an equal share of the decided deals" if winners.is_one else par, winners.of_all, players, winners)


def void_measure() -> Measure:
    """Deals that do not count."""
    return proportion("void", "deals that passed their bound on turns and do not count", group("void"),
                      lambda totals: totals["deals"] + totals["void"], better=-1)  # fmt: skip


def seat_measures(players: int, winners: Winners) -> Iterator[Measure]:
    """Who wins, by seat."""
    names = tuple(f"win_seat[{seat}]" for seat in range(1, players + 1))
    for seat in range(players):
        wins, people = winners.of_seat(seat), seat + 1
        yield proportion(f"win_seat[{people}]", f"win rate of seat {people}", wins)
        yield above_par(f"above_seat[{people}]", f"win rate of seat {people} minus par", wins, 1, players, winners)
        yield index(f"index_seat[{people}]", f"win rate of seat {people} / par", wins, 1, players, winners)
    yield above_par("first_seat", "win rate of the first seat minus par", winners.of_seat(0), 1, players, winners)

    def gap(totals: Totals) -> NDArray[Any]:
        wins = winners.won(totals)[..., :players].sum(axis=-2)
        return np.asarray(wins.max(axis=-1) - wins.min(axis=-1))

    yield Measure("seat_gap", "difference", "largest minus smallest win rate of a seat", gap, deals, "gap", rates=names,
                  least=0.0, most=1.0, better=-1)  # fmt: skip


def bot_measures(experiment: Experiment, winners: Winners) -> Iterator[Measure]:
    """Who wins, by bot."""
    players = experiment.players
    for bot in dict.fromkeys(experiment.bots):
        entries = [entry for entry, name in enumerate(experiment.bots) if name == bot]
        wins, seats = winners.of_entries(entries, players, experiment.rotations), len(entries)
        yield mean_rate(f"win_bot[{bot}]", f"mean win rate of the seats of {bot}", wins, seats, winners)
        yield above_par(f"above_bot[{bot}]", f"mean win rate of the seats of {bot} minus par", wins, seats, players, winners)
        yield index(f"index_bot[{bot}]", f"mean win rate of the seats of {bot} / par", wins, seats, players, winners)


def by_name(measures: Iterator[Measure] | list[Measure]) -> Mapping[str, Measure]:
    """Measures by their names."""
    return {measure.name: measure for measure in measures}


def standard_measures(experiment: Experiment, winners: Winners) -> Mapping[str, Measure]:
    """All measures that every game has, by name."""
    return by_name([
        *outcome_measures(experiment.players, winners), void_measure(), *seat_measures(experiment.players, winners),
        *bot_measures(experiment, winners),
    ])  # fmt: skip
