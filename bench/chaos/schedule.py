"""Which faults come, in which order, to whom and for how long: it all follows from a seed."""

from __future__ import annotations

import random
import signal
from collections.abc import Collection
from dataclasses import dataclass

from bench.chaos.deployment import REFEREES, REFEREES_OF, WEBS, WORKERS, Deployment
from bench.chaos.faults import (
    CutOff,
    Fault,
    Find,
    Flushed,
    Full,
    Killed,
    Lost,
    Parted,
    Signalled,
    backend_of,
    service_of,
    watchdog_of,
)

GROUPS = ("kill", "stop", "database", "redis", "partition", "gone", "disk", "bots", "alerts")


@dataclass(frozen=True, slots=True)
class Planned:
    """A fault, and how long to wait before it, from the moment at which the one before it is over."""

    after_s: float
    fault: Fault


@dataclass(frozen=True, slots=True)
class Targets:
    """The machines whose own parts faults may kill, stop or cut off."""

    workers: tuple[str, ...] = WORKERS
    referees: tuple[str, ...] = REFEREES
    webs: tuple[str, ...] = WEBS


def plan(seed: int, only: Collection[str] = (), targets: Targets = Targets()) -> tuple[Planned, ...]:
    """Plan all faults of a deployment, or those whose group or name has one of some words in it."""
    draw = random.Random(seed)
    found = _all(draw, targets)
    draw.shuffle(found)
    pauses = [draw.uniform(0.3, 1.5) for _ in found]
    return tuple(
        Planned(pause, fault)
        for pause, fault in zip(pauses, found, strict=True)
        if is_wanted(only, fault.group, fault.name)
    )


def is_wanted(only: Collection[str], group: str, name: str) -> bool:
    """Return whether something is among what was asked for; without words all is."""
    return not only or any(word == group or word in name for word in only)


def _all(draw: random.Random, targets: Targets) -> list[Fault]:
    parts = (targets.workers, targets.referees, targets.webs)
    killed = [Killed(f"{name} killed", "kill", machine=name) for name in map(draw.choice, parts)]
    stopped = [
        _stopped(f"{name} stopped", "stop", service_of(name), draw.uniform(6, 9))
        for name in map(draw.choice, parts)
    ]
    name = draw.choice(targets.referees)
    found: list[Fault] = [
        *killed,
        *stopped,
        Signalled(f"watchdog of {name} killed", "kill", find=watchdog_of(name)),
        _stopped(f"watchdog of {name} stopped", "stop", watchdog_of(name), draw.uniform(3, 5)),
    ]
    return found + _backends(draw, targets) + _partitions(draw, targets) + _losses(draw, targets)


def _backends(draw: random.Random, targets: Targets) -> list[Fault]:
    killed, stopped = draw.choice(targets.workers), draw.choice(targets.workers)
    return [
        Signalled(f"PostgreSQL's process for {killed} killed", "database", find=backend_of(killed)),
        _stopped(
            f"PostgreSQL's process for {stopped} stopped", "database", backend_of(stopped), draw.uniform(6, 9)
        ),
        Killed("PostgreSQL killed", "database", machine="db1"),
        _stopped("PostgreSQL's first process stopped", "database", service_of("db1"), draw.uniform(4, 6)),
        Killed("PostgreSQL restarted (fast)", "database", machine="db1", signal=signal.SIGINT),
        Killed("Redis killed", "redis", machine="cache1"),
        Killed("Redis killed, its files lost", "redis", machine="cache1", forget=_forget_redis),
        Flushed("Redis flushed", "redis"),
        _stopped("Redis hangs", "redis", service_of("cache1"), draw.uniform(10, 14)),
        Full("PostgreSQL's disk full", "disk", draw.uniform(8, 12)),
    ]


def _partitions(draw: random.Random, targets: Targets) -> list[Fault]:
    worker, web = draw.choice(targets.workers), draw.choice(targets.webs)
    pairs = (
        (worker, REFEREES_OF[worker][0]),
        (worker, "db1"),
        (worker, "cache1"),
        (web, "db1"),
        (web, "cache1"),
        (web, REFEREES_OF[web][0]),
    )
    parted = [
        Parted(f"{one} and {other} parted", "partition", draw.uniform(5, 8), pair=(one, other))
        for one, other in pairs
    ]
    referee = draw.choice(targets.referees)
    return [*parted, CutOff(f"{referee} cut off", "partition", draw.uniform(5, 8), machine=referee)]


def _losses(draw: random.Random, targets: Targets) -> list[Fault]:
    referee, worker = draw.choice(targets.referees), draw.choice(targets.workers)
    return [
        Lost(f"machine {referee} lost", "gone", machine=referee),
        Lost(f"machine {worker} lost", "gone", machine=worker, draw=random.Random(draw.random())),
    ]


def _stopped(name: str, group: str, find: Find, lasts_s: float) -> Signalled:
    return Signalled(name, group, lasts_s, find=find, stops=True)


def _forget_redis(deployment: Deployment) -> None:
    deployment.redis.forget()
