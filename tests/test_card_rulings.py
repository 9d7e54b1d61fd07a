"""One story a ruling on single cards, L9-L15 and L25-L31; test names carry its number."""

import pytest
from situations import lay


def test_l9_sneak_attack_takes_even_the_legacy():
    table = lay(hands=["the_starship", "sneak_attack", "search"], deck="assault curse").turn("hand 1")
    assert table.hands == ["", "the_starship", "search"]
    assert table.deck == "curse"  # nothing of the Legacy's own text: it was taken, not given up


def test_l10_after_a_shuffle_the_ruins_are_known_as_a_multiset_only():
    table = lay(hands=["ancient_map", "search"], deck="curse assault wound", ruins="general prophet saint",
                knows={1: {"ruins 0": "general", "ruins 2": "saint"}})  # fmt: skip
    table.turn("held", "yes", orders=[(3, 2, 1, 0)])
    assert table.knows(1) == {}
    assert table.somewhere(1) == "saint general"
    assert table.somewhere(0) == "assault"


def test_l11_shadow_thief_falls_for_a_sneak_attack():
    table = lay(hands=["shadow_thief", "sneak_attack"], deck="curse assault", ruins="wound").turn("held", "hand 1")
    assert table.result == "last 1"


def test_l11_shadow_thief_puts_the_sister_out():
    table = lay(hands=["shadow_thief", "sister_of_fate"], deck="curse assault", ruins="wound").turn("held", "hand 1")
    assert table.result == "last 0"


def test_l12_saint_leaves_her_owner_out_if_the_deck_is_empty():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse", rows=["", "saint"]).turn("held", "hand 1")
    assert table.in_game == [0, 2]
    assert table.rows[1] == "(saint) wound"


def test_l12_saint_returns_with_the_starship_of_the_same_elimination():
    table = lay(hands=["guardian", "the_starship", "search"], deck="curse", rows=["", "saint"]).turn("held", "hand 1")
    assert table.hands == ["curse", "the_starship", "search"]
    assert table.rows[1] == "(saint)"
    assert table.result == "investigation"


def test_l13_an_exchange_that_would_lay_the_legacy_into_a_row_is_not_offered():
    table = lay(hands=["necromancer", "search"], deck="the_flying_garden assault", rows=["", "wound"])
    table.turn("held")  # one card to choose, and no exchange to decide
    assert table.hands[0] == "the_flying_garden"
    assert table.rows[1] == "wound"


LEAVING = """
[[card]]
id = "relic"
speed = 5
legacy = true
playable = false
into_row = "as_eliminated"
eliminated = [{ do = "move", card = "self", to = "ruins" }, { do = "shuffle", zone = "ruins" }]
seen = [{ do = "discard", who = "owner" }, { do = "take_hand", who = "owner", from = "looker" }, { do = "eliminate", who = "looker" }]
"""


def test_l13_as_eliminated_the_legacy_goes_where_its_text_says():
    table = lay(hands=["necromancer", "search"], deck="relic assault", ruins="general", rows=["", "wound curse"],
                own_cards=LEAVING)  # fmt: skip
    table.turn("row 1.0", "yes", orders=[(1, 0)])
    assert table.hands[0] == "wound"
    assert table.rows == ["necromancer", "curse"]  # the row has closed up
    assert table.ruins == "relic general"
    assert table.somewhere(1) == "relic"


def test_l13_a_forced_discard_sends_the_legacy_where_its_text_says():
    table = lay(hands=["assault", "relic", "search"], deck="curse wound", own_cards=LEAVING).turn("held", "hand 1")
    assert table.ruins == "relic"
    assert table.hands == ["", "curse", "search"]
    assert table.rows == ["assault", "", ""]


def test_l14_curse_is_a_look_whatever_was_named():
    table = lay(hands=["curse", "sister_of_fate", "search"], deck="wound assault").turn("held", "8", "hand 1")
    assert table.in_game == [0, 2]
    table = lay(hands=["curse", "sneak_attack", "search"], deck="wound assault").turn("held", "1", "hand 1")
    assert table.in_game == [1, 2]


