"""What `llsim simulate` found, as sections of a page: who wins, and what the game asks besides."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lostlegacy_sim import sentences
from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import CONFIDENCE, METHODS, Estimate
from lostlegacy_sim.game import Headline
from lostlegacy_sim.report.charts import forest, lengths, places, seats, ways
from lostlegacy_sim.report.charts.chart import Chart
from lostlegacy_sim.report.screen import percent
from lostlegacy_sim.report.section import Said, Section
from lostlegacy_sim.report.tables import ESTIMATE_COLUMNS, Table, cells_of
from lostlegacy_sim.stats.foremost import rivals
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.simulate import Answer, bot_verdict, points
from lostlegacy_sim.studies.uncounted import counts_nothing

Named = Sequence[tuple[str, Answer]]  # answers with their labels

WHO_WINS = "Does it matter where one sits?"
PAR = "Par is an equal share of the deals that somebody wins: the mean win rate of the seats."
INTERVALS = ("A 95 % interval says how much is left to chance: of a hundred such intervals about 95 hold the number that endless "
             "playing would give. The intervals of the seats of one result are a little wider, for they hold all at once: of a hundred "
             "such profiles about 95 or more are right in every seat. Elsewhere each interval speaks for its own number alone.")  # fmt: skip


def sections(answers: Named) -> list[Section]:
    """All that these results can answer, in the order of a page; of those of which no deal counts, that it is so."""
    told = [(label, answer) for label, answer in answers if not counts_nothing(answer.result)]
    found = [seats_section(told) if told else Section("seats", WHO_WINS, ())]
    uncounted = [(label, answer) for label, answer in answers if counts_nothing(answer.result)]
    found[0] = replace(found[0], answer=found[0].answer + tuple(
        Said(label if len(answers) > 1 else "", answer.seat_verdict(), answer.result.deals) for label, answer in uncounted
    ))  # fmt: skip
    if not told:
        return [*found, measures_section(answers)]
    if any(answer.bots for _, answer in told):
        found.append(bots_section(told))
    game = told[0][1].game
    return [*found, *(headline_section(headline, told) for headline in game.headlines), measures_section(answers)]


def said(answers: Named, *sentences: Claim) -> tuple[Said, ...]:
    """A sentence of each answer, with its label if there are several."""
    return tuple(Said(label if len(answers) > 1 else "", sentence, deals_of(answer))
                 for (label, answer), sentence in zip(answers, sentences, strict=True))  # fmt: skip


def deals_of(answer: Answer) -> int:
    """The deals that count."""
    return int(answer.estimates.totals["deals"])


def plain(estimate: Estimate) -> Interval:
    """Value and bounds of an estimate."""
    return Interval(estimate.value, estimate.low, estimate.high)


def bounds(estimate: Estimate) -> str:
    """The value with its interval: "24.02 % (23.93-24.11)"."""
    if math.isnan(estimate.low):
        return decimals(estimate.value, estimate.unit)
    value, low, high = (decimals(number, estimate.unit) for number in plain(estimate))
    between = " to " if estimate.unit == "difference" else "–"
    return f"{value} ({low.removesuffix(' %')}{between}{high.removesuffix(' %')})"


def decimals(number: float, unit: str) -> str:
    """A number with two decimals."""
    if unit == "rate":
        return percent(number)
    if math.isnan(number):
        return "–"
    return points(number, sign=True).replace("-", "−") if unit == "difference" else f"{number:.2f}"


# --- who wins -------------------------------------------------------------------------------------------


def seats_section(answers: Named) -> Section:
    """Who wins, by seat."""
    verdicts = [answer.seat_verdict().set_as(lambda text: capital(text.removeprefix("Seats: "))) for _, answer in answers]
    profiles = [
        seats.Profile(label, answer.estimates["par"].value, tuple(plain(row.rate) for row in answer.profile),
                      tuple(plain(row.above) for row in answer.profile), deals_of(answer))
        for label, answer in answers
    ]  # fmt: skip
    return Section("seats", WHO_WINS, said(answers, *verdicts), (seats.chart(profiles),), notes=(PAR, INTERVALS))


def bots_section(answers: Named) -> Section:
    """Who wins, by bot."""
    several = [(label, answer) for label, answer in answers if answer.bots]
    said_of = tuple(
        Said(
            label if len(answers) > 1 else "",
            sentences.BOT_WINS.say(verdict=bot_verdict(row).rstrip("."), rate=bounds(row.rate)),
            row.above.n,
        )
        for label, answer in several
        for row in answer.bots
    )
    effects = [
        forest.Effect(f"{row.label} (wins {percent(row.rate.value)})", plain(row.above), None, row.above.n, label)
        for label, answer in several
        for row in answer.bots
    ]
    axis = "points of win rate above par, mean of the seats of the bot"
    words = forest.Words("bots", "Win rate of each bot, against par", axis, "result", "bot", "above_par")
    return Section("bots", "Which bot plays better?", said_of, (forest.chart(effects, words),), notes=(PAR,))


# --- what the game asks besides ---------------------------------------------------------------------------


class Saying:
    """The measures of an answer, in words."""

    def __init__(self, answer: Answer) -> None:
        self.answer, self.longest = answer, answer.result.longest

    def __call__(self, name: str, unit: str = "") -> str:
        """A measure with its interval."""
        found = self.answer.estimates[name]
        return bounds(replace(found, unit=unit) if unit else found)


def headline_section(headline: Headline, answers: Named) -> Section:
    """What the game answers to one of its own questions."""
    claims = [headline.claim(Saying(answer)) if headline.claim is not None else most_frequent(headline, answer) for _, answer in answers]
    return Section(headline.name, headline.question, said(answers, *claims), tuple(CHARTS[headline.chart](headline, answers)), notes=headline.notes)


def most_frequent(headline: Headline, answer: Answer) -> Claim:
    """The most frequent way to win, if it surely is; else the one that has come out so and which others may be."""
    *won, (nobody_name, _) = headline.rows
    estimates = answer.estimates
    most = max(range(len(won)), key=lambda place: estimates[won[place][0]].value)
    found = rivals([estimates.jackknife(estimates.measures[name]) for name, _ in won], most, CONFIDENCE, answer.anytime)
    words = {"way": won[most][1], "rate": bounds(estimates[won[most][0]]), "nobody": bounds(estimates[nobody_name])}
    if found:
        return sentences.WAYS_UNTOLD.say(others=" or ".join(f"“{won[place][1]}”" for place in found), **words)
    return sentences.WAYS.say(**words)


def ways_charts(headline: Headline, answers: Named) -> Iterator[Chart]:
    """Parts of a whole."""
    shares = [
        ways.Shares(label, tuple((words, plain(answer.estimates[name])) for name, words in headline.rows), deals_of(answer)) for label, answer in answers
    ]
    yield ways.chart(shares, headline.name, headline.title)


def lengths_charts(headline: Headline, answers: Named) -> Iterator[Chart]:
    """The distribution of turns, if the game counts it."""
    if any("length" not in dict(answer.result.tally.labels) for _, answer in answers):
        return
    yield lengths.chart([
        lengths.Lengths(label, tuple(int(deals) for deals in answer.estimates.totals["length"]), plain(answer.estimates["turns"]))
        for label, answer in answers
    ])  # fmt: skip


def places_charts(headline: Headline, answers: Named) -> Iterator[Chart]:
    """Measures, each in its parts."""
    rows = [
        places.Places(label, tuple(place for name, words in headline.rows for place in places_of(headline, answer, name, words)), deals_of(answer))
        for label, answer in answers
    ]
    yield places.chart(rows, headline.name, headline.title)


def places_of(headline: Headline, answer: Answer, name: str, words: str) -> Iterator[places.Place]:
    """A measure in its numbered parts, such as each seat's hand; itself if it has none."""
    parts = [part for part in answer.estimates.measures if re.fullmatch(re.escape(name) + r"\[\d+\]", part)]
    for number, part in enumerate(parts, 1):
        which, last = headline.parts[name]
        yield places.Place(words, which.format(number) + (last if number == len(parts) else ""), plain(answer.estimates[part]))
    if not parts:
        yield places.Place(words, words, plain(answer.estimates[name]))


