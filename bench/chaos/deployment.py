"""A deployment on several machines, as docs/deployment.md says: PostgreSQL, Redis, two referees, three workers, two webs."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from arena.storage import Store
from bench.chaos import network
from bench.chaos.backends import VOLUME_MIB, Postgres, RedisServer
from bench.chaos.health import Health
from bench.chaos.machines import DYING_WITH_US, Machine, Service, wait_for
from bench.chaos.network import Network
from tests import certificates

ARENA = str(Path(sys.executable).parent / "arena")
_CONTROL, BOTS = 7001, 7000
_NUMBERS = {
    "db1": 1,
    "cache1": 2,
    "play1": 11,
    "play2": 12,
    "work1": 21,
    "work2": 22,
    "work3": 23,
    "web1": 31,
    "web2": 32,
    "home1": 41,
    "watch1": 51,
}
REFEREES = ("play1", "play2")
WORKERS = ("work1", "work2", "work3")
WEBS = ("web1", "web2")
REFEREES_OF = {
    "work1": ("play1", "play2"),
    "work2": ("play2", "play1"),
    "work3": ("play1",),
    "web1": ("play1", "play2"),
    "web2": ("play2", "play1"),
}
"""Which referees each names, the one that it uses first.  One worker names one alone: without it, it must give its blocks back."""
_START_S = 300.0


@dataclass
class Deployment:
    """All machines, by name, and the servers on two of them."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    """Environment variables of all parts, in addition to those by which they find each other."""
    volume_mib: int = VOLUME_MIB
    """The room that PostgreSQL has."""
    machines: dict[str, Machine] = field(default_factory=dict)
    health: dict[str, Health] = field(default_factory=dict)

    def start(self) -> None:
        """Start everything, in the order of the docs."""
        self._keys = {name: secrets.token_hex(32) for name in ("control", "secret")}
        hosts = tuple(address_of(name) for name in REFEREES)
        self.certificate = certificates.issue(self.folder, hosts=hosts)
        self.network = Network(self.folder)
        self.postgres = Postgres(self.new_machine("db1"), address_of("db1"), self.volume_mib)
        self.redis = RedisServer(self.new_machine("cache1"), address_of("cache1"))
        self.arena("db", "upgrade")
        self.store = Store.open(self.postgres.own_url)
        for name in (*REFEREES, *WORKERS, *WEBS):
            self.add(name)
        for name in WEBS:
            self.health[name] = Health(self.machines[name])
        wait_for(self.is_whole, "all parts are up", _START_S, 0.2)

    def add(self, name: str, more: Mapping[str, str] = MappingProxyType({})) -> None:
        """Add a machine with its part, or one in the place of one that is gone; `more` are settings of its own."""
        machine = self.new_machine(name)
        environment = {**self._environment(name), **more}
        machine.start(Service(part_of(name), self._arguments(name), environment))

    def replace(self, name: str, more: Mapping[str, str] = MappingProxyType({})) -> None:
        """Put a new machine with some settings in the place of one."""
        self.lose(name)
        self.add(name, more)

    def lose(self, name: str) -> None:
        """Lose a machine for good: its plug is pulled, and then its power."""
        machine = self.machines.pop(name)
        self.network.cut_off(machine)
        machine.power_off()
        self.network.remove(machine)
        machine.close()

    def is_whole(self) -> bool:
        """Whether both webs answer, know both referees, and say that nothing is wrong."""
        return all(
            health.now.body.get("status") == "ok" and len(health.now.referees) == len(REFEREES)
            for health in self.health.values()
        )

    def arena(self, *arguments: str) -> str:
        """Run a command of an operator's, past the network; its output.  Raises CalledProcessError."""
        urls = {"ARENA_DATABASE_URL": self.postgres.own_url, "ARENA_REDIS_URL": self.redis.url}
        environment = {**_BASE, **urls, "ARENA_DATA": str(self.folder / "operator")}
        return subprocess.run(
            [*DYING_WITH_US, ARENA, *arguments],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            timeout=300,
        ).stdout

    def close(self) -> None:
        """Stop and remove all of it."""
        for health in self.health.values():
            health.close()
        for machine in self.machines.values():
            machine.close()
        self.network.close()

    def new_machine(self, name: str) -> Machine:
        """Make a machine and connect it to the others; `close` removes it."""
        machine = Machine(name, self.folder)
        self.machines[name] = machine
        self.network.attach(machine, address_of(name))
        return machine

    def _arguments(self, name: str) -> tuple[str, ...]:
        match part_of(name):
            case "referee":
                bots = f"{address_of(name)}:{BOTS}"
                return (
                    ARENA,
                    "serve",
                    "referee",
                    "--bots",
                    bots,
                    "--public",
                    bots,
                    *self.certificate.options,
                )
            case "worker":
                return (ARENA, "serve", "worker")
            case _:
                return (ARENA, "serve", "web", "--host", "0.0.0.0")  # noqa: S104 - of its own namespace

    def _environment(self, name: str) -> Mapping[str, str]:
        referees = [f"{address_of(each)}:{_CONTROL}" for each in REFEREES_OF.get(name, (name,))]
        return {
            **_BASE,
            **_ALLOCATOR,
            **self.settings,
            "ARENA_DATA": str(self.machines[name].folder / "data"),
            "ARENA_DATABASE_URL": self.postgres.url,
            "ARENA_REDIS_URL": self.redis.url,
            "ARENA_CONTROL": ",".join(referees),
            "ARENA_CONTROL_KEY": self._keys["control"],
            **({"ARENA_SECRET": self._keys["secret"]} if part_of(name) == "web" else {}),
        }


_UNIT = Path(__file__).parents[2] / "deploy" / "systemd" / "arena-worker@.service"
_ALLOCATOR = dict(
    re.findall(r"^Environment=(LD_PRELOAD|PYTHONMALLOC|MALLOC_CONF)=(.*)$", _UNIT.read_text(), re.MULTILINE)
)
"""Allocator of the parts, as under systemd."""
_BASE = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/root"), "LANG": "C.UTF-8"}


def address_of(name: str) -> str:
    """Return the address of a machine."""
    return network.address(_NUMBERS[name])


def part_of(name: str) -> str:
    """Name the part that a machine runs: postgres, redis, referee, worker or web."""
    parts = {
        "db": "postgres",
        "cache": "redis",
        "play": "referee",
        "work": "worker",
        "web": "web",
        "home": "visitors",
        "watch": "prometheus",
    }
    return parts[name.rstrip("0123456789")]
