"""Bundles at the referee: wanted when they are to be started, brought in parts, complete or not there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bundle_format.bundle import Bundle, read_upload
from arena.referee_client import Failed, Finished, Hosted
from arena.v1.control_pb2 import BundlePart, ControlRequest
from referee.launch.bundle_cache import Bundles, Delivery
from referee.launch.launcher import LaunchError
from tests.bundle_format.uploads import project, zipped
from tests.referee.plain import Unprotected
from tests.referee.running_referee import QUICK, House, house_bot, open_house, order


@pytest.fixture
def made() -> Bundle:
    return read_upload(project(), "mine.zip")


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[House]:
    """A house that starts bundles without a sandbox, as no arena does."""
    bundles = Bundles(tmp_path / "bundles", wait_s=20.0)
    async with open_house(tmp_path, launcher=Unprotected(bundles), bundles=bundles) as house:
        yield house


def parts(made: Bundle, size: int) -> list[BundlePart]:
    starts = range(0, len(made.data), size)
    return [
        BundlePart(
            sha256=made.sha256, data=made.data[start : start + size], last=start + size >= len(made.data)
        )
        for start in starts
    ]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def bring(house: House, *messages: BundlePart) -> None:
    for message in messages:
        await house.requests.put(ControlRequest(bundle=message))


async def wanted(house: House, count: int = 1) -> list[str]:
    """Wait until the referee has said that it wants so many."""
    async with asyncio.timeout(30):
        while True:
            said = [
                news.wanted_bundle for news in house.news if news.WhichOneof("response") == "wanted_bundle"
            ]
            if len(said) >= count:
                return said
            await asyncio.sleep(0.01)


async def test_a_bundle_is_asked_for_brought_and_played(plain: House, made: Bundle, tmp_path: Path) -> None:
    playing = plain.begin(order("m", Hosted(made.program), house_bot()))
    assert await wanted(plain) == [made.sha256]
    await bring(plain, *parts(made, 100))
    assert isinstance((await playing)["m"], Finished)
    assert names(tmp_path / "bundles" / made.sha256) == ["bot", "manifest.json"]


async def test_a_bundle_that_is_there_is_not_asked_for_again(plain: House, made: Bundle) -> None:
    playing = plain.begin(order("m", Hosted(made.program), Hosted(made.program, 1)))
    await wanted(plain)
    await bring(plain, *parts(made, 1 << 20))
    await playing
    assert isinstance((await plain.play(order("n", Hosted(made.program, 2), house_bot())))["n"], Finished)
    assert len(await wanted(plain)) == 1


async def test_a_bundle_that_the_arena_has_not_fails_the_match_and_charges_nobody(
    plain: House, made: Bundle
) -> None:
    playing = plain.begin(order("m", Hosted(made.program), house_bot()))
    await wanted(plain)
    await bring(plain, BundlePart(sha256=made.sha256, unavailable="the arena has none of that name"))
    report = (await playing)["m"]
    assert isinstance(report, Failed)
    assert "none of that name" in report.reason


async def test_other_bytes_than_those_of_its_name_are_not_unpacked(
    plain: House, made: Bundle, tmp_path: Path
) -> None:
    playing = plain.begin(order("m", Hosted(made.program), house_bot()))
    await wanted(plain)
    await bring(plain, BundlePart(sha256=made.sha256, data=made.data[:-1] + b"!", last=True))
    assert isinstance((await playing)["m"], Failed)
    assert names(tmp_path / "bundles") == []


async def test_a_new_stream_hears_what_is_still_wanted(plain: House, made: Bundle) -> None:
    playing = plain.begin(order("m", Hosted(made.program), house_bot()))
    await wanted(plain)
    again = asyncio.create_task(plain.control())
    assert await wanted(plain, 2) == [made.sha256] * 2
    # The stream that was replaced may take one of them with it.
    await bring(plain, *3 * parts(made, len(made.data)))
    assert isinstance((await playing)["m"], Finished)
    again.cancel()


async def test_a_referee_without_a_folder_says_what_it_lacks(tmp_path: Path, made: Bundle) -> None:
    with pytest.raises(LaunchError, match="--bundles"):
        await Bundles(None).fetch(made.program)


async def test_a_bundle_that_nobody_brings_is_not_waited_for_long(tmp_path: Path, made: Bundle) -> None:
    bundles = Bundles(tmp_path, wait_s=0.05)
    with pytest.raises(LaunchError, match="not brought"):
        await bundles.fetch(made.program)
    assert bundles.wanted == ()


async def test_a_bundle_without_end_is_given_up(tmp_path: Path, made: Bundle) -> None:
    bundles = Bundles(tmp_path)
    waiting = asyncio.create_task(bundles.fetch(made.program))
    await asyncio.sleep(0)
    delivery = Delivery(bundles)
    for _ in range(23):
        await delivery.add(BundlePart(sha256=made.sha256, data=bytes(1 << 20)))
    with pytest.raises(LaunchError, match="more than"):
        await waiting


async def test_a_bundle_that_comes_twice_at_once_is_there_once(tmp_path: Path, made: Bundle) -> None:
    bundles = Bundles(tmp_path)
    await asyncio.gather(*(bundles.store(made.sha256, made.data) for _ in range(4)))
    assert names(tmp_path) == [made.sha256]


@pytest.fixture
def others() -> list[Bundle]:
    """Bundles of a megabyte each."""
    return [read_upload(project(**{"data.bin": str(number) * (1 << 20)}), "mine.zip") for number in range(4)]


async def test_the_bundle_that_was_not_used_for_longest_makes_room(
    tmp_path: Path, others: list[Bundle]
) -> None:
    bundles = Bundles(tmp_path, max_bytes=5 << 19)
    first, second, third, _ = others
    await bundles.store(first.sha256, first.data)
    await bundles.store(second.sha256, second.data)
    await bundles.fetch(first.program)
    await bundles.store(third.sha256, third.data)
    assert names(tmp_path) == sorted([first.sha256, third.sha256])


async def test_what_was_used_last_is_known_to_the_next_referee(tmp_path: Path, others: list[Bundle]) -> None:
    bundles = Bundles(tmp_path, max_bytes=5 << 19)
    first, second, third, _ = others
    await bundles.store(first.sha256, first.data)
    await bundles.store(second.sha256, second.data)
    os.utime(tmp_path / first.sha256, (0, 0))
    os.utime(tmp_path / second.sha256, (1, 1))
    await bundles.fetch(first.program)
    after = Bundles(tmp_path, max_bytes=5 << 19)
    await after.store(third.sha256, third.data)
    assert names(tmp_path) == sorted([first.sha256, third.sha256])


async def test_a_bundle_in_use_is_never_removed(tmp_path: Path, others: list[Bundle]) -> None:
    bundles = Bundles(tmp_path, max_bytes=1 << 19)
    bundles.in_use = lambda: {each.program for each in others[:3]}
    for each in others:
        await bundles.store(each.sha256, each.data)
    assert names(tmp_path) == sorted(each.sha256 for each in others[:3])


async def test_bundles_that_are_started_at_once_in_too_little_room_are_all_played(
    tmp_path: Path, others: list[Bundle]
) -> None:
    bundles = Bundles(tmp_path / "bundles", wait_s=20.0, max_bytes=1 << 19)
    limits = replace(QUICK, idle_processes=0)
    *together, last = others
    async with open_house(tmp_path, launcher=Unprotected(bundles), bundles=bundles, limits=limits) as house:

        async def play(name: str, *made: Bundle) -> list[str]:
            """Play a match of each; gives which bundles were asked for so far."""
            before = len(asked)
            playing = house.begin(
                *(order(f"{name}-{each.sha256}", Hosted(each.program), house_bot()) for each in made)
            )
            found = await wanted(house, before + len(made))
            await bring(house, *(part for each in made for part in parts(each, 1 << 18)))
            assert all(isinstance(each, Finished) for each in (await playing).values())
            return found

        asked: list[str] = []
        asked = await play("first", *together)
        asked = await play("last", last)
        assert names(tmp_path / "bundles") == [last.sha256]
        assert (await play("again", together[0]))[-1] == together[0].sha256


async def test_a_referee_without_sandbox_starts_no_upload(tmp_path: Path, made: Bundle) -> None:
    bundles = Bundles(tmp_path / "bundles")
    await bundles.store(made.sha256, made.data)
    async with open_house(tmp_path, bundles=bundles) as house:
        report = (await house.play(order("m", Hosted(made.program), house_bot())))["m"]
    assert isinstance(report, Failed)
    assert made.program in report.reason


async def test_the_files_of_an_upload_lie_below_its_folder(tmp_path: Path) -> None:
    toml = 'name = "mine"\ngames = ["lost_cities"]\nentry = "src/deep/mine.py"\n'
    made = read_upload(zipped({"bot.toml": toml, "src/deep/mine.py": "1", "data/x.bin": b"\0"}), "a.zip")
    bundles = Bundles(tmp_path)
    await bundles.store(made.sha256, made.data)
    folder = bundles.path(made.sha256)
    assert folder is not None
    assert (folder / "bot/src/deep/mine.py").read_text() == "1"
    assert (folder / "bot/data/x.bin").read_bytes() == b"\0"
