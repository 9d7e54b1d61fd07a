"""What `llsim tournament` found, as sections of a page: who gains against whom, how strong everyone is, how deep the game is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import plain_number
from lostlegacy_sim.report.charts import forest, heatmap
from lostlegacy_sim.report.charts.chart import Chart
from lostlegacy_sim.report.ladder_screen import climb_table, depth_sentences
from lostlegacy_sim.report.section import Said, Section
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.report.tournament_screen import (
    answer_sentences,
    control_sentences,
    listed,
    others,
    structure_sentences,
)
from lostlegacy_sim.report.tournament_tables import matrix_table, rating_table, set_name, whole
from lostlegacy_sim.sentences import CONTROLS_HOLD, HIGHEST, HIGHEST_UNTOLD, NO_RATINGS
from lostlegacy_sim.studies.kept_tournaments import Answer
from lostlegacy_sim.studies.ladder import Climbed
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.standings import DRAWS, Standings

PAR = ("One bot sits alone among others of another kind, in every seat in turn. Par is an equal share of the deals that somebody wins: a bot at par "
       "gains nothing by being the one.")  # fmt: skip
FAMILY = ("Verdicts hold for the whole matrix at once (95 %; Holm 1979). An interval leaves out par where its verdict is certain; each holds with "
          "95 % or more, but not all of them at once.")  # fmt: skip
RATINGS = ("Strengths: of all decided deals, the chance of a seat to win is in proportion to e to the strength of its bot (Bradley and Terry 1952; "
           "Plackett 1975), mean 0. The Elo scale is the same in other units, mean 1500; only differences mean something.")  # fmt: skip
NASH = (f"Nash average: the most even mixture of bots against which no bot gains (Balduzzi et al. 2018). It leaps where bots are nearly equal, "
        f"so its range is that of {DRAWS} resamples of the deals. At more than two players what one gains among the others is set against "
        "what the other gains, half each: no equilibrium of the table.")  # fmt: skip
CONTROLS = (
    "A mirror match seats one bot everywhere. Every rotation of it is the same deal, so the bot wins exactly an equal share; the deals were "
    "played and counted to see that it does. The seat effect is what a seat would be off par if only one rotation were counted.",
    "The first half of the deals was judged as if there were no others. A verdict that more deals take back would have been given too early.",
)
BETTER = ("Better against everyone: one bot gains more than another against each opponent, the two themselves included; tested by the least "
          "certain opponent, adjusted by Holm for all pairs. At least: the bound of that difference.")  # fmt: skip
INDEX = "Win index: the win rate of one upper bot among lower ones, divided by an equal share of the decided deals; 1 is par."


def tournament_sections(answers: Sequence[Answer]) -> list[Section]:
    """All that these tournaments and ladders can answer, in the order of a page."""
    standings = [answer for answer in answers if isinstance(answer, Standings)]
    climbed = [answer for answer in answers if isinstance(answer, Climbed)]
    whole = [found for found in standings if found.is_told]
    sections = [matchups_section(standings)] if standings else []
    sections += [strength_section(whole), controls_section(whole)] if whole else []
    return sections + ([ladder_section(climbed)] if climbed else [])


def label(answer: Answer, others: Sequence[Answer]) -> str:
    """What tells an answer from the others; "" if there are none."""
    if len(others) == 1:
        return ""
    experiment = answer.results[0].experiment
    sets = {other.results[0].experiment.set_name for other in others}
    return f"{experiment.set_name} · {experiment.players} players" if len(sets) > 1 else f"{experiment.players} players"


def deals_of(answer: Answer) -> int:
    """Deals of one match."""
    return answer.results[-1].deals


def said(answer: Answer, others: Sequence[Answer], claims: Iterable[Claim]) -> list[Said]:
    """Sentences of an answer, each with its label."""
    return [Said(label(answer, others), claim, deals_of(answer)) for claim in claims]


def matchups_section(every: Sequence[Standings]) -> Section:
    """Who gains against whom."""
    sentences = [one for found in every if found.is_whole for one in said(found, every, answer_sentences(found))]
    charts = tuple(matchup_chart(found, every) for found in every if any(not math.isnan(cell.advantage.value) for cell in found.cells))
    return Section("matchups", "Which bot plays best, and against whom?", tuple(sentences), charts, data=(matrix_table(every),), notes=(PAR, FAMILY))


def matchup_chart(found: Standings, every: Sequence[Standings]) -> Chart:
    """The heatmap of one matrix."""
    rows = [heatmap.Matchup(found.bots[cell.one], found.bots[cell.others], cell.advantage, cell.deals) for cell in found.cells if not math.isnan(cell.advantage.value)]
    where = label(found, every)
    name = "heatmap" if not where else f"heatmap-{every.index(found) + 1}"
    title = f"One bot among {others(found.players)} of another kind"
    return heatmap.chart(rows, heatmap.Words(name, f"{title}, {where}" if where else title, "one seat", "all other seats"))


def strength_section(every: Sequence[Standings]) -> Section:
    """Ratings, Nash averaging, dominance, circles."""
    sentences = [one for found in every for one in said(found, every, [strongest(found), *structure_sentences(found)])]
    return Section("strength", "How strong is each bot, and is there one for every table?", tuple(sentences),
                   tables=(shown_ratings(every), *dominance_tables(every)), data=(rating_table(every),), notes=(RATINGS, NASH, BETTER))  # fmt: skip


def shown_ratings(every: Sequence[Standings]) -> Table:
    """The ratings on the Elo scale and the weights, for people."""
    columns = ("result", "bot", "Elo scale", "elo_low", "elo_high", "Nash weight", "nash_low", "nash_high")
    rows = [
        (label(found, every), one.bot, *map(whole, one.elo), one.weight, plain_number(one.weight_low), plain_number(one.weight_high))
        for found in every for one in found.ratings
    ]  # fmt: skip
    return Table("elo", columns, tuple(rows), ("", "", "", "", "", *["rate"] * 3))


def strongest(found: Standings) -> Claim:
    """Who has the highest rating, whether surely, and how well ratings tell the matches."""
    first = found.ratings[0]
    if math.isnan(first.strength.value):
        return NO_RATINGS.say()
    low, high = first.elo.low, first.elo.high
    bounds = "" if math.isnan(low) else f" ({low:.0f} to {high:.0f})"
    words = {"bot": first.bot, "elo": f"{first.elo.value:.0f}{bounds}", "misfit": points(found.misfit)}
    return HIGHEST_UNTOLD.say(others=listed(found.rivals), **words) if found.rivals else HIGHEST.say(**words)


def dominance_tables(every: Sequence[Standings]) -> tuple[Table, ...]:
    """Who is better than whom against everyone: one table, or none."""
    rows = [
        (label(found, every), found.bots[one.better], found.bots[one.worse], one.least, one.low, one.p_value)
        for found in every for one in found.dominances
    ]  # fmt: skip
    columns = ("result", "better against everyone", "than", "smallest difference", "at least", "p_value")
    return (Table("dominance", columns, tuple(rows), ("", "", "", "difference", "difference", "")),) if rows else ()


def controls_section(every: Sequence[Standings]) -> Section:
    """What was checked beside: a sentence for all tables where all is well, else one for each."""
    if all(found.mirrors_at_par and found.doubling is not None and found.doubling.holds for found in every):
        sentences = [Said("", CONTROLS_HOLD.say(), deals_of(every[0]))]
    else:
        sentences = [one for found in every for one in said(found, every, control_sentences(found))]
    return Section("controls", "Can these numbers be trusted?", tuple(sentences), tables=(control_table(every),), notes=CONTROLS)


def control_table(every: Sequence[Standings]) -> Table:
    """The controls, a row a table."""
    rows = []
    for found in every:
        doubling = found.doubling
        turned = (None,) * 5 if doubling is None else (doubling.deals, doubling.kept, doubling.found, doubling.lost, len(doubling.reversed))
        rows.append((label(found, every), "yes" if found.mirrors_at_par else "no", found.seat_effect, *turned))
    columns = ("result", "mirrors at par", "largest seat effect", "deals of the half", "same verdict", "undecided before", "undecided now", "reversed")
    return Table("controls", columns, tuple(rows), ("", "", "difference", "", "", "", "", ""))


def ladder_section(every: Sequence[Climbed]) -> Section:
    """How deep the game is."""
    sentences = [one for found in every for one in said(found, every, depth_sentences(found))]
    effects = [
        forest.Effect(f"{climb.rung}. {climb.upper}", climb.advantage, None, climb.deals, label(found, every))
        for found in every for climb in found.climbs if not math.isnan(climb.advantage.value)
    ]  # fmt: skip
    words = forest.Words("ladder", "What each rung gains over the one below", "points of win rate above par, one among the rung below",
                         "table", "rung", "above_par", is_ranked=False)  # fmt: skip
    return Section("ladder", "Does playing better pay, rung by rung?", tuple(sentences), (forest.chart(effects, words),) if effects else (),
                   tables=(climb_table(every),), notes=(INDEX,))  # fmt: skip


def context_of(answers: Sequence[Answer]) -> str:
    """Who played what, in a line; of several tables the first."""
    answer = answers[0]
    experiment = answer.results[-1].experiment
    bots = answer.ladder.rungs if isinstance(answer, Climbed) else answer.bots
    name = set_name(answer) if isinstance(answer, Standings) else experiment.set_name
    more = f" · and {len(answers) - 1} more" if len(answers) > 1 else ""
    return f"{name} · {experiment.players} players · {', '.join(bots)} · {deals_of(answer):,} deals a match · seed {experiment.seed}{more}"
