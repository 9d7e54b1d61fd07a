"""Lower bounds: a trained response wins much of what the best one would, never more, and nothing by what it may not know."""

import json
from pathlib import Path

import numpy as np
import pytest
from lockstep import Kernel
from planted_bots import PLANTED
from script import load

from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots.roster import find_bot, seat_bot
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.kernel.ask import PAUSED
from lostlegacy_sim.games.lost_legacy.research.bounds.abstraction import coarse_key, fine_key
from lostlegacy_sim.games.lost_legacy.research.bounds.mixture import exploited, fictitious_play
from lostlegacy_sim.games.lost_legacy.research.bounds.response import Learner
from lostlegacy_sim.games.lost_legacy.research.exact.decision_points import DecisionPoints
from lostlegacy_sim.games.lost_legacy.research.exact.decks import DECKS, deck_of
from lostlegacy_sim.games.lost_legacy.research.exact.sequence_form import SequenceForm
from lostlegacy_sim.solving.best_response import exploitability
from lostlegacy_sim.solving.two_player_game import TwoPlayerGame
from lostlegacy_sim.studies.bounds import Bound, Bounds, from_tournament, lower_bounds
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.tournament import play_tournament, tournament_of

TRAPS = deck_of(DECKS["traps"].split())
DEALS = 20_000
Z = 4.0


def learner(bot: str, seed: int = 1) -> Learner:
    return Learner(TRAPS, seat_bot(*find_bot(bot), TRAPS), seed)


def even_exploitability(duel: TwoPlayerGame) -> float:
    """How much choosing at random is exploited by the best response."""
    first, second = duel.choices
    return exploitability(duel, (first.plan(first.even()), second.plan(second.even())))


def test_before_it_has_learnt_it_plays_as_careful_does() -> None:
    measured = learner("careful").measure(DEALS)
    assert measured.deals == 2 * DEALS
    assert abs(measured.margin) < Z * measured.error


def test_training_finds_much_of_the_best_response_and_never_more() -> None:
    """The exact best response to a random player of this deck is the ceiling; the training gets nearer to it."""
    best, one = even_exploitability(SequenceForm(DecisionPoints(TRAPS, 2)).duel), learner("random")
    before = one.measure(DEALS)
    one.train(100_000)
    after = one.measure(DEALS)
    assert after.margin > before.margin + Z * (before.error + after.error)
    assert best - 0.1 < after.margin < best + Z * after.error


def test_a_response_is_trained_against_careful_too() -> None:
    one = learner("careful")
    one.train(100_000)
    measured = one.measure(DEALS)
    assert measured.margin > 0.3  # the best response wins 0.375, as solved exactly
    assert measured.margin < 0.375 + Z * measured.error


def test_the_same_seed_learns_the_same_and_measuring_learns_nothing() -> None:
    first, second = learner("random"), learner("random")
    first.train(5000)
    assert first.measure(1000) == first.measure(1000)
    second.train(5000)
    assert np.array_equal(first.returns, second.returns)
    assert np.array_equal(first.visits, second.visits)
    other = learner("random", seed=2)
    other.train(5000)
    assert not np.array_equal(first.returns, other.returns)


def keys(kernel: Kernel) -> tuple[int, int]:
    """What the learner would take note of at the open question."""
    state = kernel.state
    private = state.seats["private"][int(state.question["seat"])]
    coarse = coarse_key(state.cards, state.public, private, state.question, 0)
    return int(coarse), int(fine_key(state.cards, state.public, private, state.question, np.uint64(coarse)))


def test_it_takes_note_of_nothing_its_seat_may_not_know() -> None:
    """Hidden cards are exchanged behind its back: no key changes; a card in its view is: they do."""
    kernel = Kernel(TRAPS, 2, 1)
    changed = 0
    for deal in range(200):
        if kernel.begin(deal) != PAUSED:
            continue
        before, card = keys(kernel), kernel.card
        hidden = [place for place in np.flatnonzero(card) if not kernel.knows[place] >> int(kernel.state.question["seat"]) & 1]
        card[hidden] = np.roll(card[hidden], 1)
        assert keys(kernel) == before
        private = kernel.state.seats["private"][int(kernel.state.question["seat"])]
        private["known"][int(private["seat"])] = 1 + private["known"][int(private["seat"])] % 5
        changed += keys(kernel) != before
    assert changed > 50


