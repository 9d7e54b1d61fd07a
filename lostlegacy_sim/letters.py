"""Letters: what others have written, read from files and made harmless on every way out.

Names and texts of cards, of sets, of files come from anywhere. On a terminal some characters move the cursor, turn the writing
round or cannot be seen; in a spreadsheet some begin a formula. Data keep what they hold; what is shown goes through here.
"""

from __future__ import annotations

import codecs
import csv
import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any
from unicodedata import category

STAND_IN = "?"
HARMFUL = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")  # control, format, unassigned, private, half a character, ends of lines
# Letters, marks and symbols of which nothing is seen.
UNSEEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE10), 0xFFA0, 0x1D159, *range(0xE0100, 0xE01F0)}
# Unseen, but part of what is seen: what joins letters or pictures to one, and what asks for a picture instead of a sign.
SIGN = "[\u203c\u2049\u2100-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
LETTER = "[\u0600-\u109f]"  # of the scripts whose letters can be joined
JOINED = re.compile(f"((?<={LETTER})[\u200c\u200d](?={LETTER})|(?<={SIGN})\ufe0f(?:\u200d(?={SIGN}))?|(?<={SIGN})\u200d(?={SIGN}))")


class Letters(dict[int, str]):
    """What stands in the place of each character, found out when it is first met; for str.translate."""

    def __init__(self, instead: Callable[[int], str]) -> None:
        super().__init__()
        self.instead = instead

    def __missing__(self, code: int) -> str:
        self[code] = self.instead(code) if code in UNSEEN or category(chr(code)) in HARMFUL else chr(code)
        return self[code]


PLAIN = Letters(lambda code: STAND_IN)
IN_JSON = Letters(lambda code: "\n" if code == 0x0A else json.dumps(chr(code))[1:-1])
IN_TOML = Letters(lambda code: "\n" if code == 0x0A else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}")


# --- ways out -------------------------------------------------------------------------------------------


def harmless(text: str) -> str:
    """A text on one line, in which nothing moves the cursor, turns the writing round or is unseen."""
    if text.isascii() and text.isprintable():
        return text
    parts = JOINED.split(readable(text))
    return "".join(part if number % 2 else part.translate(PLAIN) for number, part in enumerate(parts))


def harmless_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(harmless, text.split("\n")))


def readable(text: str) -> str:
    """The name of a file as its bytes say it in UTF-8, whatever the system took them for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass" if re.search("[\ud800-\udc7f\udd00-\udfff]", text) else "surrogateescape").decode("utf-8", "replace")
    return text


def as_json(document: Mapping[str, Any], indent: int | None = 2) -> str:
    """JSON that says exactly what the data hold: what is not harmless as it is stands there by its number."""
    return json.dumps(document, indent=indent, ensure_ascii=False).translate(IN_JSON)


def as_toml(text: str) -> str:
    """The text of a TOML file whose texts all stand in double quotes, saying the same: what is not harmless stands there by its number."""
    return text.translate(IN_TOML)


NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?"
FIGURES = re.compile(rf"{NUMBER}(?:e[-+]?[0-9]+)?(?: \({NUMBER} to {NUMBER}\))?")  # a number, with its interval perhaps
FORMULA = re.compile("\\s*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def as_cell(value: Any) -> Any:
    """A cell of a table for spreadsheets: numbers stay as they are, and no text is taken for a formula."""
    if not isinstance(value, str):
        return value
    is_formula = FORMULA.match(value) and not FIGURES.fullmatch(value)
    return f"'{harmless(value)}" if is_formula else harmless(value)


def command_line(*words: str | Path) -> str:
    """A command line that can be pasted; the names of files and folders are given as paths."""
    return " ".join(quoted(f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)) for word in words)


def quoted(word: str) -> str:
    """A word as a shell takes it; what is not harmless stands there by its bytes."""
    if harmless(word) == word:
        return shlex.quote(word)
    kept = (chr(byte) if 0x20 <= byte < 0x7F and chr(byte) not in "'\\" else f"\\x{byte:02x}" for byte in os.fsencode(word))
    return f"$'{''.join(kept)}'"


def listed(words: Iterable[str]) -> str:
    """Words with commas between them; one that has a comma itself stands in double quotes, as in a table."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(words)
    return text.getvalue().removesuffix("\n")


