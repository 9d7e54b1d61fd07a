"""Balance: cards whose worth is known beforehand, and what the answer makes of them."""

import json
from functools import cache
from threading import Event

import numpy as np
import pytest

from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.errors import ResultError, SetError, UsageError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards import variants
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set, printed
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.report.balance_screen import balance_lines
from lostlegacy_sim.report.balance_tables import COLUMNS, balance_document, balance_table
from lostlegacy_sim.report.balance_words import outcome_words, owner_words, sentence, verdicts
from lostlegacy_sim.report.balanced import balance_section
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import play
from lostlegacy_sim.stats.differences import single
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import Balance, CardEffect, CardTable, surely_ahead
from lostlegacy_sim.studies.balance_run import plan_balance, play_balance
from lostlegacy_sim.studies.card_trials import ABOVE, OWNER, PLAYER, USUAL, Balancing, balancing
from lostlegacy_sim.studies.compare import Contrast, Variant
from lostlegacy_sim.studies.kept_balance import load_balance, write_balance
from lostlegacy_sim.studies.questions import alike
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.tally import checksum

LEGACY = """
[[card]]
id = "legacy"
speed = 5
legacy = true
playable = false
eliminated = [{ do = "move", card = "self", to = "deck" }, { do = "shuffle", zone = "deck" }]
"""
# The killer's owner puts somebody out; the juggler shuffles what nobody knows; the twin says nothing at all.
PLANTED = f"""
id = "planted"
name = "Planted"
{LEGACY}
[[card]]
id = "killer"
speed = 4
play = [{{ do = "look", at = ["hands"] }}, {{ do = "eliminate", who = "owner" }}]
[[card]]
id = "juggler"
speed = 6
copies = 2
play = [{{ do = "shuffle", zone = "deck" }}]
[[card]]
id = "search"
speed = 7
copies = 3
play = [{{ do = "look", at = ["ruins"] }}, {{ do = "exchange", may = true }}]
[[card]]
id = "twin"
speed = 2
[[card]]
id = "assault"
speed = 8
copies = 3
play = [{{ do = "look", at = ["hands"] }}, {{ do = "exchange", may = true }}]
[[card]]
id = "plain"
speed = "X"
copies = 3
"""


def planted() -> CardSet:
    return parse_set(PLANTED, VOCABULARY, where="planted")


def ask(card_set: CardSet, effects=("blank",), players=4, bots=("random",), deals=30_000, seed=1, **more) -> Balancing:
    return balancing(find_game("lost_legacy"), card_set, players, bots, deals, seed, effects=effects, **more)


@cache
def weighed() -> tuple[Balance, CardTable]:
    """The planted set, its texts taken off in turn."""
    found = play_balance([ask(planted())], find_game("lost_legacy"), 2)
    return found, found.tables[0]


@cache
def everything() -> Balance:
    """All effects of the Starship for two and three players, few deals."""
    return play_balance([ask(printed("starship"), USUAL, players, deals=4000) for players in (2, 3)], find_game("lost_legacy"), 2)


# --- planted cards ----------------------------------------------------------------------------------------


def test_a_card_that_does_nothing_looks_good_and_is_worth_nothing():
    found, table = weighed()
    for card in ("juggler", "twin"):
        assert table.observed("iwd", card).low > 0.01, card  # watching alone would call it strong
        begin = table.observed("begin", card)
        assert begin.low < 0 < begin.high
        assert "no effect" in found.flags(table, card)
        assert table.bias(card).low > 0.01
    juggler = found.text_value(table, "juggler")
    assert juggler.told == 0
    assert juggler.interval.low < 0 < juggler.interval.high  # its text changes deals, so this is no nought by construction


