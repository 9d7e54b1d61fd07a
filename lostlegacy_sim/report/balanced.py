"""What `llsim balance` found, as a section of a page: which card is too strong, because of its text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.report.balance_tables import (
    balance_table,
    capital,
    card_table,
    deed_table,
    effect_table,
    rate_table,
    sentence_table,
)
from lostlegacy_sim.report.balance_words import ALL, IWD, TEXT, verdicts
from lostlegacy_sim.report.charts import forest
from lostlegacy_sim.report.commands import set_or_file
from lostlegacy_sim.report.section import Said, Section
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import Balance, CardTable
from lostlegacy_sim.studies.card_trials import OWNER


def balance_section(balance: Balance, number: int = 1) -> Section:
    """The verdicts, a forest plot, a sentence a card, then the numbers. `number`: which balance of the page it is."""
    several, mark = len(balance.tables) > 1, f"-{number}" if number > 1 else ""
    names = " and ".join(dict.fromkeys(table.card_set.name for table in balance.tables))
    said = tuple(
        Said(f"{table.players} players" if several else "", sentence, table.base.deals) for table in balance.tables for sentence in verdicts(balance, table)
    )
    drawn = [([row for table in balance.tables for row in rows(balance, table)], words) for rows, words in ((text_rows, TEXTS), (whole_rows, WHOLE))]
    charts = tuple(forest.chart(rows, replace(words, name=f"{words.name}{mark}")) for rows, words in drawn if rows)
    tables = [replace(made, name=f"{made.name}{mark}") for made in (table_of(balance) for table_of in TABLES)]
    notes = (capital(TEXT), capital(ALL), capital(IWD), f"The same again: {balance_line(balance)}")
    return Section(f"balance{mark}", f"{names}: which card is too strong, because of its text?", said, charts,
                   tuple(tables[:-1]), tuple(tables[-1:]), notes)  # fmt: skip


def balance_line(balance: Balance) -> str:
    """The command that plays all of it again; cards of one's own are taken from a file named after the set."""
    tables = balance.tables
    asked, base = tables[0].asked, tables[0].asked.base
    players = ",".join(str(table.players) for table in tables)
    bots = base.bots[:1] if len(set(base.bots)) == 1 else base.bots
    words = ["--players", players, "--bots", listed(bots)]
    words += ["--deals", str(base.deals), "--seed", str(base.seed), "--effects", ",".join(asked.effects)]
    words += ["--cards", ",".join(asked.cards)] if len(asked.cards) < len(asked.card_set.cards) else []
    words += ["--against", asked.against] if asked.against else []
    return command_line("llsim", "balance", *set_or_file(base), *words)


TABLES = (sentence_table, card_table, effect_table, rate_table, deed_table, balance_table)  # the last one is for programs
TEXTS = forest.Words("cards", "What one copy of each text gives its first owner", "points of win rate against par", "players", "card",
                     "text", "plain win rate", "helps", "harms", "no effect")  # fmt: skip
WHOLE = forest.Words("watched", "What the whole card is worth, and what watching says", "points of win rate",
                     "players", "card", "begin", "watched in hand", "better than the others", "worse than the others", "as the others")  # fmt: skip


def text_rows(balance: Balance, table: CardTable) -> Sequence[forest.Effect]:
    """A row a card whose text has a value."""
    values = [(card, balance.text_value(table, card), balance.effect(table, card, "one", OWNER)) for card in balance.ranked(table)]
    found = [(card, value.interval, plain.interval) for card, value, plain in values if value is not None and plain is not None]
    return [row(table, card, caused, observed) for card, caused, observed in found if not math.isnan(caused.value)]


def whole_rows(balance: Balance, table: CardTable) -> Sequence[forest.Effect]:
    """A row a card."""
    found = [(card, table.observed("begin", card), table.observed("iwd", card)) for card in balance.ranked(table)]
    return [row(table, card, *(Interval(one.value, one.low, one.high) for one in both)) for card, *both in found if not math.isnan(both[0].value)]


def row(table: CardTable, card: str, caused: Interval, observed: Interval) -> forest.Effect:
    """One of them."""
    return forest.Effect(table.title(card), caused, observed, table.base.deals, f"{table.players} players")
