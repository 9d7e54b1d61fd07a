"""The three tables of the rules page (section 7), complete: who sees what, ways out x Saint x deck, options of questions."""

import pytest
from situations import lay

# --- looker x seen hand card --------------------------------------------------------------------------
# t out: the target is out; l out: the looker is out, and the target has discarded the trap and holds the
# looker's card; x?: may exchange; -: seen, nothing more.

SEEN = """
                   Thief  Swordsman  Assault  Guardian  right  wrong
sister_of_fate     t_out  t_out      t_out    t_out     t_out  t_out
sneak_attack       l_out  t_out      l_out    l_out     .      l_out
wound              -      t_out      x?       -         .      -
the_starship       WIN    -          x?       deck      deck   -
the_flying_garden  WIN    -          x?       ruins     ruins  -
general            -      -          x?       -         t_out  -
shadow_thief       -      -          x?       -         t_out  -
swordsman          -      -          x?       -         t_out  -
ancient_map        -      -          x?       -         t_out  -
search             -      -          x?       -         t_out  -
assault            -      -          x?       -         t_out  -
saint              -      -          x?       -         t_out  -
necromancer        -      -          x?       -         t_out  -
guardian           -      -          x?       -         t_out  -
prophet            -      -          x?       -         t_out  -
recall             -      -          x?       -         t_out  -
false_information  -      -          x?       -         t_out  -
expedition         -      -          x?       -         t_out  -
curse              -      -          x?       -         t_out  -
"""
LOOKERS = ("shadow_thief", "swordsman", "assault", "guardian", "curse", "curse")


def seen_cells():
    """Looker, whether the named speed is right, seen card, what happens."""
    for line in SEEN.split("\n")[2:-1]:
        seen, *cells = line.split()
        for looker, right, cell in zip(LOOKERS, (None, None, None, None, True, False), cells, strict=True):
            if cell != ".":
                yield pytest.param(looker, right, seen, cell, id=f"{looker}-{seen}" + ("-right" if right else ""))


@pytest.mark.parametrize(("looker", "right", "seen", "cell"), list(seen_cells()))
def test_what_a_looker_does_to_the_card_it_sees(looker, right, seen, cell):
    table = lay(hands=[looker, seen, "search"], deck="wound curse prophet", ruins="general", rows=["", "expedition"])
    speed = table.table.printed.speed[table.kind(seen)]
    named = [] if right is None else [str(speed if right else speed % 8 + 1)]
    exchange = ["yes"] if cell == "x?" else []
    table.turn("held", *named, "hand 1", *exchange)
    out = {"t_out": [1], "deck": [1], "ruins": [1], "l_out": [0]}.get(cell, [])
    assert [seat for seat in range(3) if seat not in table.in_game] == out
    assert (table.result == "seen 0") == (cell == "WIN")
    if cell == "t_out":
        assert table.rows[1] == f"expedition {seen}"
    elif cell == "l_out":
        assert table.rows[1] == f"expedition {seen}"
        assert table.hands == ["", "wound", "search"]
        assert table.rows[0] == looker
    elif cell in ("deck", "ruins"):
        assert table.rows[1] == "expedition"
        assert seen in (table.deck if cell == "deck" else table.ruins)
        assert [shuffle.zone for shuffle in table.shuffles] == [cell]
    elif cell == "x?":
        assert table.hands == [seen, "wound", "search"]
    else:
        assert table.hands == ["wound", seen, "search"]


# --- ways out x Saint x deck --------------------------------------------------------------------------
# Seat 0 is on turn; 2s, 3s: seats in the game before; d0-d2: cards in the deck after the draw. B: back with a
# card (B*: it may be the Starship just shuffled in); n2: seat 2's turn next; inv: investigation; w0: seat 0 wins.

BY_OTHERS = """
none  w0     w0    w0    inv    n2    n2
up    w0     Binv  Bn1   inv    Binv  Bn1
"""
BY_ITSELF = """
none  w1     w1    w1    inv    n1    n1
up    w1     Binv  Bn1   inv    Binv  Bn1
"""
STARSHIP_OF_ANOTHER = """
none  w0     w0    w0    n2     n2    n2
up    B*inv  B*n1  B*n1  B*inv  B*n1  B*n1
"""
STARSHIP_OF_ITS_OWN = """
none  w1     w1    w1    n1     n1    n1
up    B*inv  B*n1  B*n1  B*inv  B*n1  B*n1
"""
# way: (table of results, victim, hand of seat 0, card drawn and, hand of seat 1, rows, card played and answers).
# TARGET is left out with two seats, where it is forced.
WAYS = {
    "sister seen": (BY_OTHERS, 1, "assault", "general", "sister_of_fate", ["", ""], ["held", "TARGET"]),
    "swordsman on x": (BY_OTHERS, 1, "swordsman", "general", "wound", ["", ""], ["held", "TARGET"]),
    "curse": (BY_OTHERS, 1, "curse", "general", "prophet", ["", ""], ["held", "4", "TARGET"]),
    "guardian on the garden": (BY_OTHERS, 1, "guardian", "general", "the_flying_garden", ["", ""], ["held", "TARGET"]),
    "necromancer lays the 2nd wound into another row": (
        BY_OTHERS, 1, "necromancer", "wound", "prophet", ["", "wound curse"], ["held", "row 1.1", "yes"]),
    "sneak attack": (BY_ITSELF, 0, "assault", "general", "sneak_attack", ["", ""], ["held", "TARGET"]),
    "2nd wound played": (BY_ITSELF, 0, "wound", "general", "prophet", ["wound", ""], ["held"]),
    "necromancer lays the 2nd wound into the own row": (
        BY_ITSELF, 0, "necromancer", "wound", "prophet", ["wound curse", ""], ["held", "row 0.1", "yes"]),
    "guardian on the starship": (
        STARSHIP_OF_ANOTHER, 1, "guardian", "general", "the_starship", ["", ""], ["held", "TARGET"]),
    "curse on the starship": (
        STARSHIP_OF_ANOTHER, 1, "curse", "general", "the_starship", ["", ""], ["held", "5", "TARGET"]),
    "2nd wound played with the starship": (
        STARSHIP_OF_ITS_OWN, 0, "the_starship", "wound", "prophet", ["wound", ""], []),
}  # fmt: skip


