"""`make chaos` itself: its schedule follows from its seed, its limits from the machine, and nothing of it is left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.chaos import alert_drill, network
from bench.chaos.__main__ import why_not
from bench.chaos.deployment import WORKERS
from bench.chaos.injector import FIRST_S, Outcome
from bench.chaos.machines import Machine, MachineError, Service, folder_of_run
from bench.chaos.network import Network
from bench.chaos.prometheus import scale
from bench.chaos.schedule import GROUPS, plan
from tests.parts.arena_process import lives
from tests.patience import wait_until


def outcome(**seen: float | None) -> Outcome:
    times = {"first_s": 1.0, "blocks_s": 2.0, "pages_s": 0.5, **seen}
    found = Outcome("Redis flushed", "redis", 0.0, **times)  # type: ignore[arg-type]
    found.judge()
    return found


def told(seed: int, *only: str) -> list[tuple[str, float, float]]:
    return [(each.fault.name, each.fault.lasts_s, each.after_s) for each in plan(seed, only)]


def test_same_seed_gives_same_faults() -> None:
    assert told(7) == told(7)


def test_other_seed_gives_other_order() -> None:
    assert told(7) != told(8)


def test_all_groups_come_but_bots_and_alerts_which_have_tournaments_of_their_own() -> None:
    assert {each.fault.group for each in plan(1)} == set(GROUPS) - {"bots", "alerts"}


def test_each_alert_has_its_drill_in_the_order_of_the_runbook() -> None:
    assert tuple(alert_drill.DRILLS) == alert_drill.ALERTS


def test_durations_and_ages_of_the_rules_are_scaled_and_nothing_else_is() -> None:
    rules = "expr: sum(rate(a_total[5m])) > 10 or max(b_age_seconds) > 900 or c > 0.25\nfor: 1h\n"
    assert scale(rules, 30) == (
        "expr: sum(rate(a_total[10000ms])) > 10 or max(b_age_seconds) > 30 or c > 0.25\nfor: 120000ms\n"
    )


def test_only_a_group_keeps_what_the_seed_says_of_it() -> None:
    assert told(7, "partition") == [each for each in told(7) if "parted" in each[0] or "cut off" in each[0]]


def test_only_a_word_of_a_name() -> None:
    assert [name for name, _, _ in told(7, "hangs")] == ["Redis hangs"]


@pytest.mark.parametrize("seed", range(20))
def test_no_fault_lasts_longer_than_20_seconds(seed: int) -> None:
    assert max(each.fault.lasts_s for each in plan(seed)) <= 20


@pytest.mark.parametrize("seed", range(20))
def test_a_referee_and_a_worker_are_lost_for_good(seed: int) -> None:
    lost = [each.fault.name.split()[1] for each in plan(seed, ["gone"])]
    assert len(lost) == 2
    assert len([name for name in lost if name in WORKERS]) == 1


def test_fault_whose_results_come_soon_holds() -> None:
    assert outcome().holds


def test_fault_without_results_afterwards_does_not_hold() -> None:
    assert "the first result did not come" in outcome(first_s=None).wrong[0]


def test_late_result_does_not_hold() -> None:
    assert not outcome(first_s=FIRST_S + 0.1).holds


def test_limit_grows_where_the_machine_is_slow() -> None:
    assert outcome(first_s=FIRST_S + 0.1, slowness=1.5).holds


def test_block_that_stands_still_does_not_hold() -> None:
    assert not outcome(blocks_s=None).holds


def test_forfeit_does_not_hold() -> None:
    assert "though no bot was at fault" in outcome(forfeits=1).wrong[0]


# --- machines -----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder() -> Iterator[Path]:
    if reason := why_not():
        pytest.skip(reason)
    made = folder_of_run()
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def pair(folder: Path) -> Iterator[tuple[Machine, Machine]]:
    """Two machines on a network."""
    switch = Network(folder)
    one, other = Machine("one", folder), Machine("other", folder)
    switch.attach(one, network.address(1))
    switch.attach(other, network.address(2))
    yield one, other
    for each in (one, other, switch):
        each.close()


def listens(machine: Machine) -> None:
    machine.start(Service("web", ("python3", "-m", "http.server", "80"), {"PATH": os.environ["PATH"]}))


def reaches(machine: Machine) -> bool:
    code = f"import socket; socket.create_connection(('{network.address(2)}', 80), 0.5)"
    try:
        machine.run(sys.executable, "-c", code)
    except MachineError:
        return False
    return True


@pytest.mark.long
@pytest.mark.chaos
def test_parted_machines_do_not_reach_each_other_until_they_are_connected_again(
    pair: tuple[Machine, Machine],
) -> None:
    one, other = pair
    listens(other)
    wait_until(lambda: reaches(one), "one reaches the other")
    network.part(one, network.address(2))
    assert not reaches(one)
    network.mend(one, network.address(2))
    assert reaches(one)


@pytest.mark.long
@pytest.mark.chaos
def test_killed_service_is_started_again(pair: tuple[Machine, Machine]) -> None:
    machine = pair[0]
    machine.start(Service("sleep", ("sleep", "600"), {}))
    first = machine.wait_for("sleep")
    os.kill(first, signal.SIGKILL)
    assert machine.wait_for("sleep", other_than=first) != first


@pytest.mark.long
@pytest.mark.chaos
def test_nothing_is_left_of_a_run_that_is_killed(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from bench.chaos.machines import Machine, Service, folder_of_run\n"
        "machine = Machine('m', folder_of_run()); machine.start(Service('sleep', ('sleep', '600'), {}))\n"
        "print(machine.init, machine.wait_for('sleep'), machine.folder, flush=True); sys.stdin.read()"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    init, sleep, place = run.stdout.readline().split()
    os.kill(int(sleep), signal.SIGSTOP)  # what is stopped must go, too
    run.kill()
    run.communicate()
    wait_until(lambda: not lives(int(init)) and not lives(int(sleep)), "its machine is gone")
    folder_of_run()
    assert not Path(place).exists()


@pytest.mark.long
@pytest.mark.chaos
@pytest.mark.timeout(3600)
def test_nothing_is_lost_whatever_dies(folder: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "bench.chaos", "--seed", str(time.time_ns() % 1_000_000)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout
