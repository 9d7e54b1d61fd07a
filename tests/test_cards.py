"""One story a card: what each printed kind does at the table, told by the reference."""

from situations import lay

from lostlegacy_sim.games.lost_legacy.reference.effects import DO
from lostlegacy_sim.games.lost_legacy.vocabulary import VERBS


def test_the_reference_knows_every_verb_and_no_other():
    assert sorted(DO) == sorted(verb.name for verb in VERBS)


# --- The Starship -------------------------------------------------------------------------------------


def test_sister_of_fate_who_is_seen_puts_her_owner_out():
    table = lay(hands=["assault", "sister_of_fate", "search"], deck="general curse")
    table.turn("held", "hand 1")  # no exchange is asked: the elimination ended the turn
    assert table.in_game == [0, 2]
    assert table.hands == ["general", "", "search"]
    assert table.rows == ["assault", "sister_of_fate", ""]
    assert table.result == "next 2"


def test_sister_of_fate_who_is_played_does_nothing():
    table = lay(hands=["sister_of_fate", "assault"], deck="general curse").turn("held")
    assert table.in_game == [0, 1]
    assert table.rows == ["sister_of_fate", ""]
    assert table.hands == ["general", "assault"]


def test_general_exchanges_the_top_of_the_deck():
    table = lay(hands=["general", "assault"], deck="search curse wound").turn("held", "yes")
    assert table.hands == ["curse", "assault"]
    assert table.deck == "search wound"
    assert table.knows(0) == {"deck": "search"}


def test_general_may_leave_the_top_of_the_deck():
    table = lay(hands=["general", "assault"], deck="search curse wound").turn("held", "no")
    assert table.hands == ["search", "assault"]
    assert table.deck == "curse wound"
    assert table.knows(0) == {"deck": "curse"}


def test_shadow_thief_who_sees_the_legacy_in_a_hand_wins():
    table = lay(hands=["shadow_thief", "search", "the_starship"], deck="curse wound", ruins="assault")
    table.turn("held", "hand 2")
    assert table.options(1) == ["hand 1", "hand 2", "ruins 0"]
    assert table.result == "seen 0"
    assert table.in_game == [0, 1, 2]


def test_shadow_thief_who_sees_the_legacy_in_the_ruins_wins():
    table = lay(hands=["shadow_thief", "search"], deck="curse wound", ruins="assault the_flying_garden")
    assert table.turn("held", "ruins 1").result == "seen 0"


def test_shadow_thief_who_sees_another_card_only_knows_it():
    table = lay(hands=["shadow_thief", "search"], deck="curse wound", ruins="assault the_starship")
    table.turn("held", "ruins 0")
    assert table.result == "next 1"
    assert table.knows(0) == {"ruins 0": "assault"}


def test_swordsman_puts_a_holder_of_an_x_out():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault").turn("held", "hand 1")
    assert table.in_game == [0, 2]
    assert table.rows[1] == "wound"


def test_swordsman_does_nothing_to_other_cards():
    table = lay(hands=["swordsman", "the_starship", "search"], deck="curse assault").turn("held", "hand 1")
    assert table.in_game == [0, 1, 2]
    assert table.knows(0) == {"hand 1": "the_starship"}


def test_the_starship_cannot_be_played_so_the_other_card_is():
    table = lay(hands=["the_starship", "search"], deck="sister_of_fate curse").turn()  # forced: nobody is asked
    assert table.hands[0] == "the_starship"
    assert table.rows[0] == "sister_of_fate"


def test_the_starship_of_an_eliminated_seat_is_shuffled_into_the_deck():
    table = lay(hands=["guardian", "the_starship", "search"], deck="curse assault wound")
    table.turn("held", "hand 1", orders=[(1, 0, 2)])  # on top first, then second from the top
    assert table.in_game == [0, 2]
    assert table.rows[1] == ""
    assert table.deck == "assault the_starship wound"


def test_ancient_map_puts_the_top_of_the_deck_into_the_ruins_and_may_shuffle_them():
    table = lay(hands=["ancient_map", "search"], deck="assault curse wound", ruins="general")
    table.turn("held", "yes", orders=[(1, 0)])
    assert table.ruins == "curse general"
    assert table.deck == "wound"
    assert table.somewhere(0) == "curse"
    assert table.somewhere(1) == ""


def test_ancient_map_that_does_not_shuffle_leaves_its_player_knowing_where():
    table = lay(hands=["ancient_map", "search"], deck="assault curse wound", ruins="general").turn("held", "no")
    assert table.ruins == "general curse"
    assert table.knows(0) == {"ruins 1": "curse"}


def test_search_exchanges_a_card_of_the_ruins():
    table = lay(hands=["search", "general"], deck="assault wound", ruins="curse the_starship")
    table.turn("held", "ruins 1", "yes")
    assert table.hands == ["the_starship", "general"]
    assert table.ruins == "curse assault"


def test_assault_exchanges_hands():
    table = lay(hands=["assault", "general", "the_starship"], deck="search wound").turn("held", "hand 2", "yes")
    assert table.hands == ["the_starship", "general", "search"]
    assert table.knows(0) == {"hand 2": "search"}
    assert table.knows(2) == {"hand 0": "the_starship"}


