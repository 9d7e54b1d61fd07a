"""How far each bot is from perfect play: tiny decks for two, solved exactly.

    python scripts/exact.py                                the decks of the documentation -> reports/exact.json
    python scripts/exact.py --deck "general search assault shadow_thief the_starship" [--bots careful,my_bot.py]

`docs/perfect.md` shows what reports/exact.json holds (scripts/make_docs.py).
"""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from lostlegacy_sim.errors import LlsimError
from lostlegacy_sim.games.lost_legacy.research.exact.decks import DECKS, deck_of
from lostlegacy_sim.studies.perfection import Perfection, perfection

REPORT = Path(__file__).parent.parent / "reports" / "exact.json"
BOTS = ("random", "careful", "careful:memory=no", "hunter", "trained")
SEARCHING = ("belief", "playout:100", "ismcts:100")  # asked in the smallest decks only: many times at every information set
SMALLEST = ("five", "traps")


def told(found: Perfection) -> str:
    """What was found about a deck, for a terminal."""
    lines = [
        f"{len(found.cards)} cards: {' '.join(found.cards)}",
        f"{found.histories:,} histories, {found.information_sets:,} information sets",
        f"Between perfect players seat 1 wins {100 * found.low:.2f} to {100 * found.high:.2f} points more than seat 2; "
        f"nobody wins {100 * found.nobody:.1f} %.",
        "The best opponent of each bot wins more than the bot, in points of win share, both chairs averaged:",
    ]
    for bot in found.bots:
        sampled = "  (its random choices sampled)" if bot.is_sampled else ""
        lines.append(f"  {bot.bot:20s} {100 * bot.exploitability:7.2f}{sampled}")
    return "\n".join(lines)


def solve_deck(name: str, ids: list[str], bots: list[str]) -> Perfection:
    """Solve a deck and say what comes of it."""
    start = time.perf_counter()
    found = perfection(deck_of(ids, name), bots, say=lambda line: print(f"  {line}", file=sys.stderr, flush=True))
    print(f"{told(found)}\n({time.perf_counter() - start:.0f} s)\n", flush=True)
    return found


def main() -> int:
    """Solve one deck, or those of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deck", metavar="IDS", help="ids of printed cards, with blanks between them")
    parser.add_argument("--bots", metavar="NAMES", help=f"default: {','.join(BOTS)}; and in the smallest decks {','.join(SEARCHING)}")
    arguments = parser.parse_args()
    typed = arguments.bots.split(",") if arguments.bots else []
    try:
        if arguments.deck:
            solve_deck("The deck", arguments.deck.split(), typed or [*BOTS])
            return 0
        decks = {
            name: asdict(solve_deck(name, ids.split(), typed or [*BOTS, *(SEARCHING if name in SMALLEST else ())]))
            for name, ids in DECKS.items()
        }
    except (LlsimError, OverflowError) as error:
        print(error, file=sys.stderr)
        return 2
    REPORT.write_text(json.dumps({"decks": decks}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
