"""Every kind of folder that llsim keeps, small; and what may have happened to one before it is read again."""

import io
import json
import random
import shutil
import warnings
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from threading import Event

import numpy as np
from command_line import run
from hostile import NUMBERS, TEXTS, places

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.pieces import Span
from lostlegacy_sim.run_folder import reopen
from lostlegacy_sim.runner import Run
from lostlegacy_sim.studies.kept_looks import Exploration, write_exploration
from lostlegacy_sim.studies.look import seated
from lostlegacy_sim.studies.mixes import explore_mixes, mixes_in_order
from lostlegacy_sim.tally import checksum

SWEEP = 'players = [2, 3]\ndeals = 100\nbots = ["random"]\ngoals = ["nobody", "turns"]\n[sweep]\n"search.copies" = [2, 3]\n"assault.copies" = [2, 3]\n'
COMMANDS = {
    "single": "simulate --bots random --players 2 --deals 640 --out single",
    "mixed": "simulate --bots novice,random --players 3 --deals 200 --out mixed",
    "several": "simulate --bots random --players 2,3 --deals 100 --out several",
    "until": "simulate --bots random --players 2 --until nobody+/-20pp --deals 20k --out until",
    "compare": "compare starship flying-garden --bots random --players 2 --deals 100 --out compare --checkpoint checkpoint",
    "balance": "balance starship --cards search,assault --effects blank,copy --bots random --players 2,3 --deals 100 --out balance",
    "guidelines": "explore --family guidelines --members 4 --bots random --players 2 --deals 40 --goal nobody --goal turns --out guidelines",
    "sweep": "explore sweep.toml --out sweep",
    "tournament": "tournament --bots random,novice --players 2 --deals 100 --out tournament",
    "mixtures": "tournament --bots random,novice --players 3 --all-mixtures --deals 100 --out mixtures",
    "ladder": "tournament --ladder --bots random,novice --players 2 --deals 100 --out ladder",
    "half": "simulate --bots random --players 2 --deals 640 --part 1/2 --out half",
    "halves": "simulate --bots random --players 2,3 --deals 640 --part 1/3 --out halves",
}
KINDS = (*COMMANDS, "mixes", "checkpoint")


def make_all(home: Path) -> None:
    """All kinds, in the folder that is entered."""
    (home / "sweep.toml").write_text(SWEEP)
    for words in COMMANDS.values():
        ran = run(*words.split(), "--threads", "1", "-q")
        assert ran.code == 0, ran.err
    game = find_game("lost_legacy")
    table = seated(game, printed("starship"), 2, ["random"], ["seat_gap", "nobody", "skill"], 40, 1, ("novice", "random"))
    answer = explore_mixes(table, game, 2, mixes_in_order()[:8], 1)
    (home / "mixes").mkdir()
    write_exploration(home / "mixes", Exploration("mixes", {"first": answer.first, "second": answer.second}, {"top": 2}))
    with reopen(home / "half") as place:  # blocks of a batch that was under way
        playing = Run(place.experiments[0], game, Event(), journal=place.journals[0])
        batch = playing.batch_so_far(playing.todo[0])
        first = place.experiments[0].blocks_of(batch.number).start
        game.open_table(place.experiments[0]).play(first, 5, batch.counts, batch.exemplars)
        place.journals[0].add(Span(first, 5, batch.counts, batch.exemplars), is_whole=False)
        place.journals[0].write()


# --- what may have happened -----------------------------------------------------------------------------

CONTROLS = ["\x1b[2J\x1b[31mred", "a\x07b", "a\x9bb", "two\nlines", "a\tb", "a\u2028b", "\u202eevil", "=cmd()", "<script>alert(1)</script>", "x" * 6000, "careful", "bot.py",
            "../../bot.py", "random:never=search", "9" * 400]  # fmt: skip
VALUES = [*NUMBERS, *TEXTS, *CONTROLS, None, True, False, [], {}, [[]], [1, 2], {"a": 1}, [None], ["x"] * 50, [0] * 20_000, {"a": {"b": {"c": []}}}, 2**31, 2**53, 2**62,
          2**63 - 1, 2**70, -(2**40), 3, 5, 10, 99, 1.5]  # fmt: skip


