"""Exemplars: the deals of a result that are worth a look, each with the command that tells it, and told in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.game import Game, Story
from lostlegacy_sim.games import find_game
from lostlegacy_sim.report.commands import replay_line
from lostlegacy_sim.report.source import Source

CONTRADICTION = "This version of the program plays this deal differently from the one that counted it."


@dataclass(frozen=True)
class Chapter:
    """A turn, or what comes before and after all turns."""

    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Exemplar:
    """A deal, why it is shown, and its story; or why it cannot be told."""

    deal: int
    kinds: tuple[str, ...]  # the first one of each of these kinds
    command: str
    chapters: tuple[Chapter, ...]
    knows: tuple[str, ...]  # what each seat knew at the end
    refusal: str = ""


def exemplars_of(source: Source) -> list[Exemplar]:
    """The first deal of each kind that occurred; a deal that is the first of several kinds comes once."""
    game = find_game(source.result.experiment.game)
    kinds: dict[int, list[str]] = {}
    for kind in game.remembered:
        found = [deal for name, deal in source.result.deal_of.items() if deal is not None and name.partition("[")[0] == kind]
        if found:
            kinds.setdefault(min(found), []).append(kind)
    return [told(source, game, deal, found) for deal, found in kinds.items()]


def told(source: Source, game: Game, deal: int, kinds: Sequence[str]) -> Exemplar:
    """One deal; a bot that is not here, or has changed, is no reason to have no page."""
    command, words = replay_line(source, deal), tuple(game.remembered[kind] for kind in kinds)
    if game.tell is None:
        return Exemplar(deal, words, command, (), (), f"Deals of {game.title} cannot be told yet.")
    try:
        story = game.tell(source.result.experiment, deal)
    except LlsimError as error:
        return Exemplar(deal, words, command, (), (), f"This deal cannot be told here. {error}")
    if contradicts(source, story, kinds, game.endings):
        return Exemplar(deal, words, command, (), (), CONTRADICTION)
    return Exemplar(deal, words, command, tuple(chapters(story.chapters)), story.chapters[-1].knows)


def contradicts(source: Source, story: Story, kinds: Sequence[str], endings: Collection[str]) -> bool:
    """Whether a deal does not end, or does not last, as it did when it was counted."""
    longest = source.result.longest
    if {kind for kind in kinds if kind in endings} - story.ended:
        return True
    return story.turns > longest or ("longest" in kinds and story.turns < longest)


def chapters(parts: Sequence[Any]) -> Iterator[Chapter]:
    """The story, each chapter with its first sentence as heading."""
    for part in parts:
        first, *others = part.sentences
        yield Chapter(first.strip(), tuple(sentence.strip() for sentence in others))
