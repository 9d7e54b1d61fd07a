"""Worlds as full deals, and the bots that search: what they lay out is possible, and how strong they are."""

from random import Random

import numpy as np
import pytest
from lockstep import Kernel

from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import next_world
from lostlegacy_sim.games.lost_legacy.bots.belief.unseen import lay_unseen
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot, find_bot
from lostlegacy_sim.games.lost_legacy.bots.search.determinization import keep_own_view, lay_out
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.kernel.ask import PAUSED
from lostlegacy_sim.games.lost_legacy.kernel.knowledge import write_view
from lostlegacy_sim.games.lost_legacy.kernel.rules import DONE, resume
from lostlegacy_sim.games.lost_legacy.kernel.state import N_LOG, new_state
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import Answer, experiment_of

SETS = [("starship", 2), ("starship", 4), ("flying-garden", 3), ("megamix", 5)]


@pytest.mark.parametrize("fills_log", [False, True], ids=["retold", "log full"])
@pytest.mark.parametrize(("set_word", "n_seats"), SETS)
def test_a_determinization_leaves_the_seat_what_it_knows_and_plays_to_the_end(set_word: str, n_seats: int, fills_log: bool) -> None:
    kernel, rng, world, ends = Kernel(load_set(set_word), n_seats, 1), Random(1), np.zeros(1, WORLD)[0], set[int]()
    other = new_state(kernel.state.cards)
    for number in range(25):
        status = kernel.begin(number)
        while status == PAUSED:
            state, seat = kernel.state, int(kernel.state.question["seat"])
            private, options = state.seats["private"][seat], state.question["option"][: int(state.question["n"])].tolist()
            public = state.public.copy()
            if fills_log:
                public["n_log"] = N_LOG
            assert next_world(state.cards, public, private, world, np.uint64(number)) > 0.0
            keep_own_view(public, private, world)
            for option in options[:3]:
                for name in public.dtype.names:
                    other.public[name] = state.public[name]
                lay_out(public, world, other)
                for place in range(n_seats):
                    other.seats["private"][place]["seat"] = place
                assert sorted(other.secret["card"].tolist()) == sorted(kernel.card.tolist())
                assert ((other.secret["card"] > 0) == (kernel.card > 0)).all()
                write_view(other.secret, other.public, other.seats["private"][seat])
                for name in ("known", "ruins_has"):
                    assert (other.seats["private"][seat][name] == private[name]).all()
                other.secret["bot"][:] = 0
                assert resume(other, option) == DONE
                ends.add(int(other.public["way"]))
            status = kernel.answer(int(rng.choice(options)))
    assert len(ends) >= 3


def test_cards_laid_anywhere_agree_with_what_is_known() -> None:
    kernel, rng, world, seen = Kernel(load_set("megamix"), 3, 1), Random(1), np.zeros(1, WORLD)[0], set[bytes]()
    for number in range(20):
        status = kernel.begin(number)
        while status == PAUSED:
            state = kernel.state
            private = state.seats["private"][int(state.question["seat"])]
            lay_unseen(state.cards, state.public, private, world, np.uint64(number))
            known, ruins = private["known"], slice(words.RUINS, words.RUINS + int(state.public["ruins_size"]))
            assert (world["card"][known > 0] == known[known > 0]).all()
            assert sorted(world["card"].tolist()) == sorted(kernel.card.tolist())
            for kind in np.nonzero(private["ruins_has"])[0]:
                assert (world["card"][ruins] == kind).sum() >= private["ruins_has"][kind] + (known[ruins] == kind).sum()
            seen.add(world["card"].tobytes())
            status = kernel.answer(int(rng.choice(state.question["option"][: int(state.question["n"])].tolist())))
    assert len(seen) > 100


# --- strength -----------------------------------------------------------------------------------------------


def won(set_word: str, players: int, *bots: str, deals: int) -> tuple[float, float]:
    """The win index of the first bot, and four standard errors of it."""
    game = find_game("lost_legacy")
    answer = Answer(play(experiment_of(game, load_set(set_word), players, bots, deals, 1), game, threads=1), game)
    rate, par = answer.bots[0].rate, answer.estimates["decided"].value / players
    return rate.value / par, 4 / 1.96 * (rate.high - rate.low) / 2 / par


