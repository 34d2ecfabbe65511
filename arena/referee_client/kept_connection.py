"""A connection to a referee that several calls share, one after the other."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Self

from arena.referee_client.control_client import Referee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class KeptConnection:
    """Connects when it is needed, and stays connected until a call fails or is for another referee.  An asynchronous context manager."""

    def __init__(self) -> None:
        self._referee: Referee | None = None
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._close()

    @asynccontextmanager
    async def to(self, address: str) -> AsyncIterator[Referee]:
        """Give the connection to a referee, by its address; it is closed if the caller's block raises."""
        if self._referee is None or self._referee.address != address:
            await self._close()
            self._referee = await self._opened.enter_async_context(Referee(address))
        try:
            yield self._referee
        except BaseException:
            # gRPC waits ever longer before it tries a lost connection again; a new one is tried at once.
            await self._close()
            raise

    async def _close(self) -> None:
        self._referee = None
        await self._opened.aclose()
