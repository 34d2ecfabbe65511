"""How often the lead changed in listed matches: from the store, or asked for where it is not measured yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.competition.matches import stored_dramas
from arena.messaging.job_queue import SETS_OF_DRAMA, enqueue_drama
from arena.reports.match_dramas.drama_measurement import has_drama

if TYPE_CHECKING:
    from redis import Redis

    from arena.reports.match_details import MatchRow
    from arena.storage import Store

_MOST_JOBS = 4
"""Jobs that one page asks for at most."""


@dataclass(frozen=True, slots=True)
class LeadChanges:
    """What a list tells: the lead changes by the id of the match; and, by tournament, the sets that are to be measured."""

    counts: Mapping[str, int]
    due: Mapping[int, Sequence[int]]


def read(store: Store, rows: Collection[MatchRow]) -> LeadChanges:
    """Return the lead changes of listed matches, as far as they are open and measured."""
    wanted = [row for row in rows if has_drama(row)]
    dramas = stored_dramas.load(store, [row.key for row in wanted])
    counts: dict[str, int] = {}
    due: dict[int, set[int]] = defaultdict(set)
    for row in wanted:
        if row.key not in dramas:
            continue
        drama = dramas[row.key]
        if drama is None:
            due[row.tournament_id].add(row.set)
        elif drama.lead_changes:
            counts[row.id] = len(drama.lead_changes)
    return LeadChanges(counts, {number: sorted(sets) for number, sets in due.items()})


def ask(queue: Redis, changes: LeadChanges) -> None:
    """Ask workers for what is to be measured; without Redis it is asked for when the list is looked at again."""
    jobs = [
        (tournament_id, sets[first : first + SETS_OF_DRAMA])
        for tournament_id, sets in changes.due.items()
        for first in range(0, len(sets), SETS_OF_DRAMA)
    ]
    with suppress(RedisError, OSError):
        for tournament_id, sets in jobs[:_MOST_JOBS]:
            enqueue_drama(queue, tournament_id, sets)
