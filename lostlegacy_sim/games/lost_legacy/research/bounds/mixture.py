"""A mixture of learners that is hard to exploit: each one has learnt to beat those before it."""

from __future__ import annotations

from collections.abc import Iterator

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.research.bounds.response import Learner, Measured


def fictitious_play(card_set: CardSet, rounds: int, deals: int, seed: int) -> Iterator[list[Learner]]:
    """The mixture after 0, 1, ... rounds: for every deal one of these is drawn, all alike. It begins with `careful`.

    In a round a new learner is trained against the mixture, on so many deals a chair, and joins it (fictitious play: Brown
    1951; with learnt responses: Heinrich, Lanctot and Silver 2015). Each learner takes 128 MB.
    """
    mixture = [Learner(card_set, [], seed)]  # it has learnt nothing: it plays as `careful` does
    yield list(mixture)
    for number in range(1, rounds + 1):
        newcomer = Learner(card_set, mixture, seed + number)
        newcomer.train(deals)
        newcomer.let_go()
        mixture.append(newcomer)
        yield list(mixture)


def exploited(card_set: CardSet, mixture: list[Learner], budget: int, deals: int, seed: int) -> Measured:
    """What a fresh response wins from a mixture, trained on `budget` deals a chair and measured on `deals` a chair: a lower bound."""
    learner = Learner(card_set, mixture, seed)
    learner.train(budget)
    return learner.measure(deals)
