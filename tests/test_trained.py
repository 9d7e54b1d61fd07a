"""The bot `trained`: its weights are what their header says, are learnt the same again, and are worth having."""

import json
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from bot_situations import Situation
from test_policies import win_index

from lostlegacy_sim import __version__
from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games.lost_legacy.bots.trained import trained
from lostlegacy_sim.games.lost_legacy.bots.trained.features import ROWS, WIDTH
from lostlegacy_sim.games.lost_legacy.bots.trained.weights import FILE, Weights, digest, first_weights, read_weights
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.research.training.learning import TRAIL, learn
from lostlegacy_sim.games.lost_legacy.research.training.trainer import train
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY

SETS = [printed("starship"), printed("flying-garden")]
OTHERS = ("hand 1", "hand 2")


# --- the file ---------------------------------------------------------------------------------------------


def test_the_weights_are_those_of_their_header() -> None:
    plain = json.loads(FILE.read_text())
    assert plain["sha256"] == digest(plain)
    assert plain["command"] == f"python scripts/train.py --seed {plain['seed']} --rounds {plain['deals'] // 12_000}"
    assert (plain["sets"], plain["players"], plain["version"]) == (["starship", "flying-garden"], [2, 3, 4], __version__)
    table, out = read_weights().compiled()
    assert np.array_equal(trained.TABLE, table)
    assert np.array_equal(trained.OUT, out)
    assert not np.array_equal(table, first_weights(plain["seed"]).compiled()[0])


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    plain, file = json.loads(FILE.read_text()), tmp_path / "trained.json"
    plain["play"][0][1] += 1
    file.write_text(json.dumps(plain))
    with pytest.raises(BotError, match="the weights of the bot 'trained' are damaged"):
        read_weights(file)
    del plain["play"][0]
    plain["sha256"] = digest(plain)
    file.write_text(json.dumps(plain))
    with pytest.raises(BotError, match=f"{3 * ROWS - 1} rows of weights, where {3 * ROWS} are noted"):
        read_weights(file)
    file.write_text("[]")
    with pytest.raises(BotError, match="cannot be read"):
        read_weights(file)


# --- learning ---------------------------------------------------------------------------------------------


def learnt(seed: int, threads: int) -> Weights:
    return train(SETS, (2, 4), 3, seed, threads, deals=40)


def test_the_same_seed_learns_the_same_at_any_number_of_threads() -> None:
    first, again, shared, other = learnt(1, 1), learnt(1, 1), learnt(1, 2), learnt(2, 1)
    for one in (again, shared):
        assert np.array_equal(first.table, one.table)
        assert np.array_equal(first.out, one.out)
    assert not np.array_equal(first.table, other.table)
    assert np.abs(first.table - first_weights(1).table).max() > 0.01


def log_chance(table: np.ndarray, out: np.ndarray, moment: dict[int, float], options: list[dict[int, float]], chosen: int) -> float:
    """The logarithm of the chance to choose an option, written down once more."""
    scores = []
    for option in options:
        sums = sum(value * table[row] for notes in (moment, option) for row, value in notes.items())
        scores.append(sums[0] + sum(max(0.0, hidden) * weight for hidden, weight in zip(sums[1:], out[0, 1:], strict=True)))
    return float(scores[chosen] - log(sum(exp(score) for score in scores)))


def test_the_slopes_are_what_a_small_change_of_a_weight_does() -> None:
    """What is learnt from one choice with a return of 0.5, against differences of a slow twin."""
    rng = np.random.default_rng(1)
    table, out = rng.normal(size=(3 * ROWS, WIDTH)).astype(np.float32), rng.normal(size=(3, WIDTH)).astype(np.float32)
    moment, options, chosen = {0: 1.0, 5: 0.3}, [{7: 1.0, 9: 0.5}, {7: 0.2, 11: 1.0}, {12: 1.0}], 1
    trail = np.zeros(1, TRAIL)[0]
    trail["n"], trail["options"][0], trail["chosen"][0] = 1, 3, chosen
    noted = [(row, value) for notes in (moment, *options) for row, value in notes.items()]
    for place, (row, value) in enumerate(noted):
        trail["row"][place], trail["value"][place] = row, value
    trail["end"][:4] = np.cumsum([len(moment), *map(len, options)])
    slopes = np.zeros((3 * ROWS, WIDTH)), np.zeros((3, WIDTH)), np.zeros(3 * ROWS), np.zeros(2)
    learn(trail, np.array([0.5, -0.5]), table, out, np.zeros(3 * ROWS), slopes, (np.zeros(WIDTH), np.zeros(WIDTH)))
    table, out, step, checked = table.astype(float), out.astype(float), 1e-5, 0
    for numbers, slope, rows in ((table, slopes[0], [row for row, _ in noted]), (out, slopes[1], [0])):
        for row in set(rows):
            for column in range(1 if numbers is out else 0, WIDTH):
                numbers[row, column] += step
                above = log_chance(table, out, moment, options, chosen)
                numbers[row, column] -= 2 * step
                below = log_chance(table, out, moment, options, chosen)
                numbers[row, column] += step
                assert slope[row, column] == pytest.approx(0.5 * (above - below) / (2 * step), abs=1e-4)
                checked += abs(slope[row, column]) > 1e-3
    assert checked > 20
    assert slopes[2][0] == 0.5


