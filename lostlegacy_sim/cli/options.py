"""The options several commands share: words in, checked values out, a sentence for every other word."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import wraps
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from lostlegacy_sim.errors import UsageError
from lostlegacy_sim.games import all_sets, sets_of
from lostlegacy_sim.letters import command_line, listed, unlisted
from lostlegacy_sim.sets import Chosen, GameSet, SetOption, Sets

if TYPE_CHECKING:
    from lostlegacy_sim.game import Game

MAX_DEALS = 10**12
MOST_UNTIL = 100_000_000  # deals that --until may play unless --deals says so
MAX_SEED = 2**63 - 1
MAX_THREADS = 1024
USUAL_BOT = "the game's usual one"
STRICT = "llsim.strict"  # in the context of a command: whether --strict was given
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


class Checked(click.ParamType):  # type: ignore[type-arg]
    """Turns the text of an option into a value with a function that raises UsageError."""

    def __init__(self, name: str, check: Callable[[str], Any]) -> None:
        self.name = name
        self.check = check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The checked value; a value that is no text any more (a default) passes."""
        return self.check(value) if isinstance(value, str) else value


def seats_of_any() -> tuple[int, int]:
    """Fewest and most players of any set of any game."""
    doors = all_sets()
    return min(sets.players[0] for sets in doors), max(sets.players[1] for sets in doors)


def read_players(text: str) -> tuple[int, ...]:
    """Numbers of players in ascending order: "4", "2-4", "2,4". Raises UsageError."""
    least, most = seats_of_any()
    sentence = f"--players {text}: write a number from {least} to {most}, a range such as 2-4 or a list such as 2,4."
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,2})\s*(?:-\s*([0-9]{1,2})\s*)?", part)
        if match is None:
            raise UsageError(sentence)
        first, last = int(match[1]), int(match[2] or match[1])
        if not least <= first <= last <= most:
            raise UsageError(sentence)
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def read_whole(text: str) -> int | None:
    """A whole number as people type it: "1500", "1,500", "1_500"; None if it is none."""
    match = re.fullmatch(r"\s*([0-9]{1,30}|[0-9]{1,3}(?:,[0-9]{3}){1,6}|[0-9]{1,3}(?:_[0-9]{3}){1,6})\s*", text)
    return int(re.sub("[,_]", "", match[1])) if match else None


def whole_number(option: str, least: int, most: int) -> Callable[[str], int]:
    """Reads the whole number behind an option. What it returns raises UsageError."""

    def read(text: str) -> int:
        number = read_whole(text)
        if number is None or not least <= number <= most:
            raise UsageError(f"{option} {text}: write a whole number from {least} to {most}.")
        return number

    return read


def read_deals(text: str) -> int:
    """A number of deals: "5000", "5,000", "200k", "1.5m", "1e6". Raises UsageError."""
    if (plain := read_whole(text)) is not None:
        deals = Decimal(plain)
    elif match := re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,15})?(?:e\+?[0-9]{1,3})?)([kmgb]?)", text.strip().lower()):
        deals = Decimal(match[1]) * UNITS[match[2]]
    else:
        raise UsageError(f"--deals {text}: write a whole number of deals, such as 5000, 5,000, 200k, 1.5m or 1e6.")
    if not 1 <= deals <= MAX_DEALS:
        raise UsageError(f"--deals {text}: play at least 1 and at most {MAX_DEALS:,} deals.")
    if deals != int(deals):
        raise UsageError(f"--deals {text}: that is not a whole number of deals.")
    return int(deals)


def budget(deals: int, targets: Sequence[Any]) -> int:
    """The deals that may be played: those typed; with --until and without --deals, MOST_UNTIL."""
    source = click.get_current_context().get_parameter_source("deals")
    return MOST_UNTIL if targets and source == click.core.ParameterSource.DEFAULT else deals


def target(text: str) -> Any:
    """What --until asks for. Raises UsageError."""
    from lostlegacy_sim.studies.targets import read_target  # not needed to look at cards

    return read_target(text)


