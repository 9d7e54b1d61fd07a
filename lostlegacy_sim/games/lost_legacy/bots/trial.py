"""A user's bot on trial: what a child process does with a bot file before anybody plays with it.

Started by policy.run_trial as `python -m ... FILE PARAMETER FOLDER SECONDS`. The bot is compiled with bounds
checks and asked, question by question, in deals of three sets; the deals stop at each of its questions.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lostlegacy_sim.dice import find_dice
from lostlegacy_sim.games.lost_legacy.bots.leak_check import LeakCheck
from lostlegacy_sim.games.lost_legacy.bots.roster import built_in_callback
from lostlegacy_sim.games.lost_legacy.cards.composition import load_set
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, PAUSED, RANDOM
from lostlegacy_sim.games.lost_legacy.kernel.bot import SIGNATURE, Bot
from lostlegacy_sim.games.lost_legacy.kernel.rules import resume
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.kernel.watch import OWN_FIELDS
from lostlegacy_sim.games.lost_legacy.vocabulary import QUESTIONS
from lostlegacy_sim.jit import check_bounds, compile_for_trial, is_whole_number
from lostlegacy_sim.policy import begin_stage, compiler_complaint, give_verdict, line_in, load_module

SETS = ("starship", "flying-garden", "megamix")
DEALS = 300  # all sets and numbers of players together
SEED = 1
ARGUMENTS = ("cards", "public", "private", "question")
REDEAL_EVERY = 3  # questions: at one of so many, what the bot cannot know is dealt anew


class Problem(Exception):
    """What is wrong with a bot, as the rest of a sentence that begins with its path: ", line 3: ..." or ": ..."."""


def main(words: list[str]) -> None:
    """Try one bot file; leave a verdict in the folder."""
    path, parameter, folder, seconds = Path(words[0]), int(words[1]), Path(words[2]), json.loads(words[3])
    try:
        verdict = try_file(path, parameter, lambda stage: begin_stage(stage, folder, seconds[stage]))
    except Problem as problem:
        verdict = {"problem": str(problem)}
    sys.stdout.flush()
    give_verdict(verdict, folder)


def try_file(path: Path, parameter: int, begin: Callable[[str], None]) -> dict[str, Any]:
    """Import, compile, play; returns what was proved. Raises Problem."""
    tables = list(tables_to_play(parameter))
    first = TrialTable(tables[0], lambda *records: 0, True)
    first.play(0)  # the kernel is compiled or found in the cache, without bounds checks and out of the bot's time
    compile_house(path)
    begin("import")
    decide = find_decide(path)
    begin("compile")
    check_bounds()
    compiled = compile_decide(decide, path)
    begin("deals")
    n_questions, n_redealt, kinds = 0, 0, set()
    for number in range(DEALS):
        table = TrialTable(tables[number % len(tables)], compiled, number % 3 != 2)
        table.play(number)
        n_questions += table.n_questions
        n_redealt += table.leak_check.n_redealt
        kinds |= table.kinds
    asked = sorted(QUESTIONS[what][0] for what in kinds)
    return {"deals": DEALS, "sets": list(SETS), "questions": n_questions, "redealt": n_redealt, "asked": asked}


def tables_to_play(parameter: int) -> Iterator[LegacyTable]:
    """A table for each set and number of players, all seats waiting to be asked."""
    for word in SETS:
        card_set = load_set(word)
        for players in seats(card_set):
            yield LegacyTable(card_set, (Bot("the bot", ASIDE, parameter),) * players, 1, SEED)


def compile_house(path: Path) -> None:
    """Compile the bots of the house a file may borrow from, without bounds checks: what is compiled is kept for the kernel."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    for folder, name in (("quick", "careful"), ("belief", "belief"), ("search", "playout")):
        if f"lost_legacy.bots.{folder}" in text:
            built_in_callback(name)


# --- from a file to a compiled function -------------------------------------------------------------------


def find_decide(path: Path) -> Any:
    """The function `decide` of a file. Raises Problem."""
    try:
        module = load_module(path)
    except (Exception, SystemExit) as error:
        line = line_in(error, str(path))
        said = str(error).splitlines()[0][:160] if str(error) else ""
        raise Problem(f"{f', line {line}' if line else ''}: {type(error).__name__}{f': {said}' if said else ''}.") from None
    decide = getattr(module, "decide", None)
    if decide is None:
        raise Problem(f": it has no function `decide`; write `def decide({', '.join(ARGUMENTS)}):`.")
    function = getattr(decide, "py_func", decide)
    if not inspect.isfunction(function):
        raise Problem(f": `decide` is no function; write `def decide({', '.join(ARGUMENTS)}):`.")
    found = inspect.signature(function).parameters.values()
    if len(found) != len(ARGUMENTS) or any(one.kind not in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in found):
        line = function.__code__.co_firstlineno
        raise Problem(f", line {line}: `decide` must take the four records ({', '.join(ARGUMENTS)}), it takes {len(found)}.")
    return decide