def test_a_kind_without_text_is_said_to_have_none():
    """It is no question, so it asks nothing of the others; its effects are 0 by logic."""
    found, table = weighed()
    for card in ("twin", "plain"):
        assert found.text_value(table, card) is None
        assert found.effect(table, card, "one", ABOVE).interval == found.effect(table, card, "blank", OWNER).interval == (0, 0, 0)
        assert np.isnan(found.effect(table, card, "blank", "nobody").p_value)
        assert sentence(found, table, variants.card_of(table.card_set, card)) == f"{card.title()} has no text."
    assert found.ranked(table)[-3:] == ["twin", "legacy", "plain"]  # after all texts, and in the order of the set
    assert not any("Twin" in said and "text" in said for said in verdicts(found, table))
    assert next(line for line in balance_lines(found, table) if line.startswith("  Twin")).split() == ["Twin", "2", "1", "no", "text"]
    without = Balance([CardTable(ask(planted(), cards=["killer", "search", "juggler", "assault"]), table.base, table.played, table.game)])
    assert without.text_value(without.tables[0], "killer") == found.text_value(table, "killer")


def test_where_no_card_has_a_text_that_is_said():
    for cards, effects in ((["twin", "plain"], USUAL), (["legacy"], ("one",)), (["legacy"], ("never",))):
        found = play_balance([ask(planted(), effects, cards=cards, deals=100)], find_game("lost_legacy"), 1)
        assert verdicts(found, found.tables[0])[0] == "None of these cards has a text that can be taken off."


# The spoiler puts everybody out; so do all of its owners' opponents lose.
SPOILED = f"""{PLANTED}
[[card]]
id = "spoiler"
speed = 3
play = [{{ do = "eliminate", who = "everyone" }}]
"""


def test_a_text_that_makes_nobody_win_is_judged_against_par():
    found = play_balance([ask(parse_set(SPOILED, VOCABULARY, where="spoiled"), cards=["spoiler"])], find_game("lost_legacy"), 2)
    (table,) = found.tables
    value, plain = found.text_value(table, "spoiler"), found.effect(table, "spoiler", "one", OWNER)
    assert plain.interval.high < -0.08  # alone that would be the weakest text by far
    par = -found.effect(table, "spoiler", "blank", "nobody").interval.value / 4
    assert par < -0.08
    assert value.interval.value == pytest.approx(plain.interval.value - par)
    assert -0.02 < value.interval.low < value.interval.high < 0.005
    section = balance_section(found)
    (row,) = section.charts[0].table.rows
    numbers = dict(zip(section.charts[0].table.columns, row, strict=True))
    assert (numbers["text"], numbers["plain win rate"]) == (value.interval.value, plain.interval.value)
    rows = {(row[5], row[6]): row[8] for row in balance_table(found).rows}
    assert (rows["one", ABOVE], rows["one", OWNER]) == (value.interval.value, plain.interval.value)
    said = sentence(found, table, variants.card_of(table.card_set, "spoiler"))
    assert f"({100 * plain.interval.value:+.2f} of win rate)" in said


def test_blanking_all_copies_disarms_the_opponents_too():
    """Three killers, whose owners fall to the other two: one copy without its text would serve its owner, all three at once would not."""
    three = parse_set(PLANTED.replace('id = "killer"', 'id = "killer"\ncopies = 3'), VOCABULARY, where="three")
    found = play_balance([ask(three, cards=["killer"], bots=("careful",), deals=60_000)], find_game("lost_legacy"), 2)
    (table,) = found.tables
    one, together = found.text_value(table, "killer"), found.effect(table, "killer", "blank", ABOVE)
    assert one.interval.high < -0.01 < 0.03 < together.interval.low
    assert verdicts(found, table)[1].startswith("Too weak, if any: Killer. One copy of its text costs who begins with it 1.")
    said = sentence(found, table, variants.card_of(table.card_set, "killer"))
    assert said.startswith("Killer's text, one copy: -1.")
    assert f"all 3 copies together: {100 * together.interval.value:+.2f} points against par for who begins with one" in said
    cells = next(line.split() for line in balance_lines(found, table) if line.startswith("  Killer  "))
    numbers = (one.interval.value, one.interval.low, one.interval.high, found.effect(table, "killer", "one", OWNER).interval.value, together.interval.value)
    assert [cell for cell in cells[3:] if cell != "to"] == [f"{100 * number:+.2f}" for number in numbers]


def test_of_a_single_copy_one_and_all_are_the_same():
    found = everything()
    for table in found.tables:
        singles = [card.id for card in table.card_set.cards if card.copies == 1 and table.has_text(card.id)]
        assert len(singles) == 4
        for card in singles:
            for measure in (ABOVE, OWNER):
                assert found.effect(table, card, "one", measure).interval.value == found.effect(table, card, "blank", measure).interval.value
            assert ask(printed("starship"), ("one",), cards=[card]).variants.keys() <= ask(printed("starship"), ("blank",), cards=[card]).variants.keys()


