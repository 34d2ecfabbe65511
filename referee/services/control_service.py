"""The service of the control port: orders and reports, spectators, tokens and presence of bots, bundles."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any

import grpc

from arena.core.errors import UsageError
from arena.games.codec import step_to_proto
from arena.referee_client.control_codec import order_from_proto, outcome_to_proto, report_to_proto
from arena.referee_client.orders import DialIn, Endpoint
from arena.referee_client.play_cause import read_cause
from arena.v1 import control_pb2, control_pb2_grpc
from arena.v1.bot_pb2 import Hello
from referee.bots.hosted_bots import HostedBot
from referee.bots.remote_bots import DialInBot, EndpointBot
from referee.dispatch.draining import METADATA, REASON, Draining
from referee.dispatch.match_dispatcher import MatchDispatcher
from referee.dispatch.pending_order import PlayCall
from referee.dispatch.watching import watch
from referee.launch.bundle_cache import Bundles, Delivery
from referee.launch.weights_cache import WeightsDelivery
from referee.wire import frames
from referee.wire.bot_connection import BotConnection
from referee.wire.bot_tokens import BotTokens
from referee.wire.control_key import ControlKey
from referee.wire.peer_referees import PeerReferees

_log = logging.getLogger(__name__)
SERVICE = "arena.v1.RefereeService"
_REPORTS_EVERY_S = 0.05
"""A message costs both sides as much as several reports: those of quick matches share one."""


class RefereeService(control_pb2_grpc.RefereeServiceServicer):
    """Serves `Play`, `Watch`, `Control` and `Drain`."""

    def __init__(
        self,
        dispatcher: MatchDispatcher,
        tokens: BotTokens[HostedBot],
        peers: PeerReferees,
        bundles: Bundles,
        draining: Draining,
        *,
        key: ControlKey,
        protection: str,
    ) -> None:
        self._dispatcher = dispatcher
        self._tokens = tokens
        self._peers = peers
        self._bundles = bundles
        self._draining = draining
        bundles.on_wanted = self._request_bundle
        if bundles.weights is not None:
            bundles.weights.on_wanted = self._request_weights
        self._key = key
        self._protection = protection
        self._warnings: tuple[str, ...] = ()
        self._control_stream: asyncio.Queue[control_pb2.ControlResponse | None] | None = None
        """Responses of the current control stream; None ends it."""
        self.on_worker_change: Callable[[], None] = lambda: None
        """Called when a worker's control stream begins, and when the last one has ended."""

    @property
    def has_worker(self) -> bool:
        """Whether a worker's control stream is open."""
        return self._control_stream is not None

    # The names of the calls are the protocol's.

    async def Play(  # noqa: N802
        self,
        request_iterator: AsyncIterator[control_pb2.PlayRequest],
        context: Any,  # noqa: ANN401 - grpc's own
    ) -> AsyncIterator[control_pb2.PlayResponse]:
        """Play matches."""
        await self._key.check(context)
        cause = read_cause(context.invocation_metadata() or ())
        call = PlayCall(cause.log_fields(), cause.trace_parent)
        reading = asyncio.create_task(self._read_orders(request_iterator, call))
        send_at = 0.0
        try:
            while not call.over and not (
                (reading.done() or call.has_given_back) and not call.orders and not call.reports
            ):
                await call.changed.wait()
                call.changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(send_at):
                        while call.reports and not call.over and (call.orders or not reading.done()):
                            await call.changed.wait()
                            call.changed.clear()
                if reading.done() and (refusal := reading.result()):
                    await context.abort(grpc.StatusCode.INVALID_ARGUMENT, refusal)
                if call.reports:
                    reports, call.reports = call.reports, []
                    yield control_pb2.PlayResponse(reports=[report_to_proto(report) for report in reports])
                    send_at = asyncio.get_running_loop().time() + _REPORTS_EVERY_S
            if call.over:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "the referee is going down")
            if call.has_given_back:
                await context.abort(grpc.StatusCode.UNAVAILABLE, REASON, METADATA)
        finally:
            reading.cancel()
            self._dispatcher.cancel(call)

    async def _read_orders(self, requests: AsyncIterator[control_pb2.PlayRequest], call: PlayCall) -> str:
        """Submit all orders of a call; return the error of the first invalid one, or an empty string."""
        count = 0
        try:
            async for request in requests:
                for message in request.matches:
                    self._dispatcher.submit(order_from_proto(message), call)
                    count += 1
            _log.info("%d matches ordered", count, extra=call.log_fields)
        except UsageError as error:
            return str(error)
        finally:
            call.changed.set()
        return ""

    async def Watch(  # noqa: N802
        self,
        request: control_pb2.WatchRequest,
        context: Any,  # noqa: ANN401 - grpc's own
    ) -> AsyncIterator[control_pb2.WatchResponse]:
        """Show a running match."""
        await self._key.check(context)
        if not request.match and self._draining.is_on:
            await context.abort(grpc.StatusCode.UNAVAILABLE, REASON, METADATA)
        match = self._dispatcher.find_match(request.match)
        if match is None:
            # Not by `abort`, whose exception is a cycle that lives on for minutes: workers ask for many matches that are over.
            context.set_code(grpc.StatusCode.NOT_FOUND)
            context.set_details(f"match {request.match!r} is not being played")
            return
        talks = match.session.setup.talks if request.hidden else ()
        async for recorded in watch(match, hidden=request.hidden):
            steps = [step_to_proto(each.step) for each in recorded]
            ms = [-1.0 if each.ms is None else each.ms for each in recorded] if request.hidden else ()
            yield control_pb2.WatchResponse(steps=steps, ms=ms, talks=talks)
            talks = ()
        if match.record is not None:
            outcome = outcome_to_proto(frames.outcome(match.record.result))
            yield control_pb2.WatchResponse(outcome=outcome)

    async def Control(  # noqa: N802
        self,
        request_iterator: AsyncIterator[control_pb2.ControlRequest],
        context: Any,  # noqa: ANN401 - grpc's own
    ) -> AsyncIterator[control_pb2.ControlResponse]:
        """Receive tokens, the addresses of other referees, and bundles; report connected bots and wanted bundles."""
        await self._key.check(context)
        if self._control_stream is not None:
            self._control_stream.put_nowait(None)
        responses: asyncio.Queue[control_pb2.ControlResponse | None] = asyncio.Queue()
        self._control_stream = responses
        self.on_worker_change()
        self._report_all(responses)
        requests = asyncio.create_task(self._read_control(request_iterator))
        try:
            while (response := await responses.get()) is not None:
                yield response
            await context.abort(grpc.StatusCode.ABORTED, "a newer control stream replaced this one")
        finally:
            requests.cancel()
            if self._control_stream is responses:
                self._control_stream = None
                self.on_worker_change()

    def _report_all(self, responses: asyncio.Queue[control_pb2.ControlResponse | None]) -> None:
        """Report who the referee is, who is connected, and what is wanted, on a new stream."""
        here = control_pb2.RefereeHere(public_address=self._peers.public, protection=self._protection)
        responses.put_nowait(control_pb2.ControlResponse(here=here))
        for token_id, connection in self._connected():
            responses.put_nowait(_present(token_id, connection.hello))
        for bot in self._dispatcher.bots():
            if isinstance(bot, EndpointBot) and bot.connection is not None:
                responses.put_nowait(_endpoint_hello(bot.endpoint, bot.connection.hello))
        for sha256 in self._bundles.wanted:
            self._request_bundle(sha256)
        for sha256 in self._bundles.weights.wanted if self._bundles.weights is not None else ():
            self._request_weights(sha256)
        if self._draining.is_on:
            responses.put_nowait(self._drain_state())
        if self._warnings:
            responses.put_nowait(self._setup_warnings())

    async def _read_control(self, requests: AsyncIterator[control_pb2.ControlRequest]) -> None:
        delivery, weights = Delivery(self._bundles), WeightsDelivery(self._bundles.weights)
        try:
            await self._read_requests(requests, delivery, weights)
        finally:
            weights.close()

    async def _read_requests(
        self,
        requests: AsyncIterator[control_pb2.ControlRequest],
        delivery: Delivery,
        weights: WeightsDelivery,
    ) -> None:
        async for request in requests:
            kind = request.WhichOneof("request")
            if kind == "admit":
                tokens = {token.token_id: token.token_sha256 for token in request.admit.tokens}
                for token_id in self._tokens.admit_all(tokens):
                    self._disconnect(token_id)
            elif kind == "add":
                self._tokens.admit(request.add.token_id, request.add.token_sha256)
            elif kind == "revoke_token_id":
                self._tokens.revoke(request.revoke_token_id)
                self._disconnect(request.revoke_token_id)
            elif kind == "others" and self._peers.replace(request.others.addresses):
                for _, connection in self._connected():
                    connection.send_welcome(self._peers)
            elif kind == "bundle":
                await delivery.add(request.bundle)
            elif kind == "weights":
                await weights.take(request.weights)

    async def Drain(  # noqa: N802
        self,
        request: control_pb2.DrainRequest,
        context: Any,  # noqa: ANN401 - grpc's own
    ) -> AsyncIterator[control_pb2.DrainResponse]:
        """Drain, or take matches again."""
        await self._key.check(context)
        draining = self._draining
        if request.resume:
            draining.resume()
        else:
            draining.begin(request.limit_s if request.HasField("limit_s") else None)
        while draining.is_on and (matches := draining.matches):
            yield control_pb2.DrainResponse(matches=matches)
            await draining.next_change()
        yield control_pb2.DrainResponse(matches=draining.matches)

    def report_draining(self) -> None:
        """Report whether the referee drains, and how many matches still run; to the bots when it begins and ends."""
        if self._control_stream is not None:
            self._control_stream.put_nowait(self._drain_state())
        if self._peers.is_draining != self._draining.is_on:
            self._peers.is_draining = self._draining.is_on
            for _, connection in self._connected():
                connection.send_welcome(self._peers)

    def report_warnings(self, warnings: tuple[str, ...]) -> None:
        """Report problems of the referee's configuration if they have changed."""
        if warnings != self._warnings:
            self._warnings = warnings
            if self._control_stream is not None:
                self._control_stream.put_nowait(self._setup_warnings())

    def _setup_warnings(self) -> control_pb2.ControlResponse:
        return control_pb2.ControlResponse(warnings=control_pb2.SetupWarnings(messages=self._warnings))

    def _drain_state(self) -> control_pb2.ControlResponse:
        state = control_pb2.DrainState(draining=self._draining.is_on, matches=self._draining.matches)
        return control_pb2.ControlResponse(drain=state)

    def report_presence(self, token_id: str, hello: Hello | None) -> None:
        """Report that a dial-in bot has connected, or, without a Hello, disconnected."""
        if self._control_stream is not None:
            absent = control_pb2.ControlResponse(absent_token_id=token_id)
            self._control_stream.put_nowait(absent if hello is None else _present(token_id, hello))

    def report_endpoint(self, endpoint: Endpoint, hello: Hello) -> None:
        """Report the Hello of an endpoint that was dialled."""
        if self._control_stream is not None:
            self._control_stream.put_nowait(_endpoint_hello(endpoint, hello))

    def _request_bundle(self, sha256: str) -> None:
        """Ask the arena for a bundle; without a control stream, the next one is sent all that are wanted."""
        if self._control_stream is not None:
            self._control_stream.put_nowait(control_pb2.ControlResponse(wanted_bundle=sha256))

    def _request_weights(self, sha256: str) -> None:
        if self._control_stream is not None:
            self._control_stream.put_nowait(control_pb2.ControlResponse(wanted_weights=sha256))

    def _connected(self) -> Iterator[tuple[str, BotConnection]]:
        """Yield the token ids and connections of the dial-in bots that are connected."""
        for bot in self._dispatcher.bots():
            if isinstance(bot, DialInBot) and bot.is_connected and bot.connection is not None:
                yield bot.token_id, bot.connection

    def _disconnect(self, token_id: str) -> None:
        bot = self._dispatcher.find_bot(DialIn(token_id))
        if isinstance(bot, DialInBot):
            bot.shut_down()


def _present(token_id: str, hello: Hello) -> control_pb2.ControlResponse:
    present = control_pb2.BotPresent(
        token_id=token_id,
        name=hello.name,
        version=hello.version,
        matches_at_once=max(1, hello.matches_at_once),
        games=hello.games,
    )
    return control_pb2.ControlResponse(present=present)


def _endpoint_hello(endpoint: Endpoint, hello: Hello) -> control_pb2.ControlResponse:
    bot = control_pb2.EndpointBot(address=endpoint.address, secret=endpoint.secret)
    message = control_pb2.EndpointHello(endpoint=bot, version=hello.version, games=hello.games)
    return control_pb2.ControlResponse(endpoint=message)
