"""`llsim validate`: is this set legal, is it playable, and how to mend it, line by line."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lostlegacy_sim.cardset import CardSet
from lostlegacy_sim.cli import options
from lostlegacy_sim.cli.command import command
from lostlegacy_sim.cli.page import narrate, print_json, say
from lostlegacy_sim.errors import SetError
from lostlegacy_sim.games.lost_legacy.cards import composition
from lostlegacy_sim.games.lost_legacy.cards.door import identified
from lostlegacy_sim.games.lost_legacy.cards.guidelines import Finding, check_guidelines, in_words
from lostlegacy_sim.games.lost_legacy.cards.playability import problems, seats

SCHEMA = "llsim.validate/1"
LEGAL, UNPLAYABLE, BREAKS_A_GUIDELINE = 0, 2, 3
VERDICTS = {LEGAL: "legal", UNPLAYABLE: "unplayable", BREAKS_A_GUIDELINE: "playable"}
EXAMPLES = (
    ("llsim validate my.toml", "the guidelines, the players, and how to mend"),
    ("llsim validate my.toml --json", "the same for programs"),
)


@command("validate", EXAMPLES)
@click.argument("word", metavar="FILE")
@options.as_json
@options.quiet
def validate(word: str, as_json: bool, quiet: bool) -> int:
    """Check FILE, a card file (or a set's word).

    Exit code 0: legal. 3: playable, but it breaks a guideline. 2: unplayable or unreadable.
    """
    try:
        card_set = composition.load_set(word) if word in composition.SET_WORDS else composition.open_set(word)
    except SetError as error:
        if as_json:
            print_json({"schema": SCHEMA, "set": None, "verdict": "unreadable", "guidelines": [], "problems": [str(error)]})
        raise
    wrong = problems(card_set, word)
    findings = check_guidelines(card_set)
    verdict = UNPLAYABLE if wrong else LEGAL if all(finding.holds for finding in findings) else BREAKS_A_GUIDELINE
    if as_json:
        facts = identified(card_set) | ({"players": []} if wrong else {})
        guidelines = [vars(finding) for finding in findings]
        print_json({"schema": SCHEMA, "set": facts, "verdict": VERDICTS[verdict], "guidelines": guidelines, "problems": wrong})
    else:
        print_findings(card_set, findings, wrong, quiet)
    if wrong:
        raise SetError(f"{word} cannot be played: {len(wrong)} problem{'s' if len(wrong) > 1 else ''}.")
    if not (as_json or quiet):
        print_verdict(word, [finding.guideline for finding in findings if not finding.holds])
    return verdict


def print_findings(card_set: CardSet, findings: Sequence[Finding], wrong: Sequence[str], quiet: bool) -> None:
    """A line a guideline with how to mend it, a line for the players or each problem; quiet: what is wrong only."""
    if not quiet:
        narrate([f"{card_set.name} · {card_set.n_cards} cards, {len(card_set.cards)} kinds", ""])
    for finding in findings:
        if not (quiet and finding.holds):
            narrate([f"  {'yes' if finding.holds else 'no '}  {finding.guideline}  {finding.there}"])
        if finding.mend:
            narrate([f"           to mend: {finding.mend}"])
    say(f"  no   {sentence}" for sentence in wrong)
    if not (wrong or quiet):
        numbers = list(map(str, seats(card_set)))
        narrate([f"  yes  playable by {in_words(numbers)} players"])


def print_verdict(word: str, broken: list[str]) -> None:
    """The answer in one sentence."""
    if broken:
        say(["", f"Playable, but it breaks {in_words(broken)}. `simulate` plays it all the same."])
    else:
        say(["", f"Legal: {word} keeps all five guidelines."])
