"""Simulate: who wins with this set, at this table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from threading import Event
from typing import Any

import numpy as np

from lostlegacy_sim import sentences
from lostlegacy_sim.anytime import AnytimeEstimates
from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import CONFIDENCE, Estimate, Estimates, plain_number
from lostlegacy_sim.experiment import Experiment, line_up
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import play
from lostlegacy_sim.sets import GameSet
from lostlegacy_sim.stats.intervals import normal_quantile
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.studies.uncounted import counts_nothing, none_counts
from lostlegacy_sim.tally import n_labels, no_exemplars

CALIBRATION_SECONDS = 0.3


def experiment_of(
    game: Game, card_set: GameSet, players: int, bots: Sequence[str], deals: int, seed: int, detail: str = "deals"
) -> Experiment:
    """The experiment of one table; without bots the game's usual one. Raises UsageError or BotError for a line-up that cannot sit there."""
    return experiment_with(game, card_set, [game.find_bot(words) for words in line_up(bots or (game.usual_bot,), players)], deals, seed, detail)


def experiment_with(
    game: Game, card_set: GameSet, entries: Sequence[tuple[str, str]], deals: int, seed: int, detail: str = "deals"
) -> Experiment:
    """The same with bots that are found already: their names in seating order, each with the hash of its file."""
    return Experiment(
        game=game.name, set_id=card_set.id, set_name=card_set.name, set_text=card_set.to_toml(), players=len(entries),
        bots=tuple(name for name, _ in entries), bot_sources=tuple(source for _, source in entries), deals=deals, seed=seed, detail=detail,
    )  # fmt: skip


def simulate(
    experiment: Experiment,
    game: Game,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stop: Event | None = None,
) -> Answer:
    """Play an experiment and answer who wins."""
    return Answer(play(experiment, game, threads, on_progress, stop), game)


@dataclass(frozen=True)
class Row:
    """A seat or a bot: its win rate, and the same minus par."""

    label: str
    rate: Estimate
    above: Estimate


@dataclass(frozen=True)
class Campaign:
    """Chances to win a campaign, by line-up entry, and how many games it takes."""

    points: int
    nobody_begins: str
    chances: tuple[Estimate, ...]
    games: Estimate

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"points": self.points, "nobody_begins": self.nobody_begins,
                "seats": [chance.to_plain() for chance in self.chances], "games": self.games.to_plain()}  # fmt: skip


class Answer:
    """What a result says about who wins."""

    def __init__(self, result: Result, game: Game, anytime: bool = False) -> None:
        """`anytime`: the result was looked at while it grew, so intervals have to hold at every look."""
        self.result = result
        self.game = game
        self.anytime = anytime
        self.estimates = AnytimeEstimates(result, game) if anytime else Estimates(result, game)

    @cached_property
    def seats(self) -> list[Row]:
        """The seats, in order; each interval speaks for its own number alone."""
        return self.seat_rows(self.estimates)

    @cached_property
    def profile(self) -> list[Row]:
        """The seats, in order, to be looked at together: the intervals of all of them hold at once (Bonferroni)."""
        each = 1 - (1 - CONFIDENCE) / self.result.experiment.players
        return self.seat_rows(type(self.estimates)(self.result, self.game, each))

    def seat_rows(self, estimates: Estimates) -> list[Row]:
        """A row a seat."""
        seats = range(1, self.result.experiment.players + 1)
        return [Row(f"seat {seat}", estimates[f"win_seat[{seat}]"], estimates[f"above_seat[{seat}]"]) for seat in seats]

    @cached_property
    def bots(self) -> list[Row]:
        """The bots, in seating order; [] if one bot fills the table, for then each wins its equal share."""
        names = list(dict.fromkeys(self.result.experiment.bots))
        if len(names) == 1:
            return []
        return [Row(name, self.estimates[f"win_bot[{name}]"], self.estimates[f"above_bot[{name}]"]) for name in names]

    @cached_property
    def verdicts(self) -> list[Claim]:
        """What the intervals allow to say, a sentence each."""
        if counts_nothing(self.result):
            return [none_counts(self.result.deals)]
        return [self.seat_verdict(), *map(bot_verdict, self.bots), *self.sameness()]

    def sameness(self) -> Iterator[Claim]:
        """Which means of the summary have not varied, and how far what was not seen may move them."""
        for _, row in self.game.summary:
            for name, _ in row:
                found = self.estimates[name]
                if found.method == "constant" and self.estimates.measures[name].form == "mean":
                    where = "deal" if found.unit == "turns" and self.result.longest == found.value else "batch"
                    value, low, high = (f"{number:.2f}" for number in (found.value, found.low, found.high))
                    yield sentences.SAME_SO_FAR.say(measure=name, where=where, value=value, low=low, high=high)

    def seat_verdict(self) -> Claim:
        """Whether any two seats differ, and by how much at most."""
        gap = self.estimates["seat_gap"]
        if counts_nothing(self.result):
            return none_counts(self.result.deals)
        if self.result.deals and not self.estimates["decided"].value:
            return sentences.SEATS_NOBODY.say(deals=gap.n)
        if gap.method == "none":
            return sentences.SEATS_FEW.say()
        if gap.low <= 0:
            return sentences.SEATS_LEVEL.say(most=points(gap.high))
        pairs = self.estimates.pairs(self.estimates.measures["seat_gap"])
        first, second, interval = max(pairs, key=lambda pair: max(pair[2].low, -pair[2].high))
        low, high = (interval.low, interval.high) if interval.value > 0 else (-interval.high, -interval.low)
        ahead, behind = (first, second) if interval.value > 0 else (second, first)
        return sentences.SEATS_AHEAD.say(ahead=ahead + 1, behind=behind + 1, value=points(abs(interval.value)), low=points(low), high=points(high),
                                         most=points(gap.high))  # fmt: skip

    def campaign(self, nobody_begins: str) -> Campaign:
        """Who wins a campaign that the first seat begins; the game must have one."""
        assert self.game.campaign is not None
        experiment = self.result.experiment
        found = self.estimates.of_counts(self.game.campaign(experiment, self.result.tally.labels, nobody_begins))
        n = int(self.estimates.totals["deals"])
        chances = [
            self.of_jackknife(found[entry], f"campaign_seat[{entry + 1}]", "rate", f"chance of seat {entry + 1} ({bot}) to win the campaign", n)
            for entry, bot in enumerate(experiment.bots)
        ]
        games = self.of_jackknife(found[experiment.players], "campaign_games", "games", "games in a campaign", n)
        return Campaign(self.game.campaign_points[experiment.players], nobody_begins, tuple(chances), games)

    def of_jackknife(self, found: Jackknife, name: str, unit: str, meaning: str, n: int) -> Estimate:
        """An estimate of a number that is no measure of its own."""
        (value, low, high), method = self.estimates.of_number(found)
        if unit == "rate":
            low, high = max(low, 0.0), min(high, 1.0)
        return Estimate(name, unit, meaning, value, low, high, n, method)

    def to_plain(self) -> dict[str, Any]:
        """For JSON: everything that was asked, counted and estimated."""
        result, experiment = self.result, self.result.experiment
        return {
            "experiment": experiment.to_plain(),
            "experiment_hash": experiment.hash,
            "status": result.status,
            "deals": result.deals,
            "deals_planned": experiment.planned_deals,
            "blocks": result.blocks,
            "rotations": experiment.rotations,
            "batches": result.batches,
            "seats": [{"seat": seat, "measure": row.rate.name, "above_par": row.above.name} for seat, row in enumerate(self.seats, 1)],
            "bots": [{"bot": row.label, "measure": row.rate.name, "above_par": row.above.name} for row in self.bots],
            "verdicts": self.verdicts,
            "measures": {name: self.estimates[name].to_plain() for name in self.estimates.measures},
            "exemplars": result.deal_of,
            "longest_turns": result.longest if result.deals else None,
            "error": result.error or None,
        }


