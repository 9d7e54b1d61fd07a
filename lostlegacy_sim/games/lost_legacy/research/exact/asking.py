"""A compiled bot asked at every information set of a tiny deck that it can come to: its policy as chances.

The kernel plays the examples of histories: the bot answers for its own seat, the other seat follows the script.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.errors import BotError, UsageError
from lostlegacy_sim.games.lost_legacy.kernel.ask import ASIDE, ILLEGAL, RANDOM
from lostlegacy_sim.games.lost_legacy.kernel.bot import Bot
from lostlegacy_sim.games.lost_legacy.kernel.rules import play_on
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable
from lostlegacy_sim.games.lost_legacy.replay import read_history
from lostlegacy_sim.games.lost_legacy.research.exact.decision_points import Answered, Shuffled
from lostlegacy_sim.games.lost_legacy.research.exact.following import follow
from lostlegacy_sim.games.lost_legacy.research.exact.sequence_form import SequenceForm
from lostlegacy_sim.games.lost_legacy.vocabulary import MAX_CARDS
from lostlegacy_sim.solving.two_player_game import Choices, Numbers

WORDS = 4  # random words a bot is asked with, to see whether it uses them
MANY_WORDS = 256  # and as often, if it does
KEYS = 100_000  # keys tried until the kernel shuffles as the script says

TOO_MANY_SHUFFLES = "In one deal of this deck more cards are shuffled than can be tried in every order."

Script = Sequence[Answered | Shuffled]


@dataclass(frozen=True)
class Asked:
    """What a bot does in a seat: `chances` [n_sequences], each choice in its information set; 0 where it never comes."""

    chances: Numbers
    n_asked: int  # information sets it comes to
    is_sampled: bool  # it chooses at random: `chances` are shares of MANY_WORDS answers


class ChoosesAtRandom(Exception):
    """A bot answers one question in two ways, with two words."""


class Examiner:
    """Asks one bot in one seat."""

    def __init__(self, card_set: CardSet, unfolded: SequenceForm, bot: Bot, player: int) -> None:
        """`bot`: one that can be seated; `player`: its seat, 0 or 1."""
        aside = Bot("aside", ASIDE)
        self.unfolded, self.bot, self.player = unfolded, bot, player
        self.table = LegacyTable(card_set, (bot, aside) if player == 0 else (aside, bot), 1, 1)
        self.state = self.table.state
        self.choices: Choices = unfolded.duel.choices[player]

    def ask(self) -> Asked:
        """Its policy. Raises BotError if it breaks the rules.

        A bot that does not choose at random answers its earlier questions itself, so that it remembers what it
        would. For one that does, they are answered by the script: it cannot remember its own thoughts.
        """
        if self.bot.number == RANDOM and not self.bot.never:
            return Asked(self.choices.even(), self.choices.n_sets, False)
        try:
            return self._ask(False)
        except ChoosesAtRandom:
            return self._ask(True)

    def _ask(self, is_sampled: bool) -> Asked:
        chances = np.zeros(self.choices.n_sequences)
        chances[0] = 1.0
        n_asked = 0
        for number in range(self.choices.n_sets):
            if chances[self.choices.parent[number]] == 0:
                continue
            n_asked += 1
            script, options = self.unfolded.script(self.player, number), self.unfolded.options(self.player, number)
            found = self._sample(script) if is_sampled else [self._answer(script, word) for word in range(WORDS)]
            if not is_sampled and len(set(found)) > 1:
                raise ChoosesAtRandom
            counts = np.bincount([options.index(answer) for answer in found], minlength=len(options))
            chances[self.choices.first[number] : self.choices.first[number + 1]] = counts / len(found)
        return Asked(chances, n_asked, is_sampled)

    def _answer(self, script: Script, word: int) -> int:
        """What the bot chooses at the end of the script, after choosing for itself all along, with random words drawn by this number."""
        for key in range(KEYS):
            if self._follow(script, word, key, False):
                return self._last_answer(script)
        raise UsageError(TOO_MANY_SHUFFLES)

    def _sample(self, script: Script) -> list[int]:
        """What the bot chooses at the end of the script with many random words; until there the script answers for it."""
        secret, private = self.state.secret, self.state.seats["private"][self.player]
        for key in range(KEYS):
            if not self._follow(script, 0, key, True):
                continue
            secret["bot"][self.player], secret["never"][self.player] = self.bot.number, self.bot.never
            records = [record.base for record in (secret, self.state.public, self.state.seats)]
            before, n_written, answers = [record.copy() for record in records], int(self.state.history["n"]), list[int]()
            for word in range(MANY_WORDS):
                for record, saved in zip(records, before, strict=True):
                    record[:] = saved
                self.state.history["n"] = n_written
                secret["word"] = private["word"] = word_of(word)
                if play_on(self.state) == ILLEGAL:
                    raise BotError(self.table.complaint(0))
                answers.append(self._last_answer(script))
            return answers
        raise UsageError(TOO_MANY_SHUFFLES)

    def _follow(self, script: Script, word: int, key: int, is_led: bool) -> bool:
        """Play the script with these keys; False if a shuffle falls out otherwise than it says.

        `is_led`: the script also answers for the bot, up to its last question.
        """
        dealt, secret = script[0], self.state.secret
        assert isinstance(dealt, Shuffled)
        self.state.history["on"] = 1
        secret["chance"], secret["choice"] = np.uint64(key), word_of(word)
        secret["order"][MAX_CARDS - len(dealt.after) :] = dealt.after
        number, never = (ASIDE, 0) if is_led else (self.bot.number, self.bot.never)
        secret["line_up"][self.player], secret["never"][self.player] = number, never
        given = [event.option for event in script if isinstance(event, Answered) and (is_led or event.seat != self.player)]
        if follow(self.state, np.array(given, np.int64), len(given)) == ILLEGAL:
            raise BotError(self.table.complaint(0))
        return self._fits(script)

    def _history(self) -> Iterator[tuple[Any, ...]]:
        """What has happened since the deal."""
        return (entry for entry in read_history(self.state.history["data"][: int(self.state.history["n"])].tolist()) if entry[0] != "deal")

    def _fits(self, script: Script) -> bool:
        """Whether the kernel's shuffles so far are those of the script.

        Raises ChoosesAtRandom if the bot does not answer as it did before.
        """
        for event, entry in zip(script[1:], self._history(), strict=False):
            if isinstance(event, Shuffled):
                if tuple(event.before[place] for place in entry[1]) != event.after:
                    return False
            elif event.is_choice and entry[2] != event.option:
                raise ChoosesAtRandom
        return True

    def _last_answer(self, script: Script) -> int:
        """The bot's answer at the end of the script."""
        after = list(self._history())[len(script) - 1 :]
        _, seat, answer, _ = next(entry for entry in after if len(entry) == 4)
        assert seat == self.player, "the script does not lead to a question of the bot"
        return int(answer)


def word_of(number: int) -> np.uint64:
    """One of many random words."""
    return np.uint64((number + 1) * 0x9E3779B97F4A7C15 % 2**64)
