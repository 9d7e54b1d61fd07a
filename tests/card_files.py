"""Random card files for tests: every verb, trigger, flag, condition and switch turns up, all of them playable.

`random_card_set(random.Random(seed))` is the same set for the same seed. About half of the kinds are printed
ones, so that known and invented cards meet.
"""

from functools import cache
from random import Random

import lostlegacy_sim.games.lost_legacy.vocabulary as words
from lostlegacy_sim.cardset import Card, CardSet, parse_set
from lostlegacy_sim.games.lost_legacy.cards.composition import printed

SIZES = ((6, 9), (8, 16), (10, 20), (10, 20), (17, 32), (32, 48))  # from, to: small sets are met more often
Words = dict[str, object]


@cache
def printed_cards() -> tuple[Card, ...]:
    """All printed kinds that are no Lost Legacy, Recall included."""
    cards = [card for name in ("starship", "flying-garden") for card in printed(name).cards]
    cards.append(next(card for card in printed("flying-garden-recall").cards if card.id == "recall"))
    return tuple(card for card in cards if not card.flag("legacy"))


def random_card_set(rng: Random) -> CardSet:
    """A playable set of 6-48 cards; deterministic by the state of `rng`."""
    return parse_set(random_card_file(rng), words.VOCABULARY, where="random.toml")


def random_card_file(rng: Random) -> str:
    """The text of a playable card file."""
    n_cards = rng.randint(*rng.choice(SIZES))
    legacy = _legacy(rng)
    cards = [legacy]
    n_kinds = rng.randint(3, min(words.MAX_KINDS - 2, n_cards - 2, 12 if n_cards < 30 else words.MAX_KINDS))
    share_printed = rng.choice((0.0, 0.5, 0.5, 0.8))
    shuffled = rng.sample(printed_cards(), len(printed_cards()))
    for number in range(1, n_kinds + 1):
        if shuffled and rng.random() < share_printed:
            cards.append(_as_printed(shuffled.pop()))
        else:
            cards.append(_invented(rng, f"invented_{number}"))
    if legacy.get("playable", True) and rng.random() < 0.2:
        cards.append({**_invented(rng, "unplayable"), "playable": False, "play": []})
    fixed = [card for card in cards if not card.get("playable", True) or card.get("legacy")]
    others = [card for card in cards if card not in fixed]
    for _ in range(n_cards - len(cards)):
        card = rng.choice(others)
        card["copies"] = int(str(card.get("copies", 1))) + 1
    rng.shuffle(cards)
    switch = "investigate_rows = true\n" if rng.random() < 0.35 else ""
    return f'id = "random"\nname = "Random"\n{switch}\n' + "\n".join(_card_text(card) for card in cards)


# --- kinds --------------------------------------------------------------------------------------------


def _as_printed(card: Card) -> Words:
    entry: Words = {"id": card.id, "speed": "X" if card.speed == words.X else card.speed}
    for trigger, steps in card.steps:
        entry[trigger] = [{"do": step.do, **dict(step.words)} for step in steps]
    return entry


def _legacy(rng: Random) -> Words:
    """The Lost Legacy: somewhere it goes when eliminated; unplayable, or moving away first when played."""
    pile = rng.choice(("ruins", "deck"))
    eliminated: list[Words] = [_move("self", pile)]
    if rng.random() < 0.75:
        eliminated.append({"do": "shuffle", "zone": rng.choice((pile, pile, _pile(rng)))})
    if rng.random() < 0.1:
        eliminated.insert(0, {"do": "shuffle", "zone": _pile(rng)})
    entry: Words = {"id": "legacy", "speed": rng.choice((5, 5, 5, rng.randint(1, 8), "X")), "legacy": True,
                    "eliminated": eliminated}  # fmt: skip
    if rng.random() < 0.5:
        entry["playable"] = False
    else:
        entry["play"] = [_move("self", _pile(rng)), *_play(rng, rng.choice((0, 1, 1, 3)))]
    if rng.random() < 0.4:
        entry["into_row"] = "as_eliminated"
    if rng.random() < 0.15:
        entry["seen"] = _seen(rng)
    return entry


def _invented(rng: Random, card_id: str) -> Words:
    """A kind with a few random triggers."""
    entry: Words = {"id": card_id, "speed": rng.choice((*range(1, 9), "X", "X"))}
    if rng.random() < 0.75:
        entry["play"] = _play(rng, rng.choice((1, 2, 2, 3, 3, 4, 6)))
    if rng.random() < 0.25:
        entry["seen"] = _seen(rng)
    if rng.random() < 0.3:
        entry["row"] = _row(rng)
        if rng.random() < 0.5:
            entry["counts"] = "always"
    if rng.random() < 0.25:
        entry["out"] = _out(rng)
        if rng.random() < 0.5:
            entry["from_hand"] = True
    if rng.random() < 0.15:
        entry["eliminated"] = _eliminated(rng)
    return entry


# --- steps --------------------------------------------------------------------------------------------


def _pile(rng: Random) -> str:
    return rng.choice(("ruins", "deck"))


def _move(card: str, to: str) -> Words:
    return {"do": "move", "card": card, "to": to}


def _theft(taker: str, giver: str) -> list[Words]:
    """A discard, the taking and the elimination stand together, so that no seat is left without a card."""
    return [
        {"do": "discard", "who": taker},
        {"do": "take_hand", "who": taker, "from": giver},
        {"do": "eliminate", "who": giver},
    ]


