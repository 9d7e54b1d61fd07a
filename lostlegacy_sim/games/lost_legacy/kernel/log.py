"""The log: what everybody observes of a deal, event by event, and what each seat saw of it.

An event is four bytes: what happened, and up to three facts. `saw` holds a byte an event for each seat. It is written only at
tables with a bot that reads it; a deal with more events than fit leaves the rest out, and `n_log` stays at its end.
"""

from lostlegacy_sim.games.lost_legacy.kernel.state import KINDS, N_LOG
from lostlegacy_sim.games.lost_legacy.vocabulary import HAND, IF_ALWAYS, MAX_SEATS, N_PLACES, ON_SEEN, X
from lostlegacy_sim.jit import kernel, out_of_line

COUNTS, LOGS = 1, 2  # bits of secret.watches: what each kind does is counted; the log is written

(DEALT, PLAYED, LOOKED, NAMED, TESTED, EXCHANGED, DECLINED, LEFT, GOT, MOVED, CAME, SHUFFLED, TOOK, OUT, BACK, CALLED,
 REVEALED, CHOSEN) = range(1, 19)  # fmt: skip
EVENTS = {
    DEALT: ("dealt", "the first hands lie there; a seat saw its own"),
    PLAYED: ("played", "seat, kind: it drew the deck's top card and played one of two; it saw the one it kept"),
    LOOKED: ("looked", "place, trigger, cancels: the seat on turn looked; trigger: 0, or the first kind with the seen trigger that "
             "happened; cancels: 1 if a seen trigger at X would not have happened; the looker saw the kind"),
    NAMED: ("named", "speed: the seat on turn named it"),
    TESTED: ("tested", "place, condition, result: whether the card there is the Legacy, an X, or has the named speed"),
    EXCHANGED: ("exchanged", "place, may: the seat on turn exchanged its hand with it, or, with `may`, perhaps did; it and the owner "
                "of the place saw the own hand after it"),
    DECLINED: ("declined", "may: an exchange with a row card was not made; without `may` it could not be"),
    LEFT: ("left", "seat, kind, where: a hand card left face up: 0 into a row, 1 into the ruins, 2 onto the deck"),
    GOT: ("got", "seat, kind: a hand card was taken from a row, for all to see"),
    MOVED: ("moved", "place, to: a hidden card was put at the end of the ruins (0) or onto the deck (1)"),
    CAME: ("came", "kind, to: a row card was put at the end of the ruins (0) or onto the deck (1)"),
    SHUFFLED: ("shuffled", "pile: the ruins (0) or the deck (1)"),
    TOOK: ("took", "taker, giver: a hand card changed hands; the taker saw it"),
    OUT: ("out", "seat: it was put out"),
    BACK: ("back", "seat: it is back with the deck's top card, which it saw"),
    CALLED: ("called", "speed, seats: in the investigation these seats, as bits, hold this speed"),
    REVEALED: ("revealed", "place, kind: turned over in the investigation"),
    CHOSEN: ("chosen", "seat, index, option: a card of the discard rows was chosen, or that seat's whole row; which option it was"),
}  # fmt: skip


@kernel
def begin_log(state):
    """Nothing has happened in this deal but the deal."""
    out_of_line()
    secret, public = state.secret, state.public
    if not secret.watches & LOGS:
        return
    for event in range(N_LOG):
        for fact in range(4):
            public.log[event, fact] = 0
    for seat in range(MAX_SEATS):
        for event in range(N_LOG):
            secret.saw[seat, event] = 0
            state.seats.private[seat].saw[event] = 0
    public.n_log = 0
    log_event(secret, public, DEALT, 0, 0, 0)
    for seat in range(public.n_seats):
        log_sight(secret, public, seat, secret.card[HAND + seat])


@kernel
def log_event(secret, public, what, first, second, third):
    """Write down one event."""
    out_of_line()
    if secret.watches & LOGS and public.n_log < N_LOG:
        number = public.n_log
        public.log[number, 0], public.log[number, 1], public.log[number, 2], public.log[number, 3] = what, first, second, third
        public.n_log = number + 1


@kernel
def log_sight(secret, public, seat, kind):
    """A seat saw this kind at the last event."""
    if secret.watches & LOGS and public.n_log < N_LOG:
        secret.saw[seat, public.n_log - 1] = kind


@kernel
def log_play(secret, public, seat, played, kept):
    """A seat has drawn and played."""
    log_event(secret, public, PLAYED, seat, played, 0)
    log_sight(secret, public, seat, kept)


@kernel
def is_same_trigger(cards, kind, other):
    """Whether two kinds do the same when they are seen, so that nobody could tell them apart by it."""
    n = cards.n_steps[kind, ON_SEEN]
    if cards.n_steps[other, ON_SEEN] != n:
        return False
    for number in range(n):
        step, twin = cards.first_step[kind, ON_SEEN] + number, cards.first_step[other, ON_SEEN] + number
        if cards.verb[step] != cards.verb[twin] or cards.who[step] != cards.who[twin]:
            return False
        if cards.source[step] != cards.source[twin] or cards.to[step] != cards.to[twin]:
            return False
    return True


@kernel
def seen_trigger(cards, kind, place, cancels):
    """The first kind that does what this kind does when it is seen at this place; 0 if nothing happens."""
    if place >= MAX_SEATS or cards.n_steps[kind, ON_SEEN] == 0 or (cancels and cards.speed[kind] == X):
        return 0
    for other in range(1, KINDS):
        if is_same_trigger(cards, kind, other):
            return other
    return kind


@kernel
def log_look(cards, secret, public, place, cancels):
    """The seat on turn has looked at a place; what that sets off has not happened yet."""
    out_of_line()
    kind = secret.card[place]
    log_event(secret, public, LOOKED, place, seen_trigger(cards, kind, place, cancels), cancels)
    log_sight(secret, public, public.seat, kind)


@kernel
def log_test(secret, public, condition, result):
    """A condition was looked at; of a hidden card this tells everybody something."""
    out_of_line()
    if condition != IF_ALWAYS and public.focus < N_PLACES:
        log_event(secret, public, TESTED, public.focus, condition, result)


@kernel
def log_exchange(secret, public, may):
    """An exchange with a hidden card was made, or perhaps made; both hands are as they are after it."""
    out_of_line()
    place = public.focus
    log_event(secret, public, EXCHANGED, place, may, 0)
    log_sight(secret, public, public.seat, secret.card[HAND + public.seat])
    if place < MAX_SEATS:
        log_sight(secret, public, place, secret.card[place])


@kernel
def log_taking(secret, public, taker, giver):
    """A hand card has changed hands."""
    log_event(secret, public, TOOK, taker, giver, 0)
    log_sight(secret, public, taker, secret.card[HAND + taker])


@kernel
def log_return(secret, public, seat):
    """A seat is back, the card drawn."""
    log_event(secret, public, BACK, seat, 0, 0)
    log_sight(secret, public, seat, secret.card[HAND + seat])


@kernel
def log_calls(cards, secret, public, first):
    """The speeds called from `first` to the one called now, and who holds them (L8)."""
    out_of_line()
    for speed in range(first, public.called + 1):
        seats = 0
        for seat in range(public.n_seats):
            if public.in_game >> seat & 1 and cards.speed[secret.card[HAND + seat]] == speed:
                seats |= 1 << seat
        if seats:
            log_event(secret, public, CALLED, speed, seats, 0)


@kernel
def write_log(secret, private):
    """Write down for a bot what its seat saw."""
    out_of_line()
    for event in range(N_LOG):
        private.saw[event] = secret.saw[private.seat, event]
