"""`llsim report`: saved results as one page, as single charts or as tables. It never simulates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.bot_files import name_bot_files
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import print_csv, print_json, say
from lostlegacy_sim.disk import save
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.games import find_game
from lostlegacy_sim.report.section import Section, all_tables, find_table
from lostlegacy_sim.report.shown import choose, shown_of

EXAMPLES = (
    ("llsim report last -o page.html", "the last result as a page"),
    ("llsim report run1 run2 -o page.html", "kept results side by side"),
    ("llsim report run1 --chart seats -o seats.svg", "a single chart, SVG or PNG"),
    ("llsim report run1 --table measures", "the numbers as CSV"),
    ("llsim report mixes -o mixes.html", "what llsim explore --out mixes kept"),
    ("llsim report run1 --list", "which charts and tables there are"),
)
PICTURES = (".svg", ".png")
PAGES = (".html", ".htm")


@command("report", EXAMPLES)
@click.argument("results", nargs=-1, required=True, metavar="RESULT...")
@click.option("-o", "--output", metavar="FILE", default=None,
              help="The file to write: .html for a page, .svg or .png for a chart, .csv for a table.")  # fmt: skip
@click.option("--chart", metavar="NAME", default=None, help="Only this chart.")
@click.option("--table", metavar="NAME", default=None, help="Only this table, as CSV; printed unless -o names a file.")
@click.option("--list", "listed", is_flag=True, help="Only say which charts and tables there are.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@click.option("--bots", type=options.Checked("FILES", options.read_bots), default=(),
              help="Bot files of the results that may play, to tell single deals.")  # fmt: skip
@options.as_json
@options.quiet
def report(
    results: Sequence[str], output: str | None, chart: str | None, table: str | None, listed: bool, force: bool, bots: Sequence[str],
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Show saved results: the answers first, then charts with their numbers, then how they were found.

    RESULT is the folder of a kept result, or the word last; or the folder of a kept exploration, alone.
    """
    check_words(output, chart, table, listed, as_json)
    destination = Path(output) if output is not None else None
    if destination is not None:
        refuse_existing(destination, force)
    if bots:
        experiments = [result.experiment for word in results for _, result in choose(word)]
        name_bot_files(find_game(experiments[0].game), experiments, bots)
    shown = shown_of(results)
    if listed:
        print_list(shown.sections, as_json)
    elif table is not None:
        text = find_table(shown.sections, table).to_csv()
        if destination is None:
            print_csv(text)
        else:
            write(destination, text.encode(), force, quiet)
    else:
        assert destination is not None
        data = shown.picture(chart, destination.suffix.lower()) if chart is not None else shown.html().encode()
        write(destination, data, force, quiet)


def check_words(output: str | None, chart: str | None, table: str | None, listed: bool, as_json: bool) -> None:
    """Raise UsageError for options that do not go together."""
    if sum((chart is not None, table is not None, listed)) > 1:
        raise UsageError("--chart, --table and --list each ask for one thing; choose one.")
    if as_json and not listed:
        raise UsageError("--json belongs to --list; all numbers are in `--table measures`.")
    if listed:
        if output is not None:
            raise UsageError("--list prints; drop -o.")
        return
    if table is not None and output is None:
        return
    ending = Path(output).suffix.lower() if output else ""
    if chart is not None and ending not in PICTURES:
        raise UsageError(f"--chart {chart}: -o names the picture to write; its ending is .svg or .png.")
    if table is not None and ending != ".csv":
        raise UsageError(f"-o {output}: a table is a file ending in .csv.")
    if chart is None and table is None and ending not in PAGES:
        raise UsageError(f"-o {output}: a page is a file ending in .html." if output else "-o names the page to write: -o page.html.")


def refuse_existing(destination: Path, force: bool) -> None:
    """Raise ResultError if a file would be lost, or has nowhere to go."""
    if destination.is_dir():
        raise ResultError(f"{destination} is a folder; -o names a file.")
    if destination.exists() and not force:
        raise ResultError(f"{destination} exists already; name another file, or add --force to replace it.")
    if not destination.parent.is_dir():
        raise ResultError(f"There is no folder {destination.parent} to write {destination.name} into.")


def write(destination: Path, data: bytes, force: bool, quiet: bool) -> None:
    """Write the file whole or not at all. Raises ResultError."""
    refuse_existing(destination, force)
    save(destination, data)
    if not quiet:
        say([f"{destination}: {len(data) / 1000:,.0f} kB"])


# --- what is shown ----------------------------------------------------------------------------------------


def print_list(found: Sequence[Section], as_json: bool) -> None:
    """The names of charts and tables."""
    charts = [(chart.name, chart.title) for section in found for chart in section.charts]
    tables = [(table.name, ", ".join(table.columns)) for table in all_tables(found)]
    if as_json:
        document: dict[str, Any] = {
            "schema": "llsim.report-list/1",
            "charts": [{"name": name, "title": title} for name, title in charts],
            "tables": [{"name": table.name, "columns": list(table.columns)} for table in all_tables(found)],
        }
        print_json(document)
        return
    for heading, rows in (("charts", charts), ("tables", tables)):
        say([heading, *(f"  {name:12}  {words}" for name, words in rows)])
