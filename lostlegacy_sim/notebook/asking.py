"""Asking: the questions of the command line as functions; every error is the same sentence, as an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias, overload

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.cli.explorations import Asked, Exploring, guidelines, mixes, sweep
from lostlegacy_sim.errors import BotError, ResultError, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy import composition
from lostlegacy_sim.games.lost_legacy.playability import check_seats
from lostlegacy_sim.notebook.compared import Compared
from lostlegacy_sim.notebook.explored import Explored
from lostlegacy_sim.notebook.simulated import Several, Simulated
from lostlegacy_sim.report.shown import schema_of
from lostlegacy_sim.result import Result, load_all
from lostlegacy_sim.runner import play, usable_cores
from lostlegacy_sim.studies import kept_looks
from lostlegacy_sim.studies.compare import same_blocks
from lostlegacy_sim.studies.kept_answers import answer_of
from lostlegacy_sim.studies.questions import Questions
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.targets import read_margin, read_target
from lostlegacy_sim.studies.until import play_until

GAME = "lost_legacy"
MOST_UNTIL = 100_000_000  # deals that `until` may play unless `deals` says so
DEALS, DEALS_OF_EACH = 1_000_000, 200_000
SIDE_KEYS = ("set", "players", "bots")

Set: TypeAlias = str | Path | CardSet
Bots: TypeAlias = str | Sequence[str]
Side: TypeAlias = Set | Mapping[str, Any] | Simulated


def load_set(word: str | Path, pick: Mapping[int | str, str] | None = None, *, keep: str = "starship", seed: int = 1) -> CardSet:
    """A set of cards: "starship", "flying-garden", "megamix", "custom", or a card file.

    `pick`: for "custom", where the cards of a speed come from, such as {1: "starship", "X": "flying-garden"};
    the seed draws the rest. `keep`: for "megamix", the set whose Lost Legacy stays in. Raises SetError or UsageError.
    """
    picks = composition.parse_picks(",".join(f"{speed}={name}" for speed, name in (pick or {}).items()))
    return composition.load_set(str(word), picks, whole("seed", seed), keep)


@overload
def simulate(
    set: Set = ..., players: int = ..., bots: Bots = ..., deals: float | None = ..., seed: int = ..., *,
    until: str | Sequence[str] = ..., detail: str = ..., threads: int | None = ...,
) -> Simulated: ...  # fmt: skip


@overload
def simulate(
    set: Set, players: Sequence[int], bots: Bots = ..., deals: float | None = ..., seed: int = ..., *,
    until: str | Sequence[str] = ..., detail: str = ..., threads: int | None = ...,
) -> Several: ...  # fmt: skip


@overload
def simulate(
    set: Set = ..., *, players: Sequence[int], bots: Bots = ..., deals: float | None = ..., seed: int = ...,
    until: str | Sequence[str] = ..., detail: str = ..., threads: int | None = ...,
) -> Several: ...  # fmt: skip


def simulate(
    set: Set = "starship", players: int | Sequence[int] = 4, bots: Bots = "careful", deals: float | None = None, seed: int = 1, *,
    until: str | Sequence[str] = (), detail: str = "deals", threads: int | None = None,
) -> Simulated | Several:  # fmt: skip
    """Play deals and say who wins.

    `set`: as for `load_set`, or what that returned. `players`: 2 to 6, or several numbers, each a table of its
    own. `bots`: in seating order, the last one fills the table; a name, or a path ending in .py. `deals`: 1e6;
    with `until` at most 1e8. `until`: play until measures are known so exactly, such as "seat_gap +/- 0.2pp".
    `detail`: "cards" to count what each kind does as well. The same seed gives the same deals on any machine
    and any number of threads (None: all cores). Ctrl-C keeps what is done.

    Raises UsageError, SetError or BotError.
    """
    targets = [read_target(text) for text in ([until] if isinstance(until, str) else until)]
    budget = whole("deals", deals if deals is not None else MOST_UNTIL if targets else DEALS)
    game = find_game(GAME)
    numbers = list(players) if isinstance(players, Sequence) else [players]
    experiments = [experiment_at(game, set, number, bots, budget, seed, detail) for number in numbers]
    if not experiments:
        raise UsageError("players = []: name at least one number of players.")
    for experiment in experiments:
        for target in targets:
            target.check(game.measures(experiment))
    played = []
    for experiment in experiments:
        result = play_until(experiment, game, targets, threads) if targets else play(experiment, game, threads)
        played.append(Simulated(whole_result(result), anytime=bool(targets)))
    return Several(played) if isinstance(players, Sequence) else played[0]


def compare(
    *sides: Side, set: Set = "starship", players: int = 4, bots: Bots = "careful", deals: float = DEALS, seed: int = 1,
    margin: str | Sequence[str] = (), measures: Sequence[str] = (), threads: int | None = None,
) -> Compared:  # fmt: skip
    """Say what changes from the first side to the others; all are played on the same deals, and differences are paired.

    A side is a set, or what else differs, such as {"bots": "hunter"} or {"players": 3}, or a result of
    `simulate` or `load`. All else is as for `simulate`. `margin`: the largest difference that does not matter,
    "0.5pp" for all rates or "turns=0.1" for one measure. `measures`: what to compare, or none for the usual ones.

    Raises UsageError, SetError or BotError.
    """
    if len(sides) < 2:
        raise UsageError('A comparison takes two sides or more, such as compare("starship", "flying-garden").')
    margins = [read_margin(text) for text in ([margin] if isinstance(margin, str) else margin)]
    budget, game = whole("deals", deals), find_game(GAME)
    usual: dict[str, Any] = {"set": set, "players": players, "bots": bots}
    asked = [None if isinstance(side, Simulated) else {**usual, **side_words(side)} for side in sides]
    to_play = [experiment_at(game, one["set"], one["players"], one["bots"], budget, seed) for one in asked if one is not None]
    coming = iter(same_blocks(to_play))
    wanted = [side.result if isinstance(side, Simulated) else next(coming) for side in sides]
    check_questions([one.experiment if isinstance(one, Result) else one for one in wanted], game, [*measures, *(one.measure for one in margins if one.measure)])
    results = [one if isinstance(one, Result) else whole_result(play(one, game, threads)) for one in wanted]
    return Compared(results, measures, margins)


def explore(
    what: str | Path, *, goals: str | Sequence[str] | None = None, players: int | None = None, bots: Bots | None = None,
    deals: float | None = None, seed: int | None = None, top: int = 10, members: int = 32,
    skill: tuple[str, str] | None = None, threads: int | None = None,
) -> Explored:  # fmt: skip
    """Play many sets on the same deals and say which is best.

    `what`: "mixes" (all 512), "guidelines" (sets that break one each), or the path of a sweep file, which may say
    itself what is left out here. `goals`: such as "seat_gap", "nobody:high", "turns=8". `deals`: of each set,
    200,000. `top`: of the mixes, how many at either end are played again on fresh shuffles. `members`: of the
    guidelines, how many sets of each family. `skill`: for the goal "skill", one of the first bot among the second.

    Raises UsageError, SetError or BotError.
    """
    game, stop = find_game(GAME), Event()
    words = Asked(
        None if players is None else (players,), None if bots is None else bot_words(bots), [goals] if isinstance(goals, str) else goals,
        None if deals is None else whole("deals", deals), None if seed is None else whole("seed", seed), skill,
    )  # fmt: skip
    chosen = exploring(str(what), game, words, top, members)
    answer = chosen.play(threads or usable_cores(), lambda played, planned: None, stop)
    looks = chosen.looks(answer)
    if error := next((look.error for look in looks.values() if look.error), ""):
        raise BotError(error)
    if not any(look.rows for look in looks.values()):
        raise KeyboardInterrupt
    return Explored(kept_looks.Exploration(chosen.name, looks, chosen.facts(answer)), answer, game)


def load(folder: str | Path) -> Simulated | Several | Explored:
    """What is kept in a folder, by `save` or by --out of the command line. Raises ResultError."""
    folder = Path(folder)
    if schema_of(folder).startswith(kept_looks.SCHEMA.partition("/")[0]):
        game = find_game(GAME)
        exploration = kept_looks.load_exploration(folder, game)
        return Explored(exploration, answer_of(exploration), game)
    results = load_all(folder)
    if not all(result.deals for result in results):
        raise ResultError(f"{folder} holds no finished deals.")
    return Simulated(results[0]) if len(results) == 1 else Several([Simulated(result) for result in results])


# --- words ----------------------------------------------------------------------------------------------


def experiment_at(game: Game, set: Set, players: int, bots: Bots, deals: int, seed: int, detail: str = "deals") -> Experiment:
    """The experiment of one table. Raises UsageError, SetError or BotError."""
    card_set = set if isinstance(set, CardSet) else load_set(set, seed=seed)
    check_seats(card_set, whole("players", players))
    return experiment_of(game, card_set, int(players), bot_words(bots), deals, whole("seed", seed), detail)


def bot_words(bots: Bots) -> tuple[str, ...]:
    """The words of a line-up: "hunter,careful" or ["hunter", "careful"]."""
    return tuple(bots.split(",")) if isinstance(bots, str) else tuple(str(bot) for bot in bots)


def whole(name: str, number: float) -> int:
    """A whole number, which may be written 1e6. Raises UsageError."""
    if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number) or number != int(number):
        raise UsageError(f"{name} = {number!r}: that is not a whole number.")
    return int(number)


def side_words(side: Set | Mapping[str, Any]) -> Mapping[str, Any]:
    """What a side says of its own. Raises UsageError."""
    if not isinstance(side, Mapping):
        return {"set": side}
    for key in side:
        if key not in SIDE_KEYS:
            raise UsageError(f"A side cannot say '{key}'.{nearest(str(key), SIDE_KEYS)}")
    return side


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
    return sweep(game, words, what)


def whole_result(result: Result) -> Result:
    """The result of deals that were played. Raises BotError if a bot broke the rules, KeyboardInterrupt if nothing was finished."""
    if result.error:
        raise BotError(result.error)
    if not result.deals:
        raise KeyboardInterrupt
    return result
