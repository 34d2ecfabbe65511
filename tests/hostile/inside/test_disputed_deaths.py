"""Whose doing it was that a process died: the bot's own, unless it can be shown that it cannot have been."""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from arena.match.faults import FaultKind
from arena.match.verification import verify
from arena.referee_client import Failed, Finished, Hosted, Order, Postponed
from referee.bots.hosted_bots import HostedBot
from tests.hostile.inside.sandboxed_attacks import TIME, left, until_gone
from tests.patience import patient
from tests.referee.running_referee import House, house_bot, order

pytestmark = pytest.mark.asyncio(loop_scope="module")

MATCHES = 4
_BOT = """
import ctypes, os, resource, signal, sys, threading, time
from arena.sdk import Bot, run

class Loser(Bot):
    matches_at_once = 8
    asked = 0
    def choose(self, decision):
        self.asked += 1
        print("asked", self.asked, flush=True)
        if self.asked == 12:
            {deed}
        time.sleep(0.02)
        return decision.legal[0]

run(Loser())
"""
_FORKED = "child = os.fork()\n            if not child:\n                "
_WAITS = "\n            time.sleep(600)"

Ended = Mapping[str, Finished | Postponed | Failed]


def loser(folder: Path, deed: str = "pass") -> Hosted:
    """Write a bot that plays several matches at once, and does something at its twelfth decision."""
    path = folder / f"loser-{uuid.uuid4().hex}.py"
    path.write_text(_BOT.format(deed=deed))
    return Hosted(f"file:{path}")


def orders(bot: Hosted) -> list[Order]:
    return [order(f"m{number}", bot, house_bot(), time=TIME, hands=6) for number in range(MATCHES)]


async def play_until(house: House, bot: Hosted, end: Callable[[list[int]], None]) -> Ended:
    """Have the bot's matches played; end one of its processes, given outermost first, once it plays all of them."""
    playing = house.begin(*orders(bot))
    async with asyncio.timeout(patient(30)):
        while not (family := processes(house, bot)):  # noqa: ASYNC110 - other processes begin
            await asyncio.sleep(0.02)
        end(family)
        return await playing


def processes(house: House, bot: Hosted) -> list[int]:
    """List a sandbox's processes, outermost first, once its bot has all its matches; before that none."""
    guest = house.referee.dispatcher.find_bot(bot)
    found = sorted(left(bot))
    return found if len(guest.running) == MATCHES and len(found) == 3 else []


def innermost(outermost: int) -> int:
    """Return the bot's own process, of its sandbox's outermost one."""
    pid = outermost
    for _ in range(2):
        (pid,) = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return pid


def killed(place: int, number: signal.Signals = signal.SIGKILL) -> Callable[[list[int]], None]:
    return lambda family: os.kill(family[place], number)


def forfeits(ended: Ended) -> list[Finished]:
    """Return the matches, which must all be forfeits of seat 0."""
    found = []
    for each in ended.values():
        assert isinstance(each, Finished)
        assert verify(each.record) is None
        assert each.record.result.fault is not None
        assert each.record.result.fault.seat == 0
        found.append(each)
    assert len(found) == MATCHES
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_outermost_process_that_is_killed_costs_nobody_a_match(
    house: House, folder: Path, number: signal.Signals
) -> None:
    bot = loser(folder)
    ended = await play_until(house, bot, killed(0, number))
    assert [type(each) for each in ended.values()] == [Failed] * MATCHES
    assert all(
        f"its sandbox was ended from outside by signal {number.value} ({number.name})" in each.reason
        for each in ended.values()
        if isinstance(each, Failed)
    )


@pytest.mark.long
async def test_matches_that_were_spoilt_from_outside_can_be_played_again(house: House, folder: Path) -> None:
    bot = loser(folder)
    await play_until(house, bot, killed(0))
    again = await house.play(*orders(bot))
    assert all(isinstance(each, Finished) and each.record.result.fault is None for each in again.values())


async def test_first_process_inside_that_is_killed_is_charged_since_a_bot_can_bring_that_about(
    house: House, folder: Path
) -> None:
    forfeits(await play_until(house, loser(folder), killed(1)))


