"""The bots by their words on the command line: built-in ones with parameters, and files."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.compiler import need_compiler
from lostlegacy_sim.errors import BotError, nearest
from lostlegacy_sim.games.lost_legacy import vocabulary
from lostlegacy_sim.games.lost_legacy.bots.quick import careful, hunter, novice
from lostlegacy_sim.games.lost_legacy.bots.quick.counting import NO_MEMORY
from lostlegacy_sim.games.lost_legacy.bots.search import belief, ismcts, playout
from lostlegacy_sim.games.lost_legacy.bots.trained import trained
from lostlegacy_sim.games.lost_legacy.kernel import watch
from lostlegacy_sim.games.lost_legacy.kernel.ask import CALLED, RANDOM, READS_ALL, READS_LOG, READS_OPTIONS, READS_VIEW
from lostlegacy_sim.games.lost_legacy.kernel.bot import SIGNATURE, Bot
from lostlegacy_sim.installed import installed, refuse_clash
from lostlegacy_sim.jit import compile_callback
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.plain import NAME, several, shaped, whole
from lostlegacy_sim.policy import BotFile, Trial, compile_bot, is_file, read_bot, read_path, try_bot

NEVER = "never="  # of any bot: a kind it does not play unless it must
INNOCENT = {"__future__", "math", "numba", "numpy", "lostlegacy_sim.rng", vocabulary.__name__}
NAMED: dict[str, str] = {}  # bot files that were named in this process: SHA-256 -> path
TRIED: set[str] = set()  # those that another process has tried for this one
PROVED = shaped({"deals": whole(), "sets": several(NAME, 100), "questions": whole(), "redealt": whole(), "asked": several(NAME, 100)})
TRIAL = Trial("lostlegacy_sim.games.lost_legacy.bots.trial", SIGNATURE, PROVED, watch.__name__)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a built-in bot: its values, the first one being the default, and what it does."""

    values: Mapping[str, int]  # word -> bits of private.parameter
    meaning: str


@dataclass(frozen=True)
class Number:
    """A whole number a built-in bot takes: alone, as in belief:64, or with a key, as in novice:slips=20."""

    default: int
    low: int
    high: int
    meaning: str
    unit: int = 1  # what one of it adds to private.parameter
    span: int = 1 << 40  # more than it can be

    def of(self, parameter: int) -> int:
        """This number in private.parameter."""
        return parameter // self.unit % self.span


ALONE = ""  # the key of a number that stands alone


@dataclass(frozen=True)
class BuiltIn:
    """A bot of the house."""

    line: str
    decide: Any = None  # the kernel itself chooses at random
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    numbers: Mapping[str, Number] = field(default_factory=dict)
    reads: int = READS_VIEW  # what has to be written down for it


