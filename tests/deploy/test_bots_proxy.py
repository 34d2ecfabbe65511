"""The bots' port behind nginx and behind Caddy: real bots over TLS and HTTP/2, a referee in the clear behind the proxy."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from arena.referee_client import Finished
from tests.deploy import proxies
from tests.deploy.proxies import Proxy
from tests.parts.arena_process import free_port
from tests.referee.running_referee import House, open_house, order
from tests.sdk.scripted_arena import PATIENCE_S, bot_process

FIRST = "return decision.legal[0]"


@pytest.fixture(params=["nginx", "caddy"])
def kind(request: pytest.FixtureRequest) -> str:
    if not proxies.find(request.param):
        pytest.skip(f"{request.param} is missing")
    return str(request.param)


@asynccontextmanager
async def behind_proxy(folder: Path, kind: str) -> AsyncIterator[tuple[House, Proxy]]:
    """Run a referee whose bots' port is in the clear, and the proxy in front of it."""
    start = {"nginx": proxies.nginx, "caddy": proxies.caddy}[kind]
    own = folder / "proxy"
    own.mkdir()
    with ExitStack() as stack:
        async with open_house(folder, tls=False) as house:
            front = start(own, [free_port()], int(house.port))
            yield house, await asyncio.to_thread(stack.enter_context, front)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - the stream of news has a reader already
            await asyncio.sleep(0.02)


async def test_two_bots_play_each_other_over_tls_through_the_proxy(tmp_path: Path, kind: str) -> None:
    folders = [tmp_path / name for name in "ab"]
    async with behind_proxy(tmp_path, kind) as (house, proxy):
        address, ca = f"https://localhost:{proxy.bots_port}", str(proxy.ca)
        for folder in folders:
            folder.mkdir()
        async with (
            bot_process(folders[0], FIRST, referee=address, ARENA_TOKEN="token-a", ARENA_CA=ca),
            bot_process(folders[1], FIRST, referee=address, ARENA_TOKEN="token-b", ARENA_CA=ca),
        ):
            await until(lambda: {"a", "b"} <= {each.present.token_id for each in house.news})
            report = (await house.play(order("m", "a", "b")))["m"]
    assert isinstance(report, Finished)
    assert report.record.result.end == "completed"


async def test_bot_that_is_gone_is_missed_at_once_through_the_proxy(tmp_path: Path, kind: str) -> None:
    async with behind_proxy(tmp_path, kind) as (house, proxy):
        address, ca = f"https://localhost:{proxy.bots_port}", str(proxy.ca)
        async with bot_process(tmp_path, FIRST, referee=address, ARENA_TOKEN="token-a", ARENA_CA=ca):
            await until(lambda: any(each.present.token_id == "a" for each in house.news))
        await until(lambda: any(each.absent_token_id == "a" for each in house.news))
