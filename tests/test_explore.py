"""Exploring the mixes: planted effects are found, null choices are not, and the second look is another one."""

from itertools import product

import numpy as np
import pytest
from planted_game import FIRST_SEAT, NOBODY, PLANTED, TURNS

from lostlegacy_sim.games.lost_legacy.cards.composition import SPEEDS, printed
from lostlegacy_sim.games.lost_legacy.vocabulary import speed_word
from lostlegacy_sim.report.explore_screen import best_line, number_of, seen_first
from lostlegacy_sim.report.explore_section import best_sentence
from lostlegacy_sim.report.explore_tables import effects_table, mixes_document, mixes_table
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.studies.look import seated, take_look
from lostlegacy_sim.studies.main_effects import Choice, adjusted, choice_pairs, main_effects, rival_choices
from lostlegacy_sim.studies.mixes import (
    best_in,
    choices,
    chosen,
    explore_mixes,
    fresh_seed,
    mixes_in_order,
    shortlist,
    shortlist_size,
)

GOALS = ("seat_gap", "nobody", "turns")
TRUE = {("speed 8", "nobody"): NOBODY, ("speed 6", "turns"): TURNS, ("speed X", "seat_gap"): 2 * FIRST_SEAT * (0.8 - NOBODY / 2)}


@pytest.fixture(scope="module")
def answer():
    table = seated(PLANTED, printed("starship"), 4, ["careful"], GOALS, 1000, 7)
    return explore_mixes(table, PLANTED, 5, threads=1)


def test_planted_effects_are_found_and_null_choices_are_not(answer):
    assert len(answer.effects) == 9 * 3
    for effect in answer.effects:
        true = TRUE.get((effect.name, effect.goal), 0.0)
        assert effect.n == 256
        if effect.name == "speed 8" and effect.goal == "seat_gap":
            continue  # fewer decided deals make every gap smaller, too
        assert effect.low - 1e-9 <= true <= effect.high + 1e-9, effect
        assert effect.is_found == (true != 0), effect
    assert sum(effect.is_found for effect in answer.effects) in (3, 4)


def test_an_effect_is_the_difference_of_two_halves(answer):
    look = answer.first
    for number, choice in enumerate(choices()):
        for goal in look.table.goals:
            values = look.jackknife(goal).value
            halves = [values[answer.is_second[:, number] == side].mean() for side in (True, False)]
            (effect,) = (one for one in answer.effects if (one.name, one.goal) == (choice.name, goal.name))
            assert effect.value == pytest.approx(halves[0] - halves[1], abs=1e-12)


def misses(is_paired: bool) -> tuple[float, float]:
    """Share of 400 draws in which a null effect of 0 lies outside its interval, and the mean width of that."""
    generator, is_second = np.random.default_rng(8), np.array([[first, second] for first in (0, 1) for second in (0, 1)], bool)
    outside, width = 0, 0.0
    for _ in range(400):
        batches = generator.normal(size=(40, 1)) * 3 + generator.normal(size=(40, 4)) * 0.5
        if not is_paired:
            batches[:, is_second[:, 0]] -= batches[:, :1]
            batches[:, is_second[:, 0]] += 3 * generator.normal(size=(40, 1))
        without = (batches.sum(axis=0) - batches) / 39
        numbers = {"goal": Jackknife(batches.mean(axis=0), without, np.ones(40))}
        effect = main_effects([Choice("one", "a", "b"), Choice("two", "a", "b")], is_second, numbers, {"goal": "turns"})[0]
        outside += not effect.low <= 0 <= effect.high
        width += effect.high - effect.low
    return outside / 400, width / 400


def test_intervals_of_effects_cover_and_pairing_makes_them_short():
    missed, width = misses(is_paired=True)
    assert 0.02 < missed < 0.085  # 5 %, four standard errors of 400 draws
    unpaired_missed, unpaired_width = misses(is_paired=False)
    assert 0.02 < unpaired_missed < 0.085
    assert unpaired_width > 4 * width


