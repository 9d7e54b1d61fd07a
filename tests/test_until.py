"""Playing until a measure is known: the moments of the looks, the same stop however it is played, and what is asked."""

import itertools
import math
import threading

import numpy as np
import pytest
from fake_game import FAKE, FakeTable, ask
from stand_in import STAND_IN

from lostlegacy_sim.anytime import AnytimeEstimates
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.estimate import Estimate, Estimates
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.runner import grown, play
from lostlegacy_sim.stats.sequences import FIRST_BATCHES
from lostlegacy_sim.studies.targets import read_requirement, read_target
from lostlegacy_sim.studies.until import looks, play_until, reached

STARSHIP = load_set("starship").to_toml()


def table_of(bots=("random",) * 4, deals=200_000, seed=1) -> Experiment:
    """An experiment of the stand-in for the rules."""
    return Experiment("lost_legacy", "starship", "The Starship", STARSHIP, len(bots), tuple(bots), ("",) * len(bots), deals, seed)


def targets_of(*texts):
    return [read_target(text) for text in texts]


# --- the looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", [("coin", "die"), ("coin", "coin"), ("coin", "die", "die")])
@pytest.mark.parametrize("deals", [1, 641, 20_000, 3_000_001, 10**12])
def test_looks_depend_on_the_experiment_and_each_begins_the_next(bots, deals):
    budget = ask(deals, bots, players=len(bots))
    every = list(looks(budget))
    assert every[-1] == budget
    for look, following in itertools.pairwise(every):
        assert look.blocks % look.batch_blocks == 0
        assert look.blocks % following.batch_blocks == 0
        assert look.batches >= FIRST_BATCHES
        assert look.blocks < following.blocks <= 1.25 * look.blocks
    assert [look.deals for look in looks(ask(2 * deals, bots, players=len(bots)))][: len(every) - 1] == [look.deals for look in every[:-1]]


def test_a_result_is_played_on_without_playing_anything_twice(monkeypatch):
    played = []
    original = FakeTable.play
    monkeypatch.setattr(FakeTable, "play", lambda self, first, n, *rest: (played.append((first, n)), original(self, first, n, *rest)))
    result = play_until(ask(60_000), FAKE, targets_of("turns +/- 0.0001"), 2)
    blocks = [block for first, n in played for block in range(first, first + n)]
    assert sorted(blocks) == list(range(result.blocks))
    assert result.experiment == ask(60_000)
    assert result.tally == play(ask(60_000), FAKE, 1).tally


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("text", ["nobody +/- 2%", "turns ± 0.03", "seat_gap +- 1.5pp", "win_seat[2] +/- 0.015"])
@pytest.mark.parametrize("bots", [("random",) * 4, ("strong", "random", "random")])
def test_the_stop_is_that_of_the_experiment_it_names_for_any_number_of_threads(text, bots, threads):
    result = play_until(table_of(bots), STAND_IN, targets_of(text), threads)
    assert result.status == "complete"
    assert 2000 < result.experiment.deals < 200_000
    whole = play(result.experiment, STAND_IN, 1)
    assert result.tally == whole.tally
    assert np.array_equal(result.exemplars, whole.exemplars)
    assert result.experiment == play_until(table_of(bots, 10**9), STAND_IN, targets_of(text), 1).experiment
    (found,) = reached(AnytimeEstimates(result, STAND_IN), targets_of(text))
    assert found.is_met


def test_it_stops_at_the_first_look_at_which_all_targets_are_met():
    targets = targets_of("nobody +/- 2%", "turns +/- 0.03")
    result = play_until(table_of(), STAND_IN, targets, 1)
    for look in looks(table_of()):
        is_met = all(one.is_met for one in reached(AnytimeEstimates(play(look, STAND_IN, 1), STAND_IN), targets))
        assert is_met == (look == result.experiment)
        if is_met:
            break


def test_the_budget_ends_it_and_it_is_said_how_many_deals_it_takes():
    told = []
    target = targets_of("nobody +/- 0.5%")
    result = play_until(table_of(deals=20_000), STAND_IN, target, 1, on_forecast=told.append)
    assert result.experiment == table_of(deals=20_000)
    (found,) = reached(AnytimeEstimates(result, STAND_IN), target)
    assert not found.is_met
    needed = play_until(table_of(deals=10**9), STAND_IN, target, 1).deals
    assert found.deals_needed <= needed <= 1.3 * found.deals_needed
    assert len(told) == 1
    assert told[0][0].deals_needed == pytest.approx(found.deals_needed, rel=0.2)


