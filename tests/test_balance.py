"""Balance: cards whose worth is known beforehand, and what the answer makes of them."""

import json
from functools import cache
from threading import Event

import numpy as np
import pytest

from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.errors import ResultError, SetError, UsageError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy import variants
from lostlegacy_sim.games.lost_legacy.composition import load_set, printed
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.report.balance_tables import balance_document, balance_table
from lostlegacy_sim.report.balance_words import outcome_words, owner_words, sentence, verdicts
from lostlegacy_sim.report.balanced import balance_section
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import Balance, CardEffect, CardTable, surely_ahead
from lostlegacy_sim.studies.balance_run import plan_balance, play_balance
from lostlegacy_sim.studies.card_trials import EFFECTS, OWNER, PLAYER, Balancing, balancing
from lostlegacy_sim.studies.compare import Contrast, Variant
from lostlegacy_sim.studies.kept_balance import load_balance, write_balance
from lostlegacy_sim.studies.questions import alike
from lostlegacy_sim.studies.simulate import experiment_of

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
    return play_balance([ask(printed("starship"), tuple(EFFECTS), players, deals=4000) for players in (2, 3)], find_game("lost_legacy"), 2)


# --- planted cards ----------------------------------------------------------------------------------------


def test_a_card_that_does_nothing_looks_good_and_is_worth_nothing():
    found, table = weighed()
    for card in ("juggler", "twin"):
        observed, value = table.observed("iwd", card), found.text_value(table, card)
        assert observed.low > 0.01, card  # watching alone would call it strong
        assert value.told == 0
        assert value.interval.low <= 0 <= value.interval.high
        assert "no effect" in found.flags(table, card)
        bias = table.bias(card)
        assert bias.low > 0.01
    juggler = found.text_value(table, "juggler")
    assert juggler.interval.low < 0 < juggler.interval.high  # its text changes deals, so this is no nought by construction
    assert found.text_value(table, "twin").interval == (0, 0, 0)


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
    assert value.interval.low > 0.015
    assert table.not_told_from("killer") == []
    assert verdicts(found, table)[0].startswith("Too strong, if any: Killer. Its text gives who begins with it +")
    assert "surely more than any other text" in verdicts(found, table)[0]
    harmless = variants.blank(planted(), "killer").after
    other = play_balance([ask(harmless)], find_game("lost_legacy"), 2)
    assert other.text_value(other.tables[0], "killer").told == 0
    assert "Killer" not in verdicts(other, other.tables[0])[0]


def test_watching_praises_a_card_whose_text_harms():
    found = play_balance([ask(printed("starship"), bots=("careful",), deals=20_000, cards=["Sister of Fate", "Search", "Sneak Attack"])],
                         find_game("lost_legacy"), 2)  # fmt: skip
    (table,) = found.tables
    assert found.flags(table, "sister_of_fate") == ["opposite", "rank"]
    assert found.flags(table, "search") == []
    assert table.turned_by("sister_of_fate") == ["sneak_attack"]
    said = verdicts(found, table)
    assert said[1].startswith("Too weak, if any: Sister of Fate. Its text costs who begins with it ")
    assert said[2] == "Watching misleads: Sister of Fate looks good in hand, and its text harms."
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
    from lostlegacy_sim.runner import play

    game, found = find_game("lost_legacy"), everything()
    table = found.tables[0]
    change = variants.blank(printed("starship"), "search")
    sides = [Variant(letter, play(experiment_of(game, one, 2, ("random",), 4000, 1, "cards"), game, 1)) for letter, one in (("A", change.after), ("B", change.before))]
    contrast = Contrast(*sides, game)
    for name in ("nobody", "seat_gap", "turns"):
        expected = contrast.difference(alike(name))
        assert found.effect(table, "search", "blank", name).interval == pytest.approx(expected.interval(0.95)), name
    expected = contrast.difference(alike("oh_win[search]"))
    owner = found.text_value(table, "search")
    assert owner.interval.value == pytest.approx(expected.value)
    assert owner.interval.low <= expected.interval(0.95).low  # Holm's are no narrower
    assert owner.p_value >= expected.p_value()


def test_what_is_observed_is_what_the_base_counted():
    found = everything()
    for table in found.tables:
        totals = table.base.tally.totals
        kind = table.card_set.kind("search")
        assert table.observed("oh_win", "search").value == totals["card_opened_won"][kind] / totals["card_opened"][kind]
        bias = table.bias("search")
        value = found.text_value(table, "search").interval.value
        assert bias.value == pytest.approx(table.observed("iwd", "search").value - value)


def test_one_copy_fewer_of_a_single_card_is_its_blank_and_played_once():
    asked = ask(printed("starship"), tuple(EFFECTS))
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
    why = {(card, effect): sentence for card, effect, sentence in ask(printed("starship"), tuple(EFFECTS)).impossible}
    assert set(why) == {("the_starship", effect) for effect in ("blank", "fewer", "more", "never")}
    assert why["the_starship", "never"] == "Lost Legacy: The Starship cannot be played, so nothing is lost by never playing it."
    with pytest.raises(UsageError, match="different bots"):
        ask(printed("starship"), ("never",), bots=("careful", "random"))
    with pytest.raises(UsageError, match="has no card 'asault'. Did you mean 'assault'"):
        ask(printed("starship"), cards=["asault"])
    with pytest.raises(UsageError, match="There is no effect 'blnk'. Did you mean 'blank'"):
        ask(printed("starship"), ("blnk",))


