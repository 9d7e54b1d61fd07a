"""The weights of `trained` as data: a file of whole numbers behind a header that says how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostlegacy_sim.errors import BotError
from lostlegacy_sim.games.lost_legacy.bots.trained.features import (
    ADVISED,
    KEPT_WORTH,
    LEGACY_AT,
    ROWS,
    STAGE,
    WEIGHED,
    WIDTH,
)
from lostlegacy_sim.games.lost_legacy.vocabulary import EXCHANGE, QUESTIONS
from lostlegacy_sim.rng import keyed, mix

FILE = files(__package__) / "trained.json"
UNIT = 1024  # the file holds the weights in units of 1 / 1024
WORDS = tuple(QUESTIONS[what][0] for what in WEIGHED)
OUT = "out"
ABOUT = "The weights of the bot trained. Each row: what one note adds to the score, and to what lies between. Made by the command; not to be edited."

# Before anything is learnt: much as careful plays, so that there is something to improve.
LIKE_CAREFUL, BY_WORTH = 1.5, 6.0
AWAKE = (0.1, 0.6)  # the range in which what lies between begins: above 0, where it can learn
SLANT = 0.3  # its weights in the score begin between -0.3 and 0.3, so that no two learn the same

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """The two layers; see `scoring.think`."""

    table: Numbers  # [questions x ROWS, WIDTH]
    out: Numbers  # [questions, WIDTH]

    def compiled(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Both as the kernel takes them."""
        return self.table.astype(np.float32), self.out.astype(np.float32)

    def rounded(self) -> Weights:
        """The same as the file can hold them."""
        return Weights(np.rint(self.table * UNIT) / UNIT, np.rint(self.out * UNIT) / UNIT)

    def to_plain(self) -> dict[str, list[list[int]]]:
        """The whole numbers of the file, a list of rows a question, and the output."""
        table, out = (np.rint(array * UNIT).astype(int).tolist() for array in (self.table, self.out))
        return {word: table[ROWS * place : ROWS * (place + 1)] for place, word in enumerate(WORDS)} | {OUT: out}


def first_weights(seed: int) -> Weights:
    """The weights before anything is learnt."""
    n_table = len(WEIGHED) * WIDTH
    key = np.uint64(mix(np.uint64(seed)))
    drawn = [int(keyed(key, np.uint64(number))) / 2**64 for number in range(2 * n_table)]
    table, out = np.zeros((len(WEIGHED) * ROWS, WIDTH)), (np.array(drawn[n_table:]).reshape(-1, WIDTH) * 2 - 1) * SLANT
    out[:, 0] = 1.0
    for place, what in enumerate(WEIGHED):
        low, high = AWAKE
        table[place * ROWS + STAGE : place * ROWS + LEGACY_AT, 1:] = low + (high - low) * np.array(drawn[place * WIDTH + 1 : (place + 1) * WIDTH])
        table[place * ROWS + ADVISED, 0] = LIKE_CAREFUL
        if what == EXCHANGE:  # there careful is not asked
            table[place * ROWS + KEPT_WORTH, 0] = BY_WORTH
    return Weights(table, out)


def digest(plain: Mapping[str, Any]) -> str:
    """SHA-256 of the whole numbers of a file."""
    return hashlib.sha256(json.dumps([plain[word] for word in (*WORDS, OUT)]).encode()).hexdigest()


def write_weights(weights: Weights, header: Mapping[str, Any]) -> str:
    """The text of a file, a row a line."""
    plain = weights.to_plain()
    facts = {"about": ABOUT, **header, "unit": f"1/{UNIT}", "sha256": digest(plain)}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in facts.items()]
    lines += [f"{json.dumps(word)}: [\n" + ",\n".join(map(json.dumps, rows)) + "\n]" for word, rows in plain.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_weights(file: Traversable = FILE) -> Weights:
    """The weights of a file. Raises BotError if it is not what its header says, or has other rows than this program."""
    remedy = "Install the program anew, or make the weights with scripts/train.py."
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        stated, found = plain["sha256"], digest(plain)
        table, out = np.array([row for word in WORDS for row in plain[word]]), np.array(plain[OUT])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BotError(f"{file}: the weights of the bot 'trained' cannot be read ({error}). {remedy}") from None
    if stated != found:
        raise BotError(f"{file}: the weights of the bot 'trained' are damaged: their SHA-256 begins with {found[:12]}, not {stated[:12]}. {remedy}")
    if table.shape != (len(WEIGHED) * ROWS, WIDTH) or out.shape != (len(WEIGHED), WIDTH):
        raise BotError(f"{file}: {table.shape[0]} rows of weights, where {len(WEIGHED) * ROWS} are noted. {remedy}")
    return Weights(table / UNIT, out / UNIT)
