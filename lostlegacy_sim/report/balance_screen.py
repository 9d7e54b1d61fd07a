"""The answer of `llsim balance` as plain text: the verdict, the table, a sentence a card, then what is behind it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from lostlegacy_sim.games.lost_legacy.cards.variants import card_of
from lostlegacy_sim.games.lost_legacy.vocabulary import speed_word
from lostlegacy_sim.letters import padded, wrapped
from lostlegacy_sim.letters import width as columns_of
from lostlegacy_sim.report.balance_words import (
    ALL,
    BEGIN,
    BIAS,
    DEEDS,
    IWD,
    MISLEADS,
    PLAIN,
    RATES,
    TEXT,
    deeds_explained,
    rates_explained,
    sentences,
    verdicts,
)
from lostlegacy_sim.report.screen import counted, duration, headline
from lostlegacy_sim.studies.balance import Balance, CardEffect, CardTable
from lostlegacy_sim.studies.balance_run import BalancePlan
from lostlegacy_sim.studies.card_trials import ABOVE, OWNER, PLAYER
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.uncounted import counts_nothing

WIDTH = 98
NOTHING = "-"
TEXTS, WHOLE = "text, points", "whole card, points"
NO_TEXT = "no text"

STAR = "*: surely not 0; of all stars of one run at most 5 % are false alarms (Benjamini and Hochberg)"
CHANGES = {"blank": "text", "swap": "swap", "fewer": "fewer", "more": "more"}


def balance_lines(balance: Balance, table: CardTable) -> Iterator[str]:
    """The answer at one table; the columns are explained at the first one only."""
    if counts_nothing(table.base):
        yield from head_lines(table)
        yield from folded(verdicts(balance, table))
        return
    explained = table is balance.tables[0]
    done = {trial.effect for trial in table.measured}
    parts: list[Iterable[str]] = [head_lines(table), folded(verdicts(balance, table))]
    if done & {"one", "blank"}:
        parts.append([*text_lines(balance, table), *(notes([TEXT, PLAIN, ALL]) if explained else ())])
    parts.append([*whole_lines(balance, table), *(notes([BEGIN, IWD, BIAS, *flags_explained(balance)]) if explained else ())])
    if done:
        parts.append(folded(said for _, said in sentences(balance, table)))
    if done - {"one"}:
        parts.append([*effect_lines(balance, table), *(effect_notes(table) if explained else ())])
    parts += [rate_lines(balance, table, explained), deed_lines(balance, table, explained)]
    for number, lines in enumerate(filter(None, map(list, parts))):
        yield from [""] if number else []
        yield from lines


def folded(said: Iterable[str]) -> Iterator[str]:
    """Sentences, each begun on a line of its own."""
    for sentence in said:
        yield from wrapped(sentence, WIDTH, "  ", "    ")


def head_lines(table: CardTable) -> Iterator[str]:
    """What was played."""
    variants = len(table.asked.variants)
    yield headline(table.game.title, table.base.experiment, table.base.deals)
    if variants:
        yield f"  and as many with {each_variant(variants)}, on the same shuffles"
    if not table.is_whole:
        done = f"{table.base.deals:,} of {table.base.experiment.planned_deals:,} deals of the set as it is"
        yield f"  Stopped after {done} and {len(table.played)} of {counted(variants, 'variant')}; this is what they say."


def each_variant(number: int) -> str:
    """ "each of 45 variants of it"."""
    return "one variant of it" if number == 1 else f"each of {counted(number, 'variant')} of it"


def width_of(table: CardTable) -> int:
    """Characters of the longest name, or of a heading."""
    return max(len(WHOLE), *(columns_of(table.title(card)) for card in table.asked.cards))


# --- what the text gives --------------------------------------------------------------------------------


def text_lines(balance: Balance, table: CardTable) -> Iterator[str]:
    """A line a card: what one copy of its text gives its owner, and what all copies give."""
    width = width_of(table)
    yield f"  {TEXTS:{width}}  speed  copies  {'one copy':>8}  {'95 % interval':>16}  {'win rate':>8}  {'all copies':>10}"
    for card_id in balance.ranked(table):
        card = card_of(table.card_set, card_id)
        value, plain, together = (balance.effect(table, card_id, *which) for which in (("one", ABOVE), ("one", OWNER), ("blank", ABOVE)))
        found = (f"  {gift(value):>8}  {reach(value):>16}  {gift(plain):>8}  {gift(together):>10}" if table.has_text(card_id)
                 else f"  {NOTHING if card.flag('legacy') else NO_TEXT:>8}")  # fmt: skip
        yield f"  {padded(table.title(card_id), width)}  {speed_word(card.speed):>5}  {card.copies:>6}{found}"


def gift(effect: CardEffect | None) -> str:
    """What a text gives, in points."""
    return NOTHING if effect is None else signed(effect.interval.value)


def reach(effect: CardEffect | None) -> str:
    """The interval of it."""
    return NOTHING if effect is None else span(effect.interval.low, effect.interval.high)


def notes(explained: Iterable[str]) -> Iterator[str]:
    """What stands below a table."""
    for note in explained:
        yield from wrapped(note, WIDTH, "    ", "      ")


# --- caused beside observed, of the whole card ----------------------------------------------------------


def whole_lines(balance: Balance, table: CardTable) -> Iterator[str]:
    """A line a card: what it causes to begin with it beside what is observed."""
    width = width_of(table)
    yield f"  {WHOLE:{width}}  speed  {'begin':>6}  {'in hand':>7}  {'bias':>6}   watching misleads"
    for card_id in balance.ranked(table):
        card = card_of(table.card_set, card_id)
        numbers = (table.observed("begin", card_id).value, table.observed("iwd", card_id).value, table.bias(card_id).value)
        begin, seen, bias = map(signed, numbers)
        said = ", ".join(flag_words(balance, table, card_id))
        yield f"  {padded(table.title(card_id), width)}  {speed_word(card.speed):>5}  {begin:>6}  {seen:>7}  {bias:>6}   {said}".rstrip()


NAMED = {"rank": "rank 1/5"}  # flags that come with numbers


def flags_explained(balance: Balance) -> Iterator[str]:
    """The flags that are used."""
    used = {flag for table in balance.tables for card in table.asked.cards for flag in balance.flags(table, card)}
    yield from (f"{NAMED.get(flag, flag)}: {meaning}." for flag, meaning in MISLEADS.items() if flag in used)


def flag_words(balance: Balance, table: CardTable, card: str) -> Iterator[str]:
    """Where watching misleads about a card; of ranks both."""
    for flag in balance.flags(table, card):
        yield f"{flag} {'/'.join(map(str, table.ranks(card)))}" if flag == "rank" else flag


def signed(number: float) -> str:
    """A difference in points."""
    return NOTHING if math.isnan(number) else points(number, sign=True)


def span(low: float, high: float) -> str:
    """An interval in points."""
    return NOTHING if math.isnan(low) else f"{points(low, sign=True)} to {points(high, sign=True)}"


# --- what each change does ------------------------------------------------------------------------------


def effect_lines(balance: Balance, table: CardTable) -> Iterator[str]:
    """For every measure what text, swap, a copy fewer and a copy more do to it."""
    played = [effect for effect in CHANGES if any(trial.effect == effect for trial in table.measured)]
    blocks = [("nobody", "nobody, points", played), ("seat_gap", "seat gap, points", played), ("turns", "turns", played),
              (ABOVE, "owner against par", [effect for effect in played if effect != "blank"])]  # fmt: skip
    if any(trial.effect == "never" for trial in table.measured):
        blocks.append((PLAYER, "", ["never"]))
    for pair in (blocks[:2], blocks[2:]):
        if any(effects for _, _, effects in pair):
            yield from effect_table(balance, table, [block for block in pair if block[2]])


def effect_notes(table: CardTable) -> Iterator[str]:
    """The columns of these tables."""
    against = f"a {table.title(table.asked.against)}" if table.asked.against else "a blank of its speed"
    columns = {"blank": "text: with its text minus without, all copies", "swap": "swap: the other printed set's card at its speed minus this one, all copies",
               "fewer": f"fewer, more: one copy fewer or more, {against} in its place or giving way; of a single card fewer is its blank",
               "never": "never: win rate of the bots that may play it minus that of one among them that plays it only when forced"}  # fmt: skip
    done = {trial.effect for trial in table.measured}
    yield from notes([columns[effect] for effect in columns if effect in done or (effect == "fewer" and "more" in done)] + [STAR])


def effect_table(balance: Balance, table: CardTable, blocks: list[tuple[str, str, list[str]]]) -> Iterator[str]:
    """A line a card, the changes of one measure beside those of the next."""
    width, cell = width_of(table), 8
    above = "".join("  " + f"{title:^{cell * len(effects)}}" for _, title, effects in blocks)
    below = "".join("  " + "".join(f"{CHANGES.get(effect, effect) + ' ':>{cell}}" for effect in effects) for _, _, effects in blocks)
    if above.strip():
        yield f"  {'':{width}}{above}".rstrip()
    yield f"  {'what changes':{width}}{below}"
    for card in balance.ranked(table):
        cells = "".join("  " + "".join(f"{star(balance, table, card, effect, measure):>{cell}}" for effect in effects) for measure, _, effects in blocks)
        yield f"  {padded(table.title(card), width)}{cells}"


def star(balance: Balance, table: CardTable, card: str, effect: str, measure: str) -> str:
    """One change, with a star if it is surely one."""
    found = balance.effect(table, card, effect, measure)
    if found is None or math.isnan(found.interval.value):
        return f"{NOTHING} "
    number = points(found.interval.value, sign=True) if found.unit == "difference" else f"{found.interval.value:+.2f}"
    return number + ("*" if found.told else " ")


# --- what is observed -----------------------------------------------------------------------------------


def rate_lines(balance: Balance, table: CardTable, explained: bool) -> Iterator[str]:
    """Win rates of seats by what they had to do with a card."""
    width = width_of(table)
    yield f"  {'observed, win rate %':{max(width, 20)}}" + "".join(f"{words:>8}" for words, _ in RATES.values())
    for card in balance.ranked(table):
        cells = "".join(f"{percentage(table, name, card):>8}" for name in RATES)
        yield f"  {padded(table.title(card), max(width, 20))}{cells}"
    if explained:
        yield from notes([rates_explained()])


def deed_lines(balance: Balance, table: CardTable, explained: bool) -> Iterator[str]:
    """What a card did."""
    width = width_of(table)
    yield f"  {'observed, what it does':{max(width, 22)}}" + "".join(f"{words:>8}" for words, _ in DEEDS.values())
    for card in balance.ranked(table):
        cells = "".join(f"{percentage(table, name, card, 1 if name == 'plays' else 100):>8}" for name in DEEDS)
        yield f"  {padded(table.title(card), max(width, 22))}{cells}"
    if explained:
        yield from notes([deeds_explained()])


def percentage(table: CardTable, name: str, card: str, scale: int = 100) -> str:
    """An observed number; a dash if it never came to it."""
    value = table.observed(name, card).value
    return NOTHING if math.isnan(value) else f"{scale * value:.2f}"


# --- before playing -------------------------------------------------------------------------------------


def balance_plan_lines(title: str, plan: BalancePlan) -> Iterator[str]:
    """What playing would take and give."""
    asked = plan.asked
    yield headline(title, asked.base, asked.base.planned_deals)
    yield f"  and as many with {each_variant(len(asked.variants))}: {counted(asked.deals, 'deal')} in all"
    yield f"  the value of one copy of a text would be known to within {points(plan.half_width)} points or better (95 %)"
    yield f"  about {duration(plan.seconds)} on {counted(plan.threads, 'thread')}; nothing was played"
