"""A referee: its two gRPC servers and everything that they use."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.bundle_format.bundle import sha256_of
from arena.core.errors import UsageError
from arena.net.address import is_local, means_this_machine
from arena.net.certificate import Certificate
from arena.net.listener_policy import listen
from arena.referee_client.orders import DialIn, Endpoint, Hosted, HumanSource, Source
from arena.v1 import bot_pb2, control_pb2_grpc
from referee.bots.bot_handle import BotHandle
from referee.bots.hosted_bots import HostedBot
from referee.bots.human_seats import HumanSeat
from referee.bots.remote_bots import DialInBot, EndpointBot
from referee.dispatch.draining import REASON, Draining
from referee.dispatch.match_dispatcher import MatchDispatcher
from referee.launch.bundle_cache import Bundles
from referee.launch.launcher import Launcher
from referee.limits.connection_guard import ConnectionGuard
from referee.limits.cpu_slots import Slots
from referee.limits.match_clock import StallAwareClock
from referee.limits.memory_budget import Budget
from referee.limits.referee_limits import RefereeLimits
from referee.metrics.referee_collector import RefereeState
from referee.services.bots_service import SERVICE, BotService
from referee.services.control_service import SERVICE as CONTROL_SERVICE
from referee.services.control_service import RefereeService
from referee.services.seat_service import SeatService
from referee.wire.bot_tokens import BotTokens
from referee.wire.control_key import ControlKey
from referee.wire.peer_referees import PeerReferees
from referee.wire.write_coalescer import WriteCoalescer

_GRACE_S = 0.5
_NO_WORKER = "no worker is connected to the control port"
_CONTROL_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
)


def _bots_options(limits: RefereeLimits) -> tuple[tuple[str, int], ...]:
    return (
        ("grpc.so_reuseport", 0),
        # A frame over our own limit is a fault that says so; one over this ends the stream before we see it, and
        # before it is taken in or unpacked.
        ("grpc.max_receive_message_length", 4 * 1024 * 1024),
        # Close a connection that never starts HTTP/2.
        ("grpc.server_handshake_timeout_ms", round(limits.handshake_s * 1000)),
        ("grpc.max_allowed_incoming_connections", limits.max_connections),
        ("grpc.max_concurrent_streams", limits.max_streams),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.max_ping_strikes", 0),
    )


# A machine may vanish, and then answers no pings.  A process of this one cannot, and may have no thread that answers them
# while its bot thinks.
_PINGS = (("grpc.keepalive_time_ms", 10_000), ("grpc.keepalive_timeout_ms", 5_000))
_NO_PINGS = (("grpc.keepalive_time_ms", 2**31 - 1), ("grpc.http2.bdp_probe", 0))


class Referee:
    """One referee.  Make it inside a running event loop."""

    def __init__(
        self,
        *,
        control: str,
        bots: Sequence[str],
        launcher: Launcher,
        bundles: Bundles | None = None,
        budget: Budget | None = None,
        slots: int | None = None,
        key: str = "",
        public: str = "",
        limits: RefereeLimits | None = None,
        certificate: Certificate | None = None,
        control_certificate: Certificate | None = None,
        tls: bool = True,
        roots: bytes | None = None,
        private_endpoints: bool = False,
        drain_s: float = 0.0,
    ) -> None:
        self.control_address = control
        self.bots_addresses = tuple(bots)
        self._limits = limits or RefereeLimits()
        self._launcher = launcher
        self._bundles = bundles or Bundles(None)
        self._certificate = certificate
        self._control_certificate = control_certificate
        self._tls = tls
        self._roots = roots
        self._private_endpoints = private_endpoints
        self._clock = StallAwareClock(asyncio.get_running_loop())
        self._tokens = BotTokens[HostedBot]()
        self._peers = PeerReferees(self._limits, public or public_address(bots))
        self._coalescer = WriteCoalescer()
        self._slots = Slots(slots or os.cpu_count() or 1)
        self.dispatcher = MatchDispatcher(
            limits=self._limits,
            budget=budget or Budget(),
            clock=self._clock,
            new_bot=self._new_bot,
            check_program=self._check_program,
        )
        self.draining = Draining(self.dispatcher, drain_s)
        self.draining.on_change = self._on_draining
        self._bundles.in_use = self.dispatcher.programs
        self._service = RefereeService(
            self.dispatcher,
            self._tokens,
            self._peers,
            self._bundles,
            self.draining,
            key=ControlKey(key),
            protection=str(launcher.protection),
        )
        self._service.on_worker_change = self._update_health
        self._health = health.aio.HealthServicer()
        self._control = grpc.aio.server(options=_CONTROL_OPTIONS)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._control)
        control_pb2_grpc.add_RefereeServiceServicer_to_server(  # type: ignore[no-untyped-call]
            self._service, self._control
        )
        seats = SeatService(
            dispatcher=self.dispatcher,
            draining=self.draining,
            key=ControlKey(key),
            limits=self._limits,
            clock=self._clock,
            coalescer=self._coalescer,
        )
        self._control.add_generic_rpc_handlers((seats.handler(),))
        options = _bots_options(self._limits)
        self._bots = grpc.aio.server(options=(*options, *_PINGS))
        self._bots_here = grpc.aio.server(options=(*options, *_NO_PINGS))
        """Serves those on Unix sockets."""
        self._serve_bots()

    def _serve_bots(self) -> None:
        guard = ConnectionGuard(self._limits, lambda: self.bots_addresses)
        self._clock.on_tick(guard.on_tick)
        service = BotService(
            dispatcher=self.dispatcher,
            tokens=self._tokens,
            guard=guard,
            peers=self._peers,
            slots=self._slots,
            limits=self._limits,
            clock=self._clock,
            coalescer=self._coalescer,
        )
        names = (
            bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name,
            health_pb2.DESCRIPTOR.services_by_name["Health"].full_name,
            reflection.SERVICE_NAME,
        )
        for server in (self._bots, self._bots_here):
            server.add_generic_rpc_handlers((service.handler(),))
            health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
            reflection.enable_server_reflection(names, server)

    async def start(self) -> None:
        """Listen.  Raises UsageError for an address that cannot be had."""
        self.control_address = listen(
            self._control,
            self.control_address,
            "--control",
            certificate=self._control_certificate,
            tls=self._control_certificate is not None,
            local=True,
        )
        self.bots_addresses = tuple(
            listen(
                self._bots_here if address.startswith("unix:") else self._bots,
                address,
                "--bots",
                certificate=self._certificate,
                tls=self._tls,
            )
            for address in self.bots_addresses
        )
        self._address_for_hosted()  # raises if there is none
        self._clock.start()
        await self._bots.start()
        await self._bots_here.start()
        await self._control.start()
        await self._set_health()

    def _on_draining(self) -> None:
        self._service.report_draining()
        self._update_health()

    def _update_health(self) -> None:
        self._health_task = asyncio.create_task(self._set_health())

    async def _set_health(self) -> None:
        status = health_pb2.HealthCheckResponse
        for name in ("", SERVICE, CONTROL_SERVICE):
            await self._health.set(name, status.NOT_SERVING if self.why_not_ready() else status.SERVING)

    def report_warnings(self, warnings: tuple[str, ...]) -> None:
        """Report problems of this referee's configuration to the arena."""
        self._service.report_warnings(warnings)

    async def stop(self) -> None:
        """Send `Goodbye` to the bots, end the calls and all processes."""
        await self._health.enter_graceful_shutdown()
        self.dispatcher.close()
        for bot in self.dispatcher.bots():
            if bot.connection is not None:
                bot.connection.say_goodbye("the referee is going down", come_back=True)
        await self._control.stop(_GRACE_S)
        for bot in self.dispatcher.bots():
            if isinstance(bot, HostedBot):
                bot.shut_down()
        await asyncio.gather(self._bots.stop(_GRACE_S), self._bots_here.stop(_GRACE_S))
        self._launcher.close()
        self._clock.stop()

    def state(self) -> RefereeState:
        """Return what a scrape of its metrics reads.  Any thread may ask."""
        return RefereeState(
            orders=self.draining.matches,
            bot_processes=sum(isinstance(bot, HostedBot) and bot.is_alive for bot in self.dispatcher.bots()),
            idle_processes=self.dispatcher.count_idle(),
            slots=self._slots.count,
            slots_in_use=self._slots.in_use,
            worker_connected=self._service.has_worker,
            draining=self.draining.is_on,
            protection=self._launcher.protection.level,
        )

    def why_not_ready(self) -> tuple[str, ...]:
        """Return why no match can be played here now; empty if one can.  Any thread may ask."""
        return (
            *(() if self._service.has_worker else (_NO_WORKER,)),
            *((REASON,) if self.draining.is_on else ()),
        )

    def _check_program(self, program: str) -> None:
        """Check that there is such a program.  A bundle may still be brought: that is seen when it is started."""
        if sha256_of(program) is None:
            self._launcher.check(program)

    def _new_bot(self, source: Source, dispatcher: MatchDispatcher) -> BotHandle:
        limits, clock = self._limits, self._clock
        match source:
            case Hosted():
                return HostedBot(
                    source,
                    dispatcher,
                    launcher=self._launcher,
                    bundles=self._bundles,
                    tokens=self._tokens,
                    address=self._address_for_hosted(),
                    limits=limits,
                    clock=clock,
                    tally=dispatcher.tally,
                )
            case Endpoint():
                return EndpointBot(
                    source,
                    dispatcher,
                    limits=limits,
                    clock=clock,
                    coalescer=self._coalescer,
                    roots=self._roots,
                    private=self._private_endpoints,
                    on_answered=self._service.report_endpoint,
                )
            case DialIn():
                return DialInBot(
                    source, dispatcher, limits=limits, clock=clock, on_presence=self._service.report_presence
                )
            case HumanSource():
                return HumanSeat(source, dispatcher, clock)

    def _address_for_hosted(self) -> str:
        """Return the address that our own processes dial, in the clear: the Unix socket if there is one.

        Raises UsageError if there is none on this machine.
        """
        for address in sorted(self.bots_addresses, key=lambda address: not address.startswith("unix:")):
            if is_local(address):
                return address
        host, _, port = self.bots_addresses[0].rpartition(":")
        if not self._tls and host in {"", "0.0.0.0", "[::]"}:  # noqa: S104 - it is compared, not listened on
            return f"127.0.0.1:{port}"
        raise UsageError(
            f"--bots {self.bots_addresses[0]}: hosted bots need one on this machine beside it; add --bots unix:/PATH"
        )


def public_address(bots: Sequence[str]) -> str:
    """Return the first address of a bots' port that means the same on other machines; empty if there is none."""
    for address in bots:
        if not means_this_machine(address):
            return address
    return ""
