"""Development check: a tiny deck as a game of OpenSpiel, whose algorithms must agree with lostlegacy_sim.solving.

    pip install open_spiel && python scripts/spiel.py [--deck "general search assault shadow_thief the_starship"]

The game is built from the reference once more, history by history, with what the tests' observer hears as information
state: of what it checks it shares the rules only. Compared are the NashConv of choosing at random, of careful and
of the equilibrium found, and what the equilibrium wins. Exits 1 if they differ. It is plain Python: a deck of five
cards takes some minutes.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import pyspiel
from observing import Observer
from open_spiel.python.algorithms import expected_game_score
from open_spiel.python.algorithms import exploitability as spiel_exploitability
from open_spiel.python.policy import Policy

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.bots.roster import find_bot, seat_bot
from lostlegacy_sim.games.lost_legacy.reference.enumeration import arrangements
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table
from lostlegacy_sim.games.lost_legacy.research.exact.asking import Examiner
from lostlegacy_sim.games.lost_legacy.research.exact.decision_points import Answered, DecisionPoints, Shuffled
from lostlegacy_sim.games.lost_legacy.research.exact.decks import DECKS, deck_of
from lostlegacy_sim.games.lost_legacy.research.exact.sequence_form import SequenceForm
from lostlegacy_sim.solving.best_response import exploitability
from lostlegacy_sim.solving.equilibrium import solve
from lostlegacy_sim.solving.two_player_game import Numbers

NAME = "python_lost_legacy"
CLOSE = 1e-6


class Position:
    """A history as the reference plays it: who is to answer, what that seat has observed, and what each answer leads to."""

    def __init__(self, card_set: CardSet, answers: tuple[Any, ...], own: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        self.card_set, self.answers, self.own = card_set, answers, own
        self.children: dict[int, Position] = {}
        table = Table(card_set, 2)
        observer = table.teller = Observer(table)  # type: ignore[assignment]
        playing = table.play()
        self.options: list[Any] = []
        self.player, self.margin = pyspiel.PlayerId.TERMINAL, 0.0
        try:
            asked = next(playing)
            for answer in answers:
                asked = playing.send(answer)
        except StopIteration as stop:
            self.margin = float(stop.value.winner == 0) - float(stop.value.winner == 1)
        else:
            if isinstance(asked, Question):
                self.player, self.options = asked.seat, list(asked.options)
            else:
                cards = {"deal": table.printed.slots, "ruins": table.ruins, "deck": table.deck}[asked.zone]
                self.player, self.options = pyspiel.PlayerId.CHANCE, arrangements(tuple(cards))
        self.labels = tuple(f"{observer.heard[seat]} {own[seat]}" for seat in (0, 1))

    def child(self, action: int) -> "Position":
        """The history with one answer more."""
        if action not in self.children:
            own = tuple((*seen, action) if seat == self.player else seen for seat, seen in enumerate(self.own))
            self.children[action] = Position(self.card_set, (*self.answers, self.options[action]), (own[0], own[1]))
        return self.children[action]


class LostLegacy(pyspiel.Game):
    """A deck for two, as OpenSpiel wants it."""

    root: Position

    def __init__(self, params: Any = None) -> None:
        info = pyspiel.GameInfo(num_distinct_actions=64, max_chance_outcomes=50_000, num_players=2, min_utility=-1.0,
                                max_utility=1.0, utility_sum=0.0, max_game_length=100)  # fmt: skip
        super().__init__(KIND, info, params or {})

    def new_initial_state(self) -> "History":
        return History(self, self.root)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> None:
        return None


class History(pyspiel.State):
    """A history, as OpenSpiel wants it."""

    def __init__(self, game: LostLegacy, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        return self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.position.options)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        n_options = len(self.position.options)
        return [(action, 1 / n_options) for action in range(n_options)]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return self.position.player == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        return [self.position.margin, -self.position.margin]

    def information_state_string(self, player: int | None = None) -> str:
        return self.position.labels[self.position.player if player is None else player]

    def __str__(self) -> str:
        return str(self.position.answers)

    def __deepcopy__(self, memo: Any) -> "History":
        return History(self.get_game(), self.position)

    def clone(self) -> "History":
        return History(self.get_game(), self.position)


KIND = pyspiel.GameType(
    short_name=NAME, long_name="Lost Legacy", dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC, information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM, reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=2, min_num_players=2,
    provides_information_state_string=True, provides_information_state_tensor=False, provides_observation_string=False,
    provides_observation_tensor=False, provides_factored_observation_string=False,
)  # fmt: skip


class Written(Policy):
    """A policy by information states; where nothing is written, any option."""

    def __init__(self, game: LostLegacy, chances: dict[str, list[float]]) -> None:
        super().__init__(game, [0, 1])
        self.chances = chances

    def action_probabilities(self, state: History, player_id: int | None = None) -> dict[int, float]:
        n_options = len(state.position.options)
        even = [1 / n_options] * n_options
        return dict(enumerate(self.chances.get(state.information_state_string(), even)))


def written(unfolded: SequenceForm, root: Position, chances: tuple[Numbers, Numbers]) -> dict[str, list[float]]:
    """A policy of ours in OpenSpiel's words."""
    found: dict[str, list[float]] = {}
    for player in (0, 1):
        choices = unfolded.duel.choices[player]
        for number in range(choices.n_sets):
            position = root
            for action in actions(unfolded.script(player, number), root):
                position = position.child(action)
            assert position.player == player
            here = chances[player][choices.first[number] : choices.first[number + 1]]
            found[position.labels[player]] = here.tolist() if here.sum() > 0 else np.full(len(here), 1 / len(here)).tolist()
    return found


