"""Balance in words: the verdict of a table, and one plain sentence a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lostlegacy_sim.cardset import Card
from lostlegacy_sim.games.lost_legacy.guidelines import in_words
from lostlegacy_sim.games.lost_legacy.variants import card_of
from lostlegacy_sim.stats.intervals import Interval
from lostlegacy_sim.studies.balance import Balance, CardEffect, CardTable
from lostlegacy_sim.studies.card_trials import OUTCOMES, OWNER, PLAYER
from lostlegacy_sim.studies.simulate import points

# What stands in the tables, explained where it stands.
TEXT = ("text: win rate of the seats dealt the card as first hand card, minus the same with its text taken off every copy, on the same deals: "
        "what its text alone gives them. The interval leaves out 0 where that is sure, for all cards of the run at once (Holm).")  # fmt: skip
BEGIN = "begin: win rate of these seats minus the mean of all seats: what the whole card, speed and text, is worth in the first hand."
IWD = ("in hand: win rate of seats that had it in hand at some time minus that of seats that never had it. Watching gives no more than this: "
       "its speed counts in it, and only who lives goes on drawing, which lifts it for nearly every card (survivorship).")  # fmt: skip
BIAS = "bias: in hand minus text: by how much watching misleads about the text."
MOST_NAMED = 4  # cards in one sentence
SMALLEST = {"difference": 0.001, "turns": 0.05}  # effects below are not spoken of
MISLEADS = {
    "opposite": "watching says it helps where its text harms, or the other way round",
    "no effect": "watching says something, but no effect of its text can be told",
    "rank": "first by its text, fifth by watching; shown where another card is surely ahead of it by one and surely behind it by the other",
}

CHANGES = ("Blank: the set with the card's text minus the set without it. Swap: with the other printed set's card at its speed minus as it is. "
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
    return in_words([card_of(table.card_set, card).name for card in cards])


# --- the verdict ----------------------------------------------------------------------------------------


def verdicts(balance: Balance, table: CardTable) -> list[str]:
    """Which card is too strong, which too weak, and where watching misleads."""
    values = {card: value for card in table.asked.cards if (value := balance.text_value(table, card)) is not None}
    if not values:
        return ["Which text is too strong was not asked; --effects blank tells it."] if "blank" not in table.asked.effects else []
    strong = [card for card in balance.ranked(table) if card in values and values[card].told > 0]
    weak = [card for card in reversed(balance.ranked(table)) if card in values and values[card].told < 0]
    found = [strongest(table, values, strong)] if strong else ["No text gives its first owner more than these deals can tell."]
    if weak:
        cost, least, most = (points(-number) for number in (values[weak[0]].interval[place] for place in (0, 2, 1)))
        found.append(f"Too weak, if any: {names(table, weak[:1])}. Its text costs who begins with it {cost} points ({least} to {most}).")
    return [*found, *misled(balance, table, values)]


def strongest(table: CardTable, values: dict[str, CardEffect], strong: Sequence[str]) -> str:
    """The strongest text, and whether it stands alone."""
    card, rest = strong[0], table.not_told_from(strong[0])
    alone = ("" if len(values) == 1 else ", surely more than any other text" if not rest else f"; it cannot be told from that of {names(table, rest)}")
    par = f"{100 * table.estimates['par'].value:.2f} %"
    return (f"Too strong, if any: {names(table, [card])}. Its text gives who begins with it {interval_words(values[card].interval)} of win rate, "
            f"where the mean seat wins {par}{alone}.")  # fmt: skip


def misled(balance: Balance, table: CardTable, values: dict[str, CardEffect]) -> Iterator[str]:
    """Where watching would have said the opposite, or something where there is nothing."""
    opposite = [card for card in values if "opposite" in balance.flags(table, card)]
    for sign, looks, does in ((1, "good", "harms"), (-1, "bad", "helps")):
        cards = [card for card in opposite if values[card].told == -sign]
        if cards:
            yield f"Watching misleads: {names(table, cards)} {plural(cards, 'looks', 'look')} {looks} in hand, and {plural(cards, f'its text {does}', f'their texts {does[:-1]}')}."
    nothing = [card for card in values if "no effect" in balance.flags(table, card)]
    if nothing:
        which = names(table, nothing) if len(nothing) <= MOST_NAMED else f"{len(nothing)} cards"
        yield (f"Watching says something of {which}, but no effect of {plural(nothing, 'its text', 'their texts')} "
               "on the first owner can be told.")  # fmt: skip


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
    clauses = [text_clause(balance, table, card), copies_clause(balance, table, card), swap_clause(balance, table, card),
               never_clause(balance, table, card)]  # fmt: skip
    said = "; ".join(filter(None, clauses))
    if not said:
        return f"{card.name}: nothing was played about it."
    return f"{said}." if clauses[0] else f"{card.name}: {said}."


def text_clause(balance: Balance, table: CardTable, card: Card) -> str:
    """What its text does."""
    value, nobody = balance.text_value(table, card.id), balance.effect(table, card.id, "blank", "nobody")
    if value is None:
        return f"{card.name} is the Lost Legacy, whose text the game needs" if card.flag("legacy") else ""
    if not card.steps:
        return f"{card.name} has no text"
    if value.told:
        said = f"{card.name}'s text: {interval_words(value.interval)} for its first owner"
    elif value.interval.low != value.interval.low:
        said = f"{card.name}'s text: too few deals to tell what it gives its first owner"
    else:
        low, high = (points(bound, sign=True) for bound in value.interval[1:])
        said = f"{card.name}'s text: nothing that these deals can tell for its first owner ({low} to {high} points)"
    return said + (f"; because of it {outcome_words(nobody)}" if nobody is not None and is_worth_a_word(nobody) else "")


def copies_clause(balance: Balance, table: CardTable, card: Card) -> str:
    """What one copy more or fewer does to the deal; a single copy fewer is the blank."""
    played, said = [], []
    for effect, words in (("fewer", "with one copy fewer"), ("more", "with one copy more")):
        found = [balance.effect(table, card.id, effect, measure) for measure in OUTCOMES]
        if all(found) and not (effect == "fewer" and card.copies == 1 and table.asked.against is None):
            played.append(effect)
            told = next((one for one in found if one is not None and is_worth_a_word(one)), None)
            said += [f"{words} {outcome_words(told)}"] if told is not None else []
    if played and not said:
        number = " or ".join(reversed(played)) if len(played) > 1 else played[0]
        return f"one copy {number} changes next to nothing that these deals can tell"
    return "; ".join(said)


def swap_clause(balance: Balance, table: CardTable, card: Card) -> str:
    """What the other set's card does in its place."""
    trial = next((trial for trial in table.measured if (trial.card, trial.effect) == (card.id, "swap")), None)
    if trial is None:
        return ""
    found = [balance.effect(table, card.id, "swap", measure) for measure in (OWNER, *OUTCOMES)]
    told = [owner_words(one) if one.measure == OWNER else outcome_words(one) for one in found if one is not None and is_worth_a_word(one)]
    changes = " and ".join(told[:2]) if told else "next to nothing changes that these deals can tell"
    return f"with {trial.words.removesuffix(f' instead of {card.name}')} in its place {changes}"


