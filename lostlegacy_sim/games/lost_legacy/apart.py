"""A table whose line-up has users' bots is played in a child process: if a bot ends it, or never answers, a sentence says in which deal.

The bots of the house play in this process. In the child as `python -m ...`, see `lostlegacy_sim.apart`.
"""

from __future__ import annotations

import mmap
import os
import sys
import weakref
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from lostlegacy_sim import apart, policy
from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.compiler import need_compiler
from lostlegacy_sim.errors import BotError, BotFailure, LlsimError
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.bots import roster
from lostlegacy_sim.games.lost_legacy.bots.compiling import compile_once
from lostlegacy_sim.games.lost_legacy.cards.door import named
from lostlegacy_sim.games.lost_legacy.kernel.ask import ILLEGAL
from lostlegacy_sim.games.lost_legacy.kernel.bot import SIGNATURE
from lostlegacy_sim.games.lost_legacy.kernel.effect_table import effect_table
from lostlegacy_sim.games.lost_legacy.kernel.state import State, new_state
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable, deal_underway
from lostlegacy_sim.games.lost_legacy.vocabulary import QUESTIONS, VOCABULARY
from lostlegacy_sim.jit import fill_cache_once
from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.tally import Counts

MODULE = "lostlegacy_sim.games.lost_legacy.apart"
GAP = 64  # each record begins at a multiple of so many bytes
REFUSALS = {"BotError": BotError, "BotFailure": BotFailure}  # what a child may say; other errors are LlsimError


def open_table(experiment: Experiment, is_strict: bool = False) -> LegacyTable | ApartTable:
    """A table for this experiment, its bots compiled and seated: here, or in a child if it has users' bots.

    `is_strict`: these are watched in every deal, not in a sample.
    """
    return ApartTable(experiment, is_strict) if any(experiment.bot_sources) and apart.CAN_SHARE else open_here(experiment, is_strict)


def open_here(experiment: Experiment, is_strict: bool = False) -> LegacyTable:
    """A table in this process, whoever plays. Raises UsageError where nothing can be compiled."""
    need_compiler()
    card_set = parse_set(experiment.set_text, VOCABULARY, where=experiment.set_name)
    compile_once(experiment.entries)
    bots = tuple(roster.seat_bot(words, source, card_set) for words, source in experiment.entries)
    table = LegacyTable(card_set, bots, experiment.rotations, experiment.seed, experiment.repeat, experiment.detail == "cards", is_strict)
    table.replay_line = partial(replay_line, experiment)
    table.compile()
    return table


