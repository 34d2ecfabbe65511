"""A referee with a real sandbox, a hostile bot in it, and matches of others beside it that must not notice."""

from __future__ import annotations

import asyncio
import gc
import textwrap
import time
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

from arena.match.clock import TimeControl
from arena.match.faults import SeatFault
from arena.match.verification import verify
from arena.referee_client import DialIn, Finished, Hosted
from referee.limits.sandbox_bounds import MIB, Bounds
from tests.patience import patient
from tests.referee.running_referee import QUICK, House, good_bots, order

SMALL = Bounds(memory_bytes=128 * MIB, processes=32, tmp_bytes=4 * MIB, tmp_files=64)
LIMITS = replace(QUICK, connects_per_second=100)
"""The bots from elsewhere come anew for each test."""
TIME = TimeControl(base_ms=120_000, increment_ms=100, cap_ms=60_000)
"""Nobody loses here for want of time, however busy the machine is."""

_BOT = """
import ctypes, errno, mmap, os, signal, socket, subprocess, sys, threading, time, warnings
warnings.simplefilter("ignore")  # such as Python 3.12's about fork()
from arena.sdk import Bot, run

def attack():
{attack}

class Hostile(Bot):
    matches_at_once = 1
    tried = False
    def choose(self, decision):
        if not self.tried:
            self.tried = True
            try:
                print("result:", attack(), flush=True)
            except Exception as error:
                print("stopped:", type(error).__name__, error, flush=True)
        return decision.legal[0]

run(Hostile())
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a hostile bot's match."""

    fault: SeatFault | None
    """None where it was played to its end."""
    said: str
    """What the hostile bot printed."""


def hostile(folder: Path, attack: str, lane: int = 0) -> Hosted:
    """Write a bot that makes one attack when it is first asked."""
    path = folder / f"hostile-{uuid.uuid4().hex}.py"
    path.write_text(_BOT.format(attack=textwrap.indent(textwrap.dedent(attack).strip() or "pass", "    ")))
    return Hosted(f"file:{path}", lane)


def rewrite(bot: Hosted, other: Hosted) -> None:
    """Have a bot's file say what another one's does."""
    Path(bot.program.removeprefix("file:")).write_text(source(other))


def source(bot: Hosted) -> str:
    """Read a bot's file."""
    return Path(bot.program.removeprefix("file:")).read_text()


async def play(house: House, bot: Hosted, *, opponent: Hosted | None = None) -> Outcome:
    """Have a hostile bot play as seat 0; the match beside it, of bots from elsewhere, must end as if nothing were."""
    beside = order("beside", "c", "d", time=TIME, hands=2)
    async with asyncio.timeout(patient(60)), good_bots(house, "b", "c", "d"):
        ended = await house.play(order("m", bot, opponent or "b", time=TIME), beside)
    await until_alone(house)
    good = ended["beside"]
    assert isinstance(good, Finished)
    assert good.record.result.end == "completed"
    spoilt = ended["m"]
    assert isinstance(spoilt, Finished)
    assert verify(spoilt.record) is None
    said = b"".join(output.stderr for output in spoilt.outputs if output.seat == 0)
    fault = spoilt.record.result.fault
    assert fault is None or fault.seat == 0
    return Outcome(fault, said.decode(errors="replace"))


async def until_alone(house: House) -> None:
    """Wait until the referee knows that the bots from elsewhere have gone, so that those of the next match are new ones."""
    async with asyncio.timeout(patient(10)):
        gc.collect()  # a call of grpc that was cut short is a cycle, and keeps its connection: the referee allows a process 32
        while any(  # noqa: ASYNC110 - there is no event for it
            guest.is_connected and isinstance(guest.source, DialIn)
            for guest in house.referee.dispatcher.bots()
        ):
            await asyncio.sleep(0.01)


def left(bot: Hosted) -> list[int]:
    """List the processes that are left of a bot: its file's name stands on their command lines."""
    name = Path(bot.program).name.encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if name in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


async def until_gone(bot: Hosted, within_s: float = 10.0) -> None:
    """Wait until no process is left of a bot."""
    end = time.monotonic() + patient(within_s)
    while left(bot):
        assert time.monotonic() < end, f"left: {left(bot)}"
        await asyncio.sleep(0.05)
