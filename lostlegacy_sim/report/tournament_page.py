"""The page of a kept tournament: its sections, and how its numbers came to be; nothing is played for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_sets
from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.report.commands import set_or_file, set_words
from lostlegacy_sim.report.page import VERSIONS, Fact, Origin, Page
from lostlegacy_sim.report.screen import counted, duration
from lostlegacy_sim.report.section import Section
from lostlegacy_sim.report.tournament_section import context_of, label
from lostlegacy_sim.studies.kept_tournaments import Answer, manifest_of
from lostlegacy_sim.studies.ladder import Climbed


def tournament_page(answers: Sequence[Answer], sections: Sequence[Section], game: Game) -> Page:
    """The page of some tournaments, or of ladders."""
    names = list(dict.fromkeys(answer.results[0].experiment.set_name for answer in answers))
    title = f"{game.title}: {names[0] if len(names) == 1 else f'{len(names)} sets'}, {'a ladder' if isinstance(answers[0], Climbed) else 'a tournament'}"
    origins = tuple(Origin(label(answer, answers) or "The tournament", tuple(facts_of(answer)), ()) for answer in answers)
    plain = manifest_of(answers) | {"experiments": [result.experiment.to_plain() for answer in answers for result in answer.results]}
    return Page(title, context_of(answers), tuple(sections), tuple(remarks(answers)), origins, (plain,))


def remarks(answers: Sequence[Answer]) -> Iterator[str]:
    """What a reader must know before believing the answers."""
    for answer in answers:
        asked = answer.ladder.experiments if isinstance(answer, Climbed) else answer.played.tournament.experiments
        error = answer.error if isinstance(answer, Climbed) else answer.played.error
        if not answer.is_whole:
            why = f"stopped by a bot after {len(answer.results)} of {len(asked)} tables. {error}" if error else (
                f"stopped after {len(answer.results)} of {len(asked)} tables; ratings and mixtures need all of them.")  # fmt: skip
            yield f"{label(answer, answers) or 'The tournament'}: {why}"
        void = sum(int(result.tally.totals["void"]) for result in answer.results)
        if void:
            yield f"{counted(void, 'deal')} passed the bound on turns and did not count."
    texts = dict.fromkeys((result.experiment.game, result.experiment.set_text) for answer in answers for result in answer.results)
    doors = [(find_sets(game), text) for game, text in texts]
    made_up = dict.fromkeys(name for sets, text in doors for name in sets.facts(sets.parse(text, "a kept tournament")).reconstructed)
    if made_up:
        yield f"Reconstructed cards, whose text has no public source: {', '.join(made_up)}."


def facts_of(answer: Answer) -> Iterator[Fact]:
    """What was asked, what came of it, and what with."""
    first, last = answer.results[0], answer.results[-1]
    experiment = last.experiment
    yield Fact("set", experiment.set_name)
    yield Fact("set hash (SHA-256)", experiment.set_hash, is_code=True)
    yield Fact("players", str(experiment.players))
    sources = dict(entry for result in answer.results for entry in result.experiment.entries)
    yield Fact("bots", ", ".join(sources))
    for bot, source_hash in sources.items():
        if source_hash:
            yield Fact(f"file of {bot} (SHA-256)", source_hash, is_code=True)
    yield Fact("tables", f"{len(answer.results)}, all on the same {counted(experiment.blocks, 'shuffle')}, counted in {last.batches} batches")
    yield Fact("deals of a match", f"{last.deals:,}")
    yield Fact("seed", str(experiment.seed))
    yield Fact("again", again(answer), is_code=True)
    if set_words(experiment) is None:
        yield Fact("card file", "its text is kept in this page, as set_text of the experiments; save it under the name in the command")
    yield Fact("made with", " · ".join(f"{name} {first.provenance[name]}".removeprefix("machine ") for name in VERSIONS if name in first.provenance))
    seconds = sum(float(result.provenance.get("seconds", 0.0)) for result in answer.results)
    yield Fact("finished", f"{str(last.provenance.get('finished', ''))[:16].replace('T', ' ')} UTC, after {duration(seconds)}")


def again(answer: Answer) -> str:
    """The command that plays the same again."""
    experiment = answer.results[-1].experiment
    is_ladder = isinstance(answer, Climbed)
    bots = answer.ladder.rungs if isinstance(answer, Climbed) else answer.bots
    kind = ["--ladder"] if is_ladder else ["--all-mixtures"] if not isinstance(answer, Climbed) and answer.played.tournament.has_all_mixtures else []
    words = ["--players", str(experiment.players), "--bots", listed(bots), "--deals", str(experiment.deals), "--seed", str(experiment.seed)]
    return command_line("llsim", "tournament", *kind, *set_or_file(experiment), *words)
