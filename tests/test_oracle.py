"""The kernel against the rulebook, step by step, on random card files, printed sets, mixes and line-ups."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from card_files import random_card_set
from lockstep import ASIDE, Different, Job, Kernel, play

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot
from lostlegacy_sim.games.lost_legacy.cards import variants
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.kernel import ask, rules
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.state import N_HISTORY
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.reference.effects import DO
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Divergence, Outcome, judge
from lostlegacy_sim.games.lost_legacy.replay import read_history

SEED, JOBS, DEALS = 20, 30, 20  # of each part; `make oracle` plays a million deals
BOTS = tuple(built_in_bot(name) for name in ("random", "careful", "hunter", "novice", "belief:8", "playout:8", "ismcts:8"))


@pytest.mark.parametrize("part", range(4))
def test_kernel_and_reference_agree_after_every_step(part: int) -> None:
    met: Counter[str] = Counter()
    for number in range(part * JOBS, (part + 1) * JOBS):
        met += play(Job(SEED, number, DEALS))
    assert {name for name, _ in words.QUESTIONS.values()} | {"last", "seen", "found", "nobody"} <= set(met)


class SplitJob(Job):
    """A set with one copy of a kind as a blank of its own, as `balance` plays it."""

    def card_set(self) -> CardSet:
        card_set = load_set(self.rng("set").choice(("starship", "flying-garden", "megamix")))
        several = [card.id for card in card_set.cards if card.copies > 1]
        return variants.one(card_set, self.rng("card").choice(several)).after


def test_kernel_and_reference_agree_on_a_kind_that_is_split() -> None:
    for number in range(JOBS):
        job = SplitJob(SEED, number, DEALS)
        assert any(card.id.endswith("@blank") for card in job.card_set().cards)
        assert play(job)


# --- what the comparison must catch -------------------------------------------------------------------------


def found_out(jobs: range) -> str:
    """The first difference in these jobs, told; fails if there is none."""
    for number in jobs:
        try:
            play(Job(SEED, number, DEALS))
        except Different as difference:
            return str(difference)
    pytest.fail("no difference was found")


def test_a_wrong_rule_is_found_and_can_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_exchange(*_: object) -> object:
        yield from ()

    monkeypatch.setitem(DO, "exchange", no_exchange)
    message = found_out(range(10))
    assert f"python scripts/oracle.py --seed {SEED} --job " in message
    for part in ("kernel seed", "The deal: seat 1 holds", "[[card]]"):
        assert part in message


def test_a_leaked_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Kernel.answer

    def leak(kernel: Kernel, option: int) -> int:
        status = answer(kernel, option)
        kernel.knows[words.HAND + 1] |= kernel.card[words.HAND + 1] and 1  # seat 0 knows the hand of seat 1
        return status

    monkeypatch.setattr(Kernel, "answer", leak)
    assert found_out(range(2)).startswith("Different: known: kernel")


def test_a_word_too_much_in_the_view_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Kernel.view
    monkeypatch.setattr(Kernel, "view", lambda kernel, seat: ({**view(kernel, seat)[0], words.DECK_END - 1: 1}, {}))
    assert found_out(range(2)).startswith("Different: the view of the seat asked: kernel")


# --- whole deals of bots --------------------------------------------------------------------------------------


def line_up(rng: Random, n_seats: int, sort: int) -> tuple[Bot, ...]:
    """All random, all of one other kind, or mixed."""
    if sort < 2:
        return (BOTS[0],) * n_seats
    if sort == 2:
        return (rng.choice(BOTS),) * n_seats
    return tuple(rng.choice(BOTS) for _ in range(n_seats))


def recorded(card_set: CardSet, bots: tuple[Bot, ...], rotations: int, seed: int, deal: int) -> tuple[LegacyTable, list[tuple]]:
    """A deal played by bots, and its history; the history is empty if it was too long to be kept."""
    table = LegacyTable(card_set, bots, rotations, seed)
    assert table.record(deal) == rules.DONE
    n = int(table.state.history["n"])
    return table, list(read_history(table.state.history["data"][:n].tolist())) if n < N_HISTORY else []


def outcome_of(table: LegacyTable) -> Outcome:
    return Outcome(*(int(table.state.public[name]) for name in ("way", "winner", "found_speed", "turn")))


@pytest.mark.parametrize("part", range(4))
def test_the_reference_judges_deals_of_bots(part: int) -> None:
    judged = 0
    for number in range(150):
        rng = Random(f"bots {part} {number}")
        card_set = random_card_set(rng) if number % 3 else load_set(rng.choice(("starship", "flying-garden", "megamix")))
        n_seats = rng.choice(seats(card_set))
        bots = line_up(rng, n_seats, number % 4)
        table, history = recorded(card_set, bots, rng.randint(1, n_seats), rng.getrandbits(62), rng.getrandbits(61))
        if history:
            judge(card_set, n_seats, history, outcome_of(table))
            judged += 1
    assert judged > 140


def test_a_deal_answered_question_by_question_ends_in_the_same_records() -> None:
    for number in range(60):
        rng = Random(f"answered {number}")
        card_set = random_card_set(rng)
        n_seats = rng.choice(seats(card_set))
        seed, deal = rng.getrandbits(62), rng.getrandbits(61)
        table, history = recorded(card_set, (BOTS[0],) * n_seats, 1, seed, deal)
        other = LegacyTable(card_set, (replace(ASIDE, reads=ask.READS_VIEW),) * n_seats, 1, seed)
        status = other.record(deal)
        for entry in history:
            if len(entry) == 4:
                assert status == ask.PAUSED
                status = rules.resume(other.state, entry[2])
        assert status == rules.DONE
        assert other.state.public == table.state.public
        for name in ("card", "knows", "somewhere"):
            assert np.array_equal(other.state.secret[name], table.state.secret[name])
        n = int(table.state.history["n"])
        assert np.array_equal(other.state.history["data"][:n], table.state.history["data"][:n])


def test_a_history_with_one_other_answer_is_refused() -> None:
    card_set = printed("starship")
    table, history = recorded(card_set, (BOTS[0],) * 4, 1, 1, 0)
    place = max(number for number, entry in enumerate(history) if len(entry) == 4)
    what, seat, answer, n = history[place]
    with pytest.raises(Divergence):
        judge(card_set, 4, [*history[:place], (what, (seat + 1) % 4, answer, n), *history[place + 1 :]], outcome_of(table))
    with pytest.raises(Divergence):
        judge(card_set, 4, history[:-1], outcome_of(table))