# --- play -------------------------------------------------------------------------------------------------


def renumbered(card_set: CardSet) -> CardSet:
    """The same cards in another order, so that every kind has another number."""
    head, *tables = card_set.to_toml().split("[[card]]")
    return parse_set("[[card]]".join([head, *reversed(tables)]), VOCABULARY, "renumbered.toml")


@pytest.mark.parametrize("held", ["general", "search", "sneak_attack", "the_starship"])
@pytest.mark.parametrize("drawn", ["assault", "ancient_map", "sister_of_fate"])
def test_it_goes_by_what_cards_do_not_by_their_numbers(held: str, drawn: str) -> None:
    known = {"hand 1": "swordsman"}
    first, second = (Situation("play", held, drawn=drawn, known=known, set=cards).asked(trained.decide) for cards in (SETS[0], renumbered(SETS[0])))
    assert first == second


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        (Situation("look", "search", playing="assault", rows=("assault", "", ""), options=OTHERS, known={"hand 1": "sneak_attack"}), "hand 2"),
        (Situation("look", "search", playing="assault", rows=("assault", "", ""), options=OTHERS, known={"hand 2": "sneak_attack"}), "hand 1"),
        (Situation("look", "search", playing="shadow_thief", rows=("shadow_thief", "", ""), options=(*OTHERS, "ruins 0"),
                   known={"ruins 0": "the_starship"}), "ruins 0"),
        (Situation("play", "shadow_thief", drawn="search", known={"hand 2": "the_starship"}), "held"),
        (Situation("play", "wound", drawn="curse", rows=("wound", "", ""), set=SETS[1]), "drawn"),
        (Situation("play", "curse", drawn="wound", rows=("wound", "", ""), set=SETS[1]), "held"),
        (Situation("play", "sneak_attack", drawn="general", deck=0), "held"),
        (Situation("exchange", "search", playing="assault", rows=("assault", "", ""), focus="general", at="hand 1", deck=0), "yes"),
        (Situation("exchange", "general", playing="assault", rows=("assault", "", ""), focus="search", at="hand 1", deck=0), "no"),
        (Situation("reveal", "general", called=2, deck=0, options=("hand 0", *OTHERS, "ruins 0"), known={"ruins 0": "the_starship"}), "ruins 0"),
        (Situation("choose", "wound", playing="necromancer", rows=("necromancer", "wound curse", ""), set=SETS[1]), "row 1.1"),
    ],
)  # fmt: skip
def test_what_must_not_be_unlearnt(situation: Situation, expected: str) -> None:
    assert situation.asked(trained.decide) == expected


@pytest.mark.parametrize(
    ("set_word", "players", "bots", "at_least"),
    [
        ("starship", 2, ("trained", "random"), 1.4),
        ("flying-garden", 4, ("trained", "random"), 1.6),
        ("starship", 2, ("trained", "careful"), 1.1),
        ("starship", 4, ("trained", "careful"), 1.05),
        ("flying-garden", 2, ("trained", "hunter"), 1.1),
        ("megamix", 6, ("trained", "random"), 1.5),
    ],
)  # fmt: skip
def test_strength(set_word: str, players: int, bots: tuple[str, ...], at_least: float) -> None:
    index, four_errors = win_index(set_word, players, *bots, deals=10_000)
    assert index - four_errors > at_least
