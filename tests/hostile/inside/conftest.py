import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from referee.launch.launcher import Protection
from referee.sandbox import command, self_test
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.sandboxed_attacks import LIMITS, SMALL
from tests.referee.running_referee import House, open_house


@pytest.fixture(scope="session", autouse=True)
def bubblewrap() -> None:
    if not command.find():
        if os.environ.get("CI"):
            pytest.fail("bubblewrap is missing: deploy/test-packages installs it")
        pytest.skip("needs bubblewrap: apt-get install bubblewrap libseccomp2")


@pytest.fixture(scope="session")
def measured() -> list[Protection]:
    """What measuring a sandbox of this machine has found, once a test has done so."""
    return []


@pytest.fixture(scope="module", autouse=True)
def measured_once(measured: list[Protection]) -> Iterator[None]:
    """Measure the sandbox once for all of these tests: it takes half of the time in which a referee starts.

    The measuring itself is tested in tests/referee/sandbox/test_self_test.py.
    """
    measure = self_test.measure

    async def look_up(launcher: SandboxLauncher) -> Protection:
        if not measured:
            measured.append(await measure(launcher))
        return measured[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(self_test, "measure", look_up)
        yield


def make_folder() -> Iterator[Path]:
    """Make a folder with a short path, which everybody may look into."""
    made = Path(tempfile.mkdtemp(prefix="arena-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


folder = pytest.fixture(make_folder, scope="module")
own_folder = pytest.fixture(make_folder)


@asynccontextmanager
async def sandboxed_house(folder: Path) -> AsyncIterator[House]:
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=lambda _sha256: None)
    assert isinstance(launcher, SandboxLauncher)
    async with open_house(folder, limits=LIMITS, launcher=launcher) as house:
        yield house


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(folder: Path) -> AsyncIterator[House]:
    """Run one referee for all tests of a module: what one hostile bot does harms none that comes later."""
    async with sandboxed_house(folder) as house:
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def own_house(own_folder: Path) -> AsyncIterator[House]:
    """Run a referee that a test may stop."""
    async with sandboxed_house(own_folder) as house:
        yield house
