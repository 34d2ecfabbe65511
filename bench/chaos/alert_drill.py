"""A drill: break one thing for each alert, see it fire on a live Prometheus, do what the runbook says, see it end.

Each drill is a generator: what comes before `yield` breaks something, what comes after is the cure of docs/runbook.md.
"""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import MappingProxyType

from arena.accounts import actors, users
from arena.accounts.actors import OPERATOR, Actor
from arena.bundle_format.bundle import read_upload
from arena.competition import lifecycle
from arena.competition.qualification import submissions
from arena.core.errors import ArenaError
from arena.messaging import job_queue
from bench.chaos import network
from bench.chaos.bots import GAME, list_hosted
from bench.chaos.deployment import REFEREES, WEBS, WORKERS, Deployment, address_of, part_of
from bench.chaos.machines import MachineError, send, wait_for
from bench.chaos.pace import Pace
from bench.chaos.prometheus import FOLDER, Prometheus
from bench.chaos.schedule import is_wanted
from bench.chaos.supply import Supply
from bench.chaos.verdict import Check

MONITORING_PORT = 9100
SETTINGS = MappingProxyType({"ARENA_MONITORING": f"0.0.0.0:{MONITORING_PORT}"})
JOBS = MappingProxyType({"arena-web": WEBS, "arena-worker": WORKERS, "arena-referee": REFEREES})
ALERTS = tuple(re.findall(r"^ *- alert: (\w+)$", (FOLDER / "alerts.yml").read_text(), re.MULTILINE))
_WITHIN_S = 240.0
"""Seconds that an alert may take to fire, and to end: the longest takes two minutes at SCALE."""
_BREAKER = """
import time
from arena.sdk import Bot, run

class Breaker(Bot):
    matches_at_once = 16

    def choose(self, decision):
        if time.time() > {at}:
            raise RuntimeError("as the drill wants it")
        return decision.legal[0]

run(Breaker())
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """Parts that a drill may break."""

    deployment: Deployment
    prometheus: Prometheus
    supply: Supply
    author: Actor

    @contextmanager
    def down(self, *names: str) -> Iterator[None]:
        """Keep the parts of some machines down."""
        for name in names:
            machine = self.deployment.machines[name]
            machine.hold(part_of(name))
            if (pid := machine.pid(part_of(name))) is not None:
                send(pid, signal.SIGKILL)
        try:
            yield
        finally:
            for name in names:
                self.deployment.machines[name].release(part_of(name))

    def pid(self, name: str) -> int:
        """Wait for the part of a machine; return its process."""
        return self.deployment.machines[name].wait_for(part_of(name))

    def upload(self, source: str, name: str) -> None:
        """Upload a bot in Python."""
        bot = read_upload(source.encode(), f"{name}.py", game=GAME, name=name)
        submissions.submit(self.deployment.store, self.author, bot, allowed=(), most=10)

    def is_active(self, name: str) -> bool:
        """Whether an uploaded bot has qualified."""
        rows = submissions.versions(self.deployment.store, self.author, GAME, name)
        return any(row.state == "active" for row in rows)


@contextmanager
def repeated(action: Callable[[], object], every_s: float) -> Iterator[None]:
    """Do something again and again meanwhile."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(every_s):
            with suppress(ArenaError, OSError):
                action()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def part_down(scene: Scene) -> Iterator[None]:
    """Keep a worker down; start it."""
    with scene.down("work3"):
        yield


def part_missing(scene: Scene) -> Iterator[None]:
    """Take the referees from Prometheus; give their addresses back."""
    scene.prometheus.forget("arena-referee")
    yield
    scene.prometheus.remember()


def store_unreadable(scene: Scene) -> Iterator[None]:
    """Keep PostgreSQL down; start it."""
    with scene.down("db1"):
        yield


def redis_away(scene: Scene) -> Iterator[None]:
    """Keep Redis down; start it."""
    with scene.down("cache1"):
        yield


def redis_refuses_writes(scene: Scene) -> Iterator[None]:
    """Fill Redis; raise maxmemory."""
    client = scene.deployment.redis.client
    client.config_set("maxmemory", 1)
    yield
    client.config_set("maxmemory", 0)


def part_not_ready(scene: Scene) -> Iterator[None]:
    """Part a worker from its referee; connect them."""
    machine = scene.deployment.machines["work3"]
    with network.parted(machine, address_of("play1")):
        yield


def nothing_is_played(scene: Scene) -> Iterator[None]:
    """Keep the referees down, and start the workers again; start the referees."""
    with scene.down(*REFEREES):
        for name in WORKERS:
            send(scene.pid(name), signal.SIGKILL)
        yield


def upload_waits(scene: Scene) -> Iterator[None]:
    """Upload a bot while no worker is up; start them."""
    with scene.down(*WORKERS):
        scene.upload(_BREAKER.format(at=time.time() + 3600), "patient")
        yield


def figures_wait(scene: Scene) -> Iterator[None]:
    """Ask for the chances of a match while no worker is up; start them."""
    with scene.down(*WORKERS):
        job_queue.enqueue_insight(scene.deployment.redis.client, "chances", min(scene.supply.created), 0, 0)
        yield


def matches_fail(scene: Scene) -> Iterator[None]:
    """Kill house bots again and again; stop that."""

    def kill() -> None:
        for referee in REFEREES:
            for bot in list_hosted(scene.deployment, referee):
                send(bot.process, signal.SIGKILL)

    with repeated(kill, 2.0):
        yield


