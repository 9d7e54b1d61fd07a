"""The answer of `llsim balance` as rows of data, for CSV, JSON and the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lostlegacy_sim.cardset import Card
from lostlegacy_sim.estimate import CONFIDENCE, plain_number
from lostlegacy_sim.games.lost_legacy.cards.variants import card_of, has_text
from lostlegacy_sim.games.lost_legacy.vocabulary import speed_word
from lostlegacy_sim.report.balance_words import (
    ALL,
    BEGIN,
    BIAS,
    CHANGES,
    DEEDS,
    PLAIN,
    RATES,
    deeds_explained,
    rates_explained,
    sentences,
    verdicts,
)
from lostlegacy_sim.report.charts.chart import cells
from lostlegacy_sim.report.tables import BY_ROW, Cell, Table
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import FLAGS, OBSERVED, Balance, CardTable
from lostlegacy_sim.studies.balance_run import BalancePlan
from lostlegacy_sim.studies.card_trials import ABOVE, OWNER

COLUMNS = ("players", "card", "name", "speed", "copies", "how", "measure", "unit", "value", "low", "high", "p_value", "told", "n", "counted")


def balance_table(balance: Balance) -> Table:
    """A row a number: what was observed of each card, what each change causes, and the bias of the observation.

    `n` is the number of deals. `counted` is how often something could have come about in them: seats of a win rate, plays of a kill.
    """
    return Table("balance", COLUMNS, tuple(row for table in balance.tables for card in table.asked.cards for row in rows_of(balance, table, card)))


def rows_of(balance: Balance, table: CardTable, card_id: str) -> Iterator[tuple[Cell, ...]]:
    """The rows of one card; p-values are adjusted, observed numbers have none."""
    card = card_of(table.card_set, card_id)
    head = (table.players, card.id, card.name, speed_word(card.speed), card.copies)
    for name in OBSERVED:
        found = table.observed(name, card_id)
        numbers = map(plain_number, (found.value, found.low, found.high))
        yield (*head, "observed", name, found.unit, *numbers, None, None, table.base.deals, table.counted_in(name, card_id))
    for effect in (one for (players, of_card, _, _), one in balance.effects.items() if (players, of_card) == (table.players, card_id)):
        numbers = map(plain_number, (*effect.interval, effect.p_value))
        yield (*head, effect.effect, effect.measure, effect.unit, *numbers, "yes" if effect.told else "no", table.base.deals, None)
    yield (*head, "bias", "iwd - begin", "difference", *map(plain_number, table.bias(card_id)), None, None, table.base.deals, None)


def balance_document(balance: Balance) -> dict[str, Any]:
    """Everything as JSON, schema llsim.balance/2."""
    provenance = dict(balance.tables[-1].base.provenance) if balance.tables else {}
    return {
        "schema": "llsim.balance/2",
        "confidence": CONFIDENCE,
        "judged": {"effect": "one", "measure": ABOVE},
        "adjusted": {"text": "holm", "others": "benjamini-hochberg"},
        "flags": FLAGS,
        "tables": [table_document(balance, table) for table in balance.tables],
        "error": balance.error or None,
        "provenance": provenance,
    }


def table_document(balance: Balance, table: CardTable) -> dict[str, Any]:
    """One number of players."""
    base, said = table.base, dict(sentences(balance, table))
    return {
        "players": table.players,
        "experiment": base.experiment.to_plain(),
        "experiment_hash": base.experiment.hash,
        "status": "complete" if table.is_whole else "partial",
        "deals": base.deals,
        "effects": list(table.asked.effects),
        "against": table.asked.against,
        "variants": {"planned": len(table.asked.variants), "played": len(table.played)},
        "impossible": [{"card": card, "effect": effect, "why": why} for card, effect, why in table.asked.impossible],
        "verdicts": verdicts(balance, table),
        "ranking": balance.ranked(table),
        "cards": [card_document(balance, table, card_of(table.card_set, card), said[card]) for card in table.asked.cards],
    }


def card_document(balance: Balance, table: CardTable, card: Card, said: str) -> dict[str, Any]:
    """One card."""
    effects: dict[str, Any] = {}
    for trial in table.measured:
        if trial.card == card.id:
            found = [balance.effect(table, card.id, trial.effect, question.name) for question in trial.questions]
            effects[trial.effect] = {"change": trial.words, **{one.measure: one.to_plain() for one in found if one is not None}}
    observed = {name: table.observed(name, card.id).to_plain() | {"n": table.base.deals, "counted": table.counted_in(name, card.id)} for name in OBSERVED}
    return {
        "id": card.id, "name": card.name, "speed": speed_word(card.speed), "copies": card.copies, "has_text": has_text(card),
        "observed": observed,
        "effects": effects,
        "bias": dict(zip(("value", "low", "high"), map(plain_number, table.bias(card.id)), strict=True)),
        "flags": balance.flags(table, card.id),
        "sentence": said,
    }  # fmt: skip


def balance_plan_document(plans: Sequence[BalancePlan]) -> dict[str, Any]:
    """What playing would take, as JSON."""
    return {"schema": "llsim.plan/1", "plans": [plan.to_plain() for plan in plans]}


def balance_plan_table(plans: Sequence[BalancePlan]) -> Table:
    """A row a table."""
    columns = ("players", "experiments", "deals", "half_width", "seconds", "threads")
    rows = (plan.to_plain() | {"players": plan.asked.base.players} for plan in plans)
    return Table("plans", columns, tuple(tuple(row[name] for name in columns) for row in rows))


# --- for the page -----------------------------------------------------------------------------------------


def sentence_table(balance: Balance) -> Table:
    """A row a card: its sentence."""
    rows = [(table.players, table.title(card), said) for table in balance.tables for card, said in sentences(balance, table)]
    return Table("cards_in_words", ("players", "card", "in words"), tuple(rows), title="Each card in a sentence")


def card_table(balance: Balance) -> Table:
    """A row a card: what its text gives, what the whole card causes beside what is observed of it, and where that misleads."""
    named = ("text", "win_rate", "all_copies", "begin", "in_hand", "bias")
    columns = ("players", "card", "speed", "copies", *(f"{name}{end}" for name in named for end in ("", "_low", "_high")), "misleads")
    rows = []
    for table in balance.tables:
        for card_id in balance.ranked(table):
            card = card_of(table.card_set, card_id)
            texts = [balance.effect(table, card_id, *which) for which in (("one", ABOVE), ("one", OWNER), ("blank", ABOVE))]
            whole = [Interval(one.value, one.low, one.high) for one in (table.observed(name, card_id) for name in ("begin", "iwd"))]
            intervals = [*(one.interval if one else None for one in texts), *whole, table.bias(card_id)]
            rows.append((table.players, table.title(card_id), speed_word(card.speed), card.copies, *(cell for one in intervals for cell in cells(one)),
                         ", ".join(balance.flags(table, card_id))))  # fmt: skip
    flags = "; ".join(f"{flag}: {meaning}" for flag, meaning in FLAGS.items())
    title = f"What each text gives (text: on one copy), and what the whole card causes beside what is observed. {' '.join(map(capital, EXPLAINED))} Misleads, {flags}."
    return Table("card_values", columns, tuple(rows), ("",) * 4 + ("difference",) * 3 * len(named) + ("",), title)


EXPLAINED = (PLAIN, ALL, BEGIN, BIAS)


def capital(sentence: str) -> str:
    """The sentence with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def effect_table(balance: Balance) -> Table:
    """A row an effect: what each change does to each measure."""
    changes = {(table.players, trial.card, trial.effect): trial.words for table in balance.tables for trial in table.measured}
    name = {(table.players, card.id): table.title(card.id) for table in balance.tables for card in table.card_set.cards}
    rows = [
        (players, name[players, card], changes[players, card, effect], measure.replace("_", " "), one.unit, *cells(one.interval),
         plain_number(one.p_value), "yes" if one.told else "")
        for (players, card, effect, measure), one in balance.effects.items()
    ]  # fmt: skip
    columns = ("players", "card", "change", "of", "unit", "difference", "low", "high", "p_value", "surely")
    return Table("card_effects", columns, tuple(rows), ("",) * 5 + (BY_ROW,) * 3 + ("ratio", ""),
                 f"What each change does to each measure. {CHANGES} p-values are adjusted (Holm for what one copy of a text gives above par, else "
                 "Benjamini and Hochberg); surely: 5 % at most.")  # fmt: skip


def rate_table(balance: Balance) -> Table:
    """A row a card: observed win rates."""
    return observed_table(balance, "cards_observed", RATES, ("rate",) * len(RATES), f"Observed win rates {rates_explained()}")


def deed_table(balance: Balance) -> Table:
    """A row a card: what it did."""
    units = tuple("ratio" if name == "plays" else "rate" for name in DEEDS)
    return observed_table(balance, "cards_did", DEEDS, units, f"What each card did, observed. {deeds_explained()}")


def observed_table(balance: Balance, name: str, columns: Mapping[str, tuple[str, str]], units: tuple[str, ...], title: str) -> Table:
    """A row a card, a column an observed number."""
    rows = [
        (table.players, table.title(card), *(plain_number(table.observed(column, card).value) for column in columns))
        for table in balance.tables for card in balance.ranked(table)
    ]  # fmt: skip
    return Table(name, ("players", "card", *(words for words, _ in columns.values())), tuple(rows), ("", "", *units), title)
