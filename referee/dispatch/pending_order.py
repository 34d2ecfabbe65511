"""An order on its way through the referee, and the call that it came by."""

from __future__ import annotations

import asyncio

from arena.games.registry import AnyGame
from arena.referee_client.orders import Order
from arena.referee_client.reports import Report, SeatOutput, Started
from referee.bots.bot_handle import BotHandle
from referee.dispatch.live_match import LiveMatch
from referee.launch.bot_process import Printed


class PlayCall:
    """A call of `Play`: reports gather here until they are sent.  Mutable."""

    def __init__(self) -> None:
        self.jobs: set[PendingOrder] = set()
        self.reports: list[Report] = []
        self.changed = asyncio.Event()
        self.over = False

    def report(self, report: Report) -> None:
        """Have a report sent."""
        self.reports.append(report)
        self.changed.set()


class PendingOrder:
    """An order that is not done.  Mutable."""

    __slots__ = ("bots", "call", "game", "match", "order", "printed")

    def __init__(self, order: Order, game: AnyGame, guests: tuple[BotHandle, ...], call: PlayCall) -> None:
        self.order = order
        self.game = game
        self.bots = guests
        self.call = call
        self.match: LiveMatch | None = None
        self.printed: tuple[Printed | None, ...] = ()
        """What the bots' processes print while it lasts, in seat order."""

    def outputs(self) -> tuple[SeatOutput, ...]:
        """Return what has been printed, for each seat whose bot printed anything."""
        outputs = []
        for seat, printed in enumerate(self.printed):
            stderr, dropped = printed.read() if printed is not None else (b"", 0)
            if stderr:
                outputs.append(SeatOutput(seat, stderr, dropped))
        return tuple(outputs)

    def report_end(self, report: Report) -> None:
        """Report the end of the order."""
        self.call.jobs.discard(self)
        if not self.call.over:
            self.call.report(report)

    def report_start(self, table: LiveMatch) -> None:
        """Report the beginning of the match."""
        self.match = table
        self.call.report(Started(self.order.match, table.session.commitment))
