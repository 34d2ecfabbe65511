"""The supervisor over small programs of the test's own; the real parts are in tests/recovery."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.supervisor.part import PartFailed, Program
from arena.supervisor.supervisor import Supervisor
from tests.parts import wait_until

SLEEPS = "import time; time.sleep(60)"
DIES = "import sys; print('no luck', file=sys.stderr); sys.exit(3)"
NOTES_ITS_END = """
import signal, sys, time
def end(*_):
    open(sys.argv[1], "a").write(sys.argv[2] + " ")
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
time.sleep(60)
"""
IS_STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
SUPERVISES = """
import sys, time
from pathlib import Path
from arena.supervisor.part import Program
from arena.supervisor.supervisor import Supervisor
child = "import os, subprocess, sys, time; from arena import process; " \\
    "inner = process.start([sys.executable, '-c', 'import time; time.sleep(60)'], environment={}); " \\
    "open(sys.argv[1], 'w').write(f'{os.getpid()} {inner.pid}'); time.sleep(60)"
program = Program("child", (sys.executable, "-c", child, sys.argv[1]))
Supervisor([[program]], Path(sys.argv[2])).start(lambda: False)
time.sleep(60)
"""


def program(name: str, source: str, *arguments: str) -> Program:
    return Program(name, (sys.executable, "-c", source, *arguments), grace_s=1.0, start_s=5.0)


def watch_until_another(supervisor: Supervisor, pid: int | None) -> float:
    def is_back() -> bool:
        supervisor.watch()
        return supervisor.parts[0].pid not in {None, pid}

    return wait_until(is_back, "the part is started again")


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"


@pytest.fixture
def sleeper(tmp_path: Path) -> Supervisor:
    return Supervisor([[program("sleeper", SLEEPS)]], tmp_path)


def test_a_part_that_is_killed_is_started_again_at_once(sleeper: Supervisor) -> None:
    sleeper.start(lambda: False)
    pid = sleeper.parts[0].pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert watch_until_another(sleeper, pid) < 1.0
    sleeper.stop()


def test_a_part_that_keeps_dying_is_told_of_with_its_last_words(tmp_path: Path) -> None:
    supervisor = Supervisor([[program("dying", DIES)]], tmp_path)
    supervisor.parts[0].start()
    messages: list[str] = []
    wait_until(lambda: messages.extend(supervisor.watch()) or messages, "a message")
    assert messages == [
        f"dying has died 4 times in a row (no luck; exit code 3); it is tried again, and its log is {tmp_path}/dying.log"
    ]
    supervisor.stop()


def test_a_part_that_does_not_start_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    part = Program("dying", (sys.executable, "-c", DIES), ready=lambda _process: False)
    with pytest.raises(PartFailed, match="dying did not start: no luck; exit code 3"):
        Supervisor([[part]], tmp_path).start(lambda: False)


def test_a_part_that_is_not_ready_in_time_is_an_error(tmp_path: Path) -> None:
    part = Program("slow", (sys.executable, "-c", SLEEPS), ready=lambda _process: False, start_s=0.3)
    supervisor = Supervisor([[part]], tmp_path)
    with pytest.raises(PartFailed, match=r"slow did not start within 0\.3 s"):
        supervisor.start(lambda: False)
    supervisor.stop()


def test_groups_stop_in_the_opposite_order(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    groups = [[program(name, NOTES_ITS_END, str(notes), name)] for name in ("redis", "referee", "web")]
    supervisor = Supervisor(groups, tmp_path)
    supervisor.start(lambda: False)
    wait_until(
        lambda: all("ready" in part.log.read_text() for part in supervisor.parts), "all have their handlers"
    )
    supervisor.stop()
    assert notes.read_text().split() == ["web", "referee", "redis"]


def test_a_part_that_does_not_stop_is_killed_after_its_grace_time(tmp_path: Path) -> None:
    supervisor = Supervisor([[program("stubborn", IS_STUBBORN)]], tmp_path)
    supervisor.start(lambda: False)
    pid = supervisor.parts[0].pid
    assert pid is not None
    time.sleep(0.3)
    supervisor.stop()
    assert not lives(pid)


def test_nothing_is_started_once_we_are_to_stop(sleeper: Supervisor) -> None:
    sleeper.start(lambda: True)
    assert sleeper.parts[0].pid is None


def test_children_and_grandchildren_die_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISES, str(pids), str(tmp_path)])
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both are there")
    supervisor.kill()
    supervisor.wait()
    for pid in map(int, pids.read_text().split()):
        wait_until(lambda pid=pid: not lives(pid), "it died", within_s=2)
