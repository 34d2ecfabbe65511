"""Whether a web process answers: asked twice a second, from its own machine, so that no partition is in between."""

from __future__ import annotations

import ctypes
import http.client
import json
import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from bench.chaos.machines import Machine

_EVERY_S = 0.5
_ANSWER_S = 5.0
_PORT = 8000
_NEW_NETWORK = 0x40000000
"""CLONE_NEWNET of setns(2)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a web process about its health; status 0: none."""

    at: float
    status: int
    body: dict[str, Any]

    @property
    def answers(self) -> bool:
        """Whether it serves pages."""
        return self.status == http.HTTPStatus.OK

    @property
    def referees(self) -> tuple[str, ...]:
        """Name the referees that it knows of."""
        return tuple(self.body.get("protection", {}))


class Health:
    """Asks one web process for its health until it is closed."""

    def __init__(self, machine: Machine) -> None:
        self.answers: list[Answer] = [Answer(time.monotonic(), 0, {})]
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._ask_on, args=(machine.init,), daemon=True)
        self._thread.start()

    @property
    def now(self) -> Answer:
        """Return the last answer."""
        return self.answers[-1]

    def first_after(self, moment: float) -> float | None:
        """Return when it first served pages after a moment; None if it has not yet."""
        return next((each.at for each in self.answers if each.at > moment and each.answers), None)

    def between(self, begin: float, end: float) -> list[Answer]:
        """List what it said in a span of time."""
        return [each for each in self.answers if begin <= each.at <= end]

    def close(self) -> None:
        """End."""
        self._closing.set()
        self._thread.join()

    def _ask_on(self, init: int) -> None:
        enter_network(init)
        while not self._closing.wait(_EVERY_S):
            status, body = ask(_PORT)
            self.answers.append(Answer(time.monotonic(), status, body))


def enter_network(pid: int) -> None:
    """Put the calling thread, and no other, into the network of a process."""
    file = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(file, _NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "setns")
    finally:
        os.close(file)


def ask(port: int) -> tuple[int, dict[str, Any]]:
    """Ask a web of the thread's network for its health: status and body, 0 if it does not answer in time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/health")
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError):
        return 0, {}
    finally:
        connection.close()
