"""The page a command prints on: the only way to standard output and errors, on which nothing that others have written does any harm."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lostlegacy_sim.cli.streams import silence
from lostlegacy_sim.errors import OutputError
from lostlegacy_sim.letters import as_json, as_toml, harmless, padded, width, wrapped

WIDEST = 100


# --- sentences ------------------------------------------------------------------------------------------


def say(lines: Iterable[str]) -> None:
    """Print lines as they are, however long; commands in them can be copied."""
    for line in lines:
        put(harmless(line).rstrip() + "\n")


def narrate(sentences: Iterable[str]) -> None:
    """Print sentences, folded to the page."""
    for sentence in sentences:
        indent = " " * (len(sentence) - len(sentence.lstrip()))
        say(wrapped(sentence, columns(), others=f"{indent}    ") or [""])


def proclaim(sentence: str) -> None:
    """Print a sentence that stands out where the terminal can."""
    for line in wrapped(sentence, columns()):
        put_styled(line, "bold")


def note(sentence: str) -> None:
    """Say something beside the answer, on standard error."""
    try:
        sys.stderr.write(f"{harmless(sentence)}\n")
        sys.stderr.flush()
    except (OSError, OutputError):  # the answer does not hang on it
        silence(sys.stderr)


def ask(prompt: str) -> str | None:
    """What a person writes behind a prompt, in small letters; None at the end of the input."""
    put(prompt)
    line = sys.stdin.readline()
    if not line:
        return None
    word = harmless(line.removeprefix("\ufeff").strip()).lower()
    if not sys.stdin.isatty():
        put(f"{word}\n")  # so that what is written to a file can be read
    return word


# --- documents ------------------------------------------------------------------------------------------


def print_json(document: Mapping[str, Any]) -> None:
    """A JSON document, indented."""
    put(f"{as_json(document)}\n")


def print_csv(table: str) -> None:
    """A table for spreadsheets, whose cells Table.to_csv has made harmless."""
    put(table)


def print_toml(text: str) -> None:
    """A card file."""
    put(as_toml(text))


def print_rows(headings: Sequence[str], rows: Sequence[tuple[Sequence[str], str]]) -> None:
    """A table of short words, each row with a sentence below it that takes the whole width."""
    widths = [max(map(width, column)) for column in zip(headings, *(words for words, _ in rows), strict=True)]
    indent = " " * (widths[0] + 2)

    def aligned(words: Sequence[str]) -> str:
        return harmless("  ".join(padded(word, wide) for word, wide in zip(words, widths, strict=True)).rstrip())

    put_styled(aligned(headings), "bold")
    say(["─" * min(columns(), sum(widths) + 2 * len(widths) - 2)])
    for words, sentence in rows:
        say([aligned(words)])
        for line in wrapped(sentence, columns() - len(indent)):
            put_styled(indent + line, "dim")


def put(text: str) -> None:
    """Write to standard output, which may be looked at or read at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


# --- the terminal ---------------------------------------------------------------------------------------


def columns() -> int:
    """Columns of the page; WIDEST where there is no terminal."""
    return max(40, min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST))


def put_styled(line: str, style: str) -> None:
    """Print a line in a style of the terminal; plain in a pipe or with NO_COLOR."""
    from rich.console import Console  # not needed for a sentence
    from rich.text import Text

    Console(highlight=False).print(Text(line, style=style), no_wrap=True, overflow="ignore", crop=False)