async def test_bot_that_is_killed_inside_loses_all_matches_that_it_was_playing(
    house: House, folder: Path
) -> None:
    ended = forfeits(await play_until(house, loser(folder), killed(2)))
    faults = [each.record.result.fault for each in ended]
    assert {fault.kind for fault in faults if fault} == {FaultKind.CRASH}
    assert {fault.message.partition(";")[0] for fault in faults if fault} == {
        "its process was ended by signal 9 (SIGKILL)"
    }


async def test_forfeits_of_one_death_have_one_incident(house: House, folder: Path) -> None:
    incidents = {each.incident for each in forfeits(await play_until(house, loser(folder), killed(2)))}
    assert len(incidents) == 1
    assert all(incidents)


async def test_two_deaths_are_two_incidents(house: House, folder: Path) -> None:
    bot = loser(folder)
    first = forfeits(await play_until(house, bot, killed(2)))
    second = forfeits(await play_until(house, bot, killed(2)))
    assert first[0].incident != second[0].incident


@pytest.mark.parametrize(
    "deed",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",
        "os.kill(0, signal.SIGKILL)",
        "os.kill(-1, signal.SIGKILL); os._exit(137)",
        "os.kill(1, signal.SIGKILL); os.kill(os.getppid(), signal.SIGKILL); os._exit(1)",
        _FORKED + "os.kill(os.getppid(), signal.SIGKILL)" + _WAITS,
        _FORKED + "os.kill(-1, signal.SIGKILL)" + _WAITS,
        "os._exit(137)",
        "os._exit(0)",
        "os.kill(os.getpid(), signal.SIGTERM)" + _WAITS,
        "resource.setrlimit(resource.RLIMIT_CPU, (0, 0))\n            while True: pass",
        _FORKED.replace("child = os.fork()", "children = [os.fork() for _ in range(4)]; child = all(children)")
        + "kept = bytearray(b'x') * (60 << 20); time.sleep(600)"
        + _WAITS,
        "os.closerange(3, 1024)" + _WAITS,
        "[os.kill(pid, signal.SIGKILL) for pid in range(3, 65536) if os.path.exists(f'/proc/{pid}')]; os.abort()",
    ],
    ids=[
        "kill_of_itself",
        "kill_of_its_group",
        "kill_of_all_but_itself",
        "kill_of_the_first_process",
        "kill_by_its_child",
        "kill_of_all_by_its_child",
        "exit_code_of_a_kill",
        "orderly_exit",
        "term_of_itself",
        "limit_of_its_own",
        "too_much_memory",
        "closed_stream",
        "kill_of_strangers",
    ],
)  # fmt: skip
async def test_bot_that_ends_itself_gains_nothing(house: House, folder: Path, deed: str) -> None:
    bot = loser(folder, deed)
    async with asyncio.timeout(patient(60)):
        ended = forfeits(await house.play(*orders(bot)))
    assert len({each.incident for each in ended}) == 1
    await until_gone(bot)


async def test_house_bot_that_is_killed_costs_nobody_a_match(house: House, folder: Path) -> None:
    bot, other = house_bot("random"), loser(folder)
    playing = house.begin(*[order(f"m{number}", bot, other, time=TIME, hands=6) for number in range(MATCHES)])
    guest = house.referee.dispatcher.find_bot(bot)
    assert isinstance(guest, HostedBot)
    async with asyncio.timeout(patient(30)):
        while len(guest.running) < MATCHES:  # noqa: ASYNC110 - other processes begin
            await asyncio.sleep(0.02)
        assert guest._process is not None
        os.kill(innermost(guest._process.pid), signal.SIGKILL)
        ended = await playing
    assert [type(each) for each in ended.values()] == [Failed] * MATCHES


async def test_referee_that_goes_down_charges_nobody(own_house: House, own_folder: Path) -> None:
    from arena.referee_client import RefereeUnreachable

    bot = loser(own_folder)
    reports: list[object] = []

    async def play() -> None:
        reports.extend([report async for report in own_house.client.play(orders(bot))])

    playing = asyncio.create_task(play())
    async with asyncio.timeout(patient(30)):
        while not processes(own_house, bot):  # noqa: ASYNC110 - other processes begin
            await asyncio.sleep(0.02)
        await own_house.referee.stop()
        with pytest.raises(RefereeUnreachable):
            await playing
    assert not [report for report in reports if isinstance(report, Finished | Failed)]
