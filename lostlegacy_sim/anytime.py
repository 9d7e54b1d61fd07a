"""Anytime estimates: the measures of a result that was looked at while it grew, with intervals that hold at every look."""

from __future__ import annotations

from itertools import combinations
from math import inf, isnan, sqrt

from lostlegacy_sim.estimate import Estimate, Estimates, named, scaled
from lostlegacy_sim.game import Measure
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife, Pairs, gap_of_pairs, pairs
from lostlegacy_sim.stats.sequences import asymptotic, beta_binomial, blocks_for

# A proportion over several rotations has two sequences: one over blocks while events are few, and the
# asymptotic one. A tenth of the error goes to the first, so that together they keep the confidence.
FEW_SHARE = 0.1


class AnytimeEstimates(Estimates):
    """The measures of one result, each with a confidence sequence; see `stats.sequences`."""

    def for_gate(self, name: str) -> Estimate:
        """The same interval decides and is shown. Raises UsageError."""
        return self[name]

    def interval(self, measure: Measure) -> tuple[Interval, str]:
        """The interval of a measure and the method behind it."""
        if measure.form != "proportion":
            return super().interval(measure)
        events, trials = self.counted(measure)
        rotations = self.result.experiment.rotations
        if rotations == 1:
            return scaled(beta_binomial(events, trials, self.confidence), measure.share), "beta-binomial sequence"
        if self.has_few(events, trials):
            found = beta_binomial(events / rotations, trials / rotations, 1 - FEW_SHARE * (1 - self.confidence))
            return scaled(found, measure.share), "beta-binomial sequence over blocks"
        found = asymptotic(self.jackknife(measure), 1 - (1 - FEW_SHARE) * (1 - self.confidence))
        return named(Interval(found.value, max(found.low, 0.0), min(found.high, measure.share)), "asymptotic sequence")

    def of_gap(self, measure: Measure) -> tuple[Interval, str]:
        """The largest difference of several rates."""
        return named(gap_of_pairs(self.together(measure.rates), self.pairs(measure)), "pairs of sequences")

    def pairs(self, gap: Measure) -> Pairs:
        """The differences of a gap's rates, with intervals that hold all at once, at every look."""
        return pairs(self.together(gap.rates), self.confidence, asymptotic)

    def of_number(self, number: Jackknife) -> tuple[Interval, str]:
        """The interval of any jackknifed number."""
        return named(asymptotic(number, self.confidence), "asymptotic sequence")

    def deals_for(self, name: str, distance: float) -> float:
        """About how many deals it takes until a measure's interval reaches no further than this.

        inf if no number is enough, or none can be told yet.
        """
        measure = self.measure(name)
        rotations, blocks = self.result.experiment.rotations, self.result.blocks
        confidence = self.confidence
        if measure.form == "gap":
            numbers = self.together(measure.rates)
            errors = [float((numbers[i] - numbers[j]).error) for i, j in combinations(range(len(measure.rates)), 2)]
            deviation, confidence = max(errors) * sqrt(blocks), 1 - (1 - self.confidence) / len(errors)
        elif measure.form == "proportion" and (rotations == 1 or self.has_few(*self.counted(measure))):
            events, trials = (number / rotations for number in self.counted(measure))
            rate = (events + 0.5) / (trials + 1)
            deviation = sqrt(rate * (1 - rate)) * measure.share
        else:
            deviation = float(self.jackknife(measure).error) * sqrt(blocks)
        return inf if isnan(deviation) or deviation == 0 else blocks_for(deviation, distance, confidence) * rotations
