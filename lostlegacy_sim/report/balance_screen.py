"""The answer of `llsim balance` as plain text: the verdict, the table, a sentence a card, then what is behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from textwrap import wrap

from lostlegacy_sim.games.lost_legacy.variants import card_of
from lostlegacy_sim.games.lost_legacy.vocabulary import speed_word
from lostlegacy_sim.report.balance_words import (
    BEGIN,
    BIAS,
    DEEDS,
    IWD,
    MISLEADS,
    RATES,
    TEXT,
    deeds_explained,
    rates_explained,
    sentences,
    verdicts,
)
from lostlegacy_sim.report.screen import counted, duration, headline
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.balance_run import BalancePlan
from lostlegacy_sim.studies.card_trials import OWNER, PLAYER
from lostlegacy_sim.studies.simulate import points

WIDTH = 98
NOTHING = "-"
POINTS = "points of win rate"

STAR = "*: surely not 0; of all stars of one run at most 5 % are false alarms (Benjamini and Hochberg)"
CHANGES = {"blank": "text", "swap": "swap", "fewer": "fewer", "more": "more"}


def balance_lines(balance: Balance, table: CardTable) -> Iterator[str]:
    """The answer at one table; the columns are explained at the first one only."""
    explained = table is balance.tables[0]
    yield from head_lines(table)
    yield ""
    for verdict in verdicts(balance, table):
        yield from wrap(verdict, WIDTH, initial_indent="  ", subsequent_indent="    ")
    yield ""
    yield from card_lines(balance, table)
    yield from card_notes(balance) if explained else ()
    if table.measured:
        yield ""
        for _, said in sentences(balance, table):
            yield from wrap(said, WIDTH, initial_indent="  ", subsequent_indent="    ")
        yield ""
        yield from effect_lines(balance, table)
        yield from effect_notes(table) if explained else ()
    yield ""
    yield from rate_lines(balance, table, explained)
    yield ""
    yield from deed_lines(balance, table, explained)


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
    return max(len(POINTS), *(len(card_of(table.card_set, card).name) for card in table.asked.cards))


# --- caused beside observed -----------------------------------------------------------------------------


def card_lines(balance: Balance, table: CardTable) -> Iterator[str]:
    """A line a card: what its text gives, beside what is observed."""
    width = width_of(table)
    is_caused = any(balance.text_value(table, card) is not None for card in table.asked.cards)
    caused = f"  {'text':>6}  {'95 % interval':>16}" if is_caused else ""
    yield f"  {POINTS:{width}}  speed {caused}  {'begin':>6}  {'in hand':>7}" + (f"  {'bias':>6}   watching misleads" if is_caused else "")
    for card_id in balance.ranked(table):
        card = card_of(table.card_set, card_id)
        value, bias = balance.text_value(table, card_id), table.bias(card_id)
        text = (f"  {signed(value.interval.value):>6}  {span(value.interval.low, value.interval.high):>16}" if value is not None
                else f"  {NOTHING:>6}  {NOTHING:>16}") if is_caused else ""  # fmt: skip
        seen = f"  {signed(table.observed('oh_value', card_id).value):>6}  {signed(table.observed('iwd', card_id).value):>7}"
        rest = f"  {signed(bias.value) if bias is not None else NOTHING:>6}   {', '.join(flag_words(balance, table, card_id))}" if is_caused else ""
        yield f"  {card.name:{width}}  {speed_word(card.speed):>5} {text}{seen}{rest}".rstrip()


def card_notes(balance: Balance) -> Iterator[str]:
    """The columns of the first table, and the flags in it."""
    used = {flag for table in balance.tables for card in table.asked.cards for flag in balance.flags(table, card)}
    is_caused = any(trial.effect == "blank" for table in balance.tables for trial in table.measured)
    notes = [TEXT, BEGIN, IWD, BIAS] if is_caused else [BEGIN, IWD]
    for note in notes + [f"{NAMED.get(flag, flag)}: {meaning}." for flag, meaning in MISLEADS.items() if flag in used]:
        yield from wrap(note, WIDTH, initial_indent="    ", subsequent_indent="      ")


NAMED = {"rank": "rank 1/5"}  # flags that come with numbers


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
              (OWNER, "first owner, points", [effect for effect in played if effect != "blank"])]  # fmt: skip
    if any(trial.effect == "never" for trial in table.measured):
        blocks.append((PLAYER, "", ["never"]))
    for pair in (blocks[:2], blocks[2:]):
        if any(effects for _, _, effects in pair):
            yield from effect_table(balance, table, [block for block in pair if block[2]])


def effect_notes(table: CardTable) -> Iterator[str]:
    """The columns of these tables."""
    against = f"a {card_of(table.card_set, table.asked.against).name}" if table.asked.against else "a blank of its speed"
    notes = {"blank": "text: with its text minus without, all copies", "swap": "swap: the other printed set's card at its speed minus this one, all copies",
             "fewer": f"fewer, more: one copy fewer or more, {against} in its place or giving way; of a single card fewer is its blank",
             "never": "never: win rate of the bots that may play it minus that of one among them that plays it only when forced"}  # fmt: skip
    done = {trial.effect for trial in table.measured}
    for note in [notes[effect] for effect in notes if effect in done or (effect == "fewer" and "more" in done)] + [STAR]:
        yield from wrap(note, WIDTH, initial_indent="    ", subsequent_indent="      ")


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
        yield f"  {card_of(table.card_set, card).name:{width}}{cells}"


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
        yield f"  {card_of(table.card_set, card).name:{max(width, 20)}}{cells}"
    if explained:
        yield from wrap(rates_explained(), WIDTH, initial_indent="    ", subsequent_indent="      ")


def deed_lines(balance: Balance, table: CardTable, explained: bool) -> Iterator[str]:
    """What a card did."""
    width = width_of(table)
    yield f"  {'observed, what it does':{max(width, 22)}}" + "".join(f"{words:>8}" for words, _ in DEEDS.values())
    for card in balance.ranked(table):
        cells = "".join(f"{percentage(table, name, card, 1 if name == 'plays' else 100):>8}" for name in DEEDS)
        yield f"  {card_of(table.card_set, card).name:{max(width, 22)}}{cells}"
    if explained:
        yield from wrap(deeds_explained(), WIDTH, initial_indent="    ", subsequent_indent="      ")


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
    yield f"  the value of the text of a single card would be known to within {points(plan.half_width)} points or better (95 %)"
    yield f"  about {duration(plan.seconds)} on {counted(plan.threads, 'thread')}; nothing was played"