@pytest.mark.parametrize("text", ["seat_gap +/- 1pp", "turns +/- 0.02", "by_last +/- 1%", "above_bot[strong] +/- 1pp"])
@pytest.mark.parametrize("bots", [("strong",) * 2 + ("random",), ("strong", "random")])
def test_the_forecast_is_near_for_every_kind_of_measure(text, bots):
    target = targets_of(text)
    early = play(table_of(bots, 16_000), STAND_IN, 1)
    (found,) = reached(AnytimeEstimates(early, STAND_IN), target)
    needed = play_until(table_of(bots, 10**9), STAND_IN, target, 1).deals
    assert 0.75 * found.deals_needed <= needed <= 1.5 * found.deals_needed


def test_a_stopped_search_keeps_a_prefix():
    stop = threading.Event()

    def stop_early(done, planned):
        if done > 1500:
            stop.set()

    result = play_until(ask(40_000, ("slow", "die")), FAKE, targets_of("turns +/- 0.0001"), 2, stop_early, stop)
    assert result.status == "partial"
    whole = play(result.experiment, FAKE, 1)
    assert np.array_equal(result.tally.counts, whole.tally.counts[: result.batches])


def test_a_bot_that_breaks_the_rules_ends_the_search():
    result = play_until(ask(40_000, ("cheat", "die")), FAKE, targets_of("turns +/- 0.0001"), 2)
    assert "deal 5000" in result.error
    assert result.deals <= 5000


def test_only_the_same_deals_are_played_on():
    begun = play(ask(1280), FAKE, 1)
    assert grown(begun, ask(1280)) == begun.tally
    for other in (ask(4000, seed=2), ask(1000), ask(4000, ("die", "coin"))):
        with pytest.raises(ValueError, match="played on"):
            grown(begun, other)
    with pytest.raises(ValueError, match="played on"):
        grown(play(ask(1290), FAKE, 1), ask(4000))  # its last batch is not whole
    with pytest.raises(ValueError, match="in pairs"):
        grown(play(ask(32 * 41), FAKE, 1), ask(20_000))
    assert grown(play(ask(32 * 40), FAKE, 1), ask(20_000)) == play(ask(1280), FAKE, 1).tally.in_pairs()


# --- intervals that hold at every look ----------------------------------------------------------------------


@pytest.mark.parametrize("bots", [("random",) * 4, ("strong", "random", "random")])
def test_every_measure_has_a_wider_interval_that_holds_at_every_look(bots):
    result = play(table_of(bots, 30_000), STAND_IN, 1)
    once, ever = Estimates(result, STAND_IN), AnytimeEstimates(result, STAND_IN)
    for name in once.measures:
        assert ever[name].value == pytest.approx(once[name].value, nan_ok=True)
        if ever[name].method == "none":
            continue
        assert "sequence" in ever[name].method or ever[name].method in ("constant", "logic")
        assert ever[name].high - ever[name].low > once[name].high - once[name].low or ever[name].method == once[name].method == "logic", name


def test_rare_events_are_not_taken_for_certain():
    """No deal of the stand-in is void: the jackknife would say 0 +/- 0."""
    for bots in (("random",) * 4, ("strong", "random", "random")):
        found = AnytimeEstimates(play(table_of(bots, 3000), STAND_IN, 1), STAND_IN)["void"]
        assert (found.value, found.low) == (0, 0)
        assert found.high > 0.001


def test_what_is_known_by_logic_is_reached_at_once():
    """One bot at all seats wins its share of the decided deals, whatever is played."""
    result = play_until(table_of(), STAND_IN, targets_of("above_bot[random] +/- 0.001pp", "index_bot[random] +/- 0.0001"), 1)
    assert result.experiment == next(iter(looks(table_of())))
    (found,) = reached(AnytimeEstimates(result, STAND_IN), targets_of("above_bot[random] +/- 0.001pp"))
    assert found.is_met
    assert (found.estimate.low, found.estimate.high, found.estimate.method) == (0, 0, "logic")


@pytest.mark.parametrize("text", ["downtime +/- 0.01%", "out_seat[2] +/- 0.1%", "turns_seat[2] +/- 0.01"])
@pytest.mark.parametrize("bots", [("random",) * 4, ("strong", "random", "random")])
def test_what_has_been_the_same_in_every_batch_is_reached_when_what_was_not_seen_is_rare_enough(text, bots):
    """No seat of the stand-in is ever out, and none has a turn. It is said how many deals it takes, and so many it takes."""
    target = targets_of(text)
    early = play(table_of(bots, 2000), STAND_IN, 1)
    (found,) = reached(AnytimeEstimates(early, STAND_IN), target)
    assert not found.is_met
    assert found.estimate.low == found.estimate.value == 0 < found.estimate.high
    result = play_until(table_of(bots, 10**9), STAND_IN, target, 1)
    assert found.deals_needed <= result.deals <= 1.3 * found.deals_needed
    (reach,) = reached(AnytimeEstimates(result, STAND_IN), target)
    assert 0 < reach.estimate.high <= target[0].amount.value


