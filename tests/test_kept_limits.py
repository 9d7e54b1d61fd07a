"""Kept answers that ask for more than there is: sizes are checked before memory is taken, numbers before they are worked with."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from kept_folders import edit, make_all

import lostlegacy_sim as ll
from lostlegacy_sim import plain
from lostlegacy_sim.arrays import Archive, read_array
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.experiment import Experiment, line_up
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.identity import identity_of
from lostlegacy_sim.studies.simulate import experiment_of
from lostlegacy_sim.studies.tournament import tournament_at
from lostlegacy_sim.tally import checksum

MEGABYTES = 200  # that reading may take on top of what an honest answer takes


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder of every kind."""
    home, here = tmp_path_factory.mktemp("kept"), Path.cwd()
    os.chdir(home)
    try:
        make_all(home)
    finally:
        os.chdir(here)
    return home


CHILD = """
import resource, sys
from pathlib import Path
import lostlegacy_sim as ll
for folder in sorted(Path("honest").iterdir()):
    str(ll.load(folder))  # everything that is needed is there
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]) * 1_000_000,) * 2)
for folder in sorted(Path("bombs").iterdir()):
    try:
        str(ll.load(folder))
        print(folder.name, "was read")
    except ll.ResultError as error:
        print(folder.name, "refused:", str(error)[:300])
try:
    bytes(2_000_000 * int(sys.argv[1]))
except MemoryError:
    print("the limit is one")
"""


