"""The solver on games whose answers are known: matching pennies, Kuhn's poker, and a player that forgets."""

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np
import pytest

from lostlegacy_sim.solving.best_response import exploitability, respond
from lostlegacy_sim.solving.equilibrium import Solution, solve, solve_exactly
from lostlegacy_sim.solving.two_player_game import Numbers, Step, TwoPlayerGame, duel_of

End = tuple[float, tuple[Step, ...], tuple[float, float]]
SOLVERS = [lambda duel: solve(duel, 1e-6), solve_exactly]
KUHN_VALUE = -1 / 18  # Kuhn 1950
PASS, BET = 0, 1


def kuhn(is_open: bool = False) -> Iterator[End]:
    """All ends of Kuhn's poker; `is_open`: the cards lie open."""
    for cards in permutations(range(3), 2):
        for line in ([PASS, PASS], [PASS, BET, PASS], [PASS, BET, BET], [BET, PASS], [BET, BET]):
            steps = tuple(
                (turn % 2, (cards if is_open else cards[turn % 2], *line[:turn]), choice, 2) for turn, choice in enumerate(line)
            )
            yield 1 / 6, steps, payoff(cards, line)


def payoff(cards: tuple[int, ...], line: list[int]) -> tuple[float, float]:
    """What the two win: whoever passes after a bet loses the ante, else the higher card wins."""
    if line[-2:] == [BET, PASS]:
        margin = 1 if len(line) == 2 else -1
    else:
        margin = (2 if BET in line else 1) * (1 if cards[0] > cards[1] else -1)
    return max(margin, 0), max(-margin, 0)


def even_plans(duel: TwoPlayerGame) -> tuple[Numbers, Numbers]:
    """Both choose at random."""
    first, second = duel.choices
    return first.plan(first.even()), second.plan(second.even())


def test_matching_pennies_has_the_value_zero_and_is_mixed() -> None:
    ends = [(1.0, ((0, "first", first, 2), (1, "second", second, 2)), (float(first == second), float(first != second)))
            for first in (0, 1) for second in (0, 1)]  # fmt: skip
    for find in SOLVERS:
        solution = find(duel_of(ends))
        assert solution.value == pytest.approx(0, abs=1e-6)
        assert solution.plans[0] == pytest.approx([1, 0.5, 0.5], abs=1e-3)


@pytest.mark.parametrize("find", SOLVERS)
def test_the_value_of_kuhns_poker(find: Callable[[TwoPlayerGame], Solution]) -> None:
    duel = duel_of(kuhn())
    solution = find(duel)
    assert (duel.choices[0].n_sets, duel.choices[1].n_sets) == (6, 6)
    assert solution.value == pytest.approx(KUHN_VALUE, abs=1e-6)
    assert 0 <= solution.exploitability < 2e-6
    assert exploitability(duel, solution.plans) == pytest.approx(solution.exploitability)
    assert duel.value(solution.plans) == pytest.approx(KUHN_VALUE, abs=1e-5)


def test_choosing_at_random_is_exploited_as_published() -> None:
    """NashConv of the uniform strategy in Kuhn's poker is 0.9167 (OpenSpiel's test of its exploitability)."""
    duel = duel_of(kuhn())
    assert 2 * exploitability(duel, even_plans(duel)) == pytest.approx(11 / 12)


def test_a_solver_that_sees_the_cards_is_caught() -> None:
    """The must-fail twin: with the cards open the same game has another value, and its best responses win more."""
    hidden, is_open = duel_of(kuhn()), duel_of(kuhn(is_open=True))
    assert abs(solve_exactly(is_open).value - KUHN_VALUE) > 0.01
    gains = [exploitability(duel, even_plans(duel)) for duel in (hidden, is_open)]
    assert gains[1] > gains[0] + 0.04


def test_a_best_response_wins_what_it_promises() -> None:
    duel = duel_of(kuhn())
    even = duel.choices[1].plan(duel.choices[1].even())
    response = respond(duel, 0, even)
    assert set(np.unique(response.plan)) == {0, 1}
    assert duel.value((response.plan, even)) == pytest.approx(response.value)
    assert duel.shares((response.plan, even))[0] - duel.shares((response.plan, even))[1] == pytest.approx(response.value)


def test_chances_and_plans_are_the_same_thing() -> None:
    choices = duel_of(kuhn()).choices[0]
    chances = np.concatenate([[1.0], np.tile([0.25, 0.75], choices.n_sets)])
    assert choices.chances(choices.plan(chances)) == pytest.approx(chances)


def test_a_player_that_forgets_is_refused() -> None:
    ends: list[End] = [(1.0, ((0, "first", choice, 2), (0, "again", 0, 2)), (1.0, 0.0)) for choice in (0, 1)]
    with pytest.raises(ValueError, match="forgotten"):
        duel_of(ends)