def requirement(text: str) -> Any:
    """What --require asks for. Raises UsageError."""
    from lostlegacy_sim.studies.targets import read_requirement

    return read_requirement(text)


def read_seed(text: str) -> int:
    """A seed: a whole number, or "new" for one that nobody has chosen. Raises UsageError."""
    if text == "new":
        return secrets.randbelow(10**9)
    seed = read_whole(text)
    if seed is None or seed > MAX_SEED:
        raise UsageError(f"--seed {text}: write a whole number from 0 to {MAX_SEED}, or the word new.")
    return seed


read_threads = whole_number("--threads", 1, MAX_THREADS)


def read_bots(text: str) -> tuple[str, ...]:
    """The words of a line-up, in seating order: "careful,random,my_bot.py". Raises UsageError."""
    try:
        words = unlisted(text)
    except ValueError:
        raise UsageError(f"--bots {text!r}: write bots separated by commas, such as careful,random; a path with a comma stands in double quotes.") from None
    refuse_torn(words)
    return tuple(words)


def refuse_torn(words: Sequence[str]) -> None:
    """Raise UsageError if words between commas are together the path of a bot, and the last of them is none."""
    for first, last in combinations(range(len(words)), 2):
        whole = ",".join(words[first : last + 1])
        path, end = (re.sub(r"(?<=\.py):-?[0-9]+$", "", word) for word in (whole, words[last]))
        if path.endswith(".py") and is_path(path) and not is_path(end):
            right = command_line("--bots", listed([*words[:first], whole, *words[last + 1 :]]))
            raise UsageError(f"{path} has a comma in its name, so it stands in double quotes: {right}.")


def is_path(name: str) -> bool:
    """Whether there is such a file."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def usable_cores() -> int:
    """Number of processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


players = click.option("--players", type=Checked("NUMBERS", read_players), default=(4,), show_default="4",
                       help="Players at the table: 4, or 2-4, or 2,4.")  # fmt: skip
bots = click.option("--bots", type=Checked("BOTS", read_bots), default=(), show_default=USUAL_BOT,
                    help="Bots in seating order, such as careful,random; the last one fills the table.")  # fmt: skip
deals = click.option("--deals", type=Checked("NUMBER", read_deals), default=1_000_000, show_default="1m",
                     help="How many deals to play: 5000, 200k, 1.5m.")  # fmt: skip
until = click.option("--until", "targets", type=Checked('"M +/- X"', target), multiple=True,
                     help='Play until a measure is known so exactly: "seat_gap +/- 0.2pp"; at most --deals, or 100m.')  # fmt: skip
require = click.option("--require", "requirements", type=Checked('"M < X"', requirement), multiple=True,
                       help='Leave with 0 if this holds, 3 if not, 4 if undecided: "out_early < 5%".')  # fmt: skip
seed = click.option("--seed", type=Checked("NUMBER", read_seed), default=1, show_default=True,
                    help="The seed of all shuffles and choices, or new.")  # fmt: skip
threads = click.option("--threads", type=Checked("NUMBER", read_threads), default=usable_cores, show_default="all cores",
                       help="Threads to play on; the result is the same for any number.")  # fmt: skip
scheduler = click.option("--scheduler", metavar="ADDRESS", default=None,
                         help="Play on dask: tcp://host:port, tls://host:port, or local:N for N processes; the result is the same.")  # fmt: skip
strict = click.option("--strict", is_flag=True, expose_value=False, callback=lambda ctx, param, value: ctx.meta.update({STRICT: value}),
                      help="Watch bots of your own at every question, not in a sample of the deals: that they write what they may and no more.")  # fmt: skip
checkpoint = click.option("--checkpoint", metavar="DIR", default=None,
                      help="Write down in this folder all that is played, and play nothing that is there: given again, a command that died goes on.")  # fmt: skip
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
as_csv = click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
dry_run = click.option("--dry-run", is_flag=True, help="Say how long it takes and how exact it gets; play nothing.")
quiet = click.option("-q", "--quiet", is_flag=True, help="Print the result only, no notes.")
verbose = click.option("-v", "--verbose", is_flag=True, help="Print more.")


