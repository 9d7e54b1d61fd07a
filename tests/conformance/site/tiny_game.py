"""Tug of war, a whole game in one file: 3 to 12 players in two camps pull; the stronger camp wins, all of it, or nobody does.

It has no cards and no investigation; it has several winners a deal, draws, numbers of players of two digits and measures of its own.
Every deal is a hash of (seed, deal), so any split of a run must agree.
"""

from dataclasses import dataclass, field

import numpy as np

from lostlegacy_sim.errors import BotError, SetError, UsageError, nearest
from lostlegacy_sim.game import Game, Headline, Measure
from lostlegacy_sim.measures import Winners, standard_measures
from lostlegacy_sim.sets import Contents, Facts, SetOption, Sets

MOST = 12
CAMPS = ("left", "right")  # of the seats, in turn
BOTS = {"lazy": 4, "eager": 6}  # the most a bot pulls
CATEGORIES = ("draw", "left", "right", "longest")
LABELS = (("deals", ()), ("void", ()), ("draws", ()), ("turns", ()), ("pulled", ()), ("won", (MOST, MOST)), ("camp", (2,)))


# --- sets: ropes -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rope:
    """A set: how far one side has to pull."""

    id: str
    name: str
    length: int
    game: str = field(default="tiny", repr=False)

    @property
    def hash(self):
        import hashlib

        return hashlib.sha256(self.to_toml().encode()).hexdigest()

    def to_toml(self):
        return f'id = "{self.id}"\nname = "{self.name}"\nlength = {self.length}\n'


ROPES = {"rope": Rope("rope", "The Rope", 1), "long-rope": Rope("long-rope", "The Long Rope", 4)}


def choose(word, chosen, seed):
    if word not in ROPES:
        raise SetError(f"There is no rope '{word}'.{nearest(word, ROPES)}")
    length = "".join(chosen.get("length", ()))
    if length and not length.isdigit():
        raise UsageError(f"--length {length}: write a whole number.")
    return Rope(f"rope-{length}", f"A Rope of {length}", int(length)) if length else ROPES[word]


def parse(text, where):
    import tomllib

    try:
        return Rope(**tomllib.loads(text))
    except (TypeError, tomllib.TOMLDecodeError):
        raise SetError(f"{where} is no rope.") from None


def check_seats(rope, players):
    if not 3 <= players <= MOST:
        raise SetError(f"{rope.name} is for 3 to {MOST} players, not {players}.")


def named(text):
    return next((["--set", word] for word, rope in ROPES.items() if rope.to_toml() == text), None)


SETS = Sets(
    game="tiny", title="Tug of War", players=(3, MOST), words=tuple(ROPES), printed=tuple(ROPES),
    options=(SetOption("length", "STEPS", "A rope of so many steps.", "rope"),),
    choose=choose, parse=parse, seats=lambda rope: tuple(range(3, MOST + 1)), check_seats=check_seats,
    facts=lambda rope: Facts(f"{rope.length} steps"), contents=lambda rope: Contents(("step", "what"), ((("1", "pull"), "Pull."),)),
    document=lambda rope: {"set": {"id": rope.id, "name": rope.name, "hash": rope.hash, "players": list(range(3, MOST + 1))}, "length": rope.length},
    listed=lambda word: ("0", f"3-{MOST}", ROPES[word].name), named=named,
)  # fmt: skip


# --- deals -----------------------------------------------------------------------------------------------


