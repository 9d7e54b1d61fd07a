"""GAME: what the rest of the house knows of Lost Legacy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.experiment import DETAILS, Experiment
from lostlegacy_sim.game import Game
from lostlegacy_sim.games.lost_legacy.apart import open_table
from lostlegacy_sim.games.lost_legacy.bots.ladder import RUNGS
from lostlegacy_sim.games.lost_legacy.bots.roster import check_file, find_bot, listed_bots
from lostlegacy_sim.games.lost_legacy.headlines import HEADLINES, SUMMARY
from lostlegacy_sim.games.lost_legacy.kernel.card_counts import CARD_LABELS
from lostlegacy_sim.games.lost_legacy.kernel.counts import CATEGORIES, LABELS
from lostlegacy_sim.games.lost_legacy.measures import measures
from lostlegacy_sim.games.lost_legacy.studies.campaign import POINTS, campaign_of
from lostlegacy_sim.tally import Labels

if TYPE_CHECKING:
    from lostlegacy_sim.games.lost_legacy.replay import Story
    from lostlegacy_sim.games.lost_legacy.sitting import Sitting

def labels(experiment: Experiment) -> Labels:
    """What is counted in this experiment: how deals end and, if it asks for it, what each kind did."""
    return LABELS + CARD_LABELS if experiment.detail == "cards" else LABELS


def tell(experiment: Experiment, deal: int) -> Story:
    """A deal of an experiment, judged and told by the reference, which is brought in only now."""
    from lostlegacy_sim.games.lost_legacy.replay import tell

    return tell(experiment, deal)


def sit(card_set: CardSet, others: Sequence[tuple[str, str]], seat: int, seed: int, deal: int, answers: Sequence[int]) -> Sitting:
    """A person at the table after these answers; seats count from 0."""
    from lostlegacy_sim.games.lost_legacy.sitting import sit_again

    return sit_again(card_set, others, seat, seed, deal, answers)


# What is worth a look, in the order of a page.
REMEMBERED = {
    "out_early": "a seat is out before its first turn",
    "longest": "the longest deal",
    "nobody": "nobody wins",
    "last": "won as the last one left",
    "seen": "won by seeing the Legacy in play",
    "found": "won in the investigation",
}

GAME = Game(
    name="lost_legacy",
    title="Lost Legacy",
    labels=labels,
    categories=CATEGORIES,
    open_table=open_table,
    find_bot=find_bot,
    measures=measures,
    summary=SUMMARY,
    headlines=HEADLINES,
    campaign=campaign_of,
    campaign_points=POINTS,
    ladder=RUNGS,
    open_strictly=partial(open_table, is_strict=True),
    usual_bot="careful",
    listed_bots=listed_bots,
    check_bot=check_file,
    compared=("nobody", "seat_gap", "turns", "out_early", "by_last", "by_seen", "by_found"),
    remembered=REMEMBERED,
    endings=("nobody", "last", "seen", "found"),
    details=DETAILS,
    tell=tell,
    sit=sit,
)
