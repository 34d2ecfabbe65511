"""Ladders: the list, starting one, stopping it."""

from __future__ import annotations

from arena.competition import ladders
from arena.competition.ladders import LadderRequest, LadderRow
from arena.service.noun import Noun, writes
from arena.service.paging import DEFAULT_LIMIT, Pages, listed


class Ladders(Noun):
    """The operations on ladders."""

    def list(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[LadderRow]:
        """List all ladders, those that are stopped included, by pool and seats."""
        return listed(ladders.listing(self._store), limit=limit, cursor=cursor)

    @writes
    def start(self, body: LadderRequest) -> LadderRow:
        """Start a ladder of all active versions of a pool, or resume one that was stopped.  Raises UsageError (Refusal among it)."""
        return ladders.start(self._store, body, self._actor)

    @writes
    def stop(self, ladder_id: int) -> LadderRow:
        """Stop a ladder after the round that is being played.  Raises Refusal."""
        return ladders.stop(self._store, ladder_id, self._actor)
