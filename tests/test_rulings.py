"""One story a ruling on turns, eliminations and the investigation; test names carry its number.

The rulings on single cards (L9-L15, L25-L31) are in test_card_rulings.py; L17 belongs to the campaign.
"""

import pytest
from situations import lay

from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Outcome, Shuffle, Table
from lostlegacy_sim.games.lost_legacy.vocabulary import WAY_VOID


def test_l1_general_with_an_empty_deck_does_nothing():
    table = lay(hands=["general", "search"], deck="curse").turn("held")
    assert table.hands == ["curse", "search"]


def test_l1_map_with_an_empty_deck_may_still_shuffle_the_ruins():
    table = lay(hands=["ancient_map", "search"], deck="curse", ruins="wound saint", knows={0: {"ruins 0": "wound"}})
    table.turn("held", "yes", orders=[(1, 0)])
    assert table.ruins == "saint wound"
    assert table.knows(0) == {}
    assert table.somewhere(0) == "wound"


def test_l1_expedition_with_an_empty_deck_is_left_with_the_ruins():
    table = lay(hands=["expedition", "search"], deck="curse", ruins="wound").turn("held", "yes")  # one place: forced
    assert table.hands[0] == "wound"


def test_l1_prophet_looks_at_the_one_place_there_is():
    table = lay(hands=["prophet", "search"], deck="curse", ruins="wound").turn("held")
    assert table.knows(0) == {"ruins 0": "wound"}


@pytest.mark.parametrize("kind", ["necromancer", "false_information"])
def test_l1_without_another_card_in_any_row_there_is_nothing_to_choose(kind):
    table = lay(hands=[kind, "search"], deck="curse assault", ruins="wound").turn("held")
    assert table.rows == [kind, ""]
    assert table.ruins == "wound"


def test_l1_false_information_without_a_card_still_shuffles_the_ruins():
    table = lay(hands=["false_information", "search"], deck="curse assault", ruins="wound saint")
    assert table.turn("held", orders=[(1, 0)]).ruins == "saint wound"


def test_l1_a_card_in_focus_is_needed_to_win_by_it_and_to_rob_its_holder():
    own = """
[[card]]
id = "grasp"
speed = 3
play = [{ do = "look", at = ["deck"] }, { do = "win" }]

[[card]]
id = "robber"
speed = 4
play = [
    { do = "look", at = ["hands", "ruins"] },
    { do = "discard", who = "looker" },
    { do = "take_hand", who = "looker", from = "owner" },
    { do = "eliminate", who = "owner" },
]
"""
    assert lay(hands=["grasp", "search"], deck="curse", own_cards=own).turn("held").result == "investigation"
    assert lay(hands=["grasp", "search"], deck="curse wound", own_cards=own).turn("held").result == "seen 0"
    spared = lay(hands=["robber", "search"], deck="curse wound", ruins="saint", own_cards=own).turn("held", "ruins 0")
    assert spared.hands == ["curse", "search"]
    robbed = lay(hands=["robber", "search"], deck="curse wound", ruins="saint", own_cards=own).turn("held", "hand 1")
    assert robbed.hands == ["search", ""]
    assert robbed.rows[0] == "robber curse"


def test_l2_a_look_resolves_the_seen_trigger_before_the_rest_of_the_effect():
    table = lay(hands=["assault", "sneak_attack", "search"], deck="general curse").turn("held", "hand 1")
    assert [asked.what for asked in table.asked] == [1, 2]  # play and look: the exchange is void
    assert table.hands[1] == "general"


def test_l2_a_look_at_the_ruins_triggers_nothing():
    table = lay(hands=["search", "assault"], deck="general curse", ruins="sneak_attack sister_of_fate")
    table.turn("held", "ruins 0", "yes")
    assert table.in_game == [0, 1]
    assert table.hands[0] == "sneak_attack"


def test_l2_drawing_a_trap_triggers_nothing():
    table = lay(hands=["assault", "search"], deck="sneak_attack curse", knows={1: {"deck": "sneak_attack"}})
    table.turn("drawn")
    assert table.in_game == [0, 1]


def test_l3_effects_on_another_player_leave_out_seats_that_are_out():
    table = lay(hands=["assault", "", "search", "general"], deck="curse wound").turn("held", "hand 2", "no")
    assert table.options(1) == ["hand 2", "hand 3"]


def test_l3_effects_on_rows_may_choose_any_row():
    table = lay(hands=["necromancer", "", "search"], deck="curse assault", rows=["wound", "general", "saint"])
    table.turn("held", "row 1.0", "yes")
    assert table.asked[1].options == (0, 1, 2)
    assert table.rows == ["wound necromancer", "curse", "saint"]


