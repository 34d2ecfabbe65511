"""All matches of a bot, the newest first, page by page.

A cursor names the last match of a page, so new matches do not shift the pages after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

from pydantic import Field
from sqlalchemy import or_, select

from arena.competition import plans
from arena.competition.matches.stored_records import MatchKey
from arena.core.answer_fields import NextCursor
from arena.reports import bot_profiles, match_views, participation
from arena.reports.match_details import MatchRow
from arena.reports.match_lists import listed_matches, match_cursors
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.storage import Store
from arena.storage.schema import SetTotal, Version

_SETS = 50
"""Sets that are read at once."""


@dataclass(frozen=True, slots=True)
class BotMatches:
    """A page of a bot's matches."""

    matches: Annotated[
        tuple[ListedMatch, ...],
        Field(
            description="Those that have a result: of the newest tournament first, in it the last set first."
        ),
    ]
    cursor: Annotated[
        str | None,
        Field(
            description="Deprecated: `next` has the same value.",
            examples=["7-41-0"],
            deprecated=True,
        ),
    ]
    next: NextCursor


def read(store: Store, game: str, name: str, limit: int, cursor: str | None = None) -> BotMatches:
    """Return at most `limit` matches of a bot after a cursor; trials are left out.

    Raises UsageError for a game that does not exist, Refusal for a bot or a cursor.
    """
    found = list(islice(_rows(store, game, name, match_cursors.parse(cursor)), limit + 1))
    page = found[:limit]
    cursor = match_cursors.write(page[-1].key) if len(found) > limit else None
    return BotMatches(listed_matches.read(store, page), cursor, cursor)


def _rows(store: Store, game: str, name: str, after: MatchKey | None) -> Iterator[MatchRow]:
    """Yield the matches of a bot that have a result, after one of them, the newest first."""
    with store.read() as session:
        bot, _ = bot_profiles.find(session, game, name)
        versions = session.scalars(select(Version.id).where(Version.bot_id == bot.id)).all()
        entered = participation.without_trials(session, participation.of(session, versions))
    for tournament_id in sorted({each.tournament_id for each in entered}, reverse=True):
        if after is None or tournament_id < after[0]:
            yield from _of_tournament(store, tournament_id, versions, None)
        elif tournament_id == after[0]:
            yield from _of_tournament(store, tournament_id, versions, after[1:])


def _of_tournament(
    store: Store, tournament_id: int, versions: Collection[int], after: tuple[int, int] | None
) -> Iterator[MatchRow]:
    end = None if after is None else after[0] + 1
    query = select(SetTotal.set_number).where(
        SetTotal.tournament_id == tournament_id,
        or_(SetTotal.low.in_(versions), SetTotal.high.in_(versions)),
    )
    while True:
        earlier = query if end is None else query.where(SetTotal.set_number < end)
        with store.read() as session:
            sets = session.scalars(earlier.distinct().order_by(SetTotal.set_number.desc()).limit(_SETS)).all()
            seats = plans.load(store, session, tournament_id).plan.seats
        if not sets:
            return
        keys = [(number, match) for number in sets for match in reversed(range(seats))]
        for row in match_views.rows_of(store, tournament_id, keys):
            if row.stored_at is not None and (after is None or (row.set, row.match) < after):
                yield row
        end = sets[-1]
