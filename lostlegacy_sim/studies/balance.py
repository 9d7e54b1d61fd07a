"""Balance: which card is too strong, because of its text: what is observed of a kind beside what it causes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.estimate import CONFIDENCE, MIN_BATCHES, Estimate, Estimates, plain_number
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.differences import Difference, StudentDifference, paired, single
from lostlegacy_sim.stats.families import benjamini_hochberg, holm, holm_intervals
from lostlegacy_sim.stats.gaps import GapDifference
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife, pairs
from lostlegacy_sim.studies.card_trials import OWNER, Balancing, Question, Trial, rates_of
from lostlegacy_sim.studies.survey import Survey
from lostlegacy_sim.tally import Totals

# What is observed of a kind, in the order of the tables; the measures are named "oh_win[search]".
OBSERVED = ("oh_win", "oh_value", "gd_win", "gih_win", "gns_win", "iwd", "played_win", "held_win", "given_win", "revealed_win",
            "buried_win", "plays", "forced", "kills", "self_kills", "trapped", "hits", "counter_hits")  # fmt: skip
UNITS = {"turns": "turns"}  # of the differences; else points

FLAGS = {
    "opposite": "observed and caused lie surely on opposite sides of 0",
    "no effect": "observed surely not 0, but no effect of the text can be told",
    "rank": "another card is surely ahead of it by one and surely behind it by the other",
}


@dataclass(frozen=True)
class CardEffect:
    """What one change about a kind does to one measure."""

    players: int
    card: str
    effect: str
    measure: str
    unit: str  # "difference" (of rates) or "turns"
    interval: Interval
    p_value: float  # adjusted for the family it belongs to; nan if it cannot be told
    gain: float  # of pairing

    @property
    def told(self) -> int:
        """1 if it is surely above 0, -1 if below, 0 if that cannot be told."""
        found = self.p_value <= 1 - CONFIDENCE
        return int(found) * (1 if self.interval.value > 0 else -1)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        value, low, high = map(plain_number, self.interval)
        return {"unit": self.unit, "value": value, "low": low, "high": high, "p_value": plain_number(self.p_value),
                "told": bool(self.told), "gain_of_pairing": self.gain if math.isfinite(self.gain) else None}  # fmt: skip


class CardTable:
    """The counts at one table: the set as it is, and those of its variants that were played to their end."""

    def __init__(self, asked: Balancing, base: Result, played: Mapping[Experiment, Survey], game: Game) -> None:
        """`played`: by experiment, each the survey of this one alone."""
        self.asked, self.base, self.played, self.game = asked, base, dict(played), game
        self.estimates = Estimates(base, game)
        self.players = asked.base.players
        self.card_set = asked.card_set

    @property
    def is_whole(self) -> bool:
        """Whether everything was played that was asked for."""
        return self.base.status == "complete" and set(self.played) == set(self.asked.variants)

    @property
    def measured(self) -> list[Trial]:
        """The trials that can be answered."""
        done = {*self.played, *([self.asked.base] if self.base.status == "complete" else [])}
        return [trial for trial in self.asked.trials if set(trial.experiments) <= done]

    def observed(self, name: str, card: str) -> Estimate:
        """What was observed of a kind."""
        return self.estimates[f"{name}[{card}]"]

    # --- numbers over the batches ---------------------------------------------------------------------

    def number(self, experiment: Experiment, measure: str) -> Jackknife:
        """A measure of one experiment; of a gap all its rates as one vector."""
        rates = rates_of(measure, self.players)
        if experiment == self.asked.base:
            return self.estimates.together(rates) if measure == "seat_gap" else self.estimates.jackknife(self.estimates.measure(measure))
        survey = self.played[experiment]
        return survey.together(rates, 0) if measure == "seat_gap" else survey.jackknife(measure)[0]

    def difference(self, question: Question) -> Difference:
        """The answer to a question, taken batch by batch; without an error where too few batches differ to tell one."""
        first, second = self.number(question.minus, question.minus_measure), self.number(question.plus, question.plus_measure)
        if question.plus != question.minus and self.differing(question) < MIN_BATCHES:
            gaps = [float(np.ptp(number.value)) if question.name == "seat_gap" else float(number.value) for number in (first, second)]
            return StudentDifference(gaps[1] - gaps[0], math.nan, 0)
        return GapDifference(first, second) if question.name == "seat_gap" else paired(first, second)

    def differing(self, question: Question) -> int:
        """Number of batches in which the two sides of a question were counted differently."""
        sides = [
            np.stack([self.counted(experiment, rate) for rate in rates_of(measure, self.players)])
            for experiment, measure in ((question.plus, question.plus_measure), (question.minus, question.minus_measure))
        ]
        return int(np.count_nonzero((sides[0] != sides[1]).any(axis=(0, 2))))

    def counted(self, experiment: Experiment, measure: str) -> NDArray[Any]:
        """Events and trials of a measure in every batch: [batches, 2]."""
        if experiment != self.asked.base:
            return np.asarray(self.played[experiment].events_and_trials(measure)[0])
        totals, found = Totals(self.base.tally.labels, self.base.tally.counts), self.estimates.measure(measure)
        return np.stack([found.events(totals), np.broadcast_to(found.trials(totals), self.base.batches)], axis=-1)

    @cached_property
    def text_values(self) -> dict[str, Jackknife]:
        """By kind: the win rate of its first owners, the set minus the blank."""
        found = {}
        for trial in self.measured:
            if trial.effect == "blank":
                owner = next(question for question in trial.questions if question.name == OWNER)
                found[trial.card] = self.number(owner.plus, owner.plus_measure) - self.number(owner.minus, owner.minus_measure)
        return found

    @cached_property
    def observed_values(self) -> dict[str, Jackknife]:
        """By kind: the win rate with it in hand at some time minus without, for those whose text has a value."""
        return {card: self.number(self.asked.base, f"iwd[{card}]") for card in self.text_values}

    # --- observed against caused ----------------------------------------------------------------------

    def bias(self, card: str) -> Interval | None:
        """Observed minus caused; None if the kind has no text value."""
        if card not in self.text_values:
            return None
        return single(self.observed_values[card] - self.text_values[card]).interval(CONFIDENCE)

    @cached_property
    def ahead(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which kinds are surely ahead of which, caused and observed: [kinds, kinds] each, in the order of `text_values`."""
        return surely_ahead(list(self.text_values.values())), surely_ahead(list(self.observed_values.values()))

    def not_told_from(self, card: str) -> list[str]:
        """The kinds whose text cannot be told from this one's, or is surely stronger."""
        cards = list(self.text_values)
        ahead = self.ahead[0][cards.index(card)]
        return [other for place, other in enumerate(cards) if other != card and not ahead[place]]

    def turned_by(self, card: str) -> list[str]:
        """The kinds that are surely on the other side of this one, observed, than they are caused."""
        cards = list(self.text_values)
        place = cards.index(card)
        caused, observed = self.ahead
        turned = (caused[place] & observed[:, place]) | (caused[:, place] & observed[place])
        return [other for other, is_turned in zip(cards, turned, strict=True) if is_turned]


    def ranks(self, card: str) -> tuple[int, int]:
        """Which place a kind has by its text and by observation, from 1, among those whose text has a value."""
        values = [{name: float(number.value) for name, number in numbers.items()} for numbers in (self.text_values, self.observed_values)]
        by_text, observed = (1 + sum(other > one[card] for other in one.values()) for one in values)
        return by_text, observed


