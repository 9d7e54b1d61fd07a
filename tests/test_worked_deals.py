"""Nine deals of the Flying Garden, worked out on paper; the reference has to come to the same end.

Seats are counted from 0, as in the code. "Alone" means that the seat is the only one with that speed.
"""

from situations import deal

from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Outcome
from lostlegacy_sim.games.lost_legacy.vocabulary import WAY_FOUND, WAY_LAST, WAY_NOBODY

GARDEN = printed("flying-garden")


def play(hands, ruins, deck, turns):
    """Deal and play; one line of answers a turn, the last one for the investigation if it is reached."""
    table = deal(GARDEN, hands, ruins, deck)
    for answers in turns:
        table.turn(*[answer.strip() for answer in answers[0].split(",") if answer.strip()], orders=answers[1:])
    return table


def test_deal_1_curse():
    """Two seats. Ruins: Expedition. Seat 0 holds a Curse, seat 1 the Guardian.

    1. Seat 0 draws a Wound and plays the Curse, naming 3. Only seat 1 can be its target. The Guardian has speed
       3, a match: seat 1 is out and discards the Guardian.
    Seat 0 is the only one left: it wins in turn 1.
    """
    table = play(
        ["curse", "guardian"],
        "expedition",
        "wound saint necromancer prophet the_flying_garden false_information false_information expedition expedition "
        "curse curse wound wound",
        [["held, 3"]],
    )
    assert table.rows == ["curse", "guardian"]
    assert table.hands == ["wound", ""]
    assert table.table.outcome == Outcome(WAY_LAST, 0, 0, 1)


def test_deal_2_wound():
    """Two seats. Ruins: Necromancer. Seat 0 holds a Wound, seat 1 a Curse.

    1. Seat 0 draws a second Wound, plays one (it is asked which all the same) and keeps the other.
    2. Seat 1 draws the Prophet and plays it: it looks at the ruins (Necromancer), then at the only other place, the
       top of the deck (Expedition).
    3. Seat 0 draws that Expedition and plays its Wound: two face-up Wounds lie before it, so it is out and
       discards the Expedition.
    Seat 1 is the only one left: it wins in turn 3.
    """
    table = play(
        ["wound", "curse"],
        "necromancer",
        "wound prophet expedition wound saint guardian the_flying_garden false_information false_information expedition "
        "expedition curse curse",
        [["held"], ["drawn, ruins 0"], ["held"]],
    )
    assert table.rows == ["wound wound expedition", "prophet"]
    assert table.table.outcome == Outcome(WAY_LAST, 1, 0, 3)


def test_deal_3_saint():
    """Two seats. Ruins: Curse. Seat 0 holds the Saint, seat 1 the Prophet.

    1. Seat 0 draws a Wound and plays the Saint.
    2. Seat 1 draws a False Information and plays the Prophet: deck (Wound), then the ruins (Curse).
    3. Seat 0 draws the Wound and plays its other one: one Wound beside the Saint.
    4. Seat 1 draws an Expedition and plays it: it sees the top of the deck (Curse) and exchanges it for its False
       Information.
    5. Seat 0 draws this False Information and plays its Wound: the second. It is out and discards the False
       Information; the Saint is turned face down, and seat 0 is back with the top card, the Guardian.
    6. Seat 1 draws the Necromancer and plays its Curse, naming 3: the Guardian, a match. The Saint lies face down
       and does not act again: seat 0 is out.
    Seat 1 is the only one left: it wins in turn 6.
    """
    table = play(
        ["saint", "prophet"],
        "curse",
        "wound false_information wound expedition curse guardian necromancer curse expedition expedition wound "
        "the_flying_garden false_information",
        [["held"], ["held, deck"], ["held"], ["drawn, deck, yes"], ["held"]],
    )
    assert table.in_game == [0, 1]
    assert table.hands == ["guardian", "curse"]
    table.turn("held", "3")
    assert table.rows == ["(saint) wound wound false_information guardian", "prophet expedition curse"]
    assert table.table.outcome == Outcome(WAY_LAST, 1, 0, 6)


