"""All tables of this web process: their limits, their owners, and when they are closed.

A table is closed, with all that it had started, when its person leaves it, when it has had no visit for a while, and when
this process ends.  A match that is over is kept for a while, to be looked at and downloaded.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Response

from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import mark
from arena.core.unforeseen_errors import UnforeseenErrors
from arena.web.http.app_services import service
from arena.web.play.human_game import HumanGame
from arena.web.play.same_deal import Turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.core.settings import Settings
    from arena.web.play.game_request import GameRequest

_log = logging.getLogger(__name__)

_LOOK_S = 1.0
_FIRST_LANE = 1 << 20
"""Far above those of tournaments: no process of theirs has seen, or waits for, a person's match."""
_LANES_APART = 1 << 10
_MOST_OF_SERIES = 100
"""Matches of a series that are counted: the last ones."""

NO_REFEREE = mark("Playing is not available right now: no referee is running.")
FULL = mark("All tables are taken. Matches are short: try again in a few minutes.")
YOURS = mark("You already have a match in progress. Finish it or leave the table before starting another.")
NEIGHBOURS = mark("Too many people are playing from your address. Try again in a few minutes.")
GONE = mark(
    "This table no longer exists or was not yours. Tables close when you leave, after a while without activity, or when the server restarts. Such matches are not stored."
)


@dataclass(frozen=True, slots=True)
class PlayTerms:
    """The terms of play: the referees (without any, people cannot play) and the limits.  Times are seconds."""

    control: str = ""
    tables: int = 8
    """The most tables at once; they have twice as many house bots at most."""
    of_person: int = 1
    of_address: int = 4
    """The most tables at once of one person, and from one address."""
    away_s: float = 300.0
    """A match that no browser has asked for in this time is ended."""
    kept_s: float = 3600.0
    """Time for which a finished match is kept."""
    most_kept: int = 100

    @classmethod
    def of(cls, settings: Settings) -> PlayTerms:
        """Read it from the settings."""
        return cls(",".join(settings.controls) if settings.tables else "", settings.tables)

    @property
    def controls(self) -> tuple[str, ...]:
        """The referees, in the order in which they are tried."""
        return tuple(self.control.split(","))

    @property
    def bots(self) -> int:
        """The most house bots at all tables together: each is a process of its own."""
        return 2 * self.tables


