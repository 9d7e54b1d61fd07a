"""Kept results of true deals, small enough to be played by every test file that reads them."""

from pathlib import Path

from lostlegacy_sim.destination import Destination
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.result import Result, load_all
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of


def keep(folder: Path, players=(4,), bots=("random",), deals=2000, set_word="starship", seed=1) -> list[Result]:
    """Play, keep in a new folder, and read back."""
    game, card_set = find_game("lost_legacy"), composition.load_set(set_word)
    experiments = [experiment_of(game, card_set, number, bots, deals, seed) for number in players]
    with Destination(folder, experiments) as destination:
        destination.write([play(experiment, game, 1) for experiment in experiments])
    return load_all(folder)


def answers(results: list[Result]) -> list[Answer]:
    """What these results say."""
    return [Answer(result, find_game("lost_legacy")) for result in results]