def test_deal_4_necromancer():
    """Three seats. Ruins: Expedition. Seat 0 holds a Wound, seat 1 the Necromancer, seat 2 a Curse.

    1. Seat 0 draws an Expedition and plays the Wound.
    2. Seat 1 draws the Prophet and plays it: ruins (Expedition), deck (Guardian).
    3. Seat 2 draws the Guardian and plays it on seat 1: the Necromancer is no Legacy, nothing happens.
    4. Seat 0 draws a False Information and plays the Expedition: it looks at the ruins (Expedition) and declines.
    5. Seat 1 draws a Wound and plays the Necromancer. It may choose among Wound and Expedition (row 0), Prophet
       (row 1; the Necromancer itself does not count yet) and Guardian (row 2). It takes the Expedition and lays
       its Wound there: the second in row 0. Seat 0 is out and discards the False Information.
    6. Seat 2 draws the Flying Garden and plays its Curse, naming 7: everybody knows that seat 1 holds the
       Expedition. It is the only target, and out.
    Seat 2 is the only one left: it wins in turn 6.
    """
    table = play(
        ["wound", "necromancer", "curse"],
        "expedition",
        "expedition prophet guardian false_information wound the_flying_garden saint false_information expedition curse "
        "curse wound",
        [["held"], ["drawn, ruins 0"], ["drawn, hand 1"], ["held, ruins 0, no"], ["held, row 0.1, yes"]],
    )
    assert table.asked[1].options == (0, 1, 2, 3)
    assert table.in_game == [1, 2]
    assert table.knows(2) == {"hand 1": "expedition"}
    table.turn("held", "7")
    assert table.rows == ["wound wound false_information", "prophet necromancer expedition", "guardian curse"]
    assert table.hands == ["", "", "the_flying_garden"]
    assert table.table.outcome == Outcome(WAY_LAST, 2, 0, 6)


def test_deal_5_guardian():
    """Three seats. Ruins: Curse. Seat 0 holds the Guardian, seat 1 the Flying Garden, seat 2 an Expedition.

    1. Seat 0 draws a False Information and plays the Guardian on seat 1: the Legacy, so seat 1 is out. The Garden
       is not discarded: it goes into the ruins, which are shuffled (Garden, Curse). All know it is there.
    2. Seat 2 draws a Wound and plays its Expedition: it looks at the left ruins card, the Garden, and exchanges it
       for the Wound. The others saw that it may have: they know nothing of the ruins any more.
    3. Seat 0 draws a Curse and plays it, naming 5. Seat 2 is the only target and holds the Garden: it is out, and
       the Garden goes back into the ruins.
    Seat 0 is the only one left: it wins in turn 3.
    """
    table = play(
        ["guardian", "the_flying_garden", "expedition"],
        "curse",
        "false_information wound curse saint necromancer prophet false_information expedition expedition curse wound wound",
        [["held, hand 1", (1, 0)]],
    )
    assert [table.somewhere(seat) for seat in (0, 1, 2)] == ["the_flying_garden"] * 3
    assert table.result == "next 2"
    table.turn("held", "ruins 0", "yes")
    assert table.hands == ["false_information", "", "the_flying_garden"]
    assert [table.somewhere(seat) for seat in (0, 1, 2)] == ["", "", ""]
    table.turn("drawn", "5", orders=[(0, 2, 1)])
    assert table.ruins == "wound the_flying_garden curse"
    assert table.rows == ["guardian curse", "", "expedition"]
    assert table.table.outcome == Outcome(WAY_LAST, 0, 0, 3)


