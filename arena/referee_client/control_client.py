"""The client of a referee's control port, for workers, the web and the command line alike.

async with Referee("unix:/run/referee.sock") as referee:
    async for report in referee.play(orders):
        ...
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Self

import grpc

from arena.core.release import explain_distance
from arena.games.codec import step_from_proto
from arena.match.record import RecordedStep
from arena.referee_client import peer_release
from arena.referee_client.control_channel import explain, open_channel
from arena.referee_client.control_codec import order_to_proto, outcome_from_proto, report_from_proto
from arena.referee_client.control_credentials import KEY_VARIABLE, credentials
from arena.referee_client.orders import Order
from arena.referee_client.play_cause import PlayCause
from arena.referee_client.reports import OrderRefused, Outcome, RefereeDraining, RefereeUnreachable, Report
from arena.v1 import control_pb2, control_pb2_grpc, match_pb2

ORDERS_PER_FRAME = 100


DRAINING = "arena-draining"
"""In the trailing metadata of a call that a draining referee refuses, or ends before all its orders are done."""


def unreachable(address: str, code: grpc.StatusCode, details: str) -> RefereeUnreachable:
    """Return why a call to a referee ended."""
    remedy = explain(address, details)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        remedy = f"; set {KEY_VARIABLE} to the key that it was started with"
    return RefereeUnreachable(f"referee {address}: {details}{remedy}")


def check_distance(address: str, pairs: Iterable[tuple[str, Any]] | None) -> None:
    """Check, by the metadata of its answer, that a referee's generation is near enough to ours.  Raises RefereeUnreachable."""
    if distance := explain_distance("this process", "the referee", peer_release.read_peer(pairs)):
        raise RefereeUnreachable(f"referee {address}: {distance}")


@dataclass(frozen=True, slots=True)
class WatchedStep:
    """A step of a watched match, or its end.

    Times are given only where hidden steps were asked for; `talks`, by seat, comes with the first of them.
    """

    steps: tuple[RecordedStep, ...]
    outcome: Outcome | None
    talks: tuple[bool, ...] = ()


class Referee:
    """A connection to one referee.  An asynchronous context manager; calls may run side by side."""

    def __init__(self, address: str, key: str | None = None) -> None:
        self.address = address
        self._metadata = credentials(key)
        self._is_checked = False
        """Whether the referee's generation is known to be near enough."""
        self._channel: grpc.aio.Channel | None = None

    async def __aenter__(self) -> Self:
        self._channel = open_channel(self.address)
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._channel is not None:
            await self._channel.close()

    async def play(self, orders: Iterable[Order], cause: PlayCause | None = None) -> AsyncIterator[Report]:
        """Play matches: yield each report as it arrives, until every order is done.  `cause` is for the referee's logs.

        Closing the iterator (or cancelling) ends the matches that still run.  Raises RefereeUnreachable, RefereeDraining
        (the orders without a report may be given to another referee) and OrderRefused.
        """
        messages = [order_to_proto(order) for order in orders]
        metadata = (*self._metadata, *(cause or PlayCause()).metadata())
        call = self._stub().Play(_frames(messages), metadata=metadata)
        try:
            with self._errors():
                async for response in call:
                    await self._check_peer(call)
                    for report in response.reports:
                        yield report_from_proto(report)
        finally:
            call.cancel()

    async def watch(self, match: str, *, hidden: bool = False) -> AsyncGenerator[WatchedStep, None]:
        """Yield the steps of a running match from its start: as the public may see them, or also what is `hidden`.

        Ends at once if it is not running.  Raises RefereeUnreachable.
        """
        request = control_pb2.WatchRequest(match=match, hidden=hidden)
        call = self._stub().Watch(request, metadata=self._metadata)
        try:
            with self._errors():
                async for response in call:
                    await self._check_peer(call)
                    yield WatchedStep(
                        tuple(map(_recorded, response.steps, response.ms or repeat(-1.0))),
                        outcome_from_proto(response.outcome) if response.HasField("outcome") else None,
                        tuple(response.talks),
                    )
        except _NotRunning:
            return
        finally:
            call.cancel()

    async def drain(self, limit_s: int | None = None) -> AsyncGenerator[int, None]:
        """Have the referee take no new matches; yield how many still run, until none does.

        After `limit_s` seconds, or what it was started with, these end without result.  It goes on draining when the
        iterator is closed.  Raises RefereeUnreachable.
        """
        async for response in self._drain(control_pb2.DrainRequest(limit_s=limit_s)):
            yield response.matches

    async def resume(self) -> None:
        """Have the referee take matches again.  Raises RefereeUnreachable."""
        async for _ in self._drain(control_pb2.DrainRequest(resume=True)):
            pass

    async def _drain(self, request: control_pb2.DrainRequest) -> AsyncGenerator[control_pb2.DrainResponse]:
        call = self._stub().Drain(request, metadata=self._metadata)
        try:
            with self._errors():
                async for response in call:
                    await self._check_peer(call)
                    yield response
        finally:
            call.cancel()

    def _stub(self) -> control_pb2_grpc.RefereeServiceStub:
        if self._channel is None:
            raise RuntimeError("use a Referee as `async with Referee(…) as referee`")
        return control_pb2_grpc.RefereeServiceStub(self._channel)  # type: ignore[no-untyped-call]

    async def _check_peer(self, call: Any) -> None:  # noqa: ANN401 - grpc's own
        if not self._is_checked:
            check_distance(self.address, await call.initial_metadata())
            self._is_checked = True

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except grpc.aio.AioRpcError as error:
            details = error.details() or error.code().name
            if error.code() is grpc.StatusCode.NOT_FOUND:
                ends = (*(error.initial_metadata() or ()), *(error.trailing_metadata() or ()))
                check_distance(self.address, ends)
                raise _NotRunning from error
            if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
                raise OrderRefused(details) from error
            if any(name == DRAINING for name, _ in error.trailing_metadata() or ()):
                raise RefereeDraining(f"referee {self.address}: {details}") from error
            raise unreachable(self.address, error.code(), details) from error


class _NotRunning(Exception):  # noqa: N818 - never leaves this module
    """Raised when a match that was to be watched is not running."""


def _recorded(step: match_pb2.Step, ms: float) -> RecordedStep:
    return RecordedStep(step_from_proto(step), None if ms < 0 else round(ms, 1))


def _frames(messages: Sequence[control_pb2.MatchOrder]) -> Iterator[control_pb2.PlayRequest]:
    for start in range(0, len(messages), ORDERS_PER_FRAME):
        yield control_pb2.PlayRequest(matches=messages[start : start + ORDERS_PER_FRAME])
