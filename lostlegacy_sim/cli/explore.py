"""`llsim explore`: many sets at once: all mixes, the guidelines, or a sweep of your own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import click

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import print_json
from lostlegacy_sim.cli.progress import progress
from lostlegacy_sim.cli.simulate import LONG_RUN, echo
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotError, UsageError, nearest
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.games.lost_legacy.playability import check_seats
from lostlegacy_sim.report import explore_screen, explore_tables
from lostlegacy_sim.report.guidelines_screen import guidelines_lines
from lostlegacy_sim.report.guidelines_tables import guidelines_document, guidelines_table
from lostlegacy_sim.report.screen import counted, duration
from lostlegacy_sim.report.tables import Table
from lostlegacy_sim.result import Destination
from lostlegacy_sim.studies.explore import plan_look
from lostlegacy_sim.studies.families import guideline_families
from lostlegacy_sim.studies.goals import DEFAULT_GOALS
from lostlegacy_sim.studies.guidelines import MEMBERS, explore_guidelines, sets_in_order
from lostlegacy_sim.studies.kept_looks import Exploration, write_exploration
from lostlegacy_sim.studies.look import Look, Seated, seated
from lostlegacy_sim.studies.mixes import MixesAnswer, explore_mixes, mixes_in_order, shortlist_size

EXAMPLES = (
    ("llsim explore --family mixes", "which of the 512 mixes is best, and which choices matter"),
    ("llsim explore --family mixes --goal seat_gap", "by one goal alone"),
    ("llsim explore --family mixes --goal nobody:high --goal turns=8", "by goals with directions of your own"),
    ("llsim explore --family mixes --goal skill", "in which mix playing well pays most"),
    ("llsim explore --family guidelines", "what each guideline protects"),
)
FAMILIES = ("mixes", "guidelines")
MAX_TOP = 100


@dataclass(frozen=True)
class Study:
    """One kind of exploration: what it plays, and how its answer is shown."""

    name: str
    what: str  # in a headline: "512 mixes"
    sets: Sequence[CardSet]
    n_again: int  # sets of the second look
    play: Callable[..., Any]  # (table, game, threads, move, stop) -> its answer
    looks: Callable[[Any], Mapping[str, Look]]
    lines: Callable[[Any], Iterator[str]]
    document: Callable[[Any], dict[str, Any]]
    table: Callable[[Any], Table]
    facts: Mapping[str, Any]


def mixes_study(game: Game, goals: int, top: int) -> Study:
    """The 512 mixes."""
    sets = mixes_in_order()
    return Study(
        "mixes", f"{len(sets)} mixes", sets, shortlist_size(sets, top, goals),
        lambda table, threads, move, stop: explore_mixes(table, game, top, sets, threads, move, stop),
        looks_of_mixes, lambda answer: explore_screen.mixes_lines(answer, game), explore_tables.mixes_document,
        explore_tables.mixes_table, {"top": top},
    )  # fmt: skip


def guidelines_study(game: Game, n_members: int, seed: int) -> Study:
    """Families that break the guidelines."""
    sets = sets_in_order(*guideline_families(n_members, seed))
    return Study(
        "guidelines", f"{len(sets)} sets that keep or break the guidelines", sets, 0,
        lambda table, threads, move, stop: explore_guidelines(table, game, n_members, threads, move, stop),
        lambda answer: {"first": answer.look}, lambda answer: guidelines_lines(answer, game), guidelines_document,
        guidelines_table, {"members": n_members},
    )  # fmt: skip


def looks_of_mixes(answer: MixesAnswer) -> dict[str, Look]:
    """The looks by name."""
    return {"first": answer.first} | ({"second": answer.second} if answer.second is not None else {})


@command("explore", EXAMPLES)
@click.option("--family", metavar="NAME", default=None, help="What to explore: mixes or guidelines.")
@click.option("--goal", "goals", metavar="MEASURE", multiple=True,
              help="What makes a set better: a measure, or MEASURE:low, MEASURE:high, MEASURE=VALUE (nearest). May be given several times. "
                   f"[default: {', '.join(DEFAULT_GOALS)}]")  # fmt: skip
@click.option("--skill", metavar="UPPER,LOWER", type=options.Checked("UPPER,LOWER", options.read_bots), default=("careful", "random"),
              show_default="careful,random", help="For the goal skill: one of the better bot among the others.")  # fmt: skip
@click.option("--top", type=click.IntRange(1, MAX_TOP), default=10, show_default=True,
              help="How many of the best and of the worst to play again on fresh shuffles.")  # fmt: skip
@click.option("--members", type=click.IntRange(4, 510), default=MEMBERS, show_default=True,
              help="Guidelines: how many sets of each family to draw.")  # fmt: skip
@options.players
@options.bots
@click.option("--deals", type=options.Checked("NUMBER", options.read_deals), default=200_000, show_default="200k",
              help="How many deals to play with each set: 5000, 200k, 1.5m.")  # fmt: skip
@options.seed
@options.threads
@click.option("--out", metavar="DIR", default=None, help="Keep the counts in this folder, which must not exist yet.")
@options.as_json
@options.as_csv
@click.option("--dry-run", is_flag=True, help="Say how long it takes and how exact it gets; play nothing.")
@options.quiet
def explore(
    family: str | None, goals: Sequence[str], skill: Sequence[str], top: int, members: int, players: Sequence[int], bots: Sequence[str],
    deals: int, seed: int, threads: int, out: str | None, as_json: bool, as_csv: bool, dry_run: bool, quiet: bool,
) -> int:  # fmt: skip
    """Play many sets on the same deals and say which is best, by goals of yours."""
    if as_json and as_csv:
        raise UsageError("--json and --csv print the answer in two ways; choose one.")
    if out is not None and not out.strip():
        raise UsageError("--out has no name; give it the name of a folder that does not exist yet.")
    if family is None:
        raise UsageError("Say what to explore: --family mixes or --family guidelines.")
    if family not in FAMILIES:
        raise UsageError(f"There is no family '{family}'.{nearest(family, FAMILIES)}")
    if len(skill) != 2:
        raise UsageError("--skill takes two bots, the better one first, such as careful,random.")
    if len(players) != 1:
        raise UsageError("--players: explore one number of players at a time, such as --players 4.")
    game = find_game("lost_legacy")  # imports the kernel: only now, when something will be played
    words = goals or DEFAULT_GOALS
    chosen = mixes_study(game, len(words), top) if family == "mixes" else guidelines_study(game, members, seed)
    for card_set in chosen.sets:
        check_seats(card_set, players[0])
    table = seated(game, chosen.sets[0], players[0], bots, words, deals, seed, (skill[0], skill[1]))
    form = "json" if as_json else "csv" if as_csv else "screen"
    return run(chosen, table, game, threads, out, form, dry_run, quiet)


def run(study: Study, table: Seated, game: Game, threads: int, out: str | None, form: str, dry_run: bool, quiet: bool) -> int:
    """Play a family, keep and print what was found."""
    with Destination(Path(out), []) if out is not None else nullcontext() as destination:
        if dry_run:
            print_plan(study, table, game, threads, form)
            return 0
        announce(study, table, game, threads, quiet)
        with stop_on_signals(destination.abandon if destination else lambda: None) as stop:
            answer = play_study(study, table, threads, quiet, stop)
        looks = study.looks(answer)
        first = next(iter(looks.values()))
        try:
            if first.rows and destination is not None:
                destination.fill(lambda folder: write_exploration(folder, Exploration(study.name, looks, study.facts)))
        finally:  # what was counted is shown, whether it could be written or not
            if first.rows:
                print_answer(study, answer, form, quiet)
    error = next((look.error for look in looks.values() if look.error), "")
    if error:
        raise BotError(error + (f" The {len(first.rows)} sets played to their end are kept." if first.rows else ""))
    if stop.is_set() and not first.rows:
        click.echo("Stopped before the first set was played to its end; nothing is kept.", err=True)
    return STOPPED if stop.is_set() else 0


def play_study(study: Study, table: Seated, threads: int, quiet: bool, stop: Event) -> Any:
    """Play, with a bar."""
    with progress(quiet) as move:
        return study.play(table, threads, move, stop)


def announce(study: Study, table: Seated, game: Game, threads: int, quiet: bool) -> None:
    """Say beforehand how long a long run takes."""
    planned = len(study.sets) * table.deals * len(table.line_ups)
    if planned >= LONG_RUN and not quiet:
        plan = plan_look(table, study.sets, study.n_again, game, threads)
        click.echo(f"{plan.deals:,} deals: about {duration(plan.seconds)} on {counted(threads, 'thread')}. Ctrl-C keeps what is done.", err=True)


def print_answer(study: Study, answer: Any, form: str, quiet: bool) -> None:
    """The answer, on the screen or as JSON or CSV."""
    if form == "json":
        print_json(study.document(answer))
    elif form == "csv":
        click.echo(study.table(answer).to_csv(), nl=False)
    else:
        echo(study.lines(answer))
        if not quiet:
            echo(["  Holds for these bots and goals. Next: llsim explore --help"])


def print_plan(study: Study, table: Seated, game: Game, threads: int, form: str) -> None:
    """What playing would take."""
    plan = plan_look(table, study.sets, study.n_again, game, threads)
    if form == "json":
        print_json(explore_tables.plan_document(study.name, [plan]))
    elif form == "csv":
        click.echo(explore_tables.look_plan_table([plan]).to_csv(), nl=False)
    else:
        echo(explore_screen.look_plan_lines(game.title, plan, study.what))
