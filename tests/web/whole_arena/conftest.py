from collections.abc import Iterator

import pytest

from tests.parts.arena_process import RunningArena


@pytest.fixture(scope="package")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    """A whole arena, which starts once for those who use it in a real browser."""
    with RunningArena(tmp_path_factory.mktemp("arena") / "data") as arena:
        yield arena
