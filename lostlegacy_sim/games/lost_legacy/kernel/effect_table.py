"""A checked CardSet -> the CARDS record that kernel and bots read, traits included."""

from __future__ import annotations

from typing import Any

import numpy as np

from lostlegacy_sim.cardset import Card, CardSet, Step
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.kernel.state import CARDS


def effect_table(card_set: CardSet) -> Any:
    """The CARDS record of a set; the steps of all kinds lie one after the other."""
    cards = np.zeros(1, CARDS)[0]
    slots = card_set.slots()
    cards["n_kinds"], cards["n_slots"] = len(card_set.cards), len(slots)
    cards["slot_kind"][: len(slots)] = slots
    cards["investigate_rows"] = card_set.rule("investigate_rows")
    row = 0
    for kind, card in enumerate(card_set.cards, 1):
        cards["speed"][kind], cards["copies"][kind] = card.speed, card.copies
        cards["share"][kind] = card.copies / max(1, sum(other.copies for other in card_set.cards if other.speed == card.speed))
        cards["traits"][kind] = traits(card)
        write_units(cards, kind)
        if card.flag("legacy"):
            cards["legacy"] = kind
        for trigger in words.TRIGGERS:
            steps = card.on(trigger.name)
            cards["first_step"][kind, trigger.number], cards["n_steps"][kind, trigger.number] = row, len(steps)
            if steps and trigger.number == words.ON_PLAY:
                cards["first_verb"][kind] = verb_number(steps[0])
            for step in steps:
                write_step(cards, row, step)
                row += 1
    return cards


def write_units(cards: Any, kind: int) -> None:
    """What one card of a kind adds to packed counts, and all its copies to their sums."""
    bits = int(cards["traits"][kind])
    cards["by_speed"][kind] = 1 << (6 * int(cards["speed"][kind]))
    dangers = (1, bits & words.LOOKS_HANDS, bits & words.TRAP, bits & words.FRAGILE)
    cards["by_danger"][kind] = sum(bool(danger) << (16 * place) for place, danger in enumerate(dangers))
    copies = np.uint64(cards["copies"][kind])
    cards["all_speeds"] += cards["by_speed"][kind] * copies
    cards["all_dangers"] += cards["by_danger"][kind] * copies


def verb_number(step: Step) -> int:
    """The number of a step's verb."""
    verb = words.VOCABULARY.verb(step.do)
    assert verb is not None
    return verb.number


def write_step(cards: Any, row: int, step: Step) -> None:
    """One step's words as numbers."""
    cards["verb"][row] = verb_number(step)
    given = dict(step.words)
    cards["at"][row] = sum(words.PLACES[place][0] for place in given.get("at", ()))
    cards["count"][row] = given.get("cards", given.get("copies", 1))
    cards["may"][row] = given.get("may", False)
    cards["who"][row] = words.WHO[given.get("who", "owner")][0]
    cards["to"][row] = words.ZONES[given.get("to", given.get("zone", "ruins"))][0]
    cards["condition"][row] = words.CONDITIONS[given.get("if", "always")][0]
    cards["cancels"][row] = given.get("cancels") == "x"
    cards["source"][row] = words.WHO[given["from"]][0] if "from" in given else words.CARD[given.get("card", "focus")][0]


def traits(card: Card) -> int:
    """What a kind does, as bits of the vocabulary, read off its steps and flags."""
    bits = 0
    play, seen, row = card.on("play"), card.on("seen"), card.on("row")
    for name, bit in (("legacy", words.LEGACY), ("from_hand", words.FROM_HAND)):
        bits |= bit if card.flag(name) else 0
    bits |= 0 if card.flag("playable") else words.UNPLAYABLE
    bits |= words.COUNTS_ALWAYS if card.flag("counts") == "always" and row else 0
    bits |= words.INTO_ROW_AS_ELIMINATED if card.flag("into_row") == "as_eliminated" else 0
    for step in seen:
        if step.do == "eliminate":
            bits |= words.TRAP if step["who"] == "looker" else words.FRAGILE
    bits |= words.STACKS if any(step.do == "eliminate" for step in row) else 0
    bits |= words.PROTECTS if any(step.do == "return" for step in card.on("out")) else 0
    for step in play:
        bits |= play_traits(step)
    return bits


def play_traits(step: Step) -> int:
    """What one step of a play effect says about its card."""
    bits = 0
    if step.do == "look":
        bits |= words.LOOKS_HANDS if "hands" in step["at"] else 0
        bits |= words.LOOKS_RUINS if "ruins" in step["at"] else 0
        bits |= words.LOOKS_DECK if "deck" in step["at"] else 0
        bits |= words.CANCELS_X if step["cancels"] == "x" else 0
    elif step.do == "eliminate" and step["who"] != "looker":
        bits |= words.KILLS
        bits |= words.KILLS_LEGACY if step["if"] == "legacy" else 0
        bits |= words.KILLS_X if step["if"] == "x" else 0
    elif step.do == "shuffle" and step["zone"] == "ruins":
        bits |= words.SHUFFLES_RUINS
    else:
        bits |= {"exchange": words.MOVES, "win": words.WINS, "name": words.NAMES}.get(step.do, 0)
    return bits
