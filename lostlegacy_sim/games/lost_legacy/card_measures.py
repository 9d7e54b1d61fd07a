"""The named measures of the kinds: what is observed of each card, and what of it is already causal.

Observed rates hold for the bots that played and carry survivorship: only seats that live go on drawing.
The first hand card is dealt by the shuffle alone, so `oh_value` and `begin` are causal for given bots. Both are of the whole
card, its speed as well as its text. `begin` is set against the other seats, as `iwd` is against those without the card, and so
is what `iwd` can be compared with; `oh_value` is set against all seats, and so is what a change of par can be taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.cardset import Card, CardSet
from lostlegacy_sim.game import Measure, divide
from lostlegacy_sim.tally import Totals

Count: TypeAlias = Callable[[Totals], NDArray[Any]]


def card_measures(card_set: CardSet, players: int, most_turns: int) -> Iterator[Measure]:
    """The measures of all kinds of a set; a kind is named by its id."""
    for kind, card in enumerate(card_set.cards, 1):
        yield from measures_of_kind(kind, card, card_set.title(card), players, most_turns)


def measures_of_kind(kind: int, card: Card, title: str, players: int, most_turns: int) -> Iterator[Measure]:
    """The measures of one kind; `title` is what it is called in their meanings."""

    def count(name: str) -> Count:
        return lambda totals: np.asarray(totals[f"card_{name}"][..., kind])

    def rate(name: str, meaning: str, events: str, trials: str, alike: int = 1) -> Measure:
        """`alike`: trials of one deal that all turn out the same."""
        return Measure(f"{name}[{card.id}]", "rate", meaning, count(events), count(trials), "rate", least=0.0, most=1.0,
                       tellers=lambda totals: count(trials)(totals) / alike)  # fmt: skip

    def value(name: str, meaning: str, number: Count, tellers: Count) -> Measure:
        """A difference of two rates."""
        return Measure(f"{name}[{card.id}]", "difference", meaning, number, one, least=-1.0, most=1.0, tellers=tellers)

    def average(name: str, unit: str, meaning: str, events: str, trials: Count, most: float) -> Measure:
        """So many in each of something."""
        return Measure(f"{name}[{card.id}]", unit, meaning, count(events), trials, least=0.0, most=most, tellers=trials)

    def won_without(totals: Totals) -> NDArray[Any]:
        return np.asarray(wins(totals) - count("had_won")(totals))

    def seats_without(totals: Totals) -> NDArray[Any]:
        return np.asarray(players * totals["deals"] - count("had")(totals))

    def opening(totals: Totals) -> NDArray[Any]:
        mean = divide(wins(totals), players * totals["deals"])
        return np.asarray(divide(count("opened_won")(totals), count("opened")(totals)) - mean)

    def beginning(totals: Totals) -> NDArray[Any]:
        others = divide(wins(totals) - count("opened_won")(totals), players * totals["deals"] - count("opened")(totals))
        return np.asarray(divide(count("opened_won")(totals), count("opened")(totals)) - others)

    def in_hand(totals: Totals) -> NDArray[Any]:
        without = divide(won_without(totals), seats_without(totals))
        return np.asarray(divide(count("had_won")(totals), count("had")(totals)) - without)

    yield rate("oh_win", f"win rate of seats dealt {title} as first hand card", "opened_won", "opened")
    yield value("oh_value", f"the same minus the mean of all seats: what it is worth to begin with {title}", opening, count("opened"))
    yield value("begin", f"win rate with {title} as first hand card minus without: what the whole card is worth to begin with", beginning,
                lambda totals: np.minimum(count("opened")(totals), players * totals["deals"] - count("opened")(totals)))  # fmt: skip
    yield rate("gd_win", f"win rate of seats that drew or received {title} later", "received_won", "received")
    yield rate("gih_win", f"win rate of seats that had {title} in hand at some time", "had_won", "had")
    yield Measure(f"gns_win[{card.id}]", "rate", f"win rate of seats that never had {title} in hand", won_without, seats_without,
                  "rate", least=0.0, most=1.0, tellers=seats_without)  # fmt: skip
    yield value("iwd", f"win rate with {title} in hand at some time minus without", in_hand,
                lambda totals: np.minimum(count("had")(totals), seats_without(totals)))  # fmt: skip
    yield rate("played_win", f"win rate of seats that played {title}", "players_won", "players")
    yield rate("held_win", f"win rate of seats in the game with {title} in hand at the end", "held_won", "held")
    yield rate("given_win", f"win rate of seats that gave {title} away in an exchange of their own", "gave_won", "gave")
    yield rate("revealed_win", f"win rate of seats whose {title} was revealed in the investigation", "revealed_won", "revealed")
    yield rate("buried_win", f"share of {title} in the ruins at the end that lay there in deals somebody won", "buried_won", "buried",
               alike=card.copies)  # fmt: skip
    yield average("plays", "ratio", f"plays of {title} in a deal", "plays", deals, most_turns)
    yield rate("forced", f"plays of {title} with no other kind to play", "forced", "plays")
    yield average("kills", "rate", f"other seats put out per play of {title}", "kills", count("plays"), players - 1)
    yield rate("self_kills", f"plays of {title} that put out the seat itself", "self_kills", "plays")
    yield average("trapped", "ratio", f"seats put out in a deal because {title} was seen in a hand", "trapped", deals, most_turns)
    yield rate("hits", f"speeds named with {title} that the card looked at has", "hits", "namings")
    yield rate("counter_hits", f"the rate a perfect card counter would reach with {title}", "counter_hits", "namings")


def wins(totals: Totals) -> NDArray[Any]:
    """Deals somebody won."""
    return np.asarray(totals["won"].sum(axis=(-3, -2, -1)))


def deals(totals: Totals) -> NDArray[Any]:
    """Deals that count."""
    return totals["deals"]


def one(totals: Totals) -> NDArray[Any]:
    """For a measure that is no quotient."""
    return np.ones_like(totals["deals"])
