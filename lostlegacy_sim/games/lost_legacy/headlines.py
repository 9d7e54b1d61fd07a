"""What a result of Lost Legacy says beside who wins: how deals end, how long they take, where the Legacy was."""

from __future__ import annotations

from lostlegacy_sim import sentences
from lostlegacy_sim.claims import Claim
from lostlegacy_sim.game import Headline, Say, Summary

ENDS = (("by_last", "last one left"), ("by_seen", "Legacy seen"), ("by_found", "investigation"), ("nobody", "nobody"))
PLACES = (("legacy_hand", "in a hand"), ("legacy_ruins", "in the ruins"), ("legacy_deck", "never dealt"))

SUMMARY: Summary = (
    ("how it ends", ENDS),
    ("length", (("turns", "turns"),)),
    ("out early", (("out_early", "of deals put a seat out before its first turn"),)),
    ("the Legacy", PLACES),
)


def how_long(say: Say) -> Claim:
    """Turns, and who has to watch."""
    return sentences.COURSE.say(turns=say("turns"), longest=say.longest, early=say("out_early"), idle=say("downtime", "rate"))


def where_the_legacy_was(say: Say) -> Claim:
    """The places, each with its share."""
    return sentences.LEGACY.say(places=", ".join(f"{words} in {say(name)}" for name, words in PLACES))


HEADLINES = (
    Headline("ways", "How do deals end?", None, "ways", ENDS, title="Ways a deal ends", notes=(
        "Last one left: all others are eliminated. Legacy seen: a card that wins at once looked at it. "
        "Investigation: the deck ran out, and the players searched for the Legacy, speed by speed.",)),
    Headline("length", "How long does a deal take, and who has to watch?", how_long, "lengths"),
    Headline("legacy", "Where is the Legacy at the end?", where_the_legacy_was, "places", PLACES,
             parts={"legacy_hand": ("hand of seat {}", ""), "legacy_ruins": ("ruins, card {}", " or later")},
             title="Where the Legacy was at the end", notes=("The cards of the ruins are numbered from the left.",)),
)  # fmt: skip
