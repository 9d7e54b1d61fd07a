"""`llsim compare`: what changes between sets, bots or numbers of players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import click
from click.core import ParameterSource

from lostlegacy_sim.cli import levels, options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.crew import Hired, Hiring
from lostlegacy_sim.cli.gates import Gates, exit_code
from lostlegacy_sim.cli.keeping import Keeping
from lostlegacy_sim.cli.page import note, print_csv, print_json, say
from lostlegacy_sim.cli.progress import progress, say_how_long
from lostlegacy_sim.cli.sides import BOTS, KEPT, PLAYERS, Side, Table, experiments_of, game_of, read_sides, refuse_idle
from lostlegacy_sim.cli.simulate import LONG_RUN, tell_forecast
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotFailure, UsageError
from lostlegacy_sim.estimate import CONFIDENCE
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.report import compare_screen, screen, tables
from lostlegacy_sim.report.compare_tables import comparison_table
from lostlegacy_sim.result import Result, write_results
from lostlegacy_sim.sets import Chosen
from lostlegacy_sim.studies.change_levels import change_headlines
from lostlegacy_sim.studies.compare import Comparison, Contrast, Variant, compare, letter, same_blocks
from lostlegacy_sim.studies.questions import Questions
from lostlegacy_sim.studies.simulate import Plan, plan
from lostlegacy_sim.studies.targets import Margin, Reached, Requirement, Target
from lostlegacy_sim.studies.until import play_looks

EXAMPLES = (
    ("llsim compare starship flying-garden", "two sets on the same deals"),
    ("llsim compare starship my.toml --margin 0.5pp", "is my set as good as the printed one, give or take"),
    ("llsim compare bots=careful,random bots=hunter,random", "one bot in the place of another"),
    ("llsim compare players=3 players=4 --measure turns", "numbers of players, by one measure"),
    ("llsim compare run1 run2", "results that were kept"),
    ("llsim compare starship flying-garden --ladder", "does it hold however well they are played"),
    ('llsim compare starship megamix --until "nobody +/- 0.2pp"', "until the difference is known so exactly"),
)


def read_margin(text: str) -> Any:
    """What --margin says. Raises UsageError."""
    from lostlegacy_sim.studies import targets

    return targets.read_margin(text)


@command("compare", EXAMPLES)
@click.argument("words", metavar="A B [C ...]", nargs=-1)
@click.option("--margin", "margins", metavar="0.5pp", type=options.Checked("MARGIN", read_margin), multiple=True,
              help="Rates no further apart are equivalent; turns=0.1 is for one measure.")  # fmt: skip
@click.option("--measure", "names", metavar="NAME", multiple=True,
              help="What to compare; may be given several times. [default: seats, bots, how deals end, turns, out_early]")  # fmt: skip
@options.set_word
@options.set_choice
@options.players
@options.bots
@options.deals
@options.until
@options.require
@options.seed
@options.threads
@options.strict
@options.scheduler
@options.checkpoint
@levels.option
@click.option("--out", metavar="DIR", default=None, help="Keep the results in this folder, which must not exist yet.")
@options.as_json
@options.as_csv
@click.option("--dry-run", is_flag=True, help="Say what would be played and how long it takes; play nothing.")
@options.quiet
@options.verbose
@click.pass_context
def compare_command(
    ctx: click.Context, words: Sequence[str], margins: Sequence[Margin], names: Sequence[str],
    set_word: str | None, chosen: Chosen, players: Sequence[int], bots: Sequence[str],
    deals: int, targets: Sequence[Target], requirements: Sequence[Requirement], seed: int, threads: int, scheduler: str | None, checkpoint: str | None,
    ladder: bool, out: str | None, as_json: bool, as_csv: bool, dry_run: bool, quiet: bool, verbose: bool,
) -> int:  # fmt: skip
    """Say what changes from A to B: every side is played on the same deals, and differences are paired.

    A side is a set's word or a card file, bots=careful,random, players=3, or the folder of a kept result; the
    options hold for all else. --until and --require speak of the difference, B minus A.
    """
    form = options.form_of(as_json, as_csv)
    options.check_out(out, checkpoint)
    sides = read_sides(words)
    refuse_idle(sides, typed(ctx), set_word)
    if len(players) > 1 and {KEPT, PLAYERS} & {side.kind for side in sides}:
        raise UsageError("--players names several numbers, and a side has one of its own; write one number.")
    if targets and any(side.kind == KEPT for side in sides):
        raise UsageError("--until plays on, and a kept result is not played on; leave out one of the two.")

    game = options.strictly(find_game(game_of(sides, set_word)))  # imports the kernel: only now, when something will be played
    hiring = Hiring(threads, scheduler, checkpoint)
    table = Table(set_word, chosen, bots, levels.deals_of(deals) if ladder else options.budget(deals, targets), seed)
    if ladder:
        levels.refuse({"--until": targets, "--require": requirements, "--verbose": verbose, "kept results": {KEPT} & {side.kind for side in sides},
                       "sides that name their bots": {BOTS} & {side.kind for side in sides}})  # fmt: skip
        return change_levels(game, sides, table, players, names, margins, form, quiet).run(hiring, out, dry_run)
    groups = [Group(sides, experiments_of(sides, game, table, number)) for number in players]
    asked = Asked(names, margins, targets, requirements)
    for group in groups:
        group.check(game, asked)
    page = Page(game, asked, form, quiet, verbose, out)
    to_play = [experiment for group in groups for experiment in group.to_play]
    with Keeping("compare", out, checkpoint, to_play, {"until": [str(target) for target in targets]}, quiet) as place:
        if dry_run:
            page.print_plans([plan(experiment, game, threads) for experiment in to_play])
            return 0
        with stop_on_signals(place.abandon) as stop, hiring.begin(stop, quiet) as team:
            played = Playing(game, asked, team, quiet, stop).play_all(groups)
        kept = [result for results in played for result in results if result.deals]
        try:
            if kept:
                place.keep(lambda folder: write_results(folder, kept), not stop.is_set() and not any(result.error for result in kept))
        finally:  # what was counted is shown, whether it could be written or not
            contrasts = contrasts_of(groups, played, game, bool(targets))
            gates = [asked.gates(contrast) for contrast in contrasts]
            page.print(contrasts, compare(contrasts, names, margins), gates)
    team.check()
    for result in (result for results in played for result in results):
        if result.error:
            raise BotFailure(result.error)
    if stop.is_set() and not contrasts:
        note(f"Stopped before two sides had finished a batch of deals; {team.kept}.")
    return STOPPED if stop.is_set() else exit_code(gates)


def change_levels(
    game: Game, sides: Sequence[Side], table: Table, players: Sequence[int], names: Sequence[str], margins: Sequence[Margin], form: str, quiet: bool
) -> levels.Levels:  # fmt: skip
    """The same question, asked of every level of play."""
    rungs = levels.rungs_of(game, table.bots)
    groups = []
    for number in players:
        of_rungs = [Group(sides, experiments_of(sides, game, replace(table, bots=(rung,)), number)) for rung in rungs]
        of_rungs[0].check(game, Asked(names, margins, (), ()))
        titles = [f"{game.title}, compared at {len(rungs)} levels of play, one bot in all seats:"]
        titles += [f"  {letter(place)}  {side_words(experiment)}" for place, experiment in enumerate(of_rungs[0].experiments)]
        groups.append(levels.Group(
            titles, f"{number} players" if len(players) > 1 else "", [group.to_play for group in of_rungs],
            lambda played: change_headlines([contrasts_of_rung(results, game) for results in played], names, margins),
        ))  # fmt: skip
    return levels.Levels("compare", rungs, groups, game, form, quiet)


def side_words(experiment: Experiment) -> str:
    """A side without its bots."""
    return f"{experiment.set_name} · {experiment.players} players · {screen.counted(experiment.planned_deals, 'deal')} · seed {experiment.seed}"


def contrasts_of_rung(results: Sequence[Result], game: Game) -> list[Contrast]:
    """Every other side against the first one."""
    first, *others = variants_of(results)
    return [Contrast(first, other, game) for other in others]


def typed(ctx: click.Context) -> set[str]:
    """The options of the table that were typed."""
    every = {"set_word": "--set", "players": "--players", "bots": "--bots", "deals": "--deals",
             "targets": "--until", "seed": "--seed", "threads": "--threads", "out": "--out", "dry_run": "--dry-run"}  # fmt: skip
    every |= options.typed_set_options(ctx.params)
    return {option for name, option in every.items() if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}


class Asked:
    """What is asked of every difference."""

    def __init__(self, names: Sequence[str], margins: Sequence[Margin], targets: Sequence[Target], requirements: Sequence[Requirement]) -> None:
        self.names, self.margins, self.targets, self.requirements = names, margins, targets, requirements

    def check(self, questions: Questions) -> None:
        """Raise UsageError for a measure that is not there, or comes in another unit."""
        asked: list[Target | Requirement | Margin] = [*self.targets, *self.requirements, *self.margins]
        questions.asked([*self.names, *(one.measure for one in asked if one.measure)])
        for one in asked:
            if one.measure:
                found = questions.named(one.measure)
                one.check({one.measure: questions.measures[0][found.first]})

    def gates(self, contrast: Contrast) -> Gates:
        """The answers of one contrast."""
        return Gates(contrast.reached(self.targets), [asked.judge(contrast) for asked in self.requirements])


class Group:
    """The sides at one number of players."""

    def __init__(self, sides: Sequence[Side], experiments: Sequence[Experiment | None]) -> None:
        self.sides = sides
        self.to_play = same_blocks([experiment for experiment in experiments if experiment is not None])
        coming = iter(self.to_play)
        self.experiments = [side.result.experiment if side.result is not None else next(coming) for side in sides]

    def check(self, game: Game, asked: Asked) -> None:
        """Raise UsageError for what cannot be asked of these sides."""
        for other in self.experiments[1:]:
            asked.check(Questions(self.experiments[0], other, game))

    def results(self, played: Sequence[Result]) -> list[Result | None]:
        """The result of every side; None where nothing was played."""
        coming = iter([*played, *[None] * len(self.to_play)])
        found = [side.result if side.result is not None else next(coming) for side in self.sides]
        return [result if result is not None and result.deals else None for result in found]


class Playing:
    """Plays what is not there yet."""

    def __init__(self, game: Game, asked: Asked, team: Hired, quiet: bool, stop: Event) -> None:
        self.game, self.asked, self.team, self.quiet, self.stop = game, asked, team, quiet, stop

    def play_all(self, groups: Sequence[Group]) -> list[list[Result]]:
        """Play group after group, as far as nothing stops them: the results of each."""
        every: list[list[Result]] = []
        for group in groups:
            is_on = not self.stop.is_set() and not any(result.error for results in every for result in results)
            every.append(self.play_group(group) if group.to_play and is_on else [])
        return every

    def play_group(self, group: Group) -> list[Result]:
        """Play the sides of one group."""
        planned = sum(experiment.planned_deals for experiment in group.to_play)
        if planned >= LONG_RUN and not self.quiet and not self.asked.targets:
            seconds = sum(plan(experiment, self.game, self.team.threads).seconds for experiment in group.to_play)
            say_how_long(planned, seconds, self.team.threads)
        with progress(self.quiet) as move:
            if self.asked.targets:
                return self.play_until(group, move)
            results: list[Result] = []
            for experiment in group.to_play:
                done = sum(result.deals for result in results)
                results.append(self.team.crew.play(experiment, self.game, self.team.threads, further(move, done, planned), self.stop))
                if self.stop.is_set() or results[-1].error:
                    break
            return results

    def play_until(self, group: Group, move: Callable[[int, int], None]) -> list[Result]:
        """Play the sides of one group until all differences are known exactly enough."""

        def look(results: Sequence[Result]) -> list[Reached]:
            variants = variants_of(group.results(results))
            return [found for variant in variants[1:] for found in Contrast(variants[0], variant, self.game, True).reached(self.asked.targets)]

        def tell(found: Sequence[Reached]) -> None:
            tell_forecast(max(group.to_play, key=lambda experiment: experiment.planned_deals), self.quiet, found)

        return play_looks(group.to_play, self.game, look, self.team.threads, move, self.stop, tell, player=self.team.crew.play)


def further(move: Callable[[int, int], None], done: int, planned: int) -> Callable[[int, int], None]:
    """The same bar, for one part of all that is planned."""
    return lambda played, _: move(done + played, planned)


def variants_of(results: Sequence[Result | None], first: int = 0) -> list[Variant]:
    """The sides that have a result, lettered in the order in which they are typed."""
    return [Variant(letter(first + place), result) for place, result in enumerate(results) if result is not None]


def contrasts_of(groups: Sequence[Group], played: Sequence[Sequence[Result]], game: Game, anytime: bool) -> list[Contrast]:
    """Every other side of a group against its first one."""
    contrasts = []
    for number, (group, results) in enumerate(zip(groups, played, strict=True)):
        variants = variants_of(group.results(results), number * len(group.sides))
        contrasts += [Contrast(variants[0], other, game, anytime) for other in variants[1:]]
    return contrasts


class Page:
    """Where the answers go: to the screen, or as JSON or CSV."""

    def __init__(self, game: Game, asked: Asked, form: str, quiet: bool, verbose: bool, out: str | None) -> None:
        self.game, self.asked, self.form, self.quiet, self.verbose, self.out = game, asked, form, quiet, verbose, out

    def print(self, contrasts: Sequence[Contrast], comparisons: Sequence[Comparison], gates: Sequence[Gates]) -> None:
        """Print all answers."""
        if self.form == "json":
            print_json(self.document(contrasts, comparisons, gates))
        elif self.form == "csv":
            print_csv(comparison_table(comparisons).to_csv())
            for one, contrast in zip(gates, contrasts, strict=True):
                for line in one.lines(deals_of(contrast)):
                    note(line)
        elif contrasts:
            say(compare_screen.variant_lines(self.game.title, variants_in(contrasts)))
            for comparison, one in zip(comparisons, gates, strict=True):
                say([""])
                say(self.lines(comparison, one))
            if not self.quiet:
                further = command_line("llsim", "report", Path(self.out), "-o", "page.html") if self.out else "add --out DIR, then llsim report DIR -o page.html"
                say([f"  Holds for these bots. Next: {further}"])

    def lines(self, comparison: Comparison, gates: Gates) -> Iterator[str]:
        """One pair, with as much beside it as was asked for."""
        yield from compare_screen.comparison_lines(comparison, bool(self.asked.margins), self.verbose)
        yield from (f"  {line}" for line in gates.lines(deals_of(comparison.contrast)))

    def document(self, contrasts: Sequence[Contrast], comparisons: Sequence[Comparison], gates: Sequence[Gates]) -> dict[str, Any]:
        """Everything as JSON, schema llsim.compare/1."""
        variants = variants_in(contrasts)
        return {
            "schema": "llsim.compare/1",
            "confidence": CONFIDENCE,
            "adjusted": "holm",
            "variants": [variant.to_plain() for variant in variants],
            "comparisons": [found.to_plain() | one.to_plain() for found, one in zip(comparisons, gates, strict=True)],
        }

    def print_plans(self, plans: Sequence[Plan]) -> None:
        """What playing would take, if no target ends it earlier."""
        if self.form == "json":
            print_json({"schema": "llsim.plan/1", "plans": [found.to_plain() for found in plans]})
        elif self.form == "csv":
            print_csv(tables.plan_table(plans).to_csv())
        else:
            for found in plans:
                say(screen.plan_lines(self.game.title, found))
            say(f"  ends earlier, once the difference {target} is reached" for target in self.asked.targets)


def variants_in(contrasts: Sequence[Contrast]) -> list[Variant]:
    """All sides of some contrasts, each once."""
    every = {variant.letter: variant for contrast in contrasts for variant in (contrast.first, contrast.second)}
    return list(every.values())


def deals_of(contrast: Contrast) -> int:
    """Deals of the side that has more."""
    return max(variant.result.deals for variant in (contrast.first, contrast.second))
