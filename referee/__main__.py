"""`python -m referee`: a referee's program.  It prints `ready` once both listeners serve, and then its protection from hosted bots."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import signal
import sys
from pathlib import Path

# Children are started by fork and exec: grpc need not be kept alive in them, nor say so on stderr.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

from arena.core.import_speed import collector_paused

with collector_paused():
    import uvloop

    from arena.core import child_process, grpc_environment, logging_setup, native_heap, sd_notify  # noqa: F401 - settles how grpc runs
    from arena.core.errors import ArenaError, UsageError
    from arena.core.host_and_port import is_host_and_port
    from arena.core.unforeseen_errors import UnforeseenErrors
    from arena.games.registry import GAMES
    from arena.monitoring import tracing
    from arena.monitoring.loop_lag import LoopLag
    from arena.monitoring.monitoring_server import MonitoringServer
    from arena.monitoring.part_health import PartHealth
    from arena.monitoring.part_registry import new_registry
    from arena.net.address import is_local
    from arena.net.certificate import read_certificate
    from arena.net.dialer import read_roots
    from arena.net.file_descriptors import raise_limit
    from arena.net.mutual_tls import read_mutual
    from arena.operations.start_checks.certificate_check import CertificateFile
    from arena.operations.start_checks.part_files import files_of_control
    from arena.referee_client.control_credentials import KEY_VARIABLE
    from referee.launch.bundle_cache import DEFAULT_MAX_BYTES, Bundles
    from referee.launch.launcher import Launcher
    from referee.launch.referee_environment import drop_private
    from referee.launch.weights_cache import DEFAULT_MAX_BYTES as MAX_WEIGHTS_BYTES
    from referee.limits.memory_budget import memory_budget
    from referee.limits.referee_limits import RefereeLimits
    from referee.limits.sandbox_bounds import MIB, Bounds
    from referee.metrics.referee_collector import RefereeCollector
    from referee.sandbox import self_test
    from referee.server import Referee
    from referee.services.setup_watch import watch_setup

_DESCRIPTORS = 65_536
"""The requested limit: each connection needs a descriptor, including those of attackers."""
_SIGN_OF_LIFE_S = 1.0
_EXTENSION_S = 15.0
"""For how long systemd waits for the next sign of a referee that drains."""
_log = logging.getLogger(__name__)


def main() -> None:
    """Run a referee until SIGTERM or SIGINT; an error is one line on stderr and exit code 1."""
    drop_private()
    options = _parser().parse_args()
    child_process.keep_private()
    native_heap.keep_compact()
    tuple(GAMES.values())  # load them now and not during a match
    # Matches leave few cycles and many live objects: with the default thresholds the collector takes a tenth of the time.
    # An aborted call of grpc is a cycle that lives long: whole collections have to come in minutes, not hours.
    gc.freeze()
    gc.set_threshold(50_000, 20, 3)
    raise_limit(_DESCRIPTORS)
    try:
        logging_setup.configure(options.log_level, "referee", options.log_format)
        tracing.start("referee")
        uvloop.run(_serve(options))
        tracing.stop()
    except ArenaError as error:
        sys.stderr.write(f"referee: {error}\n")
        sys.stderr.flush()
        os._exit(1)


async def _serve(options: argparse.Namespace) -> None:
    key = os.environ.pop(KEY_VARIABLE, "")
    if not options.control.startswith("unix:") and not key:
        raise UsageError(f"--control {options.control}: over TCP a shared key is needed; set {KEY_VARIABLE}")
    mutual = read_mutual(options.control_tls_cert, options.control_tls_key, options.control_tls_ca)
    if mutual is None and not is_local(options.control):
        _log.warning(
            "--control %s is open to other machines in the clear: whoever listens on the way can read hidden hands and the"
            " shared key; give it TLS by --control-tls-cert, --control-tls-key and --control-tls-ca",
            options.control,
        )
    bundles = Bundles(
        options.bundles,
        max_bytes=options.bundles_mib * MIB,
        max_weights_bytes=options.weights_mib * MIB,
    )
    bounds = _bounds(options)
    parts = 1 + options.beside
    budget = memory_budget(bounds, options.sandbox_memory_mib, parts=parts)
    _log.info("%s", budget)
    sd_notify.tell("STATUS=measuring the sandbox")
    launcher = await self_test.choose(
        options.sandbox,
        bounds,
        allow_files=options.allow_files,
        bundles=bundles.path,
        folder=options.bundles,
        address=next((address for address in options.bots if address.startswith("unix:")), ""),
    )
    referee = Referee(
        control=options.control,
        bots=options.bots,
        launcher=launcher,
        bundles=bundles,
        budget=budget,
        slots=options.slots or max(1, (os.cpu_count() or 1) // parts),
        limits=RefereeLimits(max_matches_at_once=options.bot_matches),
        key=key,
        control_certificate=None if mutual is None else mutual.server(),
        certificate=read_certificate(options.tls_cert, options.tls_key, tls=not options.plaintext),
        tls=not options.plaintext,
        roots=read_roots(options.ca),
        public=options.public or "",
        private_endpoints=options.private_endpoints,
        drain_s=options.drain_s,
    )
    stop = _StopSignals()
    registry = new_registry("referee")
    registry.register(RefereeCollector(referee.dispatcher.tally, referee.state))
    lag = LoopLag(registry)
    health = PartHealth(lag.is_turning, referee.why_not_ready)
    if options.monitoring:
        MonitoringServer(options.monitoring, registry, health).start()
    await referee.start()
    print(f"ready\n{launcher.protection}", flush=True)  # noqa: T201 - for the program that started it
    sd_notify.tell(sd_notify.READY, f"STATUS={launcher.protection}")
    beside = [
        asyncio.create_task(task)
        for task in (
            _show_life(launcher),
            lag.run(),
            watch_setup(_certificates(options), referee.report_warnings),
        )
    ]
    await stop.asked.wait()
    health.stop()
    sd_notify.tell(sd_notify.STOPPING)
    await _drain(referee, stop)
    await referee.stop()
    for task in beside:
        task.cancel()


class _StopSignals:
    """SIGTERM asks to drain and stop; a second one, or SIGINT, to stop at once."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.urgent = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._on_terminate)
        loop.add_signal_handler(signal.SIGINT, self._on_interrupt)

    def _on_terminate(self) -> None:
        if self.asked.is_set():
            self.urgent.set()
        self.asked.set()

    def _on_interrupt(self) -> None:
        self.urgent.set()
        self.asked.set()


