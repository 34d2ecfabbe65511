"""Guarded programs: nothing that they start is left, whatever ends first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.core import child_process
from tests.patience import wait_until

FAMILY = """
import os, sys, time
def stay():
    time.sleep(600)
if not os.fork(): stay()                        # a child
if not os.fork():                               # a child in a session of its own
    os.setsid(); stay()
if not os.fork():                               # a daemon: its parent is gone
    os.setsid()
    if not os.fork():
        os.chdir("/"); stay()
    os._exit(0)
if not os.fork():                               # one that ignores what it can
    import signal
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1): signal.signal(number, signal.SIG_IGN)
    stay()
time.sleep(0.2)
print("ready", flush=True)
{then}
"""
SIZE = 5
"""The program and its four descendants."""


def alive(mark: str) -> list[int]:
    """List the processes that have a mark on their command line; those of Python that start them have it, too."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.fixture
def mark() -> Iterator[str]:
    made = f"mark-{uuid.uuid4().hex}"
    yield made
    for pid in alive(made):
        os.kill(pid, signal.SIGKILL)


def start(mark: str, then: str) -> subprocess.Popen[bytes]:
    started = child_process.start(
        (sys.executable, "-c", FAMILY.format(then=then), mark),
        environment={},
        stdout=subprocess.PIPE,
        guarded=True,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    if then == "stay()":
        assert len(alive(mark)) == SIZE + 1  # the guard, too
    return started


@pytest.mark.parametrize(
    ("then", "code"),
    [
        ("sys.exit(7)", 7),
        ("pass", 0),
        ("os.kill(os.getpid(), 9)", -9),
        ("os.abort()", -6),
        ("os.kill(os.getpid(), 15)", -15),
    ],
)
def test_what_a_program_leaves_behind_ends_with_it(mark: str, then: str, code: int) -> None:
    started = start(mark, then)
    assert started.wait(20) == code
    assert alive(mark) == []
    started.stdout.close()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "end",
    [
        child_process.kill_guarded,
        lambda started: child_process.stop_guarded(started, grace_s=5),
        lambda started: os.kill(started.pid, signal.SIGHUP),
    ],
    ids=["killed", "stopped", "hung up"],
)
def test_nothing_is_left_of_a_program_that_is_ended(
    mark: str, end: Callable[[subprocess.Popen[bytes]], None]
) -> None:
    started = start(mark, "stay()")
    end(started)
    assert started.wait(20) < 0
    assert alive(mark) == []
    started.stdout.close()  # type: ignore[union-attr]


def test_program_has_its_grace_before_it_is_killed(mark: str) -> None:
    started = start(
        mark,
        "import signal; signal.signal(signal.SIGTERM, lambda *_: (print('bye', flush=True), sys.exit(3))); print('set', flush=True); stay()",
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"set\n"
    child_process.stop_guarded(started, grace_s=20)
    assert started.stdout.read() == b"bye\n"
    assert started.returncode == 3
    assert alive(mark) == []
    started.stdout.close()


def test_nothing_is_left_when_the_parent_is_killed(mark: str) -> None:
    code = (
        "import sys, time; from arena.core import child_process; from tests.core.test_process_guard import FAMILY;"
        "child_process.start((sys.executable, '-c', FAMILY.format(then='stay()'), sys.argv[1]), environment={}, guarded=True);"
        "time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, mark], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    assert len(alive(mark)) == SIZE + 2
    parent.kill()
    parent.wait()
    wait_until(lambda: alive(mark) == [], "nothing is left")
    parent.stdout.close()


@pytest.mark.parametrize("name", ["SIGUSR1", "SIGHUP", "SIGINT", "SIGQUIT", "SIGSTOP"])
def test_signals_to_the_group_of_a_program_do_not_reach_its_guard(mark: str, name: str) -> None:
    """Its own group gets them; what ignores them goes on."""
    code = (
        "import os, signal, sys, time\n"
        "if not os.fork():\n"
        "    os.setsid(); time.sleep(600)\n"
        f"number = signal.{name}\n"
        "if number != signal.SIGSTOP: signal.signal(number, signal.SIG_IGN)\n"
        "print('ready', flush=True)\n"
        "os.killpg(0, number)\n"
        "print('on', flush=True)\n"
        "time.sleep(600)\n"
    )
    started = child_process.start(
        (sys.executable, "-c", code, mark), environment={}, stdout=subprocess.PIPE, guarded=True
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    if name != "SIGSTOP":
        assert started.stdout.readline() == b"on\n"
        assert started.poll() is None
    child_process.kill_guarded(started)
    assert started.wait(20) < 0
    assert alive(mark) == []
    started.stdout.close()
