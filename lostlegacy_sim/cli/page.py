"""The page a command prints on: standard output, with colours and width as the terminal has them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

WIDEST = 120


def page() -> Console:
    """Standard output: no colours in a pipe or with NO_COLOR; the widest page where there is no terminal."""
    columns = shutil.get_terminal_size((WIDEST, 24)).columns
    return Console(width=max(40, min(columns, WIDEST)), highlight=False, soft_wrap=False)


def plain_table(*headings: str, wide: str) -> Table:
    """An empty table with a rule below its headings; the column `wide` gets the room that is left."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold", ratio=1 if heading == wide else None)
    return table


def print_json(document: Mapping[str, Any]) -> None:
    """A JSON document, indented."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
