"""The answer of `llsim simulate` as plain text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

from lostlegacy_sim.estimate import METHODS, Estimate
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.letters import padded
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.studies.simulate import Answer, Campaign, Plan, Row, points
from lostlegacy_sim.studies.uncounted import counts_nothing, none_counts

BAR = 12  # characters of the longest bar
EIGHTHS = " ▏▎▍▌▋▊▉"


def headline(title: str, experiment: Experiment, deals: int) -> str:
    """What was played, on one line."""
    seated = [(bot, len(list(seats))) for bot, seats in groupby(experiment.bots)]
    if len(seated) == 1:
        bots = f"all {seated[0][0]}"
    else:
        bots = ", ".join(bot if seats == 1 else f"{seats} x {bot}" for bot, seats in seated)
    return f"{title}: {experiment.set_name} · {experiment.players} players, {bots} · {counted(deals, 'deal')} · seed {experiment.seed}"


def answer_lines(answer: Answer) -> Iterator[str]:
    """The answer to who wins: seats, bots, how deals end, and what that allows to say."""
    result, estimates = answer.result, answer.estimates
    experiment = result.experiment
    yield headline(answer.game.title, experiment, result.deals)
    if result.status == "partial":
        yield f"Stopped after {result.deals:,} of {experiment.planned_deals:,} deals; this is what they say."
    yield ""
    if counts_nothing(result):
        yield f"  {none_counts(result.deals)}"
        return
    nobody = estimates["nobody"]
    width = max(columns_of(row.label) for row in [*answer.seats, *answer.bots])
    par = percent(estimates["par"].value)
    yield f"  {'who wins':{width}}               95 % interval   par = {par}, an equal share of the decided deals"
    longest = max((row.rate.value for row in answer.seats), default=0.0)
    yield from (win_line(row, width, longest) for row in answer.seats)
    yield f"  {'nobody':{width}}   {percent(nobody.value):>9}   {interval(nobody):>13}"
    if answer.bots:
        yield ""
        yield f"  {'which bot':{width}}               95 % interval   above par, in points"
        longest = max(row.rate.value for row in answer.bots)
        yield from (win_line(row, width, longest) for row in answer.bots)
    yield from (f"  {sentence}" for sentence in answer.verdicts)
    yield ""
    yield from summary_lines(answer)
    void = int(estimates.totals["void"])
    if void:
        yield f"  {counted(void, 'deal')} passed the bound on turns and did not count."


def win_line(row: Row, width: int, longest: float) -> str:
    """A seat or a bot: rate, interval, bar, distance from par."""
    above = points(row.above.value, sign=True) if not math.isnan(row.above.value) else ""
    return f"  {padded(row.label, width)}   {percent(row.rate.value):>9}   {interval(row.rate):>13}   {bar(row.rate.value, longest):{BAR}}  {above}"


def summary_lines(answer: Answer) -> Iterator[str]:
    """The lines the game names in its summary."""
    for heading, row in answer.game.summary:
        found = [(answer.estimates[name], words) for name, words in row]
        cells = [f"{short(estimate)} {words}" if len(row) == 1 else f"{words} {short(estimate)}" for estimate, words in found]
        if found[0][0].unit == "turns":
            cells.append(f"the longest deal took {answer.result.longest}")
        yield f"  {heading:12}  {' · '.join(cells)}"


def campaign_lines(campaign: Campaign, answer: Answer) -> Iterator[str]:
    """Who wins a campaign."""
    begins = "the same seat begins again" if campaign.nobody_begins == "same" else "the next seat begins"
    yield f"  campaign to {campaign.points} points, seat 1 begins; after a game nobody won {begins}"
    if math.isnan(campaign.games.value):
        yield "  In these deals there is a beginner with whom nobody ever wins: a campaign may never end."
        return
    bots = answer.result.experiment.bots
    labels = [f"seat {seat} · {bot}" if answer.bots else f"seat {seat}" for seat, bot in enumerate(bots, 1)]
    width = max(map(columns_of, labels))
    longest = max(chance.value for chance in campaign.chances)
    for label, chance in zip(labels, campaign.chances, strict=True):
        yield f"  {padded(label, width)}   {percent(chance.value):>9}   {interval(chance):>13}   {bar(chance.value, longest)}"
    games = campaign.games
    bounds = "" if math.isnan(games.low) else f" ({games.low:.2f}-{games.high:.2f})"
    yield f"  {games.value:.2f} games on average{bounds}"


def measure_lines(answer: Answer) -> Iterator[str]:
    """Every measure with its interval and how that was found."""
    estimates = [answer.estimates[name] for name in answer.estimates.measures]
    width = max(columns_of(estimate.name) for estimate in estimates)
    yield f"  {'measure':{width}}       value   95 % interval"
    for estimate in estimates:
        value = percent(estimate.value) if estimate.unit == "rate" else short(estimate)
        yield f"  {padded(estimate.name, width)}  {value:>10}   {interval(estimate):>17}   {estimate.meaning}"
    used = dict.fromkeys(estimate.method for estimate in estimates)
    yield ""
    yield from (f"  {method}: {METHODS[method]}" for method in used)


def plan_lines(title: str, plan: Plan) -> Iterator[str]:
    """What playing would take and give."""
    experiment = plan.experiment
    yield headline(title, experiment, experiment.planned_deals)
    shuffles, rotations = counted(experiment.blocks, "shuffle"), counted(experiment.rotations, "rotation")
    yield f"  {shuffles} in {rotations} of the line-up, in {experiment.batches} batches"
    share = percent(1 / experiment.players)
    yield f"  a win rate of {share} would be known to within {points(plan.half_width)} points (95 %)"
    yield f"  about {duration(plan.seconds)} on {counted(plan.threads, 'thread')}; nothing was played"


# --- numbers --------------------------------------------------------------------------------------------


def counted(number: int, noun: str) -> str:
    """A number of things: "1 deal", "2,000 deals"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(rate: float) -> str:
    """A rate in per cent."""
    return "-" if math.isnan(rate) else f"{100 * rate:.2f} %"


def interval(estimate: Estimate) -> str:
    """The interval in the unit of the estimate; a dash if there is none."""
    if math.isnan(estimate.low):
        return "-"
    if estimate.unit == "rate":
        return f"{100 * estimate.low:.2f}-{100 * estimate.high:.2f}"
    if estimate.unit == "difference":
        return f"{points(estimate.low, sign=True)} to {points(estimate.high, sign=True)}"
    return f"{estimate.low:.3f}{'-' if estimate.low >= 0 else ' to '}{estimate.high:.3f}"


def short(estimate: Estimate) -> str:
    """The value in its unit, as short as can be."""
    if math.isnan(estimate.value):
        return "-"
    if estimate.unit == "rate":
        return f"{100 * estimate.value:.1f} %"
    if estimate.unit == "difference":
        return f"{points(estimate.value, sign=True)} pp"
    return f"{estimate.value:.2f}"


def bar(value: float, longest: float) -> str:
    """A bar in proportion to the value; the longest one has BAR characters."""
    if not longest > 0 or math.isnan(value):
        return ""
    eighths = round(8 * BAR * value / longest)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def duration(seconds: float) -> str:
    """A time for people: "12 seconds", "5 minutes", "57 days"."""
    for unit, length in (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}s"
    return f"{max(seconds, 0.1):.1f} seconds" if seconds < 10 else f"{seconds:.0f} seconds"
