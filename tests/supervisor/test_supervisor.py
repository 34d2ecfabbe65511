"""The supervisor over small programs of the test's own; the real parts are in tests/recovery."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from arena.supervisor.part import PartFailed, Program
from arena.supervisor.supervisor import Supervisor
from tests.patience import wait_until

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
TAKES_ITS_TIME = """
import signal, sys, time
told = []
def note(*_):
    told.append("told")
    open(sys.argv[1], "a").write("told ")
signal.signal(signal.SIGTERM, note)
print("ready", flush=True)
while not told:
    time.sleep(0.01)
time.sleep(0.2)
"""
SLOW = """
import time
from arena.core import sd_notify
sd_notify.tell("STATUS=importing")
time.sleep(1.0)
sd_notify.tell(sd_notify.READY)
time.sleep(60)
"""
SHOWS_LIFE = """
import time
from arena.core import sd_notify
while True:
    sd_notify.tell(sd_notify.READY, sd_notify.ALIVE)
    print("alive", flush=True)
    time.sleep(0.2)
"""
TALKS = """
import logging, sys, time
from arena.core import logging_setup
logging_setup.configure("INFO")
number = 0
while True:
    number += 1
    if number % 2:
        logging.info("line %d", number)
    else:
        print("raw", number, flush=True)
    time.sleep(0.002)
"""
IS_STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
SUPERVISES = """
import sys, time
from pathlib import Path
from arena.supervisor.part import Program
from arena.supervisor.supervisor import Supervisor
child = "import os, subprocess, sys, time; from arena.core import child_process as process; " \\
    "inner = process.start([sys.executable, '-c', 'import time; time.sleep(60)'], environment={}); " \\
    "open(sys.argv[1], 'w').write(f'{os.getpid()} {inner.pid}'); time.sleep(60)"
