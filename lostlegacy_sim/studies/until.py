"""Until: play on until measures are known exactly enough, looking at moments that depend on the experiment only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Event

from lostlegacy_sim.anytime import AnytimeEstimates
from lostlegacy_sim.experiment import FIRST_BATCH, Experiment
from lostlegacy_sim.game import Game
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
) -> Result:
    """Play until all targets are met, or the deals of `budget` are played.

    The result is bit for bit that of the experiment it names, whose deals are those of the look at which it
    stopped; it is the same for any number of threads. `on_progress` is told the deals that seem to be
    needed as planned; `on_forecast` is called once, early, with how far the targets are.
    """
    forecast, is_told = budget.planned_deals, False
    result: Result | None = None

    def move(played: int, _: int) -> None:
        if on_progress is not None:
            on_progress(played, max(forecast, played))

    for look in looks(budget):
        result = play(look, game, threads, move, stop, result)
        if result.status == "partial":
            break
        estimates = AnytimeEstimates(result, game)
        found = reached(estimates, targets)
        if all(one.is_met for one in found):
            break
        forecast = int(min(budget.planned_deals, max(one.deals_needed for one in found if not one.is_met)))
        if on_forecast is not None and not is_told and result.batches >= FORECAST_BATCHES:
            is_told = True
            on_forecast(found)
    assert result is not None
    return result


def reached(estimates: AnytimeEstimates, targets: Sequence[Target]) -> list[Reached]:
    """How far the targets are."""
    return [Reached(target, estimates[target.measure], estimates.deals_for(target.measure, target.amount.value)) for target in targets]
