"""Known numbers: `random` on the Starship and the Flying Garden, from two thousand million and a million deals."""

from math import sqrt

import numpy as np
import pytest
from counting import Z, count, outside

from lostlegacy_sim.games.lost_legacy.cards.composition import printed

DEALS = 1_000_000
WAYS = ("last", "seen", "found")
STARSHIP = {  # wins of each seat; last, seen, found, nobody; turns
    2: ((0.35728, 0.36410), (0.49700, 0.07180, 0.15258, 0.27863), 7.857),
    3: ((0.16558, 0.16864, 0.17001), (0.11552, 0.08892, 0.29978, 0.49577), 9.778),
    4: ((0.11159, 0.11251, 0.11203, 0.11242), (0.01108, 0.07786, 0.35961, 0.55145), 9.394),
}
GARDEN = ((0.3453, 0.3858), (0.648, 0.0, 0.083, 0.269), 9.61)


def too_far(set_name: str, n_seats: int, known: tuple, own_error: float, rounding: float) -> list[str]:
    """The numbers of the kernel that are not the known ones."""
    wins, ways, turns = known
    totals = count(printed(set_name), n_seats, DEALS)
    won = totals["won"][:, 0, :n_seats]
    pairs = [(f"seat {seat}", won[:, seat].sum(), rate) for seat, rate in enumerate(wins)]
    pairs += zip((*WAYS, "nobody"), (*won.sum(axis=1), totals["nobody"]), ways, strict=True)
    found = [name for name, n, rate in pairs if outside(int(n), DEALS, rate, own_error + (rounding if name[:4] != "seat" else 0))]
    lengths, numbers = totals["length"], np.arange(64)
    mean = float((lengths * numbers).sum() / DEALS)
    assert mean == pytest.approx(float(totals["turns"] / DEALS))
    spread = sqrt(float((lengths * (numbers - mean) ** 2).sum() / DEALS))
    return found + ["turns"] * (abs(mean - turns) > Z * spread / sqrt(DEALS) + 0.0006 + 5 * rounding)


@pytest.mark.parametrize("n_seats", STARSHIP)
def test_random_seats_on_the_starship(n_seats: int) -> None:
    assert too_far("starship", n_seats, STARSHIP[n_seats], 0.00001, 0.0) == []


def test_random_seats_on_the_flying_garden() -> None:
    assert too_far("flying-garden", 2, GARDEN, 0.0005, 0.0003) == []


def test_a_rate_two_thousandths_off_is_noticed() -> None:
    wins, ways, turns = STARSHIP[3]
    off = ((wins[0] + 0.002, *wins[1:]), ways, turns)
    assert too_far("starship", 3, off, 0.00001, 0.0) == ["seat 0"]
    assert too_far("starship", 3, (wins, ways, turns + 0.02), 0.00001, 0.0) == ["turns"]