def test_one_copy_costs_no_experiment_where_a_copy_fewer_is_asked():
    every = ask(printed("starship"), USUAL)
    assert len(every.variants) == 45
    assert len(ask(printed("starship"), ("swap", "copy", "never")).variants) == 45 - 4  # the blanks of the kinds with several copies
    assert len(ask(printed("starship"), ("one",)).variants) == 8
    assert ask(printed("starship"), ("one", "blank")).effects == ("blank",)


def test_the_value_of_a_text_that_does_nothing_is_covered_as_often_as_is_said():
    """Seeds 1 to 40, at least 95 % less 4 standard errors; the must-fail twin is what watching says of the same card."""
    game, seeds = find_game("lost_legacy"), range(1, 41)
    covered = watched = 0
    for seed in seeds:
        found = play_balance([ask(planted(), deals=3000, seed=seed, cards=["juggler"])], game, 1)
        low, high = found.text_value(found.tables[0], "juggler").interval[1:]
        observed = found.tables[0].observed("iwd", "juggler")
        covered += low <= 0 <= high
        watched += observed.low <= 0 <= observed.high
    least = len(seeds) * 0.95 - 4 * (len(seeds) * 0.95 * 0.05) ** 0.5
    assert covered >= least
    assert watched < least


def test_the_killer_ranks_first_and_only_because_of_its_text():
    found, table = weighed()
    value = found.text_value(table, "killer")
    assert found.ranked(table)[0] == "killer"
    assert value.told == 1
    assert value.interval.low > 0.01
    assert table.not_told_from("killer") == []
    assert verdicts(found, table)[0].startswith("Too strong, if any: Killer. Its text gives who begins with it +")
    assert " against par (+" in verdicts(found, table)[0]
    assert "surely more than any other text" in verdicts(found, table)[0]
    harmless = variants.blank(planted(), "killer").after
    other = play_balance([ask(harmless)], find_game("lost_legacy"), 2)
    assert other.text_value(other.tables[0], "killer") is None  # it has no text left
    assert "Killer" not in verdicts(other, other.tables[0])[0]


def test_watching_praises_a_card_whose_text_harms():
    found = play_balance([ask(printed("starship"), bots=("careful",), deals=20_000, cards=["Sister of Fate", "Search", "Sneak Attack"])],
                         find_game("lost_legacy"), 2)  # fmt: skip
    (table,) = found.tables
    assert found.flags(table, "sister_of_fate") == ["opposite", "rank"]
    assert table.turned_by("sister_of_fate") == ["sneak_attack"]
    assert table.signs("sister_of_fate") == (-1, 1)
    said = verdicts(found, table)
    assert said[1].startswith("Too weak, if any: Sister of Fate. Its text costs who begins with it ")
    assert said[1].endswith(", surely more than any other text.")
    assert table.not_told_below("sister_of_fate") == []
    table.text_ahead[:, 0] = False  # as with fewer deals: then nobody is said to stand there alone
    assert verdicts(found, table)[1].endswith("; it cannot be told from that of Search and Sneak Attack.")
    assert said[2] == "Watching misleads: Sister of Fate looks good in hand, and who begins with it wins less than the others."
    assert found.ranked(table) == ["search", "sneak_attack", "sister_of_fate"]


def test_a_card_is_surely_ahead_only_beyond_all_pairs():
    from lostlegacy_sim.stats.jackknife import jackknife

    rng = np.random.default_rng(5)
    counts = rng.normal([0.0, 0.0, 1.0], 1.0, (400, 3))
    numbers = [jackknife(counts, lambda sums, one=one: sums[..., one], np.ones(400)) for one in range(3)]
    ahead = surely_ahead(numbers)
    assert ahead.tolist() == [[False, False, False], [False, False, False], [True, True, False]]


