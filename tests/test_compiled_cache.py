"""The cache of compiled code: whatever happens to its files, the answer is right and no traceback is seen."""

import os
import re
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from fake_game import FAKE, ask

from lostlegacy_sim import identity, jit, registry
from lostlegacy_sim.errors import ResultError
from lostlegacy_sim.identity import PACKAGE, compiled_files, counting_files
from lostlegacy_sim.result import recall, remember
from lostlegacy_sim.runner import play as play_deals

# Two kernels, one of which calls the other; prints the answer and how many were loaded instead of compiled.
PROGRAM = """
import sys
from lostlegacy_sim import jit
from kernels import twice
print(twice(21), sum(function.stats.cache_hits[next(iter(function.stats.cache_hits))] if function.stats.cache_hits else 0 for function in (twice,)))
"""
KERNELS = """
from lostlegacy_sim.jit import kernel


@kernel
def double(number):
    return 2 * number


@kernel
def twice(number):
    return double(number) + double(0)
"""


@pytest.fixture
def play(tmp_path):
    """Runs the program with a cache of its own; returns (answer, functions loaded)."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)

    def run(**changes):
        home = Path(__file__).parent.parent
        environment = os.environ | {"LLSIM_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{home}{os.pathsep}{tmp_path}"} | changes
        ran = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, env=environment, timeout=120)
        assert (ran.returncode, ran.stderr) == (0, "")
        return tuple(map(int, ran.stdout.split()))

    return run


def files(tmp_path):
    return sorted(path for path in (tmp_path / "cache").rglob("*") if path.suffix in (".nbi", ".nbc"))


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 0xFF
    path.write_bytes(data)


def lengthen(path):
    path.write_bytes(path.read_bytes() + b"more")


def into_folder(path):
    path.unlink()
    path.mkdir()


DAMAGES = {
    "flipped": flip,
    "longer": lengthen,
    "shorter": lambda path: path.write_bytes(path.read_bytes()[:-10]),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path: path.write_bytes(b""),
    "another pickle": lambda path: path.write_bytes(b"\x80\x04K\x01."),
    "text": lambda path: path.write_text("this is no machine code\n" * 50),
    "gone": Path.unlink,
    "a folder": into_folder,
}


def test_a_second_process_loads_what_the_first_has_compiled(play, tmp_path):
    assert play() == (42, 0)
    assert play() == (42, 1)
    assert {path.suffix for path in files(tmp_path)} == {".nbi", ".nbc"}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_damaged_file_is_compiled_anew_and_mended(play, tmp_path, suffix):
    play()
    for damage in DAMAGES.values():
        for path in files(tmp_path):
            if path.suffix == suffix:
                damage(path)
        assert play() == (42, 0)
        if damage is Path.unlink:
            assert play() == (42, 1)


def test_a_deleted_cache_is_made_again(play, tmp_path):
    play()
    for path in files(tmp_path):
        path.unlink()
    assert play() == (42, 0)
    assert play() == (42, 1)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions stop")
def test_a_cache_that_cannot_be_written_is_done_without(play, tmp_path):
    play()
    (folder,) = (tmp_path / "cache").iterdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert play() == (42, 0)
    folder.chmod(stat.S_IRWXU)


def test_where_no_cache_can_be_everything_is_compiled(play, tmp_path):
    (tmp_path / "file").write_text("")
    assert play(LLSIM_CACHE_DIR=str(tmp_path / "file")) == (42, 0)
    assert play(LLSIM_CACHE_DIR="", HOME="/proc/none", XDG_CACHE_HOME="") == (42, 0)


def test_a_disk_that_fills_up_while_it_is_compiled_costs_nothing(play, tmp_path):
    full = "import os\nfrom numba.core import caching\n\ndef fail(*words):\n    raise OSError(28, 'No space left on device')\n\n"
    program = (tmp_path / "program.py").read_text()
    (tmp_path / "program.py").write_text(full + program.replace("from kernels", "os.replace = fail\nfrom kernels"))
    assert play() == (42, 0)
    assert play() == (42, 0)


def test_twelve_cold_processes_at_once(play):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(play())) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer for answer, _ in answers] == [42] * 12


# --- whose folder it is ---------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs rights of users")
@pytest.mark.parametrize("open_one", ["cache", "."])
def test_a_cache_that_others_may_write_into_is_not_used_and_that_is_said_once(tmp_path, open_one):
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM + "import subprocess; subprocess.run([sys.executable, '-c', 'from lostlegacy_sim import jit'])")
    (tmp_path / "cache").mkdir(exist_ok=True)
    (tmp_path / open_one).chmod(0o777)
    environment = os.environ | {"LLSIM_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{Path(__file__).parent.parent}{os.pathsep}{tmp_path}"}
    for _ in range(2):
        ran = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, env=environment, timeout=120)
        assert (ran.returncode, ran.stdout) == (0, "42 0\n")
        which = (tmp_path / open_one).resolve()
        assert ran.stderr.startswith(f"Others may write into {which}, where the cache folder is: compiled code is run as it lies there")
        assert len(ran.stderr.splitlines()) == 1
    assert files(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs the right to give folders away")
def test_a_cache_of_another_user_is_not_used(tmp_path):
    from lostlegacy_sim.jit import who_else_writes

    inner = tmp_path / "theirs" / "cache"
    inner.mkdir(parents=True)
    assert who_else_writes(inner) == ""
    os.chown(inner, 12345, 12345)
    assert who_else_writes(inner) == f"The cache folder {inner} belongs to another user"
    os.chown(inner, 0, 0)
    os.chown(inner.parent, 12345, 12345)
    assert who_else_writes(inner) == f"The cache folder {inner} lies in {inner.parent}, which belongs to another user"


def run_program(tmp_path, cache):
    """(answer and functions loaded, what is said) of the program."""
    environment = os.environ | {"LLSIM_CACHE_DIR": str(cache), "PYTHONPATH": f"{Path(__file__).parent.parent}{os.pathsep}{tmp_path}"}
    ran = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, env=environment, timeout=120)
    assert ran.returncode == 0
    return ran.stdout.strip(), ran.stderr


def give_away(path):
    os.chown(path, 12345, 12345)


AS_ROOT = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs the right to give files away")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs rights of users")
@pytest.mark.parametrize("open_up", [lambda path: path.chmod(0o666), lambda path: path.parent.chmod(0o777), pytest.param(give_away, marks=AS_ROOT)], ids=["file", "folder", "owner"])
def test_files_that_others_may_write_are_compiled_anew(play, tmp_path, open_up):
    """Also inside a folder that is closed to them."""
    play()
    for path in files(tmp_path):
        assert path.stat().st_mode & 0o777 == 0o600  # whatever is usual here
        open_up(path)
    answer, said = run_program(tmp_path, tmp_path / "cache")
    assert answer == "42 0"
    assert said.startswith("Others may write into ")
    assert len(said.splitlines()) == 1
    for path in files(tmp_path):
        path.parent.chmod(0o700)
    assert play() == (42, 1)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_a_link_on_the_way_is_not_followed_twice(play, tmp_path):
    """What was looked at is what is used, wherever the link leads afterwards."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("one")
    turned = "from lostlegacy_sim import jit\nfrom pathlib import Path\nlink = Path(jit.os.environ['LLSIM_CACHE_DIR'])\nlink.unlink()\nlink.symlink_to('other')\n"
    (tmp_path / "program.py").write_text(turned + PROGRAM)
    assert run_program(tmp_path, tmp_path / "link") == ("42 0", "")
    assert [path.suffix for path in (tmp_path / "one").rglob("*.nb?")]
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs rights of users")
@pytest.mark.parametrize("name", [".", "last", "last/counts.npy", "last/manifest.json"])
def test_a_last_result_that_others_may_write_is_not_shown(tmp_path, monkeypatch, name):
    monkeypatch.setattr(jit, "cache_home", lambda: tmp_path / "cache")
    remember([play_deals(ask(2000), FAKE, 1)])
    assert recall()[0].deals == 2000
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "cache").rglob("*")} == {0}
    (tmp_path / "cache" / name).chmod(0o777)
    with pytest.raises(ResultError, match=r"^Others may write into .*, so the last result may be somebody else's and is not shown\."):
        recall()
    before = (tmp_path / "cache" / "last" / "counts.npy").stat().st_ino
    remember([play_deals(ask(2000), FAKE, 1)])
    is_new = (tmp_path / "cache" / "last" / "counts.npy").stat().st_ino != before
    assert is_new == (name != ".")  # where others may write, nothing is kept


