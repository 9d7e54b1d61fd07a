"""`llsim tournament`: which bot plays best, who beats whom, and how deep the game is."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import TypeAlias

import click

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.crew import Hired, Hiring
from lostlegacy_sim.cli.keeping import Keeping
from lostlegacy_sim.cli.levels import deals_of
from lostlegacy_sim.cli.page import note, print_csv, print_json, say
from lostlegacy_sim.cli.progress import progress, say_how_long
from lostlegacy_sim.cli.simulate import LONG_RUN
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotFailure, UsageError
from lostlegacy_sim.estimate import CONFIDENCE
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.report import ladder_screen, tournament_screen, tournament_tables
from lostlegacy_sim.sets import Chosen, GameSet, Sets
from lostlegacy_sim.studies.kept_tournaments import Answer, write_tournaments
from lostlegacy_sim.studies.ladder import Climbed, Ladder, ladder_of
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.tournament import Tournament, plan_experiments, play_in_turn, played_of, tournament_of

EXAMPLES = (
    ("llsim tournament", "every bot of the ladder against every other one, four at the table"),
    ("llsim tournament --bots careful,hunter,my_bot.py", "is my bot better than those"),
    ("llsim tournament --players 2-4 --set flying-garden", "another set, for each number of players"),
    ("llsim tournament --all-mixtures", "also two against two, and three kinds of bots at one table"),
    ("llsim tournament --ladder", "what each rung gains over the one below: how deep the game is"),
    ("llsim tournament --ladder --set starship --set flying-garden", "in which set playing well pays more"),
    ("llsim tournament --out cup", "keep all matches; llsim report cup -o cup.html shows them"),
)

Asked: TypeAlias = Tournament | Ladder


@command("tournament", EXAMPLES)
@click.option("--bots", type=options.Checked("BOTS", options.read_bots), default=None,
              help="The bots, such as careful,random,my_bot.py; with --ladder the weakest first. [default: the game's ladder]")  # fmt: skip
@click.option("--ladder", is_flag=True, help="Only each bot against the one before it: win index, and depth of the game.")
@click.option("--all-mixtures", is_flag=True, help="Play every mixture of bots, not only one against all others of another.")
@click.option("--set", "set_words", metavar="SET", multiple=True,
              help=f"{options.set_help()}; may be given several times. [default: {options.DEFAULT_SET}]")  # fmt: skip
@options.set_choice
@options.players
@click.option("--deals", type=options.Checked("NUMBER", options.read_deals), default=100_000, show_default="100k; 2k with the game's ladder",
              help="How many deals to play in each match: 5000, 200k, 1.5m.")  # fmt: skip
@options.seed
@options.threads
@options.strict
@options.scheduler
@options.checkpoint
@click.option("--out", metavar="DIR", default=None, help="Keep all matches in this folder, which must not exist yet.")
@options.as_json
@options.as_csv
@options.dry_run
@options.quiet
def tournament(
    bots: Sequence[str] | None, ladder: bool, all_mixtures: bool, set_words: Sequence[str], chosen: Chosen,
    players: Sequence[int], deals: int, seed: int, threads: int, scheduler: str | None, checkpoint: str | None, out: str | None,
    as_json: bool, as_csv: bool, dry_run: bool, quiet: bool,
) -> int:  # fmt: skip
    """Say which bot plays best: each one alone among others of each other bot, all on the same shuffles.

    At every table the bots sit in all rotations, so no seat favours anyone. Par is an equal share of the decided deals.
    """
    form = options.form_of(as_json, as_csv)
    options.check_out(out, checkpoint)
    if ladder and all_mixtures:
        raise UsageError("--ladder plays each bot against the one before it; leave out --all-mixtures.")
    door, game_sets = chosen_sets(set_words, chosen, seed)
    for game_set in game_sets:
        for number in players:
            door.check_seats(game_set, number)

    game = options.strictly(find_game(door.game))  # imports the kernel: only now, when something will be played
    names, deals = bots or game.ladder, deals_of(deals)
    asked: list[Asked] = [
        ladder_of(game, game_set, number, names, deals, seed) if ladder
        else tournament_of(game, game_set, number, names, deals, seed, all_mixtures)
        for game_set in game_sets for number in players
    ]  # fmt: skip
    page = Page(game, form, quiet)
    experiments = [experiment for one in asked for experiment in one.experiments]
    with Keeping("tournament", out, checkpoint, experiments, {"ladder": ladder, "all_mixtures": all_mixtures}, quiet) as place:
        if dry_run:
            page.print_plans(asked, threads)
            return 0
        with stop_on_signals(place.abandon) as stop, Hiring(threads, scheduler, checkpoint).begin(stop, quiet) as team:
            announce(asked, game, team.threads, quiet)
            answers = play_all(asked, game, team, quiet, stop)
        try:
            if answers:
                place.keep(lambda folder: write_tournaments(folder, answers), not stop.is_set() and not any(map(error_of, answers)))
        finally:  # what was counted is shown, whether it could be written or not
            if answers:
                page.print(answers)
    team.check()
    raise_bot_error(answers)
    if stop.is_set() and not answers:
        note(f"Stopped before the first match was played to its end; {team.kept}.")
    return STOPPED if stop.is_set() else 0


def chosen_sets(words: Sequence[str], chosen: Chosen, seed: int) -> tuple[Sets, list[GameSet]]:
    """The sets to play, of one game; options go with the one they belong to. Raises SetError or UsageError."""
    if len(set(words)) < len(words):
        raise UsageError("--set names a set twice; name every set once.")
    if len(words) <= 1:
        sets, game_set = options.chosen_set(words[0] if words else None, chosen, seed)
        return sets, [game_set]
    for option in options.set_options().values():
        if option.name in chosen and option.word not in words:
            raise UsageError(f"--{option.name} belongs to the set {option.word}, which is not played; drop --{option.name}.")
    found = [options.chosen_set(word, options.chosen_for(word, chosen), seed) for word in words]
    if len({sets.game for sets, _ in found}) > 1:
        raise UsageError(f"{words[0]} and {next(word for word, one in zip(words, found, strict=True) if one[0] is not found[0][0])} are sets of two games; "
                         "a tournament has one.")  # fmt: skip
    return found[0][0], [game_set for _, game_set in found]


def announce(asked: Sequence[Asked], game: Game, threads: int, quiet: bool) -> None:
    """Say beforehand how long a long run takes."""
    deals = sum(one.planned_deals for one in asked)
    if deals >= LONG_RUN and not quiet:
        seconds = sum(plan_experiments(one.experiments, game, threads).seconds for one in asked)
        say_how_long(deals, seconds, threads, "Ctrl-C keeps whole matches.")


def play_all(asked: Sequence[Asked], game: Game, team: Hired, quiet: bool, stop: Event) -> list[Answer]:
    """Play one after the other, as far as nothing stops them: the answers of those that have a match."""
    answers: list[Answer] = []
    for one in asked:
        with progress(quiet) as move:
            results, error = play_in_turn(one.experiments, game, team.threads, move, stop, team.crew)
        if isinstance(one, Ladder):
            answer: Answer | None = Climbed(one, results, game, error) if results else None
        else:
            played = played_of(one, results, error)
            answer = Standings(played, game) if played.matches else None
        answers += [answer] if answer is not None else []
        if error and answer is None:
            raise BotFailure(error)
        if stop.is_set() or error:
            break
    return answers


def raise_bot_error(answers: Sequence[Answer]) -> None:
    """Raises BotError if a bot stopped the run."""
    for answer in answers:
        if error := error_of(answer):
            raise BotFailure(f"{error} The matches before it are kept.")


def error_of(answer: Answer) -> str:
    """Why a bot stopped it, if one did."""
    return answer.error if isinstance(answer, Climbed) else answer.played.error


class Page:
    """Where the answers go: to the screen, or as JSON or CSV."""

    def __init__(self, game: Game, form: str, quiet: bool) -> None:
        self.game, self.form, self.quiet = game, form, quiet

    def print(self, answers: Sequence[Answer]) -> None:
        """Print all answers."""
        standings = [answer for answer in answers if isinstance(answer, Standings)]
        climbed = [answer for answer in answers if isinstance(answer, Climbed)]
        if self.form == "json":
            print_json({"schema": "llsim.tournament/1", "confidence": CONFIDENCE, "adjusted": "holm",
                        "tournaments": [found.to_plain() for found in standings], "ladders": [found.to_plain() for found in climbed],
                        "provenance": dict(answers[-1].results[-1].provenance)})  # fmt: skip
        elif self.form == "csv":
            table = ladder_screen.climb_table(climbed) if climbed else tournament_tables.matrix_table(standings)
            print_csv(table.to_csv())
        else:
            for number, answer in enumerate(answers):
                say([""] if number else [])
                say(ladder_screen.climbed_lines(answer) if isinstance(answer, Climbed) else tournament_screen.standings_lines(answer))
            if not self.quiet:
                say(["  Holds for these bots and this set. Next: llsim tournament --ladder · llsim bots"])

    def print_plans(self, asked: Sequence[Asked], threads: int) -> None:
        """What playing would take."""
        plans = [plan_experiments(one.experiments, self.game, threads) for one in asked]
        if self.form == "json":
            found = [one.to_plain() | plan.to_plain() for one, plan in zip(asked, plans, strict=True)]
            print_json({"schema": "llsim.plan/1", "plans": found})
        elif self.form == "csv":
            print_csv(tournament_tables.plan_table(plans).to_csv())
        else:
            for one, plan in zip(asked, plans, strict=True):
                say([self.headline(one)])
                say(tournament_screen.plan_lines(plan))

    def headline(self, one: Asked) -> str:
        """What is to be played, on one line."""
        if isinstance(one, Ladder):
            return ladder_screen.headline(self.game.title, one)
        return tournament_screen.headline(self.game.title, one)