def test_pairs_differ_in_one_choice_alone():
    is_second = np.array([[False, False], [True, False], [True, True]])
    assert choice_pairs(is_second, 0) == [(0, 1)]
    assert choice_pairs(is_second, 1) == [(1, 2)]
    numbers = {"goal": Jackknife(np.array([1.0, 2.0]), np.ones((30, 2)), np.ones(30))}
    lone = main_effects([Choice("one", "a", "b")], np.array([[False], [False]]), numbers, {"goal": "turns"})
    assert np.isnan(lone[0].value)
    assert not lone[0].is_found
    assert adjusted([]) == []


def planted(effects: list[float], seed: int = 1) -> tuple[np.ndarray, Jackknife]:
    """Every combination of choices, and a number that each choice moves by so much; the shuffles are shared."""
    generator, is_second = np.random.default_rng(seed), np.array(list(product([False, True], repeat=len(effects))))
    batches = generator.normal(size=(40, 1)) + generator.normal(size=(40, len(is_second))) * 0.2 + is_second @ np.array(effects)
    return is_second, Jackknife(batches.mean(axis=0), (batches.sum(axis=0) - batches) / 39, np.ones(40))


@pytest.mark.parametrize(("effects", "others"), [([1.0, 0.2, 0.0], []), ([1.0, -1.0, 0.0], ["2"]), ([-1.0, 0.1, -0.99], ["3"])])
def test_what_matters_most_is_held_against_the_others_up_and_down(effects, others):
    is_second, numbers = planted(effects)
    three = [Choice(str(number), "a", "b") for number in (1, 2, 3)]
    found = main_effects(three, is_second, {"goal": numbers}, {"goal": "turns"})
    most = max(found, key=lambda effect: abs(effect.value)).name
    assert set(rival_choices(three, is_second, numbers, most)) | {most} == {"1", *others}
    lone = is_second[is_second[:, 2]]  # no pair tells what the third does
    assert "3" in rival_choices(three, lone, numbers[np.flatnonzero(is_second[:, 2])], "1")


def test_one_null_effect_chosen_of_many_is_next_to_never_sure():
    """The largest of 9 null effects: its own interval leaves out 0 in a third of the draws, the one for all at once in 5 % at most."""
    nine, alone, sure = [Choice(str(number), "a", "b") for number in range(5)], 0, 0
    for seed in range(60):
        is_second, numbers = planted([0.0] * 5, seed)
        found = main_effects(nine, is_second, {"goal": numbers}, {"goal": "turns"})
        most = max(found, key=lambda effect: abs(effect.value))
        alone += not most.low <= 0 <= most.high
        sure += most.is_sure
    assert alone > 8
    assert sure <= 7


def test_best_and_range_are_of_the_same_deals(answer):
    look = answer.first
    for number, goal in enumerate(look.table.goals):
        place = best_in(look, number)
        mine, least, most = seen_first(look, goal, place)
        assert mine == (least if goal.direction == "low" else most)  # the second look may lie outside of what all came to in the first
        said = best_sentence(answer, number)
        assert f"in the first look it had {number_of(mine, look.unit(goal))}, and all mixes lay from {number_of(least, look.unit(goal))} to" in said
        assert f"one of {look.may_be_best(number)} that may be the best" in said


def test_the_first_by_the_mean_of_its_ranks_is_not_called_the_best_where_others_may_be(answer):
    look = answer.first
    assert look.may_lead[answer.best[0]]
    assert look.may_lead.sum() > 64  # the 64 mixes of the planted kind are equal
    assert best_line(answer).endswith(f", one of {look.may_lead.sum()} that may be the best.")


# --- the mixes ------------------------------------------------------------------------------------------


