"""The table of all sentences that say something of results, and of what warrants each.

A study's or a screen's claim is made by one of these and by nothing else (`claims.py`); docs/sentences.md is made from this table
(scripts/make_docs.py), and tests/test_sentences.py plants, for every one, data of which it is said and data of which it must not be.
"""

from __future__ import annotations

from lostlegacy_sim.claims import Sentence

EVERY: dict[str, Sentence] = {}  # by id


def entry(name: str, template: str, when: str, warrant: str) -> Sentence:
    """A row of the table."""
    if name in EVERY:
        raise ValueError(f"{name} stands twice in the table")
    EVERY[name] = Sentence(name, template, when, warrant)
    return EVERY[name]


# --- no deal counts -------------------------------------------------------------------------------------

NONE_COUNTS = entry(
    "uncounted.none", "No deal{where} counts: all {deals:,} passed the bound on turns, so nothing can be told of them.",
    "Deals were played, and every one of them is void.", "studies.uncounted:counts_nothing")  # fmt: skip
SOME_COUNT_NOTHING = entry(
    "uncounted.tables", "No deal counts in {found} of {every} {what}: all passed the bound on turns, so nothing can be told of them.",
    "At some tables every deal is void.", "studies.uncounted:some_count_nothing")  # fmt: skip
NO_SET_COUNTS = entry(
    "uncounted.every_set", "No set gives a number for any of these goals: no deal counts, for all passed the bound on turns, or nobody ever won.",
    "No goal has a number for any set.", "studies.uncounted:mute_sets")  # fmt: skip
MUTE_SETS = entry(
    "uncounted.sets", "{mute} of {of} sets give no number for any of these goals (no deal counts, or nobody ever won); they are ranked last.",
    "No goal has a number for some sets.", "studies.uncounted:mute_sets")  # fmt: skip

# --- simulate -------------------------------------------------------------------------------------------

SEATS_NOBODY = entry(
    "seats.nobody", "Seats: nobody has won any of {deals:,} deals.", "Deals count, and none was won.", "studies.simulate:Answer.seat_verdict")  # fmt: skip
SEATS_FEW = entry(
    "seats.few", "Seats: too few deals to tell them apart.", "The gap between seats has no interval.", "estimate:Estimates.of_gap")  # fmt: skip
SEATS_LEVEL = entry(
    "seats.level", "Seats: no pair differs by more than {most} points.",
    "The interval of the largest difference between two seats, which allows for all pairs at once, begins at 0; its upper end is told.",
    "estimate:Estimates.of_gap")  # fmt: skip
SEATS_AHEAD = entry(
    "seats.ahead", "Seats: seat {ahead} is ahead of seat {behind} by {value} points ({low} to {high}); no pair differs by more than {most} points.",
    "The interval of the gap lies above 0. Named is the pair that is surest; the intervals of all pairs hold at once, so it may be chosen.",
    "estimate:Estimates.pairs")  # fmt: skip
BOT_FEW = entry("bot.few", "{bot}: too few deals to tell it from par.", "The bot's distance from par has no interval.", "studies.simulate:bot_verdict")
BOT_ABOVE = entry("bot.above", "{bot} is above par: {interval}.", "The interval of win rate minus par lies above 0.", "studies.simulate:bot_verdict")
BOT_BELOW = entry("bot.below", "{bot} is below par: {interval}.", "The interval of win rate minus par lies below 0.", "studies.simulate:bot_verdict")
BOT_UNTOLD = entry("bot.untold", "{bot} cannot be told from par: {interval}.", "The interval of win rate minus par holds 0.", "studies.simulate:bot_verdict")
SAME_SO_FAR = entry(
    "same.so_far", "{measure}: the same in every {where} so far, {value}; what was not seen yet may move the mean to between {low} and {high}.",
    "The measure has come out the same in every batch; the bounds allow for a share of deals that was not seen.",
    "studies.simulate:Answer.sameness")  # fmt: skip
