"""The answer of `llsim tournament` as plain text: who is best, then the matrix, the ratings, and what was checked."""

from __future__ import annotations

import math
from collections.abc import Iterator

from lostlegacy_sim import sentences
from lostlegacy_sim.claims import Claim
from lostlegacy_sim.letters import indented, padded, told_apart
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.screen import counted, duration, percent
from lostlegacy_sim.stats.verdicts import UNDECIDED
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.standings import Cell, Rating, Standings, names_of
from lostlegacy_sim.studies.tournament import Tournament, TurnPlan
from lostlegacy_sim.studies.uncounted import some_count_nothing

ONES = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
MOST_NAMED = 6  # pairs or triples named in a line
WIDEST = 16  # characters of a heading of the matrix


def others(players: int) -> str:
    """The other seats of a table, in words: "three others"."""
    number = players - 1
    return f"{ONES[number] if number < len(ONES) else number} other{'s' if number != 1 else ''}"


def headline(title: str, tournament: Tournament) -> str:
    """What was played, on one line."""
    match = tournament.matches[0]
    kind = "all mixtures" if tournament.has_all_mixtures else f"one against {others(tournament.players)}"
    return (f"{title}: {match.set_name} · {tournament.players} players · {len(tournament.bots)} bots, {kind} · "
            f"{counted(match.planned_deals, 'deal')} a match · seed {match.seed}")  # fmt: skip


def standings_lines(standings: Standings) -> Iterator[str]:
    """The whole answer."""
    played = standings.played
    yield headline(standings.game.title, played.tournament)
    if not standings.is_whole:
        yield f"Stopped after {len(played.matches)} of {len(played.tournament.matches)} matches; ratings and mixtures need all of them."
    yield ""
    if standings.is_whole:
        yield from (f"  {sentence}" for sentence in answer_sentences(standings))
        yield ""
    yield from matrix_lines(standings)
    if standings.is_told:
        yield ""
        yield from rating_lines(standings)
        yield ""
        yield from (f"  {line}" for line in structure_sentences(standings))
        yield from (f"  {line}" for line in control_sentences(standings))


def answer_sentences(standings: Standings) -> Iterator[Claim]:
    """Who is best, in a sentence."""
    if not standings.is_told:
        yield sentences.UNTOLD.say(uncounted=some_count_nothing(standings.played.matches, "matches"))
        return
    best = standings.leaders
    if best:
        least = standings.least_gain(best[0])
        rest = others(standings.players).removesuffix("s")
        by = f", by at least {points(least)} points of win rate" if least > 0 else ""
        bots = names_of(standings.bots, best)
        yield sentences.LEADER.say(bot=bots, by=by) if len(best) == 1 else sentences.LEADERS.say(bots=bots, others=f"{rest}s")
        return
    open_pairs = sum(cell.word == UNDECIDED for cell in standings.cells if standings.players > 2 or cell.one < cell.others)
    unsure = f"; {counted(open_pairs, 'cell')} of the matrix cannot be told from par" if open_pairs else ""
    yield sentences.NO_LEADER.say(unsure=unsure)


# --- the matrix -----------------------------------------------------------------------------------------


def matrix_lines(standings: Standings) -> Iterator[str]:
    """The matchup matrix: a row a bot."""
    order = [standings.bots.index(rating.bot) for rating in standings.ratings] if standings.is_told else list(range(len(standings.bots)))
    names = [standings.bots[place] for place in order]
    width = max(map(columns_of, names))
    texts = [[cell_words(standings.cell(one, other)) if one != other else "·" for other in order] for one in order]
    heads = told_apart(names, WIDEST)
    widths = [max(columns_of(heads[place]), *(len(row[place]) for row in texts)) for place in range(len(names))]
    yield f"  points of win rate above par of one ROW among {others(standings.players)}, all COLUMN"
    yield f"  {'':{width}}  {'  '.join(indented(head, widths[place]) for place, head in enumerate(heads))}".rstrip()
    for name, row in zip(names, texts, strict=True):
        yield f"  {padded(name, width)}  {'  '.join(text.rjust(widths[place]) for place, text in enumerate(row))}"
    yield "  ± how far its interval reaches, 95 % or more: so wide that ? (cannot be told from par) is right for all cells at once (Holm)"