def actions(script: list[Answered | Shuffled], position: Position) -> Iterator[int]:
    """A script as OpenSpiel's actions."""
    for event in script:
        if isinstance(event, Shuffled):
            orders = [tuple(event.before[place] for place in order) for order in position.options]
            action = orders.index(event.after)
        else:
            action = position.options.index(event.option)
        yield action
        position = position.child(action)


def main() -> int:
    """Compare everything; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deck", metavar="IDS", default=DECKS["five"], help="ids of printed cards, with blanks between them")
    card_set = deck_of(parser.parse_args().deck.split())
    LostLegacy.root = Position(card_set, (), ((), ()))
    pyspiel.register_game(KIND, LostLegacy)
    game = LostLegacy()
    unfolded = SequenceForm(DecisionPoints(card_set, 2))
    duel, solution = unfolded.duel, solve(unfolded.duel, 1e-6)
    bot = seat_bot(*find_bot("careful"), card_set)
    policies = {
        "random": (duel.choices[0].even(), duel.choices[1].even()),
        "careful": (Examiner(card_set, unfolded, bot, 0).ask().chances, Examiner(card_set, unfolded, bot, 1).ask().chances),
        "equilibrium": (duel.choices[0].chances(solution.plans[0]), duel.choices[1].chances(solution.plans[1])),
    }
    is_same = True
    for name, chances in policies.items():
        own = 2 * exploitability(duel, (duel.choices[0].plan(chances[0]), duel.choices[1].plan(chances[1])))
        theirs = spiel_exploitability.nash_conv(game, Written(game, written(unfolded, LostLegacy.root, chances)))
        print(f"NashConv of {name}: {own:.7f}, OpenSpiel {theirs:.7f}", flush=True)
        is_same &= abs(own - theirs) < CLOSE
    equilibrium = Written(game, written(unfolded, LostLegacy.root, policies["equilibrium"]))
    theirs = expected_game_score.policy_value(game.new_initial_state(), [equilibrium, equilibrium])[0]
    print(f"value of the game: {solution.value:.7f}, OpenSpiel {theirs:.7f}")
    return 0 if is_same and abs(solution.value - theirs) < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
