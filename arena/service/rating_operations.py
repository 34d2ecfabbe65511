"""Elo tables of pools, their history, and what results say besides."""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from typing import TYPE_CHECKING

from arena.rankings import leaderboards, public_ratings, rating_history, set_measures, superiority
from arena.rankings.rating_rows import RatingRow
from arena.service.noun import Noun
from arena.service.paging import DEFAULT_LIMIT, Pages, listed, number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.rankings.leaderboards import LeaderboardPage
    from arena.rankings.rating_history import RatingHistory
    from arena.rankings.rating_rows import PoolRow, RatingTable
    from arena.rankings.set_measures import SeatAdvantage
    from arena.rankings.superiority import SuperiorityTable

_BEST = 10


class Ratings(Noun):
    """The operations on Elo tables; they raise UsageError for an unknown game or variant."""

    def list_pools(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[PoolRow]:
        """List every pool that has been played in, by key."""
        return listed(public_ratings.pools(self._store), limit=limit, cursor=cursor)

    def show(self, game_id: str, variant: str) -> RatingTable:
        """Return the Elo table of a pool, as it was last computed."""
        return public_ratings.table(self._store, game_id, variant)

    def download(self, game_id: str, variant: str) -> bytes:
        """Return the rows of `show` as CSV, with the same columns as in JSON."""
        columns = [each.name for each in fields(RatingRow)]
        written = io.StringIO()
        rows = csv.writer(written, lineterminator="\n")
        rows.writerow(columns)
        for row in self.show(game_id, variant).rows:
            values = [getattr(row, name) for name in columns]
            rows.writerow([str(value).lower() if isinstance(value, bool) else value for value in values])
        return written.getvalue().encode()

    def show_leaderboard(
        self, game_id: str, variant: str, *, limit: int | None = None, cursor: str | None = None
    ) -> LeaderboardPage:
        """Return a page of a pool's table with form, faults and meetings; a page beyond the last is empty."""
        board = leaderboards.read(self._store, game_id, variant)
        return leaderboards.page_of(board, number_of(cursor or None), limit or DEFAULT_LIMIT)

    def show_superiority(self, game_id: str, variant: str) -> SuperiorityTable:
        """Return the probability that each bot of a pool is stronger than each other one."""
        return superiority.superiority_of_pool(self._store, game_id, variant)

    def show_seats(
        self, game_id: str, variant: str, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> Pages[SeatAdvantage]:
        """Return the share of pairs that each seat wins, by seat count; counts with fewer than ten complete sets are left out."""
        rows = set_measures.seat_advantages(self._store, game_id, variant)
        return listed(rows, limit=limit, cursor=cursor)

    def show_history(
        self,
        game_id: str,
        variant: str,
        *,
        bot: Sequence[str] = (),
        best: int | None = None,
        hours: int = 720,
        limit: int = DEFAULT_LIMIT,
        cursor: str | None = None,
    ) -> Pages[RatingHistory]:
        """Return the hourly ratings of the top bots of a pool, of named bots, or of both.

        Args:
            game_id: the game
            variant: the variant
            bot: names of bots: all their versions
            best: how many of the present best; 10 if left out, or 0 with `bot`
            hours: how far to look back
            limit: histories of a page
            cursor: `next` of the page before
        """
        best = (0 if bot else _BEST) if best is None else best
        found = dict.fromkeys(rating_history.history_of_best(self._store, game_id, variant, best, hours))
        for name in bot:
            found |= dict.fromkeys(rating_history.history_of_bot(self._store, game_id, variant, name, hours))
        return listed(tuple(found), limit=limit, cursor=cursor)
