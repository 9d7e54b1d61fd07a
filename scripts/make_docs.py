"""Rewrites the generated sections of the documentation from the words of the code."""

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lostlegacy_sim.cardset import SOURCES, Field
from lostlegacy_sim.experiment import FIRST_BATCH, MAX_BATCHES
from lostlegacy_sim.games.lost_legacy.cards.composition import printed
from lostlegacy_sim.games.lost_legacy.kernel.log import EVENTS
from lostlegacy_sim.games.lost_legacy.kernel.state import (
    CARDS_FIELDS,
    PRIVATE_FIELDS,
    PUBLIC_FIELDS,
    QUESTION_FIELDS,
    Fields,
)
from lostlegacy_sim.games.lost_legacy.vocabulary import (
    CARD,
    CONDITIONS,
    DECK_END,
    DRAWN,
    HAND,
    PLACES,
    QUESTIONS,
    RUINS,
    TRAITS,
    VOCABULARY,
    WHO,
    ZONES,
    speed_word,
)
from lostlegacy_sim.sentences import EVERY
from lostlegacy_sim.studies.bounds import from_tournament
from lostlegacy_sim.studies.kept_tournaments import load_tournaments
from lostlegacy_sim.studies.standings import Standings

sys.path.insert(0, str(Path(__file__).parent))  # the script beside this one
import make_reports

DOCS = Path(__file__).parent.parent / "docs"
BENCH = DOCS.parent / "reports" / "bench.json"
EXACT = DOCS.parent / "reports" / "exact.json"
BOUNDS = DOCS.parent / "reports" / "bounds.json"
TRAINED = DOCS.parent / "reports" / "trained.json"


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    headings = list(headings)
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(word: object) -> str:
    """A word as it is typed."""
    return f"`{str(word).lower() if isinstance(word, bool) else word}`"


def form(key: str, field: Field) -> str:
    """How a field is written: its name and what may stand there."""
    if field.form == "flag":
        return code(f"{key} = true") if field.default is False else code(f"{key} = false")
    if field.form == "count":
        return code(f"{key} = {field.values[0]}..{field.values[1]}")
    words = " / ".join(f'"{word}"' for word in field.values)
    return code(f"{key} = [{words.replace(' / ', ', ')}]" if field.form == "list" else f"{key} = {words}")


def default(field: Field) -> str:
    """What a field is if it is left out."""
    return "must be given" if field.default is None else code(field.default)


def fields_table(fields: Iterable[tuple[str, Field]]) -> str:
    """Fields of the file or of a card."""
    return table(["field", "if left out", "meaning"], ([form(key, field), default(field), field.meaning] for key, field in fields))


def words_table(heading: str, words: Iterable[tuple[str, str]]) -> str:
    """Words and their meaning."""
    return table([heading, "meaning"], ([code(word), meaning] for word, meaning in words))


def vocabulary() -> str:
    """All words a card file may use."""
    verbs = []
    for verb in VOCABULARY.verbs:
        fields = [f"{form(key, field)} ({default(field)}): {field.meaning}" for key, field in verb.fields.items()]
        verbs.append([code(verb.name), verb.meaning, ", ".join(map(code, verb.triggers)), "<br>".join(fields) or "-"])
    parts = [
        "### Triggers: when a card does something",
        words_table("trigger", ((trigger.name, trigger.meaning) for trigger in VOCABULARY.triggers)),
        "### Verbs: what a step does",
        "In brackets what a field is if it is left out.",
        table(["do", "meaning", "stands under", "fields"], verbs),
        "### Places, for `at`",
        words_table("at", ((word, meaning) for word, (_, meaning) in PLACES.items())),
        "### Seats, for `who` and `from`",
        words_table("who", ((word, meaning) for word, (_, meaning) in WHO.items())),
        "### Conditions, for `if`",
        words_table("if", ((word, meaning) for word, (_, meaning) in CONDITIONS.items())),
        "### Piles, for `to` and `zone`",
        words_table("to, zone", ((word, meaning) for word, (_, meaning) in ZONES.items())),
        "### Cards, for `card`",
        words_table("card", ((word, meaning) for word, (_, meaning) in CARD.items())),
        "### Further fields of a card",
        fields_table(VOCABULARY.flags.items()),
        "### Fields of the file: switches of the rules",
        fields_table(VOCABULARY.rules.items()),
        "### Sizes",
        f"At most {VOCABULARY.max_cards} cards, {VOCABULARY.max_kinds} kinds and {VOCABULARY.max_steps} steps under one trigger. "
        f"`source` is one of {', '.join(map(code, SOURCES))}.",
    ]
    return "\n\n".join(parts)


