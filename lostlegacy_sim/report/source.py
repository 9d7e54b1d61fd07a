"""Source: a result a page is made from, and what it is called there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.report.screen import counted
from lostlegacy_sim.result import Result

PARTS = ("set", "players", "bots", "seed", "deals", "status")  # of a label
HASHES = ("cards", "files")  # of one where all these are the same: the contents of what has one name
HASH = 8  # characters that are shown of a hash


@dataclass(frozen=True)
class Source:
    """A result and the words that name it."""

    result: Result
    place: str  # its folder as the user named it, or "last"
    label: str  # what tells it from the others on the page


def sources_of(results: Sequence[tuple[str, Result]]) -> list[Source]:
    """Results with their places, each labelled by what tells it from the others."""
    labels = labels_of([result for _, result in results])
    return [Source(result, place, label) for (place, result), label in zip(results, labels, strict=True)]


# --- labels ---------------------------------------------------------------------------------------------


def labels_of(results: Sequence[Result]) -> list[str]:
    """For each result the parts in which they differ; the number of players if there is only one."""
    parts = [facts(result) for result in results]
    labels = joined(parts, PARTS)
    if len(set(labels)) < len(labels):
        labels = joined(parts, (*PARTS, *HASHES))
    if len(set(labels)) < len(labels):
        labels = [f"{label} · result {number}" for number, label in enumerate(labels, 1)]
    return labels


def joined(parts: Sequence[Mapping[str, str]], names: Sequence[str]) -> list[str]:
    """For each result those of the named parts in which they differ."""
    differing = [name for name in names if len({fact[name] for fact in parts}) > 1]
    return [" · ".join(fact[name] for name in differing or ["players"]) for fact in parts]


def facts(result: Result) -> dict[str, str]:
    """The parts of a label."""
    experiment = result.experiment
    sources = [source[:HASH] for source in dict(experiment.entries).values() if source]
    return {"set": experiment.set_name, "players": f"{experiment.players} players", "bots": bots_words(experiment),
            "seed": f"seed {experiment.seed}", "deals": counted(result.deals, "deal"),
            "status": "stopped early" if result.status == "partial" else "complete",
            "cards": f"cards {experiment.set_hash[:HASH]}", "files": f"bot file {', '.join(sources)}" if sources else "no bot file"}  # fmt: skip


def shared_facts(results: Sequence[Result], without: str = "status") -> str:
    """What is the same for all results, in a line; one part can be left out."""
    parts = [facts(result) for result in results]
    same = [part for part in PARTS if len({fact[part] for fact in parts}) == 1 and part not in (without, "status")]
    words = [parts[0][part] + (" each" if part == "deals" and len(results) > 1 else "") for part in same]
    return " · ".join(words)


def bots_words(experiment: Experiment) -> str:
    """A line-up in words, the same for any number of seats that the last bot fills: "all careful", "careful, others random"."""
    seated = [(bot, len(list(seats))) for bot, seats in groupby(experiment.bots)]
    if len(seated) == 1:
        return f"all {seated[0][0]}"
    first = [bot if seats == 1 else f"{seats} × {bot}" for bot, seats in seated[:-1]]
    return f"{', '.join(first)}, others {seated[-1][0]}"