def unlisted(text: str) -> list[str]:
    """The words of such a list, without the blanks around them. Raises ValueError if quotes are not closed or a word is empty."""
    try:
        rows = list(csv.reader(StringIO(text, newline=""), skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise ValueError(str(error)) from None
    words = [word.strip() for word in rows[0]] if len(rows) == 1 else [""]
    if not all(words):
        raise ValueError("a word is empty")
    return words


# --- widths ---------------------------------------------------------------------------------------------

FILLER = "\ue000"  # counts as the second column of a wide character while lines are folded; no text that is shown has one


def width(text: str) -> int:
    """The columns of a terminal a text takes: wide characters two, combining marks none."""
    from rich.cells import cell_len  # not needed to say what is wrong, so not when this module is imported

    return cell_len(harmless(text))


def padded(text: str, columns: int) -> str:
    """A text with blanks behind it, so many columns wide."""
    return text + " " * (columns - width(text))


def indented(text: str, columns: int) -> str:
    """A text with blanks before it, so many columns wide."""
    return " " * (columns - width(text)) + text


def wrapped(text: str, columns: int, first: str = "", others: str = "") -> list[str]:
    """A text folded at its blanks to lines of at most so many columns, with what stands before the first line and before the others."""
    spread = "".join(FILLER * (width(char) - 1) + char for char in harmless(text))
    return [line.replace(FILLER, "") for line in wrap(spread, columns, initial_indent=first, subsequent_indent=others)]


def told_apart(names: Sequence[str], columns: int) -> list[str]:
    """Names in so many columns each; in more where that takes it to tell them apart.

    Of the path of a file as many folders are named as it takes, and of what is still too long beginning and end remain.
    """
    short = [tail(name, names) for name in names]
    while True:
        found = [cut(name, columns) for name in short]
        if len(set(found)) == len(set(names)):
            return found
        if columns > max(map(width, short)):
            return list(names)
        columns += 1


def tail(name: str, names: Sequence[str]) -> str:
    """The last folders of the path of a bot that the path of no other one ends in, and its parameter."""
    parts, parameter = split_path(name)
    others = [found for other in names if (found := split_path(other)[0]) != parts]
    for number in range(1, len(parts)):
        if all(other[-number:] != parts[-number:] for other in others):
            return "/".join(parts[-number:]) + parameter
    return "/".join(parts) + parameter


def split_path(name: str) -> tuple[list[str], str]:
    """The folders and the file in the words of a bot, and what stands behind them."""
    match = re.match(r"(?:file:)?((?:(?!file:).)*?\.py)(?=:|$)", name, re.DOTALL)
    return (re.split(r"[/\\]", match[1]), name[match.end() :]) if match else ([name], "")


def cut(text: str, columns: int) -> str:
    """A text in so many columns; of a long one beginning and end remain, where names differ."""
    from rich.cells import set_cell_size

    text = harmless(text)
    if width(text) <= columns:
        return text
    end = columns // 3 + 1
    back = set_cell_size(text[::-1], end)[::-1].lstrip()
    return f"{set_cell_size(text, columns - end - 1).rstrip()}…{back}"


# --- ways in --------------------------------------------------------------------------------------------

MARKS = {codecs.BOM_UTF32_LE: "UTF-32", codecs.BOM_UTF32_BE: "UTF-32", codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}


def decoded(data: bytes) -> str:
    """The text of a file, which is UTF-8, with a byte-order mark or without. Raises ValueError with what it is instead: "is UTF-16 text, ..."."""
    found = next((name for mark, name in MARKS.items() if data.startswith(mark)), "")
    halves = [set(data[:64:2]), set(data[1:64:2])]
    if not found and {0} in halves and halves[0] != halves[1]:
        found = "UTF-16"  # without its mark: every other byte of what people write is nought
    if found:
        raise ValueError(f"is {found} text and should be UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 text (byte {error.start})") from None
