"""Uploads on their way: what is looked at before they are taken, how many there may be, and where they lie."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from arena.bundle_format import zip_archive
from tests.parts.web_process import web_process
from tests.patience import wait_until
from tests.web.access import ACCESS
from tests.web.named_users import House, furnished, house
from tests.web.served_app import served
from tests.web.server.test_open_connections import LIMITS, Web

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

__all__ = ["furnished", "house"]


PART = b'--x\r\nContent-Disposition: form-data; name="upload"; filename="a.py"\r\n\r\n'


def begin(line: socket.socket, path: str, *headers: str, part: bytes = b"") -> None:
    """Send the head of an upload, and the first of its body."""
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: test",
        f"Content-Length: {zip_archive.MAX_BYTES}",
        *headers,
        "",
        "",
    )
    line.sendall("\r\n".join(lines).encode() + part + b"#" * 100_000)


def begin_by_api(house: House, line: socket.socket, name: str) -> None:
    begin(line, "/api/v1/bots/uploads?filename=a.py", f"Authorization: Bearer {house.token(name)}")


def begin_by_form(house: House, line: socket.socket, name: str) -> None:
    begin(
        line,
        "/submit",
        f"Cookie: arena_session={house.cookie(name)}",
        "Content-Type: multipart/form-data; boundary=x",
        part=PART,
    )


def answer_of(line: socket.socket) -> bytes:
    """Return the answer that is there already, if there is one."""
    line.settimeout(0)
    try:
        return line.recv(1 << 16)
    except BlockingIOError:
        return b""


def test_third_upload_of_an_account_is_refused_before_it_is_sent_and_others_are_not(house: House) -> None:
    with served(house.store, house.redis) as origin, ExitStack() as stack:
        answers: dict[socket.socket, bytes] = {}
        for start in (begin_by_api, begin_by_form, begin_by_api, begin_by_form):
            line = stack.enter_context(Web(origin).connect())
            start(house, line, "ada")
            answers[line] = b""
        other = stack.enter_context(Web(origin).connect())
        begin_by_api(house, other, "olga")

        def refused() -> list[bytes]:
            for line in answers:
                answers[line] += answer_of(line)
            return [answer for answer in answers.values() if answer]

        wait_until(lambda: len(refused()) == 2, "two are refused", within_s=30)
        assert [answer[:12] for answer in refused()] == [b"HTTP/1.1 429"] * 2, refused()
        assert all(b"retry-after: 15\r\n" in answer.lower() for answer in refused())
        assert answer_of(other) == b""


def test_upload_beyond_those_that_are_possible_in_all_is_refused_with_503(house: House) -> None:
    with served(house.store, house.redis, limits=replace(LIMITS, max_uploads=1)) as origin:
        with Web(origin).connect() as first, Web(origin).connect() as second:
            begin_by_api(house, first, "ada")
            begin_by_api(house, second, "olga")
            refused: list[bytes] = []

            def is_refused() -> bool:
                refused.extend(filter(None, map(answer_of, (first, second))))
                return bool(refused)

            wait_until(is_refused, "one of the two is refused", within_s=30)
            assert refused[0].startswith(b"HTTP/1.1 503")
            assert b"1 are in progress" in refused[0]
        bearer = {"Authorization": f"Bearer {house.token('olga')}"}

        def is_taken() -> bool:
            sent = httpx.post(
                f"{origin}/api/v1/bots/uploads?filename=mine.py&game=lost_cities",
                content=b"# a bot",
                headers=bearer,
            )
            return sent.status_code == 201

        wait_until(is_taken, "the place of one that broke off is free")


@pytest.mark.parametrize("start", [begin_by_api, begin_by_form])
def test_upload_beyond_the_quota_is_refused_before_it_is_sent(
    house: House, tmp_path: Path, start: Callable[[House, socket.socket, str], None]
) -> None:
    with (
        web_process(tmp_path / "data", house.redis.url, **settings(tmp_path, submissions="0")) as found,
        Web(found.url).connect() as line,
    ):
        start(house, line, "ada")
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 429")


def settings(folder: Path, submissions: str) -> dict[str, str]:
    """Have a web process serve the store of the house, which is in the test's folder."""
    return {
        "ARENA_DATABASE_URL": f"sqlite:///{folder}/arena.sqlite3",
        "ARENA_SUBMISSIONS_PER_DAY": submissions,
        "ARENA_SECRET": ACCESS.secret.decode(),
    }


def test_upload_lies_in_the_data_directory_under_no_name(house: House, tmp_path: Path) -> None:
    with (
        web_process(tmp_path / "data", house.redis.url, **settings(tmp_path, submissions="9")) as found,
        Web(found.url).connect() as line,
    ):
        begin_by_api(house, line, "ada")
        line.sendall(b"#" * 1_000_000)
        folder = tmp_path / "data" / "uploads"

        def is_written() -> bool:
            targets = [
                link.readlink() for link in Path(f"/proc/{found.pid}/fd").iterdir() if link.is_symlink()
            ]
            return any(str(target).startswith(str(folder)) for target in targets)

        wait_until(is_written, "it is written to a file")
        assert not list(folder.iterdir())
