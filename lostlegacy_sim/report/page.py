"""Page: all that a report says, from saved counts alone; nothing is played for it but the few deals that are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_sets
from lostlegacy_sim.report.commands import set_words, simulate_line
from lostlegacy_sim.report.exemplars import Exemplar, exemplars_of
from lostlegacy_sim.report.screen import counted, duration
from lostlegacy_sim.report.section import Section
from lostlegacy_sim.report.source import Source, shared_facts
from lostlegacy_sim.result import manifest_of

VERSIONS = ("lostlegacy_sim", "numba", "numpy", "python", "machine")


@dataclass(frozen=True)
class Fact:
    """A line about how the numbers came to be."""

    name: str
    words: str
    is_code: bool = False  # a command, a hash


@dataclass(frozen=True)
class Origin:
    """One result the page was made from: what was asked, with which versions, and deals worth a look."""

    label: str
    facts: tuple[Fact, ...]
    exemplars: tuple[Exemplar, ...]


@dataclass(frozen=True)
class Page:
    """All that a page holds, in its order."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    remarks: tuple[str, ...]  # what restricts the answers: stopped early, reconstructed cards
    origins: tuple[Origin, ...]
    manifests: tuple[Mapping[str, Any], ...]


def page_of(sources: Sequence[Source], sections: Sequence[Section], game: Game) -> Page:
    """The page of some results and of what a study made of them."""
    names = list(dict.fromkeys(source.result.experiment.set_name for source in sources))
    title = f"{game.title}: {names[0]}" if len(names) == 1 else f"{game.title}: {len(names)} sets compared"
    origins = tuple(Origin(source.label, tuple(facts_of(source)), tuple(exemplars_of(source))) for source in sources)
    return Page(
        title, shared_facts([source.result for source in sources], without="set"), tuple(sections), tuple(remarks(sources)), origins,
        tuple(manifest_of(source.result) for source in sources),
    )  # fmt: skip


def remarks(sources: Sequence[Source]) -> Iterator[str]:
    """What a reader must know before believing the answers."""
    for source in sources:
        result, experiment = source.result, source.result.experiment
        if result.error:
            yield f"{source.label}: stopped after {counted(result.deals, 'deal')} by a bot. {result.error}"
        elif result.status == "partial":
            planned = counted(experiment.planned_deals, "deal")
            yield f"{source.label}: stopped after {result.deals:,} of {planned}; this is what they say."
        if void := int(result.tally.totals["void"]):
            yield f"{source.label}: {counted(void, 'deal')} passed the bound on turns and did not count."
    made_up = list(dict.fromkeys(name for source in sources for name in reconstructed(source)))
    if made_up:
        yield f"Reconstructed cards, whose text has no public source: {', '.join(made_up)}."


def reconstructed(source: Source) -> list[str]:
    """The names of the cards whose text has no public source."""
    experiment = source.result.experiment
    sets = find_sets(experiment.game)
    return list(sets.facts(sets.parse(experiment.set_text, experiment.set_name)).reconstructed)


def facts_of(source: Source) -> Iterator[Fact]:
    """What was asked, what came of it, and what with."""
    result, experiment = source.result, source.result.experiment
    yield Fact("set", experiment.set_name)
    yield Fact("set hash (SHA-256)", experiment.set_hash, is_code=True)
    yield Fact("players", str(experiment.players))
    yield Fact("bots, in seating order", ", ".join(experiment.bots))
    for bot, source_hash in dict(experiment.entries).items():
        if source_hash:
            yield Fact(f"file of {bot} (SHA-256)", source_hash, is_code=True)
    shuffles = f"{counted(experiment.blocks, 'shuffle')} in {counted(experiment.rotations, 'rotation')} of the line-up"
    batches = "1 batch" if result.batches == 1 else f"{result.batches} batches"
    yield Fact("deals", f"{result.deals:,}, of {shuffles}, counted in {batches}")
    yield Fact("seed", str(experiment.seed))
    yield Fact("again", simulate_line(experiment), is_code=True)
    if set_words(experiment) is None:
        yield Fact("card file", "its text is kept in this page, as set_text of the experiment; save it under the name in the command")
    yield Fact("experiment (SHA-256)", experiment.hash, is_code=True)
    provenance = result.provenance
    versions = [f"{name} {provenance[name]}".removeprefix("machine ") for name in VERSIONS if name in provenance]
    yield Fact("made with", " · ".join(versions))
    if {"seconds", "threads", "finished"} <= set(provenance):
        took = f"{duration(float(provenance['seconds']))} on {counted(int(provenance['threads']), 'thread')}"
        yield Fact("finished", f"{str(provenance['finished'])[:16].replace('T', ' ')} UTC, after {took}")
