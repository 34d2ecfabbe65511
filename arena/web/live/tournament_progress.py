"""The progress of a tournament: the one small query behind all live pages."""

from __future__ import annotations

from sqlalchemy import select

from arena.competition.plans import NotFound
from arena.core.translatable import say
from arena.storage import Store
from arena.storage.schema import Tournament


def load(store: Store, tournament_id: int) -> tuple[str, int, int]:
    """Return a tournament's state, matches done, and matches in all.  Raises NotFound."""
    query = select(Tournament.state, Tournament.matches_done, Tournament.matches_total)
    with store.read() as session:
        row = session.execute(query.where(Tournament.id == tournament_id)).first()
    if row is None:
        raise NotFound(
            say(
                "tournament {tournament_id}: there is none; `arena tournament list` shows them",
                tournament_id=tournament_id,
            )
        )
    return row.state, row.matches_done, row.matches_total