BOT_WINS = entry(
    "bot.wins", "{verdict}; it wins {rate} of its deals.", "A bot's verdict with its win rate beside it.", "studies.simulate:bot_verdict")  # fmt: skip
WAYS = entry(
    "ways.most", "The most frequent way to win is “{way}”, {rate} of the deals; nobody wins {nobody}.",
    "Held against every other way over the same batches (Bonferroni), it is surely more frequent.", "stats.foremost:rivals")  # fmt: skip
WAYS_UNTOLD = entry(
    "ways.untold", "Which way to win is the most frequent cannot be told: “{way}”, {rate} of the deals, or {others}; nobody wins {nobody}.",
    "Another way may be as frequent, or more so.", "stats.foremost:rivals")  # fmt: skip
COURSE = entry(
    "course", "{turns} turns on average, at most {longest}; in {early} of the deals a seat is out before its first turn; "
    "a seat is out of the game for {idle} of the turns on average.",
    "Deals count; each number with its interval.", "estimate:Estimates")  # fmt: skip
LEGACY = entry("legacy", "The Legacy ended {places} of the deals.", "Deals count; each number with its interval.", "estimate:Estimates")

# --- targets and requirements ---------------------------------------------------------------------------

TARGET_LOGIC = entry("until.known", "Until {target}: reached, for it is known without counting.", "The measure follows from the rules.", "studies.targets:Target.is_met")
TARGET_MET = entry(
    "until.reached", "Until {target}: reached after {deals}, {known} at every look.",
    "An interval that holds at every look reaches no further than was asked.", "studies.targets:Target.is_met")  # fmt: skip
TARGET_MISSED = entry(
    "until.not_reached", "Until {target}: not reached in {deals}, {known}; {needed}.", "That interval reaches further.", "studies.targets:Target.is_met")  # fmt: skip
REQUIRED = "it is {value}, {confidence} % interval {interval} ({method}){more}."
REQUIRED_HOLDS = entry(
    "required.holds", "Required {requirement}: holds; " + REQUIRED, "The whole interval lies on the side of the bound that was asked for.",
    "studies.targets:Requirement.judge")  # fmt: skip
REQUIRED_BROKEN = entry(
    "required.broken", "Required {requirement}: does not hold; " + REQUIRED, "The whole interval lies on the other side.",
    "studies.targets:Requirement.judge")  # fmt: skip
REQUIRED_OPEN = entry(
    "required.undecided", "Required {requirement}: undecided; " + REQUIRED, "The bound lies within the interval.", "studies.targets:Requirement.judge")  # fmt: skip
REQUIRED_FEW = entry(
    "required.few", "Required {requirement}: undecided; these deals give no interval.", "There is no interval.", "studies.targets:Requirement.judge")  # fmt: skip

# --- compare --------------------------------------------------------------------------------------------

DIFFERS = entry(
    "compare.differs", "{subject} differs: {measures}.", "Measures whose difference is certain, adjusted for all that were asked (Holm).",
    "stats.verdicts:judge")  # fmt: skip
SAME_IN_ALL = entry("compare.same", "The same in every batch: {measures}.", "The difference was 0 in every batch.", "stats.verdicts:judge")
EQUIVALENT_ALL = entry(
    "compare.equivalent", "Equivalent within the margin: {measures}.", "Two one-sided tests find the difference within the margin (Holm).",
    "stats.verdicts:judge")  # fmt: skip
PAIRED = entry(
    "compare.paired", "the same {shuffles}, differences taken batch by batch.", "Both sides played the same shuffles.", "studies.compare:Contrast")
UNPAIRED = entry("compare.unpaired", "{obstacle}; compared unpaired.", "They did not, and what stood against it.", "studies.compare:Contrast")
UNDECIDED_ALL = entry("compare.undecided", "Undecided: {measures}.", "None of the three is certain.", "stats.verdicts:judge")

# --- levels ---------------------------------------------------------------------------------------------

LEVELS_HOLD = entry(
    "levels.hold", "Holds at all levels: {headlines}.", "The same word is certain on every rung, for all headlines and rungs at once (Holm).",
    "studies.levels:Headline.holds")  # fmt: skip
