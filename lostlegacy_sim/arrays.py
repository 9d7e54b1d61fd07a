"""Arrays: files of numbers (.npy) and archives of them (.npz), of which nothing is taken at its word: sizes are checked before memory is."""

from __future__ import annotations

import math
import re
import zipfile
import zlib
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The only files that hold the numbers of an array; nothing else is read.
HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '(\|[iu]1|<[iu][248]|<f[48])', 'fortran_order': (True|False), 'shape': \(((?:[0-9]{1,15}, ?)*(?:[0-9]{1,15})?)\), \} *\n",
    re.DOTALL,
)
MOST_HEADER = 1000  # bytes
MOST_MEMBERS = 10_000
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may take gigabytes before they give anything


def read_array(data: bytes) -> NDArray[Any]:
    """The numbers of a .npy file. Raises ValueError for any other file, or for numbers that are none."""
    header = HEADER.match(data[:MOST_HEADER])
    if header is None or header.end() != 10 + int.from_bytes(header[1], "little"):
        raise ValueError("not a table of numbers")
    shape, form = tuple(int(size) for size in header[4].split(b",") if size.strip()), np.dtype(header[2].decode())
    if math.prod(shape) * form.itemsize != len(data) - header.end():
        raise ValueError("not as many numbers as it says")
    found = np.frombuffer(data, form, offset=header.end()).reshape(shape, order="F" if header[3] == b"True" else "C")
    if form.kind == "f" and not np.isfinite(found).all():
        raise ValueError("a number is none")
    return found


class Archive:
    """The members of a .npz file, each read when it is asked for, and no more of it than is expected."""

    def __init__(self, data: bytes) -> None:
        """Raises ValueError if it is no archive."""
        if data.count(b"PK\x01\x02") > MOST_MEMBERS:  # the beginning of every entry of its directory
            raise ValueError("too many members")
        try:
            self.file = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, OSError, NotImplementedError, UnicodeDecodeError) as error:
            raise ValueError(str(error)) from None
        members = self.file.infolist()
        self.members = {member.filename: member for member in members}
        if len(self.members) < len(members):
            raise ValueError("a member is there twice")

    @property
    def names(self) -> set[str]:
        """The names of its arrays."""
        return {name.removesuffix(".npy") for name in self.members}

    def numbers(self, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """An array of this very shape: int64, or float64 if it holds no whole numbers. Raises ValueError or KeyError."""
        found = read_array(self.unpacked(name, 8 * math.prod(shape)))
        if found.shape != shape:
            raise ValueError(f"{name} is of another shape")
        if found.dtype.kind == "u" and found.size and int(found.max()) > np.iinfo(np.int64).max:
            raise ValueError(f"{name} holds a number that is too large")
        return found.astype(np.float64 if found.dtype.kind == "f" else np.int64)

    def text(self, name: str, most: int) -> bytes:
        """An array of bytes. Raises ValueError or KeyError."""
        found = read_array(self.unpacked(name, most))
        if found.dtype != np.uint8 or found.ndim != 1:
            raise ValueError(f"{name} is no text")
        return found.tobytes()

    def unpacked(self, name: str, most: int) -> bytes:
        """The file of one array, whose numbers take at most so many bytes. Raises ValueError or KeyError."""
        member = self.members[f"{name}.npy"]
        if member.file_size > most + MOST_HEADER or member.compress_type not in COMPRESSIONS or member.flag_bits & 1:
            raise ValueError(f"{name} is larger than it should be, or packed in another way")
        try:
            with self.file.open(member) as file:
                data = file.read(most + MOST_HEADER + 1)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError) as error:
            raise ValueError(str(error)) from None
        if len(data) > most + MOST_HEADER:
            raise ValueError(f"{name} is larger than it should be")
        return data
