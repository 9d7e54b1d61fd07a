"""Random deals of tiny decks in the kernel, with what one seat believes at its questions: to be held against exact beliefs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
from exact_belief import Belief, Ears
from lockstep import Kernel
from situations import printed_cards

from lostlegacy_sim.cardset import CardSet, make_set
from lostlegacy_sim.games.lost_legacy import vocabulary as words
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table

MUCH, MOST = 4, 4  # events before the first question that is looked at, questions looked at in a deal
TOO_FAR = 0.01  # total variation


def deck(ids: str) -> CardSet:
    """A set of printed cards, given by their ids."""
    names = ids.split()
    cards = [replace(printed_cards()[name], copies=names.count(name)) for name in dict.fromkeys(names)]
    return make_set("tiny", "Tiny", cards, like=printed("starship"))


class Deal:
    """A random deal of the kernel, and for each question to one seat the beliefs that are to be compared."""

    def __init__(self, kernel: Kernel, number: int, seat: int, beliefs: Callable[[Deal, int], tuple[Belief, Belief]]) -> None:
        """`beliefs(deal, number)`: what is to be the exact belief, and the twin that must fail, at an open question."""
        self.kernel, self.seat, rng = kernel, seat, Random(number)
        self.events: set[int] = set()
        self.turns: list[list[tuple[str, object]]] = []
        self.sampled: list[tuple[Belief, Belief]] = []
        self.beliefs = beliefs
        table = Table(kernel.card_set, kernel.n_seats)
        ears = table.teller = Ears(table, seat)  # type: ignore[assignment]
        kernel.begin(number)
        shuffles, part = iter(()), Table.deal
        while table.outcome is None:
            self.turns.append([])
            playing = part(table)
            try:
                asked = next(playing)
                while True:
                    self.hear(ears)
                    if isinstance(asked, Question):
                        answer = rng.choice(asked.options)
                        if asked.seat == seat:
                            self.sample(number)
                            self.turns[-1].append(("asked", answer))
                        kernel.answer(answer)
                    else:
                        if not (entry := next(shuffles, None)):
                            shuffles = iter(kernel.shuffles())
                            entry = next(shuffles)
                        answer = entry[1]
                    asked = playing.send(answer)
            except StopIteration:
                self.hear(ears)
            part = Table.go_on

    def hear(self, ears: Ears) -> None:
        """What was heard since the last time."""
        self.turns[-1] += [("heard", event) for event in ears.events]
        ears.events.clear()

    def sample(self, number: int) -> None:
        """The beliefs at an open question; nothing before there is much to tell."""
        state = self.kernel.state
        if int(state.public["n_log"]) < MUCH or len(self.sampled) >= MOST:
            self.sampled.append(({}, {}))
            return
        self.sampled.append(self.beliefs(self, number))
        self.events |= {int(event[0]) for event in state.public["log"][: int(state.public["n_log"])]}

    def places(self) -> list[int]:
        """The places a card may lie at, in the order of `hidden_cards`."""
        public = self.kernel.state.public
        ruins, top = words.RUINS + int(public["ruins_size"]), words.DECK_END - int(public["deck_size"])
        return [*range(self.kernel.n_seats), words.DRAWN, *range(words.RUINS, ruins), *range(top, words.DECK_END)]


def as_belief(hidden: np.ndarray, weights: np.ndarray) -> Belief:
    """Weighted worlds as a distribution."""
    code = hidden.astype(np.int64) @ (16 ** np.arange(hidden.shape[1], dtype=np.int64))
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    sums = np.bincount(which, weights) / weights.sum()
    return {tuple(hidden[number].tolist()): float(share) for number, share in zip(first, sums, strict=True)}


def distance(one: Belief, other: Belief) -> float:
    """Total variation."""
    return sum(abs(one.get(hidden, 0.0) - other.get(hidden, 0.0)) for hidden in one.keys() | other.keys()) / 2
