"""The reference as a judge of histories, as a counter of all deals of a tiny deck, and as a teller of deals."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from card_files import random_card_set
from random_deals import random_deal
from situations import deal, lay

from lostlegacy_sim.cardset import make_set
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.reference.enumeration import arrangements, enumerate_deals
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Divergence, Outcome, Table, judge
from lostlegacy_sim.games.lost_legacy.vocabulary import EXCHANGE, WAY_FOUND, WAY_LAST, WAY_NOBODY

GARDEN = printed("flying-garden")


def tiny(name, **copies):
    """A few cards of a printed set."""
    whole = printed(name)
    cards = [replace(card, copies=copies[card.id]) for card in whole.cards if card.id in copies]
    return make_set("tiny", "Tiny", cards, like=whole)


# --- judging ------------------------------------------------------------------------------------------


def test_a_history_of_the_rulebook_is_judged_to_its_outcome():
    rng = Random(1)
    for number in range(50):
        _, outcome, history = random_deal(GARDEN, 2 + number % 3, rng)
        assert judge(GARDEN, 2 + number % 3, history, outcome) == outcome


def test_a_watcher_sees_the_table_before_every_entry_and_at_the_end():
    _, outcome, history = random_deal(GARDEN, 3, Random(2))
    seen = []
    judge(GARDEN, 3, history, watch=lambda table, number: seen.append((number, table.outcome)))
    assert [number for number, _ in seen] == [*range(len(history)), -1]
    assert seen[-1] == (-1, outcome)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda history: history[:-1], "The history ends after 10 entries, but the rulebook goes on: Question(seat=1, what=1,"),
        (lambda history: [*history, history[-1]], "The deal is over after 11 entries, but the history holds 12."),
        (lambda history: [history[0], (1, 1, 1, 2), *history[2:]], "Entry 1 of the history is (1, 1, 1, 2); the rulebook comes to"),
        (lambda history: [history[0], (1, 0, 2, 2), *history[2:]], "Entry 1 of the history is (1, 0, 2, 2); the rulebook comes to"),
        (lambda history: [history[0], (1, 0, 0, 3), *history[2:]], "Entry 1 of the history is (1, 0, 0, 3); the rulebook comes to"),
        (lambda history: [("deal", (0,) * 16), *history[1:]], "Entry 0 of the history is ('deal', (0,"),
        (lambda history: [("ruins", range(16)), *history[1:]], "Entry 0 of the history is ('ruins', range(0, 16)); the rulebook"),
    ],
)  # fmt: skip
def test_the_first_difference_is_named(change, message):
    _, _, history = random_deal(GARDEN, 2, Random(11))
    assert len(history) == 11
    with pytest.raises(Divergence) as error:
        judge(GARDEN, 2, change(history))
    assert str(error.value).startswith(message)


def test_another_outcome_is_a_divergence():
    _, outcome, history = random_deal(GARDEN, 2, Random(3))
    with pytest.raises(Divergence, match="The outcome recorded is Outcome"):
        judge(GARDEN, 2, history, replace(outcome, turns=outcome.turns + 1))


def test_an_answer_that_is_no_option_is_refused():
    table = Table(GARDEN, 2)
    playing = table.play()
    next(playing)
    playing.send(range(16))
    with pytest.raises(ValueError, match="The answer 7 is none of the options"):
        playing.send(7)
    playing = Table(GARDEN, 2).play()
    next(playing)
    with pytest.raises(ValueError, match="does not hold 0 to 15 once each"):
        playing.send([0] * 16)


# --- counting all deals -------------------------------------------------------------------------------


def test_arrangements_are_distinct_and_complete():
    orders = arrangements((5, 7, 5, 7, 7))
    assert len(orders) == 10
    assert len({tuple((5, 7, 5, 7, 7)[i] for i in order) for order in orders}) == 10
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders)


def test_four_cards_by_hand():
    """Two seats; Starship S, General G and two Sneak Attacks A: one turn, then the investigation.

    Seat 0 draws the one deck card d and plays one; the deck is empty, so the General has nothing to look at. Then G
    (speed 2) acts if it is held, then S (speed 5) if it is held and not found yet; each points at one of three
    places (two hands and the ruins r) and finds S with 1/3. The 12 arrangements weigh 1/12 each.
      G in hand 1, S in r (1): seat 1 at 2: 1/3.
      G in hand 1, S with seat 0 (2), who must keep it: seat 1 at 2: 1/3; else seat 0 at 5: 2/3 x 1/3 = 2/9.
      G and S with seat 0 (2): G must be played; seat 0 at 5: 1/3.
      G with seat 0, S in hand 1 (2): G is kept with 1/2; seat 0 at 2: 1/6; seat 1 at 5: 1/2 x 2/9 + 1/2 x 1/3 = 5/18.
      G with seat 0, S in r (2): seat 0 at 2: 1/6.
      G in r, S in hand 1 (1): seat 1 at 5: 1/3.      G in r, S with seat 0 (2): seat 0 at 5: 1/3.
    Seat 1 at 2: 3/3. Seat 0 at 2: 4/6. Seat 0 at 5: 2 x 2/9 + 4/3 = 16/9. Seat 1 at 5: 2 x 5/18 + 1/3 = 8/9; all / 12.
    """
    outcomes = enumerate_deals(tiny("starship", the_starship=1, sneak_attack=2, general=1), 2)
    assert outcomes == {
        Outcome(WAY_FOUND, 1, 2, 1): Fraction(1, 12),
        Outcome(WAY_FOUND, 0, 2, 1): Fraction(1, 18),
        Outcome(WAY_FOUND, 0, 5, 1): Fraction(4, 27),
        Outcome(WAY_FOUND, 1, 5, 1): Fraction(2, 27),
        Outcome(WAY_NOBODY, -1, 0, 1): Fraction(23, 36),
    }


def test_random_deals_agree_with_the_enumeration_and_a_wrong_rule_does_not():
    cards = {"the_flying_garden": 1, "curse": 1, "wound": 2, "saint": 1, "expedition": 1}
    tiny_set = tiny("flying-garden", **cards)
    exact = enumerate_deals(tiny_set, 2)
    assert sum(exact.values()) == 1
    probability = float(sum(chance for outcome, chance in exact.items() if outcome.way == WAY_LAST))
    rng, n_deals = Random(5), 4000
    count = sum(random_deal(tiny_set, 2, rng)[1].way == WAY_LAST for _ in range(n_deals))
    error = (probability * (1 - probability) / n_deals) ** 0.5
    assert abs(count / n_deals - probability) < 4 * error
    harmless = [replace(card, steps=()) if card.id == "wound" else card for card in tiny_set.cards]
    wrong = enumerate_deals(make_set("wrong", "Wrong", harmless, like=tiny_set), 2)
    wrong_probability = float(sum(chance for outcome, chance in wrong.items() if outcome.way == WAY_LAST))
    assert abs(count / n_deals - wrong_probability) > 4 * error


def test_a_policy_weighs_the_answers():
    """An even policy gives the same as none, though knowledge is kept for it; another one does not."""
    tiny_set = tiny("starship", the_starship=1, search=2, assault=1, sneak_attack=1)
    even = enumerate_deals(tiny_set, 2, lambda table, question: [Fraction(1, len(question.options))] * len(question.options))
    assert even == enumerate_deals(tiny_set, 2)

    def keeper(table, question):
        """Never exchanges; else even."""
        if question.what == EXCHANGE:
            return [Fraction(1), Fraction(0)]
        return [Fraction(1, len(question.options))] * len(question.options)

    kept = enumerate_deals(tiny_set, 2, keeper)
    assert sum(kept.values()) == 1
    assert kept != even


# --- telling ------------------------------------------------------------------------------------------


def test_a_deal_is_told_in_sentences():
    table = deal(
        GARDEN,
        ["expedition", "saint"],
        "wound",
        "the_flying_garden prophet curse guardian wound curse curse necromancer false_information false_information "
        "expedition expedition wound",
    )
    table.turn("held", "deck", "yes").turn("held").turn("drawn", "5", orders=[(1, 0)]).turn("drawn").turn("drawn", "3")
    assert table.told[0] == "The deal: seat 1 holds Expedition, seat 2 holds Saint; in the ruins lies Wound."
    assert table.told[2:] == TOLD.strip("\n").split("\n")


TOLD = """
Turn 1. Seat 1 holds Expedition and draws Lost Legacy: Flying Garden; 12 cards left in the deck.
  Seat 1 plays Expedition and keeps Lost Legacy: Flying Garden.
  Seat 1 looks at the top card of the deck (only seat 1 sees it: Prophet).
  Secretly, seat 1 exchanges: it now holds Prophet, and the top card of the deck is Lost Legacy: Flying Garden.
