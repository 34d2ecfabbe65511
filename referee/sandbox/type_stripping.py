"""Bots in TypeScript without their types, once for each upload: loading what takes them out costs Node more than its own start.

A sandbox of its own reads the bot's files and prints a program that gives them to Node (`strip_types.cjs`); nothing of the bot runs
in it, and no sandbox of a bot can write what it printed.  Lines and columns stay what they are.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from referee.limits.sandbox_bounds import MIB, Bounds
from referee.sandbox.command import BOT, NODE, Program

STRIPPED = "stripped.cjs"
"""The file next to an unpacked upload's manifest once its types were taken out."""
SCRIPT = Path(__file__).with_name("strip_types.cjs")
_SCRIPT_INSIDE = "/run/strip_types.cjs"
LIMIT_S = 10.0
"""A mebibyte takes less than one; one that is made to take long is left to Node."""
_MAX_BYTES = 8 * MIB
"""JSON in a string of JSON: up to eight times what is read."""


def is_done(folder: Path) -> bool:
    """Return whether the types of an unpacked upload were taken out."""
    return (folder / STRIPPED).exists()


def is_wanted(folder: Path, bot: Program) -> bool:
    """Return whether an unpacked upload is run by Node and has TypeScript."""
    return bot.arguments[:1] == (NODE,) and any((folder / "bot").rglob("*.*ts"))


def program(bot: Program) -> Program:
    """Return the program that takes the types out of a bot's files."""
    node, *flags, _ = bot.arguments
    return replace(
        bot,
        name="strip types",
        shown={**bot.shown, _SCRIPT_INSIDE: SCRIPT},
        file=_SCRIPT_INSIDE,
        arguments=(node, *flags, "--no-warnings", _SCRIPT_INSIDE, BOT),
    )


def bounds(of_bots: Bounds) -> Bounds:
    """Return the bounds of its sandbox."""
    return replace(of_bots, cpu_s=min(of_bots.cpu_s, int(LIMIT_S)))


async def strip(folder: Path, line: Callable[[int], Sequence[str]], environment: Mapping[str, str]) -> bool:
    """Run the program and keep its output next to the upload; return whether that is all it has to say.

    `line` returns its command line from the number of a pipe's end that it inherits.
    """
    ready, told = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *line(told),
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            pass_fds=(told,),
            start_new_session=True,
        )
    finally:
        os.close(told)
    try:
        async with asyncio.timeout(LIMIT_S):
            printed = await _read(process)
            complete = printed is not None and await process.wait() == 0
    except TimeoutError:
        complete = False
    finally:
        os.close(ready)
        # With its group: bubblewrap's child outlives a parent that is killed before it asked to die with it, and holds the pipe.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
    if complete and printed:
        await asyncio.to_thread(_keep, folder / STRIPPED, printed)
    return complete


async def _read(process: asyncio.subprocess.Process) -> bytes | None:
    """Return all that a process prints; None if it is too much."""
    printed = bytearray()
    assert process.stdout is not None  # noqa: S101 - it was started with a pipe
    while part := await process.stdout.read(_MAX_BYTES):
        printed += part
        if len(printed) > _MAX_BYTES:
            return None
    return bytes(printed)


def _keep(file: Path, content: bytes) -> None:
    """Write a file at once, such that bots can read it: another process may want it, too."""
    handle, made = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as writing:
        writing.write(content)
    Path(made).chmod(0o644)
    Path(made).rename(file)
