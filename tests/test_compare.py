"""Comparing results: what is paired, what is asked, what differences allow to say."""

import json
import math
import threading
from dataclasses import replace

import numpy as np
import pytest
from command_line import run
from stand_in import STAND_IN

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.runner import play
from lostlegacy_sim.stats.families import holm
from lostlegacy_sim.studies.compare import Contrast, Variant, compare, same_blocks
from lostlegacy_sim.studies.pairing import pair
from lostlegacy_sim.studies.questions import Questions
from lostlegacy_sim.studies.targets import read_margin, read_target
from lostlegacy_sim.studies.until import looks, play_looks

RANDOM = ("random",) * 4
STRONG = ("strong", "strong", "random", "random")
ONE_STRONG = ("strong", "random", "random", "random")
WEAK = ("random", "random", "random", "careful")


STARSHIP = load_set("starship").to_toml()


def table_of(bots=RANDOM, deals=20_000, seed=1, repeat=0) -> Experiment:
    """An experiment of the stand-in for the rules."""
    return Experiment("lost_legacy", "starship", "The Starship", STARSHIP, len(bots), tuple(bots), ("",) * len(bots), deals, seed, repeat)


def contrast_of(first: Experiment, second: Experiment, anytime: bool = False, letter: str = "B") -> Contrast:
    results = [play(experiment, STAND_IN, 1) for experiment in (first, second)]
    return Contrast(Variant("A", results[0]), Variant(letter, results[1]), STAND_IN, anytime)


def words_of(contrast: Contrast, *names: str, margins=()) -> dict[str, str]:
    (found,) = compare([contrast], names, margins)
    return {row.question.name: row.verdict.word for row in found.rows}


# --- what is paired -----------------------------------------------------------------------------------


def test_the_same_deals_are_paired_and_gain_by_it():
    contrast = contrast_of(table_of(WEAK), table_of(STRONG))
    assert contrast.pairing.is_paired
    paired = contrast.difference(contrast.questions.named("nobody"))
    first, second = (answer.estimates.jackknife(answer.estimates.measure("nobody")) for answer in contrast.answers)
    assert paired.interval() == pytest.approx((second - first).interval())
    assert paired.gain == pytest.approx((first.error**2 + second.error**2) / (second - first).error ** 2)
    assert paired.gain > 2
    apart = contrast_of(table_of(WEAK), table_of(STRONG, seed=2))
    other = apart.difference(apart.questions.named("nobody"))
    assert other.error > 1.4 * paired.error
    assert math.isnan(other.gain)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"seed": 2}, "not the same shuffles, for the seeds are 1 and 2"),
        ({"repeat": 1}, "not the same choices, for one repeats the other"),
        ({"deals": 30_000}, "not the same batches, for there are 20,000 and 30,000 shuffles"),
        ({"bots": ("random",) * 3}, "not the same deals, for there are 4 and 3 players"),
    ],
)
def test_what_is_not_the_same_deals_is_not_paired_and_it_is_said_why(other, why):
    found = pair(play(table_of(), STAND_IN, 1), play(table_of(**other), STAND_IN, 1))
    assert not found.is_paired
    assert found.obstacle == why


def test_different_line_ups_are_played_on_equally_many_shuffles():
    one, four = same_blocks([table_of(RANDOM, 20_000), table_of(("strong", "random", "random", "random"), 20_000)])
    assert (one.blocks, four.blocks) == (5000, 5000)
    assert (one.deals, four.deals) == (5000, 20_000)
    assert pair(play(one, STAND_IN, 1), play(four, STAND_IN, 1)).is_paired


