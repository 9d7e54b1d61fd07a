"""Tiny decks solved: the unfolded game against a slow twin, the enumeration and the kernel; bots and best responses in it."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from counting import outside
from observing import Observer
from test_exact import deck

from lostlegacy_sim.games.lost_legacy.bots.roster import find_bot, seat_bot
from lostlegacy_sim.games.lost_legacy.kernel.counts import CATEGORIES, LABELS
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.reference.enumeration import arrangements, enumerate_deals
from lostlegacy_sim.games.lost_legacy.reference.observer import OpenEars
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table
from lostlegacy_sim.games.lost_legacy.research.exact.asking import Asked, Examiner
from lostlegacy_sim.games.lost_legacy.research.exact.decision_points import DecisionPoints
from lostlegacy_sim.games.lost_legacy.research.exact.sequence_form import SequenceForm
from lostlegacy_sim.solving.best_response import exploitability, respond
from lostlegacy_sim.solving.equilibrium import solve, solve_exactly
from lostlegacy_sim.solving.two_player_game import Numbers, Step, TwoPlayerGame, duel_of
from lostlegacy_sim.tally import Totals, n_labels, no_exemplars

FIVE = "general search assault shadow_thief the_starship"
MAPS = "search search ancient_map ancient_map the_starship"
GARDEN = "necromancer false_information wound wound the_flying_garden"
TRAPS = "search general assault sneak_attack sneak_attack the_starship"
DECKS = [FIVE, MAPS, GARDEN]
DEALS = 200_000


@cache
def unfolded(ids: str, merges: bool = True) -> SequenceForm:
    """A deck unfolded."""
    return SequenceForm(DecisionPoints(deck(ids), 2, merges=merges))


def ends(ids: str) -> Iterator[tuple[float, list[Step], tuple[float, float]]]:
    """All ends of a deck, every history played by the reference from its beginning, labelled by what the tests' observer heard."""
    waiting: list[tuple[float, tuple[object, ...], list[Step]]] = [(1.0, (), [])]
    while waiting:
        chance, answers, steps = waiting.pop()
        table = Table(deck(ids), 2)
        observer = table.teller = Observer(table)  # type: ignore[assignment]
        playing = table.play()
        try:
            asked = next(playing)
            for answer in answers:
                asked = playing.send(answer)
        except StopIteration as stop:
            yield chance, steps, (float(stop.value.winner == 0), float(stop.value.winner == 1))
            continue
        if isinstance(asked, Question):
            own = tuple(choice for seat, _, choice, _ in steps if seat == asked.seat)
            label, n_options = (observer.heard[asked.seat], own), len(asked.options)
            for index, option in enumerate(asked.options):
                waiting.append((chance, (*answers, option), [*steps, (asked.seat, label, index, n_options)]))
        else:
            cards = {"deal": table.printed.slots, "ruins": table.ruins, "deck": table.deck}[asked.zone]
            orders = arrangements(tuple(cards))
            waiting += [(chance / len(orders), (*answers, order), steps) for order in orders]


def even_plans(duel: TwoPlayerGame) -> tuple[Numbers, Numbers]:
    """Both choose at random."""
    first, second = duel.choices
    return first.plan(first.even()), second.plan(second.even())


def asked(ids: str, name: str) -> tuple[Asked, Asked]:
    """A bot's policy in both seats."""
    bot = seat_bot(*find_bot(name), deck(ids))
    return Examiner(deck(ids), unfolded(ids), bot, 0).ask(), Examiner(deck(ids), unfolded(ids), bot, 1).ask()


@cache
def plans(ids: str, name: str) -> tuple[Numbers, Numbers]:
    """Its plans in both seats."""
    policies, choices = asked(ids, name), unfolded(ids).duel.choices
    return choices[0].plan(policies[0].chances), choices[1].plan(policies[1].chances)


@pytest.mark.parametrize("ids", DECKS)
def test_the_game_is_that_of_a_slow_twin(ids: str) -> None:
    twin, whole = duel_of(ends(ids)), unfolded(ids, merges=False).duel
    for player in (0, 1):
        assert twin.choices[player].n_sets == whole.choices[player].n_sets
        assert twin.choices[player].n_sequences == whole.choices[player].n_sequences
    assert twin.shares(even_plans(twin)) == pytest.approx(whole.shares(even_plans(whole)), abs=1e-12)
    assert solve_exactly(twin).value == pytest.approx(solve_exactly(whole).value, abs=1e-7)


@pytest.mark.parametrize("ids", DECKS)
def test_choices_that_come_to_the_same_change_no_value(ids: str) -> None:
    whole, merged = unfolded(ids, merges=False).duel, unfolded(ids).duel
    assert merged.choices[0].n_sets <= whole.choices[0].n_sets
    assert solve_exactly(merged).value == pytest.approx(solve_exactly(whole).value, abs=1e-7)
    assert exploitability(merged, even_plans(merged)) == pytest.approx(exploitability(whole, even_plans(whole)), abs=1e-9)
    assert unfolded(MAPS).duel.choices[0].n_sets < unfolded(MAPS, merges=False).duel.choices[0].n_sets


