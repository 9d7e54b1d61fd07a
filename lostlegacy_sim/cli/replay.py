"""`llsim replay`: one deal told in words, by the reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.bot_files import name_bot_files
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import narrate, print_json, say
from lostlegacy_sim.cli.sitting import Place
from lostlegacy_sim.cli.sitting import answers as answers_option
from lostlegacy_sim.errors import ResultError, UsageError, nearest
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Story
from lostlegacy_sim.games import find_game, find_sets
from lostlegacy_sim.letters import command_line
from lostlegacy_sim.result import Result, load_all, recall
from lostlegacy_sim.sets import Chosen
from lostlegacy_sim.studies.simulate import experiment_of

EXAMPLES = (
    ("llsim replay last --find nobody", "a deal of the last result that nobody won"),
    ("llsim replay last --find longest", "its longest deal"),
    ("llsim replay last --find seen --seat 2", "seat 2 sees the Lost Legacy and wins"),
    ("llsim replay --set megamix --players 6 --deal 7", "deal 7 of any table"),
    ("llsim replay run1 --deal 1000 --knows turns", "of a kept result, with what each seat knows after each turn"),
    ("llsim replay --seat 1 --deal 3 --answers 2,1,5", "a deal you have played; `llsim play` writes the line"),
)
LAST_DEAL = 2**62 - 1


read_deal = options.whole_number("--deal", 0, LAST_DEAL)


def read_seat(text: str) -> int:
    """A seat, counted from 1. Raises UsageError."""
    most = options.seats_of_any()[1]
    if not re.fullmatch(r"[1-9][0-9]?", text) or int(text) > most:
        raise UsageError(f"--seat {text}: write a seat from 1 to {most}.")
    return int(text)


@command("replay", EXAMPLES)
@click.argument("result", required=False, metavar="[RESULT|last]")
@click.option("--deal", type=options.Checked("NUMBER", read_deal), default=None, help="Which deal, counted from 0. [default: 0]")
@click.option("--find", metavar="WHAT", default=None,
              help="The first deal of the result that ended so: nobody, last, seen, found, out_early, longest.")  # fmt: skip
@click.option("--seat", type=options.Checked("NUMBER", read_seat), default=None, help="With --find or --answers: of this seat, counted from 1.")
@click.option("--knows", type=click.Choice(["turns", "end", "never"]), default="end", show_default=True,
              help="Say what each seat knows for certain: after each turn, at the end, or never.")  # fmt: skip
@options.set_word
@options.set_choice
@options.players
@options.bots
@options.seed
@answers_option
@options.as_json
@click.pass_context
def replay(
    ctx: click.Context, result: str | None, deal: int | None, find: str | None, seat: int | None, knows: str,
    set_word: str | None, chosen: Chosen, players: Sequence[int], bots: Sequence[str],
    seed: int, answers: Sequence[int] | None, as_json: bool,
) -> None:  # fmt: skip
    """Tell one deal in words: who played, looked, exchanged, was put out, and what each seat knew.

    RESULT is the folder of a kept result, or the word last; without it the options name a table.
    """
    if find and deal is not None:
        raise UsageError("--find looks for a deal and --deal names one; choose one of the two.")
    if answers is not None:
        if result is not None or find:
            raise UsageError("--answers are those of one deal of `llsim play`, which has no result; write the line it ended with.")
        replay_person(Place(set_word, chosen, players, bots, seed, deal or 0, seat or 1), answers, knows, as_json)
        return
    if seat and not find:
        raise UsageError("--seat belongs to --find: llsim replay last --find seen --seat 2.")
    typed = {name for name in ctx.params if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}
    if result is None:
        if find:
            raise UsageError(f"--find looks in a result; write `{command_line('llsim', 'replay', 'last', '--find', find)}`.")
        experiment = table_of(set_word, chosen, players, bots, seed)
    else:
        refuse_table_options(typed)
        found = choose_result(result, players if "players" in typed else None)
        experiment = found.experiment
        name_bot_files(find_game(experiment.game), [experiment], bots if "bots" in typed else ())
        deal = exemplar(found, find, seat) if find else deal
        if deal is not None and deal >= experiment.planned_deals:
            raise UsageError(f"--deal {deal}: the result holds the deals 0 to {experiment.planned_deals - 1}.")

    game = find_game(experiment.game)  # the kernel: only now, when a deal is played
    if game.tell is None:
        raise UsageError(f"Deals of {game.title} cannot be told yet; `llsim simulate` counts them.")
    story = game.tell(experiment, deal or 0)
    if as_json:
        block, rotation = divmod(deal or 0, experiment.rotations)
        facts = {"experiment": experiment.to_plain(), "deal": deal or 0, "block": block, "rotation": rotation}
        print_json(document(facts, story))
        return
    narrate(lines(game.title, experiment.set_name, experiment.players, experiment.seed, deal or 0, story, knows))


def replay_person(place: Place, answers: Sequence[int], knows: str, as_json: bool) -> None:
    """A deal with a person at the table, told up to its end or to where it was left."""
    sitting = place.sit(answers)
    story = sitting.story()
    if as_json:
        facts = {"set": sitting.card_set.id, "players": place.n_seats, "seed": place.seed, "deal": place.deal, "seat": place.seat,
                 "answers": list(answers)}  # fmt: skip
        print_json(document(facts, story))
        return
    narrate(lines(find_sets(sitting.card_set.game).title, sitting.card_set.name, place.n_seats, place.seed, place.deal, story, knows))
    if not story.is_over:
        say(["", "Here the deal was left. To go on:", f"  {place.command('play', answers)}"])


# --- which deal -----------------------------------------------------------------------------------------


def table_of(
    set_word: str | None, chosen: Chosen, players: Sequence[int], bots: Sequence[str], seed: int
) -> Experiment:
    """The table the options name."""
    if len(players) > 1:
        raise UsageError("--players: one deal has one number of players; write one number.")
    sets, game_set = options.chosen_set(set_word, chosen, seed)
    sets.check_seats(game_set, players[0])
    return experiment_of(find_game(sets.game), game_set, players[0], bots, 1, seed)


def refuse_table_options(typed: set[str]) -> None:
    """A result already has a set, bots and a seed."""
    names = {"set_word": "--set", "seed": "--seed"} | options.typed_set_options(typed)
    for parameter, option in names.items():
        if parameter in typed:
            raise UsageError(f"{option} names a table, but the deals of a result have theirs; drop {option} or the result.")


def choose_result(word: str, players: Sequence[int] | None) -> Result:
    """The result of that name; of several the one with so many players."""
    results = recall() if word == "last" else load_all(Path(word))
    numbers = [result.experiment.players for result in results]
    if players is None and len(results) == 1:
        return results[0]
    if players is None or len(players) > 1:
        raise UsageError(f"There are results for {', '.join(map(str, numbers))} players; add --players {numbers[0]}, say.")
    if players[0] not in numbers:
        raise UsageError(f"--players {players[0]}: there is no such result, only for {', '.join(map(str, numbers))} players.")
    return results[numbers.index(players[0])]


def exemplar(result: Result, word: str, seat: int | None) -> int:
    """The lowest deal of a category: "nobody", "seen" of any seat, "seen[2]" or "seen" with a seat. Raises UsageError."""
    stem = word.partition("[")[0]
    stems = list(dict.fromkeys(name.partition("[")[0] for name in result.categories))
    if stem not in stems or (word != stem and word not in result.categories):
        raise UsageError(f"--find {word}: no deals are remembered by that word.{nearest(stem, stems)}")
    if seat is not None and (word != stem or stem in result.categories):
        raise UsageError(f"--seat {seat}: --find {word} does not ask for a seat; drop --seat.")
    wanted = word if seat is None else f"{stem}[{seat}]"
    deals = [deal for name, deal in result.deal_of.items() if deal is not None and wanted in (name, name.partition("[")[0])]
    if not deals:
        raise ResultError(f"None of the {result.deals:,} deals is remembered under {wanted}.")
    return min(deals)


# --- how it is told ---------------------------------------------------------------------------------------


def lines(title: str, set_name: str, players: int, seed: int, deal: int, story: Story, knows: str) -> Iterator[str]:
    """The deal as text: a blank line before each chapter."""
    yield f"{title}: {set_name}, {players} players, seed {seed}, deal {deal}"
    yield f"Bots: {', '.join(f'seat {seat} {bot}' for seat, bot in enumerate(story.bots, 1))}."
    for number, chapter in enumerate(story.chapters, 1):
        yield ""
        yield from chapter.sentences
        if knows == "turns" or (knows == "end" and number == len(story.chapters)):
            yield from (f"    {sentence}" for sentence in chapter.knows)


def document(facts: dict[str, Any], story: Story) -> dict[str, Any]:
    """The deal as JSON, schema llsim.replay/1; `facts` say which deal it is."""
    return {"schema": "llsim.replay/1", **facts, **story.to_plain()}
