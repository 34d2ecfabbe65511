"""The deal of a match that a person has played, played again by house bots alone, to compare the scores.

It is a match like the person's, at the same referee, with the same seed and seats; the person's seat is taken by the bot of the
first opponent.  It begins when the person's match is over, so it takes nothing from it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from arena.core import request_origin
from arena.core.errors import ArenaError
from arena.match.clock import STANDARD
from arena.referee_client.orders import Hosted, Order, SeatOrder
from arena.referee_client.play_cause import PlayCause
from arena.referee_client.reports import Finished

if TYPE_CHECKING:
    from arena.web.play.opponents import HouseOpponent

_log = logging.getLogger(__name__)

_AT_ONCE = 2
"""Deals that are played again at the same time, of all tables of this process."""
_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class SameDeal:
    """The result of a house bot in the person's seat, in a match with the same deal."""

    bot: Annotated[str, Field(description="The house bot.", examples=["greedy"])]
    score: Annotated[int, Field(description="Its score in your seat.", examples=[84])]
    place: Annotated[int, Field(description="Its place in your seat: 1 for the best.", examples=[1])]


class Turns:
    """Turns of house bots: a few at a time play a deal again."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(_AT_ONCE)

    async def play(
        self, control: str, order: Order, seat: int, bot: HouseOpponent, lane: int
    ) -> SameDeal | None:
        """Play the deal of an order with a house bot in a seat, when its turn comes; None if that comes to nothing."""
        from arena.referee_client.control_client import Referee  # noqa: PLC0415 - as in human_game.py

        seats = list(order.seats)
        seats[seat] = SeatOrder(bot.name, bot.version, Hosted(bot.program, lane))
        again = replace(order, match=f"{order.match}-again", seats=tuple(seats), time=STANDARD)
        async with self._free:
            with suppress(TimeoutError):
                try:
                    async with asyncio.timeout(_PATIENCE_S), Referee(control) as referee:
                        async for report in referee.play([again], PlayCause(request_origin.current())):
                            if isinstance(report, Finished):
                                return _read(report, seat, bot)
                except ArenaError as error:
                    _log.warning("table %s: its deal was not played again: %s", order.match[:6], error)
        return None


def _read(report: Finished, seat: int, bot: HouseOpponent) -> SameDeal | None:
    result = report.record.result
    if result.scores is None:
        return None
    return SameDeal(bot.name, result.scores[seat], result.places[seat])
