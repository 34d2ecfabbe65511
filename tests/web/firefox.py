"""Debian's Firefox without its windows, spoken to by WebDriver BiDi: JSON over a web socket."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.patience import wait_until

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = "firefox-esr"
_ANSWERS_WITHIN_S = 60.0


class Firefox:
    """A tab of a running Firefox; what its console says of errors is in `trouble`."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._read = connection.makefile("rb")
        self._asked = 0
        self.trouble: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._tab = self._ask("browsingContext.create", type="tab")["context"]

    def goto(self, url: str) -> None:
        """Open a page and wait until it has loaded; anew if what the page before still loads gets in its way."""
        try:
            self._ask("browsingContext.navigate", context=self._tab, url=url, wait="complete")
        except AssertionError as error:
            if "NS_BINDING_ABORTED" not in str(error):
                raise
            self._ask("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Give the window a size."""
        self._ask(
            "browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height}
        )

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression of JavaScript in the page; its value, through JSON."""
        asked = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify({expression}))()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert asked["type"] == "success", asked
        return json.loads(asked["result"]["value"])

    def picture(self, path: Path) -> None:
        """Take a picture of what is in sight."""
        found = self._ask("browsingContext.captureScreenshot", context=self._tab)
        path.write_bytes(base64.b64decode(found["data"]))

    def _ask(self, method: str, **params: object) -> Any:
        self._asked += 1
        self._send(json.dumps({"id": self._asked, "method": method, "params": params}).encode())
        while True:
            answer = json.loads(self._receive())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.trouble.append(answer["params"]["text"])
            elif answer.get("id") == self._asked:
                assert answer["type"] == "success", answer
                return answer["result"]

    def _send(self, text: bytes) -> None:
        """Send a text as one frame (RFC 6455, section 5.2), masked as it must be."""
        size = len(text)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        mask = os.urandom(4)
        masked = bytes(each ^ mask[at % 4] for at, each in enumerate(text))
        self._connection.sendall(b"\x81" + length + mask + masked)

    def _receive(self) -> bytes:
        """Return the next text, of one frame or several."""
        text = b""
        while True:
            first, size = self._read.read(2)
            if size == 126:
                (size,) = struct.unpack("!H", self._read.read(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._read.read(8))
            part = self._read.read(size)
            if first & 0x0F in {0, 1}:
                text += part
                if first & 0x80:
                    return text


@contextmanager
def running_firefox(folder: Path) -> Iterator[Firefox]:
    """Start Firefox with a fresh profile; skip the test where there is none (in CI a skip is a failure)."""
    program = shutil.which(PROGRAM)
    if program is None:
        pytest.skip(f"{PROGRAM} is not there: apt-get install {PROGRAM}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = folder / "home"
    home.mkdir()
    options = ["--headless", "--no-remote", "--profile", str(home), "--remote-debugging-port", str(port)]
    with (folder / "firefox.log").open("wb") as log:
        process = subprocess.Popen(
            [program, *options], stdout=log, stderr=log, env={**os.environ, "HOME": str(home)}
        )
    try:
        wait_until(lambda: _listens(port), "Firefox listens", within_s=_ANSWERS_WITHIN_S)
        with socket.create_connection(("127.0.0.1", port), timeout=_ANSWERS_WITHIN_S) as connection:
            _shake_hands(connection, port)
            yield Firefox(connection)
    finally:
        process.terminate()
        process.wait(20)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _shake_hands(connection: socket.socket, port: int) -> None:
    """Make a web socket of a connection (RFC 6455, section 4)."""
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += connection.recv(1)
    assert b" 101 " in answer.splitlines()[0], answer