def test_sneak_attack_that_is_seen_takes_the_lookers_hand():
    table = lay(hands=["assault", "sneak_attack", "general"], deck="search wound").turn("held", "hand 1")
    assert table.in_game == [1, 2]
    assert table.hands == ["", "search", "general"]
    assert table.rows == ["assault", "sneak_attack", ""]  # the looker had no card left to discard
    assert table.result == "next 1"


def test_sneak_attack_that_is_played_does_nothing():
    table = lay(hands=["sneak_attack", "assault"], deck="general curse").turn("held")
    assert table.in_game == [0, 1]
    assert table.rows == ["sneak_attack", ""]


# --- The Flying Garden --------------------------------------------------------------------------------


def test_saint_brings_her_owner_back_with_the_top_card_of_the_deck():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault general", rows=["", "saint"])
    table.turn("held", "hand 1")
    assert table.in_game == [0, 1, 2]
    assert table.hands == ["curse", "assault", "search"]
    assert table.rows[1] == "(saint) wound"
    assert table.result == "next 1"  # the turn has ended all the same


def test_necromancer_exchanges_a_card_of_any_row_openly():
    table = lay(hands=["necromancer", "search"], deck="curse assault", rows=["", "wound general"])
    table.turn("held", "row 1.1", "yes")
    assert table.hands[0] == "general"
    assert table.rows == ["necromancer", "wound curse"]
    assert table.knows(1) == {"hand 0": "general"}


def test_guardian_puts_the_holder_of_the_legacy_out():
    table = lay(hands=["guardian", "the_flying_garden", "search"], deck="curse assault", ruins="general")
    table.turn("held", "hand 1", orders=[(1, 0)])
    assert table.in_game == [0, 2]
    assert table.ruins == "the_flying_garden general"
    assert [table.somewhere(seat) for seat in range(3)] == ["the_flying_garden"] * 3


def test_guardian_does_nothing_to_other_cards():
    table = lay(hands=["guardian", "wound", "search"], deck="curse assault").turn("held", "hand 1")
    assert table.in_game == [0, 1, 2]


def test_prophet_looks_at_two_different_cards():
    table = lay(hands=["prophet", "search"], deck="curse assault wound", ruins="general saint")
    table.turn("held", "ruins 1", "deck")
    assert table.options(1) == ["ruins 0", "ruins 1", "deck"]
    assert table.options(2) == ["ruins 0", "deck"]
    assert table.knows(0) == {"ruins 1": "saint", "deck": "assault"}
    assert table.hands == ["curse", "search"]


def test_the_flying_garden_that_is_played_goes_into_the_ruins():
    table = lay(hands=["the_flying_garden", "search"], deck="curse assault", ruins="general")
    table.turn("held", orders=[(1, 0)])
    assert table.rows == ["", ""]
    assert table.ruins == "the_flying_garden general"
    assert table.somewhere(1) == "the_flying_garden"


def test_false_information_puts_a_discarded_card_into_the_ruins():
    table = lay(hands=["false_information", "search"], deck="curse assault", ruins="general", rows=["wound", "(saint)"])
    table.turn("held", "row 1.0", orders=[(1, 0)])
    assert table.rows == ["wound false_information", ""]
    assert table.ruins == "saint general"
    assert table.somewhere(0) == table.somewhere(1) == "saint"


def test_expedition_exchanges_the_top_of_the_deck_or_a_card_of_the_ruins():
    table = lay(hands=["expedition", "search"], deck="curse assault wound", ruins="general")
    table.turn("held", "deck", "yes")
    assert table.options(1) == ["ruins 0", "deck"]
    assert table.hands[0] == "assault"
    assert table.deck == "curse wound"


def test_curse_that_names_the_speed_puts_the_target_out():
    table = lay(hands=["curse", "general", "search"], deck="wound assault").turn("held", "2", "hand 1")
    assert table.in_game == [0, 2]
    assert table.asked[1].options == (1, 2, 3, 4, 5, 6, 7, 8)


def test_curse_that_names_another_speed_only_knows_the_card():
    table = lay(hands=["curse", "general", "search"], deck="wound assault").turn("held", "3", "hand 1")
    assert table.in_game == [0, 1, 2]
    assert table.knows(0) == {"hand 1": "general"}


def test_wound_is_fatal_the_second_time():
    table = lay(hands=["wound", "general", "search"], deck="curse assault", rows=["wound"]).turn("held")
    assert table.in_game == [1, 2]
    assert table.rows[0] == "wound wound curse"
    assert table.result == "next 1"


def test_wound_alone_does_nothing():
    table = lay(hands=["wound", "general"], deck="curse assault", rows=["saint", "wound"]).turn("held")
    assert table.in_game == [0, 1]


def test_recall_shuffles_a_row_into_the_deck():
    table = lay(hands=["recall", "search", ""], deck="curse assault", rows=["general", "wound", "(saint) prophet"])
    table.turn("held", "row 2", orders=[(2, 1, 0)])  # left to right onto the deck: prophet saint assault, then turned round
    assert table.asked[1].options == (1, 2)
    assert table.rows == ["general recall", "wound", ""]
    assert table.deck == "assault saint prophet"
    assert table.knows(0) == {}