# --- what is typed --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("seat_gap +/- 0.2pp", "seat_gap", 0.002),
        ("nobody±0.5%", "nobody", 0.005),
        (" nobody +- .005 ", "nobody", 0.005),
        ("turns +/- 5e-2", "turns", 0.05),
        ("win_bot[careful:memory=no] +/- 1 %", "win_bot[careful:memory=no]", 0.01),
    ],
)
def test_targets_as_they_are_typed(text, measure, value):
    target = read_target(text)
    assert (target.measure, target.amount.value) == (measure, pytest.approx(value))
    assert read_target(str(target)) == target


@pytest.mark.parametrize(
    ("text", "relation", "value"),
    [("out_early < 5%", "<", 0.05), ("turns>=8.5", ">=", 8.5), ("seat_gap ≤ 2pp", "<=", 0.02), ("first_seat > -0.5 pp", ">", -0.005)],
)
def test_requirements_as_they_are_typed(text, relation, value):
    found = read_requirement(text)
    assert (found.relation, found.amount.value) == (relation, pytest.approx(value))
    assert read_requirement(str(found)) == found


@pytest.mark.parametrize("text", ["", "nobody", "+/- 5%", "nobody +/- x", "nobody +/- 0", "nobody +/- -1%", "nobody +/- 5%%", "nobody < 5%"])
def test_a_target_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="--until"):
        read_target(text)


@pytest.mark.parametrize("text", ["", "nobody", "< 5%", "nobody < x", "nobody = 5%", "nobody +/- 5%", "nobody < 5 deals"])
def test_a_requirement_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="--require"):
        read_requirement(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("turns +/- 1%", "turns is counted in turns; write a plain number without %"),
        ("nobody +/- 5", "nobody is a rate between 0 and 1; write 5% or 0.05"),
        ("seat_gapp +/- 1%", "Did you mean 'seat_gap'"),
        ("win_seat[5] +/- 1%", "There is no measure 'win_seat\\[5\\]' here"),
    ],
)
def test_a_target_is_checked_against_the_measures(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        read_target(text).check(STAND_IN.measures(table_of()))


class Fixed:
    """Estimates whose one interval is given."""

    def __init__(self, low, high):
        self.estimate = Estimate("nobody", "rate", "", (low + high) / 2, low, high, 100, "clopper-pearson")

    def for_gate(self, name):
        return self.estimate


@pytest.mark.parametrize(
    ("text", "below", "above", "around"),
    [
        ("nobody < 5%", "met", "broken", "undecided"),
        ("nobody <= 5%", "met", "broken", "undecided"),
        ("nobody > 5%", "broken", "met", "undecided"),
        ("nobody >= 5%", "broken", "met", "undecided"),
    ],
)
def test_a_requirement_is_decided_by_the_whole_interval(text, below, above, around):
    asked = read_requirement(text)
    assert asked.judge(Fixed(0.02, 0.04)).verdict == below
    assert asked.judge(Fixed(0.06, 0.08)).verdict == above
    assert asked.judge(Fixed(0.04, 0.06)).verdict == around
    assert asked.judge(Fixed(math.nan, math.nan)).verdict == "undecided"


def test_at_the_bound_itself_only_the_relation_with_an_equals_sign_holds():
    assert read_requirement("nobody < 5%").judge(Fixed(0.05, 0.05)).verdict == "broken"
    assert read_requirement("nobody <= 5%").judge(Fixed(0.05, 0.05)).verdict == "met"
    assert read_requirement("nobody > 5%").judge(Fixed(0.05, 0.05)).verdict == "broken"
    assert read_requirement("nobody >= 5%").judge(Fixed(0.05, 0.05)).verdict == "met"


def test_an_undecided_requirement_says_how_many_deals_it_takes():
    asked = read_requirement("nobody < 43.5%")
    judged = asked.judge(Estimates(play(table_of(deals=20_000), STAND_IN, 1), STAND_IN))
    assert judged.verdict == "undecided"
    assert 20_000 <= judged.deals_needed < 10**8
    later = asked.judge(Estimates(play(table_of(deals=int(2 * judged.deals_needed)), STAND_IN, 1), STAND_IN))
    assert (later.verdict, math.isinf(later.deals_needed)) == ("met", True)


def test_a_gate_asks_an_exact_interval():
    for bots, method in ((("random",) * 4, "clopper-pearson"), (("strong", "random", "random"), "jackknife")):
        estimates = Estimates(play(table_of(bots, 6000), STAND_IN, 1), STAND_IN)
        assert read_requirement("nobody < 90%").judge(estimates).estimate.method == method
    few = Estimates(play(table_of(("strong", "random"), 300), STAND_IN, 1), STAND_IN)
    assert read_requirement("nobody < 90%").judge(few).estimate.method == "clopper-pearson over blocks"