def many_forfeits(scene: Scene) -> Iterator[None]:
    """Play with an uploaded bot that crashes in every match; take it out of play."""
    scene.supply.end()
    scene.supply.finish(_WITHIN_S)
    # By then the window of the alert has no other matches in it.
    crashes_at = time.time() + 60
    scene.upload(_BREAKER.format(at=crashes_at), "breaker")
    wait_for(lambda: scene.is_active("breaker"), "the bot qualifies", 60.0, 0.5)
    supply = Supply(scene.deployment.store, 1, ())
    wait_for(lambda: time.time() > crashes_at, "it crashes from now on", 70.0, 0.5)
    number = supply.create_with("breaker")
    yield
    with suppress(ArenaError):  # it may be over
        lifecycle.cancel(scene.deployment.store, number, OPERATOR)
    scene.supply.begin(0)


def event_loop_late(scene: Scene) -> Iterator[None]:
    """Give a web a core for a quarter of the time; let it run."""
    pid = scene.pid("web2")

    def pause() -> None:
        send(pid, signal.SIGSTOP)
        time.sleep(0.6)
        send(pid, signal.SIGCONT)

    with repeated(pause, 0.2):
        yield


def pages_fail(scene: Scene) -> Iterator[None]:
    """Part a web from the store; connect them."""
    with network.parted(scene.deployment.machines["web2"], address_of("db1")):
        yield


def weak_sandbox(scene: Scene) -> Iterator[None]:
    """Set up a referee without a sandbox; set it up with one."""
    scene.deployment.replace("play2", {"ARENA_SANDBOX": "off"})
    yield
    scene.deployment.replace("play2")


def part_restarts(scene: Scene) -> Iterator[None]:
    """Kill a worker again and again; stop that."""
    address, killed = f"{address_of('work2')}:{MONITORING_PORT}", {""}

    def kill() -> None:
        """Kill it as soon as Prometheus has seen its new process."""
        started_at = scene.prometheus.started_at(address)
        if started_at not in killed:
            killed.add(started_at)
            send(scene.pid("work2"), signal.SIGKILL)

    with repeated(kill, 0.5):
        yield


def backup_old(scene: Scene) -> Iterator[None]:
    """Have no backup; make one."""
    yield
    folder = scene.deployment.folder / "backups"
    folder.mkdir(exist_ok=True)
    scene.deployment.arena("backup", "--to", str(folder))


DRILLS: Mapping[str, Callable[[Scene], Iterator[None]]] = MappingProxyType(
    {
        "ArenaPartDown": part_down,
        "ArenaPartMissing": part_missing,
        "ArenaStoreUnreadable": store_unreadable,
        "ArenaRedisAway": redis_away,
        "ArenaRedisRefusesWrites": redis_refuses_writes,
        "ArenaPartNotReady": part_not_ready,
        "ArenaNothingIsPlayed": nothing_is_played,
        "ArenaUploadWaits": upload_waits,
        "ArenaFiguresWait": figures_wait,
        "ArenaMatchesFail": matches_fail,
        "ArenaManyForfeits": many_forfeits,
        "ArenaEventLoopLate": event_loop_late,
        "ArenaPagesFail": pages_fail,
        "ArenaWeakSandbox": weak_sandbox,
        "ArenaPartRestarts": part_restarts,
        "ArenaBackupOld": backup_old,
    }
)
"""By alert, in the order of the runbook."""


def run(deployment: Deployment, seed: int, pace: Pace, only: Collection[str]) -> Iterator[Check]:
    """Do the drills of a deployment that has started with SETTINGS."""
    targets = {
        job: [f"{address_of(name)}:{MONITORING_PORT}" for name in names] for job, names in JOBS.items()
    }
    prometheus = Prometheus(deployment.new_machine("watch1"), targets)
    supply = Supply(deployment.store, seed)
    supply.begin(0)
    with deployment.store.write() as session:
        user = users.add_in(session, "drill", "author", None)
        session.flush()
        author = Actor(user.id, user.name, user.role, actors.scopes_of(user.role))
    scene = Scene(deployment, prometheus, supply, author)
    try:
        for alert, drill in DRILLS.items():
            if is_wanted(only, "alerts", alert):
                yield _do(scene, pace, alert, drill)
    finally:
        supply.end()
        prometheus.close()


def _do(scene: Scene, pace: Pace, alert: str, drill: Callable[[Scene], Iterator[None]]) -> Check:
    """Do one drill: the alert has to be quiet before, to fire while something is broken, and to end after the cure."""
    now = time.monotonic()
    within_s = _WITHIN_S * pace.slowness(now - 10, now)
    words = " ".join((drill.__doc__ or "").split())
    steps = drill(scene)
    try:
        if alert != "ArenaBackupOld":  # of which a new arena has none
            wait_for(lambda: alert not in scene.prometheus.firing(), f"{alert} is quiet", within_s, 0.5)
        next(steps)
        fired_s = wait_for(lambda: alert in scene.prometheus.firing(), f"{alert} fires", within_s, 0.5)
        next(steps, None)
        ended_s = wait_for(
            lambda: alert not in scene.prometheus.firing(), f"{alert} ends after the cure", within_s, 0.5
        )
    except (ArenaError, OSError) as error:
        return Check(f"{alert}: {words}", holds=False, found=str(error))
    finally:
        with suppress(MachineError):
            steps.close()  # type: ignore[attr-defined]
    return Check(
        f"{alert}: {words}",
        holds=True,
        found=f"fired after {fired_s:.0f} s, ended {ended_s:.0f} s after the cure",
    )
