"""Best responses and exploitability: what the best opponent makes of a plan."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lostlegacy_sim.solving.two_player_game import Choices, Numbers, TwoPlayerGame


class Response(NamedTuple):
    """A best response: the most that can be won, and a plan that wins it."""

    value: float
    plan: Numbers  # [n_sequences] every choice is made surely


def best_response(choices: Choices, gains: Numbers) -> Response:
    """The best plan when each sequence leads to these gains [n_sequences]; of equal choices the first one.

    Backward induction over the player's own information sets, the last ones first.
    """
    value = np.array(gains, np.float64)
    chances = np.zeros(choices.n_sequences)
    chances[0] = 1.0
    for level in reversed(choices.levels):
        here = value[level.sequences]
        best = np.maximum.reduceat(here, level.starts)
        is_best = here == np.repeat(best, level.sizes)
        so_far = np.cumsum(is_best)
        before = (so_far - is_best)[level.starts]
        chances[level.sequences] = is_best & (so_far - np.repeat(before, level.sizes) == 1)
        np.add.at(value, level.parents, best)
    return Response(float(value[0]), choices.plan(chances))


def respond(duel: TwoPlayerGame, player: int, plan: Numbers) -> Response:
    """The player's best response to the other's plan, by its own margin."""
    return best_response(duel.choices[player], duel.gains(player, plan))


def respond_for_wins(duel: TwoPlayerGame, player: int, plan: Numbers) -> Response:
    """The player's best response to the other's plan if only its own wins count, not who else wins."""
    won = duel.won[0] @ plan if player == 0 else duel.won[1].T @ plan
    return best_response(duel.choices[player], np.asarray(won))


def exploitability(duel: TwoPlayerGame, plans: tuple[Numbers, Numbers]) -> float:
    """What best responses win against these plans, both chairs averaged; 0 for an equilibrium, never below.

    The mean margin of an opponent that knows the plans, in the chair of player 0 and in that of player 1. Half of
    what is called NashConv (Lanctot et al. 2017).
    """
    return (respond(duel, 0, plans[1]).value + respond(duel, 1, plans[0]).value) / 2