def test_l4_the_deck_is_looked_at_as_it_is_after_the_elimination():
    table = lay(hands=["guardian", "the_starship", "search"], deck="curse").turn("held", "hand 1")
    assert table.deck == "the_starship"  # the deck had been empty
    assert table.result == "next 2"


def test_l4_a_saint_who_draws_the_last_card_brings_the_investigation():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault", rows=["", "saint"]).turn("held", "hand 1")
    assert table.hands[1] == "assault"
    assert table.result == "investigation"


def test_l5_nobody_wins_if_no_seat_is_left():
    own = '[[card]]\nid = "doom"\nspeed = 1\nplay = [{ do = "eliminate", who = "everyone" }]\n'
    table = lay(hands=["doom", "search"], deck="curse assault", own_cards=own).turn("held")
    assert table.in_game == []
    assert table.result == "nobody"


ROWS_TOO = "investigate_rows = true"


def test_l6_face_down_row_cards_are_no_places_to_investigate():
    table = lay(hands=["general", "wound"], ruins="the_starship", rows=["(saint)", "(prophet) search"])
    table.turn("hand 1")
    assert table.options(0) == ["hand 0", "hand 1", "ruins 0"]
    assert table.result == "nobody"


def test_l6_by_the_switch_face_down_row_cards_may_be_pointed_at():
    table = lay(hands=["general", "wound"], ruins="the_starship", rows=["(saint)", "(prophet) search"], rules=ROWS_TOO)
    table.turn("hidden 1")
    assert table.options(0) == ["hand 0", "hand 1", "ruins 0", "hidden 1", "hidden 0"]
    assert table.told[-2] == "  Speed 2: seat 1 reveals the 2nd face-down card of the rows: Prophet."


def test_l7_the_investigation_triggers_nothing():
    table = lay(hands=["search", "sneak_attack", "sister_of_fate"], ruins="the_starship")
    table.turn("hand 1", "hand 1")  # the Sister at speed 1, then the Search
    assert table.in_game == [0, 1, 2]
    assert table.result == "nobody"


def test_l8_calling_shows_the_speeds_called_so_far():
    table = lay(hands=["search", "general", "wound"], ruins="the_starship").turn("hand 2", "ruins 0")
    assert table.table.shown_speed == [7, 2, 0]
    assert table.table.called == 7
    assert table.result == "found 0"


def test_l18_the_first_card_is_the_ruins_then_one_to_each_seat_and_the_rest_is_the_deck():
    starship = printed("starship")
    table = Table(starship, 3)
    playing = table.play()
    asked = next(playing)
    assert asked == Shuffle("deal", 16)
    playing.send(tuple(range(15, -1, -1)))  # the last slot first
    slots = starship.slots()[::-1]
    assert table.ruins == slots[:1]
    assert table.hands == slots[1:4]
    assert [table.drawn, *table.deck] == slots[4:]
    assert table.seat == 0


def test_l19_a_played_card_cannot_be_chosen_by_its_own_effect():
    table = lay(hands=["necromancer", "search"], deck="curse assault", rows=["wound", "saint"])
    table.turn("held", "row 1.0", "yes")
    assert table.asked[1].options == (0, 1)  # the Wound and the Saint, but not the Necromancer between them
    assert table.rows == ["wound necromancer", "curse"]


def test_l19_a_played_card_counts_in_its_row_only_after_its_effect():
    own = """
[[card]]
id = "barb"
speed = 8
play = [{ do = "choose", at = ["rows"] }, { do = "exchange", may = true }, { do = "name" }]
row = [{ do = "eliminate", who = "owner", copies = 2 }]
"""
    table = lay(hands=["barb", "search", "general"], deck="barb assault", rows=["curse"], own_cards=own)
    table.turn("held", "yes", "3")  # the Barb laid over the Curse is the only one that counts: the effect goes on
    assert table.rows[0] == "barb barb curse"  # now the played one counts as well
    assert table.in_game == [1, 2]


def test_l20_nobody_sees_whether_the_drawn_or_the_held_card_is_played():
    drawn = lay(hands=["prophet", "search"], deck="wound assault").turn("drawn")
    held = lay(hands=["wound", "search"], deck="prophet assault").turn("held")
    assert drawn.rows == held.rows
    assert drawn.table.known == held.table.known
    assert drawn.table.ruins_has == held.table.ruins_has


