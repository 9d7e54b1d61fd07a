"""Disk: files that are there whole or not at all, and folders that one run at a time may write into."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from lostlegacy_sim.errors import ResultError

try:
    import fcntl
except ImportError:  # not on every system; there nobody is kept out
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"


def read_file(path: Path, most: int) -> bytes:
    """What a file holds. Raises OSError if it is no file, or too large to be what it should be."""
    if path.exists() and not path.is_file():  # a pipe would be waited for without end
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes")
    return data


def write_file(path: Path, data: bytes) -> None:
    """Write a file through to the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file through to the disk under another name, then give it its own in one step. Raises OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        write_file(draft, data)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def reason(error: Exception) -> str:
    """What the system says is wrong, without its numbers."""
    return getattr(error, "strerror", None) or str(error)


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


def lock_file(path: Path, is_shared: bool) -> int | None:
    """The descriptor of a locked file, made if need be; None if another process has locked it. Raises OSError."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        if fcntl is None:
            return descriptor
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:  # a file system that knows no locks keeps nobody out
            return descriptor
        with suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                return descriptor
        os.close(descriptor)  # its last holder removed the file in the meantime
