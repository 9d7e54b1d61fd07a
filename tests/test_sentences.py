"""Every sentence of the table: said where its data were planted, not said where it must not be, and nothing is said outside of it.

A scene is a planted answer with all claims that are made of it. Each sentence names a scene that says it and one, as like as can be,
that must not.
"""

import ast
import importlib
import math
import pickle
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import planted_bots
import planted_game
import pytest
import stand_in
import test_balance
import test_compare
import void_game

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import all_mixes, load_set, printed
from lostlegacy_sim.games.lost_legacy.cards.variants import card_of
from lostlegacy_sim.report import (
    balance_words,
    compare_screen,
    explore_screen,
    explore_section,
    guidelines_screen,
    ladder_screen,
    levels_screen,
    simulated,
    sweep_screen,
    tournament_screen,
    tournament_section,
)
from lostlegacy_sim.report.gates import judged_line, reached_line
from lostlegacy_sim.runner import play
from lostlegacy_sim.sentences import EVERY
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.balance_run import play_balance
from lostlegacy_sim.studies.compare import Contrast, compare
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer, explore_guidelines
from lostlegacy_sim.studies.ladder import Climbed, ladder_of
from lostlegacy_sim.studies.levels import Headline, Level
from lostlegacy_sim.studies.look import seated
from lostlegacy_sim.studies.mixes import explore_mixes
from lostlegacy_sim.studies.simulate import Answer, experiment_of
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.sweep import explore_sweep
from lostlegacy_sim.studies.sweep_file import parse_sweep
from lostlegacy_sim.studies.targets import Reached, read_margin, read_requirement, read_target
from lostlegacy_sim.studies.tournament import play_in_turn, play_tournament, tournament_of
from lostlegacy_sim.tally import Totals

Claims = list[Claim]
ROOT = Path(__file__).parent.parent
SCENES = {}


def scene(function):
    """A planted answer, made once; its name is the function's."""
    SCENES[function.__name__] = cache(function)
    return function


# --- simulate ---------------------------------------------------------------------------------------------


def simulated_claims(game, bots, deals, players=2, set_word="starship") -> Claims:
    """All that the screen and the page say of one result."""
    result = play(experiment_of(game, load_set(set_word), players, bots, deals, 1), game, 1)
    answer = Answer(result, game)
    return [*answer.verdicts, *(said.sentence for section in simulated.sections([("x", answer)]) for said in section.answer)]


@scene
def uneven_seats_and_bots():
    return simulated_claims(planted_bots.PLANTED, ["strong", "even"], 20_000)


@scene
def equal_bots():
    return simulated_claims(planted_bots.PLANTED, ["even", "equal"], 2_000)


@scene
def four_deals():
    return simulated_claims(planted_bots.PLANTED, ["even", "equal"], 4)


@scene
def equal_seats():
    return simulated_claims(planted_game.PLANTED, ["careful"], 20_000, 4)


@scene
def nobody_wins():
    return simulated_claims(void_game.NOBODY, ["careful"], 400)


@scene
def every_deal_void():
    return simulated_claims(void_game.VOID, ["careful"], 400)


def gates(deals: int = 20_000, **of_estimate) -> tuple[Claims, object]:
    game = stand_in.STAND_IN
    estimates = Answer(play(experiment_of(game, load_set("starship"), 4, ["random"], deals, 1), game, 1), game).estimates
    estimate = replace(estimates["nobody"], **of_estimate)
    said = [reached_line(Reached(read_target(f"nobody +/- {reach}"), estimate, 1e9), deals) for reach in ("5%", "0.001%")]
    return said, estimates


@scene
def target_missed():
    return gates()[0][1:]


@scene
def target_reached():
    return gates()[0][:1]


@scene
def target_of_what_is_known():
    return gates(method="logic")[0]


def required(text: str, deals: int = 20_000) -> Claims:
    """Nobody wins three deals of seven, 42.9 %."""
    return [judged_line(read_requirement(text).judge(gates(deals)[1]))]


@scene
def required_and_so():
    return required("nobody < 60%")


@scene
def required_and_not_so():
    return required("nobody > 60%")


@scene
def required_at_the_edge():
    return required("nobody < 42.9%")


