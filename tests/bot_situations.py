"""Situations a bot is asked in: records built from card ids, answers in words.

Places in words: "hand 1", "drawn", "ruins 0", "deck" (its top). Rows are card ids from the left, one text a seat; the card being
played is the last one of the row of the seat that is asked. A face-down row card stands in brackets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.bots.quick.counting import NO_MEMORY
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.kernel.effect_table import effect_table
from lostlegacy_sim.games.lost_legacy.kernel.state import PRIVATE, PUBLIC, QUESTION

WHAT = {name: number for number, (name, _) in words.QUESTIONS.items()}


@dataclass(frozen=True)
class Situation:
    """One question to seat 0: everything public, and what the seat knows."""

    what: str
    hand: str
    drawn: str = ""  # PLAY
    playing: str = ""  # the card being resolved; it must be the last of the own row
    focus: str = ""  # the card in focus, beside `at`
    at: str = ""  # where it lies: a place, or "row 1.0"
    options: Sequence[str] = ()  # LOOK, REVEAL: places; CHOOSE and ROW take all there are
    named: int = 0
    rows: Sequence[str] = ("", "", "")
    known: Mapping[str, str] = field(default_factory=dict)
    in_ruins: str = ""  # known to be in the ruins, place unknown
    ruins: int = 1
    deck: int = 6
    turns: Sequence[int] = (1, 1, 1)
    called: int = 0
    out: Sequence[int] = ()
    memory: bool = True
    set: CardSet = field(default_factory=lambda: printed("starship"))

    def asked(self, decide: Any) -> str:
        """The option the bot chooses, in words."""
        index = int(decide(self.cards, self.public, self.private, self.question))
        return self.choices[index]

    # --- the records ----------------------------------------------------------------------------------

    @cached_property
    def cards(self) -> Any:
        return effect_table(self.set)

    @cached_property
    def public(self) -> Any:
        public = np.zeros(1, PUBLIC)[0]
        public["n_seats"], public["deck_size"], public["ruins_size"] = len(self.rows), self.deck, self.ruins
        public["in_game"] = sum(1 << seat for seat in range(len(self.rows)) if seat not in self.out)
        for seat, row in enumerate(self.rows):
            for index, word in enumerate(row.split()):
                public["row"][seat, index] = self.set.kind(word.strip("()"))
                public["row_down"][seat] |= np.uint64(word.startswith("(") << index)
            public["row_size"][seat] = len(row.split())
            public["turns_of"][seat] = self.turns[seat]
        public["played"], public["played_index"] = 0, -1
        if self.playing:
            assert self.rows[0].split()[-1] == self.playing
            public["played"], public["played_index"] = self.set.kind(self.playing), len(self.rows[0].split()) - 1
        public["focus"], public["named"], public["called"] = words.FOCUS_NONE, self.named, self.called
        if self.at.startswith("row "):
            public["focus"] = words.FOCUS_ROW_CARD
            public["focus_seat"], public["focus_index"] = map(int, self.at.removeprefix("row ").split("."))
        elif self.at:
            public["focus"] = self.place(self.at)
        public["phase"] = words.INVESTIGATION if self.what == "reveal" else words.EFFECT if self.playing else words.PLAYING
        public["turn"] = 1 + sum(self.turns)
        return public

    @cached_property
    def private(self) -> Any:
        private = np.zeros(1, PRIVATE)[0]
        private["parameter"] = 0 if self.memory else NO_MEMORY
        private["word"] = 0x9E3779B97F4A7C15
        for place, card in {"hand 0": self.hand, "drawn": self.drawn, self.at: self.focus, **self.known}.items():
            if card and place and not place.startswith("row "):
                private["known"][self.place(place)] = self.set.kind(card)
        for card in self.in_ruins.split():
            private["ruins_has"][self.set.kind(card)] += 1
        return private

    @cached_property
    def question(self) -> Any:
        question = np.zeros(1, QUESTION)[0]
        question["what"], question["n"] = WHAT[self.what], len(self.choices)
        question["kind"] = self.set.kind(self.playing) if self.playing else 0
        question["focus"] = self.set.kind(self.focus) if self.focus else 0
        for index, option in enumerate(self.values):
            question["option"][index] = option
            question["mask"] |= np.uint64(1 << option)
        return question

    # --- the options ----------------------------------------------------------------------------------

    @cached_property
    def choices(self) -> list[str]:
        """The options in words, in ascending order of their numbers."""
        if self.what == "play":
            return ["held", "drawn"]
        if self.what in ("exchange", "shuffle"):
            return ["no", "yes"]
        if self.what == "name":
            return list("12345678")
        if self.what == "choose":
            cards = [f"row {seat}.{index}" for seat, row in enumerate(self.rows) for index in range(len(row.split()))]
            return [card for card in cards if not (self.playing and card == f"row 0.{len(self.rows[0].split()) - 1}")]
        if self.what == "row":
            return [f"row {seat}" for seat, row in enumerate(self.rows) if seat and row]
        return sorted(self.options, key=self.place)

    @cached_property
    def values(self) -> list[int]:
        """What the options stand for."""
        if self.what in ("look", "reveal"):
            return [self.place(word) for word in self.choices]
        if self.what in ("name", "row"):
            return [int(word.removeprefix("row ")) for word in self.choices]
        return list(range(len(self.choices)))

    def place(self, word: str) -> int:
        """The number of a place."""
        zone, _, number = word.partition(" ")
        if zone == "drawn":
            return words.DRAWN
        if zone == "deck":
            return words.DECK_END - self.deck
        return {"hand": words.HAND, "ruins": words.RUINS}[zone] + int(number)
