"""Hosted bots: processes that the referee starts, watches and ends."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.match.clock import TimeControl
from arena.match.faults import FaultKind, SeatFault
from arena.match.verification import verify
from arena.referee_client import Failed, Finished, Hosted, SeatOutput
from referee.launch.bot_process import Process
from referee.launch.plain_launcher import PlainLauncher
from referee.limits.memory_budget import Budget
from referee.limits.sandbox_bounds import MIB
from tests.patience import patient
from tests.referee.running_referee import HURRY, QUICK, House, good_bots, house_bot, open_house, order

BOT = """
import os, signal, sys, time
from arena.sdk import Bot, run
class Own(Bot):
    matches_at_once = 4
    def choose(self, decision):
        {deed}
        return decision.legal[0]
run(Own())
"""


def own_bot(directory: Path, deed: str = "pass") -> Hosted:
    path = directory / "own.py"
    path.write_text(BOT.format(deed=deed))
    return Hosted(f"file:{path}")


async def written(path: Path) -> None:
    """Wait until a bot has written a file."""
    while not path.exists() or not path.read_text():  # noqa: ASYNC110, ASYNC240 - another process writes it
        await asyncio.sleep(0.02)


def fault_of(ended: object) -> SeatFault:
    assert isinstance(ended, Finished)
    assert verify(ended.record) is None
    assert ended.record.result.fault is not None
    return ended.record.result.fault


async def test_own_file_plays(house: House, tmp_path: Path) -> None:
    ended = (await house.play(order("m", own_bot(tmp_path), house_bot())))["m"]
    assert isinstance(ended, Finished)
    assert ended.record.result.end == "completed"


async def test_killed_process_is_a_crash_and_other_matches_go_on(house: House, tmp_path: Path) -> None:
    async with good_bots(house, "c", "d"):
        killed = own_bot(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
        ended = await house.play(order("m", house_bot(), killed), order("good", "c", "d"))
        fault = fault_of(ended["m"])
        assert fault == SeatFault(1, FaultKind.CRASH, "its process was ended by signal 9 (SIGKILL)")
        assert isinstance(ended["good"], Finished)
        assert ended["good"].record.result.end == "completed"


async def test_exception_is_a_crash_with_the_end_of_its_traceback(house: House, tmp_path: Path) -> None:
    ended = await house.play(order("m", own_bot(tmp_path, 'raise ValueError("oh no")'), house_bot()))
    fault = fault_of(ended["m"])
    assert fault.kind is FaultKind.CRASH
    assert "exit code 1" in fault.message
    assert fault.message.endswith("ValueError: oh no")


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_bot_that_answers_no_pings_while_it_thinks_keeps_its_connection(
    house: House, tmp_path: Path
) -> None:
    """Its HTTP/2 layer has no thread of its own; grpc gives up a connection whose pings are not answered for a minute."""
    once = f'mark = {str(tmp_path / "mark")!r}; os.path.exists(mark) or open(mark, "w").close() or time.sleep(75)'
    time = TimeControl(base_ms=100_000, cap_ms=100_000)
    ended = (await house.play(order("m", own_bot(tmp_path, once), house_bot(), time=time)))["m"]
    assert isinstance(ended, Finished)
    assert (ended.record.result.end, ended.record.result.fault) == ("completed", None)
    assert max(step.ms or 0 for step in ended.record.steps) > 60_000


async def test_process_is_started_again_for_the_next_match(house: House, tmp_path: Path) -> None:
    once = f'mark = {str(tmp_path / "mark")!r}; os.path.exists(mark) or (open(mark, "w"), sys.exit(3))'
    bot = own_bot(tmp_path, once)
    ended = await house.play(order("m1", bot, house_bot()))
    assert "exit code 3" in fault_of(ended["m1"]).message
    ended = await house.play(order("m2", bot, house_bot()))
    assert isinstance(ended["m2"], Finished)
    assert ended["m2"].record.result.end == "completed"


SLOW_END = "import atexit; atexit.register(lambda: {end}); sys.exit(3)"
"""Its stream is closed before what is registered runs, and the process ends after that."""


async def test_process_that_exits_seconds_after_its_stream_is_closed_has_its_exit_code(
    house: House, tmp_path: Path
) -> None:
    bot = own_bot(tmp_path, SLOW_END.format(end="time.sleep(2)"))
    ended = await house.play(order("m", bot, house_bot()))
    assert "exit code 3" in fault_of(ended["m"]).message


@pytest.fixture
def busy_core() -> Iterator[None]:
    """Six processes want the first core all the time."""
    spinning = "import os; os.sched_setaffinity(0, {0})\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", spinning]) for _ in range(6)]
    yield
    for other in others:
        other.kill()
        other.wait()


@pytest.mark.usefixtures("busy_core")
async def test_time_without_a_core_is_added_to_the_time_to_exit(tmp_path: Path) -> None:
    spin = "[None for until in [time.process_time() + 0.5] for _ in iter(lambda: time.process_time() > until, True)]"
    bot = own_bot(tmp_path, "os.sched_setaffinity(0, {0}); " + SLOW_END.format(end=spin))
    async with open_house(tmp_path, limits=replace(QUICK, exit_s=1.5)) as house:
        ended = await house.play(order("m", bot, house_bot()))
    assert "exit code 3" in fault_of(ended["m"]).message


async def test_process_that_lives_on_after_its_stream_is_closed_is_ended(tmp_path: Path) -> None:
    bot = own_bot(tmp_path, SLOW_END.format(end="time.sleep(600)"))
    async with open_house(tmp_path, limits=replace(QUICK, exit_s=0.5)) as house:
        async with asyncio.timeout(20):
            ended = await house.play(order("m", bot, house_bot()))
        assert "it closed its stream" in fault_of(ended["m"]).message


async def test_program_that_fails_before_it_connects_is_a_crash(house: House, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_that_name")
    bot = Hosted(f"file:{path}")
    ended = await house.play(order("m1", bot, house_bot()), order("m2", bot, house_bot()))
    for each in ended.values():
        fault = fault_of(each)
        assert (fault.seat, fault.kind) == (0, FaultKind.CRASH)
        assert "No module named 'nothing_of_that_name'" in fault.message


async def test_matches_of_one_lane_share_a_process_and_lanes_do_not(house: House, tmp_path: Path) -> None:
    seen = tmp_path / "pids"
    bot = own_bot(tmp_path, f'open({str(seen)!r}, "a").write(f"{{os.getpid()}}\\n")')
    other = Hosted(bot.program, lane=1)
    await house.play(order("m1", bot, house_bot()), order("m2", bot, house_bot()))
    assert len(set(seen.read_text().split())) == 1
    await house.play(order("m3", other, house_bot()))
    assert len(set(seen.read_text().split())) == 2


async def test_process_that_has_seen_a_deal_does_not_see_it_again(house: House, tmp_path: Path) -> None:
    seen = tmp_path / "pids"
    bot = own_bot(tmp_path, f'open({str(seen)!r}, "a").write(f"{{os.getpid()}}\\n"); time.sleep(0.002)')
    playing = house.begin(order("m", bot, house_bot()))
    await written(seen)
    playing.cancel()
    await asyncio.sleep(0.2)
    await house.play(order("m", bot, house_bot()))
    assert len(set(seen.read_text().split())) == 2


async def test_idle_processes_are_few_and_all_end_with_the_referee(tmp_path: Path) -> None:
    seen = tmp_path / "pids"
    bot = own_bot(tmp_path, f'open({str(seen)!r}, "a").write(f"{{os.getpid()}}\\n")')
    async with open_house(tmp_path, limits=replace(QUICK, idle_processes=1)) as house, good_bots(house, "a"):
        for lane in range(3):
            await house.play(order(f"m{lane}", replace(bot, lane=lane), "a"))
        await asyncio.sleep(0.3)
        pids = {int(pid) for pid in seen.read_text().split()}
        assert len(pids) == 3
        assert sum(_alive(pid) for pid in pids) == 1
    await asyncio.sleep(0.1)
    assert not any(_alive(pid) for pid in pids)


async def test_a_bot_whose_process_was_ended_is_forgotten(tmp_path: Path) -> None:
    bot = own_bot(tmp_path)
    async with open_house(tmp_path, limits=replace(QUICK, idle_processes=0)) as house, good_bots(house, "a"):
        for lane in range(3):
            await house.play(order(f"m{lane}", replace(bot, lane=lane), "a"))
        assert not [each for each in house.referee.dispatcher.bots() if isinstance(each.source, Hosted)]
        assert isinstance((await house.play(order("again", bot, "a")))["again"], Finished)


async def test_processes_without_a_match_stay_until_memory_is_scarce_and_the_one_used_last_stays_longest(
    tmp_path: Path,
) -> None:
    machine, seen = tmp_path / "machine", tmp_path / "pids"
    (machine / "proc/self").mkdir(parents=True)
    (machine / "proc/self/cgroup").write_text("")
    (machine / "proc/meminfo").write_text("MemAvailable: 4000000 kB\n")
    bot = own_bot(tmp_path, f'open({str(seen)!r}, "a").write(f"{{os.getpid()}}\\n")')
    async with (
        open_house(tmp_path, budget=Budget(sandbox_bytes=256 * MIB, root=machine)) as house,
        good_bots(house, "a"),
    ):
        for lane in range(3):
            await house.play(order(f"m{lane}", replace(bot, lane=lane), "a"))
        pids = list(dict.fromkeys(map(int, seen.read_text().split())))
        await asyncio.sleep(1.2)  # the machine's memory is looked at twice
        assert [_alive(pid) for pid in pids] == 3 * [True]
        (machine / "proc/meminfo").write_text("MemAvailable: 100000 kB\n")
        ended: list[object] = []
        async with asyncio.timeout(patient(30)):
            while len(ended) < 3:
                ended += [pid for pid in pids if pid not in ended and not _alive(pid)]
                await asyncio.sleep(0.02)
    assert ended == pids


async def test_a_bot_that_the_machine_cannot_start_fails_its_match_and_charges_nobody(tmp_path: Path) -> None:
    class WithoutDescriptors(PlainLauncher):
        def start(self, program: str, *, referee: str, token: str) -> Process:
            raise OSError(errno.EMFILE, "Too many open files")

    launcher = WithoutDescriptors(allow_files=True)
    async with open_house(tmp_path, launcher=launcher) as house, asyncio.timeout(patient(30)):
        ended = (await house.play(order("m", own_bot(tmp_path), house_bot())))["m"]
    assert isinstance(ended, Failed)
    assert "Too many open files" in ended.reason


async def test_more_orders_than_processes_allowed_are_all_played(tmp_path: Path) -> None:
    async with open_house(tmp_path, limits=replace(QUICK, max_processes=2, idle_processes=0)) as house:
        orders = [
            order(f"m{lane}", house_bot(lane=lane), house_bot(lane=lane + 1)) for lane in range(0, 6, 2)
        ]
        ended = await house.play(*orders)
        assert len([each for each in ended.values() if isinstance(each, Finished)]) == 3


async def test_orders_wait_for_the_memory_of_others(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    alive.mkdir()
    deed = f'open({str(alive)!r} + "/" + str(os.getpid()), "w").close(); time.sleep(0.002)'
    bot = own_bot(tmp_path, deed)
    most = 0
    # Of their own files two fit, as strangers' do; house bots are counted with less.
    budget = Budget(total_bytes=600 * MIB, sandbox_bytes=256 * MIB)
    async with open_house(tmp_path, budget=budget, bots="abcdef") as house, good_bots(house, *"abcdef"):
        playing = house.begin(
            *(order(each, replace(bot, lane=lane), each) for lane, each in enumerate("abcdef"))
        )
        while not playing.done():
            most = max(most, sum(_alive(int(path.name)) for path in alive.iterdir()))
            await asyncio.sleep(0.01)
        assert all(isinstance(each, Finished) for each in (await playing).values())
    assert 1 <= most <= 2
    assert len(list(alive.iterdir())) == 6


async def test_an_order_that_can_never_fit_is_played_alone(tmp_path: Path) -> None:
    budget = Budget(total_bytes=100 * MIB, sandbox_bytes=512 * MIB)
    async with open_house(tmp_path, budget=budget) as house:
        bot = own_bot(tmp_path)
        ended = await house.play(
            *(order(f"m{lane}", replace(bot, lane=lane), house_bot(lane=lane)) for lane in range(3))
        )
    assert all(isinstance(each, Finished) for each in ended.values())


async def test_an_order_that_needs_many_processes_is_not_overtaken_for_ever(tmp_path: Path) -> None:
    limits = replace(QUICK, max_processes=2, idle_processes=0, max_overtakings=4)
    async with open_house(tmp_path, limits=limits) as house, good_bots(house, "a", "b"):
        played = 0
        large: asyncio.Task[Any] | None = None

        async def keep_busy(lane: int, opponent: str) -> None:
            nonlocal played
            while large is None or not large.done():
                played += 1
                await house.play(order(f"{lane}-{played}", house_bot(lane=lane), opponent))

        # Several at a time on each of the two processes, so that neither is ever without a match.
        busy = [asyncio.create_task(keep_busy(lane, opponent)) for lane, opponent in 4 * [(0, "a"), (1, "b")]]
        while played < 16:  # noqa: ASYNC110 - matches are played
            await asyncio.sleep(0.01)
        large = asyncio.create_task(house.play(order("large", house_bot(lane=8), house_bot(lane=9))))
        async with asyncio.timeout(patient(60)):
            assert isinstance((await large)["large"], Finished)
            await asyncio.gather(*busy)


async def test_no_more_hosted_bots_think_at_a_time_than_there_are_slots(tmp_path: Path) -> None:
    thought = tmp_path / "thought"
    deed = f'a = time.monotonic(); time.sleep(0.001); open({str(thought)!r}, "a").write(f"{{a}} {{time.monotonic()}}\\n")'
    bot = own_bot(tmp_path, deed)
    async with open_house(tmp_path, slots=1) as house:
        orders = [order(f"m{n}", replace(bot, lane=n), replace(bot, lane=n + 1)) for n in range(3)]
        ended = await house.play(*orders)
    assert all(isinstance(each, Finished) and each.record.result.fault is None for each in ended.values())
    times = sorted(tuple(map(float, line.split())) for line in thought.read_text().splitlines())
    assert len(times) > 100
    assert all(ended <= began for (_, ended), (began, _) in pairwise(times))


async def test_printing_without_end_hurts_nobody_else(house: House, tmp_path: Path) -> None:
    async with good_bots(house, "c", "d"):
        loud = own_bot(tmp_path, 'print("x" * 100_000_000)')
        playing = house.begin(order("m", loud, house_bot()))
        ended = await house.play(*[order(f"good{number}", "c", "d") for number in range(3)])
        for each in ended.values():
            assert isinstance(each, Finished)
            assert each.record.result.end == "completed"
        playing.cancel()


async def test_files_are_refused_where_they_are_not_allowed(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="without --allow-files"):
        PlainLauncher(allow_files=False).check(own_bot(tmp_path).program)


async def test_own_process_that_is_stopped_loses_by_timeout(house: House, tmp_path: Path) -> None:
    from tests.referee.running_referee import HURRY

    stopped = own_bot(tmp_path, "os.kill(os.getpid(), signal.SIGSTOP)")
    ended = await house.play(order("m", stopped, house_bot(), time=HURRY))
    assert fault_of(ended["m"]).kind is FaultKind.TIMEOUT


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_what_a_bot_prints_during_a_match_comes_back_with_it(house: House, tmp_path: Path) -> None:
    bot = own_bot(
        tmp_path,
        "self.asked = getattr(self, 'asked', 0) + 1; self.asked in {1, 2} and print('number', self.asked)",
    )
    first = (await house.play(order("m1", bot, house_bot())))["m1"]
    assert isinstance(first, Finished)
    assert first.outputs == (SeatOutput(0, b"number 1\nnumber 2\n"),)
    second = (await house.play(order("m2", house_bot(), bot)))["m2"]
    assert isinstance(second, Finished)
    assert second.outputs == ()


async def test_of_much_output_the_end_comes_back(house: House, tmp_path: Path) -> None:
    flood = "getattr(self, 'done', 0) or (setattr(self, 'done', 1), os.write(2, b'x' * 50_000 + b'end'), time.sleep(0.5))"
    ended = (await house.play(order("m", house_bot(), own_bot(tmp_path, flood))))["m"]
    assert isinstance(ended, Finished)
    ((output),) = ended.outputs
    assert (output.seat, len(output.stderr), output.dropped) == (1, 16 * 1024, 50_003 - 16 * 1024)
    assert output.stderr.endswith(b"xxxend")


async def test_output_of_a_program_that_fails_before_it_plays_comes_back(
    house: House, tmp_path: Path
) -> None:
    path = tmp_path / "broken.py"
    path.write_text("print('begun', flush=True); import nothing_of_that_name")
    ended = (await house.play(order("m", house_bot(), Hosted(f"file:{path}"))))["m"]
    assert isinstance(ended, Finished)
    ((output),) = ended.outputs
    assert output.seat == 1
    assert output.stderr.startswith(b"begun\nTraceback")


async def test_process_is_started_anew_when_it_has_lived_its_time(tmp_path: Path) -> None:
    seen = tmp_path / "pids"
    bot = own_bot(tmp_path, f'open({str(seen)!r}, "a").write(f"{{os.getpid()}}\\n")')
    async with open_house(tmp_path, limits=replace(QUICK, process_life_s=0.0)) as house:
        for number in range(2):
            ended = (await house.play(order(f"m{number}", bot, house_bot())))[f"m{number}"]
            assert isinstance(ended, Finished)
            assert ended.record.result.end == "completed"
    assert len(set(seen.read_text().split())) == 2


async def test_a_timeout_of_a_bot_at_home_shows_where_it_was(house: House, tmp_path: Path) -> None:
    asked = order("m", own_bot(tmp_path, "time.sleep(9)"), house_bot(), time=HURRY)
    fault = fault_of((await house.play(asked))["m"])
    assert fault.kind is FaultKind.TIMEOUT
    assert "its time is nearly up; the bot is here:" in fault.message
    assert "in choose\n    time.sleep(9)" in fault.message


async def test_a_bot_that_waits_for_its_own_output_is_told_so(house: House, tmp_path: Path) -> None:
    flood = "[os.write(2, b'x' * 600_000) for _ in range(100)]"
    asked = order(
        "m",
        own_bot(tmp_path, flood),
        house_bot(),
        time=TimeControl(base_ms=3000, increment_ms=0, cap_ms=3000),
    )
    fault = fault_of((await house.play(asked))["m"])
    assert fault.kind is FaultKind.TIMEOUT
    said = re.search(
        r"; for ([\d.]+) s it waited for its own output to be read \(([\d.]+) MB\): print less", fault.message
    )
    assert said is not None, fault.message
    assert float(said[1]) >= 1.5
    assert float(said[2]) >= 1.5


async def test_a_bot_that_thinks_too_long_and_prints_little_has_not_waited_for_its_output(
    house: House, tmp_path: Path
) -> None:
    asked = order("m", own_bot(tmp_path, "print('x' * 60_000); time.sleep(9)"), house_bot(), time=HURRY)
    fault = fault_of((await house.play(asked))["m"])
    assert "waited for its own output" not in fault.message


HANGS_UP = """
import os, socket, sys
from arena.sdk.program import run
from arena.sdk.conversation import Player
def hello(self):
    print("panic: nothing works", file=sys.stderr, flush=True)
    print("goroutine\\n" * 2000, file=sys.stderr, flush=True)
    os._exit(2)
