"""Facts that hold in every deal (section 7 of the rules), on random deals of the reference."""

from random import Random

import pytest
from card_files import printed_cards, random_card_file, random_card_set
from random_deals import random_deal

import lostlegacy_sim.games.lost_legacy.vocabulary as words
from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.games.lost_legacy.cards.composition import draw_mix, megamix, printed
from lostlegacy_sim.games.lost_legacy.cards.playability import check_playable, seats
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Shuffle

STARSHIP, GARDEN, RECALL = printed("starship"), printed("flying-garden"), printed("flying-garden-recall")
SETS = {
    "starship": STARSHIP,
    "flying-garden": GARDEN,
    "megamix with the Starship": megamix(STARSHIP, GARDEN, keep="starship"),
    "megamix with the Garden": megamix(STARSHIP, GARDEN, keep="flying-garden"),
    **{f"mix {seed}": draw_mix(seed, {}) for seed in range(1, 5)},
}


def ids(card_set, kinds):
    """The ids of kinds, without the symbol that Megamix adds."""
    return [card_set.cards[kind - 1].id.split("@")[0] for kind in kinds]


class Facts:
    """Checks, at every question and shuffle, what must be true of printed cards."""

    def __init__(self, card_set, n_seats):
        self.card_set = card_set
        self.n_seats = n_seats
        self.turn = -1
        self.eliminations = 0

    def __call__(self, table, asked):
        in_rows = [card.kind for row in table.rows for card in row]
        hidden = [kind for kind in [*table.hands, table.drawn, table.loose, *table.ruins, *table.deck] if kind]
        if isinstance(asked, Shuffle) and asked.zone == "deal":
            assert not in_rows + hidden
            return
        assert sorted(in_rows + hidden) == sorted(self.card_set.slots())
        assert not any(table.printed.legacy[kind] for kind in in_rows)
        assert {"saint"} >= set(ids(self.card_set, [card.kind for row in table.rows for card in row if card.face_down]))
        if isinstance(asked, Shuffle):
            return
        assert len(asked.options) >= 2
        assert list(asked.options) == sorted(set(asked.options))
        if table.turn == 1 and asked.what == words.PLAY:
            assert len(table.deck) == self.card_set.n_cards - 1 - self.n_seats - 1  # one has just been drawn
        for seat in range(self.n_seats):
            assert bool(table.hands[seat]) == table.in_game[seat]
        assert bool(table.drawn) == (asked.what == words.PLAY)
        if table.turn != self.turn:
            if self.turn > 0:
                assert len(table.ruins) >= self.n_ruins
                assert table.eliminations - self.eliminations <= table.turn - self.turn  # at most one a turn
            self.turn, self.n_ruins, self.eliminations = table.turn, len(table.ruins), table.eliminations
        if asked.what == words.REVEAL:
            assert not table.deck
            legacy = table.printed.legacy.index(True)
            assert legacy in [*table.hands, *table.ruins]


@pytest.mark.parametrize("name", SETS)
def test_facts_of_printed_cards(name):
    card_set, rng = SETS[name], Random(name)
    longest = 0
    for number in range(120):
        n_seats = seats(card_set)[number % len(seats(card_set))]
        table, outcome, _ = random_deal(card_set, n_seats, rng, Facts(card_set, n_seats))
        longest = max(longest, outcome.turns)
        assert sum(table.in_game) >= 1
        assert outcome.turns <= card_set.n_cards - 3
        assert outcome.way != words.WAY_VOID
        assert (outcome.winner == words.NOBODY) == (outcome.way == words.WAY_NOBODY)
        assert (outcome.speed > 0) == (outcome.way == words.WAY_FOUND)
        assert (sum(table.in_game) == 1) == (outcome.way == words.WAY_LAST)
    assert longest >= card_set.n_cards - 8


def test_the_deck_grows_by_an_eliminated_starship_only():
    card_set, rng, grown = SETS["megamix with the Starship"], Random(1), []
    starship = card_set.kind("the_starship")
    before = {}

    def watch(table, asked):
        if table.turn == before.get("turn") and len(table.deck) > before["size"]:
            assert len(table.deck) == before["size"] + 1
            assert table.eliminations == before["eliminations"] + 1
            assert asked == Shuffle("deck", len(table.deck))
            assert table.deck[0] == starship
            grown.append(table.turn)
        before.update(turn=table.turn, size=len(table.deck), eliminations=table.eliminations)

    for _ in range(150):
        random_deal(card_set, 6, rng, watch)
    assert grown  # it did happen


