"""A bot that has the kernel hold memory for it which belongs to no process."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from arena.referee_client import Failed, Finished
from referee.limits.sandbox_bounds import MIB
from referee.sandbox import self_test
from referee.sandbox.kernel_memory import KernelMemory, held, machine_system_s
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.sandboxed_attacks import LIMITS, SMALL, TIME, hostile, until_gone
from tests.patience import patient
from tests.referee.running_referee import good_bots, house_bot, open_house, order

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 32 * MIB
"""Less than in operation, so that the test is quick; far more than what other programs of the machine take meanwhile."""

WATCHES = """
import random, select
one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
for _ in range(26):
    if not os.fork():
        epolls = [select.epoll() for _ in range(18)]
        files = [os.eventfd(0) for _ in range(18)]
        free = range(max(files) + 3, 64)
        while True:
            socket.send_fds(one, [b"x"], [random.choice(epolls).fileno()])
            received = select.epoll.fromfd(socket.recv_fds(other, 1, 1)[1][0])
            for file in files:
                for number in free:
                    os.dup2(file, number)
                    try:
                        received.register(number, select.EPOLLIN)
                    except FileExistsError:
                        pass
                    os.close(number)
            received.close()
time.sleep(600)
"""
"""Watches of epoll: each file under many numbers, which are closed again, by epolls that the processes send to each other."""


class Meter:
    """Measures the kernel's memory, and remembers the most."""

    def __init__(self) -> None:
        self.most = 0

    async def run(self) -> None:
        kernel = KernelMemory(LIMIT, held(), machine_system_s)
        while True:
            kernel.attribute({})
            self.most = max(self.most, kernel.growth)
            await asyncio.sleep(0.05)


async def test_sandbox_that_makes_watches_without_number_is_ended_and_no_bot_is_charged(
    own_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bounds = replace(SMALL, kernel_bytes=LIMIT)
    launcher = await self_test.choose("on", bounds, allow_files=True, bundles=lambda _sha256: None)
    assert isinstance(launcher, SandboxLauncher)
    attacker = hostile(own_folder, WATCHES)
    innocent = house_bot()
    meter = Meter()
    measuring = asyncio.create_task(meter.run())
    async with (
        open_house(own_folder, limits=LIMITS, launcher=launcher) as house,
        asyncio.timeout(patient(120)),
        good_bots(house, "b", "c", "d"),
    ):
        with caplog.at_level(logging.WARNING):
            ended = await house.play(
                order("attack", attacker, "b", time=TIME),
                order("beside", innocent, "c", time=TIME, hands=9),
            )
        await until_gone(attacker)
    measuring.cancel()
    attack, beside = ended["attack"], ended["beside"]
    assert isinstance(attack, Failed)
    assert "the kernel's memory grew by" in attack.reason
    assert isinstance(beside, Finished)
    assert beside.record.result.fault is None
    assert "the bot is not charged" in caplog.text
    assert LIMIT // 2 < meter.most < 3 * LIMIT
