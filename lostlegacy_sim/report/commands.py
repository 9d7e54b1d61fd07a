"""Commands: what to type to play a result again, or to be told one of its deals."""

from __future__ import annotations

from pathlib import Path

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games import find_sets
from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.report.source import Source


def simulate_line(experiment: Experiment) -> str:
    """The command that plays an experiment again, deal for deal.

    Cards of one's own are taken from a file named after the set; its text is part of the result.
    """
    return command_line("llsim", "simulate", *set_or_file(experiment), *table_words(experiment), "--deals", str(experiment.deals))


def replay_line(source: Source, deal: int) -> str:
    """The command that tells a deal: by its table if that can be named anywhere, else by the folder of the result."""
    experiment = source.result.experiment
    words = set_words(experiment)
    if words is None or any(experiment.bot_sources):
        files = experiment.bot_files.values()
        named: list[str | Path] = ["--bots", Path(listed(files))] if files else []
        return command_line("llsim", "replay", Path(source.place), "--players", str(experiment.players), *named, "--deal", str(deal))
    return command_line("llsim", "replay", *words, *table_words(experiment), "--deal", str(deal))


def table_words(experiment: Experiment) -> list[str]:
    """The options for seats, bots and seed."""
    bots = experiment.bots[:1] if len(set(experiment.bots)) == 1 else experiment.bots
    return ["--players", str(experiment.players), "--bots", listed(bots), "--seed", str(experiment.seed)]


def set_or_file(experiment: Experiment) -> list[str | Path]:
    """The options that name the set, if need be as a file of its name."""
    return [*(set_words(experiment) or ("--set", Path(f"{experiment.set_id}.toml")))]


def set_words(experiment: Experiment) -> list[str] | None:
    """The options that name the set; None if its cards come from a file."""
    found = find_sets(experiment.game).named(experiment.set_text)
    return None if found is None else list(found)
