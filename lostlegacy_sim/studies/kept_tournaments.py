"""Kept tournaments: the folder of a tournament or a ladder, which answers again without being played.

Inside lies a folder for every result, so that it can be read as a folder of several results, too; `manifest.json` says how
they belong together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lostlegacy_sim.disk import sync, write_file
from lostlegacy_sim.errors import LlsimError, ResultError
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.identity import refuse_mixed
from lostlegacy_sim.plain import FLAG, HASH, LINE, Plain, by_name, different, one_line, one_of, unparse, whole
from lostlegacy_sim.result import MOST_RESULTS, SEVERAL, Result, load_by_name, read_json, write_result
from lostlegacy_sim.studies.ladder import Climbed, ladder_at
from lostlegacy_sim.studies.standings import Standings
from lostlegacy_sim.studies.tournament import played_of, tournament_at

SCHEMA = "llsim.tournament-folder/1"
NAME = "manifest.json"
MOST_BOTS = 200

Answer: TypeAlias = Standings | Climbed


def write_tournaments(folder: Path, answers: Sequence[Answer]) -> None:
    """Write all results of some tournaments or ladders, and how they belong together, into an existing folder."""
    results = [result for answer in answers for result in answer.results]
    names = [folder_name(place, result) for place, result in enumerate(results, 1)]
    for name, result in zip(names, results, strict=True):
        (folder / name).mkdir()
        write_result(folder / name, result)
    write_file(folder / "results.json", unparse({"schema": SEVERAL, "results": names}))
    write_file(folder / NAME, unparse(manifest_of(answers)))
    sync(folder)


def folder_name(place: int, result: Result) -> str:
    """A name for the folder of a result: "7-careful-among-random"."""
    bots = dict.fromkeys(re.sub(r"[^a-z0-9]+", "-", Path(bot).stem.lower()).strip("-") for bot in result.experiment.bots)
    return f"{place}-{'-among-'.join(bots)[:60].strip('-')}"


def manifest_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """How the results belong together."""
    return {"schema": SCHEMA, "parts": [part_of(answer) for answer in answers]}


def part_of(answer: Answer) -> dict[str, Any]:
    """What one answer is made of."""
    if isinstance(answer, Climbed):
        return {"kind": "ladder", "bots": list(answer.ladder.rungs), "sources": sources_of(answer.ladder.experiments),
                "results": len(answer.results), "error": one_line(answer.error)}  # fmt: skip
    tournament = answer.played.tournament
    return {"kind": "tournament", "bots": list(tournament.bots), "sources": sources_of(tournament.experiments),
            "all_mixtures": tournament.has_all_mixtures, "results": len(answer.results), "error": one_line(answer.played.error)}  # fmt: skip


def sources_of(experiments: Sequence[Any]) -> dict[str, str]:
    """The hash of every bot's file, "" for a built-in one."""
    return dict(entry for experiment in experiments for entry in experiment.entries)


def load_tournaments(folder: Path) -> list[Answer]:
    """The answers of a folder, of whichever game. Raises ResultError if it is damaged or the results do not belong together."""
    manifest = read_json(folder / NAME, SCHEMA)
    named = load_by_name(folder)
    refuse_mixed(folder, {name: result.provenance for name, result in named.items()})
    results, answers = list(named.values()), list[Answer]()
    game = find_game(results[0].experiment.game)
    try:
        for part in manifest.tables("parts", MOST_RESULTS):
            n_results = part.read("results", whole(1, len(results)))
            answers.append(answer_of(part, results[:n_results], game))
            results = results[n_results:]
    except (KeyError, ValueError, IndexError, LlsimError):
        raise ResultError(f"{folder / NAME} is damaged: it does not fit the results beside it.") from None
    if results or not answers:
        raise ResultError(f"{folder / NAME} is damaged: it does not name all the results beside it.")
    return answers


def answer_of(part: Plain, results: Sequence[Result], game: Game) -> Answer:
    """One tournament or ladder. Raises ValueError if the results are not its first ones."""
    sources, error = part.read("sources", by_name(HASH, MOST_BOTS)), part.read("error", LINE)
    entries = [(bot, sources[bot]) for bot in part.read("bots", different(LINE, MOST_BOTS, 2))]
    is_ladder = part.read("kind", one_of(("ladder", "tournament"))) == "ladder"
    # A mirror match, the first result of a tournament, plays as many shuffles as a match in fewer deals.
    table = results[0].experiment if is_ladder else results[len(entries)].experiment
    asked = ladder_at(table, entries) if is_ladder else tournament_at(table, entries, part.read("all_mixtures", FLAG))
    if [result.experiment for result in results] != list(asked.experiments[: len(results)]):
        raise ValueError("other experiments")
    if is_ladder:
        return Climbed(asked, results, game, error)  # type: ignore[arg-type]
    return Standings(played_of(asked, results, error), game)  # type: ignore[arg-type]
