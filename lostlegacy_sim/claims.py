"""Claims: what is said of results, each made by a sentence that states which computation warrants it.

Wherever a verdict is shown, a Claim is demanded and no bare text will do; and only a Sentence makes one. The sentences stand in
one table, `sentences.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import Formatter
from typing import Any


@dataclass(frozen=True)
class Sentence:
    """Something that may be said of results: its words, when it is said, and what computes that it may be."""

    id: str
    template: str  # {fields} are filled in by `say`
    when: str  # what must be so for it to be said, as it stands in the documentation
    warrant: str  # "module:name" of the computation, below lostlegacy_sim

    def say(self, **words: object) -> Claim:
        """The claim with these words. Raises ValueError if one is missing or too many."""
        if set(words) != self.fields:
            raise ValueError(f"{self.id} is said with {', '.join(sorted(self.fields)) or 'no words'}, not with {', '.join(sorted(words)) or 'none'}")
        return Claim(self, self.template.format(**words))

    @property
    def fields(self) -> set[str]:
        """The names of its fields."""
        return {name for _, name, _, _ in Formatter().parse(self.template) if name}


class Claim(str):
    """A sentence about results as it is shown: a text that knows what warrants it. Made by `Sentence.say` alone."""

    sentence: Sentence

    def __new__(cls, sentence: Sentence, text: str) -> Claim:
        claim = super().__new__(cls, text)
        claim.sentence = sentence
        return claim

    def __reduce__(self) -> Any:
        return Claim, (self.sentence, str(self))

    def set_as(self, change: Callable[[str], str]) -> Claim:
        """The same claim set otherwise: a capital letter, another gap, a name spelled out; never another statement."""
        return Claim(self.sentence, change(self))
