"""What a referee has counted since it began: plain numbers, which the event loop adds to and a scrape reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """All counts of one referee, added to once for each match.  Mutable; written on the event loop only."""

    matches: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Matches with a record, by game and end."""
    forfeits: Counter[str] = field(default_factory=Counter)
    """Matches that ended by a fault, by its kind."""
    failures: Counter[str] = field(default_factory=Counter)
    """Matches that the platform failed, by game."""
    postponed: Counter[str] = field(default_factory=Counter)
    """Matches that did not begin since a bot was missing, by game."""
