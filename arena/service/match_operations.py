"""Matches: the newest, one of them, its record."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from arena.core.errors import Refusal, RefusalKind
from arena.reports import match_views
from arena.reports.insights import visible_notes
from arena.reports.insights.visible_notes import Reader
from arena.reports.match_lists import listed_matches, match_cursors
from arena.service.noun import Noun
from arena.service.paging import DEFAULT_LIMIT, Page, Pages, keyed

if TYPE_CHECKING:
    from arena.reports.match_details import MatchPage
    from arena.reports.match_lists.listed_matches import ListedMatch


class Matches(Noun):
    """The operations on matches; those that name one raise NotFound if it does not exist."""

    def list_recent(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[ListedMatch]:
        """List the matches whose results were stored last, the newest first."""

        def read(cursor: str | None, limit: int) -> Page[ListedMatch]:
            found = match_views.recent(self._store, limit + 1, match_cursors.parse(cursor))
            rows = listed_matches.read(self._store, found[:limit])
            self.ask_for_dramas(rows)
            return Page(rows, match_cursors.write(rows[-1].key) if len(found) > limit else None)

        return keyed(read, limit=limit, cursor=cursor)

    def show(self, tournament_id: int, set_number: int, match_number: int) -> MatchPage:
        """Return all that may be known of a match now; `notes` are those that the actor may read."""
        match = match_views.page(self._store, tournament_id, set_number, match_number)
        actor = self._actor
        reader = Reader(actor.user_id, "admin" in actor.scopes) if "read" in actor.scopes else None
        return replace(match, notes=visible_notes.of_match(self._store, match, reader))

    def download_record(self, tournament_id: int, set_number: int, match_number: int) -> bytes:
        """Return the record of a match (arena-match/1), which `arena verify` checks.

        Raises:
            Refusal: not found until the match is open; gone once the record is deleted
        """
        return self.open_record(tournament_id, set_number, match_number)[1].encode()

    def open_record(self, tournament_id: int, set_number: int, match_number: int) -> tuple[str, str]:
        """Return the id of a match and its record.  Raises Refusal as `download_record`."""
        match = match_views.page(self._store, tournament_id, set_number, match_number)
        if not match.record_kept:
            text = f"record of match {match.id}: is no longer stored; its result is"
            raise Refusal("gone", text, kind=RefusalKind.GONE)
        record = match.record
        if record is not None:
            return match.id, record
        when = (
            (f"when set {match.set} is over" if match.shared else "when the match is over")
            if match.opens_at is None
            else f"from {datetime.fromtimestamp(match.opens_at, UTC):%Y-%m-%d %H:%M:%S} UTC on"
        )
        text = f"record of match {match.id}: it is shown {when}"
        raise Refusal("not_found", text, kind=RefusalKind.NOT_FOUND)
