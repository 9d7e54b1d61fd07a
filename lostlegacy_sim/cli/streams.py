"""Streams: standard output and errors: UTF-8 in files and pipes, on a terminal what it can show; one that is full or closed ends quietly."""

from __future__ import annotations

import codecs
import io
import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from lostlegacy_sim.disk import reason
from lostlegacy_sim.errors import OutputError
from lostlegacy_sim.letters import STAND_IN, width

INSTEAD = "plain"  # the name under which `instead` is known to the codecs
# What the program itself writes, in signs every terminal has; as wide, so that columns stay columns.
SIGNS = {**dict.fromkeys("█▉▊▋▌", "#"), **dict.fromkeys("▍▎▏", " "), **dict.fromkeys("·─–−", "-"), **dict.fromkeys("“”", '"'),
         "×": "x", "±": "~", "…": ".", "≤": "<", "≥": ">", "\u00a0": " ", "\u3000": "  "}  # fmt: skip


class Stream(io.TextIOWrapper):
    """Standard output or errors. Raises OutputError if it is full."""

    def write(self, text: str) -> int:
        with sentences():
            return super().write(text)

    def flush(self) -> None:
        with sentences():
            super().flush()


@contextmanager
def sentences() -> Iterator[None]:
    """Turn what the system says of a stream into a sentence; that nobody reads any more is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"The answer could not be written to standard output: {reason(error)}.") from None


def open_streams() -> None:
    """Set up both streams of this process; one that the caller has closed leads nowhere."""
    codecs.register_error(INSTEAD, instead)
    sys.stdout, sys.stderr = opened(sys.stdout), opened(sys.stderr)


def opened(stream: Any) -> TextIO:
    """A stream as it is used from here on; what is no file, as in a notebook, stays as it is."""
    if stream is None:
        return io.TextIOWrapper(io.FileIO(os.devnull, "w"))
    if not isinstance(stream, io.TextIOWrapper):
        return cast(TextIO, stream)
    encoding, by_line, at_once = encoding_of(stream), stream.line_buffering, stream.write_through
    return Stream(stream.detach(), encoding, INSTEAD, line_buffering=by_line, write_through=at_once)


def encoding_of(stream: TextIO) -> str:
    """UTF-8 for what is kept or read by programs; for a terminal its own, also where Python takes "C" for UTF-8 unasked."""
    if not stream.isatty():
        return "utf-8"
    is_asked = "utf8" in sys._xoptions or {"PYTHONUTF8", "PYTHONIOENCODING"} & set(os.environ)
    return locale.getencoding() if sys.flags.utf8_mode and not is_asked else stream.encoding


def instead(error: UnicodeError) -> tuple[str, int]:
    """What is written instead of characters a terminal does not have, as wide as they are."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(SIGNS.get(char, STAND_IN * width(char)) for char in missing), error.end


def silence(stream: TextIO) -> None:
    """Let nothing more be written there, at exit neither."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
