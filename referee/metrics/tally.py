"""The counts of a referee since it began: plain numbers, which the event loop adds to and a scrape reads.

Counts begin at 0 for each game, end and kind that there is: Prometheus sees no increase in a series that begins at 1.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from arena.games import registry
from arena.match.faults import FaultKind
from arena.referee_client.orders import Hosted, HumanSource, Source
from referee.metrics.time_buckets import TimeBuckets

_ENDS = ("completed", "turn limit", "fault")


def _of_games() -> Counter[str]:
    return Counter(dict.fromkeys(registry.names(), 0))


@dataclass(slots=True)
class Tally:
    """All counts of one referee.  Mutable; written on the event loop only."""

    matches: Counter[tuple[str, str]] = field(
        default_factory=lambda: Counter({(game, end): 0 for game in registry.names() for end in _ENDS})
    )
    """Matches with a record, by game and end."""
    forfeits: Counter[str] = field(default_factory=lambda: Counter({kind.value: 0 for kind in FaultKind}))
    """Matches that ended by a fault, by its kind."""
    failures: Counter[str] = field(default_factory=_of_games)
    """Matches that the platform failed, by game."""
    postponed: Counter[str] = field(default_factory=_of_games)
    """Matches that did not begin since a bot was missing, by game."""
    hosted_times: TimeBuckets = field(default_factory=TimeBuckets)
    """Thinking times of hosted bots."""
    remote_times: TimeBuckets = field(default_factory=TimeBuckets)
    """Thinking times of bots that run elsewhere, with the way there and back."""
    human_times: TimeBuckets = field(default_factory=TimeBuckets)
    """Thinking times of people."""
    bot_starts: Counter[str] = field(default_factory=lambda: Counter({"fork": 0, "program": 0}))
    """Processes of hosted bots that were started, by how: `fork` or `program`."""
    start_times: dict[str, TimeBuckets] = field(
        default_factory=lambda: {"fork": TimeBuckets(), "program": TimeBuckets()}
    )
    """By how they were started: the time until their Hello."""

    def times_of(self, source: Source) -> TimeBuckets:
        """Return where the decisions of a bot are counted."""
        match source:
            case Hosted():
                return self.hosted_times
            case HumanSource():
                return self.human_times
        return self.remote_times