# --- the numbers ------------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_a_comparison():
    """What a text does to the deal is what `compare` finds between the blank and the set, over the same batches."""
    game, found = find_game("lost_legacy"), everything()
    table = found.tables[0]
    change = variants.blank(printed("starship"), "search")
    contrast = Contrast(*(Variant(letter, played(one)) for letter, one in (("A", change.after), ("B", change.before))), game)
    table_measures = game.measures(table.base.experiment)
    for name in ("nobody", "seat_gap", "turns"):
        expected = contrast.difference(alike(table_measures[name]))
        assert found.effect(table, "search", "blank", name).interval == pytest.approx(expected.interval(0.95)), name
    expected = contrast.difference(alike(table_measures["oh_win[search]"]))
    assert found.effect(table, "search", "blank", OWNER).interval == pytest.approx(expected.interval(0.95))
    expected = contrast.difference(alike(table_measures["oh_value[search]"]))
    together = found.effect(table, "search", "blank", ABOVE)
    assert together.interval == pytest.approx(expected.interval(0.95))
    assert together.p_value >= expected.p_value()


def played(card_set: CardSet) -> Result:
    """The deals of a variant at the first table of `everything`."""
    game = find_game("lost_legacy")
    return play(experiment_of(game, card_set, 2, ("random",), 4000, 1, "cards"), game, 1)


def test_the_value_of_one_copy_is_that_of_its_owners_above_par():
    """Counted anew from the deals of the two sets: the seats dealt the blank against those dealt a copy of the set as it is."""
    found = everything()
    table = found.tables[0]
    change = variants.one(printed("starship"), "search")
    sides = []
    for card_set, kind in ((change.before, change.kind_before), (change.after, change.kind_after)):
        totals, number = played(card_set).tally.totals, card_set.kind(kind)
        owners = totals["card_opened_won"][number] / totals["card_opened"][number]
        sides.append((owners, (1 - totals["nobody"] / totals["deals"]) / 2))
    (owners, par), (blank_owners, blank_par) = sides
    assert found.effect(table, "search", "one", OWNER).interval.value == pytest.approx(owners - blank_owners)
    value = found.text_value(table, "search")
    assert value.interval.value == pytest.approx((owners - par) - (blank_owners - blank_par))
    assert value.interval.low < value.interval.value < value.interval.high
    plain = single(table.text_values["search"])
    assert value.interval.low <= plain.interval(0.95).low  # Holm's are no narrower
    assert value.p_value >= plain.p_value()


def test_what_is_observed_is_what_the_base_counted():
    for table in everything().tables:
        totals = table.base.tally.totals
        kind = table.card_set.kind("search")
        opened, won = totals["card_opened"][kind], totals["card_opened_won"][kind]
        assert table.observed("oh_win", "search").value == won / opened
        assert table.counted_in("oh_win", "search") == opened
        assert table.counted_in("hits", "assault") == totals["card_namings"][table.card_set.kind("assault")]
        wins, seats = totals["won"].sum(), table.players * totals["deals"]
        begin = won / opened - (wins - won) / (seats - opened)
        assert table.observed("begin", "search").value == pytest.approx(begin)
        assert table.observed("oh_value", "search").value == pytest.approx(won / opened - wins / seats)
        assert table.bias("search").value == pytest.approx(table.observed("iwd", "search").value - begin)  # both of the whole card


def test_n_is_the_deals_and_what_was_counted_has_its_own_name():
    found = everything()
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in balance_table(found).rows]
    assert {row["n"] for row in rows} == {4000}
    table = found.tables[0]
    for row in rows:
        if row["players"] == 2 and (row["how"], row["unit"]) == ("observed", "rate"):
            assert row["counted"] == table.counted_in(row["measure"], row["card"])
        elif row["players"] == 2:
            assert row["counted"] is None
    assert 0 < next(row["counted"] for row in rows if (row["card"], row["measure"]) == ("general", "oh_win")) < 1000


def test_one_copy_fewer_of_a_single_card_is_its_blank_and_played_once():
    asked = ask(printed("starship"), USUAL)
    names = [experiment.set_name for experiment in asked.variants]
    assert len(set(asked.variants)) == len(names)
    assert names.count("The Starship, General without its text") == 1
    found, table = everything(), everything().tables[0]
    for measure in ("nobody", "turns"):
        assert found.effect(table, "general", "fewer", measure).interval.value == -found.effect(table, "general", "blank", measure).interval.value
    assert found.effect(table, "general", "fewer", OWNER) is None  # nobody is dealt it any more


