"""Until: play on until enough is known, looking at moments that depend on the experiment only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Event

from lostlegacy_sim.anytime import AnytimeEstimates
from lostlegacy_sim.experiment import FIRST_BATCH, Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.journal import Keeper
from lostlegacy_sim.result import Result
from lostlegacy_sim.runner import play
from lostlegacy_sim.stats.sequences import FIRST_BATCHES
from lostlegacy_sim.studies.targets import Reached, Target

GROWTH = 8  # from one look to the next, the blocks grow by one in so many
FORECAST_BATCHES = 256  # from so many on, it is said how many deals the targets will take


def looks(budget: Experiment) -> Iterator[Experiment]:
    """The experiments at whose ends one looks, each a beginning of the next one; the last is the budget itself.

    The first one has 20 batches. All but the last have whole batches, and an even number of them, so that
    the counts of one are those of the next one's first batches, whenever batches double.
    """
    blocks = FIRST_BATCHES * FIRST_BATCH
    while blocks < budget.blocks:
        look = replace(budget, deals=blocks * budget.rotations)
        yield look
        grown = replace(budget, deals=(blocks + blocks // GROWTH) * budget.rotations)
        pair = 2 * grown.batch_blocks
        blocks = -(-grown.blocks // pair) * pair
    yield budget


def play_until(
    budget: Experiment,
    game: Game,
    targets: Sequence[Target],
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stop: Event | None = None,
    on_forecast: Callable[[list[Reached]], None] | None = None,
    journal: Keeper | None = None,
    player: Callable[..., Result] = play,
) -> Result:
    """Play until all targets are met, or the deals of `budget` are played.

    The result is bit for bit that of the experiment it names, whose deals are those of the look at which it
    stopped; it is the same for any number of threads. A `journal` keeps what is played on the disk, so that a run can go on;
    `player` is runner.play, or plays the same elsewhere.
    """

    def look(results: Sequence[Result]) -> list[Reached]:
        return reached(AnytimeEstimates(results[0], game), targets)

    return play_looks([budget], game, look, threads, on_progress, stop, on_forecast, [journal] if journal else None, player)[0]


def play_looks(
    budgets: Sequence[Experiment],
    game: Game,
    look: Callable[[Sequence[Result]], list[Reached]],
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    stop: Event | None = None,
    on_forecast: Callable[[list[Reached]], None] | None = None,
    journals: Sequence[Keeper] | None = None,
    player: Callable[..., Result] = play,
) -> list[Result]:
    """Play experiments of equally many blocks side by side until all that `look` finds is met.

    `on_progress` is told the deals that seem to be needed as planned; `on_forecast` is called once, early,
    with how far the targets are. A run that is stopped, or broken by a bot, leaves the results as they are:
    some may be a look ahead of the others.
    """
    results: list[Result | None] = [None] * len(budgets)
    planned = sum(budget.planned_deals for budget in budgets)
    forecast, is_told = planned, False

    def move(played: int, _: int) -> None:
        if on_progress is not None:
            others = sum(result.deals for place, result in enumerate(results) if result is not None and place != playing)
            on_progress(others + played, max(forecast, others + played))

    for step in zip(*map(looks, budgets), strict=True):
        for playing, experiment in enumerate(step):
            result = player(experiment, game, threads, move, stop, results[playing], journals[playing] if journals else None)
            results[playing] = result
            if result.status == "partial":
                return [result for result in results if result is not None]
        done = [result for result in results if result is not None]
        found = look(done)
        if all(one.is_met for one in found):
            break
        share = max(one.deals_needed for one in found if not one.is_met) / max(result.deals for result in done)
        forecast = int(min(planned, share * sum(result.deals for result in done)))
        if on_forecast is not None and not is_told and done[0].batches >= FORECAST_BATCHES:
            is_told = True
            on_forecast(found)
    return [result for result in results if result is not None]


def reached(estimates: AnytimeEstimates, targets: Sequence[Target]) -> list[Reached]:
    """How far the targets are."""
    return [Reached(target, estimates[target.measure], estimates.deals_for(target.measure, target.amount.value)) for target in targets]