class HumanGames:
    """The tables.  All of it runs on one event loop."""

    def __init__(self, playing: PlayTerms) -> None:
        self.playing = playing
        self._tables: dict[str, HumanGame] = {}
        self._matches: dict[str, asyncio.Task[None]] = {}
        self._turns = Turns()
        first = _FIRST_LANE + _LANES_APART * secrets.randbelow(1 << 20)
        self._lanes = list(range(first, first + max(playing.bots, _LANES_APART)))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep tables for as long as the block lasts; then all are ended."""
        keeper = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            keeper.cancel()
            for match in self._matches.values():
                match.cancel()
            await asyncio.gather(keeper, *self._matches.values(), return_exceptions=True)

    def open(
        self, wish: GameRequest, owner: str, address: str, earlier: tuple[Sequence[int], ...] = ()
    ) -> HumanGame:
        """Open a table and begin its match.  `earlier` has the places in the matches of which it is the rematch.

        Raises Refusal where there is no place.
        """
        self._check(len(wish.opponents), owner, address)
        lanes, self._lanes = self._lanes[: wish.seats], self._lanes[wish.seats :]
        table = HumanGame(wish, owner, address, lanes, earlier[-_MOST_OF_SERIES:])
        self._tables[table.id] = table
        match = asyncio.create_task(table.play(self.playing.controls, self._turns))
        self._matches[table.id] = match
        match.add_done_callback(lambda match: self._over(table, match))
        return table

    def find(self, table_id: str, owner: str | None) -> HumanGame:
        """Return a player's own match, and record the visit.  Raises Refusal, for another player's match as for none."""
        table = self._tables.get(table_id)
        if table is None or owner is None or not secrets.compare_digest(table.owner, owner):
            raise Refusal("unknown", GONE, field="table", kind=RefusalKind.NOT_FOUND)
        table.touch()
        return table

    def of(self, owner: str | None) -> tuple[HumanGame, ...]:
        """Return a player's matches, the newest first."""
        return tuple(
            table for table in reversed(self._tables.values()) if owner is not None and table.owner == owner
        )

    def places(self) -> int:
        """Return how many more tables may be opened."""
        return max(0, self.playing.tables - sum(1 for _ in self._live())) if self.playing.control else 0

    async def leave(self, table: HumanGame) -> None:
        """End a match without result, and all that it had started; one that is over is forgotten."""
        match = self._matches.get(table.id)
        if match is not None:
            match.cancel()
            await asyncio.gather(match, return_exceptions=True)
        self._tables.pop(table.id, None)

    @contextmanager
    def watched(self, table: HumanGame) -> Iterator[None]:
        """Count a player as present for as long as the block lasts."""
        table.watching += 1
        try:
            yield
        finally:
            table.watching -= 1
            table.touch()

    def _live(self) -> Iterator[HumanGame]:
        return (table for table in self._tables.values() if table.live)

    def _check(self, bots: int, owner: str, address: str) -> None:
        live, playing = list(self._live()), self.playing
        if not playing.control:
            raise Refusal("no_referee", NO_REFEREE, kind=RefusalKind.UNAVAILABLE)
        if sum(table.owner == owner for table in live) >= playing.of_person:
            raise Refusal("yours_goes_on", YOURS, kind=RefusalKind.CONFLICT)
        if sum(table.address == address for table in live) >= playing.of_address:
            raise Refusal("too_many", NEIGHBOURS, kind=RefusalKind.TOO_MANY)
        seated = sum(len(table.wish.opponents) for table in live)
        # A single table is always possible, however many bots sit at it.
        if len(live) >= playing.tables or (live and seated + bots > playing.bots):
            raise Refusal("full", FULL, kind=RefusalKind.UNAVAILABLE)

    def _over(self, table: HumanGame, match: asyncio.Task[None]) -> None:
        if not match.cancelled() and (slip := match.exception()) is not None:
            _log.error("table %s broke", table.id[:6], exc_info=slip)
        self._matches.pop(table.id, None)
        self._lanes = [*table.lanes, *self._lanes]  # the warm ones first

    async def _keep(self) -> None:
        """End abandoned matches and drop old ones."""
        errors = UnforeseenErrors(_log)
        while True:
            await asyncio.sleep(_LOOK_S)
            now = time.monotonic()
            for table in _gone(tuple(self._tables.values()), self.playing, now):
                with errors.survive("ending a table"):
                    await self.leave(table)


def _gone(tables: Sequence[HumanGame], playing: PlayTerms, now: float) -> list[HumanGame]:
    away = [
        table
        for table in tables
        if table.live and not table.watching and now - table.seen_at > playing.away_s
    ]
    over = [table for table in tables if table.ended_at is not None]
    old = [table for table in over if now - (table.ended_at or now) > playing.kept_s]
    return [
        *away,
        *old,
        *(table for table in over[: max(0, len(over) - playing.most_kept)] if table not in old),
    ]


TheTables = Annotated[HumanGames, Depends(service(HumanGames))]


def record_of(table: HumanGame) -> Response:
    """Return the record of a match that is over, as a file.  Raises Refusal."""
    if not table.text:
        raise Refusal(
            "no_record", mark("record: there is none before the match is over"), kind=RefusalKind.CONFLICT
        )
    headers = {"Content-Disposition": f'attachment; filename="{table.id}.json"', "Cache-Control": "no-store"}
    return Response(table.text, headers=headers, media_type="application/json")
