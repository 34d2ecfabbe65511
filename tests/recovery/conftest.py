import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.storage import Store
from tests.parts.arena_process import RunningArena, create, done, export, is_over
from tests.patience import wait_until

CYCLES = 120
"""Enough that a tournament is not over before something could happen to it: two workers play some hundred matches a second."""
WITHIN_S = 60.0
"""How long a tournament may take in all, on a busy machine."""


@pytest.fixture(scope="package")
def arena() -> Iterator[RunningArena]:
    """One arena for all that can be killed inside it, in a folder that every user can enter."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        Path(folder).chmod(0o755)
        with RunningArena(Path(folder) / "data") as arena:
            yield arena


@pytest.fixture(scope="package")
def store(arena: RunningArena) -> Iterator[Store]:
    store = arena.open_store()
    yield store
    store.close()


@pytest.fixture(scope="package")
def undisturbed(arena: RunningArena, store: Store) -> str:
    """The export of the tournament that nobody disturbs."""
    return Running(arena, store).export()


@dataclass
class Running:
    """A tournament that runs: always the same one, from the same secret."""

    arena: RunningArena
    store: Store

    def __post_init__(self) -> None:
        self.id = create(self.store, cycles=CYCLES)

    @property
    def done(self) -> int:
        return done(self.store, self.id)

    def until_the_middle(self) -> None:
        """Wait until some matches have a result, and see that many have not."""
        wait_until(
            lambda: self.done >= CYCLES // 4,
            "some matches are played",
            within_s=WITHIN_S,
            progress=lambda: self.done,
        )
        assert self.done < 2 * CYCLES

    def export(self) -> str:
        wait_until(
            lambda: is_over(self.store, self.id),
            "the tournament is over",
            within_s=WITHIN_S,
            progress=lambda: self.done,
        )
        return export(self.arena.data, self.id)


@pytest.fixture
def tournament(arena: RunningArena, store: Store, undisturbed: str) -> Running:
    running = Running(arena, store)
    running.until_the_middle()
    return running


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
