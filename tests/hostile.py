"""Hostile input: texts, plain data, bytes and command lines that nobody means well by, mostly right and a little wrong."""

import json
from copy import deepcopy

from hypothesis import strategies as draw

NUMBERS = [0, -1, 1, 2, 7, 64, 255, 4300, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**12, 10**30, 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan")]
TEXTS = ["", " ", "x", "nan", "../../etc/passwd", "/dev/null", "a\x00b", "\x1b[2J", "﻿", "‮evil", "日本語", "é" * 300, "\ud800", "%s%n", "${HOME}",
         "'; DROP TABLE", "__import__('os')", "{{7*7}}", "=1+1", "-", "--", "1e999", "\n\n", "\r", "null", "true"]  # fmt: skip
JUNK = [b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"[[[[", b"]]]]", b'"', b"'''", b"\r", b"\x80", b"[" * 5000, b"{" * 5000, b"a." * 3000, b"9" * 5000, b"#" * 9999]

numbers = draw.sampled_from(NUMBERS) | draw.integers() | draw.floats()
texts = draw.sampled_from(TEXTS) | draw.text(max_size=30)
values = draw.recursive(
    draw.none() | draw.booleans() | numbers | texts,
    lambda inner: draw.lists(inner, max_size=3) | draw.dictionaries(draw.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@draw.composite
def wrong_bytes(choose, right: bytes) -> bytes:
    """Bytes that were right, with a few places cut out, doubled, moved or overwritten; seldom something else altogether."""
    if choose(draw.integers(0, 19)) == 0:
        return choose(draw.binary(max_size=200) | draw.sampled_from(JUNK))
    data = bytearray(right)
    for _ in range(choose(draw.integers(1, 3))):
        first = choose(draw.integers(0, max(0, len(data) - 1)))
        last = min(len(data), first + choose(draw.sampled_from([0, 1, 1, 2, 8, 40, 10**9])))
        match choose(draw.integers(0, 4)):
            case 0:
                del data[first:last]
            case 1:
                data[first:first] = data[first:last]
            case 2:
                data[first:last] = choose(draw.binary(max_size=8))
            case 3:
                data[first:first] = choose(draw.sampled_from(JUNK))
            case 4 if data:
                data[first] ^= 1 << choose(draw.integers(0, 7))
    return bytes(data)


@draw.composite
def wrong_lines(choose, right: str) -> str:
    """A text of lines, some left out, doubled, or with another value behind their equals sign."""
    lines = right.splitlines()
    for _ in range(choose(draw.integers(1, 3))):
        place = choose(draw.integers(0, len(lines) - 1))
        match choose(draw.integers(0, 3)):
            case 0 if len(lines) > 1:
                del lines[place]
            case 1:
                lines.insert(place, lines[place])
            case 2:
                words = lines[place].split("=")
                hole = choose(draw.integers(0, len(words) - 1))
                words[hole] = " " + choose(as_toml)
                lines[place] = "=".join(words)
            case 3:
                lines.insert(place, f"{choose(draw.text('abcdefgh._', min_size=1, max_size=8))} = {choose(as_toml)}")
    return "\n".join(lines)


as_toml = draw.sampled_from(["1", "0", "-3", "9" * 30, "1e400", "inf", "nan", "true", '""', '"X"', '"x"', "[]", "{}", "[[1]]", "1979-05-27", "0x10", '"\\u0000"', "'a'"]) | values.map(
    lambda value: json.dumps(value)
)


@draw.composite
def wrong_plain(choose, right: dict) -> dict:
    """Plain data with one to three places replaced, left out, or added."""
    found = deepcopy(right)
    for _ in range(choose(draw.integers(1, 3))):
        spots = list(places(found))
        holder, key = choose(draw.sampled_from(spots))
        match choose(draw.integers(0, 3)):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[choose(texts)] = choose(values)
            case _:
                holder[key] = choose(values)
        if not found:
            break
    return found


def places(data):
    """Every (holder, key) in nested plain data."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(pairs):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def command_lines(commands, options):
    """Words of a command line: a command, then options with values that fit, or do not; `options`: name -> values that fit."""
    pair = draw.sampled_from(sorted(options)).flatmap(
        lambda name: draw.tuples(draw.just(name), draw.sampled_from(options[name]) | draw.sampled_from(options[name]) | texts) if options[name] else draw.tuples(draw.just(name))
    )
    junk = draw.tuples(texts)
    return draw.tuples(
        draw.sampled_from(commands) | draw.sampled_from(commands) | draw.sampled_from(commands) | texts,
        draw.lists(pair | pair | pair | junk, max_size=4),
    ).map(lambda both: [both[0], *(word for words in both[1] for word in words)])