def test_in_the_starship_alone_nobody_is_eliminated_with_the_legacy():
    rng = Random(2)

    def watch(table, asked):
        assert not (isinstance(asked, Shuffle) and asked.zone == "deck")  # only that would shuffle the deck

    for number in range(300):
        random_deal(STARSHIP, 2 + number % 3, rng, watch)


@pytest.mark.parametrize(("name", "speeds"), [("flying-garden", {6, 7, 8}), ("megamix with the Garden", {1, 2, 3, 4, 6, 7, 8})])
def test_ties_in_the_investigation(name, speeds):
    card_set, rng, tied = SETS[name], Random(3), set()
    for _ in range(600):
        told = []
        random_deal(card_set, max(seats(card_set)), rng, tell=told.append)
        tied |= {int(sentence.split()[1].rstrip(":")) for sentence in told if "share it" in sentence}
    assert tied <= speeds
    assert {7, 8} <= tied


def test_random_answers_come_to_the_known_frequencies():
    """Flying Garden, 2 seats, random choices: the rules page gives these from a million deals."""
    n_deals, rng = 3000, Random(4)
    outcomes = [random_deal(GARDEN, 2, rng)[1] for _ in range(n_deals)]
    expected = {
        "seat 0": (0.3453, sum(outcome.winner == 0 for outcome in outcomes)),
        "seat 1": (0.3858, sum(outcome.winner == 1 for outcome in outcomes)),
        "last": (0.648, sum(outcome.way == words.WAY_LAST for outcome in outcomes)),
        "found": (0.083, sum(outcome.way == words.WAY_FOUND for outcome in outcomes)),
        "nobody": (0.269, sum(outcome.way == words.WAY_NOBODY for outcome in outcomes)),
    }
    for what, (rate, count) in expected.items():
        assert count / n_deals == pytest.approx(rate, abs=4 * (rate * (1 - rate) / n_deals) ** 0.5), what
    assert sum(outcome.turns for outcome in outcomes) / n_deals == pytest.approx(9.61, abs=0.2)


def test_recall_refills_the_deck():
    rng = Random(5)
    longest = max(random_deal(RECALL, 2, rng)[1].turns for _ in range(400))
    assert longest > RECALL.n_cards - 3


# --- card files ---------------------------------------------------------------------------------------


def test_random_card_files_play_to_an_end():
    for seed in range(300):
        rng = Random(seed)
        card_set = random_card_set(rng)
        check_playable(card_set, f"seed {seed}")
        table, outcome, _ = random_deal(card_set, rng.choice(seats(card_set)), rng)
        assert outcome.turns <= words.TURNS_PER_CARD * card_set.n_cards
        assert table.outcome is outcome


def test_random_card_files_are_the_same_for_the_same_seed():
    assert [random_card_file(Random(seed)) for seed in range(20)] == [random_card_file(Random(seed)) for seed in range(20)]
    assert len({random_card_file(Random(seed)) for seed in range(20)}) == 20


def test_random_card_files_reach_all_words():
    """Every verb under every trigger that allows it, every value of every word, every flag and switch."""
    reached, flags, sizes, kinds = set(), set(), set(), set()
    for seed in range(400):
        card_set = random_card_set(Random(seed))
        sizes.add(card_set.n_cards)
        kinds |= {card.id for card in card_set.cards}
        flags |= set(card_set.rules)
        for card in card_set.cards:
            flags |= set(card.flags)
            for trigger, steps in card.steps:
                for step in steps:
                    reached.add((trigger, step.do))
                    reached |= {(step.do, word, value) for word, value in step.words}
    for verb in words.VERBS:
        assert {(trigger, verb.name) for trigger in verb.triggers} <= reached
        for word, field in verb.fields.items():
            values = [False, True] if field.form == "flag" else field.values
            if field.form == "list":
                found = {place for do, name, at in (item for item in reached if len(item) == 3)
                         if (do, name) == (verb.name, word) for place in at}  # fmt: skip
                assert found == set(values)
            elif (verb.name, word) == ("eliminate", "copies"):
                assert {("eliminate", "copies", number) for number in (1, 2, 3)} <= reached
            else:
                assert {(verb.name, word, value) for value in values} <= reached
    for name, field in {**words.VOCABULARY.flags, **words.VOCABULARY.rules}.items():
        assert {(name, value) for value in ([False, True] if field.form == "flag" else field.values)} <= flags
    assert {card.id for card in printed_cards()} <= kinds
    assert min(sizes) <= 7
    assert max(sizes) >= 45


def test_random_card_files_read_back_equal():
    for seed in range(30):
        card_set = random_card_set(Random(seed))
        assert parse_set(card_set.to_toml(), words.VOCABULARY, where="again") == card_set
