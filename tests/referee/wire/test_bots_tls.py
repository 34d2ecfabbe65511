"""The bots' port where it is open to other machines: bots in processes of their own, certificates that are real."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.net.certificate import Certificate
from arena.referee_client import Endpoint, Finished
from tests.certificates import HOST, Files, issue
from tests.referee.running_referee import House, house_bot, open_house, order
from tests.referee.test_program import first_line, referee
from tests.sdk.scripted_arena import PATIENCE_S, bot_process, ended

FIRST = "return decision.legal[0]"


@asynccontextmanager
async def open_to_others(folder: Path, files: Files, **more: Any) -> AsyncIterator[House]:
    async with open_house(folder, certificate=Certificate(files.certificate, files.key), **more) as house:
        yield house


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return issue(tmp_path)


def dialling_in(house: House, folder: Path, *, host: str = HOST, **more: str) -> Any:
    return bot_process(folder, FIRST, referee=f"{host}:{house.port}", ARENA_TOKEN="token-a", **more)


async def complaint(process: asyncio.subprocess.Process) -> str:
    """What a bot that cannot connect says first."""
    assert process.stderr is not None
    return (await asyncio.wait_for(process.stderr.readline(), PATIENCE_S)).decode()


async def present(house: House) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not any(each.HasField("present") for each in house.news):  # noqa: ASYNC110 - the stream of news has a reader already
            await asyncio.sleep(0.02)


# --- bots that dial in --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", [HOST, "https://localhost"])
async def test_bot_dials_in_with_tls_and_plays(tmp_path: Path, files: Files, host: str) -> None:
    async with (
        open_to_others(tmp_path, files) as house,
        dialling_in(house, tmp_path, host=host, ARENA_CA=str(files.ca)),
    ):
        await present(house)
        report = (await house.play(order("m", "a", house_bot())))["m"]
    assert isinstance(report, Finished)
    assert report.record.result.end == "completed"


async def test_referee_that_the_bot_does_not_trust_is_told_to_its_author(
    tmp_path: Path, files: Files
) -> None:
    others = issue(tmp_path, "other")
    async with (
        open_to_others(tmp_path, files) as house,
        dialling_in(house, tmp_path, ARENA_CA=str(others.ca)) as bot,
    ):
        said = await complaint(bot)
    assert said.startswith(
        f"{HOST}:{house.port}: TLS to {HOST}:{house.port}: its certificate is not trusted here ("
    )
    assert (
        "); if it should be, name the root certificates of its issuer in ARENA_CA; connecting again in "
        in said
    )


async def test_certificate_for_another_host_is_told_to_the_author(tmp_path: Path) -> None:
    files = issue(tmp_path, hosts=("elsewhere.example",))
    async with (
        open_to_others(tmp_path, files) as house,
        dialling_in(house, tmp_path, ARENA_CA=str(files.ca)) as bot,
    ):
        assert "its certificate is for another host" in await complaint(bot)


async def test_certificate_that_has_expired_is_told_to_the_author(tmp_path: Path) -> None:
    files = issue(tmp_path, days=-1)
    async with (
        open_to_others(tmp_path, files) as house,
        dialling_in(house, tmp_path, ARENA_CA=str(files.ca)) as bot,
    ):
        assert "certificate has expired; its operator must renew it" in await complaint(bot)


async def test_bot_that_speaks_no_tls_is_told_to(tmp_path: Path, files: Files) -> None:
    async with open_to_others(tmp_path, files) as house, dialling_in(house, tmp_path, ARENA_TLS="off") as bot:
        assert f"if it speaks TLS, dial https://{HOST}:{house.port}" in await complaint(bot)


async def test_bots_port_without_tls_tells_a_bot_that_wants_it(tmp_path: Path) -> None:
    async with open_house(tmp_path, tls=False) as house, dialling_in(house, tmp_path) as bot:
        assert f"dial http://{HOST}:{house.port} if it may be in the clear" in await complaint(bot)


async def test_bots_port_without_tls_serves_a_bot_that_wants_none(tmp_path: Path) -> None:
    async with open_house(tmp_path, tls=False) as house, dialling_in(house, tmp_path, ARENA_TLS="off"):
        await present(house)


async def test_root_certificates_that_are_not_there_end_the_bot_with_one_line(tmp_path: Path) -> None:
    async with bot_process(tmp_path, FIRST, referee="bots.example.org:7000", ARENA_CA="nowhere.pem") as bot:
        assert await ended(bot) == (
            1,
            "root certificates nowhere.pem: No such file or directory; give a PEM file that can be read (ARENA_CA)\n",
        )


async def test_malformed_address_of_the_referee_ends_the_bot_with_one_line(tmp_path: Path) -> None:
    async with bot_process(tmp_path, FIRST, referee="bots.example.org") as bot:
        code, said = await ended(bot)
    assert code == 1
    assert said.startswith("address 'bots.example.org': must be HOST:PORT, ")


# --- health, reflection, renewal ----------------------------------------------------------------------------------


@asynccontextmanager
async def channel(house: House, files: Files) -> AsyncIterator[grpc.aio.Channel]:
    trusted = grpc.ssl_channel_credentials(files.ca.read_bytes())
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with grpc.aio.secure_channel(f"127.0.0.1:{house.port}", trusted, options=options) as opened:
        yield opened


async def health_of(opened: grpc.aio.Channel) -> int:
    stub = health_pb2_grpc.HealthStub(opened)
    answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_S)
    status: int = answer.status
    return status


async def test_health_is_served_with_tls(tmp_path: Path, files: Files) -> None:
    async with open_to_others(tmp_path, files) as house, channel(house, files) as opened:
        assert await health_of(opened) == health_pb2.HealthCheckResponse.SERVING


async def test_reflection_is_served_with_tls(tmp_path: Path, files: Files) -> None:
    async with open_to_others(tmp_path, files) as house, channel(house, files) as opened:
        stub = reflection_pb2_grpc.ServerReflectionStub(opened)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        async for answer in stub.ServerReflectionInfo(iter([request])):
            names = {service.name for service in answer.list_services_response.service}
    assert "arena.v1.BotService" in names


async def test_renewed_certificate_is_shown_without_a_restart(tmp_path: Path, files: Files) -> None:
    renewed = issue(tmp_path, "renewed")
    async with open_to_others(tmp_path, files) as house, channel(house, files) as before:
        assert await health_of(before) == health_pb2.HealthCheckResponse.SERVING
        files.overwrite(renewed)
        async with channel(house, renewed) as after:
            assert await health_of(after) == health_pb2.HealthCheckResponse.SERVING
        assert await health_of(before) == health_pb2.HealthCheckResponse.SERVING
        async with channel(house, files) as old:
            with pytest.raises(grpc.aio.AioRpcError):
                await health_of(old)


async def test_half_renewed_certificate_leaves_the_one_from_before_in_use(
    tmp_path: Path, files: Files, caplog: pytest.LogCaptureFixture
) -> None:
    renewed = issue(tmp_path, "renewed")
    async with open_to_others(tmp_path, files) as house:
        files.key.write_bytes(renewed.key.read_bytes())
        async with channel(house, files) as opened:
            assert await health_of(opened) == health_pb2.HealthCheckResponse.SERVING
        assert "does not belong to the certificate" in caplog.text
        files.certificate.write_bytes(renewed.certificate.read_bytes())
        async with channel(house, renewed) as opened:
            assert await health_of(opened) == health_pb2.HealthCheckResponse.SERVING


# --- bots that listen ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def listening(folder: Path, files: Files) -> AsyncIterator[str]:
    """A bot that listens with TLS; gives its port."""
    arguments = ("--listen", "0.0.0.0:0", "--secret", "s3", *files.options)
    async with bot_process(folder, FIRST, *arguments) as process:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
        yield line.decode().strip().rpartition(":")[2]


@pytest.mark.parametrize("host", [HOST, "https://localhost"])
async def test_bot_that_listens_with_tls_is_dialled_with_it(tmp_path: Path, files: Files, host: str) -> None:
    async with open_house(tmp_path, roots=files.ca.read_bytes()) as house, listening(tmp_path, files) as port:
        report = (await house.play(order("m", Endpoint(f"{host}:{port}", "s3"), house_bot())))["m"]
    assert isinstance(report, Finished)
    assert report.record.result.end == "completed"


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        ("https", "UNAVAILABLE: TLS to 127.0.0.1:{port}: its certificate is not trusted here ("),
        ("http", "if it speaks TLS, dial https://127.0.0.1:{port}"),
    ],
)
async def test_match_with_a_bot_that_cannot_be_dialled_so_is_postponed_with_the_reason(
    tmp_path: Path, files: Files, scheme: str, said: str
) -> None:
    async with open_house(tmp_path) as house, listening(tmp_path, files) as port:
        address = f"{scheme}://127.0.0.1:{port}"
        report = (await house.play(order("m", Endpoint(address, "s3"), house_bot())))["m"]
    assert f"endpoint {address}: " in str(report)
    assert said.format(port=port) in str(report)


async def test_bot_that_listens_to_others_needs_a_certificate(tmp_path: Path) -> None:
    async with bot_process(tmp_path, FIRST, "--listen", "0.0.0.0:0", "--secret", "s3") as process:
        code, said = await ended(process)
    assert code == 1
    assert said.startswith(
        "--listen 0.0.0.0:0: is open to other machines, which needs TLS; give a certificate"
    )
    assert said.count("\n") == 1


async def test_bot_behind_something_that_does_tls_listens_in_the_clear(tmp_path: Path) -> None:
    async with bot_process(
        tmp_path, FIRST, "--listen", "0.0.0.0:0", "--secret", "s3", "--plaintext"
    ) as process:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
    assert line.startswith(b"listening on 0.0.0.0:")


# --- the program --------------------------------------------------------------------------------------------------


def refused(folder: Path, *arguments: str) -> str:
    with referee(folder, "--bots", f"unix:{folder / 'bots'}", *arguments) as program:
        _, said = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 1
    assert said.count("\n") == 1
    return said


def test_referee_that_is_open_to_others_needs_a_certificate(tmp_path: Path) -> None:
    assert refused(tmp_path, "--bots", "0.0.0.0:0") == (
        "referee: --bots 0.0.0.0:0: is open to other machines, which needs TLS; give a certificate with --tls-cert and"
        " --tls-key (ARENA_TLS_CERT, ARENA_TLS_KEY), or --plaintext (ARENA_TLS=off) where something in front does TLS\n"
    )


def test_referee_refuses_a_key_of_another_certificate(tmp_path: Path, files: Files) -> None:
    other = issue(tmp_path, "other")
    said = refused(tmp_path, "--tls-cert", str(files.certificate), "--tls-key", str(other.key))
    assert said.startswith(f"referee: key {other.key}: does not belong to the certificate")


def test_referee_refuses_root_certificates_that_are_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path, "--ca", "nowhere.pem").startswith("referee: root certificates nowhere.pem: ")


def test_referee_without_an_address_for_hosted_bots_says_so(tmp_path: Path, files: Files) -> None:
    with referee(tmp_path, "--bots", "0.0.0.0:0", *files.options) as program:
        _, said = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 1
    assert "hosted bots need one on this machine beside it; add --bots unix:/PATH" in said


@pytest.mark.parametrize("arguments", [("--plaintext",), ()])
def test_referee_serves_with_a_certificate_or_explicitly_without(
    tmp_path: Path, files: Files, arguments: tuple[str, ...]
) -> None:
    chosen = arguments or files.options
    with referee(tmp_path, "--bots", f"unix:{tmp_path / 'bots'}", "--bots", "0.0.0.0:0", *chosen) as program:
        assert first_line(program) == "ready\n"
