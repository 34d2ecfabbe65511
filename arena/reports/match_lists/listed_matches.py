"""Matches in lists, with signs of drama: how often the lead changed, and whether the result was an upset.

Both are shown for public matches only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated

from pydantic import Field

from arena.competition import plans
from arena.match.drama import NO_DRAMA
from arena.rankings import standings
from arena.rankings.standings import StandingRow
from arena.reports.insights import stored_dramas
from arena.reports.insights.drama_measurement import has_drama
from arena.reports.match_details import MatchRow
from arena.reports.match_lists import upsets
from arena.storage import Store


@dataclass(frozen=True, slots=True)
class ListedMatch(MatchRow):
    """A match in a list, with its lead changes and whether it was an upset."""

    lead_changes: Annotated[
        int | None,
        Field(
            description="Number of times that another seat took the sole lead; null until the match is finished and a worker has measured it, after a fault, and if its record has been deleted.",
            examples=[3],
        ),
    ]
    upset: Annotated[
        bool | None,
        Field(
            description="Whether the winner had a chance under 20 % against a bot that it beat, by the Elo of its tournament's standings, both with their error; null until the match is finished.",
            examples=[False],
        ),
    ]
    unmeasured: Annotated[bool, Field(default=False, exclude=True)]
    """Whether a worker has yet to measure its drama."""


def read(store: Store, rows: Sequence[MatchRow]) -> tuple[ListedMatch, ...]:
    """Add drama and margins to matches, in the same order."""
    finished = [row for row in rows if row.state == "finished"]
    dramas = stored_dramas.load(store, [row.key for row in finished if has_drama(row)])
    found_upsets = frozenset(
        found
        for tournament_id, table in _standings(store, finished).items()
        for found in upsets.among([row for row in finished if row.tournament_id == tournament_id], table)
    )
    listed = []
    for row in rows:
        drama = dramas.get(row.key)
        listed.append(
            ListedMatch(
                **{each.name: getattr(row, each.name) for each in fields(MatchRow)},
                lead_changes=None if drama in (None, NO_DRAMA) else len(drama.lead_changes),
                upset=row.id in found_upsets if row.state == "finished" else None,
                unmeasured=row.key in dramas and drama is None,
            )
        )
    return tuple(listed)


def _standings(store: Store, rows: Iterable[MatchRow]) -> Mapping[int, tuple[StandingRow, ...]]:
    """Return the standings of the tournaments of some matches."""
    with store.read() as session:
        return {
            number: standings.read(store, session, number, plans.load(store, session, number).entries).rows
            for number in {row.tournament_id for row in rows}
        }
