"""The control port: orders in, reports out; spectators; which bots may connect, and which are there; bundles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc

from arena.core.errors import UsageError
from arena.games.codec import step_to_proto
from arena.referee_client.control_codec import order_from_proto, outcome_to_proto, report_to_proto
from arena.referee_client.orders import DialIn, Endpoint
from arena.v1 import control_pb2, control_pb2_grpc
from arena.v1.bot_pb2 import Hello
from referee.bots.remote_bots import DialInGuest, EndpointGuest
from referee.dispatch.match_dispatcher import Desk
from referee.dispatch.pending_order import Call
from referee.launch.bundle_cache import Bundles, Delivery
from referee.wire import frames
from referee.wire.bot_connection import Connection
from referee.wire.bot_tokens import Tokens
from referee.wire.control_key import Key
from referee.wire.peer_referees import Others


class RefereeService(control_pb2_grpc.RefereeServiceServicer):
    """What the arena asks of a referee."""

    def __init__(
        self,
        desk: Desk,
        tokens: Tokens,
        others: Others,
        bundles: Bundles,
        *,
        key: Key,
        protection: str,
    ) -> None:
        self._desk = desk
        self._tokens = tokens
        self._others = others
        self._bundles = bundles
        bundles.tell = self._want
        self._key = key
        self._protection = protection
        self._registrar: asyncio.Queue[control_pb2.ControlResponse | None] | None = None

    # The names of the three calls are the protocol's.

    async def Play(  # noqa: N802
        self,
        request_iterator: AsyncIterator[control_pb2.PlayRequest],
        context: Any,  # noqa: ANN401 - grpc's own
    ) -> AsyncIterator[control_pb2.PlayResponse]:
        """Play matches."""
        await self._key.check(context)
        call = Call()
        orders = asyncio.create_task(self._take_orders(request_iterator, call))
        try:
            while not call.over and not (orders.done() and not call.jobs and not call.reports):
                await call.changed.wait()
                call.changed.clear()
                if orders.done() and (refusal := orders.result()):
                    await context.abort(grpc.StatusCode.INVALID_ARGUMENT, refusal)
                if call.reports:
                    reports, call.reports = call.reports, []
                    yield control_pb2.PlayResponse(reports=[report_to_proto(report) for report in reports])
            if call.over:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "the referee is going down")
        finally:
            orders.cancel()
            self._desk.call_off(call)

    async def _take_orders(self, requests: AsyncIterator[control_pb2.PlayRequest], call: Call) -> str:
        """Take all orders of a call; says what is wrong with the first that cannot be a match."""
        try:
            async for request in requests:
                for message in request.matches:
                    self._desk.submit(order_from_proto(message), call)
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
        table = self._desk.table(request.match)
        if table is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, f"match {request.match!r} is not being played")
            return
        talks = table.session.setup.talks if request.hidden else ()
        async for recorded in table.watch(hidden=request.hidden):
            steps = [step_to_proto(each.step) for each in recorded]
            ms = [-1.0 if each.ms is None else each.ms for each in recorded] if request.hidden else ()
            yield control_pb2.WatchResponse(steps=steps, ms=ms, talks=talks)
            talks = ()
        if table.record is not None:
            outcome = outcome_to_proto(frames.outcome(table.record.result))
            yield control_pb2.WatchResponse(outcome=outcome)

    async def Control(  # noqa: N802
        self,
        request_iterator: AsyncIterator[control_pb2.ControlRequest],
        context: Any,  # noqa: ANN401 - grpc's own
    ) -> AsyncIterator[control_pb2.ControlResponse]:
        """Admit tokens, hear of the other referees, take bundles; tell who is there, and which bundles are wanted."""
        await self._key.check(context)
        if self._registrar is not None:
            self._registrar.put_nowait(None)
        news: asyncio.Queue[control_pb2.ControlResponse | None] = asyncio.Queue()
        self._registrar = news
        here = control_pb2.RefereeHere(public_address=self._others.public, protection=self._protection)
        news.put_nowait(control_pb2.ControlResponse(here=here))
        for token_id, connection in self._connected():
            news.put_nowait(_present(token_id, connection.hello))
        for guest in self._desk.guests():
            if isinstance(guest, EndpointGuest) and guest.connection is not None:
                news.put_nowait(_answered(guest.endpoint, guest.connection.hello))
        for sha256 in self._bundles.wanted:
            self._want(sha256)
        requests = asyncio.create_task(self._take_control(request_iterator))
        try:
            while (response := await news.get()) is not None:
                yield response
            await context.abort(grpc.StatusCode.ABORTED, "a newer control stream replaced this one")
        finally:
            requests.cancel()
            if self._registrar is news:
                self._registrar = None

    async def _take_control(self, requests: AsyncIterator[control_pb2.ControlRequest]) -> None:
        delivery = Delivery(self._bundles)
        async for request in requests:
            kind = request.WhichOneof("request")
            if kind == "admit":
                tokens = {token.token_id: token.token_sha256 for token in request.admit.tokens}
                for token_id in self._tokens.admit_all(tokens):
                    self._dismiss(token_id)
            elif kind == "add":
                self._tokens.admit(request.add.token_id, request.add.token_sha256)
            elif kind == "revoke_token_id":
                self._tokens.revoke(request.revoke_token_id)
                self._dismiss(request.revoke_token_id)
            elif kind == "others" and self._others.replace(request.others.addresses):
                for _, connection in self._connected():
                    connection.welcome(self._others.public, self._others.addresses)
            elif kind == "bundle":
                await delivery.take(request.bundle)

    def presence(self, token_id: str, hello: Hello | None) -> None:
        """Tell the arena that a dial-in bot has come, or gone."""
        if self._registrar is not None:
            gone = control_pb2.ControlResponse(absent_token_id=token_id)
            self._registrar.put_nowait(gone if hello is None else _present(token_id, hello))

    def answered(self, endpoint: Endpoint, hello: Hello) -> None:
        """Tell the arena what an endpoint that was dialled says it is."""
        if self._registrar is not None:
            self._registrar.put_nowait(_answered(endpoint, hello))

    def _want(self, sha256: str) -> None:
        """Ask the arena for a bundle; if nobody keeps the stream now, the next one hears of it."""
        if self._registrar is not None:
            self._registrar.put_nowait(control_pb2.ControlResponse(wanted_bundle=sha256))

    def _connected(self) -> Iterator[tuple[str, Connection]]:
        """List the dial-in bots that are there, by their tokens' ids."""
        for guest in self._desk.guests():
            if isinstance(guest, DialInGuest) and guest.present and guest.connection is not None:
                yield guest.token_id, guest.connection

    def _dismiss(self, token_id: str) -> None:
        guest = self._desk.guest(DialIn(token_id))
        if isinstance(guest, DialInGuest):
            guest.dismiss()


def _present(token_id: str, hello: Hello) -> control_pb2.ControlResponse:
    present = control_pb2.BotPresent(
        token_id=token_id,
        name=hello.name,
        version=hello.version,
        matches_at_once=max(1, hello.matches_at_once),
    )
    return control_pb2.ControlResponse(present=present)


def _answered(endpoint: Endpoint, hello: Hello) -> control_pb2.ControlResponse:
    bot = control_pb2.EndpointBot(address=endpoint.address, secret=endpoint.secret)
    said = control_pb2.EndpointHello(endpoint=bot, version=hello.version)
    return control_pb2.ControlResponse(endpoint=said)
