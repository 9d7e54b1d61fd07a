"""`llsim simulate`: who wins with this set, at this table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import click

from lostlegacy_sim.cli import levels, options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.crew import Hiring
from lostlegacy_sim.cli.gates import Gates, check_targets, exit_code, gates_of
from lostlegacy_sim.cli.job import Job, game_for, new_job, read_part, resumed_job
from lostlegacy_sim.cli.page import note, print_csv, print_json, say
from lostlegacy_sim.cli.parts import part_document, part_lines
from lostlegacy_sim.cli.progress import progress, say_how_long
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotFailure, LlsimError, UsageError
from lostlegacy_sim.estimate import CONFIDENCE, Estimate
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.report import screen, tables
from lostlegacy_sim.report.gates import forecast_line
from lostlegacy_sim.report.levels_screen import headline, luck_lines
from lostlegacy_sim.result import Result, remember
from lostlegacy_sim.run_folder import Part
from lostlegacy_sim.sets import Chosen, GameSet, Sets
from lostlegacy_sim.studies.luck import MOST_REPEATS, Luck, check_luck, play_luck
from lostlegacy_sim.studies.seat_levels import seat_headlines
from lostlegacy_sim.studies.simulate import Answer, Campaign, Plan, experiment_of, plan
from lostlegacy_sim.studies.targets import Reached, Requirement, Target
from lostlegacy_sim.studies.uncounted import counts_nothing
from lostlegacy_sim.studies.until import play_until

EXAMPLES = (
    ("llsim simulate", "who wins with the Starship, four at the table"),
    ("llsim simulate --set flying-garden --players 2-4", "the other set, for each number of players"),
    ("llsim simulate --set my.toml --deals 200k", "cards of your own"),
    ("llsim simulate --set custom --seed new", "a mix of the two sets, drawn by the seed"),
    ("llsim simulate --bots careful,random", "a careful player in the first seat, random ones in the others"),
    ("llsim simulate --campaign", "who wins a whole campaign"),
    ("llsim simulate --deals 1e7 --out run1", "keep the counts in the folder run1"),
    ("llsim simulate --resume run1", "go on with a run that was stopped or killed"),
    ('llsim simulate --until "seat_gap +/- 0.2pp"', "play until a measure is known so exactly"),
    ("llsim simulate --ladder", "which answers hold however well it is played"),
    ("llsim simulate --luck 4 --deals 100k", "how much the shuffle settles: each one played 4 times"),
    ('llsim simulate --require "out_early < 5%"', "exit code 0 if it holds, 3 if not, 4 if undecided"),
)
LONG_RUN = 50_000_000  # deals; from here on it is said beforehand how long it takes


@command("simulate", EXAMPLES)
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
@click.option("--campaign", is_flag=True, help="Also: who wins a campaign that the first seat begins.")
@click.option("--nobody-begins", type=click.Choice(["same", "next"]), default=None,
              help="Campaign: who begins after a game nobody won. [default: same]")  # fmt: skip
@levels.option
@click.option("--luck", "repeats", type=options.Checked("TIMES", options.whole_number("--luck", 0, MOST_REPEATS)), default=None,
              help="Also: the share of who wins that the shuffle settles, each shuffle played so often again.")  # fmt: skip
@click.option("--out", metavar="DIR", default=None, help="Keep the result in this folder, which must not exist yet.")
@click.option("--resume", metavar="DIR", default=None, help="Play what is missing in the folder of a run that was stopped, killed or played in parts.")
@click.option("--part", type=options.Checked("K/N", read_part), default=None,
              help="Play one of N equal parts into --out; a folder with all parts is the result.")  # fmt: skip
@options.as_json
@options.as_csv
@options.dry_run
@options.quiet
@options.verbose
def simulate(
    set_word: str | None, chosen: Chosen, players: Sequence[int], bots: Sequence[str],
    deals: int, targets: Sequence[Target], requirements: Sequence[Requirement], seed: int, threads: int, scheduler: str | None,
    campaign: bool, nobody_begins: str | None, ladder: bool, repeats: int | None, out: str | None, resume: str | None, part: Part | None,
    as_json: bool, as_csv: bool, dry_run: bool, quiet: bool, verbose: bool,
) -> int:  # fmt: skip
    """Play deals and say who wins: every seat, every bot, how deals end."""
    form = options.form_of(as_json, as_csv)
    if repeats is not None and targets:
        raise UsageError("--luck plays every shuffle a number of times, and --until does not know how many; leave out one of the two.")
    if nobody_begins and not campaign:
        raise UsageError("--nobody-begins belongs to --campaign; add --campaign.")
    if part is not None and (targets or requirements or campaign or as_csv or repeats):
        raise UsageError("--part plays batches that answer nothing alone; --until, --require, --campaign, --luck and --csv are for the whole result.")
    if ladder:
        levels.refuse({"--until": targets, "--require": requirements, "--campaign": campaign, "--resume": resume, "--part": part, "--verbose": verbose})
        sets, game_set = options.chosen_set(set_word, chosen, seed)
        game = game_for(sets, game_set, players)
        return seat_levels(game, game_set, players, bots, levels.deals_of(deals), seed, repeats, form, quiet).run(Hiring(threads, scheduler), out, dry_run)
    job = resumed_job(resume, bots) if resume is not None else new_job(set_word, chosen, players, bots, deals, targets, seed, out, part)
    page = Page(job, form, quiet, verbose)
    with job.place as folder:
        if campaign and job.game.campaign is None:
            raise UsageError(f"{job.game.title} has no campaign, a series of deals for points; drop --campaign.")
        for experiment in job.experiments:
            check_targets(job.game.measures(experiment), job.targets, requirements)
            if repeats is not None:
                check_luck(experiment, repeats)
        if dry_run:
            page.print_plans([plan(experiment, job.game, threads) for experiment in job.experiments], job.targets)
            return 0
        with stop_on_signals(folder.close if folder else lambda: None) as stop, Hiring(threads, scheduler).begin(stop, quiet) as team:
            results, failure = play_all(job, team.threads, quiet, stop, team.crew.play), team.failure()
            lucks = [play_luck(one, job.game, repeats, stop) if repeats is not None and not stop.is_set() else None for one in job.experiments]
        if part is not None:
            return say_part(job, results, as_json, stop, failure)
        kept = [result for result in results if result.deals]
        try:
            if kept:
                remember(kept)
            if folder is not None:
                folder.finish(results)
        finally:  # what was counted is shown, whether it could be written or not
            found = [
                Found(answer, answer.campaign(nobody_begins or "same") if campaign else None, gates_of(answer, job.targets, requirements), luck)
                for answer, luck in zip([Answer(result, job.game, anytime=bool(job.targets)) for result in kept], lucks, strict=False)
            ]
            page.print(found, job.word)
    if failure is not None:
        raise failure
    for result in results:
        if result.error:
            raise BotFailure(result.error + (f" The {result.deals:,} deals before it are kept." if result.deals else ""))
    if stop.is_set() and not kept:
        goes_on = command_line("llsim", "simulate", "--resume", folder.folder) if folder is not None and folder.has_counts else ""
        kept_words = f"what was counted of it is kept: {goes_on}" if goes_on else "nothing is kept."
        note(f"Stopped before the first batch of deals was finished; {kept_words}")
    return STOPPED if stop.is_set() else exit_code([one.gates for one in found])


def seat_levels(
    game: Game, game_set: GameSet, players: Sequence[int], bots: Sequence[str], deals: int, seed: int, repeats: int | None, form: str, quiet: bool
) -> levels.Levels:  # fmt: skip
    """The same question, asked of every level of play."""
    rungs = levels.rungs_of(game, bots)
    groups = []
    for number in players:
        experiments = [experiment_of(game, game_set, number, [rung], deals, seed) for rung in rungs]
        groups.append(levels.Group(
            [headline(game.title, experiments[0], rungs)], f"{number} players", [[experiment] for experiment in experiments],
            lambda played: seat_headlines([Answer(result, game) for (result,) in played]),
        ))  # fmt: skip

    def luck(group: levels.Group, stop: Event) -> tuple[dict[str, Any], list[str]]:
        if repeats is None:
            return {}, []
        found = [play_luck(experiment, game, repeats, stop) for (experiment,) in group.experiments]
        whole = [(rung, one) for rung, one in zip(rungs, found, strict=True) if one is not None]
        data = {"luck": [one.to_plain() | {"bot": rung} for rung, one in whole]}
        return data, ["", *luck_lines([rung for rung, _ in whole], [one for _, one in whole])] if whole else []

    if repeats is not None:
        check_luck(groups[0].experiments[0][0], repeats)
    return levels.Levels("simulate", rungs, groups, game, form, quiet, luck)


def play_all(job: Job, threads: int, quiet: bool, stop: Event, player: Callable[..., Result]) -> list[Result]:
    """Play one experiment after the other, as far as nothing stops them."""
    results: list[Result] = []
    for number, experiment in enumerate(job.experiments):
        journal, done = job.journal(number), job.done(number)
        if done is not None:
            results.append(done)
            continue
        for path in journal.damaged if journal and not quiet else ():
            note(f"{path} is damaged; its batches are played again.")
        if experiment.planned_deals >= LONG_RUN and not quiet and not job.targets and job.part is None:
            keeps = "Ctrl-C keeps what is done." if journal is None else "What is done is kept, whatever happens."
            say_how_long(experiment.planned_deals, plan(experiment, job.game, threads).seconds, threads, keeps)
        with progress(quiet) as move:
            if job.targets:
                tell = partial(tell_forecast, experiment, quiet)
                results.append(play_until(experiment, job.game, job.targets, threads, move, stop, tell, journal, player))
            else:
                results.append(player(experiment, job.game, threads, move, stop, journal=journal, only=job.batches(number)))
        if journal is not None and journal.failure is not None:
            break
        if stop.is_set() or results[-1].error:
            break
    return results


def say_part(job: Job, results: Sequence[Result], as_json: bool, stop: Event, failure: LlsimError | None) -> int:
    """What a part has brought into the folder. Raises what ended it early."""
    assert job.folder is not None
    if as_json:
        print_json(part_document(job))
    else:
        say(part_lines(job))
    job.folder.raise_failure()
    if failure is not None:
        raise failure
    for result in results:
        if result.error:
            raise BotFailure(f"{result.error} The batches before it are kept.")
    return STOPPED if stop.is_set() else 0


def tell_forecast(budget: Experiment, quiet: bool, found: Sequence[Reached]) -> None:
    """Say early which targets are out of reach."""
    for reached in found:
        if not quiet and not reached.is_met and reached.deals_needed > budget.planned_deals:
            note(forecast_line(reached, budget.planned_deals))


class Found(NamedTuple):
    """One result, and all that was asked of it."""

    answer: Answer
    campaign: Campaign | None
    gates: Gates
    luck: Luck | None


class Page:
    """Where the answers go: to the screen, or as JSON or CSV."""

    def __init__(self, job: Job, form: str, quiet: bool, verbose: bool) -> None:
        self.game, self.sets, self.game_set, self.facts = job.game, job.sets, job.game_set, job.sets.facts(job.game_set)
        self.form, self.quiet, self.verbose = form, quiet, verbose

    def print(self, found: Sequence[Found], word: str | None) -> None:
        """Print all answers; `word` is how the set was typed, if it was."""
        if self.form == "json":
            print_json(self.document(found))
        elif self.form == "csv":
            print_csv(tables.estimate_table("measures", estimates(found)).to_csv())
            for answer, _, gates, _ in found:
                for line in gates.lines(answer.result.deals):
                    note(line)
        elif found:
            for number, (answer, campaign, gates, luck) in enumerate(found):
                say([""] if number else [])
                say(self.answer_lines(answer, campaign))
                say(["", *luck_lines([answer.result.experiment.bots[0]], [luck])] if luck is not None else [])
                say(f"  {line}" for line in gates.lines(answer.result.deals))
            say(self.closing_lines(found[0].answer.result, word))

    def answer_lines(self, answer: Answer, campaign: Campaign | None) -> Iterator[str]:
        """One answer, with as much beside it as was asked for."""
        yield from screen.answer_lines(answer)
        if campaign is not None and not counts_nothing(answer.result):
            yield ""
            yield from screen.campaign_lines(campaign, answer)
        if self.verbose:
            yield ""
            yield from screen.measure_lines(answer)
            yield ""
            yield from (f"  {name} {value}" for name, value in answer.result.provenance.items())
            yield f"  experiment {answer.result.experiment.hash}"

    def document(self, found: Sequence[Found]) -> dict[str, Any]:
        """Everything as JSON, schema llsim.simulate/1."""
        results = [
            answer.to_plain() | {"campaign": campaign.to_plain() if campaign else None, "luck": luck.to_plain() if luck else None} | gates.to_plain()
            for answer, campaign, gates, luck in found
        ]
        provenance = dict(found[-1].answer.result.provenance) if found else {}
        return {"schema": "llsim.simulate/1", "confidence": CONFIDENCE, "set": self.set_facts(), "results": results,
                "provenance": provenance}  # fmt: skip

    def set_facts(self) -> dict[str, Any]:
        """What identifies the set."""
        found = self.game_set
        return {"id": found.id, "name": found.name, "hash": found.hash, "reconstructed": list(self.facts.reconstructed), **self.facts.more}

    def closing_lines(self, result: Result, word: str | None) -> Iterator[str]:
        """What the answers hold for, and where to go from here."""
        if self.facts.reconstructed:
            yield f"  Reconstructed kinds, without a public source: {', '.join(self.facts.reconstructed)}."
        if self.facts.contents:
            yield f"  The mix: {' · '.join(self.facts.contents)}."
            yield f"  The same mix again: {self.facts.again}"
        if not self.quiet:
            yield f"  Holds for these bots. Next: {' · '.join(next_commands(result, self.sets, word))}"

    def print_plans(self, plans: Sequence[Plan], targets: Sequence[Target]) -> None:
        """What playing would take, if no target ends it earlier."""
        if self.form == "json":
            print_json({"schema": "llsim.plan/1", "set": self.set_facts(), "plans": [found.to_plain() for found in plans]})
        elif self.form == "csv":
            print_csv(tables.plan_table(plans).to_csv())
        else:
            for found in plans:
                say(screen.plan_lines(self.game.title, found))
            say(f"  ends earlier, once {target} is reached" for target in targets)


def estimates(found: Sequence[Found]) -> Iterator[tuple[int, Estimate]]:
    """All estimates, each with its number of players."""
    for answer, campaign, _, luck in found:
        players = answer.result.experiment.players
        yield from ((players, answer.estimates[name]) for name in answer.estimates.measures)
        if campaign is not None:
            yield from ((players, estimate) for estimate in (*campaign.chances, campaign.games))
        if luck is not None:
            yield from ((players, estimate) for estimate in (*luck.seats, luck.together))


def next_commands(result: Result, sets: Sets, word: str | None) -> Iterator[str]:
    """Commands that make sense after this one, of those that exist."""
    named: list[str | Path] = [*(sets.named(result.experiment.set_text) or (() if word is None else ("--set", Path(word))))]
    from lostlegacy_sim.cli import COMMANDS

    if "replay" in COMMANDS:
        yield "llsim replay last" if counts_nothing(result) else "llsim replay last --find nobody"
    if "balance" in COMMANDS and named:
        yield command_line("llsim", "balance", *(named[1:] if len(named) == 2 else named))
    if len(named) == 2:
        yield command_line("llsim", "cards", named[1])
    yield "llsim simulate --help"
