"""Kept answers: what a kept exploration answers, from its counts alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.studies.families import LEGAL, Family
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer
from lostlegacy_sim.studies.kept_looks import Exploration
from lostlegacy_sim.studies.mixes import MixesAnswer
from lostlegacy_sim.studies.sweep import Group, SweepAnswer
from lostlegacy_sim.studies.sweep_file import Point

Answer: TypeAlias = MixesAnswer | GuidelinesAnswer | SweepAnswer


def answer_of(exploration: Exploration) -> Answer:
    """The answer as it was printed when it was played. Raises ResultError if the pieces do not fit together."""
    families: dict[str, Callable[[Exploration], Answer]] = {"mixes": mixes_of, "guidelines": guidelines_of, "sweep": sweep_of}
    if exploration.family not in families:
        raise ResultError(f"This exploration is of the family '{exploration.family[:40]}', which this version does not know.")
    try:
        return families[exploration.family](exploration)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ResultError("This exploration is damaged: what its manifest says does not match its counts.") from None


def mixes_of(exploration: Exploration) -> MixesAnswer:
    """Best, worst and effects of the mixes."""
    return MixesAnswer(exploration.looks["first"], exploration.looks.get("second"), exploration.facts["top"])


def guidelines_of(exploration: Exploration) -> GuidelinesAnswer:
    """Families against the legal mixes."""
    look = exploration.looks["first"]
    by_id = {card_set.id: card_set for card_set in look.sets}
    legal = tuple(by_id[name] for name in exploration.facts[LEGAL])
    if len(legal) % 2:
        raise ValueError("a legal mix without its mirror image")
    return GuidelinesAnswer(look, legal, tuple(family_of(plain, by_id, len(legal)) for plain in exploration.facts["families"]))


def family_of(plain: Mapping[str, Any], by_id: Mapping[str, CardSet], n_legal: int) -> Family:
    """A family of a manifest. Raises KeyError or ValueError."""
    members, bases = tuple(by_id[name] for name in plain["members"]), plain["bases"]
    if bases and (len(bases) != len(members) or max(bases) >= n_legal):
        raise ValueError("members without a base")
    return Family(plain["name"], plain["about"], plain["breaks"], members, bases)


def sweep_of(exploration: Exploration) -> SweepAnswer:
    """The groups of a sweep."""
    values = [tuple(point.items()) for point in exploration.facts["points"]]
    if len({tuple(point) for point in exploration.facts["points"]}) != 1:
        raise ValueError("points of different lines")
    groups = []
    number = 1
    while (first := exploration.looks.get(f"first-{number}")) is not None:
        points = tuple(Point(card_set, named) for card_set, named in zip(first.sets, values, strict=True))
        groups.append(Group(first, exploration.looks.get(f"second-{number}"), points))
        number += 1
    if not groups:
        raise ValueError("a sweep without looks")
    return SweepAnswer(tuple(groups))
