"""A referee in the test's own event loop, and bots that speak the protocol by hand, well or badly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import grpc

from arena.match.clock import TimeControl
from arena.referee_client import DialIn, Failed, Finished, Hosted, Order, Postponed, SeatOrder
from arena.referee_client import Referee as Client
from arena.referee_client.orders import Source
from arena.v1 import control_pb2
from arena.v1.bot_pb2 import Answer, ArenaMessage, Ask, BotMessage, ConnectRequest, ConnectResponse, Hello
from referee.launch.launcher import Launcher
from referee.launch.plain_launcher import PlainLauncher
from referee.limits.referee_limits import RefereeLimits
from referee.server import Referee

QUICK = RefereeLimits(
    hello_s=1.0,
    unknown_token_s=0.1,
    blocked_write_s=0.3,
    reconnect_s=1.0,
    dial_s=1.0,
    endpoint_idle_s=0.3,
    max_unsent_bytes=64 * 1024,
    spare_messages_per_second=20,
)
TIME = TimeControl(base_ms=20_000, increment_ms=100, cap_ms=5_000)
HURRY = TimeControl(base_ms=400, increment_ms=0, cap_ms=400)


class House:
    """A running referee with the tokens of some dial-in bots."""

    def __init__(self, referee: Referee, client: Client) -> None:
        self.referee = referee
        self.client = client
        self.stream: asyncio.Task[None]
        """Keeps the control stream."""
        self.news: list[control_pb2.ControlResponse] = []
        self.requests: asyncio.Queue[control_pb2.ControlRequest] = asyncio.Queue()

    @property
    def port(self) -> str:
        """The bots' port that is open to other machines."""
        return self.referee.bots_addresses[1].rpartition(":")[2]

    @property
    def bots(self) -> str:
        return self.referee.bots_addresses[0]

    async def control(self) -> None:
        """Keep a control stream, as an arena does."""
        async with grpc.aio.insecure_channel(self.referee.control_address) as channel:
            call: Any = channel.stream_stream(
                "/arena.v1.RefereeService/Control",
                request_serializer=control_pb2.ControlRequest.SerializeToString,
                response_deserializer=control_pb2.ControlResponse.FromString,
            )(self._requests())
            async for response in call:
                self.news.append(response)

    async def _requests(self) -> AsyncIterator[control_pb2.ControlRequest]:
        while True:
            yield await self.requests.get()

    async def admit(self, *names: str) -> None:
        tokens = [
            control_pb2.AdmittedToken(token_id=name, token_sha256=sha256(f"token-{name}".encode()).digest())
            for name in names
        ]
        admit = control_pb2.AdmitTokens(tokens=tokens)
        await self.requests.put(control_pb2.ControlRequest(admit=admit))
        async with asyncio.timeout(30):
            while set(self.referee._tokens._admitted.values()) != set(names):  # noqa: ASYNC110 - it is not acknowledged
                await asyncio.sleep(0.01)

    def bot(self, name: str, *options: tuple[str, int]) -> RawBot:
        return RawBot(self.bots, f"token-{name}", *options)

    async def play(self, *orders: Order) -> dict[str, Finished | Postponed | Failed]:
        """Have matches played; gives what became of each."""
        ended: dict[str, Finished | Postponed | Failed] = {}
        async for report in self.client.play(orders):
            if isinstance(report, Finished | Postponed | Failed):
                ended[report.match] = report
        return ended

    def begin(self, *orders: Order) -> asyncio.Task[dict[str, Finished | Postponed | Failed]]:
        return asyncio.create_task(self.play(*orders))


@asynccontextmanager
async def open_house(
    directory: Path,
    *,
    limits: RefereeLimits = QUICK,
    slots: int = 2,
    bots: Iterable[str] | None = ("a", "b", "c", "d"),
    launcher: Launcher | None = None,
    **more: Any,
) -> AsyncIterator[House]:
    referee = Referee(
        control=f"unix:{directory / 'control'}",
        bots=[f"unix:{directory / 'bots'}", *(["0.0.0.0:0"] if {"certificate", "tls"} & set(more) else [])],
        launcher=launcher or PlainLauncher(allow_files=True),
        slots=slots,
        limits=limits,
        **{"private_endpoints": True, **more},
    )
    await referee.start()
    async with Client(referee.control_address) as client:
        house = House(referee, client)
        control = house.stream = asyncio.create_task(house.control())
        try:
            if bots is not None:
                await house.admit(*bots)
            yield house
        finally:
            control.cancel()
            await referee.stop()


