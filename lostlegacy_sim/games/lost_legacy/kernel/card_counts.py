"""What one finished deal adds to the counts of each kind: whole numbers only."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.card_stats import kind_bit
from lostlegacy_sim.games.lost_legacy.kernel.eliminate import is_in_game
from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS
from lostlegacy_sim.games.lost_legacy.vocabulary import HAND, MAX_CARDS, NO_CARD, NOBODY, RUINS, WAY_VOID
from lostlegacy_sim.jit import kernel, out_of_line

# group, meaning; each has a number a kind. "Seats" are counted in every deal anew.
CARD_FIELDS: tuple[tuple[str, str], ...] = (
    ("opened", "seats dealt the kind as their first hand card"),
    ("opened_won", "of them, those that won"),
    ("received", "seats that drew or received the kind later"),
    ("received_won", "of them, those that won"),
    ("had", "seats that had the kind in hand at some time"),
    ("had_won", "of them, those that won"),
    ("players", "seats that played the kind"),
    ("players_won", "of them, those that won"),
    ("gave", "seats that gave the kind away in an exchange of their own"),
    ("gave_won", "of them, those that won"),
    ("held", "seats in the game at the end with the kind in hand"),
    ("held_won", "of them, those that won"),
    ("revealed", "seats whose hand card, of this kind, was revealed in the investigation"),
    ("revealed_won", "of them, those that won"),
    ("buried", "cards of the kind in the ruins at the end"),
    ("buried_won", "of them, those in deals somebody won"),
    ("plays", "plays of the kind"),
    ("forced", "of them, those with no other kind to play"),
    ("kills", "other seats put out by a play of the kind"),
    ("self_kills", "plays of the kind that put out the seat itself"),
    ("trapped", "seats put out because the kind was seen in a hand"),
    ("namings", "speeds named with the kind"),
    ("hits", "of them, those that the card looked at has"),
    ("counter_hits", "of them, those in which a perfect card counter would have named right"),
)
CARD_LABELS = tuple((f"card_{name}", (KINDS,)) for name, _ in CARD_FIELDS)
CARD_TALLY = np.dtype([(name, np.int64, (KINDS,)) for name, _ in CARD_FIELDS])


@kernel
def count_seat(cards, secret, public, tally, seat, won):
    """The kinds one seat had, played, gave away, held and showed."""
    opened = np.int64(secret.order[MAX_CARDS - np.int64(cards.n_slots) + 1 + seat])
    tally.opened[opened] += 1
    tally.opened_won[opened] += won
    had = secret.received[seat] | kind_bit(opened)
    for kind in range(1, cards.n_kinds + 1):
        place = np.uint32(kind)
        received, laid = np.int64((secret.received[seat] >> place) & 1), np.int64((secret.laid[seat] >> place) & 1)
        gave, is_had = np.int64((secret.gave[seat] >> place) & 1), np.int64((had >> place) & 1)
        tally.received[kind] += received
        tally.received_won[kind] += received * won
        tally.had[kind] += is_had
        tally.had_won[kind] += is_had * won
        tally.players[kind] += laid
        tally.players_won[kind] += laid * won
        tally.gave[kind] += gave
        tally.gave_won[kind] += gave * won
    held = np.int64(secret.card[HAND + seat])
    if held != NO_CARD and is_in_game(public, seat):
        tally.held[held] += 1
        tally.held_won[held] += won
        is_shown = np.int64((public.revealed >> np.uint64(HAND + seat)) & np.uint64(1))
        tally.revealed[held] += is_shown
        tally.revealed_won[held] += is_shown * won


@kernel
def count_cards(cards, secret, public, tally):
    """Add one finished deal."""
    out_of_line()
    if public.way == WAY_VOID:
        return
    for seat in range(public.n_seats):
        count_seat(cards, secret, public, tally, seat, np.int64(public.winner == seat))
    is_decided = np.int64(public.winner != NOBODY)
    for place in range(RUINS, RUINS + public.ruins_size):
        kind = np.int64(secret.card[place])
        tally.buried[kind] += 1
        tally.buried_won[kind] += is_decided
    for kind in range(1, cards.n_kinds + 1):
        tally.plays[kind] += secret.plays[kind]
        tally.forced[kind] += secret.forced[kind]
        tally.kills[kind] += secret.kills[kind]
        tally.self_kills[kind] += secret.self_kills[kind]
        tally.trapped[kind] += secret.trapped[kind]
        tally.namings[kind] += secret.namings[kind]
        tally.hits[kind] += secret.hits[kind]
        tally.counter_hits[kind] += secret.counter_hits[kind]
