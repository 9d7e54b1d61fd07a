"""Shown: what kept counts have to show, whichever study counted them: their sections, and the page of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lostlegacy_sim.disk import read_file
from lostlegacy_sim.errors import ResultError, UsageError
from lostlegacy_sim.game import Game
from lostlegacy_sim.games import find_game
from lostlegacy_sim.plain import parse
from lostlegacy_sim.report.changes import changes_section
from lostlegacy_sim.report.page import Page, page_of
from lostlegacy_sim.report.section import Section, find_chart
from lostlegacy_sim.report.simulated import sections
from lostlegacy_sim.report.source import shared_facts, sources_of
from lostlegacy_sim.result import MAX_MANIFEST, Result, load_all, recall
from lostlegacy_sim.studies import kept_balance, kept_looks, kept_tournaments
from lostlegacy_sim.studies.balance import Balance
from lostlegacy_sim.studies.compare import Comparison, Contrast, Variant, compare, letter
from lostlegacy_sim.studies.simulate import Answer

LAST = "last"  # the word for the results that were played last


@dataclass(frozen=True)
class Shown:
    """Sections, a line of what they are about, and the page of them once it is wanted."""

    sections: Sequence[Section]
    context: str
    page: Callable[[], Page]

    def html(self) -> str:
        """The page."""
        from lostlegacy_sim.report.html import render

        return render(self.page())

    def picture(self, name: str, ending: str) -> bytes:
        """One chart with what it is about; `ending`: ".png" or ".svg". Raises UsageError naming the charts there are."""
        chart = replace(find_chart(self.sections, name), context=self.context)
        from lostlegacy_sim.report.charts import picture

        return picture.to_png(chart) if ending == ".png" else picture.to_svg(chart).encode()


def shown_of(words: Sequence[str]) -> Shown:
    """What the results in some folders, or the last ones, have to show. Raises ResultError or UsageError."""
    for word in words:
        schema = "" if word == LAST else schema_of(Path(word))
        for name, show in ALONE.items():
            if schema.startswith(name):
                if len(words) > 1:
                    raise UsageError(f"{word} answers a question of its own and has a page of its own; name it alone.")
                return show(Path(word))
    return with_balances(shown_results([found for word in words for found in choose(word)]), words)


def schema_of(folder: Path) -> str:
    """What the manifest of a folder says it is; "" if there is none that can be read."""
    try:
        plain = parse(read_file(folder / "manifest.json", MAX_MANIFEST))
    except (OSError, ValueError):
        return ""
    return str(plain.get("schema")) if isinstance(plain, dict) else ""


# --- results --------------------------------------------------------------------------------------------


def choose(word: str) -> list[tuple[str, Result]]:
    """The results a word stands for, each with its place. Raises ResultError."""
    results = recall() if word == LAST else load_all(Path(word))
    empty = [result for result in results if not result.deals]
    if empty:
        raise ResultError(f"{word} holds no finished deals; there is nothing to show.")
    return [(word, result) for result in results]


def shown_results(results: Sequence[tuple[str, Result]], compared: Sequence[Comparison] = ()) -> Shown:
    """What results, each with its place, have to show: each one, and how they differ; `compared`, if that is known already."""
    sources = sources_of(results)
    found = sections([(source.label, Answer(source.result, find_game(source.result.experiment.game))) for source in sources])
    found[1:1] = [changes_section(compared)] if compared else changes([source.result for source in sources])
    game = find_game(results[0][1].experiment.game)
    return Shown(found, shared_facts([source.result for source in sources]), lambda: page_of(sources, found, game))


def changes(results: Sequence[Result]) -> list[Section]:
    """What changes from the first result to the others, if they are of one number of players; else []."""
    if len(results) < 2 or len({result.experiment.players for result in results}) > 1:
        return []
    variants = [Variant(letter(place), result) for place, result in enumerate(results)]
    game = find_game(results[0].experiment.game)
    return [changes_section(compare([Contrast(variants[0], other, game) for other in variants[1:]]))]


def with_balances(shown: Shown, words: Sequence[str]) -> Shown:
    """The same, with a section before all others for each folder that `llsim balance` has kept. Raises ResultError."""
    folders = [Path(word) for word in dict.fromkeys(words) if word != LAST and kept_balance.is_balance(Path(word))]
    game = find_game("lost_legacy")
    return with_balance_sections(shown, [kept_balance.load_balance(folder, game) for folder in folders])


def with_balance_sections(shown: Shown, balances: Sequence[Balance]) -> Shown:
    """The same, with a section before all others for each balance."""
    if not balances:
        return shown
    from lostlegacy_sim.report.balanced import balance_section

    found = [balance_section(balance, number) for number, balance in enumerate(balances, 1)]

    def page() -> Page:
        whole = shown.page()
        return replace(whole, sections=(*found, *whole.sections))

    return Shown([*found, *shown.sections], shown.context, page)


# --- studies with a page of their own -------------------------------------------------------------------


def shown_exploration(folder: Path) -> Shown:
    """What a kept exploration has to show."""
    from lostlegacy_sim.studies.kept_answers import answer_of

    game = find_game("lost_legacy")
    exploration = kept_looks.load_exploration(folder, game)
    return shown_answer(exploration, answer_of(exploration), game)


def shown_answer(exploration: kept_looks.Exploration, answer: Any, game: Game) -> Shown:
    """What an exploration, kept or not, has to show; `answer`: one of studies.kept_answers."""
    from lostlegacy_sim.report.exploration_page import context_of, exploration_page, exploration_sections

    found = exploration_sections(answer)
    return Shown(found, context_of(exploration), lambda: exploration_page(exploration, found, game))


def shown_tournament(folder: Path) -> Shown:
    """What a kept tournament or ladder has to show."""
    answers = kept_tournaments.load_tournaments(folder)
    return shown_standings(answers, find_game(answers[0].results[0].experiment.game))


def shown_standings(answers: Sequence[kept_tournaments.Answer], game: Game) -> Shown:
    """What tournaments and ladders, kept or not, have to show."""
    from lostlegacy_sim.report.tournament_page import tournament_page
    from lostlegacy_sim.report.tournament_section import context_of, tournament_sections

    found = tournament_sections(answers)
    return Shown(found, context_of(answers), lambda: tournament_page(answers, found, game))


# By the beginning of their schema. A study with folders of its own is one line here.
ALONE: dict[str, Callable[[Path], Shown]] = {
    kept_looks.SCHEMA.partition("/")[0]: shown_exploration,
    kept_tournaments.SCHEMA.partition("/")[0]: shown_tournament,
}
