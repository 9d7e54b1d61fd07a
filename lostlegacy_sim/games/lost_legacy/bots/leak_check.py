"""Whether a bot peeks: what it cannot know is dealt anew, its records stay, and its choice must stay too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import next_world
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.search.determinization import keep_own_view
from lostlegacy_sim.games.lost_legacy.kernel.state import State
from lostlegacy_sim.games.lost_legacy.vocabulary import DECK_END, DRAWN, HAND, N_PLACES, RUINS

HANDS, IN_RUINS, IN_DECK, SHUFFLE, KEYS, NEIGHBOURS = range(6)
PARTS = {
    HANDS: "secret.card, the hand of another seat",
    IN_RUINS: "secret.card, the ruins",
    IN_DECK: "secret.card, the deck",
    SHUFFLE: "secret.order, the order of the shuffle",
    KEYS: "secret.chance, the keys of the randomness",
    NEIGHBOURS: "private, the records of another seat",
}
CARDS_AT = ("card", "knows", "somewhere")
SECRETS = (*CARDS_AT, "order", "slot", "saw", "chance", "choice", "word", "events")


class LeakCheck:
    """Deals anew what the seat that is asked cannot know; one a table."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.world = np.zeros(1, WORLD)[0]
        self.n_redealt = 0

    def at(self, choose: Callable[[], int], chosen: int) -> str | None:
        """What a choice depends on that the seat cannot know; None if it stays `chosen` in another world."""
        self.n_redealt += 1
        number = self.n_redealt
        with self.redealt(number, PARTS):
            if choose() == chosen:
                return None
        for part, words in PARTS.items():
            with self.redealt(number, (part,)):
                if choose() != chosen:
                    return words
        return "several hidden things together"

    @contextmanager
    def redealt(self, number: int, parts: Collection[int]) -> Iterator[None]:
        """Inside, these parts are as in another world that the seat cannot tell from this one."""
        secret, seats, history = self.state.secret, self.state.seats["private"], self.state.history["data"]
        kept, kept_seats, n_history = {name: secret[name].copy() for name in SECRETS}, seats.copy(), int(self.state.history["n"])
        kept_history = history[:n_history].copy()
        self.deal_anew(number, parts)
        try:
            yield
        finally:
            for name, value in kept.items():
                secret[name] = value
            seats[:] = kept_seats
            history[:n_history] = kept_history

    def deal_anew(self, number: int, parts: Collection[int]) -> None:
        """Write another world into what lies beyond the records of the seat that is asked."""
        state, rngs = self.state, [np.random.default_rng((number, part)) for part in PARTS]  # so that a part alone is dealt alike
        secret, own = state.secret, int(state.question["seat"])
        private = state.seats["private"][own]
        next_world(state.cards, state.public, private, self.world, np.uint64(number))
        keep_own_view(state.public, private, self.world)
        for part, places in self.places(own):
            if part in parts:
                for name in CARDS_AT:
                    secret[name][places] = self.world[name][places]
        if SHUFFLE in parts:
            secret["order"] = rngs[SHUFFLE].permutation(secret["order"])
            secret["slot"] = rngs[SHUFFLE].permutation(secret["slot"])
            state.history["data"][: int(state.history["n"])] = 0
        if KEYS in parts:
            for name in ("chance", "choice", "word"):
                secret[name] = rngs[KEYS].integers(1 << 63)
        if NEIGHBOURS in parts:
            for seat in range(len(secret["saw"])):
                if seat != own:
                    other = state.seats["private"][seat]
                    for name in ("known", "ruins_has", "saw", "memory"):
                        other[name] = rngs[NEIGHBOURS].integers(0, int(state.cards["n_kinds"]) + 1, other[name].shape)
                    other["word"] = rngs[NEIGHBOURS].integers(1 << 63)
                    secret["saw"][seat] = other["saw"]

    def places(self, own: int) -> Iterator[tuple[int, list[int]]]:
        """The hidden places of each part."""
        public = self.state.public
        yield HANDS, [HAND + seat for seat in range(DRAWN) if seat != own]
        yield IN_RUINS, list(range(RUINS, RUINS + int(public["ruins_size"])))
        yield IN_DECK, list(range(DECK_END - int(public["deck_size"]), N_PLACES))
