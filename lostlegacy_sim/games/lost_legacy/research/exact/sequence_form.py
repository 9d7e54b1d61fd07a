"""The whole game of a tiny deck for two, unfolded into information sets: what each seat has observed, its choices included.

Layer by layer, a layer being the histories with equally many choices in them, as flat arrays.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.games.lost_legacy.reference.observer import Event
from lostlegacy_sim.games.lost_legacy.research.exact.decision_points import (
    END,
    Answered,
    DecisionPoints,
    Heard,
    Shuffled,
    Way,
)
from lostlegacy_sim.solving.two_player_game import Choices, TwoPlayerGame, matrix

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BASE = np.uint64(0x9E3779B97F4A7C15)  # what a seat has heard is one polynomial of its events, modulo 2^64
CHOSEN = np.uint64(0xD1B54A32D192ED03)
START = np.uint64(1)  # nothing heard, nothing chosen


@dataclass(frozen=True)
class Layer:
    """Histories with equally many choices: where each is, what the two seats have heard and chosen, how likely chance makes it."""

    moment: Ints  # [n]
    ear: Words  # [2, n] stands for all that a seat has observed
    last: Words  # [2, n] stands for the last own choice of a seat and what it had observed then
    n_own: Ints  # [2, n] own choices so far
    chance: Floats  # [n]
    before: Ints  # [n] the history in the layer before that it goes on from
    way: Ints  # [n] by which way


class _Ways(NamedTuple):
    """All ways of all moments as flat arrays; those of moment m are first[m] to first[m + 1] - 1."""

    first: Ints
    seat: Ints  # [moments]
    n_options: Ints  # [moments]
    option: Ints
    chance: Floats
    to: Ints
    winner: Ints
    times: Words  # [2, ways] what is heard on a way: ear -> ear * times + plus
    plus: Words  # [2, ways]


class SequenceForm:
    """A tiny deck for two as a duel, with an example of a history for every information set."""

    def __init__(self, moments: DecisionPoints, limit: int = 0) -> None:
        """`limit`: raise OverflowError when a layer has more histories than this (0: no limit)."""
        self.moments = moments
        self.listed = [*moments.begin, *(way for moment in moments.found for ways in moment.ways for way in ways)]
        self.ways = _flat(moments, self.listed)
        self.layers: list[Layer] = []
        ends: list[_Ends] = []
        layer, ended = self._begin(len(moments.begin))
        while len(layer.moment):
            if limit and len(layer.moment) > limit:
                raise OverflowError(f"The deck has more than {limit:,} histories with {len(self.layers)} choices.")
            ends.append(ended)
            self.layers.append(layer)
            layer, ended = self._next(layer)
        ends.append(ended)
        self.sets = (_Sets(self, 0), _Sets(self, 1))
        self.duel = self._duel(ends)

    @property
    def n_histories(self) -> int:
        """Histories that end in a choice."""
        return sum(len(layer.moment) for layer in self.layers)

    def script(self, player: int, number: int) -> list[Answered | Shuffled]:
        """An example of a history that leads to this information set: all that was answered and shuffled on the way."""
        depth, row = self.sets[player].example[number]
        found: list[tuple[Answered | Shuffled, ...]] = []
        while depth >= 0:
            layer = self.layers[depth]
            found.append(self.listed[layer.way[row]].events)
            depth, row = depth - 1, layer.before[row]
        return [event for events in reversed(found) for event in events]

    def options(self, player: int, number: int) -> tuple[int, ...]:
        """What the seat chooses from in this information set."""
        depth, row = self.sets[player].example[number]
        moment = int(self.layers[depth].moment[row])
        return self.moments.found[moment].options

    def _begin(self, n_ways: int) -> tuple[Layer, _Ends]:
        nowhere = np.zeros(n_ways, np.int64)
        start = np.full((2, n_ways), START, np.uint64)
        own = np.zeros((2, n_ways), np.int64)
        return self._arrive(Layer(nowhere, start, start, own, np.ones(n_ways), nowhere, np.arange(n_ways)))

    def _next(self, layer: Layer) -> tuple[Layer, _Ends]:
        """All histories with one choice more."""
        ways = self.ways
        n_ways = (ways.first[1:] - ways.first[:-1])[layer.moment]
        before = np.repeat(np.arange(len(layer.moment)), n_ways)
        way = np.arange(len(before)) - np.repeat(np.cumsum(n_ways) - n_ways, n_ways) + ways.first[layer.moment[before]]
        ear, last, n_own = layer.ear[:, before], layer.last[:, before], layer.n_own[:, before]
        for player in (0, 1):
            chose = ways.seat[layer.moment[before]] == player
            last[player, chose] = sequence_key(ear[player, chose], ways.option[way[chose]])
            n_own[player] += chose
        return self._arrive(Layer(layer.moment[before], ear, last, n_own, layer.chance[before], before, way))

    def _arrive(self, layer: Layer) -> tuple[Layer, _Ends]:
        """Go along the ways: those that lead to a choice, and those that end."""
        ways, way = self.ways, layer.way
        chance = layer.chance * ways.chance[way]
        ear = layer.ear * ways.times[:, way] + ways.plus[:, way]
        goes_on = ways.to[way] != END
        is_won = ways.winner[way] >= 0
        arrived = Layer(ways.to[way][goes_on], ear[:, goes_on], layer.last[:, goes_on], layer.n_own[:, goes_on],
                        chance[goes_on], layer.before[goes_on], way[goes_on])  # fmt: skip
        return arrived, _Ends(layer.last[:, is_won], chance[is_won], ways.winner[way][is_won])

    def _duel(self, ends: list[_Ends]) -> TwoPlayerGame:
        last = np.concatenate([end.last for end in ends], axis=1)
        chance = np.concatenate([end.chance for end in ends])
        winner = np.concatenate([end.winner for end in ends])
        rows, columns = (self.sets[player].sequence(last[player]) for player in (0, 1))
        choices = (self.sets[0].choices, self.sets[1].choices)
        shape = choices[0].n_sequences, choices[1].n_sequences
        won = tuple(
            matrix(rows[winner == player], columns[winner == player], chance[winner == player], shape) for player in (0, 1)
        )
        return TwoPlayerGame(choices, (won[0], won[1]))


class _Ends(NamedTuple):
    """Histories that end with a winner."""

    last: Words  # [2, n]
    chance: Floats
    winner: Ints


class _Sets:
    """The information sets of a seat: found in all layers, numbered by level."""

    def __init__(self, unfolded: SequenceForm, player: int) -> None:
        asked = [np.flatnonzero(unfolded.ways.seat[layer.moment] == player) for layer in unfolded.layers]
        at = list(zip(unfolded.layers, asked, strict=True))
        ear = np.concatenate([layer.ear[player, rows] for layer, rows in at])
        last = np.concatenate([layer.last[player, rows] for layer, rows in at])
        n_own = np.concatenate([layer.n_own[player, rows] for layer, rows in at])
        n_options = np.concatenate([unfolded.ways.n_options[layer.moment[rows]] for layer, rows in at])
        _, where, number = np.unique(ear, return_index=True, return_inverse=True)
        if np.any(last[where][number] != last) or np.any(n_options[where][number] != n_options):
            raise ValueError("Two histories that look alike to a seat differ in its own choices.")
        where = where[np.lexsort((ear[where], n_own[where]))]
        depth = np.repeat(np.arange(len(asked)), [len(rows) for rows in asked])
        row = np.concatenate(asked)
        self.example = list(zip(depth[where].tolist(), row[where].tolist(), strict=True))
        self.ear, sizes = ear[where], n_options[where]
        self.first = 1 + np.concatenate([[0], np.cumsum(sizes)])
        owner = np.repeat(np.arange(len(sizes)), sizes)
        keys = sequence_key(self.ear[owner], np.arange(len(owner)) + 1 - self.first[owner])
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        self.choices = Choices(self.sequence(last[where]), self.first)

    def sequence(self, last: Words) -> Ints:
        """The numbers of sequences by their keys."""
        if not len(self._keys):
            return np.zeros(len(last), np.int64)
        place = np.minimum(np.searchsorted(self._keys, last), len(self._keys) - 1)
        found: Ints = np.where(last == START, 0, self._order[place] + 1)
        if np.any((last != START) & (self._keys[place] != last)):
            raise ValueError("A choice belongs to no information set.")
        return found


def sequence_key(ear: Words, option: Ints) -> Words:
    """What stands for a choice made after all that was heard."""
    return (ear ^ (ear >> np.uint64(29))) * CHOSEN + option.astype(np.uint64) * BASE


def _flat(moments: DecisionPoints, listed: list[Way]) -> _Ways:
    found = moments.found
    sizes = [sum(map(len, moment.ways)) for moment in found]
    option = [0] * len(moments.begin) + [index for moment in found for index, ways in enumerate(moment.ways) for _ in ways]
    heard = _Heard()
    times, plus = np.ones((2, len(listed)), np.uint64), np.zeros((2, len(listed)), np.uint64)
    for number, way in enumerate(listed):
        for player in (0, 1):
            times[player, number], plus[player, number] = heard.step(way.heard, player)
    return _Ways(
        first=len(moments.begin) + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        seat=np.array([moment.seat for moment in found], np.int64),
        n_options=np.array([len(moment.options) for moment in found], np.int64),
        option=np.array(option, np.int64),
        chance=np.array([way.chance for way in listed]),
        to=np.array([way.to for way in listed], np.int64),
        winner=np.array([way.winner for way in listed], np.int64),
        times=times,
        plus=plus,
    )


class _Heard:
    """Events as numbers: 64 bits of a hash each, so that different things heard meet with chance 2^-64."""

    def __init__(self) -> None:
        self.known: dict[tuple[Event, ...], tuple[np.uint64, np.uint64]] = {}

    def step(self, heard: Heard, player: int) -> tuple[np.uint64, np.uint64]:
        """What hearing these events does to an ear: ear -> ear * times + plus."""
        events = heard[player]
        if events not in self.known:
            times, plus = 1, 0
            for event in events:
                digest = hashlib.blake2b(repr(event).encode(), digest_size=8).digest()
                times, plus = times * int(BASE) % 2**64, (plus * int(BASE) + int.from_bytes(digest)) % 2**64
            self.known[events] = np.uint64(times), np.uint64(plus)
        return self.known[events]
