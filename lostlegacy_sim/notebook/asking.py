"""Asking: the questions of the command line as functions; every error is the same sentence, as an exception."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias, overload

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.cli.explorations import Asked, Exploring, guidelines, mixes, sweep
from lostlegacy_sim.errors import BotFailure, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.notebook.balanced import Balanced
from lostlegacy_sim.notebook.compared import Compared
from lostlegacy_sim.notebook.contested import Contested
from lostlegacy_sim.notebook.explored import Explored
from lostlegacy_sim.notebook.simulated import Several, Simulated
from lostlegacy_sim.notebook.words import (
    Bots,
    Set,
    bot_words,
    experiment_at,
    finished,
    game_of,
    numbers_of,
    set_for,
    side_words,
    texts,
    whole,
)
from lostlegacy_sim.registry import BUILT_IN
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import HERE, play, usable_cores
from lostlegacy_sim.studies import kept_looks
from lostlegacy_sim.studies.balance_run import play_balance
from lostlegacy_sim.studies.card_trials import USUAL, balancing
from lostlegacy_sim.studies.compare import same_blocks
from lostlegacy_sim.studies.kept_tournaments import Answer
from lostlegacy_sim.studies.ladder import Climbed, Ladder, ladder_of
from lostlegacy_sim.studies.questions import Questions
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.targets import read_margin, read_target
from lostlegacy_sim.studies.tournament import play_in_turn, played_of, tournament_of
from lostlegacy_sim.studies.until import play_until

EXPLORED = BUILT_IN[0]  # the game whose families can be explored
MOST_UNTIL = 100_000_000  # deals that `until` may play unless `deals` says so
DEALS, DEALS_OF_BALANCE, DEALS_OF_MATCH = 1_000_000, 500_000, 100_000

Side: TypeAlias = Set | Mapping[str, Any] | Simulated


@overload
def simulate(
    set: Set = ..., players: int = ..., bots: Bots = ..., deals: float | None = ..., seed: int = ..., *,
    until: str | Sequence[str] = ..., detail: str = ..., threads: int | None = ..., strict: bool = ...,
) -> Simulated: ...  # fmt: skip


@overload
def simulate(
    set: Set, players: Sequence[int], bots: Bots = ..., deals: float | None = ..., seed: int = ..., *,
    until: str | Sequence[str] = ..., detail: str = ..., threads: int | None = ..., strict: bool = ...,
) -> Several: ...  # fmt: skip


@overload
def simulate(
    set: Set = ..., *, players: Sequence[int], bots: Bots = ..., deals: float | None = ..., seed: int = ...,
    until: str | Sequence[str] = ..., detail: str = ..., threads: int | None = ..., strict: bool = ...,
) -> Several: ...  # fmt: skip


def simulate(
    set: Set = "starship", players: int | Sequence[int] = 4, bots: Bots = (), deals: float | None = None, seed: int = 1, *,
    until: str | Sequence[str] = (), detail: str = "deals", threads: int | None = None, strict: bool = False,
) -> Simulated | Several:  # fmt: skip
    """Play deals and say who wins.

    `set`: as for `load_set`, or what that returned. `players`: 2 to 6, or several numbers, each a table of its
    own. `bots`: in seating order, the last one fills the table, none is the game's usual one (careful); a name, or a path ending in .py. `deals`: 1e6;
    with `until` at most 1e8. `until`: play until measures are known so exactly, such as "seat_gap +/- 0.2pp".
    `detail`: "cards" to count what each kind does as well. The same seed gives the same deals on any machine
    and any number of threads (None: all cores). `strict`: bots of your own are watched at every question, not in a
    sample of the deals. Ctrl-C keeps what is done.

    Raises UsageError, SetError or BotError.
    """
    targets = [read_target(text) for text in texts(until)]
    budget = whole("deals", deals if deals is not None else MOST_UNTIL if targets else DEALS)
    experiments = [experiment_at(set, number, bots, budget, seed, detail) for number in numbers_of(players)]
    game = game_of(experiments).strict(strict)
    for experiment in experiments:
        for target in targets:
            target.check(game.measures(experiment))
    played = []
    for experiment in experiments:
        result = play_until(experiment, game, targets, threads) if targets else play(experiment, game, threads)
        played.append(Simulated(finished(result), anytime=bool(targets)))
    return Several(played) if isinstance(players, Sequence) else played[0]


def compare(
    *sides: Side, set: Set = "starship", players: int = 4, bots: Bots = (), deals: float = DEALS, seed: int = 1,
    margin: str | Sequence[str] = (), measures: Sequence[str] = (), threads: int | None = None, strict: bool = False,
) -> Compared:  # fmt: skip
    """Say what changes from the first side to the others; all are played on the same deals, and differences are paired.

    A side is a set, or what else differs, such as {"bots": "hunter"} or {"players": 3}, or a result of
    `simulate` or `load`. All else is as for `simulate`. `margin`: the largest difference that does not matter,
    "0.5pp" for all rates or "turns=0.1" for one measure. `measures`: what to compare, or none for the usual ones.

    Raises UsageError, SetError or BotError.
    """
    if len(sides) < 2:
        raise UsageError('A comparison takes two sides or more, such as compare("starship", "flying-garden").')
    margins = [read_margin(text) for text in texts(margin)]
    budget = whole("deals", deals)
    usual: dict[str, Any] = {"set": set, "players": players, "bots": bots}
    asked = [None if isinstance(side, Simulated) else {**usual, **side_words(side)} for side in sides]
    to_play = [experiment_at(one["set"], one["players"], one["bots"], budget, seed) for one in asked if one is not None]
    coming = iter(same_blocks(to_play))
    wanted = [side.result if isinstance(side, Simulated) else next(coming) for side in sides]
    experiments = [one.experiment if isinstance(one, Result) else one for one in wanted]
    game = game_of(experiments).strict(strict)
    check_questions(experiments, game, [*measures, *(one.measure for one in margins if one.measure)])
    results = [one if isinstance(one, Result) else finished(play(one, game, threads)) for one in wanted]
    return Compared(results, measures, margins)


def explore(
    what: str | Path, *, goals: str | Sequence[str] | None = None, players: int | None = None, bots: Bots | None = None,
    deals: float | None = None, seed: int | None = None, top: int = 10, members: int = 32,
    skill: tuple[str, str] | None = None, threads: int | None = None, strict: bool = False,
) -> Explored:  # fmt: skip
    """Play many sets on the same deals and say which is best.

    `what`: "mixes" (all 512), "guidelines" (sets that break one each), or the path of a sweep file, which may say
    itself what is left out here. `goals`: such as "seat_gap", "nobody:high", "turns=8". `deals`: of each set,
    200,000. `top`: of the mixes, how many at either end are played again on fresh shuffles. `members`: of the
    guidelines, how many sets of each family. `skill`: for the goal "skill", one of the first bot among the second.
    A warning names the bot files that only a sweep file names, before they are run.

    Raises UsageError, SetError or BotError.
    """
    game, stop = find_game(EXPLORED).strict(strict), Event()
    words = Asked(
        None if players is None else (players,), None if bots is None else bot_words(bots), None if goals is None else texts(goals),
        None if deals is None else whole("deals", deals), None if seed is None else whole("seed", seed), skill,
    )  # fmt: skip
    chosen = exploring(str(what), game, words, top, members)
    answer = chosen.play(threads or usable_cores(), lambda played, planned: None, stop, HERE)
    looks = chosen.looks(answer)
    if error := next((look.error for look in looks.values() if look.error), ""):
        raise BotFailure(error)
    if not any(look.rows for look in looks.values()):
        raise KeyboardInterrupt
    return Explored(kept_looks.Exploration(chosen.name, looks, chosen.facts(answer)), answer, game)


def balance(
    set: Set = "starship", players: int | Sequence[int] = 4, bots: Bots = (), deals: float = DEALS_OF_BALANCE, seed: int = 1, *,
    cards: Sequence[str] = (), effects: Sequence[str] | None = None, against: str | None = None, threads: int | None = None, strict: bool = False,
) -> Balanced:  # fmt: skip
    """Say which card is too strong, because of its text: the set is played as it is, and with one thing changed about each card.

    `deals`: of the set and of each variant. `cards`: ids or names, or none for all. `effects`: of "one" (its text
    taken off one copy), "blank" (off one copy, and off all), "swap" (the other set's card), "copy" (one more or fewer) and "never" (a bot that does not play it, among
    equal ones); all that can be asked. `against`: the card that makes room for a copy, instead of a blank.

    Raises UsageError, SetError or BotError.
    """
    budget, numbers = whole("deals", deals), numbers_of(players)
    card_set, seed = set_for(set, numbers, seed), whole("seed", seed)
    game = find_game(card_set.game).strict(strict)
    if not isinstance(card_set, CardSet):
        raise UsageError(f"{game.title} counts nothing of single cards, so none can be judged.")
    is_equal = len({*bot_words(bots)}) <= 1
    chosen = tuple(effects) if effects is not None else tuple(name for name in USUAL if is_equal or name != "never")
    asked = [balancing(game, card_set, number, bot_words(bots), budget, seed, cards, chosen, against) for number in numbers]
    found = play_balance(asked, game, threads)
    if found.error:
        raise BotFailure(found.error)
    if not found.tables:
        raise KeyboardInterrupt
    return Balanced(found)


def tournament(
    bots: Sequence[str] | str | None = None, set: Set = "starship", players: int | Sequence[int] = 4, deals: float = DEALS_OF_MATCH,
    seed: int = 1, *, ladder: bool = False, all_mixtures: bool = False, threads: int | None = None, strict: bool = False,
) -> Contested:  # fmt: skip
    """Say which bot plays best: each one alone among others of each other bot, all on the same shuffles.

    `bots`: two or more, or none for the game's ladder. `deals`: of each match. `ladder`: only each bot against the one
    before it, the weakest first. `all_mixtures`: every mixture of bots at the table.

    Raises UsageError, SetError or BotError.
    """
    if ladder and all_mixtures:
        raise UsageError("A ladder plays each bot against the one before it; leave out all_mixtures.")
    budget, numbers = whole("deals", deals), numbers_of(players)
    card_set, seed = set_for(set, numbers, seed), whole("seed", seed)
    game = find_game(card_set.game).strict(strict)
    names = game.ladder if bots is None else bot_words(bots)
    answers: list[Answer] = []
    for number in numbers:
        asked = (ladder_of(game, card_set, number, names, budget, seed) if ladder
                 else tournament_of(game, card_set, number, names, budget, seed, all_mixtures))  # fmt: skip
        results, error = play_in_turn(asked.experiments, game, threads)
        if error:
            raise BotFailure(error)
        if len(results) < len(asked.experiments):
            raise KeyboardInterrupt
        answers.append(Climbed(asked, results, game) if isinstance(asked, Ladder) else Standings(played_of(asked, results), game))
    return Contested(answers)


# --- before playing -------------------------------------------------------------------------------------


def check_questions(experiments: Sequence[Experiment], game: Game, names: Sequence[str]) -> None:
    """Raise UsageError for a measure that not all sides have, before anything is played."""
    for other in experiments[1:]:
        Questions(experiments[0], other, game).asked(names)


def exploring(what: str, game: Game, words: Asked, top: int, members: int) -> Exploring:
    """The exploration that is meant. Raises UsageError."""
    if what == "mixes":
        return mixes(game, words, top)
    if what == "guidelines":
        return guidelines(game, words, members)
    if not Path(what).exists() and not what.endswith(".toml"):
        raise UsageError(f"There is no family '{what}'.{nearest(what, ('mixes', 'guidelines'))} A sweep is named by its file.")
    return sweep(game, words, what, lambda sentence: warnings.warn(sentence, stacklevel=5))