def test_a_mixture_of_learners_is_exploited_less_than_its_first_member() -> None:
    """The first is `careful`, and the response to it alone finds as much as one to the compiled bot does."""
    found = list(fictitious_play(TRAPS, 2, 50_000, 1))
    first, last = (exploited(TRAPS, mixture, 50_000, 10_000, 9) for mixture in (found[0], found[-1]))
    assert [len(mixture) for mixture in found] == [1, 2, 3]
    assert 0.25 < first.margin < 0.375 + Z * first.error
    assert 0 < last.margin < first.margin - Z * (first.error + last.error)


def test_the_study_and_its_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "bounds.json"
    script = load("bounds")
    monkeypatch.setattr(script, "printed", lambda name: TRAPS)
    words = ["--bots", "random,careful", "--budgets", "1000,10000", "--deals", "10000", "--rounds", "1", "-o", str(output)]
    monkeypatch.setattr("sys.argv", ["bounds.py", *words])
    assert script.main() == 0
    report = json.loads(output.read_text())
    first, second = report["bots"]
    assert [mixture["members"] for mixture in report["mixtures"]] == [1, 2]
    assert [row["response"] for row in first["found"]] == ["careful", "trained", "trained"]
    for row in first["found"]:
        assert 0.4 < row["low"] < row["margin"] < row["high"] < 0.7
    assert second["found"][0]["high"] < 0  # random loses to careful
    again = lower_bounds(find_game("lost_legacy"), TRAPS, ["random", "careful"], [1000, 10_000], 10_000, 1)
    assert [row["margin"] for row in first["found"]] == [bound.margin for bound in again[0].found]


def test_a_tournament_gives_responses_too_and_no_bound_where_nobody_wins_for_certain() -> None:
    asked = tournament_of(PLANTED, printed("starship"), 2, ["even", "strong", "equal"], 20_000, 1)
    standings = Standings(play_tournament(asked, PLANTED, 1), PLANTED)
    strong, equal = from_tournament(standings, "even", ["strong", "equal"])
    cell = standings.cell(standings.bots.index("strong"), standings.bots.index("even"))
    assert cell is not None
    assert strong.margin == 2 * cell.advantage.value
    assert 0.2 < strong.low < 0.25 < strong.high < 0.3  # twice the weight: 2/3 - 1/3 of the deals, but for those nobody wins
    assert equal.low < 0 < equal.high
    assert Bounds("even", (equal, strong)).best == strong
    assert from_tournament(standings, "strong", ["even", "equal"])[0].high < 0


def test_no_response_of_a_tournament_is_left_out_of_the_page() -> None:
    """What anybody surely wins from a bot in the tournament, the table says at least."""
    script, page = load("make_docs"), (Path(__file__).parent.parent / "docs" / "perfect.md").read_text(encoding="utf-8")
    standings = script.tournament("strength")
    rows = {line.split("|")[1].strip(" `"): line for line in page.split("exploited at least |")[1].splitlines() if line.startswith("| `")}
    for bot in set(rows) & set(standings.bots):
        others = [other for other in standings.bots if other != bot]
        surely = max(bound.low for bound in from_tournament(standings, bot, others))
        said = float(rows[bot].split("**")[1])
        assert said >= 100 * surely - 0.1, bot
    assert float(rows["trained"].split("**")[1]) > 0


def test_the_strongest_response_is_the_one_that_surely_wins_most() -> None:
    weak, lucky, strong = Bound("weak", 0, 0.1, 0.05, 0.15), Bound("lucky", 0, 0.4, -0.2, 1.0), Bound("trained", 9, 0.3, 0.28, 0.32)
    assert Bounds("bot", (weak, lucky, strong)).best == strong