Player.hello = hello
from arena.sdk import Bot
class Own(Bot):
    def choose(self, decision):
        return decision.legal[0]
run(Own())
"""


async def test_a_crash_before_the_hello_has_one_name_and_keeps_its_first_words(
    house: House, tmp_path: Path
) -> None:
    path = tmp_path / "panics.py"
    path.write_text(HANGS_UP)
    for lane in range(3):
        fault = fault_of(
            (await house.play(order(f"m{lane}", house_bot(), Hosted(f"file:{path}", lane))))[f"m{lane}"]
        )
        assert fault.kind is FaultKind.CRASH
        said = (
            "before it could play, its process ended with exit code 2; its last words: panic: nothing works\n"
        )
        assert fault.message.startswith(said)
        assert "\n…\n" in fault.message


SAYS_NOTHING = """
import os, socket, time
from arena.sdk import grpc_call
import asyncio, grpc
async def main():
    address = os.environ["ARENA_REFEREE"]
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream("/arena.v1.BotService/Connect")(
            metadata=(("authorization", f"Bearer {os.environ['ARENA_TOKEN']}"),)
        )
        await call.done_writing()
        %s
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("then", "kind", "said"),
    [
        (
            "await asyncio.sleep(0.2); print('panic: late'); os._exit(2)",
            FaultKind.CRASH,
            "exit code 2; its last words: panic: late",
        ),
        ("await asyncio.sleep(60)", FaultKind.PROTOCOL, "the stream ended before a Hello"),
    ],
)
async def test_a_stream_that_ends_before_the_hello_is_named_by_the_end_of_its_process(
    then: str, kind: FaultKind, said: str, house: House, tmp_path: Path
) -> None:
    path = tmp_path / "silent.py"
    path.write_text(SAYS_NOTHING % then)
    fault = fault_of((await house.play(order("m", house_bot(), Hosted(f"file:{path}"))))["m"])
    assert fault.kind is kind
    assert said in fault.message


async def test_a_program_without_run_is_told_to_call_it(house: House, tmp_path: Path) -> None:
    path = tmp_path / "forgot.py"
    path.write_text(
        "from arena.sdk import Bot\n\nclass Mine(Bot):\n    def choose(self, decision):\n        return ''\n"
    )
    fault = fault_of((await house.play(order("m", house_bot(), Hosted(f"file:{path}"))))["m"])
    assert fault.message == (
        "before it could play, its process ended with exit code 0; "
        "a bot's program calls run() at its end, such as `run(MyBot())`, which connects it and plays"
    )
