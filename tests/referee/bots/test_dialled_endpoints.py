"""Which addresses the referee dials, and under which name it asks for a certificate."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from arena.referee_client import Endpoint, Finished, Postponed
from tests.certificates import HOST, issue
from tests.referee.running_referee import QUICK, house_bot, open_house, order
from tests.referee.wire.test_bots_tls import listening


@pytest.mark.parametrize("scheme", ["", "http://", "https://"])
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", HOST, "[::ffff:127.0.0.1]", "127.1", "2130706433"]
)
async def test_endpoint_on_this_machine_is_not_even_connected_to(
    tmp_path: Path, host: str, scheme: str
) -> None:
    with socket.create_server((HOST, 0)) as listener:
        listener.settimeout(0)
        address = f"{scheme}{host}:{listener.getsockname()[1]}"
        async with open_house(tmp_path, private_endpoints=False) as house:
            report = (await house.play(order("m", Endpoint(address), house_bot())))["m"]
        assert isinstance(report, Postponed)
        assert report.seat == 0
        assert "not public (this machine)" in report.reason
        assert "ARENA_PRIVATE_ENDPOINTS=on" in report.reason
        with pytest.raises(BlockingIOError):
            listener.accept()


async def test_endpoint_cannot_be_the_control_socket(tmp_path: Path) -> None:
    async with open_house(tmp_path, private_endpoints=False) as house:
        address = house.referee.control_address
        report = (await house.play(order("m", Endpoint(address), house_bot())))["m"]
    assert isinstance(report, Postponed)
    assert "is a Unix socket" in report.reason


async def test_name_that_leads_nowhere_postpones_the_match(tmp_path: Path) -> None:
    async with open_house(tmp_path, private_endpoints=False) as house:
        async with asyncio.timeout(60):
            report = (await house.play(order("m", Endpoint("nowhere.invalid:7000"), house_bot())))["m"]
    assert isinstance(report, Postponed)
    assert report.reason.startswith("endpoint nowhere.invalid:7000: its name could not be looked up")


async def test_certificate_is_asked_for_under_the_name_and_not_the_address_that_is_dialled(
    tmp_path: Path,
) -> None:
    files = issue(tmp_path, hosts=("localhost",))
    async with open_house(tmp_path, roots=files.ca.read_bytes()) as house, listening(tmp_path, files) as port:
        reports = [
            (await house.play(order("m", Endpoint(f"https://{host}:{port}", "s3"), house_bot())))["m"]
            for host in ("localhost", "127.0.0.1")
        ]
    assert isinstance(reports[0], Finished)
    assert reports[0].record.result.end == "completed"
    assert "its certificate is for another host" in str(reports[1])


async def test_what_an_endpoint_declares_is_news_and_is_said_again_on_a_new_stream(tmp_path: Path) -> None:
    files = issue(tmp_path, hosts=("localhost",))
    limits = replace(QUICK, endpoint_idle_s=600.0)
    async with (
        open_house(tmp_path, roots=files.ca.read_bytes(), limits=limits) as house,
        listening(tmp_path, files) as port,
    ):
        endpoint = Endpoint(f"https://localhost:{port}", "s3")
        await house.play(order("m", endpoint, house_bot()))
        again = asyncio.create_task(house.control())
        async with asyncio.timeout(30):
            while len(said := [news.endpoint for news in house.news if news.HasField("endpoint")]) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        again.cancel()
    assert [(each.endpoint.address, each.endpoint.secret, each.version) for each in said] == [
        (endpoint.address, "s3", "1")
    ] * 2
