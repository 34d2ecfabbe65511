"""Plays orders through a referee of one's own, those again at which the platform failed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence

from arena.bot_registry.bot_names import names
from arena.core.errors import ArenaError
from arena.referee_client import Failed, Finished, Order, Postponed, Referee

_ATTEMPTS = 3


class NotPlayed(ArenaError):  # noqa: N818 - it says what happened
    """Raised when a match could not be played: a bot is not there, or the referee failed again and again."""


async def play(referee: Referee, orders: Sequence[Order]) -> AsyncGenerator[Finished, None]:
    """Play all matches, those again at which the platform failed, and yield them as they end.

    Raises NotPlayed, RefereeUnreachable.
    """
    pending: Mapping[str, Order] = {order.match: order for order in orders}
    reason = ""
    for _ in range(_ATTEMPTS):
        again: dict[str, Order] = {}
        async for report in referee.play(pending.values()):
            match report:
                case Finished():
                    yield report
                case Postponed():
                    who = names(pending[report.match].seats)[report.seat]
                    raise NotPlayed(f"bot {who!r}: {report.reason}")
                case Failed():
                    again[report.match] = pending[report.match]
                    reason = report.reason
        pending = again
        if not pending:
            return
    raise NotPlayed(f"match {next(iter(pending))}: the referee failed {_ATTEMPTS} times: {reason}")
