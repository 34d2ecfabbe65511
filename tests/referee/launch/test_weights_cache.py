"""Weights at the referee: brought in parts, checked, shared by all bots that name them, within a bound."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena.bundle_format.bundle import Bundle, read_upload
from arena.referee_client import Failed, Finished, Hosted, SeatOutput
from arena.v1.control_pb2 import ControlRequest, WeightsPart
from referee.launch.bundle_cache import Bundles
from referee.launch.launcher import LaunchError
from referee.launch.weights_cache import WeightsCache, WeightsDelivery
from referee.sandbox import self_test
from tests.bundle_format.uploads import BOT, TOML, project, zipped
from tests.hostile.inside.conftest import bubblewrap
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.sandboxed_attacks import SMALL
from tests.referee.plain import Unprotected
from tests.referee.running_referee import House, house_bot, open_house, order
from tests.referee.sandbox.static_program import compile_program

__all__ = ["bubblewrap", "folder"]

WEIGHTS = bytes(range(256)) * 8192
SHA256 = sha256(WEIGHTS).hexdigest()
PATH = Path("bot/weights/net.bin")
READS = BOT.replace(
    "from arena",
    "import hashlib, pathlib, sys\nfile = pathlib.Path(__file__).parent / 'weights' / 'net.bin'\n"
    "print(hashlib.sha256(file.read_bytes()).hexdigest(), file=sys.stderr)\n"
    "try:\n    file.open('r+b')\nexcept OSError:\n    print('read only', file=sys.stderr)\nfrom arena",
    1,
)


def bundle_of(bot: str = READS, mark: str = "", content: bytes = WEIGHTS) -> Bundle:
    toml = f'{TOML}[weights]\n"net.bin" = "{sha256(content).hexdigest()}"\n'
    return read_upload(project(toml, bot, mark=mark), "mine.zip")


def parts(content: bytes = WEIGHTS, called: str = "", size: int = 1 << 19) -> Iterator[WeightsPart]:
    name = called or sha256(content).hexdigest()
    for start in range(0, len(content), size):
        yield WeightsPart(sha256=name, data=content[start : start + size], first=start == 0)
    yield WeightsPart(sha256=name, first=not content, last=True)


async def bring(house: House, *messages: WeightsPart) -> None:
    for message in messages:
        await house.requests.put(ControlRequest(weights=message))


async def wanted(house: House, count: int = 1) -> list[str]:
    async with asyncio.timeout(30):
        while True:
            said = [
                news.wanted_weights for news in house.news if news.WhichOneof("response") == "wanted_weights"
            ]
            if len(said) >= count:
                return said
            await asyncio.sleep(0.01)


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[House]:
    """A house that starts bundles without a sandbox, as no arena does."""
    bundles = Bundles(tmp_path / "bundles", wait_s=20.0)
    made = bundle_of()
    await bundles.store(made.sha256, made.data)
    async with open_house(tmp_path, launcher=Unprotected(bundles), bundles=bundles) as house:
        yield house


async def test_bot_in_the_sandbox_reads_its_weights_and_cannot_change_them(folder: Path) -> None:
    bundles = Bundles(folder / "bundles", wait_s=20.0)
    made = bundle_of()
    await bundles.store(made.sha256, made.data)
    launcher = await self_test.choose(
        "on", SMALL, allow_files=False, bundles=bundles.path, folder=folder / "bundles"
    )
    async with open_house(folder, bots=None, launcher=launcher, bundles=bundles) as house:
        playing = house.begin(order("m", Hosted(made.program), house_bot()))
        assert await wanted(house) == [SHA256]
        await bring(house, *parts())
        ended = (await playing)["m"]
        assert isinstance(ended, Finished)
        assert ended.record.result.end == "completed"
        said = SeatOutput(0, f"{SHA256}\nread only\n".encode())
        assert ended.outputs == (said,)
        again = (await house.play(order("n", Hosted(made.program, 1), house_bot())))["n"]
        assert isinstance(again, Finished)
        assert again.outputs == (said,)
    assert await wanted(house) == [SHA256]


def static_size(folder: Path) -> bytes:
    source = (
        "#include <stdio.h>\n#include <sys/stat.h>\nint main(void) { struct stat found;"
        ' if (stat("/bot/weights/net.bin", &found)) return 1; fprintf(stderr, "%ld", (long)found.st_size); return 0; }\n'
    )
    return compile_program(folder, source, "mine").read_bytes()


def node_size(_folder: Path) -> bytes:
    return b"process.stderr.write(String(require('fs').statSync(__dirname + '/weights/net.bin').size));\n"


@pytest.mark.parametrize(("entry", "program"), [("mine", static_size), ("mine.js", node_size)])
async def test_weights_lie_beside_programs_of_other_kinds_too(
    folder: Path, entry: str, program: Callable[[Path], bytes]
) -> None:
    toml = TOML.replace("mine.py", entry) + f'[weights]\n"net.bin" = "{SHA256}"\n'
    made = read_upload(zipped({"bot.toml": toml, entry: program(folder)}), "mine.zip")
    bundles = Bundles(folder / "bundles", wait_s=20.0)
    await bundles.store(made.sha256, made.data)
    bounds = replace(SMALL, memory_bytes=256 << 20)
    launcher = await self_test.choose(
        "on", bounds, allow_files=False, bundles=bundles.path, folder=folder / "bundles"
    )
    async with open_house(folder, bots=None, launcher=launcher, bundles=bundles) as house:
        playing = house.begin(order("m", Hosted(made.program), house_bot()))
        await wanted(house)
        await bring(house, *parts())
        ended = (await playing)["m"]
    assert isinstance(ended, Finished)
    assert ended.outputs == (SeatOutput(0, str(len(WEIGHTS)).encode()),)


async def test_weights_with_another_sha256_fail_the_match_and_charge_nobody(
    plain: House, tmp_path: Path
) -> None:
    playing = plain.begin(order("m", Hosted(bundle_of().program), house_bot()))
    await wanted(plain)
    wrong = WEIGHTS[:-1] + b"!"
    await bring(plain, *parts(wrong, SHA256))
    report = (await playing)["m"]
    assert isinstance(report, Failed)
    assert (
        f"weights {SHA256}: the bytes that came have the SHA-256 {sha256(wrong).hexdigest()}" in report.reason
    )
    assert list((tmp_path / "bundles/.weights").iterdir()) == []


async def test_weights_that_the_arena_has_not_fail_the_match_in_words(plain: House) -> None:
    playing = plain.begin(order("m", Hosted(bundle_of().program), house_bot()))
    await wanted(plain)
    await bring(plain, WeightsPart(sha256=SHA256, unavailable="the arena has none of that SHA-256"))
    report = (await playing)["m"]
    assert isinstance(report, Failed)
    assert "the arena has none of that SHA-256" in report.reason


async def test_new_stream_hears_which_weights_are_still_wanted(plain: House) -> None:
    playing = plain.begin(order("m", Hosted(bundle_of().program), house_bot()))
    await wanted(plain)
    await bring(plain, *[*parts()][:2])
    again = asyncio.create_task(plain.control())
    assert await wanted(plain, 2) == [SHA256] * 2
    await bring(plain, *parts(), *parts())
    assert isinstance((await playing)["m"], Finished)
    again.cancel()


async def gather(cache: WeightsCache, content: bytes) -> None:
    """Have weights fetched and brought."""
    name = sha256(content).hexdigest()
    waiting = asyncio.create_task(cache.wait_for(name))
    await asyncio.sleep(0)
    delivery = WeightsDelivery(cache)
    for part in parts(content):
        await delivery.take(part)
    await waiting


OTHERS = tuple(bytes([number]) * (1 << 20) for number in range(4))


def kept(folder: Path) -> list[int]:
    """Return which of the others are there, by their number."""
    names = {sha256(each).hexdigest(): number for number, each in enumerate(OTHERS)}
    return sorted(names[path.name] for path in (folder / ".weights").iterdir())


async def test_weights_that_were_not_used_for_longest_make_room(tmp_path: Path) -> None:
    cache = WeightsCache(tmp_path, max_bytes=2 << 20)
    await gather(cache, OTHERS[0])
    await gather(cache, OTHERS[1])
    await cache.wait_for(sha256(OTHERS[0]).hexdigest())
    await gather(cache, OTHERS[2])
    assert kept(tmp_path) == [0, 2]
    later = WeightsCache(tmp_path, max_bytes=2 << 20)
    await gather(later, OTHERS[3])
    assert len(kept(tmp_path)) == 2


async def test_weights_in_use_are_never_removed(tmp_path: Path) -> None:
    cache = WeightsCache(tmp_path, max_bytes=1 << 19)
    cache.in_use = lambda: {sha256(each).hexdigest() for each in OTHERS[:3]}
    for each in OTHERS:
        await gather(cache, each)
    assert kept(tmp_path) == [0, 1, 2, 3]  # the last was wanted itself
    cache.in_use = tuple
    await gather(cache, WEIGHTS)
    assert [path.name for path in (tmp_path / ".weights").iterdir()] == [SHA256]


async def test_weights_are_on_the_disk_once_for_all_bots_and_gone_when_removed(tmp_path: Path) -> None:
    bundles = Bundles(tmp_path, wait_s=5.0, max_weights_bytes=1 << 20)
    made = [bundle_of(mark=mark) for mark in "ab"]
    assert bundles.weights is not None
    for each in made:
        await bundles.store(each.sha256, each.data)
        fetching = asyncio.create_task(bundles.fetch(each.program))
        await asyncio.sleep(0)
        delivery = WeightsDelivery(bundles.weights)
        for part in parts():
            await delivery.take(part)
        await fetching
    files = [tmp_path / each.sha256 / PATH for each in made]
    assert {file.stat().st_ino for file in files} == {(tmp_path / ".weights" / SHA256).stat().st_ino}
    await gather(bundles.weights, OTHERS[0])
    assert [file.exists() for file in files] == [False, False]


async def test_weights_of_which_nothing_comes_are_not_waited_for_long(tmp_path: Path) -> None:
    cache = WeightsCache(tmp_path, stall_s=0.05)
    with pytest.raises(LaunchError, match="no part of them was brought within"):
        await cache.wait_for(SHA256)
    assert cache.wanted == ()
