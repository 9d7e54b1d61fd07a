"""What one finished deal adds to the tally, and to the exemplars: whole numbers only."""

import numpy as np

from lostlegacy_sim.games.lost_legacy.kernel.eliminate import is_in_game
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    HAND,
    MAX_SEATS,
    RUINS,
    WAY_FOUND,
    WAY_LAST,
    WAY_NOBODY,
    WAY_SEEN,
    WAY_VOID,
)
from lostlegacy_sim.jit import inlined, kernel, out_of_line

N_LENGTHS = 64
N_POSITIONS = 8

# group, shape, meaning; rotation = which rotation of the line-up, seat = where it sits
TALLY_FIELDS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("deals", (), "deals that count"),
    ("void", (), "deals that passed their bound on turns and do not count (L32)"),
    ("nobody", (), "deals nobody won"),
    ("turns", (), "turns, summed over deals"),
    ("out_early_any", (), "deals in which some seat was out at the end without having had a turn"),
    ("won", (3, MAX_SEATS, MAX_SEATS), "wins by way (last, seen, found), rotation, seat"),
    ("found_speed", (10,), "wins in the investigation by the speed that found the Legacy"),
    ("out_early", (MAX_SEATS, MAX_SEATS), "out at the end without having had a turn, by rotation, seat"),
    ("out", (MAX_SEATS, MAX_SEATS), "out at the end, by rotation, seat"),
    ("seat_turns", (MAX_SEATS,), "turns of each seat"),
    ("downtime", (MAX_SEATS,), "turns after the seat was put out for good"),
    ("legacy_hand", (MAX_SEATS,), "the Legacy ended in the hand of this seat"),
    ("legacy_ruins", (N_POSITIONS,), "the Legacy ended in the ruins, by position; the last is all further ones"),
    ("legacy_deck", (), "the Legacy was still in the deck"),
    ("length", (N_LENGTHS,), "deals by number of turns; the last is all longer ones"),
)
LABELS = tuple((name, shape) for name, shape, _ in TALLY_FIELDS)
TALLY = np.dtype([(name, np.int64, shape) for name, shape in LABELS])

EXEMPLARS = np.dtype(
    [(name, np.int64, (MAX_SEATS,)) for name in ("last", "seen", "found")]
    + [("nobody", np.int64), ("out_early", np.int64, (MAX_SEATS,)), ("longest_turns", np.int64), ("longest", np.int64)]
)
CATEGORIES = (
    *(f"{way}[{seat}]" for way in ("last", "seen", "found") for seat in range(1, MAX_SEATS + 1)),
    "nobody",
    *(f"out_early[{seat}]" for seat in range(1, MAX_SEATS + 1)),
    "longest",
)


@inlined
def place_of_legacy(cards, secret, public, tally):
    """Count where the Legacy ended: in a hand, in the ruins, or never dealt."""
    in_deck = np.int64(1)
    for seat in range(public.n_seats):
        is_here = np.int64(secret.card[HAND + seat] == cards.legacy)
        tally.legacy_hand[seat] += is_here
        in_deck -= is_here
    for position in range(public.ruins_size):
        is_here = np.int64(secret.card[RUINS + position] == cards.legacy)
        tally.legacy_ruins[min(position, N_POSITIONS - 1)] += is_here
        in_deck -= is_here
    tally.legacy_deck += in_deck


@kernel
def count_seats_out(public, tally, exemplars, rotation, deal):
    """Count the seats that are out at the end."""
    out_of_line()
    is_any_early = 0
    for seat in range(public.n_seats):
        if not is_in_game(public, seat):
            tally.out[rotation, seat] += 1
            tally.downtime[seat] += public.turn - public.out_turn[seat]
            if public.turns_of[seat] == 0:
                tally.out_early[rotation, seat] += 1
                exemplars.out_early[seat] = min(exemplars.out_early[seat], deal)
                is_any_early = 1
    tally.out_early_any += is_any_early


@inlined
def count_deal(cards, secret, public, tally, exemplars, rotation, deal):
    """Add one finished deal."""
    way, winner, turns = public.way, public.winner, public.turn
    if way == WAY_VOID:
        tally.void += 1
        return
    tally.deals += 1
    tally.turns += turns
    tally.length[min(turns, N_LENGTHS - 1)] += 1
    if turns > exemplars.longest_turns or (turns == exemplars.longest_turns and deal < exemplars.longest):
        exemplars.longest_turns, exemplars.longest = turns, deal
    if way == WAY_NOBODY:
        tally.nobody += 1
        exemplars.nobody = min(exemplars.nobody, deal)
    else:
        tally.won[way - WAY_LAST, rotation, winner] += 1
        if way == WAY_LAST:
            exemplars.last[winner] = min(exemplars.last[winner], deal)
        elif way == WAY_SEEN:
            exemplars.seen[winner] = min(exemplars.seen[winner], deal)
        elif way == WAY_FOUND:
            tally.found_speed[public.found_speed] += 1
            exemplars.found[winner] = min(exemplars.found[winner], deal)
    for seat in range(public.n_seats):
        tally.seat_turns[seat] += public.turns_of[seat]
    if public.in_game != (np.uint64(1) << np.uint64(public.n_seats)) - np.uint64(1):
        count_seats_out(public, tally, exemplars, rotation, deal)
    place_of_legacy(cards, secret, public, tally)
