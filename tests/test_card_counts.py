"""What each kind did: the kernel's counts against those of a table of the rulebook that is watched, deal by deal."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from card_files import random_card_set

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_bot
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.card_counts import CARD_FIELDS, CARD_LABELS
from lostlegacy_sim.games.lost_legacy.kernel.counts import CATEGORIES, LABELS
from lostlegacy_sim.games.lost_legacy.kernel.state import N_HISTORY
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.reference.effects import places
from lostlegacy_sim.games.lost_legacy.reference.rulebook import Question, Table
from lostlegacy_sim.games.lost_legacy.replay import read_history
from lostlegacy_sim.games.lost_legacy.vocabulary import FOCUS_NONE, HAND, NOBODY, RUINS, WAY_VOID, X
from lostlegacy_sim.runner import play
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.tally import Totals, n_labels, no_exemplars

BOTS = tuple(built_in_bot(name) for name in ("random", "careful", "hunter"))
DEALS = 12


class Watched(Table):
    """A table that counts what each kind does, from what the rulebook says aloud."""

    def __init__(self, card_set: CardSet, n_seats: int) -> None:
        super().__init__(card_set, n_seats)
        self.counts: Counter[tuple[str, int]] = Counter()
        self.had = {name: [set() for _ in range(n_seats)] for name in ("opened", "received", "players", "gave")}

    def say(self, what: str, *facts: object) -> None:
        getattr(self, f"hear_{what}", lambda *facts: None)(*facts)

    def hear_deal(self) -> None:
        for seat, kind in enumerate(self.hands):
            self.had["opened"][seat].add(kind)

    def hear_draw(self) -> None:
        self.had["received"][self.seat].add(self.drawn)

    def hear_play(self, kept: int, is_only_one: bool) -> None:
        self.had["players"][self.seat].add(self.played)
        self.counts["plays", self.played] += 1
        self.named_in_turn = 0
        self.counts["forced", self.played] += is_only_one or kept == self.played

    def hear_exchange(self, place: int, hand: int, there: int, is_done: bool, may: bool) -> None:
        if is_done:
            self.had["gave"][self.seat].add(hand)
            self.had["received"][self.seat].add(there)
            if HAND <= place < HAND + self.n_seats:
                self.had["received"][place - HAND].add(hand)

    def hear_exchange_with_row(self, owner: int, index: int, hand: int) -> None:
        self.had["gave"][self.seat].add(hand)
        self.had["received"][self.seat].add(self.hands[self.seat])

    def hear_take_hand(self, taker: int, giver: int, kind: int) -> None:
        self.had["received"][taker].add(kind)

    def hear_come_back(self, seat: int, kind: int) -> None:
        self.had["received"][seat].add(kind)

    def hear_name(self) -> None:
        self.counts["namings", self.played] += 1
        self.counts["counter_hits", self.played] += self.counter_is_right()

    def counter_is_right(self) -> bool:
        """Whether the seat on turn would name right, if it counted the cards it has seen and nothing else."""
        known, put_away = self.known[self.seat], self.ruins_has[self.seat]
        unseen = Counter(self.printed.sorted_slots)
        unseen.subtract(card.kind for row in self.rows for card in row)
        unseen.subtract(known.values())
        unseen.subtract(put_away)
        hidden = [place for place in range(RUINS, RUINS + len(self.ruins)) if place not in known]
        steps = self.printed.steps[self.played]["play"]
        here = [number for number, step in enumerate(steps) if step["do"] == "name"][self.named_in_turn]
        self.named_in_turn += 1
        look = next((step for step in steps[here:] if step["do"] == "look"), None)
        chances = []
        for place in places(self, look["at"]) if look else ():
            for speed in range(1, X):
                even = Fraction(sum(n for kind, n in unseen.items() if self.printed.speed[kind] == speed), max(1, sum(unseen.values())))
                if place in known:
                    chance = Fraction(self.printed.speed[known[place]] == speed)
                elif place in hidden:
                    there = sum(n for kind, n in put_away.items() if self.printed.speed[kind] == speed)
                    chance = (there + (len(hidden) - sum(put_away.values())) * even) / len(hidden)
                else:
                    chance = even
                chances.append((-chance, place, speed))
        if not chances:
            return False
        _, place, speed = min(chances)
        return self.printed.speed[self.card_at(place)] == speed

    def hear_strike(self, struck: list[int], condition: str, kind: int, trigger: str, copies: int) -> None:
        for seat in struck:
            self.counts["self_kills" if seat == self.seat else "kills", self.played] += 1
            self.counts["trapped", kind] += trigger == "seen"
        if condition == "named" and self.focus != FOCUS_NONE and self.printed.speed[self.card_in_focus()] == self.named:
            self.counts["hits", self.played] += 1

    def card_in_focus(self) -> int:
        row, index = self.focus_row
        return self.card_at(self.focus) if self.focus < 64 else self.rows[row][index].kind

    def all_counts(self) -> Counter[tuple[str, int]]:
        """Everything that is counted of one finished deal."""
        counts, winner = self.counts.copy(), self.outcome.winner
        self.had["had"] = [first | later for first, later in zip(self.had["opened"], self.had["received"], strict=True)]
        held = [{kind} if self.in_game[seat] else set() for seat, kind in enumerate(self.hands)]
        shown = [kinds if HAND + seat in self.revealed else set() for seat, kinds in enumerate(held)]
        for name, of_seats in {**self.had, "held": held, "revealed": shown}.items():
            for seat, kinds in enumerate(of_seats):
                for kind in kinds:
                    counts[name, kind] += 1
                    counts[f"{name}_won", kind] += seat == winner
        for kind in self.ruins:
            counts["buried", kind] += 1
            counts["buried_won", kind] += winner != NOBODY
        return counts


def watched(card_set: CardSet, bots: tuple[Bot, ...], seed: int) -> Counter[tuple[str, int]] | None:
    """The counts of the first deals by the rulebook; None if one of them is too long to be written down."""
    counts: Counter[tuple[str, int]] = Counter()
    table = LegacyTable(card_set, bots, 1, seed)
    for number in range(DEALS):
        table.record(number)
        n = int(table.state.history["n"])
        if n >= N_HISTORY:
            return None
        history = iter(read_history(table.state.history["data"][:n].tolist()))
        reference = Watched(card_set, len(bots))
        playing = reference.play()
        asked = next(playing)
        try:
            while True:
                entry = next(history)
                asked = playing.send(entry[2] if isinstance(asked, Question) else entry[1])
        except StopIteration:
            pass
        if reference.outcome.way != WAY_VOID:
            counts += reference.all_counts()
    return counts


def counted(card_set: CardSet, bots: tuple[Bot, ...], seed: int) -> Totals:
    """The same by the kernel."""
    labels = LABELS + CARD_LABELS
    counts = np.zeros(n_labels(labels), np.int64)
    LegacyTable(card_set, bots, 1, seed, counts_cards=True).play(0, DEALS, counts, no_exemplars(CATEGORIES))
    return Totals(labels, counts)


def differences(card_set: CardSet, bots: tuple[Bot, ...], seed: int) -> list[str]:
    """Counts of the kernel that the rulebook does not find."""
    expected = watched(card_set, bots, seed)
    if expected is None:
        return []
    totals = counted(card_set, bots, seed)
    found = {(name, kind): int(totals[f"card_{name}"][kind]) for name, _ in CARD_FIELDS for kind in range(1, len(card_set.cards) + 1)}
    return [f"{key}: {found[key]}, by the rulebook {expected[key]}" for key in found if found[key] != expected[key]]


@pytest.mark.parametrize("part", range(4))
def test_every_count_is_that_of_the_rulebook(part: int) -> None:
    for number in range(40):
        rng = Random(f"card counts {part} {number}")
        card_set = random_card_set(rng) if number % 2 else load_set(rng.choice(("starship", "flying-garden", "flying-garden-recall", "megamix")))
        bots = tuple(rng.choice(BOTS[: 1 + number % 3]) for _ in range(rng.choice(seats(card_set))))
        assert differences(card_set, bots, rng.getrandbits(62)) == [], f"{part} {number}"


def test_a_lost_count_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watched, "hear_exchange", lambda *facts: None)
    assert any(line.startswith("('gave',") for line in differences(load_set("starship"), BOTS[:1] * 3, 1))


@pytest.mark.parametrize("bots", [("random",), ("careful", "random")])
def test_counting_cards_changes_no_deal(bots: tuple[str, ...]) -> None:
    game = find_game("lost_legacy")
    plain = experiment_of(game, load_set("flying-garden"), 3, bots, 3000, 5)
    detailed = experiment_of(game, load_set("flying-garden"), 3, bots, 3000, 5, detail="cards")
    first, second = play(plain, game, 1), play(detailed, game, 2)
    assert np.array_equal(first.tally.counts, second.tally.counts[:, : n_labels(LABELS)])
    assert np.array_equal(first.exemplars, second.exemplars)
    totals = second.tally.totals
    assert int(totals["card_opened"].sum()) == 3 * int(totals["deals"])


def test_who_never_plays_a_kind_plays_it_only_when_forced() -> None:
    game, card_set = find_game("lost_legacy"), load_set("starship")
    kind = card_set.kind("assault")
    for bot in ("random", "careful"):
        usual, never = (
            play(experiment_of(game, card_set, 3, (words,), 3000, 5, detail="cards"), game, 1).tally.totals
            for words in (bot, f"{bot}:never=assault")
        )
        assert never["card_plays"][kind] == never["card_forced"][kind] > 0
        assert usual["card_plays"][kind] > usual["card_forced"][kind]