def _play(rng: Random, n_steps: int) -> list[Words]:
    """At least `n_steps` steps, of which each makes sense after those before it; a theft may add two."""
    steps: list[Words] = []
    focus: tuple[str, ...] = ()
    named = False
    while len(steps) < n_steps:
        made = _play_step(rng, focus, named)
        steps += made
        verb = made[-1]["do"]
        named = named or verb == "name"
        if verb in ("look", "choose"):
            focus = tuple(str(place) for place in made[-1]["at"])  # type: ignore[attr-defined]
        elif verb in ("exchange", "move", "shuffle"):
            focus = ()
    return steps


def _play_step(rng: Random, focus: tuple[str, ...], named: bool) -> list[Words]:
    """One step that may stand here (three for a theft)."""
    one_card = bool(focus) and focus != ("whole_row",)
    verbs = ["look", "look", "choose", "name", "shuffle", "move_self", "eliminate"] if not focus else ["look", "name"]
    if one_card:
        verbs += ["exchange", "exchange", "exchange", "win", "eliminate", "eliminate"]
    if focus and "hands" not in focus:
        verbs += ["move", "move", "move"]
    if "hands" in focus:
        verbs += ["theft"]
    verb = rng.choice(verbs)
    if verb == "look":
        at = rng.sample(("hands", "ruins", "deck"), rng.choice((1, 1, 2, 3)))
        cancels = rng.choice(("nothing", "nothing", "nothing", "x"))
        return [{"do": "look", "at": at, "cards": rng.choice((1, 1, 1, 2)), "cancels": cancels}]
    if verb == "choose":
        return [{"do": "choose", "at": [rng.choice(("rows", "rows", "whole_row"))]}]
    if verb == "name":
        return [{"do": "name"}]
    if verb == "exchange":
        return [{"do": "exchange", "may": rng.random() < 0.7}]
    if verb == "shuffle":
        return [{"do": "shuffle", "zone": _pile(rng), "may": rng.random() < 0.5}]
    if verb in ("move", "move_self"):
        return [_move("focus" if verb == "move" else "self", _pile(rng))]
    if verb == "theft":
        return _theft(*rng.sample(("owner", "looker"), 2))
    conditions = ["always", *(["x", "legacy", *(["named"] * 3 if named else [])] if one_card else [])]
    if verb == "win":
        return [{"do": "win", "if": rng.choice([*conditions, "legacy", "legacy"])}]
    who = rng.choice(["looker", "others", "everyone", *(["owner"] * 4 if "hands" in focus else [])])
    condition = rng.choice(conditions)
    if condition == "always" and rng.random() < 0.7:  # cards that always kill end most deals at once
        return [{"do": "name"}]
    return [{"do": "eliminate", "who": who, "if": condition}]


def _seen(rng: Random) -> list[Words]:
    steps: list[Words] = [{"do": "shuffle", "zone": _pile(rng)}] if rng.random() < 0.3 else []
    kind = rng.randrange(5)
    if kind < 2:
        steps += _theft(*(("owner", "looker") if kind else rng.sample(("owner", "looker"), 2)))
    elif kind < 4:
        steps.append({"do": "eliminate", "who": ("owner", "looker")[kind - 2]})
    return steps or [{"do": "shuffle", "zone": _pile(rng)}]


def _row(rng: Random) -> list[Words]:
    steps: list[Words] = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        steps.append(rng.choice((
            {"do": "eliminate", "who": "owner", "copies": rng.choice((1, 2, 2, 2, 3))},
            {"do": "eliminate", "who": "owner", "copies": 2},
            _move("self", _pile(rng)),
            {"do": "shuffle", "zone": _pile(rng)},
            {"do": "flip"},
        )))  # fmt: skip
    return steps


def _out(rng: Random) -> list[Words]:
    """What protects, or only leaves. A card that went onto the deck may not bring back: it could be drawn for ever."""
    shuffle: Words = {"do": "shuffle", "zone": _pile(rng)}
    return rng.choice((
        [{"do": "flip"}, {"do": "return"}],
        [{"do": "flip"}, {"do": "return"}, shuffle],
        [shuffle, {"do": "flip"}, {"do": "return"}],
        [_move("self", "ruins"), {"do": "return"}],
        [_move("self", "ruins"), {"do": "shuffle", "zone": "ruins"}, {"do": "return"}],
        [_move("self", _pile(rng)), shuffle],
        [{"do": "flip"}],
        [{"do": "flip"}, _move("self", _pile(rng))],
    ))  # fmt: skip


def _eliminated(rng: Random) -> list[Words]:
    pile = _pile(rng)
    return rng.choice((
        [_move("self", pile)],
        [_move("self", pile), {"do": "shuffle", "zone": pile}],
        [{"do": "shuffle", "zone": pile}],
        [{"do": "shuffle", "zone": pile}, _move("self", pile), _move("self", pile)],
    ))  # fmt: skip


# --- text ---------------------------------------------------------------------------------------------


def _card_text(card: Words) -> str:
    lines = ["[[card]]"]
    lines += [f"{word} = {_value(value)}" for word, value in card.items() if value != []]
    return "\n".join(lines) + "\n"


def stones(name: str, does: str = "") -> str:
    """The card file of fifteen stones, which do nothing or this, and a Legacy that is moved to the ruins when it is eliminated."""
    return f'''id = "{name}"
name = "{name.capitalize()}"
[[card]]
id = "stone"
name = "Stone"
speed = 6
copies = 15
{does}[[card]]
id = "legacy"
name = "Legacy"
speed = 5
copies = 1
legacy = true
playable = false
eliminated = [{{ do = "move", card = "self", to = "ruins" }}]
'''


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{word} = {_value(item)}" for word, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
