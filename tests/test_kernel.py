"""The compiled kernel: no reference counting, no two deals alike, the same bits in any order, a cache that is hit."""

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest
from card_files import random_card_set
from counting import count, random_table

from lostlegacy_sim import jit
from lostlegacy_sim.games.lost_legacy.bots import compiling
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
from lostlegacy_sim.games.lost_legacy.kernel import rules
from lostlegacy_sim.games.lost_legacy.kernel.counts import CATEGORIES, EXEMPLARS, LABELS
from lostlegacy_sim.games.lost_legacy.kernel.table import LegacyTable, play_blocks
from lostlegacy_sim.tally import n_labels, no_exemplars

TESTS = Path(__file__).parent


def llvm(function) -> str:
    """The LLVM code of a compiled function, from the cache too."""
    (overload,) = function.overloads.values()
    cached = overload.library._shared_module  # what numba read from its cache, if it did
    return overload.library.get_llvm_str() if cached is None else str(cached)


def functions_of(code: str) -> dict[str, str]:
    """The functions of LLVM code by name, without those of numba's runtime."""
    found = (re.match(r'define [^@]*@"?([^"(]+)"?\(', part) for part in re.split(r"^(?=define )", code, flags=re.MULTILINE))
    return {head[1]: head.string.partition("\n}\n")[0] for head in found if head is not None and not head[1].startswith("NRT_")}


def counting_references(code: str) -> set[str]:
    """The functions that count references, or ask Python for something."""
    words = ("NRT_incref", "NRT_decref", "NRT_Allocate", "PyObject_")
    return {name for name, body in functions_of(code).items() if any(f"@{word}" in body for word in words)}


def test_the_kernel_counts_no_references() -> None:
    count(printed("starship"), 2, 10)
    code = llvm(play_blocks)
    assert len(code) > 100_000
    assert len(functions_of(code)) > 20
    handing_over = {name for name in functions_of(code) if name.startswith("_ZN7cpython")}  # once a call from Python, not once a deal
    assert len(handing_over) == 1
    assert counting_references(code) <= handing_over


def test_reference_counting_would_be_seen() -> None:
    @numba.njit
    def keep(kept, array):
        kept.append(array)

    kept = numba.typed.List([np.zeros(1)])
    keep(kept, np.zeros(1))
    assert any(not name.startswith("_ZN7cpython") for name in counting_references(llvm(keep)))


def test_a_second_process_compiles_nothing() -> None:
    if jit.CACHE is None:
        pytest.skip("no folder for compiled code can be written")
    count(printed("starship"), 2, 10)
    code = (
        "from counting import count; from lostlegacy_sim.games.lost_legacy.cards.composition import printed\n"
        "from lostlegacy_sim.games.lost_legacy.kernel.table import play_blocks\n"
        "count(printed('starship'), 2, 10)\n"
        "print(sum(play_blocks.stats.cache_hits.values()), sum(play_blocks.stats.cache_misses.values()))"
    )
    assert in_a_process(code).split() == ["1", "0"]


def in_a_process(code: str, **environment: str) -> str:
    """What a Python process prints; fails with what it complains of."""
    path = os.pathsep.join([str(TESTS), str(Path(jit.__file__).parent.parent)])
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path, **environment}
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


# --- deals ------------------------------------------------------------------------------------------------


def test_the_first_process_lets_a_child_compile_and_loads_what_it_made(tmp_path: Path) -> None:
    code = (
        "from counting import count; from lostlegacy_sim.games.lost_legacy.bots.compiling import compile_once\n"
        "from lostlegacy_sim.games.lost_legacy.cards.composition import printed; from lostlegacy_sim.games.lost_legacy.kernel.table import play_blocks\n"
        "compile_once([('random', '')]); count(printed('starship'), 2, 10)\n"
        "print(sum(play_blocks.stats.cache_hits.values()), sum(play_blocks.stats.cache_misses.values()))"
    )
    assert in_a_process(code, LLSIM_CACHE_DIR=str(tmp_path)).split() == ["1", "0"]


def test_rules_and_careful_are_compiled_before_the_bots_that_stand_on_them() -> None:
    entries = [("playout:100", ""), ("random", ""), ("hunter:never=search", ""), ("careful", ""), ("bot.py", "1f" * 32)]
    assert compiling.pieces(entries) == [compiling.RULES, "careful", "hunter", "playout"]
    assert compiling.pieces([("random", "")]) == [compiling.RULES]