Turn 2. Seat 2 holds Saint and draws Lost Legacy: Flying Garden; 11 cards left in the deck.
  Seat 2 plays Saint and keeps Lost Legacy: Flying Garden.
Turn 3. Seat 1 holds Prophet and draws Curse; 10 cards left in the deck.
  Seat 1 plays Curse and keeps Prophet.
  Seat 1 names speed 5.
  Seat 1 looks at the hand of seat 2 (only seat 1 sees it: Lost Legacy: Flying Garden).
  Seat 2 is eliminated: the card seen is of speed 5 (Curse).
  Lost Legacy: Flying Garden goes into the ruins, at the right end (everybody knows it).
  The ruins are shuffled (unseen, from the left: Lost Legacy: Flying Garden, Wound).
  Saint in the row of seat 2 is turned face down.
  Seat 2 is back in the game with the deck's top card (only seat 2 sees it: Guardian).
Turn 4. Seat 2 holds Guardian and draws Wound; 8 cards left in the deck.
  Seat 2 plays Wound and keeps Guardian.
Turn 5. Seat 1 holds Prophet and draws Curse; 7 cards left in the deck.
  Seat 1 plays Curse and keeps Prophet.
  Seat 1 names speed 3.
  Seat 1 looks at the hand of seat 2 (only seat 1 sees it: Guardian).
  Seat 2 is eliminated: the card seen is of speed 3 (Curse).
  Seat 2 discards Guardian from its hand.
Result: seat 1 wins as the last one in the game (5 turns).
"""


def test_every_event_has_its_sentence():
    """Random card files reach all that can be told; no sentence is empty or shows a number for a name."""
    heads = set()
    for seed in range(150):
        card_set, told = random_card_set(Random(seed)), []
        random_deal(card_set, 2, Random(seed), tell=told.append)
        heads |= {" ".join(sentence.split()[:3]) for sentence in told}
        assert all(sentence.strip() and sentence.endswith(".") for sentence in told)
        assert told[0].startswith("The deal: seat 1 holds ")
        assert told[-1].startswith("Result: ")
    assert {"As it must,", "There is nothing", "The deck is", "The ruins are", "No such card"} <= heads


def test_what_a_seat_knows_is_told_in_a_sentence():
    table = lay(hands=["search", "general", "wound"], deck="curse assault", ruins="prophet saint guardian",
                knows={1: {"hand 0": "search", "ruins 1": "saint", "deck": "curse"}}, somewhere={1: "guardian"})  # fmt: skip
    assert table.table.knows_in_words(1) == (
        "Seat 2 knows: the hand of seat 1 is Search; its own hand is General; the 2nd card of the ruins is Saint; "
        "the top card of the deck is Curse; somewhere in the ruins: Guardian."
    )
