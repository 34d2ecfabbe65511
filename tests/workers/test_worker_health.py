"""What a worker says of itself on its monitoring port."""

from __future__ import annotations

from redis import Redis

from tests.monitoring.scraping import check
from tests.parts.arena_process import free_port
from tests.parts.redis_server import RunningRedis
from tests.patience import wait_until
from tests.workers.conftest import Start


def test_a_worker_with_store_redis_and_referee_is_ready(start: Start) -> None:
    port = free_port()
    start(ARENA_MONITORING=f"127.0.0.1:{port}")
    wait_until(lambda: check(port, "/health/ready")[0] == 200, "it is ready", within_s=30)
    assert check(port, "/health/live") == (200, {"status": "ok"})


def test_a_worker_that_reaches_no_referee_says_so(start: Start) -> None:
    port = free_port()
    start(ARENA_MONITORING=f"127.0.0.1:{port}", ARENA_CONTROL="unix:/nowhere/control.sock")
    wait_until(lambda: check(port, "/health/live")[0], "it answers", within_s=30)
    status, answer = check(port, "/health/ready")
    assert status == 503
    assert answer["problems"] == ["no referee answers: see ARENA_CONTROL, and whether one runs there"]


def test_a_worker_whose_redis_has_died_says_so(start: Start, server: RunningRedis, client: Redis) -> None:
    port = free_port()
    start(ARENA_MONITORING=f"127.0.0.1:{port}")
    wait_until(lambda: check(port, "/health/ready")[0] == 200, "it is ready", within_s=30)
    server.kill()
    try:
        wait_until(lambda: check(port, "/health/ready")[0] == 503, "it is noticed", within_s=20)
        (problem,) = check(port, "/health/ready")[1]["problems"]
        assert problem.startswith("Redis does not answer")
    finally:
        server.start()
        wait_until(client.ping, "Redis is back")
