"""The named measures of Lost Legacy: counts -> number, unit, meaning.

Those of who wins are every game's; here are how deals end, their course, and where the Legacy was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Measure
from lostlegacy_sim.games.lost_legacy.card_measures import card_measures
from lostlegacy_sim.games.lost_legacy.cards.turn_bound import turn_bound
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.measures import (
    Count,
    Winners,
    bot_measures,
    by_name,
    deals,
    group,
    outcome_measures,
    proportion,
    seat_measures,
    void_measure,
)


def measures(experiment: Experiment) -> Mapping[str, Measure]:
    """All measures of an experiment, by name."""
    every = [
        *outcome_measures(experiment.players, WINNERS),
        *way_measures(),
        *seat_measures(experiment.players, WINNERS),
        *bot_measures(experiment, WINNERS),
        *course_measures(experiment.players, turn_bound(experiment.set_text)),
    ]
    if experiment.detail == "cards":
        card_set = parse_set(experiment.set_text, VOCABULARY, where=experiment.set_name)
        every += card_measures(card_set, experiment.players, turn_bound(experiment.set_text))
    return by_name(every)


# --- counts -----------------------------------------------------------------------------------------


def of_seat(name: str, seat: int) -> Count:
    """A group by rotation and seat: one seat (from 0), in all rotations."""
    return lambda totals: totals[name][..., seat].sum(axis=-1)


def summed(name: str, axes: int) -> Count:
    """A group of the tally, summed over its last axes."""
    return lambda totals: totals[name].sum(axis=tuple(range(-axes, 0)))


def wins_of_way(way: int) -> Count:
    """Wins by one way: 0 last, 1 seen, 2 found."""
    return lambda totals: totals["won"].sum(axis=(-2, -1))[..., way]


WINNERS = Winners(won=lambda totals: totals["won"].sum(axis=-3), nobody=group("nobody"))


# --- measures ---------------------------------------------------------------------------------------


def way_measures() -> Iterator[Measure]:
    """How deals end."""
    yield proportion("by_last", "deals the last seat in the game won", wins_of_way(0))
    yield proportion("by_seen", "deals won by seeing the Legacy in play", wins_of_way(1))
    yield proportion("by_found", "deals won in the investigation", wins_of_way(2))
    for speed in range(1, 9):
        yield proportion(f"found_speed[{speed}]", f"deals won in the investigation at speed {speed}", group("found_speed", speed))
    yield void_measure()


def course_measures(players: int, most: int) -> Iterator[Measure]:
    """The course of the deals: length (`most`: turns of a deal), seats out, where the Legacy was."""
    yield Measure("turns", "turns", "turns of a deal", group("turns"), deals, least=0.0, most=most)
    yield proportion("out_early", "deals in which some seat was out without having had a turn", group("out_early_any"), better=-1)
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
