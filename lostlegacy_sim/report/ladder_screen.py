"""The answer of `llsim tournament --ladder` as plain text: how deep the game is, then a line a rung."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import plain_number
from lostlegacy_sim.letters import padded
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.charts.chart import cells
from lostlegacy_sim.report.screen import counted, interval
from lostlegacy_sim.report.tables import Cell, Table
from lostlegacy_sim.sentences import DEPTH, DEPTH_ALL, DEPTH_LEAST
from lostlegacy_sim.studies.ladder import Climb, Climbed, Ladder
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.standings import ABOVE
from lostlegacy_sim.studies.uncounted import some_count_nothing

COLUMNS = ("set", "players", "rung", "upper", "lower", "index", "index_low", "index_high", "above_par", "low", "high", "verdict", "n")


def headline(title: str, ladder: Ladder) -> str:
    """What was played, on one line."""
    climb = ladder.climbs[0]
    return (f"{title}: {climb.set_name} · {climb.players} players · a ladder of {len(ladder.rungs)} rungs · "
            f"{counted(climb.planned_deals, 'deal')} a climb · seed {climb.seed}")  # fmt: skip


def climbed_lines(climbed: Climbed) -> Iterator[str]:
    """The whole answer."""
    ladder = climbed.ladder
    yield headline(climbed.game.title, ladder)
    if not climbed.is_whole:
        yield f"Stopped after {len(climbed.results)} of {counted(len(ladder.climbs), 'climb')}; this is what they say."
    yield ""
    yield from (f"  {sentence}" for sentence in depth_sentences(climbed))
    yield ""
    width = max(columns_of(climb_words(climb)) for climb in climbed.climbs)
    yield f"  {'rung':{width + 4}}  {'win index':>9}   {'95 % interval':>13}   points above par"
    yield f"  {1:>2}  {ladder.rungs[0]}"
    for climb in climbed.climbs:
        index = "-" if math.isnan(climb.index.value) else f"{climb.index.value:.3f}"
        yield f"  {climb.rung:>2}  {padded(climb_words(climb), width)}  {index:>9}   {interval(climb.index):>13}   {above_words(climb)}"
    yield "  Win index: win rate of one upper bot among lower ones, divided by an equal share. Points: their words hold for all climbs at once (Holm)."


def depth_sentences(climbed: Climbed) -> Iterator[Claim]:
    """How deep the game is, and where no deal counts."""
    yield depth_sentence(climbed)
    uncounted = some_count_nothing(climbed.results, "climbs")
    if uncounted is not None:
        yield uncounted


def depth_sentence(climbed: Climbed) -> Claim:
    """How deep the game is, as far as that is certain, and where the ladder breaks."""
    rungs = len(climbed.ladder.climbs)
    if climbed.depth == rungs:
        return DEPTH_ALL.say(rungs=rungs)
    broken = [climb for climb in climbed.climbs if climb.word != ABOVE]
    named = [f"{climb.upper} over {climb.lower} {climb.word}" for climb in broken]
    unclimbed = [f"{counted(rungs - len(climbed.climbs), 'rung')} not climbed"] if not climbed.is_whole else []
    sentence = DEPTH if climbed.most_depth == climbed.depth else DEPTH_LEAST
    return sentence.say(depth=climbed.depth, rungs=rungs, others=", ".join(named + unclimbed))


def climb_words(climb: Climb) -> str:
    """Who climbs over whom."""
    return f"{climb.upper} among {climb.lower}"


def above_words(climb: Climb) -> str:
    """The advantage in points with its interval, and what it says."""
    value, low, high = climb.advantage
    if math.isnan(low):
        return f"{'no deal counts' if math.isnan(value) else points(value, sign=True)}, {climb.word}"
    return f"{points(value, sign=True)} ({points(low, sign=True)} to {points(high, sign=True)}), {climb.word}"


def climb_table(every: Sequence[Climbed]) -> Table:
    """A row a climb."""
    rows: list[tuple[Cell, ...]] = []
    for climbed in every:
        for one in climbed.climbs:
            experiment = climbed.ladder.climbs[0]
            index = tuple(plain_number(number) for number in (one.index.value, one.index.low, one.index.high))
            rows.append((experiment.set_name, experiment.players, one.rung, one.upper, one.lower, *index, *cells(one.advantage), one.word, one.deals))
    return Table("climbs", COLUMNS, tuple(rows), ("", "", "", "", "", *["ratio"] * 3, *["difference"] * 3, "", ""))
