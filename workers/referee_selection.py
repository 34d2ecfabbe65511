"""The selection of the referee that plays a worker's matches.

A worker uses one referee as long as it answers, and then fails over to the first of the list that does.  Between blocks
it returns to an earlier one of the list once that answers again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING

from arena.referee_client.reachability import why_unreachable
from workers.outage_log import Outage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.referee_client import RefereeUnreachable

_log = logging.getLogger(__name__)

_CHECK_EVERY_S = 5.0
"""The interval at which an idle worker checks that its referee answers."""
_RETURN_EVERY_S = 30.0
"""The interval at which a worker checks whether an earlier referee of the list answers again."""


class Referees:
    """The referees of one worker, by the addresses of their control ports.  For the main thread only."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = tuple(addresses)
        self.in_use = self._addresses[0]
        """The address of the referee that answered the last check."""
        self._outages = {address: Outage(f"referee {address}") for address in self._addresses}
        self._return_at = time.monotonic() + _RETURN_EVERY_S
        self._checked_at = -math.inf
        self.missing = False
        """Whether no referee answered the last check."""

    @property
    def answer(self) -> bool:
        """Whether a referee answered the last check; any thread may ask."""
        return self._checked_at > -math.inf and not self.missing

    @property
    def due(self) -> bool:
        """Whether an idle worker should check now."""
        return self.missing or time.monotonic() - self._checked_at > _CHECK_EVERY_S

    def lost(self, error: RefereeUnreachable) -> None:
        """Record that the referee in use was lost."""
        self._outages[self.in_use].begin(error)

    async def find(self) -> str | None:
        """Return the address of a referee that answers, None if none does."""
        found = None
        if self.in_use == self._addresses[0] or time.monotonic() < self._return_at:
            found = await self._first((self.in_use,))
        if found is None:
            self._return_at = time.monotonic() + _RETURN_EVERY_S
            found = await self._first(self._addresses)
        self.missing = found is None
        self._checked_at = time.monotonic()
        if found is not None and found != self.in_use:
            self.in_use = found
            _log.info("matches are played at referee %s", found)
        return found

    async def _first(self, addresses: Sequence[str]) -> str | None:
        """Check some referees concurrently; return the first of them that answers, None if none does."""
        answers = await asyncio.gather(*(why_unreachable(address) for address in addresses))
        for address, error in zip(addresses, answers, strict=True):
            if error is None:
                self._outages[address].end()
            else:
                self._outages[address].begin(error)
        return next((each for each, error in zip(addresses, answers, strict=True) if error is None), None)
