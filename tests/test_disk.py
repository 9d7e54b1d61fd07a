"""Disk: drafts that nobody can foresee, follow out of their folder, or find again after a process was killed."""

import os
import secrets
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lostlegacy_sim.disk import DRAFT, Draft, FolderLock, is_child, save, sweep, write_file, write_whole
from lostlegacy_sim.errors import ResultError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs links and locks")

FOREIGN = b"somebody else's"


@pytest.fixture
def foreign(tmp_path):
    """A file outside the folder that is written into, and that folder."""
    (tmp_path / "in").mkdir()
    path = tmp_path / "foreign"
    path.write_bytes(FOREIGN)
    return path


def test_a_file_is_there_whole_with_the_usual_mode(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a", b"one")
        Draft(tmp_path / "b", is_folder=True).rename(tmp_path / "b")
    finally:
        os.umask(before)
    write_whole(tmp_path / "a", b"two" * 100_000)
    assert (tmp_path / "a").read_bytes() == b"two" * 100_000
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) in (0o640, 0o644)
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o750
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_the_mode_is_that_of_the_umask(tmp_path):
    before = os.umask(0o077)
    try:
        write_whole(tmp_path / "a", b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_no_draft_has_the_name_of_another(tmp_path):
    names = {Draft(tmp_path / "a").path.name for _ in range(50)}
    assert len(names) == 50
    assert all(DRAFT.fullmatch(name) for name in names)


@pytest.mark.parametrize("plant", [lambda path, foreign: path.symlink_to(foreign), lambda path, foreign: path.write_bytes(b"x")], ids=["link", "file"])
def test_what_is_planted_in_the_place_of_a_draft_is_not_written_into(tmp_path, foreign, monkeypatch, plant):
    monkeypatch.setattr(secrets, "token_hex", lambda n: "0" * 2 * n)  # as if it could be foreseen
    planted = tmp_path / "in" / f".manifest.json.{'0' * 16}.draft"
    plant(planted, foreign)
    was = planted.read_bytes()
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "in" / "manifest.json", b"ours")
    assert planted.read_bytes() == was
    assert foreign.read_bytes() == FOREIGN
    with pytest.raises(FileExistsError):
        write_file(planted, b"ours")
    assert foreign.read_bytes() == FOREIGN


def test_a_link_is_replaced_and_not_followed(tmp_path, foreign):
    (tmp_path / "in" / "manifest.json").symlink_to(foreign)
    write_whole(tmp_path / "in" / "manifest.json", b"ours")
    assert foreign.read_bytes() == FOREIGN
    assert (tmp_path / "in" / "manifest.json").read_bytes() == b"ours"


def test_a_lock_is_no_link(tmp_path, foreign):
    (tmp_path / "in" / ".lock").symlink_to(tmp_path / "made")
    with pytest.raises(OSError, match="symbolic link"):
        FolderLock(tmp_path / "in")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("name", ["a" * 255, "é" * 120, "new\nline", "page.html"])
def test_a_name_of_any_length_can_be_written(tmp_path, name):
    save(tmp_path / name, b"x")
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a", "a\\b", "c:", "a\x00", "\x1b[2J", "a\nb", ".hidden", "x" * 300, "\u202eevil", "\udce9"])
def test_names_that_lead_out_of_a_folder_are_none(name):
    assert not is_child(name)
    assert is_child("3-players")
    assert is_child("7-careful-among-random")


# --- what killed processes leave --------------------------------------------------------------------------

KILLED = """
import os, sys, time
from pathlib import Path
from lostlegacy_sim.disk import Draft
for is_folder in (False, True):
    draft = Draft(Path(sys.argv[1]) / "page.html", is_folder)
    if is_folder:
        (draft.path / "counts.npy").write_bytes(b"x")
print("written", flush=True)
time.sleep(60)
"""


@pytest.fixture
def writer(tmp_path):
    """A process that is writing two drafts."""
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "written\n"
        yield process
        process.kill()


def test_what_a_killed_process_left_is_swept_up_and_what_is_being_written_is_not(tmp_path, writer):
    (tmp_path / "page.html.bak").write_text("mine")
    (tmp_path / ".page.html.draft").write_text("mine")
    sweep(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    sweep(tmp_path, "other.html")
    assert len(list(tmp_path.iterdir())) == 4
    save(tmp_path / "page.html", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".page.html.draft", "page.html", "page.html.bak"]


def test_sweeping_follows_no_link(tmp_path, foreign):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "letter").write_text("dear")
    folder = tmp_path / "in"
    (folder / f".a.{'0' * 16}.draft").symlink_to(tmp_path / "outside")
    (folder / f".b.{'0' * 16}.draft").symlink_to(foreign)
    (folder / f".c.{'0' * 16}.draft").mkdir()
    (folder / f".c.{'0' * 16}.draft" / "link").symlink_to(tmp_path / "outside")
    os.mkfifo(folder / f".d.{'0' * 16}.draft")
    sweep(folder)
    assert sorted(path.name[1] for path in folder.iterdir()) == ["a", "b"]
    assert (tmp_path / "outside" / "letter").read_text() == "dear"
    assert foreign.read_bytes() == FOREIGN


def test_a_file_that_cannot_be_written_leaves_no_draft(tmp_path, monkeypatch):
    def full(*words):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResultError, match=r"page.html cannot be written: No space left on device."):
        save(tmp_path / "page.html", b"x")
    assert list(tmp_path.iterdir()) == []
    assert not Path(tmp_path / "page.html").exists()