LEVELS_FLIP = entry("levels.flip", "Flips: {headlines}.", "Two rungs have certain words that contradict each other.", "studies.levels:Headline.flips_at")
LEVELS_OPEN = entry("levels.open", "Not certain at every level: {headlines}.", "Neither.", "studies.levels:Headline.holds")
LEVELS_MUTE = entry(
    "levels.mute", "No number at {rungs}: no deal counts there, for all passed the bound on turns, or nobody ever won.",
    "No headline has a number on a rung.", "studies.levels:Headline")  # fmt: skip

HEADLINE_UNDECIDED = entry("headline.undecided", "undecided at all levels", "No rung tells.", "studies.levels:Headline.told")
HEADLINE_FLIPS = entry("headline.flips", "flips at rung {rung} ({bot})", "Two rungs have certain words that contradict each other.", "studies.levels:Headline.flips_at")
HEADLINE_HOLDS = entry("headline.holds", "holds at all levels", "The same word is certain on every rung (Holm).", "studies.levels:Headline.holds")
HEADLINE_SOME = entry("headline.some", "at some levels only", "Some rungs have a certain word, others none that matters.", "studies.levels:Headline.told")
HEADLINE_WHERE_TOLD = entry(
    "headline.where_told", "holds where it can be told; undecided at {rungs}", "The rungs that tell say the same.", "studies.levels:Headline.undecided")  # fmt: skip

# --- tournament -----------------------------------------------------------------------------------------

LEADER = entry(
    "cup.leader", "{bot} is above par against every other bot{by}.",
    "All its cells are certainly above par, for the whole matrix at once (Holm). “By at least”: the smallest lower end, right for all bots at once.",
    "studies.standings:Standings.leaders")  # fmt: skip
LEADERS = entry(
    "cup.leaders", "{bots} are each above par among {others} of any other bot: whoever is alone gains.",
    "The same of several bots, which can be at a table of more than two.", "studies.standings:Standings.leaders")  # fmt: skip
NO_LEADER = entry("cup.no_leader", "No bot is certainly above par against every other one{unsure}.", "There is no such bot.", "studies.standings:Standings.leaders")
UNTOLD = entry("cup.untold", "{uncounted} Ratings and mixtures need all of them.", "In some matches no deal counts.", "studies.standings:Standings.is_told")
NO_RATINGS = entry(
    "cup.no_ratings", "No ratings: a bot, or a group of bots, has won no deal against the others, or all of them.",
    "The strengths of the Plackett-Luce model do not exist.", "studies.standings:Standings.ratings")  # fmt: skip
MISFIT = entry(
    "cup.misfit", "Plackett-Luce strengths of the decided deals, mean 1500; one number a bot misses a match by up to {misfit} points.",
    "The strengths exist; the largest distance of a match from what they say.", "studies.standings:Standings.misfit")  # fmt: skip
HIGHEST = entry(
    "cup.highest", "{bot} surely has the highest rating, {elo} on the Elo scale; one number a bot misses a match by up to {misfit} points.",
    "Held against every other bot over the same batches (Bonferroni), its strength is surely larger.", "studies.standings:Standings.rivals")  # fmt: skip
HIGHEST_UNTOLD = entry(
    "cup.highest_untold", "{bot} has come out with the highest rating, {elo} on the Elo scale, but cannot be told from {others}; one number a bot misses a match by up to {misfit} points.",
    "Another bot may be as strong, or stronger.", "studies.standings:Standings.rivals")  # fmt: skip
NASH = entry(
    "cup.nash", "Nash average (no bot gains against this mixture): entropy {entropy} of {most}, as many as {bots}.",
    "Two players: the most even equilibrium of the matrix as it came out, with its range over resampled deals.",
    "studies.standings:Standings.weights")  # fmt: skip