def order(match: str, *sources: Source | str, time: TimeControl = TIME, hands: int = 1) -> Order:
    """Order a match of Lost Cities; a name stands for a dial-in bot."""
    seats = []
    for source in sources:
        name = source if isinstance(source, str) else str(source)
        seats.append(SeatOrder(name, "1", DialIn(source) if isinstance(source, str) else source))
    return Order(match, "lost_cities", "standard", tuple(seats), bytes(32), {"hands": hands}, time)


def house_bot(name: str = "random", lane: int = 0) -> Hosted:
    return Hosted(f"house:lost_cities/{name}", lane)


Choose = Callable[[Ask], int | None]


class RawBot:
    """A client of the bots' port without any manners built in."""

    def __init__(self, address: str, token: str, *options: tuple[str, int]) -> None:
        self.options = (("grpc.use_local_subchannel_pool", 1), *options)
        self.address = address
        self.token = token
        self.asked: list[Ask] = []
        self.heard: list[ArenaMessage] = []
        self._pending: list[ArenaMessage] = []
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self.channel = grpc.aio.insecure_channel(self.address, options=self.options)
        self.call: Any = self.channel.stream_stream("/arena.v1.BotService/Connect")(
            metadata=(("authorization", f"Bearer {self.token}"),)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
        await self.channel.close()

    async def say(self, *messages: BotMessage) -> None:
        await self.call.write(ConnectRequest(messages=messages).SerializeToString())

    async def hello(self, **fields: Any) -> ArenaMessage:
        """Say Hello and wait for the Welcome."""
        await self.say(
            BotMessage(hello=Hello(**{"protocol": 1, "name": "raw", "matches_at_once": 8, **fields}))
        )
        return await self.hear()

    async def hear(self) -> ArenaMessage:
        """Read the next message; raises EOFError at the end of the stream."""
        while not self._pending:
            try:
                frame = await self.call.read()
            except grpc.RpcError:
                raise EOFError from None
            if frame is grpc.aio.EOF:
                raise EOFError
            self._pending += ConnectResponse.FromString(frame).messages
        message = self._pending.pop(0)
        self.heard.append(message)
        return message

    async def hear_of(self, kind: str) -> Any:
        """Read on to the next message of a kind."""
        while True:
            message = await self.hear()
            if message.WhichOneof("message") == kind:
                return getattr(message, kind)

    async def answer(
        self, ask: Ask, action: int = 0, *, table: int | None = None, decision: int | None = None
    ) -> None:
        message = Answer(
            table=ask.table if table is None else table,
            decision=ask.decision if decision is None else decision,
            action=action,
        )
        await self.say(BotMessage(answer=message))

    async def play(self, choose: Choose = lambda _ask: 0) -> None:
        """Answer all that is asked until the stream ends; None is no answer."""
        while True:
            try:
                ask = await self.hear_of("ask")
            except EOFError:
                return
            self.asked.append(ask)
            action = choose(ask)
            if action is not None:
                await self.answer(ask, action)

    def start(self, choose: Choose = lambda _ask: 0) -> None:
        """Play in the background."""
        self._task = asyncio.create_task(self.play(choose))

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """Wait for the end of the stream; how it ended."""
        async with asyncio.timeout(30):
            while True:
                try:
                    await self.hear()
                except EOFError:
                    return await self.call.code(), await self.call.details()


@asynccontextmanager
async def good_bots(house: House, *names: str, at_once: int = 8) -> AsyncIterator[tuple[RawBot, ...]]:
    """Connect bots that play by the rules, always the first action."""
    bots = [house.bot(name) for name in names]
    for bot in bots:
        await bot.__aenter__()
        await bot.hello(matches_at_once=at_once)
        bot.start()
    try:
        yield tuple(bots)
    finally:
        for bot in bots:
            await bot.__aexit__()
