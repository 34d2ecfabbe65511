"""The monitoring port: metrics, liveness and readiness, open to no stranger."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arena.core.errors import UsageError
from arena.core.settings import read
from arena.monitoring import monitoring_address
from arena.monitoring.monitoring_server import MonitoringServer
from arena.monitoring.part_health import PartHealth
from arena.monitoring.part_registry import new_registry
from tests.monitoring.scraping import check, families, get, value
from tests.parts.arena_process import free_port

READY = PartHealth(lambda: True, lambda: ())


@contextmanager
def monitored(health: PartHealth = READY) -> Iterator[int]:
    """A monitoring port of a part; its number."""
    server = MonitoringServer(f"127.0.0.1:{free_port()}", new_registry("web"), health)
    server.start()
    try:
        yield server.port
    finally:
        server.close()


def test_metrics_name_the_build_the_process_and_whether_it_is_ready() -> None:
    with monitored() as port:
        status, text = get(port, "/metrics")
    assert status == 200
    assert families(text)["arena_build_info"] == ("gauge", ("compiled", "part", "python", "version"))
    assert value(text, "arena_build_info", part="web") == 1
    assert value(text, "process_resident_memory_bytes")
    assert value(text, "arena_ready") == 1


def test_a_part_that_can_do_its_work_is_ready() -> None:
    with monitored() as port:
        assert check(port, "/health/ready") == (200, {"status": "ready", "problems": []})


def test_a_part_that_cannot_says_why_not() -> None:
    with monitored(PartHealth(lambda: True, lambda: ("Redis does not answer",))) as port:
        assert check(port, "/health/ready") == (
            503,
            {"status": "unready", "problems": ["Redis does not answer"]},
        )
        assert check(port, "/health/live") == (200, {"status": "ok"})
        assert value(get(port, "/metrics")[1], "arena_ready") == 0


def test_a_part_that_hangs_is_not_live() -> None:
    with monitored(PartHealth(lambda: False, lambda: ())) as port:
        assert check(port, "/health/live") == (503, {"status": "hanging"})


def test_a_part_that_is_stopping_is_not_ready() -> None:
    health = PartHealth(lambda: True, lambda: ())
    health.stop()
    assert health.problems() == ("it is stopping",)


def test_other_addresses_are_answered_with_those_that_there_are() -> None:
    with monitored() as port:
        status, answer = check(port, "/")
    assert (status, answer["paths"]) == (404, ["/metrics", "/health/live", "/health/ready"])


def test_a_client_that_sends_nothing_holds_up_nobody() -> None:
    with monitored() as port, socket.create_connection(("127.0.0.1", port)):
        assert get(port, "/metrics")[0] == 200


@pytest.mark.parametrize("address", ["8.8.8.8:9101", "[2606:4700::1111]:9101"])
def test_a_public_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="is a public address, where strangers could read the metrics"):
        monitoring_address.listen(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "[::1]", "localhost"])  # noqa: S104 - a wildcard is what is tried
def test_loopback_and_the_wildcard_are_accepted(host: str) -> None:
    monitoring_address.listen(f"{host}:{free_port()}").close()


def test_a_port_that_is_taken_is_told_with_the_remedy() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(UsageError, match="each process on a machine needs a port of its own"),
    ):
        monitoring_address.listen(f"127.0.0.1:{taken.getsockname()[1]}")


@pytest.mark.parametrize("text", ["9101", "127.0.0.1", "http://127.0.0.1:9101", "127.0.0.1:99999"])
def test_a_setting_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"ARENA_MONITORING .*: must be HOST:PORT"):
        read(monitoring=text)
