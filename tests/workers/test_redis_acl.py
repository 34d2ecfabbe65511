"""The rights in Redis that the docs give the arena are all that it needs; with a real Redis that has that user alone."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from redis import Redis
from redis.exceptions import NoPermissionError, RedisError

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.messaging import presence, queue_status
from arena.messaging.redis_connection import connect, connect_async
from arena.referee_client import local_referee
from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from arena.supervisor import embedded_redis
from arena.web.app import create_app
from tests.dialling import dialling_bot
from tests.parts.arena_process import free_port
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.workers.conftest import Start
from tests.workers.test_live_step_publisher import SLOW

Create = Callable[..., TournamentPage]

DOCS = Path(__file__).parents[2] / "docs" / "deployment.md"
PASSWORD = "a-password"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[tuple[str, Redis]]:
    """The URL of a Redis with the user of the docs, and a client that may do everything."""
    found = re.search(r"```acl\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    users = tmp_path / "users.acl"
    root = "user root on >root ~* &* +@all\n"
    users.write_text(found[1].replace("PASSWORD", PASSWORD) + root)
    port = free_port()
    server = subprocess.Popen(
        [
            str(embedded_redis.find_program()),
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--aclfile",
            str(users),
        ],
        stdout=subprocess.DEVNULL,
        cwd=tmp_path,
    )
    client = Redis(port=port, username="root", password="root")
    try:
        wait_until(lambda: _answers(client), "it answers")
        yield f"redis://arena:{PASSWORD}@127.0.0.1:{port}/0", client
    finally:
        client.close()
        server.kill()
        server.wait()


def _answers(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False


def test_the_arena_works_with_the_rights_of_the_docs_and_asks_for_no_more(
    start: Start, store: Store, create: Create, guarded: tuple[str, Redis], tmp_path: Path
) -> None:
    url, root = guarded
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "slow")
    create(cycles=4, rated=True)
    with local_referee(allow_files=False) as control:
        worker = start(ARENA_REDIS_URL=url, ARENA_CONTROL=control)
        with (
            dialling_bot(tmp_path, control.removesuffix("control") + "bots", made.token, SLOW),
            TestClient(create_app(store, connect_async(url), ACCESS)) as web,
            connect(url) as client,
        ):
            wait_until(lambda: presence.present(client), "the bot is there", within_s=60)
            assert web.get("/health").json()["status"] == "ok"
            web.post("/api/v1/login", json={"name": "nobody", "password": "not this one"})
            wait_until(lambda: web.get("/live/tables").status_code == 200, "the live page")
            wait_until(
                lambda: tournaments.listing(store)[0].state == "finished",
                "all is played",
                within_s=60,
                progress=lambda: tournaments.listing(store)[0].matches_done,
            )
            queue_status.queues(client)
            queue_status.failed(client)
            assert queue_status.workers(client)
            presence.overview(client)
            # The job before its id: a worker drops an id that names no job.
            root.hset("rq:job:foreign", "data", "nonsense")
            root.rpush("rq:queue:ratings", "foreign")
            wait_until(lambda: queue_status.failed(client), "a foreign job is refused", within_s=20)
            assert queue_status.forget(client, queue_status.failed(client)[0].id)
        worker.terminate()
        worker.wait(30)
    assert _refusals(root) == []


def _refusals(root: Redis) -> list[str]:
    """What Redis has refused, by its own log; but the client library's own name, which older ones know no rights for."""
    found = [f"{entry['reason']}: {entry['object']}" for entry in root.acl_log()]
    return [line for line in found if "client|setinfo" not in line]


def test_the_rights_of_the_docs_are_no_more_than_the_arena_s(guarded: tuple[str, Redis]) -> None:
    url, _ = guarded
    with Redis.from_url(url) as client:
        for command in (
            ("KEYS", "*"),
            ("FLUSHALL",),
            ("CONFIG", "GET", "*"),
            ("GET", "x"),
        ):
            with pytest.raises(NoPermissionError):
                client.execute_command(*command)
