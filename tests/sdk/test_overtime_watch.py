"""Where a bot is when its time runs out: on stderr, once a match, and only then."""

from __future__ import annotations

import time

import pytest

from arena.sdk.overtime_watch import OvertimeWatch


def think_for(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def decide(watch: OvertimeWatch, match: str, *, limit_ms: int, thinks_s: float) -> None:
    watch.open(match, 7, time.monotonic(), limit_ms)
    think_for(thinks_s)
    watch.close()


def test_the_stack_shows_where_a_bot_thinks_too_long(capfd: pytest.CaptureFixture[str]) -> None:
    watch = OvertimeWatch()
    decide(watch, "m", limit_ms=300, thinks_s=0.8)
    said = capfd.readouterr().err
    assert said.startswith("match m, decision 7: no answer after 0.")
    assert "in think_for\n    while time.monotonic() < until:" in said
    assert said.count("in decide\n") == 1


def test_it_is_shown_once_a_match(capfd: pytest.CaptureFixture[str]) -> None:
    watch = OvertimeWatch()
    for match in ("m", "m", "n"):
        decide(watch, match, limit_ms=200, thinks_s=0.6)
    assert capfd.readouterr().err.count("the bot is here") == 2


def test_a_decision_in_time_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    watch = OvertimeWatch()
    decide(watch, "m", limit_ms=5000, thinks_s=0.3)
    think_for(0.3)
    assert capfd.readouterr().err == ""


def test_it_looks_again_after_a_pause(capfd: pytest.CaptureFixture[str]) -> None:
    watch = OvertimeWatch()
    decide(watch, "m", limit_ms=5000, thinks_s=0.0)
    time.sleep(2.0)  # the thread sleeps by then
    decide(watch, "n", limit_ms=300, thinks_s=0.8)
    assert "match n, decision 7" in capfd.readouterr().err
