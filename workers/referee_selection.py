"""The referees that a worker may have its matches played by.

It keeps to one that answers, and moves on when that is away: to the first of the others, in the order in which they
were named, that answers.  Between blocks it goes back to one that was named before, once that is there again.
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

_LOOK_EVERY_S = 5.0
"""How often an idle worker looks whether its referee is there."""
_RETURN_EVERY_S = 30.0
"""How often a worker looks whether a referee that was named before the one in use is there again."""


class Referees:
    """The referees of one worker, by the addresses of their control ports.  It belongs to the main thread."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = tuple(addresses)
        self.in_use = self._addresses[0]
        """The address of the one that answered when one was last looked for."""
        self._outages = {address: Outage(f"referee {address}") for address in self._addresses}
        self._return_at = time.monotonic() + _RETURN_EVERY_S
        self._looked_at = -math.inf
        self.missing = False
        """Whether none answered when one was last looked for."""

    @property
    def due(self) -> bool:
        """Whether an idle worker should look for one now."""
        return self.missing or time.monotonic() - self._looked_at > _LOOK_EVERY_S

    def lost(self, error: RefereeUnreachable) -> None:
        """Take note that the referee in use went away."""
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
        self._looked_at = time.monotonic()
        if found is not None and found != self.in_use:
            self.in_use = found
            _log.info("matches are played at referee %s", found)
        return found

    async def _first(self, addresses: Sequence[str]) -> str | None:
        """Ask these referees, all at once, and return the first of them that answers."""
        answers = await asyncio.gather(*(why_unreachable(address) for address in addresses))
        for address, error in zip(addresses, answers, strict=True):
            if error is None:
                self._outages[address].end()
            else:
                self._outages[address].begin(error)
        return next((each for each, error in zip(addresses, answers, strict=True) if error is None), None)
