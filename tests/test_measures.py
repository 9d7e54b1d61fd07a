"""Measures: each against a recount over single deals; intervals of the right kind; unknown names."""

import math
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest
from fake_game import ask

from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.estimate import METHODS, Estimates
from lostlegacy_sim.games.lost_legacy.game import GAME as LOST_LEGACY
from lostlegacy_sim.games.lost_legacy.headlines import SUMMARY
from lostlegacy_sim.games.lost_legacy.kernel.counts import CATEGORIES, LABELS
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.intervals import wilson
from lostlegacy_sim.tally import Tally, Totals, no_exemplars

GAME = replace(LOST_LEGACY, find_bot=lambda words: (words, ""))
WAYS = ("last", "seen", "found")


@dataclass
class Deal:
    """One finished deal, as plainly as can be."""

    rotation: int
    way: str  # one of WAYS, "nobody" or "void"
    winner: int
    turns: int
    speed: int
    out: set
    early: set
    legacy: tuple  # ("hand", seat), ("ruins", position) or ("deck", 0)


def some_deals(players: int, rotations: int, blocks: int, seed: int) -> list[Deal]:
    rng = random.Random(seed)
    deals = []
    for _ in range(blocks):
        for rotation in range(rotations):
            seats = range(players)
            way = rng.choices(["last", "seen", "found", "nobody", "void"], [30, 20, 20, 29, 1])[0]
            out = {seat for seat in seats if rng.random() < 0.3}
            early = {seat for seat in out if rng.random() < 0.3}
            winner = min(rng.randrange(players), rng.randrange(players))
            legacy = rng.choice([("hand", rng.randrange(players)), ("ruins", rng.randrange(10)), ("deck", 0)])
            deals.append(Deal(rotation, way, winner, 3 + rng.randrange(9), rng.randrange(1, 9), out, early, legacy))
    return deals


def count(deals: list[Deal]) -> np.ndarray:
    """The counts of some deals, as the kernel would write them."""
    groups = {name: np.zeros(shape, np.int64) for name, shape in LABELS}
    for deal in deals:
        if deal.way == "void":
            groups["void"] += 1
            continue
        groups["deals"] += 1
        groups["turns"] += deal.turns
        if deal.way == "nobody":
            groups["nobody"] += 1
        else:
            groups["won"][WAYS.index(deal.way), deal.rotation, deal.winner] += 1
        if deal.way == "found":
            groups["found_speed"][deal.speed] += 1
        for seat in deal.out:
            groups["out"][deal.rotation, seat] += 1
            groups["downtime"][seat] += 2
        for seat in deal.early:
            groups["out_early"][deal.rotation, seat] += 1
        groups["out_early_any"] += bool(deal.early)
        place, number = deal.legacy
        if place == "deck":
            groups["legacy_deck"] += 1
        else:
            groups[f"legacy_{place}"][min(number, 7)] += 1
    return np.concatenate([groups[name].reshape(-1) for name, _ in LABELS])


def result_of(deals: list[Deal], bots: tuple[str, ...], n_deals: int) -> Result:
    experiment = replace(ask(n_deals, bots, players=len(bots)), game="lost_legacy")
    size = experiment.batch_blocks * experiment.rotations
    rows = [count(deals[first : first + size]) for first in range(0, len(deals), size)]
    return Result(experiment, Tally(LABELS, np.array(rows)), CATEGORIES, no_exemplars(CATEGORIES), {})


BOTS = ("careful", "random", "random")
DEALS = some_deals(3, 3, 1000, seed=5)
VALID = [deal for deal in DEALS if deal.way != "void"]
MIXED = Estimates(result_of(DEALS, BOTS, 3000), GAME)
SAME_DEALS = some_deals(4, 1, 2000, seed=6)
SAME = Estimates(result_of(SAME_DEALS, ("random",) * 4, 2000), GAME)


def share(holds) -> float:
    return sum(bool(holds(deal)) for deal in VALID) / len(VALID)


def is_won(deal: Deal) -> bool:
    return deal.way in WAYS


def winning_bot(deal: Deal) -> str:
    return BOTS[(deal.winner + deal.rotation) % 3]


RECOUNTS = {
    "nobody": lambda: share(lambda deal: deal.way == "nobody"),
    "decided": lambda: share(is_won),
    "par": lambda: share(is_won) / 3,
    "by_last": lambda: share(lambda deal: deal.way == "last"),
    "by_seen": lambda: share(lambda deal: deal.way == "seen"),
    "by_found": lambda: share(lambda deal: deal.way == "found"),
    "found_speed[8]": lambda: share(lambda deal: deal.way == "found" and deal.speed == 8),
    "void": lambda: 1 - len(VALID) / len(DEALS),
    "win_seat[1]": lambda: share(lambda deal: is_won(deal) and deal.winner == 0),
    "win_seat[3]": lambda: share(lambda deal: is_won(deal) and deal.winner == 2),
    "above_seat[3]": lambda: share(lambda deal: is_won(deal) and deal.winner == 2) - share(is_won) / 3,
    "index_seat[3]": lambda: share(lambda deal: is_won(deal) and deal.winner == 2) / share(is_won) * 3,
    "first_seat": lambda: share(lambda deal: is_won(deal) and deal.winner == 0) - share(is_won) / 3,
    "seat_gap": lambda: RECOUNTS["win_seat[1]"]() - RECOUNTS["win_seat[3]"](),  # low seats win more in these deals
    "win_bot[careful]": lambda: share(lambda deal: is_won(deal) and winning_bot(deal) == "careful"),
    "win_bot[random]": lambda: share(lambda deal: is_won(deal) and winning_bot(deal) == "random") / 2,
    "above_bot[random]": lambda: share(lambda deal: is_won(deal) and winning_bot(deal) == "random") / 2 - share(is_won) / 3,
    "index_bot[random]": lambda: share(lambda deal: is_won(deal) and winning_bot(deal) == "random") / 2 / share(is_won) * 3,
    "turns": lambda: sum(deal.turns for deal in VALID) / len(VALID),
    "out_early": lambda: share(lambda deal: deal.early),
    "out_early_seat[2]": lambda: share(lambda deal: 1 in deal.early),
    "out_seat[2]": lambda: share(lambda deal: 1 in deal.out),
    "downtime_seat[2]": lambda: 2 * sum(1 in deal.out for deal in VALID) / sum(deal.turns for deal in VALID),
    "downtime": lambda: 2 * sum(len(deal.out) for deal in VALID) / sum(deal.turns for deal in VALID) / 3,
    "legacy_hand": lambda: share(lambda deal: deal.legacy[0] == "hand"),
    "legacy_hand[2]": lambda: share(lambda deal: deal.legacy == ("hand", 1)),
    "legacy_ruins": lambda: share(lambda deal: deal.legacy[0] == "ruins"),
    "legacy_ruins[1]": lambda: share(lambda deal: deal.legacy == ("ruins", 0)),
    "legacy_ruins[8]": lambda: share(lambda deal: deal.legacy[0] == "ruins" and deal.legacy[1] >= 7),
    "legacy_deck": lambda: share(lambda deal: deal.legacy[0] == "deck"),
}