def bot_verdict(row: Row) -> Claim:
    """Whether a bot is above or below par."""
    above = row.above
    if above.method == "none":
        return sentences.BOT_FEW.say(bot=row.label)
    interval = f"{points(above.value, sign=True)} points ({points(above.low, sign=True)} to {points(above.high, sign=True)})"
    if above.low > 0:
        return sentences.BOT_ABOVE.say(bot=row.label, interval=interval)
    if above.high < 0:
        return sentences.BOT_BELOW.say(bot=row.label, interval=interval)
    return sentences.BOT_UNTOLD.say(bot=row.label, interval=interval)


def points(difference: float, sign: bool = False) -> str:
    """A difference of rates in percentage points."""
    return f"{100 * difference:+.2f}" if sign else f"{100 * difference:.2f}"


# --- before playing -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What playing an experiment would take and give."""

    experiment: Experiment
    deals_a_second: float  # one thread, measured
    threads: int

    @property
    def seconds(self) -> float:
        """Expected time on all threads."""
        return self.experiment.planned_deals / (self.deals_a_second * self.threads)

    @property
    def half_width(self) -> float:
        """Half of a 95 % interval for a rate of an equal share, from independent deals."""
        share = 1 / self.experiment.players
        return normal_quantile(CONFIDENCE) * sqrt(share * (1 - share) / self.experiment.planned_deals)

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        experiment = self.experiment
        return {
            "experiment": experiment.to_plain(),
            "experiment_hash": experiment.hash,
            "deals": experiment.planned_deals,
            "blocks": experiment.blocks,
            "rotations": experiment.rotations,
            "batches": experiment.batches,
            "half_width": plain_number(self.half_width),
            "seconds": round(self.seconds, 3),
            "threads": self.threads,
        }


def plan(experiment: Experiment, game: Game, threads: int) -> Plan:
    """Measure the speed on a few deals; they are not kept."""
    table = game.open_table(experiment)
    counts, exemplars = np.zeros(n_labels(game.labels(experiment)), np.int64), no_exemplars(game.categories)
    table.play(0, 1, counts, exemplars)  # whatever must be compiled is compiled now
    played, began, n_blocks = 0, time.perf_counter(), 16
    while (spent := time.perf_counter() - began) < CALIBRATION_SECONDS:
        table.play(0, n_blocks, counts, exemplars)
        played += n_blocks
        n_blocks = min(2 * n_blocks, 1 << 16)
    return Plan(experiment, played * experiment.rotations / spent, threads)
