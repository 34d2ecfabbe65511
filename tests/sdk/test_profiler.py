"""Sampling what a bot does: with a bot that has an alarm of its own."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import pytest

from arena.sdk import Bot
from arena.sdk.profiler import profile


class Alarmed(Bot[Any]):
    """Stops thinking when its own alarm rings."""

    def __init__(self) -> None:
        self.rung = 0

    def ring(self, *_: object) -> None:
        self.rung += 1

    def choose(self, decision: Any) -> str:
        before, end = self.rung, perf_counter() + 5
        signal.signal(signal.SIGALRM, self.ring)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        while self.rung == before and perf_counter() < end:
            pass
        return str(decision.match)

    def on_end(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def _same_handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_bot_keeps_an_alarm_of_its_own(tmp_path: Path) -> None:
    bot: Any = Alarmed()
    profile(bot, tmp_path)
    for _ in range(3):
        assert bot.choose(SimpleNamespace(match="m", seat=0)) == "m"
    assert bot.rung == 3
    bot.on_end()
    (file,) = tmp_path.glob("*.json")
    decisions = json.loads(file.read_text())["decisions"]
    assert sorted(each["call"] for each in decisions) == [1, 2, 3]
    for each in decisions:
        assert each["ms"] > 15
        assert "Alarmed.choose" in each["calls"][0][0][0]
