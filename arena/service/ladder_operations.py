"""Ladders: the list, starting one, stopping it."""

from __future__ import annotations

from arena.competition import ladders
from arena.competition.ladders import LadderRequest, LadderRow
from arena.service.noun import Noun, writes


class Ladders(Noun):
    """The operations on ladders."""

    def list(self) -> tuple[LadderRow, ...]:
        """List all ladders, those that are stopped included, by pool and seats."""
        return ladders.listing(self._store)

    @writes
    def start(self, body: LadderRequest) -> LadderRow:
        """Start a ladder of all active versions of a pool, or resume one that was stopped.  Raises UsageError (Refusal among it)."""
        return ladders.start(self._store, body, self._actor)

    @writes
    def stop(self, ladder_id: int) -> LadderRow:
        """Stop a ladder after the round that is being played.  Raises Refusal."""
        return ladders.stop(self._store, ladder_id, self._actor)