async def _drain(referee: Referee, stop: _StopSignals) -> None:
    """Drain until no match runs, the limit has passed, or the stop is urgent; meanwhile systemd is asked to wait."""
    if stop.urgent.is_set() or not referee.draining.standard_limit_s:
        return
    referee.draining.begin()
    if referee.draining.matches:
        _log.warning(
            "draining: %d matches run, and are given %g s; a second SIGTERM ends them",
            referee.draining.matches,
            referee.draining.standard_limit_s,
        )
    extending = asyncio.create_task(_ask_for_time())
    waiting = {asyncio.create_task(referee.draining.wait()), asyncio.create_task(stop.urgent.wait())}
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in (extending, *waiting):
        task.cancel()


async def _ask_for_time() -> None:
    """Extend the time that systemd gives this process to stop, again and again."""
    while True:
        sd_notify.tell(sd_notify.extend_timeout(_EXTENSION_S))
        await asyncio.sleep(_SIGN_OF_LIFE_S)


async def _show_life(launcher: Launcher) -> None:
    """Send the supervisor heartbeats from the event loop, and check what the launcher has running."""
    errors = UnforeseenErrors(_log)
    while True:
        with errors.survive("the heartbeat"):
            sd_notify.tell(sd_notify.ALIVE)
        with errors.survive("checking the launcher's processes"):
            launcher.check_helpers()
        await asyncio.sleep(_SIGN_OF_LIFE_S)


def _certificates(options: argparse.Namespace) -> tuple[CertificateFile, ...]:
    """Return the files of certificates that this referee was given."""
    return (
        *files_of_control(options.control_tls_cert, options.control_tls_key, options.control_tls_ca),
        *(
            (CertificateFile("ARENA_TLS_CERT", options.tls_cert, options.tls_key),)
            if options.tls_cert
            else ()
        ),
        *((CertificateFile("ARENA_CA", options.ca),) if options.ca else ()),
    )


