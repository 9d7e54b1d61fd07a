"""Frames: rows of data as pandas DataFrames, and as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lostlegacy_sim.disk import save
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.estimate import Estimate
from lostlegacy_sim.letters import as_cell
from lostlegacy_sim.report.tables import Table

if TYPE_CHECKING:
    from pandas import DataFrame

INDEXED = re.compile(r"(?P<family>\w+)\[(?P<index>.+)\]")
SEATS = ("legacy_hand",)  # families of a seat whose name does not end in _seat


def frame(table: Table) -> DataFrame:
    """The table as a DataFrame; NaN where there is no number."""
    import pandas

    return pandas.DataFrame(list(table.rows), columns=list(table.columns))


def with_texts(found: DataFrame, change: Callable[[Any], Any]) -> DataFrame:
    """The same with all its texts changed, headings as well; numbers and their types stay."""
    from pandas.api.types import is_numeric_dtype

    texts = {column: found[column].map(change) for column in found.columns if not is_numeric_dtype(found[column])}
    return found.assign(**texts).rename(columns=change)


def estimate_rows(estimates: Iterable[Estimate], bots: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """A row an estimate, told apart by seat, bot or card where it speaks of one; `bots`: of the table."""
    fills = bots[0] if len(set(bots)) == 1 else None
    for found in estimates:
        match = INDEXED.fullmatch(found.name)
        family, index = (match["family"], match["index"]) if match else (found.name, None)
        is_seat = index is not None and (family.endswith("_seat") or family in SEATS)
        is_bot = index is not None and family.endswith("_bot")
        yield {
            "measure": found.name,
            "family": family if is_seat or is_bot else found.name,
            "seat": int(index) if is_seat and index else None,
            "bot": index if is_bot else fills,
            "index": None if is_seat or is_bot else index,
            "estimate": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "unit": found.unit,
            "method": found.method,
            "meaning": found.meaning,
        }  # fmt: skip


# --- files ----------------------------------------------------------------------------------------------


def free_file(path: str | Path, replace: bool) -> Path:
    """A file that may be written. Raises ResultError if one would be lost, or there is no folder for it."""
    path = Path(path)
    if path.is_dir():
        raise ResultError(f"{path} is a folder; name a file.")
    if path.exists() and not replace:
        raise ResultError(f"{path} exists already; name another file, or say replace=True.")
    if not path.parent.is_dir():
        raise ResultError(f"There is no folder {path.parent} to write {path.name} into.")
    return path


def write_csv(found: DataFrame, path: str | Path, replace: bool) -> None:
    """Write a table as CSV: a line of headings, an empty cell where there is no number, no formula. Raises ResultError."""
    save(free_file(path, replace), with_texts(found, as_cell).to_csv(index=False).encode())


def write_parquet(found: DataFrame, path: str | Path, replace: bool) -> None:
    """Write a table as Parquet. Raises UsageError without pyarrow, ResultError if the file cannot be written."""
    path = free_file(path, replace)
    try:
        import pyarrow  # noqa: F401  # pandas asks for it in a paragraph
    except ImportError:
        raise UsageError("Parquet files need pyarrow; install it with: pip install 'lostlegacy_sim[parquet]'.") from None
    buffer = BytesIO()
    found.to_parquet(buffer, index=False, engine="pyarrow")
    save(path, buffer.getvalue())
