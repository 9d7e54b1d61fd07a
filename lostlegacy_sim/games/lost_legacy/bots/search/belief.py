"""belief: plays as careful does, but by where everything may lie, given all it has observed and how the others play."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.bots.belief.determinizations import ODDS, weigh_odds
from lostlegacy_sim.games.lost_legacy.bots.belief.world import WORLD
from lostlegacy_sim.games.lost_legacy.bots.quick.careful import CAREFUL
from lostlegacy_sim.games.lost_legacy.bots.quick.careful import decide as careful
from lostlegacy_sim.games.lost_legacy.bots.quick.counting import count
from lostlegacy_sim.games.lost_legacy.bots.quick.decisions import answer, hand_card, index_of
from lostlegacy_sim.games.lost_legacy.bots.quick.evaluation import Kept
from lostlegacy_sim.games.lost_legacy.bots.quick.hunter import decide as hunter
from lostlegacy_sim.games.lost_legacy.bots.quick.worth import knowing, look_ahead, worth
from lostlegacy_sim.games.lost_legacy.bots.search.belief_evaluation import (
    best_look_by_odds,
    name_by_odds,
    outlook_by_odds,
    plan_by_odds,
)
from lostlegacy_sim.games.lost_legacy.bots.search.model import weigh_odds_by
from lostlegacy_sim.games.lost_legacy.kernel.state import N_MEMORY, PRIVATE
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    DRAWN,
    EXCHANGE,
    FOCUS_ROW_CARD,
    LOOK,
    MAX_SEATS,
    N_PLACES,
    NAME,
    NO_CARD,
    PLAY,
    REVEAL,
)
from lostlegacy_sim.jit import address_of, kernel, lowest_bit, out_of_line
from lostlegacy_sim.rng import mix

WORLDS, SLIPS = 48, 20  # worlds a decision, and slips in 100 answers of the others, if nothing else is said
SLIPPING, HUNTED = 1 << 20, 1 << 27  # in private.parameter: unit of the slips; the others are taken for hunters
ALL = 100
CERTAIN = 0.97  # chance from which on a card counts as known
ONE = np.uint64(1)


@kernel
def decide(cards, public, private, question):
    """Index of the chosen option, 0 .. question.n - 1."""
    world, odds, believed = np.zeros(1, WORLD), np.zeros(1, ODDS), np.zeros(1, PRIVATE)
    chosen = think(cards, public, private, question, world, odds, believed)
    return np.int64(chosen + 0 * (len(world) + len(odds) + len(believed)))  # they are alive until here


@kernel
def think(cards, public, private, question, world, odds, believed):
    """Weigh worlds, then judge."""
    out_of_line()
    weigh(cards, public, private, question, world[0], odds[0])
    private.word = mix(private.word)
    believed[0] = private
    believe(private, odds[0], believed[0])
    chosen = judge(cards, public, believed[0], question, odds[0])
    for cell in range(N_MEMORY):
        private.memory[cell] = believed[0].memory[cell]
    return chosen


@kernel
def weigh(cards, public, private, question, world, odds):
    """The odds of every place: if all answers of the others are slips, they say no more than counting does."""
    out_of_line()
    n_worlds, slips = max(1, private.parameter % SLIPPING), private.parameter // SLIPPING % (HUNTED // SLIPPING)
    if slips == ALL:
        weigh_odds(cards, public, private, world, odds, n_worlds, private.word)
        return
    model = address_of(careful, cards, public, private, question)
    if private.parameter & HUNTED:
        model = address_of(hunter, cards, public, private, question)
    weigh_odds_by(cards, public, private, question, world, odds, n_worlds, private.word, model, slips)


@kernel
def believe(private, odds, believed):
    """What is nearly certain counts as known."""
    believed.parameter = 0
    for place in range(N_PLACES):
        if private.known[place] == NO_CARD:
            for kind in range(1, len(private.ruins_has)):
                if odds.chance[place, kind] > CERTAIN:
                    believed.known[place] = kind


@kernel
def judge(cards, public, private, question, odds):
    """The index of the chosen option, by odds where they help."""
    out_of_line()
    if question.what == REVEAL:
        return likeliest(question.mask, odds, cards.legacy)
    if question.what == NAME:
        return index_of(question.mask, name_by_odds(cards, public, private, odds)[0])
    if question.what == PLAY and hand_card(private) == np.int64(private.known[DRAWN]):
        return np.int64(1)
    is_row = question.what == EXCHANGE and public.focus == FOCUS_ROW_CARD
    if is_row or (question.what != PLAY and question.what != LOOK and question.what != EXCHANGE):
        return answer(cards, public, private, question, CAREFUL)
    pool = count(cards, public, private)
    outlook = outlook_by_odds(cards, public, private, odds, look_ahead(public, private, pool))
    if question.what == LOOK:
        traits = np.int64(cards.traits[question.kind])
        own = hand_card(private)
        place, _ = best_look_by_odds(cards, public, private, pool, outlook, odds, own, traits, public.named, question.mask)
        return index_of(question.mask, place)
    if question.what == EXCHANGE:
        return exchange_by_odds(cards, public, private, question, pool, outlook)
    held, drawn = hand_card(private), np.int64(private.known[DRAWN])
    keep_held, keep_drawn = Kept(worth(cards, public, private, pool, outlook, held), 0.0), Kept(worth(cards, public, private, pool, outlook, drawn), 0.0)
    play_held = plan_by_odds(cards, public, private, pool, outlook, odds, CAREFUL, held, drawn, keep_drawn)
    play_drawn = plan_by_odds(cards, public, private, pool, outlook, odds, CAREFUL, drawn, held, keep_held)
    return np.int64(play_drawn.value >= play_held.value)


@kernel
def exchange_by_odds(cards, public, private, question, pool, outlook):
    """Whether the card in focus is worth more than the own one; where the Legacy lies is known if it is one of the two."""
    out_of_line()
    own, other = hand_card(private), np.int64(question.focus)
    keeping, taking = outlook, outlook
    find_high = 0.0 if public.focus < MAX_SEATS else 1.0
    if other == cards.legacy:
        keeping = knowing(outlook, 1.0, find_high)
    if own == cards.legacy:
        taking = knowing(outlook, 1.0, find_high)
    return np.int64(worth(cards, public, private, pool, taking, other) > worth(cards, public, private, pool, keeping, own))


@kernel
def likeliest(mask, odds, kind):
    """The index of the option where a kind lies with the best chance."""
    best, chosen, index = -1.0, np.int64(0), np.int64(0)
    while mask:
        place = lowest_bit(mask)
        mask &= mask - ONE
        if odds.chance[place, kind] > best:
            best, chosen = odds.chance[place, kind], index
        index += 1
    return chosen
