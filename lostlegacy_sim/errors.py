"""What can go wrong, each a sentence that says what, where, what was expected and what to do next."""

from collections.abc import Iterable
from difflib import get_close_matches

from lostlegacy_sim.letters import harmless


class LlsimError(Exception):
    """Base of every error a user can cause; the command line prints it without a traceback.

    `exit_code` is the process's exit code when the error reaches the command line.
    """

    exit_code = 2

    def __str__(self) -> str:
        return harmless(super().__str__())  # names of cards, bots and files stand in it


class UsageError(LlsimError):
    """A word on the command line, or an argument of the Python API, cannot be used."""


class SetError(LlsimError):
    """A set of cards, or the file it comes from, is unreadable or unplayable."""


class BotError(LlsimError):
    """A bot is unknown, its file cannot be used, or it broke the rules while playing."""


class BotFailure(BotError):
    """A run was ended by a bot: it broke the rules, raised, ended its process or did not come to an end."""

    exit_code = 1


class ClusterError(LlsimError):
    """The scheduler or the workers of a cluster cannot be used, or were lost."""


class ResultError(LlsimError):
    """A result folder cannot be written, read, or does not hold what it should."""


class OutputError(ResultError):
    """What was found cannot be written, because there is no room for it, or what takes it has failed."""

    exit_code = 1


def nearest(word: str, words: Iterable[str]) -> str:
    """The valid words, nearest first: " Did you mean 'x'? Valid: a, b, c." (with a leading space)."""
    words = list(words)
    close = get_close_matches(word.lower(), words, n=1, cutoff=0.5)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    return f"{hint} Valid: {', '.join(words)}."
