"""Balance in words: the verdict of a table, and one plain sentence a card."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from lostlegacy_sim.cardset import Card
from lostlegacy_sim.claims import Claim
from lostlegacy_sim.games.lost_legacy.cards.guidelines import in_words
from lostlegacy_sim.games.lost_legacy.cards.variants import card_of
from lostlegacy_sim.sentences import (
    CARD_COPIES,
    CARD_COPIES_NOTHING,
    CARD_DEAL,
    CARD_FEW,
    CARD_GIVES,
    CARD_NEVER_LESS,
    CARD_NEVER_MORE,
    CARD_NEVER_NOTHING,
    CARD_NOTHING,
    CARD_SWAP,
    CARD_SWAP_NOTHING,
    CARD_TOGETHER,
    MISLEADS_OF,
    NO_TEXTS,
    NONE_STRONG,
    TEXTS_UNASKED,
    TOO_STRONG,
    TOO_WEAK,
    UNWEIGHED,
    WATCHING_ALONE,
)
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import Balance, CardEffect, CardTable
from lostlegacy_sim.studies.card_trials import ABOVE, EFFECTS, OUTCOMES, OWNER, PLAYER
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.uncounted import counts_nothing, none_counts

# What stands in the tables, explained where it stands.
TEXT = ("one copy: win rate of the seats dealt one copy of the card as first hand card, minus that of the seats dealt this copy without its text "
        "while all other copies keep theirs, minus the change of par, the mean win rate of all seats, between the two: what its text gives its "
        "owner, whatever it does to everybody. The interval leaves out 0 where that is sure, for all cards of the run at once (Holm).")  # fmt: skip
PLAIN = "win rate: the same before the change of par is taken off."
ALL = ("all copies: the same, minus the change of par, too, with the text taken off every copy at once. That disarms the opponents, too: a "
       "property of the set, and of no rank.")  # fmt: skip
BEGIN = ("begin: win rate of the seats dealt the card as first hand card minus that of the other seats: what the whole card, speed and text, "
         "causes.")  # fmt: skip
IWD = ("in hand: win rate of the seats that had the card at some time minus that of those that never had it, speed and text, too. Watching gives "
       "no more than this, and only who lives goes on drawing, which lifts it for nearly every card (survivorship).")  # fmt: skip
BIAS = "bias: in hand minus begin, both of the whole card: by how much watching misleads."
MOST_NAMED = 4  # cards in one sentence
SMALLEST = {"difference": 0.001, "turns": 0.05}  # effects below are not spoken of
MISLEADS = {
    "opposite": "watching says the card helps where beginning with it harms, or the other way round",
    "no effect": "watching says something, but nothing can be told of beginning with it",
    "rank": "first by beginning with it, fifth by watching; shown where another card is surely ahead of it by one and surely behind it by the other",
}

CHANGES = ("One: the set as it is minus the set in which one copy has no text. Blank: minus the set in which no copy has one. Swap: with the other printed set's card at its speed minus as it is. "
           "Fewer, more: one copy fewer or more, a blank (or the card that was named) in its place or giving way. Never: the bots that may play "
           "the card minus the one that plays it only when forced. All are played on the same shuffles.")  # fmt: skip

# Observed win rates by column, and what they are the win rates of.
RATES = {
    "oh_win": ("begin", "were dealt it as first hand card"),
    "gd_win": ("later", "drew or received it later"),
    "gih_win": ("ever", "had it in hand at some time"),
    "gns_win": ("never", "never had it in hand"),
    "played_win": ("played", "played it"),
    "held_win": ("held", "held it at the end"),
    "given_win": ("given", "gave it away in an exchange of their own"),
    "revealed_win": ("shown", "had it revealed in the investigation"),
}
DEEDS = {
    "plays": ("plays", "plays in a deal"),
    "forced": ("forced", "plays with no other kind to play, %"),
    "kills": ("kills", "other seats put out per 100 plays"),
    "self_kills": ("self", "plays that put out the seat itself, %"),
    "trapped": ("traps", "seats put out in 100 deals because it was seen in a hand"),
    "hits": ("hits", "named speeds that the card looked at has, %"),
    "counter_hits": ("counter", "the hits a perfect card counter would reach, %"),
    "buried_win": ("buried", "of its cards in the ruins at the end, those in deals somebody won, %"),
}


def rates_explained() -> str:
    """The columns of the observed win rates."""
    return ("of the seats that " + "; ".join(f"{meaning} ({words})" for words, meaning in RATES.values())
            + ". Only seats that live go on drawing and playing, so all of them but begin are lifted (survivorship).")  # fmt: skip


def deeds_explained() -> str:
    """The columns of what a card did."""
    return "; ".join(f"{words}: {meaning}" for words, meaning in DEEDS.values()) + "."


def interval_words(interval: Interval) -> str:
    """ "+3.10 points (+2.70 to +3.50)"."""
    return f"{points(interval.value, sign=True)} points ({points(interval.low, sign=True)} to {points(interval.high, sign=True)})"


def names(table: CardTable, cards: Sequence[str]) -> str:
    """Kinds as people list them."""
    return in_words([table.title(card) for card in cards])


# --- the verdict ----------------------------------------------------------------------------------------


def verdicts(balance: Balance, table: CardTable) -> list[Claim]:
    """Which card is too strong, which too weak, what was not weighed, and where watching misleads."""
    if counts_nothing(table.base):
        return [none_counts(table.base.deals)]
    return [*judgements(balance, table), *misled(balance, table)]


def judgements(balance: Balance, table: CardTable) -> Iterator[Claim]:
    """What is said of the texts: by what one copy gives its owner above par."""
    if not any(table.has_text(card) for card in table.asked.cards):
        yield NO_TEXTS.say()
        return
    if not any("one" in EFFECTS[effect] for effect in table.asked.effects):
        yield TEXTS_UNASKED.say()
        return
    values = {card: value for card in balance.ranked(table) if (value := balance.text_value(table, card)) is not None}
    strong = [card for card, value in values.items() if value.told > 0]
    weak = [card for card, value in values.items() if value.told < 0]
    if values:
        yield strongest(balance, table, values, strong[0]) if strong else NONE_STRONG.say()
    if weak:
        cost, least, most = (points(-values[weak[-1]].interval[place]) for place in (0, 2, 1))
        card, rest = card_of(table.card_set, weak[-1]), table.not_told_below(weak[-1])
        yield TOO_WEAK.say(card=table.title(card.id), text=text_of(card), cost=cost, least=least, most=most, alone=alone(balance, table, rest, len(values)))
    yield from left_out(balance, table)


def strongest(balance: Balance, table: CardTable, values: dict[str, CardEffect], card_id: str) -> Claim:
    """The strongest text, and whether it stands alone."""
    card, rest = card_of(table.card_set, card_id), table.not_told_from(card_id)
    par = f"{100 * table.estimates['par'].value:.2f} %"
    return TOO_STRONG.say(card=table.title(card.id), text=text_of(card), value=against_par(balance, table, values[card_id]), par=par,
                          alone=alone(balance, table, rest, len(values)))  # fmt: skip


def alone(balance: Balance, table: CardTable, rest: Sequence[str], weighed: int) -> str:
    """Whether the text at an end stands there alone, or which others may."""
    if weighed == 1:
        return ""
    others = "any other text" if not balance.unweighed(table) else "any other text that was weighed"
    return f", surely more than {others}" if not rest else f"; it cannot be told from that of {names(table, rest)}"


def text_of(card: Card) -> str:
    """Its text, and on how many copies."""
    return "Its text" if card.copies == 1 else "One copy of its text"


def against_par(balance: Balance, table: CardTable, value: CardEffect) -> str:
    """ "+3.10 points (+2.70 to +3.50) against par (+2.90 of win rate)"."""
    plain = balance.effect(table, value.card, value.effect, OWNER)
    return f"{interval_words(value.interval)} against par" + (f" ({points(plain.interval.value, sign=True)} of win rate)" if plain is not None else "")


def left_out(balance: Balance, table: CardTable) -> Iterator[Claim]:
    """The texts that were not weighed, and why."""
    why = {card: sentence for card, effect, sentence in table.asked.impossible if effect == "one"}
    reasons: dict[str, list[str]] = {}
    for card in balance.unweighed(table):
        reasons.setdefault(why.get(card, "not played to the end").rstrip("."), []).append(card)
    for reason, cards in reasons.items():
        yield UNWEIGHED.say(texts=plural(cards, "text", "texts"), cards=names(table, cards), reason=reason)


def misled(balance: Balance, table: CardTable) -> Iterator[Claim]:
    """Where watching would have said the opposite of a whole card, or something where there is nothing."""
    opposite = [card for card in balance.ranked(table) if "opposite" in balance.flags(table, card)]
    for sign, looks, does in ((1, "good", "less"), (-1, "bad", "more")):
        cards = [card for card in opposite if table.signs(card)[1] == sign]
        if cards:
            yield MISLEADS_OF.say(cards=names(table, cards), looks=plural(cards, "looks", "look"), how=looks, them=plural(cards, "it", "one of them"),
                                  what=does)  # fmt: skip
    nothing = [card for card in balance.ranked(table) if "no effect" in balance.flags(table, card)]
    if nothing:
        which = names(table, nothing) if len(nothing) <= MOST_NAMED else f"{len(nothing)} cards"
        yield WATCHING_ALONE.say(cards=which, them=plural(nothing, "it", "one of them"))


def plural(cards: Sequence[str], one: str, several: str) -> str:
    """The word for one card or for several."""
    return one if len(cards) == 1 else several


# --- a sentence a card ----------------------------------------------------------------------------------


def sentences(balance: Balance, table: CardTable) -> Iterator[tuple[str, str]]:
    """(card, its sentence), the strongest text first."""
    for card_id in balance.ranked(table):
        yield card_id, sentence(balance, table, card_of(table.card_set, card_id))


def sentence(balance: Balance, table: CardTable, card: Card) -> str:
    """What a card does, as far as it was played and can be told."""
    clauses = [text_clause(balance, table, card), *copies_clauses(balance, table, card), swap_clause(balance, table, card),
               never_clause(balance, table, card)]  # fmt: skip
    said = "; ".join(filter(None, clauses))
    if not said:
        return f"{table.title(card.id)}: nothing was played about it."
    return f"{said}." if clauses[0] else f"{table.title(card.id)}: {said}."


def text_clause(balance: Balance, table: CardTable, card: Card) -> str:
    """What its text does: one copy for its owner, all copies for the deal."""
    if card.flag("legacy"):
        return f"{table.title(card.id)} is the Lost Legacy, whose text the game needs"
    if not table.has_text(card.id):
        return f"{table.title(card.id)} has no text"
    clauses = [owner_clause(balance, table, card), deal_clause(balance, table, card)]
    said = "; ".join(filter(None, clauses))
    return f"{table.title(card.id)}'s text{', one copy' if card.copies > 1 and clauses[0] else ''}: {said}" if said else ""


def owner_clause(balance: Balance, table: CardTable, card: Card) -> Claim | None:
    """What one copy of its text gives its owner."""
    value = balance.text_value(table, card.id)
    if value is None:
        return None
    if value.told:
        return CARD_GIVES.say(value=against_par(balance, table, value))
    if math.isnan(value.interval.low):
        return CARD_FEW.say()
    low, high = (points(bound, sign=True) for bound in value.interval[1:])
    return CARD_NOTHING.say(low=low, high=high)


def deal_clause(balance: Balance, table: CardTable, card: Card) -> Claim | None:
    """What all copies of its text do together."""
    nobody, together = balance.effect(table, card.id, "blank", "nobody"), balance.effect(table, card.id, "blank", ABOVE)
    outcome = [outcome_words(nobody)] if nobody is not None and is_worth_a_word(nobody) else []
    if card.copies == 1:
        return CARD_DEAL.say(outcome=outcome[0]) if outcome else None
    owner = [f"{points(together.interval.value, sign=True)} points against par for who begins with one"] if together is not None and together.told else []
    copies = "both" if card.copies == 2 else f"all {card.copies}"
    return CARD_TOGETHER.say(copies=copies, effects=", ".join(owner + outcome)) if owner + outcome else None


def copies_clauses(balance: Balance, table: CardTable, card: Card) -> list[Claim]:
    """What one copy more or fewer does to the deal; a single copy fewer is the blank."""
    played: list[str] = []
    said: list[Claim] = []
    for effect, words in (("fewer", "with one copy fewer"), ("more", "with one copy more")):
        found = [balance.effect(table, card.id, effect, measure) for measure in OUTCOMES]
        if all(found) and not (effect == "fewer" and card.copies == 1 and table.asked.against is None):
            played.append(effect)
            told = next((one for one in found if one is not None and is_worth_a_word(one)), None)
            said += [CARD_COPIES.say(words=words, outcome=outcome_words(told))] if told is not None else []
    if played and not said:
        number = " or ".join(reversed(played)) if len(played) > 1 else played[0]
        return [CARD_COPIES_NOTHING.say(number=number)]
    return said


def swap_clause(balance: Balance, table: CardTable, card: Card) -> Claim | None:
    """What the other set's card does in its place."""
    trial = next((trial for trial in table.measured if (trial.card, trial.effect) == (card.id, "swap")), None)
    if trial is None:
        return None
    found = [balance.effect(table, card.id, "swap", measure) for measure in (ABOVE, *OUTCOMES)]
    told = [owner_words(one) if one.measure == ABOVE else outcome_words(one) for one in found if one is not None and is_worth_a_word(one)]
    other = trial.words.removesuffix(f" instead of {table.title(card.id)}")
    return CARD_SWAP.say(other=other, changes=" and ".join(told[:2])) if told else CARD_SWAP_NOTHING.say(other=other)


