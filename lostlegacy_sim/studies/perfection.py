"""Perfection: a tiny deck for two solved exactly, and how far each bot is from perfect play in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games.lost_legacy.bots.roster import find_bot, seat_bot
from lostlegacy_sim.games.lost_legacy.research.exact.asking import Asked, Examiner
from lostlegacy_sim.games.lost_legacy.research.exact.decision_points import DecisionPoints
from lostlegacy_sim.games.lost_legacy.research.exact.sequence_form import SequenceForm
from lostlegacy_sim.solving.best_response import exploitability, respond_for_wins
from lostlegacy_sim.solving.equilibrium import Solution, solve
from lostlegacy_sim.solving.two_player_game import Numbers, TwoPlayerGame

MOST_MOMENTS = 1_000_000
MOST_HISTORIES = 20_000_000  # in one layer; more do not fit into the memory of a small machine


@dataclass(frozen=True)
class Distance:
    """How far a bot is from perfect. Margins are win shares: own wins less the other's, over all deals; both chairs averaged."""

    bot: str
    exploitability: float  # the margin of the best opponent, who knows how the bot plays
    best_wins: float  # what an opponent wins that only counts its own wins
    self_wins: float  # what the bot wins against itself
    against_perfect: float  # its margin against the equilibrium found; never above the equilibrium's exploitability
    asked: int  # information sets it comes to, in both chairs
    is_sampled: bool  # it chooses at random, and its chances are shares of many answers


@dataclass(frozen=True)
class Perfection:
    """A tiny deck solved."""

    cards: tuple[str, ...]
    moments: int
    histories: int  # that end in a choice
    information_sets: int
    low: float  # the value of the game, seat 1's wins less seat 2's between perfect players, lies from here
    high: float  # to here
    exploitability: float  # of the equilibrium found
    nobody: float  # how often nobody wins between the two plans found
    bots: tuple[Distance, ...]


def perfection(card_set: CardSet, bots: Sequence[str], within: float = 1e-4, say: Callable[[str], None] = lambda line: None) -> Perfection:
    """Solve a deck for two and measure bots in it.

    `within`: the exploitability at which the equilibrium is good enough. Raises OverflowError for a deck with too many
    moments or histories, BotError for a bot that cannot be asked.
    """
    moments = DecisionPoints(card_set, 2, limit=MOST_MOMENTS)
    say(f"{len(moments.found):,} moments")
    unfolded = SequenceForm(moments, MOST_HISTORIES)
    duel = unfolded.duel
    n_sets = duel.choices[0].n_sets + duel.choices[1].n_sets
    say(f"{unfolded.n_histories:,} histories, {n_sets:,} information sets")
    solution = solve(duel, within)
    say(f"value {solution.low:.5f} to {solution.high:.5f} after {solution.rounds} rounds")
    distances = []
    for words in bots:
        bot = seat_bot(*find_bot(words), card_set)
        asked = Examiner(card_set, unfolded, bot, 0).ask(), Examiner(card_set, unfolded, bot, 1).ask()
        distances.append(distance(bot.name, duel, solution, asked))
        say(f"{bot.name}: exploitability {distances[-1].exploitability:.5f}")
    cards = tuple(card.id for card in card_set.cards for _ in range(card.copies))
    nobody = 1 - sum(duel.shares(solution.plans))
    return Perfection(cards, len(moments.found), unfolded.n_histories, n_sets, solution.low, solution.high,
                      solution.exploitability, nobody, tuple(distances))  # fmt: skip


def distance(name: str, duel: TwoPlayerGame, solution: Solution, asked: tuple[Asked, Asked]) -> Distance:
    """How far a bot with these policies in the two seats is from perfect."""
    plans: tuple[Numbers, Numbers] = (duel.choices[0].plan(asked[0].chances), duel.choices[1].plan(asked[1].chances))
    wins = respond_for_wins(duel, 0, plans[1]).value, respond_for_wins(duel, 1, plans[0]).value
    against = duel.value((plans[0], solution.plans[1])), -duel.value((solution.plans[0], plans[1]))
    return Distance(
        bot=name,
        exploitability=exploitability(duel, plans),
        best_wins=sum(wins) / 2,
        self_wins=sum(duel.shares(plans)) / 2,
        against_perfect=sum(against) / 2,
        asked=asked[0].n_asked + asked[1].n_asked,
        is_sampled=asked[0].is_sampled or asked[1].is_sampled,
    )