def test_the_value_of_playing_a_card_is_found_in_one_line_up():
    asked = ask(printed("starship"), ("never",), cards=["search"])
    (experiment,) = asked.variants
    assert experiment.bots == ("random:never=search", "random", "random", "random")
    assert experiment.rotations == 4
    found = play_balance([asked], find_game("lost_legacy"), 1)
    value = found.effect(found.tables[0], "search", "never", PLAYER)
    assert value.interval.low < value.interval.value < value.interval.high


def test_what_cannot_be_asked_is_said():
    why = {(card, effect): sentence for card, effect, sentence in ask(printed("starship"), USUAL).impossible}
    assert set(why) == {("the_starship", effect) for effect in ("one", "blank", "fewer", "more", "never")}
    assert why["the_starship", "never"] == "Lost Legacy: The Starship cannot be played, so nothing is lost by never playing it."
    with pytest.raises(UsageError, match="different bots"):
        ask(printed("starship"), ("never",), bots=("careful", "random"))
    with pytest.raises(UsageError, match="has no card 'asault'. Did you mean 'assault'"):
        ask(printed("starship"), cards=["asault"])
    with pytest.raises(UsageError, match="There is no effect 'blnk'. Did you mean 'blank'"):
        ask(printed("starship"), ("blnk",))


def test_families_are_adjusted_apart():
    found = everything()
    declared = [one for key, one in found.effects.items() if key[2:] == ("one", ABOVE)]
    assert len(declared) == 16  # eight texts at two tables
    assert len(found.effects) > 10 * len(declared)
    alone = Balance(found.tables[:1])
    for key, one in alone.effects.items():
        if key[2:] == ("one", ABOVE) and one.interval.low == one.interval.low:
            assert found.effects[key].p_value >= one.p_value  # a larger family asks for more


def test_threads_change_nothing():
    game, asked = find_game("lost_legacy"), [ask(planted(), deals=1000)]
    one, two = (balance_document(play_balance(asked, game, threads))["tables"] for threads in (1, 2))
    assert json.dumps(one) == json.dumps(two)


def test_one_deal_gives_no_interval_and_no_error():
    found = play_balance([ask(printed("starship"), USUAL, deals=1)], find_game("lost_legacy"), 1)
    document = balance_document(found)
    json.dumps(document, allow_nan=False)
    assert "No text gives its first owner more than these deals can tell." in document["tables"][0]["verdicts"]
    assert balance_section(found).charts


def test_nothing_is_decided_where_few_batches_differ():
    """A text that hardly ever acts: the few deals it changes say little, however alike the other batches are."""
    found = play_balance([ask(printed("starship"), ("one",), deals=600, cards=["general"])], find_game("lost_legacy"), 1)
    (table,) = found.tables
    (trial,) = table.measured
    owner = trial.questions[0]
    assert owner.name == ABOVE
    changed = np.abs(table.text_values["general"].deviations) > 1e-3
    assert 0 < np.count_nonzero(changed) < 20 < table.base.batches
    value = found.text_value(table, "general")
    assert value.interval.value != 0
    assert value.interval.low < 0 < value.interval.high
    assert value.told == 0
    assert "nothing that these deals can tell for its first owner" in sentence(found, table, variants.card_of(table.card_set, "general"))


def test_a_stopped_run_answers_what_was_played():
    game, stop = find_game("lost_legacy"), Event()
    asked = [ask(planted(), USUAL, deals=20_000)]

    def move(played, planned):
        if played > planned / 2:
            stop.set()

    found = play_balance(asked, game, 1, move, stop)
    (table,) = found.tables
    assert not table.is_whole
    assert 0 < len(table.played) < len(asked[0].variants)
    assert found.text_value(table, "killer") is not None  # texts come first
    assert balance_document(found)["tables"][0]["status"] == "partial"
    stop.set()
    assert play_balance(asked, game, 1, None, stop).tables == []


