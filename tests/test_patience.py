"""The tests' own waiting."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from tests.patience import read_delays, wait_until, waited_for_cores

SPIN = "while True: pass"


def test_what_never_holds_is_given_up_soon_after_its_limit() -> None:
    began = time.monotonic()
    with pytest.raises(AssertionError, match=r"not within 0\.3 s: it is so"):
        wait_until(lambda: False, "it is so", within_s=0.3)
    assert time.monotonic() - began < 30


def test_as_long_as_there_is_progress_the_wait_goes_on() -> None:
    steps = count()
    until = time.monotonic() + 1.5
    wait_until(lambda: time.monotonic() >= until, "it is so", within_s=0.3, progress=lambda: next(steps))


def test_the_time_in_which_processes_wait_for_a_core_is_counted() -> None:
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("needs a kernel that counts it: CONFIG_SCHED_INFO")
    before = read_delays()
    core = str(min(os.sched_getaffinity(0)))
    spinning = [subprocess.Popen(["taskset", "-c", core, sys.executable, "-c", SPIN]) for _ in range(4)]
    try:
        began = time.monotonic()
        wait_until(lambda: waited_for_cores(before) > 2.0, "they have waited", within_s=20)
        assert time.monotonic() - began < 60
    finally:
        for process in spinning:
            process.kill()
            process.wait()