def test_deal_6_false_information():
    """Four seats. Ruins: Saint. Hands: Flying Garden, Expedition, Expedition, False Information.

    1. Seat 0 draws a Wound and plays the Garden; the ruins are Saint, Garden.
    2. Seat 1 draws a Wound and plays it.       3. So does seat 2.
    4. Seat 3 draws a Curse and plays the False Information: it may bury the Wound of seat 1 or that of seat 2 and
       takes that of seat 1. The ruins become Wound, Saint, Garden.
    5. Seat 0 draws the Prophet and plays it: left ruins card (Wound), top of the deck (False Information).
    6. Seat 1 draws it and plays it: Prophet (row 0), Wound (row 2) or False Information (row 3). It buries the last:
       Wound, Saint, Garden, False Information.
    7. Seat 2 draws the Necromancer and plays it: it chooses the Prophet and declines.
    8. Seat 3 draws the Guardian and plays it on seat 0: a Wound, nothing happens.
    9. Seat 0 draws an Expedition and plays its Wound: one only.
    10. Seat 1 draws a Curse: 1 for seat 2, wrong.      11. Seat 2 draws a Curse: 2 for seat 0, wrong.
    The deck is empty. Seats 0, 1 and 2 hold an Expedition: they share speed 7 and do not investigate. Seat 3 acts
    alone at 8 with its Curse and reveals the second card of the ruins: the Saint. Nobody wins.
    """
    table = play(
        ["the_flying_garden", "expedition", "expedition", "false_information"],
        "saint",
        "wound wound wound curse prophet false_information necromancer guardian expedition curse curse",
        [
            ["held", (0, 1)],
            ["drawn"],
            ["drawn"],
            ["held, row 1.0", (2, 0, 1)],
            ["drawn, ruins 0, deck"],
            ["drawn, row 3.0", (0, 1, 2, 3)],
            ["drawn, row 0.0, no"],
            ["drawn, hand 0"],
            ["held"],
            ["drawn, 1, hand 2"],
            ["drawn, 2, hand 0"],
        ],
    )
    assert table.result == "investigation"
    assert table.ruins == "wound saint the_flying_garden false_information"
    assert table.rows == ["prophet wound", "false_information curse", "wound necromancer curse", "guardian"]
    table.turn("ruins 1")
    assert table.asked[0].seat == 3
    assert table.table.outcome == Outcome(WAY_NOBODY, -1, 0, 11)


def test_deal_7_prophet():
    """Four seats. Ruins: Flying Garden. Hands: Expedition, Curse, Prophet, Guardian.

    1. Seat 0 draws a False Information and plays the Expedition: it exchanges the top of the deck (Necromancer).
    2. Seat 1 draws the False Information and plays it: the Expedition is the only card it can bury. The ruins become
       Expedition, Garden.
    3. Seat 2 draws a Wound and plays it.     4. So does seat 3.     5. Seat 0 draws the Saint and plays her.
    6. Seat 1 draws a Curse and plays one on seat 3, naming 3: the Guardian, seat 3 is out.
    7. Seat 2 draws an Expedition, plays it, looks at the second ruins card (the Garden) and leaves it there.
    8. Seat 0 draws a False Information and plays the Necromancer: it takes the Guardian of row 3, though seat 3 is out.
    9. Seat 1 draws a Wound and plays it.     10. Seat 2 draws a Curse: 1 for seat 0, wrong.
    11. Seat 0 draws an Expedition and plays it: the deck is empty, so it looks at the first ruins card and declines.
    Seat 0 acts at 3 with the Guardian and reveals the Curse of seat 1. Seat 2 kept the Prophet: it acts at 4, reveals
    the second ruins card, and has found the Garden.
    """
    table = play(
        ["expedition", "curse", "prophet", "guardian"],
        "the_flying_garden",
        "false_information necromancer wound wound saint curse expedition false_information wound curse expedition",
        [
            ["held, deck, yes"],
            ["drawn", (1, 0)],
            ["drawn"],
            ["drawn"],
            ["drawn"],
            ["held, 3, hand 3"],
            ["drawn, ruins 1, no"],
            ["held, row 3.1, yes"],
            ["drawn"],
            ["drawn, 1, hand 0"],
            ["drawn, ruins 0, no"],
        ],
    )
    assert table.options(1) == ["ruins 0", "ruins 1"]
    assert table.hands == ["guardian", "curse", "prophet", ""]
    assert table.rows[3] == "wound false_information"
    assert table.knows(2)["ruins 1"] == "the_flying_garden"
    table.turn("hand 1", "ruins 1")
    assert table.table.outcome == Outcome(WAY_FOUND, 2, 4, 11)


