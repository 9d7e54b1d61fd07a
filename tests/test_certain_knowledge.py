"""What a seat knows for certain, K1-K7 of ruling L34, by the reference; test names carry the number."""

import pytest
from situations import lay


def test_k1_a_seat_knows_its_own_cards_and_what_it_looked_at():
    table = lay(hands=["expedition", "search"], deck="curse assault wound", ruins="general").turn("held", "ruins 0", "no")
    assert table.knows(0) == {"ruins 0": "general"}
    assert table.knows(1) == {}


def test_k1_after_a_necromancer_everybody_knows_that_hand():
    table = lay(hands=["necromancer", "search", ""], deck="curse assault", rows=["", "wound"]).turn("held", "yes")
    assert table.knows(1) == table.knows(2) == {"hand 0": "wound"}


def test_k1_a_revealed_card_is_known_to_all():
    table = lay(hands=["search", "wound", ""], ruins="general the_starship", somewhere={2: "the_starship"})
    table.turn("ruins 1")
    assert table.knows(1) == table.knows(2) == {"ruins 1": "the_starship"}
    assert table.somewhere(2) == ""  # its place is known now


def test_k2_knowledge_goes_with_the_top_of_the_deck_to_the_hand_that_draws_it():
    # Seat 1 has seen the card that seat 0 draws; it is of another kind than the card played, so it is kept.
    table = lay(hands=["wound", "search"], deck="curse assault", knows={1: {"deck": "curse"}}).turn("held")
    assert table.knows(1) == {"hand 0": "curse"}


def test_k2_knowledge_goes_with_the_top_of_the_deck_into_the_ruins():
    table = lay(hands=["ancient_map", "search"], deck="curse assault wound", ruins="general",
                knows={1: {"deck 1": "assault"}}).turn("held", "no")  # fmt: skip
    assert table.knows(0) == table.knows(1) == {"ruins 1": "assault"}


def test_k2_knowledge_goes_with_the_top_of_the_deck_to_a_saints_owner():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault general", rows=["", "saint"],
                knows={2: {"deck 1": "assault"}}).turn("held", "hand 1")  # fmt: skip
    assert table.knows(2) == {"hand 1": "assault"}
    assert table.knows(0) == {}


def test_k2_knowledge_goes_with_a_lookers_hand_to_the_owner_of_the_trap():
    table = lay(hands=["assault", "sneak_attack", "search"], deck="general curse",
                knows={2: {"deck": "general"}}).turn("held", "hand 1")  # fmt: skip
    assert table.knows(2) == {"hand 1": "general"}
    assert table.table.known[0] == {1: table.kind("general")}  # the looker is out and still knows its old card


@pytest.mark.parametrize(
    ("known", "after"),
    [
        ({"hand 0": "wound"}, {}),  # the kind played: which one is kept is open
        ({"deck": "prophet"}, {"hand 0": "prophet"}),  # another kind: it was kept
        ({"hand 0": "wound", "deck": "prophet"}, {"hand 0": "prophet"}),
        ({}, {}),
    ],
)
def test_k3_a_known_card_of_another_kind_than_the_one_played_was_kept(known, after):
    table = lay(hands=["wound", "search"], deck="prophet assault", knows={1: known}).turn("held")
    assert table.knows(1) == after


@pytest.mark.parametrize(("known", "after"), [(["hand 0", "deck"], {"hand 0": "wound"}), (["deck"], {}), (["hand 0"], {})])
def test_k3_two_cards_of_the_kind_played(known, after):
    table = lay(hands=["wound", "search"], deck="wound assault", knows={1: dict.fromkeys(known, "wound")})
    assert table.turn("drawn").knows(1) == after


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_k4_a_secret_exchange_lapses_for_the_others_whatever_was_decided(answer):
    table = lay(hands=["search", "general"], deck="curse wound", ruins="prophet",
                knows={1: {"deck": "curse", "ruins 0": "prophet"}}).turn("held", answer)  # fmt: skip
    assert table.knows(1) == {}
    assert table.knows(0) == {"ruins 0": "curse" if answer == "yes" else "prophet"}


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_k4_who_knew_both_to_be_of_one_kind_still_does(answer):
    table = lay(hands=["search", "general"], deck="curse wound", ruins="curse",
                knows={1: {"deck": "curse", "ruins 0": "curse"}}).turn("held", answer)  # fmt: skip
    assert table.knows(1) == {"hand 0": "curse", "ruins 0": "curse"}


def test_k4_the_owner_of_an_exchanged_hand_sees_its_new_card():
    table = lay(hands=["assault", "search", "general"], deck="curse wound").turn("held", "hand 1", "yes")
    assert table.knows(1) == {"hand 0": "search"}
    assert table.knows(2) == {}


def test_k4_the_owner_whose_card_did_not_change_keeps_what_it_knew():
    same = lay(hands=["assault", "curse"], deck="curse wound", knows={1: {"deck": "curse"}}).turn("held", "yes")
    assert same.knows(1) == {"hand 0": "curse"}
    declined = lay(hands=["assault", "search"], deck="curse wound", knows={1: {"deck": "curse"}}).turn("held", "no")
    assert declined.knows(1) == {"hand 0": "curse"}
    unknown = lay(hands=["assault", "curse"], deck="curse wound").turn("held", "yes")
    assert unknown.knows(1) == {}  # two Curses changed places: it cannot tell


def test_k4_the_top_of_the_deck_lapses_too():
    table = lay(hands=["general", "search"], deck="curse wound prophet",
                knows={1: {"deck 1": "wound", "deck 2": "prophet"}}).turn("held", "yes")  # fmt: skip
    assert table.knows(1) == {"deck 1": "prophet"}


