"""A referee that starts uploads without a sandbox, as no arena does: for tests of what is around it."""

from __future__ import annotations

import argparse
import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena import process
from arena.submit import bundle, manifest
from referee.bundles import Bundles
from referee.launcher import PlainLauncher
from referee.server import Referee


class Unprotected(PlainLauncher):
    """Starts bundles as if they were our own."""

    def __init__(self, bundles: Bundles) -> None:
        super().__init__(allow_files=False)
        self._bundles = bundles

    def _arguments(self, program: str) -> list[str]:
        sha256 = bundle.sha256_of(program)
        if sha256 is None:
            return super()._arguments(program)
        folder = self._bundles.path(sha256)
        assert folder is not None
        entry = manifest.from_json((folder / bundle.MANIFEST).read_text()).entry
        return [sys.executable, str(folder / bundle.FOLDER / entry)]


@contextmanager
def unprotected_referee(folder: Path) -> Iterator[str]:
    """Start one in a process of its own; gives the address of its control port."""
    command = [sys.executable, "-m", "tests.referee.plain", str(folder)]
    referee = process.start(command, environment={}, stdout=subprocess.PIPE)
    assert referee.stdout is not None
    try:
        assert referee.stdout.readline() == b"ready\n"
        yield f"unix:{folder}/control"
    finally:
        process.stop(referee, grace_s=5)
        referee.stdout.close()


async def _serve(folder: Path) -> None:
    bundles = Bundles(folder / "bundles")
    referee = Referee(
        control=f"unix:{folder}/control",
        bots=[f"unix:{folder}/bots"],
        launcher=Unprotected(bundles),
        bundles=bundles,
    )
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await referee.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await stop.wait()
    await referee.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    asyncio.run(_serve(parser.parse_args().folder))