def never_clause(balance: Balance, table: CardTable, card: Card) -> str:
    """What it is worth to be able to play it."""
    value = balance.effect(table, card.id, "never", PLAYER)
    if value is None:
        return ""
    if not value.told:
        return "who plays it only when forced loses nothing that these deals can tell"
    amount = points(abs(value.interval.value))
    if value.told > 0:
        return f"who plays it only when forced wins {amount} points less than the others"
    return f"who plays it only when forced wins {amount} points more than the others: these bots play it too readily"


def is_worth_a_word(effect: CardEffect) -> bool:
    """Whether an effect is surely there and large enough to be spoken of; the tables have all."""
    return bool(effect.told) and abs(effect.interval.value) >= SMALLEST[effect.unit]


def owner_words(effect: CardEffect) -> str:
    """ "its first owner wins 1.20 points more"."""
    return f"its first owner wins {points(abs(effect.interval.value))} points {'more' if effect.told > 0 else 'less'}"


def outcome_words(effect: CardEffect) -> str:
    """ "nobody wins 0.80 points less often"."""
    size = abs(effect.interval.value)
    more = effect.interval.value > 0
    if effect.measure == "nobody":
        return f"nobody wins {points(size)} points {'more' if more else 'less'} often"
    if effect.measure == "seat_gap":
        return f"the best and the worst seat are {points(size)} points {'further apart' if more else 'closer together'}"
    return f"a deal is {size:.2f} turns {'longer' if more else 'shorter'}"