def change_json(data: bytes, clock: random.Random) -> bytes:
    """A manifest with one to three values replaced, left out, added, doubled or moved; seldom with other bytes."""
    if clock.random() < 0.15:
        return change_bytes(data, clock)
    plain = deepcopy(json.loads(data))
    for _ in range(clock.choice((1, 1, 2, 3))):
        spots = list(places(plain))
        if not spots:
            break
        holder, key = clock.choice(spots)
        old = holder[key]
        match clock.randrange(9):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[clock.choice(TEXTS + CONTROLS)] = clock.choice(VALUES)
            case 1 | 2 if isinstance(holder, list):
                holder.insert(clock.randrange(len(holder) + 1), deepcopy(old))
            case 3 if isinstance(old, int) and not isinstance(old, bool):
                holder[key] = clock.choice((old + 1, old - 1, -old, old * 2, 0, 1, 2**62, 2**70, float(old), str(old)))
            case 4 if isinstance(old, str):
                holder[key] = clock.choice((old[:-1], old + clock.choice(CONTROLS), old.upper(), old[::-1], clock.choice(CONTROLS)))
            case 5:
                holder[key] = deepcopy(clock.choice(spots)[0])
            case 6:
                other, place = clock.choice(spots)
                if not contains(old, other):
                    other[place], holder[key] = old, other[place]
            case _:
                holder[key] = deepcopy(clock.choice(VALUES))
    try:
        text = json.dumps(plain)
    except (ValueError, RecursionError):
        return data
    match clock.randrange(12):
        case 0:
            text = text.replace("0", "1e999", 1)
        case 1:
            text = text.replace('"schema"', '"schema": 1, "schema"', 1)
        case 2:
            text = text.replace("[", "[" * clock.choice((3, 20, 100_000)), 1)
        case 3:
            first = text.find('": ', clock.randrange(len(text))) + 3
            text = text[:first] + clock.choice(("NaN", "-Infinity", "1E400", "0x10", "9" * 5000, "01", "1.", '"\\ud800"', '"\\u001b[2J"', "[" * 50 + "]" * 50)) + text[first:].lstrip("0123456789")
    return text.encode("utf-8", "surrogatepass")


def contains(outer: object, inner: object) -> bool:
    """Whether one is the other, or holds it."""
    return outer is inner or (isinstance(outer, dict | list) and any(holder is inner for holder, _ in places(outer)))


def change_bytes(data: bytes, clock: random.Random) -> bytes:
    """Bytes with bits turned over, cut off, doubled, or replaced by other files."""
    found = bytearray(data)
    match clock.randrange(7):
        case 0 | 1 if found:
            for _ in range(clock.choice((1, 1, 3, 30))):
                found[clock.randrange(len(found))] ^= 1 << clock.randrange(8)
        case 2:
            del found[clock.randrange(len(found) + 1) :]
        case 3:
            first = clock.randrange(len(found) + 1)
            found[first:first] = found[: clock.randrange(64)]
        case 4:
            return clock.choice((b"", b"\x00" * 100, b"PK\x05\x06" + bytes(18), b"{}", b"null", b"\x93NUMPY\x01\x00v\x00", b"\x80\x04cos\nsystem\n.", b"[" * 100_000))
        case 5:
            first = clock.randrange(min(200, len(found)) + 1)
            found[first : first + clock.randrange(20)] = clock.randbytes(clock.randrange(20))
        case _:
            return npy(clock)
    return bytes(found)


def npy(clock: random.Random) -> bytes:
    """A file of other numbers, or one that says so."""
    head = b"\x93NUMPY\x01\x00v\x00{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }"
    form = clock.choice((b"<i8", b"<f8", b"|O", b"<i4", b"|u1", b">i8", b"<U9", b"<c16"))
    shape = clock.choice((b"3, 4", b"999999999999, 8", b"2,", b"", b"-1, 4", b"0, 0", b"1000000000000000, 1000000000000000", b"40, 163"))
    return (head % (form, clock.choice((b"True", b"False")), shape)).ljust(127) + b"\n" + bytes(clock.choice((0, 8, 96, 1000, 52160)))


