"""Balance: which card is too strong, because of its text: what is observed of a kind beside what it causes.

Texts are ranked and judged by what one copy gives its owner above par: the owner's copy as it is against that copy blank, all
others printed, minus the change of par on the same shuffles. What all copies give together is a property of the set, for they arm
the opponents, too. What is observed is of the whole card, so it is set against what the whole card causes, never against its text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.estimate import CONFIDENCE, Estimate, Estimates, plain_number
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.cards.variants import card_of, has_text
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.differences import Difference, paired, single
from lostlegacy_sim.stats.families import benjamini_hochberg, holm, holm_intervals
from lostlegacy_sim.stats.gaps import GapDifference
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife, pairs
from lostlegacy_sim.studies.card_trials import ABOVE, FROM_PAR, Balancing, Question, Trial, rates_of
from lostlegacy_sim.studies.survey import Survey

# What is observed of a kind, in the order of the tables; the measures are named "oh_win[search]".
OBSERVED = ("oh_win", "oh_value", "begin", "gd_win", "gih_win", "gns_win", "iwd", "played_win", "held_win", "given_win", "revealed_win",
            "buried_win", "plays", "forced", "kills", "self_kills", "trapped", "hits", "counter_hits")  # fmt: skip
UNITS = {"turns": "turns"}  # of the differences; else points
KNOWN = Interval(0.0, 0.0, 0.0)  # what is 0 by logic

# How watching misleads about a whole card: "in hand" is observed, "begin" is caused.
FLAGS = {
    "opposite": "in hand and begin lie surely on opposite sides of 0",
    "no effect": "in hand is surely not 0, but nothing can be told of begin",
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
    p_value: float  # adjusted for the family it belongs to; nan if it cannot be told, or is known by logic
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

    @cached_property
    def measured(self) -> list[Trial]:
        """The trials that can be answered."""
        return [trial for trial in self.asked.trials if all(self.is_counted(*side) for question in trial.questions for side in question.sides)]

    def is_counted(self, experiment: Experiment, measure: str) -> bool:
        """Whether a measure of one experiment is known."""
        if experiment == self.asked.base:
            return self.base.status == "complete"
        return experiment in self.played and set(rates_of(measure, self.players)) <= set(self.played[experiment].asked.names)

    def has_text(self, card: str) -> bool:
        """Whether a kind has a text whose value can be asked for: the game cannot do without that of the Legacy."""
        found = card_of(self.card_set, card)
        return has_text(found) and not found.flag("legacy")

    def title(self, card: str) -> str:
        """The name of a kind, by which it can be told from the others."""
        return self.card_set.title(card_of(self.card_set, card))

    def observed(self, name: str, card: str) -> Estimate:
        """What was observed of a kind."""
        return self.estimates[f"{name}[{card}]"]

    def counted_in(self, name: str, card: str) -> int | None:
        """How often an observed rate could have come about: its seats, plays or cards; None if it is a difference or counted by deals."""
        measure = self.estimates.measure(f"{name}[{card}]")
        return int(np.max(measure.trials(self.estimates.totals))) if measure.unit == "rate" else None

    # --- numbers over the batches ---------------------------------------------------------------------

    def number(self, experiment: Experiment, measure: str) -> Jackknife:
        """A measure of one experiment; of a gap all its rates as one vector."""
        rates = rates_of(measure, self.players)
        if measure.startswith(FROM_PAR):
            return self.number(experiment, rates[0]) - mean_of(self.together(experiment, rates[1:]))
        if measure == "seat_gap":
            return self.together(experiment, rates)
        if experiment == self.asked.base:
            return self.estimates.jackknife(self.estimates.measure(measure))
        return self.played[experiment].jackknife(measure)[0]

    def together(self, experiment: Experiment, rates: tuple[str, ...]) -> Jackknife:
        """Several measures of one experiment as one vector."""
        return self.estimates.together(rates) if experiment == self.asked.base else self.played[experiment].together(rates, 0)

    def difference(self, question: Question) -> Difference:
        """The answer to a question, taken batch by batch."""
        first, second = self.number(question.minus, question.minus_measure), self.number(question.plus, question.plus_measure)
        return GapDifference(first, second) if question.name == "seat_gap" else paired(first, second)

    @cached_property
    def text_values(self) -> dict[str, Jackknife]:
        """By kind: what one copy of its text gives its owners above par."""
        declared = {trial.card: question for trial in self.measured for question in trial.questions if is_declared(trial, question)}
        return {card: self.number(*one.sides[0]) - self.number(*one.sides[1]) for card, one in declared.items()}

    # --- observed against caused, both of the whole card ------------------------------------------------

    @cached_property
    def whole_values(self) -> tuple[dict[str, Jackknife], dict[str, Jackknife]]:
        """By kind, caused and observed: the win rate with it minus without, as first hand card and at some time."""
        begin, seen = ({card: self.estimates.jackknife(self.estimates.measure(f"{name}[{card}]")) for card in self.asked.cards} for name in ("begin", "iwd"))
        return begin, seen

    def bias(self, card: str) -> Interval:
        """Observed minus caused."""
        begin, seen = (values[card] for values in self.whole_values)
        return single(seen - begin).interval(CONFIDENCE)

    @cached_property
    def ahead(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which kinds are surely ahead of which, caused and observed: [kinds, kinds] each, in the order asked for."""
        begin, seen = (surely_ahead(list(values.values())) for values in self.whole_values)
        return begin, seen

    def signs(self, card: str) -> tuple[int, int]:
        """Caused and observed: 1 if it is surely above 0, -1 if below, 0 if that cannot be told; of all kinds at once (Bonferroni)."""
        caused, observed = (side(self.at_once[f"{name}[{card}]"]) for name in ("begin", "iwd"))
        return caused, observed

    @cached_property
    def at_once(self) -> Estimates:
        """Estimates so sure that two of each kind hold all at once."""
        return Estimates(self.base, self.game, 1 - (1 - CONFIDENCE) / (2 * len(self.asked.cards)))

    def not_told_from(self, card: str) -> list[str]:
        """The kinds whose text cannot be told from this one's, or is surely stronger."""
        cards = list(self.text_values)
        ahead = self.text_ahead[cards.index(card)]
        return [other for place, other in enumerate(cards) if other != card and not ahead[place]]

    def not_told_below(self, card: str) -> list[str]:
        """The kinds whose text cannot be told from this one's, or is surely weaker."""
        cards = list(self.text_values)
        behind = self.text_ahead[:, cards.index(card)]
        return [other for place, other in enumerate(cards) if other != card and not behind[place]]

    @cached_property
    def text_ahead(self) -> NDArray[np.bool_]:
        """Which texts are surely ahead of which: [kinds, kinds], in the order of `text_values`."""
        return surely_ahead(list(self.text_values.values()))

    def turned_by(self, card: str) -> list[str]:
        """The kinds that are surely on the other side of this one, observed, than they are caused."""
        place = self.asked.cards.index(card)
        caused, observed = self.ahead
        turned = (caused[place] & observed[:, place]) | (caused[:, place] & observed[place])
        return [other for other, is_turned in zip(self.asked.cards, turned, strict=True) if is_turned]

    def ranks(self, card: str) -> tuple[int, int]:
        """Which place a kind has, from 1, by what it causes and by what is observed of it."""
        caused, observed = (1 + sum(float(other.value) > float(values[card].value) for other in values.values()) for values in self.whole_values)
        return caused, observed


