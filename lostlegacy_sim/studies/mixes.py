"""Mixes: which of all guideline-legal mixes is best by stated goals, and which of the nine choices matter."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Event

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.cards.composition import PAIR, SPEEDS, all_mixes, printed
from lostlegacy_sim.games.lost_legacy.vocabulary import speed_word
from lostlegacy_sim.runner import HERE, Crew
from lostlegacy_sim.studies.goals import Goal
from lostlegacy_sim.studies.look import Look, Seated, take_look
from lostlegacy_sim.studies.main_effects import Choice, Effect, main_effects, rival_choices
from lostlegacy_sim.studies.survey import Progress

MAX_FRESH_SEED = 10**9


def mixes_in_order() -> list[CardSet]:
    """All mixes, in an order that has pairs for every choice early: a run that is stopped still tells something."""
    return sorted(all_mixes(), key=lambda mix: (mix.id not in PAIR, hashlib.sha256(mix.id.encode()).digest()))


def choices() -> list[Choice]:
    """The nine choices: at each speed the card of one set or of the other."""
    names = [{card.speed: card.name for card in printed(name).cards} for name in PAIR]
    return [Choice(f"speed {speed_word(speed)}", *(of_set[speed] for of_set in names)) for speed in SPEEDS]


def chosen(mix: CardSet) -> tuple[bool, ...]:
    """For every speed whether a mix has the second set's cards there."""
    symbols = {card.speed: card.symbol for card in mix.cards}
    return tuple(symbols[speed] == PAIR[1] for speed in SPEEDS)


def fresh_seed(seed: int) -> int:
    """The seed of the second look: another one, that follows from the first."""
    found = int.from_bytes(hashlib.sha256(f"second look {seed}".encode()).digest()[:8], "big") % MAX_FRESH_SEED
    return found if found != seed else found + 1


def shortlist(look: Look, top: int) -> list[int]:
    """Rows of the best and of the worst, as many each, of the best in each goal, and of the two printed sets."""
    order = look.order
    ends = [*order[:top], *order[max(top, len(order) - top) :]]
    winners = [best_in(look, number) for number in range(len(look.table.goals))]
    printed_ones = [place for place, card_set in enumerate(look.played) if card_set.id in PAIR]
    return [look.rows[place] for place in dict.fromkeys([*ends, *winners, *printed_ones])]


def shortlist_size(sets: Sequence[CardSet], top: int, goals: int) -> int:
    """How many sets the second look plays at most."""
    return min(len(sets), 2 * top + goals + len(PAIR))


def best_in(look: Look, goal: int) -> int:
    """The place of the best set in one goal, by its number; of equals the one with the better mean rank."""
    return min(look.order, key=lambda place: look.ranks[place, goal])


@dataclass(frozen=True, eq=False)
class MixesAnswer:
    """What the first look at all mixes says, and the second look at the shortlist."""

    first: Look
    second: Look | None  # None if it was not reached
    top: int

    @cached_property
    def is_second(self) -> NDArray[np.bool_]:
        """[rows, choices]: which choice each mix made."""
        return np.array([chosen(mix) for mix in self.first.played], bool).reshape(-1, len(SPEEDS))

    @cached_property
    def effects(self) -> list[Effect]:
        """The main effects, choice by choice, goal by goal."""
        goals = self.first.table.goals
        numbers = {goal.name: self.first.jackknife(goal) for goal in goals}
        return main_effects(choices(), self.is_second, numbers, {goal.name: self.first.unit(goal) for goal in goals})

    def strongest(self, goal: Goal) -> Effect | None:
        """The choice that moves a goal furthest, of those that surely move it; None if none does."""
        found = [effect for effect in self.effects if effect.goal == goal.name and effect.is_sure]
        return max(found, key=lambda effect: abs(effect.value), default=None)

    def rivals(self, effect: Effect) -> list[str]:
        """The choices that may move the goal of an effect as far, or further."""
        goal = next(goal for goal in self.first.table.goals if goal.name == effect.goal)
        return rival_choices(choices(), self.is_second, self.first.jackknife(goal), effect.name)

    @property
    def best(self) -> list[int]:
        """Places of the best in the first look."""
        return self.first.order[: self.top]

    @property
    def worst(self) -> list[int]:
        """Places of the worst, the worst one last; none that is among the best."""
        order = self.first.order
        return order[max(self.top, len(order) - self.top) :]

    @property
    def printed(self) -> list[int]:
        """Places of the two printed sets."""
        return [place for place, mix in enumerate(self.first.played) if mix.id in PAIR]

    def again(self, place: int) -> int | None:
        """The place of a mix in the second look; None if it is not there."""
        row = self.first.rows[place]
        played = self.second.played if self.second is not None else []
        return next((number for number, mix in enumerate(played) if mix.id == self.first.sets[row].id), None)


def explore_mixes(
    table: Seated, game: Game, top: int, sets: Sequence[CardSet] | None = None, threads: int | None = None,
    on_progress: Progress | None = None, stop: Event | None = None, crew: Crew = HERE,
) -> MixesAnswer:  # fmt: skip
    """Play all mixes, then the best and the worst again on fresh shuffles (the winner of a search is lucky, too)."""
    stop = stop or Event()
    first = take_look(table, sets or mixes_in_order(), game, threads, on_progress, stop, crew)
    if stop.is_set() or not first.rows:
        return MixesAnswer(first, None, top)
    return MixesAnswer(first, second_look(first, shortlist(first, top), game, threads, on_progress, stop, crew), top)


def second_look(
    first: Look, rows: Sequence[int], game: Game, threads: int | None = None,
    on_progress: Progress | None = None, stop: Event | None = None, crew: Crew = HERE,
) -> Look | None:  # fmt: skip
    """Some sets of a look again on fresh shuffles; None if none was played to its end."""
    table = replace(first.table, seed=fresh_seed(first.table.seed))
    look = take_look(table, [first.sets[row] for row in rows], game, threads, on_progress, stop, crew)
    return look if look.rows else None