def test_a_plan_counts_every_variant():
    one = plan_balance(ask(planted(), deals=1000), find_game("lost_legacy"), 2)
    assert one.asked.deals == 1000 * (1 + 4 + 3)  # killer, juggler, search, assault, the last three also one copy; twin and plain have no text
    assert one.to_plain()["experiments"] == 8
    assert one.half_width > 0


# --- words ------------------------------------------------------------------------------------------------


def effect(measure, value, p_value=0.001, unit="difference", kind="blank"):
    return CardEffect(4, "assault", kind, measure, unit, Interval(value, value - 0.001, value + 0.001), p_value, 2.0)


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (effect("nobody", -0.008), "nobody wins 0.80 points less often"),
        (effect("nobody", 0.012), "nobody wins 1.20 points more often"),
        (effect("seat_gap", 0.02), "the best and the worst seat are 2.00 points further apart"),
        (effect("seat_gap", -0.02), "the best and the worst seat are 2.00 points closer together"),
        (effect("turns", 0.5, unit="turns"), "a deal is 0.50 turns longer"),
        (effect("turns", -0.25, unit="turns"), "a deal is 0.25 turns shorter"),
    ],
)
def test_a_change_of_the_deal_in_words(one, words):
    assert outcome_words(one) == words


def test_what_is_told_and_what_is_not():
    assert effect("nobody", 0.01).told == 1
    assert effect("nobody", -0.01).told == -1
    assert effect("nobody", 0.01, 0.06).told == 0
    assert effect("nobody", 0.01, float("nan")).told == 0
    assert owner_words(effect(OWNER, -0.031)) == "its first owner wins 3.10 points less against par"


def test_a_sentence_a_card(monkeypatch):
    """The sentence of a card, with effects that are set by hand."""
    table = everything().tables[0]
    found = Balance([table])
    set_by_hand = {("one", ABOVE): effect(ABOVE, 0.031, kind="one"), ("one", OWNER): effect(OWNER, 0.028, kind="one"), ("blank", ABOVE): effect(ABOVE, 0.02)}
    set_by_hand |= {("blank", "nobody"): effect("nobody", 0.012), ("never", PLAYER): effect(PLAYER, -0.005)}
    set_by_hand |= {(kind, measure): effect(measure, 0.0, 0.9) for kind in ("fewer", "more", "swap") for measure in ("nobody", "seat_gap", "turns")}
    set_by_hand["fewer", "nobody"] = effect("nobody", -0.008)
    set_by_hand["swap", "turns"] = effect("turns", 0.5, unit="turns")
    monkeypatch.setattr(found, "effect", lambda table, card, kind, measure: set_by_hand.get((kind, measure)))
    assert sentence(found, table, variants.card_of(table.card_set, "assault")) == (
        "Assault's text, one copy: +3.10 points (+3.00 to +3.20) against par (+2.80 of win rate) for its first owner; "
        "all 3 copies together: +2.00 points against par for who begins with one, nobody wins 1.20 points more often; "
        "with one copy fewer nobody wins 0.80 points less often; with Curse in its place a deal is 0.50 turns longer; "
        "who plays it only when forced wins 0.50 points more than the others: these bots play it too readily."
    )
    set_by_hand["fewer", "nobody"] = effect("nobody", -0.0004)  # surely there, and too small for a word
    assert "with one copy" not in sentence(found, table, variants.card_of(table.card_set, "assault"))
    set_by_hand["one", ABOVE] = effect(ABOVE, 0.0, 0.9)
    set_by_hand["fewer", "nobody"] = set_by_hand["never", PLAYER] = effect(PLAYER, 0.0, 0.9)
    said = sentence(found, table, variants.card_of(table.card_set, "assault"))
    assert "Assault's text, one copy: nothing that these deals can tell for its first owner (-0.10 to +0.10 points against par)" in said
    assert "one copy more or fewer changes next to nothing that these deals can tell" in said
    assert "who plays it only when forced loses nothing that these deals can tell" in said