def strictly(game: Game) -> Game:
    """The game, played as strictly as the command was asked to."""
    return game.strict(click.get_current_context().meta.get(STRICT, False))


def form_of(as_json: bool, as_csv: bool) -> str:
    """How the answer is printed: json, csv or screen. Raises UsageError if two ways are asked for."""
    if as_json and as_csv:
        raise UsageError("--json and --csv print the answer in two ways; choose one.")
    return "json" if as_json else "csv" if as_csv else "screen"


def check_out(out: str | None, checkpoint: str | None = None) -> None:
    """Raise UsageError for an --out or a --checkpoint without a name, or if one would lie in the other."""
    for option, name in (("--out", out), ("--checkpoint", checkpoint)):
        if name is not None and not name.strip():
            raise UsageError(f"{option} has no name; give it the name of a folder that does not exist yet.")
    if out is not None and checkpoint is not None:
        result, kept = Path(os.path.abspath(out)), Path(os.path.abspath(checkpoint))
        if result == kept or result in kept.parents or kept in result.parents:
            raise UsageError(f"--checkpoint {checkpoint} and --out {out} are in each other's way; give them two folders side by side.")


# --- which set -----------------------------------------------------------------------------------------


def set_options() -> dict[str, SetOption]:
    """The options that only sets of one game have, by their parameter."""
    return {f"set_{option.name}": option for sets in all_sets() for option in sets.options}


def set_choice(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every game that choose among its sets; the function is given those that were typed, as `chosen`."""
    known = set_options()

    @wraps(function)
    def call(*args: Any, **values: Any) -> Any:
        typed = {option.name: values.pop(parameter) for parameter, option in known.items()}
        chosen = {name: value if isinstance(value, tuple) else (value,) for name, value in typed.items() if value}
        return function(*args, chosen=chosen, **values)

    for parameter, option in reversed(known.items()):
        call = click.option(f"--{option.name}", parameter, metavar=option.metavar, multiple=option.many, default=None, help=option.meaning)(call)
    return call


def typed_set_options(parameters: Iterable[str]) -> dict[str, str]:
    """Of parameters, those of set_choice: parameter -> "--pick"."""
    known = set_options()
    return {parameter: f"--{known[parameter].name}" for parameter in parameters if parameter in known}


def complete_set(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The words for sets that begin so, then the files of the shell."""
    words = [CompletionItem(word) for sets in all_sets() for word in sets.words if word.startswith(incomplete)]
    return [*words, CompletionItem(incomplete, type="file")]


def set_help() -> str:
    """What may stand where a set is asked for."""
    words = [word for sets in all_sets() for word in sets.words]
    return f"{', '.join(words)}, or a card file"


DEFAULT_SET = sets_of(None).words[0]
set_word = click.option("--set", "set_word", metavar="SET", default=None, shell_complete=complete_set,
                        help=f"{set_help()}. [default: {DEFAULT_SET}]")  # fmt: skip


def chosen_set(word: str | None, chosen: Chosen, seed: int) -> tuple[Sets, GameSet]:
    """The playable set these words and options ask for, with the door of its game; an option alone means the word it belongs to.

    Raises SetError or UsageError.
    """
    sets = sets_of(word, tuple(chosen))
    if word is None:
        word = next((option.word for option in sets.options if option.name in chosen), sets.words[0])
    return sets, sets.choose(word, chosen, seed)


def game_of(word: str | None, chosen: Chosen) -> str:
    """The game of the set these words and options ask for. Raises SetError."""
    return sets_of(word, tuple(chosen)).game


def chosen_for(word: str, chosen: Chosen) -> Chosen:
    """Of the options, those that belong to a word."""
    return {option.name: chosen[option.name] for option in set_options().values() if option.name in chosen and option.word == word}
