"""Targets and requirements as sentences: what was reached, what holds."""

from __future__ import annotations

from math import isinf, isnan

from lostlegacy_sim.claims import Claim
from lostlegacy_sim.estimate import CONFIDENCE, Estimate
from lostlegacy_sim.report.screen import counted, interval, percent, short
from lostlegacy_sim.sentences import (
    REQUIRED_BROKEN,
    REQUIRED_FEW,
    REQUIRED_HOLDS,
    REQUIRED_OPEN,
    TARGET_LOGIC,
    TARGET_MET,
    TARGET_MISSED,
)
from lostlegacy_sim.studies.simulate import points
from lostlegacy_sim.studies.targets import BROKEN, MET, Judged, Reached, reach_of

SO_FAR = {"constant": "the same in every batch so far, "}  # by method


def reached_line(reached: Reached, deals: int) -> Claim:
    """How exactly a measure is known by now."""
    distance = reach_of(reached.estimate)
    known = "no interval yet" if isnan(distance) else f"{SO_FAR.get(reached.estimate.method, '')}known to within {amount(distance, reached.estimate)}"
    if reached.estimate.method == "logic":
        return TARGET_LOGIC.say(target=reached.target)
    if reached.is_met:
        return TARGET_MET.say(target=reached.target, deals=counted(deals, "deal"), known=known)
    return TARGET_MISSED.say(target=reached.target, deals=counted(deals, "deal"), known=known, needed=needed(reached.deals_needed))


def needed(deals: float) -> str:
    """How many deals something takes."""
    if isinf(deals):
        return "how many deals it takes cannot be told from these"
    return f"it takes about {rounded(deals)} deals"


def rounded(deals: float) -> str:
    """A large number that is known roughly: two digits."""
    digits = max(len(str(int(deals))) - 2, 0)
    number = round(deals / 10**digits) * 10**digits
    return f"{number:,}" if number < 10**13 else f"{deals:.1e}"


def judged_line(judged: Judged) -> Claim:
    """Whether a requirement holds, and the interval that says so."""
    estimate = judged.estimate
    sentence = {MET: REQUIRED_HOLDS, BROKEN: REQUIRED_BROKEN}.get(judged.verdict, REQUIRED_OPEN)
    more = "" if isinf(judged.deals_needed) else f"; it may take {rounded(judged.deals_needed)} deals to tell"
    if isnan(estimate.low):
        return REQUIRED_FEW.say(requirement=judged.requirement)
    value = percent(estimate.value) if estimate.unit == "rate" else short(estimate)
    return sentence.say(requirement=judged.requirement, value=value, confidence=f"{100 * CONFIDENCE:.0f}", interval=interval(estimate),
                        method=estimate.method, more=more)  # fmt: skip


def forecast_line(reached: Reached, budget: int) -> str:
    """Said early: a target that the budget cannot reach."""
    return f"{reached.target}: {needed(reached.deals_needed)}; at most {budget:,} are played (--deals). Ctrl-C keeps what is done."


def amount(distance: float, estimate: Estimate) -> str:
    """A distance in the unit of the estimate."""
    return f"{points(distance)} points" if estimate.unit in ("rate", "difference") else f"{distance:.4f}"
