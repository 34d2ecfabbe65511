"""The watchdog ends no sandbox for what a stranger uses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.core import child_process
from referee.limits.sandbox_bounds import MIB
from referee.sandbox.kernel_memory import KernelMemory, held, machine_system_s
from referee.sandbox.watchdog import Watchdog

_BIG = "x = bytearray(b'x') * (80 << 20); print('ready', flush=True); import time; time.sleep(600)"


@pytest.fixture
def big() -> Iterator[subprocess.Popen[bytes]]:
    """A process that uses 80 MiB."""
    started = child_process.start((sys.executable, "-c", _BIG), environment={}, stdout=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    yield started
    child_process.stop(started, grace_s=0)
    started.stdout.close()


@pytest.fixture
def small() -> Iterator[subprocess.Popen[bytes]]:
    started = child_process.start(("sleep", "600"), environment={})
    yield started
    child_process.stop(started, grace_s=0)


def test_sandbox_that_uses_too_much_is_ended(
    big: subprocess.Popen[bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    watchdog = Watchdog(40 * MIB, 8.0, 20.0, KernelMemory(1 << 60, held(), machine_system_s))
    watchdog.handle(f"+{big.pid}")
    watchdog.check(anew=False, usage=False)
    assert "MiB of memory, 40 MiB are allowed" in capfd.readouterr().out
    assert big.wait(10) != 0


def test_one_that_was_ended_and_is_not_reaped_yet_keeps_it_from_no_other(
    big: subprocess.Popen[bytes], small: subprocess.Popen[bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    watchdog = Watchdog(40 * MIB, 8.0, 20.0, KernelMemory(1 << 60, held(), machine_system_s))
    watchdog.handle(f"+{big.pid}")
    watchdog.handle(f"+{small.pid}")
    watchdog.check(anew=False, usage=False)
    watchdog.check(anew=False, usage=False)
    assert capfd.readouterr().out.count("are allowed") == 1
    assert small.poll() is None


def test_sandbox_is_not_ended_for_a_stranger_that_has_the_number_of_a_process_it_had(
    big: subprocess.Popen[bytes], small: subprocess.Popen[bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    watchdog = Watchdog(40 * MIB, 8.0, 20.0, KernelMemory(1 << 60, held(), machine_system_s))
    watchdog.handle(f"+{small.pid}")
    watchdog.check(anew=True, usage=False)
    watchdog._owner[big.pid] = small.pid  # as it was known of the process that had this number before
    watchdog.check(anew=False, usage=False)
    assert capfd.readouterr().out == ""
