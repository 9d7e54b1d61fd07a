"""Levels: what holds at every rung, what flips at one, and what cannot be told."""

import math

import pytest
from planted_bots import PLANTED

from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.runner import play
from lostlegacy_sim.stats.differences import StudentDifference
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.levels import Claim, Headline, Level, judged
from lostlegacy_sim.studies.seat_levels import seat_headlines
from lostlegacy_sim.studies.simulate import Answer, experiment_of


def headline(*words: str) -> Headline:
    bots = ("random", "careful", "belief", "playout")
    return Headline("seat 1", "difference", tuple(Level(bots[place], Interval(0.0, 0.0, 0.0), word) for place, word in enumerate(words)))


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("above", "above", "above"), "holds at all levels"),
        (("above", "below", "below"), "flips at rung 2 (careful)"),
        (("above", "undecided", "below"), "flips at rung 3 (belief)"),
        (("above", "below", "above"), "flips at rung 2 (careful)"),
        (("above", "equivalent", "below"), "flips at rung 3 (belief)"),
        (("above", "undecided", "above", "undecided"), "holds where it can be told; undecided at rungs 2 and 4"),
        (("undecided", "above"), "holds where it can be told; undecided at rung 1"),
        (("undecided", "undecided"), "undecided at all levels"),
        (("equivalent", "equivalent"), "holds at all levels"),
        (("equivalent", "above"), "at some levels only"),
        (("equivalent", "same"), "at some levels only"),
    ],
)
def test_verdicts(words, verdict):
    found = headline(*words)
    assert found.verdict == verdict
    assert found.holds == (verdict == "holds at all levels")
    assert bool(found.flips_at) == verdict.startswith("flips")
    assert found.to_plain()["verdict"] == verdict


def test_all_claims_are_one_family():
    """A p-value of 0.03 is told alone, and not among ten."""
    edge = StudentDifference(2.2, 1.0, 100)
    claim = Claim("edge", (edge,), (("above", "below"),))
    nothing = Claim("nothing", (StudentDifference(0.0, 1.0, 100),), (("above", "below"),))
    assert judged([claim], ["random"])[0].levels[0].word == "above"
    assert judged([claim, *[nothing] * 9], ["random"])[0].levels[0].word == "undecided"
    down = Claim("down", (StudentDifference(-9.0, 1.0, 100), StudentDifference(9.0, 1.0, 100)), (("above", "below"), ("ahead", "behind")))
    assert [level.word for level in judged([down], ["random", "careful"])[0].levels] == ["below", "ahead"]
    none = Claim("none", (StudentDifference(9.0, math.nan, 0),), (("above", "below"),))
    assert judged([none], ["random"])[0].verdict == "undecided at all levels"


def answers(*bots: str, deals: int = 20_000) -> list[Answer]:
    return [Answer(play(experiment_of(PLANTED, load_set("starship"), 3, [bot], deals, 1), PLANTED, 1), PLANTED) for bot in bots]


def test_headlines_of_the_planted_game():
    """At every rung the first seat weighs more; all wins are found in the investigation; a quarter of the deals has no winner."""
    found = {one.name: one for one in seat_headlines(answers("even", "strong"))}
    assert set(found) == {"the best seat", "seat 1 against par", "seat 2 against par", "seat 3 against par", "the most frequent end",
                          "nobody wins, against half of the deals"}  # fmt: skip
    assert all(one.holds for one in found.values()), [one.verdict for one in found.values()]
    assert found["the best seat"].told == [(1, "seat 1"), (2, "seat 1")]
    assert found["seat 3 against par"].told[0] == (1, "below par")
    assert found["the most frequent end"].told[0] == (1, "investigation")
    assert found["nobody wins, against half of the deals"].told[0] == (1, "won by somebody more often than not")


def test_a_lead_is_certain_only_before_all_others():
    """Seats 2 and 3 weigh the same, so of them neither is ahead; a few deals tell nothing at all."""
    few = {one.name: one for one in seat_headlines(answers("even", deals=300))}
    assert few["the best seat"].verdict == "undecided at all levels"
    best = {one.name: one for one in seat_headlines(answers("even"))}["the best seat"]
    value, low, high = best.levels[0].interval
    assert low < 0.75 * (1.3 - 1) / 3.3 < high
    assert value > 0
