"""A table: one person's seat in one match, from the order to the record."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.core import request_origin
from arena.core.errors import ArenaError, Refusal, RefusalKind
from arena.core.translatable import mark, say
from arena.games.chance import SEED_BYTES
from arena.games.kernel import Action, IllegalAction, Line, Played, Said, Step, Talk, check_line
from arena.match.clock import Clock, time_left_ms
from arena.match.record import Record
from arena.referee_client.orders import Hosted, HumanSource, Order, SeatOrder
from arena.referee_client.play_cause import PlayCause
from arena.referee_client.reports import Failed, Finished, Report
from arena.referee_client.seat_events import SeatDecision, SeatMatchStarted, Told
from arena.web.play.game_request import GameRequest
from arena.web.play.same_deal import SameDeal, Turns

if TYPE_CHECKING:
    from arena.referee_client.control_client import Referee
    from arena.referee_client.human_seat import HumanSeatClient

_log = logging.getLogger(__name__)

YOU = "you"
"""The person's name in the record."""
_NO_VERSION = "0"
_ID_BYTES = 16
_LAST_WORDS_S = 5.0
"""Time that the record may take to arrive after the seat has seen the end of the match."""

WAITING = "waiting"
"""The bots are being brought."""
PLAYING = "playing"
OVER = "over"
BROKEN = "broken"
"""There is no result, and `trouble` says why."""

_AWAY = mark("The referee stopped in the middle of the match. Only this match is lost: start another one.")
_UNREACHED = mark("The match could not start: the referee is not responding. Try again in a few seconds.")
_ABSENT = mark("The match could not start: a bot failed to join. Try again.")


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The person's clock, in milliseconds, as of the moment it was asked for."""

    left_ms: float
    running: bool