def test_deal_8_expedition():
    """Two seats. Ruins: Wound. Seat 0 holds an Expedition, seat 1 the Saint.

    1. Seat 0 draws the Flying Garden and plays the Expedition: it puts the Garden on the deck for the Prophet.
    2. Seat 1 draws the Garden and plays the Saint. Seat 0 knew what was drawn; it is not the card played, so it
       knows that seat 1 has kept the Garden.
    3. Seat 0 draws a Curse and plays it, naming 5: seat 1 is out, the Garden goes into the ruins (Wound, Garden).
       The Saint is turned face down: seat 1 is back with the top card, the Guardian.
    4. Seat 1 draws a Wound and plays it.
    5. Seat 0 draws a Curse and plays it, naming 3: the Guardian. Seat 1 is out.
    Seat 0 is the only one left: it wins in turn 5.
    """
    table = play(
        ["expedition", "saint"],
        "wound",
        "the_flying_garden prophet curse guardian wound curse curse necromancer false_information false_information "
        "expedition expedition wound",
        [["held, deck, yes"], ["held"]],
    )
    assert table.knows(0) == {"hand 1": "the_flying_garden"}
    table.turn("drawn", "5", orders=[(0, 1)])
    assert table.hands == ["prophet", "guardian"]
    assert table.ruins == "wound the_flying_garden"
    table.turn("drawn").turn("drawn", "3")
    assert table.rows == ["expedition curse curse", "(saint) wound guardian"]
    assert table.table.outcome == Outcome(WAY_LAST, 0, 0, 5)


def test_deal_9_the_flying_garden():
    """Four seats. Ruins: Wound. Hands: False Information, Flying Garden, Curse, Expedition.

    1. Seat 0 draws an Expedition and plays it: it looks at the ruins (Wound) and declines.
    2. Seat 1 draws the Necromancer and plays it: only the Expedition lies there. As its hand is the Legacy, no
       exchange is offered.
    3. Seat 2 draws the Saint and plays her.     4. Seat 3 draws a Wound and plays it.
    5. Seat 0 draws the Prophet and plays it: deck (Curse), ruins (Wound).
    6. Seat 1 draws the Curse and plays it on seat 2, naming 8: a Curse, seat 2 is out and discards it. The Saint is
       turned face down: seat 2 is back with the Guardian, and its turn is next.
    7. Seat 2 draws an Expedition and plays it: it exchanges its Guardian for the top of the deck, False Information.
    8. Seat 3 draws the Guardian and plays it on seat 2: False Information, nothing happens.
    9. Seat 0 draws a Curse and plays its False Information: it buries the face-down Saint; the ruins become Saint,
       Wound.
    10. Seat 1 draws the last card, a Wound, and plays it. The Saint's return took a card: there is no turn 11.
    Speeds 8, 5, 6, 7. Seat 1 acts first, at 5, with the Garden itself: it reveals its own hand and has found it.
    """
    table = play(
        ["false_information", "the_flying_garden", "curse", "expedition"],
        "wound",
        "expedition necromancer saint wound prophet curse guardian expedition false_information curse wound",
        [["drawn, ruins 0, no"], ["drawn"], ["drawn"], ["drawn"], ["drawn, deck"], ["drawn, 8, hand 2"]],
    )
    assert table.result == "next 2"
    assert table.rows[2] == "(saint) curse"
    for turn in ["drawn, deck, yes", "drawn, hand 2", "held, row 2.0", "drawn"]:
        table.turn(*turn.split(", "), orders=[(1, 0)] if turn.endswith("2.0") else [])
    assert table.ruins == "saint wound"
    assert table.rows == ["expedition prophet false_information", "necromancer curse wound", "curse expedition",
                          "wound guardian"]  # fmt: skip
    table.turn("hand 1")
    assert table.table.outcome == Outcome(WAY_FOUND, 1, 5, 10)
