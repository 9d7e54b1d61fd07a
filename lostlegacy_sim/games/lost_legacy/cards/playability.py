"""What a set must have to be played: one Legacy, enough cards, and steps that can be carried out.

The card reader has checked every word; here it is checked that the words make sense together. The
kernel and the reference rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lostlegacy_sim.cardset import Card, CardSet, Step
from lostlegacy_sim.errors import SetError
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_SEATS
from lostlegacy_sim.letters import command_line

MIN_SEATS = 2
SMALL_SET = 16  # a set of at most so many cards seats at most SMALL_SEATS
SMALL_SEATS = 4


def seats(card_set: CardSet) -> tuple[int, ...]:
    """The numbers of players a set can be played with."""
    most = SMALL_SEATS if card_set.n_cards <= SMALL_SET else MAX_SEATS
    return tuple(n for n in range(MIN_SEATS, most + 1) if n + 2 <= card_set.n_cards)


def check_playable(card_set: CardSet, where: str) -> None:
    """Raises SetError with the first of the problems; `where` names the set in it."""
    found = problems(card_set, where)
    if found:
        more = len(found) - 1
        rest = f" ({more} more: `{command_line('llsim', 'validate', Path(where))}` lists all.)" if more else ""
        raise SetError(found[0] + rest)


def check_seats(card_set: CardSet, n_seats: int) -> None:
    """Raises SetError if the set cannot be played by so many players."""
    if not MIN_SEATS <= n_seats <= MAX_SEATS:
        raise SetError(f"Lost Legacy is for {MIN_SEATS} to {MAX_SEATS} players, not {n_seats}.")
    n_cards = card_set.n_cards
    if n_cards < n_seats + 2:
        raise SetError(f"{card_set.name} has {n_cards} cards; {n_seats} players need at least {n_seats + 2}. "
                       "Add cards, or seat fewer players.")  # fmt: skip
    if n_seats not in seats(card_set):
        raise SetError(f"{card_set.name} has {n_cards} cards; {n_seats} players need more than {SMALL_SET}. "
                       f"Seat at most {SMALL_SEATS}, or play `--set megamix`.")  # fmt: skip


def problems(card_set: CardSet, where: str) -> list[str]:
    """All that keeps a set from being played, a sentence each; [] if it is playable."""
    found = [f"{where}: {sentence}" for sentence in _set_problems(card_set)]
    for card in card_set.cards:
        here = f"{where}: card '{card.id}'"
        found += [f"{here}: {sentence}" for sentence in _card_problems(card)]
        for trigger, steps in card.steps:
            rows = sorted([*_step_problems(trigger, steps), *_theft_problems(steps)])
            found += [f"{here}, {trigger} step {number}: {sentence}" for number, sentence in rows]
    return found


def _set_problems(card_set: CardSet) -> Iterator[str]:
    legacies = [card.id for card in card_set.cards if card.flag("legacy")]
    if not legacies:
        yield "no card is the Lost Legacy; write legacy = true on one."
    elif len(legacies) > 1:
        yield f"{len(legacies)} kinds are Lost Legacies ({', '.join(legacies)}); leave legacy = true on one."
    unplayable = [card for card in card_set.cards if not card.flag("playable")]
    if sum(card.copies for card in unplayable) > 1:
        names = ", ".join(f"{card.copies} x {card.id}" for card in unplayable)
        yield f"a hand of two unplayable cards could not play ({names}); leave playable = false on one card at most."
    if card_set.n_cards < MIN_SEATS + 2:
        yield f"too few cards ({card_set.n_cards}); {MIN_SEATS} players need at least {MIN_SEATS + 2}. Raise some `copies`."
    again = [card.id for card in card_set.cards if _comes_back_from_deck(card)]
    fatal = [card.id for card in card_set.cards if card.flag("counts") == "always"]
    if again and fatal:
        yield (f"{again[0]} can bring its owner back again and again from the deck, and {fatal[0]} can put it out each time "
               f'(L15): one elimination would never end; write counts = "on_landing", or let {again[0]} flip.')  # fmt: skip


def _comes_back_from_deck(card: Card) -> bool:
    """Whether the card goes into the deck and then brings its owner back, perhaps with itself."""
    steps = card.on("out")
    return any(_moves_itself(step) and step["to"] == "deck" for step in steps) and any(step.do == "return" for step in steps)


def _card_problems(card: Card) -> Iterator[str]:
    if card.flag("legacy"):
        if card.copies > 1:
            yield f"{card.copies} copies of the Lost Legacy; there is only one: copies = 1."
        if not any(_moves_itself(step) for step in card.on("eliminated")):
            yield ('a Lost Legacy never lies in a discard row (L13), so it must say where it goes: '
                   'eliminated = [{ do = "move", card = "self", to = "deck" }, { do = "shuffle", zone = "deck" }].')  # fmt: skip
        if card.flag("playable") and not (card.on("play") and _moves_itself(card.on("play")[0])):
            yield ('a Lost Legacy never lies in a discard row (L13); write playable = false, or begin with '
                   'play = [{ do = "move", card = "self", to = "ruins" }].')  # fmt: skip
    elif card.flag("into_row") != "refused":
        yield "into_row speaks of a Lost Legacy; write it on the card with legacy = true."
    if not card.flag("playable") and card.on("play"):
        yield "it has a `play` effect but playable = false; drop one of the two."
    if card.flag("from_hand") and not card.on("out"):
        yield "from_hand speaks of an `out` trigger, and it has none (L25)."
    if card.flag("counts") != "on_landing" and not card.on("row"):
        yield "counts speaks of a `row` trigger, and it has none (L15)."


def _moves_itself(step: Step) -> bool:
    return step.do == "move" and step["card"] == "self"


def _step_problems(trigger: str, steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    if trigger == "play":
        yield from _play_problems(steps)
        return
    left = False  # an `out` card that has turned over or moved away
    for number, step in enumerate(steps, 1):
        if step.do == "shuffle" and step["may"]:
            yield number, "may asks a seat, and only a `play` effect can ask; drop may."
        elif step.do == "move" and step["card"] == "focus":
            yield number, f'under `{trigger}` no card is in focus; write card = "self".'
        elif step.do == "eliminate":
            yield from ((number, sentence) for sentence in _elimination_problems(trigger, step))
        elif step.do == "return" and not left:
            yield number, 'the card would bring its owner back for ever; put { do = "flip" } before it.'
        left = left or step.do == "flip" or _moves_itself(step)


def _elimination_problems(trigger: str, step: Step) -> Iterator[str]:
    allowed = ("owner",) if trigger == "row" else ("owner", "looker")
    if step["who"] not in allowed:
        yield f'who = "{step["who"]}" cannot stand under `{trigger}`, only {" or ".join(allowed)}.'
    if step["if"] != "always":
        yield f"if speaks of the card in focus, and under `{trigger}` none is; drop it."
    if step["copies"] > 1 and trigger != "row":
        yield "copies counts face-up cards in a row and stands under `row` only; drop it."


def _play_problems(steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    focus: tuple[str, ...] = ()  # where the card in focus may lie; () none
    named = False
    for number, step in enumerate(steps, 1):
        for sentence in _one_play_problem(step, focus, named):
            yield number, sentence
        if step.do in ("look", "choose"):
            focus = step["at"]
        elif step.do in ("exchange", "move", "shuffle"):
            focus = ()
        named = named or step.do == "name"


def _one_play_problem(step: Step, focus: tuple[str, ...], named: bool) -> Iterator[str]:
    words = dict(step.words)
    condition = words.get("if", "always")
    on_hand = step.do in ("discard", "take_hand") or (step.do == "eliminate" and words["who"] == "owner")
    on_focus = step.do in ("exchange", "win") or (step.do == "move" and words["card"] == "focus")
    if step.do == "choose" and len(words["at"]) > 1:
        yield 'at = ["rows", "whole_row"]: choose one card or a whole row, not both.'
    if words.get("copies", 1) > 1:
        yield "copies counts face-up cards in a row and stands under `row` only; drop it."
    if condition == "named" and not named:
        yield 'if = "named", but no speed is named before; put { do = "name" } first.'
    if not focus and (on_hand or on_focus or condition != "always"):
        yield f"'{step.do}' speaks of the card in focus, but none is; put a look or a choose before it (exchange, move and shuffle end the focus)."
    elif on_hand and "hands" not in focus:
        yield f"'{step.do}' speaks of a seat whose hand was looked at; put a look at hands before it."
    elif focus and step.do == "move" and on_focus and "hands" in focus:
        yield "a hand card cannot be moved away, the hand would be empty; look at ruins or deck, or choose rows."
    elif "whole_row" in focus and (step.do in ("exchange", "win") or condition != "always"):
        yield f"'{step.do}' speaks of one card, but a whole row is in focus; choose at = [\"rows\"] instead."


def _theft_problems(steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """discard, take_hand and eliminate stand together only, so that no seat is left without a card (S5)."""
    for number, step in enumerate(steps, 1):
        if step.do == "discard":
            who = step["who"]
            other = "looker" if who == "owner" else "owner"
            taken, out = (*steps[number : number + 2], None, None)[:2]
            if taken is None or taken.do != "take_hand" or (taken["who"], taken["from"]) != (who, other):
                yield number, f'a discard leaves the hand empty; let {{ do = "take_hand", who = "{who}", from = "{other}" }} follow.'
            elif out is None or out.do != "eliminate" or (out["who"], out["if"], out["copies"]) != (other, "always", 1):
                yield number + 1, f'take_hand leaves the other hand empty; let {{ do = "eliminate", who = "{other}" }} follow.'
        elif step.do == "take_hand" and (number == 1 or steps[number - 2].do != "discard"):
            yield number, f'take_hand needs an empty hand; put {{ do = "discard", who = "{step["who"]}" }} before it.'
