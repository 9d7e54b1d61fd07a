"""Disk: files that are there whole or not at all, and folders that one run at a time may write into."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from lostlegacy_sim.errors import OutputError, ResultError

try:
    import fcntl
except ImportError:  # not on every system; there nobody is kept out
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG, errno.EIO)  # no fault of the name
DRAFT = re.compile(r"\.(.*)\.[0-9a-f]{16}\.draft", re.DOTALL)
NAMED = 40  # characters of a name that its draft is called by
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | NO_LINK
FOLDER = getattr(os, "O_DIRECTORY", 0)  # 0 where a folder cannot be opened


# --- reading --------------------------------------------------------------------------------------------


def read_file(path: Path, most: int) -> bytes:
    """What a file holds. Raises OSError if it is no file, or too large to be what it should be."""
    if path.exists() and not path.is_file():  # a pipe would be waited for without end
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        data = file.read(min(os.fstat(file.fileno()).st_size, most) + 1)  # so much memory is taken, whether it is there or not
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes")
    return data


def is_child(name: str) -> bool:
    """Whether a name that somebody else has written down is that of a thing inside a folder, and no way out of it."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set('/\\:') and 0 < len(os.fsencode(name)) < 256


# --- writing --------------------------------------------------------------------------------------------


class Draft:
    """A file or folder that is being written, under a name that no reader looks for and nobody can foresee.

    It is locked for as long as this process lives, so that what a killed one has left is told from what is being written.
    """

    def __init__(self, path: Path, is_folder: bool = False) -> None:
        """The draft of `path`, beside it. Raises OSError."""
        while True:
            self.path = path.with_name(f".{path.name[:NAMED]}.{secrets.token_hex(8)}.draft")
            self.descriptor = new_folder(self.path) if is_folder else os.open(self.path, NEW_FILE, 0o666)
            if self.descriptor is None or (try_lock(self.descriptor) is not False and is_at(self.descriptor, self.path)):
                return
            self.let_go()  # it was swept up before it was locked

    def rename(self, path: Path) -> None:
        """Give it a name, in one step; a file takes the place of one that is there. Raises OSError."""
        if fcntl is None:
            self.let_go()  # where nothing is swept up, nothing that is open can be renamed either
        self.path.replace(path)
        self.let_go()
        sync(path.parent)

    def let_go(self) -> None:
        """Whoever finds it now may remove it."""
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def remove(self) -> None:
        """Leave nothing behind, as far as the system lets us."""
        try:
            with suppress(OSError):
                shutil.rmtree(self.path) if self.path.is_dir() else self.path.unlink(missing_ok=True)
        finally:
            self.let_go()


def new_folder(path: Path) -> int | None:
    """Make a folder and open it, None where that cannot be done. Raises OSError."""
    path.mkdir()
    return os.open(path, FOLDER | NO_LINK) if FOLDER else None


def is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file is still the one of this name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    return False


def write_through(descriptor: int, data: bytes) -> None:
    """Write into an open file, down to the disk. Raises OSError."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
    os.fsync(descriptor)


def write_file(path: Path, data: bytes) -> None:
    """Write a new file through to the disk: for a folder that is a draft itself. Raises OSError, also if there is one."""
    descriptor = os.open(path, NEW_FILE, 0o666)
    try:
        write_through(descriptor, data)
    finally:
        os.close(descriptor)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file through to the disk as a draft, then give it its name in one step. Raises OSError."""
    draft = Draft(path)
    try:
        assert draft.descriptor is not None
        write_through(draft.descriptor, data)
        draft.rename(path)
    except BaseException:
        draft.remove()
        raise


def save(path: Path, data: bytes) -> None:
    """Write a file that somebody has named, and remove what killed processes have left of it. Raises ResultError, OutputError on a full disk."""
    try:
        sweep(path.parent, path.name)
        write_whole(path, data)
    except (OSError, ValueError) as error:
        failed = OutputError if getattr(error, "errno", None) in FULL else ResultError
        raise failed(f"{path} cannot be written: {reason(error)}.") from None


def sweep(folder: Path, name: str = "") -> None:
    """Remove the drafts of a name, or all in a folder, that killed processes have left; what is being written stays."""
    with suppress(OSError):
        for path in folder.iterdir():
            match = DRAFT.fullmatch(path.name)
            if match is not None and name[:NAMED] in ("", match[1]):
                with suppress(OSError):
                    remove_left(path)


def remove_left(path: Path) -> None:
    """Remove a draft if nobody is writing it; where nothing is locked, none is removed. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | NO_LINK)
    try:
        if fcntl is not None and try_lock(descriptor):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    finally:
        os.close(descriptor)


def is_scratch(path: Path) -> bool:
    """Whether it is no content of its folder: a lock, or a draft."""
    return path.name.startswith(LOCK) or DRAFT.fullmatch(path.name) is not None


def sync(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if FOLDER:
        descriptor = os.open(folder, FOLDER)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def reason(error: Exception) -> str:
    """What the system says is wrong, without its numbers."""
    return getattr(error, "strerror", None) or str(error)


# --- one at a time ----------------------------------------------------------------------------------------


class FolderLock:
    """The right to write into a folder, held until it is released or the process ends, however it ends."""

    def __init__(self, folder: Path, part: str = "") -> None:
        """Of all runs one at a time may write; runs of different parts may write together.

        Raises ResultError if another run is writing, OSError if no file can be made there.
        """
        self.paths = [folder / LOCK] + ([folder / f"{LOCK}-{part}"] if part else [])
        self.descriptors: list[int] = []
        for path in self.paths:
            is_shared = bool(part) and path.name == LOCK
            descriptor = lock_file(path, is_shared)
            if descriptor is None:
                self.release()
                whose = f"Part {part.replace('-', ' ')} is being played" if path.name != LOCK else "Another run is writing"
                raise ResultError(f"{whose} into {folder}; nothing was played. Wait for its end, or give --out another folder.")
            self.descriptors.append(descriptor)

    def release(self, remove: bool = False) -> None:
        """Let others in; `remove`: leave no file behind, which only the one run of a folder may ask for."""
        try:
            for path in self.paths[0].parent.glob(f"{LOCK}*") if remove else ():
                with suppress(OSError):
                    path.unlink()
        finally:
            while self.descriptors:
                os.close(self.descriptors.pop())


def try_lock(descriptor: int, is_shared: bool = False) -> bool | None:
    """Lock an open file: whether nobody else has; None where no locks are known, and nobody is kept out."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def lock_file(path: Path, is_shared: bool) -> int | None:
    """The descriptor of a locked file, made if need be; None if another process has locked it. Raises OSError."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, 0o666)
        is_free = try_lock(descriptor, is_shared)
        if is_free is None or (is_free and is_at(descriptor, path)):
            return descriptor
        os.close(descriptor)
        if not is_free:
            return None  # else its last holder removed the file in the meantime
