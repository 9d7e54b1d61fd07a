"""A disk that fails: from any operation on, as one does that is full, or for a process that has been killed."""

import os
from pathlib import Path


class Cut(BaseException):
    """The end of a process: from now on the disk hears nothing."""


def full() -> OSError:
    """What a full disk says."""
    return OSError(28, "No space left on device")


class Disk:
    """Counts what is done to the disk and, from the given operation on, answers all that needs space, or all of it, with an error."""

    def __init__(self, monkeypatch, fails_at, error):
        self.fails_at, self.error, self.done = fails_at, error, 0
        for owner, name in ((os, "fsync"), (Path, "mkdir"), (Path, "replace"), (Path, "unlink"), (Path, "rename"), (Path, "rmdir")):
            if error is Cut or name in ("fsync", "mkdir"):
                monkeypatch.setattr(owner, name, self.counted(getattr(owner, name)))
        plain_open = os.open
        monkeypatch.setattr(os, "open", lambda path, flags, *words, **named: self.counted(plain_open, flags & os.O_CREAT)(path, flags, *words, **named))

    def counted(self, function, is_counted=True):
        def call(*words, **named):
            if is_counted:
                self.done += 1
                if self.done > self.fails_at:
                    raise self.error()
            return function(*words, **named)

        return call