@pytest.mark.parametrize("ids", [*DECKS, TRAPS])
def test_choosing_at_random_wins_what_the_enumeration_says(ids: str) -> None:
    exact = enumerate_deals(deck(ids), 2)
    won = [float(sum(chance for outcome, chance in exact.items() if outcome.winner == player)) for player in (0, 1)]
    duel = unfolded(ids).duel
    assert duel.shares(even_plans(duel)) == pytest.approx(won, abs=1e-12)


@pytest.mark.parametrize("ids", [FIVE, TRAPS])
def test_two_solvers_agree(ids: str) -> None:
    duel = unfolded(ids).duel
    by_rounds, by_program = solve(duel, 1e-4), solve_exactly(duel)
    assert by_rounds.exploitability <= 1e-4
    assert by_program.exploitability < 1e-6
    assert by_rounds.low - 1e-6 <= by_program.value <= by_rounds.high + 1e-6


def test_with_open_cards_more_is_won() -> None:
    """The must-fail twin: a best response that sees the cards, and a solver that ignores information sets."""
    hidden, is_open = unfolded(FIVE).duel, SequenceForm(DecisionPoints(deck(FIVE), 2, OpenEars)).duel
    assert is_open.shares(even_plans(is_open)) == pytest.approx(hidden.shares(even_plans(hidden)))  # the same game ...
    for player in (0, 1):
        seen = respond(is_open, player, even_plans(is_open)[1 - player]).value
        assert seen > respond(hidden, player, even_plans(hidden)[1 - player]).value + 0.005  # ... for one who peeks
    assert abs(solve_exactly(is_open).value - solve_exactly(hidden).value) > 0.05


def won_in_kernel(ids: str, line_up: tuple[str, str]) -> list[int]:
    """How many of DEALS deals each seat wins when the compiled core plays them."""
    bots = tuple(seat_bot(*find_bot(name), deck(ids)) for name in line_up)
    counts = np.zeros(n_labels(LABELS), np.int64)
    LegacyTable(deck(ids), bots, 1, 1).play(0, DEALS, counts, no_exemplars(CATEGORIES))
    return [int(wins) for wins in Totals(LABELS, counts)["won"][:, 0, :2].sum(axis=0)]


@pytest.mark.parametrize("line_up", [("careful", "careful"), ("careful", "random"), ("random", "hunter")])
@pytest.mark.parametrize("ids", [TRAPS, MAPS, GARDEN], ids=["traps", "shuffles", "rows"])
def test_bots_win_what_the_kernel_counts(ids: str, line_up: tuple[str, str]) -> None:
    shares = unfolded(ids).duel.shares((plans(ids, line_up[0])[0], plans(ids, line_up[1])[1]))
    for won, share in zip(won_in_kernel(ids, line_up), shares, strict=True):
        assert not outside(won, DEALS, share)


def test_a_bot_in_the_wrong_seat_lies_outside() -> None:
    """The must-fail twin of the one above."""
    shares = unfolded(TRAPS).duel.shares((plans(TRAPS, "careful")[0], plans(TRAPS, "random")[1]))
    for won, share in zip(won_in_kernel(TRAPS, ("random", "careful")), shares, strict=True):
        assert outside(won, DEALS, share)


def test_a_bot_is_asked_where_it_comes_and_nowhere_else() -> None:
    policies = asked(TRAPS, "careful")
    for policy, choices in zip(policies, unfolded(TRAPS).duel.choices, strict=True):
        assert not policy.is_sampled
        assert 0 < policy.n_asked < choices.n_sets
        assert set(policy.chances.tolist()) == {0.0, 1.0}


def test_no_bot_wins_more_than_the_best_response() -> None:
    duel, careful = unfolded(TRAPS).duel, plans(TRAPS, "careful")
    best = respond(duel, 0, careful[1]).value, respond(duel, 1, careful[0]).value
    for other in ("random", "careful", "hunter"):
        own = plans(TRAPS, other)
        assert duel.value((own[0], careful[1])) <= best[0] + 1e-12
        assert -duel.value((careful[0], own[1])) <= best[1] + 1e-12
    solution = solve(duel, 1e-4)
    assert best[0] >= solution.low
    assert -best[1] <= solution.high


def test_a_bot_that_chooses_at_random_is_asked_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lostlegacy_sim.games.lost_legacy.research.exact.asking.MANY_WORDS", 64)
    policies = asked(MAPS, "random:never=search")
    duel = unfolded(MAPS).duel
    found = duel.choices[0].plan(policies[0].chances), duel.choices[1].plan(policies[1].chances)
    assert policies[0].is_sampled
    assert policies[0].n_asked < duel.choices[0].n_sets  # it does not come where it would have had to play a search
    for plan, even in zip(found, even_plans(duel), strict=True):
        assert np.all((plan > 0) <= (even > 0))
    for won, share in zip(won_in_kernel(MAPS, ("random:never=search", "random:never=search")), duel.shares(found), strict=True):
        assert not outside(won, DEALS, share, own_error=0.005)  # 64 answers a set: each chance is off by up to a sixteenth, sums by far less
