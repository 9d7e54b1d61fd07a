"""A game whose cards do exactly what is planted in them; the shuffles are the same for all sets, as in the true game.

With the second set's card at speed 8 nobody wins 4 points more often; at speed 6 a deal is one turn longer; at speed X
the first seat takes 15 points from the second; the other cards do nothing. The bot "strong" wins more than its share.
"""

from dataclasses import dataclass, replace

import fake_game
import numpy as np
import stand_in

from lostlegacy_sim.cardset import parse_set
from lostlegacy_sim.experiment import Experiment
from lostlegacy_sim.games.lost_legacy.game import GAME
from lostlegacy_sim.games.lost_legacy.kernel.counts import LABELS
from lostlegacy_sim.games.lost_legacy.vocabulary import VOCABULARY, X
from lostlegacy_sim.tally import Totals

NOBODY, TURNS, FIRST_SEAT, STRONG = 0.04, 1.0, 0.15, 0.10


@dataclass
class PlantedTable:
    experiment: Experiment

    def __post_init__(self):
        cards = parse_set(self.experiment.set_text, VOCABULARY, where="planted").cards
        self.second = {card.speed for card in cards if card.symbol == "flying-garden"}

    def play(self, first_block, n_blocks, counts, exemplars):
        experiment = self.experiment
        fake_game.misbehave(experiment, first_block, n_blocks)
        players, rotations = experiment.players, experiment.rotations
        deals = np.arange(first_block * rotations, (first_block + n_blocks) * rotations)
        hashes = fake_game.words(experiment.seed, deals)
        chance = (hashes >> np.uint64(11)) / 2**53
        nobody = chance < 0.2 + NOBODY * (8 in self.second)
        where = (fake_game.words(experiment.seed + 1, deals) >> np.uint64(11)) / 2**53
        shares = np.full(players, 1 / players)
        shares[:2] += np.array([1, -1]) * FIRST_SEAT * (X in self.second)
        seat = np.minimum(np.searchsorted(np.cumsum(shares), where, "right"), players - 1)
        bots = np.array(experiment.bots)[(np.arange(players)[None, :] + (deals % rotations)[:, None]) % players]
        strong = (bots == "strong") & ((hashes % np.uint64(1000))[:, None] < 1000 * STRONG)
        seat = np.where(strong.any(axis=1), strong.argmax(axis=1), seat)
        totals = Totals(LABELS, counts)
        totals["deals"][...] += len(deals)
        totals["nobody"][...] += nobody.sum()
        totals["turns"][...] += (5 + hashes % np.uint64(4)).sum().astype(np.int64) + len(deals) * int(TURNS) * (6 in self.second)
        np.add.at(totals["won"], (np.full((~nobody).sum(), 2), deals[~nobody] % rotations, seat[~nobody]), 1)
        exemplars[-2], exemplars[-1] = max(exemplars[-2], 9), 0


PLANTED = replace(GAME, open_table=PlantedTable, find_bot=stand_in.find_bot, ladder=())
