"""Bots that try every system call, command and option that the table does not list."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pyseccomp
import pytest
import pytest_asyncio

from referee.sandbox import self_test, syscall_table
from referee.sandbox.bot_programs import local_file
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.sandboxed_attacks import SMALL
from tests.patience import patient

pytestmark = pytest.mark.asyncio(loop_scope="module")
WAYS = pytest.mark.parametrize("way", ["forked", "bubblewrap"])

_LAST_CALL = 1023
"""Above all numbers that Linux gives to calls today."""
_OF_PROBES = {335, 336}
"""uretprobe(2) and uprobe(2) of x86-64, which no filter sees: the kernel ends any process that makes them by itself."""

_EVERY_OPTION = """
import ctypes, random
libc = ctypes.CDLL(None, use_errno=True)
chance = random.Random(78)
values = {*range(4096), *(1 << bit for bit in range(64)), *((1 << bit) - 1 for bit in range(64)), *range(-4096, 0)}
values |= {chance.getrandbits(32) for _ in range(1000)} | {chance.getrandbits(64) for _ in range(1000)}
values = sorted(value & (1 << 64) - 1 for value in values)

def is_allowed(rule, given):
    return all(given[number] & mask in allowed for number, mask, allowed in rule)

tried, wrong = {}, []
for name, (number, rules, answers) in CALLS.items():
    for rule in rules:
        for varied, _, _ in rule:
            given = [0] * 6
            for other, _, allowed in rule:
                given[other] = allowed[0]
            for value in values:
                given[varied] = value
                if any(is_allowed(each, given) for each in rules):
                    continue
                ctypes.set_errno(0)
                result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_ulong, given))
                tried[name] = tried.get(name, 0) + 1
                error = next((error for error, each in answers if is_allowed([each], given)), EPERM)
                if (result, ctypes.get_errno()) != (-1, error):
                    wrong.append((name, given[:], result, ctypes.get_errno()))
print(json.dumps({"tried": tried, "wrong": wrong[:20]}))
"""
_EVERY_CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
wrong = []
for number in range(LAST + 1):
    if number in LISTED:
        continue
    for given in (0, -1 & (1 << 64) - 1):
        ctypes.set_errno(0)
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_ulong(given)] * 6)
        if (result, ctypes.get_errno()) != (-1, EPERM):
            wrong.append((number, result, ctypes.get_errno()))
print(json.dumps({"wrong": wrong}))
"""
_TAKES_KERNEL_MEMORY = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def prctl(*given):
    ctypes.set_errno(0)
    return libc.prctl(*map(ctypes.c_ulong, given)), ctypes.get_errno()
name = ctypes.create_string_buffer(b"x")
print(json.dumps({
    "futex tables": prctl(78, 1, 1 << 20, 0, 0),
    "futex tables, asked for": prctl(78, 2, 0, 0, 0),
    "filters": prctl(22, 2, 0, 0, 0),
    "names of mappings": prctl(0x53564D41, 0, 0, 4096, ctypes.addressof(name)),
    "merging of pages": prctl(67, 1, 0, 0, 0),
    "being the parent of orphans": prctl(36, 1, 0, 0, 0),
    "core scheduling": prctl(62, 1, 0, 0, 0),
    "interception of calls": prctl(59, 1, 0, 0, 0),
    "slack of timers": prctl(29, 1, 0, 0, 0),
    "registers of matrices": (libc.syscall(158, 0x1023, 18), ctypes.get_errno()),
}))
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def launcher() -> AsyncIterator[SandboxLauncher]:
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=lambda _sha256: None)
    assert isinstance(launcher, SandboxLauncher)
    yield launcher
    launcher.close()


async def said(launcher: SandboxLauncher, folder: Path, script: str, way: str, **constants: object) -> dict:
    path = folder / "options.py"
    path.write_text(
        "\n".join(["import json", *(f"{name} = {value!r}" for name, value in constants.items()), script])
    )
    path.chmod(0o644)
    process = launcher.run(local_file(path), {}, fork=way == "forked")
    assert process.was_forked is (way == "forked")
    async with asyncio.timeout(patient(120)):
        end = await process.wait()
    words = process.last_words()
    assert words.startswith("{"), f"{end}: {words}"
    return json.loads(words)


def calls() -> dict[str, tuple[int, list[list[tuple[int, int, tuple[int, ...]]]], list[tuple[int, tuple]]]]:
    """Return the calls with options: number, rules, and the errors that some values are answered with."""
    found: dict = {}
    for rule in syscall_table.RULES:
        for name in rule.calls.split():
            number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
            if number < 0:
                continue  # this processor does not have it
            entry = found.setdefault(name, (number, [], []))
            entry[1].append([(each.number, each.mask, each.values) for each in rule.arguments])
    for error, name, each in syscall_table.ANSWERED:
        found[name][2].append((error, (each.number, each.mask, each.values)))
    return found


@WAYS
async def test_every_value_outside_of_the_table_is_refused(
    launcher: SandboxLauncher, folder: Path, way: str
) -> None:
    listed = calls()
    found = await said(launcher, folder, _EVERY_OPTION, way, CALLS=listed, EPERM=errno.EPERM)
    assert found["wrong"] == []
    assert found["tried"].keys() == listed.keys()
    assert min(found["tried"].values()) > 1000


@WAYS
async def test_every_call_outside_of_the_table_is_refused(
    launcher: SandboxLauncher, folder: Path, way: str
) -> None:
    names = [*" ".join(syscall_table.FREE.values()).split(), *syscall_table.ABSENT.split(), *calls()]
    listed = {pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in names} | _OF_PROBES
    found = await said(launcher, folder, _EVERY_CALL, way, LISTED=listed, LAST=_LAST_CALL, EPERM=errno.EPERM)
    assert found["wrong"] == []


@WAYS
async def test_known_ways_to_take_kernel_memory_by_an_option_are_refused(
    launcher: SandboxLauncher, folder: Path, way: str
) -> None:
    found = await said(launcher, folder, _TAKES_KERNEL_MEMORY, way)
    assert found == {name: [-1, errno.EPERM] for name in found}