def test_k5_a_shuffle_of_the_ruins_turns_places_into_a_multiset():
    table = lay(hands=["ancient_map", "search"], deck="curse wound assault", ruins="prophet prophet general",
                knows={1: {"ruins 0": "prophet", "ruins 1": "prophet"}}, somewhere={1: "general"})  # fmt: skip
    table.turn("held", "yes", orders=[(3, 2, 1, 0)])
    assert table.knows(1) == {}
    assert table.somewhere(1) == "general prophet prophet"


def test_k5_a_look_takes_the_kind_out_of_the_multiset_once():
    table = lay(hands=["prophet", "search"], deck="curse wound", ruins="general general saint",
                somewhere={0: "general general"}).turn("held", "ruins 1", "ruins 2")  # fmt: skip
    assert table.knows(0) == {"ruins 1": "general", "ruins 2": "saint"}
    assert table.somewhere(0) == "general"


def test_k5_a_look_at_a_place_already_known_takes_nothing_out():
    table = lay(hands=["prophet", "search"], deck="curse wound", ruins="general general saint",
                knows={0: {"ruins 1": "general"}}, somewhere={0: "general"}).turn("held", "ruins 1", "deck")  # fmt: skip
    assert table.somewhere(0) == "general"


def test_k5_a_public_card_put_into_the_ruins_joins_the_multiset_of_everybody():
    table = lay(hands=["false_information", "search", ""], deck="curse wound", ruins="prophet", rows=["", "general"])
    table.turn("held")
    assert [table.somewhere(seat) for seat in range(3)] == ["general"] * 3


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_k5_a_secret_exchange_at_an_unknown_place_takes_one_copy_off_every_kind(answer):
    table = lay(hands=["search", "general"], deck="curse wound", ruins="prophet prophet saint",
                somewhere={1: "prophet prophet saint"}).turn("held", "ruins 0", answer)  # fmt: skip
    assert table.somewhere(1) == "prophet"


def test_k5_a_secret_exchange_at_a_known_place_leaves_the_multiset():
    table = lay(hands=["search", "general"], deck="curse wound", ruins="prophet prophet saint",
                knows={1: {"ruins 0": "prophet"}}, somewhere={1: "prophet saint"})  # fmt: skip
    table.turn("held", "ruins 0", "yes")
    assert table.somewhere(1) == "saint prophet"
    assert table.knows(1) == {}


def test_k6_a_shuffle_of_the_deck_ends_what_was_known_of_it():
    table = lay(hands=["guardian", "the_starship", "search"], deck="curse wound general",
                knows={2: {"deck 1": "wound"}}).turn("held", "hand 1")  # fmt: skip
    assert table.knows(0) == table.knows(2) == {}


def test_k7_an_elimination_ends_the_knowledge_of_that_hand():
    table = lay(hands=["guardian", "the_starship", "search"], deck="curse wound general",
                knows={2: {"hand 1": "the_starship"}}).turn("held", "hand 1")  # fmt: skip
    assert table.knows(2) == {}


def test_k7_a_seat_that_comes_back_has_kept_its_own_knowledge():
    table = lay(hands=["swordsman", "wound", "search"], deck="curse assault general prophet", rows=["", "saint"],
                ruins="the_starship", knows={1: {"ruins 0": "the_starship", "deck 2": "general"}})  # fmt: skip
    table.turn("held", "hand 1")
    assert table.knows(1) == {"ruins 0": "the_starship", "deck": "general"}


# --- beyond the printed cards -------------------------------------------------------------------------

FORCED = """
[[card]]
id = "swap"
speed = 7
play = [{ do = "look", at = ["hands", "ruins", "deck"] }, { do = "exchange" }]

[[card]]
id = "grave"
speed = 6
play = [{ do = "look", at = ["ruins"] }, { do = "move", to = "deck" }]
"""


def test_a_forced_exchange_carries_knowledge_both_ways():
    table = lay(hands=["swap", "search", "general"], deck="curse wound", ruins="prophet saint", own_cards=FORCED,
                knows={1: {"deck": "curse"}, 2: {"ruins 1": "saint"}}, somewhere={1: "saint"})  # fmt: skip
    table.turn("held", "ruins 1")
    assert table.knows(0) == {"ruins 1": "curse"}
    assert table.knows(1) == {"ruins 1": "curse"}
    assert table.somewhere(1) == ""  # the Saint may have left
    assert table.knows(2) == {"hand 0": "saint"}


def test_a_forced_exchange_with_a_hand_shows_its_owner_both_cards():
    table = lay(hands=["swap", "search", "general"], deck="curse wound", own_cards=FORCED).turn("held", "hand 1")
    assert table.knows(0) == {"hand 1": "curse"}
    assert table.knows(1) == {"hand 0": "search"}
    assert table.knows(2) == {}


def test_a_card_moved_out_of_the_ruins_takes_its_knowledge_along_and_the_rest_closes_up():
    table = lay(hands=["grave", "search", "general"], deck="curse wound", ruins="prophet saint assault", own_cards=FORCED,
                knows={1: {"ruins 1": "saint", "ruins 2": "assault"}}, somewhere={2: "prophet saint"})  # fmt: skip
    table.turn("held", "ruins 1")
    assert table.ruins == "prophet assault"
    assert table.deck == "saint wound"
    assert table.knows(0) == {"deck": "saint"}
    assert table.knows(1) == {"ruins 1": "assault", "deck": "saint"}
    assert table.somewhere(2) == ""
