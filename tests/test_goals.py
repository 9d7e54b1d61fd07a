"""Goals: words in, measures with a direction out, a sentence for every other word."""

import numpy as np
import pytest
from stand_in import STAND_IN

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.studies.goals import DEFAULT_GOALS, Goal, needed_measures, read_goals
from lostlegacy_sim.studies.simulate import experiment_of

MEASURES = STAND_IN.measures(experiment_of(STAND_IN, printed("starship"), 4, ["careful"], 1000, 1))


@pytest.mark.parametrize(
    ("word", "goal"),
    [
        ("seat_gap", Goal("seat_gap", "low")),
        ("by_found", Goal("by_found", "high")),
        ("nobody:high", Goal("nobody", "high")),
        ("turns=8", Goal("turns", "near", 8)),
        ("nobody = 20%", Goal("nobody", "near", 0.2)),
        ("above_seat[1]=-1.5pp", Goal("above_seat[1]", "near", -0.015)),
        ("skill", Goal("skill", "high")),
        ("win_bot[careful]:low", Goal("win_bot[careful]", "low")),
    ],
)
def test_goals_are_read(word, goal):
    assert read_goals([word], MEASURES) == (goal,)
    assert read_goals([goal.text], MEASURES) == (goal,)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["seat_gab"], "There is no goal 'seat_gab' here. Did you mean 'seat_gap'?"),
        (["win_bot[hunter]:high"], "There is no goal 'win_bot[hunter]' here."),
        (["nobody:up"], "there is no direction 'up'; write nobody:low, nobody:high or nobody=VALUE."),
        (["by_last"], "say which way is better: by_last:low, by_last:high or by_last=VALUE."),
        (["turns=many"], "write a number after the equals sign"),
        (["turns=nan"], "write a number after the equals sign"),
        (["turns", "turns=8"], "--goal turns is given twice"),
        ([""], "There is no goal ''"),
    ],
)
def test_other_words_are_refused(words, sentence):
    with pytest.raises(UsageError) as error:
        read_goals(words, MEASURES)
    assert sentence in str(error.value)


def test_the_lowest_score_is_best():
    values = np.array([7.0, 8.5, 10.0])
    assert Goal("turns", "low").score(values).argmin() == 0
    assert Goal("turns", "high").score(values).argmin() == 2
    assert Goal("turns", "near", 9).score(values).argmin() == 1
    for goal in (Goal("turns", "low"), Goal("turns", "high"), Goal("turns", "near", 9)):
        step = 1e-6
        assert (goal.score(values + step) - goal.score(values)) / step == pytest.approx(goal.slope(values))


def test_directions_are_said():
    assert Goal("nobody", "low").wish == "lower is better (somebody wins)"
    assert Goal("nobody", "high").wish == "higher is better"
    assert Goal("turns", "near", 8).wish == "nearest to 8 is best"
    assert all(goal.wish.endswith(")") for goal in read_goals(DEFAULT_GOALS, MEASURES))


def test_a_gap_needs_its_rates():
    assert needed_measures(read_goals(["seat_gap", "nobody", "win_seat[1]:high"], MEASURES), MEASURES) == (
        "win_seat[1]", "win_seat[2]", "win_seat[3]", "win_seat[4]", "nobody",
    )  # fmt: skip
