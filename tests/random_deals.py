"""Random deals of the reference for tests: even answers, fair shuffles, a watcher at every question and shuffle."""

from collections.abc import Callable
from random import Random

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Outcome, Question, Shuffle, Table

Watcher = Callable[[Table, Question | Shuffle], None]


def random_deal(
    card_set: CardSet, n_seats: int, rng: Random, watch: Watcher | None = None, tell: Callable[[str], None] | None = None
) -> tuple[Table, Outcome, list[tuple]]:
    """A deal played to its end: the table, the outcome, and the history as `judge` takes it."""
    table = Table(card_set, n_seats, tell)
    playing, history = table.play(), []
    answer: object = None
    while True:
        try:
            asked = playing.send(answer)
        except StopIteration as stop:
            return table, stop.value, history
        if watch is not None:
            watch(table, asked)
        if isinstance(asked, Shuffle):
            answer = tuple(rng.sample(range(asked.size), asked.size))
            history.append((asked.zone, answer))
        else:
            answer = rng.choice(asked.options)
            history.append((asked.what, asked.seat, answer, len(asked.options)))