def _bounds(options: argparse.Namespace) -> Bounds:
    return Bounds(
        memory_bytes=options.bot_memory_mib * MIB,
        processes=options.bot_processes,
        cpu_s=options.bot_cpu_s,
        tmp_bytes=options.bot_tmp_mib * MIB,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="referee", description="Plays matches between bots.")
    parser.add_argument(
        "--control", required=True, metavar="ADDRESS", help="control port: unix:/path or host:port"
    )
    for option, text in (
        ("cert", "the control port's certificate over TCP, with its chain"),
        ("key", "that certificate's key"),
        ("ca", "root certificates of the workers and webs that may call"),
    ):
        parser.add_argument(f"--control-tls-{option}", default="", metavar="FILE", help=text)
    parser.add_argument(
        "--bots",
        required=True,
        action="append",
        metavar="ADDRESS",
        help="bots' port, may be given several times; TLS, but for Unix sockets and loopback",
    )
    parser.add_argument(
        "--tls-cert", default="", metavar="FILE", help="the bots' port's certificate, with its chain"
    )
    parser.add_argument("--tls-key", default="", metavar="FILE", help="the certificate's key")
    parser.add_argument(
        "--plaintext", action="store_true", help="no TLS: something in front of the bots' port does it"
    )
    parser.add_argument(
        "--ca", default="", metavar="FILE", help="root certificates for endpoints, beside the system's"
    )
    parser.add_argument(
        "--private-endpoints", action="store_true", help="dial endpoints at private and local addresses too"
    )
    parser.add_argument(
        "--public",
        type=_address,
        metavar="HOST:PORT",
        help="where bots from elsewhere reach the bots' port (standard: the first --bots that others can dial)",
    )
    parser.add_argument(
        "--slots", type=_positive, help="hosted bots that think at a time (standard: one per core)"
    )
    parser.add_argument("--allow-files", action="store_true", help="start local files as bots")
    parser.add_argument(
        "--bundles", type=Path, metavar="DIR", help="where uploads are unpacked; without it none is started"
    )
    parser.add_argument(
        "--bundles-mib",
        type=_positive,
        default=DEFAULT_MAX_BYTES // MIB,
        help=f"MiB of uploads that are kept unpacked (standard: {DEFAULT_MAX_BYTES // MIB})",
    )
    parser.add_argument(
        "--weights-mib",
        type=_positive,
        default=MAX_WEIGHTS_BYTES // MIB,
        help=f"MiB of bots' weights that are kept beside them (standard: {MAX_WEIGHTS_BYTES // MIB})",
    )
    parser.add_argument(
        "--sandbox",
        default="off",
        choices=self_test.MODES,
        help="hosted bots run in sandboxes: never, where it works, or not at all without (standard: off)",
    )
    parser.add_argument(
        "--bot-matches",
        type=_positive,
        default=RefereeLimits().max_matches_at_once,
        help=f"the most matches that one bot plays at once (standard: {RefereeLimits().max_matches_at_once})",
    )
    standard = Bounds()
    for option, value, text in (
        ("memory-mib", standard.memory_bytes // MIB, "MiB of memory"),
        ("processes", standard.processes, "processes and threads"),
        ("cpu-s", standard.cpu_s, "processor seconds of each process"),
        ("tmp-mib", standard.tmp_bytes // MIB, "MiB of files"),
    ):
        parser.add_argument(
            f"--bot-{option}", type=_positive, default=value, help=f"{text} in a sandbox (standard: {value})"
        )
    parser.add_argument(
        "--sandbox-memory-mib",
        type=_positive,
        help="MiB of memory for all hosted bots together (standard: from what the machine has)",
    )
    parser.add_argument(
        "--beside",
        type=_natural,
        default=0,
        metavar="N",
        help="other referees on this machine, which get as much of its memory and cores (standard: 0)",
    )
    parser.add_argument(
        "--drain-s",
        type=_natural,
        default=0,
        metavar="S",
        help="seconds that running matches may go on after SIGTERM (standard: 0, they end without result)",
    )
    parser.add_argument(
        "--monitoring",
        type=_address,
        metavar="HOST:PORT",
        help="where metrics and health checks are served, to no stranger (standard: nowhere)",
    )
    parser.add_argument("--log-level", default="INFO", choices=("DEBUG", "INFO", "WARNING", "ERROR"))
    parser.add_argument("--log-format", default="text", choices=("text", "json"))
    return parser


def _address(text: str) -> str:
    if not is_host_and_port(text):
        raise argparse.ArgumentTypeError(f"{text!r}: must be HOST:PORT, such as play1.example.org:7000")
    return text


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text}: must be 0 or more")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be 1 or more")
    return number


if __name__ == "__main__":
    main()