class HumanGame:
    """One person's table.  Mutable; all of it runs on the web's event loop.

    `version` counts what has changed; who waits in `changed` is woken by each change.
    """

    def __init__(
        self,
        wish: GameRequest,
        owner: str,
        address: str,
        lanes: Sequence[int],
        earlier: tuple[Sequence[int], ...] = (),
    ) -> None:
        """`owner` is the player's identity, `address` the client's network address.

        Each opponent has a lane of its own, and so has the bot that plays the deal again.  `earlier` has the places of the
        seats in the matches of which this one is the rematch.
        """
        self.id = secrets.token_urlsafe(_ID_BYTES)
        self.wish = wish
        self.owner = owner
        self.address = address
        self.lanes = tuple(lanes)
        self.earlier = earlier
        self.comparing = False
        """Whether a bot plays the same deal now."""
        self.same_deal: SameDeal | None = None
        self.phase = WAITING
        self.version = 0
        self.trouble = ""
        self.view: Any = None
        self.asked: SeatDecision | None = None
        self.history: list[Step] = []
        """All that the seat has seen."""
        self.commitment = b""
        self.text = ""
        """The record, once there is one."""
        self.record: Record | None = None
        self.seen_at = time.monotonic()
        """When the person's browser last showed itself."""
        self.watching = 0
        """The number of its pages with an open stream."""
        self.ended_at: float | None = None
        self._asked_at = 0.0
        self._clock = Clock(wish.time, wish.seats)
        self._seed = secrets.token_bytes(SEED_BYTES)
        self._seat: HumanSeatClient | None = None
        self._changed = asyncio.Event()

    # --- what it is -----------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.wish.seat

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in seat order."""
        names = [each.name for each in self.wish.opponents]
        names.insert(self.seat, YOU)
        return tuple(names)

    @property
    def series(self) -> tuple[Sequence[int], ...]:
        """The places of the seats in each match of the series that is over, this one included."""
        return self.earlier if self.record is None else (*self.earlier, self.record.result.places)

    @property
    def wins(self) -> tuple[int, ...]:
        """The number of matches of the series that each seat has won, without shared wins."""
        won = [places.index(1) for places in self.series if list(places).count(1) == 1]
        return tuple([won.count(seat) for seat in range(self.wish.seats)])

    @property
    def live(self) -> bool:
        """Whether it goes on."""
        return self.phase in {WAITING, PLAYING}

    @property
    def clock(self) -> ClockReading:
        """The person's clock now."""
        asked = self.asked
        if asked is None:
            return ClockReading(self._clock.remaining_ms(self.seat), running=False)
        if asked.limits is not None:
            return ClockReading(time_left_ms(asked.limit_ms, self._thinking_ms), running=True)
        return ClockReading(self._clock.remaining_ms(self.seat, self._thinking_ms), running=True)

    @property
    def said(self) -> tuple[Said, ...]:
        """The lines of the current talk: those since the last action."""
        lines: list[Said] = []
        for step in reversed(self.history):
            if isinstance(step, Played):
                break
            if isinstance(step, Said):
                lines.insert(0, step)
        return tuple(lines)

    @property
    def fresh(self) -> int:
        """Return where in the history begins what the others have done since the person's last turn."""
        steps, at = self.history, len(self.history)
        while at and self._is_own(steps[at - 1]):
            at -= 1  # what of this turn is done already
        while at and not self._is_own(steps[at - 1]):
            at -= 1
        if not at:
            return 0
        last = steps[at - 1]
        together = last.together if isinstance(last, Played) else None
        while at and together is not None and getattr(steps[at - 1], "together", None) == together:
            at -= 1  # what was decided at the same time
        return at

    async def changes(self, since: int) -> int:
        """Wait until there is a newer version than `since`; gives it."""
        while self.version <= since:
            await self._changed.wait()
        return self.version

    # --- the match ------------------------------------------------------------------------------------------

    async def play(self, controls: Sequence[str], turns: Turns) -> None:
        """Play the match to its end, at the first referee that answers, then its deal with a bot in the person's seat.

        Cancelling ends the match at once, without a result.
        """
        # Here, since gRPC takes 10 MB, and most dashboards have no players.
        from arena.core import grpc_environment  # noqa: F401, PLC0415 - settles how grpc runs
        from arena.referee_client.control_client import Referee  # noqa: PLC0415
        from arena.referee_client.human_seat import HumanSeatClient  # noqa: PLC0415
        from arena.referee_client.reachability import first_reachable  # noqa: PLC0415

        try:
            control = await first_reachable(controls)
            async with (
                HumanSeatClient(control, self.id, name="a person", talks=self.wish.talks) as seat,
                Referee(control) as referee,
            ):
                self._seat = seat
                listening = asyncio.create_task(self._listen(seat))
                try:
                    report = await self._report(referee)
                    with suppress(TimeoutError, ArenaError):
                        await asyncio.wait_for(listening, _LAST_WORDS_S)
                finally:
                    listening.cancel()
                    await asyncio.gather(listening, return_exceptions=True)
            self._settle(report)
            if self.comparing:
                await self._compare(control, turns)
        except ArenaError as error:
            _log.warning("table %s: %s", self.id[:6], error)
            self._break(_AWAY if self.phase == PLAYING else _UNREACHED)
        finally:
            self._seat = None
            self.comparing = False
            if self.live:
                self._break("")

    async def answer(self, decision: int, action: Action) -> None:
        """Choose.  Raises Refusal where that is not asked, or not legal: nothing happens then."""
        asked, seat = self._open(decision)
        if asked.limits is not None:
            raise Refusal(
                "talk_asked",
                say("decision {decision}: asks for talk; send `text`", decision=decision),
                field="action",
                kind=RefusalKind.CONFLICT,
            )
        if action not in asked.legal:
            raise Refusal(
                "not_legal",
                say(
                    "action {action!r}: must be one of {legal}",
                    action=action[:80],
                    legal=", ".join(asked.legal[:40]),
                ),
                field="action",
            )
        self._decided(asked)
        await seat.answer(decision, asked.legal.index(action))

    async def say(self, decision: int, line: Line) -> None:
        """Send a line of talk, or SILENCE.  Raises Refusal, with nothing changed, where no talk is open or the line breaks its limits."""
        asked, seat = self._open(decision)
        if asked.limits is None:
            raise Refusal(
                "choice_asked",
                say("decision {decision}: asks for a choice; send `action`", decision=decision),
                field="text",
                kind=RefusalKind.CONFLICT,
            )
        try:
            check_line(Talk(self.seat, 0, asked.limits), line, self.wish.seats)
        except IllegalAction as error:
            raise Refusal("not_sayable", str(error), field="text") from error
        self._decided(asked)
        await seat.say(decision, line)

    async def resign(self) -> None:
        """Get up: the match is lost by it, and over in a moment."""
        if self._seat is not None:
            await self._seat.leave()

    def touch(self) -> None:
        """Take note that the person is there."""
        self.seen_at = time.monotonic()

    # --- inside ---------------------------------------------------------------------------------------------

    def _is_own(self, step: Step) -> bool:
        return isinstance(step, Played) and step.seat == self.seat

    @property
    def _thinking_ms(self) -> float:
        """The time since the decision was asked for."""
        return (time.monotonic() - self._asked_at) * 1000

    def _open(self, decision: int) -> tuple[SeatDecision, HumanSeatClient]:
        """Return the decision that is open, if it is the one that is answered.  Raises Refusal."""
        if not self.live:
            raise Refusal("over", say("table: the match is over"), kind=RefusalKind.CONFLICT)
        if self.asked is None or self._seat is None or self.asked.decision != decision:
            words = say(
                "decision {decision}: is not open, or no longer; see which one is open now",
                decision=decision,
            )
            raise Refusal("not_asked", words, field="decision", kind=RefusalKind.CONFLICT)
        return self.asked, self._seat

    def _decided(self, asked: SeatDecision) -> None:
        """Stop the clock before the answer is sent, so that none is sent twice."""
        if asked.limits is None:
            self._clock.charge(self.seat, self._thinking_ms)
        self.asked = None
        self._tell()

    async def _compare(self, control: str, turns: Turns) -> None:
        bot = self.wish.opponents[0]
        self.same_deal = await turns.play(control, self._order(), self.seat, bot, self.lanes[-1])
        self.comparing = False
        self._tell()

    def _order(self) -> Order:
        seats = [
            SeatOrder(each.name, each.version, Hosted(each.program, lane))
            for each, lane in zip(self.wish.opponents, self.lanes, strict=False)
        ]
        seats.insert(self.seat, SeatOrder(YOU, _NO_VERSION, HumanSource(self.id)))
        wish = self.wish
        return Order(self.id, wish.game, wish.variant, tuple(seats), self._seed, wish.options, wish.time)

    async def _report(self, referee: Referee) -> Report:
        """Return the report that ends the order."""
        last: Report = Failed(self.id, "the referee said nothing")
        async for report in referee.play([self._order()], PlayCause(request_origin.current())):
            last = report
        return last

    async def _listen(self, seat: HumanSeatClient) -> None:
        async for event in seat.events():
            self._take(event)

    def _take(self, event: Told) -> None:
        if isinstance(event, SeatMatchStarted):
            self.commitment = event.commitment
            self.phase = PLAYING
        else:
            self.history += event.seen
            if isinstance(event, SeatDecision):
                self.asked, self._asked_at = event, time.monotonic()
                self._clock.correct(self.seat, event.bank_ms)
                self.view = event.view
            else:
                self.asked = None
        self._tell()

    def _settle(self, report: Report) -> None:
        if isinstance(report, Finished):
            self.text, self.record = report.text, report.record
            self.comparing = report.record.result.fault is None
            self.phase = OVER
            self._end()
        else:
            _log.warning("table %s: %s", self.id[:6], report)
            self._break(_ABSENT)

    def _break(self, trouble: str) -> None:
        self.trouble = trouble
        self.phase = BROKEN
        self._end()

    def _end(self) -> None:
        self.asked = None
        self.ended_at = time.monotonic()
        self._tell()

    def _tell(self) -> None:
        self.version += 1
        woken, self._changed = self._changed, asyncio.Event()
        woken.set()
