"""Strategy space: which mixture of strategies cannot be beaten, who is better against everyone, who beats whom in a circle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.stats.differences import single
from lostlegacy_sim.stats.families import holm, holm_confidences
from lostlegacy_sim.stats.jackknife import Jackknife

Floats = NDArray[np.float64]

NEGLIGIBLE = 1e-4  # a strategy with less of the largest weight has none


# --- Nash averaging -------------------------------------------------------------------------------------


def nash_average(matrix: NDArray[Any]) -> Floats:
    """The mixture of greatest entropy among those no strategy gains against, [strategies].

    `matrix`: [strategies, strategies], what the row gains against the column, antisymmetric. Balduzzi, Tuyls, Perolat and
    Graepel (2018), "Re-evaluating evaluation": unlike a mean over opponents it does not change when a strategy is
    entered twice. Raises ValueError if the matrix is not antisymmetric.
    """
    gains = np.asarray(matrix, float)
    if gains.ndim != 2 or not np.allclose(gains, -gains.T, atol=1e-12, equal_nan=False):
        raise ValueError("what one strategy gains against another, the other one loses")
    gains = gains / max(float(np.abs(gains).max()), 1e-300)
    support = largest_support(gains)
    weights: Floats = np.zeros(len(gains))
    weights[support] = greatest_entropy(gains, support)
    return weights


def largest_support(gains: Floats) -> NDArray[np.intp]:
    """The strategies that some unbeaten mixture plays, ascending.

    Mixtures are unbeaten where weights @ gains >= 0, whatever their sum; so one linear program, which lifts as many
    weights as it can to 1, finds all of them at once.
    """
    from scipy.optimize import linprog

    size = len(gains)
    unbeaten = np.hstack([-gains.T, np.zeros((size, size))])
    below = np.hstack([-np.eye(size), np.eye(size)])  # lifted <= weight
    bounds = [(0, 1 / NEGLIGIBLE)] * size + [(0, 1)] * size
    found = linprog(
        np.concatenate([np.zeros(size), -np.ones(size)]), np.vstack([unbeaten, below]), np.zeros(2 * size), bounds=bounds, method="highs"
    )
    return np.asarray(np.flatnonzero(found.x[size:] > 0.5))


def greatest_entropy(gains: Floats, support: NDArray[np.intp]) -> Floats:
    """The weights of the strategies of the support, all above 0, by the dual of the entropy.

    They are e^(gains @ prices) up to their sum. A strategy of the support breaks even against every unbeaten mixture,
    so its price is free; one outside only must not gain, so its price is not negative.
    """
    from scipy.optimize import minimize

    rows = gains[support]
    bounds = [(None, None) if column in support else (0, None) for column in range(len(gains))]

    def dual(prices: Floats) -> tuple[float, Floats]:
        powers = rows @ prices
        top = float(powers.max())
        shares = np.exp(powers - top)
        total = float(shares.sum())
        return top + math.log(total), rows.T @ (shares / total)

    found = minimize(dual, np.zeros(len(gains)), jac=True, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000})
    powers = rows @ found.x
    shares = np.exp(powers - powers.max())
    return np.asarray(shares / shares.sum())


def entropy(weights: NDArray[Any]) -> float:
    """Of a mixture, in nats: log(n) where n strategies are played equally often, 0 where one is played alone."""
    played = np.asarray(weights, float)
    played = played[played > 0]
    return float(max(0.0, -(played * np.log(played)).sum()))


def resampled(columns: NDArray[Any], function: Callable[[NDArray[Any]], Floats], draws: int, seed: int) -> Floats:
    """A function of the totals of batches drawn anew with replacement, [draws, ...]: the bootstrap of Efron (1979).

    For what leaps, as an equilibrium does, so that the jackknife would be wrong. `columns`: [batches, labels].
    """
    chance = np.random.default_rng(seed)
    batches = len(columns)
    times = chance.multinomial(batches, np.full(batches, 1 / batches), size=draws)
    return np.stack([function(totals) for totals in times @ columns])


# --- dominance and cycles --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dominance:
    """`better` gains more than `worse` against every opponent, the two themselves included."""

    better: int
    worse: int
    least: float  # the smallest of the differences
    low: float  # all differences are at least so large, at the adjusted level
    p_value: float  # adjusted


@dataclass(frozen=True)
class Cycle:
    """Each of three gains against the next one, and the last one against the first."""

    members: tuple[int, int, int]
    least: float  # the smallest of the three gains
    low: float
    p_value: float  # adjusted


def dominances(gains: Jackknife, confidence: float = 0.95) -> list[Dominance]:
    """Who certainly gains more than whom against everyone, the most certain first.

    `gains`: [strategies, strategies], of the row against the column, 0 against itself. That all differences of a pair are
    above 0 is tested by the least certain one (Berger 1982); the pairs are one family, adjusted by Holm.
    """
    size = len(gains.value)
    pairs = list(permutations(range(size), 2))
    found = certain([[gains[better][column] - gains[worse][column] for column in range(size)] for better, worse in pairs], confidence)
    return [Dominance(*pairs[place], least, low, p_value) for place, least, low, p_value in found]


def cycles(gains: Jackknife, confidence: float = 0.95) -> list[Cycle]:
    """Triples of which each certainly gains against the next, the most certain first; `gains` antisymmetric, as above."""
    rings = [ring for one, two, three in combinations(range(len(gains.value)), 3) for ring in ((one, two, three), (one, three, two))]
    links = [[gains[ring[place]][ring[(place + 1) % 3]] for place in range(3)] for ring in rings]
    return [Cycle(rings[place], least, low, p_value) for place, least, low, p_value in certain(links, confidence)]


def certain(claims: Sequence[Sequence[Jackknife]], confidence: float) -> list[tuple[int, float, float, float]]:
    """Of claims that several numbers are all above 0, those that are certain: place, smallest number, lowest bound, p-value."""
    numbers = [[single(one) for one in claim] for claim in claims]
    raw = [max_or_nan([one.tail() for one in claim]) for claim in numbers]
    adjusted, levels = holm(raw), holm_confidences(raw, confidence)
    found = []
    for place in np.argsort(adjusted, kind="stable"):
        if adjusted[place] <= 1 - confidence:
            level = 2 * levels[place] - 1  # one side only
            low = min(one.interval(float(level)).low for one in numbers[place])
            found.append((int(place), min(one.value for one in numbers[place]), low, float(adjusted[place])))
    return found


def max_or_nan(numbers: Sequence[float]) -> float:
    """The largest number; nan if one is nan."""
    return float(np.max(numbers))
