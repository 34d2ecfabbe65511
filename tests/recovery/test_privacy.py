"""What another local user can read of a data directory while an arena runs on it: nothing."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.storage import Store
from tests.cli.running import run
from tests.parts.arena_process import RunningArena, create, is_over
from tests.patience import wait_until
from tests.recovery.conftest import WITHIN_S

OTHER = "65534"
pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="arena-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def readable(data: Path) -> list[str]:
    """What another user finds, and can read, at a path and below it, or at any path that is known to be there."""
    known = [str(path) for path in (data, *data.rglob("*")) if not path.is_socket()]
    script = 'for path in "$@"; do if [ -r "$path" ]; then echo "$path"; fi; done'
    done = subprocess.run(
        [
            "setpriv",
            f"--reuid={OTHER}",
            f"--regid={OTHER}",
            "--clear-groups",
            "sh",
            "-c",
            script,
            "sh",
            *known,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def play(store: Store) -> None:
    """Play a tournament, so that all files that there can be are there."""
    tournament = create(store, cycles=2)
    wait_until(lambda: is_over(store, tournament), "the tournament is over", within_s=WITHIN_S)


def test_nothing_of_a_new_one_can_be_read(arena: RunningArena, store: Store) -> None:
    play(store)
    assert len(list(arena.data.rglob("*"))) > 10
    assert readable(arena.data) == []


def test_nothing_of_an_older_one_can_be_read_any_more_and_that_is_said(place: Path) -> None:
    data = place / "data"
    assert run("db", "upgrade", "--data", str(data)).code == 0
    for folder in ("logs", "redis", "bundles"):
        (data / folder).mkdir()
    (data / "logs" / "web.log").write_text("old\n")
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert readable(data)
    with RunningArena(data, workers=1) as arena:
        play(arena.open_store())
        assert readable(data) == []
        assert "could be read by other users of this machine; now only its owner can" in arena.output()


def test_a_data_directory_of_another_user_is_refused(place: Path) -> None:
    os.chown(place, int(OTHER), int(OTHER))
    arena = RunningArena(place)
    with pytest.raises(AssertionError, match="belongs to user"):
        arena.start()
    arena.close()