def laid_into(memory: mmap.mmap, state: State) -> tuple[State, int]:
    """The same records inside shared memory, with what is there now, and where they end."""
    records, place = [], 0
    for record in state:
        records.append(np.frombuffer(memory, record.dtype, 1, place)[0])
        place += -(-record.dtype.itemsize // GAP) * GAP
    return State(*records), place


def room_for(memory: mmap.mmap, place: int, n: int) -> Counts:
    """So many counts inside shared memory."""
    return np.frombuffer(memory, np.int64, n, place)


class ApartTable:
    """The door to a table in a child process; see game.Table."""

    def __init__(self, experiment: Experiment, is_strict: bool = False) -> None:
        """The child is started by who plays first, so that many are started at a time. Raises BotError, as `seat_bot` does."""
        need_compiler()
        apart.seconds_of_a_question()
        self.experiment, self.is_strict = experiment, is_strict
        self.card_set = parse_set(experiment.set_text, VOCABULARY, where=experiment.set_name)
        self.stop: Event | None = None
        for words, source in dict.fromkeys(experiment.entries):
            if source:
                roster.tried_file(roster.split_never(words)[0], source)
        self.child: apart.Child | None = None
        self.is_open = False

    def begin(self) -> apart.Child:
        """The child that has opened the table; one that was ended is followed by another one."""
        if self.child is not None and self.is_open and self.child.is_alive:
            return self.child
        self.child, self.is_open = apart.take(MODULE), False
        weakref.finalize(self, apart.give_back, self.child)
        self.state, self.end = laid_into(self.child.shared, new_state(effect_table(self.card_set)))
        named = {source: roster.NAMED[source] for source in self.experiment.bot_files}
        try:
            self.told({"do": "open", "experiment": self.experiment.to_plain(), "strict": self.is_strict, "named": named, "folder": os.getcwd()})
        except apart.Ended as error:
            raise BotFailure(f"{', '.join(self.experiment.bot_files.values())}: its process ended while it was opened ({error}).") from None
        self.is_open = True
        return self.child

    def play(self, first_block: int, n_blocks: int, counts: Counts, exemplars: Counts) -> None:
        """Play all rotations of these blocks; see game.Table. Raises Halted if `stop` was set meanwhile."""
        there = room_for(self.begin().shared, self.end, len(counts) + len(exemplars))
        there[: len(counts)], there[len(counts) :] = counts, exemplars
        self.watched({"do": "play", "first": first_block, "n": n_blocks, "counts": len(counts), "exemplars": len(exemplars)}, first_block, n_blocks)
        counts[:], exemplars[:] = there[: len(counts)], there[len(counts) :]

    def record(self, number: int) -> int:
        """Play one deal and write its history into `state`; returns the kernel's status."""
        self.begin()
        return int(self.watched({"do": "record", "deal": number}, number // self.experiment.rotations, 1)["status"])

    def watched(self, request: dict[str, Any], first_block: int, n_blocks: int) -> dict[str, Any]:
        """What the child answers while bots play. Raises BotFailure if it ends or a bot does not come to an end."""
        self.state.secret["chance"] = 0
        try:
            return self.told(request, self.pulse)
        except apart.Ended as error:
            did = f"ended the process in which it plays ({error})"
        except apart.Silent as error:
            did = f"did not answer within {error} seconds; look for an endless loop, or set {apart.SECONDS} to more"
        raise BotFailure(self.last_seen(did, first_block, n_blocks))

    def pulse(self) -> bytes:
        """What changes with every step of a deal, and never while a bot thinks."""
        return bytes(self.state.public.tobytes() + self.state.secret["chance"].tobytes())

    def told(self, request: dict[str, Any], pulse: Any = None) -> dict[str, Any]:
        """What the child answers. Raises what it refuses."""
        assert self.child is not None
        answer = self.child.ask(request, pulse, self.stop)
        if "refused" in answer:
            raise REFUSALS.get(answer["kind"], LlsimError)(answer["refused"])
        if "bug" in answer:
            raise RuntimeError(answer["bug"])
        return answer

    def last_seen(self, did: str, first_block: int, n_blocks: int) -> str:
        """Which bot was asked what in which deal, as the shared records say."""
        return sentence(self.experiment, self.state, did, deal_underway(self.state, self.experiment, first_block, n_blocks))


def sentence(experiment: Experiment, state: State, did: str, deal: int | None) -> str:
    """What the bot that is asked did, at which question of which deal, and how to play that deal again."""
    seat, what = int(state.question["seat"]), int(state.question["what"])
    if deal is None or not 0 <= seat < experiment.players or not 0 <= what < len(QUESTIONS):
        return f"{', '.join(experiment.bot_files.values())}: a bot {did}, in a deal that cannot be told."
    bot = experiment.bots[int(state.secret["entry"][seat]) % experiment.players]
    return (
        f"{bot} in seat {seat + 1} {did}: at the question '{QUESTIONS[what][0]}' of deal {deal}, turn {int(state.public['turn'])}, "
        f"of {experiment.set_name} with {experiment.players} players. `{replay_line(experiment, deal)}` plays it again."
    )


def replay_line(experiment: Experiment, deal: int) -> str:
    """The command that plays this deal again; cards of one's own are looked for in a file named after the set."""
    words = [bot.removeprefix(policy.PREFIX) for bot in experiment.bots]
    bots = words[:1] if len(set(words)) == 1 else words
    table = ["--players", str(experiment.players), "--bots", listed(bots), "--seed", str(experiment.seed), "--deal", str(deal)]
    return command_line("llsim", "replay", *(named(experiment.set_text) or ("--set", Path(f"{experiment.set_id}.toml"))), *table)


# --- in the child -------------------------------------------------------------------------------------------


class Host:
    """The table of a child, and what it is told to do with it."""

    table: LegacyTable
    experiment: Experiment
    end: int

    def do(self, memory: mmap.mmap, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked; the answer, or why not."""
        try:
            found: dict[str, Any] = getattr(self, request["do"])(memory, request)
            return found
        except LlsimError as error:
            return {"refused": str(error), "kind": type(error).__name__}
        except Exception as error:
            import traceback

            return {"bug": "".join(traceback.format_exception(error))}

    def open(self, memory: mmap.mmap, request: dict[str, Any]) -> dict[str, Any]:
        """Open a table; its records lie in the shared memory from now on."""
        os.chdir(request["folder"])
        self.experiment = Experiment.from_plain(request["experiment"])
        roster.NAMED.update(request["named"])
        roster.TRIED.update(request["named"])
        with fill_cache_once(self.experiment.bot_sources):  # of many children one compiles the bots
            self.table = open_here(self.experiment, request["strict"])
        place = 0
        for record in self.table.state:
            memory[place : place + record.dtype.itemsize] = record.tobytes()
            place += -(-record.dtype.itemsize // GAP) * GAP
        state, self.end = laid_into(memory, self.table.state)
        self.table.take(state)
        return {}

    def play(self, memory: mmap.mmap, request: dict[str, Any]) -> dict[str, Any]:
        """Play blocks; the counts lie behind the records."""
        n = request["counts"]
        there = room_for(memory, self.end, n + request["exemplars"])
        try:
            self.table.play(request["first"], request["n"], there[:n], there[n:])
        except BotError:
            self.refuse_raised(deal_underway(self.table.state, self.experiment, request["first"], request["n"]))
            raise
        return {}

    def record(self, memory: mmap.mmap, request: dict[str, Any]) -> dict[str, Any]:
        """Play one deal and leave its history in the shared memory."""
        status = self.table.record(request["deal"])
        if status == ILLEGAL:
            self.refuse_raised(request["deal"])
            raise BotError(self.table.complaint(request["deal"]))
        return {"status": status}

    def refuse_raised(self, deal: int | None) -> None:
        """If the bot that was asked last raises, asked again, say what. Raises BotFailure."""
        state = self.table.state
        seat = int(state.question["seat"])
        words, source = self.experiment.entries[int(state.secret["entry"][seat])]
        if not source or int(state.secret["refused"]) != -1:
            return
        bot = roster.named_file(roster.split_never(words)[0], source)
        said = policy.what_it_raises(bot, SIGNATURE, (state.cards, state.public, state.seats["private"][seat], state.question))
        if said:
            raise BotFailure(sentence(self.experiment, state, f"raised {said}", deal))


if __name__ == "__main__":
    apart.serve(int(sys.argv[1]), int(sys.argv[2]), Host().do)
