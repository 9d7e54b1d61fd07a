"""The families that break guidelines, and what is found about them: planted harm, and none where there is none."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from command_line import run
from planted_game import FIRST_SEAT, NOBODY, PLANTED

from lostlegacy_sim.cli import explore as explore_module
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import all_mixes, printed
from lostlegacy_sim.games.lost_legacy.cards.guidelines import check_guidelines
from lostlegacy_sim.games.lost_legacy.cards.playability import check_playable
from lostlegacy_sim.report.guidelines_screen import guidelines_lines, one_each, surely
from lostlegacy_sim.report.guidelines_tables import guidelines_document, guidelines_table
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.studies.families import SEVERAL, drawn_mixes, guideline_families, mirror
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer, explore_guidelines, mean_of_drawn, sets_in_order
from lostlegacy_sim.studies.look import seated, take_look
from lostlegacy_sim.tally import Totals


@pytest.fixture(scope="module")
def drawn():
    return guideline_families(8, 1)


def broken(card_set):
    return tuple(finding.guideline for finding in check_guidelines(card_set) if not finding.holds)


def test_every_member_breaks_what_its_family_breaks_and_can_be_played(drawn):
    legal, families = drawn
    assert all(broken(mix) == () for mix in legal)
    for family in families:
        assert family.members
        for member in family.members:
            check_playable(member, member.name)
            assert broken(member) == family.breaks, family.name
    names = [card_set.id for card_set in sets_in_order(legal, families)]
    assert len(names) == len(set(names)) == 8 + 2 + 8 * 13


def test_each_guideline_that_can_be_broken_alone_is(drawn):
    alone = Counter(family.breaks for family in drawn[1])
    assert alone[("G2",)] == 1
    assert alone[("G3",)] == 2
    assert alone[("G4",)] == 4
    assert alone[("G1", "G3")] == 4  # no other size without other copies
    assert not any("G5" in breaks for breaks in alone)


def test_members_are_what_their_family_says(drawn):
    legal, families = drawn
    by_name = {family.name: family for family in families}

    def copies(card_set):
        return Counter({speed: sum(card.copies for card in card_set.cards if card.speed == speed) for speed in range(1, 10)})

    for n_cards in (14, 15, 17, 18):
        assert {member.n_cards for member in by_name[f"{n_cards}-cards"].members} == {n_cards}
    for member, base in zip(by_name["missing-speed"].members, by_name["missing-speed"].bases, strict=True):
        assert sum(copies(member)[speed] == 0 for speed in SEVERAL) == 1
        assert max((copies(member) - copies(legal[base])).values()) == 1
    for member, base in zip(by_name["fourth-copy"].members, by_name["fourth-copy"].bases, strict=True):
        assert sorted((copies(member) - copies(legal[base])).values()) == [1]
    for member in by_name["mixed-7"].members:
        assert len([card for card in member.cards if card.speed == 7]) == 2
        assert copies(member)[7] == 3
    for member in by_name["empty-speed"].members:
        assert sorted(copies(member)[speed] for speed in range(1, 5)) == [0, 1, 1, 2]
        assert member.n_cards == 16


def test_the_seed_draws_and_mirror_images_balance_the_cards(drawn):
    legal, families = drawn
    again, other = guideline_families(8, 1), guideline_families(8, 2)
    assert [mix.id for mix in again[0]] == [mix.id for mix in legal]
    assert [member.hash for member in again[1][4].members] == [member.hash for member in families[4].members]
    assert [mix.id for mix in other[0]] != [mix.id for mix in legal]
    for first, second in zip(legal[::2], legal[1::2], strict=True):
        assert mirror(first).hash == second.hash
    for speed in range(1, 10):
        assert Counter(card.symbol for mix in legal for card in mix.cards if card.speed == speed).most_common()[0][1] == 4
    assert len({mix.id for mix in drawn_mixes(510, 3)}) == 510 == len(list(all_mixes())) - 2


# --- what is found ----------------------------------------------------------------------------------------

GOALS = ("nobody", "turns", "seat_gap")


@pytest.fixture(scope="module")
def answer():
    """Planted: nobody wins more often where both kinds lie at speed 8, for the second one counts in full."""
    return explore_guidelines(seated(PLANTED, printed("starship"), 4, ["careful"], GOALS, 1000, 5), PLANTED, 8, threads=1)


def effect(answer: GuidelinesAnswer, family: str, goal: str):
    return next(one for one in answer.effects if (one.name, one.goal) == (family, goal))


def test_planted_harm_is_found_and_nothing_else(answer):
    # Half of the legal mixes have the second set's card at the speed already, so mixing adds half of what it does.
    for family, goal, true in (("mixed-8", "nobody", NOBODY / 2), ("mixed-6", "turns", 0.5)):
        found = effect(answer, family, goal)
        assert found.low <= true <= found.high
        assert found.low > 0
        assert found.is_found
        assert answer.is_worse(found) == (goal == "nobody")  # more turns are better
    assert effect(answer, "mixed-x", "seat_gap").value == pytest.approx(FIRST_SEAT * 0.78, abs=0.06)
    for family in ("mixed-7", "two-at-speed-17", "fourth-copy", "14-cards"):
        for goal in GOALS:
            found = effect(answer, family, goal)
            assert found.value == pytest.approx(0, abs=1e-9), (family, goal)  # they change no planted card
            assert answer.is_worse(found) is None


def test_the_spread_of_the_legal_mixes_is_said(answer):
    nobody, turns, _ = answer.look.table.goals
    assert answer.legal_spread(turns) == pytest.approx(0.5 * np.sqrt(8 / 7))  # half of them are a turn longer
    assert answer.legal_mean(nobody) == pytest.approx(0.2 + NOBODY / 2, abs=0.04)


def test_the_screen_says_what_is_protected(answer):
    text = "\n".join(guidelines_lines(answer, PLANTED))
    assert "G4 (at each of the speeds 6, 7, 8 and X all copies from one set) protects nobody +" in text.replace("\n     ", " ")
    assert "G2 (one card at each speed 1 to 5) protects none of these goals as far as these deals tell." in text.replace("\n     ", " ")
    assert "G5 (cards of two sets at most) cannot be broken: there are two printed sets." in text
    assert "One set only (legal, too)" in text
    rows = [line for line in text.splitlines() if line.startswith("  mixed-8 ")]
    assert " w" in rows[0]


def test_a_sentence_says_only_what_holds_for_the_whole_table_at_once(answer):
    weak = replace(effect(answer, "mixed-8", "nobody"), at_once=Interval(0.02, -0.01, 0.05))
    assert weak.is_found
    assert surely(answer, [weak]) == [[], []]  # a letter in the table, and no sentence
    strong = effect(answer, "mixed-8", "nobody")
    assert surely(answer, [strong]) == [[strong], []]
    assert one_each([strong]).endswith(" in mixed-8")
    assert one_each([strong, replace(strong, value=strong.value / 2, name="mixed-7")]).endswith(" in mixed-8, one of 2 such ways")
    low, high = (f"{100 * bound:+.2f}" for bound in strong.at_once[1:])
    assert f"({low} to {high})" in one_each([strong])
    assert strong.at_once.low < strong.low


def test_tables_hold_every_family_and_goal(answer):
    table = guidelines_table(answer)
    assert len(table.rows) == 14 * 3
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert {row["verdict"] for row in rows} == {"worse", "better", "not told apart"}
    document = guidelines_document(answer)
    json.dumps(document, allow_nan=False)
    assert document["family"] == "guidelines"
    assert document["sets_played"] == len(answer.look.sets)


def with_set_noise(strength: float) -> Game:
    """The planted game in which each set has a turn count of its own beside what is planted."""

    class Table:
        def __init__(self, experiment):
            self.inner = PLANTED.open_table(experiment)
            self.own = int(experiment.set_hash[:8], 16) % 1000 / 1000 * strength

        def play(self, first_block, n_blocks, counts, exemplars):
            self.inner.play(first_block, n_blocks, counts, exemplars)
            Totals(PLANTED.labels(self.inner.experiment), counts)["turns"][...] += int(self.own * n_blocks * self.inner.experiment.rotations)

    return replace(PLANTED, open_table=Table)


def test_the_error_of_drawing_members_counts():
    """Sets that differ at random: a family of eight must not be taken for a difference of families."""
    game = with_set_noise(4.0)
    table = seated(game, printed("starship"), 4, ["careful"], ["turns"], 400, 5)
    found = explore_guidelines(table, game, 8, threads=1)
    null = [one for one in found.effects if one.name in ("mixed-7", "two-at-speed-17", "fourth-copy", "14-cards", "mixed-8", "15-cards")]
    assert not any(one.is_found for one in null)
    rows = found.made_from(found.families[0])
    numbers = found.look.jackknife(table.goals[0])
    shuffles_only = Jackknife(numbers.value[[row[2] for row in rows]] - numbers.value[[row[1] for row in rows]],
                              numbers.without[:, [row[2] for row in rows]] - numbers.without[:, [row[1] for row in rows]], numbers.sizes)  # fmt: skip
    naive = Jackknife(shuffles_only.value.mean(), shuffles_only.without.mean(axis=1), numbers.sizes)
    assert abs(float(naive.value)) > 4 * float(naive.error)  # without it there would be a false alarm
    assert mean_of_drawn(shuffles_only, [row[0] // 2 for row in rows]).error > 5 * float(naive.error)


def test_a_stopped_run_compares_whole_pairs_only(drawn):
    legal, families = drawn
    table = seated(PLANTED, printed("starship"), 4, ["careful"], ["turns"], 100, 1)
    played = take_look(table, sets_in_order(legal, families)[: 2 + 14 * 3], PLANTED, 1)  # the printed sets and three legal mixes
    answer = GuidelinesAnswer(played, legal, tuple(families))
    assert answer.whole_pairs == [0, 1]
    assert effect(answer, "mixed-6", "turns").n == 2
    assert np.isnan(effect(answer, "mixed-6", "turns").low)
    assert list(guidelines_lines(answer, PLANTED))


def test_the_command(monkeypatch, tmp_path):
    monkeypatch.setattr(explore_module, "find_game", lambda name: PLANTED)
    words = ("explore", "--family", "guidelines", "--members", "4", "--deals", "200", "--goal", "nobody", "--threads", "1")
    ran = run(*words, "--out", str(tmp_path / "kept"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Lost Legacy: 58 sets that keep or break the guidelines · 4 players, all careful · 200 deals each · seed 1\n")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["counts.npz", "manifest.json"]
    assert json.loads(run(*words, "--json").out)["family"] == "guidelines"
    assert run(*words, "--csv").out.startswith("family,breaks,goal,")
    plan = run(*words, "--dry-run")
    assert "nothing was played" in plan.out
    assert run(*words[:3], "--members", "3").code == 2
    assert run(*words[:3], "--players", "5").code == 2


def test_the_true_rules_play_every_family():
    game = find_game("lost_legacy")
    found = explore_guidelines(seated(game, printed("starship"), 4, ["random"], ["turns", "void"], 320, 1), game, 8, threads=1)
    assert found.look.is_whole
    void = found.look.table.goals[1]
    assert (found.look.values(void) == 0).all()
    for family, fewer in (("14-cards", True), ("18-cards", False)):
        assert (effect(found, family, "turns").high < 0) == fewer  # as many turns as there are cards to draw
        assert (effect(found, family, "turns").low > 0) != fewer
