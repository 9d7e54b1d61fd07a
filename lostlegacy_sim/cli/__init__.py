"""llsim: the command line. One file a command: parse, call, print; nothing else.

The group below knows its commands by name only and imports a command when it is typed, so that
`llsim --help` is instant.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import click

from lostlegacy_sim import __version__
from lostlegacy_sim.cli import streams
from lostlegacy_sim.cli.command import write_examples
from lostlegacy_sim.cli.page import note, say
from lostlegacy_sim.errors import LlsimError, OutputError, nearest

GROUPS = ("Ask", "Look", "Prepare", "Trust")


class Entry(NamedTuple):
    """A command: the group of the help it stands in, where it lives, and one line about it."""

    group: str
    target: str  # "module:object"
    line: str


# The commands in the order of the help. A new command is one line here.
COMMANDS = {
    "simulate": Entry("Ask", "lostlegacy_sim.cli.simulate:simulate", "who wins with this set, at this table"),
    "compare": Entry("Ask", "lostlegacy_sim.cli.compare:compare_command", "what changes between sets, bots or numbers of players"),
    "report": Entry("Look", "lostlegacy_sim.cli.report:report", "saved results as one HTML page, single charts, tables"),
    "explore": Entry("Ask", "lostlegacy_sim.cli.explore:explore", "many sets at once: all 512 mixes, the guidelines, your own sweep"),
    "balance": Entry("Ask", "lostlegacy_sim.cli.balance:balance", "which card is too strong, because of its text"),
    "tournament": Entry("Ask", "lostlegacy_sim.cli.tournament:tournament", "which bot plays best, who beats whom, how deep the game is"),
    "play": Entry("Look", "lostlegacy_sim.cli.play:play", "sit down at the table yourself"),
    "replay": Entry("Look", "lostlegacy_sim.cli.replay:replay", "one deal told in words"),
    "cards": Entry("Prepare", "lostlegacy_sim.cli.cards:cards", "the cards of a set; --toml gives you a file to start your own from"),
    "validate": Entry("Prepare", "lostlegacy_sim.cli.validate:validate", "is this set legal, is it playable, how to mend it"),
    "bots": Entry("Prepare", "lostlegacy_sim.cli.bots:bots", "the bots; --check my_bot.py proves that it is legal"),
    "verify": Entry("Trust", "lostlegacy_sim.cli.verify:verify_command", "replay part of a result and compare it bit for bit"),
}  # fmt: skip

# Shown by `llsim --help`, if the command exists.
EXAMPLES = (
    ("llsim simulate", "who wins with the Starship, four at the table"),
    ("llsim simulate --set my.toml", "the same for cards of your own"),
    ("llsim compare starship flying-garden", "what changes from one set to the other"),
    ("llsim balance starship", "which card is too strong, because of its text"),
    ("llsim cards starship --toml", "a card file to start your own from"),
    ("llsim validate my.toml", "is it legal, is it playable"),
)


class LazyGroup(click.Group):
    """The group of all commands; errors a user can cause leave it as one sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].target.partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; an unknown name is answered with the nearest one."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(f"There is no command '{args[0]}'.{nearest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, usage, then the commands, group by group."""
        write_examples([row for row in EXAMPLES if row[0].split()[1] in COMMANDS], formatter)
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under their four headings, without importing any of them."""
        for group in GROUPS:
            rows = [(name, entry.line) for name, entry in COMMANDS.items() if entry.group == group]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """Run a command line and leave the process with its exit code."""
        sys.exit(self.run(args, prog_name))

    def run(self, args: Sequence[str] | None, prog_name: str | None) -> int:
        """Run a command line; its exit code. Unforeseen errors are bugs and pass through."""
        try:
            code = self.answer(args, prog_name)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has seen enough (`| head`)
            streams.silence(sys.stdout)
            return OutputError.exit_code
        except OutputError as error:
            streams.silence(sys.stdout)
            note(str(error))
            return error.exit_code
        return code

    def answer(self, args: Sequence[str] | None, prog_name: str | None) -> int:
        """The same; what a user can cause is said in one sentence."""
        try:
            code = super().main(args, prog_name, standalone_mode=False)
        except (OutputError, BrokenPipeError):
            raise
        except LlsimError as error:
            note(str(error))
            return error.exit_code
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            return 0
        except click.ClickException as error:
            note(usage_sentence(error))
            return error.exit_code
        except click.Abort:
            note("Stopped.")
            return 130
        except OSError as error:
            if error.filename is None:
                raise
            note(f"{error.filename!s:.200} cannot be used: {error.strerror}.")
            return 2
        return code if isinstance(code, int) else 0


def usage_sentence(error: click.ClickException) -> str:
    """A click error as one line: what is wrong, the nearest valid word, where to read on."""
    ctx = getattr(error, "ctx", None)
    path = ctx.command_path if ctx else "llsim"
    sentence = " ".join(error.format_message().split()).rstrip(".")
    sentence += "" if sentence.endswith("?") else "."
    return f"{path}: {sentence} `{path} --help` shows examples."


def print_versions(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    """The versions a result depends on, on one line."""
    if not value or ctx.resilient_parsing:
        return
    import platform
    from importlib.metadata import version

    say([f"lostlegacy_sim {__version__} · numba {version('numba')} · numpy {version('numpy')} · Python {platform.python_version()}"])
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=print_versions, help="Print the versions and leave.")
def llsim() -> None:
    """Who wins at Lost Legacy, and how: millions of deals, counted."""


def main() -> NoReturn:
    """The entry point of the command line."""
    streams.open_streams()
    llsim.main(prog_name="llsim")
