"""A person's place at a table, as options name it: to sit down there, and to name it again on a command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.experiment import line_up
from lostlegacy_sim.games import find_game
from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.sets import Chosen, GameSet, Sets

if TYPE_CHECKING:
    from lostlegacy_sim.games.lost_legacy.sitting import Sitting

NONE = "none"  # no answer was given, or nothing was asked


@dataclass(frozen=True)
class Place:
    """A seat at a table, in one deal of a seed."""

    set_word: str | None
    chosen: Chosen
    players: Sequence[int]
    bots: Sequence[str]
    seed: int
    deal: int
    seat: int  # counted from 1

    @property
    def n_seats(self) -> int:
        """The number of players. Raises UsageError for more than one number."""
        if len(self.players) > 1:
            raise UsageError("--players: one deal has one number of players; write one number.")
        return self.players[0]

    def find_set(self) -> tuple[Sets, GameSet]:
        """The set and the door of its game; seat, players and bots fit. Raises UsageError, SetError."""
        if self.seat > self.n_seats:
            raise UsageError(f"--seat {self.seat}: the table has {self.n_seats} seats.")
        if len(self.bots) >= self.n_seats:
            raise UsageError(
                f"{len(self.bots)} bots and a person do not fit at a table of {self.n_seats} players; name at most {self.n_seats - 1}."
            )
        sets, game_set = options.chosen_set(self.set_word, self.chosen, self.seed)
        sets.check_seats(game_set, self.n_seats)
        return sets, game_set

    def sit(self, answers: Sequence[int]) -> Sitting:
        """The deal after these answers. Raises what a set, a bot or the answers can be refused for."""
        sets, game_set = self.find_set()
        game = find_game(sets.game)  # the kernel: only now, when a deal is played
        others = [game.find_bot(words) for words in line_up(self.bots or (game.usual_bot,), self.n_seats - 1)]
        if game.sit is None:
            raise UsageError(f"Nobody can sit down at a table of {game.title} yet; `llsim simulate` plays it with bots in all seats.")
        sitting: Sitting = game.sit(game_set, others, self.seat - 1, self.seed, self.deal, answers)
        return sitting

    def command(self, name: str, answers: Sequence[int] = ()) -> str:
        """The command line that comes to this place again."""
        words: list[str | Path] = ["llsim", name]
        if self.set_word is not None:
            words += ["--set", Path(self.set_word)]
        for name, values in self.chosen.items():
            for value in values:
                words += [f"--{name}", value]
        bots = self.bots or (find_game(options.game_of(self.set_word, self.chosen)).usual_bot,)
        words += ["--players", str(self.n_seats), "--seat", str(self.seat), "--bots", Path(listed(bots))]
        words += ["--seed", str(self.seed), "--deal", str(self.deal)]
        if answers or name == "replay":
            words += ["--answers", ",".join(map(str, answers)) or NONE]
        return command_line(*words)


def read_answers(text: str) -> tuple[int, ...]:
    """Answers as they were typed, "2,1,1,5", or "none". Raises UsageError."""
    if text == NONE:
        return ()
    if not re.fullmatch(r"[1-9][0-9]?(,[1-9][0-9]?)*", text):
        raise UsageError(f"--answers {text}: write the numbers that were answered, with commas in between, such as 2,1,5.")
    return tuple(int(word) for word in text.split(","))


answers = click.option("--answers", type=options.Checked("NUMBERS", read_answers), default=None,
                       help="What the person at --seat has answered, such as 2,1,5; or none.")  # fmt: skip