def test_families_are_adjusted_apart():
    found = everything()
    declared = [one for key, one in found.effects.items() if key[2:] == ("blank", OWNER)]
    assert len(declared) == 16  # eight texts at two tables
    assert len(found.effects) > 10 * len(declared)
    alone = Balance(found.tables[:1])
    for key, one in alone.effects.items():
        if key[2:] == ("blank", OWNER) and one.interval.low == one.interval.low:
            assert found.effects[key].p_value >= one.p_value  # a larger family asks for more


def test_threads_change_nothing():
    game, asked = find_game("lost_legacy"), [ask(planted(), deals=1000)]
    one, two = (balance_document(play_balance(asked, game, threads))["tables"] for threads in (1, 2))
    assert json.dumps(one) == json.dumps(two)


def test_one_deal_gives_no_interval_and_no_error():
    found = play_balance([ask(printed("starship"), tuple(EFFECTS), deals=1)], find_game("lost_legacy"), 1)
    document = balance_document(found)
    json.dumps(document, allow_nan=False)
    assert "No text gives its first owner more than these deals can tell." in document["tables"][0]["verdicts"]
    assert balance_section(found).charts


def test_nothing_is_decided_where_few_batches_differ():
    """A text that hardly ever acts: the few deals it changes say nothing, however alike the other batches are."""
    found = play_balance([ask(printed("starship"), deals=600, cards=["general"])], find_game("lost_legacy"), 1)
    (table,) = found.tables
    (trial,) = table.measured
    owner = trial.questions[0]
    assert 0 < table.differing(owner) < 20 < table.base.batches
    value = found.text_value(table, "general")
    assert value.interval.value != 0
    assert np.isnan(value.interval.low)
    assert value.told == 0
    assert found.flags(table, "general") == []
    assert "too few deals to tell what it gives its first owner" in sentence(found, table, variants.card_of(table.card_set, "general"))


def test_a_stopped_run_answers_what_was_played():
    game, stop = find_game("lost_legacy"), Event()
    asked = [ask(planted(), tuple(EFFECTS), deals=20_000)]

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
    assert one.asked.deals == 1000 * (1 + 4)  # the killer, the juggler, search, assault: twin and plain have no text to take off
    assert one.to_plain()["experiments"] == 5
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
    assert owner_words(effect(OWNER, -0.031)) == "its first owner wins 3.10 points less"


def test_a_sentence_a_card(monkeypatch):
    """The sentence of a card, with effects that are set by hand."""
    table = everything().tables[0]
    found = Balance([table])
    set_by_hand = {("blank", OWNER): effect(OWNER, 0.031), ("blank", "nobody"): effect("nobody", 0.012), ("never", PLAYER): effect(PLAYER, -0.005)}
    set_by_hand |= {(kind, measure): effect(measure, 0.0, 0.9) for kind in ("fewer", "more", "swap") for measure in ("nobody", "seat_gap", "turns")}
    set_by_hand["fewer", "nobody"] = effect("nobody", -0.008)
    set_by_hand["swap", "turns"] = effect("turns", 0.5, unit="turns")
    monkeypatch.setattr(found, "effect", lambda table, card, kind, measure: set_by_hand.get((kind, measure)))
    assert sentence(found, table, variants.card_of(table.card_set, "assault")) == (
        "Assault's text: +3.10 points (+3.00 to +3.20) for its first owner; because of it nobody wins 1.20 points more often; "
        "with one copy fewer nobody wins 0.80 points less often; with Curse in its place a deal is 0.50 turns longer; "
        "who plays it only when forced wins 0.50 points more than the others: these bots play it too readily."
    )
    set_by_hand["fewer", "nobody"] = effect("nobody", -0.0004)  # surely there, and too small for a word
    assert "copy" not in sentence(found, table, variants.card_of(table.card_set, "assault")).replace("one copy more or fewer changes next to nothing", "")
    set_by_hand["blank", OWNER] = effect(OWNER, 0.0, 0.9)
    set_by_hand["fewer", "nobody"] = set_by_hand["never", PLAYER] = effect(PLAYER, 0.0, 0.9)
    said = sentence(found, table, variants.card_of(table.card_set, "assault"))
    assert "Assault's text: nothing that these deals can tell for its first owner (-0.10 to +0.10 points)" in said
    assert "one copy more or fewer changes next to nothing that these deals can tell" in said
    assert "who plays it only when forced loses nothing that these deals can tell" in said


def test_rows_and_section_hold_every_card():
    found = everything()
    rows = balance_table(found).rows
    assert {row[0] for row in rows} == {2, 3}
    assert {row[5] for row in rows} == {"observed", "blank", "swap", "fewer", "more", "never", "bias"}
    section = balance_section(found)
    assert next(said.label for said in section.answer) == "2 players"
    assert len(section.tables[0].rows) == 18
    assert len(section.charts[0].table.rows) == 16
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
    asked = ask(card_set, tuple(EFFECTS), deals=100, cards=["search", "wound"])
    found = play_balance([asked], find_game("lost_legacy"), 1)
    assert found.effect(found.tables[0], "wound", "swap", OWNER) is not None
    with pytest.raises(SetError):
        variants.more(card_set, "the_starship")
