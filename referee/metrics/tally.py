"""What a referee has counted since it began: plain numbers, which the event loop adds to and a scrape reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from arena.referee_client.orders import Hosted, HumanSource, Source
from referee.metrics.time_buckets import TimeBuckets


@dataclass(slots=True)
class Tally:
    """All counts of one referee.  Mutable; written on the event loop only."""

    matches: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Matches with a record, by game and end."""
    forfeits: Counter[str] = field(default_factory=Counter)
    """Matches that ended by a fault, by its kind."""
    failures: Counter[str] = field(default_factory=Counter)
    """Matches that the platform failed, by game."""
    postponed: Counter[str] = field(default_factory=Counter)
    """Matches that did not begin since a bot was missing, by game."""
    hosted_times: TimeBuckets = field(default_factory=TimeBuckets)
    """How long hosted bots thought."""
    remote_times: TimeBuckets = field(default_factory=TimeBuckets)
    """How long bots thought that run elsewhere, with the way there and back."""
    human_times: TimeBuckets = field(default_factory=TimeBuckets)
    """How long people thought."""
    bot_starts: Counter[str] = field(default_factory=Counter)
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