def cell_words(cell: Cell | None) -> str:
    """A cell: "+4.88 ±0.48"."""
    if cell is None or math.isnan(cell.advantage.value):
        return "-"
    if math.isnan(cell.advantage.low):
        return f"{points(cell.advantage.value, sign=True)} ?"
    value, low, high = cell.advantage
    return f"{points(value, sign=True)} ±{points(max(high - value, value - low))}{' ?' if cell.word == UNDECIDED else ''}"


# --- ratings and structure ------------------------------------------------------------------------------


def rating_lines(standings: Standings) -> Iterator[str]:
    """A line a bot: Elo scale with interval, weight in Nash averaging."""
    width = max(map(columns_of, standings.bots))
    yield f"  {'rating':{width}}  Elo scale   95 % interval     Nash average   resampled"
    yield from (f"  {rating_words(rating, width)}" for rating in standings.ratings)
    yield f"  {rating_sentence(standings)}"


def rating_sentence(standings: Standings) -> Claim:
    """How well one number a bot tells the matches."""
    return sentences.NO_RATINGS.say() if math.isnan(standings.misfit) else sentences.MISFIT.say(misfit=points(standings.misfit))


def rating_words(rating: Rating, width: int) -> str:
    """One bot."""
    elo = "-" if math.isnan(rating.elo.value) else f"{rating.elo.value:.0f}"
    bounds = "-" if math.isnan(rating.elo.low) else f"{rating.elo.low:.0f}-{rating.elo.high:.0f}"
    drawn = "-" if math.isnan(rating.weight_low) else f"{100 * rating.weight_low:.0f}-{100 * rating.weight_high:.0f} %"
    return f"{padded(rating.bot, width)}  {elo:>9}   {bounds:>13}     {percent(rating.weight):>12}   {drawn:>9}"


def structure_sentences(standings: Standings) -> Iterator[Claim]:
    """Nash averaging, dominance, cycles."""
    bots = standings.bots
    nash = sentences.NASH if standings.players == 2 else sentences.NASH_OF_SEVERAL
    yield nash.say(entropy=f"{standings.entropy:.2f}", most=f"{math.log(len(bots)):.2f}", bots=equal_bots(standings))
    pairs = [f"{bots[one.better]} over {bots[one.worse]} (by at least {points(one.low)})" for one in standings.dominances]
    yield sentences.DOMINANCE.say(pairs=listed(pairs)) if pairs else sentences.NO_DOMINANCE.say()
    rings = [f"{' > '.join(bots[bot] for bot in (*one.members, one.members[0]))} (by at least {points(one.low)})" for one in standings.cycles]
    yield sentences.CYCLES.say(rings=listed(rings)) if rings else sentences.NO_CYCLES.say()


def equal_bots(standings: Standings) -> str:
    """How many equal bots the Nash average amounts to; the range where the deals are drawn anew, for it leaps."""
    low, high = standings.drawn_evenness
    drawn = "" if math.isnan(low) else f" (resampled {low:.1f} to {high:.1f})"
    return f"{math.exp(standings.entropy):.1f} equal bots{drawn}"


def listed(words: list[str]) -> str:
    """Some of a list, and how many more there are."""
    more = f" and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
    return f"{', '.join(words[:MOST_NAMED])}{more}"


def control_sentences(standings: Standings) -> Iterator[Claim]:
    """What was checked beside."""
    if standings.mirrors_at_par:
        yield sentences.MIRRORS.say(effect=points(standings.seat_effect))
    else:
        yield sentences.MIRRORS_BROKEN.say()
    doubling = standings.doubling
    if doubling is None:
        yield sentences.DOUBLING_FEW.say()
        return
    told = [f"{doubling.kept} the same", f"{doubling.found} undecided before", f"{doubling.lost} undecided now", f"{len(doubling.reversed)} reversed"]
    sentence = sentences.DOUBLING_HOLDS if doubling.holds else sentences.DOUBLING_BROKEN
    yield sentence.say(deals=doubling.deals, told=", ".join(told))


def plan_lines(plan: TurnPlan) -> Iterator[str]:
    """What playing would take and give, below its headline."""
    experiment = plan.largest.experiment
    yield f"  {counted(plan.deals, 'deal')} at {counted(plan.n_experiments, 'table')}, on the same {counted(experiment.blocks, 'shuffle')}"
    yield f"  a win rate of {percent(1 / experiment.players)} would be known to within {points(plan.largest.half_width)} points (95 %)"
    yield f"  about {duration(plan.seconds)} on {counted(plan.largest.threads, 'thread')}; nothing was played"
