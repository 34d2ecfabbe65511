"""The parts of an arena on one machine, as programs."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from arena.competition.matches import blocks
from arena.core import child_process
from arena.core.errors import ArenaError, UsageError
from arena.monitoring import monitoring_address
from arena.net.address import read_tls
from arena.supervisor import embedded_redis
from arena.supervisor.data_directory import make_private
from arena.supervisor.part import Program, log_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from arena.core.settings import Settings
    from arena.storage import Store

HOST = "127.0.0.1"
STANDARD_BOTS_PORT = 8001
"""Where bots connect, if nothing else is asked for."""


class PortInUse(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a port that was asked for cannot be had."""


def logs_of(settings: Settings) -> Path:
    """Return the folder of the parts' logs."""
    return settings.data / "logs"


def environment(settings: Settings) -> Mapping[str, str]:
    """Return the variables by which every part finds the others; it inherits all other settings, but the web's secret."""
    return {
        "ARENA_DATA": str(settings.data),
        "ARENA_DATABASE_URL": settings.database_url,
        "ARENA_REDIS_URL": settings.redis_url,
        "ARENA_CONTROL": settings.control,
        "ARENA_MONITORING": settings.monitoring,
        "ARENA_SECRET": "",
        **({} if settings.bots_port is None else {"ARENA_BOTS_PORT": str(settings.bots_port)}),
    }


def web_environment(settings: Settings) -> Mapping[str, str]:
    """Return the environment of the web, the only part that has the secret."""
    return {**environment(settings), "ARENA_SECRET": settings.secret}


def redis(settings: Settings) -> Program:
    """Return the embedded Redis.  Raises RedisMissing."""
    folder = settings.data / "redis"
    make_private(folder)
    place = settings.socket("redis")
    return Program(
        "redis",
        tuple(embedded_redis.command(place, folder, log=log_of("redis", logs_of(settings)))),
        answers=lambda: embedded_redis.answers(place),
        private=False,
    )


def controls(settings: Settings, count: int) -> list[str]:
    """Return the addresses of the control ports of `count` referees; the first is that of the settings."""
    return [
        settings.control,
        *(f"unix:{settings.socket(f'referee-{number}')}" for number in range(2, count + 1)),
    ]


def referees(settings: Settings, ports: Sequence[int], began: Callable[[str], None]) -> list[Program]:
    """Return referees, one for each port where bots dial in; `began` is called with what protects each from hosted bots."""
    return [
        _referee(
            # The whole arena stops, and plays its matches again at the next start: it need not wait for them.
            settings.model_copy(
                update={
                    "control": control,
                    "bots_port": port,
                    "drain_s": 0,
                    "monitoring": monitoring_address.following(settings.monitoring, number),
                }
            ),
            number,
            len(ports),
            began,
        )
        for number, (control, port) in enumerate(zip(controls(settings, len(ports)), ports, strict=True), 1)
    ]


def _referee(settings: Settings, number: int, count: int, began: Callable[[str], None]) -> Program:
    address = f"{HOST}:{settings.bots_port}"
    places = ("--public", address, "--beside", str(count - 1))
    arguments = referee_arguments(settings, bots=(address,), name="" if number == 1 else f"referee-{number}")
    return Program(
        "referee" if count == 1 else f"referee {number}",
        (*arguments, *places),
        environment(settings),
        began=began,
        private=False,
    )


def referee_arguments(
    settings: Settings, bots: tuple[str, ...], public: str = "", name: str = ""
) -> tuple[str, ...]:
    """Return the command line of a referee; hosted bots find it on a Unix socket, others where `bots` says.

    One with a name has its own socket and its own uploads in the data directory.  Raises UsageError.
    """
    if len(settings.controls) != 1:
        raise UsageError(
            f"ARENA_CONTROL {settings.control!r}: a referee listens at one address; only workers and the web may name several"
        )
    addresses = (f"unix:{settings.socket(f'{name}-bots' if name else 'bots')}", *bots)
    files = {
        "--tls-cert": settings.tls_cert,
        "--tls-key": settings.tls_key,
        "--ca": settings.ca,
        "--control-tls-cert": settings.control_tls_cert,
        "--control-tls-key": settings.control_tls_key,
        "--control-tls-ca": settings.control_tls_ca,
    }
    return (
        *child_process.module("referee", "--control", settings.control),
        *(argument for address in addresses for argument in ("--bots", address)),
        *(argument for option, file in files.items() if file for argument in (option, file)),
        *(() if read_tls(settings.tls) else ("--plaintext",)),
        *(("--private-endpoints",) if settings.private_endpoints else ()),
        *(("--public", public) if public else ()),
        *("--bundles", str(settings.data / name / "bundles"), "--bundles-mib", str(settings.bundles_mib)),
        *("--weights-mib", str(settings.weights_cache_mib)),
        *("--sandbox", settings.sandbox),
        *("--bot-matches", str(settings.bot_matches)),
        *("--bot-memory-mib", str(settings.bot_memory_mib), "--bot-processes", str(settings.bot_processes)),
        *("--bot-cpu-s", str(settings.bot_cpu_s), "--bot-tmp-mib", str(settings.bot_tmp_mib)),
        *(
            ()
            if settings.sandbox_memory_mib is None
            else ("--sandbox-memory-mib", str(settings.sandbox_memory_mib))
        ),
        *("--drain-s", str(settings.drain_s)),
        *("--log-level", settings.log_level, "--log-format", settings.log_format),
        *(("--monitoring", settings.monitoring) if settings.monitoring else ()),
    )


def worker(settings: Settings, number: int, store: Store) -> Program:
    """Return a worker.  When it dies, its blocks are free at once; elsewhere their leases run out.

    Of several referees each worker has another first.
    """
    monitoring = monitoring_address.following(settings.monitoring, len(settings.controls) + number)
    turn = (number - 1) % len(settings.controls)
    control = ",".join((*settings.controls[turn:], *settings.controls[:turn]))
    return Program(
        f"worker {number}",
        child_process.module("workers"),
        environment(settings.model_copy(update={"control": control, "monitoring": monitoring})),
        awaited=False,
        grace_s=8.0,
        died=partial(_free_blocks, store),
    )


def web(settings: Settings, port: int, began: Callable[[str], None] = lambda _status: None) -> Program:
    """Return the web; `began` is called when it serves."""
    arguments = child_process.module("arena.web", "--host", HOST, "--port", str(port))
    return Program("web", arguments, web_environment(settings), began=began)


def choose_bots_ports(settings: Settings, count: int = 1) -> list[int]:
    """Return ports for bots: the one that was asked for, else 8001, and those after it; free ones where those are taken.

    Raises PortInUse if the one that was asked for is.
    """
    if settings.bots_port is not None:
        check_port(settings.bots_port, "--bots-port")
    first = settings.bots_port or STANDARD_BOTS_PORT
    with ExitStack() as held:
        found: list[int] = []
        for wanted in range(first, first + count):
            for port in (wanted, 0):
                with suppress(OSError):
                    listener = held.enter_context(socket.create_server((HOST, port)))
                    found.append(listener.getsockname()[1])
                    break
            else:
                raise PortInUse(f"no port of {HOST} is free; give one with --bots-port")
        return found


def check_port(port: int, option: str) -> None:
    """Check that the port is free.  Raises PortInUse."""
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise PortInUse(
            f"port {port} of {HOST}: {reason}; give another one with {option}, or stop the program that has it"
        ) from error


def _free_blocks(store: Store, pid: int) -> None:
    with suppress(SQLAlchemyError):
        blocks.expire(store, child_process.name(pid))