def test_whatever_decides_what_machine_code_does_is_in_its_hash():
    """Every file that counts, and every one with a kernel."""
    hashed = {path.relative_to(PACKAGE).as_posix() for _, path in compiled_files()}
    assert {path.relative_to(PACKAGE).as_posix() for _, path in counting_files("lost_legacy")} <= hashed
    with_kernels = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if re.search(r"^@(kernel|inlined|intrinsic)\b", path.read_text(encoding="utf-8"), re.MULTILINE)}
    assert len(with_kernels) > 20
    assert with_kernels <= hashed


@pytest.mark.parametrize(("name", "is_seen"), [("games/lost_legacy/bots/trained/trained.json", True), ("tally.py", True),
                                               ("games/lost_legacy/research/exact/following.py", True), ("report/screen.py", False)])  # fmt: skip
def test_a_change_of_them_changes_the_folder(tmp_path, monkeypatch, name, is_seen):
    shutil.copytree(PACKAGE, tmp_path / "package", ignore=shutil.ignore_patterns("__pycache__"))
    before = jit.sources_hash()
    for module in (identity, registry):
        monkeypatch.setattr(module, "PACKAGE", tmp_path / "package")
    assert jit.sources_hash() == before
    changed = tmp_path / "package" / name
    with changed.open("ab") as file:
        file.write(b"\n")
    assert (jit.sources_hash() != before) == is_seen


def test_new_folders_are_nobody_elses(play, tmp_path):
    play()
    assert {path.stat().st_mode & 0o777 for path in [tmp_path / "cache", *(tmp_path / "cache").iterdir()]} == {0o700}
