"""`llsim explore`: many sets at once: all mixes, the guidelines, or a sweep of your own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lostlegacy_sim.cli import explorations, options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.crew import Hiring
from lostlegacy_sim.cli.explorations import Asked, Exploring, Shown
from lostlegacy_sim.cli.keeping import Keeping
from lostlegacy_sim.cli.page import note, print_csv, print_json, say
from lostlegacy_sim.cli.progress import progress, say_how_long
from lostlegacy_sim.cli.simulate import LONG_RUN
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotFailure, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.report import explore_screen, explore_tables
from lostlegacy_sim.report.screen import counted
from lostlegacy_sim.studies.explore import LookPlan, plan_look
from lostlegacy_sim.studies.goals import DEFAULT_GOALS
from lostlegacy_sim.studies.guidelines import MEMBERS
from lostlegacy_sim.studies.kept_looks import Exploration, write_exploration
from lostlegacy_sim.studies.look import Look, asked_for

EXAMPLES = (
    ("llsim explore --family mixes", "which of the 512 mixes is best, and which choices matter"),
    ("llsim explore --family mixes --goal seat_gap", "by one goal alone"),
    ("llsim explore --family mixes --goal nobody:high --goal turns=8", "by goals with directions of your own"),
    ("llsim explore --family mixes --goal skill", "in which mix playing well pays most"),
    ("llsim explore --family guidelines", "what each guideline protects"),
    ("llsim explore --family mixes --out mixes", "keep the counts; llsim explore mixes answers again"),
    ("llsim explore --family mixes --deals 2m --checkpoint kept", "a long run: given again, it goes on where it was killed"),
    ("llsim explore sweep.toml", 'a sweep of your own: [sweep] "search.copies" = "0..4"'),
)
FAMILIES = ("mixes", "guidelines")
MAX_TOP = 100


@command("explore", EXAMPLES)
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--family", metavar="NAME", default=None, help="What to explore: mixes or guidelines.")
@click.option("--goal", "goals", metavar="MEASURE", multiple=True,
              help="What makes a set better: a measure, or MEASURE:low, MEASURE:high, MEASURE=VALUE (nearest). May be given several times. "
                   f"[default: {', '.join(DEFAULT_GOALS)}]")  # fmt: skip
@click.option("--skill", metavar="UPPER,LOWER", type=options.Checked("UPPER,LOWER", options.read_bots), default=("careful", "random"),
              show_default="careful,random", help="For the goal skill: one of the better bot among the others.")  # fmt: skip
@click.option("--top", type=options.Checked("NUMBER", options.whole_number("--top", 1, MAX_TOP)), default=10, show_default=True,
              help="Mixes: how many of the best and of the worst to play again on fresh shuffles.")  # fmt: skip
@click.option("--members", type=options.Checked("NUMBER", options.whole_number("--members", 4, 510)), default=MEMBERS, show_default=True,
              help="Guidelines: how many sets of each family to draw.")  # fmt: skip
@options.players
@options.bots
@click.option("--deals", type=options.Checked("NUMBER", options.read_deals), default=200_000, show_default="200k",
              help="How many deals to play with each set: 5000, 200k, 1.5m.")  # fmt: skip
@options.seed
@options.threads
@options.strict
@options.scheduler
@options.checkpoint
@click.option("--out", metavar="DIR", default=None, help="Keep the counts in this folder, which must not exist yet.")
@options.as_json
@options.as_csv
@options.dry_run
@options.quiet
@click.pass_context
def explore(
    ctx: click.Context, file: str | None, family: str | None, goals: Sequence[str], skill: Sequence[str], top: int, members: int,
    players: Sequence[int], bots: Sequence[str], deals: int, seed: int, threads: int, scheduler: str | None, checkpoint: str | None, out: str | None,
    as_json: bool, as_csv: bool, dry_run: bool, quiet: bool,
) -> int:  # fmt: skip
    """Play many sets on the same deals and say which is best, by goals of yours.

    FILE is a sweep: a TOML text with set, players, bots, deals, seed, goals and a table [sweep] of card fields and their values;
    or a folder kept with --out, which answers again without being played.
    """
    form = options.form_of(as_json, as_csv)
    options.check_out(out, checkpoint)
    check_choice(file, family)
    game = options.strictly(find_game("lost_legacy"))  # imports the kernel: only now, when something will be played
    asked = typed(ctx, players=players, bots=bots, goals=goals, deals=deals, seed=seed, skill=skill)
    if file is not None and Path(file).is_dir():
        print_answer(*explorations.kept(game, file), form, quiet)
        return 0
    if file is not None:
        chosen = explorations.sweep(game, asked, file, note)
    elif family == "mixes":
        chosen = explorations.mixes(game, asked, top)
    else:
        chosen = explorations.guidelines(game, asked, members)
    return run(chosen, game, Hiring(threads, scheduler, checkpoint), out, form, dry_run, quiet)


def check_choice(file: str | None, family: str | None) -> None:
    """Raises UsageError unless there is either a sweep file or a family."""
    if file is not None and family is not None:
        raise UsageError(f"Explore {file} or --family {family}, one at a time.")
    if file in FAMILIES and not Path(file).exists():
        raise UsageError(f"{file} is a family; write --family {file}.")
    if file is None and family is None:
        raise UsageError("Say what to explore: --family mixes, --family guidelines, or a sweep file.")
    if family is not None and family not in FAMILIES:
        raise UsageError(f"There is no family '{family}'.{nearest(family, FAMILIES)}")


def typed(ctx: click.Context, **values: Any) -> Asked:
    """What was typed; None for what is a default."""
    return Asked(**{name: value if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT else None for name, value in values.items()})


def run(
    chosen: Exploring, game: Game, hiring: Hiring, out: str | None, form: str, dry_run: bool, quiet: bool
) -> int:  # fmt: skip
    """Play an exploration, keep and print what was found."""
    with Keeping("explore", out, hiring.checkpoint, *question(chosen, game), quiet) as place:
        if dry_run:
            print_plans(chosen, plans_of(chosen, game, hiring.threads), game, form)
            return 0
        with stop_on_signals(place.abandon) as stop, hiring.begin(stop, quiet) as team:
            announce(chosen, game, team.threads, quiet)
            with progress(quiet) as move:
                answer = chosen.play(team.threads, move, stop, team.crew)
        looks = chosen.looks(answer)
        n_played = sum(len(look.rows) for look in looks.values())
        try:
            if n_played:
                is_whole = not stop.is_set() and not any(look.error for look in looks.values())
                place.keep(lambda folder: write_exploration(folder, Exploration(chosen.name, looks, chosen.facts(answer))), is_whole)
        finally:  # what was counted is shown, whether it could be written or not
            if n_played:
                print_answer(answer, chosen.shown, form, quiet)
    team.check()
    raise_bot_error(looks, n_played)
    if stop.is_set() and not n_played:
        note(f"Stopped before the first set was played to its end; {team.kept}.")
    return STOPPED if stop.is_set() else 0


def question(chosen: Exploring, game: Game) -> tuple[list[Experiment], dict[str, Any]]:
    """What is played at first, and what else is asked."""
    looks = [asked_for(table, chosen.sets, game) for table in chosen.tables]
    experiments = [experiment for look in looks for one in look.values() for experiment in one.experiments]
    return experiments, {"family": chosen.name, "again": chosen.n_again, "tables": [table.to_plain() for table in chosen.tables]}


def raise_bot_error(looks: Mapping[str, Look], n_played: int) -> None:
    """Raises BotError if a bot stopped the run."""
    error = next((look.error for look in looks.values() if look.error), "")
    if error:
        raise BotFailure(error + (f" The {counted(n_played, 'set')} played to their end are kept." if n_played else ""))


def plans_of(chosen: Exploring, game: Game, threads: int) -> list[LookPlan]:
    """What playing would take at every table."""
    return [plan_look(table, chosen.sets, chosen.n_again, game, threads) for table in chosen.tables]


def announce(chosen: Exploring, game: Game, threads: int, quiet: bool) -> None:
    """Say beforehand how long a long run takes."""
    planned = sum(len(chosen.sets) * table.deals * len(table.line_ups) for table in chosen.tables)
    if planned >= LONG_RUN and not quiet:
        plans = plans_of(chosen, game, threads)
        deals, seconds = sum(plan.deals for plan in plans), sum(plan.seconds for plan in plans)
        say_how_long(deals, seconds, threads)


def print_answer(answer: Any, shown: Shown, form: str, quiet: bool) -> None:
    """The answer, on the screen or as JSON or CSV."""
    if form == "json":
        print_json(shown.document(answer))
    elif form == "csv":
        print_csv(shown.table(answer).to_csv())
    else:
        say(shown.lines(answer))
        if not quiet:
            say(["  Holds for these bots and goals. Next: llsim explore --help"])


def print_plans(chosen: Exploring, plans: Sequence[LookPlan], game: Game, form: str) -> None:
    """What playing would take."""
    if form == "json":
        print_json(explore_tables.plan_document(chosen.name, plans))
    elif form == "csv":
        print_csv(explore_tables.look_plan_table(plans).to_csv())
    else:
        for plan in plans:
            say(explore_screen.look_plan_lines(game.title, plan, chosen.what))
