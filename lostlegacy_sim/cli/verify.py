"""`llsim verify`: play a random share of a result again and compare it bit for bit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.bot_files import name_bot_files
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.crew import Hiring
from lostlegacy_sim.cli.page import print_json, say
from lostlegacy_sim.cli.progress import progress
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.games import find_game, find_sets
from lostlegacy_sim.report.screen import counted, percent
from lostlegacy_sim.report.source import bots_words
from lostlegacy_sim.result import Result, load_all, recall
from lostlegacy_sim.studies.verify import Verified, verify

EXAMPLES = (
    ("llsim verify run1", "play a twentieth of its batches again"),
    ("llsim verify run1 --share 100%", "play all of it again"),
    ("llsim verify run1 --bots my_bot.py", "a result of a bot of your own, whose file is named"),
)
SHOWN = 10  # differences that are listed


def read_share(text: str) -> float:
    """A share: "5%", "100%", "0.05". Raises UsageError."""
    match = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*(%?)\s*", text)
    share = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < share <= 1:
        raise UsageError(f"--share {text}: write a share of the batches, more than 0 and at most 100%, such as 5%.")
    return share


@command("verify", EXAMPLES)
@click.argument("result", metavar="RESULT")
@click.option("--share", type=options.Checked("SHARE", read_share), default="5%", show_default=True, help="How much of it to play again.")
@click.option("--seed", type=options.Checked("NUMBER", options.read_seed), default="new", show_default=True,
              help="What draws the batches; nobody knows a new one beforehand.")  # fmt: skip
@click.option("--bots", type=options.Checked("FILES", options.read_bots), default=(), help="The bot files it was played with.")
@options.threads
@options.strict
@options.scheduler
@options.as_json
@options.quiet
def verify_command(
    result: str, share: float, seed: int, bots: Sequence[str], threads: int, scheduler: str | None, as_json: bool, quiet: bool
) -> int:
    """Play a random share of a result's batches again and compare every count with what was kept.

    RESULT is the folder of a kept result, or the word last.
    """
    results = [one for one in (recall() if result == "last" else load_all(Path(result))) if one.deals]
    if not results:
        raise ResultError(f"{result} holds no finished deals; there is nothing to verify.")
    game = options.strictly(find_game(results[0].experiment.game))
    name_bot_files(game, [one.experiment for one in results], bots)
    found = []
    with stop_on_signals(lambda: None) as stop, Hiring(threads, scheduler).begin(stop, quiet) as team, progress(quiet) as move:
        for kept in results:
            found.append(verify(kept, game, share, seed, threads, move, stop, team.crew.play))
            if stop.is_set():
                break
    if as_json:
        print_json({"schema": "llsim.verify/1", "result": result, "share": share, "seed": seed, "results": [one.to_plain() for one in found]})
    else:
        for one in found:
            say(lines(one, game.title, seed))
    team.check()
    differing = sum(len({difference.batch for difference in one.differences}) for one in found)
    broken = next((one.error for one in found if one.error), "")
    if differing:
        many = "1 batch of the share differs" if differing == 1 else f"{differing} batches of the share differ"
        raise ResultError(f"{result} does not hold what its deals count: {many}.")
    if broken:
        raise ResultError(f"{result} cannot be played again: {broken}")
    return STOPPED if stop.is_set() else 0


def lines(found: Verified, title: str, seed: int) -> Iterator[str]:
    """What was found out about one result."""
    result, experiment = found.result, found.result.experiment
    yield (f"{title}: {experiment.set_name} · {experiment.players} players, {bots_words(experiment)} · {result.deals:,} deals · "
           f"seed {experiment.seed}")  # fmt: skip
    yield (f"  {len(found.played)} of {result.batches} batches ({percent(len(found.played) / result.batches)}), {found.deals:,} deals, played again "
           f"on {counted(found.threads, 'thread')}, drawn by --seed {seed}")  # fmt: skip
    for difference in found.differences[:SHOWN]:
        yield f"  {difference}"
    if len(found.differences) > SHOWN:
        yield f"  ... and {len(found.differences) - SHOWN:,} more numbers"
    yield from (f"  {note}" for note in (*found.notes, *set_notes(result)))
    if found.is_same:
        yield "  the same bit for bit"


def set_notes(result: Result) -> Iterator[str]:
    """Whether the cards are those this version has under the same name."""
    experiment = result.experiment
    sets = find_sets(experiment.game)
    if experiment.set_id not in sets.printed:
        return
    here, there = (text.splitlines() for text in (sets.choose(experiment.set_id, {}, 0).to_toml(), experiment.set_text))
    if here != there:
        line = next((number for number, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), min(len(here), len(there)))
        text = there[line][:80] if line < len(there) else "(nothing)"
        yield f"Its cards are not those of {experiment.set_id} in this version; the first line that differs is {line + 1}: {text}"
