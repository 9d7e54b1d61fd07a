"""No bot peeks: choices stay when all that a seat cannot know is dealt anew; planted cheaters are named with what they read."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.bots.leak_check import PARTS
from lostlegacy_sim.games.lost_legacy.bots.roster import BOTS, built_in_bot
from lostlegacy_sim.games.lost_legacy.bots.trial import Problem, TrialTable, tables_to_play
from lostlegacy_sim.games.lost_legacy.kernel.state import State

HOUSE = {"careful": 40, "careful:memory=no": 20, "hunter": 40, "novice": 40, "trained": 40, "belief:16": 20, "playout:24": 12, "ismcts:24": 12}  # deals of each


def test_the_list_below_holds_every_bot_that_is_asked() -> None:
    assert {name.partition(":")[0] for name in HOUSE} == {name for name in BOTS if BOTS[name].decide}


@pytest.mark.parametrize("bot", HOUSE)
def test_no_bot_of_the_house_peeks(bot: str) -> None:
    tables, n_redealt = list(tables_to_play(built_in_bot(bot).parameter)), 0
    for number in range(HOUSE[bot]):
        table = TrialTable(tables[number % len(tables)], BOTS[bot.partition(":")[0]].decide, number % 3 != 2)
        table.play(number)
        n_redealt += table.leak_check.n_redealt
    assert n_redealt > 40


# --- planted cheaters ---------------------------------------------------------------------------------------

Cheat = Callable[[State], int]


def play_many(trial: TrialTable) -> None:
    for number in range(60):
        trial.play(number)


def peeks_at(cheat: Cheat) -> str:
    """What a bot is accused of that chooses by something hidden."""
    table = next(tables_to_play(0))

    def decide(cards: Any, public: Any, private: Any, question: Any) -> int:
        return cheat(table.state) % int(question["n"])

    with pytest.raises(Problem) as caught:
        play_many(TrialTable(table, decide, True))
    said = str(caught.value)
    assert "`decide` peeks: its choice changes with " in said
    return said.partition("changes with ")[2].removesuffix(", which its seat cannot know.")


def other_hand(state: State) -> int:
    return int(state.secret["card"][words.HAND + 1 - int(state.question["seat"])])


def neighbour(state: State) -> int:
    return int(state.seats["private"][1 - int(state.question["seat"])]["known"].sum())


CHEATERS: dict[str, tuple[Cheat, str]] = {
    "a neighbour's hand": (other_hand, "secret.card, the hand of another seat"),
    "the ruins": (lambda state: int(state.secret["card"][words.RUINS]), "secret.card, the ruins"),
    "the deck": (lambda state: int(state.secret["card"][words.DECK_END - 1]), "secret.card, the deck"),
    "the shuffle": (lambda state: int(state.secret["order"][-1]), "secret.order, the order of the shuffle"),
    "the keys": (lambda state: int(state.secret["chance"]) >> 7, "secret.chance, the keys of the randomness"),
    "a neighbour's records": (neighbour, "private, the records of another seat"),
}


@pytest.mark.parametrize("name", CHEATERS)
def test_a_cheater_is_named_with_what_it_reads(name: str) -> None:
    cheat, said = CHEATERS[name]
    assert peeks_at(cheat) == said


def test_every_part_has_its_cheater() -> None:
    assert {said for _, said in CHEATERS.values()} == set(PARTS.values())


def test_a_cheater_that_reads_beyond_its_records_is_named() -> None:
    """The memory of the next seat lies right behind the own one."""
    table = next(tables_to_play(0))

    def decide(cards: Any, public: Any, private: Any, question: Any) -> int:
        seats = np.frombuffer(table.state.seats, np.uint8)
        return int(seats[(1 - int(question["seat"])) * private.nbytes :][: words.N_PLACES].sum()) % int(question["n"])

    with pytest.raises(Problem, match="changes with private, the records of another seat"):
        play_many(TrialTable(table, decide, True))


def test_a_deal_goes_on_as_if_nothing_had_been_dealt_anew() -> None:
    ends = []
    for redeals in (True, False):
        table = list(tables_to_play(0))[5]
        trial = TrialTable(table, lambda cards, public, private, question: int(private["word"]) % int(question["n"]), True)
        if not redeals:
            trial.leak_check.at = lambda choose, chosen: None  # type: ignore[method-assign]
        for number in range(12):
            trial.play(number)
            ends.append((table.state.public.tobytes(), table.state.secret["card"].tobytes()))
    assert ends[:12] == ends[12:]
