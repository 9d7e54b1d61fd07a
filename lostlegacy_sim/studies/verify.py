"""Verify: play a random share of a result's batches again and compare them bit for bit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, prod
from threading import Event
from typing import Any

from lostlegacy_sim import __version__
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.game import Game
from lostlegacy_sim.identity import difference, identity_of
from lostlegacy_sim.journal import Memory
from lostlegacy_sim.pieces import Span
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import play
from lostlegacy_sim.tally import NONE, Counts, Labels


@dataclass(frozen=True)
class Difference:
    """A number that a batch counts otherwise than it was kept."""

    batch: int
    first_deal: int
    last_deal: int
    what: str
    kept: int
    counted: int

    def __str__(self) -> str:
        return (f"batch {self.batch + 1} (deals {self.first_deal:,} to {self.last_deal:,}) counts {self.what} = {self.counted:,}, "
                f"and {self.kept:,} was kept")  # fmt: skip

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"batch": self.batch, "what": self.what, "kept": self.kept, "counted": self.counted}


@dataclass(frozen=True)
class Verified:
    """What playing again has shown."""

    result: Result
    asked: Sequence[int]  # the batches of the share
    played: Sequence[int]  # those that were played again to their end
    differences: Sequence[Difference]
    threads: int
    error: str = ""  # a bot broke the rules where it had not

    @property
    def is_same(self) -> bool:
        """Whether everything was played, and all of it is as it was kept."""
        return not self.differences and not self.error and len(self.played) == len(self.asked)

    @property
    def deals(self) -> int:
        """Deals played again."""
        return int(self.result.sizes[list(self.played)].sum()) * self.result.experiment.rotations if self.played else 0

    @property
    def notes(self) -> list[str]:
        """What might explain a difference, a sentence each."""
        other = difference(self.result.provenance, identity_of(self.result.experiment.game))
        return [f"It was made with {other}."] if other else []

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "experiment_hash": self.result.experiment.hash, "batches": self.result.batches, "played": list(self.played), "deals": self.deals,
            "same": self.is_same, "differences": [difference.to_plain() for difference in self.differences], "notes": self.notes,
            "error": self.error or None,
        }  # fmt: skip


def draw(result: Result, share: float, seed: int) -> list[int]:
    """Numbers of the batches to play again: so large a share of them, one at least, drawn by the seed."""
    n_batches = min(result.batches, max(1, ceil(share * result.batches)))
    return sorted(random.Random(seed).sample(range(result.batches), n_batches))


def verify(
    result: Result, game: Game, share: float, seed: int, threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None, stop: Event | None = None, player: Callable[..., Result] = play,
) -> Verified:  # fmt: skip
    """Play a share of a result's batches again. A result that ended early is verified as far as it goes.

    Raises ResultError if this version counts other things, so that nothing can be compared.
    """
    if result.tally.labels != game.labels(result.experiment) or result.categories != game.categories:
        made = str(result.provenance.get("lostlegacy_sim"))[:40]
        raise ResultError(f"This result counts other things than lostlegacy_sim {__version__} does; it was made with {made}. Verify it with that.")
    asked, memory = draw(result, share, seed), Memory()
    planned = int(result.sizes[asked].sum()) * result.experiment.rotations

    def move(deals: int, _: int) -> None:
        if on_progress is not None:
            on_progress(deals, planned)

    played = player(result.experiment, game, threads, move, stop, None, memory, asked)
    spans = {span.first // result.experiment.batch_blocks: span for span in memory.spans}
    differences = [found for number in sorted(spans) for found in compare(result, number, spans[number])]
    return Verified(result, asked, sorted(spans), differences, played.provenance["threads"], played.error)


def compare(result: Result, number: int, span: Span) -> Iterator[Difference]:
    """The differences of one batch."""
    rotations = result.experiment.rotations
    first, last = span.first * rotations, span.end * rotations - 1
    kept = result.tally.counts[number]
    names = names_of(result.tally.labels)
    for column in (kept != span.counts).nonzero()[0]:
        yield Difference(number, first, last, names[column], int(kept[column]), int(span.counts[column]))
    for what, was, now in exemplar_differences(result, span.exemplars, first, last):
        yield Difference(number, first, last, what, was, now)


def names_of(labels: Labels) -> list[str]:
    """The name of every column: "won[2][0][1]"."""
    names = []
    for name, shape in labels:
        for place in range(prod(shape)):
            indices = []
            for size in reversed(shape):
                place, index = divmod(place, size)
                indices.append(f"[{index}]")
            names.append(name + "".join(reversed(indices)))
    return names


def exemplar_differences(result: Result, found: Counts, first: int, last: int) -> Iterator[tuple[str, int, int]]:
    """Exemplars of the whole result that contradict those of the deals `first` to `last`: (what, kept, found)."""
    for category, kept, now in zip(result.categories[:-1], result.exemplars[:-2], found[:-2], strict=True):
        if (now < kept) or (first <= kept <= last and now != kept):
            yield f"the first deal of {category}", shown(kept), shown(now)
    (turns, deal), (turns_now, deal_now) = result.exemplars[-2:], found[-2:]
    if turns_now > turns or (turns_now == turns and deal_now < deal):
        yield "turns of the longest deal", int(turns), int(turns_now)
    elif first <= deal <= last and (turns, deal) != (turns_now, deal_now):
        yield "the longest deal", shown(deal), shown(deal_now)


def shown(deal: Any) -> int:
    """A deal number; -1 for none."""
    return -1 if deal == NONE else int(deal)
