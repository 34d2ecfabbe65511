from collections.abc import Iterator

import pytest

from tests.arena import RunningArena


@pytest.fixture(scope="package")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    """A whole arena for the journeys in a real browser: it starts once."""
    arena = RunningArena(tmp_path_factory.mktemp("arena") / "data")
    try:
        arena.start()
        yield arena
    finally:
        arena.close()