def compile_decide(decide: Any, path: Path) -> Any:
    """The compiled function, which returns a whole number. Raises Problem."""
    try:
        compiled, returned = compile_for_trial(decide, SIGNATURE)
    except Exception as error:
        raise Problem(compiler_complaint(error, path)) from None
    if (dice := find_dice(compiled)) is not None:
        where = f", line {dice.line}" if dice.line else ""
        raise Problem(f"{where}: `{dice.function}` uses {dice.what}, which no seed brings back; take all chance from private.word, as below(private, n) does.")
    if not is_whole_number(returned):
        raise Problem(f": `decide` returns {in_words(str(returned))}; it must return the index of an option, a whole number.")
    return compiled


def in_words(returned: str) -> str:
    """A compiled type in words."""
    if returned == "none":
        return "nothing"
    if returned.startswith("OptionalType"):
        return "nothing in some cases"
    return "a text" if "str" in returned else f"a {returned[:60]}"


# --- deals that stop at every question ----------------------------------------------------------------------


@dataclass
class TrialTable:
    """Plays deals in which a bot is asked by Python, so that every answer can be judged."""

    table: LegacyTable
    decide: Any
    fills_table: bool  # the bot on all seats; else random bots beside it
    leak_check: LeakCheck = field(init=False)

    def __post_init__(self) -> None:
        self.leak_check = LeakCheck(self.table.state)

    def play(self, number: int) -> None:
        """Play one deal; counts its questions. Raises Problem."""
        state, players = self.table.state, len(self.table.bots)
        self.n_questions, self.kinds = 0, set[int]()
        for entry in range(players):
            state.secret["line_up"][entry] = ASIDE if self.fills_table or entry == number % players else RANDOM
        status = self.table.record(number)
        while status == PAUSED:
            status = resume(state, self.answer(number))

    def answer(self, number: int) -> int:
        """The option the bot chooses, judged. Raises Problem."""
        state = self.table.state
        question = state.question
        what, n = int(question["what"]), int(question["n"])
        private = state.seats["private"][int(question["seat"])]
        records = (state.cards, state.public, private, question)
        before = [record.tobytes() for record in records]
        own = {name: private[name].copy() for name in OWN_FIELDS}
        self.n_questions += 1
        self.kinds.add(what)
        where = f"asked '{QUESTIONS[what][0]}' in deal {number}, turn {int(state.public['turn'])}"
        index = self.call(records, where)
        after = {name: private[name].copy() for name in OWN_FIELDS}
        if not 0 <= index < n:
            raise Problem(f": {where}, `decide` returns {index}; the options are 0 to {n - 1}.")
        for name, value in own.items():
            private[name] = value
        for word, record, bytes_before in zip(ARGUMENTS, records, before, strict=True):
            if record.tobytes() != bytes_before:
                raise Problem(f": {where}, `decide` writes into {word_of(word, record, bytes_before)}; it may write private.word and private.memory.")
        again = self.call(records, where)
        if again != index or any((private[name] != value).any() for name, value in after.items()):
            raise Problem(f": {where}, `decide` returns {index} and, asked the same again, {again}; take all chance from private.word.")
        if self.n_questions % REDEAL_EVERY == 0:
            self.demand_no_peeking(records, own, index, where)
            for name, value in after.items():
                private[name] = value
        return int(question["option"][index])

    def demand_no_peeking(self, records: tuple[Any, ...], own: dict[str, Any], index: int, where: str) -> None:
        """Ask again with what the bot cannot know dealt anew. Raises Problem if its choice changes."""

        def choose() -> int:
            for name, value in own.items():
                records[2][name] = value
            return self.call(records, where)

        if found := self.leak_check.at(choose, index):
            raise Problem(f": {where}, `decide` peeks: its choice changes with {found}, which its seat cannot know.")

    def call(self, records: tuple[Any, ...], where: str) -> int:
        """What `decide` returns. Raises Problem if it raises."""
        try:
            return int(self.decide(*records))
        except Exception as error:
            said = f"{type(error).__name__}: {error}".splitlines()[0][:160].rstrip(".: ")
            raise Problem(f": {where}, `decide` raises {said}.") from None


def word_of(word: str, record: Any, before: bytes) -> str:
    """The field in which a record differs from what it was: "public.deck_size"."""
    after = record.tobytes()
    changed = next(index for index in range(len(before)) if before[index] != after[index])
    fields = record.dtype.fields
    name = max((offset, name) for name, (_, offset) in ((name, entry[:2]) for name, entry in fields.items()) if offset <= changed)[1]
    return f"{word}.{name}"


if __name__ == "__main__":
    main(sys.argv[1:])