program = Program("child", (sys.executable, "-c", child, sys.argv[1]), awaited=False)
Supervisor([[program]], Path(sys.argv[2]), Path(sys.argv[2], "notify.sock")).start(lambda: False, print)
time.sleep(60)
"""


def program(name: str, source: str, *arguments: str) -> Program:
    return Program(name, (sys.executable, "-c", source, *arguments), awaited=False, grace_s=1.0)


def supervising(folder: Path, *groups: list[Program], stops_first: str = "") -> Supervisor:
    return Supervisor(groups, folder, folder / "notify.sock", stops_first=stops_first)


def start(supervisor: Supervisor) -> list[str]:
    """Start all parts; return what is said meanwhile."""
    said: list[str] = []
    supervisor.start(lambda: False, said.append)
    return said


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


def is_dead(pid: int) -> bool:
    return not lives(pid)


@pytest.fixture
def sleeper(tmp_path: Path) -> Supervisor:
    return supervising(tmp_path, [program("sleeper", SLEEPS)])


def test_a_part_that_is_killed_is_started_again_at_once(sleeper: Supervisor) -> None:
    sleeper.start(lambda: False, print)
    pid = sleeper.parts[0].pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert watch_until_another(sleeper, pid) < 1.0
    sleeper.stop()


def test_a_part_that_keeps_dying_is_told_of_with_its_last_words(tmp_path: Path) -> None:
    supervisor = supervising(tmp_path, [program("dying", DIES)])
    supervisor.parts[0].start()
    messages: list[str] = []
    wait_until(lambda: messages.extend(supervisor.watch()) or messages, "a message")
    assert messages == [
        f"dying has died 4 times in a row (no luck; exit code 3); it is tried again, and its log is {tmp_path}/dying.log"
    ]
    supervisor.stop()


def test_a_part_that_does_not_start_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    part = Program("dying", (sys.executable, "-c", DIES))
    with pytest.raises(PartFailed, match="dying did not start: no luck; exit code 3"):
        supervising(tmp_path, [part]).start(lambda: False, print)


def test_a_start_is_waited_for_as_long_as_it_takes_and_spoken_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.supervisor.part._SAY_AFTER_S", 0.2)
    part = Program("slow", (sys.executable, "-c", SLOW))
    supervisor = supervising(tmp_path, [part])
    said = start(supervisor)
    supervisor.stop()
    assert len(said) >= 3  # after 0.2, 0.4 and 0.8 s
    assert {line.split(" for ")[1] for line in said} == {"slow"}
    assert said[-1].endswith("s: importing")


def test_a_start_that_does_nothing_any_more_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.supervisor.part.STARTING_S", 2.0)
    part = Program("stuck", (sys.executable, "-c", SLEEPS))
    supervisor = supervising(tmp_path, [part])
    with pytest.raises(PartFailed, match=r"stuck did not start: no sign of life for \d s"):
        supervisor.start(lambda: False, print)
    supervisor.stop()


def test_one_that_does_not_report_is_asked(tmp_path: Path) -> None:
    asked: list[int] = []

    def answers() -> bool:
        asked.append(1)
        return len(asked) > 2

    supervisor = supervising(tmp_path, [Program("silent", (sys.executable, "-c", SLEEPS), answers=answers)])
    start(supervisor)
    supervisor.stop()
    assert len(asked) == 3


def test_a_part_that_hangs_is_ended_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.supervisor.part.SILENT_S", 2.0)
    part = Program("hanging", (sys.executable, "-c", SHOWS_LIFE))
    supervisor = supervising(tmp_path, [part])
    supervisor.start(lambda: False, print)
    pid = supervisor.parts[0].pid
    assert pid is not None
    wait_until(
        lambda: supervisor.watch() or "alive" in supervisor.parts[0].log.read_text(), "it has shown life"
    )
    os.kill(pid, signal.SIGSTOP)
    said: list[str] = []
    wait_until(lambda: said.extend(supervisor.watch()) or said, "it is told")
    watch_until_another(supervisor, pid)
    supervisor.stop()
    assert said[0].startswith("hanging hangs: no sign of life for ")
    assert not lives(pid)


def test_a_part_that_shows_life_is_left_alone_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.supervisor.part.SILENT_S", 2.0)
    monkeypatch.setattr("arena.supervisor.part.STARTING_S", 2.0)
    part = Program("idle", (sys.executable, "-c", SHOWS_LIFE))
    supervisor = supervising(tmp_path, [part])
    supervisor.start(lambda: False, print)
    pid = supervisor.parts[0].pid
    ends_at = time.monotonic() + 5.0
    while time.monotonic() < ends_at:
        assert supervisor.watch() == []
        time.sleep(0.05)
    assert supervisor.parts[0].pid == pid
    supervisor.stop()


def test_a_log_is_turned_over_while_its_part_runs_and_loses_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.supervisor.log_files.MAX_BYTES", 2000)
    monkeypatch.setattr("arena.supervisor.part._ROTATE_EVERY_S", 0.0)
    supervisor = supervising(tmp_path, [program("talker", TALKS)])
    supervisor.start(lambda: False, print)
    part = supervisor.parts[0]
    assert part.pid is not None
    pid = part.pid
    wait_until(lambda: supervisor.watch() or (tmp_path / "talker.log.2").exists(), "it is turned over twice")
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not lives(pid), "it is dead")
    files = [tmp_path / f"talker.log{end}" for end in (".3", ".2", ".1", "")]
    numbers = [
        int(line.split()[-1]) for file in files if file.exists() for line in file.read_text().splitlines()
    ]
    supervisor.stop()
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert max(file.stat().st_size for file in files if file.exists()) < 50_000


@pytest.mark.parametrize(
    ("stops_first", "order"), [("", ["workers", "web", "redis"]), ("web", ["web", "workers", "redis"])]
)
def test_groups_stop_in_the_opposite_order_but_for_the_one_that_stops_first(
    tmp_path: Path, stops_first: str, order: list[str]
) -> None:
    notes = tmp_path / "notes"
    groups = [[program(name, NOTES_ITS_END, str(notes), name)] for name in ("redis", "web", "workers")]
    supervisor = supervising(tmp_path, *groups, stops_first=stops_first)
    supervisor.start(lambda: False, print)
    wait_until(
        lambda: all("ready" in part.log.read_text() for part in supervisor.parts), "all have their handlers"
    )
    supervisor.stop()
    assert notes.read_text().split() == order


def test_a_part_that_takes_its_time_is_told_to_stop_once(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    supervisor = supervising(tmp_path, [program("slow", TAKES_ITS_TIME, str(notes))])
    supervisor.start(lambda: False, print)
    wait_until(lambda: "ready" in supervisor.parts[0].log.read_text(), "it has its handler")
    supervisor.stop()
    assert notes.read_text().split() == ["told"]


def test_a_part_is_told_of_when_it_serves_and_before_the_next_starts(tmp_path: Path) -> None:
    told: list[list[int | None]] = []
    first = Program(
        "first",
        (sys.executable, "-c", SLEEPS),
        began=lambda _status: told.append([each.pid for each in supervisor.parts]),
        awaited=False,
    )
    supervisor = supervising(tmp_path, [first], [program("second", SLEEPS)])
    supervisor.start(lambda: False, print)
    assert [pid is None for pid in told[0]] == [False, True]
    supervisor.stop()


def test_a_part_that_does_not_stop_is_killed_after_its_grace_time(tmp_path: Path) -> None:
    supervisor = supervising(tmp_path, [program("stubborn", IS_STUBBORN)])
    supervisor.start(lambda: False, print)
    pid = supervisor.parts[0].pid
    assert pid is not None
    time.sleep(0.3)
    supervisor.stop()
    assert not lives(pid)


def test_nothing_is_started_once_we_are_to_stop(sleeper: Supervisor) -> None:
    sleeper.start(lambda: True, print)
    assert sleeper.parts[0].pid is None


def test_children_and_grandchildren_die_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISES, str(pids), str(tmp_path)])
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2, "both are there")
    supervisor.kill()
    supervisor.wait()
    for pid in map(int, pids.read_text().split()):
        wait_until(partial(is_dead, pid), "it died", within_s=2)
