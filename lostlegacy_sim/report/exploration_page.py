"""The page of a kept exploration: its sections, and how its numbers came to be; nothing is played for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lostlegacy_sim.game import Game
from lostlegacy_sim.letters import command_line, listed
from lostlegacy_sim.report.explore_screen import seats_in_words
from lostlegacy_sim.report.explore_section import mixes_sections
from lostlegacy_sim.report.explore_tables import provenance
from lostlegacy_sim.report.guidelines_section import guidelines_sections
from lostlegacy_sim.report.page import VERSIONS, Fact, Origin, Page
from lostlegacy_sim.report.screen import counted, duration
from lostlegacy_sim.report.section import Section
from lostlegacy_sim.report.sweep_section import sweep_sections
from lostlegacy_sim.studies.families import LEGAL
from lostlegacy_sim.studies.goals import SKILL
from lostlegacy_sim.studies.guidelines import GuidelinesAnswer
from lostlegacy_sim.studies.kept_answers import Answer
from lostlegacy_sim.studies.kept_looks import SCHEMA, Exploration, manifest_of
from lostlegacy_sim.studies.look import TABLE, Look, Seated
from lostlegacy_sim.studies.mixes import MixesAnswer


def exploration_sections(answer: Answer) -> list[Section]:
    """All that an exploration can answer, in the order of a page."""
    if isinstance(answer, MixesAnswer):
        return mixes_sections(answer)
    return guidelines_sections(answer) if isinstance(answer, GuidelinesAnswer) else sweep_sections(answer)


def exploration_page(exploration: Exploration, sections: Sequence[Section], game: Game) -> Page:
    """The page of one exploration."""
    origins = tuple(Origin(label_of(name), tuple(facts_of(exploration, name, look)), ()) for name, look in exploration.looks.items())
    manifest = {"schema": SCHEMA, "family": exploration.family, "facts": dict(exploration.facts),
                "looks": {name: manifest_of(look) for name, look in exploration.looks.items()}}  # fmt: skip
    return Page(headline(exploration, game), context_of(exploration), tuple(sections), tuple(remarks(exploration)), origins, (manifest,))


def headline(exploration: Exploration, game: Game) -> str:
    """What the page is about."""
    (first, *_) = exploration.looks.values()
    words = {"mixes": f"{len(first.sets)} mixes", "guidelines": "the guidelines", "sweep": f"{len(first.sets)} points of a sweep"}
    return f"{game.title}: {words[exploration.family]}"


def context_of(exploration: Exploration) -> str:
    """Who played what, in a line; of several tables the first."""
    (look, *others) = (look for name, look in exploration.looks.items() if name.startswith("first"))
    more = f" · and {counted(len(others), 'table')} more" if others else ""
    return f"{seats_in_words(look.table)} · {counted(look.table.deals, 'deal')} each · seed {look.table.seed}{more}"


def label_of(name: str) -> str:
    """What a look is called on the page."""
    which, _, number = name.partition("-")
    words = {"first": "The first look, at all sets", "second": "The second look, at some sets again"}.get(which, name)
    return f"{words}, table {number}" if number else words


def remarks(exploration: Exploration) -> Iterator[str]:
    """What a reader must know before believing the answers."""
    for name, look in exploration.looks.items():
        if look.error:
            yield f"{label_of(name)}: stopped by a bot after {len(look.rows)} of {counted(len(look.sets), 'set')}. {look.error}"
        elif not look.is_whole:
            yield f"{label_of(name)}: stopped after {len(look.rows)} of {counted(len(look.sets), 'set')}; this is what they say."
    made_up = {card.name for look in exploration.looks.values() for card_set in look.played for card in card_set.cards
               if card.source == "reconstruction"}  # fmt: skip
    if made_up:
        yield f"Reconstructed cards, whose text has no public source: {', '.join(sorted(made_up))}."


def again_words(exploration: Exploration) -> list[str | Path]:
    """What to explore again."""
    facts = exploration.facts
    if exploration.family == "mixes":
        return ["--family", "mixes", "--top", str(facts["top"])]
    return ["--family", "guidelines", "--members", str(len(facts[LEGAL]))] if exploration.family == "guidelines" else [Path(str(facts["file"]))]


def table_words(table: Seated) -> list[str]:
    """The options that play at the same table again."""
    bots = table.bots[:1] if len(set(table.bots)) == 1 else table.bots
    goals = [word for goal in table.goals for word in ("--goal", goal.text)]
    skill = ["--skill", listed(table.skill)] if SKILL in table.line_ups else []
    return ["--players", str(table.players), "--bots", listed(bots), "--deals", str(table.deals), "--seed", str(table.seed), *goals, *skill]


def facts_of(exploration: Exploration, name: str, look: Look) -> Iterator[Fact]:
    """What was asked, what came of it, and what with."""
    yield Fact("sets", f"{len(look.rows)} played, of {len(look.sets)} asked for")
    yield Fact("players", str(look.table.players))
    for line_up, survey in look.surveys.items():
        bots = ", ".join(survey.asked.experiments[0].bots)
        yield Fact("bots, in seating order" if line_up == TABLE else f"bots for the goal {line_up}", bots)
    survey = next(iter(look.surveys.values()))
    batches = "1 batch" if len(survey.sizes) == 1 else f"{len(survey.sizes)} batches"
    yield Fact("deals of each set", f"{survey.deals:,}, counted in {batches}")
    yield Fact("seed", str(look.table.seed))
    if name.startswith("first"):
        yield Fact("again", command_line("llsim", "explore", *again_words(exploration), *table_words(look.table)), is_code=True)
    made_with = provenance(look)
    yield Fact("made with", " · ".join(f"{word} {made_with[word]}".removeprefix("machine ") for word in VERSIONS if word in made_with))
    if {"seconds", "threads", "finished"} <= set(made_with):
        took = f"{duration(float(made_with['seconds']))} on {counted(int(made_with['threads']), 'thread')}"
        yield Fact("finished", f"{str(made_with['finished'])[:16].replace('T', ' ')} UTC, after {took}")