def test_rows_and_section_hold_every_card():
    found = everything()
    rows = balance_table(found).rows
    assert {row[0] for row in rows} == {2, 3}
    assert {row[5] for row in rows} == {"observed", "one", "blank", "swap", "fewer", "more", "never", "bias"}
    section = balance_section(found)
    assert next(said.label for said in section.answer) == "2 players"
    assert len(section.tables[0].rows) == 18
    assert [len(chart.table.rows) for chart in section.charts] == [16, 18]
    assert "Surely helps: " in section.charts[0].description
    assert all(made.title for made in section.tables)  # each says what is in it
    assert section.notes[-1] == "The same again: llsim balance --set starship --players 2,3 --bots random --deals 4000 --seed 1 --effects blank,swap,copy,never"


# --- keeping ----------------------------------------------------------------------------------------------


def test_a_kept_balance_answers_again_and_opens_no_bot(tmp_path, monkeypatch):
    found = everything()
    write_balance(tmp_path, found)
    game = find_game("lost_legacy")
    monkeypatch.setattr(type(game), "find_bot", None, raising=False)
    again = load_balance(tmp_path, game)
    assert balance_document(again) == balance_document(found)


def test_a_folder_of_the_first_version_says_what_it_did_not_count(tmp_path):
    """It counted no owners of a blank among printed copies: what it counted is answered, no text is ranked by another number."""
    found = Balance(everything().tables[:1])
    write_balance(tmp_path, found)
    manifest = json.loads((tmp_path / "balance.json").read_text())
    manifest["schema"] = "llsim.balance-counts/1"
    arrays = dict(np.load(tmp_path / "variants.npz"))
    for variant in manifest["tables"][0]["variants"]:
        kept = [place for place, name in enumerate(variant["measures"]) if "@blank" not in name]
        arrays[variant["hash"]] = arrays[variant["hash"]][:, kept]
        variant["measures"] = [variant["measures"][place] for place in kept]
    np.savez_compressed(tmp_path / "variants.npz", **arrays)
    manifest["counts_sha256"] = checksum((tmp_path / "variants.npz").read_bytes())
    (tmp_path / "balance.json").write_text(json.dumps(manifest))
    again = load_balance(tmp_path, find_game("lost_legacy"))
    (table,) = again.tables
    assert table.is_whole
    assert again.text_value(table, "search") is None
    assert again.effect(table, "search", "blank", ABOVE).interval.value == found.effect(table, "search", "blank", ABOVE).interval.value
    assert again.text_value(table, "general").interval.value == found.text_value(table, "general").interval.value
    assert again.unweighed(table) == ["ancient_map", "search", "assault", "sneak_attack"]
    said = verdicts(again, table)
    assert ("Not weighed, and so in no order here: one copy of the texts of Ancient Map, Search, Assault and Sneak Attack "
            "(kept by an earlier version, which did not count it; play it again).") in said  # fmt: skip
    assert not any("any other text," in one or one.endswith("any other text.") for one in said)
    json.dumps(balance_document(again), allow_nan=False)


@pytest.mark.parametrize("harm", ["counts", "hash", "json", "schema", "measures", "cards"])
def test_a_damaged_folder_is_refused_in_a_sentence(tmp_path, harm):
    found = Balance(everything().tables[:1])
    write_balance(tmp_path, found)
    path = tmp_path / "balance.json"
    manifest = json.loads(path.read_text())
    if harm == "counts":
        data = bytearray((tmp_path / "variants.npz").read_bytes())
        data[len(data) // 2] ^= 1
        (tmp_path / "variants.npz").write_bytes(bytes(data))
    elif harm == "json":
        path.write_text(path.read_text()[:100])
    else:
        table = manifest["tables"][0]
        if harm == "hash":
            table["experiment_hash"] = "0" * 64
        elif harm == "schema":
            manifest["schema"] = "llsim.balance-counts/9"
        elif harm == "measures":
            table["variants"][0]["measures"] = ["nobody"]
        else:
            table["cards"] = ["asault"]
        path.write_text(json.dumps(manifest))
    with pytest.raises(ResultError) as refused:
        load_balance(tmp_path, find_game("lost_legacy"))
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_mixed_set_is_weighed_too():
    card_set = load_set("megamix")
    asked = ask(card_set, USUAL, deals=100, cards=["search", "wound"])
    found = play_balance([asked], find_game("lost_legacy"), 1)
    assert found.effect(found.tables[0], "wound", "swap", OWNER) is not None
    with pytest.raises(SetError):
        variants.more(card_set, "the_starship")