def record(name: str, fields: Fields) -> str:
    """The fields of one record."""
    rows = ([code(f"{name}.{field}" + (f"[{', '.join(map(str, shape))}]" if shape else "")), meaning] for field, _, shape, meaning in fields)
    return table(["field", "meaning"], rows)


def records() -> str:
    """What a bot receives, and the numbers it meets there."""
    places = [
        ["`HAND + s`", f"{HAND} + s", "the hand card of seat s; `HAND + private.seat` is the own one"],
        ["`DRAWN`", str(DRAWN), "the card just drawn"],
        ["`RUINS + i`", f"{RUINS} + i", "card i of the ruins, from the left"],
        ["`DECK_END - public.deck_size`", f"{DECK_END} - size", "the top card of the deck"],
    ]
    return "\n\n".join([
        "Seats, kinds' copies and places are whole numbers. Kinds are numbered from 1 in the order of the set, sorted by speed; kind 0 is no card. "
        "Seats are numbered from 0. Speed X is 9.",
        "### `question`: what is asked",
        record("question", QUESTION_FIELDS),
        "### Questions and their options",
        table(["`question.what`", "what an option stands for"], ([code(word.upper()), meaning] for word, meaning in QUESTIONS.values())),
        "A choice with one option only is no question: the bot is not asked.",
        "### Places",
        table(["place", "number", "which card"], places),
        "### `private`: what this seat alone knows",
        record("private", PRIVATE_FIELDS),
        "### `public`: what everybody sees",
        record("public", PUBLIC_FIELDS),
        "### Events of `public.log`",
        "`public.log[i, 0]` is the number of the event, the rest its facts; `private.saw[i]` is the kind the seat saw at it. All words in capitals "
        "stand in `lostlegacy_sim.games.lost_legacy.kernel.log`.",
        table(["event", "facts"], ([code(word.upper()), meaning] for word, meaning in EVENTS.values())),
        "### `cards`: what is printed on the cards",
        record("cards", CARDS_FIELDS),
        "### Traits, for `cards.traits[kind]`",
        "Bits that sum up what a card does, so that a bot can judge cards it has never heard of: `cards.traits[kind] & TRAP`. "
        "All words in capitals stand in `lostlegacy_sim.games.lost_legacy.vocabulary`.",
        ", ".join(code(name.upper()) for name in TRAITS) + ".",
    ])  # fmt: skip


def cards_of(name: str) -> str:
    """What is printed on the cards of a set."""
    rows = ([speed_word(card.speed), card.name, str(card.copies), card.text, card.source] for card in printed(name).cards)
    return table(["speed", "card", "copies", "text", "source"], rows)


def reconstructed() -> str:
    """Which texts of the Flying Garden have no public source, and in which file that can be mended."""
    parts = []
    for name in ("flying-garden", "flying-garden-recall"):
        card_set = printed(name)
        own = [f"{card.name} ({speed_word(card.speed)})" for card in card_set.cards if card.source == "reconstruction"]
        sourced = [f"{card.name} ({card.source})" for card in card_set.cards if card.source != "reconstruction"]
        parts.append(f"**{card_set.name}**, {code(f'--set {name}')}. Reconstructed: {', '.join(own)}. Sourced: {', '.join(sourced)}.")
    return "\n\n".join(parts)


SIZES = (10**9, 10**10, 10**11, 10**12)  # deals
CORES = (2, 64, 512)


