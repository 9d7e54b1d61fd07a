"""What every game must keep, whatever its rules: through its front door, and deal by deal."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.registry import BUILT_IN
from lostlegacy_sim.tally import NONE, Tally, n_labels, no_exemplars

BLOCKS = 2000
# Experiments of each game (set, players, bots), and how to play one of its deals question by question.
TABLES = {
    "lost_legacy": (
        ("starship", 2, ("random", "random")),
        ("flying-garden", 3, ("careful", "random", "random")),
        ("flying-garden-recall", 4, ("random", "careful", "random", "careful")),
        ("megamix", 6, ("random",) * 6),
        ("megamix", 5, ("careful", "hunter", "random", "random", "random")),
    )
}


def experiments() -> Iterator[Any]:
    for name, tables in TABLES.items():
        for set_word, players, bots in tables:
            card_set = load_set(set_word)
            experiment = Experiment(name, card_set.id, card_set.name, card_set.to_toml(), players, bots, ("",) * players, BLOCKS, 3)
            yield pytest.param(experiment, id=f"{name}-{set_word}-{players}")


def test_every_game_is_looked_at() -> None:
    assert set(TABLES) == set(WALKS) == set(BUILT_IN)


@pytest.fixture(params=experiments())
def experiment(request: pytest.FixtureRequest) -> Experiment:
    return request.param


@pytest.fixture
def game(experiment: Experiment) -> Game:
    return find_game(experiment.game)


def played(experiment: Experiment, game: Game) -> tuple[np.ndarray, np.ndarray]:
    counts, exemplars = np.zeros(n_labels(game.labels(experiment)), np.int64), no_exemplars(game.categories)
    game.open_table(experiment).play(0, BLOCKS, counts, exemplars)
    return counts, exemplars


def test_every_deal_is_counted_once(experiment: Experiment, game: Game) -> None:
    counts, _ = played(experiment, game)
    totals = Tally(game.labels(experiment), counts[None, :]).totals
    assert (counts >= 0).all()
    assert int(totals["deals"].sum() + totals["void"].sum()) == BLOCKS * experiment.rotations
    assert np.array_equal(counts, played(experiment, game)[0])


def test_measures_are_in_range(experiment: Experiment, game: Game) -> None:
    counts, _ = played(experiment, game)
    totals = Tally(game.labels(experiment), counts[None, :]).totals
    measures = game.measures(experiment)
    assert measures
    for name, measure in measures.items():
        low, high = {"rate": (0, 1), "difference": (-1, 1)}.get(measure.unit, (0, np.inf))
        value = float(np.asarray(measure(totals)).sum())
        assert low <= value <= high or np.isnan(value), name


def test_exemplars_are_deals_of_the_run(experiment: Experiment, game: Game) -> None:
    _, exemplars = played(experiment, game)
    deals = np.concatenate([exemplars[:-2], exemplars[-1:]])
    assert len(deals) == len(game.categories)
    assert ((deals == NONE) | ((deals >= 0) & (deals < BLOCKS * experiment.rotations))).all()
    assert (deals != NONE).any()


def test_deals_question_by_question(experiment: Experiment, game: Game) -> None:
    """Cards are conserved, a question has two options or more, deals end, and payoffs are 0 or a winner's 1."""
    walk, printed = WALKS[experiment.game](experiment), cards_of(experiment)
    asked = 0
    for deal in range(30):
        for cards, n_options in walk(deal):
            assert cards == printed
            assert n_options == 0 or n_options >= 2
            asked += n_options > 0
    assert asked > 300


# --- Lost Legacy --------------------------------------------------------------------------------------------


def cards_of(experiment: Experiment) -> list[int]:
    """The cards of an experiment, sorted."""
    from lostlegacy_sim.cardset import parse_set
    from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY

    return sorted(parse_set(experiment.set_text, VOCABULARY, where="conformance").slots())


def walk_lost_legacy(experiment: Experiment) -> Callable[[int], Iterator[tuple[list[int], int]]]:
    """Deals with random answers: at every question, and at the end, all cards and the number of options."""
    from lockstep import ASIDE

    from lostlegacy_sim.cardset import parse_set
    from lostlegacy_sim.games.lost_legacy import vocabulary
    from lostlegacy_sim.games.lost_legacy.kernel import ask, rules
    from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable

    card_set = parse_set(experiment.set_text, vocabulary.VOCABULARY, where="conformance")
    table = LegacyTable(card_set, (ASIDE,) * experiment.players, 1, experiment.seed)
    public, secret, question = table.state.public, table.state.secret, table.state.question

    def cards() -> list[int]:
        rows = [kind for seat, size in enumerate(public["row_size"]) for kind in public["row"][seat, :size].tolist()]
        return sorted([*rows, *(kind for kind in secret["card"].tolist() if kind)])

    def walk(deal: int) -> Iterator[tuple[list[int], int]]:
        rng = Random(deal)
        status = table.record(deal)
        turns = 0
        while status == ask.PAUSED:
            yield cards(), int(question["n"])
            turns = int(public["turn"])
            assert turns <= vocabulary.TURNS_PER_CARD * card_set.n_cards
            assert question["option"][: question["n"]].tolist() == sorted(set(question["option"][: question["n"]].tolist()))
            status = rules.resume(table.state, rng.choice(question["option"][: question["n"]].tolist()))
        assert status == rules.DONE
        has_winner = int(public["way"]) in (vocabulary.WAY_LAST, vocabulary.WAY_SEEN, vocabulary.WAY_FOUND)
        assert (0 <= int(public["winner"]) < experiment.players) if has_winner else int(public["winner"]) == vocabulary.NOBODY
        assert not has_winner or int(public["in_game"]) >> int(public["winner"]) & 1
        yield cards(), 0

    return walk


WALKS = {"lost_legacy": walk_lost_legacy}