def words(seed, numbers):
    """A uint64 hash of each number."""
    mixed = (numbers.astype(np.uint64) + np.uint64(seed) * np.uint64(1_000_003) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


class Table:
    """A rope, a line-up and a seed."""

    def __init__(self, experiment):
        self.experiment, self.length = experiment, parse(experiment.set_text, experiment.set_name).length

    def pulls(self, deals):
        """How much each seat pulls, [deals, players]; the camps differ in size at an odd table."""
        one = self.experiment
        blocks, rotations = deals // one.rotations, deals % one.rotations
        seats = np.arange(one.players)
        most = np.array([BOTS[bot] for bot in one.bots])[(seats[None, :] + rotations[:, None]) % one.players]
        luck = words(one.seed + one.repeat * 7919, blocks[:, None] * MOST + seats[None, :])
        return (luck % most.astype(np.uint64)).astype(np.int64)

    def play(self, first_block, n_blocks, counts, exemplars):
        from lostlegacy_sim.tally import Totals

        one = self.experiment
        deals = np.arange(first_block * one.rotations, (first_block + n_blocks) * one.rotations)
        pulls = self.pulls(deals)
        lead = pulls[:, 0::2].sum(axis=1) - pulls[:, 1::2].sum(axis=1)
        camp = np.where(np.abs(lead) < self.length, -1, np.where(lead > 0, 0, 1))
        turns = one.players + np.abs(lead)
        totals = Totals(LABELS, counts)
        totals["deals"][...] += len(deals)
        totals["draws"][...] += (camp < 0).sum()
        totals["turns"][...] += turns.sum()
        totals["pulled"][...] += pulls.sum()
        for side in (0, 1):
            won = camp == side
            totals["camp"][side] += won.sum()
            for seat in range(side, one.players, 2):
                np.add.at(totals["won"], (deals[won] % one.rotations, seat), 1)
        for place, side in enumerate((-1, 0, 1)):
            if (camp == side).any():
                exemplars[place] = min(exemplars[place], deals[camp == side][0])
        longest = turns.max()
        if (-longest, deals[turns.argmax()]) < (-exemplars[-2], exemplars[-1]):
            exemplars[-2], exemplars[-1] = longest, deals[turns.argmax()]


def find_bot(words):
    if words not in BOTS:
        raise BotError(f"There is no bot '{words}'.{nearest(words, BOTS)}")
    return words, ""


# --- measures --------------------------------------------------------------------------------------------


def measures(experiment):
    """The measures every game has, made of who won by rotation and seat, and two of its own."""
    deals = lambda totals: totals["deals"]  # noqa: E731
    rate = {"form": "proportion", "least": 0.0, "most": 1.0}
    own = [
        Measure(f"win_camp[{camp}]", "rate", f"deals the {camp} camp won", lambda totals, side=side: totals["camp"][..., side], deals, **rate)
        for side, camp in enumerate(CAMPS)
    ]
    turns = Measure("turns", "turns", "turns of a deal", lambda totals: totals["turns"], deals, least=0.0, most=100.0)
    pulled = Measure("pulled", "ratio", "steps pulled in a deal", lambda totals: totals["pulled"], deals, least=0.0, most=6.0 * MOST)
    winners = Winners(won=lambda totals: totals["won"], nobody=lambda totals: totals["draws"], is_one=False)
    return dict(standard_measures(experiment, winners)) | {one.name: one for one in (*own, turns, pulled)}


SUMMARY = (
    ("which camp", (("win_camp[left]", "left"), ("win_camp[right]", "right"), ("nobody", "a draw"))),
    ("length", (("turns", "turns"),)),
    ("effort", (("pulled", "steps pulled"),)),
)

HEADLINES = (
    Headline("camps", "Which camp wins?", None,
             "ways", SUMMARY[0][1], title="Which camp wins"),
)  # fmt: skip

GAME = Game(
    name="tiny", title="Tug of War", labels=lambda experiment: LABELS, categories=CATEGORIES, open_table=Table, find_bot=find_bot,
    measures=measures, summary=SUMMARY, headlines=HEADLINES, ladder=tuple(BOTS), usual_bot="lazy",
    listed_bots=lambda: [{"name": bot, "line": f"pulls less than {most} steps", "parameters": {}} for bot, most in BOTS.items()],
    compared=("nobody", "seat_gap", "turns", "pulled", "win_camp[left]"), remembered={"draw": "a draw", "longest": "the longest deal"},
)  # fmt: skip