def test_l23_a_seat_called_alone_must_reveal_and_the_card_stays_revealed():
    table = lay(hands=["general", "search", "assault"], ruins="the_starship wound")
    table.turn("hand 1", "hand 1", "ruins 0")  # seat 1 was revealed and still acts; it may point at itself
    assert table.table.revealed == {1, 8}
    assert table.knows(0) == table.knows(2) == {"hand 1": "search", "ruins 0": "the_starship"}
    assert table.result == "found 2"
    assert table.table.outcome.speed == 8


def test_l23_seats_that_share_a_speed_do_not_investigate_whatever_their_kinds():
    table = lay(hands=["general", "necromancer", "wound", "sneak_attack"], ruins="the_starship").turn()
    assert table.result == "nobody"


def test_l24_an_exchange_puts_each_card_in_the_place_of_the_other():
    table = lay(hands=["search", "general"], deck="curse wound", ruins="prophet saint assault")
    table.turn("held", "ruins 1", "yes")
    assert table.ruins == "prophet curse assault"
    table = lay(hands=["necromancer", "general"], deck="curse wound", rows=["", "prophet saint assault"])
    table.turn("held", "row 1.1", "yes")
    assert table.rows[1] == "prophet curse assault"


def test_l24_two_cards_of_one_kind_may_be_exchanged():
    table = lay(hands=["search", "general"], deck="curse wound", ruins="curse").turn("held", "yes")
    assert table.asked[-1].options == (0, 1)
    assert table.hands[0] == table.ruins == "curse"


def test_l32_with_printed_kinds_a_deal_has_at_most_n_minus_3_turns():
    # Nobody is put out and no Map is played: the deck's 13 cards make 13 turns.
    harmless = ["general", "search", "search", "search", "assault", "assault", "assault", "sneak_attack",
                "sneak_attack", "sneak_attack", "sister_of_fate", "shadow_thief", "swordsman"]  # fmt: skip
    table = lay(hands=["ancient_map", "ancient_map"], deck=" ".join(harmless), ruins="the_starship")
    for card in harmless:
        answers = {"search": ["no"], "assault": ["no"], "shadow_thief": [f"hand {1 - table.table.seat}"]}
        table.turn("drawn", *answers.get(card, ["no"] if card == "general" else []))
    assert table.result == "investigation"
    assert table.table.turn == printed("starship").n_cards - 3


def test_l32_a_deal_that_passes_its_bound_is_void():
    own = """
[[card]]
id = "wheel"
speed = 8
play = [{ do = "move", card = "self", to = "deck" }]
"""
    table = lay(hands=["wheel", "wheel"], deck="wheel wheel", ruins="wheel", own_cards=own)
    while table.table.outcome is None:
        table.turn(*["held"] * (table.table.turn < 8 * 5))
    assert table.table.outcome == Outcome(WAY_VOID, -1, 0, 8 * 5)


def test_l33_all_seats_of_a_step_are_out_before_the_last_one_is_looked_for():
    own = '[[card]]\nid = "doom"\nspeed = 1\nplay = [{ do = "eliminate", who = "others" }]\n'
    table = lay(hands=["search", "doom", "general"], deck="curse assault wound", rows=["saint"], seat=1, own_cards=own)
    table.turn("held")
    assert table.in_game == [0, 1]  # seat 2 out, seat 0 out and back
    assert table.rows[0] == "(saint) search"
    assert table.result == "next 0"
    table = lay(hands=["search", "doom", "general"], deck="curse assault wound", seat=1, own_cards=own).turn("held")
    assert table.result == "last 1"


def test_l33_seats_are_eliminated_clockwise_from_the_seat_on_turn():
    own = """
[[card]]
id = "doom"
speed = 1
play = [{ do = "eliminate", who = "everyone" }]

[[card]]
id = "feather"
speed = 2
eliminated = [{ do = "move", card = "self", to = "ruins" }]

[[card]]
id = "leaf"
speed = 2
eliminated = [{ do = "move", card = "self", to = "ruins" }]
"""
    table = lay(hands=["leaf", "doom", "feather"], deck="wound curse", seat=1, own_cards=own).turn("held")
    assert table.ruins == "feather leaf"  # seat 2 before seat 0
    assert table.rows[1] == "doom wound"
    assert table.table.out_turn == [1, 1, 1]
    assert table.result == "nobody"


def test_l34_what_did_not_happen_is_no_certain_knowledge():
    table = lay(hands=["guardian", "search", "general"], deck="curse assault wound").turn("held", "hand 1")
    assert table.knows(1) == table.knows(2) == {}
    table = lay(hands=["search", "general"], deck="curse assault wound", ruins="prophet prophet",
                somewhere={1: "prophet"})  # fmt: skip
    table.turn("held", "ruins 0", "no")
    assert table.somewhere(1) == ""  # it may have left: counting on is the seat's own affair
