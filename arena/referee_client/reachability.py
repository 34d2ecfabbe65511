"""Whether referees answer, and which of several to use."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.referee_client.control_client import Referee
from arena.referee_client.reports import RefereeUnreachable

_ANSWER_S = 2.0
"""Seconds that a referee may take to answer."""


async def why_unreachable(address: str) -> RefereeUnreachable | None:
    """Return why a referee cannot be used, None if it can.

    It is asked for a match that does not exist: an answer shows that it is reached, its loop runs, and it has our key.
    """
    try:
        async with asyncio.timeout(_ANSWER_S), Referee(address) as referee:
            async for _ in referee.watch(""):
                pass
    except RefereeUnreachable as error:
        return error
    except TimeoutError:
        return RefereeUnreachable(f"referee {address}: does not answer")
    return None


async def first_reachable(addresses: Sequence[str]) -> str:
    """Return the first referee that answers; a single one is taken as it is.  Raises RefereeUnreachable."""
    if len(addresses) == 1:
        return addresses[0]
    errors = await asyncio.gather(*map(why_unreachable, addresses))
    for address, error in zip(addresses, errors, strict=True):
        if error is None:
            return address
    raise RefereeUnreachable("; ".join(map(str, errors)) or "no referee is named")
