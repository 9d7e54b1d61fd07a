"""`llsim balance`: which card is too strong, because of its text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click
from click.core import ParameterSource

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.cli import levels, options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.crew import Hiring
from lostlegacy_sim.cli.keeping import Keeping
from lostlegacy_sim.cli.page import note, print_csv, print_json, say
from lostlegacy_sim.cli.progress import progress, say_how_long
from lostlegacy_sim.cli.simulate import LONG_RUN
from lostlegacy_sim.cli.stopping import STOPPED, stop_on_signals
from lostlegacy_sim.errors import BotFailure, UsageError
from lostlegacy_sim.experiment import line_up
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.report.balance_screen import balance_lines, balance_plan_lines
from lostlegacy_sim.report.balance_tables import (
    balance_document,
    balance_plan_document,
    balance_plan_table,
    balance_table,
)
from lostlegacy_sim.report.levels_screen import headline
from lostlegacy_sim.sets import Chosen
from lostlegacy_sim.studies.balance import Balance
from lostlegacy_sim.studies.balance_run import BalancePlan, plan_balance, play_balance
from lostlegacy_sim.studies.card_levels import card_headlines
from lostlegacy_sim.studies.card_levels import experiments_of as played_by
from lostlegacy_sim.studies.card_trials import USUAL, Balancing, balancing, read_effects
from lostlegacy_sim.studies.kept_balance import write_balance

EXAMPLES = (
    ("llsim balance starship", "which card of the Starship is too strong, four at the table"),
    ("llsim balance flying-garden --players 2-4", "the other set, for each number of players"),
    ("llsim balance my.toml --cards curse,assault", "two cards of your own set"),
    ("llsim balance starship --effects one --deals 2m", "what one copy of each text gives, more exactly"),
    ("llsim balance starship --effects copy --against search", "one copy more or fewer, Search making room"),
    ("llsim balance starship --ladder", "which text is strong at every level of play"),
    ("llsim balance starship --out kept", "keep the counts; llsim report kept -o page.html shows them"),
)


def read_words(text: str) -> tuple[str, ...]:
    """Words with commas in between. Raises UsageError."""
    words = tuple(word.strip() for word in text.split(","))
    if not all(words):
        raise UsageError(f"{text!r} has an empty word; write words with commas in between, such as assault,search.")
    return words


@command("balance", EXAMPLES)
@click.argument("word", metavar="[SET]", required=False)
@click.option("--cards", type=options.Checked("NAMES", read_words), default=(), show_default="all",
              help="Only these cards, by name or id, with commas in between.")  # fmt: skip
@click.option("--effects", type=options.Checked("NAMES", read_words), default=USUAL, show_default=",".join(USUAL),
              help="one: its text taken off one copy; blank: off one copy, and off all; swap: the other set's card; copy: one more or fewer; never: a bot that does not play it.")  # fmt: skip
@click.option("--against", metavar="NAME", default=None, help="Copy: the card that makes room for a copy, instead of a blank.")
@options.set_word
@options.set_choice
@options.players
@options.bots
@click.option("--deals", type=options.Checked("NUMBER", options.read_deals), default=500_000, show_default="500k",
              help="How many deals to play of the set and of each variant: 5000, 200k, 1.5m.")  # fmt: skip
@options.seed
@options.threads
@options.strict
@options.scheduler
@options.checkpoint
@levels.option
@click.option("--out", metavar="DIR", default=None, help="Keep the counts in this folder, which must not exist yet.")
@options.as_json
@options.as_csv
@options.dry_run
@options.quiet
@click.pass_context
def balance(
    ctx: click.Context, word: str | None, cards: Sequence[str], effects: Sequence[str], against: str | None,
    set_word: str | None, chosen: Chosen, players: Sequence[int], bots: Sequence[str],
    deals: int, seed: int, threads: int, scheduler: str | None, checkpoint: str | None, ladder: bool, out: str | None,
    as_json: bool, as_csv: bool, dry_run: bool, quiet: bool,
) -> int:  # fmt: skip
    """Say which card is too strong, because of its text: the set is played as it is and with one thing changed about each card.

    SET is starship, flying-garden, flying-garden-recall, megamix, custom, or a card file; starship if there is none.
    """
    form = options.form_of(as_json, as_csv)
    options.check_out(out, checkpoint)
    if word is not None and set_word is not None:
        raise UsageError(f"The set is named twice, {word} and --set {set_word}; leave out one.")
    sets, card_set = options.chosen_set(word if word is not None else set_word, chosen, seed)
    wanted = read_effects(effects)
    if against is not None and "copy" not in wanted:
        raise UsageError("--against belongs to the effect copy; add copy to --effects, or drop --against.")

    for number in players:
        sets.check_seats(card_set, number)
    game = options.strictly(find_game(sets.game))  # imports the kernel: only now, when something will be played
    if "cards" not in game.details:
        raise UsageError(f"{game.title} counts nothing of single cards, so none can be judged; `llsim simulate --set {card_set.id}` says who wins.")
    assert isinstance(card_set, CardSet)
    hiring = Hiring(threads, scheduler, checkpoint)
    if ladder:
        typed_effects = ctx.get_parameter_source("effects") is not ParameterSource.DEFAULT and wanted not in {("one",), ("blank",)}
        levels.refuse({"--effects": typed_effects, "--out": out})
        return card_levels(game, card_set, players, bots, levels.deals_of(deals), seed, cards, form, quiet).run(hiring, None, dry_run)
    if ctx.get_parameter_source("effects") is ParameterSource.DEFAULT:
        wanted = without_idle(wanted, bots, players, quiet)
    asked = [balancing(game, card_set, number, bots, deals, seed, cards, wanted, against) for number in players]
    return run(asked, game, hiring, out, form, dry_run, quiet)


def card_levels(
    game: Game, card_set: CardSet, players: Sequence[int], bots: Sequence[str], deals: int, seed: int, cards: Sequence[str], form: str, quiet: bool
) -> levels.Levels:  # fmt: skip
    """What the text of each card gives, asked of every level of play."""
    rungs = levels.rungs_of(game, bots)
    groups = []
    for number in players:
        asked = [balancing(game, card_set, number, [rung], deals, seed, cards, ("one",)) for rung in rungs]
        if not asked[0].variants:
            raise UsageError(f"None of these cards of {card_set.name} has a text that can be taken off, and --ladder asks what texts give; name others by --cards.")
        groups.append(levels.Group(
            [headline(game.title, asked[0].base, rungs)], f"{number} players", [played_by(one) for one in asked],
            partial(card_headlines, asked, game=game),
        ))  # fmt: skip
    return levels.Levels("balance", rungs, groups, game, form, quiet)


def without_idle(effects: tuple[str, ...], bots: Sequence[str], players: Sequence[int], quiet: bool) -> tuple[str, ...]:
    """The usual effects that can be asked of these bots: never compares equals."""
    if all(not bots or len(set(line_up(bots, number))) == 1 for number in players):
        return effects
    if not quiet:
        note("The effect never compares equal bots, and these differ; it is left out.")
    return tuple(effect for effect in effects if effect != "never")


def run(
    asked: Sequence[Balancing], game: Game, hiring: Hiring, out: str | None, form: str, dry_run: bool, quiet: bool
) -> int:  # fmt: skip
    """Play, keep and print what was found."""
    facts = {"cards": [one.cards for one in asked], "effects": [one.effects for one in asked], "against": [one.against for one in asked]}
    with Keeping("balance", out, hiring.checkpoint, [one.base for one in asked], facts, quiet) as place:
        if dry_run:
            print_plans([plan_balance(one, game, hiring.threads) for one in asked], game, form)
            return 0
        with stop_on_signals(place.abandon) as stop, hiring.begin(stop, quiet) as team:
            announce(asked, game, team.threads, quiet)
            with progress(quiet) as move:
                found = play_balance(asked, game, team.threads, move, stop, team.crew)
        try:
            if found.tables:
                place.keep(lambda folder: write_balance(folder, found), not stop.is_set() and not found.error)
        finally:  # what was counted is shown, whether it could be written or not
            if found.tables:
                print_answer(found, form, quiet)
    team.check()
    if found.error:
        raise BotFailure(found.error)
    if stop.is_set() and not found.tables:
        note(f"Stopped before the first batch of deals was finished; {team.kept}.")
    return STOPPED if stop.is_set() else 0


def announce(asked: Sequence[Balancing], game: Game, threads: int, quiet: bool) -> None:
    """Say beforehand how long a long run takes."""
    planned = sum(one.deals for one in asked)
    if planned >= LONG_RUN and not quiet:
        seconds = sum(plan_balance(one, game, threads).seconds for one in asked)
        say_how_long(planned, seconds, threads)


def print_answer(found: Balance, form: str, quiet: bool) -> None:
    """The answer, on the screen or as JSON or CSV."""
    if form == "json":
        print_json(balance_document(found))
    elif form == "csv":
        print_csv(balance_table(found).to_csv())
    else:
        for number, table in enumerate(found.tables):
            say(["", ""] if number else [])
            say(balance_lines(found, table))
        if not quiet:
            say(["  Holds for these bots. Next: llsim balance --help · llsim compare --help"])


def print_plans(plans: Sequence[BalancePlan], game: Game, form: str) -> None:
    """What playing would take."""
    if form == "json":
        print_json(balance_plan_document(plans))
    elif form == "csv":
        print_csv(balance_plan_table(plans).to_csv())
    else:
        for one in plans:
            say(balance_plan_lines(game.title, one))
