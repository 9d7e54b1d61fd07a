"""Standings: what a tournament says: who gains against whom, how strong everyone is, who cannot be beaten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.estimate import CONFIDENCE, plain_number
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.stats.differences import single
from lostlegacy_sim.stats.foremost import rivals
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.stats.ratings import ELO
from lostlegacy_sim.stats.strategy import Cycle, Dominance, cycles, dominances, entropy, nash_average, resampled
from lostlegacy_sim.stats.verdicts import UNDECIDED, Verdict, judge
from lostlegacy_sim.studies.matches import Matches, matches_of
from lostlegacy_sim.studies.tournament import Played
from lostlegacy_sim.studies.uncounted import counts_nothing

ABOVE, BELOW = "above par", "below par"
WORDS = {"better": ABOVE, "worse": BELOW}
DRAWS, DRAW_SEED = 200, 1  # of the bootstrap of Nash averaging
FEW_BATCHES = 8  # with fewer there is nothing to draw from, or to halve
ELO_MEAN = 1500.0


@dataclass(frozen=True)
class Cell:
    """One of `one` among `others`: its win rate minus par; the word holds for the whole matrix, and the interval agrees with it (Holm)."""

    one: int
    others: int
    advantage: Interval
    word: str  # above par, below par, same, undecided
    p_value: float  # adjusted
    deals: int


@dataclass(frozen=True)
class Rating:
    """A bot's strength: Plackett-Luce, mean 0; and its weight in Nash averaging."""

    bot: str
    strength: Interval
    elo: Interval  # the same for display
    weight: float
    weight_low: float  # of DRAWS bootstrap samples of batches the middle 95 %; nan with too few batches
    weight_high: float


@dataclass(frozen=True)
class Doubling:
    """The verdicts of the first half of the batches beside those of all."""

    deals: int  # of a match, in the half
    kept: int
    found: int  # undecided at half the deals
    lost: int  # decided at half the deals, undecided with all
    reversed: tuple[tuple[str, str], ...]  # pairs whose verdict turned round

    @property
    def holds(self) -> bool:
        """Whether doubling the deals has changed no verdict that was given."""
        return not self.reversed and not self.lost


