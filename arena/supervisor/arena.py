"""The whole arena on one machine, from the lock of its data to the last part that ends."""

from __future__ import annotations

import shlex
import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from arena.accounts import sign_in_links
from arena.core.child_process import keep_private
from arena.core.settings import read
from arena.messaging.redis_connection import connect
from arena.operations.write_probe import Probe
from arena.storage import Store, StoreInUse
from arena.storage.migration import Progress, contract, upgrade
from arena.supervisor import demo_tournaments, part_programs
from arena.supervisor.data_directory import close_to_others, locked
from arena.supervisor.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from arena.core.settings import Settings
    from arena.supervisor.part import Program

_STEP_S = 0.1
_PROGRESS_EVERY_S = 5
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Display(Protocol):
    """The place where `arena up` reports."""

    def say(self, text: str) -> None:
        """Write a line."""

    def look(self, store: Store) -> None:
        """Show what has changed in the store."""

    def close(self) -> None:
        """Leave the terminal as it was."""


@dataclass(frozen=True, slots=True)
class ArenaOptions:
    """The options of `arena up`."""

    port: int
    workers: int
    referees: int
    demo: bool


@dataclass(slots=True)
class _Stop:
    """Requests to stop: the first is orderly, the second immediate."""

    asked: int = 0

    def is_asked(self) -> bool:
        return self.asked > 0

    def is_urgent(self) -> bool:
        return self.asked > 1

    def ask(self, _signal: int, _frame: FrameType | None) -> None:
        self.asked += 1


def run(settings: Settings, options: ArenaOptions, display: Display) -> None:
    """Run the arena until SIGINT, SIGTERM or SIGHUP.

    Everything that can be known to be wrong is found before the first part starts; what is wrong later stops those that
    have started.  Raises ArenaError.
    """
    keep_private()
    with locked(settings.data, settings.sockets):
        if closed := close_to_others(settings.data):
            display.say(closed)
        part_programs.check_port(options.port, "--port")
        ports = part_programs.choose_bots_ports(settings, options.referees)
        settings = settings.model_copy(update={"bots_port": ports[0]})
        if not settings.embeds_redis:
            connect(settings.redis_url).close()
        _prepare_store(settings.database_url, display)
        store = Store.open(settings.database_url)
        protections: list[str] = []
        programs = _programs(settings, options, store, protections.append, display, ports)
        logs = part_programs.logs_of(settings)
        supervisor = Supervisor(programs, logs, settings.socket("notify"), stops_first="web")
        with _asked_to_stop() as stop:
            try:
                demo_tournaments.move_in(store, demo=options.demo)
                supervisor.start(stop.is_asked, display.say)
                if not stop.is_asked():
                    bots = " and ".join(f"{part_programs.HOST}:{port}" for port in ports)
                    display.say(f"Bots dial in at {bots}")
                    display.say(f"Protection from hosted bots is {protections[-1]}")
                    _introduce_admin(store, settings, options, display)
                _watch(supervisor, store, Probe(store, settings.data), display, stop)
                display.close()
                display.say("Stopping; what has been played is stored")
            finally:
                display.close()
                supervisor.stop(at_once=stop.is_urgent)
                store.close()


def _prepare_store(url: str, display: Display) -> None:
    """Bring the store to this release's schema; what older parts elsewhere still need stays until a later start."""
    upgrade(url, _say_progress(display))
    try:
        contract(url, _say_progress(display))
    except StoreInUse as error:
        display.say(f"Nothing was removed yet: {error}")


def _say_progress(display: Display) -> Progress:
    """Return a callback that reports every few seconds how far a migration of records is."""
    said_at = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal said_at
        if time.monotonic() - said_at >= _PROGRESS_EVERY_S:
            said_at = time.monotonic()
            display.say(f"Upgrading the store: {done} of {total} records")

    return report


def _link_command(settings: Settings, address: str) -> str:
    """Return the command that makes another sign-in link for the admin of this arena."""
    here = settings.database_url == read(data=settings.data, database_url="").database_url
    data = ("--data", str(settings.data)) if here else ()
    return shlex.join(["arena", "user", "link", "create", "admin", *data, "--url", address])


def _introduce_admin(store: Store, settings: Settings, options: ArenaOptions, display: Display) -> None:
    """In a store without a user who can sign in, create the admin and print the sign-in link."""
    made = sign_in_links.ensure_admin(store)
    if made is None:
        return
    address = f"http://{part_programs.HOST}:{options.port}"
    display.say(f"The admin signs in once by this link, within {sign_in_links.STANDARD_MINUTES} minutes:")
    display.say(made.address(address))
    display.say(
        f"On the command line: `arena login {address}`, which asks for it; `{_link_command(settings, address)}` makes another"
    )


def _programs(
    settings: Settings,
    options: ArenaOptions,
    store: Store,
    began: Callable[[str], None],
    display: Display,
    ports: Sequence[int],
) -> list[list[Program]]:
    """Return the parts in the groups in which they start."""
    address = f"http://{part_programs.HOST}:{options.port}"
    referees = part_programs.referees(settings, ports, began)
    settings = settings.model_copy(update={"control": ",".join(part_programs.controls(settings, len(ports)))})
    web = part_programs.web(
        settings, options.port, lambda _status: display.say(f"The arena is at {address} · Ctrl-C stops it")
    )
    return [
        *([[part_programs.redis(settings)]] if settings.embeds_redis else []),
        [web],
        referees,
        [part_programs.worker(settings, number + 1, store) for number in range(options.workers)],
    ]


def _watch(supervisor: Supervisor, store: Store, probe: Probe, display: Display, stop: _Stop) -> None:
    """Keep the parts running until we are to stop; report their deaths, and when nothing can be stored."""
    reported = ""
    while not stop.is_asked():
        for message in supervisor.watch():
            display.say(message)
        problem = probe.verdict(wait_s=0).problem
        if bool(problem) != bool(reported):  # the words of one problem change with time
            reported = problem
            display.say(
                f"Results cannot be stored: {problem}"
                if problem
                else "The store can be written again; play goes on"
            )
        display.look(store)
        time.sleep(_STEP_S)


@contextmanager
def _asked_to_stop() -> Iterator[_Stop]:
    """Handle the signals that ask to stop, within the block."""
    stop = _Stop()
    before = {number: signal.signal(number, stop.ask) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
