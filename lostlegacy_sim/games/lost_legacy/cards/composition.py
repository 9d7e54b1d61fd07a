"""The sets one can ask for: the printed ones, Megamix, mixes of two sets, and card files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path

from lostlegacy_sim.cardset import CardSet, make_set, parse_set, read_set
from lostlegacy_sim.errors import SetError, UsageError, nearest
from lostlegacy_sim.games import is_path
from lostlegacy_sim.games.lost_legacy.cards.playability import check_playable
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY, X, speed_word

PRINTED = ("starship", "flying-garden", "flying-garden-recall")
PAIR = ("starship", "flying-garden")  # the two sets a mix and Megamix are made of
SET_WORDS = (*PRINTED, "megamix", "custom")
SPEEDS = (*range(1, 9), X)


@cache
def printed(name: str) -> CardSet:
    """A printed set, one of PRINTED. Raises SetError naming the nearest."""
    if name not in PRINTED:
        raise SetError(f"There is no printed set '{name}'.{nearest(name, PRINTED)}")
    file = files(__package__) / "sets" / f"{name.replace('-', '_')}.toml"
    return parse_set(file.read_text(encoding="utf-8"), VOCABULARY, where=name)


def load_set(word: str, picks: Mapping[int, str] | None = None, seed: int = 1, keep: str = PAIR[0]) -> CardSet:
    """The playable set a word or the path of a card file stands for.

    `picks` (speed -> set) and `seed` complete "custom"; `keep` names the set whose Lost Legacy stays in
    "megamix". Raises SetError or UsageError, one sentence.
    """
    if picks and word != "custom":
        raise UsageError(f"--pick chooses cards of a custom set; write --set custom, not --set {word}.")
    if word == "custom":
        return draw_mix(seed, picks or {})
    if word == "megamix":
        return megamix(printed(PAIR[0]), printed(PAIR[1]), keep)
    card_set = open_set(word)
    check_playable(card_set, word)
    return card_set


def open_set(word: str) -> CardSet:
    """A printed set or the set of a card file, read but not yet known to be playable. Raises SetError."""
    if word in PRINTED:
        return printed(word)
    if is_path(word):
        return read_set(Path(word), VOCABULARY)
    raise SetError(f"There is no set '{word}'.{nearest(word, SET_WORDS)} A card file is named by its path, such as my.toml.")


def megamix(first: CardSet, second: CardSet, keep: str) -> CardSet:
    """All cards of two sets with one of their two Lost Legacies, that of the set `keep` (its id)."""
    ids = [first.id, second.id]
    if ids[0] == ids[1]:
        raise SetError(f"Megamix needs two sets with different ids, not '{ids[0]}' twice.")
    if keep not in ids:
        raise UsageError(f"--keep {keep}: no set of this Megamix.{nearest(keep, ids)}")
    cards = [card for card_set in (first, second) for card in card_set.cards
             if card_set.id == keep or not card.flag("legacy")]  # fmt: skip
    set_id = "megamix" if (*ids, keep) == (*PAIR, PAIR[0]) else f"megamix-keep-{keep}"
    mixed = make_set(set_id, f"Megamix of {first.name} and {second.name}", cards, like=first)
    check_playable(mixed, mixed.name)
    return mixed


# --- mixes: at every speed the cards of one of two sets ------------------------------------------------


def mix(picks: Mapping[int, str]) -> CardSet:
    """The set that has at each speed (1-8, 9 for X) the cards of the printed set picked for it.

    Every speed must be picked; two sets at most. All speeds from one set: that set itself.
    """
    missing = [speed_word(speed) for speed in SPEEDS if speed not in picks]
    if missing:
        raise UsageError(f"A mix needs a set for every speed; {', '.join(missing)} is not picked.")
    names = _pair_of(picks)
    if len(set(picks.values())) == 1:
        return printed(picks[1])
    cards = [card for name in names for card in printed(name).cards if picks[card.speed] == name]
    letters = "".join(picks[speed].removeprefix("flying-")[0] for speed in SPEEDS)
    edition = "-recall" if "flying-garden-recall" in names else ""
    set_id = f"mix-{letters}{edition}"
    return make_set(set_id, f"Custom mix {letters.upper()}{edition}", cards, like=printed(names[0]))


def all_mixes() -> Iterator[CardSet]:
    """The 512 mixes of the two printed sets, these two among them: all sets that keep the guidelines."""
    for choice in product(PAIR, repeat=len(SPEEDS)):
        yield mix(dict(zip(SPEEDS, choice, strict=True)))


def draw_mix(seed: int, picks: Mapping[int, str]) -> CardSet:
    """A mix drawn by the seed, every one with these picks being equally likely.

    Each speed has a bit of its own, so a pick changes nothing at the other speeds.
    """
    pair = _pair_of(picks)
    bits = int.from_bytes(hashlib.sha256(f"mix {seed}".encode()).digest(), "big")
    return mix({speed: picks.get(speed, pair[bits >> speed & 1]) for speed in SPEEDS})


def pick_line(card_set: CardSet) -> str:
    """The words for --pick that give this mix again: "1=starship,2=flying-garden,...,X=starship"."""
    picked = {card.speed: card.symbol for card in card_set.cards}
    line = ",".join(f"{speed_word(speed)}={picked.get(speed, 'none')}" for speed in SPEEDS)
    try:
        same = mix(parse_picks(line)).hash == card_set.hash
    except (SetError, UsageError):
        same = False
    if not same:
        raise SetError(f"{card_set.name} is no mix of printed sets; no --pick line gives it.")
    return line


def parse_picks(line: str) -> dict[int, str]:
    """The picks of a line such as "1=starship,x=flying-garden": speed -> set. Raises UsageError."""
    picks: dict[int, str] = {}
    for pick in filter(None, (part.strip() for part in line.split(","))):
        word, equals, name = (part.strip() for part in pick.partition("="))
        if not equals:
            raise UsageError(f"--pick {pick}: write speed=set, such as 1=starship or X=flying-garden.")
        speed = {speed_word(speed): speed for speed in SPEEDS}.get(word.upper())
        if speed is None:
            raise UsageError(f"--pick {pick}: there is no speed '{word}'; write a number from 1 to 8, or X.")
        if name not in PRINTED:
            raise UsageError(f"--pick {pick}: there is no set '{name}'.{nearest(name, PRINTED)}")
        if picks.setdefault(speed, name) != name:
            raise UsageError(f"--pick {pick}: speed {word.upper()} is already picked from {picks[speed]}; leave one.")
    _pair_of(picks)
    return picks


def _pair_of(picks: Mapping[int, str]) -> tuple[str, str]:
    """The two sets a mix with these picks is made of. The two Flying Gardens are one set in two versions."""
    for name in picks.values():
        if name not in PRINTED:
            raise UsageError(f"There is no printed set '{name}'.{nearest(name, PRINTED)}")
    gardens = sorted(set(picks.values()) - {"starship"})
    if len(gardens) > 1:
        raise UsageError(f"A mix takes cards of two sets; {gardens[0]} and {gardens[1]} are two versions of one. Leave one.")
    return (PAIR[0], gardens[0] if gardens else PAIR[1])
