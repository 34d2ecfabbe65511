"""What a referee does with what it has: a full sandbox, one that holds only part, or none."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from arena.bundle_format.manifest import Manifest
from arena.core.errors import UsageError
from arena.referee_client import Failed, Finished, Hosted, SeatOutput
from referee.launch.bundle_cache import Bundles
from referee.launch.launcher import Protection
from referee.launch.plain_launcher import PlainLauncher
from referee.sandbox import command, self_test, syscall_table
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.conftest import bubblewrap
from tests.hostile.inside.conftest import own_folder as folder
from tests.hostile.inside.sandboxed_attacks import SMALL
from tests.referee.running_referee import house_bot, open_house, order

__all__ = ["bubblewrap", "folder"]

SHA256 = "ab" * 32
MANIFEST = Manifest("uploaded", ("lost_cities",), "main.py", ("numpy",))
BOT = """
import helper, sys
from importlib.util import find_spec
from arena.sdk import Bot, run
HIDDEN = ("bots", "scipy", "arena.games.lost_cities.house_bots.greedy")
class Uploaded(Bot):
    def choose(self, decision):
        return decision.legal[0]
import numpy
print(helper.WORD, [name for name in HIDDEN if find_spec(name)], file=sys.stderr)
run(Uploaded())
"""


@pytest.fixture
def uploaded(folder: Path) -> Path:
    """Return a folder of uploaded bots with one in it."""
    bundles = folder / "bundles"
    bot = bundles / SHA256 / "bot"
    bot.mkdir(parents=True)
    (bot / "main.py").write_text(BOT)
    (bot / "helper.py").write_text("WORD = 'from the bundle'")
    (bot.parent / "manifest.json").write_text(MANIFEST.to_json())
    return bundles


async def launcher_for(mode: str, bundles: Path | None = None) -> SandboxLauncher | PlainLauncher:
    found = await self_test.choose(
        mode, SMALL, allow_files=True, bundles=lambda sha256: bundles / sha256 if bundles else None
    )
    assert isinstance(found, SandboxLauncher | PlainLauncher)
    return found


async def test_sandbox_on_this_machine_is_full() -> None:
    launcher = await launcher_for("auto")
    assert launcher.protection.level == "full"
    launcher.close()


async def test_sandbox_whose_filter_lets_locks_through_is_partial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(syscall_table.FREE, "locks", "fcntl")
    launcher = await launcher_for("auto")
    assert str(launcher.protection).startswith("partial: it does not bound channels;")
    launcher.close()


async def test_sandbox_whose_filter_lets_unknown_options_through_is_partial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(syscall_table.FREE, "options", "prctl")
    launcher = await launcher_for("auto")
    assert str(launcher.protection).startswith("partial: it does not bound calls;")
    launcher.close()


async def test_sandbox_whose_watchdog_does_not_see_the_kernels_memory_is_partial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(self_test._SMALL_FOR_KERNEL, "kernel_bytes", 1 << 40)
    launcher = await launcher_for("auto")
    assert str(launcher.protection).startswith("partial: it does not bound kernel memory;")
    launcher.close()


async def test_uploaded_bot_plays_with_its_own_modules_and_the_packages_it_asked_for(
    folder: Path, uploaded: Path
) -> None:
    launcher = await launcher_for("on", uploaded)
    async with open_house(folder, bots=None, launcher=launcher, bundles=Bundles(uploaded)) as house:
        ended = (await house.play(order("m", Hosted(f"bundle:{SHA256}"), house_bot())))["m"]
    assert isinstance(ended, Finished)
    assert ended.record.result.end == "completed"
    assert ended.outputs == (SeatOutput(0, b"from the bundle []\n"),)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("bundle:12", "must be bundle: and 64 hexadecimal digits"),
        ("bundle:../../etc", "must be bundle: and 64 hexadecimal digits"),
        (f"bundle:{'cd' * 32}", "this referee does not have that bundle"),
        ("house:lost_cities/nobody", "there is no such house bot"),
        ("house:lost_cities/_playout", "there is no such house bot"),
        ("file:/nothing", "there is no such file"),
        ("else", "must be house:<game>/<name>, bundle:<sha256>, or file:<path>"),
    ],
)
async def test_program_that_is_none_is_refused(program: str, words: str) -> None:
    launcher = await launcher_for("on")
    with pytest.raises(UsageError, match=words.replace("(", r"\(")):
        launcher.check(program)
    launcher.close()


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (json.dumps({**json.loads(MANIFEST.to_json()), "format": "arena-bundle/99"}), "arena-bundle/99"),
        (json.dumps({"entry": "main.py"}), "manifest.json"),
        ("no JSON", "manifest.json"),
    ],
)
async def test_bundle_whose_manifest_cannot_be_read_is_refused(
    uploaded: Path, manifest: str, words: str
) -> None:
    (uploaded / SHA256 / "manifest.json").write_text(manifest)
    launcher = await launcher_for("on", uploaded)
    with pytest.raises(UsageError, match=words):
        launcher.check(f"bundle:{SHA256}")
    launcher.close()


async def test_without_bubblewrap_house_bots_play_and_uploaded_ones_are_refused_with_the_remedy(
    folder: Path, uploaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert not command.find()
    launcher = await launcher_for("auto", uploaded)
    assert launcher.protection.level == "none"
    with pytest.raises(UsageError, match="apt-get install bubblewrap libseccomp2"):
        launcher.check(f"bundle:{SHA256}")
    async with open_house(folder, bots=None, launcher=launcher) as house:
        ended = (await house.play(order("m", house_bot(), house_bot())))["m"]
    assert isinstance(ended, Finished)


async def test_without_bubblewrap_a_referee_that_must_have_it_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(
        UsageError, match="--sandbox on: none: bubblewrap is missing; install it: apt-get install"
    ):
        await launcher_for("on")


async def test_bubblewrap_that_may_not_make_a_sandbox_is_no_protection(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = folder / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    launcher = await launcher_for("auto")
    assert launcher.protection.level == "none"
    assert "No permissions to create a new namespace" in launcher.protection.words


async def test_sandbox_that_holds_only_part_starts_no_uploaded_bot(uploaded: Path) -> None:
    launcher = await launcher_for("on", uploaded)
    launcher.protection = Protection("partial", "it does not bound memory")
    with pytest.raises(UsageError, match="partial: it does not bound memory"):
        launcher.check(f"bundle:{SHA256}")
    launcher.check("house:lost_cities/random")
    launcher.close()


async def test_sandbox_that_cannot_be_made_is_the_platforms_fault(folder: Path, uploaded: Path) -> None:
    launcher = await launcher_for("on", uploaded)
    # It is checked when the match is ordered; what vanishes after that is not the bot's doing.
    async with open_house(folder, bots=None, launcher=launcher, bundles=Bundles(uploaded)) as house:
        (uploaded / SHA256 / "bot").rename(uploaded / SHA256 / "away")
        ended = (await house.play(order("m", Hosted(f"bundle:{SHA256}"), house_bot())))["m"]
    assert isinstance(ended, Failed)
    assert "could not be started" in ended.reason
