"""Card levels: what one copy of each text gives its owner above par, by every rung of a ladder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.result import Result
from lostlegacy_sim.studies.balance import CardTable, is_declared
from lostlegacy_sim.studies.card_trials import Balancing
from lostlegacy_sim.studies.levels import Claim, Headline, judged
from lostlegacy_sim.studies.survey import Asked, Survey, gathered, reduced

WORDS = ("helps its owner", "hurts its owner")


def experiments_of(asked: Balancing) -> list[Experiment]:
    """All that one rung has to play: the set as it is, then its variants."""
    return [asked.base, *asked.variants]


def card_headlines(asked: Sequence[Balancing], results: Sequence[Sequence[Result]], game: Game) -> list[Headline]:
    """A headline for every card with a text: what `balance` judges it by.

    `asked`: one a rung; `results`: of as many of them as were played, each in the order of `experiments_of`. All is one family, adjusted by Holm.
    """
    tables = [table_of(one, played, game) for one, played in zip(asked, results, strict=False)]
    return judged(list(claims(tables)), [table.asked.base.bots[0] for table in tables])


def claims(tables: Sequence[CardTable]) -> Iterator[Claim]:
    """The value of every text."""
    names = {card.id: tables[0].title(card.id) for card in tables[0].card_set.cards}
    asked = [[(trial.card, question) for trial in table.measured for question in trial.questions if is_declared(trial, question)] for table in tables]
    for place, (card, _) in enumerate(asked[0]):
        differences = tuple(table.difference(questions[place][1]) for table, questions in zip(tables, asked, strict=True))
        yield Claim(f"the text of {names[card]}", differences, (WORDS,) * len(tables))


def table_of(asked: Balancing, results: Sequence[Result], game: Game) -> CardTable:
    """The counts of one rung, in the form a balance reads."""
    base, *others = results
    variants = zip(asked.variants.items(), others, strict=True)
    return CardTable(asked, base, {experiment: survey_of(result, names, game) for (experiment, names), result in variants}, game)


def survey_of(result: Result, names: tuple[str, ...], game: Game) -> Survey:
    """One whole result as the survey of it alone."""
    measures = game.measures(result.experiment)
    kept = reduced(result, [measures[name] for name in names])
    return gathered(Asked((result.experiment,), names), [kept], measures, result.provenance)
