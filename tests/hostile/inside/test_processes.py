"""Bots that end, that start more processes than they may, that burn, and that want to stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.match.faults import FaultKind
from referee.sandbox import self_test
from tests.hostile.inside.sandboxed_attacks import LIMITS, SMALL, hostile, play, rewrite, until_gone
from tests.referee.running_referee import House, open_house

pytestmark = pytest.mark.asyncio(loop_scope="module")

_STAYS = """
child = os.fork()
if not child:
    {leave}
    time.sleep(600)
"""


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        ("os._exit(7)", "its process ended with exit code 7"),
        ("sys.exit(0)", "its process ended with exit code"),
        ("ctypes.string_at(0)", "its process was ended by signal 11 (SIGSEGV)"),
        ("os.abort()", "its process was ended by signal 6 (SIGABRT)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "its process was ended by signal 9 (SIGKILL)"),
        ("raise BaseException('no more')", "BaseException: no more"),
    ],
    ids=["exit", "orderly_exit", "segfault", "abort", "kill_of_itself", "exception"],
)
async def test_end_of_its_process_is_a_crash_of_its_own(
    house: House, folder: Path, attack: str, message: str
) -> None:
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is not None
    assert outcome.fault.kind is FaultKind.CRASH
    assert message in outcome.fault.message


async def test_exit_while_the_other_thinks_is_its_own_fault(house: House, folder: Path) -> None:
    leaves = hostile(folder, "threading.Timer(0.5, os._exit, [3]).start()")
    outcome = await play(house, leaves, opponent=hostile(folder, "time.sleep(3)"))
    assert outcome.fault is not None
    assert "exit code 3" in outcome.fault.message


async def test_fork_bomb_stops_at_its_bound(house: House, folder: Path) -> None:
    attack = """
    children = []
    try:
        while True:
            child = os.fork()
            if not child:
                time.sleep(60)
                os._exit(0)
            children.append(child)
    except BlockingIOError:
        for child in children:
            os.kill(child, signal.SIGKILL)
        return 0 < len(children) < 32
    """
    assert (await play(house, hostile(folder, attack))).said == "result: True\n"


async def test_fork_bomb_that_goes_on_is_gone_with_its_match(house: House, folder: Path) -> None:
    attack = """
    def bomb():
        while True:
            try:
                os.fork()
            except OSError:
                pass
    threading.Thread(target=bomb, daemon=True).start()
    time.sleep(1)
    os._exit(1)
    """
    bot = hostile(folder, attack)
    outcome = await play(house, bot)
    assert outcome.fault is not None
    await until_gone(bot)


async def test_flood_of_threads_stops_at_its_bound(house: House, folder: Path) -> None:
    attack = """
    started = 0
    stop = threading.Event()
    try:
        while started < 1000:
            threading.Thread(target=stop.wait, daemon=True).start()
            started += 1
    except RuntimeError as error:
        stop.set()
        return started < 32, str(error)
    """
    assert 'result: (True, "can\'t start new thread")' in (await play(house, hostile(folder, attack))).said


async def test_burning_all_cores_while_others_think_costs_itself_only(own_folder: Path) -> None:
    attack = """
    for _ in range(8):
        if not os.fork():
            while True:
                pass
    time.sleep(60)
    """
    bounds = replace(SMALL, cores=0.1, burst_s=3.0)
    launcher = await self_test.choose("on", bounds, allow_files=True, bundles=lambda _sha256: None)
    async with open_house(own_folder, limits=LIMITS, launcher=launcher) as house:
        outcome = await play(house, hostile(own_folder, attack))
    assert outcome.fault is not None
    assert "s of processor time within" in outcome.fault.message


@pytest.mark.parametrize(
    "leave", ["pass", "os.fork() and os._exit(0)", "signal.signal(signal.SIGTERM, signal.SIG_IGN)", "os.setpgid(0, 0)"],
    ids=["child", "grandchild", "deaf_child", "child_in_a_group_of_its_own"],
)  # fmt: skip
async def test_daemon_that_it_leaves_behind_is_gone_with_it(house: House, folder: Path, leave: str) -> None:
    bot = hostile(folder, _STAYS.format(leave=leave) + "os._exit(0)")
    outcome = await play(house, bot)
    assert outcome.fault is not None
    await until_gone(bot)


async def test_process_that_is_stopped_is_gone_with_the_referee(own_folder: Path) -> None:
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=lambda _sha256: None)
    bot = hostile(own_folder, _STAYS.format(leave="os.kill(os.getpid(), signal.SIGSTOP)"))
    async with open_house(own_folder, limits=LIMITS, launcher=launcher) as house:
        assert (await play(house, bot)).fault is None
    await until_gone(bot)


async def test_programs_of_the_machine_cannot_be_run(house: House, folder: Path) -> None:
    outcome = await play(house, hostile(folder, "return subprocess.run(['/bin/sh', '-c', 'id'])"))
    assert "stopped: FileNotFoundError" in outcome.said


@pytest.mark.parametrize(
    ("pass_on", "look"),
    [
        ("open('/tmp/deal', 'w').write('deal')", "open('/tmp/deal').read()"),
        ("open('/dev/shm/deal', 'w').write('deal')", "open('/dev/shm/deal').read()"),
        (
            "global kept; kept = socket.socket(socket.AF_UNIX); kept.bind('\\0deal'); kept.listen()",
            "socket.socket(socket.AF_UNIX).connect('\\0deal')",
        ),
        (
            "global kept; kept = socket.socket(socket.AF_UNIX); kept.bind('/tmp/deal'); kept.listen()",
            "socket.socket(socket.AF_UNIX).connect('/tmp/deal')",
        ),
        (
            "if ctypes.CDLL(None).shmget(77, 4096, 0o1666) < 0: raise OSError('no shared memory')",
            "if ctypes.CDLL(None).shmget(77, 4096, 0o666) < 0: raise OSError('no shared memory')",
        ),
        ("from arena.sdk import bot; bot.deal = 'deal'", "from arena.sdk import bot; return bot.deal"),
    ],
    ids=["file", "shm", "abstract_socket", "socket", "shared_memory", "module"],
)
async def test_lane_passes_nothing_on_to_another(house: House, folder: Path, pass_on: str, look: str) -> None:
    knows = f"""
    try:
        {pass_on}
    except OSError:
        pass
    """
    both = hostile(folder, knows)
    await play(house, both)
    # The same program, in another lane: its file now looks for what the first one left.
    rewrite(both, hostile(folder, look))
    outcome = await play(house, replace(both, lane=1))
    assert outcome.said.startswith("stopped: ")
