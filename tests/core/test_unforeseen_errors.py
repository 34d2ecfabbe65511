"""Unforeseen errors are survived, and logged with their tracebacks, the same one once a minute."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest

from arena.core.unforeseen_errors import UnforeseenErrors

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)


class Clock:
    """A clock that stands where it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def stumble() -> None:
    raise ValueError("a library's own error")


def trip() -> None:
    raise ValueError("another place")


def fail(errors: UnforeseenErrors, step: str = "the step", work: Callable[[], None] = stumble) -> None:
    with errors.survive(step):
        work()


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_error_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    fail(UnforeseenErrors(_log))
    assert lines(caplog) == ["the step failed"]
    assert "in stumble" in caplog.text
    assert "a library's own error" in caplog.text


def test_same_error_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    errors = UnforeseenErrors(_log, clock)
    for clock.now in (0.0, 1.0, 59.9, 60.0, 61.0):
        fail(errors)
    assert lines(caplog) == ["the step failed", "the step failed, 3 times since it was last logged"]


@pytest.mark.parametrize(
    "other", [{"step": "another step"}, {"work": trip}], ids=["another step", "another line"]
)
def test_other_error_is_logged_at_once(
    caplog: pytest.LogCaptureFixture, other: dict[str, str | Callable[[], None]]
) -> None:
    errors = UnforeseenErrors(_log)
    fail(errors)
    fail(errors, **other)  # type: ignore[arg-type]
    assert len(lines(caplog)) == 2


def test_cancellation_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(asyncio.CancelledError), UnforeseenErrors(_log).survive("the step"):
        raise asyncio.CancelledError
    assert not lines(caplog)
