"""Bots that write where they must not, or more than they may."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.inside.sandboxed_attacks import hostile, play, source
from tests.referee.running_referee import House

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    "path",
    [
        "/own",
        "/bot/own",
        "/site/arena/own.py",
        "/run/own",
        "/dev/own",
        "/etc/passwd",
        "/usr/lib/own",
        "/dev/shm/own",  # noqa: S108 - it must not be there
    ],
)
async def test_nothing_can_be_written_outside_its_tmp(house: House, folder: Path, path: str) -> None:
    outcome = await play(house, hostile(folder, f"open({path!r}, 'w').write('x'); return 'written'"))
    assert outcome.fault is None
    assert "Read-only file system" in outcome.said or "No such file" in outcome.said


async def test_its_tmp_can_be_written_and_is_its_own(house: House, folder: Path) -> None:
    attack = "before = os.listdir('/tmp'); open('/tmp/own', 'w').write('x'); return before, open('/tmp/own').read()"
    outcome = await play(house, hostile(folder, attack))
    assert outcome.said == "result: ([], 'x')\n"
    assert not (Path("/tmp") / "own").exists()  # noqa: S108 - where it must not be


async def test_program_cannot_be_changed(house: House, folder: Path) -> None:
    bot = hostile(folder, "os.chmod(__file__, 0o777); open(__file__, 'w').write('x')")
    before = source(bot)
    outcome = await play(house, bot)
    assert "Read-only file system" in outcome.said
    assert source(bot) == before


async def test_flood_of_bytes_fills_its_own_tmp_only(house: House, folder: Path) -> None:
    attack = """
    try:
        for number in range(10_000):
            open(f"/tmp/{number}", "wb").write(bytes(1 << 20))
    except OSError as error:
        return number, error.strerror
    """
    assert "result: (4, 'No space left on device')" in (await play(house, hostile(folder, attack))).said


async def test_flood_of_files_fills_its_own_tmp_only(house: House, folder: Path) -> None:
    attack = """
    try:
        for number in range(1_000_000):
            open(f"/tmp/{number}", "wb").close()
    except OSError as error:
        return number < 100, error.strerror
    """
    assert "result: (True, 'No space left on device')" in (await play(house, hostile(folder, attack))).said


async def test_one_long_file_is_too_long(house: House, folder: Path) -> None:
    attack = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); os.truncate(os.open('/tmp/x', os.O_CREAT | os.O_RDWR), 1 << 40)"
    assert "File too large" in (await play(house, hostile(folder, attack))).said


async def test_flood_of_output_is_cut_and_does_not_fill_the_referee(house: House, folder: Path) -> None:
    attack = """
    for number in range(200):
        os.write(2, b"flood " * 1000)
    os.write(2, b"the end")
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is None
    assert len(outcome.said) <= 16 * 1024
    assert "flood" in outcome.said
    assert "the end" in outcome.said


async def test_flood_of_open_files_is_bounded(house: House, folder: Path) -> None:
    attack = """
    opened = []
    try:
        while True:
            opened.append(os.dup(0))
    except OSError as error:
        for each in opened:
            os.close(each)
        return len(opened) < 128, error.strerror
    """
    assert "result: (True, 'Too many open files')" in (await play(house, hostile(folder, attack))).said