def test_every_mix_is_there_once_and_the_order_has_pairs_early():
    mixes = mixes_in_order()
    assert len({mix.hash for mix in mixes}) == 512
    early = np.array([chosen(mix) for mix in mixes[:100]])
    assert all(len(choice_pairs(early, number)) >= 5 for number in range(len(SPEEDS)))
    assert [choice.name for choice in choices()] == [f"speed {speed_word(speed)}" for speed in SPEEDS]


def test_the_best_mixes_are_those_of_the_planted_kind(answer):
    look = answer.first
    for place in answer.best:
        at_6, at_8, at_x = look.played[place].cards[5].symbol, look.played[place].cards[7].symbol, look.played[place].cards[8].symbol
        assert (at_6, at_8, at_x) == ("flying-garden", "starship", "starship")
        assert look.fronts[place] == 1
    for place in answer.worst:
        assert look.played[place].cards[5].symbol == "starship"
        assert look.fronts[place] > 1
    # 64 mixes are equal in all that counts: none of them can be ruled out as the best, and all others are
    assert (look.rank_intervals[:, 2, 0] == 1).sum() == 256
    assert look.rank_intervals[answer.best, 2].tolist() == [[1, 256]] * 5
    assert (look.ranks[answer.best, 2] == 128.5).all()


def test_the_second_look_is_at_fresh_shuffles(answer):
    first, second = answer.first, answer.second
    assert second.table.seed == fresh_seed(7) != 7
    assert len({fresh_seed(seed) for seed in range(200)}) == 200
    names = {mix.id for mix in second.played}
    assert {first.played[place].id for place in (*answer.best, *answer.worst)} <= names
    assert {"starship", "flying-garden"} <= names
    assert {first.played[best_in(first, goal)].id for goal in range(3)} <= names
    assert len(names) == len(second.played) <= shortlist_size(first.sets, 5, 3)
    place = answer.best[0]
    again = answer.again(place)
    assert not np.array_equal(first.surveys["table"].counts[place], second.surveys["table"].counts[again])
    assert answer.again(answer.first.order[250]) in (None, *range(len(names)))


def test_few_sets_are_not_listed_twice(answer):
    table = answer.first.table
    few = take_look(table, mixes_in_order()[:4], PLANTED, 1)
    assert sorted(shortlist(few, 3)) == [0, 1, 2, 3]


def test_any_number_of_threads_gives_the_same_answer(answer):
    table = answer.first.table
    some = mixes_in_order()[:40]
    one, two = (explore_mixes(table, PLANTED, 3, some, threads) for threads in (1, 2))
    documents = [mixes_document(found) for found in (one, two)]
    for document in documents:
        document.pop("provenance")
    assert documents[0] == documents[1]


def test_tables_hold_every_number(answer):
    table = mixes_table(answer)
    assert len(table.rows) == 512 * 3
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert {row["mix"] for row in rows[:15]} == {answer.first.played[place].id for place in answer.best}
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)
    assert all(row["rank_low"] <= row["rank_high"] for row in rows)
    assert sum(row["fresh_value"] is not None for row in rows) == 3 * len(answer.second.played)
    assert len(effects_table(answer.effects).rows) == 27


def test_skill_has_a_table_of_its_own():
    table = seated(PLANTED, printed("starship"), 3, ["careful"], ["skill", "nobody"], 3000, 7, ("strong", "random"))
    look = take_look(table, [printed("starship"), *mixes_in_order()[2:4]], PLANTED, 1)
    skill, nobody = table.goals
    assert set(look.surveys) == {"table", "skill"}
    assert look.surveys["skill"].asked.experiments[0].bots == ("strong", "random", "random")
    estimate = look.estimate(skill, 0)
    assert estimate.name == "skill"
    assert estimate.low > 1.05  # a tenth of the deals is given to it
    assert look.estimate(nobody, 0).value == pytest.approx(0.2, abs=0.03)
    alone = seated(PLANTED, printed("starship"), 3, ["careful"], ["skill"], 3000, 7)
    assert set(alone.line_ups) == {"skill"}
    assert alone.to_plain()["skill"] == ["careful", "random"]
