"""Bounds: what an opponent wins from each bot at least, with a whole set of cards, where perfect play is out of reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.estimate import CONFIDENCE, Estimates
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.bots.roster import find_bot, seat_bot
from lostlegacy_sim.games.lost_legacy.research.bounds.mixture import exploited, fictitious_play
from lostlegacy_sim.games.lost_legacy.research.bounds.response import Learner, Measured
from lostlegacy_sim.runner import play
from lostlegacy_sim.stats.differences import single
from lostlegacy_sim.stats.intervals import Interval, normal_quantile
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.standings import Standings


@dataclass(frozen=True)
class Bound:
    """What one response wins more than the bot: share of deals it wins less share the bot wins, both chairs averaged."""

    response: str  # a bot, or "trained"
    trained_on: int  # deals it has played in each chair before
    margin: float
    low: float  # the intervals of all responses to one bot hold at once (Bonferroni)
    high: float


@dataclass(frozen=True)
class Bounds:
    """All responses to one bot. The bot is exploited at least as much as the strongest of them shows."""

    bot: str
    found: tuple[Bound, ...]

    @property
    def best(self) -> Bound:
        """The strongest response, by its lower end."""
        return max(self.found, key=lambda bound: bound.low)


def lower_bounds(
    game: Game, card_set: CardSet, bots: Sequence[str], budgets: Sequence[int], deals: int, seed: int,
    say: Callable[[str], None] = lambda line: None,
) -> list[Bounds]:
    """Every bot against every other one of these, and against a response trained against it for each budget (deals a chair, ascending).

    `deals` are measured, half of them in each chair; a trained response on deals it has never seen. Raises BotError.
    """
    found = []
    for words in bots:
        others = [other for other in bots if other != words]
        confidence = 1 - (1 - CONFIDENCE) / (len(others) + len(budgets))
        rows = [from_play(game, card_set, other, words, deals, seed, confidence) for other in others]
        learner = Learner(card_set, seat_bot(*find_bot(words), card_set), seed)
        for budget in budgets:
            learner.train(budget - learner.trained)
            measured = learner.measure(deals // 2)
            rows.append(Bound("trained", budget, *around(measured, confidence)))
            say(f"{words}: {rows[-1]}")
        found.append(Bounds(words, tuple(rows)))
    return found


@dataclass(frozen=True)
class Mixture:
    """What a response wins from a mixture of learners, each trained against those before it; the first is `careful`."""

    members: int
    margin: float
    low: float  # 95 %
    high: float


def mixtures(
    card_set: CardSet, rounds: int, trained_on: int, budget: int, deals: int, seed: int, say: Callable[[str], None] = lambda line: None
) -> list[Mixture]:
    """Fictitious play of learners, each trained on `trained_on` deals a chair, and how much its mixtures are exploited at least.

    Every mixture meets a response of its own, trained on `budget` deals a chair and measured on `deals` it has never seen, half
    of them in each chair.
    """
    found = []
    for mixture in fictitious_play(card_set, rounds, trained_on, seed):
        measured = exploited(card_set, mixture, budget, deals // 2, seed + 1000)
        found.append(Mixture(len(mixture), *around(measured, CONFIDENCE)))
        say(f"{found[-1]}")
    return found


def from_tournament(standings: Standings, bot: str, responses: Sequence[str]) -> list[Bound]:
    """What some bots of a tournament for two win more than another, with intervals whose lower ends hold at once.

    They take 2.5 % of error together, on the lower side. Those of `lower_bounds` take no more there, being two-sided, so that
    the lower ends of both hold at once at 95 %.
    """
    gains, each = standings.matches.gains(), 1 - (1 - CONFIDENCE) / max(len(responses), 1)
    place = standings.bots.index(bot)
    found = [(response, single(gains[standings.bots.index(response)][place]).interval(each)) for response in responses]
    return [Bound(response, 0, *(2 * number for number in gain)) for response, gain in found]  # of two bots the other is as far below par


def around(measured: Measured, confidence: float) -> Interval:
    """The margin with its interval; it lies between -1 and 1."""
    half = normal_quantile(confidence) * measured.error
    return Interval(measured.margin, max(measured.margin - half, -1.0), min(measured.margin + half, 1.0))


def from_play(game: Game, card_set: CardSet, response: str, bot: str, deals: int, seed: int, confidence: float) -> Bound:
    """What one bot wins more than another, from deals in both chairs."""
    result = play(experiment_of(game, card_set, 2, [response, bot], deals, seed), game, 1)
    name = result.experiment.bots[0]
    above = Estimates(result, game, confidence)[f"above_bot[{name}]"]  # of two bots the other is as far below par
    return Bound(name, 0, 2 * above.value, 2 * above.low, 2 * above.high)