def test_of_a_stopped_run_the_batches_both_have_are_compared():
    whole, other = play(table_of(WEAK, 80_000), STAND_IN, 1), play(table_of(STRONG, 80_000), STAND_IN, 1)
    part = replace(other, tally=replace(other.tally, counts=other.tally.counts[:101]))
    found = pair(whole, part)
    assert found.is_paired
    assert len(found.first.counts) == len(found.second.counts) == 101
    assert np.array_equal(found.first.counts, whole.tally.counts[:101])
    # the first is a look ahead, with batches twice as large
    behind = play(table_of(STRONG, 16 * 4 * 500), STAND_IN, 1)
    early = replace(behind, tally=replace(behind.tally, counts=behind.tally.counts[:201]))
    found = pair(whole, early)
    assert found.is_paired
    assert whole.experiment.batch_blocks > early.experiment.batch_blocks
    assert np.array_equal(found.first.sizes, found.second.sizes)
    blocks = whole.experiment.batch_blocks
    assert len(found.second.counts) == 201 * early.experiment.batch_blocks // blocks
    assert found.second.counts.sum() == behind.tally.counts[: len(found.second.counts) * (blocks // 16)].sum()


# --- what is asked --------------------------------------------------------------------------------------


def names_of(first: Experiment, second: Experiment) -> list[str]:
    return [question.name for question in Questions(first, second, STAND_IN).asked([])]


def test_usually_seats_and_how_deals_end_are_asked():
    seats = [f"win_seat[{seat}]" for seat in range(1, 5)]
    usual = ["nobody", "seat_gap", "turns", "out_early", "by_last", "by_seen", "by_found"]
    assert names_of(table_of(), table_of()) == [*seats, *usual]


def test_between_numbers_of_players_winning_is_counted_in_par():
    names = names_of(table_of(("strong", "random", "random")), table_of(("strong", "random")))
    assert names[:4] == ["index_seat[1]", "index_seat[2]", "index_bot[strong]", "index_bot[random]"]


def test_a_bot_that_took_the_place_of_another_is_asked_for_first():
    first, second = table_of(("careful", "random", "random")), table_of(("strong", "random", "random"))
    questions = Questions(first, second, STAND_IN).asked([])
    assert questions[0].name == "win_bot[strong for careful]"
    assert (questions[0].first, questions[0].second) == ("win_bot[careful]", "win_bot[strong]")
    assert "win_bot[random]" in [question.name for question in questions]
    assert words_of(contrast_of(first, second))["win_bot[strong for careful]"] == "better"
    assert not Questions(table_of(("careful",) * 3), table_of(("strong",) * 3), STAND_IN).changed  # one bot fills the table


def test_a_measure_one_of_the_two_does_not_have_is_refused():
    with pytest.raises(UsageError, match="There is no measure 'win_seat\\[4\\]' here"):
        Questions(table_of(), table_of(("random",) * 3), STAND_IN).asked(["win_seat[4]"])


# --- what is said ---------------------------------------------------------------------------------------


def test_a_stronger_table_is_told_from_a_weaker_one():
    found = words_of(contrast_of(table_of(WEAK), table_of(STRONG)))
    assert found["nobody"] == "better"  # fewer deals that nobody wins
    assert found["by_found"] == "more"
    assert found["by_last"] == "same"
    reverse = words_of(contrast_of(table_of(STRONG), table_of(WEAK)))
    assert (reverse["nobody"], reverse["by_found"]) == ("worse", "less")


def test_a_margin_makes_equals_equivalent():
    contrast = contrast_of(table_of(), table_of(seed=2))
    found = words_of(contrast, margins=[read_margin("5pp")])
    assert {found[name] for name in ("win_seat[1]", "nobody", "seat_gap", "by_found")} == {"equivalent"}
    assert found["turns"] == "undecided"
    assert words_of(contrast, "turns", margins=[read_margin("turns=0.2")])["turns"] == "equivalent"


def test_an_undecided_difference_says_how_many_deals_it_takes():
    (found,) = compare([contrast_of(table_of(WEAK, 600), table_of(ONE_STRONG, 600, seed=4))], ["by_found"])
    row = found.rows[0]
    assert row.verdict.word == "undecided"
    assert 600 < row.deals_needed < 10**6
    deals = math.ceil(4 * row.deals_needed)  # likely, not certain: four times as many are safe here
    assert words_of(contrast_of(table_of(WEAK, deals), table_of(ONE_STRONG, deals, seed=4)), "by_found") == {"by_found": "more"}


def test_several_comparisons_are_one_family():
    first = table_of(WEAK, 4000)
    contrasts = [contrast_of(first, table_of(WEAK, 4000, seed=seed)) for seed in (2, 3, 4)]
    together = [row for found in compare(contrasts) for row in found.rows]
    raw = [row.difference.p_value() for row in together]
    assert [row.verdict.p_value for row in together] == pytest.approx(list(holm(raw)), nan_ok=True)


def test_equals_are_seldom_told_apart_in_any_measure_and_often_without_the_adjustment():
    """150 pairs of equal tables, twelve measures each."""
    adjusted, single = 0, 0
    results = [play(table_of(RANDOM, 1600, seed=seed), STAND_IN, 1) for seed in range(300)]
    for first, second in zip(results[::2], results[1::2], strict=True):
        (found,) = compare([Contrast(Variant("A", first), Variant("B", second), STAND_IN)])
        adjusted += any(row.verdict.word not in ("undecided", "same") for row in found.rows)
        single += any(row.difference.p_value() <= 0.05 for row in found.rows)
    assert adjusted / 150 <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 150)
    assert single / 150 > 0.25


# --- until the difference is known ------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_sides_are_played_side_by_side_until_their_difference_is_known(threads):
    budgets = same_blocks([table_of(WEAK, 10**7), table_of(STRONG, 10**7)])
    target = [read_target("by_found +/- 1pp")]

    def look(results):
        variants = [Variant(letter, result) for letter, result in zip("AB", results, strict=True)]
        return Contrast(*variants, STAND_IN, True).reached(target)

    results = play_looks(budgets, STAND_IN, look, threads)
    assert look(results)[0].is_met
    assert results[0].experiment.blocks == results[1].experiment.blocks
    for result in results:
        assert result.tally == play(result.experiment, STAND_IN, 1).tally
        assert result.experiment in [replace(step, bots=result.experiment.bots) for step in looks(budgets[0])]
    alone = [play(replace(budget, deals=results[0].deals * 3 // 4), STAND_IN, 1) for budget in budgets]
    assert not look(alone)[0].is_met


@pytest.mark.parametrize("anytime", [False, True])
def test_what_has_not_happened_is_not_taken_for_certain(anytime):
    """No deal is void on either side, and by_last is the same in every batch: the batches would say 0 +/- 0."""
    contrast = contrast_of(table_of(WEAK, 3000), table_of(STRONG, 3000), anytime)
    for name, least in (("void", 0.001), ("by_last", 0.001), ("turns", 0.01)):
        difference, found = contrast.difference(contrast.questions.named(name)), contrast.for_gate(name)
        assert (difference.error, found.method) == (0, "constant")
        assert found.low < -least < 0 < least < found.high
        assert words_of(contrast, name) == {name: "same"}
    assert contrast.for_gate("by_found").low > 0


@pytest.mark.parametrize("deals", [40, 400, 4000])
def test_a_verdict_and_a_decision_rest_on_one_interval(deals):
    contrast = contrast_of(table_of(WEAK, deals), table_of(STRONG, deals))
    for name in ("nobody", "by_found", "by_last", "turns", "seat_gap", "win_seat[1]", "void", "downtime"):
        found = contrast.for_gate(name)
        ((row,), ) = (compared.rows for compared in compare([contrast], [name]))
        assert (found.low, found.high) == pytest.approx(row.verdict.interval[1:], nan_ok=True), name
        assert (row.verdict.word in ("better", "worse", "more", "less")) == (found.low > 0 or found.high < 0), name
        assert found.low != found.high, name


def test_a_set_compared_with_itself_is_the_same_by_logic():
    contrast = contrast_of(table_of(), table_of())
    for name in ("nobody", "turns", "seat_gap"):
        found = contrast.for_gate(name)
        assert (found.value, found.low, found.high, found.method) == (0, 0, 0, "logic")
        assert words_of(contrast, name) == {name: "same"}


def test_a_stop_leaves_what_is_done():
    budgets = [table_of(("slow", "random"), 40_000), table_of(("slow", "strong"), 40_000)]
    stop = threading.Event()

    def move(done, planned):
        if done > 2500:
            stop.set()

    results = play_looks(budgets, STAND_IN, lambda results: Contrast(*map(Variant, "AB", results), STAND_IN, True).reached([read_target("by_found +/- 0.01%")]),
                         1, move, stop)  # fmt: skip
    assert len(results) == 2
    assert "partial" in {result.status for result in results}
    assert pair(*results).is_paired


# --- with the true rules ------------------------------------------------------------------------------------


def test_two_sets_are_compared_by_the_true_rules(monkeypatch, tmp_path):
    """The Flying Garden without random players: longer, and nobody wins by seeing its Legacy (README: 21 % with the Starship)."""
    monkeypatch.setattr("lostlegacy_sim.jit.cache_home", lambda: tmp_path)
    ran = run("compare", "starship", "flying-garden", "--deals", "3k", "--json")
    assert (ran.code, ran.err) == (0, "")
    (pair,) = json.loads(ran.out)["comparisons"]
    found = {row["measure"]: row for row in pair["measures"]}
    assert pair["paired"]
    assert (found["turns"]["verdict"], found["by_seen"]["verdict"]) == ("more", "less")
    assert found["turns"]["difference"]["low"] > 1.5
    assert found["by_seen"]["second"]["value"] == 0