class Standings:
    """All that the results of a tournament allow to say; what needs the whole matrix waits for `is_told`."""

    def __init__(self, played: Played, game: Game) -> None:
        """At least one match must have been played."""
        self.played, self.game = played, game
        self.bots, self.players = played.tournament.bots, played.tournament.players
        self.matches = matches_of(played.matches, self.bots, game)

    @property
    def results(self) -> tuple[Result, ...]:
        """What was played."""
        return self.played.results

    @property
    def is_whole(self) -> bool:
        """Whether every bot has met every other."""
        return self.played.is_whole

    @property
    def is_told(self) -> bool:
        """Whether every bot has met every other, in deals that count."""
        return self.is_whole and not any(map(counts_nothing, self.played.matches))

    # --- the matrix -----------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells of the matrix that were played, row by row."""
        return cells_of(self.matches)

    def cell(self, one: int, others: int) -> Cell | None:
        """A cell; None if it was not played."""
        return next((cell for cell in self.cells if (cell.one, cell.others) == (one, others)), None)

    @cached_property
    def leaders(self) -> list[int]:
        """The bots that are certainly above par against every other one."""
        return [bot for bot in range(len(self.bots)) if all(cell.word == ABOVE for cell in self.cells if cell.one == bot)]

    def least_gain(self, bot: int) -> float:
        """What a bot gains against every other one at least (95 %): held for all bots at once, for the one asked about was chosen by its gains."""
        gains, each = self.matches.gains(), 1 - 2 * (1 - CONFIDENCE) / len(self.bots)  # one side only
        return min(single(gains[bot][other]).interval(each).low for other in range(len(self.bots)) if other != bot)

    # --- ratings and mixtures -------------------------------------------------------------------------

    @cached_property
    def strengths(self) -> Jackknife:
        """Of all bots, [bots]."""
        return self.matches.strengths()

    @cached_property
    def ratings(self) -> list[Rating]:
        """The bots, strongest first; where strengths do not exist, by their weight."""
        low, high = self.strengths.bounds(CONFIDENCE)
        drawn_low, drawn_high = np.quantile(self.drawn_weights, [0.025, 0.975], axis=0)
        if len(self.matches.sizes) < FEW_BATCHES:  # drawn from so few they would all be alike
            drawn_low = drawn_high = np.full(len(self.bots), math.nan)
        found = []
        for place, bot in enumerate(self.bots):
            strength = Interval(*(float(number[place]) for number in (self.strengths.value, low, high)))
            elo = Interval(*(ELO_MEAN + ELO * number for number in strength))
            found.append(Rating(bot, strength, elo, float(self.weights[place]), float(drawn_low[place]), float(drawn_high[place])))
        return sorted(found, key=lambda rating: (-np.nan_to_num(rating.strength.value), -rating.weight))

    @cached_property
    def rivals(self) -> list[str]:
        """The bots that may be the strongest instead of the one with the highest rating."""
        places = {bot: place for place, bot in enumerate(self.bots)}
        found = rivals([self.strengths[place] for place in places.values()], places[self.ratings[0].bot], CONFIDENCE)
        return [rating.bot for rating in self.ratings if places[rating.bot] in found]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Nash averaging, [bots]."""
        return nash_average(self.matches.duels_of(self.matches.columns.sum(axis=0)))

    @cached_property
    def drawn_weights(self) -> NDArray[np.float64]:
        """The same for batches drawn anew, [draws, bots]."""
        return resampled(self.matches.columns, lambda totals: nash_average(self.matches.duels_of(totals)), DRAWS, DRAW_SEED)

    @property
    def entropy(self) -> float:
        """Of the Nash average; its exponential is how many bots it amounts to."""
        return entropy(self.weights)

    @cached_property
    def drawn_evenness(self) -> tuple[float, float]:
        """How many equal bots the drawn mixtures amount to: the middle 95 % of them; nan with too few batches."""
        if len(self.matches.sizes) < FEW_BATCHES:
            return math.nan, math.nan
        low, high = np.quantile([math.exp(entropy(weights)) for weights in self.drawn_weights], [0.025, 0.975])
        return float(low), float(high)

    @cached_property
    def misfit(self) -> float:
        """How far one strength a bot is from telling every match, as a share of decided deals."""
        return self.matches.misfit(self.strengths.value)

    # --- dominance and cycles -------------------------------------------------------------------------

    @cached_property
    def dominances(self) -> list[Dominance]:
        """Who gains more than whom against everyone."""
        return dominances(self.matches.gains(), CONFIDENCE)

    @cached_property
    def cycles(self) -> list[Cycle]:
        """Three bots of which each gains against the next."""
        return cycles(self.matches.duels(), CONFIDENCE)

    # --- controls -------------------------------------------------------------------------------------

    @cached_property
    def mirrors_at_par(self) -> bool:
        """Whether every bot at its own table is at par exactly: of every batch, wins over all rotations minus decided deals is 0.

        It must be so: every rotation of such a table is the same deal, so one seat after the other is credited with
        it. A deal with two winners, or with one that sits nowhere, would show.
        """
        return all(self.is_at_par(place) for place in range(len(self.played.mirrors)))

    def is_at_par(self, place: int) -> bool:
        """Whether one mirror match is."""
        result = self.played.mirrors[place]
        measures, totals = self.game.measures(result.experiment), result.tally.totals
        of_seats = sum(int(measures[f"win_seat[{seat}]"].events(totals)) for seat in range(1, self.players + 1))
        decided = int(totals["deals"]) - int(measures["nobody"].events(totals))
        of_bot = measures[f"win_bot[{self.bots[place]}]"]
        if of_bot.form == "proportion":
            return of_seats == decided == int(of_bot.events(totals))
        return of_seats == round(float(of_bot.events(totals)) * self.players) >= decided  # several win a deal

    @cached_property
    def seat_effect(self) -> float:
        """The largest distance of a seat from par in a mirror match: what playing all rotations takes out of the matrix."""
        found = [
            abs(float(self.game.measures(result.experiment)[f"above_seat[{seat}]"](result.tally.totals)))
            for result in self.played.mirrors for seat in range(1, self.players + 1)
        ]  # fmt: skip
        return max(found, default=math.nan)

    @cached_property
    def doubling(self) -> Doubling | None:
        """What half the deals would have said; None with too few batches."""
        half = self.matches.half()
        if len(half.sizes) < FEW_BATCHES:
            return None
        before = {(cell.one, cell.others): cell.word for cell in cells_of(half)}
        cells = [cell for cell in self.cells if self.players > 2 or cell.one < cell.others]
        pairs = [(before[cell.one, cell.others], cell.word, cell) for cell in cells]
        turned = [(self.bots[cell.one], self.bots[cell.others]) for was, now, cell in pairs if {was, now} == {ABOVE, BELOW}]
        return Doubling(
            int(half.deals.sum(axis=0)[0]), sum(was == now for was, now, _ in pairs),
            sum(was == UNDECIDED != now for was, now, _ in pairs), sum(now == UNDECIDED != was for was, now, _ in pairs), tuple(turned),
        )  # fmt: skip

    # --- as data --------------------------------------------------------------------------------------

    def to_plain(self) -> dict[str, Any]:
        """For JSON: what was asked, found and checked."""
        played = self.played
        plain: dict[str, Any] = {
            **played.tournament.to_plain(),
            "status": "complete" if self.is_whole else "partial",
            "matches_played": len(played.matches),
            "error": played.error or None,
            "set": {"id": played.matches[0].experiment.set_id, "name": played.matches[0].experiment.set_name,
                    "hash": played.matches[0].experiment.set_hash},
            "matrix": [self.plain_cell(cell) for cell in self.cells],
        }  # fmt: skip
        if not self.is_told:
            return plain
        return plain | {
            "above_par_against_all": [self.bots[bot] for bot in self.leaders],
            "ratings": [plain_rating(rating) for rating in self.ratings],
            "covariance": plain_matrix(self.strengths.covariance),
            "misfit": plain_number(self.misfit),
            "nash": {"entropy": self.entropy, "effective_bots": math.exp(self.entropy), "draws": DRAWS},
            "dominance": [{"better": self.bots[one.better], "worse": self.bots[one.worse], "least": one.least, "low": one.low,
                           "p_value": one.p_value} for one in self.dominances],
            "cycles": [{"bots": [self.bots[bot] for bot in one.members], "least": one.least, "low": one.low, "p_value": one.p_value}
                       for one in self.cycles],
            "controls": {"mirrors_at_par": self.mirrors_at_par, "seat_effect": plain_number(self.seat_effect),
                         "doubling": None if self.doubling is None else plain_doubling(self.doubling)},
        }  # fmt: skip

    def plain_cell(self, cell: Cell) -> dict[str, Any]:
        """One cell for JSON."""
        value, low, high = map(plain_number, cell.advantage)
        return {"one": self.bots[cell.one], "others": self.bots[cell.others], "value": value, "low": low, "high": high,
                "verdict": cell.word, "p_value": plain_number(cell.p_value), "n": cell.deals}  # fmt: skip


def cells_of(matches: Matches) -> list[Cell]:
    """The cells of a matrix with their verdicts, one family; at two players either side of a pair says what the other does."""
    gains, deals = matches.gains(), matches.deals.sum(axis=0)
    asked = [pair for pair in matches.table_of if matches.players > 2 or pair[0] < pair[1]]
    verdicts = judge([single(gains[one][others]) for one, others in asked], confidence=CONFIDENCE)
    found = {}
    for pair, verdict in zip(asked, verdicts, strict=True):
        n = int(deals[matches.table_of[pair]])
        found[pair] = cell_of(pair, verdict, n, 1)
        if matches.players == 2:
            found[pair[::-1]] = cell_of(pair[::-1], verdict, n, -1)
    return [found[pair] for pair in sorted(found)]


def cell_of(pair: tuple[int, int], verdict: Verdict, deals: int, sign: int) -> Cell:
    """One cell; `sign` -1: seen from the other side."""
    value, low, high = verdict.interval
    advantage = verdict.interval if sign > 0 else Interval(0.0 - value, 0.0 - high, 0.0 - low)
    word = WORDS.get(verdict.word, verdict.word)
    if sign < 0 and word in (ABOVE, BELOW):
        word = BELOW if word == ABOVE else ABOVE
    return Cell(*pair, advantage, word, verdict.p_value, deals)


def plain_rating(rating: Rating) -> dict[str, Any]:
    """One rating for JSON."""
    value, low, high = map(plain_number, rating.strength)
    elo, elo_low, elo_high = map(plain_number, rating.elo)
    return {"bot": rating.bot, "strength": value, "low": low, "high": high, "elo": elo, "elo_low": elo_low, "elo_high": elo_high,
            "nash_weight": rating.weight, "nash_low": plain_number(rating.weight_low), "nash_high": plain_number(rating.weight_high)}  # fmt: skip


def plain_doubling(doubling: Doubling) -> dict[str, Any]:
    """The doubling control for JSON."""
    return {"deals_of_half": doubling.deals, "kept": doubling.kept, "found": doubling.found, "lost": doubling.lost,
            "reversed": [list(pair) for pair in doubling.reversed], "holds": doubling.holds}  # fmt: skip


def plain_matrix(matrix: NDArray[Any]) -> list[list[float | None]]:
    """Numbers of a matrix for JSON; null where there is none."""
    return [[plain_number(float(number)) for number in row] for row in matrix]


def names_of(bots: Sequence[str], numbers: Sequence[int]) -> str:
    """Some bots in words: "careful, hunter and random"."""
    names = [bots[number] for number in numbers]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
