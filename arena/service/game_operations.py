"""Games: with variants, seats and options; their records in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games import registry
from arena.games.registry import GAMES
from arena.reports.match_lists import match_cursors, record_lines
from arena.service.composed_answers import Game
from arena.service.noun import Noun
from arena.service.paging import DEFAULT_LIMIT, Pages, listed

if TYPE_CHECKING:
    from collections.abc import Iterator


class Games(Noun):
    """The operations on games; those that name one raise UsageError if it does not exist."""

    def list(self, *, limit: int = DEFAULT_LIMIT, cursor: str | None = None) -> Pages[Game]:
        """List every game with its variants, seat counts and options."""
        return listed(tuple(Game.of(game) for game in GAMES.values()), limit=limit, cursor=cursor)

    def show(self, game_id: str) -> Game:
        """Return a game with its variants, seat counts and options."""
        return Game.of(registry.find(game_id))

    def download_records(
        self, game_id: str, *, limit: int = 1000, cursor: str | None = None
    ) -> Iterator[bytes]:
        """Return the records of a game's matches in tournaments that are open to all, a line of JSON each, in one zstd frame.

        Args:
            game_id: the game
            limit: how many at most
            cursor: TOURNAMENT-SET-MATCH of the last line that was read; from the beginning if left out
        """
        return record_lines.of_game(self._store, game_id, match_cursors.parse(cursor), limit)