def surely_ahead(values: Sequence[Jackknife]) -> NDArray[np.bool_]:
    """[numbers, numbers]: whether one is surely larger than the other; all of these hold at once."""
    ahead = np.zeros((len(values), len(values)), bool)
    if len(values) < 2:
        return ahead
    vector = Jackknife(np.stack([one.value for one in values]), np.stack([one.without for one in values], axis=-1), values[0].sizes)
    for first, second, interval in pairs(vector, CONFIDENCE):
        ahead[first, second], ahead[second, first] = interval.low > 0, interval.high < 0
    return ahead


class Balance:
    """The answer, at every table that was asked for.

    One question is declared: which cards are too strong, because of their text. The values of the texts of all tables
    are its family, adjusted by Holm, and so are their intervals. All other effects are exploration: p-values after
    Benjamini and Hochberg, plain intervals.
    """

    def __init__(self, tables: Sequence[CardTable], error: str = "") -> None:
        """Tables without a single finished batch are left out. `error`: why a bot stopped it, if one did."""
        self.tables = [table for table in tables if table.base.deals]
        self.error = error

    @cached_property
    def effects(self) -> dict[tuple[int, str, str, str], CardEffect]:
        """All effects, by (players, card, effect, measure)."""
        asked = [(table, trial, question) for table in self.tables for trial in table.measured for question in trial.questions]
        declared = [one for one in asked if is_declared(one[1], one[2])]
        others = [one for one in asked if not is_declared(one[1], one[2])]
        found = {}
        for family, adjust, intervals in ((declared, holm, holm_intervals), (others, benjamini_hochberg, plain_intervals)):
            differences = [table.difference(question) for table, _, question in family]
            p_values = adjust([difference.p_value() for difference in differences])
            for (table, trial, question), difference, p_value, interval in zip(family, differences, p_values, intervals(differences), strict=True):
                unit = UNITS.get(question.name, "difference")
                key = (table.players, trial.card, trial.effect, question.name)
                found[key] = CardEffect(*key, unit, interval, float(p_value), difference.gain)
        return found

    def effect(self, table: CardTable, card: str, effect: str, measure: str) -> CardEffect | None:
        """One of them; None if it was not played, or cannot be."""
        return self.effects.get((table.players, card, effect, measure))

    def text_value(self, table: CardTable, card: str) -> CardEffect | None:
        """What the text of a kind gives to its first owner."""
        return self.effect(table, card, "blank", OWNER)

    def ranked(self, table: CardTable) -> list[str]:
        """The kinds, the strongest text first; those without a value of their text last."""
        values = {card: value.interval.value for card in table.asked.cards if (value := self.text_value(table, card)) is not None}
        return sorted(table.asked.cards, key=lambda card: -values.get(card, -math.inf))

    def flags(self, table: CardTable, card: str) -> list[str]:
        """Where observation misleads about a kind: words of FLAGS."""
        text = self.text_value(table, card)
        if text is None:
            return []
        observed = table.observed("iwd", card)
        seen = int(observed.low > 0) - int(observed.high < 0)
        flags = ["opposite"] if seen * text.told < 0 else ["no effect"] if seen and not text.told and not math.isnan(text.interval.low) else []
        return flags + (["rank"] if table.turned_by(card) else [])


def is_declared(trial: Trial, question: Question) -> bool:
    """Whether a question belongs to the declared one: which cards are too strong, because of their text."""
    return trial.effect == "blank" and question.name == OWNER


def plain_intervals(differences: Sequence[Difference]) -> list[Interval]:
    """An interval for each difference alone."""
    return [difference.interval(CONFIDENCE) for difference in differences]