CHARTS = {"ways": ways_charts, "lengths": lengths_charts, "places": places_charts}


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


# --- all of it -------------------------------------------------------------------------------------------


def measures_section(answers: Named) -> Section:
    """Every measure of every result: side by side for people, one below the other for programs."""
    notes = tuple(f"{capital(method)}: {METHODS[method]}." for method in used_methods(answers))
    return Section("measures", "All measures", (), tables=(side_by_side(answers),), data=(every_measure(answers),), notes=notes)


def used_methods(answers: Named) -> list[str]:
    """How the intervals were found."""
    return list(dict.fromkeys(answer.estimates[name].method for _, answer in answers for name in answer.estimates.measures))


def side_by_side(answers: Named) -> Table:
    """A row a measure, a column a result: text to be read."""
    meanings: dict[str, str] = {}
    for _, answer in sorted(answers, key=lambda pair: -len(pair[1].estimates.measures)):  # the longest list sets the order
        meanings |= {name: measure.meaning for name, measure in answer.estimates.measures.items() if name not in meanings}
    rows = [
        (name, *(bounds(answer.estimates[name]) if name in answer.estimates.measures else None for _, answer in answers), meaning)
        for name, meaning in meanings.items()
    ]
    return Table("comparison", ("measure", *(label for label, _ in answers), "meaning"), tuple(rows))


def every_measure(answers: Named) -> Table:
    """A row a result and measure: numbers to be worked with."""
    rows = [(label, *cells_of(answer.estimates[name])) for label, answer in answers for name in answer.estimates.measures]
    return Table("measures", ("result", *ESTIMATE_COLUMNS), tuple(rows))
