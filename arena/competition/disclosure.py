"""Disclosure: what may be shown of a match, and when.  Pages, records, downloads, logs and API all ask here.

    the deal, hidden cards, seed   when the match is over; where the matches of its set share a deal, when all of them are;
                                   and then after the organiser's delay
    what every seat sees           at once, unless a bot that can look at our pages still plays the same deal
    the tournament's secret        when the tournament is over, and then after the delay: all seeds follow from it

Places and scores are never held back: they say how it went, not what was dealt.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.core.errors import Refusal
from arena.core.translatable import say

if TYPE_CHECKING:
    from arena.competition.plans import StoredPlan
    from arena.scheduling.match_sets import PlannedMatch

MAX_DELAY_S = 30 * 86_400


def opens_at(stored: StoredPlan, planned: PlannedMatch, stored_at: Mapping[int, float]) -> float | None:
    """Return when all of a match may be shown; None while the match, or its set, is still being played.

    `stored_at` are the times of the results of its set, by match.  When the tournament is over, so are all its sets, however much of them was
    played.
    """
    awaited = range(stored.plan.seats) if planned.shared else (planned.match,)
    if all(number in stored_at for number in awaited):
        return max(stored_at[number] for number in awaited) + stored.delay_s
    return secret_opens_at(stored)


def secret_opens_at(stored: StoredPlan) -> float | None:
    """Return when a tournament's secret is shown; None while it is played."""
    return None if stored.finished_at is None else stored.finished_at + stored.delay_s


def is_open(stored: StoredPlan, opens_at: float | None, now: float | None = None) -> bool:
    """Return whether what opens then is open now.  Without a delay no clock is asked: machines may differ a little."""
    if opens_at is None:
        return False
    return not stored.delay_s or opens_at <= (time.time() if now is None else now)


def goes_live(stored: StoredPlan, planned: PlannedMatch) -> bool:
    """Return whether what every seat sees of a match may be shown while it is played.

    Hosted bots see no page.  A bot that runs elsewhere could look at one match of its set, and know what is dealt in the
    next, where they share their deal: only in a tournament of trusted bots.
    """
    return not planned.shared or all(stored.entries[entry].hosted for entry in planned.seats)


def check_delay(delay_s: int) -> None:
    """Check that a tournament may have this delay, in seconds.  Raises Refusal."""
    if not 0 <= delay_s <= MAX_DELAY_S:
        raise Refusal(
            "delay_invalid",
            say("delay {delay_s}: must be 0 to {longest} seconds", delay_s=delay_s, longest=MAX_DELAY_S),
            field="delay_s",
        )
