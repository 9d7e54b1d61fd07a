"""Found: what any answer can do in Python: print itself, give its tables, be kept and be shown on a page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lostlegacy_sim.destination import Destination
from lostlegacy_sim.disk import save
from lostlegacy_sim.errors import ResultError, UsageError, nearest
from lostlegacy_sim.letters import harmless
from lostlegacy_sim.notebook.frames import frame, free_file, with_texts, write_csv, write_parquet
from lostlegacy_sim.report.section import all_tables
from lostlegacy_sim.report.shown import Shown

if TYPE_CHECKING:
    from pandas import DataFrame


class Found(ABC):
    """An answer. `print(found)` shows it as the command line does."""

    main_table: str  # the one that is meant if none is named

    @abstractmethod
    def lines(self) -> Iterable[str]:
        """The answer as the command line prints it."""

    @abstractmethod
    def fill(self, folder: Path) -> None:
        """Write the counts into an empty folder."""

    @abstractmethod
    def show(self) -> Shown:
        """Sections with charts and tables."""

    def frames(self) -> dict[str, Callable[[], DataFrame]]:
        """Tables that a page does not have, by name."""
        return {}

    @cached_property
    def shown(self) -> Shown:
        """The sections of its page."""
        return self.show()

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of all tables."""
        return tuple(dict.fromkeys([*self.frames(), *(table.name for table in all_tables(self.shown.sections))]))

    def table(self, name: str = "") -> DataFrame:
        """A table as a DataFrame; rates and their differences from 0 to 1, NaN where there is no number.

        Without a name the main one. Raises UsageError naming the tables there are.
        """
        name = name or self.main_table
        own = self.frames()
        if name not in own and name not in self.tables:
            raise UsageError(f"There is no table '{name}' here.{nearest(name, self.tables)}")
        found = own[name]() if name in own else frame(next(table for table in all_tables(self.shown.sections) if table.name == name))
        return with_texts(found, lambda cell: harmless(cell) if isinstance(cell, str) else cell)

    def to_csv(self, path: str | Path, table: str = "", *, replace: bool = False) -> None:
        """Write a table as CSV. Raises UsageError for an unknown table, ResultError if the file exists or cannot be written."""
        write_csv(self.table(table), path, replace)

    def to_parquet(self, path: str | Path, table: str = "", *, replace: bool = False) -> None:
        """Write a table as Parquet, for which pyarrow is needed. Raises UsageError or ResultError."""
        write_parquet(self.table(table), path, replace)

    def save(self, folder: str | Path) -> None:
        """Keep the counts in a folder that does not exist yet; `load` reads them. Raises ResultError."""
        folder = Path(folder)
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise ResultError(f"{folder} exists already; name a folder that does not exist yet.")
        with Destination(folder, []) as destination:
            destination.fill(self.fill)

    def report(self, path: str | Path, chart: str = "", *, replace: bool = False) -> None:
        """Write the page (.html), or one chart (.png, .svg). Raises UsageError or ResultError."""
        path = free_file(path, replace)
        ending = path.suffix.lower()
        if ending not in ((".png", ".svg") if chart else (".html", ".htm")):
            raise UsageError(f"{path}: {'a chart is a file ending in .svg or .png' if chart else 'a page is a file ending in .html'}.")
        save(path, self.shown.picture(chart, ending) if chart else self.shown.html().encode())

    @abstractmethod
    def summary(self) -> str:
        """What this is, on a line."""

    def __repr__(self) -> str:
        return f"<{harmless(self.summary())}>"

    def __str__(self) -> str:
        return "\n".join(harmless(line).rstrip() for line in self.lines())
