"""Records a bot may not write: compared in a sample of the deals, in all of them if one is strict, and the run ends with a sentence."""

from pathlib import Path

import numpy as np
import pytest
from command_line import run

import lostlegacy_sim as ll
from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots import roster
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.kernel.counts import EXEMPLARS, TALLY
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.kernel.watch import WATCHED_FIRST, WATCHED_ONE_IN, end_of_stretch, is_watched

SEED = 3
WRITES = {  # what a bot writes, by what is said of it
    "public.deck_size": "public.deck_size += 1",
    "public.rows_speeds": "public.rows_speeds = 7",
    "cards.speed": "cards.speed[3] += 1",
    "cards.cancels": "cards.cancels[959] += 1",
    "question.n": "question.n -= 1",
    "question.what": "question.what = -1",
    "private.known of seat 2": "private.known[63] ^= 9",
    "private.seat of seat 2": "private.seat += 1",
    "private.saw of seat 2": "private.saw[255] += 1",
}
HONEST, *SINGLE, RARE = range(len(WRITES) + 2)  # the parameter of the bot: it writes nothing, one of WRITES in its first turn, or hardly ever
BOT = "from lostlegacy_sim.rng import below\n\n\ndef decide(cards, public, private, question):\n    private.memory[15] += 1\n"
BOT += "".join(
    f"    if private.parameter == {number} and public.turn == 2 and question.what == 1:\n        {text}\n" for number, text in enumerate(WRITES.values(), 1)
)
BOT += f"    if private.parameter == {RARE} and public.turn == 2 and private.word % 4096 == 77:\n        public.deck_size += 1\n"
BOT += "    return below(private, question.n)\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, where no bot is tried before it plays."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(roster, "try_bot", lambda *words: {})
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


def table_of(parameter: int, is_strict: bool = False) -> LegacyTable:
    """A table of two, a random bot and this one."""
    card_set = load_set("starship")
    bots = tuple(roster.seat_bot(*roster.find_bot(words), card_set) for words in ("random", f"bot.py:{parameter}"))
    return LegacyTable(card_set, bots, 2, SEED, is_strict=is_strict)


def said_by(table: LegacyTable, first: int, n_blocks: int) -> str:
    """Why these blocks cannot be played; "" if they can."""
    try:
        table.play(first, n_blocks, np.zeros(TALLY.itemsize // 8, np.int64), np.zeros(EXEMPLARS.itemsize // 8, np.int64))
    except BotError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("field", WRITES)
def test_what_a_bot_writes_in_one_state_is_named(field: str, here: Path) -> None:
    number = [*WRITES].index(field) + 1
    table = table_of(number)
    before = table.state.cards.copy()
    said = said_by(table, 0, 100)
    assert said.startswith(f"file:bot.py:{number} in seat 2 wrote into {field} at the question 'play' (deal ")
    assert said.endswith(", turn 2, seed 3). It may write private.word and private.memory.")
    assert table.state.cards == before  # taken back



def test_the_sample_is_that_of_every_machine() -> None:
    """The numbers are of the words alone: a change of them is a change of what is found."""
    seed, n = np.uint64(SEED), 400_000
    chosen = {block for block in range(n) if is_watched(seed, block)}
    assert chosen.issuperset(range(WATCHED_FIRST))
    assert 0.5 < (len(chosen) - WATCHED_FIRST) * WATCHED_ONE_IN / n < 1.5
    assert chosen != {block for block in range(n) if is_watched(np.uint64(SEED + 1), block)}
    edges, block = [], 0
    while block < n:
        block = end_of_stretch(seed, block, n)
        edges.append(block)
    assert edges == [*(block for block in range(1, n) if (block in chosen) != (block - 1 in chosen)), n]


def test_what_happens_seldom_is_found_in_the_sample_or_strictly(here: Path) -> None:
    strictly, sampled = table_of(RARE, is_strict=True), table_of(RARE)
    found = said_by(strictly, WATCHED_FIRST, 40_000)
    assert "wrote into public.deck_size" in found
    deal = int(found.partition("(deal ")[2].partition(",")[0])
    assert not is_watched(np.uint64(SEED), deal // 2)
    assert said_by(sampled, deal // 2, 1) == ""
    found = said_by(sampled, WATCHED_FIRST, 4_000_000)
    assert is_watched(np.uint64(SEED), int(found.partition("(deal ")[2].partition(",")[0]) // 2)


def test_an_honest_bot_is_counted_alike_whoever_watches(here: Path) -> None:
    counts = []
    for is_strict in (False, True):
        table = table_of(HONEST, is_strict)
        row = np.zeros(TALLY.itemsize // 8, np.int64)
        table.play(200, 2000, row, np.zeros(EXEMPLARS.itemsize // 8, np.int64))
        counts.append(row)
    assert (counts[0] == counts[1]).all()
    assert counts[0].any()


def test_a_run_ends_with_a_sentence_and_the_line_that_plays_the_deal_again(here: Path) -> None:
    words = ("simulate", "--players", "2", "--bots", f"random,bot.py:{RARE}", "--seed", "3", "--deals", "40k", "--threads", "1")
    assert run(*words).code == 0  # not in the sample
    ran = run(*words, "--strict", "--out", "kept")
    assert ran.code != 0
    assert f"file:bot.py:{RARE} in seat 2 wrote into public.deck_size at the question 'play' (deal " in ran.err
    line = ran.err.partition("Play it again: ")[2].partition(" The ")[0].splitlines()[0]
    assert line.startswith(f"llsim replay --set starship --players 2 --bots random,bot.py:{RARE} --seed 3 --deal ")
    again = run(*line.split()[1:])
    assert f"file:bot.py:{RARE} in seat 2 wrote into public.deck_size at the question 'play' (deal " in again.err


def test_every_way_to_play_can_be_strict(here: Path) -> None:
    game = find_game("lost_legacy")
    assert game.strict(False) is game
    assert game.strict().is_strict
    with pytest.raises(BotError, match="wrote into public.deck_size"):
        ll.simulate(players=2, bots=["random", f"bot.py:{RARE}"], deals=40_000, seed=3, threads=1, strict=True)
    for command in ("simulate", "compare", "balance", "explore", "tournament", "verify"):
        assert "--strict" in run(command, "--help").out