NASH_OF_SEVERAL = entry(
    "cup.nash_several", "Nash average (a mixture against which no bot gains where only half of what one gains among the others, less half of what the other "
    "gains among its others, is counted; at a table of more than two that is no equilibrium): entropy {entropy} of {most}, as many as {bots}.",
    "More than two players: the same of the matrix made antisymmetric.", "studies.standings:Standings.weights")  # fmt: skip
DOMINANCE = entry(
    "cup.dominance", "Better against everyone (Holm): {pairs}.",
    "One bot gains more than another against each opponent, by the least certain of them; adjusted for all pairs.",
    "stats.strategy:dominances")  # fmt: skip
NO_DOMINANCE = entry("cup.no_dominance", "Better against everyone (Holm): no bot over another one that is certain.", "There is no such pair.", "stats.strategy:dominances")
CYCLES = entry(
    "cup.cycles", "Cycles: {rings}.", "Each of three bots certainly gains against the next, adjusted for all triples (Holm).", "stats.strategy:cycles")  # fmt: skip
NO_CYCLES = entry("cup.no_cycles", "Cycles: none that is certain.", "There are no such three.", "stats.strategy:cycles")
MIRRORS = entry(
    "cup.mirrors", "Control, mirror matches: every bot at a table of its own is exactly at par, as all rotations are counted; "
    "without them a seat would be off by up to {effect} points.",
    "In every mirror match the bot wins exactly the deals that somebody wins.", "studies.standings:Standings.mirrors_at_par")  # fmt: skip
MIRRORS_BROKEN = entry(
    "cup.mirrors_broken", "Control, mirror matches: BROKEN: a bot at a table of its own is not at par; do not trust these numbers.",
    "It does not.", "studies.standings:Standings.mirrors_at_par")  # fmt: skip
DOUBLING_FEW = entry(
    "cup.doubling_few", "Control, doubling the deals: too few deals to part them in two halves.", "There are fewer than 8 batches.",
    "studies.standings:Standings.doubling")  # fmt: skip
DOUBLING_HOLDS = entry(
    "cup.doubling", "Control, doubling the deals changes no verdict: holds (from {deals:,} deals a match on: {told}).",
    "No verdict of the first half of the batches is lost or turned round by all of them.", "studies.standings:Doubling.holds")  # fmt: skip
DOUBLING_BROKEN = entry(
    "cup.doubling_broken", "Control, doubling the deals changes no verdict: does not hold (from {deals:,} deals a match on: {told}).",
    "One is.", "studies.standings:Doubling.holds")  # fmt: skip
CONTROLS_HOLD = entry(
    "cup.controls", "Mirror matches are exactly at par, and doubling the deals has changed no verdict.", "Both hold at every table.",
    "studies.standings:Doubling.holds")  # fmt: skip
DEPTH_ALL = entry(
    "ladder.all", "Depth {rungs} of {rungs}: every rung is certainly above par against the one below.",
    "Every climb is certainly above par, for all climbs at once (Holm).", "studies.ladder:Climbed.depth")  # fmt: skip
DEPTH = entry(
    "ladder.exact", "Depth {depth} of {rungs}: so many rungs are certainly above par against the one below. Not: {others}.",
    "Every other rung is certainly below par.", "studies.ladder:Climbed.most_depth")  # fmt: skip
DEPTH_LEAST = entry(
    "ladder.least", "Depth at least {depth} of {rungs}: so many rungs are certainly above par against the one below. Not: {others}.",
    "Another rung is undecided, or was not climbed.", "studies.ladder:Climbed.most_depth")  # fmt: skip

# --- explore --------------------------------------------------------------------------------------------

FIRST_OF = entry(
    "mixes.first", "First of {sets} {by}: {set}, one of {able} that may be the best.",
    "The lowest mean its ranks may have is not above the highest that another set's may have; ranks of all sets and goals hold at once.",
    "studies.look:Look.may_lead")  # fmt: skip
