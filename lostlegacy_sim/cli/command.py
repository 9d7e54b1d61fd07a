"""One command of llsim: its help begins with examples that can be copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click


class Command(click.Command):
    """A click command that knows its examples: pairs (what to type, what it does)."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, usage, what the command does, options."""
        write_examples(self.examples, formatter)
        super().format_help(ctx, formatter)


def command(name: str, examples: Sequence[tuple[str, str]]) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command of llsim. It returns its exit code, or None for 0."""
    return click.command(name, cls=Command, examples=examples)


def write_examples(examples: Sequence[tuple[str, str]], formatter: click.HelpFormatter) -> None:
    """The block of examples; nothing if there are none."""
    if examples:
        with formatter.section("Examples"):
            formatter.write_dl(examples, col_max=50)
        formatter.write_paragraph()