def with_member(path, name, n_bytes):
    """Add an array of so many zeros to an archive, packed a thousandfold."""
    head = b"\x93NUMPY\x01\x00v\x00" + f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({n_bytes},), }}".encode().ljust(117) + b"\n"
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive, archive.open(f"{name}.npy", "w", force_zip64=True) as member:
        member.write(head)
        for _ in range(n_bytes // 1_000_000):
            member.write(bytes(1_000_000))


def replace_member(path, name, n_bytes):
    """The same in the place of a member that is there."""
    with zipfile.ZipFile(path) as archive:
        others = {one: archive.read(one) for one in archive.namelist() if one != f"{name}.npy"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, data in others.items():
            archive.writestr(one, data)
    with_member(path, name, n_bytes)


def seal(folder, name, manifest):
    edit(folder / manifest, lambda found: found.update(counts_sha256=checksum((folder / name).read_bytes())))


BOMBS = {
    "an unknown member": ("mixes", lambda folder: with_member(folder / "counts.npz", "unknown", 300_000_000)),
    "the sets": ("mixes", lambda folder: replace_member(folder / "counts.npz", "first.sets", 300_000_000)),
    "the counts": ("sweep", lambda folder: replace_member(folder / "counts.npz", "first-1.table", 300_000_000)),
    "a variant": ("balance", lambda folder: with_member(folder / "variants.npz", "0" * 64, 300_000_000)),
    "players": ("mixes", lambda folder: edit(folder / "manifest.json", lambda found: found["looks"]["first"]["table"].update(players=2**31))),
    "labels": ("single", lambda folder: edit(folder / "manifest.json", lambda found: found["labels"].append(["more", [10**6, 10**6]]))),
    "a label": ("single", lambda folder: edit(folder / "manifest.json", lambda found: found["labels"].append(["more", [2**62]]))),
    "deals": ("half", lambda folder: edit(folder / "run.json", lambda found: found["experiment"].update(deals=10**30))),
    "rows": ("mixes", lambda folder: edit(folder / "manifest.json", lambda found: found["looks"]["first"].update(rows=list(range(10**6))))),
    "mixtures": ("mixtures", lambda folder: edit(folder / "manifest.json", lambda found: found["parts"][0].update(bots=[str(n) for n in range(190)]))),
    "nesting": ("single", lambda folder: (folder / "manifest.json").write_text('{"schema":' + "[" * 2_000_000)),
    "empty lists": ("single", lambda folder: (folder / "manifest.json").write_text('{"schema": "llsim.result/1", "x": [' + "[]," * 1_300_000 + "[]]}")),
    "a long text": ("single", lambda folder: edit(folder / "manifest.json", lambda found: found["experiment"].update(set_name="x" * 3_000_000))),
}  # fmt: skip


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs a limit of memory")
def test_sizes_are_checked_before_memory_is_taken(kept, tmp_path):
    for kind in {kind for kind, _ in BOMBS.values()}:
        shutil.copytree(kept / kind, tmp_path / "honest" / kind)
    for name, (kind, plant) in BOMBS.items():
        bomb = tmp_path / "bombs" / name
        shutil.copytree(kept / kind, bomb)
        plant(bomb)
        for counts, manifest in (("counts.npz", "manifest.json"), ("variants.npz", "balance.json")):
            if (bomb / counts).exists():
                seal(bomb, counts, manifest)
    ran = subprocess.run([sys.executable, "-c", CHILD, str(MEGABYTES)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    *said, last = ran.stdout.splitlines()
    assert last == "the limit is one"
    assert [line.partition(" refused:")[0] for line in said] == sorted(BOMBS), ran.stdout


# --- numbers and texts ------------------------------------------------------------------------------------

CASES = {
    "a turn too many": ("single", "manifest.json", lambda found: found.update(longest_turns=2**70)),
    "no number": ("single", "manifest.json", lambda found: found["provenance"].update(seconds="long")),
    "text for a number": ("single", "manifest.json", lambda found: found["provenance"].update(threads="two")),
    "an escape in a name": ("several", "2-players/manifest.json", lambda found: found["provenance"].update(machine="\x1b[2J")),
    "an escape in a category": ("single", "manifest.json", lambda found: found["categories"].__setitem__(0, "\x1b[31m")),
    "an escape in an error": ("mixes", "manifest.json", lambda found: found["looks"]["first"].update(error="\x1b]0;x\x07")),
    "a number for an error": ("mixes", "manifest.json", lambda found: found["looks"]["first"].update(error=7)),
    "half a number of players": ("mixes", "manifest.json", lambda found: found["looks"]["first"]["table"].update(players=2.0)),
    "true deals": ("mixes", "manifest.json", lambda found: found["looks"]["first"]["table"].update(deals=True)),
    "a wide family": ("guidelines", "manifest.json", lambda found: found["facts"]["families"][0].update(bases="0")),
    "a point of numbers": ("sweep", "manifest.json", lambda found: found["facts"]["points"][0].update({"search.copies": 2})),
    "a hash of hashes": ("tournament", "manifest.json", lambda found: found["parts"][0].update(sources={"random": ["x"], "novice": ""})),
    "cards of numbers": ("balance", "balance.json", lambda found: found["tables"][0].update(cards=[1, 2])),
    "a card twice": ("balance", "balance.json", lambda found: found["tables"][0]["cards"].append(found["tables"][0]["cards"][0])),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_of_another_kind_is_a_sentence(kept, tmp_path, name):
    kind, path, change = CASES[name]
    shutil.copytree(kept / kind, tmp_path / "kept")
    edit(tmp_path / "kept" / path, change)
    ran = run("report", str(tmp_path / "kept"), "--list")
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert ran.err.isprintable() or "\x1b" not in ran.err


@pytest.mark.parametrize("value", [2**62, -1, 2**63 - 1, 1001 * 16])
def test_counts_that_cannot_be_are_refused(kept, tmp_path, value):
    shutil.copytree(kept / "single", tmp_path / "kept")
    counts = np.load(tmp_path / "kept" / "counts.npy")
    counts[0, 3] = value  # turns
    np.save(tmp_path / "kept" / "counts.npy", counts)
    seal(tmp_path / "kept", "counts.npy", "manifest.json")
    said = run("report", str(tmp_path / "kept"), "--list").err
    assert "it does not count the deals that manifest.json says" in said or "it holds a negative count" in said


def test_a_variant_of_which_no_deal_counts_has_no_numbers(kept, tmp_path):
    shutil.copytree(kept / "balance", tmp_path / "kept")
    with np.load(tmp_path / "kept" / "variants.npz") as archive:
        arrays = {name: np.zeros_like(archive[name]) for name in archive.files}
    np.savez_compressed(tmp_path / "kept" / "variants.npz", **arrays)
    seal(tmp_path / "kept", "variants.npz", "balance.json")
    found = ll.load(tmp_path / "kept")
    assert str(found).strip()
    for name in found.tables:
        assert len(found.table(name).columns)


@pytest.mark.parametrize("change", [lambda points: points[1].pop("search.copies"), lambda points: points[0].update(more="1"), lambda points: points.pop()])
def test_points_of_a_sweep_that_do_not_fit_together_are_refused(kept, tmp_path, change):
    shutil.copytree(kept / "sweep", tmp_path / "kept")
    edit(tmp_path / "kept" / "manifest.json", lambda found: change(found["facts"]["points"]))
    ran = run("explore", str(tmp_path / "kept"))
    assert (ran.code, ran.err) == (2, "This exploration is damaged: what its manifest says does not match its counts.\n")


def with_bases(facts):
    """The first family that is made from the legal mixes."""
    return next(family for family in facts["families"] if family["bases"])


@pytest.mark.parametrize(
    "change",
    [lambda facts: facts["legal"].pop(), lambda facts: facts["legal"].append("mix-none"), lambda facts: with_bases(facts)["bases"].__setitem__(0, 4),
     lambda facts: with_bases(facts)["members"].pop()],
)  # fmt: skip
def test_families_that_do_not_fit_their_sets_are_refused(kept, tmp_path, change):
    shutil.copytree(kept / "guidelines", tmp_path / "kept")
    edit(tmp_path / "kept" / "manifest.json", lambda found: change(found["facts"]))
    ran = run("report", str(tmp_path / "kept"), "--list")
    assert (ran.code, ran.err) == (2, "This exploration is damaged: what its manifest says does not match its counts.\n")


def test_counts_that_contradict_each_other_are_refused(kept, tmp_path):
    shutil.copytree(kept / "single", tmp_path / "kept")
    counts = np.load(tmp_path / "kept" / "counts.npy")
    counts[0, 2] = counts[0, 0] + 1  # deals nobody won
    np.save(tmp_path / "kept" / "counts.npy", counts)
    seal(tmp_path / "kept", "counts.npy", "manifest.json")
    assert "its counts contradict each other (deals nobody won)" in run("report", str(tmp_path / "kept"), "--list").err


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "-1e400", "9" * 30, '"\\u001b"', '"a\\u0000"', '"\\ud800"', '"\\u009b"', '"\\u2028"', '{"a": 1, "a": 2}', "[" * 20 + "]" * 20,
                                  '{"\\u0007": 1}', "\ufeff\ufeff1", "01", ""])  # fmt: skip
def test_what_no_file_of_ours_holds_is_not_parsed(text):
    with pytest.raises(ValueError, match="."):
        plain.parse(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b"\x80", "{}".encode("utf-16"), b'{"a": "\xc3"}'])
def test_other_encodings_are_not_parsed(data):
    with pytest.raises(ValueError, match="."):
        plain.parse(data)


def test_every_kind_reads_what_it_says_and_nothing_else():
    table = plain.Plain({"n": 3, "x": 0.5, "t": "text", "f": True, "l": [1, 2], "p": ["a", [1]], "d": {"a": "b"}, "none": None, "long": "a\nb"}, "here")
    assert table.read("n", plain.whole(1, 3)) == 3
    assert table.read("n", plain.number()) == 3.0
    assert table.read("l", plain.several(plain.whole(), 2)) == (1, 2)
    assert table.read("p", plain.both(plain.LINE, plain.several(plain.whole(), 1))) == ("a", (1,))
    assert table.read("d", plain.by_name(plain.LINE, 1)) == {"a": "b"}
    assert table.read("none", plain.perhaps(plain.LINE)) is None
    assert table.read("long", plain.LINES) == "a\nb"
    assert table.read("f", plain.FLAG) is True
    wrong = [("n", plain.whole(4, 9)), ("f", plain.whole()), ("x", plain.whole()), ("t", plain.number()), ("n", plain.LINE), ("long", plain.LINE), ("l", plain.several(plain.whole(), 1)),
             ("l", plain.several(plain.LINE, 2)), ("d", plain.several(plain.LINE, 2)), ("t", plain.several(plain.LINE, 9)), ("p", plain.both(plain.LINE, plain.LINE)), ("n", plain.FLAG),
             ("d", plain.by_name(plain.whole(), 3)), ("none", plain.LINE), ("gone", plain.perhaps(plain.LINE)), ("t", plain.one_of(("a", "b"))), ("t", plain.HASH), ("l", plain.TABLE)]  # fmt: skip
    for name, kind in wrong:
        with pytest.raises(ResultError, match=rf"^here is damaged: {name} is missing or not "):
            table.read(name, kind)
    with pytest.raises(ResultError, match=r"^here is damaged: d\.a is missing or not a whole number from 0 to 9\."):
        table.table("d").read("a", plain.whole(0, 9))


@pytest.mark.parametrize("data", [{"a": "\x1b"}, {"a": float("nan")}, {"a": {"\ud800": 1}}, {"a": [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}])
def test_what_could_not_be_read_is_not_written(data):
    with pytest.raises(ValueError, match="."):
        plain.unparse(data)


def test_what_is_written_is_read():
    data = {"a": [1, 0.5, None, True, "é\nü"], "b": {"c": "x"}}
    assert plain.parse(plain.unparse(data)) == data
    assert plain.on_lines({"a\n": ["\x1b", 1, ("\ud800",)]}) == {"a?": ["?", 1, ["?"]]}


def test_a_sweep_file_of_any_name_is_kept_and_read(kept, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("two\nlines.toml", "\x1b[2J.toml", "half\udce9.toml")):
        Path(name).write_text((kept.parent / kept.name / "sweep.toml").read_text())
        assert run("explore", name, "-q", "--threads", "1", "--out", f"out{number}").code == 0
        assert run("explore", f"out{number}", "-q").code == 0


@pytest.mark.parametrize("game", ["/", "../..", "", "a b", "\x1b"])
def test_a_game_named_in_a_file_leads_nowhere(game):
    with pytest.raises(ResultError, match="There is no game"):
        identity_of(game)


# --- arrays -----------------------------------------------------------------------------------------------


def bytes_of(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


@pytest.mark.parametrize("array", [np.arange(12).reshape(3, 4), np.array([1.5, 2.0]), np.zeros((0, 5), np.uint8), np.array(7, np.int32), np.asfortranarray(np.arange(6).reshape(2, 3)), np.arange(3, dtype=np.uint16)])  # fmt: skip
def test_arrays_come_back_as_they_were(array):
    found = read_array(bytes_of(array))
    assert found.dtype == array.dtype
    assert np.array_equal(found, array)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x93NUMPY", bytes_of(np.array([1.5, np.nan])), bytes_of(np.arange(3))[:-1], bytes_of(np.arange(3)) + b"\x00", bytes_of(np.array(["a"])), bytes_of(np.array([1j])),
     bytes_of(np.arange(3, dtype=">i8")), bytes_of(np.arange(3)).replace(b"(3,)", b"(4,)"), bytes_of(np.arange(3)).replace(b"'<i8'", b"'|O8'"), bytes_of(np.arange(3, dtype=np.float16))],
)  # fmt: skip
def test_other_arrays_are_refused(data):
    with pytest.raises(ValueError, match="."):
        read_array(data)


def test_an_archive_gives_what_is_expected_and_nothing_else():
    buffer = io.BytesIO()
    np.savez_compressed(buffer, counts=np.arange(6, dtype=np.uint8).reshape(2, 3), text=np.frombuffer(b"hello", np.uint8), large=np.array([2**63], np.uint64))
    archive = Archive(buffer.getvalue())
    assert archive.names == {"counts", "text", "large"}
    assert archive.numbers("counts", (2, 3)).dtype == np.int64
    assert archive.text("text", 5) == b"hello"
    for name, shape in (("counts", (3, 2)), ("counts", (2, 4)), ("counts", (0,)), ("text", (4,)), ("large", (1,))):
        with pytest.raises(ValueError, match="."):
            archive.numbers(name, shape)
    with pytest.raises(KeyError):
        archive.numbers("gone", (1,))


@pytest.mark.parametrize("compression", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_archives_packed_in_other_ways_are_refused(compression):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        archive.writestr("counts.npy", bytes_of(np.arange(6)))
    with pytest.raises(ValueError, match="packed in another way"):
        Archive(buffer.getvalue()).numbers("counts", (6,))


# --- before anything is made ------------------------------------------------------------------------------


def test_no_table_is_laid_for_more_players_than_any_game_has():
    with pytest.raises(UsageError, match="So many players cannot sit at a table"):
        line_up(["random"], 2**40)


def test_matches_are_numbered_before_they_are_listed():
    game = find_game("lost_legacy")
    table = experiment_of(game, printed("starship"), 6, ["random"], 100, 1)
    with pytest.raises(UsageError, match=r"more than 2,000 cannot be played at once"):
        tournament_at(table, [(str(number), "") for number in range(150)], True)


@pytest.mark.parametrize("word", ["a\x1bb", "two\nlines", "x" * 5001, "half\ud800"])
def test_what_cannot_be_read_again_is_not_asked(word):
    game = find_game("lost_legacy")
    asked = experiment_of(game, printed("starship"), 2, ["random"], 100, 1).to_plain()
    for name, value in (("set_name", word), ("set_id", word), ("bots", (word, word))):
        with pytest.raises(UsageError, match="is too long a name, or holds control characters"):
            Experiment(**{key: tuple(inner) if isinstance(inner, list) else inner for key, inner in (asked | {name: value}).items()})


def test_a_manifest_that_was_changed_is_json(kept):
    assert json.loads((kept / "single" / "manifest.json").read_text())["schema"] == "llsim.result/1"
