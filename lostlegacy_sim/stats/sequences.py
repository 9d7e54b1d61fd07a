"""Confidence sequences: intervals that hold at every moment at once, so that one may look, and stop, at any time.

Both are mixtures (Robbins 1970). How wide a mixture is at which moment is a choice that has to be made
before anything is counted: `tightest_at` names the number of trials, or blocks, at which it is narrowest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.intervals import Interval, check_confidence
from lostlegacy_sim.stats.jackknife import Jackknife, gap_of_pairs, pairs
from lostlegacy_sim.stats.unseen import share_unseen_ever

# Where the default is narrowest: 3.0 standard errors instead of 1.96. A rate of 0.25 is then known to half a
# point. The choice forgives: 3.3 at ten times as many blocks, 3.6 at a hundred times as many, 3.8 at a tenth.
TIGHTEST_AT = 65_536
FIRST_BATCHES = 20  # before, a standard error of batches is too rough to be built on
MOST_BLOCKS = 1e30  # more will never be played


def prior_size(confidence: float, tightest_at: float) -> float:
    """How many blocks the mixture weighs as much as, so that it is narrowest at `tightest_at` blocks.

    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021), section 2.3; one over their rho squared.
    """
    if tightest_at <= 0:
        raise ValueError(f"a sequence is tightest at a number of blocks above 0, not at {tightest_at}")
    doubled = -2 * math.log(1 - check_confidence(confidence))
    return tightest_at / (doubled + math.log(doubled) + 1) if doubled > 1 else tightest_at / (doubled + 1)


def reach(blocks: NDArray[Any] | float, confidence: float = 0.95, tightest_at: float = TIGHTEST_AT) -> NDArray[np.float64]:
    """How many standard errors the asymptotic sequence reaches after so many blocks; [...] like `blocks`.

    Waudby-Smith et al. (2021), theorem 2.2: the boundary of a normal mixture.
    """
    return boundary(np.asarray(blocks, float) / prior_size(confidence, tightest_at), confidence)


def boundary(share: NDArray[Any] | float, confidence: float) -> NDArray[np.float64]:
    """How many standard errors a normal mixture reaches when blocks / size of the prior is `share`; [...]."""
    return boundary_at(share, 1 - confidence)


def boundary_at(share: NDArray[Any] | float, error: float) -> NDArray[np.float64]:
    """The same for an error, however small."""
    return np.asarray(np.sqrt((1 + 1 / np.asarray(share)) * (np.log1p(share) - 2 * math.log(error))))


def mixture_p_value(errors: float, share: float) -> float:
    """One over the mixture's likelihood ratio for a number so many standard errors away: valid at every look.

    The error at which `boundary` is just reached, but never above 1.
    """
    return min(1.0, math.sqrt(1 + share) * math.exp(-(errors**2) * share / (1 + share) / 2))


def asymptotic(number: Jackknife, confidence: float = 0.95, tightest_at: float = TIGHTEST_AT) -> Interval:
    """The interval of any jackknifed number, valid at every look from the 20th batch on.

    Blocks are the unit of time: the variance of one is blocks * error^2. No bounds before the 20th batch, nor while nothing has
    varied of a number that may lie anywhere. Its promise is that of the central limit theorem: exact in the limit.
    """
    value = float(number.value)
    if number.span.is_point:
        return Interval(value, value, value)
    if len(number.sizes) < FIRST_BATCHES:
        return Interval(value, math.nan, math.nan)
    quantile = float(reach(number.sizes.sum(), confidence, tightest_at))
    low, high = number.span.bounds(value, number.error, quantile, share_unseen_ever(number.span.blocks, 1 - confidence))
    return Interval(value, float(low), float(high))


def asymptotic_gap(numbers: Jackknife, confidence: float = 0.95, tightest_at: float = TIGHTEST_AT) -> Interval:
    """Largest minus smallest of several numbers at every look: all pairs at once (Bonferroni)."""
    return gap_of_pairs(numbers, pairs(numbers, confidence, lambda one, each: asymptotic(one, each, tightest_at)))


def blocks_for(deviation: float, target: float, confidence: float = 0.95, tightest_at: float = TIGHTEST_AT, room: float = 0.0) -> float:
    """Blocks after which the asymptotic sequence reaches no further than `target`.

    `deviation`: standard deviation of one block; `room`: how far the number can go at all. math.inf where no number of
    blocks is enough.
    """
    if target <= 0 or math.isnan(deviation):
        return math.inf

    def is_enough(blocks: float) -> bool:
        spread = float(reach(blocks, confidence, tightest_at)) * deviation / math.sqrt(blocks)
        return math.hypot(spread, room * share_unseen_ever(blocks, 1 - confidence)) <= target

    return first_enough(is_enough)


def trials_for(rate: float, target: float, confidence: float = 0.95, tightest_at: float = TIGHTEST_AT) -> float:
    """Trials after which `beta_binomial` reaches no further than `target`, if the rate stays as it is; math.inf if never."""
    if target <= 0 or math.isnan(rate):
        return math.inf

    def is_enough(trials: float) -> bool:
        _, low, high = beta_binomial(rate * trials, trials, confidence, tightest_at)
        return max(high - rate, rate - low) <= target

    return first_enough(is_enough)


def first_enough(is_enough: Callable[[float], bool]) -> float:
    """The lowest number, from 1, that is enough; math.inf if none is."""
    low, high = 1.0, 1.0
    while not is_enough(high):
        low, high = high, 4 * high
        if high > MOST_BLOCKS:
            return math.inf
    while high - low > 1e-6 * high:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


# --- counts of independent trials -----------------------------------------------------------------------


def log_mixture_ratio(
    events: NDArray[Any] | float, trials: NDArray[Any] | float, rate: NDArray[Any] | float, size: float
) -> NDArray[np.float64]:
    """Log of the likelihood of what was counted, mixed over rates around `rate`, over that at `rate`; [...].

    The mixture is a beta distribution with mean `rate` that weighs as much as `size` trials. If `rate` is
    the true one, the ratio ever exceeds 1 / error with a chance of at most `error` (Ville's inequality).
    The same holds for sums of independent shares in 0..1 instead of events, for the ratio is convex in
    each of them (Howard, Ramdas, McAuliffe and Sekhon 2021, proposition 7 and fact 1).
    """
    from scipy import special

    first, second = size * np.asarray(rate, float), size * (1 - np.asarray(rate, float))
    misses = np.asarray(trials) - events
    mixed = special.betaln(events + first, misses + second) - special.betaln(first, second)
    return np.asarray(mixed - special.xlogy(events, rate) - special.xlog1py(misses, -np.asarray(rate)))


def beta_binomial(events: float, trials: float, confidence: float = 0.95, tightest_at: float = TIGHTEST_AT) -> Interval:
    """A proportion of independent trials, valid at every look: the rates whose mixture ratio is below 1 / error.

    Exact at any number of trials. `events` may be a sum of shares in 0..1 (deals of a block, divided by
    their number); then it is still valid, and wider than needed where a block varies less than one deal.
    """
    if trials <= 0:
        return Interval(math.nan, math.nan, math.nan)
    rate, limit = events / trials, -math.log(1 - check_confidence(confidence))
    size = prior_size(confidence, tightest_at)

    def is_excluded(candidate: float) -> bool:
        return float(log_mixture_ratio(events, trials, candidate, size)) > limit

    return Interval(rate, outermost(is_excluded, rate, 0.0), outermost(is_excluded, rate, 1.0))


def outermost(is_excluded: Any, inside: float, outside: float) -> float:
    """The last rate on the way from `inside` to `outside`, 0 or 1, before rates are excluded."""
    tiny = 1e-15
    if inside == outside or not is_excluded(tiny if outside == 0 else 1 - tiny):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        if 0 < middle < 1 and not is_excluded(middle):
            inside = middle
        else:
            outside = middle
    return outside
