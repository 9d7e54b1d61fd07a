"""The luck share: known where it can be calculated, covered by its interval, and refused where it means nothing."""

import math
from dataclasses import dataclass, replace
from threading import Event

import fake_game
import numpy as np
import planted_bots
import pytest

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.game import GAME
from lostlegacy_sim.games.lost_legacy.kernel.counts import LABELS
from lostlegacy_sim.stats.luck import luck_share
from lostlegacy_sim.studies.luck import play_luck
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.tally import Totals


def drawn(share: float, shuffles: int, repeats: int, chance: np.random.Generator) -> np.ndarray:
    """Wins of two seats whose chance is beta-distributed over shuffles: the share is known, 1 / (first + second + 1)."""
    size = 1 / share - 1
    chances = chance.beta(0.4 * size, 0.6 * size, size=shuffles)
    first = chance.random((repeats, shuffles)) < chances
    return np.stack([first, ~first], axis=-1)


def test_the_share_of_a_beta_distribution():
    for share in (0.05, 0.5, 0.9):
        found = luck_share(drawn(share, 20_000, 3, np.random.default_rng(1)))
        assert found.value == pytest.approx([share] * 3, abs=4 * float(found.error[2]))
        assert float(found.error[2]) < 0.01


def test_all_luck_and_none():
    settled = np.repeat(np.random.default_rng(1).integers(0, 2, size=(1, 400, 2)), 3, axis=0)
    assert luck_share(settled).value == pytest.approx([1, 1, 1])
    free = np.random.default_rng(1).integers(0, 2, size=(4, 50_000, 1))
    assert abs(luck_share(free).value[0]) < 4 * luck_share(free).error[0]
    assert np.isnan(luck_share(np.zeros((2, 100, 2))).value).all()
    with pytest.raises(ValueError, match="two plays"):
        luck_share(np.zeros((1, 100, 2)))


def coverage(share_of):
    """How often 95 % intervals hold a share of 0.2, of 300 samples of 600 shuffles played twice."""
    chance = np.random.default_rng(4)
    covered = 0
    for _ in range(300):
        low, high = share_of(drawn(0.2, 600, 2, chance))
        covered += low <= 0.2 <= high
    return covered / 300


def unbiased(outcomes):
    return (float(bound[2]) for bound in luck_share(outcomes).bounds())


def of_means(outcomes):
    """The must-fail twin: the variance of the means of a shuffle, which holds chance, too."""
    means, total = outcomes.mean(axis=0)[:, 0], outcomes.var(axis=(0, 1), ddof=1)[0]
    centre, error = means.var(ddof=1) / total, 2 * math.sqrt(2 / len(means))
    return centre - error, centre + error


def test_intervals_cover():
    assert coverage(unbiased) == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 300))
    assert coverage(of_means) < 0.1


# --- a game with a known share ---------------------------------------------------------------------------

SETTLED = 0.3


@dataclass
class LuckyTable:
    """In SETTLED of the shuffles the first seat wins whatever is chosen; else either of two seats, at random."""

    experiment: Experiment

    def play(self, first_block, n_blocks, counts, exemplars):
        assert n_blocks == 1
        settled = fake_game.words(self.experiment.seed, np.array([first_block]))[0] / 2**64 < SETTLED
        coin = int(fake_game.words(self.experiment.seed + 1 + self.experiment.repeat, np.array([first_block]))[0] >> np.uint64(60)) % 2
        totals = Totals(LABELS, counts)
        totals["deals"][...] += 1
        totals["won"][0, 0, 0 if settled else coin] += 1


LUCKY = replace(GAME, open_table=LuckyTable, find_bot=planted_bots.find_bot, ladder=())


def lucky(deals=40_000, bots=("even",), players=2):
    return experiment_of(LUCKY, load_set("starship"), players, bots, deals, 1)


def test_a_game_with_a_known_share():
    """P(first seat wins | shuffle) is 1 or 1/2; its variance is .25 * .3 * .7, of all p (1 - p) with p = .65."""
    found = play_luck(lucky(), LUCKY, 4)
    known = 0.25 * SETTLED * (1 - SETTLED) / (0.65 * 0.35)
    assert (found.shuffles, found.repeats, found.together.n) == (10_000, 4, 40_000)
    error = (found.together.high - found.together.low) / (2 * 1.96)
    assert found.together.value == pytest.approx(known, abs=4 * error)
    assert error < 0.01
    assert [seat.name for seat in found.seats] == ["luck_seat[1]", "luck_seat[2]"]


def test_what_cannot_be_asked():
    for experiment, repeats, sentence in (
        (lucky(), 1, "at least twice"), (lucky(), 101, "at most 100"), (lucky(deals=5), 4, "fewer than two shuffles"),
        (lucky(bots=("even", "strong")), 2, "a table of equal bots"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=sentence):
            play_luck(experiment, LUCKY, repeats)


def test_a_stopped_run_says_nothing():
    stop = Event()
    stop.set()
    assert play_luck(lucky(), LUCKY, 2, stop) is None
