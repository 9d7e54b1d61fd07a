"""Levels: whether what is said of a set holds however well it is played, rung by rung of a ladder of bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lostlegacy_sim import claims as said
from lostlegacy_sim import sentences
from lostlegacy_sim.estimate import CONFIDENCE, plain_number
from lostlegacy_sim.stats.differences import Difference
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.verdicts import EQUIVALENT, SAME, UNDECIDED, judge

EVEN = (EQUIVALENT, SAME)  # words that take no side


@dataclass(frozen=True)
class Level:
    """What one rung says of a headline."""

    bot: str
    interval: Interval
    word: str  # what is certain, or undecided


@dataclass(frozen=True)
class Headline:
    """One thing that is said of a set, by every rung from the weakest bot to the strongest."""

    name: str
    unit: str  # "difference" (of rates, shown in points) or that of a measure
    levels: tuple[Level, ...]

    @property
    def told(self) -> list[tuple[int, str]]:
        """The rungs, from 1, that say something certain, and what."""
        return [(rung, level.word) for rung, level in enumerate(self.levels, 1) if level.word != UNDECIDED]

    @property
    def undecided(self) -> list[int]:
        """The rungs, from 1, that cannot tell."""
        return [rung for rung, level in enumerate(self.levels, 1) if level.word == UNDECIDED]

    @property
    def flips_at(self) -> int:
        """The first rung, from 1, that certainly says something else than one below it; 0 if there is none."""
        sided = [(rung, word) for rung, word in self.told if word not in EVEN]
        return next((rung for (_, before), (rung, word) in pairwise(sided) if word != before), 0)

    @property
    def holds(self) -> bool:
        """Whether all rungs say the same for certain."""
        return not self.undecided and len({word for _, word in self.told}) == 1

    @property
    def verdict(self) -> said.Claim:
        """All of this in words."""
        if not self.told:
            return sentences.HEADLINE_UNDECIDED.say()
        if self.flips_at:
            return sentences.HEADLINE_FLIPS.say(rung=self.flips_at, bot=self.levels[self.flips_at - 1].bot)
        if self.holds:
            return sentences.HEADLINE_HOLDS.say()
        words = {word for _, word in self.told}
        if len(words) > 1:  # a difference at some rungs, none that matters at others
            return sentences.HEADLINE_SOME.say()
        return sentences.HEADLINE_WHERE_TOLD.say(rungs=rungs_in_words(self.undecided))

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        levels = []
        for level in self.levels:
            value, low, high = map(plain_number, level.interval)
            levels.append({"bot": level.bot, "value": value, "low": low, "high": high, "word": level.word})
        return {"headline": self.name, "unit": self.unit, "verdict": self.verdict, "holds": self.holds,
                "flips_at": self.flips_at or None, "levels": levels}  # fmt: skip


def rungs_in_words(rungs: Sequence[int]) -> str:
    """Numbers of rungs: "rung 2", "rungs 1 and 3"."""
    numbers = list(map(str, rungs))
    return f"rung {numbers[0]}" if len(numbers) == 1 else f"rungs {', '.join(numbers[:-1])} and {numbers[-1]}"


@dataclass(frozen=True)
class Claim:
    """A headline to be judged: a difference from nought at every rung, and what it is called above and below it."""

    name: str
    differences: tuple[Difference, ...]  # one a rung
    words: tuple[tuple[str, str], ...]  # one a rung: above, below
    unit: str = "difference"


def judged(claims: Sequence[Claim], rungs: Sequence[str]) -> list[Headline]:
    """All claims at all rungs as one family, adjusted by Holm."""
    verdicts = iter(judge([one for claim in claims for one in claim.differences], confidence=CONFIDENCE))
    found = []
    for claim in claims:
        levels = []
        for bot, (above, below) in zip(rungs, claim.words, strict=True):
            verdict = next(verdicts)
            word = {"better": above, "worse": below}.get(verdict.word, verdict.word)
            levels.append(Level(bot, verdict.interval, word))
        found.append(Headline(claim.name, claim.unit, tuple(levels)))
    return found