def test_l14_curse_may_name_a_speed_that_no_kind_has():
    table = lay(hands=["curse", "wound"], deck="saint assault").turn("held", "6")
    assert table.result == "next 1"


def test_l15_wounds_are_counted_when_a_necromancer_lays_one():
    table = lay(hands=["necromancer", "search", "general"], deck="wound assault", rows=["", "wound curse"])
    table.turn("held", "row 1.1", "yes")
    assert table.in_game == [0, 2]
    assert table.rows[1] == "wound wound search"


def test_l15_a_discard_by_elimination_puts_nobody_out_again():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault general", rows=["", "saint wound"])
    table.turn("held", "hand 1")
    assert table.rows[1] == "(saint) wound wound"
    assert table.in_game == [0, 1, 2]


def test_l15_a_returned_seat_stays_until_its_next_wound():
    table = lay(hands=["general", "search", "wound"], deck="curse wound assault prophet", rows=["wound wound (saint)"])
    assert table.turn("drawn", "1", "hand 1").in_game == [0, 1, 2]  # two Wounds lie there, and none has landed
    table = lay(hands=["general", "search", "prophet"], deck="wound assault", rows=["wound wound (saint)"])
    assert table.turn("drawn").in_game == [1, 2]


ALWAYS = """
[[card]]
id = "scar"
speed = "X"
row = [{ do = "eliminate", who = "owner", copies = 2 }]
counts = "always"
"""


def test_l15_by_the_field_a_returned_seat_is_out_again_at_once():
    table = lay(hands=["scar", "search", "general"], deck="curse assault wound", rows=["scar saint"], own_cards=ALWAYS)
    table.turn("held")
    assert table.table.eliminations == 2
    assert table.in_game == [1, 2]
    assert table.rows[0] == "scar (saint) scar curse assault"


def test_l15_a_wound_laid_into_the_row_of_a_seat_that_is_out_does_nothing():
    table = lay(hands=["necromancer", "", "general"], deck="wound assault", rows=["", "wound curse"])
    table.turn("held", "row 1.1", "yes")
    assert table.rows[1] == "wound wound"
    assert table.table.eliminations == 0


def test_l15_a_discarded_card_lands_in_a_row_like_any_other():
    own = """
[[card]]
id = "thorn"
speed = "X"
seen = [
    { do = "discard", who = "owner" },
    { do = "take_hand", who = "owner", from = "looker" },
    { do = "eliminate", who = "looker" },
]
row = [{ do = "eliminate", who = "owner", copies = 2 }]
"""
    table = lay(hands=["assault", "thorn", "search"], deck="curse wound", rows=["", "thorn"], own_cards=own)
    table.turn("held", "hand 1")  # the discarded Thorn is the second: its owner is out before it takes the hand
    assert table.in_game == [0, 2]
    assert table.hands[0] == "curse"


def test_l25_a_saint_discarded_by_the_elimination_does_not_act():
    table = lay(hands=["curse", "saint", "search"], deck="wound assault general").turn("held", "1", "hand 1")
    assert table.in_game == [0, 2]
    assert table.rows[1] == "saint"


def test_l25_nor_does_one_laid_into_the_row_of_a_seat_that_is_out():
    table = lay(hands=["necromancer", "", "search"], deck="saint assault", rows=["", "curse"])
    table.turn("held", "yes")
    assert table.rows[1] == "saint"
    assert table.in_game == [0, 2]


def test_l25_by_the_field_a_saint_from_the_hand_acts():
    own = '[[card]]\nid = "martyr"\nspeed = 1\nfrom_hand = true\nout = [{ do = "flip" }, { do = "return" }]\n'
    table = lay(hands=["curse", "martyr", "search"], deck="wound assault general", own_cards=own)
    table.turn("held", "1", "hand 1")
    assert table.in_game == [0, 1, 2]
    assert table.rows[1] == "(martyr)"
    assert table.hands[1] == "assault"