def out_cells():
    """Way out, state of the Saint, seats, cards in the deck, result."""
    for way, (results, *_) in WAYS.items():
        for line in results.strip().split("\n"):
            saint, *cells = line.split()
            for state in ("none", "down") if saint == "none" else ("up",):
                for number, cell in enumerate(cells):
                    n_seats, depth = 2 + number // 3, number % 3
                    yield pytest.param(way, state, n_seats, depth, cell, id=f"{way}, Saint {state}, {n_seats}s d{depth}")


@pytest.mark.parametrize(("way", "saint", "n_seats", "depth", "cell"), list(out_cells()))
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_ways_out(way, saint, n_seats, depth, cell, turned):
    """Each cell twice: with shuffles that change nothing, and with shuffles that turn the pile round."""
    _, victim, hand, drawn, other, rows, words = WAYS[way]
    row = {"none": "", "down": " (saint)", "up": " saint"}[saint]
    rows = [rows[seat] + row * (seat == victim) for seat in (0, 1)]
    deck = " ".join([drawn, *["expedition", "search"][:depth]])
    table = lay(hands=[hand, other, "ancient_map"][:n_seats], deck=deck, ruins="false_information", rows=rows)
    answers = [word.replace("TARGET", "hand 1") for word in words if word != "TARGET" or n_seats > 2]
    pile = 2 if "garden" in way else depth + 1
    shuffled = ("starship" in way and depth > 0) or "garden" in way
    table.turn(*answers, orders=[range(pile)[::-1]] if turned and shuffled else [])

    expected = {"w0": "last 0", "w1": "last 1", "inv": "investigation"}.get(cell, f"next {cell[-1]}")
    if cell.startswith("B"):
        expected = "investigation" if cell.endswith("inv") else f"next {cell[-1]}"
    assert table.result == expected
    assert (victim in table.in_game) == cell.startswith("B")
    assert table.table.eliminations == 1
    if saint != "none":
        assert "(saint)" in table.rows[victim]
    if cell.startswith("B*"):
        top = "the_starship" if not turned or depth == 0 else ["expedition", "search"][depth - 1]
        assert table.hands[victim] == top
        assert ("the_starship" in table.deck) == (top != "the_starship")
    elif cell.startswith("B"):
        assert table.hands[victim] == "expedition"
    elif "the starship" in way:
        assert "the_starship" in table.deck
    if "garden" in way:
        assert "the_flying_garden" in table.ruins


# --- options of each question -------------------------------------------------------------------------
# 3 seats, 2 ruins cards, 3 cards in rows: normal; deck empty; no card in any row; two seats left. Numbers are the
# options of the questions after PLAY, where 1 is a forced choice and no question.

OPTIONS = """
general            2     .     2     2
ancient_map        2     2     2     2
search             2,2   2,2   2,2   2,2
shadow_thief       4     4     4     3
swordsman          2     2     2     .
guardian           2     2     2     .
assault            2,2   2,2   2,2   2
curse              8,2   8,2   8,2   8
necromancer        3,2   3,2   .     3,2
false_information  3     3     .     3
prophet            3,2   2     3,2   3,2
expedition         3,2   2,2   3,2   3,2
the_flying_garden  .     .     .     .
wound              .     .     .     .
saint              .     .     .     .
sister_of_fate     .     .     .     .
sneak_attack       .     .     .     .
"""
SITUATIONS = ("normal", "deck empty", "no card in any row", "two seats left")


def option_cells():
    """Kind, situation, numbers of options."""
    for line in OPTIONS.strip().split("\n"):
        kind, *cells = line.split()
        for situation, cell in zip(SITUATIONS, cells, strict=True):
            numbers = [] if cell == "." else [int(number) for number in cell.split(",")]
            yield pytest.param(kind, situation, numbers, id=f"{kind}, {situation}")


@pytest.mark.parametrize(("kind", "situation", "numbers"), list(option_cells()))
def test_options_of_each_question(kind, situation, numbers):
    table = lay(
        hands=[kind, "prophet", "" if situation == "two seats left" else "expedition"],
        deck="general" if situation == "deck empty" else "general assault search",
        ruins="ancient_map recall",
        rows=["", "", ""] if situation == "no card in any row" else ["curse", "general", "search"],
    )
    asked = []
    playing = table.table.go_on()
    question = next(playing)
    while True:
        try:
            if hasattr(question, "options"):
                asked.append(len(question.options))
                question = playing.send(question.options[0])
            else:
                question = playing.send(range(question.size))
        except StopIteration:
            break
    assert asked == [2, *numbers]
    assert table.in_game == ([0, 1] if situation == "two seats left" else [0, 1, 2])
