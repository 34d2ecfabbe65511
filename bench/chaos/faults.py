"""Faults: what each does to a deployment, how it ends, and how it is put right by hand where the arena does not recover."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from bench.chaos import network
from bench.chaos.deployment import Deployment, address_of, part_of
from bench.chaos.machines import MachineError, children, command_line, send

Find = Callable[[Deployment], int | None]
_TRIES = 400
_SETTLE_S = 0.01
"""Seconds in which messages of a worker that has been stopped are processed."""
_FIND_S = 10.0


class Fault(Protocol):
    """A fault; there are `lasts_s` between `begin` and `end`, and it is over when `end` returns."""

    name: str
    group: str
    lasts_s: float
    gone: bool
    """Whether a machine is lost for good."""

    def begin(self, deployment: Deployment) -> str:
        """Begin it; gives what is worth telling of it."""
        ...

    def end(self, deployment: Deployment) -> None:
        """End it."""
        ...

    def repair(self, deployment: Deployment) -> None:
        """Make the deployment whole again after it was measured: by a new machine, or what an operator would do."""
        ...


@dataclass
class _Base:
    name: str
    group: str
    lasts_s: float = 0.0
    gone: bool = False

    def begin(self, deployment: Deployment) -> str:
        raise NotImplementedError

    def end(self, deployment: Deployment) -> None:
        """Nothing to do."""

    def repair(self, deployment: Deployment) -> None:
        """Nothing to do."""


@dataclass
class Killed(_Base):
    """A service is killed by a signal; its machine starts it again after a second."""

    machine: str = ""
    signal: signal.Signals = signal.SIGKILL
    forget: Callable[[Deployment], None] | None = None
    """Function that deletes files before the next start."""
    _pid: int | None = None

    def begin(self, deployment: Deployment) -> str:
        """Kill it."""
        machine, service = deployment.machines[self.machine], part_of(self.machine)
        if self.forget is not None:
            machine.hold(service)
        self._pid = machine.wait_for(service)
        send(self._pid, self.signal)
        return ""

    def end(self, deployment: Deployment) -> None:
        """Wait for its successor."""
        machine, service = deployment.machines[self.machine], part_of(self.machine)
        if self.forget is not None:
            _wait_until_dead(machine.pid, service)
            self.forget(deployment)
            machine.release(service)
        machine.wait_for(service, other_than=self._pid)


@dataclass
class Signalled(_Base):
    """A process that is no service of a machine is killed, or stopped for a while."""

    find: Find = lambda _deployment: None
    stops: bool = False
    _pid: int | None = None

    def begin(self, deployment: Deployment) -> str:
        """Find it, and send the signal."""
        until = time.monotonic() + _FIND_S
        while (pid := self.find(deployment)) is None:
            if time.monotonic() > until:
                raise MachineError(f"{self.name}: there is no such process")
            time.sleep(0.05)
        self._pid = pid
        send(pid, signal.SIGSTOP if self.stops else signal.SIGKILL)
        return ""

    def end(self, deployment: Deployment) -> None:  # noqa: ARG002 - as all faults have it
        """End the fault."""
        if self.stops and self._pid is not None:
            send(self._pid, signal.SIGCONT)


@dataclass
class Parted(_Base):
    """Two machines lose every packet that they send each other."""

    pair: tuple[str, str] = ("", "")

    def begin(self, deployment: Deployment) -> str:
        """Part them."""
        network.part(deployment.machines[self.pair[0]], address_of(self.pair[1]))
        return ""

    def end(self, deployment: Deployment) -> None:
        """Connect them again."""
        network.mend(deployment.machines[self.pair[0]], address_of(self.pair[1]))


@dataclass
class CutOff(_Base):
    """A machine is cut off from all others."""

    machine: str = ""

    def begin(self, deployment: Deployment) -> str:
        """Pull its plug."""
        deployment.network.cut_off(deployment.machines[self.machine])
        return ""

    def end(self, deployment: Deployment) -> None:
        """Plug it in again."""
        deployment.network.plug_in(deployment.machines[self.machine])


@dataclass
class Flushed(_Base):
    """Redis loses all it has, and goes on."""

    def begin(self, deployment: Deployment) -> str:
        """FLUSHALL."""
        deployment.redis.client.flushall()
        return ""


@dataclass
class Full(_Base):
    """PostgreSQL's volume is full."""

    def begin(self, deployment: Deployment) -> str:
        """Fill it."""
        deployment.postgres.fill_volume()
        return ""

    def end(self, deployment: Deployment) -> None:
        """Make room."""
        deployment.postgres.free_volume()


@dataclass
class Lost(_Base):
    """A machine is lost for good; a worker's, if it can be caught there, in the middle of a transaction that writes."""

    machine: str = ""
    gone: bool = True
    draw: random.Random = field(default_factory=random.Random)

    def begin(self, deployment: Deployment) -> str:
        """Lose it."""
        words = self._catch(deployment) if part_of(self.machine) == "worker" else ""
        deployment.lose(self.machine)
        return words

    def repair(self, deployment: Deployment) -> None:
        """Put a new machine in its place; end what the lost one has left in the database, if anything."""
        deployment.postgres.terminate(address_of(self.machine))
        deployment.add(self.machine)

    def _catch(self, deployment: Deployment) -> str:
        """Stop the worker at random moments until it is one at which it stores a result; it stays stopped."""
        pid = deployment.machines[self.machine].wait_for(part_of(self.machine))
        address = address_of(self.machine)
        with deployment.postgres.connect() as connection:
            for count in range(1, _TRIES + 1):
                send(pid, signal.SIGSTOP)
                time.sleep(_SETTLE_S)
                if deployment.postgres.stores(connection, address):
                    return f"in the middle of storing a result, at the {count}. try"
                send(pid, signal.SIGCONT)
                time.sleep(self.draw.uniform(0.005, 0.1))
        return f"not in the middle of storing a result: it was not caught there in {_TRIES} tries"


def watchdog_of(referee: str) -> Find:
    """Find the watchdog of a referee's sandboxes."""

    def find(deployment: Deployment) -> int | None:
        parent = deployment.machines[referee].pid("referee")
        below = children(parent) if parent else []
        return next((pid for pid in below if "referee.sandbox.watchdog" in command_line(pid)), None)

    return find


def backend_of(machine: str) -> Find:
    """Find the PostgreSQL process that serves a machine."""
    return lambda deployment: deployment.postgres.backend_of(address_of(machine))


def service_of(machine: str) -> Find:
    """Find the service of a machine."""
    return lambda deployment: deployment.machines[machine].pid(part_of(machine))


def _wait_until_dead(look: Callable[[str], int | None], service: str) -> None:
    until = time.monotonic() + _FIND_S
    while look(service) is not None and time.monotonic() < until:
        time.sleep(0.02)
