"""An order that is not done yet, and the call of `Play` that it belongs to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from arena.games.registry import AnyGame
from arena.referee_client.orders import Order
from arena.referee_client.reports import Report, SeatOutput, Started
from referee.bots.bot_handle import BotHandle
from referee.dispatch.live_match import LiveMatch, SeatBinding
from referee.launch.bot_process import Printed


class PlayCall:
    """A call of `Play`: its orders, and the reports that have not been sent yet.  Mutable."""

    def __init__(self, log_fields: Mapping[str, object] | None = None, trace_parent: str = "") -> None:
        self.trace_parent = trace_parent
        self.log_fields = log_fields or {}
        """The fields of log lines about its matches, but for the match."""
        self.orders: set[PendingOrder] = set()
        self.reports: list[Report] = []
        self.changed = asyncio.Event()
        self.over = False
        self.has_given_back = False
        """Whether orders were given back: the referee drains."""

    def give_back(self) -> None:
        """Record that an order was given back: the call ends once its other orders are done."""
        self.has_given_back = True
        self.changed.set()

    def report(self, report: Report) -> None:
        """Queue a report to be sent."""
        self.reports.append(report)
        self.changed.set()


class PendingOrder:
    """An order that is not done yet.  Mutable."""

    __slots__ = ("bots", "call", "game", "match", "missing", "order", "printed")

    def __init__(self, order: Order, game: AnyGame, bots: tuple[BotHandle, ...], call: PlayCall) -> None:
        self.order = order
        self.game = game
        self.bots = bots
        """In seat order."""
        self.call = call
        self.missing: dict[BotHandle, str] = {}
        """Which of its bots are known to be missing, and why."""
        self.match: LiveMatch | None = None
        """None until the match begins, and again once it is over."""
        self.printed: tuple[Printed | None, ...] = ()
        """The output of the bots' processes during the match, in seat order."""

    def log_fields(self) -> dict[str, object]:
        """Return the fields of log lines about the match."""
        return {**self.call.log_fields, "match": self.order.match}

    def seats_of(self, bot: BotHandle) -> list[SeatBinding]:
        """Return the seats that a bot has in the match, lowest first; none unless the match is being played."""
        return [] if self.match is None else [seat for seat in self.match.seats if seat.bot is bot]

    def outputs(self) -> tuple[SeatOutput, ...]:
        """Return what was printed, for each seat whose bot printed anything."""
        outputs = []
        for seat, printed in enumerate(self.printed):
            stderr, dropped = printed.read() if printed is not None else (b"", 0)
            if stderr:
                outputs.append(SeatOutput(seat, stderr, dropped))
        return tuple(outputs)

    def report_start(self, match: LiveMatch) -> None:
        """Report the beginning of the match."""
        self.match = match
        self.call.report(Started(self.order.match, match.session.commitment))

    def report_end(self, report: Report) -> None:
        """Report the end of the order."""
        self.call.orders.discard(self)
        if not self.call.over:
            self.call.report(report)