@pytest.mark.parametrize(("python", "piece"), [("/gone/python", compiling.RULES), (sys.executable, "no such piece")])
def test_a_child_that_brings_nothing_is_no_error(monkeypatch, python, piece) -> None:
    monkeypatch.setattr(sys, "executable", python)
    compiling.compile_apart(piece)


def test_no_two_deals_of_a_run_are_alike() -> None:
    table = random_table(printed("starship"), 4)
    orders, chances, choices = set(), set(), set()
    for deal in range(5000):
        table.record(deal)
        secret = table.state.secret
        orders.add(secret["order"][-16:].tobytes())
        chances.add(int(secret["chance"]))
        choices.add(int(secret["choice"]))
    assert len(orders) == len(chances) == len(choices) == 5000
    assert chances.isdisjoint(choices)


@pytest.mark.parametrize("name", ["starship", "flying-garden", "flying-garden-recall"])
def test_counts_are_the_same_for_any_split(name: str) -> None:
    whole, found = played(printed(name), 3, [(0, 3000)])
    for cuts in ([(0, 1), (1, 2999)], [(1500, 1500), (0, 1500)], [(block, 100) for block in range(2900, -1, -100)]):
        counts, exemplars = played(printed(name), 3, cuts)
        assert np.array_equal(counts, whole)
        assert np.array_equal(exemplars, found)
    assert not np.array_equal(played(printed(name), 3, [(1, 3000)])[0], whole)


def played(card_set, n_seats: int, cuts: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Counts and exemplars of runs of blocks, played at one table in this order."""
    table = random_table(card_set, n_seats)
    counts, exemplars = np.zeros(n_labels(LABELS), np.int64), no_exemplars(CATEGORIES)
    for first, n_blocks in cuts:
        table.play(first, n_blocks, counts, exemplars)
    return counts, exemplars


def test_a_deal_played_alone_is_the_deal_of_the_run() -> None:
    for number in range(10):
        rng = Random(f"alone {number}")
        card_set = random_card_set(rng)
        n_seats = rng.choice(seats(card_set))
        counts, exemplars = played(card_set, n_seats, [(0, 200)])
        lengths, ways = np.zeros(64, np.int64), np.zeros(5, np.int64)
        longest = (0, 0)
        for deal in reversed(range(200)):
            table = random_table(card_set, n_seats)
            assert table.record(deal) == rules.DONE
            way, turns = (int(table.state.public[name]) for name in ("way", "turn"))
            ways[way] += 1
            if way < 4:
                lengths[min(turns, 63)] += 1
                longest = max(longest, (turns, -deal))
        totals = dict(zip((name for name, _ in LABELS), np.split(counts, np.cumsum([int(np.prod(s)) for _, s in LABELS])[:-1]), strict=True))
        assert np.array_equal(totals["length"], lengths)
        assert [totals["nobody"][0], *totals["won"].reshape(3, -1).sum(axis=1), totals["void"][0]] == ways.tolist()
        last = exemplars.view(EXEMPLARS)[0]
        assert not ways[:4].any() or (int(last["longest_turns"]), -int(last["longest"])) == longest


def test_the_same_seed_gives_the_same_deals_and_another_seed_others() -> None:
    def orders(table: LegacyTable) -> list[bytes]:
        return [table.record(deal) and table.state.secret["order"].tobytes() for deal in range(50)]

    first = orders(random_table(printed("starship"), 4, seed=1))
    assert first == orders(random_table(printed("flying-garden"), 2, seed=1))  # the same slots, whatever is on the cards
    assert not set(first) & set(orders(random_table(printed("starship"), 4, seed=2)))


# --- bounds -----------------------------------------------------------------------------------------------

IN_BOUNDS = """
from lockstep import Job, play
from card_files import random_card_set
from random import Random
from counting import count
from lostlegacy_sim.games.lost_legacy.cards.playability import seats
import numba
assert numba.config.BOUNDSCHECK == 1
for number in range(60):
    play(Job(11, number, 5))
for number in range(40):
    card_set = random_card_set(Random(f"bounds {number}"))
    count(card_set, max(seats(card_set)), 500)
print("in bounds")
"""


def test_no_index_leaves_its_array(tmp_path: Path) -> None:
    """Random card files once more, with every index checked; compiled anew, for this alone."""
    assert in_a_process(IN_BOUNDS, NUMBA_BOUNDSCHECK="1", LLSIM_CACHE_DIR=str(tmp_path)) == "in bounds\n"
