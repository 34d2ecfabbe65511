"""Static programs in the sandbox: they play, and get no further than bots in Python."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bundle_format.bundle import files_of, read_upload
from arena.devtools import upload_file
from arena.referee_client import Finished, Hosted
from referee.launch.bundle_cache import Bundles
from referee.sandbox import bot_programs, probe, self_test
from referee.sandbox.command import BOT, Program
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.conftest import bubblewrap, measured, measured_once
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.sandboxed_attacks import LIMITS, SMALL
from tests.patience import patient
from tests.referee.running_referee import good_bots, open_house, order
from tests.referee.sandbox.static_program import ATTACKS, compile_bot, compile_program

__all__ = ["bubblewrap", "folder", "measured", "measured_once"]

PROBE = Path(probe.__file__).read_bytes()
PYTHON = str(Path(sys.executable).resolve())
WAYS = pytest.mark.parametrize("way", ["forked", "bubblewrap"])


@pytest.fixture(scope="module")
def cache() -> Iterator[Bundles]:
    """The referee's own folder of uploads, which its fork server shows."""
    folder = Path(tempfile.mkdtemp(prefix="arena-"))
    yield Bundles(folder / "bundles")
    shutil.rmtree(folder)


@pytest.fixture
async def launcher(cache: Bundles, tmp_path: Path) -> AsyncIterator[SandboxLauncher]:
    found = await self_test.choose(
        "on", SMALL, allow_files=True, bundles=cache.path, folder=cache._folder, address=f"unix:{tmp_path}/x"
    )
    assert isinstance(found, SandboxLauncher)
    yield found
    found.close()


async def unpacked(cache: Bundles, data: bytes, filename: str) -> str:
    made = read_upload(data, filename, game=None if filename.endswith(".zip") else "lost_cities")
    await cache.store(made.sha256, made.data)
    assert files_of(made.data, made.sha256)
    return made.program


async def said(launcher: SandboxLauncher, program: Program, *, fork: bool) -> tuple[str, str]:
    process = launcher.run(program, {}, fork=fork)
    assert process.was_forked is fork
    async with asyncio.timeout(patient(60)):
        end = await process.wait()
    assert process.began, (process.last_words(), end)
    return process.last_words(), end.words


@WAYS
async def test_attacks_of_a_static_program_are_held(
    launcher: SandboxLauncher, cache: Bundles, tmp_path: Path, way: str
) -> None:
    program = await unpacked(cache, compile_program(tmp_path, ATTACKS).read_bytes(), "attacks")
    await launcher.prepare(program)
    assert launcher.bare_server is not None
    assert launcher._server_for(launcher._program(program)) is launcher.bare_server
    words, end = await said(launcher, launcher._program(program), fork=way == "forked")
    assert len(words.splitlines()) >= 11
    assert "BROKEN" not in words
    assert "MiB of memory" in end or "memory held" in words


@WAYS
async def test_the_probe_finds_the_same_in_a_program_that_is_executed(
    launcher: SandboxLauncher, cache: Bundles, tmp_path: Path, way: str
) -> None:
    """The probe, started as a program of its own: what a static program is enclosed by."""
    program = await unpacked(cache, PROBE, "probe.py")
    executed = replace(launcher._program(program), arguments=(PYTHON, "-I", "-S", f"{BOT}/probe.py"))
    await launcher.prepare(await unpacked(cache, compile_program(tmp_path, ATTACKS).read_bytes(), "attacks"))
    assert launcher._server_for(executed) is launcher.bare_server
    small = launcher.bounded(replace(launcher.bounds, **self_test._SMALL))
    try:
        words, end = await said(small, executed, fork=way == "forked")
    finally:
        small.close()
    assert words.count("true") == len(probe._TRIES)
    assert "MiB of memory" in end


async def test_a_bot_in_c_plays_a_match_in_the_sandbox(cache: Bundles, folder: Path, tmp_path: Path) -> None:
    chosen = await self_test.choose(
        "on",
        SMALL,
        allow_files=True,
        bundles=cache.path,
        folder=cache._folder,
        address=f"unix:{folder}/bots",
    )
    program = await unpacked(cache, *upload_file.read(compile_bot(tmp_path / "mine")))
    async with (
        open_house(folder, limits=LIMITS, launcher=chosen, bundles=cache) as house,
        asyncio.timeout(patient(60)),
        good_bots(house, "b"),
    ):
        ended = await house.play(order("m", Hosted(program, 0), "b", hands=1))
    assert isinstance(ended["m"], Finished)
    assert ended["m"].record.result.end == "completed"
    assert ended["m"].record.result.fault is None


async def test_a_program_that_cannot_be_executed_says_so(launcher: SandboxLauncher, folder: Path) -> None:
    broken = folder / "broken"
    broken.write_bytes(b"\x7fELF" + bytes(200))
    broken.chmod(0o755)
    words, end = await said(launcher, bot_programs.local_file(broken), fork=False)
    assert words == "/bot/broken: Exec format error"
    assert end == "its process ended with exit code 126"
