"""Questions to the workers for the drama that a list of matches lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.reports.insights.drama_measurement import DRAMA, MOST_SETS

if TYPE_CHECKING:
    from redis import Redis

    from arena.reports.match_lists.listed_matches import ListedMatch

_MOST_JOBS = 4
"""Jobs that one list queues at most."""


def ask(client: Redis, rows: Iterable[ListedMatch]) -> None:
    """Have workers measure the unmeasured matches of a list."""
    unmeasured: dict[int, set[int]] = defaultdict(set)
    for row in rows:
        if row.unmeasured:
            unmeasured[row.tournament_id].add(row.set)
    jobs = [
        (tournament_id, sorted(sets)[first : first + MOST_SETS])
        for tournament_id, sets in unmeasured.items()
        for first in range(0, len(sets), MOST_SETS)
    ]
    for tournament_id, sets in jobs[:_MOST_JOBS]:
        DRAMA.ask(client, tournament_id, ",".join(map(str, sets)))
