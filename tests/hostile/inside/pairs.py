"""Two sandboxes that are alive at the same time: one tries to tell the other something."""

from __future__ import annotations

import asyncio
import textwrap
import uuid
from dataclasses import dataclass
from pathlib import Path

from referee.sandbox.bot_programs import local_file
from referee.sandbox.sandbox_launcher import SandboxLauncher
from referee.sandbox.sandboxed_process import SandboxedProcess
from tests.patience import patient

_SCRIPT = """
import array, ctypes, fcntl, mmap, os, resource, signal, socket, struct, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
SHARED = os.__file__  # a file of Python's, which all sandboxes show

def lock(kind, start=0, length=0):
    return struct.pack("hhqqi4x", kind, 0, start, length, 0)

def mapped(flags):
    address = libc.mmap(None, ctypes.c_size_t(4096), 1, flags, os.open(SHARED, os.O_RDONLY), ctypes.c_long(0))
    return ctypes.c_void_p(address)

def attempt():
{attempt}

try:
    result = attempt()
except OSError as error:
    result = type(error).__name__
print("result:", result, flush=True)
{after}
"""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the second sandbox found out."""

    alone: str
    """While no other sandbox was there."""
    beside: str
    """While the first one was trying to tell it something."""


async def listen(launcher: SandboxLauncher, folder: Path, tell: str, hear: str) -> Heard:
    """Run `hear` alone, and again beside a sandbox that has run `tell` and is still alive."""
    alone = await _result(run(launcher, folder, hear))
    teller = run(launcher, folder, tell, after="time.sleep(600)")
    try:
        async with asyncio.timeout(patient(30)):
            while b"result: " not in teller.output(0)[0]:  # noqa: ASYNC110 - it prints when it is done
                await asyncio.sleep(0.01)
        beside = await _result(run(launcher, folder, hear))
    finally:
        teller.kill()
        await teller.wait()
    return Heard(alone, beside)


def run(launcher: SandboxLauncher, folder: Path, attempt: str, *, after: str = "") -> SandboxedProcess:
    """Run the body of a function in a sandbox; it prints its result."""
    path = folder / f"attempt-{uuid.uuid4().hex}.py"
    indented = textwrap.indent(textwrap.dedent(attempt).strip(), "    ")
    path.write_text(_SCRIPT.format(attempt=indented, after=after))
    path.chmod(0o644)
    return launcher.run(local_file(path), {})


async def _result(process: SandboxedProcess) -> str:
    async with asyncio.timeout(patient(30)):
        end = await process.wait()
    words = process.last_words()
    assert words.startswith("result: "), f"{end}: {words}"
    return words