def test_l25_a_saint_in_the_row_goes_before_one_from_the_hand():
    own = '[[card]]\nid = "martyr"\nspeed = 1\nfrom_hand = true\nout = [{ do = "flip" }, { do = "return" }]\n'
    table = lay(hands=["curse", "martyr", "search"], deck="wound assault general", rows=["", "saint"], own_cards=own)
    table.turn("held", "1", "hand 1")
    assert table.rows[1] == "(saint) martyr"


def test_l26_a_saint_turned_face_down_does_not_act_again():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault", rows=["", "(saint)"]).turn("held", "hand 1")
    assert table.in_game == [0, 2]


def test_l26_a_face_down_saint_taken_from_a_row_is_an_ordinary_card():
    table = lay(hands=["necromancer", "search"], deck="curse assault wound", rows=["", "(saint)"]).turn("held", "yes")
    assert table.hands[0] == "saint"
    assert table.rows[1] == "curse"  # face up
    table.turn("held")
    table.turn("held")
    assert table.rows[0] == "necromancer saint"  # played and face up: it will act


def test_l26_the_leftmost_of_several_acts_and_the_seat_keeps_its_place():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault general", rows=["", "(saint) saint saint"])
    table.turn("held", "hand 1")
    assert table.rows[1] == "(saint) (saint) saint wound"
    assert table.result == "next 1"


def test_l27_necromancer_chooses_first_and_decides_then():
    table = lay(hands=["necromancer", "search"], deck="curse assault", rows=["", "wound general"])
    table.turn("held", "row 1.0", "no")
    assert [asked.what for asked in table.asked] == [1, 3, 5]  # play, choose, exchange
    assert table.asked[2].focus_row == (1, 0)
    assert table.rows == ["necromancer", "wound general"]


def test_l27_a_laid_saint_protects_the_owner_of_the_row():
    table = lay(hands=["necromancer", "wound", "swordsman"], deck="saint curse assault general", rows=["", "prophet"])
    table.turn("held", "yes")  # seat 0 lays the Saint into the row of seat 1
    assert table.rows[1] == "saint"
    table.turn("drawn", "8", "hand 2")  # seat 1 curses in vain
    table.turn("held", "hand 1")  # seat 2 finds the Wound
    assert table.rows[1] == "(saint) curse wound"
    assert table.hands[1] == "general"


def test_l28_false_information_is_not_optional_the_own_row_included():
    table = lay(hands=["false_information", "search"], deck="curse assault", ruins="wound", rows=["saint"])
    table.turn("held")  # the own Saint is the only card, so nobody is asked
    assert table.rows[0] == "false_information"
    assert table.ruins == "wound saint"


def test_l29_swordsman_cancels_the_trigger_of_any_x():
    own = '[[card]]\nid = "viper"\nspeed = "X"\nseen = [{ do = "eliminate", who = "looker" }]\n'
    for card in ("sneak_attack", "viper"):
        table = lay(hands=["swordsman", card, "search"], deck="curse assault", own_cards=own).turn("held", "hand 1")
        assert table.in_game == [0, 2]
        assert table.rows[1] == card


def test_l29_swordsman_does_not_cancel_the_sister():
    table = lay(hands=["swordsman", "sister_of_fate", "search"], deck="curse assault").turn("held", "hand 1")
    assert table.in_game == [0, 2]


@pytest.mark.parametrize("kind", ["general", "expedition"])
def test_l30_the_starship_may_go_onto_the_deck(kind):
    table = lay(hands=["the_starship", "search"], deck=f"{kind} assault").turn("yes")
    assert table.deck == "the_starship"
    assert table.hands[0] == "assault"


def test_l31_where_an_eliminated_legacy_went_is_public():
    table = lay(hands=["guardian", "the_flying_garden", "search", ""], deck="curse assault").turn("held", "hand 1")
    assert [table.somewhere(seat) for seat in range(4)] == ["the_flying_garden"] * 4
