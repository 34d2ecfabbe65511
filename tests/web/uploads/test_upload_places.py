"""Places for uploads: slow ones hold theirs only until another upload needs it, and weights take none from bots."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import httpx
import pytest

from arena.accounts import users
from arena.client import RemoteArena
from tests.patience import wait_until
from tests.web.named_users import House, furnished, house
from tests.web.served_app import served
from tests.web.server.test_open_connections import LIMITS, Web
from tests.web.uploads.test_upload_stream import answer_of

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

__all__ = ["furnished", "house"]

SLOW = ("mallory", "mike", "milan", "mona")
PACE = 36 << 10
"""Bytes a second of a slow upload: just above the least pace."""
SIZE = 2 << 20
CONTENTS = [bytes([number]) * SIZE for number in range(2)]
BOT = "# a bot of 300 bytes\n".ljust(300, "#")


def head_of_bot(token: str, _number: int) -> bytes:
    return _head("POST /api/v1/bots/uploads?filename=a.py", token)


def head_of_part(token: str, number: int) -> bytes:
    return _head(f"PUT /api/v1/weights/{sha256(CONTENTS[number]).hexdigest()}/upload?offset=0", token)


def _head(request: str, token: str) -> bytes:
    lines = (f"{request} HTTP/1.1", "Host: test", f"Authorization: Bearer {token}", f"Content-Length: {SIZE}")
    return "\r\n".join((*lines, "", "")).encode()


class SlowUpload:
    """An upload at a slow pace, over a real socket, until it is answered."""

    def __init__(self, line: socket.socket, head: bytes, pace: int = PACE) -> None:
        self._line = line
        self._pace = pace
        self.sent = 0
        self.answer = b""
        self._over = threading.Event()
        line.sendall(head)
        self._thread = threading.Thread(target=self._trickle)
        self._thread.start()

    def _trickle(self) -> None:
        piece = bytes(self._pace // 10)
        self._line.settimeout(0.1)
        while not self._over.is_set() and not self.answer:
            try:
                self._line.sendall(piece)
                self.sent += len(piece)
                self.answer = self._line.recv(1 << 16)
            except TimeoutError:
                pass

    def stop(self) -> None:
        self._over.set()
        self._thread.join()


def add_author(house: House, name: str) -> None:
    with house.store.write() as session:
        users.add_in(session, name, "author", None)


@contextmanager
def slow_uploads(house: House, origin: str, head: object) -> Iterator[list[SlowUpload]]:
    """Four accounts with two slow uploads each: as many as there are places."""
    with ExitStack() as stack:
        uploads = []
        for name in SLOW:
            add_author(house, name)
            token = house.token(name)
            for number, content in enumerate(CONTENTS):
                with RemoteArena(origin, token) as client:
                    client.bots.begin_weights(sha256(content).hexdigest(), size=SIZE)
                line = stack.enter_context(Web(origin).connect())
                upload = SlowUpload(line, head(token, number))  # type: ignore[operator]
                stack.callback(upload.stop)
                uploads.append(upload)
        wait_until(
            lambda: all(upload.sent > 2 * PACE for upload in uploads), "all are under way", within_s=60
        )
        yield uploads


def submit(house: House, origin: str) -> tuple[int, float]:
    """Upload a bot of 300 bytes; its status, and how long that took."""
    began = time.monotonic()
    sent = httpx.post(
        f"{origin}/api/v1/bots/uploads?filename=mine.py&game=lost_cities",
        content=BOT,
        headers={"Authorization": f"Bearer {house.token('ada')}"},
        timeout=30,
    )
    return sent.status_code, time.monotonic() - began


def test_four_accounts_with_slow_uploads_of_bots_keep_nobody_out(house: House) -> None:
    with served(house.store, house.redis) as origin, slow_uploads(house, origin, head_of_bot) as slow:
        status, took_s = submit(house, origin)
        assert status == 201
        assert took_s < 10
        wait_until(lambda: any(upload.answer for upload in slow), "one gives way")
        (answer,) = [upload.answer for upload in slow if upload.answer]
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 15\r\n" in answer.lower()
        assert b'"upload_gave_way"' in answer


def test_four_accounts_with_slow_uploads_of_weights_keep_nobody_out_and_lose_nothing(house: House) -> None:
    with served(house.store, house.redis) as origin, slow_uploads(house, origin, head_of_part) as slow:
        assert submit(house, origin)[0] == 201
        assert not any(upload.answer for upload in slow), "a bot takes no place of weights"
        content = b"quick" * 20_000
        name = sha256(content).hexdigest()
        with RemoteArena(origin, house.token("ada")) as client:
            client.bots.begin_weights(name, size=len(content))
            client.bots.upload_weights_part(name, content, offset=0)
            assert client.bots.finish_weights(name).complete
        wait_until(lambda: any(upload.answer for upload in slow), "one gives way")
        (number,) = [number for number, upload in enumerate(slow) if upload.answer]
        assert b'"upload_gave_way"' in slow[number].answer
        with RemoteArena(origin, house.token(SLOW[number // 2])) as client:
            received = client.bots.begin_weights(sha256(CONTENTS[number % 2]).hexdigest(), size=SIZE).received
        assert 0 < received <= slow[number].sent


@pytest.mark.parametrize("mine", [1, 2])
def test_slowest_of_the_accounts_with_the_most_uploads_gives_way(house: House, mine: int) -> None:
    """Ada sends slower than Mallory, and gives way only if she has as many uploads."""
    limits = replace(LIMITS, max_uploads=2 + mine)
    add_author(house, "mallory")
    with served(house.store, house.redis, limits=limits) as origin, ExitStack() as stack:
        uploads = []
        for name, pace, number in (("ada", PACE // 4, mine), ("mallory", PACE, 2)):
            for _ in range(number):
                line = stack.enter_context(Web(origin).connect())
                upload = SlowUpload(line, head_of_bot(house.token(name), 0), pace)
                stack.callback(upload.stop)
                uploads.append(upload)
        wait_until(
            lambda: all(upload.sent > PACE // 2 for upload in uploads), "all are under way", within_s=60
        )
        bearer = {"Authorization": f"Bearer {house.token('olga')}"}
        httpx.post(
            f"{origin}/api/v1/bots/uploads?filename=mine.py&game=lost_cities", content=BOT, headers=bearer
        )
        wait_until(lambda: any(upload.answer for upload in uploads), "one gives way")
        (number,) = [number for number, upload in enumerate(uploads) if upload.answer]
        assert (number < mine) == (mine == 2)


def test_uploads_that_have_just_begun_do_not_give_way(house: House) -> None:
    limits = replace(LIMITS, max_uploads=1, upload_grace_s=60.0)
    with served(house.store, house.redis, limits=limits) as origin, Web(origin).connect() as line:
        upload = SlowUpload(line, head_of_bot(house.token("olga"), 0))
        wait_until(lambda: upload.sent > PACE, "it is under way")
        assert submit(house, origin)[0] == 503
        assert not upload.answer
        upload.stop()


def test_form_that_gives_way_is_answered_with_the_page(house: House) -> None:
    limits = replace(LIMITS, max_uploads=1)
    with served(house.store, house.redis, limits=limits) as origin, Web(origin).connect() as line:
        head = (
            "POST /submit HTTP/1.1",
            "Host: test",
            f"Cookie: arena_session={house.cookie('olga')}",
            "Content-Type: multipart/form-data; boundary=x",
            f"Content-Length: {SIZE}",
        )
        part = '--x\r\nContent-Disposition: form-data; name="upload"; filename="a.py"\r\n\r\n'
        line.sendall(("\r\n".join((*head, "", "")) + part).encode())
        answers: list[bytes] = []

        def is_answered() -> bool:
            submit(house, origin)
            answers.append(answer_of(line))
            return any(answers)

        wait_until(is_answered, "it gives way", within_s=30)
    answer = b"".join(answers)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"gave its place to another" in answer
