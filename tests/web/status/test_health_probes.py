"""`/health/live` and `/health/ready` of the web, for whatever starts, stops and routes to it; and its metrics."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from arena.messaging.redis_connection import connect_async
from arena.monitoring.monitoring_server import METRICS_PATH
from arena.web.app import create_app
from tests.monitoring.scraping import check, get, value
from tests.parts.arena_process import free_port
from tests.parts.redis_server import RunningRedis
from tests.parts.web_process import web_process
from tests.patience import wait_until
from tests.stores import new_sqlite
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house
from tests.web.status.test_health import NO_REDIS, locked

__all__ = ["furnished", "house"]


def test_a_web_with_store_and_redis_is_live_and_ready(house: House) -> None:
    with house.client() as client:
        assert client.get("/health/live").json() == {"status": "ok"}
        answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})
    assert answer.headers["cache-control"] == "no-store"


def test_without_redis_a_web_is_live_and_not_ready(house: House) -> None:
    with TestClient(create_app(house.store, connect_async(NO_REDIS), ACCESS)) as client:
        assert client.get("/health/live").status_code == 200
        answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()) == (503, {"status": "unready"})


def test_while_the_store_takes_no_writes_a_web_is_not_ready(house: House) -> None:
    with house.client() as client, locked(house.store):
        wait_until(lambda: client.get("/health/ready").status_code == 503, "it is noticed", within_s=20)
        assert client.get("/health/live").status_code == 200


def test_pages_are_measured_by_route_also_when_the_cache_answers(house: House) -> None:
    with house.client() as client:
        metrics = client.app.state.services.metrics.registry  # type: ignore[attr-defined]
        for _ in range(2):
            client.get("/games/lost_cities")
        client.get("/no/such/page")

        def seen(route: str) -> float:
            labels = {"route": route, "method": "GET"}
            return metrics.get_sample_value("arena_web_request_seconds_count", labels) or 0.0

        assert (seen("/games/{game_id}"), seen("none")) == (2, 1)
        found = {
            result: metrics.get_sample_value("arena_web_cache_lookups_total", {"result": result})
            for result in ("hit", "miss")
        }
    assert found["hit"] == 1


def test_the_monitoring_port_of_a_web_has_its_metrics(tmp_path: Path, redis_server: RunningRedis) -> None:
    new_sqlite(tmp_path / "arena.db")
    host, port = "127.0.0.2", free_port()
    with web_process(tmp_path, redis_server.url, ARENA_MONITORING=f"{host}:{port}") as web:
        assert check(port, "/health/live", host)[0] == 200
        assert check(port, "/health/ready", host) == (200, {"status": "ready", "problems": []})
        status, text = get(port, METRICS_PATH, host)
        assert status == 200
        assert value(text, "arena_web_request_seconds_count", route="/health")
        assert get(web.port, METRICS_PATH)[0] == 404