def duration(seconds: float) -> str:
    """A time one can plan with."""
    for unit, size in (("years", 365 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return "2 minutes or less"


def rounds(deals: int, cores: int) -> int:
    """Deals the busiest core plays at a table of equal bots, whose shuffles are dealt once: whole batches."""
    batch = FIRST_BATCH
    while batch * MAX_BATCHES < deals:
        batch *= 2
    return batch * -(-deals // (batch * cores))


def planning() -> str:
    """How long many deals take, from the measured speed of one thread."""
    bench = json.loads(BENCH.read_text(encoding="utf-8"))
    lines = [line for line in bench["lines"] if line["bots"] in ("random", "careful") and line["players"] == 4]
    rows = [
        [code(line["bots"]), f"{cores:,}", *(duration(rounds(size, cores) / line["deals_per_second"]) for size in SIZES)]
        for line in lines
        for cores in CORES
    ]
    speeds = " and ".join(f"{code(line['bots'])} at {line['deals_per_second'] / 1e6:.2f}" for line in lines)
    return "\n".join([
        f"Four players, the Starship; reckoned from {speeds} million deals a second and core (see performance.md), as if cores did not share "
        f"memory or heat. A batch is played by one core, and there are at most {MAX_BATCHES} of them: more cores have nothing to do. "
        "`llsim simulate --deals N --dry-run` measures on your machine.",
        "",
        table(["bots", "cores", *(f"10^{len(str(size)) - 1} deals" for size in SIZES)], rows),
    ])  # fmt: skip


def recorded_bench() -> str:
    """The figures that scripts/bench.py wrote down."""
    bench = json.loads(BENCH.read_text(encoding="utf-8"))
    by_bots: dict[str, dict[tuple[int, str], dict[str, Any]]] = {}
    for line in bench["lines"]:
        by_bots.setdefault(line["bots"], {})[line["players"], line["set"]] = line
    columns = list(next(iter(by_bots.values())))
    rows = (
        [code(bots), *(f"{lines[column]['deals_per_second'] / 1e6:.2f} ({lines[column]['ratio']:.0f})" for column in columns)]
        for bots, lines in by_bots.items()
    )
    return "\n\n".join([
        f"Million deals a second of one thread, best of {bench['rounds']} rounds of {bench['deals']:,} deals, seed {bench['seed']}; in brackets "
        "the ratio to the calibration loop (deals played in the time of a thousand of its shuffles).",
        table(["bots", *(f"{players} players, {name}" for players, name in columns)], rows),
        f"Two threads play {bench['two_threads_over_one']} times what one plays, with {bench['processors_received']} processors received. "
        f"Start to printed answer: {bench['cold_start']} s with nothing compiled, {bench['second_start']} s the second time; "
        f"`llsim --help` takes {bench['help']} s.",
        "Beside a C program that plays only the Starship, only at random, and keeps neither knowledge nor counts by batch "
        "(one thread, processor time, the two in turn, everything on here):",
        table(["bots", "players", "share of its speed"],
              ([code(line["bots"]), str(line["players"]), f"{line['ratio']:.2f}"] for line in bench["beside"])),
    ])  # fmt: skip


def exact() -> str:
    """What scripts/exact.py found: the decks, and how far each bot is from perfect in each."""
    decks = json.loads(EXACT.read_text(encoding="utf-8"))["decks"]
    about = (
        [name, ", ".join(f"{deck['cards'].count(card)} {card}" for card in dict.fromkeys(deck["cards"])), f"{deck['histories']:,}",
         f"{deck['information_sets']:,}", f"{100 * (deck['low'] + deck['high']) / 2:+.2f}", f"{100 * deck['nobody']:.1f} %"]
        for name, deck in decks.items()
    )  # fmt: skip
    bots = dict.fromkeys(bot["bot"] for deck in decks.values() for bot in deck["bots"])
    far = {(name, bot["bot"]): bot for name, deck in decks.items() for bot in deck["bots"]}
    rows = ([code(bot), *(cell(far[name, bot]) if (name, bot) in far else "" for name in decks)] for bot in bots)
    within = max(100 * deck["exploitability"] for deck in decks.values())
    return "\n\n".join([
        table(["deck", "cards", "histories", "information sets", "value, points", "nobody"], about),
        "Value: how many points more the first player wins between perfect players, exact to "
        f"{within:.2f} points; nobody: how often they both lose between the two plans found.",
        "**Exploitability of the bots**, in points; behind the stroke what the best opponent wins if it only counts its own wins, in per cent.",
        table(["bot", *decks], rows),
    ])


def cell(bot: dict[str, Any]) -> str:
    """A bot's exploitability, and what a selfish best opponent wins."""
    return f"{100 * bot['exploitability']:.1f} / {100 * bot['best_wins']:.1f}" + (" (sampled)" if bot["is_sampled"] else "")


def bounds() -> str:
    """What scripts/bounds.py found, and the tournament of reports/strength.toml: the margins of all responses to each bot."""
    report = json.loads(BOUNDS.read_text(encoding="utf-8"))
    found = {bot["bot"]: bot["found"] for bot in report["bots"]}
    bots, budgets = list(found), sorted({row["trained_on"] for rows in found.values() for row in rows if row["trained_on"]})
    standings = tournament("strength")
    met = [bot for bot in standings.bots if bot not in bots]
    rows = []
    for bot, measured in found.items():
        responses = measured + ([asdict(one) for one in from_tournament(standings, bot, met)] if bot in standings.bots else [])
        by_bot = {row["response"]: row for row in responses if not row["trained_on"]}
        by_budget = {row["trained_on"]: row for row in responses if row["trained_on"]}
        best = max(responses, key=lambda row: row["low"])
        cells = [f"{100 * by_bot[other]['margin']:+.1f}" if other in by_bot else "" for other in [*bots, *met]]
        cells += [f"{100 * by_budget[budget]['margin']:+.1f}" for budget in budgets]
        rows.append([code(bot), *cells, f"**{max(0.0, 100 * best['low']):.1f}**"])
    return "\n\n".join([
        f"The Starship, 2 players: the margin of each response, in points; {report['deals']:,} deals each, seed {report['seed']}; "
        f"those of {', '.join(map(code, met))} are from the tournament of [reports/strength.html](../reports/strength.html), "
        f"{standings.cells[0].deals:,} deals each.",
        table(["bot", *map(code, [*bots, *met]), *(f"trained on {budget:,} deals a chair" for budget in budgets), "exploited at least"], rows),
        "The last column is the largest of the lower ends of the intervals of all responses to one bot; these ends hold at once (95 %)."
        + (" 0: none of them surely wins from this bot, which is not to say that nobody does." if any("**0.0**" in row for row in rows) else ""),
    ])


def tournament(name: str) -> Standings:
    """The standings of a study of reports/, from its counts."""
    study = make_reports.read_study(make_reports.HOME / f"{name}.toml")
    with make_reports.unpacked(make_reports.counts_of(study)) as folder:
        (found,) = load_tournaments(folder)
    assert isinstance(found, Standings)
    return found


def mixtures() -> str:
    """What scripts/bounds.py found of learners trained against each other."""
    report = json.loads(BOUNDS.read_text(encoding="utf-8"))
    rows = (
        [str(mixture["members"]), f"{100 * mixture['margin']:.1f}", f"{100 * mixture['low']:.1f} to {100 * mixture['high']:.1f}"]
        for mixture in report["mixtures"]
    )
    return "\n\n".join([
        f"The Starship, 2 players; each learner, and each response, trained on {report['mixtures_trained_on']:,} deals a chair; "
        f"{report['deals']:,} deals measured, seed {report['seed']}.",
        table(["members", "a trained response wins, points", "95 %"], rows),
    ])


def trained() -> str:
    """What scripts/train.py --measure found: the win indices of the bot `trained`."""
    report = json.loads(TRAINED.read_text(encoding="utf-8"))
    opponents = list(dict.fromkeys(row["opponent"] for row in report["found"]))
    found = {(row["set"], row["players"], row["opponent"]): row for row in report["found"]}
    rows = (
        [name, str(players), *(f"{row['index']:.2f} ({row['low']:.2f}-{row['high']:.2f})" for row in (found[name, players, bot] for bot in opponents))]
        for name, players in dict.fromkeys((row["set"], row["players"]) for row in report["found"])
    )
    return "\n\n".join([
        f"Win index of one `trained` among others, 1 being par; {report['deals']:,} deals each, seed {report['seed']}, 95 % intervals.",
        table(["set", "players", *map(code, opponents)], rows),
    ])


def sentences() -> str:
    """Every sentence about results, when it is said, and what computes that it may be."""
    rows = ([code(one.id), one.template.strip().replace("|", "\\|"), one.when, code(one.warrant)] for one in EVERY.values())
    return table(["id", "sentence", "said when", "warranted by"], rows)


SECTIONS: dict[str, tuple[str, Callable[[], str]]] = {
    "vocabulary": ("cards.md", vocabulary),
    "records": ("bots.md", records),
    "bench": ("performance.md", recorded_bench),
    "exact": ("perfect.md", exact),
    "bounds": ("perfect.md", bounds),
    "mixtures": ("perfect.md", mixtures),
    "trained": ("bots.md", trained),
    "sentences": ("sentences.md", sentences),
    "planning": ("scale.md", planning),
    "starship": ("rules.md", lambda: cards_of("starship")),
    "reconstructed": ("rules.md", reconstructed),
    "flying-garden": ("rules.md", lambda: cards_of("flying-garden")),
}


def rewritten(text: str, name: str, section: str) -> str:
    """The page with what stands between the marks of a section replaced."""
    begin, end = f"<!-- {name}: generated by scripts/make_docs.py -->", f"<!-- {name}: end -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{section}\n\n{end}{rest.split(end)[1]}"


def main() -> None:
    """Rewrite every section, say which pages changed."""
    for name, (page, make) in SECTIONS.items():
        path = DOCS / page
        old = path.read_text(encoding="utf-8")
        new = rewritten(old, name, make())
        path.write_text(new, encoding="utf-8")
        print(f"{path.name}: {name} {'rewritten' if new != old else 'is up to date'}", file=sys.stderr)


if __name__ == "__main__":
    main()
