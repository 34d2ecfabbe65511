"""Draining: a referee that is about to stop begins no more matches, and lets those that run come to their end.

    begin ──▶ orders that have not begun are given back ──▶ the matches that run end ──▶ nothing is left
                                                        └── the limit passes: they are given back, too

What is given back has no result and is charged to nobody.  Its `Play` call ends, so that another referee can be asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.referee_client.control_client import DRAINING
from referee.dispatch.match_dispatcher import MatchDispatcher

REASON = "the referee is draining: it takes no new matches"
METADATA = ((DRAINING, "1"),)
"""The trailing metadata of calls that are refused, or ended, for this reason."""


class Draining:
    """Whether a referee drains.  Mutable; used on the event loop only."""

    def __init__(self, dispatcher: MatchDispatcher, standard_limit_s: float) -> None:
        self.standard_limit_s = standard_limit_s
        self.on_change: Callable[[], None] = lambda: None
        """Called when draining begins or ends, and when matches are over meanwhile."""
        self._dispatcher = dispatcher
        self._limit: asyncio.TimerHandle | None = None
        self._watchers: set[asyncio.Event] = set()
        self._is_telling = False
        dispatcher.on_order_over = self._on_order_over

    @property
    def is_on(self) -> bool:
        """Whether the referee takes no new matches."""
        return self._dispatcher.is_draining

    @property
    def matches(self) -> int:
        """The number of matches that still run."""
        return self._dispatcher.count_orders()

    def begin(self, limit_s: float | None = None) -> None:
        """Take no new matches, and give back those that still run after `limit_s` seconds; again, to set another limit."""
        self._cancel_limit()
        limit_s = self.standard_limit_s if limit_s is None else limit_s
        self._dispatcher.is_draining = True
        self._dispatcher.give_back(begun=limit_s <= 0)
        if limit_s > 0:
            loop = asyncio.get_running_loop()
            self._limit = loop.call_later(limit_s, lambda: self._dispatcher.give_back(begun=True))
        self._tell()

    def resume(self) -> None:
        """Take new matches again."""
        self._cancel_limit()
        self._dispatcher.is_draining = False
        self._tell()

    async def wait(self) -> None:
        """Wait until no match runs any more, or the referee takes matches again."""
        changed = asyncio.Event()
        self._watchers.add(changed)
        try:
            while self.is_on and self.matches:
                changed.clear()
                await changed.wait()
        finally:
            self._watchers.discard(changed)

    async def next_change(self) -> None:
        """Wait until draining ends, or a match is over."""
        changed = asyncio.Event()
        self._watchers.add(changed)
        try:
            await changed.wait()
        finally:
            self._watchers.discard(changed)

    def _on_order_over(self) -> None:
        if self.is_on:
            self._tell()

    def _tell(self) -> None:
        """Tell of a change in the loop's next turn: many matches may be given back at once."""
        if not self._is_telling:
            self._is_telling = True
            asyncio.get_running_loop().call_soon(self._tell_now)

    def _tell_now(self) -> None:
        self._is_telling = False
        self.on_change()
        for watcher in self._watchers:
            watcher.set()

    def _cancel_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