@pytest.mark.parametrize(
    ("set_word", "players", "bots", "deals", "at_least"),
    [
        ("starship", 2, ("belief", "random"), 8_000, 1.30),  # 65 % of the decided deals
        ("starship", 2, ("belief", "careful"), 16_000, 1.0),
        ("starship", 4, ("belief", "careful"), 8_000, 1.0),
        ("flying-garden", 2, ("belief", "random"), 8_000, 1.20),
        ("megamix", 6, ("belief", "random"), 3_000, 1.5),
        ("starship", 2, ("playout:100", "careful"), 1_500, 1.0),
        ("starship", 2, ("playout:100", "belief"), 3_000, 1.0),
        ("starship", 4, ("playout:100", "careful"), 2_000, 1.0),
        ("flying-garden", 3, ("playout:100", "careful"), 1_000, 1.0),
        ("starship", 2, ("playout:200", "playout:2"), 1_000, 1.0),
        ("starship", 2, ("careful", "novice"), 8_000, 1.0),
        ("starship", 2, ("novice", "random"), 8_000, 1.0),
    ],
)  # fmt: skip
def test_strength(set_word: str, players: int, bots: tuple[str, ...], deals: int, at_least: float) -> None:
    index, four_errors = won(set_word, players, *bots, deals=deals)
    assert index - four_errors > at_least


def test_who_only_thinks_as_careful_does_is_no_stronger() -> None:
    """The must-fail twin: a novice that never errs is careful, deal for deal."""
    game = find_game("lost_legacy")
    same, careful = (play(experiment_of(game, load_set("starship"), 3, [bot], 2000, 5), game, threads=1)
                     for bot in ("novice:slips=0:overlooks=0", "careful"))  # fmt: skip
    assert (same.tally.counts == careful.tally.counts).all()


@pytest.mark.parametrize("bot", ["belief:16", "playout:20", "novice"])
def test_a_searching_bot_plays_the_same_deals_again(bot: str) -> None:
    game = find_game("lost_legacy")
    experiment = experiment_of(game, load_set("megamix"), 3, [bot, "random"], 600, 5)
    one, other = (play(experiment, game, threads=threads) for threads in (1, 2))
    assert (one.tally.counts == other.tally.counts).all()


# --- words ------------------------------------------------------------------------------------------------


def test_numbers_of_bots() -> None:
    assert find_bot("belief:48") == find_bot("belief") == ("belief", "")
    assert find_bot("belief:slips=50:model=hunter:9")[0] == "belief:model=hunter:9:slips=50"
    assert find_bot("playout:200")[0] == "playout:200"
    assert built_in_bot("playout:200").parameter == 200
    assert find_bot("novice:overlooks=50:slips=20")[0] == "novice:slips=20"
    assert built_in_bot("novice:slips=20:overlooks=3").parameter == 20 + 3 * 128
    assert find_bot("playout:50:never=search")[0] == "playout:50:never=search"


@pytest.mark.parametrize(("words", "said"), [
    ("belief:0", "belief:0: write a whole number from 1 to 1,000,000 (worlds it weighs for a decision)."),
    ("belief:many", "belief:many: write a whole number from 1 to 1,000,000 (worlds it weighs for a decision)."),
    ("belief:٣", "belief:٣: write a whole number from 1 to 1,000,000 (worlds it weighs for a decision)."),
    ("novice:slips=101", "novice:slips=101: write a whole number from 0 to 100 (answers of 100 in which any option will do)."),
    ("novice:slip=10", "The bot 'novice' has no parameter 'slip'. Did you mean 'slips'? Valid: slips, overlooks."),
    ("belief:worlds=3", "The bot 'belief' has no parameter 'worlds'; write one number, as in belief:48."),
])  # fmt: skip
def test_a_wrong_number_is_refused_with_one_sentence(words: str, said: str) -> None:
    with pytest.raises(BotError) as caught:
        find_bot(words)
    assert str(caught.value) == said
