"""`kill -9` of each part in the middle of a tournament: it completes, with the very same export."""

import os
import signal

from sqlalchemy import select

from arena.storage import Store
from arena.storage.schema import Block
from tests.parts.arena_process import RunningArena, lives
from tests.patience import wait_until
from tests.recovery.conftest import CYCLES, Running

BACK_S = 10.0
"""How long a part may take to be back at work."""


def kill(*pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def another(arena: RunningArena, part: str, gone: list[int]) -> None:
    """Wait until as many processes of a part are there as before, without those that are gone."""
    count = len(arena.pids(part)) + len([pid for pid in gone if not lives(pid)])
    wait_until(
        lambda: len([pid for pid in arena.pids(part) if pid not in gone]) >= min(count, len(gone)),
        f"{part} is started again",
        within_s=BACK_S,
    )


def results_go_on(tournament: Running) -> None:
    before = tournament.done
    wait_until(
        lambda: tournament.done > before or tournament.done == 2 * CYCLES,
        "results come again",
        within_s=BACK_S,
    )


def holders(store: Store, tournament: Running) -> dict[int, str]:
    with store.read() as session:
        rows = session.scalars(
            select(Block).where(Block.tournament_id == tournament.id, Block.done.is_(False))
        )
        return {row.number: row.worker for row in rows if row.worker}


def test_a_worker(arena: RunningArena, store: Store, tournament: Running, undisturbed: str) -> None:
    held: dict[int, str] = {}  # looked at once: a block may be done, and none held, a moment later
    wait_until(lambda: held.update(holders(store, tournament)) or held, "a block is held")
    number, worker = next(iter(held.items()))
    victim = int(worker.rpartition("-")[2])
    kill(victim)
    wait_until(
        lambda: holders(store, tournament).get(number) != worker,
        "another has its block, or it is done",
        within_s=BACK_S,
    )
    another(arena, "worker", [victim])
    assert tournament.export() == undisturbed


def test_all_workers(arena: RunningArena, tournament: Running, undisturbed: str) -> None:
    victims = arena.pids("worker")
    kill(*victims)
    another(arena, "worker", victims)
    results_go_on(tournament)
    assert tournament.export() == undisturbed


def test_the_referee(arena: RunningArena, tournament: Running, undisturbed: str) -> None:
    victims = arena.pids("referee")
    kill(*victims)
    another(arena, "referee", victims)
    results_go_on(tournament)
    assert tournament.export() == undisturbed


def test_redis_that_comes_back_empty(arena: RunningArena, tournament: Running, undisturbed: str) -> None:
    victims = arena.pids("redis")
    kill(*victims)
    another(arena, "redis", victims)
    results_go_on(tournament)
    assert tournament.export() == undisturbed


def test_the_web(arena: RunningArena, tournament: Running, undisturbed: str) -> None:
    victims = arena.pids("web")
    kill(*victims)
    wait_until(lambda: arena.get("/") == 200, "the dashboard answers", within_s=BACK_S)
    assert arena.pids("web") != victims
    assert tournament.export() == undisturbed
