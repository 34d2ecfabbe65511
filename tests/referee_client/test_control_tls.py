"""The control port over TCP: TLS with a key on both sides, made by the commands of the docs; a referee of its own."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.core import child_process
from arena.core.errors import UsageError
from arena.core.settings import settings
from arena.net.mutual_tls import read_mutual
from arena.referee_client import Finished, Hosted, Order, Referee, RefereeUnreachable, SeatOrder
from arena.referee_client.control_channel import check_credentials
from arena.referee_client.control_stream import ControlStream, RefereeOnline
from arena.referee_client.reachability import first_reachable, why_unreachable
from tests.parts.arena_process import free_port

DOCS = Path(__file__).parents[2] / "docs" / "deployment.md"
KEY = "sesame"


def commands() -> str:
    """What the docs say that makes the certificates, for this machine."""
    section = DOCS.read_text().partition("## TLS on the control port")[2].partition("\n## ")[0]
    return "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL)).replace("play1", "localhost")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return issue(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates of another authority."""
    return issue(tmp_path_factory.mktemp("others"))


def issue(folder: Path) -> Path:
    """Make certificates in a folder, as the docs say."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl: apt-get install openssl")
    made = subprocess.run(
        ["bash", "-euc", commands()], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert made.returncode == 0, made.stderr
    return folder


@contextmanager
def referee(folder: Path, log: Path, *options: str) -> Iterator[str]:
    """Run a referee whose control port is at a TCP address; gives that."""
    address = f"localhost:{free_port()}"
    arguments = ("--control", address, "--bots", f"unix:{folder / 'bots'}", *options)
    with log.open("wb") as file:
        running = child_process.start(
            child_process.module("referee", *arguments),
            environment={"ARENA_CONTROL_KEY": KEY},
            stdout=subprocess.PIPE,
            stderr=file,
        )
        try:
            assert running.stdout is not None
            assert running.stdout.readline() == b"ready\n", log.read_text()
            yield address
        finally:
            child_process.stop(running, grace_s=5)
            if running.stdout is not None:
                running.stdout.close()


def options(folder: Path, name: str) -> tuple[str, ...]:
    return (
        *(
            "--control-tls-cert",
            str(folder / f"{name}.pem"),
            "--control-tls-key",
            str(folder / f"{name}.key"),
        ),
        *("--control-tls-ca", str(folder / "control-ca.pem")),
    )


@pytest.fixture(scope="module")
def secure(certificates: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("secure")
    with referee(folder, folder / "log", *options(certificates, "localhost")) as address:
        yield address


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("plain")
    with referee(folder, folder / "log") as address:
        yield address


@pytest.fixture(autouse=True)
def fresh_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ARENA_CONTROL_KEY", KEY)
    settings.cache_clear()
    yield
    settings.cache_clear()


def show(monkeypatch: pytest.MonkeyPatch, certificate: Path, authority: Path) -> None:
    """Have this process show a certificate, and take those of an authority."""
    monkeypatch.setenv("ARENA_CONTROL_TLS_CERT", str(certificate))
    monkeypatch.setenv("ARENA_CONTROL_TLS_KEY", str(certificate.with_suffix(".key")))
    monkeypatch.setenv("ARENA_CONTROL_TLS_CA", str(authority))
    settings.cache_clear()


@pytest.fixture
def as_worker(certificates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, certificates / "work1.pem", certificates / "control-ca.pem")


async def test_a_match_is_played_over_tls_with_a_key_on_both_sides(secure: str, as_worker: None) -> None:
    seats = tuple(SeatOrder(name, "1", Hosted(f"house:lost_cities/{name}")) for name in ("greedy", "random"))
    order = Order("a-match", "lost_cities", "standard", seats, bytes(32), {"hands": 1})
    async with Referee(secure) as client:
        reports = [report async for report in client.play([order])]
    assert isinstance(reports[-1], Finished)
    with ControlStream(secure) as control:
        assert any(isinstance(news, RefereeOnline) for news in control.news(10.0))


async def test_the_shared_key_is_asked_for_as_well(
    secure: str, as_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CONTROL_KEY", "guess")
    assert "the shared key" in str(await why_unreachable(secure))


async def test_who_shows_no_certificate_is_not_let_in(secure: str) -> None:
    assert "if it speaks TLS, set ARENA_CONTROL_TLS_CERT" in str(await why_unreachable(secure))


async def test_who_shows_the_certificate_of_another_authority_is_not_let_in(
    secure: str, certificates: Path, others: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(monkeypatch, others / "work1.pem", certificates / "control-ca.pem")
    assert "is not from the authority in ARENA_CONTROL_TLS_CA there" in str(await why_unreachable(secure))


async def test_a_referee_with_the_certificate_of_another_authority_is_not_believed(
    secure: str, certificates: Path, others: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(monkeypatch, certificates / "work1.pem", others / "control-ca.pem")
    assert "is not from the authority in ARENA_CONTROL_TLS_CA here" in str(await why_unreachable(secure))


async def test_a_referee_called_by_a_name_that_its_certificate_has_not_is_not_believed(
    secure: str, as_worker: None
) -> None:
    error = str(await why_unreachable(secure.replace("localhost", "127.0.0.1")))
    assert "ARENA_CONTROL must name it as its certificate does" in error


async def test_a_referee_without_tls_is_not_talked_to_with_it(plain: str, as_worker: None) -> None:
    assert "it speaks no TLS" in str(await why_unreachable(plain))


async def test_the_first_of_several_referees_that_answers_is_taken(secure: str, as_worker: None) -> None:
    assert await first_reachable((f"localhost:{free_port()}", secure)) == secure
    with pytest.raises(RefereeUnreachable):
        await first_reachable((f"localhost:{free_port()}", f"localhost:{free_port()}"))


async def test_a_referee_on_this_machine_may_be_called_in_the_clear(
    plain: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert await why_unreachable(plain) is None
    assert caplog.records == []


async def test_one_elsewhere_that_is_called_in_the_clear_is_warned_of_once(
    plain: str, caplog: pytest.LogCaptureFixture
) -> None:
    address = plain.replace("localhost", "0.0.0.0")  # noqa: S104 - dialled, that is this machine
    for _ in range(2):
        assert await why_unreachable(address) is None
    assert len([record for record in caplog.records if "in the clear" in record.message]) == 1


def test_a_referee_that_is_open_to_others_in_the_clear_warns(tmp_path: Path) -> None:
    arguments = ("--control", f"0.0.0.0:{free_port()}", "--bots", f"unix:{tmp_path / 'bots'}")
    with (tmp_path / "log").open("wb") as log:
        running = child_process.start(
            child_process.module("referee", *arguments),
            environment={"ARENA_CONTROL_KEY": KEY},
            stdout=subprocess.PIPE,
            stderr=log,
        )
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        child_process.stop(running, grace_s=5)
        running.stdout.close()
    assert "open to other machines in the clear" in (tmp_path / "log").read_text()


def test_half_of_the_files_is_refused_and_the_rest_named() -> None:
    with pytest.raises(UsageError, match="ARENA_CONTROL_TLS_KEY and ARENA_CONTROL_TLS_CA: must be set too"):
        read_mutual("cert.pem", "", "")
    assert read_mutual("", "", "") is None


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, tmp_path / "none.pem", tmp_path / "ca.pem")
    with pytest.raises(UsageError, match=r"none\.pem: No such file or directory"):
        check_credentials(["play1:7001"])
    check_credentials(["unix:/run/control.sock"])