@pytest.mark.parametrize("name", RECOUNTS)
def test_a_measure_is_what_a_recount_over_single_deals_gives(name):
    estimate = MIXED[name]
    assert estimate.value == pytest.approx(RECOUNTS[name](), abs=1e-12)
    assert estimate.low < estimate.value < estimate.high


def test_every_measure_has_a_meaning_a_unit_and_an_interval():
    for estimates in (MIXED, SAME):
        for name in estimates.measures:
            estimate = estimates[name]
            assert estimate.name == name
            assert estimate.meaning
            assert estimate.unit in ("rate", "difference", "turns", "ratio")
            assert estimate.low <= estimate.value <= estimate.high
            assert estimate.n in (len(VALID), len(DEALS), len(SAME_DEALS), int(SAME.totals["deals"]))
            assert estimate.method in METHODS


def test_the_ways_and_nobody_add_up_to_all_deals():
    assert sum(MIXED[name].value for name in ("by_last", "by_seen", "by_found", "nobody")) == pytest.approx(1)
    assert sum(MIXED[name].value for name in ("legacy_hand", "legacy_ruins", "legacy_deck")) == pytest.approx(1)
    assert sum(MIXED[f"win_seat[{seat}]"].value for seat in (1, 2, 3)) == pytest.approx(MIXED["decided"].value)


def test_the_words_of_the_summary_are_measures():
    for _, row in SUMMARY:
        for name, words in row:
            assert MIXED[name].value >= 0
            assert words


def test_with_one_deal_a_block_a_rate_has_wilsons_interval():
    estimate = SAME["win_seat[2]"]
    wins = sum(is_won(deal) and deal.winner == 1 for deal in SAME_DEALS)
    assert estimate.method == "wilson"
    assert (estimate.value, estimate.low, estimate.high) == wilson(wins, estimate.n)


def test_a_rate_shared_by_all_seats_has_the_interval_of_the_deals_that_are_decided():
    assert SAME["win_bot[random]"].value == SAME["par"].value
    assert SAME["par"].high == pytest.approx(SAME["decided"].high / 4)


def test_with_several_deals_a_block_a_rate_has_the_jackknifes_interval():
    assert MIXED["win_seat[2]"].method == "jackknife"
    assert MIXED["turns"].method == SAME["turns"].method == "jackknife"
    assert MIXED["seat_gap"].method == "pairs"


def test_a_rate_never_seen_has_an_honest_upper_bound():
    never = Estimates(result_of([replace(deal, speed=1) for deal in DEALS], BOTS, 3000), GAME)["found_speed[7]"]
    assert (never.value, never.low, never.method) == (0, 0, "clopper-pearson over blocks")
    assert never.high == pytest.approx(3.69 / 1000, rel=0.02)  # 1,000 shuffles without one


def test_few_deals_still_give_the_rates_bounds_and_the_means_none():
    few = Estimates(result_of(DEALS[:30], BOTS, 30), GAME)
    assert few["win_seat[1]"].method == "clopper-pearson over blocks"
    assert few["win_seat[1]"].high - few["win_seat[1]"].low > 0.2
    assert few["turns"].method == few["seat_gap"].method == "none"
    assert math.isnan(few["turns"].low)
    assert few["turns"].to_plain()["low"] is None


def test_an_unknown_measure_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"There is no measure 'win_seat\[7\]' here. Did you mean 'win_seat\[\d\]'\? Valid: nobody, .*, win_seat\[\.\.\.\], "):
        MIXED["win_seat[7]"]
    with pytest.raises(UsageError, match="Did you mean 'nobody'"):
        MIXED["nobdy"]


def test_counts_of_another_version_are_refused():
    result = MIXED.result
    other = replace(result, tally=Tally((("deals", ()),), np.zeros((1, 1), np.int64)), provenance={"lostlegacy_sim": "9.9"})
    with pytest.raises(ResultError, match=r"counted by lostlegacy_sim 9\.9"):
        Estimates(other, GAME)


def test_measures_of_many_totals_at_once_are_those_of_each():
    rows = MIXED.result.tally.counts[:5]
    for name, measure in MIXED.measures.items():
        together = measure(Totals(LABELS, rows))
        assert together.shape == (5,), name
        assert together[3] == pytest.approx(float(measure(Totals(LABELS, rows[3]))), nan_ok=True)
