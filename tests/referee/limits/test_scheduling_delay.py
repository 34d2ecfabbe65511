"""Waits for a core, with real processes on real cores: what is credited to a bot, and what is not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.match.clock import TimeControl
from arena.referee_client import Finished, Hosted
from referee.limits.scheduling_delay import SchedulingDelayMeter, tree_cpu_time
from tests.referee.running_referee import house_bot, open_house, order

BURN = "while True: pass"
SLEEP = "import time; time.sleep(60)"
FAMILY = "import os\nfor _ in range(8):\n    if not os.fork(): break\nwhile True: pass"
WINDOW_S = 0.6


@contextmanager
def running(*programs: str, core: int | None = None) -> Iterator[list[int]]:
    """Run programs, all on one core if it is given."""
    started = [
        subprocess.Popen([sys.executable, "-I", "-S", "-c", program], start_new_session=True)
        for program in programs
    ]
    try:
        for each in started:
            if core is not None:
                os.sched_setaffinity(each.pid, {core})
        time.sleep(0.3)
        yield [each.pid for each in started]
    finally:
        for each in started:
            os.killpg(each.pid, 9)
            each.wait()


def delay_share(pid: int) -> float:
    """The scheduling delay of a process as a share of a window."""
    began = time.monotonic()
    meter = SchedulingDelayMeter(pid, 0.0)
    time.sleep(WINDOW_S)
    window_ms = (time.monotonic() - began) * 1000
    return meter.delay_ms(0.0, window_ms) / window_ms


def test_a_process_that_shares_its_core_with_others_waits_for_it_and_is_credited() -> None:
    with running(BURN, BURN, BURN, core=min(os.sched_getaffinity(0))) as pids:
        assert delay_share(pids[0]) > 0.4


def test_a_process_that_sleeps_has_waited_for_nothing() -> None:
    with running(SLEEP) as pids:
        before = tree_cpu_time(pids[0])
        time.sleep(WINDOW_S)
        assert tree_cpu_time(pids[0]).since(before).waiting_ms < 100 * WINDOW_S


def test_a_bot_earns_no_credit_by_crowding_the_cores() -> None:
    with running(FAMILY) as pids:
        before = tree_cpu_time(pids[0])
        share = delay_share(pids[0])
        crowd = tree_cpu_time(pids[0]).since(before)
    assert crowd.waiting_ms > 1000 * WINDOW_S
    assert share <= max(0.0, 1 - crowd.running_ms / (1000 * WINDOW_S)) + 0.15


def test_waits_of_long_ago_are_not_credited_now() -> None:
    with running(BURN, BURN, core=min(os.sched_getaffinity(0))) as pids:
        meter = SchedulingDelayMeter(pids[0], 0.0)
        time.sleep(WINDOW_S)
        meter.sample(1000 * WINDOW_S)
        assert meter.delay_ms(1000 * WINDOW_S, 1000 * WINDOW_S + 5) <= 5


def test_a_process_that_is_gone_has_no_delay_of_its_own() -> None:
    with running(SLEEP) as pids:
        pid = pids[0]
    assert tree_cpu_time(pid) == (0.0, 0.0)


STARVED = """
import time
from arena.sdk import Bot, run

class Starved(Bot):
    worked = False

    def choose(self, decision):
        until = time.thread_time() + (0 if self.worked else 0.2)
        self.worked = True
        while time.thread_time() < until:
            pass
        return decision.legal[0]

run(Starved())
"""


async def test_a_bot_that_got_no_core_in_time_is_not_charged_for_it(tmp_path: Path) -> None:
    # It needs 200 ms of a core that it shares with five others; its cap is 500 ms.
    core = min(os.sched_getaffinity(0))
    (tmp_path / "starved.py").write_text(f"import os\nos.sched_setaffinity(0, {{{core}}})\n{STARVED}")
    time_control = TimeControl(base_ms=60_000, increment_ms=0, cap_ms=500, talk_ms=100)
    async with open_house(tmp_path, bots=None) as house:
        with running(*[BURN] * 5, core=core):
            played = await house.play(
                order("m", Hosted(f"file:{tmp_path / 'starved.py'}"), house_bot(), time=time_control)
            )
    ended = played["m"]
    assert isinstance(ended, Finished)
    assert ended.record.result.fault is None
