"""Which launcher a referee gets, after the sandbox has been measured: a bot that tries to get out is run in it."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from pathlib import Path

from arena.core.errors import UsageError
from referee.launch.launcher import Launcher, LaunchError, Protection
from referee.launch.plain_launcher import PlainLauncher
from referee.launch.process_exit import Cause
from referee.limits.sandbox_bounds import MIB, Bounds
from referee.sandbox import command
from referee.sandbox.bot_programs import local_file
from referee.sandbox.cgroups import Cgroups, NotDelegated, delegated
from referee.sandbox.sandbox_launcher import Bundles, SandboxLauncher
from referee.sandbox.syscall_filter import FilterMissing, program

MODES = ("off", "auto", "on")
"""Never a sandbox; one for all hosted bots where it works, else house bots without; one, or no referee."""

_log = logging.getLogger(__name__)
_INSTALL = "install it: apt-get install bubblewrap libseccomp2"
_PERMIT = (
    "user namespaces are needed where the referee is not root: sysctl kernel.unprivileged_userns_clone=1"
)
_PROBE = Path(__file__).with_name("probe.py")
_SMALL = {"memory_bytes": 64 * MIB, "processes": 12, "tmp_bytes": 2 * MIB, "tmp_files": 64}
_SMALL_FOR_KERNEL = {"kernel_bytes": 4 * MIB, "processes": 20}
_KERNEL = "kernel memory"
_KERNEL_ATTEMPTS = 3
_LIMIT_S = 30.0


async def choose(
    mode: str,
    bounds: Bounds,
    *,
    allow_files: bool,
    bundles: Bundles,
    folder: Path | None = None,
    address: str = "",
) -> Launcher:
    """Return the launcher that a mode asks for.  Raises UsageError where it is `on` and the sandbox does not hold.

    `folder` has the bundles; `address` is where bots will connect.
    """
    if mode == "off":
        return PlainLauncher(allow_files=allow_files)
    try:
        groups, how = _groups()
        launcher = _sandbox(bounds, allow_files=allow_files, bundles=bundles, folder=folder, groups=groups)
    except FilterMissing as error:
        protection = Protection("none", str(error), _INSTALL)
    else:
        await launcher.prepare(referee=address)
        protection = await measure(launcher)
        protection = launcher.protection = replace(protection, words=f"{protection.words}; {how}")
        if protection.level != "none":
            _report(mode, protection)
            return launcher
        launcher.close()
    _report(mode, protection)
    return PlainLauncher(allow_files=allow_files, protection=protection)


async def measure(launcher: SandboxLauncher) -> Protection:
    """Test sandboxes with a bot that tries to get out: one made by bubblewrap, and one by the fork server.

    What one of them does not hold counts as not held; sums of memory are held by the watchdog, or by control groups.
    """
    small = launcher.bounded(replace(launcher.bounds, **_SMALL))
    for_kernel = launcher.bounded(replace(launcher.bounds, **_SMALL_FOR_KERNEL))
    try:
        found = await asyncio.gather(
            _probe(small, fork=False), _probe(small, fork=True), _probe_kernel(for_kernel)
        )
    finally:
        small.close()
        for_kernel.close()
    held: dict[str, bool] = {}
    for each in found:
        if isinstance(each, Protection):
            return each
        held |= {name: holds and held.get(name, True) for name, holds in each.items()}
    missing = [name for name, holds in held.items() if not holds]
    if missing:
        return Protection("partial", f"it does not bound {', '.join(missing)}")
    return Protection("full", f"a sandbox bounds {', '.join(held)}")


async def _probe(small: SandboxLauncher, *, fork: bool) -> dict[str, bool] | Protection:
    """Run the bot that tries to get out; return what held, or why that is not known."""
    try:
        process = small.run(local_file(_PROBE), {}, fork=fork)
        async with asyncio.timeout(_LIMIT_S):
            end = (await process.wait()).words
    except (LaunchError, TimeoutError) as error:
        return Protection("none", f"it cannot be measured: {error}")
    said = process.last_words()
    if not process.began:
        return Protection("none", f"a sandbox does not start: {said or end}", _PERMIT)
    try:
        held: dict[str, bool] = json.loads(said)
    except ValueError:
        return Protection("none", f"it cannot be measured: {end}; {said}")
    return {**held, "memory": "MiB of memory" in end}


async def _probe_kernel(small: SandboxLauncher) -> dict[str, bool] | Protection:
    """Run a bot that has the kernel hold too much memory for it; return whether that is bounded.

    A control group counts the kernel's memory, too.  Without one the watchdog has to see it in /proc/meminfo, where other
    programs may give back as much meanwhile: only what fails several times does not hold.
    """
    if small.groups is not None:
        return {_KERNEL: True}
    for _ in range(_KERNEL_ATTEMPTS):
        try:
            process = small.run(local_file(_PROBE), {"PROBE": "kernel"})
            async with asyncio.timeout(_LIMIT_S):
                end = await process.wait()
        except (LaunchError, TimeoutError) as error:
            return Protection("none", f"it cannot be measured: {error}")
        if end.cause is Cause.MACHINE_MEMORY:
            return {_KERNEL: True}
    return {_KERNEL: False}


def _groups() -> tuple[Cgroups | None, str]:
    """Take the control group that is delegated, if there is one; says what bounds a sandbox as a whole."""
    try:
        return Cgroups(delegated()), "each has a control group of its own"
    except NotDelegated as error:
        return None, f"a watchdog counts the memory of each, since {error}"


def _sandbox(
    bounds: Bounds, *, allow_files: bool, bundles: Bundles, folder: Path | None, groups: Cgroups | None
) -> SandboxLauncher:
    bwrap = command.find()
    if not bwrap:
        raise FilterMissing("bubblewrap is missing")
    return SandboxLauncher(
        bwrap,
        program(),
        bounds=bounds,
        allow_files=allow_files,
        bundles=bundles,
        folder=folder,
        groups=groups,
    )


def _report(mode: str, protection: Protection) -> None:
    if protection.level == "full":
        _log.info("protection from hosted bots: %s", protection)
        return
    if mode == "on":
        raise UsageError(f"--sandbox on: {protection}")
    _log.warning("protection from hosted bots: %s", protection)
