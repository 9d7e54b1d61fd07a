"""Runs llsim inside the test process, the way the shell would."""

from typing import NamedTuple

from click.testing import CliRunner

from lostlegacy_sim.cli import llsim


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def run(*words: str, said: str | None = None) -> Ran:
    """Run `llsim words...`, `said` being what is typed; an exception that is not an exit is a bug and fails the test."""
    result = CliRunner().invoke(llsim, list(words), prog_name="llsim", input=said, env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)
