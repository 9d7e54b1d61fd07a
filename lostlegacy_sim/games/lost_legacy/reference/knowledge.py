"""What each seat of the reference knows for certain: one dictionary and one multiset a knower (K1-K7, L34).

Nothing here reads the cards themselves: it is told what happened, as the seats would be. So a slip shows
as knowledge that is not true, and `reference.Table.check` finds it.
"""

from collections import Counter
from collections.abc import Iterable

from lostlegacy_sim.games.lost_legacy.vocabulary import DRAWN, HAND, NO_CARD, RUINS


class Knowledge:
    """What every seat knows, seats that are out included.

    `known[seat]` is a dict place -> kind over hidden places (hands, the drawn card, ruins, deck);
    `ruins_has[seat]` counts the kinds known to lie in the ruins at a place the seat does not know.
    """

    def __init__(self, n_seats: int) -> None:
        self.known: list[dict[int, int]] = [{} for _ in range(n_seats)]
        self.ruins_has: list[Counter[int]] = [Counter() for _ in range(n_seats)]
        self.everybody = range(n_seats)

    def look(self, seat: int, place: int, kind: int, in_ruins: bool) -> None:
        """A seat sees a card (K1); at a ruins position new to it the kind leaves its multiset (K5)."""
        if in_ruins and place not in self.known[seat]:
            self._lose_one(seat, kind)
        self.known[seat][place] = kind

    def take(self, place: int) -> list[int]:
        """A card leaves a place: the seats that knew it, so that their knowledge can go along (K2) or end (K7)."""
        return [seat for seat in self.everybody if self.known[seat].pop(place, NO_CARD)]

    def put(self, place: int, kind: int, knowers: Iterable[int]) -> None:
        """A card comes to a place and these seats know it (K1, K2)."""
        for seat in knowers:
            self.known[seat][place] = kind

    def take_from_ruins(self, index: int, size: int) -> list[int]:
        """A card leaves the ruins of `size` cards, which close up: the seats that knew it.

        For the others one copy of every kind leaves the multiset: it may have been that card (K5).
        """
        knowers = self.take(RUINS + index)
        self._may_have_left(seat for seat in self.everybody if seat not in knowers)
        for known in self.known:
            for place in range(RUINS + index + 1, RUINS + size):
                if place in known:
                    known[place - 1] = known.pop(place)
        return knowers

    def play(self, actor: int, played: int, kept: int) -> None:
        """A seat with a held and a drawn card has played one of them (K3)."""
        for seat, known in enumerate(self.known):
            cards = [known.pop(place) for place in (HAND + actor, DRAWN) if place in known]
            others = [kind for kind in cards if kind != played]
            if seat == actor:
                known[HAND + actor] = kept
            elif others:  # of another kind than the card played: it was kept
                known[HAND + actor] = others[0]
            elif len(cards) == 2:  # both of the kind played
                known[HAND + actor] = played

    def may_exchange(self, actor: int, place: int, in_ruins: bool, hand: int, there: int, done: bool) -> None:
        """A secret "may exchange" of the actor's `hand` with the card `there` at a place (K4, K5)."""
        own = HAND + actor
        for seat, known in enumerate(self.known):
            if seat == actor:
                known[own], known[place] = (there, hand) if done else (hand, there)
            elif place == HAND + seat:  # the owner of the hand exchanged with
                if done and hand != there:
                    known[own], known[place] = there, hand
            elif in_ruins and place not in known:
                known.pop(own, None)
                self._may_have_left([seat])
            elif own not in known or known.get(place) != known[own]:
                known.pop(own, None)
                known.pop(place, None)

    def exchange(self, actor: int, place: int, in_ruins: bool, hand: int, there: int) -> None:
        """The actor exchanged its `hand` with the card `there` at a place, and everybody knows it did (K2, K5)."""
        had_hand, had_place = self.take(HAND + actor), self.take(place)
        if in_ruins:
            self._may_have_left(seat for seat in self.everybody if seat not in had_place)
        self.put(place, hand, had_hand)
        self.put(HAND + actor, there, had_place)
        self.put(place, hand, [actor])
        if place in range(HAND, HAND + len(self.known)):
            self.put(place, hand, [place - HAND])

    def shuffle_ruins(self, size: int) -> None:
        """Positions in the ruins lapse; the kinds known there stay, place unknown (K5)."""
        for known, somewhere in zip(self.known, self.ruins_has, strict=True):
            for place in range(RUINS, RUINS + size):
                if place in known:
                    somewhere[known.pop(place)] += 1

    def shuffle_deck(self, first_place: int) -> None:
        """Every known place of the deck lapses (K6)."""
        for known in self.known:
            for place in [place for place in known if place >= first_place]:
                del known[place]

    def _may_have_left(self, seats: Iterable[int]) -> None:
        for seat in seats:
            for kind in list(self.ruins_has[seat]):
                self._lose_one(seat, kind)

    def _lose_one(self, seat: int, kind: int) -> None:
        somewhere = self.ruins_has[seat]
        if somewhere[kind] > 1:
            somewhere[kind] -= 1
        else:
            del somewhere[kind]  # a Counter forgives a kind it does not have
