"""Seat levels: what `simulate` says of a set, by every rung of a ladder: seats, how deals end, whether anybody wins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from lostlegacy_sim.stats.differences import Difference, single
from lostlegacy_sim.stats.jackknife import Jackknife
from lostlegacy_sim.studies.levels import Claim, Headline, judged
from lostlegacy_sim.studies.simulate import Answer


def seat_headlines(answers: Sequence[Answer]) -> list[Headline]:
    """The headlines of one table, a rung an answer; at every rung one bot fills all seats."""
    return judged(list(claims(answers)), [answer.result.experiment.bots[0] for answer in answers])


def claims(answers: Sequence[Answer]) -> Iterator[Claim]:
    """Who is ahead, each seat against par, how most deals end, whether more than half of them have a winner."""
    seats = range(1, answers[0].result.experiment.players + 1)
    yield front_runner("the best seat", answers, {f"win_seat[{seat}]": f"seat {seat}" for seat in seats})
    for seat in seats:
        measures = [number(answer, f"above_seat[{seat}]") for answer in answers]
        yield Claim(f"seat {seat} against par", tuple(map(single, measures)), (("above par", "below par"),) * len(answers))
    ends = next((headline.rows for headline in answers[0].game.headlines if headline.chart == "ways"), ())
    if ends:
        yield front_runner("the most frequent end", answers, dict(ends))
    nobody = [beyond(number(answer, "nobody"), 0.5) for answer in answers]
    words = (("won by nobody more often than not", "won by somebody more often than not"),) * len(answers)
    yield Claim("nobody wins, against half of the deals", tuple(map(single, nobody)), words)


def number(answer: Answer, name: str) -> Jackknife:
    """A measure of one rung."""
    return answer.estimates.jackknife(answer.estimates.measure(name))


def beyond(measure: Jackknife, limit: float) -> Jackknife:
    """How far a number lies above a limit."""
    span = replace(measure.span, least=measure.span.least - limit, most=measure.span.most - limit)
    return Jackknife(measure.value - limit, measure.without - limit, measure.sizes, span)


def front_runner(name: str, answers: Sequence[Answer], words: dict[str, str]) -> Claim:
    """Which of several rates is the largest at every rung: certain where it certainly exceeds the one least surely behind it."""
    found = [front(answer, list(words)) for answer in answers]
    return Claim(name, tuple(lead for _, lead in found), tuple((words[first], words[first]) for first, _ in found))


def front(answer: Answer, names: Sequence[str]) -> tuple[str, Difference]:
    """The largest of some rates, and its lead over the one least surely behind it."""
    rates = answer.estimates.together(tuple(names))
    first = int(np.argmax(rates.value))
    leads = [single(rates[first] - rates[other]) for other in range(len(names)) if other != first]
    return names[first], max(leads, key=lambda lead: (math.isnan(lead.p_value()), lead.p_value(), -lead.value))
