"""The page a command prints on: standard output, with colours and width as the terminal has them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from lostlegacy_sim.cli.command import one_line

WIDEST = 100


def page() -> Console:
    """Standard output: no colours in a pipe or with NO_COLOR; WIDEST columns where there is no terminal."""
    columns = shutil.get_terminal_size((WIDEST, 24)).columns
    return Console(width=max(40, min(columns, WIDEST)), highlight=False, soft_wrap=False)


def print_rows(screen: Console, headings: Sequence[str], rows: Sequence[tuple[Sequence[str], str]]) -> None:
    """A table of short words, each row with a sentence below it that takes the whole width."""
    lines = [[one_line(word) for word in row] for row, _ in rows]
    widths = [max(map(len, column)) for column in zip(headings, *lines, strict=True)]
    indent = widths[0] + 2

    def aligned(words: Sequence[str]) -> str:
        return "  ".join(word.ljust(width) for word, width in zip(words, widths, strict=True)).rstrip()

    screen.print(Text(aligned(headings), style="bold"), no_wrap=True, overflow="ignore", crop=False)
    screen.print(Text("─" * min(screen.width, sum(widths) + 2 * len(widths) - 2)))
    for words, (_, sentence) in zip(lines, rows, strict=True):
        screen.print(Text(aligned(words)), no_wrap=True, overflow="ignore", crop=False)
        if sentence:
            for line in wrap(one_line(sentence), screen.width - indent):
                screen.print(Text(" " * indent + line, style="dim"), no_wrap=True)


def print_json(document: Mapping[str, Any]) -> None:
    """A JSON document, indented."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