FIRST_SURELY = entry("mixes.first_surely", "First of {sets} {by}: {set}, surely the best.", "Of no other set it is so.", "studies.look:Look.may_lead")
NO_GOAL = entry("goal.no_number", "{goal}: no {noun} gives a number for it.", "The goal has no number for any set.", "studies.look:Look.values")
BEST = entry(
    "mixes.best", "{goal}: {set} has {value}, one of {able} that may be the best; in the first look it had {mine}, and all mixes lay from {least} to {most}.",
    "Its rank and others' may be 1, for all ranks of the goal at once. The range is of the deals by which it was chosen, and so is its value beside it.",
    "studies.look:Look.may_be_best")  # fmt: skip
BEST_SURELY = entry(
    "mixes.best_surely", "{goal}: {set} has {value}, surely the best; in the first look it had {mine}, and all mixes lay from {least} to {most}.",
    "No other set's rank may be 1.", "studies.look:Look.may_be_best")  # fmt: skip
MATTERS_MOST = entry(
    "choices.most", "{goal}: {choice} matters most: {second} instead of {first} {change}.",
    "It surely moves the goal, with an interval for all choices and goals at once (Bonferroni); and held against every other choice over the same "
    "batches, up and down, it surely moves it further.", "stats.foremost:rivals")  # fmt: skip
MATTERS = entry(
    "choices.some", "{goal}: {choice} matters, as far as can be told no more than {others}: {second} instead of {first} {change}.",
    "It surely moves the goal, but others may move it as far.", "studies.mixes:MixesAnswer.rivals")  # fmt: skip
MATTERS_NONE = entry(
    "choices.none", "{goal}: no choice moves it by more than these deals can tell.", "No interval for all at once leaves out 0.",
    "studies.main_effects:Effect.is_sure")  # fmt: skip
SWEEP_BEST = entry(
    "sweep.best", "{goal}: came out best with {point}: {value} {seen}; {able} of {points} may be the best.",
    "Several points' ranks may be 1, for all ranks of the goal at once.", "studies.look:Look.may_be_best")  # fmt: skip
SWEEP_SURELY = entry("sweep.best_surely", "{goal}: surely best with {point}: {value} {seen}.", "One point's rank alone may be 1.", "studies.look:Look.may_be_best")
UNBREAKABLE = entry(
    "guideline.unbreakable", "{guideline} cannot be broken: there are two printed sets.", "No family of sets breaks it.", "studies.families:guideline_families")  # fmt: skip
PROTECTS = entry(
    "guideline.protects", "{guideline} protects {effects}.{gains}",
    "Breaking it surely makes a goal worse, with intervals for the whole table at once (Bonferroni).", "report.guidelines_screen:surely")  # fmt: skip
PROTECTS_NONE = entry(
    "guideline.protects_none", "{guideline} protects none of these goals{margins}.{gains}", "It surely makes none worse.", "report.guidelines_screen:surely")  # fmt: skip
ONE_SET_WORSE = entry(
    "guideline.one_set", "One set only (legal, too) is worse than a true mix for {effects}.{gains}",
    "The printed sets are surely worse in a goal, with intervals for the whole table at once (Bonferroni).", "report.guidelines_screen:surely")  # fmt: skip
ONE_SET = entry(
    "guideline.one_set_none", "One set only (legal, too) is worse than a true mix for none of these goals{margins}.{gains}", "They are surely worse in none.",
    "report.guidelines_screen:surely")  # fmt: skip

# --- balance --------------------------------------------------------------------------------------------

NO_TEXTS = entry("texts.none", "None of these cards has a text that can be taken off.", "No kind that was asked about has one.", "studies.balance:CardTable.has_text")
TEXTS_UNASKED = entry(
    "texts.unasked", "Which text is too strong was not asked; --effects one tells it.", "One copy without its text was not played.",
    "studies.balance:Balance.text_value")  # fmt: skip
TOO_STRONG = entry(
    "texts.strong", "Too strong, if any: {card}. {text} gives who begins with it {value}, where the mean seat wins {par}{alone}.",
    "What one copy gives its owner above par is certainly above 0, for all texts at once (Holm). “Surely more than any other”: held against every other "
    "text, all pairs at once; else those are named that it cannot be told from.", "studies.balance:CardTable.not_told_from")  # fmt: skip
