"""Surveys: many experiments on the same deals, the same counts however they are played, the numbers of `simulate`."""

import threading

import fake_game
import numpy as np
import pytest
from planted_game import PLANTED

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.runner import play, play_alone
from lostlegacy_sim.studies.mixes import mixes_in_order
from lostlegacy_sim.studies.simulate import Answer, experiment_of
from lostlegacy_sim.studies.survey import Asked, play_surveys

RATES = tuple(f"win_seat[{seat}]" for seat in range(1, 5))
NAMES = (*RATES, "nobody", "out_early", "turns")


def asked(game=PLANTED, n_sets=12, bots=("careful",), deals=2000, seed=1, names=NAMES):
    return Asked(tuple(experiment_of(game, mix, 4, bots, deals, seed) for mix in mixes_in_order()[:n_sets]), names)


def test_threads_change_nothing():
    both = asked(), asked(bots=("strong", "random"), names=("index_bot[strong]", "above_bot[strong]"))
    one, three = (play_surveys(both, PLANTED, threads) for threads in (1, 3))  # 24 experiments: a thread each
    few = play_surveys((asked(n_sets=2),), PLANTED, 2)  # all threads on each
    for first, second in zip(one, three, strict=True):
        assert np.array_equal(first.counts, second.counts)
        assert first.rows == tuple(range(12))
    assert np.array_equal(few[0].counts, one[0].counts[:2])
    assert one[1].counts.dtype.kind == "f"  # above par is no count
    assert one[0].counts.dtype == np.int64


@pytest.mark.parametrize("bots", [("careful",), ("careful", "random")])
def test_the_numbers_are_those_of_simulate(bots):
    game = find_game("lost_legacy")
    experiment = experiment_of(game, printed("starship"), 4, bots, 3000, 1)
    (survey,) = play_surveys([Asked((experiment,), (*NAMES, "by_seen"))], game, 1)
    found = Answer(play(experiment, game, 1), game).estimates
    for name in ("seat_gap", *NAMES, "by_seen"):
        here = survey.estimate(name, 0)
        assert here.value == pytest.approx(found[name].value), name
        assert survey.values(name)[0] == pytest.approx(found[name].value)
        if found[name].method in ("jackknife", "pairs", "clopper-pearson over blocks"):
            assert (here.low, here.high) == pytest.approx((found[name].low, found[name].high)), name
        assert here.low < here.high


def test_a_stopped_survey_keeps_what_was_played_to_its_end():
    stop = threading.Event()

    def after_a_while(played, planned):
        assert planned == 12 * 2000
        if played > 5000:
            stop.set()

    (survey,) = play_surveys([asked(bots=("slow",))], PLANTED, 2, after_a_while, stop)
    assert 2 <= len(survey.rows) < 12
    (whole,) = play_surveys([asked()], PLANTED, 2)  # slow is as random as the others
    assert np.array_equal(survey.counts, whole.only(survey.rows).counts)


def test_ctrl_c_keeps_it_too():
    def interrupt(played, planned):
        if played > 5000 and not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt

    interrupted: list[bool] = []
    (survey,) = play_surveys([asked(bots=("slow",))], PLANTED, 2, interrupt)
    assert 2 <= len(survey.rows) < 12


def test_a_bot_that_breaks_the_rules_ends_it():
    (survey,) = play_surveys([asked(bots=("cheat",), deals=6000)], PLANTED, 2)
    assert survey.error.startswith("The bot 'cheat' chose 9 of 2 options")
    assert survey.rows == ()
    assert survey.values("nobody").shape == (0,)


def test_only_one_kind_of_table_fits_into_a_survey():
    with pytest.raises(ValueError, match="the same players, line-up and deals"):
        Asked((fake_game.ask(deals=100), fake_game.ask(deals=200)), ("turns",))


def test_alone_or_on_all_threads_the_counts_are_the_same():
    experiment = experiment_of(PLANTED, printed("starship"), 3, ("strong", "random"), 5000, 2)
    alone, together = play_alone(experiment, PLANTED, lambda played, planned: None, threading.Event()), play(experiment, PLANTED, 3)
    assert alone.tally == together.tally
    assert np.array_equal(alone.exemplars, together.exemplars)
    stopped = threading.Event()
    part = play_alone(experiment, PLANTED, lambda played, planned: stopped.set(), stopped)
    assert (part.batches, part.status) == (1, "partial")
    cheated = play_alone(experiment_of(PLANTED, printed("starship"), 3, ("cheat",), 9000, 2), PLANTED, lambda played, planned: None, threading.Event())
    assert cheated.error.startswith("The bot 'cheat'")
    assert cheated.deals == 4992
