"""Anytime estimates: the measures of a result that was looked at while it grew, with intervals that hold at every look."""

from __future__ import annotations

from itertools import combinations
from math import inf, isfinite, isnan, sqrt

from lostlegacy_sim.estimate import RATES, BinomialInterval, Counted, Estimate, Estimates, method_of, named
from lostlegacy_sim.game import Measure
from lostlegacy_sim.stats.intervals import Interval, wilson
from lostlegacy_sim.stats.jackknife import Jackknife, Pairs, gap_of_pairs, pairs
from lostlegacy_sim.stats.sequences import asymptotic, beta_binomial, blocks_for, trials_for

# A proportion over several rotations has two sequences: one over blocks while events are few, and the
# asymptotic one. A tenth of the error goes to the first, so that together they keep the confidence.
FEW_SHARE = 0.1


class AnytimeEstimates(Estimates):
    """The measures of one result, each with a confidence sequence; see `stats.sequences`."""

    def for_gate(self, name: str) -> Estimate:
        """The same interval decides and is shown. Raises UsageError."""
        return self[name]

    def of_rate(self, measure: Measure, of_many: BinomialInterval = wilson) -> tuple[Interval, str]:
        """The interval of a rate and the method behind it."""
        counted = self.counted(measure)
        if counted.is_alone:
            return counted.scaled(beta_binomial, self.confidence), "beta-binomial sequence"
        if counted.has_few:
            return named(counted.scaled(beta_binomial, self.confidence_of_few), "beta-binomial sequence over blocks")
        number = self.jackknife(measure)
        found = asymptotic(number, 1 - (1 - FEW_SHARE) * (1 - self.confidence))
        return named(found, method_of(number, "asymptotic sequence"))

    @property
    def confidence_of_few(self) -> float:
        """Of the sequence while events are few."""
        return 1 - FEW_SHARE * (1 - self.confidence)

    def exact(self, name: str, confidence: float) -> Interval:
        """The exact sequence of a rate."""
        return self.counted(self.measures[name]).scaled(beta_binomial, confidence)

    def of_gap(self, measure: Measure) -> tuple[Interval, str]:
        """The largest difference of several rates."""
        return named(gap_of_pairs(self.together(measure.rates), self.pairs(measure)), "pairs of sequences")

    def pairs(self, gap: Measure) -> Pairs:
        """The differences of a gap's rates, with intervals that hold all at once, at every look."""
        return pairs(self.together(gap.rates), self.confidence, asymptotic)

    def of_number(self, number: Jackknife) -> tuple[Interval, str]:
        """The interval of any jackknifed number."""
        return named(asymptotic(number, self.confidence), method_of(number, "asymptotic sequence"))

    def deals_for(self, name: str, distance: float) -> float:
        """About how many deals it takes until a measure's interval reaches no further than this.

        inf if no number is enough, or none can be told yet.
        """
        measure = self.measure(name)
        if measure.form in RATES:
            counted = self.counted(measure)
            if counted.is_alone or (counted.has_few and counted.events in (0, counted.trials)):
                return self.deals_of_binomial(counted, distance)
            if counted.has_few:
                rate = (counted.events + 0.5) / (counted.trials + 1)
                return self.deals_of(sqrt(rate * (1 - rate) / counted.blocks) * measure.share, distance, self.confidence, 0.0)
        if measure.form == "gap":
            numbers = self.together(measure.rates)
            errors = [float((numbers[i] - numbers[j]).error) for i, j in combinations(range(len(measure.rates)), 2)]
            return self.deals_of(max(errors), distance, 1 - (1 - self.confidence) / len(errors), 1.0)
        number = self.jackknife(measure)
        room = max(measure.most - float(number.value), float(number.value) - measure.least)
        return self.deals_of(float(number.error), distance, self.confidence, room * self.result.blocks / max(number.span.blocks, 1.0))

    def deals_of(self, error: float, distance: float, confidence: float, room: float) -> float:
        """The same for a number with a standard error, and so much room to move; nothing is told where neither is known."""
        room = room if isfinite(room) else 0.0
        if isnan(error) or error == room == 0:
            return inf
        blocks = blocks_for(error * sqrt(self.result.blocks), distance, confidence, room=room)
        return blocks * self.result.experiment.rotations

    def deals_of_binomial(self, counted: Counted, distance: float) -> float:
        """The same for a rate whose sequence is exact."""
        confidence = self.confidence if counted.is_alone else self.confidence_of_few
        if not counted.blocks:
            return inf
        blocks = trials_for(counted.events / counted.trials, distance / counted.share, confidence)
        return blocks * self.result.deals / counted.blocks