@scene
def required_of_too_few():
    found = read_requirement("nobody < 60%").judge(gates()[1])
    return [judged_line(replace(found, verdict="undecided", estimate=replace(found.estimate, low=math.nan, high=math.nan)))]


# --- compare and levels -----------------------------------------------------------------------------------


def compared(first, second, *margins) -> Claims:
    contrast: Contrast = test_compare.contrast_of(first, second)
    (found,) = compare([contrast], ["nobody"], [read_margin(margin) for margin in margins])
    return [compare_screen.pairing_words(contrast), *compare_screen.sentences(found, "B")]


@scene
def a_planted_difference():
    return compared(test_compare.table_of(test_compare.WEAK), test_compare.table_of(test_compare.STRONG))


@scene
def no_difference():
    return compared(test_compare.table_of(deals=2_000), test_compare.table_of(deals=2_000, seed=2))


@scene
def the_same_twice():
    return compared(test_compare.table_of(), test_compare.table_of())


@scene
def a_difference_within_the_margin():
    return compared(test_compare.table_of(), test_compare.table_of(seed=2), "20pp")


def levelled(*words: str, value: float = 0.0) -> Claims:
    levels = tuple(Level(f"bot {rung}", Interval(value, value, value), word) for rung, word in enumerate(words))
    headline = Headline("seat 1", "difference", levels)
    return [headline.verdict, *levels_screen.sentences([headline])]


@scene
def above_on_every_rung():
    return levelled("above", "above")


@scene
def above_then_below():
    return levelled("above", "below")


@scene
def above_then_undecided():
    return levelled("above", "undecided")


@scene
def undecided_on_every_rung():
    return levelled("undecided", "undecided")


@scene
def above_then_equivalent():
    return levelled("above", "equivalent")


@scene
def no_number_on_a_rung():
    return levelled("undecided", "undecided", value=math.nan)


# --- tournament and ladder --------------------------------------------------------------------------------


def standings(*bots: str, players: int = 2, deals: int = 8_000, game=planted_bots.PLANTED) -> Standings:
    return Standings(play_tournament(tournament_of(game, load_set("starship"), players, bots, deals, 1, False), game, 1), game)


def cup_claims(found: Standings) -> Claims:
    """All that the screen and the page say of a tournament."""
    if not found.is_told:
        return list(tournament_screen.answer_sentences(found))
    sections = tournament_section.tournament_sections([found])
    return [*tournament_screen.answer_sentences(found), tournament_screen.rating_sentence(found), *tournament_screen.structure_sentences(found),
            *tournament_screen.control_sentences(found), *(said.sentence for section in sections for said in section.answer)]  # fmt: skip


@scene
def one_stronger_bot():
    return cup_claims(standings("even", "strong", "equal"))


@scene
def one_stronger_bot_of_four():
    return cup_claims(standings("even", "strong", "equal", players=4))


@scene
def two_equal_bots():
    return cup_claims(standings("even", "equal", deals=4_000))


@scene
def a_circle():
    return cup_claims(standings("rock", "paper", "scissors"))


@scene
def whoever_is_alone_gains():
    def weights_of(bots):
        return np.array([4.0 if bots.count(bot) == 1 else 1.0 for bot in bots])

    with patch.object(planted_bots, "weights_of", weights_of):
        return cup_claims(standings("even", "equal", players=3))


@scene
def a_bot_that_never_wins():
    def weights_of(bots):
        return np.array([0.0 if bot == "even" and "strong" in bots else 1.0 for bot in bots])

    with patch.object(planted_bots, "weights_of", weights_of):
        return cup_claims(standings("even", "strong"))


@scene
def a_deal_with_two_winners():
    found = standings("even", "strong", players=3)
    mirror = found.played.mirrors[0]
    Totals(mirror.tally.labels, mirror.tally.counts)["won"][0, 2, 0, 1] += 1
    return cup_claims(Standings(found.played, planted_bots.PLANTED))