def never_clause(balance: Balance, table: CardTable, card: Card) -> Claim | None:
    """What it is worth to be able to play it."""
    value = balance.effect(table, card.id, "never", PLAYER)
    if value is None:
        return None
    if not value.told:
        return CARD_NEVER_NOTHING.say()
    amount = points(abs(value.interval.value))
    if value.told > 0:
        return CARD_NEVER_LESS.say(points=amount)
    return CARD_NEVER_MORE.say(points=amount)


def is_worth_a_word(effect: CardEffect) -> bool:
    """Whether an effect is surely there and large enough to be spoken of; the tables have all."""
    return bool(effect.told) and abs(effect.interval.value) >= SMALLEST[effect.unit]


def owner_words(effect: CardEffect) -> str:
    """ "its first owner wins 1.20 points more against par"."""
    return f"its first owner wins {points(abs(effect.interval.value))} points {'more' if effect.told > 0 else 'less'} against par"


def outcome_words(effect: CardEffect) -> str:
    """ "nobody wins 0.80 points less often"."""
    size = abs(effect.interval.value)
    more = effect.interval.value > 0
    if effect.measure == "nobody":
        return f"nobody wins {points(size)} points {'more' if more else 'less'} often"
    if effect.measure == "seat_gap":
        return f"the best and the worst seat are {points(size)} points {'further apart' if more else 'closer together'}"
    return f"a deal is {size:.2f} turns {'longer' if more else 'shorter'}"
