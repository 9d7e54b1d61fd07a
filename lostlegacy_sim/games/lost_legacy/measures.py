"""The named measures of Lost Legacy: counts -> number, unit, meaning.

Seats are counted from 1 in names, as people count them. A seat's rate averages over the rotations of
the line-up; a bot's rate averages over the seats of the line-up that it fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Measure, Summary
from lostlegacy_sim.games.lost_legacy.card_measures import card_measures
from lostlegacy_sim.games.lost_legacy.cards.turn_bound import turn_bound
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.tally import Totals

Count: TypeAlias = Callable[[Totals], NDArray[Any]]

SUMMARY: Summary = (
    ("how it ends", (("by_last", "last one left"), ("by_seen", "Legacy seen"), ("by_found", "investigation"), ("nobody", "nobody"))),
    ("length", (("turns", "turns"),)),
    ("out early", (("out_early", "of deals put a seat out before its first turn"),)),
    ("the Legacy", (("legacy_hand", "in a hand"), ("legacy_ruins", "in the ruins"), ("legacy_deck", "never dealt"))),
)  # fmt: skip


def measures(experiment: Experiment) -> Mapping[str, Measure]:
    """All measures of an experiment, by name."""
    every = [
        *outcome_measures(experiment.players),
        *seat_measures(experiment.players),
        *bot_measures(experiment),
        *course_measures(experiment.players, turn_bound(experiment.set_text)),
    ]
    if experiment.detail == "cards":
        card_set = parse_set(experiment.set_text, VOCABULARY, where=experiment.set_name)
        every += card_measures(card_set, experiment.players, turn_bound(experiment.set_text))
    return {measure.name: measure for measure in every}


# --- counts -----------------------------------------------------------------------------------------


def group(name: str, number: int | None = None) -> Count:
    """A group of the tally, or one number of it."""
    return lambda totals: totals[name] if number is None else totals[name][..., number]


def of_seat(name: str, seat: int) -> Count:
    """A group by rotation and seat: one seat (from 0), in all rotations."""
    return lambda totals: totals[name][..., seat].sum(axis=-1)


def summed(name: str, axes: int) -> Count:
    """A group of the tally, summed over its last axes."""
    return lambda totals: totals[name].sum(axis=tuple(range(-axes, 0)))


def wins_of_way(way: int) -> Count:
    """Wins by one way: 0 last, 1 seen, 2 found."""
    return lambda totals: totals["won"].sum(axis=(-2, -1))[..., way]


def wins_of_seat(seat: int) -> Count:
    """Wins of a seat (from 0), in all rotations."""
    return lambda totals: totals["won"][..., seat].sum(axis=(-2, -1))


def wins_of_entries(entries: list[int], players: int, rotations: int) -> Count:
    """Wins of some line-up entries; rotation r seats entry (seat + r) % players on each seat."""
    seats = [(rotation, (entry - rotation) % players) for entry in entries for rotation in range(rotations)]

    def count(totals: Totals) -> NDArray[Any]:
        won = totals["won"].sum(axis=-3)
        return np.asarray(won[..., [rotation for rotation, _ in seats], [seat for _, seat in seats]].sum(axis=-1))

    return count


deals = group("deals")
decided = summed("won", 3)


# --- measures ---------------------------------------------------------------------------------------


def proportion(name: str, meaning: str, events: Count, trials: Count = deals, share: float = 1.0) -> Measure:
    """A rate of which every deal is one trial."""
    return Measure(name, "rate", meaning, events, trials, "proportion", share, least=0.0, most=share, tellers=trials)


def above_par(name: str, meaning: str, wins: Count, seats: int, players: int) -> Measure:
    """A win rate minus par."""
    least, most = (0.0, 0.0) if seats == players else (-1 / players, 1 / seats - 1 / players)  # all seats together are par itself
    return Measure(name, "difference", meaning, lambda totals: wins(totals) / seats - decided(totals) / players, deals, least=least, most=most)


def index(name: str, meaning: str, wins: Count, seats: int, players: int) -> Measure:
    """A win rate divided by par."""
    least, most = (1.0, 1.0) if seats == players else (0.0, players / seats)
    return Measure(name, "ratio", meaning, lambda totals: wins(totals) * players, lambda totals: decided(totals) * seats,
                   least=least, most=most, tellers=decided)  # fmt: skip


def outcome_measures(players: int) -> Iterator[Measure]:
    """How deals end, and what a seat can expect."""
    yield proportion("nobody", "deals nobody won", group("nobody"))
    yield proportion("decided", "deals somebody won", decided)
    yield proportion("par", "mean win rate of the seats: an equal share of the decided deals", decided, share=1 / players)
    yield proportion("by_last", "deals the last seat in the game won", wins_of_way(0))
    yield proportion("by_seen", "deals won by seeing the Legacy in play", wins_of_way(1))
    yield proportion("by_found", "deals won in the investigation", wins_of_way(2))
    for speed in range(1, 9):
        yield proportion(f"found_speed[{speed}]", f"deals won in the investigation at speed {speed}", group("found_speed", speed))
    yield proportion("void", "deals that passed their bound on turns and do not count", group("void"),
                     lambda totals: totals["deals"] + totals["void"])  # fmt: skip


def seat_measures(players: int) -> Iterator[Measure]:
    """Who wins, by seat."""
    names = tuple(f"win_seat[{seat}]" for seat in range(1, players + 1))
    for seat in range(players):
        wins, people = wins_of_seat(seat), seat + 1
        yield proportion(f"win_seat[{people}]", f"win rate of seat {people}", wins)
        yield above_par(f"above_seat[{people}]", f"win rate of seat {people} minus par", wins, 1, players)
        yield index(f"index_seat[{people}]", f"win rate of seat {people} / par", wins, 1, players)
    yield above_par("first_seat", "win rate of the first seat minus par", wins_of_seat(0), 1, players)

    def gap(totals: Totals) -> NDArray[Any]:
        wins = totals["won"][..., :players].sum(axis=(-3, -2))
        return np.asarray(wins.max(axis=-1) - wins.min(axis=-1))

    yield Measure("seat_gap", "difference", "largest minus smallest win rate of a seat", gap, deals, "gap", rates=names, least=0.0, most=1.0)


def bot_measures(experiment: Experiment) -> Iterator[Measure]:
    """Who wins, by bot."""
    players = experiment.players
    for bot in dict.fromkeys(experiment.bots):
        entries = [entry for entry, name in enumerate(experiment.bots) if name == bot]
        wins = wins_of_entries(entries, players, experiment.rotations)
        if experiment.rotations == 1:
            wins = decided  # one bot fills the table; the other rotations are the same deals
        seats = len(entries)
        yield proportion(f"win_bot[{bot}]", f"mean win rate of the seats of {bot}", wins, share=1 / seats)
        yield above_par(f"above_bot[{bot}]", f"mean win rate of the seats of {bot} minus par", wins, seats, players)
        yield index(f"index_bot[{bot}]", f"mean win rate of the seats of {bot} / par", wins, seats, players)


def course_measures(players: int, most: int) -> Iterator[Measure]:
    """The course of the deals: length (`most`: turns of a deal), seats out, where the Legacy was."""
    yield Measure("turns", "turns", "turns of a deal", group("turns"), deals, least=0.0, most=most)
    yield proportion("out_early", "deals in which some seat was out without having had a turn", group("out_early_any"))
    yield Measure("downtime", "ratio", "share of the deal's turns after a seat was out for good, mean of the seats",
                  summed("downtime", 1), lambda totals: totals["turns"] * players, least=0.0, most=1.0)  # fmt: skip
    for seat in range(players):
        people = seat + 1
        yield Measure(f"turns_seat[{people}]", "turns", f"turns of seat {people} in a deal", group("seat_turns", seat), deals, least=0.0, most=most)
        yield proportion(f"out_seat[{people}]", f"deals in which seat {people} was out at the end", of_seat("out", seat))
        yield proportion(f"out_early_seat[{people}]", f"deals in which seat {people} was out without having had a turn",
                         of_seat("out_early", seat))  # fmt: skip
        yield Measure(f"downtime_seat[{people}]", "ratio", f"share of the turns after seat {people} was out for good",
                      group("downtime", seat), group("turns"), least=0.0, most=1.0)  # fmt: skip
        yield proportion(f"legacy_hand[{people}]", f"deals that left the Legacy in the hand of seat {people}",
                         group("legacy_hand", seat))  # fmt: skip
    yield proportion("legacy_hand", "deals that left the Legacy in a hand", summed("legacy_hand", 1))
    yield proportion("legacy_ruins", "deals that left the Legacy in the ruins", summed("legacy_ruins", 1))
    for position in range(8):
        place = f"card {position + 1} of the ruins" if position < 7 else "card 8 of the ruins or a later one"
        yield proportion(f"legacy_ruins[{position + 1}]", f"deals that left the Legacy at {place}", group("legacy_ruins", position))
    yield proportion("legacy_deck", "deals that left the Legacy in the deck", group("legacy_deck"))
