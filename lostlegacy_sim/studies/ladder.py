"""Ladder: bots from the weakest to the strongest; what each rung gains against the one below, and how deep the game is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.estimate import CONFIDENCE, Estimate, Estimates, plain_number
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.sets import GameSet
from lostlegacy_sim.stats.differences import single
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.verdicts import judge
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.standings import ABOVE, BELOW, WORDS
from lostlegacy_sim.studies.tournament import different, seated


@dataclass(frozen=True)
class Ladder:
    """Rungs, and the climbs between them: one of the upper bot among the lower one."""

    rungs: tuple[str, ...]  # the weakest first, in canonical form
    climbs: tuple[Experiment, ...]

    @property
    def players(self) -> int:
        """Players at the table."""
        return self.climbs[0].players

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """All that is played."""
        return self.climbs

    @property
    def planned_deals(self) -> int:
        """Deals of all climbs together."""
        return sum(experiment.planned_deals for experiment in self.climbs)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        climb = self.climbs[0]
        return {"rungs": list(self.rungs), "players": climb.players, "seed": climb.seed, "deals_a_climb": climb.planned_deals}


def ladder_of(game: Game, card_set: GameSet, players: int, rungs: Sequence[str], deals: int, seed: int) -> Ladder:
    """The ladder of these bots, the weakest first. Raises UsageError or BotError."""
    entries = different([game.find_bot(words) for words in rungs])
    if len(entries) < 2:
        raise UsageError("A ladder has two rungs or more; write the weakest bot first, such as --bots random,careful.")
    return ladder_at(experiment_of(game, card_set, players, [entries[0][0]], deals, seed), entries)


def ladder_at(table: Experiment, entries: Sequence[tuple[str, str]]) -> Ladder:
    """The ladder of bots (name, hash of its file) with the set, players, deals and seed of an experiment."""
    names = tuple(name for name, _ in entries)
    return Ladder(names, tuple(seated(table, (upper, *[lower] * (table.players - 1)), entries) for lower, upper in pairwise(names)))


@dataclass(frozen=True)
class Climb:
    """One rung against the one below."""

    rung: int  # its number, counted from 1 at the bottom
    upper: str
    lower: str
    index: Estimate  # win rate of one upper among lower ones, divided by par
    advantage: Interval  # the same minus par; agrees with the word
    word: str  # above par, below par, same, undecided; right for all climbs at once (Holm)
    deals: int

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        value, low, high = map(plain_number, self.advantage)
        return {"rung": self.rung, "upper": self.upper, "lower": self.lower, "index": self.index.to_plain(),
                "above_par": {"value": value, "low": low, "high": high}, "verdict": self.word, "n": self.deals}  # fmt: skip


class Climbed:
    """What the results of a ladder, or of its first climbs, allow to say."""

    def __init__(self, ladder: Ladder, results: Sequence[Result], game: Game, error: str = "") -> None:
        self.ladder, self.results, self.game, self.error = ladder, tuple(results), game, error

    @property
    def is_whole(self) -> bool:
        """Whether all climbs were played."""
        return len(self.results) == len(self.ladder.climbs)

    @cached_property
    def climbs(self) -> list[Climb]:
        """The climbs that were played, from the bottom."""
        estimates = [Estimates(result, self.game) for result in self.results]
        uppers = [result.experiment.bots[0] for result in self.results]
        above = [found.jackknife(found.measure(f"above_bot[{upper}]")) for found, upper in zip(estimates, uppers, strict=True)]
        verdicts = judge([single(number) for number in above], confidence=CONFIDENCE)
        return [
            Climb(place + 2, upper, result.experiment.bots[-1], found[f"index_bot[{upper}]"], verdict.interval,
                  WORDS.get(verdict.word, verdict.word), result.deals)
            for place, (upper, result, found, verdict) in enumerate(zip(uppers, self.results, estimates, verdicts, strict=True))
        ]  # fmt: skip

    @property
    def depth(self) -> int:
        """Rungs that are certainly above par against the one below: so deep the game is at least."""
        return sum(climb.word == ABOVE for climb in self.climbs)

    @property
    def most_depth(self) -> int:
        """So deep it may be at most: only a rung that is certainly below par is surely none; one that was not climbed may be."""
        return len(self.ladder.climbs) - sum(climb.word == BELOW for climb in self.climbs)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        experiment = self.ladder.climbs[0]
        return {**self.ladder.to_plain(), "set": {"id": experiment.set_id, "name": experiment.set_name, "hash": experiment.set_hash},
                "status": "complete" if self.is_whole else "partial", "error": self.error or None,
                "depth": self.depth if self.is_whole else None, "most_depth": self.most_depth if self.is_whole else None,
                "climbs": [climb.to_plain() for climb in self.climbs]}  # fmt: skip