MEMORY = Parameter({"yes": 0, "no": NO_MEMORY}, "no: it forgets every card it has seen, which prices memory")
BOTS = {
    "random": BuiltIn("chooses any option with the same chance"),
    "careful": BuiltIn("counts, remembers, keeps out of known danger and plays for the investigation", careful.decide,
                       {"memory": MEMORY}),
    "hunter": BuiltIn("as careful, but out for eliminations and for a win at once", hunter.decide, {"memory": MEMORY}),
    "novice": BuiltIn("as careful, with the errors of people", novice.decide, numbers={
        "slips": Number(10, 0, 100, "answers of 100 in which any option will do", span=novice.OVERLOOKS),
        "overlooks": Number(50, 0, 100, "of 100 cards it knows, those that do not come to its mind", novice.OVERLOOKS),
    }),
    "trained": BuiltIn("weighs traits, counts and chances by weights that were learnt from play", trained.decide),
    "belief": BuiltIn("as careful, but by where everything may lie, given all it has observed and how others play", belief.decide, {
        "model": Parameter({"careful": 0, "hunter": belief.HUNTED}, "what it takes the others for"),
    }, {
        ALONE: Number(belief.WORLDS, 1, 1_000_000, "worlds it weighs for a decision", span=belief.SLIPPING),
        "slips": Number(belief.SLIPS, 1, belief.ALL, "answers of 100 in which it takes any option of theirs for as likely; 100: it only counts",
                        belief.SLIPPING, belief.HUNTED // belief.SLIPPING),
    }, READS_VIEW | READS_LOG),
    "playout": BuiltIn("tries every option on worlds that may be, and plays each to its end as careful would", playout.decide, numbers={
        ALONE: Number(playout.PLAYOUTS, 1, 1_000_000_000, "playouts for a decision, all options together"),
    }, reads=READS_VIEW | READS_LOG),
    "ismcts": BuiltIn("as playout, and looks for the best later choices of all seats as well: a tree of what each may see", ismcts.decide, numbers={
        ALONE: Number(ismcts.PLAYOUTS, 1, 1_000_000_000, "playouts for a decision, each in a world of its own"),
    }, reads=READS_VIEW | READS_LOG),
}


def find_bot(words: str) -> tuple[str, str]:
    """A bot's words -> its canonical form and the hash of its file ("" for a built-in one). Raises BotError.

    A file is tried first, in a child process, unless it has been before. To be found is to be named: only files found in
    this process are ever seated, so that no result can bring code along.
    """
    need_compiler()
    words, never = split_never(words)
    refuse_clash(words, BOTS)
    restricted = "".join(f":{NEVER}{kind}" for kind in never)
    if is_file(words):
        bot = read_bot(words)
        try_bot(bot, TRIAL)
        NAMED[bot.source] = bot.path
        return bot.name + restricted, bot.source
    name, parameter = read_words(words)
    return canonical(name, parameter) + restricted, ""


def split_never(words: str) -> tuple[str, list[str]]:
    """ "careful:never=search" -> "careful" and the kinds it does not play unless it must. Raises BotError."""
    parts = words.split(":")
    never = [part.removeprefix(NEVER) for part in parts if part.startswith(NEVER)]
    if not all(never):
        raise BotError(f"{words}: never= names no kind; write a card's id, such as careful:never=search.")
    return ":".join(part for part in parts if not part.startswith(NEVER)), sorted(set(never))


def seat_bot(words: str, source: str, card_set: CardSet) -> Bot:
    """The bot of these canonical words, ready for the kernel.

    Raises BotError if its file is no longer the same, SetError if it never plays a kind the set does not have.
    """
    need_compiler()
    plain_words, never = split_never(words)
    refuse_clash(plain_words, BOTS)
    bot = built_in_bot(plain_words) if not is_file(plain_words) else file_bot(plain_words, source)
    return replace(bot, name=words, never=sum(1 << card_set.kind(kind) for kind in never))


def built_in_bot(words: str) -> Bot:
    """A bot of the house. Raises BotError."""
    name, parameter = read_words(words)
    callback = built_in_callback(name)
    return Bot(words, CALLED if callback else RANDOM, parameter, callback, BOTS[name].reads)


def file_bot(words: str, source: str) -> Bot:
    """A user's bot, compiled. Raises BotError, see `tried_file`."""
    bot = tried_file(words, source)
    seated = compile_bot(bot, TRIAL)
    return Bot(bot.name, CALLED, bot.parameter, seated.plain, what_it_reads(bot), watched=seated.watched)


def tried_file(words: str, source: str) -> BotFile:
    """A user's bot that is legal. Raises BotError if it is not, and as `named_file`."""
    bot = named_file(words, source)
    if source not in TRIED:
        try_bot(bot, TRIAL)
    return bot


def named_file(words: str, source: str) -> BotFile:
    """The file of a user's bot. Raises BotError if nobody has named the file, or if it is not the one with this SHA-256."""
    if source not in NAMED:
        path = read_path(words)[0]
        raise BotError(f"The bot file {path} plays here only if you name it: add {command_line('--bots', Path(path))}.")
    bot = read_bot(words, NAMED[source])
    if bot.source != source:
        raise BotError(
            f"{bot.path} is not the file it was: its SHA-256 began with {source[:12]} and now begins with {bot.source[:12]}. "
            "Bring the old file back, or play anew."
        )
    return bot


def what_it_reads(bot: BotFile) -> int:
    """Which records have to be written down for a bot: a field can only be read by its name.

    A file that imports more than the words and the randomness may read them by way of what it imports.
    """
    imported = {name for node in ast.walk(ast.parse(bot.text)) for name in imported_modules(node)}
    if not imported <= INNOCENT:
        return READS_ALL
    reads = READS_OPTIONS if "option" in bot.text else 0
    reads |= READS_VIEW if "known" in bot.text or "ruins_has" in bot.text else 0
    return reads | (READS_LOG if re.search(r"\b(log|n_log|saw)\b", bot.text) else 0)


def imported_modules(node: ast.AST) -> list[str]:
    """The modules one statement imports."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


@cache
def built_in_callback(name: str) -> Any:
    """The callback of a built-in bot, compiled once a process; None for `random`, which the kernel itself is."""
    decide = BOTS[name].decide
    return decide and compile_callback(decide, SIGNATURE, cache=True)


def check_file(words: str) -> tuple[BotFile, Mapping[str, Any]]:
    """A bot file and what it has proved. Raises BotError with what is wrong."""
    need_compiler()
    bot = read_bot(words)
    return bot, try_bot(bot, TRIAL)


def read_words(words: str) -> tuple[str, int]:
    """ "careful:memory=no" -> the name of a built-in bot and the bits of its parameters. Raises BotError."""
    name, *given = words.split(":")
    if name not in BOTS:
        raise BotError(f"There is no bot '{name}'.{nearest(name, [*BOTS, *installed()])} A bot of your own is a path ending in .py.")
    bot, bits = BOTS[name], 0
    if given and not bot.parameters and not bot.numbers:
        raise BotError(f"The bot '{name}' has no parameters; write {name} alone.")
    numbers = {key: number.default for key, number in bot.numbers.items()}
    for word in given:
        key, _, value = word.rpartition("=")
        if key in bot.numbers:
            numbers[key] = read_number(name, word, value, bot.numbers[key])
        else:
            bits |= read_value(name, word, bot)
    return name, bits + sum(numbers[key] * number.unit for key, number in bot.numbers.items())


def read_number(name: str, word: str, value: str, number: Number) -> int:
    """The number of a parameter such as "64" or "slips=20". Raises BotError."""
    if not value.isascii() or not value.isdigit() or not number.low <= int(value[:20]) <= number.high:
        raise BotError(f"{name}:{word}: write a whole number from {number.low:,} to {number.high:,} ({number.meaning}).")
    return int(value)


def read_value(name: str, word: str, bot: BuiltIn) -> int:
    """The bits of a parameter such as "memory=no". Raises BotError."""
    key, _, value = word.partition("=")
    if key not in bot.parameters and ALONE in bot.numbers:
        raise BotError(f"The bot '{name}' has no parameter '{key}'; write one number, as in {name}:{bot.numbers[ALONE].default}.")
    if key not in bot.parameters:
        raise BotError(f"The bot '{name}' has no parameter '{key}'.{nearest(key, [*bot.parameters, *filter(None, bot.numbers)])}")
    values = bot.parameters[key].values
    if value not in values:
        raise BotError(f"{name}:{key}={value}: there is no such value.{nearest(value, values)}")
    return values[value]


def canonical(name: str, bits: int) -> str:
    """The words of a built-in bot, parameters at their defaults left out."""
    words, bot = [name], BOTS[name]
    for key, parameter in bot.parameters.items():
        words += [f"{key}={word}" for word, value in parameter.values.items() if value and bits & value == value]
    for key, number in bot.numbers.items():
        if (value := number.of(bits)) != number.default:
            words.append(f"{key}={value}" if key else str(value))
    return ":".join(words)


def listed_bots() -> list[dict[str, Any]]:
    """The built-in bots, for those who list them."""
    found = []
    for name, bot in BOTS.items():
        parameters: dict[str, dict[str, Any]] = {
            key: {"values": list(parameter.values), "default": next(iter(parameter.values)), "meaning": parameter.meaning}
            for key, parameter in bot.parameters.items()
        }
        for key, number in bot.numbers.items():
            values = [f"{number.low}..{number.high}"]
            parameters[key or "N"] = {"values": values, "default": number.default, "meaning": number.meaning}
        found.append({"name": name, "line": bot.line, "parameters": parameters})
    return found