def change_numbers(counts: np.ndarray, clock: random.Random) -> np.ndarray:
    """Counts of which a few are others, or which are of another form."""
    found = counts.copy()
    for _ in range(clock.choice((1, 1, 2, 10))):
        if found.size:
            place = clock.randrange(found.size)
            old = int(found.flat[place])
            wanted = clock.choice((0, 1, old + 1, old - 1, old * 3, 2**31, 2**62, 2**63 - 1, -1, -(2**63), 10**12))
            found = found.astype(np.int64) if found.dtype.kind in "iu" else found
            found.flat[place] = wanted
    match clock.randrange(12):
        case 0:
            return found[:-1]
        case 1:
            return np.where(np.arange(found.size).reshape(found.shape) % 3 == 0, clock.choice((0.5, np.nan, np.inf)), found)
        case 2:
            return found.T
        case 3:
            return np.zeros_like(found)
        case 4:
            return found.reshape(-1)
        case 5:
            return np.concatenate([found, found])
    return found


def saved(counts: np.ndarray) -> bytes:
    """A .npy file."""
    buffer = io.BytesIO()
    np.save(buffer, counts, allow_pickle=False)
    return buffer.getvalue()


def change_counts(data: bytes, clock: random.Random) -> bytes:
    """A file of counts, or of several, with other numbers or other bytes."""
    if clock.random() < 0.4:
        return change_bytes(data, clock)
    if not data.startswith(b"PK"):
        return saved(change_numbers(np.load(io.BytesIO(data)), clock))
    with np.load(io.BytesIO(data)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    name = clock.choice(sorted(arrays))
    match clock.randrange(8):
        case 0:
            arrays[clock.choice(("unknown", "../../out", "first.more", "a\x1b[2J"))] = np.zeros(clock.choice((1, 30_000_000)), np.uint8)
        case 1:
            del arrays[name]
        case 2:
            arrays[name] = np.zeros((*arrays[name].shape[:1], 5_000_000), np.uint8)
        case 3:
            arrays[name] = np.frombuffer(change_bytes(arrays[name].tobytes(), clock), np.uint8)
        case _:
            arrays[name] = change_numbers(arrays[name], clock)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    if clock.random() < 0.1:  # a member twice
        with zipfile.ZipFile(buffer, "a") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.writestr(f"{name}.npy", b"")
    return buffer.getvalue()


def mutate(folder: Path, clock: random.Random) -> str:
    """Change one file of a folder, in half of the cases so that its checksums fit; which one."""
    path = clock.choice(sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")))
    is_sealed, data = clock.random() < 0.6, path.read_bytes()
    try:
        changed = (change_json if path.suffix == ".json" else change_counts)(data, clock)
    except Exception:  # it was changed before
        changed = change_bytes(data, clock)
    if path.name.startswith("batches-") and is_sealed:
        path.unlink()
        path = path.with_name(f"batches-{clock.randrange(99):013d}-{checksum(changed)[:16]}.npy")
    path.write_bytes(changed)
    if is_sealed:
        seal(path, changed)
    match clock.randrange(40):  # or something happens to the file itself
        case 0:
            path.unlink()
        case 1:
            other = clock.choice(sorted(folder.rglob("*")))
            if other.is_file() and other != path:
                shutil.copy(other, path)
    return f"{path.relative_to(folder)}{' (sealed)' if is_sealed else ''}"


def seal(path: Path, data: bytes) -> None:
    """Make the checksums in the manifests beside a file fit what it holds now."""
    if path.suffix in (".npy", ".npz"):
        for name in ("manifest.json", "balance.json"):
            edit(path.with_name(name), lambda plain: plain.update(counts_sha256=checksum(data)) if "counts_sha256" in plain else None)
    elif path.name in ("manifest.json", "run.json"):
        edit(path, reseal_experiment)


def edit(path: Path, change: Callable[[dict], object]) -> None:
    """Change a manifest, if it is one."""
    try:
        plain = json.loads(path.read_bytes())
        if isinstance(plain, dict):
            change(plain)
            path.write_text(json.dumps(plain), encoding="utf-8", errors="surrogatepass")
    except (OSError, ValueError, RecursionError):
        pass


def reseal_experiment(plain: dict) -> None:
    """Give an experiment that was changed its own hash, if it has one."""
    try:
        plain["experiment_hash"] = Experiment(**{name: tuple(value) if isinstance(value, list) else value for name, value in plain["experiment"].items()}).hash
    except Exception:  # it is none any more
        return
