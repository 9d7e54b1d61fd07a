"""Card trials: which experiments have to be played to learn what a kind causes, and what is compared in them.

An owner is a seat that is dealt the kind as its first hand card: the shuffle alone says who that is, so nothing but the change
itself stands between the owners of the two sides. Where one copy is blank, its owners are the seats that are dealt the blank; they
are held against the owners of any copy in the set as it is, who are dealt theirs by the same chances. A text that makes nobody win
lowers its owner like everybody else: what is judged is the owner's change minus the change of par, the mean win rate of all seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lostlegacy_sim.cardset import CardSet, parse_set
from lostlegacy_sim.errors import SetError, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.cards import variants
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY
from lostlegacy_sim.studies.simulate import experiment_of

# What can be asked of a kind, by the trials it takes. "one" is asked with "blank"; alone it is the least that ranks the texts.
EFFECTS = {"one": ("one",), "blank": ("one", "blank"), "swap": ("swap",), "copy": ("fewer", "more"), "never": ("never",)}
USUAL = ("blank", "swap", "copy", "never")
OUTCOMES = ("nobody", "seat_gap", "turns")
ABOVE = "above_par"  # the win rate of seats dealt the kind as first hand card, minus par: what a card is judged by
OWNER = "first_owner"  # the same win rate as it is
PLAYER = "may_play"  # the win rate of the bots that may play the kind against that of the one that may not
FROM_PAR = "oh_value"  # the win rate of the owners minus par, in a measure's name
OF_OWNERS = {ABOVE: FROM_PAR, OWNER: "oh_win"}  # what is asked of owners, by what it is the difference of


@dataclass(frozen=True)
class Question:
    """A difference: a measure of one experiment minus a measure of another, or of the same one."""

    name: str  # one of OUTCOMES, ABOVE, OWNER or PLAYER
    plus: Experiment
    plus_measure: str
    minus: Experiment
    minus_measure: str

    @property
    def sides(self) -> tuple[tuple[Experiment, str], tuple[Experiment, str]]:
        """Plus and minus: each an experiment and the measure of it."""
        return (self.plus, self.plus_measure), (self.minus, self.minus_measure)


@dataclass(frozen=True)
class Trial:
    """One thing that is changed about a kind.

    The differences are what it does: of a blank, one copy or all, the set minus the blank, so what the text gives; of a swap and
    of copies the changed set minus the other; of never those who may play the kind minus the one who may not.
    """

    card: str  # its id
    effect: str  # "one", "blank", "swap", "fewer", "more" or "never"
    words: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Balancing:
    """What is asked at one table: of which kinds, and which effects."""

    base: Experiment
    cards: tuple[str, ...]  # ids, in the order of the set
    effects: tuple[str, ...]  # of EFFECTS
    against: str | None  # copy: the kind that makes room; None for a blank
    trials: tuple[Trial, ...]
    impossible: tuple[tuple[str, str, str], ...]  # (card, effect, why there is none)

    @property
    def card_set(self) -> CardSet:
        """The set as it is."""
        return set_of(self.base)

    @property
    def variants(self) -> dict[Experiment, tuple[str, ...]]:
        """The experiments beside the base, each with the measures that are asked of it; gaps by their rates."""
        needed: dict[Experiment, dict[str, None]] = {}
        for question in (question for trial in self.trials for question in trial.questions):
            for experiment, measure in question.sides:
                needed.setdefault(experiment, {}).update(dict.fromkeys(rates_of(measure, experiment.players)))
        return {experiment: tuple(measures) for experiment, measures in needed.items() if experiment != self.base}

    @property
    def deals(self) -> int:
        """Deals of all experiments together."""
        return self.base.planned_deals + sum(experiment.planned_deals for experiment in self.variants)


def rates_of(measure: str, players: int) -> tuple[str, ...]:
    """The measures that have to be counted for one: of the seat gap and of par the win rates of the seats."""
    seats = tuple(f"win_seat[{seat}]" for seat in range(1, players + 1))
    if measure.startswith(FROM_PAR):
        return (f"oh_win{measure.removeprefix(FROM_PAR)}", *seats)
    return seats if measure == "seat_gap" else (measure,)


def set_of(experiment: Experiment) -> CardSet:
    """The set an experiment plays."""
    return parse_set(experiment.set_text, VOCABULARY, where=experiment.set_name)


def balancing(
    game: Game, card_set: CardSet, players: int, bots: Sequence[str], deals: int, seed: int,
    cards: Sequence[str] = (), effects: Sequence[str] = USUAL, against: str | None = None,
) -> Balancing:  # fmt: skip
    """What has to be played at one table. `cards`: names or ids, or none for all.

    Raises UsageError, SetError or BotError for what cannot be asked.
    """
    base = experiment_of(game, card_set, players, bots, deals, seed, detail="cards")
    asked = {find_card(card_set, word) for word in cards} or {card.id for card in card_set.cards}
    room = find_card(card_set, against) if against is not None else None
    chosen = tuple(card.id for card in card_set.cards if card.id in asked)
    return balancing_of(base, chosen, read_effects(effects), room)


def balancing_of(base: Experiment, cards: tuple[str, ...], effects: tuple[str, ...], against: str | None) -> Balancing:
    """The same, of a base experiment with detail "cards"; no bot is looked for, so a kept result can be read by it."""
    trials, impossible, card_set = [], [], set_of(base)
    for effect in dict.fromkeys(name for asked in effects for name in EFFECTS[asked]):
        for card in cards:
            try:
                trials.append(trial_of(base, card_set, card, effect, against))
            except SetError as error:
                impossible.append((card, effect, str(error)))
    return Balancing(base, cards, effects, against, tuple(trials), tuple(impossible))


def find_card(card_set: CardSet, word: str) -> str:
    """The id of a kind, named by id or as it is printed. Raises UsageError naming the nearest, or all that are meant."""
    ids, wanted = [card.id for card in card_set.cards], word.strip().lower()
    if word.strip() in ids:
        return word.strip()
    for meant in (wanted, wanted.replace(" ", "_").replace("-", "_")):
        found = [card.id for card in card_set.cards if meant in (card.id.lower(), card.name.lower())]
        if len(found) > 1:
            raise UsageError(f"{card_set.name} has {len(found)} cards '{word.strip()}'; name one by its id: {', '.join(found)}.")
        if found:
            return found[0]
    raise UsageError(f"{card_set.name} has no card '{word.strip()}'.{nearest(wanted, ids)}")


def read_effects(effects: Sequence[str]) -> tuple[str, ...]:
    """Checked names, in the order of EFFECTS, none twice. Raises UsageError naming the nearest."""
    for effect in effects:
        if effect not in EFFECTS:
            raise UsageError(f"There is no effect '{effect}'.{nearest(effect, EFFECTS)}")
    return tuple(effect for effect in EFFECTS if effect in effects and not (effect == "one" and "blank" in effects))


def trial_of(base: Experiment, card_set: CardSet, card: str, effect: str, against: str | None) -> Trial:
    """One trial of one kind. Raises SetError if there is none, and UsageError for a line-up that does not fit."""
    if effect == "never":
        return never_trial(base, card_set, card)
    options = (against,) if effect in EFFECTS["copy"] else ()
    change = variants.CHANGES[effect](card_set, card, *options)
    before, after = with_set(base, change.before, card_set), with_set(base, change.after, card_set)
    sides = ((before, change.kind_before), (after, change.kind_after))
    (plus, plus_kind), (minus, minus_kind) = sides if effect in EFFECTS["blank"] else sides[::-1]
    questions = [Question(name, plus, f"{of}[{plus_kind}]", minus, f"{of}[{minus_kind}]") for name, of in OF_OWNERS.items() if plus_kind and minus_kind]
    questions += [Question(name, plus, name, minus, name) for name in OUTCOMES if effect != "one"]  # one copy fewer says that already
    return Trial(card, effect, change.words, tuple(questions))


def never_trial(base: Experiment, card_set: CardSet, card: str) -> Trial:
    """The trial in which one seat does without a kind."""
    seated = variants.never(card_set, card, base.bots)
    experiment = replace(base, bots=seated, detail="deals")
    question = Question(PLAYER, experiment, f"win_bot[{seated[1]}]", experiment, f"win_bot[{seated[0]}]")
    return Trial(card, "never", f"one seat never plays {card_set.title(variants.card_of(card_set, card))} unless it must", (question,))


def with_set(base: Experiment, card_set: CardSet, its_set: CardSet) -> Experiment:
    """The experiment with another set; with its own it is the base itself. Raises SetError if a bot is barred from a kind that is gone."""
    if card_set is its_set or same_cards(card_set, its_set):
        return base
    there = {card.id for card in card_set.cards}
    for bot in base.bots:
        gone = [part for part in bot.split(":") if part.startswith("never=") and part.removeprefix("never=") not in there]
        if gone:
            raise SetError(f"{card_set.name}: the bot {bot} is barred from a card that is not there then.")
    return replace(base, set_id=card_set.id, set_name=card_set.name, set_text=card_set.to_toml())


def same_cards(card_set: CardSet, other: CardSet) -> bool:
    """Whether two sets are played alike, card by card: a card without text is its own blank."""
    pairs = list(zip(card_set.cards, other.cards, strict=False))
    same = all(one.id == two.id and one.copies == two.copies and variants.does_the_same(one, two) for one, two in pairs)
    return same and len(card_set.cards) == len(other.cards)


def names_of(card_set: CardSet, ids: Sequence[str]) -> Iterator[str]:
    """The printed names of some kinds."""
    yield from (card_set.title(card) for card in card_set.cards if card.id in ids)