NONE_STRONG = entry(
    "texts.none_strong", "No text gives its first owner more than these deals can tell.", "No text is certainly above 0.", "studies.balance:CardEffect.told")  # fmt: skip
TOO_WEAK = entry(
    "texts.weak", "Too weak, if any: {card}. {text} costs who begins with it {cost} points against par ({least} to {most}){alone}.",
    "The same below 0.", "studies.balance:CardTable.not_told_below")  # fmt: skip
UNWEIGHED = entry(
    "texts.unweighed", "Not weighed, and so in no order here: one copy of the {texts} of {cards} ({reason}).", "A text has no value.",
    "studies.balance:Balance.unweighed")  # fmt: skip
MISLEADS_OF = entry(
    "watching.misleads", "Watching misleads: {cards} {looks} {how} in hand, and who begins with {them} wins {what} than the others.",
    "What is observed of the whole card and what it causes are surely on different sides of 0, for all kinds at once (Bonferroni).",
    "studies.balance:CardTable.signs")  # fmt: skip
WATCHING_ALONE = entry(
    "watching.alone", "Watching says something of {cards}, but nothing can be told of beginning with {them}.",
    "What is observed surely is not 0; what is caused may be.", "studies.balance:CardTable.signs")  # fmt: skip

# --- balance: the clauses of a card's sentence ----------------------------------------------------------

CARD_GIVES = entry("card.gives", "{value} for its first owner", "What one copy gives its owner above par is certainly not 0 (Holm).", "studies.balance:CardEffect.told")
CARD_FEW = entry("card.few", "too few deals to tell what it gives its first owner", "That has no interval.", "studies.balance:Balance.text_value")
CARD_NOTHING = entry(
    "card.nothing", "nothing that these deals can tell for its first owner ({low} to {high} points against par)", "It may be 0.", "studies.balance:CardEffect.told")  # fmt: skip
CARD_DEAL = entry(
    "card.deal", "because of it {outcome}", "A card of one copy: what its text does to the deal stands out (Benjamini and Hochberg) and is worth a word.",
    "report.balance_words:is_worth_a_word")  # fmt: skip
CARD_TOGETHER = entry(
    "card.together", "{copies} copies together: {effects}", "Of several copies: the same of all at once, and what they give who begins with one.",
    "report.balance_words:is_worth_a_word")  # fmt: skip
CARD_COPIES = entry(
    "card.copies", "{words} {outcome}", "What one copy more or fewer does to the deal stands out and is worth a word.", "report.balance_words:is_worth_a_word")  # fmt: skip
CARD_COPIES_NOTHING = entry(
    "card.copies_nothing", "one copy {number} changes next to nothing that these deals can tell", "It was played, and nothing is worth a word.",
    "report.balance_words:is_worth_a_word")  # fmt: skip
CARD_SWAP = entry(
    "card.swap", "with {other} in its place {changes}", "What the other set's card changes stands out and is worth a word.", "report.balance_words:is_worth_a_word")  # fmt: skip
CARD_SWAP_NOTHING = entry(
    "card.swap_nothing", "with {other} in its place next to nothing changes that these deals can tell", "It was played, and nothing is worth a word.",
    "report.balance_words:is_worth_a_word")  # fmt: skip
CARD_NEVER_NOTHING = entry(
    "card.never_nothing", "who plays it only when forced loses nothing that these deals can tell", "The difference may be 0.", "studies.balance:CardEffect.told")  # fmt: skip
CARD_NEVER_LESS = entry(
    "card.never_less", "who plays it only when forced wins {points} points less than the others", "The difference stands out (Benjamini and Hochberg).",
    "studies.balance:CardEffect.told")  # fmt: skip
CARD_NEVER_MORE = entry(
    "card.never_more", "who plays it only when forced wins {points} points more than the others: these bots play it too readily", "It stands out, the other way.",
    "studies.balance:CardEffect.told")  # fmt: skip