@scene
def a_verdict_that_turns_round():
    found = standings("even", "strong")
    wins = found.matches.wins.copy()
    wins[len(wins) // 2 :] = 3 * wins[len(wins) // 2 :, :, ::-1]
    turned = Standings(found.played, planted_bots.PLANTED)
    turned.matches = replace(found.matches, wins=wins)
    return cup_claims(turned)


@scene
def a_cup_of_few_deals():
    return cup_claims(standings("even", "strong", deals=32))


@scene
def a_cup_with_void_matches():
    return cup_claims(standings("hunter", "careful", "random", deals=400, game=void_game.SOME))


def climbed(*rungs: str, deals: int = 20_000, game=planted_bots.PLANTED) -> Claims:
    asked = ladder_of(game, load_set("starship"), 4, rungs, deals, 1)
    return list(ladder_screen.depth_sentences(Climbed(asked, play_in_turn(asked.experiments, game, 1)[0], game)))


@scene
def every_rung_stronger():
    return climbed("even", "strong")


@scene
def an_equal_rung():
    return climbed("even", "equal", "strong")


@scene
def a_rung_down():
    return climbed("strong", "even")


@scene
def a_ladder_with_void_climbs():
    return climbed("random", "careful", "hunter", deals=400, game=void_game.SOME)


# --- explore ----------------------------------------------------------------------------------------------


def mixes_claims(goals, deals=1_000, sets=None, game=planted_game.PLANTED) -> Claims:
    found = explore_mixes(seated(game, printed("starship"), 4, ["careful"], goals, deals, 7), game, 1, sets, 1)
    if found.first.mute.all():
        return [said.sentence for said in explore_section.said_mute(found.first)]
    return [explore_screen.best_line(found), *(explore_screen.strongest_line(found, goal) for goal in found.first.table.goals),
            *(explore_section.best_sentence(found, number) for number in range(len(goals))),
            *(said.sentence for said in explore_section.said_mute(found.first))]  # fmt: skip


def differing_at(*speeds: int) -> list:
    """The Starship, and for each speed the mix that has the other set's card there alone."""
    def garden(mix):
        return {card.speed for card in mix.cards if card.symbol == "flying-garden"}

    return [mix for mix in all_mixes() if garden(mix) == set() or (len(garden(mix)) == 1 and garden(mix) <= set(speeds))]


EVERY_SPEED = (*range(1, 9), planted_game.X)


@scene
def a_mix_for_every_choice():
    return mixes_claims(["turns", "nobody"], sets=differing_at(*EVERY_SPEED))


@scene
def mixes_by_a_goal_that_nothing_moves():
    return mixes_claims(["downtime"], deals=400, sets=differing_at(*EVERY_SPEED))


@scene
def two_mixes_a_turn_apart():
    return mixes_claims(["turns"], sets=differing_at(6))


@scene
def mixes_without_a_number():
    return mixes_claims(["seat_gap"], 400, sets=differing_at(6), game=void_game.VOID)


@scene
def some_mixes_without_a_number():
    return mixes_claims(["turns"], 400, sets=differing_at(6, 7), game=void_game.SOME)


@scene
def a_goal_without_a_number():
    return mixes_claims(["turns", "skill"], 400, sets=differing_at(6), game=void_game.NOBODY)


@cache
def families() -> GuidelinesAnswer:
    game = planted_game.PLANTED
    return explore_guidelines(seated(game, printed("starship"), 4, ["careful"], ["nobody", "turns"], 1000, 5), game, 8, threads=1)


@scene
def a_guideline_that_protects():
    return [guidelines_screen.verdict(families(), "G4")]


@scene
def a_guideline_that_protects_nothing():
    return [guidelines_screen.verdict(families(), "G2")]


@scene
def a_guideline_that_cannot_be_broken():
    return [guidelines_screen.verdict(families(), "G5")]


@scene
def printed_sets_like_the_mixes():
    return [guidelines_screen.one_set_verdict(families())]


@scene
def printed_sets_that_are_worse():
    found = families()
    worse = GuidelinesAnswer(found.look, found.legal, found.families)
    planted = replace(found.effects[0], name="one-set", goal="nobody", value=0.05, low=0.04, high=0.06, p_value=0.001, at_once=Interval(0.05, 0.03, 0.07))
    worse.__dict__["effects"] = [planted if (effect.name, effect.goal) == ("one-set", "nobody") else effect for effect in found.effects]
    return [guidelines_screen.one_set_verdict(worse)]


def swept(game) -> Claims:
    points = parse_sweep({"sweep": {"search.copies": [2, 3]}}, "sweep.toml", Path()).points()
    found = explore_sweep([seated(game, points[0].card_set, 4, ["careful"], ["turns"], 1000, 1)], points, game, threads=1)
    (group,) = found.groups
    return [sweep_screen.best_line(group, goal, number) for number, goal in enumerate(group.first.table.goals)]


@scene
def equal_points():
    return swept(planted_game.PLANTED)


@scene
def a_point_a_turn_longer():
    class Table(planted_game.PlantedTable):
        def __post_init__(self):
            super().__post_init__()
            self.second = {6} if load_set("starship").n_cards == sum(card.copies for card in planted_game.parse_set(
                self.experiment.set_text, planted_game.VOCABULARY, where="planted").cards) else set()  # fmt: skip

    return swept(replace(planted_game.PLANTED, open_table=Table))


# --- balance ----------------------------------------------------------------------------------------------


def balance_claims(found: Balance) -> Claims:
    return balance_words.verdicts(found, found.tables[0])


@scene
def a_card_that_kills():
    return balance_claims(test_balance.weighed()[0])


@scene
def a_text_that_was_not_played():
    found, table = test_balance.weighed()
    played = dict(list(table.played.items())[:1])
    return balance_claims(Balance([CardTable(table.asked, table.base, played, found.tables[0].game)]))


@scene
def texts_in_few_deals():
    return balance_claims(play_balance([test_balance.ask(test_balance.planted(), deals=100)], find_game("lost_legacy"), 1))


@scene
def no_text_taken_off():
    return balance_claims(play_balance([test_balance.ask(test_balance.planted(), ("never",), cards=["killer"], deals=100)], find_game("lost_legacy"), 1))


@scene
def cards_without_text():
    return balance_claims(play_balance([test_balance.ask(test_balance.planted(), cards=["twin", "plain"], deals=100)], find_game("lost_legacy"), 1))


@scene
def a_card_that_harms_and_looks_good():
    cards = ["Sister of Fate", "Search", "Sneak Attack"]
    return balance_claims(play_balance([test_balance.ask(printed("starship"), bots=("careful",), deals=20_000, cards=cards)], find_game("lost_legacy"), 2))


ASSAULT = SimpleNamespace(  # what the clauses of a card read of its table
    measured=[SimpleNamespace(card="assault", effect="swap", words="Curse instead of Assault")], asked=SimpleNamespace(against=None),
    title=lambda card: "Assault", has_text=lambda card: True,
)  # fmt: skip


def card_claims(copies: int = 3, known: bool = True, **effects: float) -> Claims:
    """The clauses of Assault with effects that are planted: how large each is, +-0.1 points; 0 cannot be told from nothing."""
    found, table, card = Balance([]), ASSAULT, replace(card_of(printed("starship"), "assault"), copies=copies)
    places = {"gives": ("one", "above"), "never": ("never", "player")} | {kind: (kind, "nobody") for kind in ("blank", "fewer", "more", "swap")}

    def effect(_, card, kind, measure):
        name = next((name for name, (one, _) in places.items() if one == kind), kind)
        if kind == "one" and measure != test_balance.ABOVE:
            return None
        value = effects.get(name, 0.0) if kind in ("one", "never") or measure == "nobody" else 0.0
        made = test_balance.effect(measure, value, 0.001 if value else 0.9, kind=kind)
        return made if known else replace(made, interval=Interval(value, math.nan, math.nan), p_value=math.nan)

    with patch.object(found, "effect", effect):
        clauses = [balance_words.owner_clause(found, table, card), balance_words.deal_clause(found, table, card),
                   *balance_words.copies_clauses(found, table, card), balance_words.swap_clause(found, table, card),
                   balance_words.never_clause(found, table, card)]  # fmt: skip
    return [clause for clause in clauses if clause is not None]


@scene
def a_card_with_effects():
    return card_claims(gives=0.03, blank=0.01, fewer=0.01, swap=0.02, never=0.01)


@scene
def a_single_card_with_effects():
    return card_claims(copies=1, gives=0.03, blank=0.01, never=-0.01)


@scene
def a_card_without_effects():
    return card_claims()


@scene
def a_card_of_too_few_deals():
    return card_claims(known=False)


# --- every sentence ---------------------------------------------------------------------------------------

# By sentence: the scene that says it, and the one that must not.
CASES = {
    "uncounted.none": (every_deal_void, nobody_wins),
    "uncounted.tables": (a_ladder_with_void_climbs, an_equal_rung),
    "uncounted.every_set": (mixes_without_a_number, some_mixes_without_a_number),
    "uncounted.sets": (some_mixes_without_a_number, two_mixes_a_turn_apart),
    "seats.nobody": (nobody_wins, equal_seats),
    "seats.few": (four_deals, equal_bots),
    "seats.level": (equal_seats, uneven_seats_and_bots),
    "seats.ahead": (uneven_seats_and_bots, equal_seats),
    "bot.few": (four_deals, equal_bots),
    "bot.above": (uneven_seats_and_bots, equal_bots),
    "bot.below": (uneven_seats_and_bots, equal_bots),
    "bot.untold": (equal_bots, uneven_seats_and_bots),
    "same.so_far": (uneven_seats_and_bots, equal_seats),
    "bot.wins": (uneven_seats_and_bots, equal_seats),
    "ways.most": (uneven_seats_and_bots, four_deals),
    "ways.untold": (four_deals, uneven_seats_and_bots),
    "course": (uneven_seats_and_bots, every_deal_void),
    "legacy": (uneven_seats_and_bots, every_deal_void),
    "until.known": (target_of_what_is_known, target_reached),
    "until.reached": (target_reached, target_missed),
    "until.not_reached": (target_missed, target_reached),
    "required.holds": (required_and_so, required_at_the_edge),
    "required.broken": (required_and_not_so, required_at_the_edge),
    "required.undecided": (required_at_the_edge, required_and_so),
    "required.few": (required_of_too_few, required_and_so),
    "compare.differs": (a_planted_difference, no_difference),
    "compare.same": (the_same_twice, a_planted_difference),
    "compare.equivalent": (a_difference_within_the_margin, no_difference),
    "compare.undecided": (no_difference, a_planted_difference),
    "compare.paired": (a_planted_difference, no_difference),
    "compare.unpaired": (no_difference, a_planted_difference),
    "levels.hold": (above_on_every_rung, above_then_undecided),
    "levels.flip": (above_then_below, above_then_undecided),
    "levels.open": (above_then_undecided, above_on_every_rung),
    "levels.mute": (no_number_on_a_rung, above_then_undecided),
    "cup.leader": (one_stronger_bot, two_equal_bots),
    "cup.leaders": (whoever_is_alone_gains, one_stronger_bot_of_four),
    "cup.no_leader": (two_equal_bots, one_stronger_bot),
    "cup.untold": (a_cup_with_void_matches, two_equal_bots),
    "cup.no_ratings": (a_bot_that_never_wins, one_stronger_bot),
    "cup.misfit": (one_stronger_bot, a_bot_that_never_wins),
    "cup.highest": (one_stronger_bot, two_equal_bots),
    "cup.highest_untold": (two_equal_bots, one_stronger_bot),
    "cup.nash": (one_stronger_bot, one_stronger_bot_of_four),
    "cup.nash_several": (one_stronger_bot_of_four, one_stronger_bot),
    "cup.dominance": (one_stronger_bot, two_equal_bots),
    "cup.no_dominance": (a_circle, one_stronger_bot),
    "cup.cycles": (a_circle, one_stronger_bot),
    "cup.no_cycles": (one_stronger_bot, a_circle),
    "cup.mirrors": (one_stronger_bot, a_deal_with_two_winners),
    "cup.mirrors_broken": (a_deal_with_two_winners, one_stronger_bot),
    "cup.doubling_few": (a_cup_of_few_deals, one_stronger_bot),
    "cup.doubling": (one_stronger_bot, a_verdict_that_turns_round),
    "cup.doubling_broken": (a_verdict_that_turns_round, one_stronger_bot),
    "cup.controls": (one_stronger_bot, a_deal_with_two_winners),
    "ladder.all": (every_rung_stronger, an_equal_rung),
    "ladder.exact": (a_rung_down, an_equal_rung),
    "ladder.least": (an_equal_rung, every_rung_stronger),
    "mixes.first": (a_mix_for_every_choice, two_mixes_a_turn_apart),
    "mixes.first_surely": (two_mixes_a_turn_apart, a_mix_for_every_choice),
    "goal.no_number": (a_goal_without_a_number, two_mixes_a_turn_apart),
    "mixes.best": (mixes_by_a_goal_that_nothing_moves, two_mixes_a_turn_apart),
    "mixes.best_surely": (two_mixes_a_turn_apart, mixes_by_a_goal_that_nothing_moves),
    "choices.most": (a_mix_for_every_choice, two_mixes_a_turn_apart),
    "choices.some": (two_mixes_a_turn_apart, mixes_by_a_goal_that_nothing_moves),
    "choices.none": (mixes_by_a_goal_that_nothing_moves, two_mixes_a_turn_apart),
    "sweep.best": (equal_points, a_point_a_turn_longer),
    "sweep.best_surely": (a_point_a_turn_longer, equal_points),
    "guideline.unbreakable": (a_guideline_that_cannot_be_broken, a_guideline_that_protects_nothing),
    "guideline.protects": (a_guideline_that_protects, a_guideline_that_protects_nothing),
    "guideline.protects_none": (a_guideline_that_protects_nothing, a_guideline_that_protects),
    "guideline.one_set": (printed_sets_that_are_worse, printed_sets_like_the_mixes),
    "guideline.one_set_none": (printed_sets_like_the_mixes, printed_sets_that_are_worse),
    "headline.holds": (above_on_every_rung, above_then_undecided),
    "headline.flips": (above_then_below, above_then_undecided),
    "headline.where_told": (above_then_undecided, above_on_every_rung),
    "headline.undecided": (undecided_on_every_rung, above_then_undecided),
    "headline.some": (above_then_equivalent, above_on_every_rung),
    "card.gives": (a_card_with_effects, a_card_without_effects),
    "card.nothing": (a_card_without_effects, a_card_with_effects),
    "card.few": (a_card_of_too_few_deals, a_card_without_effects),
    "card.deal": (a_single_card_with_effects, a_card_without_effects),
    "card.together": (a_card_with_effects, a_card_without_effects),
    "card.copies": (a_card_with_effects, a_card_without_effects),
    "card.copies_nothing": (a_card_without_effects, a_card_with_effects),
    "card.swap": (a_card_with_effects, a_card_without_effects),
    "card.swap_nothing": (a_card_without_effects, a_card_with_effects),
    "card.never_less": (a_card_with_effects, a_card_without_effects),
    "card.never_more": (a_single_card_with_effects, a_card_without_effects),
    "card.never_nothing": (a_card_without_effects, a_card_with_effects),
    "texts.none": (cards_without_text, a_card_that_kills),
    "texts.unasked": (no_text_taken_off, a_card_that_kills),
    "texts.strong": (a_card_that_kills, texts_in_few_deals),
    "texts.none_strong": (texts_in_few_deals, a_card_that_kills),
    "texts.weak": (a_card_that_harms_and_looks_good, texts_in_few_deals),
    "texts.unweighed": (a_text_that_was_not_played, a_card_that_kills),
    "watching.misleads": (a_card_that_harms_and_looks_good, texts_in_few_deals),
    "watching.alone": (a_card_that_kills, texts_in_few_deals),
}


def ids(claims: Claims) -> set[str]:
    return {claim.sentence.id for claim in claims}


def test_every_sentence_has_a_scene_that_says_it_and_one_that_must_not():
    assert set(CASES) == set(EVERY), "plant a scene for every sentence of lostlegacy_sim/sentences.py"
    assert set(SCENES) == {one.__name__ for pair in CASES.values() for one in pair}


@pytest.mark.parametrize("name", CASES)
def test_it_is_said_where_it_was_planted_and_nowhere_else(name):
    said, unsaid = (SCENES[one.__name__]() for one in CASES[name])
    assert name in ids(said)
    assert unsaid, "a scene that says nothing shows nothing"
    assert name not in ids(unsaid)
    for claim in said:
        assert isinstance(claim, Claim)
        assert "nan" not in claim.split()


# --- nothing outside of the table -------------------------------------------------------------------------

PLACES = ("report", "studies", "cli", "games/lost_legacy")  # whatever speaks to people
OTHER_WORDS = Path(__file__).parent / "other_words.txt"
CLAIMING = re.compile(
    r"\b(surely|sure|certain(?:ly)?|best|worst|(?:above|below|from) par|ahead|behind|matters?|protects?|at least|strongest|weakest|misleads?|"
    r"better|worse|tell|told apart|be told|undecided|differs?|equivalent|too (?:strong|weak|few)|wins|proves?|highest|lowest|reached|exploited)\b", re.I)  # fmt: skip
SILENT = re.compile(r"(Error|Exception|warn|option|argument)$")  # who is given an error or a help text


def prose(path: Path) -> set[str]:
    """The texts of a module that might be claims: no docstring, no error, no help; {} for what is filled in."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), set()
    done: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            done |= {id(part) for part in ast.walk(body[0]) if isinstance(part, ast.Constant)} if isinstance(body[0].value, ast.Constant) else set()
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and SILENT.search(getattr(node.func, "attr", getattr(node.func, "id", "")))):
            done |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        text = ""
        if id(node) in done:
            continue
        if isinstance(node, ast.JoinedStr):
            done |= {id(part) for part in ast.walk(node)} - {id(part) for value in node.values if isinstance(value, ast.FormattedValue) for part in ast.walk(value)}
            text = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        if len(text.split()) >= 3 and CLAIMING.search(text):
            found.add(" ".join(text.split()))
    return found


def spoken() -> set[str]:
    """All of them, a line each: "report/page.py: ..."."""
    home = ROOT / "lostlegacy_sim"
    return {f"{path.relative_to(home).as_posix()}: {text}" for place in PLACES for path in sorted((home / place).rglob("*.py")) for text in prose(path)}


def test_nothing_that_sounds_like_a_claim_is_said_outside_of_the_table():
    known = set(OTHER_WORDS.read_text(encoding="utf-8").splitlines())
    new, gone = sorted(spoken() - known), sorted(known - spoken())
    assert not new, f"what says something of results is said by lostlegacy_sim/sentences.py; other words are entered in {OTHER_WORDS.name}: {new}"
    assert not gone, f"take out of {OTHER_WORDS.name}: {gone}"


def test_a_claim_outside_of_the_table_is_found(tmp_path):
    path = tmp_path / "module.py"
    path.write_text('"""The best."""\ndef say(bot):\n    """Is it best?"""\n    return f"{bot} is surely the best."\n', encoding="utf-8")
    assert prose(path) == {"{} is surely the best."}
    path.write_text('def f(x):\n    raise UsageError(f"{x} is better left out")\n', encoding="utf-8")
    assert prose(path) == set()


def test_claims_are_made_by_sentences_alone():
    made = [path.name for path in (ROOT / "lostlegacy_sim").rglob("*.py")
            if re.search(r"\bClaim\(", path.read_text(encoding="utf-8")) and "claims import Claim" in path.read_text(encoding="utf-8")]  # fmt: skip
    assert made == []
    claim = EVERY["seats.level"].say(most="1.00")
    assert (claim, claim.sentence.id) == ("Seats: no pair differs by more than 1.00 points.", "seats.level")
    assert pickle.loads(pickle.dumps(claim)).sentence == claim.sentence
    assert claim.set_as(str.upper).sentence == claim.sentence
    with pytest.raises(ValueError, match="seats.level is said with most, not with least"):
        EVERY["seats.level"].say(least=1)


@pytest.mark.parametrize("name", EVERY)
def test_its_warrant_is_there(name):
    module, _, path = EVERY[name].warrant.partition(":")
    found = importlib.import_module(f"lostlegacy_sim.{module}")
    for part in path.split("."):
        found = getattr(found, part)
    assert EVERY[name].when.endswith(".")