def side(found: Estimate) -> int:
    """On which side of 0 it surely lies; 0 if that cannot be told."""
    return int(found.low > 0) - int(found.high < 0)


def mean_of(numbers: Jackknife) -> Jackknife:
    """The mean of several numbers."""
    return Jackknife(numbers.value.mean(), numbers.without.mean(axis=-1), numbers.sizes, numbers.span)


def surely_ahead(values: Sequence[Jackknife]) -> NDArray[np.bool_]:
    """[numbers, numbers]: whether one is surely larger than the other; all of these hold at once."""
    ahead = np.zeros((len(values), len(values)), bool)
    if len(values) < 2:
        return ahead
    span = replace(values[0].span, blocks=min(one.span.blocks for one in values))
    vector = Jackknife(np.stack([one.value for one in values]), np.stack([one.without for one in values], axis=-1), values[0].sizes, span)
    for first, second, interval in pairs(vector, CONFIDENCE):
        ahead[first, second], ahead[second, first] = interval.low > 0, interval.high < 0
    return ahead


class Balance:
    """The answer, at every table that was asked for.

    One question is declared: which cards are too strong, because of their text. What one copy of each text gives above par,
    at all tables, is its family, adjusted by Holm, and so are the intervals. All other effects are exploration: p-values
    after Benjamini and Hochberg, plain intervals. That a kind without text causes nothing is no question, but known.
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
        others = [one for one in asked if not is_declared(one[1], one[2]) and not is_known(one[2])]
        found = {effect_key(*one): CardEffect(*effect_key(*one), unit_of(one[2]), KNOWN, math.nan, math.nan) for one in asked if is_known(one[2])}
        for family, adjust, intervals in ((declared, holm, holm_intervals), (others, benjamini_hochberg, plain_intervals)):
            differences = [table.difference(question) for table, _, question in family]
            p_values = adjust([difference.p_value() for difference in differences])
            for (table, trial, question), difference, p_value, interval in zip(family, differences, p_values, intervals(differences), strict=True):
                key = effect_key(table, trial, question)
                found[key] = CardEffect(*key, unit_of(question), interval, float(p_value), difference.gain)
        return found

    def effect(self, table: CardTable, card: str, effect: str, measure: str) -> CardEffect | None:
        """One of them; None if it was not played, or cannot be."""
        return self.effects.get((table.players, card, effect, measure))

    def text_value(self, table: CardTable, card: str) -> CardEffect | None:
        """What one copy of a kind's text gives its owner above par; None if it has no text, or one that was not taken off."""
        return self.effect(table, card, "one", ABOVE) if table.has_text(card) else None

    def unweighed(self, table: CardTable) -> list[str]:
        """The kinds that have a text, but no value of it."""
        return [card for card in table.asked.cards if table.has_text(card) and self.text_value(table, card) is None]

    def ranked(self, table: CardTable) -> list[str]:
        """The kinds, the strongest text first; then those without text, and those whose text has no value."""
        values = {card: value.interval.value for card in table.asked.cards if (value := self.text_value(table, card)) is not None}
        return sorted(table.asked.cards, key=lambda card: (-values.get(card, -math.inf), table.has_text(card)))

    def flags(self, table: CardTable, card: str) -> list[str]:
        """Where watching misleads about a kind: words of FLAGS."""
        caused, seen = table.signs(card)
        flags = ["opposite"] if caused * seen < 0 else ["no effect"] if seen and not caused else []
        return flags + (["rank"] if table.turned_by(card) else [])


def is_declared(trial: Trial, question: Question) -> bool:
    """Whether a question belongs to the declared one: which cards are too strong, because of their text."""
    return trial.effect == "one" and question.name == ABOVE and not is_known(question)


def is_known(question: Question) -> bool:
    """Whether the answer is 0 by logic: both sides are the same, as of a kind without text and its blank."""
    plus, minus = question.sides
    return plus == minus


def effect_key(table: CardTable, trial: Trial, question: Question) -> tuple[int, str, str, str]:
    """What an effect is looked up by."""
    return table.players, trial.card, trial.effect, question.name


def unit_of(question: Question) -> str:
    """The unit of an answer."""
    return UNITS.get(question.name, "difference")


def plain_intervals(differences: Sequence[Difference]) -> list[Interval]:
    """An interval for each difference alone."""
    return [difference.interval(CONFIDENCE) for difference in differences]
